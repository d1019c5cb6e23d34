package classify_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

// oneOfK returns the 1-of-K targets of labels.
func oneOfK(labels []int, k int) *mat.Dense {
	t := mat.NewDense(len(labels), k, nil)
	for i, l := range labels {
		t.Set(i, l, 1)
	}
	return t
}

// TestSoftmaxTwoClasses compares softmax regression for K = 2 with FitLogistic: the results of the
// fit, and the weights and the covariance that Reference returns. The cases include soft targets,
// dependent columns and separable classes. For separable classes, only Converged, Separable, the rank
// and the degrees of freedom must be equal.
func TestSoftmaxTwoClasses(t *testing.T) {
	x, labels := clouds(120, 4, 2, 211)
	soft := targets(labels)
	soft[2], soft[7], soft[11] = 0.3, 0.8, 0.5
	twice := mat.NewDense(120, 5, nil)
	twice.Augment(x, x.ColView(1))
	for _, c := range []struct {
		name string
		x    mat.Matrix
		t    []float64
	}{{"hard", x, targets(labels)}, {"soft", x, soft}, {"duplicate column", twice, soft},
		{"few rows", x.Slice(0, 3, 0, 4), soft[:3]}} {
		t.Run(c.name, func(t *testing.T) {
			s := must(classify.FitSoftmaxTargets(c.x, bothTargets(c.t), classify.SoftmaxOptions{}))(t)
			l := must(classify.FitLogistic(c.x, c.t, classify.LogisticOptions{}))(t)
			if a, b := fmt.Sprint(s.Converged, s.Separable, s.Rank, s.DegreesOfFreedom()),
				fmt.Sprint(l.Converged, l.Separable, l.Rank, l.DegreesOfFreedom()); a != b {
				t.Errorf("Converged, Separable, Rank and degrees of freedom are %s for softmax (%s), but %s for logistic (%s)", a, s.Reason, b, l.Reason)
			}
			if !s.Converged {
				return
			}
			ref := must(s.Reference(1))(t)
			allClose(t, "E, NullLogLikelihood, AIC, BIC", []float64{s.E, s.NullLogLikelihood, s.AIC(), s.BIC()},
				[]float64{l.E, l.NullLogLikelihood, l.AIC(), l.BIC()}, 1e-11)
			allClose(t, "weights", flat(ref.W), l.W, 1e-11)
			n := len(l.W)
			allClose(t, "Hessian", flat(s.Hessian.SliceSym(0, n)), flat(l.Hessian), 1e-11)
			if errorIf(t, (s.Covariance == nil) != (l.Covariance == nil), "softmax has a covariance: %v, logistic has a covariance: %v; want both or neither", s.Covariance != nil, l.Covariance != nil); l.Covariance != nil {
				allClose(t, "covariance", flat(ref.Covariance), flat(l.Covariance), 1e-11)
			}
		})
	}
}

// TestSoftmaxIdentities checks identities that hold at the optimum for any data, without a prior and
// with priors. It also checks the errors of Reference.
func TestSoftmaxIdentities(t *testing.T) {
	const d, k, m = 3, 4, 4
	x, labels := clouds(160, d, k, 231)
	fit := func(p classify.Prior) *classify.Softmax {
		return must(classify.FitSoftmax(x, labels, k, classify.SoftmaxOptions{Prior: p}))(t)
	}
	s := fit(nil)
	p := must(s.Posterior(x))(t)
	for j := range k {
		closeTo(t, mat.Sum(p.ColView(j)), 40, 1e-11, "sum over all rows of the posteriors of class %d, which has 40 rows", j)
	}
	for i := range m {
		closeTo(t, mat.Sum(s.W.RowView(i)), 0, 1e-13, "sum of weight %d over all classes", i)
	}
	for c := range k { // any reference class
		ref := must(s.Reference(c))(t)
		w := mat.NewDense(m, k, nil)
		for j, class := range ref.Classes {
			w.SetCol(class, mat.Col(nil, j, ref.W))
		}
		near(t, "posteriors", must((&classify.Softmax{W: w}).Posterior(x))(t), p, 1e-14)
		// The covariance for reference class c is the inverse of the Hessian without the rows and
		// columns of class c.
		free := mat.NewDense(m*(k-1), m*(k-1), nil)
		free.Apply(func(u, v int, _ float64) float64 {
			return s.Hessian.At(ref.Classes[u/m]*m+u%m,
				ref.Classes[v/m]*m+v%m)
		}, free)
		checkInverse(t, ref.Covariance, free, 1e-11)
	}
	errorHas(t, errorOf(s.Reference(k)), "4", "0…3")
	errorHas(t, errorOf(s.Reference(-1)), "-1")
	o := must(classify.FitSoftmaxTargets(x, oneOfK(labels, k), classify.SoftmaxOptions{}))(t)
	errorIf(t, !mat.Equal(o.W, s.W), "1-of-K targets and labels give different weights, want equal weights")
	a, half := fit(classify.Isotropic{Alpha: 2}), symmetric(0.5, mat.DenseCopyOf(eye(m*k)))
	near(t, "weights under an isotropic prior, compared with the same prior as a Gaussian", a.W, fit(classify.Gaussian{Cov: half}).W, 1e-13)
	checkInverse(t, a.Covariance, a.Hessian, 1e-12)
	prior := classify.Isotropic{Alpha: 3, FreeBias: true}
	b := fit(prior)
	checkStationary(t, must(classify.SoftmaxObjective(x, labels, k, prior))(t), flat(b.W.T()), 1e-11)
	closeTo(t, mat.Sum(b.W.RowView(0)), 0, 1e-13, "sum of the biases, which are free of the penalty")
	errorIf(t, !a.Converged || !b.Converged || b.Covariance == nil, "the fit with a prior has Converged %v (%s); with a free bias: Converged %v (%s) and a covariance: %v; want true for all three", a.Converged, a.Reason, b.Converged, b.Reason, b.Covariance != nil)
}

