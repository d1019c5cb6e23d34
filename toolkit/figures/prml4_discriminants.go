package figures

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

// PRML4x1Options are the options of PRML figure 4.1. The zero value draws the default figure.
type PRML4x1Options struct {
	W0    float64    `default:"-4.8" range:"-100..100"` // the bias
	Norm  float64    `default:"2" range:"0..20"`        // ‖w‖
	Angle float64    `default:"20" range:"-1e6..1e6"`   // direction of w in degrees
	X     [2]float64 `default:"[4.65, -1.1]"`           // point x, which must be inside the picture
}

// PRML4x1 draws the line y(x) = wᵀx + w0 = 0 in the plane, and an arrow of constant length in the
// direction of w. It also draws the distances of the line from the origin and from a point x.
//
// The figure's Data contains:
//   - "w": the weights, bias first.
//   - "x" and "y": the point x and the value y(x).
//   - "foot": the point of the line nearest to the origin.
//   - "below": the point of the line nearest to x.
//   - "distance.origin": the signed distance −w0/‖w‖.
//   - "distance.x": the signed distance y(x)/‖w‖.
//
// Errors: options out of range, and a point x or a "foot" that does not lie in the picture, at least
// 0.2 from its edges.
//
// Equations: PRML (4.4)–(4.7).
func PRML4x1(o PRML4x1Options) (_ *show.Figure, err error) {
	defer returnFailure("PRML 4.1", &err)
	return prml4x1(withDefaults(o), printed4x1), nil
}

// window describes which part of the plane figure 4.1 shows.
type window struct{ x, y [2]float64 }

// scale returns the length of one unit of the plane on the page, in typographic points. It assumes
// that the width of the page, and not the height, limits the size of the picture.
func (v window) scale() float64 { return 446 / (v.x[1] - v.x[0]) }

// printed4x1 is the window of the picture that PRML4x1 draws.
var printed4x1 = window{[2]float64{-3, 6}, [2]float64{-4, 3}}

// contains reports whether a point lies in the window, at least 0.2 from its edges.
func (v window) contains(p []float64) bool {
	const edge = 0.2
	return p[0] > v.x[0]+edge && p[0] < v.x[1]-edge && p[1] > v.y[0]+edge && p[1] < v.y[1]-edge
}

// prml4x1 draws the figure. Unlike PRML4x1, it does not replace options that are 0 with their
// defaults.
func prml4x1(o PRML4x1Options, v window) *show.Figure {
	require(v.contains(o.X[:]), "X is %v; it must lie inside the picture (x1 in %v, x2 in %v), at least 0.2 from its edges", o.X, v.x, v.y)
	sin, cos := math.Sincos(o.Angle * math.Pi / 180)
	plane := try(classify.NewHyperplane([]float64{o.W0, o.Norm * cos, o.Norm * sin}))
	value := try(plane.Value(o.X[:]))
	below := try(plane.Project(o.X[:]))
	foot := try(plane.Foot())
	require(v.contains(foot), "the point of the line nearest to the origin is %.3g from the origin; it must lie inside the picture, at least 0.2 from its edges: make |W0| smaller or Norm larger",
		math.Hypot(foot[0], foot[1]))
	fig, _ := drawGeometry(plane, v, o.X, below, foot, value)
	origin := -o.W0/o.Norm + 0 // avoids −0
	fig.AddData("w", plane.Weights())
	fig.AddData("x", o.X[:])
	addNumbers(fig, "y", value)
	fig.AddData("foot", foot)
	fig.AddData("below", below)
	addNumbers(fig, "distance.origin", origin)
	addNumbers(fig, "distance.x", value/o.Norm)
	fig.Alt = fmt.Sprintf("A line in the plane with its normal w. Along w it lies at %.3g from the origin; a point lies at the signed distance %.3g from it.", origin, value/o.Norm)
	return fig
}

