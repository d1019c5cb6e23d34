package classify_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distmv"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/equation"
)

// entropyOf is E(w) of logistic regression, PRML (4.90), with its gradient (4.91),
// as they are written.
type entropyOf struct {
	phi *mat.Dense
	t   []float64
}

func newEntropyOf(r *rand.Rand, n, d int) entropyOf {
	x, t := overlapping(r, n, d)
	return entropyOf{x, t}
}

func (e entropyOf) value(w []float64) (sum float64) {
	for n, t := range e.t {
		y := logisticOf(floats.Dot(w, e.phi.RawRowView(n)))
		sum -= t*math.Log(y) + (1-t)*math.Log(1-y)
	}
	return sum
}

func (e entropyOf) gradient(w []float64) []float64 {
	g := make([]float64, len(w))
	for n, t := range e.t {
		row := e.phi.RawRowView(n)
		for j := range g {
			g[j] += (logisticOf(floats.Dot(w, row)) - t) * row[j]
		}
	}
	return g
}

func TestErrataLogistic(t *testing.T) {
	equation.Misprint(t, "P1", func(r *rand.Rand) equation.Reading {
		const k, m = 3, 2 // W class after class
		phi, w := normalMatrix(r, 10, m), normals(r, k*m)
		label := make([]int, 10)
		for n := range label {
			label[n] = r.IntN(k)
		}
		posterior := func(w []float64, n int) []float64 {
			y, sum := make([]float64, k), 0.0
			for j := range y {
				y[j] = math.Exp(floats.Dot(w[j*m:(j+1)*m], phi.RawRowView(n)))
				sum += y[j]
			}
			for j := range y {
				y[j] /= sum
			}
			return y
		}
		printed, right := mat.NewDense(k*m, k*m, nil), mat.NewDense(k*m, k*m, nil)
		for n := range label {
			y, row := posterior(w, n), phi.RawRowView(n)
			for a := range k * m {
				for b := range k * m {
					h := -y[a/m] * y[b/m] * row[a%m] * row[b%m]
					if a/m == b/m {
						h += y[a/m] * row[a%m] * row[b%m]
					}
					right.Set(a, b, right.At(a, b)+h)
				}
			}
		}
		printed.Scale(-1, right)
		return equation.Reading{Printed: printed, Right: right, True: curvatures(func(w []float64) (e float64) {
			for n, c := range label {
				e -= math.Log(posterior(w, n)[c])
			}
			return e
		}, w)}
	})
	// −1 for a concave function, +1 for a convex one, on the segment from u to v.
	equation.Misprint(t, "P5", func(r *rand.Rand) equation.Reading {
		e := newEntropyOf(r, 20, 2)
		u, v := normals(r, 2), normals(r, 2)
		middle := []float64{(u[0] + v[0]) / 2, (u[1] + v[1]) / 2}
		chord := (e.value(u)+e.value(v))/2 - e.value(middle)
		return equation.Reading{True: math.Copysign(1, chord), Printed: -1, Right: 1}
	})
	// The sum Σ_n (y_n − t_n)φ_n, with s = 1, is the gradient of what?
	equation.Misprint(t, "P7", func(r *rand.Rand) equation.Reading {
		e, w := newEntropyOf(r, 20, 3), normals(r, 3)
		logarithm := func(w []float64) float64 { return math.Log(e.value(w)) }
		return equation.Reading{True: e.gradient(w), Printed: slopes(logarithm, w), Right: slopes(e.value, w)}
	})
	// Σ_n (y_n − t_n)φ_n beside the gradient of ln p(t|w), of two classes and of several.
	equation.Misprint(t, "P43", func(r *rand.Rand) equation.Reading {
		e, w := newEntropyOf(r, 20, 3), normals(r, 3)
		a := normals(r, 3)
		several := softmaxAsWritten(a)
		several[1]-- // of class 2, in the activations
		printed := append(e.gradient(w), several...)
		return equation.Reading{
			True: append(slopes(func(w []float64) float64 { return -e.value(w) }, w),
				slopes(func(a []float64) float64 { return math.Log(softmaxAsWritten(a)[1]) }, a)...),
			Printed: printed,
			Right:   differenceOf(make([]float64, 6), printed, 1),
		}
	})
	// How far 1 − Φ falls from x to x′: exp(−x²/2)/x with its next factor, 1 − 1/x².
	equation.Misprint(t, "P16", func(r *rand.Rand) equation.Reading {
		x := 20 + 10*r.Float64()
		tail := func(x float64) float64 { return math.Log(math.Erfc(x/math.Sqrt2) / 2) }
		right := func(x float64) float64 { return -x*x/2 - math.Log(x) + math.Log(1-1/(x*x)) }
		return equation.Reading{True: tail(x+5) - tail(x), Printed: x*x - (x+5)*(x+5), Right: right(x+5) - right(x)}
	})
	// p(t = 0|x) and p(t = 1|x), summed over the label before it was flipped or not.
	equation.Misprint(t, "P17", func(r *rand.Rand) equation.Reading {
		y, flip := r.Float64(), r.Float64()/2
		var p [2]float64
		for label, share := range []float64{1 - y, y} {
			p[label] += share * (1 - flip)
			p[1-label] += share * flip
		}
		one := (1-flip)*y + flip*(1-y)
		return equation.Reading{True: p[:], Printed: []float64{one, one}, Right: []float64{1 - one, one}}
	})
}

