package classify_test

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
)

func TestScoreConfusion(t *testing.T) {
	labels := []int{0, 0, 0, 1, 1, 2, 2, 2, 2, 2}
	predicted := []int{0, 0, 1, 1, 2, 2, 2, 2, 0, 2}
	c := must(classify.ScoreConfusion(labels, predicted, 4))(t)
	if want := [][]int{{2, 1, 0, 0}, {0, 1, 1, 0}, {1, 0, 4, 0}, {0, 0, 0, 0}}; !reflect.DeepEqual(c.Counts, want) {
		t.Errorf("got the counts %v, want %v", c.Counts, want)
	}
	errorIf(t, c.N() != 10 || c.Errors() != 3 || math.Abs(c.Accuracy()-0.7) > 1e-15, "got N %d, %d errors, accuracy %v; want 10, 3, 0.7",
		c.N(), c.Errors(), c.Accuracy())
	// The expected values are computed by hand. For classes 0, 1 and 2 the recalls are 2/3, 1/2,
	// 4/5, and the precisions are also 2/3, 1/2, 4/5. Class 3 has no rows and no predictions.
	for name, got := range map[string][]float64{"recall": c.Recall(), "precision": c.Precision()} {
		for i, want := range []float64{2.0 / 3, 0.5, 0.8, math.NaN()} {
			errorIf(t, math.Abs(got[i]-want) > 1e-15 || math.IsNaN(got[i]) != math.IsNaN(want),
				"%s of class %d is %v, want %v", name, i, got[i], want)
		}
	}
	a := must(classify.ScoreAccuracy(labels, predicted))(t)
	// The standard error of a share p is √(p(1−p)/(N−1)).
	errorIf(t, math.Abs(a.Value-0.7) > 1e-15 || math.Abs(a.StdError-math.Sqrt(0.7*0.3/9)) > 1e-15, "the accuracy is %+v, want 0.7 ± √(0.7·0.3/9)", a)
	errorIf(t, !strings.Contains(c.String(), "true 2"), "the table reads %s, want the row \"true 2\"", c)
}

func TestScoreProbabilities(t *testing.T) {
	p := mat.NewDense(3, 2, []float64{0.8, 0.2, 0.5, 0.5, 0.1, 0.9})
	labels := []int{0, 1, 0}
	l := must(classify.ScoreLogLoss(labels, p))(t)
	terms := []float64{-math.Log(0.8), -math.Log(0.5), -math.Log(0.1)}
	mean, sd := stat.MeanStdDev(terms, nil)
	errorIf(t, math.Abs(l.Value-mean) > 1e-15 || math.Abs(l.StdError-sd/math.Sqrt(3)) > 1e-15,
		"the log loss is %+v, want %v ± %v", l, mean, sd/math.Sqrt(3))
	b := must(classify.ScoreBrier(labels, p))(t)
	want := (2*0.04 + 2*0.25 + 2*0.81) / 3
	errorIf(t, math.Abs(b.Value-want) > 1e-15, "the Brier score is %v, want %v", b.Value, want)
	sure := must(classify.ScoreLogLoss([]int{0, 1}, mat.NewDense(2, 2, []float64{1, 0, 1, 0})))(t)
	errorIf(t, !math.IsInf(sure.Value, 1) || !math.IsInf(sure.StdError, 1), "the log loss for a true class of probability 0 is %+v, want +Inf with the standard error +Inf",
		sure)
	// The log loss of a fitted model on the rows of the fit is E/N.
	x, y := clouds(50, 2, 2, 4)
	m := must(classify.FitLogistic(x, targets(y), classify.LogisticOptions{}))(t)
	own := must(classify.ScoreLogLoss(y, must(m.Posterior(x))(t)))(t)
	errorIf(t, math.Abs(50*own.Value-m.E) > 1e-12*m.E, "the log loss of the fitted rows is %v, want E/N = %v", own.Value, m.E/50)
}