// drawGeometry draws the line, the arrows and the labels. It also returns a penalty for labels that
// cover lines, other labels or edges of the picture.
func drawGeometry(h *classify.Hyperplane, v window, x [2]float64, below, foot []float64, value float64) (*show.Figure,
	int) {
	fig := blankFigure("", "", v.x, v.y)
	fig.Panel(0).HideAxes()
	fig.Width, fig.Height = 6.4, 5
	norm := math.Hypot(h.W[0], h.W[1])
	n := []float64{h.W[0] / norm, h.W[1] / norm}
	t := []float64{-n[1], n[0]} // along the line
	// The arrow of w starts at a point of the line that is not near either drawn distance.
	away := 1.0
	if (below[0]-foot[0])*t[0]+(below[1]-foot[1])*t[1] > 0 {
		away = -1
	}
	const far, arrow, near, clearOfLabel = 30, 1.2, 1.6, 3
	base := []float64{foot[0] + near*away*t[0], foot[1] + near*away*t[1]}
	// If w0 is positive, w points to the side of the line on which the origin and the label of its
	// distance lie. If the picture has space, the arrow then starts farther from `foot`, so that it
	// does not cover this label.
	if h.W0 > 0 {
		further := []float64{foot[0] + clearOfLabel*away*t[0], foot[1] + clearOfLabel*away*t[1]}
		if v.contains(further) {
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
	p.addLine(lineX[0], lineY[0], lineX[1], lineY[1])
	p.addLine(v.x[0], 0, v.x[1], 0)
	p.addLine(0, v.y[0], 0, v.y[1])
	p.addLine(base[0], base[1], base[0]+arrow*n[0], base[1]+arrow*n[1])
	p.addLine(0, 0, foot[0], foot[1])
	p.addLine(below[0], below[1], x[0], x[1])
	distance := func(text string, ax, ay, bx, by, ux, uy float64) {
		const wide, high = 54, 9
		p.put(text, (ax+bx)/2, (ay+by)/2, wide, high, show.Look{Size: 10.5},
			offsetsAlong(ux, uy, n[0], n[1], p.scale*math.Hypot(bx-ax, by-ay), wide, high)...)
	}
	distance(`$-w_0/\|\mathbf{w}\|$ = `+threeDigits(-h.W0/norm), 0, 0, foot[0], foot[1], clear[0], clear[1])
	distance(`$y(\mathbf{x})/\|\mathbf{w}\|$ = `+threeDigits(value/norm), below[0], below[1], x[0], x[1], -away*t[0],
		-away*t[1])
	name := func(text string, x, y, ux, uy, wide float64) {
		const high = 7
		p.put(text, x, y, wide, high, show.Look{Size: 12}, offsetsAround(ux, uy, wide, high)...)
	}
	name(`$\mathbf{w}$`, base[0]+arrow*n[0], base[1]+arrow*n[1], n[0], n[1], 6)
	name(`$\mathbf{x}$`, x[0], x[1], side*n[0], side*n[1], 5)
	name(`foot of $\mathbf{x}$`, below[0], below[1], -side*n[0], -side*n[1], 29)
	const end = 0.25 // gap between the end of an axis and the edge of the picture
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
	p.drawLabels(fig)
	addSideNames(fig, n, foot, v.x, v.y, 12, 17, `$y > 0$:  $R_1$`, `$y < 0$:  $R_2$`)
	covered := 0
	for _, l := range p.labels {
		covered += l.covers
	}
	return fig, covered
}

// PRML4x1Chart returns the figure of [PRML4x1] as a chart with two sliders: one for the angle of w
// and one for w0. The slider positions include the values of the options, at which the sliders
// start. A change in the angle turns the line. A change in w0 only shifts the line in the direction
// of w. The chart shows a larger part of the plane than PRML4x1 does, so that the line is visible
// at every angle. Errors: the errors of [PRML4x1], and a line whose distance from the origin is
// above 2.6.
//
// Equations: PRML (4.4)–(4.7).
func PRML4x1Chart(o PRML4x1Options) (_ *show.Chart, err error) {
	defer returnFailure("PRML 4.1", &err)
	o = withDefaults(o)
	prml4x1(o, printed4x1)
	d := math.Abs(o.W0) / o.Norm
	require(d <= farthest4x1,
		"the line is %.3g from the origin and would leave the picture when it turns; make |W0| at most %v times Norm",
		d, farthest4x1)
	g := newGeometries(o)
	return sliderChart(func(at []int) *show.Figure { return g.figure(at[0], at[1]) },
		show.Slider{Name: "angle of w", Labels: unitLabels(g.angles, "°"), Start: g.start[0]},
		show.Slider{Name: "w₀", Labels: unitLabels(g.biases, ""), Start: g.start[1]}), nil
}

// turning4x1 is the window of the chart. It is large enough for w and its label even if the
// distance of the line from the origin is 2.6.
var turning4x1 = window{[2]float64{-4.4, 7.4}, [2]float64{-4.4, 4.4}}

const (
	farthest4x1 = 2.6 // largest distance of the line from the origin
	turn4x1     = 20  // step of the angle slider, in degrees
	push4x1     = 0.8 // step of the slider for w0: the distance by which the line moves
)

// geometries contains the options of the figure and the positions of the two sliders.
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
		g.angles = append(g.angles, removeRounding(a))
	}
	push, most := push4x1*o.Norm, farthest4x1*o.Norm*(1+1e-9)
	g.start[1] = int((o.W0 + most) / push)
	for w0 := o.W0 - float64(g.start[1])*push; w0 <= most; w0 += push {
		g.biases = append(g.biases, removeRounding(w0))
	}
	return g
}

