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

// fixedPoint checks m_N and S_N by (10.156) and (10.157), whole matrices at ξ.
func fixedPoint(t *testing.T, x *mat.Dense, target []float64, prior classify.Prior, m *classify.VariationalLogistic) {
	t.Helper()
	n, d := x.Dims()
	precision, b := mat.NewSymDense(d+1, nil), mat.NewVecDense(d+1, nil)
	if p, ok := prior.(classify.Isotropic); ok {
		for j := range d + 1 {
			precision.SetSym(j, j, p.Alpha*truth(j > 0 || !p.FreeBias))
		}
	}
	for i := range n {
		φ, ξ := mat.NewVecDense(d+1, append([]float64{1}, x.RawRowView(i)...)), m.Xi[i]
		precision.SymRankOne(precision, (kernels.Sigmoid(ξ)-0.5)/ξ, φ)
		b.AddScaledVec(b, target[i]-0.5, φ)
	}
	inverses(t, precision, m.Covariance, 1e-5)
	var mean mat.VecDense
	mean.MulVec(m.Covariance, b)
	nearly(t, "m_N", m.Mean, mean.RawVector().Data, 1e-6)
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
					before := m.Trace[i].Bound
					errorIf(t, s.Bound < before-1e-12*(1+math.Abs(before)), "iteration %d lowers the bound from %v to %v", i+1, before, s.Bound)
				}
				last := m.Trace[len(m.Trace)-1]
				errorIf(t, last.Bound != m.Bound || !floats.Equal(last.Mean, m.Mean), "the trace ends at %v, the model is %v", last, m.Mean)
				if !m.Converged {
					if plain && c.name != "overlapping" { // the text's updates may take very long
						return
					}
					t.Fatal(m.Reason)
				}
				fixedPoint(t, c.x, c.target, c.prior, m)
				mean, variance := must2(m.ActivationMoments(c.x))(t)
				for i, xi := range m.Xi {
					want := math.Sqrt(mean[i]*mean[i] + variance[i])
					errorIf(t, math.Abs(xi-want) > 1e-8*(1+want), "ξ of row %d is %v, E[a²] says %v", i, xi, want)
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
	errorIf(t, !m.Converged || m.Iterations > 60, "%d passes: %s", m.Iterations, m.Reason)
	l := must(classify.FitBayesLogistic(x, target, classify.BayesLogisticOptions{Prior: classify.Isotropic{Alpha: 1}}))(t)
	for j, w := range m.Mean {
		sd := math.Sqrt(l.Covariance.At(j, j))
		errorIf(t, math.Abs(w-l.W[j]) > 0.05*sd, "w%d is %v, at the mode %v ± %v", j, w, l.W[j], sd)
	}
	if used, most := after.TotalAlloc-before.TotalAlloc, uint64(n*d*8); used > most {
		t.Errorf("%d bytes allocated in all passes together, x has %d", used, most)
	}
}