// orderedPairs computes the area under the curve from its definition. It considers all pairs of a
// row of C₁ and a row of C₂. The area is the share of the pairs in which the row of C₁ has the
// larger activation; a tie counts ½.
func orderedPairs(t, a []float64) float64 {
	var right, all float64
	for i, u := range t {
		for j, v := range t {
			if u == 1 && v == 0 {
				all++
				right += float64(cmp.Compare(a[i], a[j])+1) / 2
			}
		}
	}
	return right / all
}

func TestScoreROC(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for trial := range 50 {
		n := 2 + rng.IntN(60)
		y, a := make([]float64, n), make([]float64, n)
		for i := range y {
			y[i] = float64(i % 2)
			a[i] = math.Round(4*(rng.NormFloat64()+y[i])) / 4 // many ties
		}
		if trial%5 == 0 {
			a[0], a[n-1] = math.Inf(1), math.Inf(-1)
		}
		before := slices.Clone(a)
		r := must(classify.ScoreROC(y, a))(t)
		errorIf(t, !slices.Equal(a, before), "ScoreROC changed the slice of activations, want no change")
		closeTo(t, r.AUC.Value, orderedPairs(y, a), 1e-14, "AUC by pairs")
		// The curve must start at (0, 0) even if an activation is +Inf. The test therefore replaces
		// the first threshold, +Inf, with NaN: no activation satisfies a ≥ NaN.
		for i, c := range append([]float64{math.NaN()}, r.Threshold[1:]...) {
			var tp, fp float64
			for j, v := range a {
				if v >= c {
					tp, fp = tp+y[j], fp+1-y[j]
				}
			}
			ones := floats.Sum(y)
			closeTo(t, r.TruePositive[i], tp/ones, 1e-14, "true positives at the threshold %v", c)
			closeTo(t, r.FalsePositive[i], fp/(float64(n)-ones), 1e-14, "false positives at the threshold %v", c)
		}
		last := len(r.Threshold) - 1
		errorIf(t, r.TruePositive[last] != 1 || r.FalsePositive[last] != 1, "the ROC curve ends at (%v, %v), want (1, 1)",
			r.FalsePositive[last], r.TruePositive[last])
	}
	perfect := must(classify.ScoreROC([]float64{0, 0, 1}, []float64{-1, 0, 5}))(t)
	errorIf(t, perfect.AUC != (classify.Score{Value: 1}), "the AUC of a perfect order is %+v, want 1 ± 0", perfect.AUC)
}

func TestScoreCalibration(t *testing.T) {
	p := []float64{0, 0.05, 0.15, 0.15, 0.99, 1}
	y := []float64{0, 1, 0, 1, 1, 1}
	c := must(classify.ScoreCalibration(y, p, 0))(t)
	n := 0
	for i, b := range c.Bins {
		n += b.N
		errorIf(t, math.Abs(b.Lo-float64(i)/10) > 1e-15 || math.Abs(b.Hi-float64(i+1)/10) > 1e-15, "bin %d is [%v, %v), want a width of 0.1 and the first bin at 0",
			i, b.Lo, b.Hi)
		errorIf(t, b.N == 0 != math.IsNaN(b.Predicted), "bin %d is %+v, want a Predicted of NaN if and only if the bin is empty", i, b)
	}
	errorIf(t, n != 6 || c.Bins[0].N != 2 || c.Bins[1].N != 2 || c.Bins[9].N != 2,
		"the bins are %+v, want 2 rows in each of bins 0, 1 and 9, and 6 rows in total", c.Bins)
	// The expected value is computed by hand: (2·|0.5−0.025| + 2·|0.5−0.15| + 2·|1−0.995|)/6.
	closeTo(t, c.Error, (2*0.475+2*0.35+2*0.005)/6, 1e-15, "calibration error")
}

var leastSquares = multi(classify.FitLeastSquares, classify.LeastSquaresOptions{})

// fitLogisticLabels fits a logistic model to labels 0 and 1.
func fitLogisticLabels(x mat.Matrix, labels []int) (classify.Predictor, error) {
	return classify.FitLogistic(x, targets(labels), classify.LogisticOptions{})
}

