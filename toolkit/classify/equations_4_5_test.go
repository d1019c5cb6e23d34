package classify_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distmv"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/equation"
)

// A bayesCase is a two-class problem with a prior and the fitted posterior. Its methods evaluate the
// book's formulas term by term.
type bayesCase struct {
	*problem43
	m0  []float64
	s0  *mat.SymDense
	fit *classify.BayesLogistic
}

func newBayesCase(t *testing.T, r *rand.Rand, d int) *bayesCase {
	t.Helper()
	c := &bayesCase{problem43: newProblem43Of(r, 12+r.IntN(20), d), m0: normals(r, d+1), s0: randomCov(r, d+1)}
	c.fit = must(classify.FitBayesLogistic(c.x, c.t, classify.BayesLogisticOptions{Prior: c.prior()}))(t)
	return c
}

func (c *bayesCase) prior() classify.Gaussian { return classify.Gaussian{Mean: c.m0, Cov: c.s0} }

func (c *bayesCase) logPrior(w []float64) float64 { return logNormal(w, c.m0, c.s0) }

// information returns Σ_n y_n(1−y_n)φ_nφ_nᵀ.
func (c *bayesCase) information(w []float64) *mat.Dense {
	v := c.activations(w)
	for n, a := range v {
		v[n] = logisticOf(a) * logisticOf(-a)
	}
	return c.weightedGram(v)
}

// precision returns S0⁻¹ + Σ_n y_n(1−y_n)φ_nφ_nᵀ.
func (c *bayesCase) precision(w []float64) *mat.SymDense {
	return symmetric(1, combine(1, inverse(c.s0), 1, c.information(w)))
}

// q returns the density of the posterior N(w|w_MAP, S_N), and S_N.
func (c *bayesCase) q() (density *distmv.Normal, cov *mat.SymDense) {
	cov = inverse(c.precision(c.fit.W))
	density, _ = distmv.NewNormal(c.fit.W, cov, nil)
	return density, cov
}

// mean returns the mean of f(w) over the posterior of two weights, by quadrature.
func (c *bayesCase) mean(f func(w []float64) float64) float64 {
	q, cov := c.q()
	return overPlane(func(w []float64) float64 { return f(w) * q.Prob(w) }, c.fit.W, cov)
}

// at returns a random new input, its feature vector, and the fitted moments of its activation.
func (c *bayesCase) at(t *testing.T, r *rand.Rand) (x *mat.Dense, phi []float64, mean, variance float64) {
	t.Helper()
	x = oneRow(multiple(2, normals(r, len(c.m0)-1)))
	m, v := must2(c.fit.ActivationMoments(x))(t)
	return x, append([]float64{1}, x.RawRowView(0)...), m[0], v[0]
}

