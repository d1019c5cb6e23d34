package ex08

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/form"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/learner"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// posteriorFunc is the learner's function.
type posteriorFunc = func(mu1, mu2 []float64, Sigma *mat.SymDense, p1 float64) (w []float64, w0 float64)

// A problem is a pair of Gaussian classes with places at which to ask.
type problem struct {
	name     string
	mu1, mu2 []float64
	Sigma    *mat.SymDense
	p1       float64
	at       [][]float64 // within a few standard deviations of the means
	vectors  *mat.Dense  // eigenvectors of Sigma, one per column
	values   []float64   // eigenvalues of Sigma
}

func draw(r *rand.Rand, name string, offset, scale []float64, apart, p1 float64) problem {
	d := len(offset)
	p := problem{name: name, Sigma: instance.Covariance(r, d), p1: p1, mu1: make([]float64, d), mu2: make([]float64, d)}
	one, two := instance.Unit(r, d), instance.Unit(r, d)
	for i := range d {
		for j := i; j < d; j++ {
			p.Sigma.SetSym(i, j, p.Sigma.At(i, j)*scale[i]*scale[j])
		}
		p.mu1[i] = offset[i] + apart*scale[i]*one[i]
		p.mu2[i] = offset[i] + apart*scale[i]*two[i]
	}
	for range 12 {
		x := make([]float64, d)
		for j := range x {
			x[j] = offset[j] + 2*scale[j]*r.NormFloat64()
		}
		p.at = append(p.at, x)
	}
	p.decompose()
	return p
}

func (p *problem) decompose() {
	var e mat.EigenSym
	e.Factorize(p.Sigma, true) // a positive definite matrix always has its eigenvalues
	p.vectors = &mat.Dense{}
	e.VectorsTo(p.vectors)
	p.values = e.Values(nil)
}

func problems(n uint64) []problem {
	r := instance.Source(408, n)
	sphere := draw(r, "unit covariance, equal priors", []float64{0.5, 1, -1}, []float64{1, 1, 1}, 1, 0.5)
	for i := range 3 {
		for j := i; j < 3; j++ {
			sphere.Sigma.SetSym(i, j, 0)
		}
		sphere.Sigma.SetSym(i, i, 1)
	}
	sphere.decompose()
	twin := draw(r, "one mean for both classes", []float64{1, 2}, []float64{1, 1}, 1, 0.2)
	copy(twin.mu2, twin.mu1)
	return []problem{
		draw(r, "tilted covariance in the plane", []float64{1.5, -1}, []float64{1, 0.6}, 1.5, 0.3),
		draw(r, "one dimension", []float64{0.4}, []float64{1.7}, 1, 0.6),
		draw(r, "five dimensions", []float64{0, 1, -1, 2, 0}, []float64{1, 2, 0.5, 1, 1}, 2, 0.9),
		sphere,
		draw(r, "a rare class", []float64{1, 0}, []float64{1, 1}, 1, 1e-6),
		twin,
		draw(r, "columns of very different size", []float64{0.02, -50}, []float64{1e-2, 1e2}, 1, 0.4),
		draw(r, "means far from the origin", []float64{300, -200}, []float64{1, 1}, 1, 0.7),
	}
}

// mahalanobis is (x−μ)ᵀΣ⁻¹(x−μ), by the eigenvectors of Σ: no inverse, and no
// formula of the exercise.
func (p problem) mahalanobis(x, mu []float64) float64 {
	v := instance.Minus(x, mu)
	q := 0.0
	for i, lambda := range p.values {
		c := floats.Dot(mat.Col(nil, i, p.vectors), v)
		q += c * c / lambda
	}
	return q
}

// logDensity is ln N(x|μ, Σ).
func (p problem) logDensity(x, mu []float64) float64 {
	logDet := 0.0
	for _, lambda := range p.values {
		logDet += math.Log(lambda)
	}
	return -0.5 * (p.mahalanobis(x, mu) + logDet + float64(len(x))*math.Log(2*math.Pi))
}

// logOdds is (4.58).
func (p problem) logOdds(x []float64) float64 {
	return p.logDensity(x, p.mu1) + math.Log(p.p1) - p.logDensity(x, p.mu2) - math.Log(1-p.p1)
}

// solve is Σ⁻¹v, by the eigenvectors.
func (p problem) solve(v []float64) []float64 {
	out := make([]float64, len(v))
	for i, lambda := range p.values {
		axis := mat.Col(nil, i, p.vectors)
		floats.AddScaled(out, floats.Dot(axis, v)/lambda, axis)
	}
	return out
}

// quadratic is μᵀΣ⁻¹μ.
func (p problem) quadratic(mu []float64) float64 { return floats.Dot(mu, p.solve(mu)) }

// size is the size of the terms that wᵀx + w0 is summed from at x, to which a
// tolerance relates: the two quadratic forms of (4.67) cancel where the means are
// far from the origin.
func (p problem) size(x []float64) float64 {
	gap := p.solve(instance.Minus(p.mu1, p.mu2))
	s := 1 + p.quadratic(p.mu1) + p.quadratic(p.mu2) + math.Abs(math.Log(p.p1))
	for j := range x {
		s += math.Abs(gap[j] * x[j])
	}
	return s
}

// logOddsTol is the agreement asked for, relative to size: room for an explicit
// inverse.
const logOddsTol = 1e-9

// ask calls the learner's function with copies and returns a copy of its answer,
// with a verdict instead where that is not D+1 finite numbers or an argument was
// changed.
func ask(posterior posteriorFunc, p problem) (w []float64, w0 float64, bad *verify.Verdict) {
	var in learner.Inputs
	d := len(p.mu1)
	sigma := mat.NewSymDense(d, nil)
	sigma.CopySym(p.Sigma)
	w, w0 = posterior(in.Slice("mu1", p.mu1), in.Slice("mu2", p.mu2), sigma, p.p1)
	w = append([]float64(nil), w...)
	if bad = in.Changed(3); bad != nil {
		return nil, 0, bad
	}
	if !mat.Equal(sigma, p.Sigma) {
		return nil, 0, learner.Fail("mutates-inputs", 3, "Your function changed its argument Sigma. A *mat.SymDense is shared with the caller: work on a copy, or let the inverse be a new matrix.")
	}
	if len(w) == d+1 {
		return nil, 0, learner.Fail("bias-inside", 3, "Your w has D+1 entries. The bias is returned apart, as w0, and w has one entry per input.")
	}
	if bad = form.Vector("w", w, d, "entry of mu1", p.name, 3); bad != nil {
		return nil, 0, bad
	}
	if i, v, found := learner.NotFinite([]float64{w0}); found || i != 0 {
		return nil, 0, learner.Fail("not-finite", 3, "For “%s” your w0 is %g. Look for a logarithm of 0, or an inverse that does not exist.", p.name, v)
	}
	return w, w0, nil
}
