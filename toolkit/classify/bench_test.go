package classify_test

import (
	"fmt"
	"math"
	"runtime"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

var sizes = []struct{ n, d int }{{100, 2}, {1000, 10}, {100000, 20}, {200000, 50}}

// measuredFits lists the fits whose time and memory are measured.
var measuredFits = []struct {
	name string
	k    int
	kind fitKind
	fit  fitFunc
}{
	{"logistic", 2, iterated, binary(classify.FitLogistic, classify.LogisticOptions{})},
	{"softmax", 4, iterated, multi(classify.FitSoftmax, classify.SoftmaxOptions{})},
	{"probit", 2, iterated, binary(classify.FitProbit, classify.ProbitOptions{})},
	{"label flip", 2, iterated, binary(classify.FitLabelFlip, classify.LabelFlipOptions{Epsilon: 0.05})},
	{"squared sigmoid", 2, iterated, multi(classify.FitSigmoidSquares, classify.SigmoidSquaresOptions{})},
	{"Poisson", 2, iterated, func(x mat.Matrix, labels []int, _ int) (classify.Predictor, error) {
		return nil, errorOf(classify.FitGLM(x, targets(labels), classify.PoissonTarget{}, classify.GLMOptions{}))
	}},
	{"Bayes logistic", 2, iterated, binary(classify.FitBayesLogistic, classify.BayesLogisticOptions{Prior: isotropic})},
	{"variational", 2, timed,
		binary(classify.FitVariationalLogistic, classify.VariationalLogisticOptions{Prior: isotropic})},
	{"quadratic logistic", 2, timed,
		multi(classify.FitQuadraticLogistic, classify.QuadraticLogisticOptions{Lambda: 1})},
	{"least squares", 2, timed, multi(classify.FitLeastSquares, classify.LeastSquaresOptions{})},
	{"perceptron, 10 passes", 2, timed,
		binary(classify.FitPerceptron, classify.PerceptronOptions{MaxEpochs: 10, KeepUpdates: -1})},
	{"adaline, 10 passes", 2, timed,
		binary(classify.FitAdaline, classify.AdalineOptions{MaxEpochs: 10, Tolerance: 1e-300})},
	{"Fisher", 2, closed, binary(classify.FitFisher, classify.FisherOptions{})},
	{"Fisher, many classes", 2, closed, multi(classify.FitFisherMulti, classify.FisherMultiOptions{})},
	{"LDA", 2, closed, multi(classify.FitLDA, classify.LDAOptions{})},
	{"QDA", 2, closed, multi(classify.FitQDA, classify.QDAOptions{})},
	{"Gaussian naive Bayes", 2, closed, multi(classify.FitNaiveBayesGaussian, classify.NaiveBayesGaussianOptions{})},
	{"Bernoulli naive Bayes", 2, signInputs, multi(classify.FitNaiveBayesBernoulli, classify.NaiveBayesBernoulliOptions{})},
	{"categorical naive Bayes", 2, signInputs, func(x mat.Matrix, labels []int, k int) (classify.Predictor, error) {
		_, d := x.Dims()
		return orNone(classify.FitNaiveBayesCategorical(x, slices.Repeat([]int{2}, d), labels, k,
			classify.NaiveBayesCategoricalOptions{}))
	}},
	{"exponential family", 2, signInputs,
		multi(classify.FitExponentialFamily, classify.ExponentialFamilyOptions{Density: classify.DensityPoisson})},
}

// A fitKind describes how a fit reads the rows. The kind determines how much memory the fit may
// allocate and which inputs it needs.
type fitKind int

const (
	timed      fitKind = iota // a fit without a memory limit
	iterated                  // a fit that makes several passes over the rows
	closed                    // a fit that computes a few sums over the rows
	signInputs                // a fit that computes a few sums over rows of zeros and ones
)

// randomRows returns n rows of d columns in k classes, with the input values that fits of kind i
// need.
func (i fitKind) randomRows(n, d, k int) (*mat.Dense, []int) {
	x, labels := clouds(n, d, k, 9)
	if i == signInputs {
		x.Apply(func(_, _ int, v float64) float64 { return math.Max(0, math.Copysign(1, v)) }, x)
	}
	return x, labels
}

// allocated returns the total number of bytes that f allocates.
func allocated(t *testing.T, f func() error) uint64 {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if err := f(); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// TestFitMemory limits the memory of all measuredFits except the fits of kind `timed`. An iterated
// fit may allocate one N×D matrix and, for each output, four vectors of N numbers, in all passes
// together. A fit of another kind may allocate only a third of an N×D matrix. This limit includes
// the memory for the labels, which is 1/D of the memory for the matrix.
func TestFitMemory(t *testing.T) {
	for _, f := range measuredFits {
		if f.kind == timed {
			continue
		}
		t.Run(f.name, func(t *testing.T) {
			const n = 100_000
			d, allowed := 20, uint64(n*20*8/3)
			if f.kind == iterated {
				outputs := 1
				if f.k > 2 {
					outputs = f.k
				}
				d = 8
				allowed = uint64(8 * n * (d + 4*outputs))
			}
			x, labels := f.kind.randomRows(n, d, f.k)
			size := allocated(t, func() error { return errorOf(f.fit(x, labels, f.k)) })
			t.Logf("the fit allocated %.1f MB; an N×D matrix needs %.1f MB", float64(size)/1e6, float64(8*n*d)/1e6)
			errorIf(t, size > allowed, "%d bytes allocated, want at most %d", size, allowed)
		})
	}
}

// bench measures the time and the allocations of one call of f. The functions in `more` then report
// further metrics of the benchmark.
func bench(b *testing.B, name string, f func() error, more ...func(b *testing.B)) {
	b.Run(name, func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if err := f(); err != nil {
				b.Fatal(err)
			}
		}
		for _, m := range more {
			m(b)
		}
	})
}

