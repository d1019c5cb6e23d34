package figures

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

// Alpaydin10x3Options change figure 10.3. The zero value draws the printed form.
type Alpaydin10x3Options struct {
	N      int     // points of each class; 0 is 30
	Spread float64 // standard deviation of each cloud; 0 is 0.45, and from about 1 the classes overlap
	Seed   uint64  // of the random data
}

func (o Alpaydin10x3Options) filled() Alpaydin10x3Options {
	return filled(o, Alpaydin10x3Options{N: 30, Spread: 0.45})
}

func alpaydin10x3Entry() Entry {
	return entry(Entry{
		ID:      "fig-alpaydin-10.3",
		Title:   "One hyperplane per class",
		Source:  "Alpaydin figure 10.3",
		LookFor: "Each line has one class on its positive side and all others on its negative side. Where no g or several are positive the point is rejected, until the largest g decides.",
	}, Alpaydin10x3, nil)
}

// Alpaydin10x3 draws three classes with one line each, g_i(x) = 0, which
// separates the class from the others (10.7), hatches where none or several of
// the g_i are positive, and draws the boundary of the largest g_i (10.8).
//
// Numbers: those of show.Decisions; largest gi.x and .y, the boundary of the
// largest g_i, its pieces divided by NaN; W.class, .w0, .w1, .w2, the weights. Errors: a negative N, a bad
// spread.
func Alpaydin10x3(o Alpaydin10x3Options) (_ *show.Figure, err error) {
	defer named("Alpaydin 10.3", &err)
	o = o.filled()
	d, err := triangle(o.N, o.Spread, o.Seed)
	if err != nil {
		return nil, err
	}
	m, err := classify.FitOneVersusRest(d.X, d.Labels, d.K(), pairMachine, classify.OneVersusRestOptions{})
	if err != nil {
		return nil, err
	}
	ranges := [2][2]float64{{-3.6, 3.6}, {-2.8, 3.6}}
	fig, err := show.Decisions(m, d, show.DecisionsOptions{XLabel: "$x_1$", YLabel: "$x_2$", X: ranges[0], Y: ranges[1]})
	if err != nil {
		return nil, err
	}
	// The pieces on which the two largest g agree, taken from the plot of the same
	// machine without the right to reject.
	largest, err := show.Regions(m, d, show.RegionsOptions{X: ranges[0], Y: ranges[1]})
	if err != nil {
		return nil, err
	}
	piece, _ := largest.Data().Column("boundary.piece")
	x, _ := largest.Data().Column("boundary.x")
	y, _ := largest.Data().Column("boundary.y")
	for i := len(piece) - 1; i > 0; i-- {
		if piece[i] != piece[i-1] {
			x, y = slices.Insert(x, i, math.NaN()), slices.Insert(y, i, math.NaN())
		}
	}
	if err := fig.AddLine(0, "largest $g_i$", x, y, show.Look{Dash: 2, Width: 2}); err != nil {
		return nil, err
	}
	if err := fig.EqualAxes(0); err != nil {
		return nil, err
	}
	if err := addWeights(fig, m, d.K()); err != nil {
		return nil, err
	}
	fig.Alt = "Three classes with one line each; between the lines, regions where no discriminant or several are positive are hatched."
	return fig, nil
}

// triangle draws three round classes of a standard deviation at the corners of a
// triangle.
func triangle(n int, spread float64, seed uint64) (*datasets.Dataset, error) {
	if !(spread > 1e-3 && spread < 1e3) {
		return nil, fmt.Errorf("option Spread is %v; it must lie between 0.001 and 1000", spread)
	}
	return datasets.Gaussians(datasets.GaussiansOptions{
		N: []int{n}, Seed: seed,
		Covs: []*mat.SymDense{mat.NewSymDense(2, []float64{spread * spread, 0, 0, spread * spread})},
	})
}

// pairMachine divides two classes by logistic regression with a weak prior: it
// holds the weights finite where a line separates the classes.
func pairMachine(x mat.Matrix, t []float64) (classify.Scorer, error) {
	return classify.FitLogistic(x, t, classify.LogisticOptions{Prior: classify.Isotropic{Alpha: 0.01, FreeBias: true}})
}

// addWeights appends the weights of a linear machine to the numbers of a figure.
func addWeights(fig *show.Figure, m classify.Scorer, k int) error {
	machine, err := classify.LinearMachineOf(m, 2)
	if err != nil {
		return err
	}
	class := make([]float64, k)
	for c := range class {
		class[c] = float64(c)
	}
	fig.AddData("W.class", class)
	for j := range 3 {
		fig.AddData(fmt.Sprintf("W.w%d", j), mat.Row(nil, j, machine.W))
	}
	return nil
}
