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

// bayesCase holds data, a prior and the fitted posterior. Its methods evaluate the book's formulas
// term by term.
type bayesCase struct {
	x   *mat.Dense
	t   []float64
	m0  []float64
	s0  *mat.SymDense
	fit *classify.BayesLogistic
}

func newBayesCase(t *testing.T, r *rand.Rand, d int) *bayesCase {
	t.Helper()
	c := &bayesCase{m0: normals(r, d+1), s0: randomCov(r, d+1)}
	c.x, c.t = overlappingRows(r, 12+r.IntN(20), d)
	c.fit = must(classify.FitBayesLogistic(c.x, c.t, classify.BayesLogisticOptions{Prior: c.prior()}))(t)
	return c
}

func (c *bayesCase) prior() classify.Gaussian { return classify.Gaussian{Mean: c.m0, Cov: c.s0} }

func (c *bayesCase) logPrior(w []float64) float64 {
	p, _ := distmv.NewNormal(c.m0, c.s0, nil)
	return p.LogProb(w)
}

// phi returns the feature vector (1, x) of row n.
func (c *bayesCase) phi(n int) []float64 { return append([]float64{1}, c.x.RawRowView(n)...) }

// likelihood returns the product Π_n y_n^t_n (1−y_n)^(1−t_n).
func (c *bayesCase) likelihood(w []float64) float64 {
	p := 1.0
	for n, t := range c.t {
		y := logisticOf(floats.Dot(w, c.phi(n)))
		p *= math.Pow(y, t) * math.Pow(1-y, 1-t)
	}
	return p
}

func (c *bayesCase) logLikelihood(w []float64) float64 { return math.Log(c.likelihood(w)) }

// information returns Σ_n y_n(1−y_n)φ_nφ_nᵀ.
func (c *bayesCase) information(w []float64) *mat.SymDense {
	s := mat.NewSymDense(len(w), nil)
	for n := range c.t {
		y := logisticOf(floats.Dot(w, c.phi(n)))
		s.SymRankOne(s, y*(1-y), mat.NewVecDense(len(w), c.phi(n)))
	}
	return s
}

// precision returns S0⁻¹ + Σ_n y_n(1−y_n)φ_nφ_nᵀ.
func (c *bayesCase) precision(w []float64) *mat.SymDense {
	var inv, s mat.Dense
	_ = inv.Inverse(c.s0)
	s.Add(&inv, c.information(w))
	return mat.NewSymDense(len(w), s.RawMatrix().Data)
}

// q returns the density N(w|w_MAP, S_N) and S_N, the inverse of the precision at w_MAP.
func (c *bayesCase) q(t *testing.T) (density *distmv.Normal, cov *mat.SymDense) {
	t.Helper()
	cov = inverse(t, c.precision(c.fit.W))
	density, ok := distmv.NewNormal(c.fit.W, cov, nil)
	if !ok {
		t.Fatal("the covariance computed by definition is not positive definite")
	}
	return density, cov
}

// moments returns the μ_a and σ_a² that the fitted model computes at a point x.
func (c *bayesCase) moments(t *testing.T, x *mat.Dense) (mean, variance float64) {
	t.Helper()
	m, v, err := c.fit.ActivationMoments(x)
	if err != nil {
		t.Fatal(err)
	}
	return m[0], v[0]
}

// randomInput returns a random new input and its feature vector.
func (c *bayesCase) randomInput(r *rand.Rand) (x *mat.Dense, phi []float64) {
	_, d := c.x.Dims()
	x = normalMatrix(r, 1, d)
	x.Scale(2, x)
	return x, append([]float64{1}, x.RawRowView(0)...)
}

