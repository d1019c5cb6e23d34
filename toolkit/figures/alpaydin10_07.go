package figures

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/kernels"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

// Alpaydin10x7Options change figure 10.7. The zero value draws the printed form.
type Alpaydin10x7Options struct {
	N          int     // points of each class; 0 is 12
	Margin     float64 // half the room between the classes, at most 1; 0 is 0.2
	Rate       float64 // η; 0 is 0.02, and from about 0.3 on the steps overshoot
	Iterations []int   // after how many iterations to look, rising; nil is 10, 100, 1000
	Seed       uint64  // of the random data and the first weights
}

func (o Alpaydin10x7Options) filled() Alpaydin10x7Options {
	return filled(o, Alpaydin10x7Options{N: 12, Margin: 0.2, Rate: 0.02, Iterations: []int{10, 100, 1000}})
}

func alpaydin10x7Entry() Entry {
	return entry(Entry{
		ID:      "fig-alpaydin-10.7",
		Title:   "The line and the sigmoid while they learn",
		Source:  "Alpaydin figure 10.7",
		LookFor: "Once the line crosses zero between the classes nothing more is put right: only w grows, and the sigmoid hardens into a step.",
	}, Alpaydin10x7, Alpaydin10x7Chart)
}

// Alpaydin10x7 draws wx + w0 and σ(wx + w0) for two classes of one input after
// some iterations of gradient descent from small random weights.
//
// Numbers: those of the two panels (see show.Curves; a. has the lines, b. the
// sigmoids); points.x and .class; step.iteration, .w0, .w, .norm, the length of
// (w0, w), and .misclassified. Errors: a negative N or rate, a bad margin,
// iterations that do not rise or are above 100 000.
func Alpaydin10x7(o Alpaydin10x7Options) (_ *show.Figure, err error) {
	defer named("Alpaydin 10.7", &err)
	o = o.filled()
	if len(o.Iterations) > 6 {
		return nil, fmt.Errorf("option Iterations has %d numbers; more than 6 curves cannot be told apart", len(o.Iterations))
	}
	d, trace, err := o.run(mostPanels)
	if err != nil {
		return nil, err
	}
	var (
		lines, sigmoids []show.Curve
		steps           []classify.Step
	)
	for _, n := range o.Iterations {
		s := trace[min(n, len(trace)-1)]
		name := fmt.Sprintf("after %d iterations", n)
		lines = append(lines, show.Curve{Name: name, F: func(x float64) float64 { return s.W[0] + s.W[1]*x }})
		sigmoids = append(sigmoids, show.Curve{Name: name, F: func(x float64) float64 { return kernels.Sigmoid(s.W[0] + s.W[1]*x) }})
		steps = append(steps, s)
	}
	top, err := show.Curves(show.CurvesOptions{XLabel: "$x$", YLabel: "$wx + w_0$", From: -2.2, To: 2.2, Y: [2]float64{-5, 5}, Guides: []float64{0}}, lines...)
	if err != nil {
		return nil, err
	}
	bottom, err := show.Curves(show.CurvesOptions{XLabel: "$x$", YLabel: `$\sigma(wx + w_0)$`, From: -2.2, To: 2.2, Y: [2]float64{-0.12, 1.12}, Guides: []float64{0, 0.5, 1}}, sigmoids...)
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
	addSteps(fig, steps)
	fig.Alt = fmt.Sprintf("The line wx + w0 and its sigmoid after %v iterations: both become steeper, the place where they divide the classes hardly moves.", o.Iterations)
	return fig, nil
}

// run makes the updates, to be looked at in at most so many places.
func (o Alpaydin10x7Options) run(most int) (*datasets.Dataset, classify.Trace, error) {
	last, err := lastIteration(o.Iterations, most)
	if err != nil {
		return nil, nil, err
	}
	d, err := datasets.Separable(datasets.SeparableOptions{N: o.N, D: 1, Margin: o.Margin, Seed: o.Seed})
	if err != nil {
		return nil, nil, err
	}
	t, err := d.Target(d.ClassNames[0])
	if err != nil {
		return nil, nil, err
	}
	m, err := classify.FitLogistic(d.X, t, classify.LogisticOptions{
		MaxIterations: last,
		Solver:        classify.GradientDescent{Rate: o.Rate, SmallStart: true, Seed: o.Seed, Every: 1},
	})
	if err != nil {
		return nil, nil, err
	}
	return d, m.Trace, nil
}

// addInputs marks the points of one input: on the line of zeros in the panel of
// the lines, at their targets in that of the sigmoids.
func addInputs(fig *show.Figure, d *datasets.Dataset) error {
	class := make([]float64, d.N())
	for k, name := range d.ClassNames {
		var x, zero, target []float64
		for i, label := range d.Labels {
			if label == k {
				x, zero, target = append(x, d.X.At(i, 0)), append(zero, 0), append(target, float64(1-k))
				class[i] = float64(k)
			}
		}
		look := show.Look{Color: show.ClassColor(k), Marker: k}
		if err := firstError(
			fig.AddMarks(0, "", x, zero, look),
			fig.AddMarks(1, fmt.Sprintf("$C_%s$", name[1:]), x, target, look),
		); err != nil {
			return err
		}
	}
	fig.AddData("points.x", mat.Col(nil, 0, d.X))
	fig.AddData("points.class", class)
	return nil
}

// addSteps appends steps of a fit of one input to the numbers.
func addSteps(fig *show.Figure, steps []classify.Step) {
	var at, w0, w, norm, wrong []float64
	for _, s := range steps {
		at, wrong = append(at, float64(s.Iteration)), append(wrong, float64(s.Misclassified))
		w0, w = append(w0, s.W[0]), append(w, s.W[1])
		norm = append(norm, mat.Norm(mat.NewVecDense(len(s.W), s.W), 2))
	}
	fig.AddData("step.iteration", at)
	fig.AddData("step.w0", w0)
	fig.AddData("step.w", w)
	fig.AddData("step.norm", norm)
	fig.AddData("step.misclassified", wrong)
}
