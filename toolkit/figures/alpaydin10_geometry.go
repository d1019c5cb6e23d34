package figures

import (
	"fmt"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

// Alpaydin10x1Options change figure 10.1. The zero value draws the printed form.
type Alpaydin10x1Options struct {
	N      int        `default:"25"`   // points of each class
	Margin float64    `default:"0.35"` // smallest distance between a point and the line that generated the data
	W      [3]float64 // the line w0 + w1·x1 + w2·x2 = 0 to draw; all 0 means that logistic regression finds a line
	Seed   uint64     // seed of the random data
}

// Alpaydin10x1 draws two classes and the line g(x) = w1x1 + w2x2 + w0 = 0 that
// separates them.
//
// Numbers: as in show.Regions; w, the weights, bias first; wrong, the number of
// points on the wrong side or on the line. Errors: a negative N, a margin
// outside 0 … 1, weights that do not define a line.
//
// Equations: Alpaydin (10.1).
func Alpaydin10x1(o Alpaydin10x1Options) (_ *show.Figure, err error) {
	defer named("Alpaydin 10.1", &err)
	o = filled(o)
	d := try(datasets.Separable(datasets.SeparableOptions{N: o.N, Margin: o.Margin, Seed: o.Seed}))
	t := binary(d)
	w := o.W[:]
	if o.W == [3]float64{} {
		// For separable data the weights diverge; this iterate already separates the classes.
		w = try(classify.FitLogistic(d.X, t, classify.LogisticOptions{})).W
	}
	g := try(try(classify.NewHyperplane(w)).Unit())
	wrong := 0
	for i, r := range try(g.Distances(d.X)) {
		if (t[i] == 1) != (r > 0) || r == 0 {
			wrong++
		}
	}
	side := [2]float64{-2.5, 2.5}
	fig := try(show.Regions(g, d,
		show.RegionsOptions{XLabel: "$x_1$", YLabel: "$x_2$", X: side, Y: side, Mistakes: true}))
	check(fig.EqualAxes(0))
	// The arrow of w has length one half and starts at the foot of the line.
	foot := try(g.Foot())
	const length = 0.5
	tip := []float64{foot[0] + length*g.W[0], foot[1] + length*g.W[1]}
	check(
		fig.AddArrow(0, "", foot[0], foot[1], tip[0], tip[1], show.Look{Width: 1.4}),
		fig.AddRightAngle(0, foot[0], foot[1], g.W[0], g.W[1], -g.W[1], g.W[0], show.Look{Width: 0.8, Size: 5}),
		beside(fig, `$\mathbf{w}$`, tip[0], tip[1], g.W[0], g.W[1], show.Look{}))
	addSideNames(fig, g.W, foot, side, side, 11, 15, `$g(\mathbf{x}) > 0$`, `$g(\mathbf{x}) < 0$`)
	fig.AddData("w", g.Weights())
	fig.AddData("wrong", []float64{float64(wrong)})
	fig.Alt = fmt.Sprintf("A line divides the plane; of %d points of two classes %d are on the wrong side.", d.N(),
		wrong)
	return fig, nil
}
