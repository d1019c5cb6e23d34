package figures

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

// Alpaydin10x1Options are the options of Alpaydin figure 10.1. The zero value draws the default
// figure.
type Alpaydin10x1Options struct {
	N      int        `default:"25"`   // number of points of each class
	Margin float64    `default:"0.35"` // smallest allowed distance of a point from the line that generated the data
	W      [3]float64 // line w0 + w1·x1 + w2·x2 = 0 to draw; if all are 0, logistic regression finds a line
	Seed   uint64     // seed of the random data
}

// Alpaydin10x1 draws two classes and a line g(x) = w1x1 + w2x2 + w0 = 0. The default line separates
// the classes.
//
// The figure's Data contains the columns of show.Regions, "w" (the weights w0, w1 and w2, scaled so
// that w1² + w2² = 1), and "wrong" (the number of points on the wrong side or on the line). Errors: a
// negative N, a margin outside 0…1, weights that do not define a line.
//
// Equations: Alpaydin (10.1).
func Alpaydin10x1(o Alpaydin10x1Options) (_ *show.Figure, err error) {
	defer returnFailure("Alpaydin 10.1", &err)
	o = withDefaults(o)
	d := try(datasets.Separable(datasets.SeparableOptions{N: o.N, Margin: o.Margin, Seed: o.Seed}))
	t := firstClassTargets(d)
	w := o.W[:]
	if o.W == [3]float64{} {
		// For separable data the weights diverge, but the weights at which the fit stops already
		// separate the classes.
		w = try(classify.FitLogistic(d.X, t, classify.LogisticOptions{})).W
	}
	g := try(try(classify.NewHyperplane(w)).Unit())
	wrong := 0
	for i, r := range try(g.Distances(d.X)) {
		if (t[i] == 1) != (r > 0) || r == 0 {
			wrong++
		}
	}
	side := [2]float64{-2.5, 2.5}
	fig := try(show.Regions(g, d,
		show.RegionsOptions{XLabel: "$x_1$", YLabel: "$x_2$", X: side, Y: side, Mistakes: true}))
	check(fig.EqualAxes(0))
	// The arrow that shows w has length 1/2. It starts at the point of the line that is nearest to
	// the origin.
	foot := try(g.Foot())
	const length = 0.5
	tip := []float64{foot[0] + length*g.W[0], foot[1] + length*g.W[1]}
	check(
		fig.AddArrow(0, "", foot[0], foot[1], tip[0], tip[1], show.Look{Width: 1.4}),
		fig.AddRightAngle(0, foot[0], foot[1], g.W[0], g.W[1], -g.W[1], g.W[0], show.Look{Width: 0.8, Size: 5}),
		labelBeside(fig, `$\mathbf{w}$`, tip[0], tip[1], g.W[0], g.W[1], show.Look{}))
	addSideNames(fig, g.W, foot, side, side, 11, 15, `$g(\mathbf{x}) > 0$`, `$g(\mathbf{x}) < 0$`)
	fig.AddData("w", g.Weights())
	addNumbers(fig, "wrong", float64(wrong))
	fig.Alt = fmt.Sprintf("A line divides the plane; of %d points of two classes %d are on the wrong side.", d.N(),
		wrong)
	return fig, nil
}

// Alpaydin10x2Options are the options of Alpaydin figure 10.2. The zero value draws the default
// figure.
type Alpaydin10x2Options struct {
	W [3]float64 `default:"[-4, 1.2, 1.6]"` // weights w0, w1, w2; by default, √(w1² + w2²) = 2
	X [2]float64 `default:"[4, 2]"`         // point x for which the distance from the line is drawn
}

