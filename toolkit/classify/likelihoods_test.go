package classify_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

func TestProbitIdentities(t *testing.T) {
	x, labels := clouds(120, 3, 2, 321)
	m := must(classify.FitProbit(x, targets(labels), classify.ProbitOptions{}))(t)
	stationary(t, must(classify.ProbitObjective(x, targets(labels), nil))(t), m.W, 1e-11)
	// A 0/1 input divides the rows into two groups, and the model fits the class share of each
	// group exactly.
	g := pointsOn(0, 0, 0, 0, 0, 1, 1, 1, 1, 1)
	s := must(classify.FitProbit(g, []float64{1, 0, 0, 0, 0, 1, 1, 1, 0, 0}, classify.ProbitOptions{}))(t)
	p := must(s.Posterior(g))(t)
	within(t, p.At(0, 0), 0.2, 1e-14, "share of the zeros")
	within(t, p.At(9, 0), 0.6, 1e-14, "share of the ones")
	// With soft targets t = Φ(a) the observed Hessian equals its expectation.
	mean := must(classify.ProbitObjective(x, column(must(m.Posterior(x))(t)), nil))(t)
	near(t, "expected information", must(m.FisherInformation(x))(t), must(mean.Hessian(m.W))(t), 1e-12)
	l := must(classify.FitLogistic(x, targets(labels), classify.LogisticOptions{}))(t)
	for i, w := range m.W { // the two curves differ by 0.018 at most
		within(t, w/(l.W[i]*math.Sqrt(math.Pi/8)), 1.05, 0.25, "weight %d beside the scaled logistic one", i)
	}
	within(t, m.NullLogLikelihood, l.NullLogLikelihood, 0, "null log likelihood")
	mentions(t, of(new(classify.Probit).FisherInformation(x)), "no weights")
	y, l2 := clouds(30, 2, 2, 341)
	twice := mat.NewDense(30, 3, nil)
	twice.Augment(y, y.ColView(0))
	d := must(classify.FitProbit(twice, targets(l2), classify.ProbitOptions{}))(t)
	mentions(t, of(d.ExpectedStandardErrors(twice)), "singular")
}

// flipped returns overlapping clouds with every seventh label wrong.
func flipped(n int, seed uint64) (*mat.Dense, []float64) {
	x, labels := clouds(n, 2, 2, seed)
	x.Scale(2, x)
	t := targets(labels)
	for i := 0; i < n; i += 7 {
		t[i] = 1 - t[i]
	}
	return x, t
}

// TestLabelFlipParameters checks that an estimated ε counts as one parameter.
func TestLabelFlipParameters(t *testing.T) {
	x, target := flipped(200, 521)
	target[4], target[9] = 0.3, 0.75
	for _, estimate := range []bool{false, true} {
		m := must(classify.FitLabelFlip(x, target, classify.LabelFlipOptions{Epsilon: 0.1, Estimate: estimate}))(t)
		inverses(t, m.Hessian, m.Covariance, 1e-9)
		se, err := m.EpsilonError()
		if estimate {
			within(t, se*se, m.Covariance.At(3, 3), 1e-14, "variance of ε, %v", err)
		} else {
			mentions(t, err, "given", "Estimate")
		}
		k := 3 + int(truth(estimate))
		errorIf(t, !m.Converged || m.DegreesOfFreedom() != k, "%d degrees of freedom for %d parameters: %s",
			m.DegreesOfFreedom(), k, m.Reason)
		within(t, m.AIC(), m.Deviance()+2*float64(k), 1e-12, "AIC")
		within(t, m.BIC(), m.Deviance()+float64(k)*math.Log(200), 1e-12, "BIC")
	}
}

