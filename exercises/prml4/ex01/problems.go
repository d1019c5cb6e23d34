package ex01

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
)

// A problem is a pair of point sets of which is known, by the way they were made,
// whether they are separable.
type problem struct {
	name     string
	x, y     *mat.Dense // N×D and M×D
	touching bool       // the hulls meet, but only at their boundaries
	copied   string     // what was done to another pair to make this one: moved, scaled or nothing
}

// What copied may say.
const (
	moved  = "moved"
	scaled = "scaled"
)

// apply returns a copy of the pair with every coordinate v changed to f(v).
func (p problem) apply(name, copied string, f func(v float64) float64) problem {
	q := problem{name: name, x: mat.DenseCopyOf(p.x), y: mat.DenseCopyOf(p.y), copied: copied}
	for _, m := range []*mat.Dense{q.x, q.y} {
		m.Apply(func(_, _ int, v float64) float64 { return f(v) }, m)
	}
	return q
}

// copies are the pair in other units and in another place, where neither a fixed
// tolerance nor one relative to the coordinates does.
func (p problem) copies() []problem {
	return []problem{
		p.apply(p.name+", all coordinates times 1e-8", scaled, func(v float64) float64 { return 1e-8 * v }),
		p.apply(p.name+", all coordinates times 1e8", scaled, func(v float64) float64 { return 1e8 * v }),
		p.apply(p.name+", moved by 1e7 along every axis", moved, func(v float64) float64 { return v + 1e7 }),
	}
}

// fromFirst are the points relative to the first one of x, from which their size is
// seen wherever they lie.
func (p problem) fromFirst() (x, y *mat.Dense, size float64) {
	x, y = mat.DenseCopyOf(p.x), mat.DenseCopyOf(p.y)
	for _, m := range []*mat.Dense{x, y} {
		n, _ := m.Dims()
		for i := range n {
			floats.Sub(m.RawRowView(i), p.x.RawRowView(0))
			size = math.Max(size, floats.Norm(m.RawRowView(i), math.Inf(1)))
		}
	}
	return x, y, size
}

func points(d int, v ...float64) *mat.Dense { return mat.NewDense(len(v)/d, d, v) }

// apart draws two clouds on the two sides of a random hyperplane, the first few
// points of each exactly half a gap away from it and the others further, and moves
// both by the offset.
func apart(r *rand.Rand, name string, n, m, d, few int, gap, offset float64) problem {
	normal := instance.Unit(r, d)
	draw := func(count int, side float64) *mat.Dense {
		x := mat.NewDense(count, d, nil)
		for i := range count {
			v := instance.Normals(r, d)
			h := floats.Dot(normal, v)
			beyond := math.Abs(h)
			if i < few {
				beyond = 0
			}
			floats.AddScaled(v, side*(gap/2+beyond)-h, normal)
			floats.AddConst(offset, v)
			x.SetRow(i, v)
		}
		return x
	}
	return problem{name: name, x: draw(n, 1), y: draw(m, -1)}
}

// separable are sets with room between them.
func separable(n uint64) []problem {
	r := instance.Source(401, n)
	plane := apart(r, "two clouds in the plane", 12, 9, 2, 1, 0.5, 0)
	list := []problem{
		plane,
		apart(r, "one dimension", 6, 8, 1, 1, 0.3, 2),
		apart(r, "three dimensions, unequal sets", 25, 4, 3, 1, 0.2, 0),
		apart(r, "five dimensions, far from the origin", 20, 20, 5, 1, 0.3, 100),
		{name: "two single points", x: points(2, 1, 2), y: points(2, 1, 2.5)},
		{name: "a single point beside a triangle", x: points(2, 1, 1.2), y: points(2, 0, 0, 2, 0, 0, 2)},
		{name: "one dimension, the origin between both points", x: points(1, -3), y: points(1, 1)},
		apart(r, "three points in five dimensions", 2, 1, 5, 1, 0.1, 0),
		{name: "a point that occurs twice", x: points(2, 0, 0, 0, 0, 1, 0), y: points(2, 0, 1, 1, 1, 1, 1)},
		{name: "means on the wrong sides", x: points(2, 0, 1, 10, 1.5, 10, 1.6), y: points(2, 0, 0.5, 0, 0.4, 10, 1.3, -20, 0.3)},
		{name: "one dimension, the points beside the gap last", x: points(1, 0, 9), y: points(1, 30, 10)},
		apart(r, narrowGap, 30, 30, 2, 8, 2e-3, 0),
	}
	return slices.Insert(list, len(list)-1, plane.copies()...)
}

// narrowGap is the name of the last of the separable pairs.
const narrowGap = "a narrow gap"

// overlapping draws two clouds and moves the second so that a point inside one
// hull is a point inside the other.
func overlapping(r *rand.Rand, name string, n, m, d int, offset float64) problem {
	x, y := mat.NewDense(n, d, instance.Normals(r, n*d)), mat.NewDense(m, d, instance.Normals(r, m*d))
	inner := func(p *mat.Dense) []float64 {
		count, _ := p.Dims()
		out, total := make([]float64, d), 0.0
		for i := range count {
			a := r.ExpFloat64()
			total += a
			floats.AddScaled(out, a, p.RawRowView(i))
		}
		floats.Scale(1/total, out)
		return out
	}
	move := instance.Minus(inner(x), inner(y))
	for i := range m {
		floats.Add(y.RawRowView(i), move)
	}
	for _, p := range []*mat.Dense{x, y} {
		p.Apply(func(_, _ int, v float64) float64 { return v + offset }, p)
	}
	return problem{name: name, x: x, y: y}
}

// meeting are sets whose hulls have a point in common.
func meeting(n uint64) []problem {
	r := instance.Source(4010, n)
	plane := overlapping(r, "two clouds in the plane that overlap", 12, 9, 2, 0)
	list := []problem{
		plane,
		overlapping(r, "one dimension, overlapping", 6, 5, 1, 3),
		overlapping(r, "three dimensions, overlapping", 9, 14, 3, 0),
		overlapping(r, "five dimensions, far from the origin, overlapping", 12, 10, 5, 100),
		{name: "the corners of a square, crosswise", x: points(2, 0, 0, 1, 1), y: points(2, 0, 1, 1, 0)},
		{name: "a point inside a triangle", x: points(2, 0.5, 0.5), y: points(2, 0, 0, 2, 0, 0, 2)},
		{name: "a set around another", x: points(2, 3, 0, 0, 3, -3, 0, 0, -3), y: points(2, 0.1, 0, 0, 0.2, -0.1, -0.1)},
		{name: "one dimension, a point between two", x: points(1, -1, 1), y: points(1, 0.25)},
		{name: "the same single point", x: points(3, 1, 2, 3), y: points(3, 1, 2, 3), touching: true},
		{name: "a corner on an edge", x: points(2, 0, 0, 2, 0, 1, -1), y: points(2, 1, 0, 1, 1), touching: true},
		{name: "a shared corner", x: points(2, 0, 0, 1, 0, 0, 1), y: points(2, 1, 0, 2, 0, 2, 1), touching: true},
		{name: "edges that overlap on one line", x: points(2, 0, 0, 2, 0, 1, 1), y: points(2, 1, 0, 3, 0, 2, -1), touching: true},
		{name: "one dimension, touching", x: points(1, 0, 1), y: points(1, 1, 2), touching: true},
	}
	return append(list, plane.copies()...)
}
