package ex23

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
)

type (
	bicFunc     = func(logLik float64, M, N int) float64
	droppedFunc = func(mode, m []float64, V0, H *mat.SymDense, N int) float64
)

// A problem is a model with a Gaussian posterior, on N data points.
type problem struct {
	name    string
	mode, m []float64
	V0, H   *mat.SymDense
	n       int
	logLik  float64 // at the mode
	exact   float64 // ln p(D)
}

// regression draws a model that is linear in M parameters, with Gaussian noise of
// precision beta, and returns what is known after the first n[0], n[1] … targets.
// The log evidence is the sum over the targets of ln p(t_n|t_1 … t_{n−1}), each a
// Gaussian that follows from the one before: no determinant and no integral over
// all parameters is in it.
func regression(part uint64, name string, m int, priorVariance, beta float64, n ...int) []problem {
	r := instance.Source(423, part)
	m0, v0 := instance.Normals(r, m), instance.Covariance(r, m)
	v0.ScaleSym(priorVariance, v0)
	truth := instance.Normals(r, m)
	mean, cov := append([]float64(nil), m0...), mat.DenseCopyOf(v0)
	gram, data := mat.NewSymDense(m, nil), make([]float64, m) // βΦᵀΦ and βΦᵀt
	squares, exact := 0.0, 0.0                                // Σ t²
	var out []problem
	for count := 1; len(out) < len(n); count++ {
		phi := instance.Normals(r, m)
		phi[0] = 1
		t := floats.Dot(truth, phi) + r.NormFloat64()/math.Sqrt(beta)

		row := mat.NewVecDense(m, phi)
		var gain mat.VecDense
		gain.MulVec(cov, row)
		variance := 1/beta + mat.Dot(row, &gain)
		e := t - floats.Dot(mean, phi)
		exact += -e*e/(2*variance) - math.Log(2*math.Pi*variance)/2
		floats.AddScaled(mean, e/variance, gain.RawVector().Data)
		cov.RankOne(cov, -1/variance, &gain, &gain)

		gram.SymRankOne(gram, beta, row)
		floats.AddScaled(data, beta*t, phi)
		squares += t * t
		if count != n[len(out)] {
			continue
		}
		p := problem{name: name, m: m0, V0: v0, n: count, exact: exact, H: mat.NewSymDense(m, nil)}
		p.H.CopySym(gram)
		// (V0⁻¹+H)·mode = V0⁻¹m + βΦᵀt
		right := inverse(v0)
		var b mat.VecDense
		b.MulVec(right, mat.NewVecDense(m, m0))
		b.AddVec(&b, mat.NewVecDense(m, data))
		right.AddSym(right, p.H)
		var x mat.VecDense
		x.MulVec(inverse(right), &b)
		p.mode = append([]float64(nil), x.RawVector().Data...)
		// Σ(t−φᵀθ)², multiplied out
		fit := beta*squares - 2*floats.Dot(data, p.mode) + mat.Inner(&x, gram, &x)
		p.logLik = float64(count)/2*math.Log(beta/(2*math.Pi)) - fit/2
		out = append(out, p)
	}
	return out
}

// inverse of a positive definite matrix.
func inverse(a *mat.SymDense) *mat.SymDense {
	var chol mat.Cholesky
	out := mat.NewSymDense(a.SymmetricDim(), nil)
	if chol.Factorize(a) {
		if err := chol.InverseTo(out); err != nil {
			out.Zero()
		}
	}
	return out
}

// moderate are models with more data than parameters and priors that matter.
func moderate() []problem {
	var out []problem
	out = append(out, regression(1, "three parameters", 3, 1, 2, 4, 15)...)
	out = append(out, regression(2, "one parameter", 1, 2, 0.5, 2, 7)...)
	out = append(out, regression(3, "two parameters, narrow prior", 2, 0.1, 1, 5, 30)...)
	return append(out, regression(4, "five parameters, broad prior", 5, 10, 1, 12, 60)...)
}

// decades are models on more and more data, with priors so broad that the mode's
// last fluctuations do not matter against them. They are drawn once, since their
// 200 000 targets are most of the work of a check.
var decades = instance.Once(func() [][]problem {
	return [][]problem{
		regression(5, "three parameters", 3, 50, 1, 10, 100, 1000, 1e4, 1e5),
		regression(6, "one parameter", 1, 50, 0.5, 10, 100, 1000, 1e4, 1e5),
	}
})