func TestLabelFlipTwins(t *testing.T) {
	x, target := flipped(150, 531)
	l := must(classify.FitLogistic(x, target, classify.LogisticOptions{}))(t)
	m := must(classify.FitLabelFlip(x, target, classify.LabelFlipOptions{}))(t)
	nearly(t, "ε = 0", append(m.W, m.LogLikelihood, m.NullLogLikelihood),
		append(l.W, l.LogLikelihood, l.NullLogLikelihood), 1e-11)
	t.Run("soft targets of the model itself", func(t *testing.T) {
		// With t = p(t=1|x) for weights w and rate ε, the minimum is at (w, ε).
		at := &classify.LabelFlip{Estimate: classify.Estimate{W: []float64{0.4, 1.5, -2}}, Epsilon: 0.12}
		soft := mat.Col(nil, 0, must(at.LabelPosterior(x))(t))
		got := must(classify.FitLabelFlip(x, soft, classify.LabelFlipOptions{Estimate: true}))(t)
		errorIf(t, !got.Converged || math.Abs(got.Epsilon-0.12) > 1e-9, "ε = %v: %s", got.Epsilon, got.Reason)
		nearly(t, "weights", got.W, at.W, 1e-8)
	})
	t.Run("clean labels put ε at the edge", func(t *testing.T) {
		rng := rand.New(rand.NewPCG(5, 31))
		clean := make([]float64, 150)
		for i := range clean {
			clean[i] = truth(rng.Float64() < 1/(1+math.Exp(-0.5*x.At(i, 0)))) // noise only near the boundary
			if a := 0.5 * x.At(i, 0); math.Abs(a) > 1 {
				clean[i] = truth(a > 0)
			}
		}
		got := must(classify.FitLabelFlip(x, clean, classify.LabelFlipOptions{Estimate: true}))(t)
		l := must(classify.FitLogistic(x, clean, classify.LogisticOptions{}))(t)
		errorIf(t, got.Epsilon != 0 || !strings.Contains(got.Reason, "edge") ||
			math.Abs(got.LogLikelihood-l.LogLikelihood) > 1e-9 || got.Covariance != nil,
			"ε = %v, log likelihood %v, logistic %v: %s", got.Epsilon, got.LogLikelihood, l.LogLikelihood, got.Reason)
		mentions(t, of(got.EpsilonError()), "no covariance", "edge")
	})
	t.Run("an outlier costs at most −ln ε", func(t *testing.T) {
		far := mat.NewDense(151, 2, nil)
		far.Stack(x, mat.NewDense(1, 2, []float64{1e6, 0}))
		o := classify.LabelFlipOptions{Epsilon: 0.1}
		base := must(classify.FitLabelFlip(x, target, o))(t)
		o.Start = base.W // the outlier leaves this local minimum unchanged
		worse := must(classify.FitLabelFlip(far, append(slices.Clone(target), 1-truth(base.W[1] > 0)), o))(t)
		nearly(t, "weights with an outlier", worse.W, base.W, 1e-9)
		d := base.LogLikelihood - worse.LogLikelihood
		errorIf(t, math.Abs(d+math.Log(0.1)) > 1e-9, "the outlier costs %v, want −ln 0.1", d)
	})
}

// TestLabelFlipStarts checks that additional starts never give a higher E.
func TestLabelFlipStarts(t *testing.T) {
	for seed := range uint64(5) {
		x, target := flipped(40, 541+seed)
		fit := func(starts int) *classify.LabelFlip {
			return must(classify.FitLabelFlip(x, target,
				classify.LabelFlipOptions{Epsilon: 0.15, Prior: classify.Isotropic{Alpha: 0.01}, Starts: starts,
					Seed: seed}))(t)
		}
		one, many := fit(0), fit(10)
		errorIf(t, many.E > one.E+1e-9, "seed %d: E = %v with more starts, %v with one", seed, many.E, one.E)
		errorIf(t, !slices.Equal(fit(10).W, many.W), "seed %d: another result the second time", seed)
	}
}

func TestLabelFlipArguments(t *testing.T) {
	x, target := flipped(30, 551)
	fit := func(o classify.LabelFlipOptions) error { return of(classify.FitLabelFlip(x, target, o)) }
	refused(t, []refusal{
		{"half", fit(classify.LabelFlipOptions{Epsilon: 0.5}), []string{"FitLabelFlip", "Epsilon is 0.5"}},
		{"negative", fit(classify.LabelFlipOptions{Epsilon: -0.1}), []string{"Epsilon is -0.1"}},
		{"NaN", fit(classify.LabelFlipOptions{Epsilon: math.NaN()}), []string{"Epsilon is NaN"}},
		{"starts", fit(classify.LabelFlipOptions{Starts: -1}), []string{"Starts is -1"}},
	})
}

// TestSigmoidOptimum checks that at the optimum the gradient is 0, the Hessian is exact and
// positive definite, and the value matches the definition.
func TestSigmoidOptimum(t *testing.T) {
	for _, k := range []int{2, 3} {
		x, labels := clouds(120, 3, k, 621)
		m := must(classify.FitSigmoidSquares(x, labels, k, classify.SigmoidSquaresOptions{Seed: 3}))(t)
		errorIf(t, len(m.Outputs) != k-int(truth(k == 2)), "%d outputs for %d classes", len(m.Outputs), k)
		var sum float64
		for j, out := range m.Outputs {
			target, w := mat.Col(nil, j, oneOfK(labels, k)), mat.Col(nil, j, m.W)
			o := must(classify.SigmoidObjective(x, target, nil))(t)
			stationary(t, o, w, 1e-11)
			secondDifferences(t, o, w, out.Hessian)
			var chol mat.Cholesky
			errorIf(t, !out.Converged || !chol.Factorize(out.Hessian), "output %d: no minimum: %s", j, out.Reason)
			e := must(o.Value(w))(t)
			sum += e
			nearly(t, "E", []float64{out.E, out.Trace[len(out.Trace)-1].E}, []float64{e, e}, 1e-12)
			// The start is small in scaled units, so no sigmoid is saturated, and E is near 120/8.
			within(t, out.Trace[0].E, 15, 1, "output %d at the start", j)
		}
		within(t, m.SumSquare, sum, 1e-11, "SumSquare")
		// Other small starts reach the same minimum on such data.
		for seed := range uint64(4) {
			near(t, "W of another seed",
				must(classify.FitSigmoidSquares(x, labels, k, classify.SigmoidSquaresOptions{Seed: seed}))(t).W, m.W,
				1e-9)
		}
		values := must(m.Values(x))(t)
		r, c := values.Dims()
		errorIf(t, r != 120 || c != k || k == 2 && math.Abs(values.At(5, 0)+values.At(5, 1)-1) > 1e-15,
			"values are %d×%d", r, c)
	}
	mentions(t, of(new(classify.SigmoidSquares).Values(pointsOn(1))), "no weights")
}

