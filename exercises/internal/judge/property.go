package judge

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// A Property is one part of a check, about a property of the answers to every problem.
type Property[P fmt.Stringer] struct {
	Name   string // the property, as the title of the part
	On     func() []P
	First  func(p P, got []float64) *verify.Verdict // takes precedence over any mistake; may be nil
	Holds  func(p P, got []float64) verify.Finding
	Also   func(p P) P                           // a problem whose answer is related to the answer of p …
	Back   func(p P, answer []float64) []float64 // … by this function, which converts it back; nil if the answers are the same
	Limits bool                                  // at the limits only: if an earlier part is Wrong, refers to that part
	With   string                                // another of the learner's functions that it calls, or ""
	Wrong  Wrong                                 // if no mistake explains the answer
	Right  string
	Note   func(answers [][]float64) string // is added to Right, such as the convention used; may be nil
}

// Wrong is the message for a wrong answer. In Message, {problem} is the problem's name
// and {off} the size of the error.
type Wrong struct {
	Key     string
	Hint    int
	Message string
}

func (w Wrong) verdict(p fmt.Stringer, found verify.Finding) *verify.Verdict {
	return Fail(w.Key, w.Hint, "%s",
		strings.NewReplacer("{problem}", p.String(), "{off}", found.Off()).Replace(w.Message))
}

// Form returns the part that checks that the answers are finite, of the right shape, the same
// when called twice, and the same when matrices are parts of larger ones. also, if not
// nil, returns a problem with the same answer.
func Form[P fmt.Stringer](name string, on func() []P, also func(P) P, wrong Wrong, right string) Property[P] {
	return Property[P]{Name: name, On: on, Also: also, Wrong: wrong, Right: right}
}

// Parts returns the parts of a check of f. A part may include problems of an earlier part. If its
// first failing problem is one that already failed there in the same way, its message refers to
// the earlier part.
func (q *Question[F, P]) Parts(f F, list ...Property[P]) []verify.Part {
	a := asking[F, P]{q, f, new(record[P])}
	parts := make([]verify.Part, len(list))
	for i, prop := range list {
		parts[i] = q.part(prop.Name, prop.With, prop.On, func() verify.Verdict {
			v := a.noted(prop.Name, prop.Limits, func() verify.Verdict { return a.judge(prop) })
			if v.Outcome == verify.Wrong && prop.Holds != nil {
				a.record.add(prop)
			}
			return v
		})
	}
	return parts
}

