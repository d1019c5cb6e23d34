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
// returns the name of a problem for messages, such as “two classes” or x = 2. If several results of
// a function are judged separately, there is one Question for each result.
type Question[F any, P fmt.Stringer] struct {
	// Func is the name of the learner's function in the stub.
	Func string
	// Name is the name of the answer in messages, such as "π" or "w".
	Name string
	// Key is the prefix of the keys of the Question's verdicts and Mistakes. It may be "".
	Key string
	// Hint is the number of the hint about the answer's form.
	Hint int

	// Invoke calls f with arguments from c, and returns its results as numbers.
	Invoke func(f F, c *Call, p P) []float64
	// Right returns the right numbers. It uses a different method than the reference answer.
	Right func(p P) []float64
	// Unit returns the unit in which the error of each number is measured. If Unit is nil, every unit is
	// the largest absolute value in `right`.
	Unit func(p P, right []float64) []float64
	// Same returns a key for the cache of answers. Problems with equal keys must have the same answer.
	// If Same is nil, no answers are cached.
	Same func(p P) any
	// New says whether each call must return newly allocated results, as the statement requires.
	New bool

	// Per says what each entry of the answer stands for, such as "class". It is "" for a single number.
	Per string
	// Entries contains the names of the entries. It may be nil.
	Entries []string
	// Entry describes entry i, such as "row 2, column 1". It may be nil.
	Entry func(p P, i int) string

	// Length returns a verdict if the wrong length n of an answer reveals the mistake. It may be nil.
	Length func(p P, n int) *verify.Verdict
	// Mistakes contains known mistakes. The first one that explains the answers determines the verdict.
	Mistakes []Mistake[F]
	// Family recognises mistakes that contain an unknown parameter, such as λ. It may be nil.
	Family func(p P, got []float64) *verify.Verdict

	// Nearly is the message if the numbers are right to about three digits, but not accurate enough. It
	// may be the zero Wrong.
	Nearly Wrong
	// Sign is the message if one negative factor explains all numbers. If Sign is the zero Wrong, the
	// message is Factor.
	Sign Wrong
	// Factor is the message if one factor explains all numbers. It may be the zero Wrong.
	Factor Wrong
}

// A Mistake is a wrong answer as a learner writes it, with its message. The result of a Mistake may
// be right for some problems. For such a problem the Mistake does not explain a wrong answer.
type Mistake[F any] struct {
	Key     string
	Hint    int
	Message string  // {problem} stands for the first problem on which the Mistake's result is wrong
	Tol     float64 // tolerance in units, for a Mistake with inaccurate numbers; a Tol below 1e-6 counts as 1e-6
	Answer  F
}

// A checkRun combines a Question with the learner's function f and the record of one check.
type checkRun[F any, P fmt.Stringer] struct {
	*Question[F, P]
	f      F
	record *record[P]
}

// The method `call` returns the numbers that f computes for p. If the form of the results is wrong,
// or if f changed an argument, it returns a verdict instead.
func (q *Question[F, P]) call(f F, c *Call, p P) ([]float64, *verify.Verdict) {
	c.hint, c.label = q.Hint, p.String()
	got := slices.Clone(q.Invoke(f, c, p))
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
			return nil, Fail(q.formKey("not-finite"), q.Hint, "For %v, %s is %g. %s", p, q.entryName(p, i, n), v, notFinite)
		}
	}
	return got, nil
}

// The method `answer` returns the numbers that the learner's function computes for p. If the
// function has already answered a problem with the same key (see Question.Same), the method returns
// the cached numbers. If `force` is true, the method always calls the function.
func (a checkRun[F, P]) answer(c *Call, p P, force bool) ([]float64, *verify.Verdict) {
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

// The method `callUncached` calls the learner's function for p, without the cache.
func (a checkRun[F, P]) callUncached(p P) ([]float64, *verify.Verdict) {
	return a.call(a.f, &Call{}, p)
}

// extraAnswer is like the method `answer`, but the part does not report the faults of this call. If
// the form of the result is wrong or the function panics, extraAnswer returns nil instead of a
// verdict.
func (a checkRun[F, P]) extraAnswer(p P) (got []float64) {
	defer func() {
		if recover() != nil {
			got = nil
		}
	}()
	got, _ = a.answer(&Call{}, p, false)
	return got
}

// mistakeNumbers returns the numbers that the mistake m computes for p, and reports whether these
// numbers are wrong. If the mistake's function panics, or its result has the wrong form,
// mistakeNumbers returns nil.
func (q *Question[F, P]) mistakeNumbers(m Mistake[F], p P) (v []float64, wrong bool) {
	defer func() {
		if recover() != nil {
			v, wrong = nil, false
		}
	}()
	c := &Call{}
	v = q.Invoke(m.Answer, c, p)
	right := q.Right(p)
	// an answer of the wrong form gets the verdict on the form, not the verdict on the mistake
	if c.bad != nil || len(v) != len(right) {
		return nil, false
	}
	_, miss := q.largestError(p, v, right)
	return v, !(miss <= 1e-9)
}

// formKey returns the key of a verdict on the form. If the answer is a vector, the key has no
// prefix, so that it equals the key that Call.Vector uses for the same fault.
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

// entryName returns the name of entry i in messages. n is the number of entries.
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

// largestError returns the index of the entry with the largest error, and this error divided by the
// unit of the entry.
func (q *Question[F, P]) largestError(p P, got, right []float64) (entry int, miss float64) {
	return farthest(got, right, q.units(p))
}

// distanceFromMistake returns the largest difference between the numbers `got` and the numbers of a
// mistake. Each difference is divided by the unit of the entry. If a number of the mistake is
// larger than the unit, the difference is divided by that number instead, because rounding errors
// are proportional to the number.
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
		case got[i] == right[i]: // if the numbers are equal, the error is 0, even if both are ∞
		case math.IsNaN(m): // got[i] or right[i] is NaN or ∞, as the numbers of a mistake may be
			return i, m
		case m > miss:
			entry, miss = i, m
		}
	}
	return entry, miss
}