// figure returns the frame for the given positions of the two sliders.
func (g geometries) figure(angle, bias int) *show.Figure {
	o := g.o
	o.Angle, o.W0 = g.angles[angle], g.biases[bias]
	fig := prml4x1(o, turning4x1)
	w := column(fig.Data(), "w")
	fig.Title = fmt.Sprintf(`$\mathbf{w}$ = (%s, %s), $w_0$ = %s:  $y(\mathbf{x})$ = %s`, threeDigits(w[1]),
		threeDigits(w[2]),
		threeDigits(w[0]), threeDigits(singleNumber(fig.Data(), "y")))
	fig.Height += 0.9
	return fig
}

// placer finds positions for the labels of a drawing, so that they cover as few lines, other labels
// and edges of the picture as possible.
type placer struct {
	window
	scale  float64      // length of one unit of the drawing on the page, in typographic points
	lines  [][4]float64 // end points x0, y0, x1, y1 of each line
	boxes  [][4]float64 // boxes of placed labels: left, lower, right and upper end
	labels []placedLabel
}

// placedLabel is a label. Its centre is dx points to the right of (x, y) and dy points above (x,
// y).
type placedLabel struct {
	text         string
	x, y, dx, dy float64
	look         show.Look
	covers       int // penalty for the lines, labels and picture edges that the label covers
}

// addLine adds a line that labels must not cover.
func (p *placer) addLine(x0, y0, x1, y1 float64) {
	p.lines = append(p.lines, [4]float64{x0, y0, x1, y1})
}

// put places a label near (x, y). The label is 2·wide points wide and 2·high points high. From the
// given offsets, put chooses the offset with the smallest penalty. If several offsets have the same
// penalty, it chooses the first.
func (p *placer) put(text string, x, y, wide, high float64, look show.Look, offsets ...[2]float64) {
	look.Align = -0.5
	best := placedLabel{covers: math.MaxInt}
	var box [4]float64
	for _, o := range offsets {
		cx, cy, w, h := x+o[0]/p.scale, y+o[1]/p.scale, wide/p.scale, high/p.scale
		b := [4]float64{cx - w, cy - h, cx + w, cy + h}
		if n := p.penalty(b); n < best.covers {
			best, box = placedLabel{text, x, y, o[0], o[1], look, n}, b
		}
	}
	p.boxes, p.labels = append(p.boxes, box), append(p.labels, best)
}

