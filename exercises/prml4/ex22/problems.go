package ex22

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
)

type (
	evidenceFunc = func(logLik, logPrior func(theta []float64) float64, mode []float64, A *mat.SymDense) float64
	logDensity   = func(theta []float64) float64
)

// A problem is a model, its posterior's mode and curvature, and its log evidence
// by a route that knows nothing of Laplace.
type problem struct {
	name             string
	logLik, logPrior logDensity
	mode             []float64
	A                *mat.SymDense
	exact            float64
}

func (p problem) dim() int { return len(p.mode) }

func source(part uint64) *rand.Rand { return instance.Source(422, part) }

// gaussian is ln N(θ|m,S), NaN for a θ of another length.
func gaussian(m []float64, s *mat.SymDense) logDensity {
	var chol mat.Cholesky
	chol.Factorize(s)
	norm := -float64(len(m))/2*math.Log(2*math.Pi) - chol.LogDet()/2
	return func(theta []float64) float64 {
		if len(theta) != len(m) {
			return math.NaN()
		}
		d := mat.NewVecDense(len(m), instance.Minus(theta, m))
		var solved mat.VecDense
		if chol.SolveVecTo(&solved, d) != nil {
			return math.NaN()
		}
		return norm - mat.Dot(d, &solved)/2
	}
}

// linear is a model that is linear in its parameters, with Gaussian noise of
// precision beta and a Gaussian prior: N targets, M parameters. Its evidence is
// the N-dimensional Gaussian density of the targets, in which no integral over the
// parameters is left.
func linear(r *rand.Rand, name string, n, m int, priorVariance, beta float64) problem {
	phi := mat.NewDense(n, m, instance.Normals(r, n*m))
	m0, s0 := instance.Normals(r, m), instance.Covariance(r, m)
	s0.ScaleSym(priorVariance, s0)
	t := mat.NewVecDense(n, nil)
	t.MulVec(phi, mat.NewVecDense(m, instance.Normals(r, m)))
	for i := range n {
		t.SetVec(i, t.AtVec(i)+r.NormFloat64()/math.Sqrt(beta))
	}
	p := problem{name: name, logPrior: gaussian(m0, s0)}
	p.logLik = func(theta []float64) float64 {
		if len(theta) != m {
			return math.NaN()
		}
		sum := float64(n) / 2 * math.Log(beta/(2*math.Pi))
		for i := range n {
			e := t.AtVec(i) - floats.Dot(phi.RawRowView(i), theta)
			sum -= beta * e * e / 2
		}
		return sum
	}
	// A = S0⁻¹ + βΦᵀΦ, A·mode = S0⁻¹m0 + βΦᵀt
	var chol mat.Cholesky
	chol.Factorize(s0)
	p.A = mat.NewSymDense(m, nil)
	chol.InverseTo(p.A)
	var right, data mat.VecDense
	right.MulVec(p.A, mat.NewVecDense(m, m0))
	data.MulVec(phi.T(), t)
	right.AddScaledVec(&right, beta, &data)
	gram := mat.NewSymDense(m, nil)
	gram.SymOuterK(beta, phi.T())
	p.A.AddSym(p.A, gram)
	p.mode = solve(p.A, right.RawVector().Data)
	// ln N(t|Φm0, β⁻¹I + ΦS0Φᵀ)
	var mean mat.VecDense
	mean.MulVec(phi, mat.NewVecDense(m, m0))
	var half, full mat.Dense
	half.Mul(phi, s0)
	full.Mul(&half, phi.T())
	cov := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			cov.SetSym(i, j, (full.At(i, j)+full.At(j, i))/2)
		}
		cov.SetSym(i, i, cov.At(i, i)+1/beta)
	}
	p.exact = gaussian(mean.RawVector().Data, cov)(t.RawVector().Data)
	return p
}

// solve is A⁻¹b for a positive definite A.
func solve(a *mat.SymDense, b []float64) []float64 {
	var chol mat.Cholesky
	chol.Factorize(a)
	x := mat.NewVecDense(len(b), nil)
	if chol.SolveVecTo(x, mat.NewVecDense(len(b), b)) != nil {
		return nil
	}
	return x.RawVector().Data
}

// gaussians are models whose posterior is Gaussian.
func gaussians() []problem {
	r := source(1)
	return []problem{
		linear(r, "three parameters, ten targets", 10, 3, 1, 2),
		linear(r, "one parameter, five targets", 5, 1, 2, 0.5),
		linear(r, "one parameter, one target", 1, 1, 1, 1),
		linear(r, "two parameters, thirty targets", 30, 2, 4, 1),
		linear(r, "fewer targets than parameters", 2, 5, 1, 3),
		linear(r, "eight parameters, twenty targets", 20, 8, 0.5, 1),
	}
}

// A coin is tossed, with θ the log odds of heads; alpha and beta are the numbers
// of heads and tails, those of the Beta prior included.
type coin struct {
	problem
	alpha, beta float64
}

func newCoin(heads, tails, a, b float64) coin {
	c := coin{alpha: heads + a, beta: tails + b}
	term := func(h, t float64) logDensity {
		return func(theta []float64) float64 {
			if len(theta) != 1 {
				return math.NaN()
			}
			return h*kernel.LogSigmoid(theta[0]) + t*kernel.LogSigmoid(-theta[0])
		}
	}
	prior := term(a, b)
	c.logLik = term(heads, tails)
	c.logPrior = func(theta []float64) float64 { return prior(theta) - logBeta(a, b) }
	c.mode = []float64{math.Log(c.alpha / c.beta)}
	c.A = mat.NewSymDense(1, []float64{c.alpha * c.beta / (c.alpha + c.beta)})
	c.exact = logBeta(c.alpha, c.beta) - logBeta(a, b)
	return c
}

func logBeta(a, b float64) float64 {
	x, _ := math.Lgamma(a)
	y, _ := math.Lgamma(b)
	z, _ := math.Lgamma(a + b)
	return x + y - z
}

// inUnits is the same model with θ = Tη: the density of η has the factor |T|, and
// A becomes TᵀAT.
func (p problem) inUnits(t *mat.Dense) problem {
	m := p.dim()
	theta := func(eta []float64) []float64 {
		if len(eta) != m {
			return nil
		}
		v := mat.NewVecDense(m, nil)
		v.MulVec(t, mat.NewVecDense(m, eta))
		return v.RawVector().Data
	}
	logDet, _ := mat.LogDet(t)
	q := problem{name: p.name, exact: p.exact,
		logLik:   func(eta []float64) float64 { return p.logLik(theta(eta)) },
		logPrior: func(eta []float64) float64 { return p.logPrior(theta(eta)) + logDet },
	}
	var inverse, left, full mat.Dense
	if inverse.Inverse(t) != nil {
		return p
	}
	v := mat.NewVecDense(m, nil)
	v.MulVec(&inverse, mat.NewVecDense(m, p.mode))
	q.mode = v.RawVector().Data
	left.Mul(t.T(), p.A)
	full.Mul(&left, t)
	q.A = mat.NewSymDense(m, nil)
	for i := range m {
		for j := i; j < m; j++ {
			q.A.SetSym(i, j, (full.At(i, j)+full.At(j, i))/2)
		}
	}
	return q
}
