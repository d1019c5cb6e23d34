package show

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/show/internal/contour"
)

// A heightFunc returns a number for each row of x.
type heightFunc func(x *mat.Dense) ([]float64, error)

// A height is a function on a box, with its values v at the nodes of a grid.
type height struct {
	box  box
	grid contour.Grid
	f    heightFunc
	v    []float64
}

func newHeight(b box, g contour.Grid, f heightFunc) (*height, error) {
	v, err := f.at(b.inputs(g.Nodes()))
	return &height{b, g, f, v}, err
}

// heights returns a height for each class k. The height at an input is value(row, k), where row is
// the row that f returns for that input.
func (p *planePlot) heights(f table, value func(row []float64, k int) float64) ([]*height, error) {
	out := make([]*height, p.rows.K())
	nodes, err := f.at(p.box.inputs(p.grid.Nodes()), len(out))
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
			a, err := f.at(x, len(out))
			if err != nil {
				return nil, err
			}
			return column(a), nil
		}, column(nodes)}
	}
	return out, nil
}

// entry returns number k of a row. With entry as the argument value of heights, the heights are the
// numbers of the table.
func entry(row []float64, k int) float64 { return row[k] }

// at returns the values for the rows of x. It returns an error if f returns the wrong number of
// values, or NaN.
func (f heightFunc) at(x *mat.Dense) ([]float64, error) {
	v, err := f(x)
	if err != nil {
		return nil, err
	}
	if n, _ := x.Dims(); len(v) != n {
		return nil, fmt.Errorf("the function returned %d values for %d points", len(v), n)
	}
	for i, a := range v {
		if math.IsNaN(a) {
			return nil, fmt.Errorf("the function is NaN at x = %.6g", x.RawRowView(i))
		}
	}
	return v, nil
}

// pointwise returns the heightFunc of a function of two numbers.
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

// peak returns the maximum of the parabola through the highest node and its eight neighbours. For
// the logarithm of a Gaussian this is exact. If the parabola has no maximum nearby, peak returns
// the value at the node.
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

// contour returns the lines on which the function has the given level, and the rings around the
// region where the function is larger.
func (h *height) contour(level float64) (lines, rings [][]xy, err error) {
	labels := make([]int, len(h.v))
	for i, v := range h.v {
		if v < level {
			labels[i] = 1
		}
	}
	found, err := contour.Trace(h.grid, labels, 2,
		&field{box: h.box, k: 2, scores: func(x mat.Matrix) (*mat.Dense, error) {
			v, err := h.f.at(x.(*mat.Dense))
			if err != nil {
				return nil, err
			}
			a := mat.NewDense(len(v), 2, nil) // column 1 stays 0
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

// contours returns the lines of all levels, and the rings of each level. scale converts a level to
// a value of h. contours also adds the points of the lines to data. The leading columns contain
// keys and the level.
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
