package ex14

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
)

// A problem is a set of points of two classes, with a direction.
type problem struct {
	name   string
	Phi    *mat.Dense // N×M
	t      []float64  // N, in {0,1}
	w      []float64  // M; separating where the problem is separable
	scaled bool       // another problem in other units
}

func (p problem) String() string { return "“" + p.name + "”" }

// margins returns (2t_n−1)·wᵀφ_n for all n.
func (p problem) margins(w []float64) []float64 {
	m := instance.Activations(p.Phi, w)
	for i := range m {
		m[i] *= 2*p.t[i] - 1
	}
	return m
}

// separable is 1 where there is a direction, and else 0.
func (p problem) separable() []float64 {
	if p.w == nil {
		return []float64{0}
	}
	return []float64{1}
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

// hair makes a separable problem of points of length 1, as near to the boundary as
// the promise allows; beside(n) is where point n lies along the boundary, a unit
// vector in its m−1 dimensions.
func hair(r *rand.Rand, name string, n, m int, beside func(n int) []float64) problem {
	p := problem{name: name, Phi: mat.NewDense(n, m, nil), t: make([]float64, n), w: make([]float64, m)}
	p.w[0] = 1
	height := 1.001 * promise()
	for i := range n {
		row := append([]float64{height}, beside(i)...)
		floats.Scale(math.Sqrt(1-height*height), row[1:])
		p.t[i] = float64(r.IntN(2))
		floats.Scale(2*p.t[i]-1, row)
		p.Phi.SetRow(i, row)
	}
	return p
}

// given makes a problem with a direction from rows of features followed by the
// target.
func given(name string, w []float64, rows ...[]float64) problem {
	m := len(rows[0]) - 1
	p := problem{name: name, Phi: mat.NewDense(len(rows), m, nil), w: w}
	for i, row := range rows {
		p.Phi.SetRow(i, row[:m])
		p.t = append(p.t, row[m])
	}
	return p
}

func (p problem) times(name string, c float64) problem {
	p.name, p.scaled, p.Phi = name, true, mat.DenseCopyOf(p.Phi)
	p.Phi.Scale(c, p.Phi)
	return p
}

// separable returns problems with a separating direction w. Where the room is no
// more than promised, searches that stop early, draw directions at random, or follow
// the gradient of E for a while do not come to an end.
var separable = instance.Once(func() []problem {
	r := instance.Source(414, 1)
	plane := draw(r, "thirty points in the plane, with a bias", 30, []float64{1, 0, 0}, []float64{0, 1, 1})
	list := []problem{
		plane,
		draw(r, "no bias: a boundary through the origin", 25, []float64{0, 0, 0}, []float64{1, 1, 1}),
		given("a single point", []float64{2, -3}, []float64{-2, 3, 0}),
		draw(r, "five weights", 40, []float64{1, 0, 0, 0.5, 0}, []float64{0, 1, 1, 1, 1}),
		given("all points in one class", []float64{1, 0}, []float64{1, 0.5, 1}, []float64{1, -0.7, 1}, []float64{1, 0.1, 1}),
		given("no point with t = 1", []float64{-1, 0}, []float64{1, 0.5, 0}, []float64{1, -0.7, 0}),
		given("three points on a line, with a bias", []float64{-0.5, 1}, []float64{1, -1, 0}, []float64{1, 2, 1}, []float64{1, 3, 1}),
		given("one weight, no bias", []float64{-1}, []float64{-2, 1}, []float64{0.5, 0}, []float64{-1, 1}),
		given("fewer points than weights, one of them twice", []float64{1, -1, 0, 0, 0}, []float64{1, 0, 2, 1, 1, 1}, []float64{0, 1, 2, 3, -1, 0}, []float64{1, 0, 2, 1, 1, 1}),
		given("columns of very different size", []float64{1e-6, 0, 0}, []float64{1e6, 1e-6, 3, 1}, []float64{-4e5, 2e-6, 1, 0}, []float64{5e4, -1e-6, -2, 1}, []float64{-1e6, 0, 5, 0}),
		given("classes of unequal size that no boundary through the middle of the means divides", []float64{-0.65, 1, 0},
			[]float64{1, 0, 0, 0}, []float64{1, 0.1, 0.2, 0}, []float64{1, 0.3, -0.1, 0}, []float64{1, 1, 0.4, 1}, []float64{1, 6, 0, 1}, []float64{1, 7, 0.5, 1}, []float64{1, 6.5, -1, 1}),
		// 243 corrections from w = 0, in 123 passes: the promise allows 625
		given("long features that lie nearly along the boundary", []float64{0, 1}, []float64{-9.04, 0.39, 1}, []float64{-9.08, -0.4, 0}, []float64{1.46, 0.47, 1}),
	}
	round := func(angle func(i int) float64) func(i int) []float64 {
		return func(i int) []float64 { return []float64{math.Cos(angle(i)), math.Sin(angle(i))} }
	}
	for m := 2; m <= 5; m++ {
		list = append(list, hair(r, fmt.Sprintf("%d points with no more room than promised, %d weights", 12*m, m), 12*m, m,
			func(int) []float64 { return instance.Unit(r, m-1) }))
	}
	return append(list,
		hair(r, "many points around one direction, in order", 150, 3, round(func(i int) float64 { return 2 * math.Pi * float64(i) / 150 })),
		hair(r, "one point against many", 60, 3, round(func(i int) float64 {
			if i == 59 {
				return math.Pi
			}
			return 0.4*r.Float64() - 0.2
		})),
		plane.times("very small features", 1e-6), plane.times("very large features", 1e6))
})

// overlapping returns problems without a separating direction, because a
// combination of the signed points with positive weights is 0, and more than that
// fails; and one that has a direction.
func overlapping() []problem {
	r := instance.Source(414, 2)
	random := draw(r, "two hundred points with labels at random", 200, []float64{1, 0, 0}, []float64{0, 1, 1})
	for i := range random.t {
		random.t[i] = float64(r.IntN(2))
	}
	random.w = nil
	return []problem{
		random,
		oneWrong(r, "one point on the wrong side, the last", func(n int) int { return n - 1 }),
		oneWrong(r, "one point on the wrong side, the first", func(int) int { return 0 }),
		oneWrong(r, "one point on the wrong side, in the middle", func(n int) int { return n / 2 }),
		given("exclusive or", nil, []float64{1, 1, 1, 1}, []float64{1, -1, -1, 1}, []float64{1, 1, -1, 0}, []float64{1, -1, 1, 0}),
		given("a class on both sides of the other", nil, []float64{1, 1, 1}, []float64{1, 2, 0}, []float64{1, 3, 1}),
		given("one weight, both signs in one class", nil, []float64{1, 1}, []float64{-2, 1}, []float64{0.5, 1}),
		separable()[0],
	}
}

// oneWrong is a separable problem with one point more, the mean of the class t = 1
// with t = 0, in the place that at names.
func oneWrong(r *rand.Rand, name string, at func(n int) int) problem {
	p := draw(r, name, 30, []float64{1, 0, 0}, []float64{0, 1, 1})
	mean, count := make([]float64, 3), 0.0
	for i, t := range p.t {
		if t == 1 {
			floats.Add(mean, p.Phi.RawRowView(i))
			count++
		}
	}
	floats.Scale(1/count, mean)
	rows := entries(p.Phi)
	i := at(len(p.t) + 1)
	rows, p.t = slices.Insert(rows, 3*i, mean...), slices.Insert(p.t, i, 0)
	p.Phi, p.w = mat.NewDense(len(p.t), 3, rows), nil
	return p
}

func entries(m *mat.Dense) []float64 { return slices.Clone(m.RawMatrix().Data) }

// touching returns problems where some direction has no point on the wrong side,
// but none is strict; and one that has a direction.
func touching() []problem {
	return []problem{
		given("a point that occurs in both classes", nil, []float64{1, 0, 0}, []float64{1, 1, 0}, []float64{1, 1, 1}, []float64{1, 2, 1}),
		given("a point at the origin, without a bias", nil, []float64{1, 2, 1}, []float64{-1, 1, 0}, []float64{0, 0, 1}),
		given("two points of different classes on the boundary", nil, []float64{1, 0.5, 1}, []float64{2, -1, 1}, []float64{-1, 1, 0}, []float64{0, 1, 1}, []float64{0, 2, 0}),
		given("a corner of one class on an edge of the other", nil, []float64{1, 0, 0, 0}, []float64{1, 2, 0, 0}, []float64{1, 1, 0, 1}, []float64{1, 1, 3, 1}),
		separable()[0],
	}
}

// anywhere are walks along any direction, with moderate activations.
func anywhere() (list []walk) {
	r := instance.Source(414, 4)
	for _, i := range []int{0, 1, 3, 2, 4, 6} {
		p := separable()[i]
		p.w = instance.Weights(r, p.Phi, 1)
		list = append(list, walk{problem: p, c: []float64{0, 0.3, 1, 1.7, 2.5, -0.8}})
	}
	return list
}

// lengths lead along a separating w, whose least margin is 1, from y = ½ to where
// an output is 0 or 1 to the last digit, and further.
var lengths = []float64{0, 0.5, 1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 18, 20, 25, 30, 37, 40, 100, 400, 700, 800, 1e4}

// newtonStep is the distance of the three lengths from which a step is taken.
const newtonStep = 1e-2

// falling are walks along separating directions: the lengths, and the neighbourhoods
// of the first places to which Newton's method goes from 0.
func falling() (list []walk) {
	for _, p := range separable() {
		p.w = slices.Clone(p.w)
		floats.Scale(1/floats.Min(p.margins(p.w)), p.w)
		along := walk{problem: p, c: slices.Clone(lengths)}
		c := 0.0
		for range 12 {
			along.c = append(along.c, c-newtonStep, c, c+newtonStep)
			slope, curvature := 0.0, 0.0
			for _, m := range p.margins(p.w) {
				y := kernel.Sigmoid(-c * m)
				slope -= m * y
				curvature += m * m * y * kernel.Sigmoid(c*m)
			}
			c -= slope / curvature
		}
		list = append(list, along)
	}
	return list
}

// rising are walks with a point on the wrong side, the worst of them at −2.
func rising() (list []walk) {
	wrong, opposite := separable()[0], separable()[1]
	wrong.name, opposite.name = "one wrong label", "the opposite of a separating direction"
	wrong.t = slices.Clone(wrong.t)
	wrong.t[3] = 1 - wrong.t[3]
	opposite.w = floats.ScaleTo(make([]float64, 3), -1, opposite.w)
	for _, p := range []problem{wrong, opposite} {
		p.w = floats.ScaleTo(make([]float64, 3), 2/math.Abs(floats.Min(p.margins(p.w))), p.w)
		along := walk{problem: p}
		for _, c := range []float64{1.5, 2.5, 3.5, 5, 7, 10, 15, 18.5, 20, 30, 100, 350, 372.5, 400, 1e4} {
			along.c = append(along.c, c, -c)
		}
		list = append(list, along)
	}
	return list
}
