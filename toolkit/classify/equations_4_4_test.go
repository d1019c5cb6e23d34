package classify_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/equation"
)

// overLine computes ∫ f(a) da from mean − 10 sd to mean + 10 sd by the trapezium rule. Each
// interval of length sd has n steps. The error is tiny if f is smooth and nearly 0 at the limits.
func overLine(f func(a float64) float64, mean, sd float64, n int) (sum float64) {
	h := sd / float64(n)
	for i := -10 * n; i <= 10*n; i++ {
		sum += f(mean + float64(i)*h)
	}
	return sum * h
}

// overPlane computes ∫ f(z) dz over two dimensions. It substitutes z = mean + Lu, where L is the
// Cholesky factor of cov, and applies overLine to u₁ and to u₂.
func overPlane(f func(z []float64) float64, mean []float64, cov mat.Symmetric) (sum float64) {
	l11 := math.Sqrt(cov.At(0, 0))
	l21 := cov.At(1, 0) / l11
	l22 := math.Sqrt(cov.At(1, 1) - l21*l21)
	return overLine(func(u float64) float64 {
		return overLine(func(v float64) float64 {
			return f([]float64{mean[0] + l11*u, mean[1] + l21*u + l22*v})
		}, 0, 1, 10)
	}, 0, 1, 10) * l11 * l22
}

// hessianOf returns the Hessian of f at z. It differentiates twice by finite differences.
func hessianOf(f func([]float64) float64, z []float64) *mat.Dense {
	return jacobian(func(z []float64) []float64 { return slopes(f, z) }, z)
}

// derivativesOf returns the value, the gradient and the Hessian of f at z.
func derivativesOf(f func([]float64) float64, z []float64) []any {
	return []any{f(z), slopes(f, z), hessianOf(f, z)}
}

// bell is the log-concave function exp(−½zᵀPz)σ(bᵀz+c) in one or two dimensions.
type bell struct {
	p *mat.SymDense
	b []float64
	c float64
}

func newBell(r *rand.Rand, d int) bell { return bell{randomCov(r, d), normals(r, d), r.NormFloat64()} }

func (s bell) f(z []float64) float64 {
	return math.Exp(-form(z, s.p, z)/2) * logisticOf(floats.Dot(s.b, z)+s.c)
}
func (s bell) log(z []float64) float64  { return math.Log(s.f(z)) }
func (s bell) log1(z float64) float64   { return s.log([]float64{z}) }
func (s bell) value1(z float64) float64 { return s.f([]float64{z}) }

// curvature returns −∇∇ ln f(z), derived by hand: P + y(1−y)bbᵀ.
func (s bell) curvature(z []float64) *mat.SymDense {
	y := logisticOf(floats.Dot(s.b, z) + s.c)
	a := mat.NewSymDense(len(z), nil)
	a.SymRankOne(s.p, y*(1-y), mat.NewVecDense(len(z), s.b))
	return a
}

// mode1 returns the zero of d ln f/dz = −pz + bσ(−bz−c) for one dimension, by bisection.
func (s bell) mode1() (z float64) {
	lo, hi := -20.0, 20.0
	for range 100 {
		z = (lo + hi) / 2
		if -s.p.At(0, 0)*z+s.b[0]*logisticOf(-s.b[0]*z-s.c) > 0 {
			lo = z
		} else {
			hi = z
		}
	}
	return z
}

