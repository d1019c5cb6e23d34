package figures

import (
	"fmt"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/kernels"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

// Alpaydin10x7Chart moves through the run of [Alpaydin10x7]: the line and the sigmoid
// after so many iterations, with those of the positions before behind them, the
// length of the weights and the points on the wrong side. Iterations are the
// positions of the slider, up to 60; nil is 0, 1, 2, 5, 10, 20 … 1000. Errors: as
// Alpaydin10x7.
func Alpaydin10x7Chart(o Alpaydin10x7Options) (_ *show.Chart, err error) {
	defer named("Alpaydin 10.7", &err)
	if len(o.Iterations) == 0 {
		o.Iterations = []int{0, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000}
	}
	o = o.filled()
	d, trace, err := o.run(mostFrames)
	if err != nil {
		return nil, err
	}
	return show.Sliders(
		func(at []int) (*show.Figure, error) { return alpaydin10x7Frame(d, trace, o.Iterations[:at[0]+1]) },
		show.Slider{Name: "iterations", Labels: counted(o.Iterations), Play: true})
}

// alpaydin10x7Frame draws the line and the sigmoid at the last of these iterations,
// before those at the others.
//
// Numbers: a.now.x and .y, the line; b.now.x and .y, the sigmoid; points. and step.
// as in Alpaydin10x7.
func alpaydin10x7Frame(d *datasets.Dataset, trace classify.Trace, iterations []int) (*show.Figure, error) {
	var lines, sigmoids []func(float64) float64
	var s classify.Step
	for _, n := range iterations {
		s = trace[min(n, len(trace)-1)]
		w := s.W
		lines = append(lines, func(x float64) float64 { return w[0] + w[1]*x })
		sigmoids = append(sigmoids, func(x float64) float64 { return kernels.Sigmoid(w[0] + w[1]*x) })
	}
	from, to := -2.2, 2.2
	line := fmt.Sprintf("after %s: w₀ = %s, w = %s", plural(s.Iteration, "iteration"), decimals(2, s.W[0]), decimals(2, s.W[1]))
	wrong := mistaken(s.Misclassified, d.N())
	top, err := trail(trailOptions{title: line, name: "now", xLabel: "$x$", yLabel: "$wx + w_0$", from: from, to: to, y: [2]float64{-5, 5}, guides: []float64{0}, points: 2}, lines)
	if err != nil {
		return nil, err
	}
	bottom, err := trail(trailOptions{title: wrong, name: "now", xLabel: "$x$", yLabel: `$\sigma(wx + w_0)$`, from: from, to: to, y: [2]float64{-0.12, 1.12}, guides: []float64{0, 0.5, 1}, points: 111}, sigmoids)
	if err != nil {
		return nil, err
	}
	fig, err := show.Panels(1, top, bottom)
	if err != nil {
		return nil, err
	}
	if err := addInputs(fig, d); err != nil {
		return nil, err
	}
	addSteps(fig, []classify.Step{s})
	fig.Alt = fmt.Sprintf("The line wx + w0 and its sigmoid after %s, with two classes of points of which %d are on the wrong side.", plural(s.Iteration, "iteration"), s.Misclassified)
	return fig, nil
}

// mistaken says how many of n points are on the wrong side.
func mistaken(wrong, n int) string { return fmt.Sprintf("%d of %d points wrong", wrong, n) }