// TestSigmoidPlateau checks a start with all sigmoids saturated on the wrong side. Unlike the
// gradient of the cross-entropy, the gradient of the squared error vanishes there. The fit must
// report that this point is not a minimum. From a partly saturated start the fit must reach the
// minimum.
func TestSigmoidPlateau(t *testing.T) {
	x, labels := clouds(60, 2, 2, 631)
	wrong := []float64{0, -1e4, 1e4}
	stationary(t, must(classify.SigmoidObjective(x, targets(labels), nil))(t), wrong, 1e-10)
	fit := func(start *mat.Dense) *classify.SigmoidSquares {
		return must(classify.FitSigmoidSquares(x, labels, 2, classify.SigmoidSquaresOptions{Start: start}))(t)
	}
	best, m, part := fit(nil), fit(mat.NewDense(3, 1, wrong)), fit(mat.NewDense(3, 1, []float64{0, -30, 30}))
	out := m.Outputs[0]
	errorIf(t, out.Converged || !out.Separable || m.SumSquare < best.SumSquare+1,
		"a plateau is called a minimum: E = %v, lowest %v: %s", m.SumSquare, best.SumSquare, out.Reason)
	within(t, part.SumSquare, best.SumSquare, 1e-10, "E from %s", part.Outputs[0].Reason)
	errorIf(t, !part.Outputs[0].Converged, "%s", part.Outputs[0].Reason)
}

func TestSigmoidSeparable(t *testing.T) {
	x, labels := pointsOn(-3, -2, -1, 1, 2, 3), []int{1, 1, 1, 0, 0, 0}
	m := must(classify.FitSigmoidSquares(x, labels, 2, classify.SigmoidSquaresOptions{}))(t)
	out := m.Outputs[0]
	errorIf(t, out.Converged || !out.Separable || !(out.Direction[1] > 0.9) || m.SumSquare > 1e-12,
		"E = %v, direction %v: %s", m.SumSquare, out.Direction, out.Reason)
	p := must(classify.FitSigmoidSquares(x, labels, 2,
		classify.SigmoidSquaresOptions{Prior: classify.Isotropic{Alpha: 0.1}}))(t)
	errorIf(t, !p.Outputs[0].Converged, "%s", p.Outputs[0].Reason)
}

func TestSigmoidArguments(t *testing.T) {
	x, labels := clouds(30, 2, 3, 641)
	fit := func(k int, o classify.SigmoidSquaresOptions) error {
		return of(classify.FitSigmoidSquares(x, labels, k, o))
	}
	refused(t, []refusal{
		{"start", fit(3, classify.SigmoidSquaresOptions{Start: mat.NewDense(3, 2, nil)}),
			[]string{"FitSigmoidSquares", "Start is 3×2", "3×3"}},
		{"start NaN",
			fit(3, classify.SigmoidSquaresOptions{Start: mat.NewDense(3, 3, slices.Repeat([]float64{math.NaN()}, 9))}),
			[]string{"NaN"}},
		{"empty class", fit(4, classify.SigmoidSquaresOptions{}), []string{"class 3", "0 of the 30 rows"}},
		{"tolerance", fit(3, classify.SigmoidSquaresOptions{Tolerance: -1}), []string{"Tolerance"}},
	})
}

// TestLabelFlipNeverRises checks that a step from a flat region of E does not end at weights that
// put every row on the wrong side.
func TestLabelFlipNeverRises(t *testing.T) {
	x, y := mat.NewDense(6, 1, []float64{-3, -2, 0, 0, 1, 2}), []float64{0, 0, 0, 1, 1, 1}
	for _, ε := range []float64{0.01, 0.05, 0.1, 0.2, 0.4} {
		m := must(classify.FitLabelFlip(x, y, classify.LabelFlipOptions{Epsilon: ε}))(t)
		least := -4*math.Log(1-ε) - 2*math.Log(0.5)
		errorIf(t, !m.Separable || m.Direction[1] < 0.9 || math.Abs(m.E-least) > 1e-6,
			"ε = %v: E = %v, the least is %v, direction %v", ε, m.E, least, m.Direction)
	}
}
