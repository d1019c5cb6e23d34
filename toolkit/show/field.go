package show

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/show/internal/contour"
)

// defaultGrid is the number of cells along each side of the mesh on which plots find regions.
// Straight boundaries are exact on any mesh. On a finer mesh, thinner regions are found and curves
// are smoother.
const defaultGrid = 160

func checkGrid(n int) (contour.Grid, error) {
	err := countOr("Grid", &n, defaultGrid, 8, 1000)
	return contour.Grid{NX: n + 1, NY: n + 1}, err
}

// A table returns numbers that a model computes for inputs, with one column for each class. The
// numbers are activations, posteriors or logarithms of densities.
type table func(x mat.Matrix) (*mat.Dense, error)

// evaluate returns the numbers that f computes for the rows of x. It returns an error if the result is
// not an N×k matrix or contains NaN.
func (f table) evaluate(x *mat.Dense, k int) (*mat.Dense, error) {
	a, err := f.requireScores(x)
	if err != nil {
		return nil, err
	}
	n, _ := x.Dims()
	if r, c := a.Dims(); r != n || c != k {
		return nil, fmt.Errorf("the model returned %d×%d scores for %d points and %d classes; want a row for each point and a column for each class",
			r, c, n, k)
	}
	for i := range n {
		for j, v := range a.RawRowView(i) {
			if math.IsNaN(v) {
				return nil, fmt.Errorf("the model's score for class %d is NaN at x = %.6g", j, x.RawRowView(i))
			}
		}
	}
	return a, nil
}

// requireScores returns the numbers that f computes for the rows of x. It returns an error if the
// model returns nil.
func (f table) requireScores(x mat.Matrix) (*mat.Dense, error) {
	a, err := f(x)
	if err == nil && a == nil {
		err = errors.New("the model returned no scores")
	}
	return a, err
}

// largestClass returns, for each row of x, the class with the largest value. If classes tie, it
// returns the first of these classes.
func (f table) largestClass(x mat.Matrix) ([]int, error) {
	a, err := f.requireScores(x)
	if err != nil {
		return nil, err
	}
	n, _ := a.Dims()
	out := make([]int, n)
	for i := range out {
		out[i] = floats.MaxIdx(a.RawRowView(i))
	}
	return out, nil
}

// A predict is a function that returns the classes of the rows of x.
type predict func(x mat.Matrix) ([]int, error)

// labels returns the classes of the rows of x. It returns an error if their number is wrong, or if
// a class is not from 0 to k−1.
func (f predict) labels(x *mat.Dense, k int) ([]int, error) {
	labels, err := f(x)
	if err != nil {
		return nil, fmt.Errorf("the model cannot predict points of the plane; fit it on these two features: %w", err)
	}
	if n, _ := x.Dims(); len(labels) != n {
		return nil, fmt.Errorf("the model returned %d predictions for %d points; want one for each point", len(labels), n)
	}
	for i, l := range labels {
		if l < 0 || l >= k {
			return nil, fmt.Errorf("the model predicts class %d at x = %.6g; the data set has the classes 0 to %d", l,
				x.RawRowView(i), k-1)
		}
	}
	return labels, nil
}

// A field implements contour.Field for a model on a box.
type field struct {
	box    box
	k      int
	labels predict
	scores table // table from which the boundaries are computed; nil if only the classes determine them
}

var _ contour.Field = (*field)(nil)

// modelRegions finds the regions of a model. It computes the boundaries from the activations of the
// model. If the model has no activations, or predicts by a rule other than the largest activation,
// modelRegions uses the posteriors. If these do not determine the predictions either, it uses only
// the predictions.
func (p *planePlot) modelRegions(m classify.Predictor) (*contour.Map, error) {
	if isNil(m) {
		return nil, errNilModel
	}
	var tables []table
	if s, ok := classify.ScorerOf(m); ok {
		tables = append(tables, s.Scores)
	}
	if s, ok := classify.ProberOf(m); ok {
		tables = append(tables, s.Posterior)
	}
	return p.regions(m.Predict, p.rows.K(), tables...)
}

