package judge

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// A Property is one part of a check. It states a property that the answer to every problem must
// have.
type Property[P fmt.Stringer] struct {
	// Name states the property. It is the title of the part.
	Name string
	// Problems returns the problems on which the answer is judged.
	Problems func() []P
	// Precheck returns a verdict that takes precedence over known mistakes. It may be nil.
	Precheck func(p P, got []float64) *verify.Verdict
	// Holds reports whether an answer has the property. If it is nil, the part checks only the form of
	// the answers and, if Related is set, their relation to the answers to the related problems.
	Holds func(p P, got []float64) verify.Finding

	// Related returns a related problem, whose answer determines the answer to p. It may be nil.
	Related func(p P) P
	// FromRelated computes the answer to p from the answer to the related problem. It is nil if the two
	// answers must be equal.
	FromRelated func(p P, answer []float64) []float64

	// Extreme says whether the problems are extreme cases. If this part is Wrong, and so is an earlier
	// part without extreme cases, the message of this part refers to the earlier part.
	Extreme bool
	// SecondFunc is the name of a second function of the learner that the part calls, or "".
	SecondFunc string

	// Wrong is the message for a wrong answer that no known mistake explains.
	Wrong Wrong
	// Right is the message for a right answer.
	Right string
	// RightNote returns text to append to Right, such as the convention that the learner chose. It may
	// be nil.
	RightNote func(answers [][]float64) string
}

// Wrong is the message for a wrong answer. In Message, {problem} stands for the problem's name and
// {off} for the size of the error in words, such as "off by about 0.1". For example, write "your
// sum is {off}".
type Wrong struct {
	Key     string // the complete key of the verdict: Question.Key is not added as a prefix
	Hint    int
	Message string
}

func (w Wrong) verdict(p fmt.Stringer, found verify.Finding) *verify.Verdict {
	return Fail(w.Key, w.Hint, "%s",
		strings.NewReplacer("{problem}", p.String(), "{off}", found.Off()).Replace(w.Message))
}

// Form returns the part that checks the form of the answers. The answers must be finite and of the
// right shape. Two calls must return equal answers, even if one call receives a matrix as a part of
// a larger matrix. If Question.New is set, the answers must be new. The function `also` may be nil.
// Otherwise it returns a related problem, and the answers to both problems must be equal.
func Form[P fmt.Stringer](name string, on func() []P, also func(P) P, wrong Wrong, right string) Property[P] {
	return Property[P]{Name: name, Problems: on, Related: also, Wrong: wrong, Right: right}
}

// Parts returns the parts of a check of the learner's function f. A part may repeat problems of an
// earlier part. If the answer to a repeated problem has the same fault in both parts, and the method
// explain finds no cause, the message of the later part refers to the earlier part.
func (q *Question[F, P]) Parts(f F, list ...Property[P]) []verify.Part {
	a := checkRun[F, P]{q, f, new(record[P])}
	parts := make([]verify.Part, len(list))
	for i, prop := range list {
		parts[i] = q.part(prop.Name, prop.SecondFunc, prop.Problems, func() verify.Verdict {
			v := a.judgePart(prop.Name, prop.Extreme, func() verify.Verdict { return a.judge(prop) })
			if v.Outcome == verify.Wrong && prop.Holds != nil {
				a.record.add(prop)
			}
			return v
		})
	}
	return parts
}

// A record stores what the later parts of a check need from the earlier parts: which parts are
// Wrong, and the answers that the method `answer` caches. It has a mutex, because a part that timed
// out may still use the record while the next part is judged.
type record[P fmt.Stringer] struct {
	sync.Mutex
	first string        // name of the first Wrong part whose problems are not extreme cases
	wrong []Property[P] // the Wrong parts that have a Holds function
	given map[any][]float64
}

func (r *record[P]) answer(to any) []float64 {
	r.Lock()
	defer r.Unlock()
	return slices.Clone(r.given[to])
}

