package classify_test

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

// made yields n rows of d numbers in k classes with labels, the same at every call. The
// classes overlap; whole makes the inputs 0 and 1.
func made(n, d, k int, whole bool) func(yield func(x []float64, t float64) bool) error {
	return func(yield func(x []float64, t float64) bool) error {
		rng := rand.New(rand.NewPCG(16, uint64(n)))
		x := make([]float64, d)
		for range n {
			c := rng.IntN(k)
			for j := range x {
				x[j] = rng.NormFloat64() + float64((c+j)%k)
				if whole {
					x[j] = math.Round(min(max(x[j], 0), 1))
				}
			}
			if !yield(x, float64(c)) {
				break
			}
		}
		return nil
	}
}

// inMemory collects rows.
func inMemory(t *testing.T, each func(yield func(x []float64, t float64) bool) error) (x *mat.Dense, labels []int) {
	t.Helper()
	var data []float64
	if err := each(func(row []float64, c float64) bool {
		data = append(data, row...)
		labels = append(labels, int(c))
		return true
	}); err != nil {
		t.Fatal(err)
	}
	return mat.NewDense(len(labels), len(data)/len(labels), data), labels
}

// saved is the model as JSON: equal for models whose numbers have the same bits.
func saved[M any](m M, err error) (string, error) {
	if err != nil {
		return "", err
	}
	b, err := json.Marshal(m)
	return string(b), err
}

// rowFit is a fit of rows and the same one in memory.
type rowFit struct {
	name   string
	k      int
	whole  bool
	rows   func(r *classify.Rows) (string, error)
	memory func(x *mat.Dense, labels []int, t []float64) (string, error)
}

// rowFits are all fits of Rows.
func rowFits() []rowFit {
	prior := classify.Isotropic{Alpha: 0.1}
	levels := []int{2, 2, 2}
	return []rowFit{
		{"least squares", 3, false, func(r *classify.Rows) (string, error) {
			return saved(r.FitLeastSquares(classify.LeastSquaresOptions{Ridge: 1}))
		},
			func(x *mat.Dense, l []int, _ []float64) (string, error) {
				return saved(classify.FitLeastSquares(x, l, 3, classify.LeastSquaresOptions{Ridge: 1}))
			}},
		{"Fisher", 2, false, func(r *classify.Rows) (string, error) { return saved(r.FitFisher(classify.FisherOptions{})) },
			func(x *mat.Dense, _ []int, t []float64) (string, error) {
				return saved(classify.FitFisher(x, t, classify.FisherOptions{}))
			}},
		{"LDA", 3, false, func(r *classify.Rows) (string, error) { return saved(r.FitLDA(classify.LDAOptions{})) },
			func(x *mat.Dense, l []int, _ []float64) (string, error) {
				return saved(classify.FitLDA(x, l, 3, classify.LDAOptions{}))
			}},
		{"QDA", 3, false, func(r *classify.Rows) (string, error) { return saved(r.FitQDA(classify.QDAOptions{Unbiased: true})) },
			func(x *mat.Dense, l []int, _ []float64) (string, error) {
				return saved(classify.FitQDA(x, l, 3, classify.QDAOptions{Unbiased: true}))
			}},
		{"naive Bayes, Gaussian", 3, false, func(r *classify.Rows) (string, error) {
			return saved(r.FitNaiveBayesGaussian(classify.NaiveBayesGaussianOptions{}))
		},
			func(x *mat.Dense, l []int, _ []float64) (string, error) {
				return saved(classify.FitNaiveBayesGaussian(x, l, 3, classify.NaiveBayesGaussianOptions{}))
			}},
		{"naive Bayes, Bernoulli", 3, true, func(r *classify.Rows) (string, error) {
			return saved(r.FitNaiveBayesBernoulli(classify.NaiveBayesBernoulliOptions{}))
		},
			func(x *mat.Dense, l []int, _ []float64) (string, error) {
				return saved(classify.FitNaiveBayesBernoulli(x, l, 3, classify.NaiveBayesBernoulliOptions{}))
			}},
		{"naive Bayes, categorical", 3, true, func(r *classify.Rows) (string, error) {
			return saved(r.FitNaiveBayesCategorical(levels, classify.NaiveBayesCategoricalOptions{}))
		},
			func(x *mat.Dense, l []int, _ []float64) (string, error) {
				return saved(classify.FitNaiveBayesCategorical(x, levels, l, 3, classify.NaiveBayesCategoricalOptions{}))
			}},
		{"logistic", 2, false, func(r *classify.Rows) (string, error) { return saved(r.FitLogistic(classify.LogisticOptions{})) },
			func(x *mat.Dense, _ []int, t []float64) (string, error) {
				return saved(classify.FitLogistic(x, t, classify.LogisticOptions{}))
			}},
		{"logistic, L-BFGS", 2, false, func(r *classify.Rows) (string, error) {
			return saved(r.FitLogistic(classify.LogisticOptions{Prior: prior, Solver: classify.LBFGS{}}))
		},
			func(x *mat.Dense, _ []int, t []float64) (string, error) {
				return saved(classify.FitLogistic(x, t, classify.LogisticOptions{Prior: prior, Solver: classify.LBFGS{}}))
			}},
		{"logistic, gradient descent", 2, false, func(r *classify.Rows) (string, error) {
			return saved(r.FitLogistic(classify.LogisticOptions{MaxIterations: 20, Solver: classify.GradientDescent{}}))
		},
			func(x *mat.Dense, _ []int, t []float64) (string, error) {
				return saved(classify.FitLogistic(x, t, classify.LogisticOptions{MaxIterations: 20, Solver: classify.GradientDescent{}}))
			}},
		{"probit", 2, false, func(r *classify.Rows) (string, error) { return saved(r.FitProbit(classify.ProbitOptions{})) },
			func(x *mat.Dense, _ []int, t []float64) (string, error) {
				return saved(classify.FitProbit(x, t, classify.ProbitOptions{}))
			}},
		{"label flip", 2, false, func(r *classify.Rows) (string, error) {
			return saved(r.FitLabelFlip(classify.LabelFlipOptions{Epsilon: 0.05, Estimate: true}))
		},
			func(x *mat.Dense, _ []int, t []float64) (string, error) {
				return saved(classify.FitLabelFlip(x, t, classify.LabelFlipOptions{Epsilon: 0.05, Estimate: true}))
			}},
		{"Bayesian logistic", 2, false, func(r *classify.Rows) (string, error) {
			return saved(r.FitBayesLogistic(classify.BayesLogisticOptions{Prior: prior}))
		},
			func(x *mat.Dense, _ []int, t []float64) (string, error) {
				return saved(classify.FitBayesLogistic(x, t, classify.BayesLogisticOptions{Prior: prior}))
			}},
		{"softmax", 3, false, func(r *classify.Rows) (string, error) { return saved(r.FitSoftmax(classify.SoftmaxOptions{})) },
			func(x *mat.Dense, l []int, _ []float64) (string, error) {
				return saved(classify.FitSoftmax(x, l, 3, classify.SoftmaxOptions{}))
			}},
	}
}

