package ex14

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
)

// A problem is a set of points of two classes, with a direction.
type problem struct {
	name string
	Phi  *mat.Dense // N×M
	t    []float64  // N, in {0,1}
	w    []float64  // M; separating where the problem is separable
}

func source(part uint64) *rand.Rand { return instance.Source(414, part) }

// margins returns (2t_n−1)·wᵀφ_n for all n.
func (p problem) margins(w []float64) []float64 {
	m := instance.Activations(p.Phi, w)
	for i := range m {
		m[i] *= 2*p.t[i] - 1
	}
	return m
}

// err is the cross-entropy E(w), (4.90).
func (p problem) err(w []float64) float64 {
	e := 0.0
	for _, m := range p.margins(w) {
		e -= kernel.LogSigmoid(m)
	}
	return e
}

// draw makes a separable problem of n points: candidates too near to a random
// boundary are not taken.
func draw(r *rand.Rand, name string, n int, centre, spread []float64) problem {
	w := instance.Unit(r, len(centre))
	if centre[0] != 0 && spread[0] == 0 {
		w[0] = 0.2 // a boundary that cuts through the points, next to but not at their centre
		floats.Scale(1/floats.Norm(w, 2), w)
	}
	candidates := instance.Design(r, 8*n, centre, spread)
	longest := 0.0
	for i := range 8 * n {
		longest = math.Max(longest, floats.Norm(candidates.RawRowView(i), 2))
	}
	var rows, t []float64
	for i := 0; i < 8*n && len(t) < n; i++ {
		row := candidates.RawRowView(i)
		a := floats.Dot(w, row)
		if math.Abs(a) < 1.2*promise()*longest {
			continue
		}
		rows = append(rows, row...)
		t = append(t, 0)
		if a > 0 {
			t[len(t)-1] = 1
		}
	}
	return problem{name: name, Phi: mat.NewDense(len(t), len(centre), rows), t: t, w: w}
}

// given makes a problem from rows of features followed by the target.
func given(name string, rows ...[]float64) problem {
	m := len(rows[0]) - 1
	p := problem{name: name, Phi: mat.NewDense(len(rows), m, nil)}
	for i, row := range rows {
		p.Phi.SetRow(i, row[:m])
		p.t = append(p.t, row[m])
	}
	return p
}

func scaled(p problem, name string, c float64) problem {
	q := p
	q.name, q.Phi = name, mat.DenseCopyOf(p.Phi)
	q.Phi.Scale(c, q.Phi)
	return q
}

// separable returns problems with a separating direction w.
func separable(r *rand.Rand) []problem {
	plane := draw(r, "thirty points in the plane, with a bias", 30, []float64{1, 0, 0}, []float64{0, 1, 1})
	one := given("all points in one class", []float64{1, 0.5, 1}, []float64{1, -0.7, 1}, []float64{1, 0.1, 1})
	one.w = []float64{1, 0}
	none := given("no point with t = 1", []float64{1, 0.5, 0}, []float64{1, -0.7, 0})
	none.w = []float64{-1, 0}
	single := given("a single point", []float64{-2, 3, 0})
	single.w = []float64{2, -3}
	line := given("three points on a line, with a bias", []float64{1, -1, 0}, []float64{1, 2, 1}, []float64{1, 3, 1})
	line.w = []float64{-0.5, 1}
	off := given("classes of unequal size that no boundary through the middle of the means divides",
		[]float64{1, 0, 0, 0}, []float64{1, 0.1, 0.2, 0}, []float64{1, 0.3, -0.1, 0}, []float64{1, 1, 0.4, 1}, []float64{1, 6, 0, 1}, []float64{1, 7, 0.5, 1}, []float64{1, 6.5, -1, 1})
	off.w = []float64{-0.65, 1, 0}
	// 243 corrections from w = 0, in 123 passes: the promise allows 625
	flat := given("long features that lie nearly along the boundary", []float64{-9.04, 0.39, 1}, []float64{-9.08, -0.4, 0}, []float64{1.46, 0.47, 1})
	flat.w = []float64{0, 1}
	return []problem{
		plane,
		draw(r, "no bias: a boundary through the origin", 25, []float64{0, 0, 0}, []float64{1, 1, 1}),
		draw(r, "five weights", 40, []float64{1, 0, 0, 0.5, 0}, []float64{0, 1, 1, 1, 1}),
		one, none, single, line, off, flat,
		scaled(plane, "very small features", 1e-6),
		scaled(plane, "very large features", 1e6),
	}
}

// overlapping returns problems without a separating direction, because a
// combination of the signed points with positive weights is 0, and more than that
// fails.
func overlapping(r *rand.Rand) []problem {
	random := draw(r, "two hundred points with labels at random", 200, []float64{1, 0, 0}, []float64{0, 1, 1})
	for i := range random.t {
		random.t[i] = float64(r.IntN(2))
	}
	one := draw(r, "one point on the wrong side", 30, []float64{1, 0, 0}, []float64{0, 1, 1})
	mean, count := make([]float64, 3), 0.0
	for i, t := range one.t {
		if t == 1 {
			floats.Add(mean, one.Phi.RawRowView(i))
			count++
		}
	}
	floats.Scale(1/count, mean)
	var stacked mat.Dense
	stacked.Stack(one.Phi, mat.NewDense(1, 3, mean))
	one.Phi, one.t = &stacked, append(one.t, 0)
	return []problem{
		random, one,
		given("exclusive or", []float64{1, 1, 1, 1}, []float64{1, -1, -1, 1}, []float64{1, 1, -1, 0}, []float64{1, -1, 1, 0}),
		given("a class on both sides of the other", []float64{1, 1, 1}, []float64{1, 2, 0}, []float64{1, 3, 1}),
		given("one weight, both signs in one class", []float64{1, 1}, []float64{-2, 1}, []float64{0.5, 1}),
	}
}

// touching returns problems where some direction has no point on the wrong side,
// but none is strict.
func touching() []problem {
	return []problem{
		given("a point that occurs in both classes", []float64{1, 0, 0}, []float64{1, 1, 0}, []float64{1, 1, 1}, []float64{1, 2, 1}),
		given("a point at the origin, without a bias", []float64{1, 2, 1}, []float64{-1, 1, 0}, []float64{0, 0, 1}),
		given("two points of different classes on the boundary", []float64{1, 0.5, 1}, []float64{2, -1, 1}, []float64{-1, 1, 0}, []float64{0, 1, 1}, []float64{0, 2, 0}),
		given("a corner of one class on an edge of the other", []float64{1, 0, 0, 0}, []float64{1, 2, 0, 0}, []float64{1, 1, 0, 1}, []float64{1, 1, 3, 1}),
	}
}
