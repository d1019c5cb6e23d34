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
	N        int    `default:"50"`               // points of each class
	Outliers int    `default:"8" range:"0..1e6"` // points far out on the right side
	Seed     uint64 // of the random data
}

// PRML4x4 draws two classes with the boundaries of least squares and logistic
// regression, without and with a few outliers on the right side of both.
//
// Numbers: those of the two panels (see show.Boundaries; a. is without, b. with
// outliers) and turn.least squares and turn.logistic, the angle in degrees by
// which each boundary turns. Errors: negative counts, or data on which a fit fails.
//
// Equations: PRML (4.16), (4.17).
func PRML4x4(o PRML4x4Options) (_ *show.Figure, err error) {
	defer named("PRML 4.4", &err)
	o = filled(o)
	return newPull(o, o.Outliers).figure(o.Outliers), nil
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
func newPull(o PRML4x4Options, most int) *pull {
	clean, with, err := datasets.Outliers(datasets.OutliersOptions{N: o.N, Outliers: most, Seed: o.Seed})
	check(err)
	p := &pull{data: with, n: clean.N()}
	p.clean = p.bounds(0, "without outliers")
	return p
}

// bounds fits both models to the data with that many outliers, none included.
func (p *pull) bounds(outliers int, title string) *bounds {
	rows := make([]int, p.n+outliers)
	for i := range rows {
		rows[i] = i
	}
	d := try(p.data.Rows(rows...))
	ls := try(classify.FitLeastSquares(d.X, d.Labels, d.K(), classify.LeastSquaresOptions{}))
	lg := try(classify.FitLogistic(d.X, binary(d), classify.LogisticOptions{}))
	fig := try(show.Boundaries(d, show.BoundariesOptions{
		Title: title,
		X:     whole(p.data, 0), Y: whole(p.data, 1), // all panels show the place of the outliers
		Grid: 24, // straight lines need no fine mesh
	}, show.Named{Name: "logistic regression", Model: lg}, show.Named{Name: "least squares", Model: ls}))
	return &bounds{fig, []float64{ls.W.At(1, 0) - ls.W.At(1, 1), ls.W.At(2, 0) - ls.W.At(2, 1)}, lg.W[1:]}
}

// figure is the panel without outliers and that with so many.
func (p *pull) figure(outliers int) *show.Figure {
	with := p.bounds(outliers, "with outliers")
	fig := try(show.Panels(2, p.clean.fig, with.fig))
	turnLS, turnLG := turn(p.clean.squares, with.squares), turn(p.clean.logistic, with.logistic)
	fig.AddData("turn.least squares", []float64{turnLS})
	fig.AddData("turn.logistic", []float64{turnLG})
	fig.Alt = fmt.Sprintf("Two classes with the boundaries of least squares and logistic regression, without and with %d outliers. The outliers turn the first by %.0f degrees and the second by %.0f.", outliers, turnLS, turnLG)
	return fig
}

// turn returns the angle between two lines with normals a and b, in degrees
// from 0 to 90, to a millionth: beyond that it is rounding error.
func turn(a, b []float64) float64 {
	cross := a[0]*b[1] - a[1]*b[0]
	dot := a[0]*b[0] + a[1]*b[1]
	return math.Round(math.Atan2(math.Abs(cross), math.Abs(dot))*180/math.Pi*1e6) / 1e6
}

// PRML4x4Chart is [PRML4x4] with a slider for the number of outliers, from none to
// twenty (or to that of the options, if it is more), which starts at that of the
// options. Both models are fitted again at every position. Errors: those of
// [PRML4x4].
//
// Equations: PRML (4.16), (4.17).
func PRML4x4Chart(o PRML4x4Options) (_ *show.Chart, err error) {
	defer named("PRML 4.4", &err)
	o = filled(o)
	counts, start := outlierCounts(o.Outliers)
	p := newPull(o, counts[len(counts)-1])
	return sliders(func(at []int) *show.Figure { return p.live(counts[at[0]]) },
		show.Slider{Name: "outliers", Labels: counted(counts), Start: start}), nil
}

// outlierCounts are the positions of the slider, with n among them.
func outlierCounts(n int) (counts []int, start int) {
	const steps = 20
	most := max(steps, n)
	for i := range steps + 1 {
		counts = append(counts, int(math.Round(float64(i)*float64(most)/steps)))
		if counts[i] == n {
			start = i
		}
	}
	return counts, start
}

// live is the figure with the turns in its title.
func (p *pull) live(outliers int) *show.Figure {
	fig := p.figure(outliers)
	fig.Panel(1).Title.Text = "with " + plural(outliers, "outlier")
	fig.Title = fmt.Sprintf("least squares turns by %.1f°, logistic regression by %.1f°",
		single(fig.Data(), "turn.least squares"), single(fig.Data(), "turn.logistic"))
	fig.Height += 0.3
	return fig
}
