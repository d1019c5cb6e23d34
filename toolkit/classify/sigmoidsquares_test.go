package classify_test

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

// TestSigmoidOptimum: the gradient is 0 there, the Hessian exact and positive
// definite, and the value that of the definition.
func TestSigmoidOptimum(t *testing.T) {
	for _, k := range []int{2, 3} {
		x, labels := clouds(120, 3, k, 621)
		m := must(classify.FitSigmoidSquares(x, labels, k, classify.SigmoidOptions{Seed: 3}))(t)
		errorIf(t, len(m.Outputs) != k-int(truth(k == 2)), "%d outputs for %d classes", len(m.Outputs), k)
		var sum float64
		for j, out := range m.Outputs {
			target, w := mat.Col(nil, j, oneOfK(labels, k)), mat.Col(nil, j, m.W)
			o := must(classify.SigmoidObjective(x, target, nil))(t)
			stationary(t, o, w, 1e-11)
			secondDifferences(t, o, w, out.Hessian)
			var chol mat.Cholesky
			errorIf(t, !out.Converged || !chol.Factorize(out.Hessian), "output %d: no minimum: %s", j, out.Reason)
			e := must(o.Value(w))(t)
			sum += e
			nearly(t, "E", []float64{out.E, out.Trace[len(out.Trace)-1].E}, []float64{e, e}, 1e-12)
			// The start is small in inner units: no sigmoid is saturated, and E near 120/8.
			within(t, out.Trace[0].E, 15, 1, "output %d at the start", j)
		}
		within(t, m.SumSquare, sum, 1e-11, "SumSquare")
		// Other small starts reach the same minimum on such data.
		for seed := range uint64(4) {
			near(t, "W of another seed", must(classify.FitSigmoidSquares(x, labels, k, classify.SigmoidOptions{Seed: seed}))(t).W, m.W, 1e-9)
		}
		values := must(m.Values(x))(t)
		r, c := values.Dims()
		errorIf(t, r != 120 || c != k || k == 2 && math.Abs(values.At(5, 0)+values.At(5, 1)-1) > 1e-15, "values are %d×%d", r, c)
	}
	mentions(t, of(new(classify.SigmoidSquares).Values(pointsOn(1))), "no weights")
}

// TestSigmoidPlateau: a start that is saturated on the wrong side has no gradient
// to leave by, unlike with the cross-entropy; the fit says that it is not at a
// minimum. From a start that is saturated in part only it gets away.
func TestSigmoidPlateau(t *testing.T) {
	x, labels := clouds(60, 2, 2, 631)
	wrong := []float64{0, -1e4, 1e4}
	stationary(t, must(classify.SigmoidObjective(x, targets(labels), nil))(t), wrong, 1e-10)
	fit := func(start *mat.Dense) *classify.SigmoidSquares {
		return must(classify.FitSigmoidSquares(x, labels, 2, classify.SigmoidOptions{Start: start}))(t)
	}
	best, m, part := fit(nil), fit(mat.NewDense(3, 1, wrong)), fit(mat.NewDense(3, 1, []float64{0, -30, 30}))
	out := m.Outputs[0]
	errorIf(t, out.Converged || !out.Separable || m.SumSquare < best.SumSquare+1, "a plateau is called a minimum: E = %v, lowest %v: %s", m.SumSquare, best.SumSquare, out.Reason)
	within(t, part.SumSquare, best.SumSquare, 1e-10, "E from %s", part.Outputs[0].Reason)
	errorIf(t, !part.Outputs[0].Converged, "%s", part.Outputs[0].Reason)
}

func TestSigmoidSeparable(t *testing.T) {
	x, labels := pointsOn(-3, -2, -1, 1, 2, 3), []int{1, 1, 1, 0, 0, 0}
	m := must(classify.FitSigmoidSquares(x, labels, 2, classify.SigmoidOptions{}))(t)
	out := m.Outputs[0]
	errorIf(t, out.Converged || !out.Separable || !(out.Direction[1] > 0.9) || m.SumSquare > 1e-12, "E = %v, direction %v: %s", m.SumSquare, out.Direction, out.Reason)
	p := must(classify.FitSigmoidSquares(x, labels, 2, classify.SigmoidOptions{Prior: classify.Isotropic{Alpha: 0.1}}))(t)
	errorIf(t, !p.Outputs[0].Converged, "%s", p.Outputs[0].Reason)
}

func TestSigmoidArguments(t *testing.T) {
	x, labels := clouds(30, 2, 3, 641)
	fit := func(k int, o classify.SigmoidOptions) error { return of(classify.FitSigmoidSquares(x, labels, k, o)) }
	refused(t, []refusal{
		{"start", fit(3, classify.SigmoidOptions{Start: mat.NewDense(3, 2, nil)}), []string{"FitSigmoidSquares", "Start is 3×2", "3×3"}},
		{"start NaN", fit(3, classify.SigmoidOptions{Start: mat.NewDense(3, 3, slices.Repeat([]float64{math.NaN()}, 9))}), []string{"NaN"}},
		{"empty class", fit(4, classify.SigmoidOptions{}), []string{"class 3", "0 of the 30 rows"}},
		{"tolerance", fit(3, classify.SigmoidOptions{Tolerance: -1}), []string{"Tolerance"}},
	})
}
