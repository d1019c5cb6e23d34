package figures

import (
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

// Alpaydin10x8Options change figure 10.8. The zero value draws the printed form.
type Alpaydin10x8Options struct {
	N          int     `default:"15"`                      // points of each class
	Spread     float64 `default:"0.8" range:"0.001..1000"` // standard deviation of each cloud
	Rate       float64 `default:"0.01"`                    // η
	Iterations []int   `default:"[0, 1, 10, 1000]"`        // iterations to show, in increasing order
	Seed       uint64  // seed of the random data and the first weights
}

// Alpaydin10x8 draws the run of the algorithm for K classes,
//
//	w_ij ← w_ij + η Σ_t (r_i^t − y_i^t) x_j^t,  y = softmax(o),  o_i = w_iᵀx + w_i0  (10.33),
//
// from weights drawn in [−0.01, 0.01]. The panels show the lines after some iterations, the error
// of all iterations, and the algorithm in words.
//
// Numbers: the numbers of the panels (a., b. …: see show.Discriminants; .part is 1 minus the y of
// the class of every point); points.x, .y, .class; trace.iteration, .w0 … .w8, the weights class
// after class, bias first, and .E. Errors: a negative N or rate, an invalid spread, iterations that
// do not increase or are above 100 000.
//
// Equations: Alpaydin (10.29), (10.33).
func Alpaydin10x8(o Alpaydin10x8Options) (_ *show.Figure, err error) {
	defer named("Alpaydin 10.8", &err)
	o = filled(o)
	return o.run(mostPanels).figure(o.Iterations), nil
}

// Alpaydin10x8Chart steps through and plays the run of [Alpaydin10x8]. It shows the lines after
// each update, the contribution of every point to the next update, the error and the points on the
// wrong side. The option Iterations contains the positions of the slider, at most 60. Nil means
// each of the first 20 iterations, and some more up to 1000. Errors: as in Alpaydin10x8.
func Alpaydin10x8Chart(o Alpaydin10x8Options) (_ *show.Chart, err error) {
	defer named("Alpaydin 10.8", &err)
	if o.Iterations == nil {
		o.Iterations = append(upTo(20), 25, 30, 40, 50, 70, 100, 150, 200, 300, 500, 700, 1000)
	}
	return filled(o).run(mostFrames).chart(o.Iterations), nil
}

// run runs gradient descent. most is the largest number of iterations that o may show.
func (o Alpaydin10x8Options) run(most int) *descent {
	last, solver := stepping(o.Iterations, most, o.Rate, o.Seed)
	d := triangle(o.N, o.Spread, o.Seed)
	m := try(classify.FitSoftmax(d.X, d.Labels, d.K(), classify.SoftmaxOptions{MaxIterations: last, Solver: solver}))
	return &descent{
		shows: "Three classes and the lines", data: d, trace: m.Trace, steps: manyClassSteps,
		draw: func(w []float64, title string) (classify.Scorer, *show.Figure) {
			// A step of the trace contains the weights class after class. These are the columns of
			// W.
			lines := try(classify.NewLinearMachine(mat.NewDense(d.K(), 3, w).T()))
			return lines, try(show.Discriminants(lines, d, show.DiscriminantsOptions{
				Title: title, XLabel: "$x_1$", YLabel: "$x_2$", X: whole(d, 0), Y: whole(d, 1), HidePoints: true,
				Tint: true, Grid: 60,
			}))
		},
	}
}
