package classify_test

import (
	"fmt"
	"math"
	"runtime"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/kernels"
)

// variationalTwin is the text's algorithm by whole matrices, from ξ = 1.
func variationalTwin(x *mat.Dense, target []float64, prior classify.Gaussian, passes int) (mean []float64, cov *mat.SymDense) {
	n, d := x.Dims()
	m := d + 1
	row := func(i int) []float64 { return append([]float64{1}, mat.Row(nil, i, x)...) }
	var s0 mat.Cholesky
	s0.Factorize(prior.Cov)
	var inv0 mat.SymDense
	if err := s0.InverseTo(&inv0); err != nil {
		panic(err)
	}
	xi := make([]float64, n)
	floats.AddConst(1, xi)
	for range passes {
		precision := mat.NewSymDense(m, nil)
		precision.CopySym(&inv0)
		b := mat.NewVecDense(m, nil)
		b.MulVec(&inv0, mat.NewVecDense(m, prior.Mean))
		for i, z := range xi {
			φ := mat.NewVecDense(m, row(i))
			precision.SymRankOne(precision, 2*(kernels.Sigmoid(z)-0.5)/(2*z), φ)
			b.AddScaledVec(b, target[i]-0.5, φ)
		}
		var c mat.Cholesky
		c.Factorize(precision)
		cov = mat.NewSymDense(m, nil)
		if err := c.InverseTo(cov); err != nil {
			panic(err)
		}
		var mn mat.VecDense
		mn.MulVec(cov, b)
		mean = mn.RawVector().Data
		for i := range xi {
			φ := mat.NewVecDense(m, row(i))
			a := mat.Dot(&mn, φ)
			xi[i] = math.Sqrt(mat.Inner(φ, cov, φ) + a*a)
		}
	}
	return mean, cov
}

// TestVariationalTwin: each plain iteration is that of the text, and both ways end
// at its fixed point.
func TestVariationalTwin(t *testing.T) {
	x, labels := clouds(60, 3, 2, 4)
	target := targets(labels)
	target[3], target[8] = 0.3, 0.9 // soft targets are allowed
	prior := classify.Gaussian{Mean: []float64{1, -1, 0, 2}, Cov: mat.NewSymDense(4, []float64{4, 1, 0, 0, 1, 3, 0, 0, 0, 0, 2, -0.5, 0, 0, -0.5, 1})}
	for _, passes := range []int{1, 2, 5} {
		mean, cov := variationalTwin(x, target, prior, passes)
		m := must(classify.FitVariationalLogistic(x, target, classify.VariationalLogisticOptions{Prior: prior, Plain: true, MaxIterations: passes}))(t)
		if !floats.EqualApprox(m.Mean, mean, 1e-12) || !mat.EqualApprox(m.Covariance, cov, 1e-12) || m.Iterations != passes || m.Converged {
			t.Errorf("%d passes: %v, by the twin %v; %s", passes, m.Mean, mean, m.Reason)
		}
	}
	mean, cov := variationalTwin(x, target, prior, 400)
	m := must(classify.FitVariationalLogistic(x, target, classify.VariationalLogisticOptions{Prior: prior}))(t)
	if !floats.EqualApprox(m.Mean, mean, 1e-9) || !mat.EqualApprox(m.Covariance, cov, 1e-9) || !m.Converged {
		t.Errorf("%v, by the twin %v; %s", m.Mean, mean, m.Reason)
	}
}

// TestVariationalBound: no iteration lowers the bound, and its gradient with respect
// to ξ vanishes at the end: ξ_n² = E[a_n²], also where the way is long.
func TestVariationalBound(t *testing.T) {
	xc, lc := clouds(300, 5, 2, 3)
	xs, ts, _, _ := divided()
	xw, lw := clouds(10, 30, 2, 3)
	for _, c := range []struct {
		name   string
		x      *mat.Dense
		target []float64
		prior  classify.Prior
	}{
		{"overlapping", xc, targets(lc), classify.Isotropic{Alpha: 0.1}},
		{"overlapping, flat", xc, targets(lc), nil},
		{"overlapping, free bias", xc, targets(lc), classify.Isotropic{Alpha: 3, FreeBias: true}},
		{"separable, wide prior", xs, ts, classify.Isotropic{Alpha: 1e-6}},
		{"separable, narrow prior", xs, ts, classify.Isotropic{Alpha: 1e6}},
		{"more columns than rows", xw, targets(lw), classify.Isotropic{Alpha: 1e-2}},
	} {
		for _, plain := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, plain %v", c.name, plain), func(t *testing.T) {
				m := must(classify.FitVariationalLogistic(c.x, c.target, classify.VariationalLogisticOptions{Prior: c.prior, Plain: plain, MaxIterations: 300}))(t)
				for i, s := range m.Trace[1:] {
					if before := m.Trace[i].Bound; s.Bound < before-1e-12*(1+math.Abs(before)) {
						t.Errorf("iteration %d lowers the bound from %v to %v", i+1, before, s.Bound)
					}
				}
				if last := m.Trace[len(m.Trace)-1]; last.Bound != m.Bound || !floats.Equal(last.Mean, m.Mean) {
					t.Errorf("the trace ends at %v, the model is %v", last, m.Mean)
				}
				if !m.Converged {
					if plain && c.name != "overlapping" { // the text's updates may take very long
						return
					}
					t.Fatal(m.Reason)
				}
				mean, variance, err := m.ActivationMoments(c.x)
				if err != nil {
					t.Fatal(err)
				}
				for i, xi := range m.Xi {
					if want := math.Sqrt(mean[i]*mean[i] + variance[i]); math.Abs(xi-want) > 1e-8*(1+want) {
						t.Errorf("ξ of row %d is %v, E[a²] says %v", i, xi, want)
					}
				}
			})
		}
	}
}

// TestVariationalLarge: many rows need few passes, agree with the Laplace
// approximation's mean to a fraction of a standard deviation, and take memory for
// ξ alone: three lists of N numbers and the copy of t, not N×D.
func TestVariationalLarge(t *testing.T) {
	if testing.Short() {
		t.Skip("a large fit")
	}
	n, d := 200000, 20
	x, target := drawn(n, d, 3)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	m := must(classify.FitVariationalLogistic(x, target, classify.VariationalLogisticOptions{Prior: classify.Isotropic{Alpha: 1}}))(t)
	runtime.ReadMemStats(&after)
	if !m.Converged || m.Iterations > 60 {
		t.Errorf("%d passes: %s", m.Iterations, m.Reason)
	}
	l := must(classify.FitBayesLogistic(x, target, classify.BayesLogisticOptions{Prior: classify.Isotropic{Alpha: 1}}))(t)
	for j, w := range m.Mean {
		if sd := math.Sqrt(l.Covariance.At(j, j)); math.Abs(w-l.W[j]) > 0.05*sd {
			t.Errorf("w%d is %v, at the mode %v ± %v", j, w, l.W[j], sd)
		}
	}
	if used, most := after.TotalAlloc-before.TotalAlloc, uint64(n*d*8); used > most {
		t.Errorf("%d bytes allocated in all passes together, x has %d", used, most)
	}
}
