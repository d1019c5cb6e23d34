package figures

import (
	"fmt"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

// Alpaydin10x6Options change figure 10.6. The zero value draws the printed form.
type Alpaydin10x6Options struct {
	N          int     // points of each class; 0 is 20
	Rate       float64 // η; 0 is 0.01
	Iterations []int   // after how many iterations to look, rising; nil is 0, 10, 300
	Seed       uint64  // of the random data and the first weights
}

func (o Alpaydin10x6Options) filled() Alpaydin10x6Options {
	return filled(o, Alpaydin10x6Options{N: 20, Rate: 0.01, Iterations: []int{0, 10, 300}})
}

func alpaydin10x6Entry() Entry {
	return entry(Entry{
		ID:      "fig-alpaydin-10.6",
		Title:   "Gradient descent for two classes, stepped",
		Source:  "Alpaydin figure 10.6",
		LookFor: "Every point pulls the line with the force |r − y|. In the beginning all pull alike; in the end only those near the line and on its wrong side.",
	}, Alpaydin10x6, Alpaydin10x6Chart)
}

// Alpaydin10x6 draws the run of the algorithm for two classes,
//
//	w_j ← w_j + η Σ_t (r^t − y^t) x_j^t,  y = σ(wᵀx + w0)  (10.24),
//
// from weights drawn in [−0.01, 0.01]: the line after some iterations, and the
// error of all.
//
// Numbers: those of the panels (a., b. …: see show.Regions; .part is |r − y| of
// every point); points.x, .y, .class; trace.iteration, .w0, .w1, .w2, .E. Errors:
// a negative N or rate, iterations that do not rise or are above 100 000.
func Alpaydin10x6(o Alpaydin10x6Options) (_ *show.Figure, err error) {
	defer named("Alpaydin 10.6", &err)
	o = o.filled()
	run, err := o.run(mostPanels)
	if err != nil {
		return nil, err
	}
	return run.figure(o.Iterations)
}

// Alpaydin10x6Chart steps and plays the run of [Alpaydin10x6]: the line after each
// update, with the part of every point in the next one, the error, the points on
// the wrong side and the weights. Iterations are the positions of the slider, up to
// 60; nil is each of the first 20, and some more up to 300. Errors: as Alpaydin10x6.
func Alpaydin10x6Chart(o Alpaydin10x6Options) (_ *show.Chart, err error) {
	defer named("Alpaydin 10.6", &err)
	if len(o.Iterations) == 0 {
		o.Iterations = append(upTo(20), 25, 30, 40, 50, 60, 80, 100, 150, 200, 250, 300)
	}
	run, err := o.filled().run(mostFrames)
	if err != nil {
		return nil, err
	}
	return run.chart(o.Iterations)
}

// run makes the updates, to be looked at in at most so many places.
func (o Alpaydin10x6Options) run(most int) (*descent, error) {
	last, err := lastIteration(o.Iterations, most)
	if err != nil {
		return nil, err
	}
	d, err := datasets.TwoGaussians(datasets.TwoGaussiansOptions{N1: o.N, N2: o.N, Seed: o.Seed})
	if err != nil {
		return nil, err
	}
	t, err := d.Target(d.ClassNames[0])
	if err != nil {
		return nil, err
	}
	m, err := classify.FitLogistic(d.X, t, classify.LogisticOptions{
		MaxIterations: last,
		Solver:        classify.GradientDescent{Rate: o.Rate, SmallStart: true, Seed: o.Seed, Every: 1},
	})
	if err != nil {
		return nil, err
	}
	return &descent{
		shows: "Two classes and the line", data: d, trace: m.Trace, weights: true,
		machine: func(w []float64) (classify.Scorer, error) { return classify.NewHyperplane(w) },
		draw: func(m classify.Scorer, title string) (*show.Figure, error) {
			return show.Regions(m.(classify.Predictor), d, show.RegionsOptions{
				Title: title, XLabel: "$x_1$", YLabel: "$x_2$", X: whole(d, 0), Y: whole(d, 1), HidePoints: true, Grid: 40,
			})
		},
	}, nil
}

// How often a run can be looked at: in panels of a picture, in frames of a chart.
const (
	mostPanels = 7
	mostFrames = 60
)

// lastIteration checks the iterations at which to look, and returns the last.
func lastIteration(iterations []int, most int) (int, error) {
	for i, n := range iterations {
		if n < 0 || n > 100_000 || i > 0 && n <= iterations[i-1] {
			return 0, fmt.Errorf("option Iterations is %v; it must rise, from 0 to 100 000 at most", iterations)
		}
	}
	last := iterations[len(iterations)-1]
	if len(iterations) > most || last == 0 {
		return 0, fmt.Errorf("option Iterations is %v; give one to %d numbers, the last above 0", iterations, most)
	}
	return last, nil
}

// upTo returns 0, 1, … n.
func upTo(n int) (all []int) {
	for i := range n + 1 {
		all = append(all, i)
	}
	return all
}
