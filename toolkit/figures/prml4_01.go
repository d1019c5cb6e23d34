package figures

import (
	"fmt"
	"math"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

// PRML4x1Options change figure 4.1. The zero value draws the printed form.
type PRML4x1Options struct {
	W0    float64    // the bias, at most 100 in size; 0 is −4.8
	Norm  float64    // ‖w‖; 0 is 2
	Angle float64    // direction of w in degrees; 0 is 20
	X     [2]float64 // the point, inside the picture; 0, 0 is (4.65, −1.1)
}

func (o PRML4x1Options) filled() PRML4x1Options {
	return filled(o, PRML4x1Options{W0: -4.8, Norm: 2, Angle: 20, X: [2]float64{4.65, -1.1}})
}

func prml4x1Entry() Entry {
	return entry(Entry{
		ID:      "fig-prml-4.1",
		Title:   "The geometry of a linear discriminant",
		Source:  "PRML figure 4.1",
		LookFor: "w stands at right angles to the line y(x) = 0; w0 says where along w the line lies: at −w0/‖w‖ from the origin. A point lies at the signed distance y(x)/‖w‖ from the line.",
	}, PRML4x1, PRML4x1Chart)
}

// PRML4x1 draws the line y(x) = wᵀx + w0 = 0 in the plane, w, and the distances of
// the line from the origin and of a point from the line.
//
// Numbers: w, bias first; x; y, the value y(x); foot, the point of the line
// nearest to the origin, and below, the one nearest to x; distance.origin
// = −w0/‖w‖ and distance.x = y(x)/‖w‖, both with their signs. Errors: options out of range, a point
// or a line that the picture does not show.
func PRML4x1(o PRML4x1Options) (_ *show.Figure, err error) {
	defer named("PRML 4.1", &err)
	return prml4x1(o.filled(), printed4x1)
}

// A window is the part of the plane that figure 4.1 shows.
type window struct{ left, right, bottom, top float64 }

// printed4x1 is what the printed form shows.
var printed4x1 = window{-3, 6, -4, 3}

// shows says whether a point lies in the window, not at the very edge.
func (v window) shows(x []float64) bool {
	const edge = 0.2
	return x[0] > v.left+edge && x[0] < v.right-edge && x[1] > v.bottom+edge && x[1] < v.top-edge
}

// prml4x1 draws the figure of options without defaults: a W0 of 0 is 0.
func prml4x1(o PRML4x1Options, v window) (*show.Figure, error) {
	if !(math.Abs(o.W0) <= 100) || !v.shows(o.X[:]) {
		return nil, fmt.Errorf("W0 is %v and X %v; W0 must lie between -100 and 100, X inside the picture: %v to %v across and %v to %v up", o.W0, o.X, v.left, v.right, v.bottom, v.top)
	}
	if !(o.Norm > 0 && o.Norm <= 20) || math.IsNaN(o.Angle) || math.IsInf(o.Angle, 0) {
		return nil, fmt.Errorf("Norm is %v and Angle %v; the norm must lie above 0, up to 20, and the angle be finite", o.Norm, o.Angle)
	}
	sin, cos := math.Sincos(o.Angle * math.Pi / 180)
	plane, err := classify.NewHyperplane([]float64{o.W0, o.Norm * cos, o.Norm * sin})
	if err != nil {
		return nil, err
	}
	value, err := plane.Value(o.X[:])
	if err != nil {
		return nil, err
	}
	below, err := plane.Project(o.X[:])
	if err != nil {
		return nil, err
	}
	foot, err := plane.Foot()
	if err != nil {
		return nil, err
	}
	if !v.shows(foot) {
		return nil, fmt.Errorf("the line is %.3g from the origin, outside the picture there; make |W0| smaller or Norm larger", math.Hypot(foot[0], foot[1]))
	}
	fig, err := drawGeometry(plane, v, o.X, below, foot, value)
	if err != nil {
		return nil, err
	}
	norm := o.Norm
	origin := -o.W0/norm + 0 // and not −0
	fig.AddData("w", plane.Weights())
	fig.AddData("x", o.X[:])
	fig.AddData("y", []float64{value})
	fig.AddData("foot", foot)
	fig.AddData("below", below)
	fig.AddData("distance.origin", []float64{origin})
	fig.AddData("distance.x", []float64{value / norm})
	fig.Alt = fmt.Sprintf("A line in the plane with its normal w. Along w it lies at %.3g from the origin; a point lies at the signed distance %.3g from it.", origin, value/norm)
	return fig, nil
}

func drawGeometry(h *classify.Hyperplane, v window, x [2]float64, below, foot []float64, value float64) (*show.Figure, error) {
	p := show.NewPanel("", "")
	p.HideAxes()
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = v.left, v.right, v.bottom, v.top
	fig, err := show.NewFigure(1, p)
	if err != nil {
		return nil, err
	}
	fig.Width, fig.Height = 6.4, 5
	norm := math.Hypot(h.W[0], h.W[1])
	n := []float64{h.W[0] / norm, h.W[1] / norm}
	t := []float64{-n[1], n[0]} // along the line
	// The arrow of w stands on the line, away from the two distances.
	away := 1.0
	if (below[0]-foot[0])*t[0]+(below[1]-foot[1])*t[1] > 0 {
		away = -1
	}
	const far, arrow, near, clearOfLabel = 30, 1.2, 1.6, 3
	base := []float64{foot[0] + near*away*t[0], foot[1] + near*away*t[1]}
	if h.W0 > 0 { // w points to the side of the origin, where the label of its distance is
		further := []float64{foot[0] + clearOfLabel*away*t[0], foot[1] + clearOfLabel*away*t[1]}
		if v.shows(further) {
			base = further
		}
	}
	ends := [2][]float64{{foot[0] - far*t[0], foot[0] + far*t[0]}, {foot[1] - far*t[1], foot[1] + far*t[1]}}
	var areas []error
	for k, s := range []float64{far, -far} {
		areas = append(areas, fig.AddArea(0, "",
			[]float64{ends[0][0], ends[0][1], ends[0][1] + s*n[0], ends[0][0] + s*n[0]},
			[]float64{ends[1][0], ends[1][1], ends[1][1] + s*n[1], ends[1][0] + s*n[1]}, show.Look{Color: show.ClassColor(k)}))
	}
	thin := show.Look{Width: 0.8}
	measure := show.Look{Width: 1.3, Color: show.LineColor(1)}
	side := math.Copysign(1, value)
	tip := math.Copysign(1, -h.W0)
	clear := []float64{away * t[0], away * t[1]}
	if h.W0 == 0 { // the line runs there
		clear = []float64{-side * n[0], -side * n[1]}
	}
	mid := []float64{(below[0] + x[0]) / 2, (below[1] + x[1]) / 2}
	const short4x1 = 2.2
	if math.Abs(value/norm) < short4x1 { // beside the middle the label would stand on the line
		mid = x[:]
	}
	const end = 0.25 // of the axes, from the frame
	return fig, firstError(append(areas,
		fig.EqualAxes(0),
		fig.AddArrow(0, "", v.left+end, 0, v.right-end, 0, thin),
		fig.AddArrow(0, "", 0, v.bottom+end, 0, v.top-end, thin),
		fig.AddText(0, "$x_1$", v.right-end, 0, -2, -14, show.Look{Size: 11}),
		fig.AddText(0, "$x_2$", 0, v.top-end, -16, -6, show.Look{Size: 11}),
		fig.AddLine(0, "", ends[0], ends[1], show.Look{Width: 2.2}),
		fig.AddArrow(0, "", base[0], base[1], base[0]+arrow*n[0], base[1]+arrow*n[1], show.Look{Width: 2}),
		fig.AddRightAngle(0, base[0], base[1], n[0], n[1], t[0], t[1], thin),
		beside(fig, `$\mathbf{w}$`, base[0]+arrow*n[0], base[1]+arrow*n[1], n[0], n[1], show.Look{Size: 12}),
		// The two distances, with labels on the side where w is not.
		fig.AddArrow(0, "", 0, 0, foot[0], foot[1], measure),
		fig.AddRightAngle(0, foot[0], foot[1], -tip*n[0], -tip*n[1], away*t[0], away*t[1], thin),
		across(fig, `$-w_0/\|\mathbf{w}\|$ = `+short(-h.W0/norm), foot[0]/2, foot[1]/2, clear[0], clear[1]),
		fig.AddArrow(0, "", below[0], below[1], x[0], x[1], measure),
		fig.AddRightAngle(0, below[0], below[1], side*n[0], side*n[1], away*t[0], away*t[1], thin),
		across(fig, `$y(\mathbf{x})/\|\mathbf{w}\|$ = `+short(value/norm), mid[0], mid[1], -away*t[0], -away*t[1]),
		fig.AddMarks(0, "", []float64{x[0], below[0]}, []float64{x[1], below[1]}, show.Look{Size: 3}),
		beside(fig, `$\mathbf{x}$`, x[0], x[1], side*n[0], side*n[1], show.Look{Size: 12}),
		beside(fig, `foot of $\mathbf{x}$`, below[0], below[1], -side*n[0], -side*n[1], show.Look{Size: 12}),
		sideName(fig, v, 0, n, foot, `$y > 0$:  $R_1$`), sideName(fig, v, 1, n, foot, `$y < 0$:  $R_2$`),
	)...)
}

// across writes a label in the middle of an arrow, clear of it in the direction of
// (ux, uy), of length 1, at right angles.
func across(fig *show.Figure, label string, x, y, ux, uy float64) error {
	// Points from the middle of the label to its ends, and to its upper edge.
	const wide, high = 50, 11
	d := wide*math.Abs(ux) + high*math.Abs(uy)
	return fig.AddText(0, label, x, y, d*ux, d*uy-3, show.Look{Align: -0.5})
}

// sideName writes a label into the corner of the picture that lies deepest on the
// side of class k.
func sideName(fig *show.Figure, v window, k int, n, foot []float64, label string) error {
	deepest, at := math.Inf(-1), [2]float64{}
	for _, x := range []float64{v.left, v.right} {
		for _, y := range []float64{v.bottom, v.top} {
			depth := float64(1-2*k) * (n[0]*(x-foot[0]) + n[1]*(y-foot[1]))
			if depth > deepest {
				deepest, at = depth, [2]float64{x, y}
			}
		}
	}
	dx, dy, align := 8.0, 8.0, 0.0
	if at[0] == v.right {
		dx, align = -8, -1
	}
	if at[1] == v.top {
		dy = -17
	}
	return fig.AddText(0, label, at[0], at[1], dx, dy, show.Look{Size: 12, Align: align, Color: show.ClassColor(k)})
}
