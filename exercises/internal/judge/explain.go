package judge

import (
	"math"
	"strings"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// named is the agreement, in units or in those of the mistake, that names it: far
// tighter than two formulas agree by chance.
const named = 1e-6

// explain names what is wrong with the answer to problem number failed, nil where
// nothing known explains the answers to all problems.
func (a asking[F, P]) explain(problems []P, failed int) *verify.Verdict {
	if verify.Trying() {
		return nil
	}
	p := problems[failed]
	answers := make([][]float64, len(problems)) // nil: has no form
	for i, p := range problems {
		answers[i] = a.quiet(p)
	}
	if bad := a.known(problems, answers, failed); bad != nil {
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
	if a.Nearly.Key != "" && a.nearly(problems, answers, failed) {
		found := verify.CloseSlice(answers[failed], a.Right(p), verify.Tolerance{})
		if len(answers[failed]) == 1 {
			found.Where = ""
		}
		return a.Nearly.verdict(p, found)
	}
	switch c := a.factor(problems, answers); {
	case c < 0 && a.Sign.Key != "":
		return a.Sign.verdict(p, verify.Finding{})
	case c != 1 && a.Factor.Key != "":
		return a.Factor.verdict(p, verify.Finding{})
	}
	return nil
}

// known is the first mistake that explains the answers to all problems on which it
// is told from the right ones.
func (q *Question[F, P]) known(problems []P, answers [][]float64, failed int) *verify.Verdict {
	for _, m := range q.Mistakes {
		_, wrong := q.value(m, problems[failed])
		explains, shows := wrong, -1
		for i := 0; i < len(problems) && explains; i++ {
			want, wrong := q.value(m, problems[i])
			if want == nil || answers[i] == nil {
				continue
			}
			if wrong && shows < 0 {
				shows = i
			}
			explains = q.beside(problems[i], answers[i], want) <= math.Max(named, m.Tol)
		}
		if explains && shows >= 0 {
			return Fail(q.key(m.Key), m.Hint, "%s", strings.ReplaceAll(m.Message, "{problem}", problems[shows].String()))
		}
	}
	return nil
}

// nearly reports whether each number has its first three digits on problem number
// failed (where it is 0, six decimals), but not all, and none is far off on another.
func (q *Question[F, P]) nearly(problems []P, answers [][]float64, failed int) bool {
	for i, p := range problems {
		if answers[i] == nil {
			return false
		}
		right, unit := q.Right(p), q.units(p)
		_, miss := farthest(answers[i], right, unit)
		if !(miss <= 1e-2) || i == failed && miss <= 1e-13 {
			return false // or it is right, and something else is wrong
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

// factor is the number by which all answers differ from the right ones, 1 for none.
// It takes two problems of several numbers, or three of one, to tell: any number is
// a multiple of another. A sign is told by one.
func (q *Question[F, P]) factor(problems []P, answers [][]float64) float64 {
	var c float64
	count, several := 0, 0 // of right numbers that are not 0, and of problems with two of them
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
	told := several >= 2 || several == 0 && count >= 3 || math.Abs(c+1) <= named
	if !told || c == 0 || math.IsInf(c, 0) || math.Abs(c-1) < 1e-3 { // near 1 it is an inaccuracy
		return 1
	}
	for i, p := range problems {
		right := q.Right(p)
		for j := range right {
			right[j] *= c
		}
		if _, miss := q.worst(p, answers[i], right); !(miss <= named*math.Max(1, math.Abs(c))) {
			return 1
		}
	}
	return c
}
