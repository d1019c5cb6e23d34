package figures

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

// Alpaydin10x3Options change figure 10.3. The zero value draws the printed form.
type Alpaydin10x3Options struct {
	N      int     `default:"30"`                       // points of each class
	Spread float64 `default:"0.45" range:"0.001..1000"` // standard deviation; above about 1 the classes overlap
	Seed   uint64  // seed of the random data
}

// Alpaydin10x3 draws three classes and, for each class, the line g_i(x) = 0 that separates the
// class from the others (10.7). The area where no g_i is positive, or where several are positive,
// is hatched. The figure also shows the boundary of the largest g_i (10.8).
//
// Numbers: as in show.Decisions; largest gi.x and .y, the boundary of the largest g_i, with NaN
// between its pieces; W.class, .w0, .w1, .w2, the weights. Errors: a negative N, an invalid spread.
//
// Equations: Alpaydin (10.6)–(10.8).
func Alpaydin10x3(o Alpaydin10x3Options) (_ *show.Figure, err error) {
	defer named("Alpaydin 10.3", &err)
	o = filled(o)
	d := triangle(o.N, o.Spread, o.Seed)
	m := try(classify.FitOneVersusRest(d.X, d.Labels, d.K(), pairMachine, classify.OneVersusRestOptions{}))
	x, y := [2]float64{-3.6, 3.6}, [2]float64{-2.8, 3.6}
	fig := try(show.Decisions(m, d, show.DecisionsOptions{XLabel: "$x_1$", YLabel: "$x_2$", X: x, Y: y}))
	// On these pieces the two largest g are equal. They come from the plot of the same machine
	// without rejection.
	lx, ly := pieces(try(show.Regions(m, d, show.RegionsOptions{X: x, Y: y})).Data(), "boundary")
	check(fig.AddLine(0, "largest $g_i$", lx, ly, show.Look{Dash: 2, Width: 2}), fig.EqualAxes(0))
	addWeights(fig, m, d.K())
	fig.Alt = "Three classes with one line each; between the lines, regions where no discriminant or several are positive are hatched."
	return fig, nil
}

// triangle draws three round classes with the given standard deviation at the corners of
// a triangle.
func triangle(n int, spread float64, seed uint64) *datasets.Dataset {
	return try(datasets.Gaussians(datasets.GaussiansOptions{
		N: []int{n}, Seed: seed,
		Covs: []*mat.SymDense{mat.NewSymDense(2, []float64{spread * spread, 0, 0, spread * spread})},
	}))
}

// pairMachine fits logistic regression to two classes with a weak prior, which keeps the weights
// finite if a line separates the classes.
func pairMachine(x mat.Matrix, t []float64) (classify.Scorer, error) {
	return classify.FitLogistic(x, t, classify.LogisticOptions{Prior: classify.Isotropic{Alpha: 0.01, FreeBias: true}})
}

// addWeights appends the weights of a linear machine to the numbers of a figure.
func addWeights(fig *show.Figure, m classify.Scorer, k int) {
	machine := try(classify.LinearMachineOf(m, 2))
	class := make([]float64, k)
	for c := range class {
		class[c] = float64(c)
	}
	fig.AddData("W.class", class)
	for j := range 3 {
		fig.AddData(fmt.Sprintf("W.w%d", j), mat.Row(nil, j, machine.W))
	}
}
