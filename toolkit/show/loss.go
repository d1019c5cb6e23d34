package show

import (
	"errors"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg/draw"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

// Objective is the function of the weights that a fit minimises, such as [classify.Objective].
type Objective interface {
	// Value returns the objective at w. If Value returns an error, the plot returns that error.
	Value(w []float64) (float64, error)
}

// ObjectiveFunc makes an Objective from a function.
type ObjectiveFunc func(w []float64) float64

// Value returns f(w). It returns an error if f is nil.
func (f ObjectiveFunc) Value(w []float64) (float64, error) {
	if f == nil {
		return 0, errors.New("show: ObjectiveFunc: the function is nil")
	}
	return f(w), nil
}

// A Path is the trace of a solver together with a name for the legend.
type Path struct {
	Name  string
	Trace classify.Trace
}

// LossOptions change what [Loss] draws. If Loss is called with a path, all fields are optional.
type LossOptions struct {
	Title          string
	XLabel, YLabel string     // axis labels; the default is the letter w with the index of the weight
	X, Y           [2]float64 // ranges to show; the default is the range of the paths with a margin
	Grid           int        // number of cells of the mesh along each side, 8 to 1000; the default is 100
	// I and J are the indices of the two weights that vary. If both are 0, the weights 0 and 1
	// vary.
	I, J int
	// At contains the values of all weights. Loss ignores the entries with the indices I and J. The
	// default is the last iterate of the first path, or two zeros if there is no path.
	At []float64
	// Levels are the heights of the contours, ascending. By default there are sixteen levels. Near
	// the smallest value they are close together, and for larger values they are farther apart.
	Levels []float64
}

// Loss draws contours of an objective E(w) in the plane of two of the weights. The plane is darker
// where E is smaller. Over the contours Loss draws the paths of up to six solvers. A path has a ring
// at the start, a cross at the end, and a dot for each iterate between them if it has at most 200
// iterates. If there are more than two weights, the other weights have fixed values in this plane.
// The paths are usually outside the plane, so Loss draws their projections onto it.
//
// Loss evaluates E at each node of the mesh, and between two nodes if a contour separates them. The
// value +Inf counts as a large value. The figure's Data contains the contours ("contour.level",
// "contour.piece", "contour.x" and "contour.y"). For a path with the name P, it contains the columns
// "P.x", "P.y" and "P.E".
//
// Errors: neither paths nor ranges, more than six paths, an empty path, and an objective that is nil,
// returns NaN or an error, or (without the option Levels) is infinite everywhere. Further errors: a
// weight with the index I or J that is not finite, different numbers of weights in the paths and At,
// invalid indices I and J, and levels that are not finite or not in ascending order.
func Loss(e Objective, o LossOptions, paths ...Path) (_ *Figure, err error) {
	defer prefixError("Loss", &err)
	if isNil(e) {
		return nil, errors.New("the objective is nil; make one with classify.LogisticObjective or ObjectiveFunc")
	}
	if err := checkMost(len(paths), "paths"); err != nil {
		return nil, err
	}
	if o.I == 0 && o.J == 0 {
		o.J = 1
	}
	if o.At == nil {
		o.At = []float64{0, 0}
		if len(paths) > 0 && len(paths[0].Trace) > 0 {
			o.At = paths[0].Trace[len(paths[0].Trace)-1].W
		}
	}
	m := len(o.At)
	if o.I == o.J || o.I < 0 || o.J < 0 || o.I >= m || o.J >= m {
		return nil, fmt.Errorf("options I and J are %d and %d; want two different indices of the %d weights, from 0 to %d",
			o.I,
			o.J, m, m-1)
	}
	b, err := pathBox(o, paths)
	if err != nil {
		return nil, err
	}
	if o.Grid == 0 {
		o.Grid = 100
	}
	if o.XLabel == "" {
		o.XLabel = "$w_{" + strconv.Itoa(o.I) + "}$"
	}
	if o.YLabel == "" {
		o.YLabel = "$w_{" + strconv.Itoa(o.J) + "}$"
	}
	p, err := planeOf(b, planeView{o.Title, o.XLabel, o.YLabel, o.X, o.Y, o.Grid})
	if err != nil {
		return nil, err
	}
	h, err := newHeight(b, p.grid, func(x *mat.Dense) ([]float64, error) {
		n, _ := x.Dims()
		out := make([]float64, n)
		for i := range out {
			w := slices.Clone(o.At) // pass a new slice to each call, because the objective may keep it
			w[o.I], w[o.J] = x.At(i, 0), x.At(i, 1)
			var err error
			if out[i], err = e.Value(w); err != nil {
				return nil, err
			}
		}
		return out, nil
	})
	if err != nil {
		return nil, fmt.Errorf("the objective as a function of the weights %d and %d: %w", o.I, o.J, err)
	}
	levels, err := lossLevels(h, o.Levels)
	if err != nil {
		return nil, err
	}
	p.Alt = fmt.Sprintf("Contours of an error over %s with %d paths.", p.axes(), len(paths))
	if err := p.addLoss(h, levels); err != nil {
		return nil, err
	}
	for i, t := range paths {
		p.addPath(t, i, o.I, o.J)
	}
	return p.Figure, nil
}

// addLoss fills the areas between the levels and draws the contours.
func (p *planePlot) addLoss(h *height, levels []float64) error {
	data := newRuns("contour.", "level", "piece")
	lines, rings, err := h.contours(levels, same, data)
	if err != nil {
		return err
	}
	deep := color.NRGBA{0x7F, 0xA9, 0xC9, 255}
	p.add(fill([][]xy{h.box.corners()}, deep))
	for i, r := range rings {
		p.add(fill(r, mix(deep, paper, float64(i+1)/float64(len(levels)))))
	}
	thin := lineLayer{lines, draw.LineStyle{Color: softInk, Width: 0.5}}
	p.add(thin)
	if len(lines) > 0 {
		p.AddLegend("$E(\\mathbf{w})$ constant", thin)
	}
	data.to(p.Figure)
	return nil
}

func (p *planePlot) addPath(t Path, i, wi, wj int) {
	data := newColumns(plainText(t.Name)+".", "x", "y", "E")
	var pts []xy
	for _, s := range t.Trace {
		q := xy{X: round9(s.W[wi]), Y: round9(s.W[wj])}
		pts = append(pts, q)
		data.row(q.X, q.Y, s.E)
	}
	line := lineLayer{[][]xy{pts}, lineStyle(i)}
	line.style.Width = 1.3
	dot := draw.GlyphStyle{Color: line.style.Color, Radius: 1.7, Shape: dotGlyph{}}
	start, end := dot, dot
	start.Radius, start.Shape = 3, glyph{outline: circle, symbol: "circle"}
	end.Radius, end.Shape = 3.2, marker(1)
	thumbs := []plot.Thumbnailer{line}
	p.add(line)
	if len(pts) <= 200 { // more dots would look like a thick line
		p.add(pointLayer{pts[min(1, len(pts)-1):max(1, len(pts)-1)], dot})
		thumbs = append(thumbs, pointLayer{style: dot})
	}
	p.add(pointLayer{pts[len(pts)-1:], end}, pointLayer{pts[:1], start})
	p.AddLegend(t.Name, thumbs...)
	data.to(p.Figure)
}

// pathBox checks the paths. It returns a box with the given ranges. It replaces a zero range with the
// range of the paths, extended by a margin.
func pathBox(o LossOptions, paths []Path) (box, error) {
	for _, t := range paths {
		if len(t.Trace) == 0 {
			return box{}, fmt.Errorf("the trace of %q is empty; draw the Trace field of a fitted model", t.Name)
		}
		for n, s := range t.Trace {
			if len(s.W) != len(o.At) {
				return box{}, fmt.Errorf("step %d of %q has %d weights; want %d, as in At", n, t.Name, len(s.W),
					len(o.At))
			}
			if !allFinite(s.W[o.I], s.W[o.J]) {
				return box{}, fmt.Errorf("step %d of %q has the weights %v and %v; the fit did not stay finite", n,
					t.Name, s.W[o.I], s.W[o.J])
			}
		}
	}
	return boxOr(o.X, o.Y, func(j int, name string) (lo, hi float64, err error) {
		if len(paths) == 0 {
			return 0, 0, fmt.Errorf("there is no range to draw; set the option %s, or give a path", name)
		}
		lo, hi = math.Inf(1), math.Inf(-1)
		for _, t := range paths {
			for _, s := range t.Trace {
				v := s.W[[]int{o.I, o.J}[j]]
				lo, hi = min(lo, v), max(hi, v)
			}
		}
		return lo - 0.25*(hi-lo), hi + 0.25*(hi-lo), nil
	})
}

// lossLevels returns the given levels. If no levels are given, it returns 16 levels whose distances
// from the smallest value increase quadratically. The contours of a quadratic function are then
// evenly spaced.
func lossLevels(h *height, levels []float64) ([]float64, error) {
	for i, v := range levels {
		if !allFinite(v) || i > 0 && v <= levels[i-1] {
			return nil, fmt.Errorf("option Levels is %v; levels must be finite numbers in ascending order", levels)
		}
	}
	if len(levels) > 0 {
		return levels, nil
	}
	lo, hi := extremes(h.v)
	if lo > hi {
		return nil, errors.New("the objective is infinite everywhere; choose other ranges X and Y")
	}
	const n = 16
	if hi-lo <= 1e-9*max(math.Abs(lo), math.Abs(hi)) { // if E is constant, there are no contours
		return nil, nil
	}
	for i := range n {
		t := (float64(i) + 0.5) / n
		levels = append(levels, round9(lo+(hi-lo)*t*t))
	}
	return levels, nil
}