// TestSoftmaxLarge checks a fit with so many rows that it computes Gram matrices instead of the
// orthogonal factor.
func TestSoftmaxLarge(t *testing.T) {
	x, labels := clouds(60000, 5, 4, 251)
	for _, prior := range []classify.Prior{nil, classify.Isotropic{Alpha: 5, FreeBias: true}} {
		s := must(classify.FitSoftmax(x, labels, 4, classify.SoftmaxOptions{Prior: prior}))(t)
		o, w := must(classify.SoftmaxObjective(x, labels, 4, prior))(t), flat(s.W.T())
		checkStationary(t, o, w, 1e-8)
		near(t, "Hessian", s.Hessian, must(o.Hessian(w))(t), 1e-10)
		errorIf(t, !s.Converged, "Converged is false, want true: %s", s.Reason)
	}
}

func TestSoftmaxBadArguments(t *testing.T) {
	x, labels := clouds(30, 2, 3, 271)
	tt := oneOfK(labels, 3)
	with := func(i, j int, v float64) *mat.Dense {
		y := mat.DenseCopyOf(tt)
		y.Set(i, j, v)
		return y
	}
	allFail(t, []failingCall{
		{"empty class", errorOf(classify.FitSoftmax(x, labels, 4, classify.SoftmaxOptions{})),
			[]string{"class 3 of 4", "no rows", "prior"}},
		{"empty class, free bias",
			errorOf(classify.FitSoftmax(x, labels, 4,
				classify.SoftmaxOptions{Prior: classify.Isotropic{Alpha: 1, FreeBias: true}})),
			[]string{"class 3 of 4"}},
		{"empty column",
			errorOf(classify.FitSoftmaxTargets(x, mat.NewDense(30, 2, slices.Repeat([]float64{1, 0}, 30)),
				classify.SoftmaxOptions{})), []string{"all 30 rows are class 0", "single class"}},
		{"huge k", errorOf(classify.FitSoftmax(x, labels, math.MaxInt, classify.SoftmaxOptions{})), []string{"only 30 rows"}},
		{"many weights", errorOf(classify.FitSoftmax(mat.NewDense(30, 20, nil), labels, 1000, classify.SoftmaxOptions{})),
			[]string{"GB", "fewer"}},
		{"k 1", errorOf(classify.FitSoftmax(x, labels, 1, classify.SoftmaxOptions{})), []string{"k is 1"}},
		{"start", errorOf(classify.FitSoftmax(x, labels, 3, classify.SoftmaxOptions{Start: mat.NewDense(2, 3, nil)})),
			[]string{"Start is 2×3", "3×3"}},
		{"target range", errorOf(classify.FitSoftmaxTargets(x, with(4, 1, -0.5), classify.SoftmaxOptions{})),
			[]string{"t(4,1)", "-0.5"}},
		{"target NaN", errorOf(classify.FitSoftmaxTargets(x, with(4, 1, math.NaN()), classify.SoftmaxOptions{})),
			[]string{"t(4,1)", "NaN"}},
		{"target sum", errorOf(classify.FitSoftmaxTargets(x, with(5, (labels[5]+1)%3, 0.25), classify.SoftmaxOptions{})),
			[]string{"row 5", "1.25"}},
		{"target rows", errorOf(classify.FitSoftmaxTargets(x, tt.Slice(0, 8, 0, 3), classify.SoftmaxOptions{})),
			[]string{"8 rows", "30"}},
		{"no targets", errorOf(classify.FitSoftmaxTargets(x, nil, classify.SoftmaxOptions{})), []string{"targets", "nil"}},
		{"one column of targets",
			errorOf(classify.FitSoftmaxTargets(x, mat.NewDense(30, 1, nil), classify.SoftmaxOptions{})),
			[]string{"30×1", "two columns"}},
	})
	errorHas(t, errorOf(new(classify.Softmax).Reference(0)), "no weights")
	m := must(classify.FitSoftmax(x, labels, 4, classify.SoftmaxOptions{Prior: classify.Isotropic{Alpha: 1}}))(t)
	errorIf(t, !m.Converged, "empty class with a prior: Converged is false, want true: %s", m.Reason)
	must(classify.FitSoftmaxTargets(x, tt, classify.SoftmaxOptions{}))(t)
	errorIf(t, !mat.Equal(tt, oneOfK(labels, 3)), "the fit changed the targets, want no change")
	one := mat.NewDense(1, 2, []float64{1, 2})
	m = must(classify.FitSoftmaxTargets(one, mat.NewDense(1, 3, []float64{0.2, 0.3, 0.5}),
		classify.SoftmaxOptions{}))(t)
	allClose(t, "one row", flat(must(m.Posterior(one))(t)), []float64{0.2, 0.3, 0.5}, 1e-14)
	errorIf(t, !m.Converged || m.Rank != 1, "one row: got rank %d, want rank 1 and convergence: %s", m.Rank, m.Reason)
}

