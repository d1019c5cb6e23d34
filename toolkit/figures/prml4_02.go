package figures

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

// PRML4x2Options change figure 4.2. The zero value draws the printed form.
type PRML4x2Options struct {
	N       int     // points of each class; 0 is 25
	Spread  float64 // short standard deviation of the long classes; 0 is 0.35
	Largest bool    // decide where no single class is the answer: the largest g, the most votes
	Seed    uint64  // of the random data
}

func (o PRML4x2Options) filled() PRML4x2Options {
	return filled(o, PRML4x2Options{N: 25, Spread: 0.35})
}

func prml4x2Entry() Entry {
	return entry(Entry{
		ID:      "fig-prml-4.2",
		Title:   "Two-class machines leave regions without an answer",
		Source:  "PRML figure 4.2",
		LookFor: "Three ways to make a three-class machine of lines. With K − 1 lines against the rest two classes may claim a point; with K lines there are also points that none claims; with a line for each pair the votes may tie.",
	}, PRML4x2, nil)
}

// PRML4x2 draws three classes divided by two-class machines put together in three
// ways: K − 1 and K machines of one class against the rest, and one machine for
// each pair. Hatched are the points without a single answer.
//
// Numbers: those of the three panels (see show.Decisions; a., b., c.) and for each
// lines.w0, .w1, .w2, the weights of its machines, positive for the class of lines.i
// and negative for that of lines.j (−1 is the rest). Errors: a negative N, a Spread
// that is not positive, data on which a fit fails.
func PRML4x2(o PRML4x2Options) (_ *show.Figure, err error) {
	defer named("PRML 4.2", &err)
	o = o.filled()
	if !(o.Spread > 0 && o.Spread < 1e6) {
		return nil, fmt.Errorf("Spread is %v; it must be positive, below 1e6", o.Spread)
	}
	d, err := longClasses(o)
	if err != nil {
		return nil, err
	}
	// A weak prior: separable classes have no likeliest line.
	fit := func(x mat.Matrix, t []float64) (classify.Scorer, error) {
		return classify.FitLogistic(x, t, classify.LogisticOptions{Prior: classify.Isotropic{Alpha: 0.1}})
	}
	fewer, err := classify.FitOneVersusRest(d.X, d.Labels, d.K(), fit, classify.OneVersusRestOptions{LastIsRest: true})
	if err != nil {
		return nil, err
	}
	rest, err := classify.FitOneVersusRest(d.X, d.Labels, d.K(), fit, classify.OneVersusRestOptions{})
	if err != nil {
		return nil, err
	}
	pairs, err := classify.FitOneVersusOne(d.X, d.Labels, d.K(), fit, classify.OneVersusOneOptions{})
	if err != nil {
		return nil, err
	}
	var panels []*show.Figure
	x, y := square(d)
	for i, m := range []machine{fewer, rest, pairs} {
		var decider classify.Decider = m
		if o.Largest {
			decider = largest{m}
		}
		fig, err := show.Decisions(decider, d, show.DecisionsOptions{
			Title: []string{"$K - 1$ against the rest", "$K$ against the rest", "one against one"}[i],
			X:     x, Y: y,
		})
		if err != nil {
			return nil, err
		}
		lines, err := linesOf(m)
		if err != nil {
			return nil, err
		}
		addLines(fig, lines)
		panels = append(panels, fig)
	}
	fig, err := show.Panels(3, panels...)
	if err != nil {
		return nil, err
	}
	for i := range panels {
		if err := fig.EqualAxes(i); err != nil {
			return nil, err
		}
	}
	fig.Height = 3.3
	fig.Alt = "Three classes divided by lines in three ways; each leaves regions that get no single class."
	return fig, nil
}

// longClasses draws three long clouds around the corners of a triangle, whose
// axes are chosen so that the lines between the pairs do not meet in one point.
func longClasses(o PRML4x2Options) (*datasets.Dataset, error) {
	const radius, elongation = 2.2, 3.5
	axes := []float64{120, 150, 0} // the long ones, in degrees
	g := datasets.GaussiansOptions{N: []int{o.N}, Seed: o.Seed}
	for k, degrees := range []float64{90, 210, 330} {
		sin, cos := math.Sincos(degrees * math.Pi / 180)
		g.Means = append(g.Means, []float64{radius * cos, radius * sin})
		g.Covs = append(g.Covs, longCov(o.Spread, elongation, axes[k]))
	}
	return datasets.Gaussians(g)
}

// longCov returns the covariance with standard deviation short across and
// elongation·short along the axis at that angle in degrees.
func longCov(short, elongation, degrees float64) *mat.SymDense {
	s, l := short*short, math.Pow(elongation*short, 2)
	sin, cos := math.Sincos(degrees * math.Pi / 180)
	return mat.NewSymDense(2, []float64{
		l*cos*cos + s*sin*sin, (l - s) * sin * cos,
		(l - s) * sin * cos, l*sin*sin + s*cos*cos})
}

// A machine of two-class machines decides by their claims or votes, or predicts the
// best everywhere.
type machine interface {
	classify.Decider
	classify.Predictor
}

// largest makes a Decider of a machine that always has an answer.
type largest struct{ machine }

// Decide returns the class predicted for each row.
func (l largest) Decide(x mat.Matrix) ([]int, error) { return l.Predict(x) }

// A dividing line has the first class on its positive side and the second, or
// the rest (−1), on the other.
type dividingLine struct {
	first, second int
	w             []float64
}

// linesOf returns the lines of a machine of logistic models.
func linesOf(m machine) ([]dividingLine, error) {
	var out []dividingLine
	add := func(first, second int, s classify.Scorer) error {
		h, err := classify.BoundaryOf(s, 2)
		if err == nil {
			out = append(out, dividingLine{first, second, h.Weights()})
		}
		return err
	}
	switch m := m.(type) {
	case *classify.OneVersusRest:
		for k, s := range m.Machines {
			if err := add(k, -1, s); err != nil {
				return nil, err
			}
		}
	case *classify.OneVersusOne:
		for _, duel := range m.Pairs {
			if err := add(duel.First, duel.Second, duel.Machine); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

// addLines adds the weights of the lines to the numbers.
func addLines(fig *show.Figure, lines []dividingLine) {
	var i, j, w0, w1, w2 []float64
	for _, l := range lines {
		i, j = append(i, float64(l.first)), append(j, float64(l.second))
		w0, w1, w2 = append(w0, l.w[0]), append(w1, l.w[1]), append(w2, l.w[2])
	}
	fig.AddData("lines.i", i)
	fig.AddData("lines.j", j)
	fig.AddData("lines.w0", w0)
	fig.AddData("lines.w1", w1)
	fig.AddData("lines.w2", w2)
}