func TestEquationsBayesPosterior(t *testing.T) {
	equation.Check(t, "prml-4.140", func(r *rand.Rand) (left, right any) {
		c := newBayesCase(t, r, 1+r.IntN(3))
		d := mat.NewVecDense(len(c.m0), nil)
		d.SubVec(mat.NewVecDense(len(c.m0), c.fit.W), mat.NewVecDense(len(c.m0), c.m0))
		var root mat.Dense
		root.Scale(2*math.Pi, c.s0)
		return c.fit.Evidence.LogPrior, -mat.Inner(d, inverse(t, c.s0), d)/2 - math.Log(mat.Det(&root))/2
	})
	// (4.141) is a proportionality, so the check compares the ratio of the left sides for two
	// weight vectors with the ratio of the right sides.
	equation.Check(t, "prml-4.141", func(r *rand.Rand) (left, right any) {
		c := newBayesCase(t, r, 1+r.IntN(3))
		u, v := normals(r, len(c.m0)), normals(r, len(c.m0))
		e := must(classify.LogisticObjective(c.x, c.t, c.prior()))(t)
		return math.Exp(must(e.Value(v))(t) - must(e.Value(u))(t)),
			math.Exp(c.logPrior(u)) * c.likelihood(u) / (math.Exp(c.logPrior(v)) * c.likelihood(v))
	})
	equation.Check(t, "prml-4.142", func(r *rand.Rand) (left, right any) {
		c := newBayesCase(t, r, 1+r.IntN(3))
		w, n := normals(r, len(c.m0)), len(c.m0)
		d := mat.NewVecDense(n, nil)
		d.SubVec(mat.NewVecDense(n, w), mat.NewVecDense(n, c.m0))
		e := must(classify.LogisticObjective(c.x, c.t, c.prior()))(t)
		return -must(e.Value(w))(t), -mat.Inner(d, inverse(t, c.s0), d)/2 + c.logLikelihood(w)
	})
	equation.Check(t, "prml-4.143", func(r *rand.Rand) (left, right any) {
		c := newBayesCase(t, r, 1+r.IntN(3))
		return []any{c.fit.Precision, c.fit.Covariance}, []any{c.precision(c.fit.W), inverse(t, c.precision(c.fit.W))}
	})
	// Laplace's approximation of the log posterior must return the same Gaussian over w as the fit.
	equation.CheckTo(t, "prml-4.144", 1e-6, func(r *rand.Rand) (left, right any) { // finite differences
		c := newBayesCase(t, r, 1)
		m := must(classify.Laplace(func(w []float64) float64 { return c.logPrior(w) + c.logLikelihood(w) }, c.m0,
			classify.LaplaceOptions{Random: -1}))(t)
		mean, cov := c.fit.WeightMoments()
		return []any{mean, cov}, []any{m.At, m.Covariance}
	})
}

func TestEquationsBayesActivation(t *testing.T) {
	equation.Check(t, "prml-4.145", func(r *rand.Rand) (left, right any) {
		c := newBayesCase(t, r, 1)
		x, phi := c.randomInput(r)
		q, cov := c.q(t)
		p := overPlane(func(w []float64) float64 { return logisticOf(floats.Dot(w, phi)) * q.Prob(w) }, c.fit.W, cov)
		return must(c.fit.PosteriorBy(x, classify.PredictiveQuadrature))(t), []float64{p, 1 - p}
	})
	// The check replaces the delta function δ by a Gaussian of variance 0 and by a Gaussian of
	// small variance.
	equation.CheckTo(t, "prml-4.146", 1e-8, func(r *rand.Rand) (left, right any) { // approximates a limit
		w, phi := normals(r, 4), normals(r, 4)
		a := floats.Dot(w, phi)
		return []float64{classify.ConvolveSigmoid(a, 0), classify.ConvolveSigmoid(a, 1e-8)}, []float64{logisticOf(a),
			logisticOf(a)}
	})
	equation.Check(t, "prml-4.147", func(r *rand.Rand) (left, right any) {
		c := newBayesCase(t, r, 1)
		x, phi := c.randomInput(r)
		q, cov := c.q(t)
		mean, variance := c.moments(t, x)
		return overPlane(func(w []float64) float64 { return logisticOf(floats.Dot(w, phi)) * q.Prob(w) }, c.fit.W, cov),
			classify.ConvolveSigmoid(mean, variance)
	})
	// The weights w whose activation wᵀφ equals a lie on the line (a/‖φ‖²)φ + sφ⊥/‖φ‖², where φ⊥ is normal to φ. The
	// right side integrates q along this line.
	equation.Check(t, "prml-4.148", func(r *rand.Rand) (left, right any) {
		c := newBayesCase(t, r, 1)
		x, phi := c.randomInput(r)
		q, _ := c.q(t)
		mean, variance := c.moments(t, x)
		a, n2 := mean+r.NormFloat64(), floats.Dot(phi, phi)
		centre := c.fit.W[1] - c.fit.W[0]*phi[1]
		p := overLine(func(s float64) float64 {
			return q.Prob([]float64{(a - s*phi[1]) / n2, (a*phi[1] + s) / n2}) / n2
		}, centre, 4*math.Sqrt(n2), 200)
		return distuv.Normal{Mu: mean, Sigma: math.Sqrt(variance)}.Prob(a), p
	})
	equation.Check(t, "prml-4.149", func(r *rand.Rand) (left, right any) {
		c := newBayesCase(t, r, 1)
		x, phi := c.randomInput(r)
		q, cov := c.q(t)
		mean, _ := c.moments(t, x)
		return mean, overPlane(func(w []float64) float64 { return floats.Dot(w, phi) * q.Prob(w) }, c.fit.W, cov)
	})
	equation.Check(t, "prml-4.150", func(r *rand.Rand) (left, right any) {
		c := newBayesCase(t, r, 1)
		x, phi := c.randomInput(r)
		q, cov := c.q(t)
		_, variance := c.moments(t, x)
		mean := floats.Dot(c.fit.W, phi)
		return variance, overPlane(func(w []float64) float64 {
			return (floats.Dot(w, phi)*floats.Dot(w,
				phi) - mean*mean) * q.Prob(w)
		}, c.fit.W, cov)
	})
}

