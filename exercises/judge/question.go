package judge

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// A Question calls a learner's function of type F for problems of type P. The String method of P
// names the problem in messages: “two classes”, or x = 2. A function with several results has one
// question for each result that is judged by itself.
type Question[F any, P fmt.Stringer] struct {
	Func     string                                   // name of the learner's function in the stub
	Name     string                                   // name of the answer, such as "π" or "w"
	Key      string                                   // prefix of the keys of the verdicts that the question itself makes, and of its Mistakes; may be ""
	Hint     int                                      // the hint about the answer's form
	Ask      func(f F, c *Call, p P) []float64        // calls f with arguments from c, and returns its results as numbers
	Right    func(p P) []float64                      // uses a different method than the reference answer
	Per      string                                   // what each entry belongs to, such as "class"; "" for a single number
	Entries  []string                                 // the name of each entry; may be nil
	Entry    func(p P, i int) string                  // a description of entry i, such as "row 2, column 1"; may be nil
	Same     func(p P) any                            // equal for problems with the same answer, which is then cached; may be nil
	New      bool                                     // the statement requires new results on each call
	Length   func(p P, n int) *verify.Verdict         // the verdict on a wrong length that reveals the mistake; may be nil
	Mistakes []Mistake[F]                             // the first one that explains the answers wins
	Family   func(p P, got []float64) *verify.Verdict // recognises mistakes with a parameter; may be nil
	Nearly   Wrong                                    // the message if all numbers are right to three digits; may be zero
	Sign     Wrong                                    // the message if a negative factor explains all numbers; if zero, Factor is used
	Factor   Wrong                                    // the message if one factor explains all numbers; may be zero
	Unit     func(p P, right []float64) []float64     // the unit of each number; if nil, the largest absolute value in right
}

// A Mistake is a wrong answer as a learner writes it, with its message. On a problem where the
// answer happens to be right, it is no explanation.
type Mistake[F any] struct {
	Key     string
	Hint    int
	Message string  // {problem} stands for the first problem on which the mistake shows
	Tol     float64 // tolerance in units, larger if the mistake's numbers are inaccurate; 0 means 1e-6
	Answer  F
}

// An asking is a question applied to one learner's function, in one check.
type asking[F any, P fmt.Stringer] struct {
	*Question[F, P]
	f      F
	record *record[P]
}

// call returns the numbers that f computes for p, or the verdict on the form of its results.
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
			return nil, Fail(q.formKey("not-finite"), q.Hint, "For %v %s is %g. %s", p, q.entryName(p, i, n), v, notFinite)
		}
	}
	return got, nil
}

