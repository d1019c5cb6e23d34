package figures

import (
	"fmt"
	"math"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

// Alpaydin10x2Options change figure 10.2. The zero value draws the printed form.
type Alpaydin10x2Options struct {
	W [3]float64 `default:"[-4, 1.2, 1.6]"` // w0, w1, w2; the default has length ‖w‖ = 2
	X [2]float64 `default:"[4, 2]"`         // the point whose distance is marked
}

// Alpaydin10x2 draws the line g(x) = wᵀx + w0 = 0, its normal w, the distance g(x)/‖w‖ of a point x
// from the line (10.4), and the distance w0/‖w‖ of the origin from the line (10.5).
//
// Numbers: w, bias first; line, two points of the line; origin.span and point.span, the ends of the
// drawn distances (the end on the line first), each with .x and .y; origin.distance and
// point.distance, with signs. Errors: weights that do not define a line, numbers that are not
// finite, and distances that are all below 1e-6 or not all below 1e6.
//
// Equations: Alpaydin (10.4), (10.5).
func Alpaydin10x2(o Alpaydin10x2Options) (_ *show.Figure, err error) {
	defer named("Alpaydin 10.2", &err)
	o = filled(o)
	g := try(classify.NewHyperplane(o.W[:]))
	x := o.X[:]
	r := try(g.Distance(x))
	foot := try(g.Foot())
	below := try(g.Project(x))
	r0 := try(g.OriginDistance())
	unit := try(g.Unit())
	size := max(math.Hypot(x[0], x[1]), math.Abs(r0))
	need(size > 1e-6 && size < 1e6,
		"x = %v and a line at the distance %.3g from the origin; the larger distance must lie between 1e-6 and 1e6", x,
		math.Abs(r0))
	s := newSketch(unit.W, foot, size, x, below)
	ax, ay := s.along(-s.size)
	bx, by := s.along(s.size)
	fig := s.fig
	fig.AddData("line.x", []float64{ax, bx})
	fig.AddData("line.y", []float64{ay, by})
	s.distances(x, below, r, r0)
	fig.AddData("w", o.W[:])
	fig.AddData("origin.distance", []float64{r0})
	fig.AddData("point.distance", []float64{r})
	fig.Alt = fmt.Sprintf("The line g(x) = 0 with its normal w; the origin lies at the signed distance %.3g from it, the point (%g, %g) at %.3g.", r0, x[0], x[1], r)
	return fig, nil
}

// sketch is the drawing of a line with unit normal n. The parts of the drawing have the same
// proportions for large and for small numbers.
type sketch struct {
	fig     *show.Figure
	n, foot []float64
	size    float64 // size of the drawing
}

// along returns the point of the line at distance a from its foot.
func (s *sketch) along(a float64) (x, y float64) {
	return s.foot[0] - a*s.n[1], s.foot[1] + a*s.n[0]
}

// newSketch draws the plane, its axes, the line and the normal. The ranges of the axes include
// points.
func newSketch(n, foot []float64, size float64, points ...[]float64) *sketch {
	s := &sketch{n: n, foot: foot, size: size}
	// Draw the normal away from the spans, which means on the opposite side of the foot from x.
	side := -1.0
	if x := points[0]; s.n[0]*(x[1]-s.foot[1])-s.n[1]*(x[0]-s.foot[0]) < 0 {
		side = 1
	}
	long := 0.2 * s.size
	qx, qy := s.along(side * 0.27 * s.size)
	tx, ty := qx+long*s.n[0], qy+long*s.n[1]
	lo, hi := []float64{0, 0}, []float64{0, 0}
	for _, v := range append(points, s.foot, []float64{tx, ty}, []float64{qx, qy}) {
		for j := range v {
			lo[j], hi[j] = min(lo[j], v[j]), max(hi[j], v[j])
		}
	}
	pad := 0.22 * s.size
	s.fig = blank("", "", [2]float64{lo[0] - pad, hi[0] + pad}, [2]float64{lo[1] - pad, hi[1] + pad})
	p := s.fig.Panel(0)
	p.HideAxes()
	check(s.fig.EqualAxes(0))
	x, y := addHalfPlanes(s.fig, n, foot, 4*(hi[0]-lo[0]+hi[1]-lo[1]+2*pad))
	axis := show.Look{Width: 0.8}
	end := 0.35 * pad
	check(
		s.fig.AddArrow(0, "", p.X.Min+end, 0, p.X.Max-end, 0, axis),
		s.fig.AddArrow(0, "", 0, p.Y.Min+end, 0, p.Y.Max-end, axis),
		s.fig.AddText(0, "$x_1$", p.X.Max-end, 0, -4, -12, show.Look{Size: 10}),
		s.fig.AddText(0, "$x_2$", 0, p.Y.Max-end, -14, -6, show.Look{Size: 10}),
		s.fig.AddLine(0, "", x, y, show.Look{Width: 2.2}),
		s.fig.AddArrow(0, "", qx, qy, tx, ty, show.Look{Width: 1.6}),
		s.fig.AddRightAngle(0, qx, qy, s.n[0], s.n[1], -s.n[1], s.n[0], show.Look{Width: 0.8, Size: 6}),
		beside(s.fig, `$\mathbf{w}$`, tx, ty, s.n[0], s.n[1], show.Look{Size: 11}),
	)
	addSideNames(s.fig, n, foot, [2]float64{p.X.Min, p.X.Max}, [2]float64{p.Y.Min, p.Y.Max}, 11, 15,
		`$g(\mathbf{x}) > 0$`, `$g(\mathbf{x}) < 0$`)
	return s
}

// distances marks the distances of x and of the origin from the line.
func (s *sketch) distances(x, below []float64, r, r0 float64) {
	foot, origin := s.foot, []float64{0, 0}
	// Put labels to the right of the spans, and the marks of right angles to the left.
	tx, ty := s.n[1], -s.n[0]
	if tx < 0 {
		tx, ty = -tx, -ty
	}
	look := show.Look{Width: 1, Color: show.LineColor(1)}
	for _, d := range []struct {
		name, label string
		at, to      []float64
		value       float64
	}{
		{"point.span", `$|g(\mathbf{x})|/‖\mathbf{w}‖$ = %.3g`, below, x, r},
		{"origin.span", `$|w_0|/‖\mathbf{w}‖$ = %.3g`, foot, origin, r0},
	} {
		side := math.Copysign(1, d.value)
		check(
			s.fig.AddSpan(0, "", d.at[0], d.at[1], d.to[0], d.to[1], look),
			s.fig.AddRightAngle(0, d.at[0], d.at[1], side*s.n[0], side*s.n[1], -tx, -ty,
				show.Look{Width: 0.8, Size: 6, Color: look.Color}),
			beside(s.fig, fmt.Sprintf(d.label, math.Abs(d.value)), (d.at[0]+d.to[0])/2, (d.at[1]+d.to[1])/2, tx, ty,
				show.Look{}))
		s.fig.AddData(d.name+".x", []float64{d.at[0], d.to[0]})
		s.fig.AddData(d.name+".y", []float64{d.at[1], d.to[1]})
	}
	away := math.Copysign(1, r)
	check(
		s.fig.AddMarks(0, "", x[:1], x[1:], show.Look{Size: 3.2}),
		beside(s.fig, `$\mathbf{x}$`, x[0], x[1], away*s.n[0], away*s.n[1], show.Look{Size: 11}),
		beside(s.fig, `$g(\mathbf{x}) = 0$`, (foot[0]+below[0])/2, (foot[1]+below[1])/2, s.n[0], s.n[1], show.Look{}),
	)
}