func TestEvaluateFolds(t *testing.T) {
	x, labels := clouds(103, 2, 2, 21)
	_, threes := clouds(103, 2, 3, 21)
	o := classify.EvaluateOptions{Folds: 5, Seed: 3, Stratified: true}
	e := must(classify.EvaluateFolds(x, labels, 2, fitLogisticLabels, o))(t)
	rows := slices.Sorted(slices.Values(e.Rows))
	errorIf(t, len(rows) != 103 || rows[0] != 0 || rows[102] != 102 || len(slices.Compact(rows)) != 103,
		"the judged rows are %v, want each of the rows 0…102 once", e.Rows)
	errorIf(t, e.Confusion.N() != 103, "the confusion matrix counts %d rows, want 103", e.Confusion.N())
	closeTo(t, e.Confusion.Accuracy(), e.Accuracy.Value, 1e-14, "accuracy")
	// Compute the expected posterior: for each fold, fit a model to a copy of the rows outside the
	// fold.
	at := 0
	for f, fold := range e.Folds {
		out := e.Rows[at : at+fold.N]
		var keep []float64
		var kept []int
		for n, l := range labels {
			if !slices.Contains(out, n) {
				keep, kept = append(keep, x.RawRowView(n)...), append(kept, l)
			}
		}
		first := 52 - int(floats.Sum(targets(kept))) // number of rows of class 0 in the fold
		closeTo(t, float64(first), float64(fold.N)/2, 1, "rows of class 0 in fold %d", f)
		m := must(fitLogisticLabels(mat.NewDense(len(kept), 2, keep), kept))(t).(*classify.Logistic)
		for i, n := range out {
			p := must(m.Posterior(x.Slice(n, n+1, 0, 2)))(t)
			closeTo(t, p.At(0, 0), e.Posterior.At(at+i, 0), 0, "posterior of row %d by a fit to copied rows", n)
		}
		at += fold.N
	}
	judged := make([]int, len(e.Rows))
	for i, n := range e.Rows {
		judged[i] = labels[n]
	}
	l := must(classify.ScoreLogLoss(judged, e.Posterior))(t)
	errorIf(t, l != e.LogLoss, "the log loss is %+v, want %+v computed from the posterior", e.LogLoss, l)
	closeTo(t, e.AUC.Value, orderedPairs(targets(judged), firstColumn(e.Posterior)), 1e-12, "AUC")
	errorIf(t, !(e.AUC.StdError > 0), "the AUC is %v, want a positive standard error", e.AUC)
	errorIf(t, !reflect.DeepEqual(e, must(classify.EvaluateFolds(x, labels, 2, fitLogisticLabels, o))(t)),
		"equal seeds give different evaluations, want equal evaluations")
	ls := must(classify.EvaluateFolds(x, threes, 3,
		func(x mat.Matrix, l []int) (classify.Predictor, error) { return leastSquares(x, l, 3) }, o))(t)
	errorIf(t, !math.IsNaN(ls.AUC.Value) || !math.IsNaN(ls.LogLoss.Value) || ls.Posterior != nil ||
		math.IsNaN(ls.Accuracy.Value),
		"the evaluation of least squares with three classes has log loss %v, AUC %v, accuracy %v and posterior %v, want NaN, NaN, a number and nil", ls.LogLoss, ls.AUC, ls.Accuracy, ls.Posterior)
}

