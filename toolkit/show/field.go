package show

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot/plotter"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/show/internal/contour"
)

// defaultGrid is the number of cells along each side of the mesh on which
// regions are looked for. Lines are exact; this bounds the thinnest strip that is
// found and the roundness of curves.
const defaultGrid = 160

// A field is a model on a box: what package contour asks about it.
type field struct {
	box    box
	model  classify.Predictor
	scores func(x mat.Matrix) (*mat.Dense, error) // activations or posteriors; nil if the model has only classes
	k      int
}

var _ contour.Field = (*field)(nil)

func checkGrid(n int) (contour.Grid, error) {
	if n == 0 {
		n = defaultGrid
	}
	if n < 8 || n > 1000 {
		return contour.Grid{}, fmt.Errorf("option Grid is %d; use 8 to 1000 cells, or 0 for %d", n, defaultGrid)
	}
	return contour.Grid{NX: n + 1, NY: n + 1}, nil
}

// traceRegions finds the regions of a model of k classes.
func traceRegions(m classify.Predictor, b box, g contour.Grid, k int) (*contour.Map, error) {
	if isNil(m) {
		return nil, errNilModel
	}
	f := &field{box: b, model: m, k: k}
	x := b.inputs(g.Nodes())
	labels, err := f.labels(x)
	if err != nil {
		return nil, err
	}
	if err := f.chooseScores(x, labels); err != nil {
		return nil, err
	}
	return contour.Trace(g, labels, k, f)
}

// labels returns the classes of the rows of x, checked.
func (f *field) labels(x *mat.Dense) ([]int, error) {
	labels, err := f.model.Predict(x)
	if err != nil {
		return nil, fmt.Errorf("the model cannot predict points of the plane (was it fitted on these two features?): %w", err)
	}
	if n, _ := x.Dims(); len(labels) != n {
		return nil, fmt.Errorf("the model predicts %d classes for %d points", len(labels), n)
	}
	for i, l := range labels {
		if l < 0 || l >= f.k {
			return nil, fmt.Errorf("the model predicts class %d at x = %.6g; the data set has the classes 0 to %d", l, x.RawRowView(i), f.k-1)
		}
	}
	return labels, nil
}

// chooseScores lets activations, else posteriors, say where two classes tie,
// provided that the largest one is the prediction (a rejecting or cost-weighing
// Predict disagrees with them).
func (f *field) chooseScores(x *mat.Dense, labels []int) error {
	var candidates []func(mat.Matrix) (*mat.Dense, error)
	if s, ok := classify.ScorerOf(f.model); ok {
		candidates = append(candidates, s.Scores)
	}
	if p, ok := classify.ProberOf(f.model); ok {
		candidates = append(candidates, p.Posterior)
	}
	for _, c := range candidates {
		a, err := c(x)
		if err != nil {
			return err
		}
		if err := checkTable(a, len(labels), f.k, x); err != nil {
			return err
		}
		if agree(a, labels) {
			f.scores = c
			return nil
		}
	}
	return nil
}

// checkTable reports a table of scores with the wrong shape or NaN.
func checkTable(a *mat.Dense, n, k int, x *mat.Dense) error {
	if a == nil {
		return errors.New("the model returned no scores")
	}
	if r, c := a.Dims(); r != n || c != k {
		return fmt.Errorf("the model returned %d×%d scores for %d points and %d classes; was it fitted on these classes?", r, c, n, k)
	}
	for i := range n {
		for j := range k {
			if math.IsNaN(a.At(i, j)) {
				return fmt.Errorf("the model's score of class %d is NaN at x = %.6g", j, x.RawRowView(i))
			}
		}
	}
	return nil
}

// agree reports whether every label has the largest score, ties and rounding
// aside.
func agree(a *mat.Dense, labels []int) bool {
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
	if f.scores == nil {
		return contour.Roots(edges, true, func(p []contour.Point, e []contour.Edge) ([]float64, error) {
			labels, err := f.labels(f.box.inputs(p))
			if err != nil {
				return nil, err
			}
			gap := make([]float64, len(p))
			for i, l := range labels {
				gap[i] = -1
				if l == e[i].I {
					gap[i] = 1
				}
			}
			return gap, nil
		})
	}
	return contour.Roots(edges, false, func(p []contour.Point, e []contour.Edge) ([]float64, error) {
		x := f.box.inputs(p)
		a, err := f.scores(x)
		if err != nil {
			return nil, err
		}
		if err := checkTable(a, len(p), f.k, x); err != nil {
			return nil, err
		}
		gap := make([]float64, len(p))
		for i := range gap {
			gap[i] = a.At(i, e[i].I) - a.At(i, e[i].J)
		}
		return gap, nil
	})
}

// Corner implements contour.Field: Newton's method on the two differences of the
// three scores, with differences over a thousandth of the box. For linear scores
// the first step is exact.
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

// inputs returns points of the unit square as rows of data coordinates.
func (b box) inputs(p []contour.Point) *mat.Dense {
	w, h := b.size()
	x := mat.NewDense(max(1, len(p)), 2, nil)
	for i, q := range p {
		x.Set(i, 0, b.x[0]+q.X*w)
		x.Set(i, 1, b.y[0]+q.Y*h)
	}
	return x
}

// points returns points of the unit square in data coordinates, rounded.
func (b box) points(p []contour.Point, closed bool) []plotter.XY {
	w, h := b.size()
	ux, uy := unit(b.x), unit(b.y)
	out := make([]plotter.XY, 0, len(p)+1)
	for _, q := range p {
		out = append(out, plotter.XY{X: snap(b.x[0]+q.X*w, ux), Y: snap(b.y[0]+q.Y*h, uy)})
	}
	if closed && len(out) > 0 {
		out = append(out, out[0])
	}
	return out
}

// lines returns lines in data coordinates, rings closed areas without the last point
// that closes them.
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

// unit returns the ninth digit of the larger end of a range: what is left of a
// coordinate near zero beyond it is noise.
func unit(r [2]float64) float64 {
	return math.Pow(10, math.Floor(math.Log10(max(math.Abs(r[0]), math.Abs(r[1]))))-8)
}

func snap(v, unit float64) float64 { return round9(math.Round(v/unit) * unit) }