func (r *record[P]) keep(to any, got []float64) {
	r.Lock()
	defer r.Unlock()
	if r.given == nil {
		r.given = map[any][]float64{}
	}
	r.given[to] = slices.Clone(got)
}

func (r *record[P]) add(prop Property[P]) {
	r.Lock()
	defer r.Unlock()
	r.wrong = append(r.wrong, prop)
}

// earlierPart looks for an earlier Wrong part that contains the problem p and whose function Holds
// finds the same error in the answer to p. It returns the name of the first such part. If there is no
// such part, it returns "", and p gets its own message.
func (r *record[P]) earlierPart(p P, got []float64, found verify.Finding, same func(p, q P) bool) string {
	r.Lock()
	defer r.Unlock()
	for _, prop := range r.wrong {
		contained := slices.ContainsFunc(prop.Problems(), func(q P) bool { return same(p, q) })
		if contained && sameFinding(prop.Holds(p, slices.Clone(got)), found) {
			return prop.Name
		}
	}
	return ""
}

// same reports whether its two arguments are the same problem.
func (q *Question[F, P]) same(a, b P) bool {
	return a.String() == b.String() && (q.Same == nil || q.Same(a) == q.Same(b))
}

// sameFinding reports whether two comparisons found the same error: the same size (Miss), the same
// place (Where) and the same note. If Miss is 0 in both, the errors count as different.
func sameFinding(a, b verify.Finding) bool {
	miss := a.Miss == b.Miss && a.Miss != 0 || math.IsNaN(a.Miss) && math.IsNaN(b.Miss)
	return miss && a.Where == b.Where && a.Note == b.Note
}

func (q *Question[F, P]) part(name, with string, on func() []P, judge func() verify.Verdict) verify.Part {
	functions := []string{q.Func}
	if with != "" {
		functions = append(functions, with)
	}
	// own computes the right answers and the known mistakes. On a slow machine this work may take a
	// long time, so the time that it takes extends the time limit of the part.
	own := func() {
		for _, p := range on() {
			q.Right(p)
			for _, m := range q.Mistakes {
				q.mistakeNumbers(m, p)
			}
		}
	}
	return verify.Part{Name: name, Of: functions, Own: own, Judge: judge}
}

// judgePart judges a part. It records the name of the first Wrong part whose problems are not
// extreme cases. If a later part with extreme cases is also Wrong, its verdict only tells the
// learner to fix the recorded part first.
func (a checkRun[F, P]) judgePart(name string, limits bool, judge func() verify.Verdict) verify.Verdict {
	v := judge()
	if v.Outcome != verify.Wrong {
		return v
	}
	a.record.Lock()
	defer a.record.Unlock()
	switch {
	case limits && a.record.first != "":
		return verify.Fail(a.key("in-the-middle"), 0, "This part is wrong, too. First fix the part “%s”.", a.record.first)
	case !limits && a.record.first == "":
		a.record.first = name
	}
	return v
}

func (a checkRun[F, P]) judge(prop Property[P]) verify.Verdict {
	problems := prop.Problems()
	answers := make([][]float64, len(problems))
	for i, p := range problems {
		c := &Call{}
		got, bad := a.answer(c, p, prop.Holds == nil)
		if bad == nil && prop.Holds == nil {
			bad = a.repeatable(p, got)
		}
		if bad == nil && prop.Holds == nil && a.New {
			bad = a.notShared(c, p, problems[(i+1)%len(problems)], got)
		}
		if bad == nil && prop.Precheck != nil {
			bad = prop.Precheck(p, got)
		}
		if bad == nil && prop.Holds != nil {
			if found := prop.Holds(p, got); !found.OK {
				bad = a.explain(problems, i)
				if before := a.record.earlierPart(p, got, found, a.same); bad == nil && before != "" {
					bad = Fail(a.key("wrong-before"), 0, "For %v the part “%s” is wrong, too. Fix that first.", p,
						before)
				}
				if bad == nil {
					bad = prop.Wrong.verdict(p, found)
				}
			}
		}
		if bad == nil && prop.Related != nil {
			bad = a.compareRelated(p, got, prop)
		}
		if bad != nil {
			return *bad
		}
		answers[i] = got
	}
	if prop.RightNote != nil {
		return verify.Pass("%s %s", prop.Right, prop.RightNote(answers))
	}
	return verify.Pass("%s", prop.Right)
}