func TestErrataGenerative(t *testing.T) {
	// (1/s)h(t/s)g(η)e^{ηt/s} with the h and g of s = 1 is which Gaussian for other s?
	equation.Misprint(t, "P27", func(r *rand.Rand) equation.Reading {
		target, eta, s := r.NormFloat64(), r.NormFloat64(), 1.5+r.Float64()
		h := math.Exp(-target*target/(2*s*s)) / math.Sqrt(2*math.Pi)
		return equation.Reading{
			True:    h / s * math.Exp(-eta*eta/2+eta*target/s),
			Printed: distuv.Normal{Mu: eta, Sigma: math.Sqrt(s)}.Prob(target),
			Right:   distuv.Normal{Mu: s * eta, Sigma: s}.Prob(target),
		}
	})
	// Exponential densities of independent columns: λ < 0, h = 1, g(λ) = Π(−λ_j).
	type family struct {
		s      float64
		lambda [2][]float64
		x      []float64
	}
	draw := func(r *rand.Rand) (f family) {
		f.s = 1.2 + 2*r.Float64()
		for range 2 + r.IntN(3) {
			f.x = append(f.x, 2*r.Float64())
			for k := range f.lambda {
				f.lambda[k] = append(f.lambda[k], -0.2-2*r.Float64())
			}
		}
		return f
	}
	density := func(f family, k int) float64 {
		p := 1.0
		for j, v := range f.x {
			p *= distuv.Exponential{Rate: -f.lambda[k][j] / f.s}.Prob(v)
		}
		return p
	}
	g := func(f family, k int) float64 {
		p := 1.0
		for _, l := range f.lambda[k] {
			p *= -l
		}
		return p
	}
	odds := func(r *rand.Rand) equation.Reading {
		f, prior := draw(r), 0.1+0.8*r.Float64()
		rest := math.Log(g(f, 0)/g(f, 1)) + math.Log(prior/(1-prior))
		linear := floats.Dot(f.lambda[0], f.x) - floats.Dot(f.lambda[1], f.x)
		odds := density(f, 0) * prior / (density(f, 1) * (1 - prior))
		return equation.Reading{True: math.Log(odds), Printed: linear + rest, Right: linear/f.s + rest}
	}
	equation.Misprint(t, "P13", odds)
	equation.Misprint(t, "G7", odds)
	scaled := func(r *rand.Rand) equation.Reading {
		f := draw(r)
		bell := g(f, 0) * math.Exp(floats.Dot(f.lambda[0], f.x)/f.s)
		return equation.Reading{True: density(f, 0), Printed: bell / f.s, Right: bell / math.Pow(f.s, float64(len(f.x)))}
	}
	equation.Misprint(t, "P14", scaled)
	equation.Misprint(t, "Q11", scaled)
	equation.Misprint(t, "G8", func(r *rand.Rand) equation.Reading {
		f, prior := draw(r), 0.1+0.8*r.Float64()
		a := func(k int, last float64) float64 { return floats.Dot(f.lambda[k], f.x)/f.s + math.Log(g(f, k)) + last }
		one, two := density(f, 0)*prior, density(f, 1)*(1-prior)
		return equation.Reading{
			True:    one / (one + two),
			Printed: logisticOf(a(0, prior) - a(1, 1-prior)),
			Right:   logisticOf(a(0, math.Log(prior)) - a(1, math.Log(1-prior))),
		}
	})
	// The product summed over all t: 1 for a distribution of t, the density of X for
	// a joint one.
	equation.Misprint(t, "P18", func(r *rand.Rand) equation.Reading {
		const n = 4
		pi, cov := 0.1+0.8*r.Float64(), spread(r, 2)
		x := normalMatrix(r, n, 2)
		one, _ := distmv.NewNormal(normals(r, 2), cov, nil)
		two, _ := distmv.NewNormal(normals(r, 2), cov, nil)
		sum, marginal := 0.0, 1.0
		for t := range 1 << n {
			p := 1.0
			for i := range n {
				if t>>i&1 == 1 {
					p *= pi * one.Prob(x.RawRowView(i))
				} else {
					p *= (1 - pi) * two.Prob(x.RawRowView(i))
				}
			}
			sum += p
		}
		for i := range n {
			marginal *= pi*one.Prob(x.RawRowView(i)) + (1-pi)*two.Prob(x.RawRowView(i))
		}
		return equation.Reading{True: sum, Printed: 1, Right: marginal}
	})
}