// regions finds the regions of k classes. It computes the boundaries from the first table in which
// the predicted class always has the largest number. A model that rejects inputs or takes costs into
// account may have no such table. Then regions uses only the predicted classes.
func (p *planePlot) regions(f predict, k int, tables ...table) (*contour.Map, error) {
	x := p.box.inputs(p.grid.Nodes())
	labels, err := f.labels(x, k)
	if err != nil {
		return nil, err
	}
	var scores table
	for _, t := range tables {
		a, err := t.evaluate(x, k)
		if err != nil {
			return nil, err
		}
		if labelsAgree(a, labels) {
			scores = t
			break
		}
	}
	return contour.Trace(p.grid, labels, k, &field{p.box, k, f, scores})
}

// labelsAgree reports whether the label of every row is the class with the largest score, except
// for ties and rounding errors.
func labelsAgree(a *mat.Dense, labels []int) bool {
	for i, l := range labels {
		row := a.RawRowView(i)
		for _, v := range row {
			if v > row[l]+1e-9*max(1, math.Abs(v)) {
				return false
			}
		}
	}
	return true
}

// Cross implements contour.Field.
func (f *field) Cross(edges []contour.Edge) ([]float64, error) {
	return contour.Roots(edges, f.scores == nil, func(p []contour.Point, e []contour.Edge) ([]float64, error) {
		x, gap := f.box.inputs(p), make([]float64, len(p))
		if f.scores == nil {
			labels, err := f.labels.labels(x, f.k)
			for i, l := range labels {
				gap[i] = -1
				if l == e[i].I {
					gap[i] = 1
				}
			}
			return gap, err
		}
		a, err := f.scores.evaluate(x, f.k)
		if err != nil {
			return nil, err
		}
		for i := range gap {
			gap[i] = a.At(i, e[i].I) - a.At(i, e[i].J)
		}
		return gap, nil
	})
}

// Corner implements contour.Field. It uses Newton's method to find the point at which three scores
// are equal. The derivatives are difference quotients with a step of a thousandth of the box. For
// linear scores the first step is exact.
func (f *field) Corner(c contour.Corner) (contour.Point, bool) {
	if f.scores == nil {
		return contour.Point{}, false
	}
	const h, steps = 1e-3, 4
	p := c.Near
	for range steps {
		a, err := f.scores(f.box.inputs([]contour.Point{p, {X: p.X + h, Y: p.Y}, {X: p.X, Y: p.Y + h}}))
		if err != nil {
			return p, false
		}
		gap := func(row, i int) float64 { return a.At(row, c.Labels[i]) - a.At(row, c.Labels[i+1]) }
		u, v := gap(0, 0), gap(0, 1)
		ux, uy, vx, vy := (gap(1, 0)-u)/h, (gap(2, 0)-u)/h, (gap(1, 1)-v)/h, (gap(2, 1)-v)/h
		det := ux*vy - uy*vx
		dx, dy := (u*vy-v*uy)/det, (v*ux-u*vx)/det
		if math.IsNaN(dx+dy) || math.Abs(dx) > 1 || math.Abs(dy) > 1 {
			return p, false
		}
		p.X, p.Y = p.X-dx, p.Y-dy
		if math.Abs(dx)+math.Abs(dy) < 1e-13 {
			break
		}
	}
	return p, true
}

// A heightFunc is a function that returns a number for each row of x.
type heightFunc func(x *mat.Dense) ([]float64, error)

// A height is a function f on a box. The slice v contains the values of f at the nodes of the grid.
type height struct {
	box  box
	grid contour.Grid
	f    heightFunc
	v    []float64
}

func newHeight(b box, g contour.Grid, f heightFunc) (*height, error) {
	v, err := f.evaluate(b.inputs(g.Nodes()))
	return &height{b, g, f, v}, err
}

// heights returns one height for each class k. Its value at an input is value(row, k), where row is
// the row that the table f returns for this input.
func (p *planePlot) heights(f table, value func(row []float64, k int) float64) ([]*height, error) {
	out := make([]*height, p.rows.K())
	nodes, err := f.evaluate(p.box.inputs(p.grid.Nodes()), len(out))
	if err != nil {
		return nil, err
	}
	for k := range out {
		column := func(a *mat.Dense) []float64 {
			n, _ := a.Dims()
			v := make([]float64, n)
			for i := range v {
				v[i] = value(a.RawRowView(i), k)
			}
			return v
		}
		out[k] = &height{p.box, p.grid, func(x *mat.Dense) ([]float64, error) {
			a, err := f.evaluate(x, len(out))
			if err != nil {
				return nil, err
			}
			return column(a), nil
		}, column(nodes)}
	}
	return out, nil
}

