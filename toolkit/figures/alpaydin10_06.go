package figures

import (
	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

// Alpaydin10x6Options change figure 10.6. The zero value draws the printed form.
type Alpaydin10x6Options struct {
	N          int     `default:"20"`              // points of each class
	Rate       float64 `default:"0.01"`            // η
	Iterations []int   `default:"[0, 1, 10, 300]"` // iterations to show, in increasing order
	Seed       uint64  // seed of the random data and the first weights
}

// Alpaydin10x6 draws the run of the algorithm for two classes,
//
//	w_j ← w_j + η Σ_t (r^t − y^t) x_j^t,  y = σ(wᵀx + w0)  (10.24),
//
// from weights drawn in [−0.01, 0.01]. The panels show the line after some iterations, the error of
// all iterations, and the algorithm in words.
//
// Numbers: the numbers of the panels (a., b. …: see show.Regions; .part is |r − y| of every point);
// points.x, .y, .class; trace.iteration, .w0, .w1, .w2, .E. Errors: a negative N or rate,
// iterations that do not increase or are above 100 000.
//
// Equations: Alpaydin (10.16), (10.17), (10.24).
func Alpaydin10x6(o Alpaydin10x6Options) (_ *show.Figure, err error) {
	defer named("Alpaydin 10.6", &err)
	o = filled(o)
	return o.run(mostPanels).figure(o.Iterations), nil
}

// Alpaydin10x6Chart steps through and plays the run of [Alpaydin10x6]. It shows the line after each
// update, the contribution |r − y| of every point to the next update, the error, the points on the
// wrong side and the weights. The option Iterations contains the positions of the slider, at most
// 60. Nil means each of the first 20 iterations, and some more up to 300. Errors: as in
// Alpaydin10x6.
func Alpaydin10x6Chart(o Alpaydin10x6Options) (_ *show.Chart, err error) {
	defer named("Alpaydin 10.6", &err)
	if o.Iterations == nil {
		o.Iterations = append(upTo(20), 25, 30, 40, 50, 60, 80, 100, 150, 200, 250, 300)
	}
	return filled(o).run(mostFrames).chart(o.Iterations), nil
}

// run runs gradient descent. most is the largest number of iterations that o may show.
func (o Alpaydin10x6Options) run(most int) *descent {
	last, solver := stepping(o.Iterations, most, o.Rate, o.Seed)
	d := try(datasets.TwoGaussians(datasets.TwoGaussiansOptions{N1: o.N, N2: o.N, Seed: o.Seed}))
	m := try(classify.FitLogistic(d.X, binary(d), classify.LogisticOptions{MaxIterations: last, Solver: solver}))
	return &descent{
		shows: "Two classes and the line", data: d, trace: m.Trace, weights: true, steps: twoClassSteps,
		draw: func(w []float64, title string) (classify.Scorer, *show.Figure) {
			line := try(classify.NewHyperplane(w))
			return line, try(show.Regions(line, d, show.RegionsOptions{
				Title: title, XLabel: "$x_1$", YLabel: "$x_2$", X: whole(d, 0), Y: whole(d, 1), HidePoints: true,
				Grid: 40,
			}))
		},
	}
}
