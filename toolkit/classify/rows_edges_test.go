package classify_test

import (
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

// TestRowsSeparableAndDegenerate: what goes over the rows for proofs and messages.
func TestRowsSeparableAndDegenerate(t *testing.T) {
	n := 1500
	each := func(dup bool, gap float64) func(yield func(x []float64, t float64) bool) error {
		return func(yield func(x []float64, t float64) bool) error {
			rng := rand.New(rand.NewPCG(16, 2))
			for i := range n {
				c := float64(i % 2)
				u := rng.Float64() + gap*c
				v := rng.NormFloat64()
				if dup {
					v = 2 * u
				}
				if !yield([]float64{u, v}, c) {
					break
				}
			}
			return nil
		}
	}
	for _, c := range []struct {
		name string
		each func(yield func(x []float64, t float64) bool) error
	}{{"separable", each(false, 1.5)}, {"touching", each(false, 1)}, {"dependent", each(true, 0.5)}, {"constant", made(n, 2, 2, true)}} {
		x, labels := inMemory(t, c.each)
		target := make([]float64, n)
		for i, l := range labels {
			target[i] = float64(1 - l)
		}
		rows := must(classify.NewRows(c.each, classify.RowsOptions{Classes: 2}))(t)
		for name, f := range map[string][2]func() (string, error){
			"logistic": {func() (string, error) { return saved(rows.FitLogistic(classify.LogisticOptions{})) },
				func() (string, error) { return saved(classify.FitLogistic(x, target, classify.LogisticOptions{})) }},
			"probit": {func() (string, error) { return saved(rows.FitProbit(classify.ProbitOptions{})) },
				func() (string, error) { return saved(classify.FitProbit(x, target, classify.ProbitOptions{})) }},
			"softmax": {func() (string, error) { return saved(rows.FitSoftmax(classify.SoftmaxOptions{})) },
				func() (string, error) { return saved(classify.FitSoftmax(x, labels, 2, classify.SoftmaxOptions{})) }},
			"label flip": {func() (string, error) { return saved(rows.FitLabelFlip(classify.LabelFlipOptions{Estimate: true})) },
				func() (string, error) {
					return saved(classify.FitLabelFlip(x, target, classify.LabelFlipOptions{Estimate: true}))
				}},
			"Fisher, pseudo-inverse": {func() (string, error) { return saved(rows.FitFisher(classify.FisherOptions{PseudoInverse: true})) },
				func() (string, error) {
					return saved(classify.FitFisher(x, target, classify.FisherOptions{PseudoInverse: true}))
				}},
			"least squares": {func() (string, error) { return saved(rows.FitLeastSquares(classify.LeastSquaresOptions{})) },
				func() (string, error) {
					return saved(classify.FitLeastSquares(x, labels, 2, classify.LeastSquaresOptions{}))
				}},
		} {
			got, gotErr := f[0]()
			want, wantErr := f[1]()
			if got != want || (gotErr == nil) != (wantErr == nil) {
				t.Errorf("%s, %s: %v, %.300s\nwant %v, %.300s", c.name, name, gotErr, got, wantErr, want)
			}
		}
		// Errors of singular covariances say the same.
		_, got := rows.FitLDA(classify.LDAOptions{})
		_, want := classify.FitLDA(x, labels, 2, classify.LDAOptions{})
		if (got == nil) != (want == nil) || got != nil && strings.TrimPrefix(got.Error(), "classify: Rows.FitLDA: ") != strings.TrimPrefix(want.Error(), "classify: FitLDA: ") {
			t.Errorf("%s: LDA says %v, want %v", c.name, got, want)
		}
	}
}

// wantError wants an error that says all of these.
func wantError(t *testing.T, name string, err error, want ...string) {
	t.Helper()
	if err == nil {
		t.Errorf("%s: no error, want one with %q", name, want)
		return
	}
	for _, w := range want {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("%s: error %q does not mention %q", name, err, w)
		}
	}
}

// TestRowsMemory: two million rows, 80 MB of numbers, are fitted in a tenth of that.
func TestRowsMemory(t *testing.T) {
	const n, d, most = 2_000_000, 4, 8 << 20
	var peak, before uint64
	look := func() {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		peak = max(peak, m.HeapAlloc)
	}
	// Cheap rows: the low bits of a counter, stirred.
	each := func(yield func(x []float64, t float64) bool) error {
		x, state := make([]float64, d), uint64(16)
		for i := range n {
			if i%100_000 == 0 {
				look()
			}
			var sum float64
			for j := range x {
				state = state*6364136223846793005 + 1442695040888963407
				x[j] = float64(state>>40)/(1<<23) - 1
				sum += x[j]
			}
			label := 0.0
			if state>>20&1023 < uint64(512+200*sum) {
				label = 1
			}
			if !yield(x, label) {
				break
			}
		}
		return nil
	}
	runtime.GC()
	look()
	before, peak = peak, 0
	rows := must(classify.NewRows(each, classify.RowsOptions{Classes: 2}))(t)
	for name, fit := range map[string]func() error{
		"logistic":           func() error { _, err := rows.FitLogistic(classify.LogisticOptions{}); return err },
		"LDA":                func() error { _, err := rows.FitLDA(classify.LDAOptions{}); return err },
		"least squares":      func() error { _, err := rows.FitLeastSquares(classify.LeastSquaresOptions{}); return err },
		"naive Bayes":        func() error { _, err := rows.FitNaiveBayesGaussian(classify.NaiveBayesGaussianOptions{}); return err },
		"softmax, few steps": func() error { _, err := rows.FitSoftmax(classify.SoftmaxOptions{MaxIterations: 2}); return err },
	} {
		peak = 0
		if err := fit(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if peak > before+most {
			t.Errorf("%s: the heap grew by %.1f MB, want at most %d", name, float64(peak-before)/(1<<20), most>>20)
		}
		t.Logf("%s: %.1f MB", name, float64(peak-before)/(1<<20))
	}
}