// penalty returns the penalty for a label in the box b: 1 for each line and 2 for each label that the
// box covers, and 3 if the box extends beyond the picture.
func (p *placer) penalty(b [4]float64) (n int) {
	for _, l := range p.lines {
		if lineMeetsBox(l, b) {
			n++
		}
	}
	for _, o := range p.boxes {
		if b[0] < o[2] && o[0] < b[2] && b[1] < o[3] && o[1] < b[3] {
			n += 2
		}
	}
	if b[0] < p.x[0] || b[2] > p.x[1] || b[1] < p.y[0] || b[3] > p.y[1] {
		n += 3
	}
	return n
}

// lineMeetsBox reports whether the segment l has a point in the box b. It cuts off the parts of l
// outside the box (the algorithm of Liang and Barsky) and tests whether a part remains.
func lineMeetsBox(l, b [4]float64) bool {
	from, to := 0.0, 1.0
	dx, dy := l[2]-l[0], l[3]-l[1]
	for _, side := range [4][2]float64{{-dx, l[0] - b[0]}, {dx, b[2] - l[0]}, {-dy, l[1] - b[1]}, {dy, b[3] - l[1]}} {
		switch rate, room := side[0], side[1]; {
		case rate == 0 && room < 0:
			return false
		case rate < 0:
			from = max(from, room/rate)
		case rate > 0:
			to = min(to, room/rate)
		}
	}
	return from <= to
}

// offsetsAround returns possible offsets of a label from a point. The first ten offsets are near the
// point, in ten directions, the first of which is about (ux, uy). The other offsets have the same
// directions, but are farther away.
func offsetsAround(ux, uy, wide, high float64) (out [][2]float64) {
	for _, far := range []float64{1, 1.7, 2.6} {
		for _, degrees := range []float64{0, 30, -30, 60, -60, 90, -90, 135, -135, 180} {
			sin, cos := math.Sincos(degrees * math.Pi / 180)
			x, y := ux*cos-uy*sin, ux*sin+uy*cos
			out = append(out, [2]float64{far * (10 + wide) * x, far * (8 + high) * y})
		}
	}
	return out
}

// offsetsAlong returns possible offsets of a label from the middle of an arrow. The arrow has the
// direction (nx, ny) and the given length in points. The first offset has the direction (ux, uy),
// which points to one side of the arrow, and the second has the opposite direction. The next offsets
// are also shifted along the arrow. Then the same offsets follow at a greater distance from the arrow.
// The last offsets come from offsetsAround.
func offsetsAlong(ux, uy, nx, ny, length, wide, high float64) (out [][2]float64) {
	d := wide*math.Abs(ux) + high*math.Abs(uy) + 2
	for _, far := range []float64{1, 1.6} {
		for _, shift := range []float64{0, 0.25, -0.25, 0.5, -0.5, 0.8, -0.8} {
			for _, side := range []float64{1, -1} {
				out = append(out,
					[2]float64{side*far*d*ux + shift*(length+40)*nx, side*far*d*uy + shift*(length+40)*ny})
			}
		}
	}
	return append(out, offsetsAround(ux, uy, wide, high)...)
}

// drawLabels draws the placed labels.
func (p *placer) drawLabels(fig *show.Figure) {
	for _, l := range p.labels {
		check(fig.AddText(0, l.text, l.x, l.y, l.dx, l.dy, l.look))
	}
}

// PRML4x2Options are the options of PRML figure 4.2. The zero value draws the default figure.
type PRML4x2Options struct {
	N      int     `default:"25"`                  // number of points of each class
	Spread float64 `default:"0.35" range:"0..1e6"` // standard deviation of a class perpendicular to its long axis
	// Largest decides about points that no class claims or that several classes claim. If Largest
	// is true, such a point is assigned to the class with the largest g. With one machine for each
	// pair of classes, it is assigned to the class with the largest sum of discriminants among the
	// classes with the most votes.
	Largest bool
	Seed    uint64 // seed of the random data
}

