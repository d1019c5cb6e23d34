package judge

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// A Property is one part of a check: what must hold of the answers on every problem.
type Property[P fmt.Stringer] struct {
	Name   string // what is established
	On     func() []P
	First  func(p P, got []float64) *verify.Verdict // is said whatever the mistake; may be nil
	Holds  func(p P, got []float64) verify.Finding
	Also   func(p P) P                           // nil, or a problem whose answer is related …
	Back   func(p P, answer []float64) []float64 // … by this, which turns it into the answer of p; nil: it is the same
	Limits bool                                  // asks at the limits only: where a part before is Wrong it says only that
	With   string                                // another of the learner's functions that it calls, "" for none
	Wrong  Wrong                                 // where no mistake explains it
	Right  string
	Note   func(answers [][]float64) string // is added to Right: which of several conventions it is; may be nil
}

// Wrong is what to say of a wrong answer. In Message {problem} is the problem's name
// and {off} how far off the answer is.
type Wrong struct {
	Key     string
	Hint    int
	Message string
}

func (w Wrong) verdict(p fmt.Stringer, found verify.Finding) *verify.Verdict {
	return Fail(w.Key, w.Hint, "%s", strings.NewReplacer("{problem}", p.String(), "{off}", found.Off()).Replace(w.Message))
}

// Form is the part that finds the answers finite, of the right shape, the same when
// asked twice, and the same when matrices are parts of larger ones. also, if not
// nil, is a problem with the same answer.
func Form[P fmt.Stringer](name string, on func() []P, also func(P) P, wrong Wrong, right string) Property[P] {
	return Property[P]{Name: name, On: on, Also: also, Wrong: wrong, Right: right}
}

// Parts makes the parts of a check of f. A part may ask once more what an earlier one has
// asked, of more problems: where its first case that is not right is such a case, it says that, and not what it
// says of its own cases.
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

// A record is what was found in the parts before. A part that timed out may still run.
type record[P fmt.Stringer] struct {
	sync.Mutex
	first string        // part that was Wrong and does not ask at the limits only
	wrong []Property[P] // with Holds
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

// of is the first part that was Wrong and finds the same of p, which it asks, too; "" for
// none. Another finding about p is true of p, and worth saying.
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

// same reports whether two problems are one.
func (q *Question[F, P]) same(a, b P) bool {
	return a.String() == b.String() && (q.Same == nil || q.Same(a) == q.Same(b))
}

// alike reports whether two findings say the same; those without a size and a note say
// nothing.
func alike(a, b verify.Finding) bool {
	miss := a.Miss == b.Miss && a.Miss != 0 || math.IsNaN(a.Miss) && math.IsNaN(b.Miss)
	return miss && a.Where == b.Where && a.Note == b.Note
}

func (q *Question[F, P]) part(name, with string, on func() []P, judge func() verify.Verdict) verify.Part {
	of := []string{q.Func}
	if with != "" {
		of = append(of, with)
	}
	own := func() { // the right answer, and what answers by mistake
		for _, p := range on() {
			q.Right(p)
			for _, m := range q.Mistakes {
				q.value(m, p)
			}
		}
	}
	return verify.Part{Name: name, Of: of, Own: own, Judge: judge}
}

// noted judges and remembers the first part that is wrong before the limits. There it
// says nothing of answers that are wrong already, but that they are wrong there, too.
func (a asking[F, P]) noted(name string, limits bool, judge func() verify.Verdict) verify.Verdict {
	v := judge()
	if v.Outcome != verify.Wrong {
		return v
	}
	a.record.Lock()
	defer a.record.Unlock()
	switch {
	case limits && a.record.first != "":
		return verify.Fail(a.key("in-the-middle"), 0, "%s: not right there either. First fix what the part “%s” speaks of.", a.Name, a.record.first)
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
					bad = Fail(a.key("wrong-before"), 0, "For %v the part “%s” asks this, too, and is wrong. Fix that first.", p, before)
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

// same is the agreement of two answers to one problem, in units.
const same = 1e-9

// constant asks again, and once more with matrices that are parts of larger ones.
func (a asking[F, P]) constant(p P, got []float64) *verify.Verdict {
	again, bad := a.ask(p)
	if bad != nil {
		return bad
	}
	if _, miss := a.worst(p, again, got); !(miss <= same) {
		return Fail(a.key("not-constant"), 0, "Two calls with the same arguments gave different answers. Is something changed that outlives the call?")
	}
	if again = a.fromViews(p); again != nil {
		if _, miss := a.worst(p, again, got); miss <= same {
			return nil
		}
	}
	return Fail(a.key("views"), 0, "For %v the answer differs when the same matrix is passed as a part of a larger one (Slice). RawMatrix().Data then has numbers between the rows: use At, RawRowView, or the Stride.", p)
}

// fromViews asks once more with matrices that are parts of larger ones: nil where the
// answer has no form, or what stands between the rows led to a panic.
func (a asking[F, P]) fromViews(p P) (got []float64) {
	defer func() {
		if recover() != nil {
			got = nil
		}
	}()
	got, _ = a.call(a.f, &Call{views: true}, p)
	return got
}

// ofItsOwn asks for another answer and looks whether the first one is still there, and
// still is when the caller writes into the arguments. An argument that is no right answer
// has a part of its own to say so.
func (a asking[F, P]) ofItsOwn(c *Call, p, other P, got []float64) *verify.Verdict {
	a.quiet(other) // what is wrong with that answer is said when it has its turn
	if !c.Kept() {
		return Fail(a.key("not-new"), a.Hint, "What you returned for %v was changed by the next call: each call returns something new.", p)
	}
	if _, miss := a.worst(p, got, a.Right(p)); !(miss <= named) {
		return nil
	}
	if name := c.shared(); name != "" {
		return Fail(a.key("not-new"), a.Hint, "What you returned for %v is the argument %s itself, or shares its memory: whoever changes one later changes the other. Return a copy, also where nothing changes.", p, name)
	}
	return nil
}

// related asks for the answer to the other problem.
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

// First says wrong of an answer for which holds does not hold, whatever the mistake.
func First[P fmt.Stringer](holds func(p P, got []float64) verify.Finding, wrong Wrong) func(p P, got []float64) *verify.Verdict {
	return func(p P, got []float64) *verify.Verdict {
		if f := holds(p, got); !f.OK {
			return wrong.verdict(p, f)
		}
		return nil
	}
}

// All is the first finding that is not OK, else the last.
func All(findings ...verify.Finding) (f verify.Finding) {
	for _, f = range findings {
		if !f.OK {
			break
		}
	}
	return f
}