func TestScoreErrors(t *testing.T) {
	x, labels := clouds(20, 2, 2, 2)
	half, nan := []float64{.5, .5, .5, .5}, math.NaN()
	type fitting = func(mat.Matrix, []int) (classify.Predictor, error)
	folds := func(labels []int, o classify.EvaluateOptions, fit fitting) error {
		return errorOf(classify.EvaluateFolds(x, labels, 2, fit, o))
	}
	held := func(o classify.EvaluateOptions) error {
		return errorOf(classify.EvaluateHeldOut(x, labels, 2, fitLogisticLabels, o))
	}
	confusion := func(labels, predicted []int, k int) error {
		return errorOf(classify.ScoreConfusion(labels, predicted, k))
	}
	brier := func(labels []int, p ...float64) error {
		return errorOf(classify.ScoreBrier(labels, mat.NewDense(2, 2, p)))
	}
	calibration := func(t, p float64, bins int) error {
		return errorOf(classify.ScoreCalibration([]float64{t}, []float64{p}, bins))
	}
	fails := func(m classify.Predictor, err error) fitting {
		return func(mat.Matrix, []int) (classify.Predictor, error) { return m, err }
	}
	rare := make([]int, 20)
	rare[7] = 1
	errorHas(t, confusion(nil, nil, 2), "at least one row")
	errorHas(t, confusion([]int{0}, []int{0, 1}, 2), "2 entries", "labels has 1")
	errorHas(t, confusion([]int{0}, []int{0}, 1), "k is 1")
	errorHas(t, confusion([]int{0}, []int{2}, 2), "predicted[0] is 2")
	errorHas(t, errorOf(classify.ScoreAccuracy([]int{-1}, []int{0})), "labels[0] is -1")
	errorHas(t, errorOf(classify.ScoreLogLoss([]int{0}, nil)), "posterior is nil")
	errorHas(t, brier([]int{0}, half...), "1 entries", "2 rows")
	errorHas(t, brier([]int{0, 1}, .5, .5, nan, 1), "posterior(1,0)", "NaN")
	errorHas(t, brier([]int{0, 1}, .5, .5, .5, .6), "row 1", "1.1")
	errorHas(t, brier([]int{0, 2}, half...), "labels[1] is 2")
	errorHas(t, errorOf(classify.ScoreROC([]float64{1, 1}, []float64{0, 1})), "all 2 targets are 1")
	errorHas(t, errorOf(classify.ScoreROC([]float64{1, .5}, []float64{0, 1})), "t[1] is 0.5")
	errorHas(t, errorOf(classify.ScoreROC([]float64{1, 0}, []float64{0, nan})), "a[1] is NaN")
	errorHas(t, calibration(1, 1.5, 0), "p[0] is 1.5")
	errorHas(t, calibration(1, 1, -1), "bins is -1")
	errorHas(t, calibration(-1, 1, 0), "t[0] is -1")
	errorHas(t, folds(labels, classify.EvaluateOptions{Folds: 21}, fitLogisticLabels), "21 folds", "20 rows")
	errorHas(t, folds(labels, classify.EvaluateOptions{Folds: 1}, fitLogisticLabels), "1 folds")
	errorHas(t, folds(labels, classify.EvaluateOptions{HeldOut: .5}, fitLogisticLabels),
		"HeldOut", "EvaluateHeldOut")
	errorHas(t, folds(rare, classify.EvaluateOptions{Folds: 4}, fitLogisticLabels), "fold", "single class")
	errorHas(t, folds(labels, classify.EvaluateOptions{}, fails(nil, errors.New("not today"))),
		"fold 0", "not today")
	errorHas(t, folds(labels, classify.EvaluateOptions{}, fails(nil, nil)), "no model")
	errorHas(t, held(classify.EvaluateOptions{HeldOut: 1}), "HeldOut is 1")
	errorHas(t, held(classify.EvaluateOptions{HeldOut: nan}), "HeldOut is NaN", "between 0 and 1")
	errorHas(t, held(classify.EvaluateOptions{HeldOut: 0.01}), "HeldOut 0.01 of 20 rows means 0 held-out rows")
	errorHas(t, held(classify.EvaluateOptions{Folds: 3}), "Folds", "EvaluateFolds")
}

