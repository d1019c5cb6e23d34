package classify_test

import (
	"fmt"
	"runtime"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

// discriminativeFits are the fits of this group on n rows of d columns.
var discriminativeFits = []struct {
	name string
	k    int
	fit  func(x *mat.Dense, labels []int, t []float64) error
}{
	{"softmax", 4, func(x *mat.Dense, labels []int, _ []float64) error {
		_, err := classify.FitSoftmax(x, labels, 4, classify.SoftmaxOptions{})
		return err
	}},
	{"probit", 2, func(x *mat.Dense, _ []int, t []float64) error {
		_, err := classify.FitProbit(x, t, classify.ProbitOptions{})
		return err
	}},
	{"label flip", 2, func(x *mat.Dense, _ []int, t []float64) error {
		_, err := classify.FitLabelFlip(x, t, classify.LabelFlipOptions{Epsilon: 0.05})
		return err
	}},
	{"squared sigmoid", 2, func(x *mat.Dense, labels []int, _ []float64) error {
		_, err := classify.FitSigmoidSquares(x, labels, 2, classify.SigmoidOptions{})
		return err
	}},
	{"Poisson", 2, func(x *mat.Dense, _ []int, t []float64) error {
		_, err := classify.FitGLM(x, t, classify.PoissonTarget{}, classify.GLMOptions{})
		return err
	}},
}

func BenchmarkFitDiscriminative(b *testing.B) {
	for _, f := range discriminativeFits {
		for _, s := range sizes[:3] {
			b.Run(fmt.Sprintf("%s %d×%d", f.name, s.n, s.d), func(b *testing.B) {
				x, labels := clouds(s.n, s.d, f.k, 3)
				t := targets(labels)
				b.ReportAllocs()
				for b.Loop() {
					if err := f.fit(x, labels, t); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
	b.Run("quadratic 20000×8", func(b *testing.B) {
		x, labels := rings(20000, 8, 3, 3)
		b.ReportAllocs()
		for b.Loop() {
			if _, err := classify.FitQuadraticLogistic(x, labels, 3, classify.QuadraticOptions{Lambda: 1}); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// TestDiscriminativeMemory: all that a fit allocates in all its passes together,
// beside its vectors of N targets, is less than one N×D matrix.
func TestDiscriminativeMemory(t *testing.T) {
	const n, d = 100000, 8
	for _, f := range discriminativeFits {
		t.Run(f.name, func(t *testing.T) {
			x, labels := clouds(n, d, f.k, 9)
			target := targets(labels)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			if err := f.fit(x, labels, target); err != nil {
				t.Fatal(err)
			}
			runtime.ReadMemStats(&after)
			outputs := 1
			if f.k > 2 {
				outputs = f.k
			}
			size, allowed := after.TotalAlloc-before.TotalAlloc, uint64(8*n*(d+4*outputs))
			t.Logf("%.1f MB; one N×D matrix has %.1f MB", float64(size)/1e6, 8*n*d/1e6)
			if size > allowed {
				t.Errorf("%d bytes allocated, allowed are %d", size, allowed)
			}
		})
	}
}
