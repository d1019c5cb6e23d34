package classify_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distmv"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/equation"
)

// oneWeight is logistic regression with one weight and the prior N(w|0, s0).
type oneWeight struct {
	phi, t []float64
	s0     float64
}

func newOneWeight(r *rand.Rand) oneWeight {
	x, t := overlapping(r, 15, 1)
	return oneWeight{mat.Col(nil, 0, x), t, 0.5 + r.Float64()}
}

func (o oneWeight) logPosterior(w float64) float64 {
	l := -w * w / (2 * o.s0)
	for n, t := range o.t {
		y := logisticOf(w * o.phi[n])
		l += t*math.Log(y) + (1-t)*math.Log(1-y)
	}
	return l
}

func (o oneWeight) information(w float64) (sum float64) {
	for _, phi := range o.phi {
		y := logisticOf(w * phi)
		sum += y * (1 - y) * phi * phi
	}
	return sum
}

// variance is that of the Gaussian with the curvature of the log posterior at w,
// by differences and quadrature.
func (o oneWeight) variance(w float64) float64 {
	c := slope(func(w float64) float64 { return slope(o.logPosterior, w) }, w)
	bell := func(d float64) float64 { return math.Exp(c * d * d / 2) }
	square := func(d float64) float64 { return d * d * bell(d) }
	return overLine(square, 0, 1, 50) / overLine(bell, 0, 1, 50)
}

func TestErrataBayes(t *testing.T) {
	equation.Misprint(t, "P3", func(r *rand.Rand) equation.Reading {
		o, w := newOneWeight(r), r.NormFloat64()
		sum := 1/o.s0 + o.information(w)
		return equation.Reading{True: o.variance(w), Printed: sum, Right: 1 / sum}
	})
	equation.Misprint(t, "P4", func(r *rand.Rand) equation.Reading {
		o, w := newOneWeight(r), r.NormFloat64()
		return equation.Reading{True: o.variance(w), Printed: 1 / o.information(w), Right: 1 / (1/o.s0 + o.information(w))}
	})
	equation.Misprint(t, "N1", func(r *rand.Rand) equation.Reading { // both at once
		o, w := newOneWeight(r), r.NormFloat64()
		return equation.Reading{True: o.variance(w), Printed: o.information(w), Right: 1 / (1/o.s0 + o.information(w))}
	})
	// The exact log evidence of a linear model with Gaussian noise, for which Laplace's
	// is exact: the density of t. H is that of ln p(D|θ), with its sign.
	equation.Misprint(t, "P19", func(r *rand.Rand) equation.Reading {
		n, m, s := 6, 1+r.IntN(3), 0.5+r.Float64()
		phi, target, v0 := normalMatrix(r, n, m), normals(r, n), spread(r, m)
		var cov, h, a mat.Dense
		cov.Product(phi, v0, phi.T())
		for i := range n {
			cov.Set(i, i, cov.At(i, i)+s)
		}
		p, _ := distmv.NewNormal(make([]float64, n), mat.NewSymDense(n, cov.RawMatrix().Data), nil)
		h.Mul(phi.T(), phi)
		h.Scale(-1/s, &h)
		a.Sub(inverse(t, v0), &h)
		var moment, theta, fit mat.VecDense
		moment.MulVec(phi.T(), mat.NewVecDense(n, target))
		moment.ScaleVec(1/s, &moment)
		_ = theta.SolveVec(&a, &moment)
		fit.MulVec(phi, &theta)
		rest := -mat.Inner(&theta, inverse(t, v0), &theta)/2 - math.Log(mat.Det(v0))/2
		for i, v := range target {
			rest += distuv.Normal{Mu: fit.AtVec(i), Sigma: math.Sqrt(s)}.LogProb(v)
		}
		return equation.Reading{True: p.LogProb(target), Printed: rest - math.Log(mat.Det(&h))/2, Right: rest - math.Log(mat.Det(&a))/2}
	})
}

func TestErrataProbit(t *testing.T) {
	// The book's pair of erf and Φ, and the library's, give one Φ.
	equation.Check(t, "P15", func(r *rand.Rand) (left, right any) {
		a := 2 * r.NormFloat64()
		const n = 2000
		erf := 0.0 // by Simpson's rule
		for i := range n {
			lo, h := a*float64(i)/n, a/n
			for k, weight := range []float64{1, 4, 1} {
				v := lo + float64(k)*h/2
				erf += weight * math.Exp(-v*v/2) * h / 6 * 2 / math.Sqrt(math.Pi)
			}
		}
		return (1 + erf/math.Sqrt2) / 2, (1 + math.Erf(a/math.Sqrt2)) / 2
	})
	equation.Holds(t, "P25", func(r *rand.Rand) error {
		equal, best := classify.ProbitScaleEqualSlope(), classify.ProbitScaleMinimax()
		a := 8 * r.Float64()
		gap := math.Abs(logisticOf(a) - distuv.UnitNormal.CDF(best.Lambda*a))
		at := math.Abs(logisticOf(equal.At) - distuv.UnitNormal.CDF(equal.Lambda*equal.At))
		if !(gap < 0.0095 && at > 0.0176) {
			return fmt.Errorf("the gap of the best scale at %v is %v, the largest of equal slopes %v", a, gap, at)
		}
		return nil
	})
	equation.Misprint(t, "P31", func(r *rand.Rand) equation.Reading {
		lambda, mu, sd := -0.2-2*r.Float64(), 2*r.NormFloat64(), 0.2+2*r.Float64()
		cdf, normal := distuv.UnitNormal.CDF, distuv.Normal{Mu: mu, Sigma: sd}
		return equation.Reading{
			True:    overLine(func(a float64) float64 { return cdf(lambda*a) * normal.Prob(a) }, mu, sd, 30),
			Printed: cdf(mu / math.Sqrt(1/(lambda*lambda)+sd*sd)),
			Right:   cdf(lambda * mu / math.Sqrt(1+lambda*lambda*sd*sd)),
		}
	})
	// BIC weighs a parameter less than AIC for up to 7 points.
	equation.Holds(t, "P35", func(r *rand.Rand) error {
		n, m := 1+r.IntN(14), 1+r.IntN(5)
		e := classify.Evidence{LogLikelihood: r.NormFloat64(), M: m, N: n, SumWeights: float64(n)}
		if heavier := e.BIC() > e.AIC(); heavier != (n >= 8) {
			return fmt.Errorf("with %d points BIC is %v, AIC %v", n, e.BIC(), e.AIC())
		}
		return nil
	})
}
