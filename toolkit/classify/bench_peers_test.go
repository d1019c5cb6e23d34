package classify_test

import (
	"fmt"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

// BenchmarkPeers are the fits that other libraries are compared with, on two classes
// that overlap, under names that say model and size.
func BenchmarkPeers(b *testing.B) {
	for _, s := range []struct{ n, d int }{{150, 4}, {1000, 10}, {100_000, 20}, {1_000_000, 50}} {
		x, t := mingled(s.n, s.d, 0)
		labels := make([]int, s.n)
		for i, v := range t {
			labels[i] = int(1 - v)
		}
		for _, f := range []struct {
			name string
			fit  func() error
		}{
			{"logistic", func() error { return of(classify.FitLogistic(x, t, classify.LogisticOptions{})) }},
			{"probit", func() error { return of(classify.FitProbit(x, t, classify.ProbitOptions{})) }},
			{"LDA", func() error { return of(classify.FitLDA(x, labels, 2, classify.LDAOptions{})) }},
			{"QDA", func() error { return of(classify.FitQDA(x, labels, 2, classify.QDAOptions{})) }},
			{"Gaussian naive Bayes", func() error {
				return of(classify.FitNaiveBayesGaussian(x, labels, 2, classify.NaiveBayesGaussianOptions{}))
			}},
			{"least squares", func() error { return of(classify.FitLeastSquares(x, labels, 2, classify.LeastSquaresOptions{})) }},
			{"perceptron, 10 epochs", func() error {
				return of(classify.FitPerceptron(x, t, classify.PerceptronOptions{MaxEpochs: 10, KeepUpdates: -1}))
			}},
		} {
			bench(b, fmt.Sprintf("%s/%d×%d", f.name, s.n, s.d), f.fit)
		}
	}
}
