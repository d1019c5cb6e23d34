package classify_test

import (
	"fmt"
	"math"
	"runtime"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

// generativeBench are the fits of this part on Gaussian and on binary inputs.
var generativeBench = []struct {
	name   string
	binary bool
	fit    func(x mat.Matrix, labels []int, k int) error
}{
	{"Fisher", false, func(x mat.Matrix, l []int, k int) error {
		if k != 2 {
			return nil
		}
		_, err := classify.FitFisher(x, targets(l), classify.FisherOptions{})
		return err
	}},
	{"FisherMulti", false, func(x mat.Matrix, l []int, k int) error {
		_, err := classify.FitFisherMulti(x, l, k, classify.FisherMultiOptions{})
		return err
	}},
	{"LDA", false, func(x mat.Matrix, l []int, k int) error {
		_, err := classify.FitLDA(x, l, k, classify.LDAOptions{})
		return err
	}},
	{"QDA", false, func(x mat.Matrix, l []int, k int) error {
		_, err := classify.FitQDA(x, l, k, classify.QDAOptions{})
		return err
	}},
	{"NaiveBayesGaussian", false, func(x mat.Matrix, l []int, k int) error {
		_, err := classify.FitNaiveBayesGaussian(x, l, k, classify.NaiveBayesGaussianOptions{})
		return err
	}},
	{"NaiveBayesBernoulli", true, func(x mat.Matrix, l []int, k int) error {
		_, err := classify.FitNaiveBayesBernoulli(x, l, k, classify.NaiveBayesOptions{})
		return err
	}},
	{"NaiveBayesCategorical", true, func(x mat.Matrix, l []int, k int) error {
		_, d := x.Dims()
		levels := make([]int, d)
		for j := range levels {
			levels[j] = 2
		}
		_, err := classify.FitNaiveBayesCategorical(x, levels, l, k, classify.NaiveBayesOptions{})
		return err
	}},
	{"ExponentialFamily", true, func(x mat.Matrix, l []int, k int) error {
		_, err := classify.FitExponentialFamily(x, l, k, classify.ExponentialFamilyOptions{Density: classify.PoissonDensity})
		return err
	}},
}

// binaryOf returns the signs of x as 0 and 1.
func binaryOf(x *mat.Dense) *mat.Dense {
	b := mat.DenseCopyOf(x)
	b.Apply(func(_, _ int, v float64) float64 { return math.Max(0, math.Copysign(1, v)) }, b)
	return b
}

func BenchmarkFitGenerative(b *testing.B) {
	for _, size := range []struct{ n, d, k int }{{1000, 10, 2}, {100_000, 20, 2}, {1_000_000, 50, 2}} {
		x, labels := clouds(size.n, size.d, size.k, 1)
		y := binaryOf(x)
		for _, f := range generativeBench {
			in := x
			if f.binary {
				in = y
			}
			b.Run(fmt.Sprintf("%s/%dx%d", f.name, size.n, size.d), func(b *testing.B) {
				b.ReportAllocs()
				for range b.N {
					if err := f.fit(in, labels, size.k); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// TestGenerativeMemory: no fit makes an N×D temporary. Bytes allocated in all
// stay below a third of the inputs; the labels alone are 1/D of them.
func TestGenerativeMemory(t *testing.T) {
	const n, d = 100_000, 20
	x, labels := clouds(n, d, 2, 1)
	y := binaryOf(x)
	for _, f := range generativeBench {
		in := x
		if f.binary {
			in = y
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if err := f.fit(in, labels, 2); err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		if used := after.TotalAlloc - before.TotalAlloc; used > n*d*8/3 {
			t.Errorf("%s: %d kB allocated for inputs of %d kB", f.name, used/1000, n*d*8/1000)
		}
	}
}
