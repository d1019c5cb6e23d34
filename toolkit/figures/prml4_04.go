package figures

import (
	"fmt"
	"math"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

// PRML4x4Options change figure 4.4. The zero value draws the printed form.
type PRML4x4Options struct {
	N        int    // points of each class; 0 is 50
	Outliers int    // points far out on the right side; 0 is 8
	Seed     uint64 // of the random data
}

func (o PRML4x4Options) filled() PRML4x4Options {
	return filled(o, PRML4x4Options{N: 50, Outliers: 8})
}

func prml4x4Entry() Entry {
	return entry(Entry{
		ID:      "fig-prml-4.4",
		Title:   "Outliers pull least squares, not logistic regression",
		Source:  "PRML figure 4.4",
		LookFor: "The added points lie deep on their own side. Least squares still turns towards them, because it punishes being too right; the logistic boundary stays.",
	}, PRML4x4, PRML4x4Chart)
}

// PRML4x4 draws two classes with the boundaries of least squares and logistic
// regression, without and with a few outliers on the right side of both.
//
// Numbers: those of the two panels (see show.Boundaries; a. is without, b. with
// outliers) and turn.least squares and turn.logistic, the angle in degrees by
// which each boundary turns. Errors: negative counts, or data on which a fit fails.
func PRML4x4(o PRML4x4Options) (_ *show.Figure, err error) {
	defer named("PRML 4.4", &err)
	return prml4x4(o.filled())
}

func prml4x4(o PRML4x4Options) (*show.Figure, error) {
	p, err := newPull(o, o.Outliers)
	if err != nil {
		return nil, err
	}
	return p.figure(o.Outliers)
}

// A pull is the comparison of boundaries without outliers and with some.
type pull struct {
	data  *datasets.Dataset // with the most outliers that are shown, at the end
	n     int               // rows that are none
	clean *bounds
}

// bounds are the two boundaries of a data set.
type bounds struct {
	fig               *show.Figure
	squares, logistic []float64 // their normals
}

// newPull draws the panel without outliers; the data have most of them.
func newPull(o PRML4x4Options, most int) (*pull, error) {
	clean, with, err := datasets.Outliers(datasets.OutliersOptions{N: o.N, Outliers: most, Seed: o.Seed})
	if err != nil {
		return nil, err
	}
	p := &pull{data: with, n: clean.N()}
	p.clean, err = p.bounds(0, "without outliers")
	return p, err
}

// bounds fits both models to the data with that many outliers, none included.
func (p *pull) bounds(outliers int, title string) (*bounds, error) {
	rows := make([]int, p.n+outliers)
	for i := range rows {
		rows[i] = i
	}
	d, err := p.data.Rows(rows...)
	if err != nil {
		return nil, err
	}
	t, err := d.Target(d.ClassNames[0])
	if err != nil {
		return nil, err
	}
	ls, err := classify.FitLeastSquares(d.X, d.Labels, d.K(), classify.LeastSquaresOptions{})
	if err != nil {
		return nil, err
	}
	lg, err := classify.FitLogistic(d.X, t, classify.LogisticOptions{})
	if err != nil {
		return nil, err
	}
	fig, err := show.Boundaries(d, show.BoundariesOptions{
		Title: title,
		X:     whole(p.data, 0), Y: whole(p.data, 1), // all panels show the place of the outliers
		Grid: 24, // straight lines need no fine mesh
	}, show.Named{Name: "logistic regression", Model: lg}, show.Named{Name: "least squares", Model: ls})
	if err != nil {
		return nil, err
	}
	return &bounds{fig, []float64{ls.W.At(1, 0) - ls.W.At(1, 1), ls.W.At(2, 0) - ls.W.At(2, 1)}, lg.W[1:]}, nil
}

// figure is the panel without outliers and that with so many.
func (p *pull) figure(outliers int) (*show.Figure, error) {
	with, err := p.bounds(outliers, "with outliers")
	if err != nil {
		return nil, err
	}
	fig, err := show.Panels(2, p.clean.fig, with.fig)
	if err != nil {
		return nil, err
	}
	turnLS, turnLG := turn(p.clean.squares, with.squares), turn(p.clean.logistic, with.logistic)
	fig.AddData("turn.least squares", []float64{turnLS})
	fig.AddData("turn.logistic", []float64{turnLG})
	fig.Alt = fmt.Sprintf("Two classes with the boundaries of least squares and logistic regression, without and with %d outliers. The outliers turn the first by %.0f degrees and the second by %.0f.", outliers, turnLS, turnLG)
	return fig, nil
}

// whole returns whole numbers at least one half outside the values of a column.
func whole(d *datasets.Dataset, column int) [2]float64 {
	lo, hi := math.Inf(1), math.Inf(-1)
	for i := range d.N() {
		v := d.X.At(i, column)
		lo, hi = min(lo, v), max(hi, v)
	}
	return [2]float64{math.Floor(lo - 0.5), math.Ceil(hi + 0.5)}
}

// turn returns the angle between two lines with normals a and b, in degrees
// from 0 to 90, to a millionth: beyond that it is rounding error.
func turn(a, b []float64) float64 {
	cross := a[0]*b[1] - a[1]*b[0]
	dot := a[0]*b[0] + a[1]*b[1]
	return math.Round(math.Atan2(math.Abs(cross), math.Abs(dot))*180/math.Pi*1e6) / 1e6
}