// PRML4x2 draws three classes and separates them with combinations of two-class machines. Each
// panel shows one combination: K − 1 machines for one class against the rest, K machines for one
// class against the rest, and one machine for each pair of classes. An area that is not assigned to
// exactly one class is hatched.
//
// The figure's Data contains the columns of show.Decisions for each panel. Their names begin with
// "a.", "b." or "c.". In each panel the columns "lines.w0", "lines.w1" and "lines.w2" contain the
// weights of the machines. A machine is positive for the class in "lines.i" and negative for the
// class in "lines.j", where −1 means the rest. Errors: a negative N, a Spread outside 0 to 1e6, data
// on which a fit fails.
func PRML4x2(o PRML4x2Options) (_ *show.Figure, err error) {
	defer returnFailure("PRML 4.2", &err)
	o = withDefaults(o)
	d := longClasses(o)
	// The weak prior is necessary: for separable classes, no weights maximise the likelihood.
	fit := func(x mat.Matrix, t []float64) (classify.Scorer, error) {
		return classify.FitLogistic(x, t, classify.LogisticOptions{Prior: classify.Isotropic{Alpha: 0.1}})
	}
	fewer := try(classify.FitOneVersusRest(d.X, d.Labels, d.K(), fit, classify.OneVersusRestOptions{LastIsRest: true}))
	rest := try(classify.FitOneVersusRest(d.X, d.Labels, d.K(), fit, classify.OneVersusRestOptions{}))
	pairs := try(classify.FitOneVersusOne(d.X, d.Labels, d.K(), fit, classify.OneVersusOneOptions{}))
	var panels []*show.Figure
	x, y := equalRanges(d)
	for i, m := range []machine{fewer, rest, pairs} {
		var decider classify.Decider = m
		if o.Largest {
			decider = largest{m}
		}
		fig := try(show.Decisions(decider, d, show.DecisionsOptions{
			Title: []string{"$K - 1$ against the rest", "$K$ against the rest", "one against one"}[i],
			X:     x, Y: y,
		}))
		addColumns(fig, linesOf(m), "lines.i", "lines.j", "lines.w0", "lines.w1", "lines.w2")
		panels = append(panels, fig)
	}
	fig := try(show.PanelsLegends(3, panels...))
	for i := range panels {
		check(fig.EqualAxes(i))
	}
	fig.Height = 3.55
	fig.Alt = "Three classes divided by lines in three ways; each leaves regions that belong to no single class."
	return fig, nil
}

// longClasses returns three elongated clouds around the corners of a triangle. Their long axes are
// chosen so that the three lines between the pairs of classes do not meet in one point, but enclose
// a triangle in the middle.
func longClasses(o PRML4x2Options) *datasets.Dataset {
	const radius, elongation = 2.8, 5
	axes := []float64{140, 120, 20} // the direction of the long axis of each cloud, in degrees
	g := datasets.GaussiansOptions{N: []int{o.N}, Seed: o.Seed}
	for k, degrees := range []float64{90, 210, 330} {
		sin, cos := math.Sincos(degrees * math.Pi / 180)
		g.Means = append(g.Means, []float64{radius * cos, radius * sin})
		g.Covs = append(g.Covs, longCov(o.Spread, elongation, axes[k]))
	}
	return try(datasets.Gaussians(g))
}

// longCov returns the covariance of an elongated cloud. Its long axis has the given angle in
// degrees. The first argument is the standard deviation perpendicular to this axis. Along the axis
// the standard deviation is this number times the elongation.
func longCov(short, elongation, degrees float64) *mat.SymDense {
	s, l := short*short, math.Pow(elongation*short, 2)
	sin, cos := math.Sincos(degrees * math.Pi / 180)
	return mat.NewSymDense(2, []float64{
		l*cos*cos + s*sin*sin, (l - s) * sin * cos,
		(l - s) * sin * cos, l*sin*sin + s*cos*cos})
}

// machine combines several two-class machines. Its method Decide uses their claims or votes. Its
// method Predict always returns the best class.
type machine interface {
	classify.Decider
	classify.Predictor
}

// largest is a Decider that assigns every row to exactly one class.
type largest struct{ machine }

// Decide returns the class predicted for each row.
func (l largest) Decide(x mat.Matrix) ([]int, error) { return l.Predict(x) }

