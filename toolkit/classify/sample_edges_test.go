package classify_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

// TestWaysScales: units and offsets of x, huge or tiny, change the weights by the
// factor and the shift, and the predictions not at all.
func TestWaysScales(t *testing.T) {
	x, target, _, _ := skewed()
	fits := func(x *mat.Dense, sd float64) (v, s *mat.Dense) {
		prior := classify.Gaussian{Cov: mat.NewSymDense(2, []float64{4, 0, 0, sd * sd})}
		vm := must(classify.FitVariationalLogistic(x, target, classify.VariationalLogisticOptions{Prior: prior}))(t)
		sm := must(classify.SampleLogistic(x, target, classify.SampleOptions{Prior: prior, Draws: 200}))(t)
		return must(vm.Posterior(x))(t), must(sm.Posterior(x))(t)
	}
	v, s := fits(x, 3)
	// Powers of two, so that nothing is rounded: 2^±500 ≈ 1e±150.
	for _, e := range []int{-500, -40, 40, 500} {
		var y mat.Dense
		y.Scale(math.Ldexp(1, e), x)
		v2, s2 := fits(&y, math.Ldexp(3, -e))
		if !mat.EqualApprox(v, v2, 1e-9) || !mat.EqualApprox(s, s2, 1e-9) {
			t.Errorf("x·2^%d: other predictions\n%v\n%v", e, mat.Formatted(s.T()), mat.Formatted(s2.T()))
		}
	}
	// Activations of ±800, and the probability of the other class keeps its digits.
	prior := classify.Gaussian{Cov: mat.NewSymDense(2, []float64{1e-6, 0, 0, 1e-6}), Mean: []float64{0, 1}}
	far := mat.NewDense(2, 1, []float64{-800, 800})
	vm := must(classify.FitVariationalLogistic(far, []float64{0, 1}, classify.VariationalLogisticOptions{Prior: prior}))(t)
	sm := must(classify.SampleLogistic(far, []float64{0, 1}, classify.SampleOptions{Prior: prior, Draws: 200}))(t)
	quad := *vm
	vm.Method, quad.Method = classify.PlugIn, classify.Quadrature
	for name, m := range map[string]classify.Predictive{"variational": vm, "sampling": sm} {
		if l := must(m.Scores(far))(t); math.Abs(l.At(0, 0)+800) > 1 || math.Abs(l.At(1, 0)-800) > 1 {
			t.Errorf("%s: log odds %v", name, l.At(0, 0))
		}
	}
	for name, m := range map[string]classify.Predictive{"variational": &quad, "sampling": sm} {
		if p := must(m.Posterior(mat.NewDense(1, 1, []float64{-600})))(t); p.At(0, 1) != 1 || !(p.At(0, 0) > 1e-262 && p.At(0, 0) < 1e-259) {
			t.Errorf("%s: p at −600 is %v", name, p.At(0, 0)) // exp(−600 + 0.18) = 3e-261
		}
	}
}