// sameTolerance is the largest difference at which two answers to the same problem count as equal.
// Each difference is divided by the unit (Question.Unit).
const sameTolerance = 1e-9

// repeatable calls the learner's function twice: with the same arguments, and with matrices that
// are parts of larger matrices. It returns a verdict if one of the calls fails, or if its answer
// differs from `got`.
func (a checkRun[F, P]) repeatable(p P, got []float64) *verify.Verdict {
	again, bad := a.callUncached(p)
	if bad != nil {
		return bad
	}
	if _, miss := a.largestError(p, again, got); !(miss <= sameTolerance) {
		return Fail(a.key("not-constant"), 0,
			"Two calls with the same arguments returned different results. The result must depend on the arguments alone, not on a package variable, a random number or the order of a map.")
	}
	how := "your function fails"
	if again = a.fromViews(p); again != nil {
		if _, miss := a.largestError(p, again, got); miss <= sameTolerance {
			return nil
		}
		how = "the result differs"
	}
	return Fail(a.key("views"), 0,
		"For %v %s when the same matrix is passed as a part of a larger one (Slice). RawMatrix().Data then also contains numbers outside the rows of the matrix: use At, RawRowView, or the Stride.", p, how)
}

// fromViews calls the learner's function with matrices that are parts of larger matrices. It returns
// nil if the function panics or changes an argument, or if the result has the wrong form.
func (a checkRun[F, P]) fromViews(p P) (got []float64) {
	defer func() {
		if recover() != nil {
			got = nil
		}
	}()
	got, _ = a.call(a.f, &Call{views: true}, p)
	return got
}

// notShared returns a verdict if the next call changes the result of call c, or if the result
// shares memory with an argument. It tests for shared memory only if the answer is right, because
// another part reports a wrong answer.
func (a checkRun[F, P]) notShared(c *Call, p, other P, got []float64) *verify.Verdict {
	// Ignore a fault in this answer. The check reports the fault when it judges the problem
	// `other`.
	a.extraAnswer(other)
	if !c.Kept() {
		return Fail(a.key("not-new"), a.Hint,
			"A later call changed the result that you had returned for %v: return a new result from each call.", p)
	}
	if _, miss := a.largestError(p, got, a.Right(p)); !(miss <= mistakeTolerance) {
		return nil
	}
	if name := c.sharedArgument(); name != "" {
		return Fail(a.key("not-new"), a.Hint,
			"The result that you returned for %v is the argument %s itself, or shares its memory. A later change to the argument would also change the result: return a copy, even if no number changes.", p, name)
	}
	return nil
}

// compareRelated compares `got`, the answer to p, with the answer to the related problem
// prop.Related(p).
func (a checkRun[F, P]) compareRelated(p P, got []float64, prop Property[P]) *verify.Verdict {
	other, bad := a.callUncached(prop.Related(p))
	if bad != nil {
		return bad
	}
	if prop.FromRelated != nil {
		other = prop.FromRelated(p, other)
	}
	if _, miss := a.largestError(p, other, got); !(miss <= sameTolerance) {
		return prop.Wrong.verdict(p, exactly(other, got))
	}
	return nil
}

// exactly compares two lists of numbers without a tolerance. For lists of a single number, the
// finding has no Where.
func exactly(got, want []float64) verify.Finding {
	found := verify.CloseSlice(got, want, verify.Tolerance{})
	if len(got) == 1 {
		found.Where = ""
	}
	return found
}

// First returns a function for Property.Precheck. The function returns the verdict `wrong` if `holds`
// finds a fault. This verdict takes precedence over known mistakes.
func First[P fmt.Stringer](holds func(p P, got []float64) verify.Finding, wrong Wrong) func(p P,
	got []float64) *verify.Verdict {
	return func(p P, got []float64) *verify.Verdict {
		if f := holds(p, got); !f.OK {
			return wrong.verdict(p, f)
		}
		return nil
	}
}