// Alpaydin10x2 draws the line g(x) = wᵀx + w0 = 0 and its normal w. It also draws two distances
// from the line: g(x)/‖w‖ for a point x (10.4), and w0/‖w‖ for the origin (10.5).
//
// The figure's Data contains:
//   - The weights, bias first: "w".
//   - Two points of the line: "line.x" and "line.y".
//   - The signed distances: "origin.distance" and "point.distance".
//   - The two ends of each drawn distance, the end on the line first: "origin.span.x",
//     "origin.span.y", "point.span.x" and "point.span.y".
//
// Errors: weights that do not define a line, numbers that are not finite, and a scale outside 1e-6
// to 1e6. The scale is the distance of x from the origin or of the line from the origin, whichever
// is larger.
//
// Equations: Alpaydin (10.4), (10.5).
func Alpaydin10x2(o Alpaydin10x2Options) (_ *show.Figure, err error) {
	defer returnFailure("Alpaydin 10.2", &err)
	o = withDefaults(o)
	g := try(classify.NewHyperplane(o.W[:]))
	x := o.X[:]
	r := try(g.Distance(x))
	foot := try(g.Foot())
	below := try(g.Project(x))
	r0 := try(g.OriginDistance())
	unit := try(g.Unit())
	size := max(math.Hypot(x[0], x[1]), math.Abs(r0))
	require(size > 1e-6 && size < 1e6,
		"x is %v, and the line is %.3g from the origin; want the larger of their two distances from the origin between 1e-6 and 1e6", x,
		math.Abs(r0))
	s := newSketch(unit.W, foot, size, x, below)
	ax, ay := s.pointAlong(-s.size)
	bx, by := s.pointAlong(s.size)
	fig := s.fig
	addNumbers(fig, "line.x", ax, bx)
	addNumbers(fig, "line.y", ay, by)
	s.drawDistances(x, below, r, r0)
	fig.AddData("w", o.W[:])
	addNumbers(fig, "origin.distance", r0)
	addNumbers(fig, "point.distance", r)
	fig.Alt = fmt.Sprintf("The line g(x) = 0 with its normal w; the origin lies at the signed distance %.3g from it, the point (%g, %g) at %.3g.", r0, x[0], x[1], r)
	return fig, nil
}

// sketch draws a line with the unit normal n. All parts of the drawing scale with `size`, so that
// their proportions are the same for large and for small coordinates.
type sketch struct {
	fig     *show.Figure
	n, foot []float64
	size    float64 // length unit of the drawing
}

// pointAlong returns the point of the line at the signed distance a from s.foot, the point of the
// line nearest to the origin.
func (s *sketch) pointAlong(a float64) (x, y float64) {
	return s.foot[0] - a*s.n[1], s.foot[1] + a*s.n[0]
}

// newSketch draws the axes of the plane, the line, its normal and the labels of its two sides. The
// ranges of the axes include the given points. The first of these points must be x, the point whose
// distance from the line drawDistances draws.
func newSketch(n, foot []float64, size float64, points ...[]float64) *sketch {
	s := &sketch{n: n, foot: foot, size: size}
	// The arrow of the normal must not cover the drawn distances. The arrow and x are therefore on
	// opposite sides of s.foot, the point of the line nearest to the origin.
	side := -1.0
	if x := points[0]; s.n[0]*(x[1]-s.foot[1])-s.n[1]*(x[0]-s.foot[0]) < 0 {
		side = 1
	}
	long := 0.2 * s.size
	qx, qy := s.pointAlong(side * 0.27 * s.size)
	tx, ty := qx+long*s.n[0], qy+long*s.n[1]
	lo, hi := []float64{0, 0}, []float64{0, 0}
	for _, v := range append(points, s.foot, []float64{tx, ty}, []float64{qx, qy}) {
		for j := range v {
			lo[j], hi[j] = min(lo[j], v[j]), max(hi[j], v[j])
		}
	}
	pad := 0.22 * s.size
	s.fig = blankFigure("", "", [2]float64{lo[0] - pad, hi[0] + pad}, [2]float64{lo[1] - pad, hi[1] + pad})
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
		labelBeside(s.fig, `$\mathbf{w}$`, tx, ty, s.n[0], s.n[1], show.Look{Size: 11}),
	)
	addSideNames(s.fig, n, foot, [2]float64{p.X.Min, p.X.Max}, [2]float64{p.Y.Min, p.Y.Max}, 11, 15,
		`$g(\mathbf{x}) > 0$`, `$g(\mathbf{x}) < 0$`)
	return s
}