// TestEquationsLaplace1D checks Laplace's approximation in one dimension. The tolerances allow for the
// errors of the mode and of the curvature, which are found by finite differences.
func TestEquationsLaplace1D(t *testing.T) {
	fit := func(r *rand.Rand) (s bell, m *classify.LaplaceFit1D) {
		s = newBell(r, 1)
		return s, must(classify.Laplace1D(s.log1, classify.Laplace1DOptions{}))(t)
	}
	equation.Check(t, "prml-4.125", func(r *rand.Rand) (left, right any) {
		s, m := fit(r)
		return math.Exp(must(m.Exact(s.log1))(t).LogZ), overLine(s.value1, 0, 2, 30)
	})
	mode := func(r *rand.Rand) (left, right any) {
		s, m := fit(r)
		z := s.mode1()
		return []float64{m.Z0, m.A}, []float64{z, s.curvature([]float64{z}).At(0, 0)}
	}
	equation.CheckTo(t, "prml-4.126", 1e-7, mode)
	equation.CheckTo(t, "prml-4.128", 1e-7, mode)
	touch := func(r *rand.Rand) (left, right any) {
		s, m := fit(r)
		z := []float64{m.Z0}
		parabola := func(z []float64) float64 { return m.LogF - m.A*(z[0]-m.Z0)*(z[0]-m.Z0)/2 }
		scaled := func(z []float64) float64 { return math.Exp(m.LogF) * m.Density(z[0]) / m.Density(m.Z0) }
		return []any{derivativesOf(parabola, z), derivativesOf(scaled, z)},
			[]any{derivativesOf(s.log, z), derivativesOf(s.f, z)}
	}
	equation.CheckTo(t, "prml-4.127", 1e-6, touch)
	equation.CheckTo(t, "prml-4.129", 1e-6, touch)
	equation.CheckTo(t, "prml-4.130", 1e-6, func(r *rand.Rand) (left, right any) {
		s, m := fit(r)
		z0 := s.mode1()
		sd := 1 / math.Sqrt(s.curvature([]float64{z0}).At(0, 0))
		z := z0 + sd*r.NormFloat64()
		return []float64{m.Density(z), overLine(m.Density, z0, sd, 10)},
			[]float64{distuv.Normal{Mu: z0, Sigma: sd}.Prob(z), 1}
	})
}

func TestEquationsLaplace(t *testing.T) {
	fit := func(r *rand.Rand) (s bell, m *classify.LaplaceFit) {
		s = newBell(r, 2)
		return s, must(classify.Laplace(s.log, []float64{0, 0}, classify.LaplaceOptions{Random: -1}))(t)
	}
	touch := func(r *rand.Rand) (left, right any) {
		s, m := fit(r)
		parabola := func(z []float64) float64 {
			e := minus(z, m.At)
			return m.LogF - form(e, m.Precision, e)/2
		}
		scaled := func(z []float64) float64 { return math.Exp(m.LogF + m.LogDensity(z) - m.LogDensity(m.At)) }
		return []any{derivativesOf(parabola, m.At), derivativesOf(scaled, m.At)},
			[]any{derivativesOf(s.log, m.At), derivativesOf(s.f, m.At)}
	}
	// The tolerance allows for the errors of second differences.
	equation.CheckTo(t, "prml-4.131", 1e-6, touch)
	equation.CheckTo(t, "prml-4.133", 1e-6, touch)
	gaussian := func(r *rand.Rand) (left, right any) {
		s, m := fit(r)
		a, z := s.curvature(m.At), normals(r, 2)
		volume := overPlane(func(z []float64) float64 {
			e := minus(z, m.At)
			return math.Exp(-form(e, a, e) / 2)
		}, m.At, inverse(a))
		return []any{m.Precision, m.LogDensity(z), m.Z()}, []any{a, logNormal(z, m.At, inverse(a)), s.f(m.At) * volume}
	}
	equation.CheckTo(t, "prml-4.132", 1e-6, gaussian)
	equation.CheckTo(t, "prml-4.134", 1e-6, gaussian)
	equation.CheckTo(t, "prml-4.135", 1e-6, gaussian)
}