// TestRowsAsInMemory: the model of rows that are read pass after pass has the bits of
// the one in memory, for few rows and for so many that their sums are made in pieces.
func TestRowsAsInMemory(t *testing.T) {
	for _, f := range rowFits() {
		t.Run(f.name, func(t *testing.T) {
			for _, n := range []int{60, 3000, 20_000} {
				each := made(n, 3, f.k, f.whole)
				x, labels := inMemory(t, each)
				target := make([]float64, n) // 1 for label 0
				for i, c := range labels {
					target[i] = float64(1 - min(c, 1))
				}
				want, err := f.memory(x, labels, target)
				if err != nil {
					t.Fatal(err)
				}
				rows := must(classify.NewRows(each, classify.RowsOptions{Classes: f.k}))(t)
				if rows.N() != n || rows.D() != 3 {
					t.Errorf("%d×%d, want %d×3", rows.N(), rows.D(), n)
				}
				if got, err := f.rows(rows); err != nil || got != want {
					t.Errorf("N = %d: %v, %s\nwant %s", n, err, got, want)
				}
				if f.k > 2 {
					continue
				}
				rows = must(classify.NewRows(classify.RowsOf(x, target), classify.RowsOptions{}))(t)
				if got, err := f.rows(rows); err != nil || got != want {
					t.Errorf("N = %d, targets: %v, %s\nwant %s", n, err, got, want)
				}
			}
		})
	}
}

// TestRowsProgress: the passes are counted and every one goes to its end, but for those
// that look at a few rows.
func TestRowsProgress(t *testing.T) {
	const n = 5000
	type step struct{ pass, row, rows int }
	var steps []step
	rows := must(classify.NewRows(made(n, 2, 2, false), classify.RowsOptions{Classes: 2, Progress: func(pass, row, rows int) { steps = append(steps, step{pass, row, rows}) }}))(t)
	if last := steps[len(steps)-1]; last.pass != 0 || last.row < n-1024 || last.rows != 0 {
		t.Errorf("the first pass ends with %v", last)
	}
	steps = nil
	must(rows.FitLDA(classify.LDAOptions{}))(t)
	ends := 0
	for i, s := range steps {
		if s.rows != n || s.row < 1 || s.row > n || i > 0 && (s.pass < steps[i-1].pass || s.pass == steps[i-1].pass && s.row <= steps[i-1].row) {
			t.Fatalf("step %d is %v after %v", i, s, steps[i-1])
		}
		if s.row == n {
			ends++
		}
	}
	if ends < 3 || steps[0].pass != 1 {
		t.Errorf("%d passes to the end, the first step %v", ends, steps[0])
	}
}