// linesOf returns the lines of a combination of logistic models. Each line is a row with the
// numbers i, j, w0, w1 and w2. Class i is on the positive side of the line. Class j is on the
// negative side, where j = −1 means the rest.
func linesOf(m machine) (lines [][]float64) {
	add := func(i, j int, s classify.Scorer) {
		h := try(classify.BoundaryOf(s, 2))
		lines = append(lines, append([]float64{float64(i), float64(j)}, h.Weights()...))
	}
	switch m := m.(type) {
	case *classify.OneVersusRest:
		for k, s := range m.Machines {
			add(k, -1, s)
		}
	case *classify.OneVersusOne:
		for _, pair := range m.Pairs {
			add(pair.First, pair.Second, pair.Machine)
		}
	}
	return lines
}

// PRML4x3Options are the options of PRML figure 4.3. The zero value draws the default figure.
type PRML4x3Options struct {
	K int `default:"5" range:"3..7"` // number of classes
	// the term k·Bend·‖x‖² is added to y_k, so the boundaries are circles, or lines if Bend is 0
	Bend float64 `range:"-10..10"`
	Seed uint64  // seed of the weights
}

// viewHalf is half the side of the square that figure 4.3 shows.
const viewHalf = 3.0

// PRML4x3 draws the regions of K linear discriminants y_k(x) = w_kᵀx + w_k0 with random weights. In
// the largest region it draws two points, the segment between them, and a third point on this
// segment.
//
// The figure's Data contains the columns of show.Regions and the ends of the segment ("segment in a
// region.x" and "segment in a region.y"). Errors: K not between 3 and 7, a Bend outside −10 to 10, a
// picture in which every region is too small for the segment.
//
// Equations: PRML (4.9)–(4.12).
func PRML4x3(o PRML4x3Options) (_ *show.Figure, err error) {
	defer returnFailure("PRML 4.3", &err)
	o = withDefaults(o)
	machine, sites := randomMachine(o)
	square := [2]float64{-viewHalf, viewHalf}
	fig := try(show.Regions(machine, sites,
		show.RegionsOptions{XLabel: "$x_1$", YLabel: "$x_2$", X: square, Y: square, HidePoints: true}))
	check(fig.EqualAxes(0))
	best := drawChord(fig)
	for k := range o.K {
		x, y, ok := middleOf(fig.Data(), k)
		if !ok {
			continue
		}
		dy := -5.0
		if k == best {
			dy = -26 // beside the segment
		}
		check(fig.AddText(0, fmt.Sprintf(`$R_{%d}$`, k+1), x, y, 0, dy, show.Look{Size: 13, Align: -0.5}))
	}
	fig.Alt = fmt.Sprintf("The regions of %d discriminant functions. Two points of one region are joined by a segment that stays in it.", o.K)
	return fig, nil
}

// randomMachine returns a machine with a region for each of K random points, called sites. It also
// returns the sites as a data set. For the site s_k, the discriminant y_k is s_kᵀx − ‖s_k‖²/2 plus a
// random number between −¼ and ¼, plus the term of the option Bend.
func randomMachine(o PRML4x3Options) (classify.Predictor, *datasets.Dataset) {
	rng := rand.New(rand.NewPCG(o.Seed, 403))
	w := mat.NewDense(3, o.K, nil)
	sites := &datasets.Dataset{Name: "sites", X: mat.NewDense(o.K, 2, nil), FeatureNames: []string{"x1", "x2"},
		Source: "random"}
	for k := range o.K {
		// The sites surround the origin at unequal angles and distances, but if K > 3, the last site
		// is near the origin. In practice, every class therefore has a region, and the regions have
		// different shapes.
		angle := 2 * math.Pi * (float64(k) + 0.3 + 0.5*rng.Float64()) / float64(o.K)
		radius := 1.2 + 0.8*rng.Float64()
		if k == o.K-1 && o.K > 3 {
			radius = 0.3
		}
		x, y := radius*math.Cos(angle), radius*math.Sin(angle)
		w.SetCol(k, []float64{-(x*x+y*y)/2 + (rng.Float64()-0.5)/2, x, y})
		sites.X.SetRow(k, []float64{x, y})
		sites.Labels, sites.ClassNames = append(sites.Labels, k), append(sites.ClassNames, fmt.Sprintf("C%d", k+1))
	}
	if o.Bend == 0 {
		return try(classify.NewLinearMachine(w)), sites
	}
	return show.ScoreFunc(func(x []float64) []float64 {
		y := make([]float64, o.K)
		for k := range y {
			y[k] = w.At(0, k) + w.At(1, k)*x[0] + w.At(2, k)*x[1] + float64(k)*o.Bend*(x[0]*x[0]+x[1]*x[1])
		}
		return y
	}), sites
}

