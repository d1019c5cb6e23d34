package figures

import (
	"fmt"
	"math"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

// PRML4x1Options change figure 4.1. The zero value draws the printed form.
type PRML4x1Options struct {
	W0    float64    `default:"-4.8" range:"-100..100"` // the bias
	Norm  float64    `default:"2" range:"0..20"`        // ‖w‖
	Angle float64    `default:"20" range:"-1e6..1e6"`   // direction of w in degrees
	X     [2]float64 `default:"[4.65, -1.1]"`           // the point, inside the picture
}

// PRML4x1 draws in the plane the line y(x) = wᵀx + w0 = 0, the vector w, and the distances of the
// line from the origin and of a point from the line.
//
// Numbers: w, bias first; x; y, the value y(x); foot, the point of the line nearest to the origin,
// and below, the point of the line nearest to x; distance.origin = −w0/‖w‖ and distance.x =
// y(x)/‖w‖, both with their signs. Errors: options out of range, a point or a line that the picture
// does not show.
//
// Equations: PRML (4.4)–(4.7).
func PRML4x1(o PRML4x1Options) (_ *show.Figure, err error) {
	defer named("PRML 4.1", &err)
	return prml4x1(filled(o), printed4x1), nil
}

// window is the part of the plane that figure 4.1 shows.
type window struct{ x, y [2]float64 }

// scale returns the points of the page per unit of the plane, if the width limits the scale.
func (v window) scale() float64 { return 446 / (v.x[1] - v.x[0]) }

// printed4x1 is the window of the printed form.
var printed4x1 = window{[2]float64{-3, 6}, [2]float64{-4, 3}}

// shows reports whether a point lies in the window, at least 0.2 from its edges.
func (v window) shows(p []float64) bool {
	const edge = 0.2
	return p[0] > v.x[0]+edge && p[0] < v.x[1]-edge && p[1] > v.y[0]+edge && p[1] < v.y[1]-edge
}

// prml4x1 draws the figure for options in which zeros are not replaced by defaults: a W0 of 0 is 0.
func prml4x1(o PRML4x1Options, v window) *show.Figure {
	need(v.shows(o.X[:]), "X is %v; it must lie inside the picture, x1 in %v and x2 in %v", o.X, v.x, v.y)
	sin, cos := math.Sincos(o.Angle * math.Pi / 180)
	plane := try(classify.NewHyperplane([]float64{o.W0, o.Norm * cos, o.Norm * sin}))
	value := try(plane.Value(o.X[:]))
	below := try(plane.Project(o.X[:]))
	foot := try(plane.Foot())
	need(v.shows(foot), "the line is %.3g from the origin, outside the picture; make |W0| smaller or Norm larger",
		math.Hypot(foot[0], foot[1]))
	fig, _ := drawGeometry(plane, v, o.X, below, foot, value)
	origin := -o.W0/o.Norm + 0 // avoids −0
	fig.AddData("w", plane.Weights())
	fig.AddData("x", o.X[:])
	fig.AddData("y", []float64{value})
	fig.AddData("foot", foot)
	fig.AddData("below", below)
	fig.AddData("distance.origin", []float64{origin})
	fig.AddData("distance.x", []float64{value / o.Norm})
	fig.Alt = fmt.Sprintf("A line in the plane with its normal w. Along w it lies at %.3g from the origin; a point lies at the signed distance %.3g from it.", origin, value/o.Norm)
	return fig
}

// drawGeometry draws line, arrows and labels. It also returns the penalty for all lines, labels and
// edges of the picture that the labels cover.
func drawGeometry(h *classify.Hyperplane, v window, x [2]float64, below, foot []float64, value float64) (*show.Figure,
	int) {
	fig := blank("", "", v.x, v.y)
	fig.Panel(0).HideAxes()
	fig.Width, fig.Height = 6.4, 5
	norm := math.Hypot(h.W[0], h.W[1])
	n := []float64{h.W[0] / norm, h.W[1] / norm}
	t := []float64{-n[1], n[0]} // along the line
	// The arrow of w starts on the line, away from the two distances.
	away := 1.0
	if (below[0]-foot[0])*t[0]+(below[1]-foot[1])*t[1] > 0 {
		away = -1
	}
	const far, arrow, near, clearOfLabel = 30, 1.2, 1.6, 3
	base := []float64{foot[0] + near*away*t[0], foot[1] + near*away*t[1]}
	if h.W0 > 0 { // w points to the side of the origin, which has the label of the distance
		further := []float64{foot[0] + clearOfLabel*away*t[0], foot[1] + clearOfLabel*away*t[1]}
		if v.shows(further) {
			base = further
		}
	}
	lineX, lineY := addHalfPlanes(fig, n, foot, far)
	thin := show.Look{Width: 0.8}
	measure := show.Look{Width: 1.3, Color: show.LineColor(1)}
	side := math.Copysign(1, value)
	tip := math.Copysign(1, -h.W0)
	clear := []float64{away * t[0], away * t[1]}
	if h.W0 == 0 { // the line passes through the origin
		clear = []float64{-side * n[0], -side * n[1]}
	}
	p := placer{window: v, scale: v.scale()}
	p.line(lineX[0], lineY[0], lineX[1], lineY[1])
	p.line(v.x[0], 0, v.x[1], 0)
	p.line(0, v.y[0], 0, v.y[1])
	p.line(base[0], base[1], base[0]+arrow*n[0], base[1]+arrow*n[1])
	p.line(0, 0, foot[0], foot[1])
	p.line(below[0], below[1], x[0], x[1])
	distance := func(text string, ax, ay, bx, by, ux, uy float64) {
		const wide, high = 54, 9
		p.put(text, (ax+bx)/2, (ay+by)/2, wide, high, show.Look{Size: 10.5},
			alongside(ux, uy, n[0], n[1], p.scale*math.Hypot(bx-ax, by-ay), wide, high)...)
	}
	distance(`$-w_0/\|\mathbf{w}\|$ = `+short(-h.W0/norm), 0, 0, foot[0], foot[1], clear[0], clear[1])
	distance(`$y(\mathbf{x})/\|\mathbf{w}\|$ = `+short(value/norm), below[0], below[1], x[0], x[1], -away*t[0],
		-away*t[1])
	name := func(text string, x, y, ux, uy, wide float64) {
		const high = 7
		p.put(text, x, y, wide, high, show.Look{Size: 12}, around(ux, uy, wide, high)...)
	}
	name(`$\mathbf{w}$`, base[0]+arrow*n[0], base[1]+arrow*n[1], n[0], n[1], 6)
	name(`$\mathbf{x}$`, x[0], x[1], side*n[0], side*n[1], 5)
	name(`foot of $\mathbf{x}$`, below[0], below[1], -side*n[0], -side*n[1], 29)
	const end = 0.25 // distance of the axes' ends from the frame
	check(
		fig.EqualAxes(0),
		fig.AddArrow(0, "", v.x[0]+end, 0, v.x[1]-end, 0, thin),
		fig.AddArrow(0, "", 0, v.y[0]+end, 0, v.y[1]-end, thin),
		fig.AddText(0, "$x_1$", v.x[1]-end, 0, -2, -14, show.Look{Size: 11}),
		fig.AddText(0, "$x_2$", 0, v.y[1]-end, -16, -6, show.Look{Size: 11}),
		fig.AddLine(0, "", lineX, lineY, show.Look{Width: 2.2}),
		fig.AddArrow(0, "", base[0], base[1], base[0]+arrow*n[0], base[1]+arrow*n[1], show.Look{Width: 2}),
		fig.AddRightAngle(0, base[0], base[1], n[0], n[1], t[0], t[1], thin),
		// the two distances
		fig.AddArrow(0, "", 0, 0, foot[0], foot[1], measure),
		fig.AddRightAngle(0, foot[0], foot[1], -tip*n[0], -tip*n[1], away*t[0], away*t[1], thin),
		fig.AddArrow(0, "", below[0], below[1], x[0], x[1], measure),
		fig.AddRightAngle(0, below[0], below[1], side*n[0], side*n[1], away*t[0], away*t[1], thin),
		fig.AddMarks(0, "", []float64{x[0], below[0]}, []float64{x[1], below[1]}, show.Look{Size: 3}),
	)
	p.write(fig)
	addSideNames(fig, n, foot, v.x, v.y, 12, 17, `$y > 0$:  $R_1$`, `$y < 0$:  $R_2$`)
	covered := 0
	for _, l := range p.labels {
		covered += l.covers
	}
	return fig, covered
}

// PRML4x1Chart is [PRML4x1] with two sliders, for the angle of w and for w0. The slider positions
// include the values of the options, at which the sliders start. The angle turns the line; w0 only
// shifts the line along w. The picture shows more of the plane than the printed form, so the line
// stays visible at every angle. Errors: the errors of [PRML4x1], and a line that lies more than 2.6
// from the origin.
//
// Equations: PRML (4.4)–(4.7).
func PRML4x1Chart(o PRML4x1Options) (_ *show.Chart, err error) {
	defer named("PRML 4.1", &err)
	o = filled(o)
	prml4x1(o, printed4x1)
	d := math.Abs(o.W0) / o.Norm
	need(d <= farthest4x1,
		"the line is %.3g from the origin and would leave the picture when it turns; make |W0| at most %v times Norm",
		d, farthest4x1)
	g := newGeometries(o)
	return sliders(func(at []int) *show.Figure { return g.figure(at[0], at[1]) },
		show.Slider{Name: "angle of w", Labels: labelled(g.angles, "°"), Start: g.start[0]},
		show.Slider{Name: "w₀", Labels: labelled(g.biases, ""), Start: g.start[1]}), nil
}

// turning4x1 is the window of the chart. It is large enough for w and its label on a line 2.6 from
// the origin.
var turning4x1 = window{[2]float64{-4.4, 7.4}, [2]float64{-4.4, 4.4}}

const (
	farthest4x1 = 2.6 // largest distance of the line from the origin
	turn4x1     = 20  // degrees between two positions
	push4x1     = 0.8 // shift of the line between two positions, in units
)

// geometries are the positions of the two sliders.
type geometries struct {
	o              PRML4x1Options
	angles, biases []float64
	start          [2]int
}

func newGeometries(o PRML4x1Options) geometries {
	g := geometries{o: o}
	at := math.Mod(math.Mod(o.Angle, 360)+360, 360)
	for a := math.Mod(at, turn4x1); a < 360; a += turn4x1 {
		if a < at-turn4x1/2 {
			g.start[0]++
		}
		g.angles = append(g.angles, tidy(a))
	}
	push, most := push4x1*o.Norm, farthest4x1*o.Norm*(1+1e-9)
	g.start[1] = int((o.W0 + most) / push)
	for w0 := o.W0 - float64(g.start[1])*push; w0 <= most; w0 += push {
		g.biases = append(g.biases, tidy(w0))
	}
	return g
}

// figure returns the frame for these positions of the sliders.
func (g geometries) figure(angle, bias int) *show.Figure {
	o := g.o
	o.Angle, o.W0 = g.angles[angle], g.biases[bias]
	fig := prml4x1(o, turning4x1)
	w := column(fig.Data(), "w")
	fig.Title = fmt.Sprintf(`$\mathbf{w}$ = (%s, %s), $w_0$ = %s:  $y(\mathbf{x})$ = %s`, short(w[1]), short(w[2]),
		short(w[0]), short(single(fig.Data(), "y")))
	fig.Height += 0.9
	return fig
}
