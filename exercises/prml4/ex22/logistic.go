package ex22

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
)

// logistic is Bayesian logistic regression with two weights, N points and the
// prior N(w|0,2I): mode and A by Newton's method, the evidence by quadrature. On few
// points the approximation can be further off than the part allows; such data are
// not taken.
func logistic(part uint64, n int) problem {
	r := source(part)
	p := drawLogistic(r, n)
	for instance.Again(func() bool { return math.Abs(laplace(p)-p.exact) < 0.09 }) {
		p = drawLogistic(r, n)
	}
	return p
}

func drawLogistic(r *rand.Rand, n int) problem {
	phi := instance.Design(r, n, []float64{1, 0.3}, []float64{0, 1})
	t := make([]float64, n)
	for i := range t {
		if r.Float64() < kernel.Sigmoid(0.5+1.2*phi.At(i, 1)) {
			t[i] = 1
		}
	}
	cov := mat.NewSymDense(2, []float64{2, 0, 0, 2})
	p := problem{name: "logistic regression", logPrior: gaussian([]float64{0, 0}, cov), mode: make([]float64, 2)}
	p.logLik = func(w []float64) float64 {
		if len(w) != 2 {
			return math.NaN()
		}
		sum := 0.0
		for i := range n {
			sum -= kernel.CrossEntropy(floats.Dot(w, phi.RawRowView(i)), t[i])
		}
		return sum
	}
	for range 30 {
		gradient := []float64{p.mode[0] / 2, p.mode[1] / 2}
		p.A = mat.NewSymDense(2, []float64{0.5, 0, 0, 0.5})
		for i := range n {
			row := phi.RawRowView(i)
			y := kernel.Sigmoid(floats.Dot(p.mode, row))
			floats.AddScaled(gradient, y-t[i], row)
			p.A.SymRankOne(p.A, y*(1-y), mat.NewVecDense(2, row))
		}
		floats.Sub(p.mode, solve(p.A, gradient))
	}
	p.exact = p.quadrature()
	return p
}

// quadrature is the log evidence of a model with two parameters by the
// trapezoidal rule, on a grid that reaches ten standard deviations of the Laplace
// approximation to all sides.
func (p problem) quadrature() float64 {
	const steps, reach = 160, 10.0
	var chol mat.Cholesky
	chol.Factorize(p.A)
	var u mat.TriDense
	chol.UTo(&u) // A = UᵀU, and θ = mode + U⁻¹z
	a, b, d := u.At(0, 0), u.At(0, 1), u.At(1, 1)
	top := p.logLik(p.mode) + p.logPrior(p.mode)
	h, sum := 2*reach/steps, 0.0
	for i := range steps + 1 {
		for j := range steps + 1 {
			z0, z1 := -reach+float64(i)*h, -reach+float64(j)*h
			x1 := z1 / d
			theta := []float64{p.mode[0] + (z0-b*x1)/a, p.mode[1] + x1}
			sum += math.Exp(p.logLik(theta) + p.logPrior(theta) - top)
		}
	}
	return top + math.Log(sum*h*h) - chol.LogDet()/2
}
