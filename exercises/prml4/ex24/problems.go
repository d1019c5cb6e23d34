package ex24

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
)

// projectFunc is the learner's function.
type projectFunc = func(phi, m []float64, S *mat.SymDense) (mu, variance float64)

// A problem is a feature vector and a Gaussian over the weights.
type problem struct {
	name   string
	phi, m []float64
	S      *mat.SymDense
}

func source(part uint64) *rand.Rand { return instance.Source(424, part) }

// draw makes a problem with M weights; scale is that of the covariance.
func draw(r *rand.Rand, name string, m int, scale float64) problem {
	p := problem{name, instance.Normals(r, m), instance.Normals(r, m), instance.Covariance(r, m)}
	p.S.ScaleSym(scale, p.S)
	return p
}

func problems() []problem {
	r := source(1)
	bias := draw(r, "a bias and three features", 4, 0.7)
	bias.phi[0] = 1
	return []problem{
		draw(r, "three weights", 3, 1.3),
		draw(r, "one weight", 1, 0.4),
		draw(r, "two weights", 2, 2),
		bias,
		draw(r, "eight weights", 8, 0.5),
		draw(r, "two weights, very uncertain", 2, 40),
	}
}

// factor is L with LLᵀ = S: w = m + Lz has the distribution N(m,S) for a standard
// normal z.
func (p problem) factor() *mat.TriDense {
	var chol mat.Cholesky
	chol.Factorize(p.S)
	var l mat.TriDense
	chol.LTo(&l)
	return &l
}

// moments are mean and variance of the activation over the 2M points m ± √M·L_i,
// which have the weights' mean and covariance; for a linear function of w nothing
// more is needed, and no formula for a's variance is used.
func (p problem) moments() (mean, variance float64) {
	m, l := len(p.m), p.factor()
	var a []float64
	for i := range m {
		column := mat.Col(nil, i, l)
		for _, sign := range []float64{1, -1} {
			w := floats.AddScaledTo(make([]float64, m), p.m, sign*math.Sqrt(float64(m)), column)
			a = append(a, floats.Dot(w, p.phi))
		}
	}
	for _, v := range a {
		mean += v / float64(len(a))
	}
	for _, v := range a {
		variance += (v - mean) * (v - mean) / float64(len(a))
	}
	return mean, variance
}

// overWeights is the integral of σ(wᵀφ) N(w|m,S) over all weights, M up to 3, by
// the trapezoidal rule in each direction of z from −7 to 7. The poles of σ at ±iπ
// leave e^{−2π²/(ch)} where a grows by c per unit of z and h is the step: ten
// decimals for ch ≤ 0.8.
func (p problem) overWeights() float64 {
	h := 0.25
	m, l := len(p.m), p.factor()
	direction := make([]float64, m) // of a for each z: Lᵀφ
	for i := range m {
		direction[i] = floats.Dot(mat.Col(nil, i, l), p.phi)
		h = math.Min(h, 0.8/math.Abs(direction[i]))
	}
	reach := int(math.Ceil(7 / h))
	var walk func(i int, a, weight float64) float64
	walk = func(i int, a, weight float64) float64 {
		if i == m {
			return weight * kernel.Sigmoid(a)
		}
		sum := 0.0
		for k := -reach; k <= reach; k++ {
			z := h * float64(k)
			sum += walk(i+1, a+direction[i]*z, weight*h*kernel.NormPDF(z))
		}
		return sum
	}
	return walk(0, floats.Dot(p.m, p.phi), 1)
}

// overActivation is the right-hand side of (4.151).
func overActivation(mu, variance float64) float64 {
	const h, reach = 0.01, 800
	sum := 0.0
	for k := -reach; k <= reach; k++ {
		z := h * float64(k)
		sum += h * kernel.NormPDF(z) * kernel.Sigmoid(mu+math.Sqrt(variance)*z)
	}
	return sum
}
