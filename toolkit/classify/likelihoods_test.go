package classify_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

func TestProbitIdentities(t *testing.T) {
	x, labels := clouds(120, 3, 2, 321)
	m := must(classify.FitProbit(x, targets(labels), classify.ProbitOptions{}))(t)
	checkStationary(t, must(classify.ProbitObjective(x, targets(labels), nil))(t), m.W, 1e-11)
	// With soft targets t = Φ(a) the observed Hessian equals the expected Hessian.
	mean := must(classify.ProbitObjective(x, firstColumn(must(m.Posterior(x))(t)), nil))(t)
	near(t, "expected information", must(m.FisherInformation(x))(t), must(mean.Hessian(m.W))(t), 1e-12)
	l := must(classify.FitLogistic(x, targets(labels), classify.LogisticOptions{}))(t)
	closeTo(t, m.NullLogLikelihood, l.NullLogLikelihood, 0, "null log likelihood")
	errorHas(t, errorOf(new(classify.Probit).FisherInformation(x)), "no weights")
	y, l2 := clouds(30, 2, 2, 341)
	twice := mat.NewDense(30, 3, nil)
	twice.Augment(y, y.ColView(0))
	d := must(classify.FitProbit(twice, targets(l2), classify.ProbitOptions{}))(t)
	errorHas(t, errorOf(d.ExpectedStandardErrors(twice)), "singular")
}

// mislabelledClouds returns overlapping clouds in which every seventh label is wrong.
func mislabelledClouds(n int, seed uint64) (*mat.Dense, []float64) {
	x, labels := clouds(n, 2, 2, seed)
	x.Scale(2, x)
	t := targets(labels)
	for i := 0; i < n; i += 7 {
		t[i] = 1 - t[i]
	}
	return x, t
}

// TestLabelFlipParameters checks that an estimated ε counts as one parameter, and that EpsilonError
// returns its standard error. It also checks the log likelihood of the model whose only weight is the
// bias.
func TestLabelFlipParameters(t *testing.T) {
	x, target := mislabelledClouds(200, 521)
	target[4], target[9] = 0.3, 0.75
	for _, estimate := range []bool{false, true} {
		m := must(classify.FitLabelFlip(x, target, classify.LabelFlipOptions{Epsilon: 0.1, Estimate: estimate}))(t)
		checkInverse(t, m.Hessian, m.Covariance, 1e-9)
		se, err := m.EpsilonError()
		if estimate {
			closeTo(t, se*se, m.Covariance.At(3, 3), 1e-14, "variance of ε (EpsilonError returned the error %v)", err)
		} else {
			errorHas(t, err, "given", "Estimate")
		}
		k := 3 + int(truth(estimate))
		errorIf(t, !m.Converged || m.DegreesOfFreedom() != k, "Estimate %v: got %d degrees of freedom and Converged %v, want %d and true: %s", estimate, m.DegreesOfFreedom(), m.Converged, k, m.Reason)
		closeTo(t, m.AIC(), m.Deviance()+2*float64(k), 1e-12, "AIC")
		closeTo(t, m.BIC(), m.Deviance()+float64(k)*math.Log(200), 1e-12, "BIC")
	}
	errorHas(t, errorOf(classify.FitLabelFlip(x, target, classify.LabelFlipOptions{Epsilon: 0.5})), "Epsilon is 0.5")
	// The share of ones is 0.05, but p(t=1) of the null model cannot be below ε = 0.1.
	rare := append([]float64{1}, make([]float64, 19)...)
	m := must(classify.FitLabelFlip(x.Slice(0, 20, 0, 2), rare, classify.LabelFlipOptions{Epsilon: 0.1, Prior: isotropic}))(t)
	closeTo(t, m.NullLogLikelihood, math.Log(0.1)+19*math.Log(0.9), 1e-12, "null log likelihood")
}

// TestLabelFlipThinnedTrace checks that the Reason of a fit counts all iterations, although the trace
// contains only one iteration in ten.
func TestLabelFlipThinnedTrace(t *testing.T) {
	x := mat.NewDense(6, 1, []float64{-3, -2, -1, 1, 2, 3})
	m := must(classify.FitLabelFlip(x, []float64{0, 0, 0, 1, 1, 1}, classify.LabelFlipOptions{Epsilon: 0.1,
		Solver: classify.GradientDescent{Every: 10}}))(t)
	last := m.Trace[len(m.Trace)-1].Iteration
	if want := fmt.Sprintf("after %d iterations", last); last < 2*len(m.Trace) || !strings.Contains(m.Reason, want) {
		t.Errorf("the trace has %d iterates, the last after %d iterations, and the Reason is %q; want at least twice as many iterations as iterates, and a Reason with %q",
			len(m.Trace), last, m.Reason, want)
	}
}