func BenchmarkFit(b *testing.B) {
	for _, f := range measuredFits {
		for _, s := range sizes {
			if f.name == "quadratic logistic" && s.d > 10 {
				continue // a quadratic logistic model has D(D+3)/2 features
			}
			x, labels := f.kind.randomRows(s.n, s.d, f.k)
			bench(b, fmt.Sprintf("%s/%d×%d", f.name, s.n, s.d), func() error { return errorOf(f.fit(x, labels, f.k)) })
		}
	}
	x, t := logisticRows(1000, 10, 3)
	for _, s := range samplers {
		bench(b, s.name, func() error {
			return errorOf(classify.SampleLogistic(x, t, classify.SampleLogisticOptions{Prior: isotropic, Method: s.method}))
		})
	}
	x, labels := clouds(100_000, 2, 2, 1)
	basis := toolkit.Must(classify.BasisGaussian(x.Slice(0, 50, 0, 2), 1.5))
	bench(b, "logistic on 50 Gaussian basis functions", func() error {
		return errorOf(classify.FitOnBasis(x, basis, func(phi mat.Matrix) (*classify.Logistic, error) {
			return classify.FitLogistic(phi, targets(labels), classify.LogisticOptions{Prior: isotropic})
		}))
	})
	for _, n := range []int{1_000, 100_000} { // two sizes, to show whether the allocated memory grows with N
		x, labels := clouds(n, 50, 2, 1)
		y := targets(labels)
		bench(b, fmt.Sprintf("gradient descent, 10 iterations/%d×50", n), func() error {
			return errorOf(classify.FitLogistic(x, y,
				classify.LogisticOptions{Solver: classify.GradientDescent{Every: 100}, MaxIterations: 10}))
		})
	}
}

func BenchmarkSeparable(b *testing.B) {
	for _, s := range sizes {
		for _, shift := range []float64{0.1, 2} {
			x, target := logisticRows(s.n, s.d, 3)
			x.Apply(func(i, _ int, v float64) float64 { return v + shift*target[i] }, x)
			bench(b, fmt.Sprintf("%d×%d, shift %v", s.n, s.d, shift),
				func() error { return errorOf(classify.Separable(x, target)) })
		}
	}
}

func BenchmarkPosterior(b *testing.B) {
	x, t := logisticRows(100000, 20, 4)
	m := &classify.Logistic{Estimate: classify.Estimate{W: make([]float64, 21)}}
	bench(b, "logistic", func() error { return errorOf(m.Posterior(x)) })
	bayes := toolkit.Must(classify.FitBayesLogistic(x, t,
		classify.BayesLogisticOptions{Prior: classify.Isotropic{Alpha: 1}}))
	for _, by := range []classify.PredictiveMethod{classify.PredictiveModerated, classify.PredictiveQuadrature,
		classify.PredictivePlugIn} {
		bench(b, fmt.Sprint("Bayes logistic, method ", by), func() error { return errorOf(bayes.PosteriorBy(x, by)) })
	}
}

// BenchmarkRows measures fits of rows from an iterator, for several N. It reports ns per row and
// the number of passes.
func BenchmarkRows(b *testing.B) {
	for _, d := range []int{20, 50} {
		table, t := twoClouds(4096, d, 0)
		for _, n := range []int{100_000, 1_000_000, 10_000_000} {
			each := func(yield func(x []float64, t float64) bool) error {
				for i := range n {
					if at := int(uint64(i) * 2654435761 >> 7 % 4096); !yield(table.RawRowView(at), t[at]) {
						break
					}
				}
				return nil
			}
			for _, f := range []struct {
				name string
				fit  func(r *classify.Rows) error
			}{
				{"LDA", func(r *classify.Rows) error { return errorOf(classify.FitLDAFrom(r, classify.LDAOptions{})) }},
				{"logistic", func(r *classify.Rows) error { return errorOf(classify.FitLogisticFrom(r, classify.LogisticOptions{})) }},
			} {
				passes := 0
				bench(b, fmt.Sprintf("%s/%d×%d", f.name, n, d), func() error {
					r,
						err := classify.NewRows(each,
						classify.RowsOptions{Progress: func(pass, _, _ int) { passes = pass }})
					if err != nil {
						return err
					}
					return f.fit(r)
				}, func(b *testing.B) {
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/row")
					b.ReportMetric(float64(passes+1), "passes")
				})
			}
		}
	}
}

// BenchmarkPeers measures fits to two overlapping classes. The times of these fits are compared
// with the times of other libraries. The name of each sub-benchmark contains the model and the size
// of the data.
func BenchmarkPeers(b *testing.B) {
	peers := []string{"logistic", "probit", "LDA", "QDA", "Gaussian naive Bayes", "least squares", "perceptron, 10 passes"}
	for _, s := range []struct{ n, d int }{{150, 4}, {1000, 10}, {100_000, 20}, {1_000_000, 50}} {
		x, t := twoClouds(s.n, s.d, 0)
		for _, f := range measuredFits {
			if slices.Contains(peers, f.name) {
				bench(b, fmt.Sprintf("%s/%d×%d", f.name, s.n, s.d), func() error { return errorOf(f.fit(x, sidesOf(t), 2)) })
			}
		}
	}
}