// answer returns the numbers of the learner's function for p. If an earlier part has called it for
// a problem with the same answer, answer returns the cached numbers. With force it always calls the
// function.
func (a asking[F, P]) answer(c *Call, p P, force bool) ([]float64, *verify.Verdict) {
	if a.Same == nil {
		return a.call(a.f, c, p)
	}
	if got := a.record.answer(a.Same(p)); got != nil && !force {
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

// extraAnswer is like answer, for calls beyond those that the part must make. It returns nil if the form
// is wrong or the call panics.
func (a asking[F, P]) extraAnswer(p P) (got []float64) {
	defer func() {
		if recover() != nil {
			got = nil
		}
	}()
	got, _ = a.answer(&Call{}, p, false)
	return got
}

// mistakeNumbers returns the numbers that the mistake m computes for p, and whether they are wrong. It
// returns nil numbers if their form is wrong.
func (q *Question[F, P]) mistakeNumbers(m Mistake[F], p P) (v []float64, wrong bool) {
	defer func() {
		if recover() != nil {
			v, wrong = nil, false
		}
	}()
	c := &Call{}
	v = q.Ask(m.Answer, c, p)
	right := q.Right(p)
	if c.bad != nil || len(v) != len(right) { // the verdict on the form already describes such an answer
		return nil, false
	}
	_, miss := q.largestError(p, v, right)
	return v, !(miss <= 1e-9)
}

// formKey returns the key of a verdict on the form. For vectors the key has no prefix, so that all
// questions share it.
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

// entryName returns the name of entry i, of n entries, for a message.
func (q *Question[F, P]) entryName(p P, i, n int) string {
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

// largestError returns the entry with the largest distance from right, and this distance in units.
func (q *Question[F, P]) largestError(p P, got, right []float64) (entry int, miss float64) {
	return farthest(got, right, q.units(p))
}

// distanceFromMistake returns the largest distance of got from the numbers of a mistake. The distance is in
// units, or relative to a number of the mistake if this number is larger. Rounding preserves only
// the leading digits of such a number.
func (q *Question[F, P]) distanceFromMistake(p P, got, mistake []float64) float64 {
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
		case got[i] == right[i]: // true if both are ∞, which a mistake may return
		case math.IsNaN(m): // only for a mistake, because the learner's numbers are finite
			return i, m
		case m > miss:
			entry, miss = i, m
		}
	}
	return entry, miss
}

// units returns the unit of each entry. A unit of 0 is replaced by 1.
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

// Through converts the function of a known mistake before it is judged. By default it returns the
// function unchanged. Tests replace Through to call the function over a connection.
var Through = func(f any) any { return f }

// Known adds the mistakes of a question to e.Known, for the exercise's tests. Each mistake, judged
// by check, must earn its own key.
func Known[F any, P fmt.Stringer](e *exercises.Exercise, q *Question[F, P], check func(F) *verify.Report) {
	for _, m := range q.Mistakes {
		e.Known = append(e.Known,
			exercises.Known{Key: q.key(m.Key), Check: func() *verify.Report { return check(Through(m.Answer).(F)) }})
	}
}

// Unwritten returns a function that behaves like a stub: its outcome is "not attempted". It
// replaces the other functions of an exercise when a test judges one function by itself.
func Unwritten[F any]() F {
	todo := func([]reflect.Value) []reflect.Value { panic(verify.TODO) }
	return reflect.MakeFunc(reflect.TypeFor[F](), todo).Interface().(F)
}

// mistakeTolerance is the tolerance, in units or in the size of the mistake, within which an answer is
// recognised as a mistake. Two different formulas do not agree so closely by chance.
const mistakeTolerance = 1e-6

// explain returns the verdict that explains the wrong answer to problem number failed: a known
// mistake, low accuracy, or a factor. It returns nil if no explanation fits the answers to all
// problems.
func (a asking[F, P]) explain(problems []P, failed int) *verify.Verdict {
	if verify.Trying() {
		return nil
	}
	p := problems[failed]
	answers := make([][]float64, len(problems)) // nil if the form is wrong
	for i, p := range problems {
		answers[i] = a.extraAnswer(p)
	}
	if bad := a.knownMistake(problems, answers, failed); bad != nil {
		return bad
	}
	if answers[failed] == nil {
		return nil
	}
	if a.Family != nil {
		if bad := a.Family(p, answers[failed]); bad != nil {
			return bad
		}
	}
	if a.Nearly.Key != "" && a.isNearlyRight(problems, answers, failed) {
		found := verify.CloseSlice(answers[failed], a.Right(p), verify.Tolerance{})
		if len(answers[failed]) == 1 {
			found.Where = ""
		}
		return a.Nearly.verdict(p, found)
	}
	switch c := a.commonFactor(problems, answers); {
	case c < 0 && a.Sign.Key != "":
		return a.Sign.verdict(p, verify.Finding{})
	case c != 1 && a.Factor.Key != "":
		return a.Factor.verdict(p, verify.Finding{})
	}
	return nil
}

// knownMistake returns the verdict of the first mistake that explains the answers to all problems, or nil.
// On the failed problem the mistake must differ from the right answer.
func (q *Question[F, P]) knownMistake(problems []P, answers [][]float64, failed int) *verify.Verdict {
	for _, m := range q.Mistakes {
		_, wrong := q.mistakeNumbers(m, problems[failed])
		explains, shows := wrong, -1
		for i := 0; i < len(problems) && explains; i++ {
			want, wrong := q.mistakeNumbers(m, problems[i])
			if want == nil || answers[i] == nil {
				continue
			}
			if wrong && shows < 0 {
				shows = i
			}
			explains = q.distanceFromMistake(problems[i], answers[i], want) <= math.Max(mistakeTolerance, m.Tol)
		}
		if explains && shows >= 0 {
			return Fail(q.key(m.Key), m.Hint, "%s",
				strings.ReplaceAll(m.Message, "{problem}", problems[shows].String()))
		}
	}
	return nil
}

// isNearlyRight reports whether the answers are inaccurate but not wrong. On problem number failed each
// number must be right to three digits (to six decimals if it is 0), but not to all digits. On the
// other problems no number may be far off.
func (q *Question[F, P]) isNearlyRight(problems []P, answers [][]float64, failed int) bool {
	for i, p := range problems {
		if answers[i] == nil {
			return false
		}
		right, unit := q.Right(p), q.units(p)
		_, miss := farthest(answers[i], right, unit)
		if !(miss <= 1e-2) || i == failed && miss <= 1e-13 {
			return false // the value is far off, or right; neither is a fault of precision
		}
		for j, v := range right {
			size := 1e-3 * math.Abs(v)
			if v == 0 {
				size = 1e-6 * unit[j]
			}
			if i == failed && !(math.Abs(answers[i][j]-v) <= size) {
				return false
			}
		}
	}
	return true
}

// commonFactor returns the number by which all answers are multiplied, or 1 if no such number exists. Any
// number is a multiple of any other. A factor is therefore recognised only from two problems with
// several numbers, or from three numbers. One number is enough to recognise a wrong sign.
func (q *Question[F, P]) commonFactor(problems []P, answers [][]float64) float64 {
	var c float64
	count, several := 0, 0 // number of right numbers that are not 0; number of problems with at least two
	for i, p := range problems {
		if answers[i] == nil {
			return 1
		}
		here := 0
		unit := q.units(p)
		for j, v := range q.Right(p) {
			if v != 0 {
				here++
			}
			if c == 0 && math.Abs(v) > 1e-3*unit[j] {
				c = answers[i][j] / v
			}
		}
		count += here
		if here > 1 {
			several++
		}
	}
	identified := several >= 2 || several == 0 && count >= 3 || math.Abs(c+1) <= mistakeTolerance
	if !identified || c == 0 || math.IsInf(c, 0) || math.Abs(c-1) < 1e-3 { // a factor near 1 is an inaccuracy
		return 1
	}
	for i, p := range problems {
		right := q.Right(p)
		for j := range right {
			right[j] *= c
		}
		if _, miss := q.largestError(p, answers[i], right); !(miss <= mistakeTolerance*math.Max(1, math.Abs(c))) {
			return 1
		}
	}
	return c
}
