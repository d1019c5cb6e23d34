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

// TestGramOfFewRows: however few the rows, a Hessian far from singular is summed as a Gram matrix,
// and a nearly singular one as the orthogonal factor. Both have the same optimum.
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

// TestSoftmaxOfFewRows is TestGramOfFewRows for several classes without a prior.
func TestSoftmaxOfFewRows(t *testing.T) {
	p := manyClasses(200, 3, 3)
	path := Newton{}.Solve(p)
	p = manyClasses(200, 3, 3)
	p.Factor = true
	factor := Newton{}.Solve(p)
	if !path.Converged || path.last.Gram == nil || factor.last.Tri == nil {
		t.Fatalf("by a Gram matrix %v, by the factor %v; %s", path.last.Gram != nil, factor.last.Tri != nil, path.Reason)
	}
	if !floats.EqualApprox(path.W, factor.W, 1e-12*(1+floats.Norm(path.W, math.Inf(1)))) {
		t.Errorf("%v, by the factor alone %v", path.W, factor.W)
	}
}

// TestAt: E and the Hessian at the end of a path belong to the rounded w, bit for bit, where
// columns lie so far from 0 that the rounding of w0 moves the activations.
func TestAt(t *testing.T) {
	for _, c := range []struct{ offset, off float64 }{{0, 1e-13}, {30, 1e-13}, {1e13, 0}} {
		x, target := overlapping(150, 4, c.offset)
		p := logistic(x, target, nil)
		path := Newton{}.Solve(p)
		ev := p.Likelihood().Evaluate(p.Outer(path.W), glm.WithGram)
		e, h := p.At(path)
		if !(math.Abs(e-ev.E) <= c.off*ev.E) {
			t.Errorf("offset %v: E is %v, by a sum at w %v", c.offset, e, ev.E)
		}
		want := ev.Gram.Sym(5)
		var d mat.Dense
		d.Sub(h, want)
		if off := mat.Norm(&d, 2); !(off <= c.off*mat.Norm(want, 2)) {
			t.Errorf("offset %v: the Hessian is off by %v of %v", c.offset, off, mat.Norm(want, 2))
		}
	}
}

// TestExistenceByDecay: a bound of e″/|e′| proves at the optimum of a Poisson model that the
// optimum exists, without a logistic fit. If a plane through all rows with t > 0 has the rows with
// t = 0 on one side, the optimum does not exist and there is no proof.
func TestExistenceByDecay(t *testing.T) {
	loss, err := glm.NewCanonical("Poisson", 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, gap := range []float64{0, 20} {
		x, target := overlapping(150, 3, 0)
		for i, v := range target {
			if v > 0 {
				x.SetRow(i, []float64{gap, 0, 0})
			}
		}
		p := logistic(x, target, nil)
		p.GLM.Loss, p.Other, p.Steeper = loss, true, 1
		p.Decay = func(float64) float64 { return 1 }
		p.Signs = make([]float64, len(target))
		for i, v := range target {
			p.Signs[i] = v / 2
		}
		path := Newton{}.Solve(p)
		if exists := gap == 0; path.Converged != exists || (p.recession == nil) != exists {
			t.Errorf("gap %v: converged %v, recession %v; %s", gap, path.Converged, p.recession, path.Reason)
		}
	}
}

// TestSurelyOfFewRows compares the bounds on the rounding of the Newton step with the step of the
// precise gradient, under stronger and stronger priors.
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

// TestPriorRounding: a prior that ties the bias to another weight requires the precise gradient.
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