// TestSigmoidOptimum checks that the gradient at the fitted weights is 0, and that the Hessian is
// exact and positive definite. E must equal the value of SigmoidObjective.
func TestSigmoidOptimum(t *testing.T) {
	for _, k := range []int{2, 3} {
		x, labels := clouds(120, 3, k, 621)
		m := must(classify.FitSigmoidSquares(x, labels, k, classify.SigmoidSquaresOptions{Seed: 3}))(t)
		errorIf(t, len(m.Outputs) != k-int(truth(k == 2)), "got %d outputs, want one per class, or one for two classes",
			len(m.Outputs))
		for j, out := range m.Outputs {
			target, w := mat.Col(nil, j, oneOfK(labels, k)), mat.Col(nil, j, m.W)
			o := must(classify.SigmoidObjective(x, target, nil))(t)
			checkStationary(t, o, w, 1e-11)
			secondDifferences(t, o, w, out.Hessian)
			var chol mat.Cholesky
			errorIf(t, !out.Converged || !chol.Factorize(out.Hessian), "output %d: got Converged %v and the Hessian %v, want true and a positive definite matrix: %s", j, out.Converged, flat(out.Hessian), out.Reason)
			e := must(o.Value(w))(t)
			allClose(t, "E", []float64{out.E, out.Trace[len(out.Trace)-1].E}, []float64{e, e}, 1e-12)
			// The start weights are small, so all outputs are near ½, and E is near 120/8.
			closeTo(t, out.Trace[0].E, 15, 1, "error E of output %d at the start", j)
		}
		other := must(classify.FitSigmoidSquares(x, labels, k, classify.SigmoidSquaresOptions{Seed: 1}))(t)
		near(t, "W of another seed", other.W, m.W, 1e-9)
		values := must(m.Values(x))(t)
		r, c := values.Dims()
		errorIf(t, r != 120 || c != k || k == 2 && math.Abs(values.At(5, 0)+values.At(5, 1)-1) > 1e-15,
			"Values returns a %d×%d matrix, want 120×%d, and for two classes a row 5 that sums to 1", r, c, k)
	}
	errorHas(t, errorOf(new(classify.SigmoidSquares).Values(pointsOn(1))), "no weights")
}

func TestSigmoidTargetsArguments(t *testing.T) {
	x, labels := clouds(30, 2, 3, 1037)
	with := func(i, j int, v float64) *mat.Dense {
		target := oneOfK(labels, 3)
		target.Set(i, j, v)
		return target
	}
	fit := func(target mat.Matrix) error {
		return errorOf(classify.FitSigmoidSquaresTargets(x, target, classify.SigmoidSquaresOptions{}))
	}
	allFail(t, []failingCall{
		{"half", fit(with(4, 1, 0.5)), []string{"FitSigmoidSquaresTargets", "t(4,1) is 0.5"}},
		{"NaN", fit(with(2, 0, math.NaN())), []string{"t(2,0) is NaN"}},
		{"rows", fit(oneOfK(labels, 3).Slice(0, 8, 0, 3)), []string{"8 rows", "30"}},
		{"nil", fit(nil), []string{"the targets", "nil"}},
		{"empty column", fit(mat.NewDense(30, 2, nil)), []string{"class 0 has 0 of the 30 rows"}},
	})
}

// The first column of t marks articles on sports, and the second column marks articles on politics.
// The fourth article is on both topics, and the first article is on neither topic.
func ExampleFitSigmoidSquaresTargets() {
	x := mat.NewDense(6, 2, []float64{0, 0, 3, 0, 0, 3, 3, 3, 4, 1, 1, 4}) // number of words of each kind
	t := mat.NewDense(6, 2, []float64{0, 0, 1, 0, 0, 1, 1, 1, 1, 0, 0, 1})
	m, err := classify.FitSigmoidSquaresTargets(x, t,
		classify.SigmoidSquaresOptions{Prior: classify.Isotropic{Alpha: 0.01}})
	if err != nil {
		panic(err)
	}
	y, _ := m.Values(x)
	fmt.Printf("%.2f\n", mat.Formatted(y))
	// Output:
	// ⎡0.15  0.15⎤
	// ⎢0.98  0.03⎥
	// ⎢0.03  0.98⎥
	// ⎢0.90  0.90⎥
	// ⎢1.00  0.09⎥
	// ⎣0.09  1.00⎦
}
