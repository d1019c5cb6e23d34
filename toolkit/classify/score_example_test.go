package classify_test

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
)

func ExampleEvaluateFolds() {
	iris := datasets.Iris()
	e := toolkit.Must(classify.EvaluateFolds(iris.X, iris.Labels, iris.K(), func(x mat.Matrix, labels []int) (classify.Predictor, error) {
		return classify.FitSoftmax(x, labels, 3, classify.SoftmaxOptions{Prior: classify.Isotropic{Alpha: 0.1}})
	}, classify.EvaluateOptions{Folds: 5, Stratified: true, Seed: 1}))
	fmt.Printf("accuracy %.3f ± %.3f, log loss %.3f ± %.3f\n", e.Accuracy.Value, e.Accuracy.StdError, e.LogLoss.Value, e.LogLoss.StdError)
	fmt.Println(e.Confusion)
	// Output:
	// accuracy 0.967 ± 0.015, log loss 0.095 ± 0.022
	// predicted     0     1     2
	//    true 0    50     0     0
	//    true 1     0    46     4
	//    true 2     0     1    49
}

// A two-class fit takes targets, which Targets makes of a fold's labels.
func ExampleEvaluateFolds_twoClasses() {
	iris := toolkit.Must(datasets.Iris().Class("virginica", "versicolor"))
	e := toolkit.Must(classify.EvaluateFolds(iris.X, iris.Labels, iris.K(), func(x mat.Matrix, labels []int) (classify.Predictor, error) {
		t, err := datasets.Targets(labels, 0)
		if err != nil {
			return nil, err
		}
		return classify.FitLogistic(x, t, classify.LogisticOptions{Prior: classify.Isotropic{Alpha: 0.1}})
	}, classify.EvaluateOptions{Folds: 5, Stratified: true, Seed: 1}))
	fmt.Printf("accuracy %.3f ± %.3f, log loss %.3f ± %.3f\n", e.Accuracy.Value, e.Accuracy.StdError, e.LogLoss.Value, e.LogLoss.StdError)
	// Output:
	// accuracy 0.930 ± 0.026, log loss 0.146 ± 0.032
}

func ExampleEvaluateHeldOut() {
	iris := datasets.Iris()
	e := toolkit.Must(classify.EvaluateHeldOut(iris.X, iris.Labels, iris.K(), func(x mat.Matrix, labels []int) (classify.Predictor, error) {
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
	c := toolkit.Must(classify.ScoreCalibration([]float64{0, 0, 1, 0, 1, 1}, []float64{0.1, 0.2, 0.3, 0.6, 0.8, 0.9}, 2))
	for _, b := range c.Bins {
		fmt.Printf("[%.1f, %.1f): %d rows, predicted %.2f, observed %.2f ± %.2f\n", b.Lo, b.Hi, b.N, b.Predicted, b.Observed.Value, b.Observed.StdError)
	}
	// Output:
	// [0.0, 0.5): 3 rows, predicted 0.20, observed 0.33 ± 0.33
	// [0.5, 1.0): 3 rows, predicted 0.77, observed 0.67 ± 0.33
}
