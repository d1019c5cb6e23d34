package judge

import (
	"fmt"
	"math"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// A Step is a part that compares with the right numbers themselves, found by several
// routes: for a quantity on the way to an answer.
type Step[P fmt.Stringer] struct {
	Name   string
	On     func() []P
	Routes []Route[P] // two at least, as different as can be
	Limits bool       // asks at the limits: where a step before is Wrong it says only that
	Right  string
}

// A Route is a way to the right numbers. Its digits decide how far an answer may be
// off, relative to the question's unit.
type Route[P any] struct {
	Name  string // in a message, "central differences of E"
	Tol   float64
	Value func(P) []float64
}

// near is a miss, in units, that is an inaccuracy where there is none beyond it.
const near = 1e-4

// Steps makes the parts of a check of f.
func (q *Question[F, P]) Steps(f F, list ...Step[P]) []verify.Part {
	a := asking[F, P]{q, f, new(record[P])}
	parts := make([]verify.Part, len(list))
	for i, s := range list {
		parts[i] = q.part(s.Name, "", s.On, func() verify.Verdict { return a.noted(s.Name, s.Limits, func() verify.Verdict { return a.step(s) }) })
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
			if miss > r.Tol && (failed < 0 || worst < near && miss >= near) {
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
		return verify.Fail(a.key("factor"), a.Hint, "%s is right up to one number that multiplies it everywhere. Is a factor lost or doubled, such as 2 or ½?", a.Name)
	}
	p := problems[failed]
	right := route.Value(p)
	off := verify.Close(answers[failed][entry], right[entry], verify.Tolerance{}).Off()
	if worst < near {
		return verify.Fail(a.key("nearly"), a.Hint, "Nearly: for %v %s and %s are %s. A coarse difference, rounded constants, or an approximation? There is an exact formula.", p, a.called(p, entry, len(right)), route.Name, off)
	}
	return verify.Fail(a.key("value"), a.Hint, "For %v %s is not what %s gives: %s.", p, a.called(p, entry, len(right)), route.Name, off)
}
