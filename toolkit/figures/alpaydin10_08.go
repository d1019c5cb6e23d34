package figures

import (
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

// Alpaydin10x8Options change figure 10.8. The zero value draws the printed form.
type Alpaydin10x8Options struct {
	N          int     // points of each class; 0 is 15
	Spread     float64 // standard deviation of each cloud; 0 is 0.8
	Rate       float64 // η; 0 is 0.01
	Iterations []int   // after how many iterations to look, rising; nil is 0, 10, 1000
	Seed       uint64  // of the random data and the first weights
}

func (o Alpaydin10x8Options) filled() Alpaydin10x8Options {
	return filled(o, Alpaydin10x8Options{N: 15, Spread: 0.8, Rate: 0.01, Iterations: []int{0, 10, 1000}})
}

func alpaydin10x8Entry() Entry {
	return entry(Entry{
		ID:      "fig-alpaydin-10.8",
		Title:   "Gradient descent for K classes, stepped",
		Source:  "Alpaydin figure 10.8",
		LookFor: "The same update for every class, with y the softmax of all g. Each g_i = 0 moves between its class and the others; the thick boundary is where the two largest agree.",
	}, Alpaydin10x8, Alpaydin10x8Chart)
}

// Alpaydin10x8 draws the run of the algorithm for K classes,
//
//	w_ij ← w_ij + η Σ_t (r_i^t − y_i^t) x_j^t,  y = softmax(o),  o_i = w_iᵀx + w_i0  (10.33),
//
// from weights drawn in [−0.01, 0.01]: the lines after some iterations, and the
// error of all.
//
// Numbers: those of the panels (a., b. …: see show.Discriminants; .part is 1 less
// the y of the class of every point); points.x, .y, .class; trace.iteration, .w0
// … .w8, the weights class after class, bias first, and .E. Errors: a negative N
// or rate, a bad spread, iterations that do not rise or are above 100 000.
func Alpaydin10x8(o Alpaydin10x8Options) (_ *show.Figure, err error) {
	defer named("Alpaydin 10.8", &err)
	o = o.filled()
	run, err := o.run(mostPanels)
	if err != nil {
		return nil, err
	}
	return run.figure(o.Iterations)
}

// Alpaydin10x8Chart steps and plays the run of [Alpaydin10x8]: the lines after each
// update, with the part of every point in the next one, the error and the points on
// the wrong side. Iterations are the positions of the slider, up to 60; nil is each
// of the first 20, and some more up to 1000. Errors: as Alpaydin10x8.
func Alpaydin10x8Chart(o Alpaydin10x8Options) (_ *show.Chart, err error) {
	defer named("Alpaydin 10.8", &err)
	if len(o.Iterations) == 0 {
		o.Iterations = append(upTo(20), 25, 30, 40, 50, 70, 100, 150, 200, 300, 500, 700, 1000)
	}
	run, err := o.filled().run(mostFrames)
	if err != nil {
		return nil, err
	}
	return run.chart(o.Iterations)
}

// run makes the updates, to be looked at in at most so many places.
func (o Alpaydin10x8Options) run(most int) (*descent, error) {
	last, err := lastIteration(o.Iterations, most)
	if err != nil {
		return nil, err
	}
	d, err := triangle(o.N, o.Spread, o.Seed)
	if err != nil {
		return nil, err
	}
	m, err := classify.FitSoftmax(d.X, d.Labels, d.K(), classify.SoftmaxOptions{
		MaxIterations: last,
		Solver:        classify.GradientDescent{Rate: o.Rate, SmallStart: true, Seed: o.Seed, Every: 1},
	})
	if err != nil {
		return nil, err
	}
	return &descent{
		shows: "Three classes and the lines", data: d, trace: m.Trace,
		machine: func(w []float64) (classify.Scorer, error) {
			// The trace has the weights class after class: the columns of W.
			return classify.NewLinearMachine(mat.NewDense(d.K(), 3, w).T())
		},
		draw: func(m classify.Scorer, title string) (*show.Figure, error) {
			return show.Discriminants(m, d, show.DiscriminantsOptions{
				Title: title, XLabel: "$x_1$", YLabel: "$x_2$", X: whole(d, 0), Y: whole(d, 1), HidePoints: true, Tint: true, Grid: 60,
			})
		},
	}, nil
}