func TestLogisticNumbers(t *testing.T) {
	x, labels := clouds(200, 3, 2, 17)
	fit := func(x mat.Matrix, p classify.Prior) *classify.Logistic {
		return must(classify.FitLogistic(x, targets(labels), classify.LogisticOptions{Prior: p}))(t)
	}
	m := fit(x, nil)
	errorIf(t, m.DegreesOfFreedom() != 4, "got %d degrees of freedom, want 4", m.DegreesOfFreedom())
	errorHas(t, errorOf3(fit(x, classify.Isotropic{Alpha: 1}).LikelihoodRatio()), "prior")
	s, df, pv, err := m.LikelihoodRatio()
	errorIf(t, err != nil || df != 3 || !(pv >= 0 && pv < 1e-3), "likelihood ratio: got df %d, p %v (error %v), want df 3 and p below 0.001", df, pv, err)
	closeTo(t, s, 2*(m.LogLikelihood-m.NullLogLikelihood), 1e-12, "statistic")
	// The column is uninformative: each value of the column is equally frequent in both classes.
	noise := mat.NewDense(200, 1, nil)
	noise.Apply(func(i, _ int, _ float64) float64 { return float64(1 - 2*(i/2%2)) }, noise)
	_, _, pv, err = fit(noise, nil).LikelihoodRatio()
	errorIf(t, err != nil || pv < 0.999, "an uninformative column has p = %v (error %v), want p near 1", pv, err)
	lo, hi := must2(m.Intervals(0.95))(t)
	for i, se := range must(m.StandardErrors())(t) {
		half := 1.959963984540054 * se // the 0.975 quantile of the normal distribution
		allClose(t, "interval", []float64{lo[i], hi[i]}, []float64{m.W[i] - half, m.W[i] + half}, 1e-12)
	}
	errorHas(t, errorOf2(m.Intervals(95)), "level is 95")
}

func ExampleEvaluateFolds() {
	iris := datasets.Iris()
	e := toolkit.Must(classify.EvaluateFolds(iris.X, iris.Labels, iris.K(),
		func(x mat.Matrix, labels []int) (classify.Predictor, error) {
			return classify.FitSoftmax(x, labels, 3, classify.SoftmaxOptions{Prior: classify.Isotropic{Alpha: 0.1}})
		}, classify.EvaluateOptions{Folds: 5, Stratified: true, Seed: 1}))
	fmt.Printf("accuracy %.3f ± %.3f, log loss %.3f ± %.3f\n", e.Accuracy.Value, e.Accuracy.StdError, e.LogLoss.Value,
		e.LogLoss.StdError)
	fmt.Println(e.Confusion)
	// Output:
	// accuracy 0.967 ± 0.015, log loss 0.095 ± 0.022
	// predicted     0     1     2
	//    true 0    50     0     0
	//    true 1     0    46     4
	//    true 2     0     1    49
}

func ExampleEvaluateHeldOut() {
	iris := datasets.Iris()
	e := toolkit.Must(classify.EvaluateHeldOut(iris.X, iris.Labels, iris.K(),
		func(x mat.Matrix, labels []int) (classify.Predictor, error) {
			return classify.FitLeastSquares(x, labels, 3, classify.LeastSquaresOptions{})
		}, classify.EvaluateOptions{HeldOut: 0.4, Seed: 1}))
	fmt.Printf("%d rows, accuracy %.2f ± %.2f\n", len(e.Rows), e.Accuracy.Value, e.Accuracy.StdError)
	// Output:
	// 60 rows, accuracy 0.80 ± 0.05
}

func ExampleScoreROC() {
	t := []float64{1, 1, 1, 0, 1, 0, 0, 0}
	a := []float64{3, 2, 1.5, 1, 0.5, 0.5, -1, -2}
	r := toolkit.Must(classify.ScoreROC(t, a))
	fmt.Printf("AUC %.4f ± %.4f\n", r.AUC.Value, r.AUC.StdError)
	fmt.Println(r.TruePositive)
	fmt.Println(r.FalsePositive)
	// Output:
	// AUC 0.9062 ± 0.1194
	// [0 0.25 0.5 0.75 0.75 1 1 1]
	// [0 0 0 0 0.25 0.5 0.75 1]
}

func ExampleScoreCalibration() {
	c := toolkit.Must(classify.ScoreCalibration([]float64{0, 0, 1, 0, 1, 1}, []float64{0.1, 0.2, 0.3, 0.6, 0.8, 0.9},
		2))
	for _, b := range c.Bins {
		fmt.Printf("[%.1f, %.1f): %d rows, predicted %.2f, observed %.2f ± %.2f\n", b.Lo, b.Hi, b.N, b.Predicted,
			b.Observed.Value, b.Observed.StdError)
	}
	// Output:
	// [0.0, 0.5): 3 rows, predicted 0.20, observed 0.33 ± 0.33
	// [0.5, 1.0): 3 rows, predicted 0.77, observed 0.67 ± 0.33
}
