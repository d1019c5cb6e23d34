package classify_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

// naiveSquares is ½Σ(σ(a)−t)².
func naiveSquares(x mat.Matrix, t, w []float64) float64 {
	return errorSum(x, t, w, func(a, t float64) float64 { return math.Pow(1/(1+math.Exp(-a))-t, 2) / 2 })
}

func TestSigmoidDerivatives(t *testing.T) {
	x, labels := clouds(50, 3, 2, 611)
	target := targets(labels)
	target[3] = 0.25
	w := []float64{0.3, -1.7, 0.6, 0.1}
	o := must(classify.SigmoidObjective(x, target, nil))(t)
	if e, want := must(o.Value(w))(t), naiveSquares(x, target, w); math.Abs(e-want) > 1e-13*want {
		t.Errorf("E = %v, by the definition %v", e, want)
	}
	differences(t, o, w, false)
}

// TestSigmoidOptimum: the gradient is 0 there, the Hessian exact and positive
// definite, and the value that of the definition.
func TestSigmoidOptimum(t *testing.T) {
	for _, k := range []int{2, 3} {
		x, labels := clouds(120, 3, k, 621)
		m := must(classify.FitSigmoidSquares(x, labels, k, classify.SigmoidSquaresOptions{Seed: 3}))(t)
		if len(m.Outputs) != k-int(truth(k == 2)) {
			t.Fatalf("%d outputs for %d classes", len(m.Outputs), k)
		}
		var sum float64
		for j, out := range m.Outputs {
			target := make([]float64, len(labels))
			for i, l := range labels {
				target[i] = truth(l == j)
			}
			w := mat.Col(nil, j, m.W)
			o := must(classify.SigmoidObjective(x, target, nil))(t)
			if !out.Converged {
				t.Errorf("output %d: %s", j, out.Reason)
			}
			stationary(t, o, w, 1e-11)
			secondDifferences(t, o, w, out.Hessian)
			var chol mat.Cholesky
			if !chol.Factorize(out.Hessian) {
				t.Errorf("output %d: the Hessian is not positive definite", j)
			}
			e := naiveSquares(x, target, w)
			sum += e
			if math.Abs(e-out.E) > 1e-12 || math.Abs(out.Trace[len(out.Trace)-1].E-e) > 1e-12 {
				t.Errorf("output %d: E = %v, by the definition %v", j, out.E, e)
			}
			// The start is small in inner units: no sigmoid is saturated.
			if s := out.Trace[0].E; math.Abs(s-15) > 1 {
				t.Errorf("output %d starts at %v, with all outputs near ½ it would be 120/8", j, s)
			}
		}
		if math.Abs(sum-m.SumSquare) > 1e-11 {
			t.Errorf("SumSquare %v, by the definition %v", m.SumSquare, sum)
		}
		// Other small starts reach the same minimum on such data.
		for seed := range uint64(4) {
			other := must(classify.FitSigmoidSquares(x, labels, k, classify.SigmoidSquaresOptions{Seed: seed}))(t)
			if !mat.EqualApprox(other.W, m.W, 1e-9) {
				t.Errorf("seed %d: another minimum, E = %v and %v", seed, other.SumSquare, m.SumSquare)
			}
		}
		values := must(m.Values(x))(t)
		if r, c := values.Dims(); r != 120 || c != k || k == 2 && math.Abs(values.At(5, 0)+values.At(5, 1)-1) > 1e-15 {
			t.Errorf("values are %d×%d", r, c)
		}
	}
}

// TestSigmoidPlateau: a start that is saturated on the wrong side has no gradient
// to leave by, unlike with the cross-entropy; the fit says that it is not at a
// minimum, or has got away.
func TestSigmoidPlateau(t *testing.T) {
	x, labels := clouds(60, 2, 2, 631)
	target := targets(labels)
	wrong := []float64{0, -1e4, 1e4}
	o := must(classify.SigmoidObjective(x, target, nil))(t)
	var g2 float64
	for _, g := range must(o.Gradient(wrong))(t) {
		g2 += g * g
	}
	best := must(classify.FitSigmoidSquares(x, labels, 2, classify.SigmoidSquaresOptions{}))(t)
	if g2 > 1e-20 {
		t.Errorf("no plateau: the gradient's length is %v", math.Sqrt(g2))
	}
	m := must(classify.FitSigmoidSquares(x, labels, 2, classify.SigmoidSquaresOptions{Start: mat.NewDense(3, 1, wrong)}))(t)
	if out := m.Outputs[0]; out.Converged || !out.Separable || m.SumSquare < best.SumSquare+1 {
		t.Errorf("a plateau is called a minimum: E = %v, lowest %v: %s", m.SumSquare, best.SumSquare, out.Reason)
	}
	// From a start that is saturated in part only the fit gets away.
	near := must(classify.FitSigmoidSquares(x, labels, 2, classify.SigmoidSquaresOptions{Start: mat.NewDense(3, 1, []float64{0, -30, 30})}))(t)
	if !near.Outputs[0].Converged || math.Abs(near.SumSquare-best.SumSquare) > 1e-10 {
		t.Errorf("E = %v, lowest %v: %s", near.SumSquare, best.SumSquare, near.Outputs[0].Reason)
	}
}

func TestSigmoidSeparable(t *testing.T) {
	x := mat.NewDense(6, 1, []float64{-3, -2, -1, 1, 2, 3})
	m := must(classify.FitSigmoidSquares(x, []int{1, 1, 1, 0, 0, 0}, 2, classify.SigmoidSquaresOptions{}))(t)
	out := m.Outputs[0]
	if out.Converged || !out.Separable || !(out.Direction[1] > 0.9) || m.SumSquare > 1e-12 {
		t.Errorf("E = %v, direction %v: %s", m.SumSquare, out.Direction, out.Reason)
	}
	p := must(classify.FitSigmoidSquares(x, []int{1, 1, 1, 0, 0, 0}, 2, classify.SigmoidSquaresOptions{Prior: classify.Isotropic{Alpha: 0.1}}))(t)
	if !p.Outputs[0].Converged {
		t.Error(p.Outputs[0].Reason)
	}
}

func TestSigmoidArguments(t *testing.T) {
	x, labels := clouds(30, 2, 3, 641)
	for _, c := range []struct {
		name string
		k    int
		o    classify.SigmoidSquaresOptions
		want []string
	}{
		{"start", 3, classify.SigmoidSquaresOptions{Start: mat.NewDense(3, 2, nil)}, []string{"Start is 3×2", "3×3"}},
		{"start NaN", 3, classify.SigmoidSquaresOptions{Start: mat.NewDense(3, 3, []float64{math.NaN(), 0, 0, 0, 0, 0, 0, 0, 0})}, []string{"NaN"}},
		{"empty class", 4, classify.SigmoidSquaresOptions{}, []string{"class 3", "0 of the 30 rows"}},
		{"label", 2, classify.SigmoidSquaresOptions{}, []string{"labels[2] is 2"}},
		{"tolerance", 3, classify.SigmoidSquaresOptions{Tolerance: -1}, []string{"Tolerance"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := classify.FitSigmoidSquares(x, labels, c.k, c.o)
			mentions(t, err, append(c.want, "FitSigmoidSquares")...)
		})
	}
	_, err := new(classify.SigmoidSquares).Values(x)
	mentions(t, err, "no weights")
}
