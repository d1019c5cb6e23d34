package figures

import (
	"fmt"
	"math"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

// Alpaydin10x2Options change figure 10.2. The zero value draws the printed form.
type Alpaydin10x2Options struct {
	W [3]float64 // w0, w1, w2; all 0 is −4, 1.2, 1.6, of length ‖w‖ = 2
	X [2]float64 // the point whose distance is marked; both 0 is (4, 2)
}

func (o Alpaydin10x2Options) filled() Alpaydin10x2Options {
	return filled(o, Alpaydin10x2Options{W: [3]float64{-4, 1.2, 1.6}, X: [2]float64{4, 2}})
}

func alpaydin10x2Entry() Entry {
	return entry(Entry{
		ID:      "fig-alpaydin-10.2",
		Title:   "The geometry of a linear discriminant",
		Source:  "Alpaydin figure 10.2",
		LookFor: "w is normal to the line and points to the side of C₁. Divided by ‖w‖, g(x) is the distance of x from the line and w0 that of the origin, negative where g is.",
	}, Alpaydin10x2, nil)
}

// Alpaydin10x2 draws the line g(x) = wᵀx + w0 = 0, its normal w, the distance of
// a point x from it, g(x)/‖w‖ (10.4), and that of the origin, w0/‖w‖ (10.5).
//
// Numbers: w, bias first; line, two of its points, and origin.span and point.span,
// the ends of what is drawn, that on the line first, each with .x and .y;
// origin.distance and point.distance, with sign. Errors: weights that are no line,
// numbers that are not finite, distances all below 1e-6 or one above 1e6.
func Alpaydin10x2(o Alpaydin10x2Options) (_ *show.Figure, err error) {
	defer named("Alpaydin 10.2", &err)
	o = o.filled()
	g, err := classify.NewHyperplane(o.W[:])
	if err != nil {
		return nil, err
	}
	x := o.X[:]
	r, err := g.Distance(x)
	if err != nil {
		return nil, err
	}
	foot, err := g.Foot()
	if err != nil {
		return nil, err
	}
	below, err := g.Project(x)
	if err != nil {
		return nil, err
	}
	r0, err := g.OriginDistance()
	if err != nil {
		return nil, err
	}
	unit, err := g.Unit()
	if err != nil {
		return nil, err
	}
	s := sketch{n: unit.W, foot: foot, size: math.Max(math.Hypot(x[0], x[1]), math.Abs(r0))}
	if !(s.size > 1e-6 && s.size < 1e6) {
		return nil, fmt.Errorf("x = %v and a line at the distance %.3g from the origin; the larger distance must lie between 1e-6 and 1e6", x, math.Abs(r0))
	}
	if err := s.begin(x, below); err != nil {
		return nil, err
	}
	ax, ay := s.along(-s.size)
	bx, by := s.along(s.size)
	s.fig.AddData("line.x", []float64{ax, bx})
	s.fig.AddData("line.y", []float64{ay, by})
	if err := s.distances(x, below, r, r0); err != nil {
		return nil, err
	}
	fig := s.fig
	fig.AddData("w", o.W[:])
	fig.AddData("origin.distance", []float64{r0})
	fig.AddData("point.distance", []float64{r})
	fig.Alt = fmt.Sprintf("The line g(x) = 0 with its normal w; the origin lies at the signed distance %.3g from it, the point (%g, %g) at %.3g.", r0, x[0], x[1], r)
	return fig, nil
}

// A sketch is the drawing of a line with unit normal n. Its parts keep their
// proportions whatever the size of the numbers.
type sketch struct {
	fig     *show.Figure
	n, foot []float64
	size    float64 // of what is drawn
}

// along returns the point of the line at the distance a from its foot.
func (s *sketch) along(a float64) (x, y float64) {
	return s.foot[0] - a*s.n[1], s.foot[1] + a*s.n[0]
}

// begin draws the plane, its axes, the line and the normal.
func (s *sketch) begin(points ...[]float64) error {
	p := show.NewPanel("", "")
	p.HideAxes()
	// The normal stands where no span is: on the other side of the foot than x.
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
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = lo[0]-pad, hi[0]+pad, lo[1]-pad, hi[1]+pad
	var err error
	if s.fig, err = show.NewFigure(1, p); err != nil {
		return err
	}
	if err := s.fig.EqualAxes(0); err != nil {
		return err
	}
	far := 4 * (hi[0] - lo[0] + hi[1] - lo[1] + 2*pad)
	ax, ay := s.along(-far)
	bx, by := s.along(far)
	for k, sign := range []float64{1, -1} {
		dx, dy := sign*far*s.n[0], sign*far*s.n[1]
		if err := s.fig.AddArea(0, "", []float64{ax, bx, bx + dx, ax + dx}, []float64{ay, by, by + dy, ay + dy}, show.Look{Color: show.ClassColor(k)}); err != nil {
			return err
		}
	}
	axis := show.Look{Width: 0.8}
	end := 0.35 * pad
	return firstError(
		s.fig.AddArrow(0, "", p.X.Min+end, 0, p.X.Max-end, 0, axis),
		s.fig.AddArrow(0, "", 0, p.Y.Min+end, 0, p.Y.Max-end, axis),
		s.fig.AddText(0, "$x_1$", p.X.Max-end, 0, -4, -12, show.Look{Size: 10}),
		s.fig.AddText(0, "$x_2$", 0, p.Y.Max-end, -14, -6, show.Look{Size: 10}),
		s.fig.AddLine(0, "", []float64{ax, bx}, []float64{ay, by}, show.Look{Width: 2.2}),
		s.fig.AddArrow(0, "", qx, qy, tx, ty, show.Look{Width: 1.6}),
		s.fig.AddRightAngle(0, qx, qy, s.n[0], s.n[1], -s.n[1], s.n[0], show.Look{Width: 0.8, Size: 6}),
		beside(s.fig, `$\mathbf{w}$`, tx, ty, s.n[0], s.n[1], show.Look{Size: 11}),
		s.sign(0, `$g(\mathbf{x}) > 0$`), s.sign(1, `$g(\mathbf{x}) < 0$`),
	)
}

// sign writes a label into the corner of the picture that lies deepest on the
// side of class k.
func (s *sketch) sign(k int, label string) error {
	p, deepest := s.fig.Panel(0), 0.0
	var x, y, dx, dy, align float64
	for _, cx := range []float64{p.X.Min, p.X.Max} {
		for _, cy := range []float64{p.Y.Min, p.Y.Max} {
			depth := float64(1-2*k) * (s.n[0]*(cx-s.foot[0]) + s.n[1]*(cy-s.foot[1]))
			if depth <= deepest {
				continue
			}
			deepest, x, y, dx, dy, align = depth, cx, cy, 8, 8, 0
			if cx == p.X.Max {
				dx, align = -8, -1
			}
			if cy == p.Y.Max {
				dy = -15
			}
		}
	}
	if deepest == 0 {
		return nil // the whole picture lies on the other side
	}
	return s.fig.AddText(0, label, x, y, dx, dy, show.Look{Size: 11, Align: align, Color: show.ClassColor(k)})
}

// distances marks the distances of x and of the origin.
func (s *sketch) distances(x, below []float64, r, r0 float64) error {
	foot, origin := s.foot, []float64{0, 0}
	// Labels stand on the right of the spans, marks of right angles on the left.
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
		if err := firstError(
			s.fig.AddSpan(0, "", d.at[0], d.at[1], d.to[0], d.to[1], look),
			s.fig.AddRightAngle(0, d.at[0], d.at[1], side*s.n[0], side*s.n[1], -tx, -ty, show.Look{Width: 0.8, Size: 6, Color: look.Color}),
			beside(s.fig, fmt.Sprintf(d.label, math.Abs(d.value)), (d.at[0]+d.to[0])/2, (d.at[1]+d.to[1])/2, tx, ty, show.Look{}),
		); err != nil {
			return err
		}
		s.fig.AddData(d.name+".x", []float64{d.at[0], d.to[0]})
		s.fig.AddData(d.name+".y", []float64{d.at[1], d.to[1]})
	}
	away := math.Copysign(1, r)
	return firstError(
		s.fig.AddMarks(0, "", x[:1], x[1:], show.Look{Size: 3.2}),
		beside(s.fig, `$\mathbf{x}$`, x[0], x[1], away*s.n[0], away*s.n[1], show.Look{Size: 11}),
		beside(s.fig, `$g(\mathbf{x}) = 0$`, (foot[0]+below[0])/2, (foot[1]+below[1])/2, s.n[0], s.n[1], show.Look{}),
	)
}

// beside writes a label next to (x, y) in the direction of (ux, uy), of length 1.
func beside(fig *show.Figure, label string, x, y, ux, uy float64, l show.Look) error {
	switch {
	case ux < -0.4:
		l.Align = -1
	case ux < 0.4:
		l.Align = -0.5
	}
	return fig.AddText(0, label, x, y, 10*ux, 10*uy-3, l)
}

// firstError returns the first error that is not nil.
func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
