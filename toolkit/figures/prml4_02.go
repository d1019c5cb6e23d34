package figures

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

// PRML4x2Options change figure 4.2. The zero value draws the printed form.
type PRML4x2Options struct {
	N       int     `default:"25"`                  // points of each class
	Spread  float64 `default:"0.35" range:"0..1e6"` // standard deviation of the long classes across their long axis
	Largest bool    // whether points without a single class are assigned to the class with the largest g or most votes
	Seed    uint64  // seed of the random data
}

// PRML4x2 draws three classes divided by combinations of two-class machines. There are three
// combinations: K − 1 machines of one class against the rest, K machines of one class against the
// rest, and one machine for each pair. Points that do not get exactly one class are hatched.
//
// Numbers: the numbers of the three panels (see show.Decisions; a., b., c.). Each panel also has
// lines.w0, .w1, .w2, the weights of its machines, positive for the class of lines.i and negative
// for the class of lines.j (−1 is the rest). Errors: a negative N, a Spread that is not positive,
// data on which a fit fails.
func PRML4x2(o PRML4x2Options) (_ *show.Figure, err error) {
	defer named("PRML 4.2", &err)
	o = filled(o)
	d := longClasses(o)
	// The weak prior is necessary because separable classes have no maximum-likelihood line.
	fit := func(x mat.Matrix, t []float64) (classify.Scorer, error) {
		return classify.FitLogistic(x, t, classify.LogisticOptions{Prior: classify.Isotropic{Alpha: 0.1}})
	}
	fewer := try(classify.FitOneVersusRest(d.X, d.Labels, d.K(), fit, classify.OneVersusRestOptions{LastIsRest: true}))
	rest := try(classify.FitOneVersusRest(d.X, d.Labels, d.K(), fit, classify.OneVersusRestOptions{}))
	pairs := try(classify.FitOneVersusOne(d.X, d.Labels, d.K(), fit, classify.OneVersusOneOptions{}))
	var panels []*show.Figure
	x, y := square(d)
	for i, m := range []machine{fewer, rest, pairs} {
		var decider classify.Decider = m
		if o.Largest {
			decider = largest{m}
		}
		fig := try(show.Decisions(decider, d, show.DecisionsOptions{
			Title: []string{"$K - 1$ against the rest", "$K$ against the rest", "one against one"}[i],
			X:     x, Y: y,
		}))
		addColumns(fig, linesOf(m), "lines.i", "lines.j", "lines.w0", "lines.w1", "lines.w2")
		panels = append(panels, fig)
	}
	fig := try(show.PanelsLegends(3, panels...))
	for i := range panels {
		check(fig.EqualAxes(i))
	}
	fig.Height = 3.55
	fig.Alt = "Three classes divided by lines in three ways; each leaves regions that get no single class."
	return fig, nil
}

// longClasses draws three long clouds around the corners of a triangle. With the chosen axes, the
// lines between the pairs do not meet in one point. They enclose a triangle in the middle.
func longClasses(o PRML4x2Options) *datasets.Dataset {
	const radius, elongation = 2.8, 5
	axes := []float64{140, 120, 20} // directions of the long axes, in degrees
	g := datasets.GaussiansOptions{N: []int{o.N}, Seed: o.Seed}
	for k, degrees := range []float64{90, 210, 330} {
		sin, cos := math.Sincos(degrees * math.Pi / 180)
		g.Means = append(g.Means, []float64{radius * cos, radius * sin})
		g.Covs = append(g.Covs, longCov(o.Spread, elongation, axes[k]))
	}
	return try(datasets.Gaussians(g))
}

// longCov returns the covariance with standard deviation short across, and
// elongation·short along, the axis at the given angle in degrees.
func longCov(short, elongation, degrees float64) *mat.SymDense {
	s, l := short*short, math.Pow(elongation*short, 2)
	sin, cos := math.Sincos(degrees * math.Pi / 180)
	return mat.NewSymDense(2, []float64{
		l*cos*cos + s*sin*sin, (l - s) * sin * cos,
		(l - s) * sin * cos, l*sin*sin + s*cos*cos})
}

// machine combines two-class machines. Decide uses their claims or votes. Predict always returns
// the best class.
type machine interface {
	classify.Decider
	classify.Predictor
}

// largest is a Decider that assigns a class to every row.
type largest struct{ machine }

// Decide returns the class predicted for each row.
func (l largest) Decide(x mat.Matrix) ([]int, error) { return l.Predict(x) }

// linesOf returns the lines of a combination of logistic models as i, j, w0, w1, w2. Class i is on
// the positive side. Class j, or the rest (−1), is on the negative side.
func linesOf(m machine) (lines [][]float64) {
	add := func(i, j int, s classify.Scorer) {
		h := try(classify.BoundaryOf(s, 2))
		lines = append(lines, append([]float64{float64(i), float64(j)}, h.Weights()...))
	}
	switch m := m.(type) {
	case *classify.OneVersusRest:
		for k, s := range m.Machines {
			add(k, -1, s)
		}
	case *classify.OneVersusOne:
		for _, duel := range m.Pairs {
			add(duel.First, duel.Second, duel.Machine)
		}
	}
	return lines
}
