package classify_test

import (
	"math"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

// mingled are n rows of two classes a distance of 2.2 apart, in columns of
// different units and offsets.
func mingled(n, d int, offset float64) (*mat.Dense, []float64) {
	rng := rand.New(rand.NewPCG(22, uint64(n)))
	x, t := mat.NewDense(n, d, nil), make([]float64, n)
	for i := range n {
		t[i] = float64(rng.IntN(2))
		row := x.RawRowView(i)
		for j := range row {
			row[j] = offset + float64(1+j%3)*(rng.NormFloat64()+1.1/math.Sqrt(float64(d))*(2*t[i]-1))
		}
	}
	return x, t
}

// twice fits with and without the start at 0 given: with 50 000 rows or more only the
// latter begins at the optimum of a sample.
func twice(t *testing.T, d int, fit func(start []float64) (*classify.Estimate, error)) {
	t.Helper()
	warm, cold := toolkit.Must(fit(nil)), toolkit.Must(fit(make([]float64, d+1)))
	if !warm.Converged || !cold.Converged {
		t.Fatalf("%s; from 0: %s", warm.Reason, cold.Reason)
	}
	if w := cold.Trace[0].W; mat.Norm(mat.NewVecDense(len(w), w), 2) != 0 || warm.Trace[0].E >= cold.Trace[0].E {
		t.Errorf("the traces begin at %v and %v", cold.Trace[0].E, warm.Trace[0].E)
	}
	nearTo(t, "W", warm.W, cold.W, 1e-10)
	nearTo(t, "E", []float64{warm.E}, []float64{cold.E}, 1e-12)
	nearTo(t, "Hessian", warm.Hessian.RawSymmetric().Data, cold.Hessian.RawSymmetric().Data, 1e-9)
	nearTo(t, "Covariance", warm.Covariance.RawSymmetric().Data, cold.Covariance.RawSymmetric().Data, 1e-9)
}

// nearTo compares two lists of numbers relative to the largest.
func nearTo(t *testing.T, name string, got, want []float64, tolerance float64) {
	t.Helper()
	a, b := mat.NewVecDense(len(got), got), mat.NewVecDense(len(want), want)
	var d mat.VecDense
	d.SubVec(a, b)
	if size := mat.Norm(b, math.Inf(1)); !(mat.Norm(&d, math.Inf(1)) <= tolerance*size) {
		t.Errorf("%s differs by %v of %v", name, mat.Norm(&d, math.Inf(1)), size)
	}
}

func TestManyRows(t *testing.T) {
	const d = 20
	for _, offset := range []float64{0, 1e6} {
		x, y := mingled(60_000, d, offset)
		if offset == 0 {
			twice(t, d, func(start []float64) (*classify.Estimate, error) {
				m, err := classify.FitLogistic(x, y, classify.LogisticOptions{Start: start})
				return &m.Estimate, err
			})
			twice(t, d, func(start []float64) (*classify.Estimate, error) {
				m, err := classify.FitProbit(x, y, classify.ProbitOptions{Start: start})
				return &m.Estimate, err
			})
		}
		m := toolkit.Must(classify.FitLogistic(x, y, classify.LogisticOptions{}))
		if !m.Converged || m.Rank != d+1 {
			t.Errorf("offset %v: rank %d, %s", offset, m.Rank, m.Reason)
		}
	}
}

// TestManyRowsPrior: a sample has a prior as much weaker, and the fit the prior's optimum.
func TestManyRowsPrior(t *testing.T) {
	x, y := mingled(60_000, 20, 1)
	twice(t, 20, func(start []float64) (*classify.Estimate, error) {
		m, err := classify.FitLogistic(x, y, classify.LogisticOptions{Start: start, Prior: classify.Isotropic{Alpha: 2000}})
		return &m.Estimate, err
	})
}

// TestManyRowsHard are data on which a sample helps nothing or deceives.
func TestManyRowsHard(t *testing.T) {
	const n, d = 60_000, 20
	x, y := mingled(n, d, 0)
	for i := range n { // a column that is nearly another one, and one that is another one
		x.Set(i, 1, x.At(i, 0)+1e-7*x.At(i, 1))
	}
	m := toolkit.Must(classify.FitLogistic(x, y, classify.LogisticOptions{}))
	if !m.Converged || m.Rank != d+1 {
		t.Errorf("nearly dependent: rank %d, %s", m.Rank, m.Reason)
	}
	for i := range n {
		x.Set(i, 1, x.At(i, 0))
	}
	if m := toolkit.Must(classify.FitLogistic(x, y, classify.LogisticOptions{})); m.Rank != d || !strings.Contains(m.Reason, "linearly dependent: 0, 1") {
		t.Errorf("dependent: rank %d, %s", m.Rank, m.Reason)
	}
	x, y = mingled(n, d, 0)
	for i := range n { // a column that is 1 in a single row, which no sample needs to hold
		x.Set(i, 3, 0)
	}
	x.Set(n/2+2000, 3, 1)
	if m := toolkit.Must(classify.FitLogistic(x, y, classify.LogisticOptions{})); !m.Separable {
		t.Errorf("a column of one row: %s", m.Reason)
	}
	x, y = mingled(n, d, 0)
	for i := range n {
		x.Set(i, 0, x.At(i, 0)+20*(2*y[i]-1))
	}
	if m := toolkit.Must(classify.FitLogistic(x, y, classify.LogisticOptions{})); !m.Separable {
		t.Errorf("separable: %s", m.Reason)
	}
	x.Set(n-1, d-1, math.NaN())
	if _, err := classify.FitLogistic(x, y, classify.LogisticOptions{}); err == nil || !strings.Contains(err.Error(), "row 59999, column 19 is NaN") {
		t.Errorf("NaN in the last row: %v", err)
	}
}

// TestSameBits: the number of processors changes nothing.
func TestSameBits(t *testing.T) {
	x, y := mingled(60_000, 20, 0)
	labels := make([]int, len(y))
	for i, v := range y {
		labels[i] = int(v)
	}
	fit := func() []float64 {
		logistic := toolkit.Must(classify.FitLogistic(x, y, classify.LogisticOptions{}))
		lda := toolkit.Must(classify.FitLDA(x, labels, 2, classify.LDAOptions{}))
		softmax := toolkit.Must(classify.FitSoftmax(x, labels, 2, classify.SoftmaxOptions{}))
		out := append(logistic.W, logistic.Covariance.RawSymmetric().Data...)
		out = append(out, lda.Means.RawMatrix().Data...)
		return append(out, softmax.W.RawMatrix().Data...)
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	want := fit()
	for _, p := range []int{2, 3, 7} {
		runtime.GOMAXPROCS(p)
		for i, v := range fit() {
			if v != want[i] {
				t.Fatalf("with %d processors number %d is %v, not %v", p, i, v, want[i])
			}
		}
	}
}