// corners returns the corners and the area of the largest ring (closed curve) that bounds the
// region of class k.
func corners(d show.Data, k int) (x, y []float64, area float64) {
	class, ring := column(d, "region.class"), column(d, "region.ring")
	xs, ys := column(d, "region.x"), column(d, "region.y")
	for i := 0; i < len(xs); {
		end := i
		for end < len(xs) && ring[end] == ring[i] {
			end++
		}
		if a := math.Abs(areaOf(xs[i:end], ys[i:end])); class[i] == float64(k) && a > area {
			x, y, area = xs[i:end], ys[i:end], a
		}
		i = end
	}
	return x, y, area
}

// areaOf returns the signed area of a polygon with corners (x[i], y[i]).
func areaOf(x, y []float64) float64 {
	a := 0.0
	for i := range x {
		j := (i + 1) % len(x)
		a += (x[i]*y[j] - x[j]*y[i]) / 2
	}
	return a
}

// middleOf returns the centre of gravity of the area inside the largest ring of the region of class
// k. The result `ok` reports whether the name of the class fits into this area.
func middleOf(d show.Data, k int) (mx, my float64, ok bool) {
	x, y, area := corners(d, k)
	if area < 0.01*4*viewHalf*viewHalf {
		return 0, 0, false
	}
	for i := range x {
		j := (i + 1) % len(x)
		a := (x[i]*y[j] - x[j]*y[i]) / 6
		mx += a * (x[i] + x[j])
		my += a * (y[i] + y[j])
	}
	return mx / areaOf(x, y), my / areaOf(x, y), true
}

// drawChord draws a segment in the largest region, with its ends and a third point. The ends are the
// two corners of the region that are farthest apart, each moved towards the middle of the region.
// drawChord returns the class of the region.
func drawChord(fig *show.Figure) (region int) {
	d, best, most := fig.Data(), 0, 0.0
	for _, k := range column(d, "region.class") {
		if _, _, area := corners(d, int(k)); area > most {
			best, most = int(k), area
		}
	}
	x, y, _ := corners(d, best)
	mx, my, ok := middleOf(d, best)
	require(ok, "no region is large enough to be seen")
	var ax, ay, bx, by, far float64
	for i := range x {
		for j := range i {
			if l := math.Hypot(x[i]-x[j], y[i]-y[j]); l > far {
				far = l
				ax, ay = x[i]+0.4*(mx-x[i]), y[i]+0.4*(my-y[i])
				bx, by = x[j]+0.4*(mx-x[j]), y[j]+0.4*(my-y[j])
			}
		}
	}
	cx, cy := 0.65*ax+0.35*bx, 0.65*ay+0.35*by
	ends := [][2]float64{{ax, ay}, {bx, by}, {cx, cy}}
	check(fig.AddLine(0, "segment in a region", []float64{ax, bx}, []float64{ay, by}, show.Look{Width: 1.2}),
		fig.AddMarks(0, "", []float64{ax, bx, cx}, []float64{ay, by, cy}, show.Look{Size: 3.2}))
	for i, label := range []string{`$\mathbf{x}_A$`, `$\mathbf{x}_B$`, `$\mathbf{x}$`} {
		check(fig.AddText(0, label, ends[i][0], ends[i][1], -2, 9, show.Look{Size: 11, Align: -0.5}))
	}
	return best
}