// A record holds the findings of earlier parts. A part that timed out may still be running.
type record[P fmt.Stringer] struct {
	sync.Mutex
	first string        // first part that was Wrong and is not at the limits only
	wrong []Property[P] // those with Holds
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

// of returns the name of the first Wrong part that also includes p and has the same finding
// about it, or "". A different finding about p is true, and worth its own message.
func (r *record[P]) of(p P, got []float64, found verify.Finding, same func(p, q P) bool) string {
	r.Lock()
	defer r.Unlock()
	for _, prop := range r.wrong {
		asked := slices.ContainsFunc(prop.On(), func(q P) bool { return same(p, q) })
		if asked && alike(prop.Holds(p, slices.Clone(got)), found) {
			return prop.Name
		}
	}
	return ""
}

// same reports whether two problems are the same.
func (q *Question[F, P]) same(a, b P) bool {
	return a.String() == b.String() && (q.Same == nil || q.Same(a) == q.Same(b))
}

// alike reports whether two findings have the same nonzero miss, place and note. Findings without
// a miss are never alike.
func alike(a, b verify.Finding) bool {
	miss := a.Miss == b.Miss && a.Miss != 0 || math.IsNaN(a.Miss) && math.IsNaN(b.Miss)
	return miss && a.Where == b.Where && a.Note == b.Note
}

func (q *Question[F, P]) part(name, with string, on func() []P, judge func() verify.Verdict) verify.Part {
	of := []string{q.Func}
	if with != "" {
		of = append(of, with)
	}
	own := func() { // computes the right answers and the known mistakes
		for _, p := range on() {
			q.Right(p)
			for _, m := range q.Mistakes {
				q.value(m, p)
			}
		}
	}
	return verify.Part{Name: name, Of: of, Own: own, Judge: judge}
}

// noted judges a part, and remembers the first one that is wrong before the limits. At the
// limits, an answer that is already wrong gets only a reference to that part.
func (a asking[F, P]) noted(name string, limits bool, judge func() verify.Verdict) verify.Verdict {
	v := judge()
	if v.Outcome != verify.Wrong {
		return v
	}
	a.record.Lock()
	defer a.record.Unlock()
	switch {
	case limits && a.record.first != "":
		return verify.Fail(a.key("in-the-middle"), 0, "Wrong here, too. First fix the part “%s”.", a.record.first)
	case !limits && a.record.first == "":
		a.record.first = name
	}
	return v
}

func (a asking[F, P]) judge(prop Property[P]) verify.Verdict {
	problems := prop.On()
	answers := make([][]float64, len(problems))
	for i, p := range problems {
		c := &Call{}
		got, bad := a.answer(c, p, prop.Holds == nil)
		if bad == nil && prop.Holds == nil {
			bad = a.constant(p, got)
		}
		if bad == nil && prop.Holds == nil && a.New {
			bad = a.ofItsOwn(c, p, problems[(i+1)%len(problems)], got)
		}
		if bad == nil && prop.First != nil {
			bad = prop.First(p, got)
		}
		if bad == nil && prop.Holds != nil {
			if found := prop.Holds(p, got); !found.OK {
				bad = a.explain(problems, i)
				if before := a.record.of(p, got, found, a.same); bad == nil && before != "" {
					bad = Fail(a.key("wrong-before"), 0, "For %v the part “%s” is wrong, too. Fix that first.", p,
						before)
				}
				if bad == nil {
					bad = prop.Wrong.verdict(p, found)
				}
			}
		}
		if bad == nil && prop.Also != nil {
			bad = a.related(p, got, prop)
		}
		if bad != nil {
			return *bad
		}
		answers[i] = got
	}
	if prop.Note != nil {
		return verify.Pass("%s %s", prop.Right, prop.Note(answers))
	}
	return verify.Pass("%s", prop.Right)
}

// same is the tolerance for two answers to one problem, in units.
const same = 1e-9

// constant calls the function again, and once more with matrices that are parts of larger ones.
func (a asking[F, P]) constant(p P, got []float64) *verify.Verdict {
	again, bad := a.ask(p)
	if bad != nil {
		return bad
	}
	if _, miss := a.worst(p, again, got); !(miss <= same) {
		return Fail(a.key("not-constant"), 0,
			"Two calls with the same arguments gave different answers. Is something changed that outlives the call?")
	}
	if again = a.fromViews(p); again != nil {
		if _, miss := a.worst(p, again, got); miss <= same {
			return nil
		}
	}
	return Fail(a.key("views"), 0,
		"For %v the answer differs when the same matrix is passed as a part of a larger one (Slice). RawMatrix().Data then has numbers between the rows: use At, RawRowView, or the Stride.", p)
}

// fromViews calls the function with matrices that are parts of larger ones. It returns nil if the
// form is wrong, or if the numbers between the rows led to a panic.
func (a asking[F, P]) fromViews(p P) (got []float64) {
	defer func() {
		if recover() != nil {
			got = nil
		}
	}()
	got, _ = a.call(a.f, &Call{views: true}, p)
	return got
}

// ofItsOwn checks that an answer survives the next call, and that it does not change when the
// caller writes into the arguments. The second check skips wrong answers: another part reports
// them.
func (a asking[F, P]) ofItsOwn(c *Call, p, other P, got []float64) *verify.Verdict {
	a.quiet(other) // a fault in this answer is reported when its turn comes
	if !c.Kept() {
		return Fail(a.key("not-new"), a.Hint,
			"What you returned for %v was changed by the next call: each call returns something new.", p)
	}
	if _, miss := a.worst(p, got, a.Right(p)); !(miss <= named) {
		return nil
	}
	if name := c.shared(); name != "" {
		return Fail(a.key("not-new"), a.Hint,
			"What you returned for %v is the argument %s itself, or shares its memory: whoever changes one later changes the other. Return a copy, also where nothing changes.", p, name)
	}
	return nil
}

// related compares the answer with the answer to the related problem.
func (a asking[F, P]) related(p P, got []float64, prop Property[P]) *verify.Verdict {
	other, bad := a.ask(prop.Also(p))
	if bad != nil {
		return bad
	}
	if prop.Back != nil {
		other = prop.Back(p, other)
	}
	if _, miss := a.worst(p, other, got); !(miss <= same) {
		return prop.Wrong.verdict(p, verify.CloseSlice(other, got, verify.Tolerance{}))
	}
	return nil
}

// First returns a function that reports wrong if holds is not OK, whatever the mistake.
func First[P fmt.Stringer](holds func(p P, got []float64) verify.Finding, wrong Wrong) func(p P,
	got []float64) *verify.Verdict {
	return func(p P, got []float64) *verify.Verdict {
		if f := holds(p, got); !f.OK {
			return wrong.verdict(p, f)
		}
		return nil
	}
}

// All returns the first finding that is not OK, or else the last.
func All(findings ...verify.Finding) (f verify.Finding) {
	for _, f = range findings {
		if !f.OK {
			break
		}
	}
	return f
}

// A Step is a part that compares an intermediate quantity with the right numbers themselves,
// which are computed by several routes.
type Step[P fmt.Stringer] struct {
	Name   string
	On     func() []P
	Routes []Route[P] // at least two, as different as possible
	Limits bool       // at the limits: if an earlier step is Wrong, refers to that step
	Right  string
}

// A Route is a way to compute the right numbers. Tol bounds the error of an answer,
// relative to the question's unit.
type Route[P any] struct {
	Name  string // for messages: "central differences of E"
	Tol   float64
	Value func(P) []float64
}

// nearTolerance is the limit, in units, below which the largest miss counts as an inaccuracy.
const nearTolerance = 1e-4

// Steps returns the parts of a check of f.
func (q *Question[F, P]) Steps(f F, list ...Step[P]) []verify.Part {
	a := asking[F, P]{q, f, new(record[P])}
	parts := make([]verify.Part, len(list))
	for i, s := range list {
		parts[i] = q.part(s.Name, "", s.On,
			func() verify.Verdict { return a.noted(s.Name, s.Limits, func() verify.Verdict { return a.step(s) }) })
	}
	return parts
}

func (a asking[F, P]) step(s Step[P]) verify.Verdict {
	problems := s.On()
	answers := make([][]float64, len(problems))
	for i, p := range problems {
		got, bad := a.ask(p)
		if bad == nil {
			bad = a.constant(p, got)
		}
		if bad != nil {
			return *bad
		}
		answers[i] = got
	}
	failed, route, entry, worst := -1, Route[P]{}, 0, 0.0
	for i, p := range problems {
		for _, r := range s.Routes {
			at, miss := a.worst(p, answers[i], r.Value(p))
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
	if v := a.known(problems, answers, failed); v != nil {
		return *v
	}
	switch c := a.factor(problems, answers); {
	case math.Abs(c+1) < named:
		return verify.Fail(a.key("sign"), a.Hint, "%s is right but for its sign, everywhere.", a.Name)
	case c != 1:
		return verify.Fail(a.key("factor"), a.Hint,
			"%s is right up to one number that multiplies it everywhere. Is a factor lost or doubled, such as 2 or ½?",
			a.Name)
	}
	p := problems[failed]
	right := route.Value(p)
	off := verify.Close(answers[failed][entry], right[entry], verify.Tolerance{}).Off()
	if worst < nearTolerance {
		return verify.Fail(a.key("nearly"), a.Hint,
			"Nearly: for %v %s and %s are %s. A coarse difference, rounded constants, or an approximation? There is an exact formula.", p, a.called(p, entry, len(right)), route.Name, off)
	}
	return verify.Fail(a.key("value"), a.Hint, "For %v %s is not what %s gives: %s.", p, a.called(p, entry, len(right)),
		route.Name, off)
}
