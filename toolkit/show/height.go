package show

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/show/internal/contour"
)

// A height is a function on a box, with its values v at the nodes of a grid.
type height struct {
	box  box
	grid contour.Grid
	f    func(x *mat.Dense) ([]float64, error)
	v    []float64
}

func newHeight(b box, g contour.Grid, f func(x *mat.Dense) ([]float64, error)) (*height, error) {
	h := &height{box: b, grid: g, f: f}
	var err error
	h.v, err = h.at(b.inputs(g.Nodes()))
	return h, err
}

// at returns the values for the rows of x, checked.
func (h *height) at(x *mat.Dense) ([]float64, error) {
	v, err := h.f(x)
	if err != nil {
		return nil, err
	}
	n, _ := x.Dims()
	if len(v) != n {
		return nil, fmt.Errorf("the function returned %d values for %d points", len(v), n)
	}
	for i, a := range v {
		if math.IsNaN(a) {
			return nil, fmt.Errorf("the function is NaN at x = %.6g", x.RawRowView(i))
		}
	}
	return v, nil
}

// pointwise is the f of a height for a function of two numbers.
func pointwise(f func(a, b float64) float64) func(x *mat.Dense) ([]float64, error) {
	return func(x *mat.Dense) ([]float64, error) {
		n, _ := x.Dims()
		out := make([]float64, n)
		for i := range out {
			out[i] = f(x.At(i, 0), x.At(i, 1))
		}
		return out, nil
	}
}

// extremes returns the smallest and largest finite values at the nodes, or false.
func (h *height) extremes() (lo, hi float64, ok bool) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for _, v := range h.v {
		if !math.IsInf(v, 0) {
			lo, hi = min(lo, v), max(hi, v)
		}
	}
	return lo, hi, lo <= hi
}

// peak returns the largest value: that of the parabola through the highest node
// and its eight neighbours, which for the logarithm of a Gaussian is exact.
func (h *height) peak() float64 {
	best := 0
	for i, v := range h.v {
		if v > h.v[best] {
			best = i
		}
	}
	top := h.v[best]
	i, j := best%h.grid.NX, best/h.grid.NX
	if i == 0 || j == 0 || i == h.grid.NX-1 || j == h.grid.NY-1 {
		return top
	}
	at := func(di, dj int) float64 { return h.v[(j+dj)*h.grid.NX+i+di] - top }
	gx, gy := (at(1, 0)-at(-1, 0))/2, (at(0, 1)-at(0, -1))/2
	xx, yy := at(1, 0)+at(-1, 0), at(0, 1)+at(0, -1)
	xy := (at(1, 1) - at(1, -1) - at(-1, 1) + at(-1, -1)) / 4
	det := xx*yy - xy*xy
	dx, dy := (xy*gy-yy*gx)/det, (xy*gx-xx*gy)/det
	if !(xx < 0 && det > 0 && math.Abs(dx) <= 1 && math.Abs(dy) <= 1) {
		return top
	}
	return top + (gx*dx+gy*dy)/2
}

// contour returns the lines along which the function is level, and the rings
// around where it is larger.
func (h *height) contour(level float64) (lines, rings [][]xy, err error) {
	return h.box.contour(h.grid, func(node int) bool { return h.v[node] < level }, func(x *mat.Dense) ([]float64, error) {
		v, err := h.at(x)
		for i := range v {
			v[i] -= level
		}
		return v, err
	})
}

// contour returns the lines on which gap is zero, and the rings around where it is
// positive; below tells at which nodes of the grid it is negative.
func (b box) contour(g contour.Grid, below func(node int) bool, gap func(x *mat.Dense) ([]float64, error)) (lines, rings [][]xy, err error) {
	labels := make([]int, g.NX*g.NY)
	for i := range labels {
		if below(i) {
			labels[i] = 1
		}
	}
	found, err := contour.Trace(g, labels, 2, gapField{b, gap})
	if err != nil {
		return nil, nil, err
	}
	return b.lines(found.Lines), b.rings(found.Regions[0]), nil
}

// gapField is the two-label field of the sign of a function.
type gapField struct {
	box box
	gap func(x *mat.Dense) ([]float64, error)
}

var _ contour.Field = gapField{}

// Cross implements contour.Field.
func (f gapField) Cross(edges []contour.Edge) ([]float64, error) {
	return contour.Roots(edges, false, func(pts []contour.Point, e []contour.Edge) ([]float64, error) {
		gap, err := f.gap(f.box.inputs(pts))
		if err != nil {
			return nil, err
		}
		for i := range gap {
			if e[i].I == 1 {
				gap[i] = -gap[i]
			}
		}
		return gap, nil
	})
}

// Corner implements contour.Field: two labels have no corners.
func (gapField) Corner(contour.Corner) (contour.Point, bool) { return contour.Point{}, false }
