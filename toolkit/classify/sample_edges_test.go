package classify_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

// TestWithoutData: both ways give the prior back.
func TestWithoutData(t *testing.T) {
	prior := classify.Gaussian{Mean: []float64{1, -2, 30}, Cov: mat.NewSymDense(3, []float64{2, 0.5, 0, 0.5, 1, 0.2, 0, 0.2, 9})}
	empty := &mat.Dense{}
	v := must(classify.FitVariationalLogistic(empty, nil, classify.VariationalLogisticOptions{Prior: prior}))(t)
	if !floats.EqualApprox(v.Mean, prior.Mean, 1e-14) || !mat.EqualApprox(v.Covariance, prior.Cov, 1e-13) || v.Bound != 0 || !v.Converged {
		t.Errorf("%v, bound %v: %s", v.Mean, v.Bound, v.Reason)
	}
	for _, s := range samplers {
		m := must(classify.SampleLogistic(empty, nil, classify.SampleLogisticOptions{Prior: prior, Method: s.method, Draws: s.draws}))(t)
		for j, w := range m.Mean {
			if math.Abs(w-prior.Mean[j]) > 4*m.MCError[j] || math.Abs(m.Covariance.At(j, j)/prior.Cov.At(j, j)-1) > 0.2 {
				t.Errorf("%s: w%d is %v ± %v, variance %v", s.name, j, w, m.MCError[j], m.Covariance.At(j, j))
			}
		}
	}
	for name, prior := range map[string]classify.Prior{"flat": nil, "isotropic": classify.Isotropic{Alpha: 1}} {
		_, err := classify.FitVariationalLogistic(empty, nil, classify.VariationalLogisticOptions{Prior: prior})
		mentions(t, err, "at least one row")
		_, err = classify.SampleLogistic(empty, nil, classify.SampleLogisticOptions{Prior: prior})
		if mentions(t, err, "at least one row"); t.Failed() {
			t.Log(name)
		}
	}
}

// TestImproper: without a proper prior the error says why there is no posterior.
func TestImproper(t *testing.T) {
	xs, ts, _, _ := divided()
	twice := mat.NewDense(4, 2, []float64{1, 1, 2, 2, 3, 3, 4, 4})
	free := classify.Isotropic{Alpha: 1, FreeBias: true}
	touching := mat.NewDense(4, 1, []float64{1, 2, 2, 3})
	for _, c := range []struct {
		name   string
		x      *mat.Dense
		target []float64
		prior  classify.Prior
		want   []string
	}{
		{"separable", xs, ts, nil, []string{"flat", "linearly separable", "does not fall off", "normalised", "Prior"}},
		{"quasi-separable", touching, []float64{0, 0, 1, 1}, nil, []string{"flat", "quasi-separable", "normalised", "Prior"}},
		{"dependent columns", twice, []float64{0, 1, 0, 1}, nil, []string{"flat", "normalised", "column"}},
		{"one class", xs, make([]float64, 6), nil, []string{"flat in the bias", "single class"}},
		{"one class, free bias", xs, make([]float64, 6), free, []string{"flat in the bias", "single class"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := classify.FitVariationalLogistic(c.x, c.target, classify.VariationalLogisticOptions{Prior: c.prior})
			mentions(t, err, append(c.want, "FitVariationalLogistic")...)
			_, err = classify.SampleLogistic(c.x, c.target, classify.SampleLogisticOptions{Prior: c.prior})
			mentions(t, err, append(c.want, "SampleLogistic")...)
		})
	}
}

// TestWaysScales: units and offsets of x, huge or tiny, change the weights by the
// factor and the shift, and the predictions not at all.
func TestWaysScales(t *testing.T) {
	x, target, _, _ := skewed()
	fits := func(x *mat.Dense, sd float64) (v, s *mat.Dense) {
		prior := classify.Gaussian{Cov: mat.NewSymDense(2, []float64{4, 0, 0, sd * sd})}
		vm := must(classify.FitVariationalLogistic(x, target, classify.VariationalLogisticOptions{Prior: prior}))(t)
		sm := must(classify.SampleLogistic(x, target, classify.SampleLogisticOptions{Prior: prior, Draws: 200}))(t)
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
	sm := must(classify.SampleLogistic(far, []float64{0, 1}, classify.SampleLogisticOptions{Prior: prior, Draws: 200}))(t)
	quad := *vm
	vm.Method, quad.Method = classify.PredictivePlugIn, classify.PredictiveQuadrature
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

// TestWaysEdges: one row, one class, constant and repeated columns, more columns
// than rows and a nearly singular S0 are fine under a proper prior, and
// all ways agree roughly.
func TestWaysEdges(t *testing.T) {
	wide, labels := clouds(6, 20, 2, 9)
	cols, lc := clouds(30, 3, 2, 9)
	for i := range 30 {
		cols.Set(i, 1, 7)
		cols.Set(i, 2, cols.At(i, 0))
	}
	near := mat.NewSymDense(4, []float64{1, 1 - 1e-12, 0, 0, 1 - 1e-12, 1, 0, 0, 0, 0, 1e-20, 0, 0, 0, 0, 1e6})
	one := mat.NewDense(1, 1, []float64{2})
	for _, c := range []struct {
		name   string
		x      *mat.Dense
		target []float64
		prior  classify.Prior
	}{
		{"one row", one, []float64{1}, classify.Isotropic{Alpha: 1}},
		{"one soft row", one, []float64{0.5}, classify.Isotropic{Alpha: 1}},
		{"one class", cols, make([]float64, 30), classify.Isotropic{Alpha: 1}},
		{"constant and repeated columns", cols, targets(lc), classify.Isotropic{Alpha: 0.5}},
		{"more columns than rows", wide, targets(labels), classify.Isotropic{Alpha: 1}},
		{"nearly singular prior", cols, targets(lc), classify.Gaussian{Cov: near, Mean: []float64{1, 1, 5, 0}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			x2, t2 := mat.DenseCopyOf(c.x), append([]float64(nil), c.target...)
			ways := must(classify.FitApproximations(c.x, c.target, classify.ApproximationsOptions{Prior: c.prior, Method: classify.PredictiveQuadrature}))(t)
			table := must(classify.CompareApproximations(c.x, ways...))(t)
			if len(table.Warnings) > 0 {
				t.Error(table.Warnings)
			}
			n, _ := c.x.Dims()
			for i := range n {
				exact := table.Posterior.At(3, i)
				for k, name := range table.Names {
					// The approximations are rough where the data say little; the
					// point is that none has gone astray.
					if d := math.Abs(table.Posterior.At(k, i) - exact); !(d < 0.2) {
						t.Errorf("%s: p of row %d is %.3f, by sampling %.3f", name, i, table.Posterior.At(k, i), exact)
					}
				}
			}
			if !mat.Equal(c.x, x2) || !floats.Equal(c.target, t2) {
				t.Error("the data were changed")
			}
		})
	}
}
