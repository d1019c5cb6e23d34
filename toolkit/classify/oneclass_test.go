package classify_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

// TestOneClassWithPrior: a prior on all weights holds the bias, so that rows of a
// single class have a fit; without one they have none.
func TestOneClassWithPrior(t *testing.T) {
	x, one := mat.NewDense(4, 2, []float64{0, 1, 1, 0, 2, 3, 3, 1}), []float64{1, 1, 1, 1}
	prior := classify.Isotropic{Alpha: 1}
	free := classify.Isotropic{Alpha: 1, FreeBias: true}
	for _, k := range []int{2, 3} {
		for class := range k {
			labels := []int{class, class, class, class}
			targets := mat.NewDense(4, k, nil)
			for i := range 4 {
				targets.Set(i, class, 1)
			}
			soft := must(classify.FitSoftmax(x, labels, k, classify.SoftmaxOptions{Prior: prior}))(t)
			same := must(classify.FitSoftmaxTargets(x, targets, classify.SoftmaxOptions{Prior: prior}))(t)
			bayes := must(classify.FitBayesSoftmax(x, labels, k, classify.BayesSoftmaxOptions{Prior: prior}))(t)
			if !soft.Converged || !mat.Equal(soft.W, same.W) || !mat.EqualApprox(soft.W, bayes.W, 1e-9) {
				t.Errorf("k = %d, class %d: weights %v, by targets %v, by FitBayesSoftmax %v", k, class, soft.W, same.W, bayes.W)
			}
			squares := must(classify.FitSigmoidSquares(x, labels, k, classify.SigmoidSquaresOptions{Prior: prior}))(t)
			for name, m := range map[string]classify.Predictor{"softmax": soft, "sigmoid": squares} {
				for i, p := range must(m.Predict(x))(t) {
					if p != class {
						t.Errorf("k = %d, %s: row %d is predicted to be %d, all are %d", k, name, i, p, class)
					}
				}
			}
			for j, o := range squares.Outputs {
				y, w := 0.0, mat.Col(nil, j, squares.W)
				if j == class {
					y = 1
				}
				g := must(must(classify.SigmoidObjective(x, []float64{y, y, y, y}, prior))(t).Gradient(w))(t)
				if !o.Converged || math.Abs(g[0])+math.Abs(g[1])+math.Abs(g[2]) > 1e-8 {
					t.Errorf("k = %d, class %d: output %d has gradient %v: %s", k, class, j, g, o.Reason)
				}
			}
			if _, err := classify.SoftmaxObjective(x, labels, k, nil); err != nil {
				t.Errorf("SoftmaxObjective: %v", err)
			}
			for _, p := range []classify.Prior{nil, free} {
				_, err := classify.FitSoftmax(x, labels, k, classify.SoftmaxOptions{Prior: p})
				mentions(t, err, "all 4 rows are class", "prior on all weights")
				_, err = classify.FitBayesSoftmax(x, labels, k, classify.BayesSoftmaxOptions{Prior: p})
				mentions(t, err, "all 4 rows are class")
				_, err = classify.FitSigmoidSquares(x, labels, k, classify.SigmoidSquaresOptions{Prior: p})
				mentions(t, err, "without end", "prior on all weights")
			}
			_, err := classify.FitQuadraticLogistic(x, labels, k, classify.QuadraticLogisticOptions{})
			mentions(t, err, "all 4 rows are class")
		}
	}
	// The softmax model of two classes under α is the logistic one under α/2.
	soft := must(classify.FitSoftmax(x, []int{0, 0, 0, 0}, 2, classify.SoftmaxOptions{Prior: prior}))(t)
	logistic := must(classify.FitLogistic(x, one, classify.LogisticOptions{Prior: classify.Isotropic{Alpha: 0.5}}))(t)
	for i, w := range logistic.W {
		if d := soft.W.At(i, 0) - soft.W.At(i, 1); math.Abs(d-w) > 1e-9 {
			t.Errorf("weight %d: %v by softmax, %v by logistic regression", i, d, w)
		}
	}
}
