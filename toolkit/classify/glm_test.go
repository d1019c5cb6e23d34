package classify_test

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

// TestGLMTwins checks that FitGLM with the Bernoulli family returns the result of FitLogistic. With
// the Gaussian family of any scale, FitGLM must return the weights of least squares, and PearsonScale
// must return the sum of the squared errors divided by N − M.
func TestGLMTwins(t *testing.T) {
	x, labels := clouds(60, 3, 2, 421)
	target := targets(labels)
	m := must(classify.FitGLM(x, target, classify.BernoulliTarget{}, classify.GLMOptions{}))(t)
	l := must(classify.FitLogistic(x, target, classify.LogisticOptions{}))(t)
	errorIf(t, !slices.Equal(m.W, l.W) || m.NullLogLikelihood != l.NullLogLikelihood ||
		!mat.Equal(m.Covariance, l.Covariance), "the Bernoulli family gives the weights %v, the null log likelihood %v and the covariance %v; want %v, %v and %v, the results of FitLogistic",
		m.W, m.NullLogLikelihood, flat(m.Covariance), l.W, l.NullLogLikelihood, flat(l.Covariance))
	ls := must(classify.FitLeastSquares(x, labels, 2, classify.LeastSquaresOptions{}))(t)
	for _, s := range []float64{1, 1e-6, 1e6} {
		g := must(classify.FitGLM(x, target, classify.GaussianTarget{Scale: s}, classify.GLMOptions{}))(t)
		allClose(t, "weights of least squares", g.W, firstColumn(ls.W), 1e-12)
		// Least squares has one output per class, and the two outputs have the same squared errors.
		// Each output contributes ½ Σ(t−y)² to SumSquare, so SumSquare equals Σ(t−y)². 56 is N − M.
		closeTo(t, must(g.PearsonScale(x, target))(t), ls.SumSquare/56, 1e-12, "Pearson's scale")
	}
}

// TestPoissonExistence checks when FitGLM reports that the likelihood of Poisson targets has no
// maximum. This must be the case if and only if a direction of w lowers the mean of at least one row
// with count 0, raises the mean of no row with count 0, and changes no other mean. With a prior, all
// fits must converge.
func TestPoissonExistence(t *testing.T) {
	for _, c := range []struct {
		name   string
		x, t   []float64
		exists bool
	}{
		{"two groups of rows, all counts of one group zero", []float64{0, 0, 1, 1}, []float64{0, 0, 3, 5}, false},
		{"a positive count in both groups", []float64{0, 0, 1, 1}, []float64{0, 1, 3, 5}, true},
		{"zero counts on one side of the positive counts", []float64{-2, -1, 1, 1}, []float64{0, 0, 3, 5}, false},
		{"zero counts on both sides of the positive counts", []float64{-2, 3, 1, 1}, []float64{0, 0, 3, 5}, true},
		{"large counts", []float64{0, 1, 2, 3}, []float64{1e6, 2e6, 5e6, 1e7}, true},
	} {
		m := must(classify.FitGLM(pointsOn(c.x...), c.t, classify.PoissonTarget{}, classify.GLMOptions{}))(t)
		errorIf(t, m.Converged != c.exists || m.Separable == c.exists, "%s: got Converged %v and Separable %v, want %v and %v: %s", c.name,
			m.Converged, m.Separable, c.exists, !c.exists, m.Reason)
		for i, v := range c.t {
			if m.Separable {
				d := m.Direction[0] + m.Direction[1]*c.x[i]
				errorIf(t, d > 1e-10 || v > 0 && d < -1e-10, "%s: the natural parameter of row %d with count %v changes by %v along Direction, want 0, or at most 0 for a zero count", c.name, i, v, d)
			}
		}
		p := must(classify.FitGLM(pointsOn(c.x...), c.t, classify.PoissonTarget{},
			classify.GLMOptions{Prior: classify.Isotropic{Alpha: 1}}))(t)
		errorIf(t, !p.Converged, "%s: with a prior, Converged is false, want true: %s", c.name, p.Reason)
	}
}

func TestGLMArguments(t *testing.T) {
	x, _ := clouds(4, 2, 2, 431)
	fit := func(f classify.TargetFamily, o classify.GLMOptions, t ...float64) error {
		return errorOf(classify.FitGLM(x, t, f, o))
	}
	none := classify.GLMOptions{}
	good := must(classify.FitGLM(x, []float64{1, 2, 4, 3}, classify.GaussianTarget{}, none))(t)
	gamma := &classify.GLM{Estimate: classify.Estimate{W: []float64{-1, 1}}, Family: "gamma", Scale: 1}
	other := &classify.GLM{Estimate: classify.Estimate{W: []float64{-1, 1}}, Family: "binomial"}
	allFail(t, []failingCall{
		{"nil family", fit(nil, none, 1, 0, 1, 0), []string{"FitGLM", "family is nil"}},
		{"too few targets", fit(classify.PoissonTarget{}, none, 1, 2), []string{"2 targets", "4 rows"}},
		{"negative count", fit(classify.PoissonTarget{}, none, 1, 2, -3, 4), []string{"t[2]", "-3", "counts"}},
		{"gamma zero", fit(classify.GammaTarget{}, none, 1, 2, 3, 0), []string{"t[3]", "greater than 0"}},
		{"Bernoulli 2", fit(classify.BernoulliTarget{}, none, 1, 2, 0, 0), []string{"t[1]", "between 0 and 1"}},
		{"Inf", fit(classify.GaussianTarget{}, none, 1, math.Inf(1), 0, 0), []string{"t[1]", "Inf"}},
		{"all counts 0", fit(classify.PoissonTarget{}, none, 0, 0, 0, 0), []string{"all 4 counts are 0", "prior"}},
		{"start", fit(classify.GammaTarget{}, classify.GLMOptions{Start: []float64{1, 0, 0}}, 1, 2, 3, 4),
			[]string{"start", "gamma"}},
		{"overflow", fit(classify.GaussianTarget{}, none, 1e200, -1e200, 0, 0), []string{"start", "units"}},
		{"outside the range", errorOf(gamma.Mean(pointsOn(0, 5))), []string{"row 1", "gamma", "negative"}},
		{"unknown family", errorOf(other.Mean(x)), []string{"binomial"}},
		{"unknown family in a file",
			loadError(`{"schema":"hyperplane-glm/1","family":"x","scale":1,"w":[1,2]}`),
			[]string{`"x"`}},
		{"Pearson, too few targets", errorOf(good.PearsonScale(x, []float64{1})), []string{"1 targets", "4 rows"}},
		{"Pearson, few rows", errorOf(good.PearsonScale(x.Slice(0, 3, 0, 2), []float64{1, 2, 4})),
			[]string{"3 rows", "and the scale"}},
	})
	m := must(classify.FitGLM(x, make([]float64, 4), classify.PoissonTarget{},
		classify.GLMOptions{Prior: classify.Isotropic{Alpha: 1}}))(t)
	errorIf(t, !m.Converged || m.NullLogLikelihood != 0, "all counts 0: got Converged %v and the null log likelihood %v, want true and 0: %s", m.Converged, m.NullLogLikelihood, m.Reason)
}
