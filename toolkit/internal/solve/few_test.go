package solve

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/glm"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/linalg"
)

// overlapping returns n rows of d columns around an offset, and targets that no
// hyperplane separates.
func overlapping(n, d int, offset float64) (*mat.Dense, []float64) {
	rng := rand.New(rand.NewPCG(7, uint64(n)))
	x, t := mat.NewDense(n, d, nil), make([]float64, n)
	for i := range n {
		t[i] = float64(i % 2)
		for j := range d {
			x.Set(i, j, offset+rng.NormFloat64()+t[i]/2)
		}
	}
	return x, t
}

// TestGramOfFewRows: a Hessian far from singular is summed as a Gram matrix however few the
// rows are, one near to it as the orthogonal factor, and both have the same optimum.
func TestGramOfFewRows(t *testing.T) {
	for _, c := range []struct {
		name string
		near float64 // distance of the last column from the first
		gram bool
	}{{"well conditioned", 1, true}, {"nearly dependent columns", 1e-4, false}} {
		x, target := overlapping(150, 4, 3)
		for i := range 150 {
			x.Set(i, 3, x.At(i, 0)+c.near*x.At(i, 3))
		}
		p := logistic(x, target, nil)
		path := Newton{}.Solve(p)
		if !path.Converged || (path.last.Gram != nil) != c.gram {
			t.Errorf("%s: by a Gram matrix %v; %s", c.name, path.last.Gram != nil, path.Reason)
		}
		p = logistic(x, target, nil)
		p.Factor = true
		factor := Newton{}.Solve(p)
		if factor.last.Tri == nil || !floats.EqualApprox(path.W, factor.W, 1e-12*(1+floats.Norm(path.W, math.Inf(1)))) {
			t.Errorf("%s: %v, by the factor alone %v", c.name, path.W, factor.W)
		}
	}
}

// TestSurelyOfFewRows compares what bounds alone promise about the rounding of the Newton step
// with the step of the precise gradient, under priors that pull more and more.
func TestSurelyOfFewRows(t *testing.T) {
	promised := 0
	for _, n := range []int{150, 1000} {
		for _, offset := range []float64{0, 1e3, 1e7} {
			for _, α := range []float64{0, 1, 1e6, 1e12, 1e18} {
				x, target := overlapping(n, 4, offset)
				p := logistic(x, target, biased(5, α))
				w := Newton{}.Solve(p).W
				p.precise = false
				it := newNewton(p, w)
				it.accept(w)
				it.model()
				sure := it.q != nil && it.surely()
				if !sure {
					continue
				}
				promised++
				exact := *p
				exact.precise = true
				q := *it.q
				q.z = q.R.SolveT(exact.innerGradient(w, it.ev))
				d := p.direction(&q)
				floats.Sub(d, p.direction(it.q))
				floats.Sub(q.z, it.q.z)
				if λ := linalg.Norm(q.z); λ > 0.5*p.digits() || !p.near(w, d, 0.5*p.digits()) {
					t.Errorf("%d rows around %g, α = %g: rounding makes a step of %.3g standard errors", n, offset, α, λ)
				}
			}
		}
	}
	if promised < 12 {
		t.Errorf("only %d of 30 problems are promised anything", promised)
	}
}

// biased is a prior around 1/3, of precision α for the bias and 1 for the rest; nil for α = 0.
func biased(m int, α float64) *glm.Gaussian {
	if α == 0 {
		return nil
	}
	g := &glm.Gaussian{Mean: make([]float64, m)}
	for i := range m {
		g.Mean[i] = 1. / 3
		row := make([]float64, m)
		row[i] = 1
		g.Root = append(g.Root, row)
	}
	g.Root[0][0] = math.Sqrt(α)
	return g
}

// TestPriorRounding: a prior that ties the bias to another weight is left to the precise
// gradient.
func TestPriorRounding(t *testing.T) {
	x, target := overlapping(150, 1, 0)
	for _, c := range []struct {
		root [][]float64
		ok   bool
	}{{[][]float64{{1, 0}, {0, 2}}, true}, {[][]float64{{0, 2}}, true}, {[][]float64{{1, 0.5}, {0, 2}}, false}} {
		p := logistic(x, target, &glm.Gaussian{Mean: []float64{3, 4}, Root: c.root})
		w := p.Coord.Inner([]float64{5, 7})
		square, rounding, ok := p.priorRounding(w)
		u := p.Residual(w)
		if ok != c.ok || ok && (math.Abs(square-floats.Dot(u, u)) > 1e-12 || !(rounding > 0 && rounding < 1e-13)) {
			t.Error(fmt.Sprint(c.root), ok, square, rounding)
		}
	}
}
