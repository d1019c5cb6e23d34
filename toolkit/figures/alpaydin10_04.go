package figures

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

// Alpaydin10x4Options change figure 10.4. The zero value draws the printed form.
type Alpaydin10x4Options struct {
	N int `default:"30"` // points of each class
	// Lift moves the middle class up, out of the row of the other two classes; 0 leaves the middle
	// class between them. Above about 4 a line separates the middle class from both others.
	Lift float64 `range:"-1e6..1e6"`
	Seed uint64  // seed of the random data
}

// Alpaydin10x4 draws a class between two others. The left panel has a line for each class (10.7),
// and the right panel has a line for each pair (10.9).
//
// Numbers: the numbers of the two panels (see show.Decisions; a. is one against all, b. pairwise);
// a.right and b.right, the number of points that each scheme assigns to the correct class. Errors:
// a negative N, a lift that is not finite.
//
// Equations: Alpaydin (10.9), (10.10).
func Alpaydin10x4(o Alpaydin10x4Options) (_ *show.Figure, err error) {
	defer named("Alpaydin 10.4", &err)
	o = filled(o)
	// The clouds are elongated across the row, so that the lines of the pairs are steep.
	cov := mat.NewSymDense(2, []float64{0.12, 0.1, 0.1, 0.5})
	d := try(datasets.Gaussians(datasets.GaussiansOptions{
		Means: [][]float64{{0, o.Lift}, {-2, 0.5}, {2, -0.5}},
		Covs:  []*mat.SymDense{cov}, N: []int{o.N}, Seed: o.Seed,
	}))
	all := try(classify.FitOneVersusRest(d.X, d.Labels, d.K(), pairMachine, classify.OneVersusRestOptions{}))
	pairs := try(classify.FitOneVersusOne(d.X, d.Labels, d.K(), pairMachine, classify.OneVersusOneOptions{}))
	var (
		panels []*show.Figure
		right  [2]int
	)
	for i, m := range []classify.Decider{all, pairs} {
		fig := try(show.Decisions(m, d, show.DecisionsOptions{
			Title:  []string{"a line for each class", "a line for each pair"}[i],
			XLabel: "$x_1$", YLabel: "$x_2$", X: whole(d, 0), Y: whole(d, 1), Grid: 100,
		}))
		for n, k := range try(m.Decide(d.X)) {
			if k == d.Labels[n] {
				right[i]++
			}
		}
		panels = append(panels, fig)
	}
	fig := try(show.Panels(2, panels...))
	fig.AddData("a.right", []float64{float64(right[0])})
	fig.AddData("b.right", []float64{float64(right[1])})
	fig.Alt = fmt.Sprintf("Three classes, the first between the others. One line per class decides %d of %d points rightly, one line per pair %d.", right[0], d.N(), right[1])
	return fig, nil
}