func TestEquationsBayesPosterior(t *testing.T) {
	// The two sides of (4.141) are only proportional to each other, so the check compares how their
	// logarithms change from v to u.
	posterior := func(r *rand.Rand) (left, right any) {
		c := newBayesCase(t, r, 1+r.IntN(3))
		u, v := normals(r, len(c.m0)), normals(r, len(c.m0))
		e := must(classify.LogisticObjective(c.x, c.t, c.prior()))(t)
		square := func(w []float64) float64 {
			d := minus(w, c.m0)
			return -form(d, inverse(c.s0), d) / 2
		}
		scaled := combine(2*math.Pi, c.s0, 0, c.s0)
		return []float64{c.fit.Evidence.LogPrior, -must(e.Value(u))(t), must(e.Value(v))(t) - must(e.Value(u))(t)},
			[]float64{square(c.fit.W) - lnDet(scaled)/2, square(u) - c.crossEntropy(u),
				c.logPrior(u) - c.crossEntropy(u) - c.logPrior(v) + c.crossEntropy(v)}
	}
	equation.Check(t, "prml-4.140", posterior)
	equation.Check(t, "prml-4.141", posterior)
	equation.Check(t, "prml-4.142", posterior)
	equation.Check(t, "prml-4.143", func(r *rand.Rand) (left, right any) {
		c := newBayesCase(t, r, 1+r.IntN(3))
		p := c.precision(c.fit.W)
		return []any{c.fit.Precision, c.fit.Covariance}, []any{p, inverse(p)}
	})
	// Laplace's approximation of the log posterior must return the same Gaussian as the fit. The
	// tolerance allows for the errors of finite differences.
	equation.CheckTo(t, "prml-4.144", 1e-6, func(r *rand.Rand) (left, right any) {
		c := newBayesCase(t, r, 1)
		m := must(classify.Laplace(func(w []float64) float64 { return c.logPrior(w) - c.crossEntropy(w) }, c.m0,
			classify.LaplaceOptions{Random: -1}))(t)
		mean, cov := c.fit.WeightMoments()
		return []any{mean, cov}, []any{m.At, m.Covariance}
	})
	// The true value is the variance of a Gaussian. The log density of this Gaussian has the same
	// second derivative as the log posterior has at w.
	variance := func(printed func(information, prior float64) float64) func(r *rand.Rand) equation.Reading {
		return func(r *rand.Rand) equation.Reading {
			x, target := overlappingRows(r, 15, 1)
			s0, w, information := 0.5+r.Float64(), r.NormFloat64(), 0.0
			for _, v := range x.RawMatrix().Data {
				information += logisticOf(w*v) * logisticOf(-w*v) * v * v
			}
			l := func(w float64) float64 {
				l := -w * w / (2 * s0)
				for n, v := range target {
					l += math.Log(logisticOf((2*v - 1) * w * x.At(n, 0)))
				}
				return l
			}
			c := slope(func(w float64) float64 { return slope(l, w) }, w)
			density := func(d float64) float64 { return math.Exp(c * d * d / 2) }
			square := func(d float64) float64 { return d * d * density(d) }
			return equation.Reading{True: overLine(square, 0, 1, 50) / overLine(density, 0, 1, 50),
				Printed: printed(information, 1/s0), Right: 1 / (1/s0 + information)}
		}
	}
	equation.Misprint(t, "P3", variance(func(information, prior float64) float64 { return prior + information }))
	equation.Misprint(t, "P4", variance(func(information, _ float64) float64 { return 1 / information }))
	equation.Misprint(t, "N1", variance(func(information, _ float64) float64 { return information }))
}

// TestEquationsNormaliser checks the normaliser Z, which is the probability of the targets of all
// rows. The sum of Z over all possible targets must be 1.
func TestEquationsNormaliser(t *testing.T) {
	equation.CheckTo(t, "gambosi-normaliser", 1e-10, func(r *rand.Rand) (left, right any) {
		phi, m0, total := normals(r, 1+r.IntN(4)), r.NormFloat64(), 0.0
		for bits := range 1 << len(phi) {
			total += overLine(func(w float64) float64 {
				g := distuv.Normal{Mu: m0, Sigma: 1}.Prob(w)
				for n, f := range phi {
					g *= logisticOf((2*float64(bits>>n&1) - 1) * w * f)
				}
				return g
			}, m0, 1, 20)
		}
		return []float64{total, m0}, []float64{1, m0}
	})
}

