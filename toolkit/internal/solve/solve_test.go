package solve

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/existence"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/glm"
)

// logistic returns a problem with the settings that the fits use.
func logistic(x *mat.Dense, t []float64, prior *glm.Gaussian) *Problem {
	src := block.NewSource(x)
	p := NewProblem(src, block.Inspect(src), t, glm.CrossEntropy{}, prior)
	p.Start, p.MaxIt, p.Tol = make([]float64, p.GLM.M), 100, 1e-10
	return p
}

// TestStep compares the Newton step with −H⁻¹∇E by differences of E, for both sums of
// second moments, with and without the gradient of 31 digits.
func TestStep(t *testing.T) {
	x := mat.NewDense(6, 2, []float64{21, -90, 20, 10, 18, 40, 22, 70, 19, 200, 20, -30})
	for _, prior := range []*glm.Gaussian{nil, {Mean: []float64{1, 0, 0}, Root: [][]float64{{1, 0, 0}, {0, 2, 0.5}}}} {
		p := logistic(x, []float64{0, 1, 0, 1, 0.3, 0}, prior)
		e := func(w []float64) float64 {
			_, e := p.Evaluate(w, glm.OnlyValue)
			return e
		}
		for _, w := range [][]float64{{0, 0, 0}, {-1, 0.3, 0.4}, {1, -0.1, -3}} {
			g := fd.Gradient(nil, e, w, &fd.Settings{Formula: fd.Central})
			var h mat.SymDense
			fd.Hessian(&h, e, w, &fd.Settings{Formula: fd.Central, Step: 1e-4})
			var want mat.VecDense
			if err := want.SolveVec(&h, mat.NewVecDense(3, g)); err != nil {
				t.Fatal(err)
			}
			want.ScaleVec(-1, &want)
			for _, lv := range []glm.Level{glm.WithGram, glm.WithTriangle} {
				for _, p.precise = range []bool{false, true} {
					ev, _ := p.Evaluate(w, lv)
					q := p.quadratic(w, ev)
					d := p.direction(q)
					if λ := math.Sqrt(-floats.Dot(g, d)); !floats.EqualApprox(d, want.RawVector().Data, 1e-5) || math.Abs(q.decrement()-λ) > 1e-5 {
						t.Errorf("level %v, precise %v: step %v, λ = %v at %v; want %v, %v", lv, p.precise, d, q.decrement(), w, want.RawVector().Data, λ)
					}
				}
			}
		}
	}
}

// TestEndings checks the reason why Newton's method stops, and tests a separating direction row by
// row.
func TestEndings(t *testing.T) {
	steps := []float64{0, 0, 1, 1}
	for _, c := range []struct {
		name  string
		x, t  []float64
		start []float64
		most  int // iterations
		want  string
		on    int // rows on the plane, −1 where a maximum exists
		left  *existence.Budget
	}{
		{"overlapping", []float64{1, 3, 2, 4}, steps, []float64{0, 0}, 100, "converged after", -1, nil},
		{"soft targets", []float64{1, 2, 3, 4}, []float64{0.1, 0.3, 0.8, 0.9}, []float64{0, 0}, 100, "converged after", -1, nil},
		{"far start", []float64{1, 3, 2, 4}, steps, []float64{300, -5000}, 100, "converged after", -1, nil},
		{"one iteration", []float64{1, 3, 2, 40}, steps, []float64{0, 0}, 1, "not converged: stopped after MaxIterations = 1", -1, nil},
		{"separable", []float64{1, 2, 3, 4}, steps, []float64{0, 0}, 100, "the classes are linearly separable", 0, nil},
		{"one class", []float64{1, 2, 3, 4}, []float64{1, 1, 1, 1}, []float64{0, 0}, 100, "the classes are linearly separable", 0, nil},
		{"quasi-separable", []float64{1, 2, 2, 4}, steps, []float64{0, 0}, 100, "the classes are quasi-separable", 2, nil},
		{"a soft row between", []float64{1, 2, 3}, []float64{0, 0.3, 1}, []float64{0, 0}, 100, "the classes are quasi-separable", 1, nil},
		{"unfinished proof", []float64{1, 2, 2, 4}, steps, []float64{0, 0}, 3,
			"not converged: stopped after MaxIterations = 3, the Newton step is still 0.24 standard errors long; the proof that the maximum exists is unfinished after 1 pivots: use a Prior", -1, &existence.Budget{Products: 1}},
		{"unfinished proof, quasi-separable", []float64{1, 2, 2, 4}, steps, []float64{0, 0}, 100,
			"the classes are quasi-separable: up to rounding, a hyperplane has every row on its side and 2 rows on it (the exact proof is unfinished after 1 pivots), so the likelihood", 2, &existence.Budget{Products: 1}},
	} {
		p := logistic(mat.NewDense(len(c.x), 1, c.x), c.t, nil)
		p.Start, p.MaxIt, p.budget = c.start, c.most, c.left
		path := Newton{}.Solve(p)
		if !strings.HasPrefix(path.Reason, c.want) || path.Converged != (c.want == "converged after") || (path.Direction == nil) != (c.on < 0) {
			t.Errorf("%s: converged %v, %s", c.name, path.Converged, path.Reason)
			continue
		}
		if c.on < 0 {
			continue
		}
		d, on := p.Coord.Outer(path.Direction), 0
		for i, v := range c.t {
			m := (2*v - 1) * (d[0] + d[1]*c.x[i])
			if v > 0 && v < 1 {
				m = -math.Abs(m)
			}
			switch {
			case math.Abs(m) < 1e-9:
				on++
			case m < 0:
				t.Errorf("%s: row %d lies %v on the wrong side", c.name, i, -m)
			}
		}
		if on != c.on || path.on != c.on {
			t.Errorf("%s: %d rows on the plane, counted %d, want %d", c.name, on, path.on, c.on)
		}
	}
}