// drawDistances draws x, and the distances of x and of the origin from the line.
func (s *sketch) drawDistances(x, below []float64, r, r0 float64) {
	foot, origin := s.foot, []float64{0, 0}
	// The labels are on the right of the drawn distances (above or below, if the distances are
	// horizontal). The marks of right angles are on the other side.
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
			labelBeside(s.fig, fmt.Sprintf(d.label, math.Abs(d.value)), (d.at[0]+d.to[0])/2, (d.at[1]+d.to[1])/2, tx,
				ty,
				show.Look{}))
		s.fig.AddData(d.name+".x", []float64{d.at[0], d.to[0]})
		s.fig.AddData(d.name+".y", []float64{d.at[1], d.to[1]})
	}
	away := math.Copysign(1, r)
	check(
		s.fig.AddMarks(0, "", x[:1], x[1:], show.Look{Size: 3.2}),
		labelBeside(s.fig, `$\mathbf{x}$`, x[0], x[1], away*s.n[0], away*s.n[1], show.Look{Size: 11}),
		labelBeside(s.fig, `$g(\mathbf{x}) = 0$`, (foot[0]+below[0])/2, (foot[1]+below[1])/2, s.n[0], s.n[1],
			show.Look{}),
	)
}

// Alpaydin10x3Options are the options of Alpaydin figure 10.3. The zero value draws the default
// figure.
type Alpaydin10x3Options struct {
	N int `default:"30"` // number of points of each class
	// standard deviation of each class; above about 1 the classes overlap
	Spread float64 `default:"0.45" range:"0.001..1000"`
	Seed   uint64  // seed of the random data
}

// Alpaydin10x3 draws three classes and, for each class, the line g_i(x) = 0 that separates the
// class from the other classes (10.7). The area where no g_i is positive, or where several are
// positive, is hatched. For each class there is also a region in which its g_i is the largest (10.8).
// The figure shows the boundaries of these regions.
//
// The figure's Data contains:
//   - The columns of show.Decisions.
//   - The weights: "W.class", "W.w0", "W.w1" and "W.w2".
//   - The boundary of the largest g_i: "largest gi.x" and "largest gi.y", with NaN between the
//     pieces of the boundary.
//
// Errors: a negative N, a Spread outside 0.001 to 1000.
//
// Equations: Alpaydin (10.6)–(10.8).
func Alpaydin10x3(o Alpaydin10x3Options) (_ *show.Figure, err error) {
	defer returnFailure("Alpaydin 10.3", &err)
	o = withDefaults(o)
	d := triangle(o.N, o.Spread, o.Seed)
	m := try(classify.FitOneVersusRest(d.X, d.Labels, d.K(), pairMachine, classify.OneVersusRestOptions{}))
	x, y := [2]float64{-3.6, 3.6}, [2]float64{-2.8, 3.6}
	fig := try(show.Decisions(m, d, show.DecisionsOptions{XLabel: "$x_1$", YLabel: "$x_2$", X: x, Y: y}))
	// The boundary of the largest g_i consists of the points where the two largest g_i are equal.
	// show.Regions returns the pieces of this boundary. Unlike show.Decisions, it rejects no
	// points.
	lx, ly := joinedPieces(try(show.Regions(m, d, show.RegionsOptions{X: x, Y: y})).Data(), "boundary")
	check(fig.AddLine(0, "largest $g_i$", lx, ly, show.Look{Dash: 2, Width: 2}), fig.EqualAxes(0))
	addWeights(fig, m, d.K())
	fig.Alt = "Three classes with one line each; between the lines, regions where no discriminant or several are positive are hatched."
	return fig, nil
}

