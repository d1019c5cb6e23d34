package ex02

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// predictor is the learner's function.
type predictor = func(X, T *mat.Dense, x []float64) []float64

// ask calls the learner's function with copies of everything and returns a copy
// of its answer; with a verdict instead where that is not K finite numbers.
func ask(predict predictor, p problem, x []float64) ([]float64, *verify.Verdict) {
	y, _, bad := askWatching(predict, p, x)
	return y, bad
}

// askWatching is ask that also names the arguments that were changed.
func askWatching(predict predictor, p problem, x []float64) (y []float64, changed []string, bad *verify.Verdict) {
	n, d := p.X.Dims()
	_, k := p.T.Dims()
	X, T, at := mat.DenseCopyOf(p.X), mat.DenseCopyOf(p.T), append([]float64(nil), x...)
	y = append([]float64(nil), predict(X, T, at)...)
	for _, a := range []struct {
		name string
		same bool
	}{{"X", mat.Equal(X, p.X)}, {"T", mat.Equal(T, p.T)}, {"x", equal(at, x)}} {
		if !a.same {
			changed = append(changed, a.name)
		}
	}
	if bad := shape(y, n, d, k); bad != nil {
		return nil, changed, bad
	}
	for i, v := range y {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			v := verify.Fail("not-finite", 3, "For the problem “%s” entry %d of y(x) is %g. Look for a division by zero, or an inverse that does not exist.", p.name, i, v)
			return nil, changed, &v
		}
	}
	return y, changed, nil
}

// shape is the verdict on a prediction that does not have k entries, or nil.
func shape(y []float64, n, d, k int) *verify.Verdict {
	var v verify.Verdict
	switch len(y) {
	case k:
		return nil
	case 0:
		v = verify.Fail("empty", 3, "Nothing came back. y(x) has one entry per column of T.")
	case n:
		v = verify.Fail("transposed", 3, "You returned %d numbers, one per training input. y(x) has one entry per column of T, here %d: which factor is transposed?", n, k)
	case d, d + 1:
		v = verify.Fail("weights-returned", 3, "You returned %d numbers, as many as weights belong to one output. y(x) has one entry per column of T, here %d: is a factor transposed, or were weights returned for a prediction?", len(y), k)
	default:
		v = verify.Fail("wrong-length", 3, "You returned %d numbers. y(x) has one entry per column of T, here %d.", len(y), k)
	}
	return &v
}

// atTraining returns the learner's predictions at all training inputs, N×K.
func atTraining(predict predictor, p problem) (*mat.Dense, *verify.Verdict) {
	n, _ := p.X.Dims()
	_, k := p.T.Dims()
	Y := mat.NewDense(n, k, nil)
	for i := range n {
		y, bad := ask(predict, p, p.X.RawRowView(i))
		if bad != nil {
			return nil, bad
		}
		Y.SetRow(i, y)
	}
	return Y, nil
}

func equal(a, b []float64) bool {
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// judgeForm looks at what comes back, before what it is worth.
func judgeForm(predict predictor) verify.Verdict {
	r := source(1)
	for _, c := range recipes {
		p := oneOfK(r, c)
		for _, x := range p.far {
			y, changed, bad := askWatching(predict, p, x)
			if bad != nil {
				return *bad
			}
			if len(changed) > 0 {
				return verify.Fail("mutates-inputs", 3, "Your function changed %s. A *mat.Dense and a slice are shared with the caller: work on a copy (mat.DenseCopyOf), or write into a new matrix.", list(changed))
			}
			again, bad := ask(predict, p, x)
			if bad != nil {
				return *bad
			}
			if !verify.CloseSlice(again, y, verify.Tolerance{Rel: 1e-9}).OK {
				return verify.Fail("not-constant", 0, "Two calls with the same data gave different predictions. The least-squares prediction depends on X, T and x alone.")
			}
		}
	}
	return verify.Pass("You returned K numbers for every problem, from K = 2 to 5.")
}

// list joins names as in "X, T and x".
func list(names []string) string {
	out := names[0]
	for i, n := range names[1:] {
		if i == len(names)-2 {
			out += " and " + n
		} else {
			out += ", " + n
		}
	}
	return out
}