func TestEquationsEvidence(t *testing.T) {
	// The posterior of a linear model with Gaussian noise is Gaussian, so Laplace's approximation is
	// exact. The targets t have the density N(Φm₀, sI + ΦS₀Φᵀ). PRML exercise 4.23 has −½ ln|H|, where
	// H is the Hessian without the prior. The correct term is −½ ln|H + S₀⁻¹| (erratum P19).
	gaussian := func(r *rand.Rand) (evidence float64, reading equation.Reading) {
		n, s := 5+r.IntN(4), math.Exp(2*r.NormFloat64())
		x, target := normalMatrix(r, n, 1), normals(r, n)
		prior := classify.Gaussian{Mean: normals(r, 2), Cov: randomCov(r, 2)}
		m := must(classify.FitGLM(x, target, classify.GaussianTarget{Scale: s}, classify.GLMOptions{Prior: prior}))(t)
		phi := withOnes(x)
		cov := symmetric(1, combine(1, mul(phi, prior.Cov, phi.T()), s, eye(n)))
		marginal := logNormal(target, flat(mul(phi, oneColumn(prior.Mean))), cov)
		h := combine(1/s, mul(phi.T(), phi), 0, prior.Cov)
		rest := logNormal(target, flat(mul(phi, oneColumn(m.W))), symmetric(1, combine(s, eye(n), 0, eye(n)))) +
			logNormal(m.W, prior.Mean, prior.Cov) + math.Log(2*math.Pi)
		return must(classify.EvidenceOf(m, prior))(t).LogEvidence(), equation.Reading{True: marginal,
			Printed: rest - lnDet(h)/2, Right: rest - lnDet(combine(1, h, 1, inverse(prior.Cov)))/2}
	}
	equation.Check(t, "prml-4.136", func(r *rand.Rand) (left, right any) {
		evidence, v := gaussian(r)
		return evidence, v.True
	})
	equation.Misprint(t, "P19", func(r *rand.Rand) equation.Reading {
		_, v := gaussian(r)
		return v
	})
	equation.CheckTo(t, "prml-4.137", 1e-6, func(r *rand.Rand) (left, right any) {
		c := newBayesCase(t, r, 1+r.IntN(3))
		occam := c.logPrior(c.fit.W) + float64(len(c.m0))/2*math.Log(2*math.Pi) - lnDet(c.precision(c.fit.W))/2
		return []float64{c.fit.LogEvidence(), c.fit.Evidence.LogOccam()}, []float64{occam - c.crossEntropy(c.fit.W), occam}
	})
	// The tolerance allows for the errors of second differences.
	equation.CheckTo(t, "prml-4.138", 1e-6, func(r *rand.Rand) (left, right any) {
		c := newBayesCase(t, r, 2)
		return c.fit.Precision, hessianOf(func(w []float64) float64 { return c.crossEntropy(w) - c.logPrior(w) }, c.fit.W)
	})
	// Each row counts 10⁸ times. The sum of the terms that (4.139) omits is then close to its limit
	// ln p(w) + (M/2) ln 2π − ½ ln|A/N|.
	equation.CheckTo(t, "prml-4.139", 1e-4, func(r *rand.Rand) (left, right any) {
		c := newBayesCase(t, r, 1+r.IntN(2))
		m := must(classify.FitBayesLogistic(c.x, c.t,
			classify.BayesLogisticOptions{Prior: c.prior(), Weights: fill(len(c.t), 1e8)}))(t)
		w := must(classify.FitLogistic(c.x, c.t, classify.LogisticOptions{}))(t).W
		a := combine(1/float64(len(c.t)), c.information(w), 0, c.s0)
		return m.LogEvidence() + m.BIC()/2, c.logPrior(w) + float64(len(w))/2*math.Log(2*math.Pi) - lnDet(a)/2
	})
	// With up to 7 points, the BIC penalty per parameter is smaller than the AIC penalty.
	equation.Holds(t, "P35", func(r *rand.Rand) error {
		n, m := 1+r.IntN(14), 1+r.IntN(5)
		e := classify.Evidence{LogLikelihood: r.NormFloat64(), M: m, N: n, SumWeights: float64(n)}
		if heavier := e.BIC() > e.AIC(); heavier != (n >= 8) {
			return fmt.Errorf("with %d points BIC is %v and AIC is %v, want a larger BIC for 8 or more points, and a smaller BIC for fewer points", n, e.BIC(), e.AIC())
		}
		return nil
	})
}