// triangle returns three round classes at the corners of a triangle. Each class has the given
// standard deviation.
func triangle(n int, spread float64, seed uint64) *datasets.Dataset {
	return try(datasets.Gaussians(datasets.GaussiansOptions{
		N: []int{n}, Seed: seed,
		Covs: []*mat.SymDense{mat.NewSymDense(2, []float64{spread * spread, 0, 0, spread * spread})},
	}))
}

// pairMachine fits logistic regression with a weak prior to two classes. The prior keeps the weights
// finite if a line separates the classes.
func pairMachine(x mat.Matrix, t []float64) (classify.Scorer, error) {
	return classify.FitLogistic(x, t, classify.LogisticOptions{Prior: classify.Isotropic{Alpha: 0.01, FreeBias: true}})
}

// addWeights appends the weights of a linear machine to the Data of a figure.
func addWeights(fig *show.Figure, m classify.Scorer, k int) {
	machine := try(classify.LinearMachineOf(m, 2))
	class := make([]float64, k)
	for c := range class {
		class[c] = float64(c)
	}
	fig.AddData("W.class", class)
	for j := range 3 {
		fig.AddData(fmt.Sprintf("W.w%d", j), mat.Row(nil, j, machine.W))
	}
}

// Alpaydin10x4Options are the options of Alpaydin figure 10.4. The zero value draws the default
// figure.
type Alpaydin10x4Options struct {
	N int `default:"30"` // number of points of each class
	// Lift is the height of the middle class above the line through the centres of the other two
	// classes; 0 leaves the middle class between them. Above about 4 a line separates the middle
	// class from both others.
	Lift float64 `range:"-1e6..1e6"`
	Seed uint64  // seed of the random data
}

// Alpaydin10x4 draws three classes, one of them between the other two. The left panel has one line
// for each class (10.7), and the right panel has one line for each pair of classes (10.9).
//
// The figure's Data contains the columns of show.Decisions for both panels. Their names begin with
// "a." in the panel with one line per class, and with "b." in the panel with one line per pair.
// Data also contains "a.right" and "b.right", the number of points that each scheme assigns to the
// correct class. Errors: a negative N, a Lift outside −1e6 to 1e6.
//
// Equations: Alpaydin (10.9), (10.10).
func Alpaydin10x4(o Alpaydin10x4Options) (_ *show.Figure, err error) {
	defer returnFailure("Alpaydin 10.4", &err)
	o = withDefaults(o)
	// The classes lie side by side, and their clouds are tall and narrow, so that the lines between
	// them are steep.
	cov := mat.NewSymDense(2, []float64{0.12, 0.1, 0.1, 0.5})
	d := try(datasets.Gaussians(datasets.GaussiansOptions{
		Means: [][]float64{{0, o.Lift}, {-2, 0.5}, {2, -0.5}},
		Covs:  []*mat.SymDense{cov}, N: []int{o.N}, Seed: o.Seed,
	}))
	all := try(classify.FitOneVersusRest(d.X, d.Labels, d.K(), pairMachine, classify.OneVersusRestOptions{}))
	pairs := try(classify.FitOneVersusOne(d.X, d.Labels, d.K(), pairMachine, classify.OneVersusOneOptions{}))
	var (
		panels []*show.Figure
		right  [2]int
	)
	for i, m := range []classify.Decider{all, pairs} {
		fig := try(show.Decisions(m, d, show.DecisionsOptions{
			Title:  []string{"a line for each class", "a line for each pair"}[i],
			XLabel: "$x_1$", YLabel: "$x_2$", X: wholeRange(d, 0), Y: wholeRange(d, 1), Grid: 100,
		}))
		for n, k := range try(m.Decide(d.X)) {
			if k == d.Labels[n] {
				right[i]++
			}
		}
		panels = append(panels, fig)
	}
	fig := try(show.Panels(2, panels...))
	addNumbers(fig, "a.right", float64(right[0]))
	addNumbers(fig, "b.right", float64(right[1]))
	fig.Alt = fmt.Sprintf("Three classes, the first between the others. One line per class classifies %d of %d points correctly, one line per pair %d.", right[0], d.N(), right[1])
	return fig, nil
}
