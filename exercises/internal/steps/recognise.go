package steps

import (
	"math"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// recogniseTol is the agreement in units that names a mistake.
const recogniseTol = 1e-6

// recognise names what went wrong at the problem number failed: the first mistake
// that explains the learner's numbers there and on all other problems on which it
// is told apart, or one factor on all numbers.
func (s Step[P]) recognise(problems []P, got [][]float64, failed int) (verify.Verdict, bool) {
	for _, m := range s.Mistakes {
		explains := func(i int) (same, told bool) {
			v := m.Value(problems[i])
			if v == nil {
				return true, false
			}
			if len(v) != len(got[i]) {
				return false, true
			}
			_, miss := s.worst(problems[i], got[i], v)
			return miss <= recogniseTol, true
		}
		same, told := explains(failed)
		for i := 0; i < len(problems) && same && told; i++ {
			same, _ = explains(i)
		}
		if same && told {
			return verify.Fail(s.key(m.Key), m.Hint, "%s", m.Message), true
		}
	}
	return s.factor(problems, got)
}

// factor recognises numbers that are right but for one factor on all of them.
func (s Step[P]) factor(problems []P, got [][]float64) (verify.Verdict, bool) {
	var c float64
	count := 0                   // of right numbers that are not 0
	for i, p := range problems { // the largest right number of the first problem that has one
		for j, v := range s.Routes[0].Value(p) {
			if v != 0 {
				count++
			}
			if c == 0 && math.Abs(v) > 1e-3*s.units(p)[j] {
				c = got[i][j] / v
			}
		}
	}
	if c == 0 || math.IsInf(c, 0) || math.Abs(c-1) < 1e-3 { // such a factor is an inaccuracy
		return verify.Verdict{}, false
	}
	for i, p := range problems {
		right := s.Routes[0].Value(p)
		for j := range right {
			right[j] *= c
		}
		if _, miss := s.worst(p, got[i], right); !(miss <= recogniseTol*math.Max(1, math.Abs(c))) {
			return verify.Verdict{}, false
		}
	}
	if math.Abs(c+1) < recogniseTol {
		return verify.Fail(s.key("sign"), s.Hint, "%s is right but for its sign, everywhere.", s.Name), true
	}
	if count == 1 { // any number is a multiple of another
		return verify.Verdict{}, false
	}
	return verify.Fail(s.key("factor"), s.Hint, "%s is right up to one number that multiplies it everywhere. Is a factor lost or doubled, such as 2 or ½?", s.Name), true
}
