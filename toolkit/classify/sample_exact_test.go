package classify_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/kernels"
)

// sampleExact is what quadrature finds of the posterior of two weights.
type sampleExact struct {
	logEvidence float64
	mean        []float64
	cov         *mat.SymDense
	posterior   []float64 // p(C₁) at the points
}

// sampleIntegrate integrates over the two weights of a model with one input by
// the trapezoidal rule in coordinates that make the Laplace approximation
// spherical: for an analytic integrand that falls off on all sides its error
// falls exponentially with the step. The step is 0.15 standard deviations; the tails end where the density is below exp(−60) of the mode's.
func sampleIntegrate(t *testing.T, x *mat.Dense, target []float64, prior classify.Gaussian, points *mat.Dense) *sampleExact {
	t.Helper()
	o := must(classify.LogisticObjective(x, target, prior))(t)
	l := must(classify.FitLogistic(x, target, classify.LogisticOptions{Prior: prior}))(t)
	var chol mat.Cholesky
	if !chol.Factorize(l.Covariance) {
		t.Fatal("covariance")
	}
	var low mat.TriDense
	chol.LTo(&low)
	at := func(u, v float64) (w [2]float64) {
		return [2]float64{l.W[0] + low.At(0, 0)*u, l.W[1] + low.At(1, 0)*u + low.At(1, 1)*v}
	}
	minus := func(w [2]float64) float64 { return must(o.Value(w[:]))(t) - l.E }
	const h = 0.15
	// The density is log-concave: it falls on either side of its peak on a line.
	var nodes [][2]float64
	var weights []float64
	line := func(u float64) (any bool) {
		for _, dir := range []float64{1, -1} {
			for k := 0; ; k++ {
				if k == 0 && dir < 0 {
					continue
				}
				w := at(u, dir*h*float64(k))
				e := minus(w)
				if e < 60 {
					any = true
					nodes, weights = append(nodes, w), append(weights, kernels.Exp(-e))
				} else if float64(k)*h > 12 {
					break
				}
			}
		}
		return any
	}
	line(0)
	for _, dir := range []float64{1, -1} {
		for k := 1; line(dir*h*float64(k)) || float64(k)*h < 12; k++ {
		}
	}
	r := &sampleExact{mean: make([]float64, 2), cov: mat.NewSymDense(2, nil), posterior: make([]float64, points.RawMatrix().Rows)}
	var z float64
	for _, p := range weights {
		z += p
	}
	area := h * h * low.At(0, 0) * low.At(1, 1)
	var s0 mat.Cholesky
	s0.Factorize(prior.Cov)
	r.logEvidence = math.Log(z*area) - l.E - s0.LogDet()/2 - math.Log(2*math.Pi)
	for i, p := range weights {
		for k := range 2 {
			r.mean[k] += p / z * nodes[i][k]
		}
	}
	for i, p := range weights {
		d := [2]float64{nodes[i][0] - r.mean[0], nodes[i][1] - r.mean[1]}
		for j := range 2 {
			for k := j; k < 2; k++ {
				r.cov.SetSym(j, k, r.cov.At(j, k)+p/z*d[j]*d[k])
			}
		}
		for n := range r.posterior {
			r.posterior[n] += p / z * kernels.Sigmoid(nodes[i][0]+nodes[i][1]*points.At(n, 0))
		}
	}
	return r
}