// All returns the first of the findings that is not OK. If all findings are OK, it returns the last
// one.
func All(findings ...verify.Finding) (f verify.Finding) {
	for _, f = range findings {
		if !f.OK {
			break
		}
	}
	return f
}

// A Step is one part of an exercise's CheckSteps. It compares an intermediate quantity of the
// learner with the right numbers. Several independent methods (Routes) compute the right numbers.
type Step[P fmt.Stringer] struct {
	Name     string
	Problems func() []P
	Routes   []Route[P] // at least two routes, as different as possible
	// whether the problems are extreme cases; if this step is Wrong, and so is an earlier step
	// without extreme cases, the message of this step refers to the earlier step
	Extreme bool
	Right   string
}

// A Route is one method of computing the right numbers. Tol is the largest accepted error of an
// answer, divided by the unit (Question.Unit).
type Route[P any] struct {
	Name  string // name of the method in messages, such as "central differences of E"
	Tol   float64
	Value func(P) []float64
}

// nearTolerance is the largest error, divided by the unit (Question.Unit), that counts as low
// accuracy. A larger error counts as a wrong formula.
const nearTolerance = 1e-4

// Steps returns the parts of a check of the learner's function f, one for each step.
func (q *Question[F, P]) Steps(f F, list ...Step[P]) []verify.Part {
	a := checkRun[F, P]{q, f, new(record[P])}
	parts := make([]verify.Part, len(list))
	for i, s := range list {
		parts[i] = q.part(s.Name, "", s.Problems,
			func() verify.Verdict {
				return a.judgePart(s.Name, s.Extreme, func() verify.Verdict { return a.step(s) })
			})
	}
	return parts
}

func (a checkRun[F, P]) step(s Step[P]) verify.Verdict {
	problems := s.Problems()
	answers := make([][]float64, len(problems))
	for i, p := range problems {
		got, bad := a.callUncached(p)
		if bad == nil {
			bad = a.repeatable(p, got)
		}
		if bad != nil {
			return *bad
		}
		answers[i] = got
	}
	failed, route, entry, worst := -1, Route[P]{}, 0, 0.0
	for i, p := range problems {
		for _, r := range s.Routes {
			at, miss := a.largestError(p, answers[i], r.Value(p))
			if miss > r.Tol && (failed < 0 || worst < nearTolerance && miss >= nearTolerance) {
				failed, route, entry, worst = i, r, at, miss
			}
		}
	}
	if failed < 0 {
		return verify.Pass("%s", s.Right)
	}
	if verify.Trying() {
		return verify.Fail(a.key("value"), 0, "wrong")
	}
	if v := a.knownMistake(problems, answers, failed); v != nil {
		return *v
	}
	switch c := a.commonFactor(problems, answers); {
	case math.Abs(c+1) < mistakeTolerance:
		return verify.Fail(a.key("sign"), a.Hint, "%s has the wrong sign everywhere; the absolute values are right.", a.Name)
	case c != 1:
		return verify.Fail(a.key("factor"), a.Hint,
			"%s is right except for a constant factor, such as 2 or ½, that is the same everywhere.",
			a.Name)
	}
	p := problems[failed]
	right := route.Value(p)
	off := verify.Close(answers[failed][entry], right[entry], verify.Tolerance{}).Off()
	if worst < nearTolerance {
		return verify.Fail(a.key("nearly"), a.Hint,
			"Nearly: for %v the difference between %s and %s is too large: %s. Possible causes are a coarse difference quotient, a rounded constant, an approximation, or a difference of nearly equal numbers.", p, a.entryName(p, entry, len(right)), route.Name, off)
	}
	return verify.Fail(a.key("value"), a.Hint, "For %v, %s differs from the result of %s: %s.", p, a.entryName(p, entry, len(right)),
		route.Name, off)
}
