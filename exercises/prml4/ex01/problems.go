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
// whether their hulls meet.
type problem struct {
	name  string
	x, y  *mat.Dense // N×D and M×D
	meets bool
	kind  string // "" for most
}

// The kinds of problems that ask for something of their own: copies of another pair,
// a gap that is about as narrow as promised, and hulls that meet only at their
// boundaries.
const (
	moved    = "moved"
	scaled   = "scaled"
	narrow   = "narrow"
	touching = "touching"
)

func (p problem) String() string { return "“" + p.name + "”" }

// copies are the pair in other units and in another place, where neither a fixed
// tolerance nor one relative to the coordinates does.
func (p problem) copies() []problem {
	apply := func(name, kind string, f func(v float64) float64) problem {
		q := problem{name: p.name + name, x: mat.DenseCopyOf(p.x), y: mat.DenseCopyOf(p.y), meets: p.meets, kind: kind}
		for _, m := range []*mat.Dense{q.x, q.y} {
			m.Apply(func(_, _ int, v float64) float64 { return f(v) }, m)
		}
		return q
	}
	return []problem{
		apply(", all coordinates times 1e-8", scaled, func(v float64) float64 { return 1e-8 * v }),
		apply(", all coordinates times 1e8", scaled, func(v float64) float64 { return 1e8 * v }),
		apply(", moved by 1e7 along every axis", moved, func(v float64) float64 { return v + 1e7 }),
	}
}

// fromFirst are the points relative to the first one of x, from which their size is
// seen wherever they lie.
func (p problem) fromFirst() (x, y *mat.Dense) {
	x, y = mat.DenseCopyOf(p.x), mat.DenseCopyOf(p.y)
	for _, m := range []*mat.Dense{x, y} {
		n, _ := m.Dims()
		for i := range n {
			floats.Sub(m.RawRowView(i), p.x.RawRowView(0))
		}
	}
	return x, y
}

// largest is the largest distance between two points.
func (p problem) largest() (longest float64) {
	var all mat.Dense
	all.Stack(p.x, p.y)
	n, _ := all.Dims()
	for i := range n {
		for k := range i {
			longest = math.Max(longest, floats.Distance(all.RawRowView(i), all.RawRowView(k), 2))
		}
	}
	return longest
}

// apart draws two clouds on the two sides of a random hyperplane, with a gap between
// them that is relative to the largest distance between two points. The first few
// points of each are at the gap, the others further away; both are moved by the
// offset.
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
			floats.AddScaled(v, side*beyond-h, normal)
			x.SetRow(i, v)
		}
		return x
	}
	p := problem{name: name, x: draw(n, 1), y: draw(m, -1)}
	gap *= p.largest()
	for i := range n {
		floats.AddScaled(p.x.RawRowView(i), gap, normal)
	}
	for _, x := range []*mat.Dense{p.x, p.y} {
		x.Apply(func(_, _ int, v float64) float64 { return v + offset }, x)
	}
	return p
}

// pushed moves the second set of a pair without a gap so that a mixture of the points
// at the boundary, with a share of all others, is the same for both sets.
func pushed(r *rand.Rand, p problem, few int, share float64) problem {
	p.meets = true
	inner := func(x *mat.Dense) []float64 {
		n, _ := x.Dims()
		weights := make([]float64, n)
		for i := range n {
			if weights[i] = r.ExpFloat64(); i >= few {
				weights[i] *= share
			}
		}
		floats.Scale(1/floats.Sum(weights), weights)
		return combination(x, weights)
	}
	move := instance.Minus(inner(p.x), inner(p.y))
	for i := range p.y.RawMatrix().Rows {
		floats.Add(p.y.RawRowView(i), move)
	}
	return p
}

// overlapping draws two clouds that have a point inside both hulls.
func overlapping(r *rand.Rand, name string, n, m, d int, offset float64) problem {
	p := pushed(r, problem{name: name, x: mat.NewDense(n, d, instance.Normals(r, n*d)), y: mat.NewDense(m, d, instance.Normals(r, m*d))}, n+m, 1)
	for _, x := range []*mat.Dense{p.x, p.y} {
		x.Apply(func(_, _ int, v float64) float64 { return v + offset }, x)
	}
	return p
}

func points(d int, v ...float64) *mat.Dense { return mat.NewDense(len(v)/d, d, v) }