// TestOneClassWithPrior checks fits to rows of a single class. With a prior on all weights, including
// the bias, the fits must converge. Without a prior, or with a prior that leaves out the bias, they
// must return an error.
func TestOneClassWithPrior(t *testing.T) {
	x, all := mat.NewDense(4, 2, []float64{0, 1, 1, 0, 2, 3, 3, 1}), classify.Isotropic{Alpha: 1}
	for _, k := range []int{2, 3} {
		labels := slices.Repeat([]int{k - 1}, 4)
		soft := func(p classify.Prior) (*classify.Softmax, error) {
			return classify.FitSoftmax(x, labels, k, classify.SoftmaxOptions{Prior: p})
		}
		bayes := func(p classify.Prior) (*classify.BayesSoftmax, error) {
			return classify.FitBayesSoftmax(x, labels, k, classify.BayesSoftmaxOptions{Prior: p})
		}
		squares := func(p classify.Prior) (*classify.SigmoidSquares, error) {
			return classify.FitSigmoidSquares(x, labels, k, classify.SigmoidSquaresOptions{Prior: p})
		}
		m, s := must(soft(all))(t), must(squares(all))(t)
		same := must(classify.FitSoftmaxTargets(x, oneOfK(labels, k), classify.SoftmaxOptions{Prior: all}))(t)
		near(t, "weights from targets", same.W, m.W, 0)
		near(t, "weights by FitBayesSoftmax", must(bayes(all))(t).W, m.W, 1e-9)
		wrong := misclassified(t, m, x, labels) + misclassified(t, s, x, labels)
		errorIf(t, !m.Converged || wrong > 0, "k = %d: FitSoftmax and FitSigmoidSquares misclassify %d rows in total, want 0 and convergence of FitSoftmax: %s", k, wrong, m.Reason)
		for j, o := range s.Outputs {
			y := mat.Col(nil, j, oneOfK(labels, k))
			checkStationary(t, must(classify.SigmoidObjective(x, y, all))(t), mat.Col(nil, j, s.W), 1e-8)
			errorIf(t, !o.Converged, "output %d: Converged is false, want true: %s", j, o.Reason)
		}
		for _, p := range []classify.Prior{nil, classify.Isotropic{Alpha: 1, FreeBias: true}} {
			errorHas(t, errorOf(soft(p)), "all 4 rows are class", "prior on all weights")
			errorHas(t, errorOf(bayes(p)), "all 4 rows are class")
			errorHas(t, errorOf(squares(p)), "without end", "prior on all weights")
		}
		errorHas(t, errorOf(classify.FitQuadraticLogistic(x, labels, k, classify.QuadraticLogisticOptions{})),
			"all 4 rows are class")
	}
	// For two classes, softmax regression with prior precision α equals logistic regression with
	// prior precision α/2.
	two := must(classify.FitSoftmax(x, make([]int, 4), 2, classify.SoftmaxOptions{Prior: all}))(t)
	logistic := must(classify.FitLogistic(x, fill(4, 1), classify.LogisticOptions{Prior: classify.Isotropic{Alpha: 0.5}}))(t)
	allClose(t, "difference of the two weight vectors, compared with logistic regression", contrastOf(two.W), logistic.W, 1e-9)
}