func TestEquationsBayesActivation(t *testing.T) {
	// The set {w : wᵀφ = a} is the line (a/‖φ‖²)φ + sφ⊥/‖φ‖², where φ⊥ is normal to φ and has the same
	// length. The density of the activation at a is the integral of q/‖φ‖² over s along this line.
	moments := func(r *rand.Rand) (left, right any) {
		c := newBayesCase(t, r, 1)
		_, phi, mean, variance := c.at(t, r)
		dot := func(w []float64) float64 { return floats.Dot(w, phi) }
		a, n2 := mean+r.NormFloat64(), dot(phi)
		q, _ := c.q()
		along := overLine(func(s float64) float64 {
			return q.Prob([]float64{(a - s*phi[1]) / n2, (a*phi[1] + s) / n2}) / n2
		}, c.fit.W[1]-c.fit.W[0]*phi[1], 4*math.Sqrt(n2), 200)
		centre := dot(c.fit.W)
		return []float64{distuv.Normal{Mu: mean, Sigma: math.Sqrt(variance)}.Prob(a), mean, variance},
			[]float64{along, c.mean(dot), c.mean(func(w []float64) float64 { return dot(w)*dot(w) - centre*centre })}
	}
	equation.Check(t, "prml-4.148", moments)
	equation.Check(t, "prml-4.149", moments)
	equation.Check(t, "prml-4.150", moments)
	predictive := func(r *rand.Rand) (left, right any) {
		c := newBayesCase(t, r, 1)
		x, phi, mean, variance := c.at(t, r)
		p := c.mean(func(w []float64) float64 { return logisticOf(floats.Dot(w, phi)) })
		return []any{must(c.fit.PosteriorBy(x, classify.PredictiveQuadrature))(t), classify.ConvolveSigmoid(mean, variance)},
			[]float64{p, 1 - p, p}
	}
	equation.Check(t, "prml-4.145", predictive)
	equation.Check(t, "prml-4.147", predictive)
	// The check replaces the delta function with a Gaussian of small variance. The integral of cδ is c.
	// Only this integral distinguishes δ from cδ, because both are 0 except at one point.
	delta := func(r *rand.Rand) (left, right any) {
		a, c := r.NormFloat64(), 0.5+2*r.Float64()
		area := overLine(func(v float64) float64 { return c * distuv.Normal{Sigma: 1e-3}.Prob(v) }, 0, 1e-3, 40)
		return []float64{classify.ConvolveSigmoid(a, 0), classify.ConvolveSigmoid(a, 1e-10),
				classify.ConvolveProbit(1, a, 1e-10), area},
			[]float64{logisticOf(a), logisticOf(a), math.Erfc(-a/math.Sqrt2) / 2, c}
	}
	equation.CheckTo(t, "prml-4.146", 1e-8, delta)
	equation.CheckTo(t, "brief-delta", 1e-8, delta)
	equation.CheckTo(t, "N6", 1e-8, delta)
}