// entry returns row[k]. If entry is the argument `value` of heights, heights uses the numbers of the
// table as they are.
func entry(row []float64, k int) float64 { return row[k] }

// evaluate returns the values for the rows of x. It returns an error if f returns the wrong number
// of values, or NaN.
func (f heightFunc) evaluate(x *mat.Dense) ([]float64, error) {
	v, err := f(x)
	if err != nil {
		return nil, err
	}
	if n, _ := x.Dims(); len(v) != n {
		return nil, fmt.Errorf("the function returned %d values for %d points; want one value for each point", len(v), n)
	}
	for i, a := range v {
		if math.IsNaN(a) {
			return nil, fmt.Errorf("the function is NaN at x = %.6g", x.RawRowView(i))
		}
	}
	return v, nil
}

// pointwise converts a function of two numbers to a heightFunc.
func pointwise(f func(a, b float64) float64) heightFunc {
	return func(x *mat.Dense) ([]float64, error) {
		n, _ := x.Dims()
		out := make([]float64, n)
		for i := range out {
			out[i] = f(x.At(i, 0), x.At(i, 1))
		}
		return out, nil
	}
}

// peak returns the maximum of a quadratic function that is fitted to the values at the highest node
// and its eight neighbours. For the logarithm of a Gaussian this is the exact maximum. If the
// quadratic function has no maximum near the node, or if the node lies on the border of the box,
// peak returns the value at the node. It returns an error if a value is +Inf.
func (h *height) peak() (float64, error) {
	best := 0
	for i, v := range h.v {
		if math.IsInf(v, 1) {
			return 0, fmt.Errorf("the density is infinite at x = %.6g", h.box.inputs(h.grid.Nodes()).RawRowView(i))
		}
		if v > h.v[best] {
			best = i
		}
	}
	top := h.v[best]
	i, j := best%h.grid.NX, best/h.grid.NX
	if i == 0 || j == 0 || i == h.grid.NX-1 || j == h.grid.NY-1 {
		return top, nil
	}
	at := func(di, dj int) float64 { return h.v[(j+dj)*h.grid.NX+i+di] - top }
	gx, gy := (at(1, 0)-at(-1, 0))/2, (at(0, 1)-at(0, -1))/2
	xx, yy := at(1, 0)+at(-1, 0), at(0, 1)+at(0, -1)
	xy := (at(1, 1) - at(1, -1) - at(-1, 1) + at(-1, -1)) / 4
	det := xx*yy - xy*xy
	dx, dy := (xy*gy-yy*gx)/det, (xy*gx-xx*gy)/det
	if !(xx < 0 && det > 0 && math.Abs(dx) <= 1 && math.Abs(dy) <= 1) {
		return top, nil
	}
	return top + (gx*dx+gy*dy)/2, nil
}

// contour returns the lines on which the function equals the given level. It also returns the rings
// around the regions in which the function is larger.
func (h *height) contour(level float64) (lines, rings [][]xy, err error) {
	labels := make([]int, len(h.v))
	for i, v := range h.v {
		if v < level {
			labels[i] = 1
		}
	}
	found, err := contour.Trace(h.grid, labels, 2,
		&field{box: h.box, k: 2, scores: func(x mat.Matrix) (*mat.Dense, error) {
			v, err := h.f.evaluate(x.(*mat.Dense))
			if err != nil {
				return nil, err
			}
			a := mat.NewDense(len(v), 2, nil) // column 1 remains 0, so both scores are equal at the level
			for i := range v {
				a.Set(i, 0, v[i]-level)
			}
			return a, nil
		}})
	if err != nil {
		return nil, nil, err
	}
	return h.box.lines(found.Lines), h.box.rings(found.Regions[0]), nil
}

// contours returns the lines of all levels, and the rings of each level. The function `scale`
// converts a level to a value of h. contours also adds the points of the lines to `data`, whose
// first columns contain `keys` and the level.
func (h *height) contours(levels []float64, scale func(level float64) float64, data *runs,
	keys ...float64) (lines [][]xy, rings [][][]xy, err error) {
	for _, level := range levels {
		found, around, err := h.contour(scale(level))
		if err != nil {
			return nil, nil, err
		}
		lines, rings = append(lines, found...), append(rings, around)
		for _, l := range found {
			data.add(l, append(slices.Clip(keys), level)...)
		}
	}
	return lines, rings, nil
}