// separable are sets with room between them.
func separable(n uint64) []problem {
	r := instance.Source(401, n)
	plane := apart(r, "two clouds in the plane", 12, 9, 2, 1, 0.1, 0)
	list := []problem{
		{name: "means on the wrong sides", x: points(2, 0, 1, 10, 1.5, 10, 1.6), y: points(2, 0, 0.5, 0, 0.4, 10, 1.3, -20, 0.3)},
		{name: "two single points", x: points(2, 1, 2), y: points(2, 1, 2.5)},
		plane,
		apart(r, "one dimension", 6, 8, 1, 1, 0.05, 2),
		apart(r, "three dimensions, unequal sets", 25, 4, 3, 1, 0.04, 0),
		apart(r, "five dimensions, far from the origin", 20, 20, 5, 1, 0.05, 100),
		{name: "a single point beside a triangle", x: points(2, 1, 1.2), y: points(2, 0, 0, 2, 0, 0, 2)},
		{name: "one dimension, the origin between both points", x: points(1, -3), y: points(1, 1)},
		apart(r, "three points in five dimensions", 2, 1, 5, 1, 0.03, 0),
		{name: "a point that occurs twice", x: points(2, 0, 0, 0, 0, 1, 0), y: points(2, 0, 1, 1, 1, 1, 1)},
		{name: "one dimension, the points beside the gap last", x: points(1, 0, 9), y: points(1, 30, 10)},
		{name: "coordinates of very different size", x: points(2, 3e5, 1e-6, 1e6, -2e-6), y: points(2, -1e5, 3e-6, -2e6, 1e-6, -2e5, -1e-6)},
	}
	list = append(list, plane.copies()...)
	for _, p := range []problem{
		apart(r, "a gap as narrow as promised", 30, 30, 2, 8, promised, 0),
		apart(r, "a gap as narrow as promised, three dimensions", 20, 16, 3, 12, promised, 0),
		apart(r, "a gap as narrow as promised, one dimension", 5, 7, 1, 2, promised, 1),
	} {
		p.kind = narrow
		list = append(list, p)
	}
	return list
}

// promised is hardly more than the gap that the statement promises.
const promised = 1.05e-4

// meeting are sets whose hulls have a point in common.
func meeting(n uint64) []problem {
	r := instance.Source(4010, n)
	plane := overlapping(r, "two clouds in the plane that overlap", 12, 9, 2, 0)
	list := []problem{
		plane,
		{name: "the corners of a square, crosswise", x: points(2, 0, 0, 1, 1), y: points(2, 0, 1, 1, 0)},
		overlapping(r, "one dimension, overlapping", 6, 5, 1, 3),
		overlapping(r, "three dimensions, overlapping", 9, 14, 3, 0),
		overlapping(r, "five dimensions, far from the origin, overlapping", 12, 10, 5, 100),
		{name: "a point inside a triangle", x: points(2, 0.5, 0.5), y: points(2, 0, 0, 2, 0, 0, 2)},
		{name: "a set around another", x: points(2, 3, 0, 0, 3, -3, 0, 0, -3), y: points(2, 0.1, 0, 0, 0.2, -0.1, -0.1)},
		{name: "one dimension, a point between two", x: points(1, -1, 1), y: points(1, 0.25)},
		pushed(r, apart(r, "hulls that overlap a little", 12, 10, 2, 3, 0, 0), 3, 1e-3),
		pushed(r, apart(r, "hulls that overlap a little, three dimensions", 12, 10, 3, 4, 0, 0), 4, 1e-3),
	}
	list = append(list, plane.copies()...)
	for _, p := range []problem{
		{name: "the same single point", x: points(3, 1, 2, 3), y: points(3, 1, 2, 3)},
		{name: "a corner on an edge", x: points(2, 0, 0, 2, 0, 1, -1), y: points(2, 1, 0, 1, 1)},
		{name: "a shared corner", x: points(2, 0, 0, 1, 0, 0, 1), y: points(2, 1, 0, 2, 0, 2, 1)},
		{name: "edges that overlap on one line", x: points(2, 0, 0, 2, 0, 1, 1), y: points(2, 1, 0, 3, 0, 2, -1)},
		{name: "one dimension, touching", x: points(1, 0, 1), y: points(1, 1, 2)},
		pushed(r, apart(r, "an edge on an edge, in any direction", 12, 10, 2, 4, 0, 0), 4, 0),
	} {
		p.meets, p.kind = true, touching
		list = append(list, p)
	}
	for i := range list {
		list[i].meets = true
	}
	return list
}

// sets is a list as a function without arguments.
func sets(list func(n uint64) []problem, n uint64) func() []problem {
	return func() []problem { return list(n) }
}

// both are a few pairs of either kind.
func both() []problem { return slices.Concat(separable(1)[:5], meeting(2)[:5]) }