func TestEquationsBayesPredictive(t *testing.T) {
	gaussian := func(f func(a float64) float64, mu, sd float64) float64 {
		return overLine(func(a float64) float64 { return f(a) * distuv.Normal{Mu: mu, Sigma: sd}.Prob(a) }, mu, sd, 40)
	}
	equation.Check(t, "prml-4.151", func(r *rand.Rand) (left, right any) {
		mu, sd := 3*r.NormFloat64(), 0.2+3*r.Float64()
		return classify.ConvolveSigmoid(mu, sd*sd), gaussian(logisticOf, mu, sd)
	})
	equation.Check(t, "prml-4.152", func(r *rand.Rand) (left, right any) {
		lambda, mu, sd := 0.2+2*r.Float64(), 2*r.NormFloat64(), 0.2+2*r.Float64()
		return classify.ConvolveProbit(lambda, mu,
			sd*sd), gaussian(func(a float64) float64 { return math.Erfc(-lambda*a/math.Sqrt2) / 2 }, mu, sd)
	})
	// The largest difference between σ(a) and Φ(λa) is 0.01768. Twice this difference bounds the
	// error of the approximation.
	equation.Holds(t, "prml-4.153", func(r *rand.Rand) error {
		mu, sd := 4*r.NormFloat64(), 6*r.Float64()+0.1
		p, q := gaussian(logisticOf, mu, sd), classify.ModeratedSigmoid(mu, sd*sd)
		if gap := math.Abs(p - q); !(gap <= 2*0.01768) || (p > 0.5) != (q > 0.5) {
			return fmt.Errorf("at μ = %v, σ = %v the integral is %v, but the approximation is %v, want a smaller difference", mu, sd, p, q)
		}
		return nil
	})
	// κ is exact if σ(a) is replaced by Φ(λa) in (4.153): Φ(κλμ) equals the mean of Φ(λa) over the
	// Gaussian of a.
	equation.Check(t, "prml-4.154", func(r *rand.Rand) (left, right any) {
		lambda, mu, sd := math.Sqrt(math.Pi/8), 0.2+r.Float64(), 0.2+3*r.Float64()
		p := gaussian(distuv.Normal{Sigma: 1 / lambda}.CDF, mu, sd)
		return classify.Kappa(sd * sd), distuv.UnitNormal.Quantile(p) / (lambda * mu)
	})
	equation.Check(t, "prml-4.155", func(r *rand.Rand) (left, right any) {
		c := newBayesCase(t, r, 1+r.IntN(3))
		x, phi := c.randomInput(r)
		_, cov := c.q(t)
		v := mat.NewVecDense(len(phi), phi)
		a := floats.Dot(c.fit.W, phi) / math.Sqrt(1+math.Pi*mat.Inner(v, cov, v)/8)
		return must(c.fit.PosteriorBy(x, classify.PredictiveModerated))(t), []float64{logisticOf(a), logisticOf(-a)}
	})
}
