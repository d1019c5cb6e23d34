package show

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/show/internal/contour"
)

// A box is the rectangle that a panel shows, in data coordinates.
type box struct{ x, y [2]float64 }

// newBox returns a box with the given ranges. It replaces a zero range with the range of the data,
// extended by a margin of 8 %. If all values of a feature are equal, its range still has a positive
// width.
func newBox(d *datasets.Dataset, x, y [2]float64) (box, error) {
	return boxOr(x, y, func(j int, _ string) (lo, hi float64, err error) {
		lo, hi = extremes(mat.Col(nil, j, d.X))
		if tooNarrow(lo, hi) {
			err = fmt.Errorf("%s runs from %v to %v: figures round to nine digits, which hardly distinguish these numbers; subtract the mean, e.g. with d.Standardize()",
				d.FeatureNames[j], lo, hi)
		}
		return lo, hi, err
	})
}

// boxOr returns a box with the given ranges. It replaces a zero range with the range that the
// function `extent` returns for this axis, extended by a margin. The first axis has the number 0
// and the name "X". The second axis has the number 1 and the name "Y".
func boxOr(x, y [2]float64, extent func(axis int, name string) (lo, hi float64, err error)) (box, error) {
	b := box{x, y}
	for j, r := range []*[2]float64{&b.x, &b.y} {
		name := "XY"[j : j+1]
		if *r == ([2]float64{}) {
			lo, hi, err := extent(j, name)
			if err != nil {
				return b, err
			}
			r[0], r[1] = withMargin(lo, hi)
		}
		if err := checkRange(name, *r); err != nil {
			return b, err
		}
	}
	return b, nil
}

// tooNarrow reports whether lo and hi differ, but so little that nine digits, to which figures round,
// hardly distinguish the numbers between lo and hi.
func tooNarrow(lo, hi float64) bool {
	return hi > lo && hi-lo < 1e-6*max(math.Abs(lo), math.Abs(hi))
}

// isRoundingError reports whether the difference between lo and hi is so small that it can be a
// rounding error.
func isRoundingError(lo, hi float64) bool { return hi-lo <= 1e-7*max(math.Abs(lo), math.Abs(hi)) }

// withMargin extends the range lo…hi by 8 % of its length on each side. If lo and hi are equal up
// to rounding, it extends the range by half of their absolute value, or by 1 if both are 0.
func withMargin(lo, hi float64) (float64, float64) {
	pad := 0.08 * (hi - lo)
	if isRoundingError(lo, hi) {
		pad = max(math.Abs(lo), math.Abs(hi)) / 2
		if pad == 0 {
			pad = 1
		}
	}
	return round9(lo - pad), round9(hi + pad)
}

// extremes returns the smallest and the largest of the values that are not infinite. If all values
// are infinite, lo > hi. The values must not be NaN.
func extremes(values []float64) (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for _, v := range values {
		if !math.IsInf(v, 0) {
			lo, hi = min(lo, v), max(hi, v)
		}
	}
	return lo, hi
}

func (b box) size() (w, h float64) { return b.x[1] - b.x[0], b.y[1] - b.y[0] }

// corners returns the four corners of the box as a ring, without the first corner again at the end.
func (b box) corners() []xy { return rectangle(b.x[0], b.y[0], b.x[1], b.y[1]) }

// rectangle returns the four corners of a rectangle as a ring, without the first corner again at
// the end.
func rectangle(x0, y0, x1, y1 float64) []xy {
	return []xy{{X: x0, Y: y0}, {X: x1, Y: y0}, {X: x1, Y: y1}, {X: x0, Y: y1}}
}

// panel returns an empty panel with the ranges of b.
func (b box) panel(xLabel, yLabel string) panel {
	p := newPanel(xLabel, yLabel)
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = b.x[0], b.x[1], b.y[0], b.y[1]
	return p
}

// inputs converts points of the unit square to points of the box, one row of data coordinates for
// each. For no points it returns one row of zeros, because a matrix needs a row.
func (b box) inputs(p []contour.Point) *mat.Dense {
	w, h := b.size()
	x := mat.NewDense(max(1, len(p)), 2, nil)
	for i, q := range p {
		x.Set(i, 0, b.x[0]+q.X*w)
		x.Set(i, 1, b.y[0]+q.Y*h)
	}
	return x
}

// points converts points of the unit square to rounded data coordinates. For a closed line, the
// result ends with the first point again.
func (b box) points(p []contour.Point, closed bool) []xy {
	w, h := b.size()
	ux, uy := unit(b.x), unit(b.y)
	out := make([]xy, 0, len(p)+1)
	for _, q := range p {
		out = append(out, xy{X: snap(b.x[0]+q.X*w, ux), Y: snap(b.y[0]+q.Y*h, uy)})
	}
	if closed && len(out) > 0 {
		out = append(out, out[0])
	}
	return out
}

// lines converts lines to data coordinates. A closed line ends with its first point again. The
// method rings, which is for areas, does not repeat the first point.
func (b box) lines(found []contour.Line) (out [][]xy) {
	for _, l := range found {
		out = append(out, b.points(l.Points, l.Closed))
	}
	return out
}

func (b box) rings(found [][]contour.Point) (out [][]xy) {
	for _, r := range found {
		out = append(out, b.points(r, false))
	}
	return out
}

// unit returns the place value of the ninth digit of max(|r[0]|, |r[1]|), where r is a range. The
// digits of a coordinate after this place contain only rounding errors.
func unit(r [2]float64) float64 {
	return math.Pow(10, math.Floor(math.Log10(max(math.Abs(r[0]), math.Abs(r[1]))))-8)
}

func snap(v, unit float64) float64 { return round9(math.Round(v/unit) * unit) }
