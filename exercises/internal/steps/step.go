// Package steps judges the steps of a derivation: quantities on the way to an
// answer that a learner may write, too, to find out where a derivation went wrong.
// Exercises hand its verdicts to CheckSteps.
package steps

import (
	"fmt"
	"math"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/learner"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// A Step is a quantity, one number or several, that depends on a problem of type P.
type Step[P any] struct {
	Name     string                               // the learner's function
	Key      string                               // begins the keys of all verdicts but those of Ask
	Hint     int                                  // the hint that speaks of it
	Problems func() []P                           // drawn anew by each call
	Where    func(P) string                       // the problem in a message, after "at" or "for"
	Ask      func(P) ([]float64, *verify.Verdict) // calls the learner's function with copies
	Entries  []string                             // what the numbers are called, nil for one number or a vector
	Unit     func(p P, right []float64) []float64 // the size of each number, nil for the largest of them
	Routes   []Route[P]                           // two at least, as different as can be
	Mistakes []learner.Mistake[P]                 // in the order in which they are looked for
	Right    string                               // what is established when all is well
}

// A Route is a way to the right numbers. Its digits decide how far the learner's
// may be off, relative to the step's unit.
type Route[P any] struct {
	Name  string // in a message, "central differences of E"
	Tol   float64
	Value func(P) []float64
}

// Judge asks for the step on every problem and compares with every route. What it
// finds wrong it looks for among the mistakes: one that explains the numbers on
// all problems names the verdict. It never tells the right numbers.
func (s Step[P]) Judge() verify.Verdict {
	problems := s.Problems()
	got := make([][]float64, len(problems))
	for i, p := range problems {
		v, bad := s.ask(p)
		if bad != nil {
			return *bad
		}
		got[i] = v
	}
	failed, route, entry, worst := -1, Route[P]{}, 0, 0.0
	for i, p := range problems {
		for _, r := range s.Routes {
			at, miss := s.worst(p, got[i], r.Value(p))
			if miss > r.Tol && (failed < 0 || worst < near && miss >= near) {
				failed, route, entry, worst = i, r, at, miss
			}
		}
	}
	if failed < 0 {
		return verify.Pass("%s", s.Right)
	}
	if v, ok := s.recognise(problems, got, failed); ok {
		return v
	}
	p := problems[failed]
	right := route.Value(p)
	off := verify.Close(got[failed][entry], right[entry], verify.Tolerance{}).Off()
	if worst < near {
		return verify.Fail(s.key("nearly"), s.Hint, "Nearly: for %s %s and %s are %s. A coarse difference, rounded constants, or an approximation? There is an exact formula.", s.Where(p), s.called(entry, len(right)), route.Name, off)
	}
	return verify.Fail(s.key("value"), s.Hint, "For %s %s is not what %s gives: %s.", s.Where(p), s.called(entry, len(right)), route.Name, off)
}

// near is a miss, in units, that is an inaccuracy where there is none beyond it on
// any problem.
const near = 1e-4

// ask is Ask, with a verdict too where the numbers are not as many as they should
// be, not finite, or not the same when asked again.
func (s Step[P]) ask(p P) ([]float64, *verify.Verdict) {
	got, bad := s.Ask(p)
	if bad != nil {
		return nil, bad
	}
	want := s.Routes[0].Value(p)
	switch {
	case len(got) == 0 && len(want) > 0:
		return nil, learner.Fail(s.key("empty"), s.Hint, "Nothing came back from %s for %s.", s.Name, s.Where(p))
	case len(got) != len(want):
		return nil, learner.Fail(s.key("wrong-length"), s.Hint, "For %s %s returned %d numbers, and %d belong there. Its comment says what each of them is.", s.Where(p), s.Name, len(got), len(want))
	}
	if i, v, found := learner.NotFinite(got); found {
		return nil, learner.Fail(s.key("not-finite"), s.Hint, "For %s %s is %g. Look for a division by zero, a logarithm of 0, or a number that grows too large on the way.", s.Where(p), s.called(i, len(got)), v)
	}
	again, bad := s.Ask(p)
	if bad != nil {
		return nil, bad
	}
	if len(again) != len(got) {
		return nil, learner.Fail(s.key("not-constant"), 0, "Two calls of %s with the same arguments returned different numbers of values.", s.Name)
	}
	if _, miss := s.worst(p, again, got); !(miss <= 1e-9) {
		return nil, learner.Fail(s.key("not-constant"), 0, "Two calls of %s with the same arguments returned different numbers. Is something changed that outlives the call?", s.Name)
	}
	return got, nil
}

// worst is the entry that is farthest from right, and how far it is, in units.
func (s Step[P]) worst(p P, got, right []float64) (entry int, miss float64) {
	unit := s.units(p)
	for i := range right {
		m := math.Abs(got[i]-right[i]) / unit[i]
		if math.IsNaN(m) { // of a mistaken formula; the learner's numbers are finite
			return i, m
		}
		if m > miss {
			entry, miss = i, m
		}
	}
	return entry, miss
}

// units is the size of each entry; 1 where that is 0.
func (s Step[P]) units(p P) []float64 {
	right := s.Routes[0].Value(p)
	unit := make([]float64, len(right))
	if s.Unit != nil {
		copy(unit, s.Unit(p, right))
	} else {
		top := 0.0
		for _, v := range right {
			top = math.Max(top, math.Abs(v))
		}
		for i := range unit {
			unit[i] = top
		}
	}
	for i, u := range unit {
		if !(u > 0) {
			unit[i] = 1
		}
	}
	return unit
}

func (s Step[P]) key(k string) string { return s.Key + "-" + k }

// called is what a message calls an entry, one of n.
func (s Step[P]) called(entry, n int) string {
	switch {
	case entry < len(s.Entries):
		return fmt.Sprintf("the %s of your %s", s.Entries[entry], s.Name)
	case n == 1:
		return "your " + s.Name
	}
	return fmt.Sprintf("entry %d of your %s", entry, s.Name)
}
