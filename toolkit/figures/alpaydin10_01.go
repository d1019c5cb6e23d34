package figures

import (
	"fmt"
	"math"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

// Alpaydin10x1Options change figure 10.1. The zero value draws the printed form.
type Alpaydin10x1Options struct {
	N      int        // points of each class; 0 is 25
	Margin float64    // no point lies nearer than this to the line that made the data; 0 is 0.35
	W      [3]float64 // a line of one's own, w0 + w1·x1 + w2·x2 = 0; all 0: logistic regression finds one
	Seed   uint64     // of the random data
}

func (o Alpaydin10x1Options) filled() Alpaydin10x1Options {
	return filled(o, Alpaydin10x1Options{N: 25, Margin: 0.35})
}

func alpaydin10x1Entry() Entry {
	return entry(Entry{
		ID:      "fig-alpaydin-10.1",
		Title:   "A line that separates two classes",
		Source:  "Alpaydin figure 10.1",
		LookFor: "All points of C₁ lie where g(x) > 0, all of C₂ where g(x) < 0. Put in a line of your own and count what is then on the wrong side.",
	}, Alpaydin10x1, nil)
}

// Alpaydin10x1 draws two classes and the line g(x) = w1x1 + w2x2 + w0 = 0 that
// separates them.
//
// Numbers: those of show.Regions; w, the weights, bias first; wrong, how many
// points lie on the wrong side or on the line. Errors: a negative N, a margin
// outside 0 … 1, weights that are no line.
func Alpaydin10x1(o Alpaydin10x1Options) (_ *show.Figure, err error) {
	defer named("Alpaydin 10.1", &err)
	o = o.filled()
	d, err := datasets.Separable(datasets.SeparableOptions{N: o.N, Margin: o.Margin, Seed: o.Seed})
	if err != nil {
		return nil, err
	}
	t, err := d.Target(d.ClassNames[0])
	if err != nil {
		return nil, err
	}
	w := o.W[:]
	if o.W == [3]float64{} {
		// Of separable data this is an iterate on the way to infinity, a separating one.
		m, err := classify.FitLogistic(d.X, t, classify.LogisticOptions{})
		if err != nil {
			return nil, err
		}
		w = m.W
	}
	g, err := classify.NewHyperplane(w)
	if err != nil {
		return nil, err
	}
	if g, err = g.Unit(); err != nil {
		return nil, err
	}
	distance, err := g.Distances(d.X)
	if err != nil {
		return nil, err
	}
	wrong := 0
	for i, r := range distance {
		if (t[i] == 1) != (r > 0) || r == 0 {
			wrong++
		}
	}
	side := [2]float64{-2.5, 2.5}
	fig, err := show.Regions(g, d, show.RegionsOptions{XLabel: "$x_1$", YLabel: "$x_2$", X: side, Y: side, Mistakes: true})
	if err != nil {
		return nil, err
	}
	if err := fig.EqualAxes(0); err != nil {
		return nil, err
	}
	if err := sideNames(fig, g, side[1]); err != nil {
		return nil, err
	}
	fig.AddData("w", g.Weights())
	fig.AddData("wrong", []float64{float64(wrong)})
	fig.Alt = fmt.Sprintf("A line divides the plane; of %d points of two classes %d are on the wrong side.", d.N(), wrong)
	return fig, nil
}

// sideNames draws w, of length one half, where the line g = 0 passes nearest to
// the middle of the picture, and writes the sign of g into the two corners
// farthest from the line.
func sideNames(fig *show.Figure, g *classify.Hyperplane, half float64) error {
	foot, err := g.Foot()
	if err != nil {
		return err
	}
	const length = 0.5
	tip := []float64{foot[0] + length*g.W[0], foot[1] + length*g.W[1]}
	if err := fig.AddArrow(0, "", foot[0], foot[1], tip[0], tip[1], show.Look{Width: 1.4}); err != nil {
		return err
	}
	if err := fig.AddRightAngle(0, foot[0], foot[1], g.W[0], g.W[1], -g.W[1], g.W[0], show.Look{Width: 0.8, Size: 5}); err != nil {
		return err
	}
	if err := beside(fig, `$\mathbf{w}$`, tip[0], tip[1], g.W[0], g.W[1], show.Look{}); err != nil {
		return err
	}
	for k, label := range []string{`$g(\mathbf{x}) > 0$`, `$g(\mathbf{x}) < 0$`} {
		sign := float64(1 - 2*k)
		corner := []float64{math.Copysign(half, sign*g.W[0]), math.Copysign(half, sign*g.W[1])}
		// A line that misses the picture leaves no corner on one side.
		if v, err := g.Value(corner); err != nil || sign*v <= 0 {
			continue
		}
		look := show.Look{Size: 11, Color: show.ClassColor(k)}
		dx, dy := 8.0, 8.0
		if corner[0] > 0 {
			look.Align, dx = -1, -8
		}
		if corner[1] > 0 {
			dy = -15
		}
		if err := fig.AddText(0, label, corner[0], corner[1], dx, dy, look); err != nil {
			return err
		}
	}
	return nil
}
