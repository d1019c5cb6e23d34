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
	if o.N == 0 {
		o.N = 50
	}
	if o.Outliers == 0 {
		o.Outliers = 8
	}
	return o
}

func prml4x4Entry() Entry {
	o := PRML4x4Options{}.filled()
	return Entry{
		ID:         "fig-prml-4.4",
		Title:      "Outliers pull least squares, not logistic regression",
		Source:     "PRML figure 4.4",
		LookFor:    "The added points lie deep on their own side. Least squares still turns towards them, because it punishes being too right; the logistic boundary stays.",
		Call:       "figures.PRML4x4(figures.PRML4x4Options{})",
		Parameters: o,
		Seed:       &o.Seed,
		Draw:       func() (*show.Figure, error) { return PRML4x4(PRML4x4Options{}) },
	}
}

// PRML4x4 draws two classes with the boundaries of least squares and logistic
// regression, without and with a few outliers on the right side of both.
//
// Numbers: those of the two panels (see show.Boundaries; a. is without, b. with
// outliers) and turn.least squares and turn.logistic, the angle in degrees by
// which each boundary turns. Errors: negative counts, or data on which a fit fails.
func PRML4x4(o PRML4x4Options) (*show.Figure, error) {
	o = o.filled()
	clean, with, err := datasets.Outliers(datasets.OutliersOptions{N: o.N, Outliers: o.Outliers, Seed: o.Seed})
	if err != nil {
		return nil, fmt.Errorf("figures: PRML 4.4: %w", err)
	}
	var (
		panels            []*show.Figure
		squares, logistic [][]float64 // the normals of the boundaries
	)
	for i, d := range []*datasets.Dataset{clean, with} {
		t, err := d.Target(d.ClassNames[0])
		if err != nil {
			return nil, fmt.Errorf("figures: PRML 4.4: %w", err)
		}
		ls, err := classify.FitLeastSquares(d.X, d.Labels, d.K(), classify.LeastSquaresOptions{})
		if err != nil {
			return nil, fmt.Errorf("figures: PRML 4.4: %w", err)
		}
		lg, err := classify.FitLogistic(d.X, t, classify.LogisticOptions{})
		if err != nil {
			return nil, fmt.Errorf("figures: PRML 4.4: %w", err)
		}
		squares = append(squares, []float64{ls.W.At(1, 0) - ls.W.At(1, 1), ls.W.At(2, 0) - ls.W.At(2, 1)})
		logistic = append(logistic, lg.W[1:])
		fig, err := show.Boundaries(d, show.BoundariesOptions{
			Title: []string{"without outliers", "with outliers"}[i],
			X:     whole(with, 0), Y: whole(with, 1), // both panels show the place of the outliers
		}, show.Named{Name: "logistic regression", Model: lg}, show.Named{Name: "least squares", Model: ls})
		if err != nil {
			return nil, fmt.Errorf("figures: PRML 4.4: %w", err)
		}
		panels = append(panels, fig)
	}
	fig, err := show.Panels(2, panels...)
	if err != nil {
		return nil, fmt.Errorf("figures: PRML 4.4: %w", err)
	}
	turnLS, turnLG := turn(squares[0], squares[1]), turn(logistic[0], logistic[1])
	fig.AddData("turn.least squares", []float64{turnLS})
	fig.AddData("turn.logistic", []float64{turnLG})
	fig.Alt = fmt.Sprintf("Two classes with the boundaries of least squares and logistic regression, without and with %d outliers. The outliers turn the first by %.0f degrees and the second by %.0f.", o.Outliers, turnLS, turnLG)
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