func TestEquationsBayesPredictive(t *testing.T) {
	gaussian := func(f func(a float64) float64, mu, sd float64) float64 {
		return overLine(func(a float64) float64 { return f(a) * distuv.Normal{Mu: mu, Sigma: sd}.Prob(a) }, mu, sd, 40)
	}
	cdf := distuv.UnitNormal.CDF
	equation.Check(t, "prml-4.151", func(r *rand.Rand) (left, right any) {
		mu, sd := 3*r.NormFloat64(), 0.2+3*r.Float64()
		return classify.ConvolveSigmoid(mu, sd*sd), gaussian(logisticOf, mu, sd)
	})
	// The printed form is wrong for λ < 0 (erratum P31).
	probit := func(sign float64) func(r *rand.Rand) equation.Reading {
		return func(r *rand.Rand) equation.Reading {
			lambda, mu, sd := sign*(0.2+2*r.Float64()), 2*r.NormFloat64(), 0.2+2*r.Float64()
			return equation.Reading{True: gaussian(func(a float64) float64 { return cdf(lambda * a) }, mu, sd),
				Printed: cdf(mu / math.Sqrt(1/(lambda*lambda)+sd*sd)), Right: classify.ConvolveProbit(lambda, mu, sd*sd)}
		}
	}
	equation.Misprint(t, "P31", probit(-1))
	equation.Check(t, "prml-4.152", func(r *rand.Rand) (left, right any) {
		v := probit(1)(r)
		return []any{v.Right, v.Printed}, []any{v.True, v.True}
	})
	// If σ(a) and Φ(λa) have the same slope at 0, their largest difference is just below 0.01768. For
	// λ = 0.58763, their largest difference is below 0.0095. The error of (4.153) is at most 2·0.01768.
	gap := func(lambda, a float64) float64 { return math.Abs(logisticOf(a) - cdf(lambda*a)) }
	equation.Holds(t, "P25", func(r *rand.Rand) error {
		a, worst := 8*r.Float64(), 0.0
		for at := 0.0; at < 8; at += 0.01 {
			worst = math.Max(worst, gap(math.Sqrt(math.Pi/8), at))
		}
		if !(gap(0.58763, a) < 0.0095 && worst > 0.0176) {
			return fmt.Errorf("at a = %v the error for λ = 0.58763 is %v, want less than 0.0095; the largest error for equal slopes is %v, want more than 0.0176", a, gap(0.58763, a), worst)
		}
		return nil
	})
	equation.Holds(t, "prml-4.153", func(r *rand.Rand) error {
		mu, sd := 4*r.NormFloat64(), 6*r.Float64()+0.1
		p, q := gaussian(logisticOf, mu, sd), classify.ModeratedSigmoid(mu, sd*sd)
		if math.Abs(p-q) > 2*0.01768 || (p > 0.5) != (q > 0.5) {
			return fmt.Errorf("at μ = %v, σ = %v the integral is %v and the approximation is %v, want a difference of at most 0.03536 and the same side of ½", mu, sd, p, q)
		}
		return nil
	})
	// κ is exact if σ(a) is replaced by Φ(λa): Φ(κλμ) equals the mean of Φ(λa) over the Gaussian of a.
	equation.Check(t, "prml-4.154", func(r *rand.Rand) (left, right any) {
		lambda, mu, sd := math.Sqrt(math.Pi/8), 0.2+r.Float64(), 0.2+3*r.Float64()
		p := gaussian(func(a float64) float64 { return cdf(lambda * a) }, mu, sd)
		return classify.Kappa(sd * sd), distuv.UnitNormal.Quantile(p) / (lambda * mu)
	})
	equation.Check(t, "prml-4.155", func(r *rand.Rand) (left, right any) {
		c := newBayesCase(t, r, 1+r.IntN(3))
		x, phi, _, _ := c.at(t, r)
		a := floats.Dot(c.fit.W, phi) / math.Sqrt(1+math.Pi*form(phi, inverse(c.precision(c.fit.W)), phi)/8)
		return must(c.fit.PosteriorBy(x, classify.PredictiveModerated))(t), []float64{logisticOf(a), logisticOf(-a)}
	})
	// The probability (4.155) and the probability at w_MAP are on the same side of ½.
	equation.Check(t, "P45", func(r *rand.Rand) (left, right any) {
		c := newBayesCase(t, r, 2)
		at := normalMatrix(r, 50, 2)
		a := flat(mul(withOnes(at), oneColumn(c.fit.W)))
		for n, p := range firstColumn(must(c.fit.Posterior(at))(t)) {
			at.Set(n, 0, math.Copysign(1, p-0.5))
			a[n] = math.Copysign(1, a[n])
		}
		return at.ColView(0), a
	})
	// The tolerance allows for the errors of two fits.
	equation.CheckTo(t, "brief-other-class", 1e-8, func(r *rand.Rand) (left, right any) {
		p, other := newProblem43(r), make([]float64, 0)
		for _, v := range p.t {
			other = append(other, 1-v)
		}
		o := classify.BayesLogisticOptions{Prior: classify.Isotropic{Alpha: 0.1 + r.Float64()}}
		one := must(must(classify.FitBayesLogistic(p.x, p.t, o))(t).Posterior(p.x))(t)
		two := must(must(classify.FitBayesLogistic(p.x, other, o))(t).Posterior(p.x))(t)
		rest := minus(fill(len(other), 1), firstColumn(one))
		return []any{one.ColView(1), two.ColView(0)}, []any{rest, rest}
	})
}