// units returns the unit of each entry. Errors are divided by these units, so units returns 1 in
// place of 0.
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

// Through changes the way in which answers are called: Known and package gate judge the function
// that Through returns for an answer. By default Through returns its argument unchanged. Tests
// replace Through to call each answer over a connection, as when the answers of a class are graded.
var Through = func(f any) any { return f }

// Known adds the mistakes of a Question to e.Known. The exercise's tests verify that check rejects
// each of these mistakes with the mistake's own key.
func Known[F any, P fmt.Stringer](e *exercises.Exercise, q *Question[F, P], check func(F) *verify.Report) {
	for _, m := range q.Mistakes {
		e.Known = append(e.Known,
			exercises.Known{Key: q.key(m.Key), Check: func() *verify.Report { return check(Through(m.Answer).(F)) }})
	}
}

// Unwritten returns a function that panics like an unwritten stub, so that the parts that call it
// have the outcome "not attempted". A test that judges one function of an exercise passes such
// functions in place of the exercise's other functions.
func Unwritten[F any]() F {
	todo := func([]reflect.Value) []reflect.Value { panic(verify.TODO) }
	return reflect.MakeFunc(reflect.TypeFor[F](), todo).Interface().(F)
}

// mistakeTolerance is the largest difference at which a mistake still explains an answer, unless
// Mistake.Tol is larger. The function distanceFromMistake computes the difference. Two different
// formulas do not agree so closely by chance.
const mistakeTolerance = 1e-6

// explain returns a verdict that names the cause of the wrong answer to problems[failed]: a known
// mistake, low accuracy, or a constant factor. The cause must be consistent with the answers to all
// problems, unless the function Family recognises it. If there is no such cause, or while verify.Try
// is running, explain returns nil.
func (a checkRun[F, P]) explain(problems []P, failed int) *verify.Verdict {
	if verify.Trying() {
		return nil
	}
	p := problems[failed]
	answers := make([][]float64, len(problems)) // nil if the form of the answer is wrong
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
		return a.Nearly.verdict(p, exactly(answers[failed], a.Right(p)))
	}
	switch c := a.commonFactor(problems, answers); {
	case c < 0 && a.Sign.Key != "":
		return a.Sign.verdict(p, verify.Finding{})
	case c != 1 && a.Factor.Key != "":
		return a.Factor.verdict(p, verify.Finding{})
	}
	return nil
}

// knownMistake returns the verdict of the first mistake that explains the answers to all problems,
// or nil. It skips mistakes whose result for problems[failed] is right or has the wrong form. It also
// skips problems for which the answer or the mistake's result has the wrong form.
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

// isNearlyRight reports whether the answers are inaccurate but not wrong. In the answer to
// problems[failed], at least one number must be wrong, but every number must be right to three
// digits. If the right number is 0, the error must be at most 1e-6 units. In the answers to all
// other problems, every error must be at most 1e-2 units.
func (q *Question[F, P]) isNearlyRight(problems []P, answers [][]float64, failed int) bool {
	for i, p := range problems {
		if answers[i] == nil {
			return false
		}
		right, unit := q.Right(p), q.units(p)
		_, miss := farthest(answers[i], right, unit)
		if !(miss <= 1e-2) || i == failed && miss <= 1e-13 {
			return false // a far-off or an exactly right answer: low accuracy does not explain the failure
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

// commonFactor returns the factor c if all answers are c times the right answers, or 1 if there is
// no common factor. Any single wrong number is the right number multiplied by some factor. To
// recognise a factor, commonFactor therefore needs two problems with several numbers each, or three
// problems with single numbers. For the factor −1, one number is enough.
func (q *Question[F, P]) commonFactor(problems []P, answers [][]float64) float64 {
	var c float64
	count, several := 0, 0 // the number of nonzero right numbers, and the number of problems with at least two of them
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
	// a factor near 1 means low accuracy, not a wrong factor
	if !identified || c == 0 || math.IsInf(c, 0) || math.Abs(c-1) < 1e-3 {
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
