package judge

import (
	"fmt"
	"math"
	"reflect"
	"slices"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// A Question asks a learner's function of type F about problems of type P, whose
// String names them in messages: “two classes”, or x = 2. A function with several
// results has a question for each that is judged by itself.
type Question[F any, P fmt.Stringer] struct {
	Func     string                                   // the learner's function, as the stub names it
	Name     string                                   // of the answer, as "π" or "w"
	Key      string                                   // begins the keys of all verdicts of the question; may be ""
	Hint     int                                      // the hint that speaks of the answer's form
	Ask      func(f F, c *Call, p P) []float64        // calls f with copies from c
	Right    func(p P) []float64                      // by another way than the reference answer
	Per      string                                   // what an entry belongs to: "class"; "" for a single number
	Entries  []string                                 // or what each entry is called
	Entry    func(p P, i int) string                  // or by which words, as "row 2, column 1"; may be nil
	Same     func(p P) any                            // what problems with one answer share; a part does not ask again then; may be nil
	New      bool                                     // the statement asks for results that are new with each call
	Length   func(p P, n int) *verify.Verdict         // on a telling wrong length; may be nil
	Mistakes []Mistake[F]                             // in the order in which they are looked for
	Family   func(p P, got []float64) *verify.Verdict // mistakes with a parameter; may be nil
	Nearly   Wrong                                    // where three digits are right everywhere; may be zero
	Sign     Wrong                                    // where one negative factor on all numbers is wrong; zero: as Factor
	Factor   Wrong                                    // where one factor on all numbers is wrong; may be zero
	Unit     func(p P, right []float64) []float64     // the size of each number; nil: of the largest
}

// A Mistake is a wrong answer as a learner writes it, and what to say of it. Where
// it happens to be right it explains nothing.
type Mistake[F any] struct {
	Key     string
	Hint    int
	Message string  // {problem} is the first problem on which it shows
	Tol     float64 // in units, where it is quoted to a few digits; 0 means 1e-6
	Answer  F
}

// An asking is a question put to one learner's function, in one check.
type asking[F any, P fmt.Stringer] struct {
	*Question[F, P]
	f      F
	record *record[P]
}

// call returns the answer, or the verdict on its form.
func (q *Question[F, P]) call(f F, c *Call, p P) ([]float64, *verify.Verdict) {
	c.hint, c.label = q.Hint, p.String()
	got := slices.Clone(q.Ask(f, c, p))
	if bad := c.Verdict(); bad != nil {
		return nil, bad
	}
	n := len(q.Right(p))
	if q.Length != nil && len(got) != n {
		if bad := q.Length(p, len(got)); bad != nil {
			return nil, bad
		}
	}
	if len(got) != n {
		c.Vector(q.Name, got, n, q.Per)
		return nil, c.bad
	}
	for i, v := range got {
		if !finite(v) {
			return nil, Fail(q.formKey("not-finite"), q.Hint, "For %v %s is %g. %s", p, q.called(p, i, n), v, notFinite)
		}
	}
	return got, nil
}

// answer is call with the learner's function, or what it answered in a part before.
func (a asking[F, P]) answer(c *Call, p P, anew bool) ([]float64, *verify.Verdict) {
	if a.Same == nil {
		return a.call(a.f, c, p)
	}
	if got := a.record.answer(a.Same(p)); got != nil && !anew {
		return got, nil
	}
	got, bad := a.call(a.f, c, p)
	if bad == nil {
		a.record.keep(a.Same(p), got)
	}
	return got, bad
}

// ask is call with the learner's function.
func (a asking[F, P]) ask(p P) ([]float64, *verify.Verdict) { return a.call(a.f, &Call{}, p) }

// quiet is ask for looking at more than the part must: nil where the answer has no
// form, or the call panics.
func (a asking[F, P]) quiet(p P) (got []float64) {
	defer func() {
		if recover() != nil {
			got = nil
		}
	}()
	got, _ = a.answer(&Call{}, p, false)
	return got
}

// value is the answer of a mistake, nil where it has no form, and whether it is
// wrong.
func (q *Question[F, P]) value(m Mistake[F], p P) (v []float64, wrong bool) {
	defer func() {
		if recover() != nil {
			v, wrong = nil, false
		}
	}()
	c := &Call{}
	v = q.Ask(m.Answer, c, p)
	right := q.Right(p)
	if c.bad != nil || len(v) != len(right) { // such an answer is judged by its form
		return nil, false
	}
	_, miss := q.worst(p, v, right)
	return v, !(miss <= 1e-9)
}

// formKey is the key of a verdict on the form: all vectors share theirs.
func (q *Question[F, P]) formKey(k string) string {
	if q.Per != "" {
		return k
	}
	return q.key(k)
}

func (q *Question[F, P]) key(k string) string {
	if q.Key == "" {
		return k
	}
	return q.Key + "-" + k
}

// called is what a message calls entry i of n.
func (q *Question[F, P]) called(p P, i, n int) string {
	switch {
	case i < len(q.Entries):
		return fmt.Sprintf("the %s of your %s", q.Entries[i], q.Name)
	case q.Entry != nil:
		return fmt.Sprintf("the entry in %s of your %s", q.Entry(p, i), q.Name)
	case n == 1 && q.Per == "":
		return "your " + q.Name
	}
	return fmt.Sprintf("entry %d of your %s", i, q.Name)
}

// worst is the entry that is farthest from right, and how far it is, in units.
func (q *Question[F, P]) worst(p P, got, right []float64) (entry int, miss float64) {
	return farthest(got, right, q.units(p))
}

// beside is how far got is from a mistake, in units, or in numbers of the mistake
// where these are larger: rounding leaves both their first digits only.
func (q *Question[F, P]) beside(p P, got, mistake []float64) float64 {
	unit := q.units(p)
	for i, v := range mistake {
		unit[i] = math.Max(unit[i], math.Abs(v))
	}
	_, miss := farthest(got, mistake, unit)
	return miss
}

func farthest(got, right, unit []float64) (entry int, miss float64) {
	for i := range right {
		switch m := math.Abs(got[i]-right[i]) / unit[i]; {
		case got[i] == right[i]: // ∞ of a mistake, too
		case math.IsNaN(m): // of a mistake; the learner's numbers are finite
			return i, m
		case m > miss:
			entry, miss = i, m
		}
	}
	return entry, miss
}

// units is the size of each entry, 1 where that is 0.
func (q *Question[F, P]) units(p P) []float64 {
	right := q.Right(p)
	unit := make([]float64, len(right))
	if q.Unit != nil {
		copy(unit, q.Unit(p, right))
	} else {
		largest := 0.0
		for _, v := range right {
			largest = math.Max(largest, math.Abs(v))
		}
		for i := range unit {
			unit[i] = largest
		}
	}
	for i, u := range unit {
		if !(u > 0) {
			unit[i] = 1
		}
	}
	return unit
}

// Through is what a known mistake goes through before it is judged: itself, unless tests
// send it through a connection.
var Through = func(f any) any { return f }

// Known enters the mistakes of a question into the exercise, where its tests find
// them: each, judged by check, must earn its own key.
func Known[F any, P fmt.Stringer](e *exercises.Exercise, q *Question[F, P], check func(F) *verify.Report) {
	for _, m := range q.Mistakes {
		e.Known = append(e.Known, exercises.Known{Key: q.key(m.Key), Check: func() *verify.Report { return check(Through(m.Answer).(F)) }})
	}
}

// Unwritten is a function that is not attempted: it stands for the others where one
// function of several is judged by itself.
func Unwritten[F any]() F {
	todo := func([]reflect.Value) []reflect.Value { panic(verify.TODO) }
	return reflect.MakeFunc(reflect.TypeFor[F](), todo).Interface().(F)
}
