package ex02

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
)

// A problem is a plane and a point.
type problem struct {
	name string
	x, w []float64 // D
	w0   float64
}

func source(part uint64) *rand.Rand { return instance.Source(1002, part) }

// recipes: no w has length 1, so that a forgotten norm shows, and w0 takes both
// signs.
var recipes = []struct {
	name   string
	d      int
	length float64 // ‖w‖
	w0     float64
	far    float64 // typical size of x
}{
	{"a line in the plane", 2, 3, 1.5, 2},
	{"a line below the origin", 2, 0.4, -2, 3},
	{"a point on the axis (D = 1)", 1, 2.5, -1.2, 2},
	{"a plane in space", 3, 5, 4, 2},
	{"five dimensions", 5, 0.2, 0.7, 1},
	{"through the origin (w0 = 0)", 3, 1.7, 0, 2},
	{"a short w (‖w‖ = 0.001)", 2, 1e-3, -4e-3, 5},
	{"a long w (‖w‖ = 10⁶)", 4, 1e6, 3e6, 2},
	{"points far away", 2, 2, -5e3, 1e4},
}

// problems draws for each recipe a plane and three points.
func problems(r *rand.Rand) []problem {
	var out []problem
	for _, c := range recipes {
		w := instance.Unit(r, c.d)
		floats.Scale(c.length, w)
		for range 3 {
			x := instance.Normals(r, c.d)
			floats.Scale(c.far, x)
			out = append(out, problem{c.name, x, w, c.w0})
		}
	}
	return out
}

func (p problem) norm() float64 { return floats.Norm(p.w, 2) }

// g is the discriminant wᵀx + w0 at the point.
func (p problem) g() float64 { return floats.Dot(p.w, p.x) + p.w0 }

// size is that of the terms which a distance is summed from, in units of x; a
// tolerance relates to it, because they may cancel.
func (p problem) size() float64 {
	s := math.Abs(p.w0)
	for j, v := range p.w {
		s += math.Abs(v * p.x[j])
	}
	return s / p.norm()
}

// foot is x − r w/‖w‖.
func (p problem) foot(r float64) []float64 {
	return floats.AddScaledTo(make([]float64, len(p.x)), p.x, -r/p.norm(), p.w)
}

// at is the problem with its point moved to x.
func (p problem) at(x []float64) problem {
	p.x = x
	return p
}

// onPlane returns a random point of the plane, by its definition alone: all
// coordinates but one are free, the one with the largest weight follows.
func (p problem) onPlane(r *rand.Rand) []float64 {
	x := instance.Normals(r, len(p.w))
	floats.Scale(p.size(), x)
	top := 0
	for j, v := range p.w {
		if math.Abs(v) > math.Abs(p.w[top]) {
			top = j
		}
	}
	x[top] = 0
	x[top] = -(floats.Dot(p.w, x) + p.w0) / p.w[top]
	return x
}
