package ex08

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
)

// A problem is a pair of Gaussian classes with places at which to ask.
type problem struct {
	name     string
	mu1, mu2 []float64
	Sigma    *mat.SymDense
	p1       float64
	at       [][]float64 // within a few standard deviations of the means
	sd       []float64   // standard deviations, the roots of Sigma's diagonal
	vectors  *mat.Dense  // eigenvectors of the correlations, one per column
	values   []float64   // and their eigenvalues
}

func (p problem) String() string { return "“" + p.name + "”" }

func (p problem) origin() []float64 { return make([]float64, len(p.mu1)) }

// draw makes a pair whose means lie apart, in one dimension on different sides of
// offset, class 1 on the right.
func draw(r *rand.Rand, name string, offset, scale []float64, apart, p1 float64) problem {
	d := len(offset)
	p := problem{name: name, Sigma: instance.Covariance(r, d), p1: p1, mu1: make([]float64, d), mu2: make([]float64, d)}
	one, two := instance.Unit(r, d), instance.Unit(r, d)
	if d == 1 {
		one[0], two[0] = 1, -1
	}
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

// decompose finds the eigenvectors of the correlations, so that columns of any size
// keep their digits.
func (p *problem) decompose() {
	d := p.Sigma.SymmetricDim()
	p.sd = make([]float64, d)
	for i := range d {
		p.sd[i] = math.Sqrt(p.Sigma.At(i, i))
	}
	even := mat.NewSymDense(d, nil)
	for i := range d {
		for j := i; j < d; j++ {
			even.SetSym(i, j, p.Sigma.At(i, j)/p.sd[i]/p.sd[j])
		}
	}
	var e mat.EigenSym
	e.Factorize(even, true) // a positive definite matrix always has its eigenvalues
	p.vectors = &mat.Dense{}
	e.VectorsTo(p.vectors)
	p.values = e.Values(nil)
}

var problems = instance.Once(func() []problem {
	r := instance.Source(408, 1)
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
		draw(r, "one dimension, the classes the other way round", []float64{-3}, []float64{0.8}, -1.5, 0.4),
		draw(r, "five dimensions", []float64{0, 1, -1, 2, 0}, []float64{1, 2, 0.5, 1, 1}, 2, 0.9),
		sphere,
		draw(r, "a rare class", []float64{1, 0}, []float64{1, 1}, 1, 1e-6),
		twin,
		draw(r, "columns of very different size", []float64{0.02, -50}, []float64{1e-2, 1e2}, 1, 0.4),
		draw(r, "means far from the origin", []float64{300, -200}, []float64{1, 1}, 1, 0.7),
	}
})

// units are problems in which a number that is small elsewhere is not, or is nothing.
var units = instance.Once(func() []problem {
	r := instance.Source(408, 3)
	return []problem{
		draw(r, "inputs of the size 10⁻⁶", []float64{1e-6, 0}, []float64{1e-6, 1e-6}, 1, 0.35),
		draw(r, "inputs of the size 10⁶", []float64{1e6, -1e6}, []float64{1e6, 2e6}, 1, 0.8),
	}
})

// extremes have priors of which one is as small as it can be.
var extremes = instance.Once(func() (list []problem) {
	r := instance.Source(408, 2)
	for _, c := range []struct {
		name string
		p1   float64
	}{
		{"p1 = 10⁻⁹", 1e-9}, {"p1 = 1 − 10⁻⁹", 1 - 1e-9}, {"p1 = 10⁻³⁰⁰", 1e-300}, {"p1 next below 1", math.Nextafter(1, 0)},
	} {
		list = append(list, draw(r, c.name, []float64{0.5, -0.2}, []float64{1, 1}, 1, c.p1))
	}
	return list
})

// mahalanobis is (x−μ)ᵀΣ⁻¹(x−μ), by eigenvectors: no inverse, and no formula of
// the exercise.
func (p problem) mahalanobis(x, mu []float64) float64 { return p.quadratic(instance.Minus(x, mu)) }

// logDensity is ln N(x|μ, Σ).
func (p problem) logDensity(x, mu []float64) float64 {
	return -0.5 * (p.mahalanobis(x, mu) + p.logDet() + float64(len(x))*math.Log(2*math.Pi))
}

// logDet is ln|Σ|.
func (p problem) logDet() (sum float64) {
	for i, lambda := range p.values {
		sum += math.Log(lambda) + 2*math.Log(p.sd[i])
	}
	return sum
}

// logOdds is (4.58).
func (p problem) logOdds(x []float64) float64 {
	return p.logDensity(x, p.mu1) + math.Log(p.p1) - p.logDensity(x, p.mu2) - math.Log(1-p.p1)
}

// solve is Σ⁻¹v, by eigenvectors.
func (p problem) solve(v []float64) []float64 {
	out, even := make([]float64, len(v)), floats.DivTo(make([]float64, len(v)), v, p.sd)
	for i, lambda := range p.values {
		axis := mat.Col(nil, i, p.vectors)
		floats.AddScaled(out, floats.Dot(axis, even)/lambda, axis)
	}
	floats.Div(out, p.sd)
	return out
}

// quadratic is vᵀΣ⁻¹v, a sum of squares.
func (p problem) quadratic(v []float64) (sum float64) {
	even := floats.DivTo(make([]float64, len(v)), v, p.sd)
	for i, lambda := range p.values {
		c := floats.Dot(mat.Col(nil, i, p.vectors), even)
		sum += c * c / lambda
	}
	return sum
}

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

// An exponent is the exponent of one density at one place.
type exponent struct {
	problem
	x, mu []float64
}

// exponents of both classes, some of them at the origin and at a mean, where parts
// vanish or coincide.
var exponents = instance.Once(func() (list []exponent) {
	for _, p := range problems() {
		list = append(list, exponent{p, p.at[0], p.mu1}, exponent{p, p.at[1], p.mu2}, exponent{p, p.at[2], p.mu1})
	}
	p := problems()[0]
	return append(list, exponent{p, p.origin(), p.mu1}, exponent{p, p.mu2, p.mu2}, exponent{p, p.at[0], p.origin()})
})

// value is −½(x−μ)ᵀΣ⁻¹(x−μ) at c·x.
func (e exponent) value(c float64) float64 {
	return -0.5 * e.mahalanobis(floats.ScaleTo(make([]float64, len(e.x)), c, e.x), e.mu)
}

// inner is xᵀΣ⁻¹x, xᵀΣ⁻¹μ and μᵀΣ⁻¹μ.
func (e exponent) inner() (xx, xm, mm float64) {
	return e.quadratic(e.x), floats.Dot(e.x, e.solve(e.mu)), e.quadratic(e.mu)
}

// parts are the three parts of the exponent.
func parts(e exponent) []float64 {
	xx, xm, mm := e.inner()
	return []float64{-xx / 2, xm, -mm / 2}
}
