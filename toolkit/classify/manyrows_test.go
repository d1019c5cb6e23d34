package classify_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

// twoClouds returns n rows of two classes. The class means are at a distance of 2.2 from each other
// before the columns are multiplied by different units. The given offset is added to all columns.
func twoClouds(n, d int, offset float64) (*mat.Dense, []float64) {
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

// compareStarts compares a fit with a nil start and a fit with an explicit start at 0. With 50 000
// rows or more, a fit with a nil start begins at the optimum for a sample of the rows.
func compareStarts(t *testing.T, d int, fit func(start []float64) (*classify.Estimate, error)) {
	t.Helper()
	warm, cold := toolkit.Must(fit(nil)), toolkit.Must(fit(make([]float64, d+1)))
	if !warm.Converged || !cold.Converged {
		t.Fatalf("%s; from 0: %s", warm.Reason, cold.Reason)
	}
	if w := cold.Trace[0].W; mat.Norm(mat.NewVecDense(len(w), w), 2) != 0 || warm.Trace[0].E >= cold.Trace[0].E {
		t.Errorf("the traces begin at E = %v for the zero start and %v for a nil start, want a start at 0 and a lower E", cold.Trace[0].E, warm.Trace[0].E)
	}
	nearTo(t, "W", warm.W, cold.W, 1e-10)
	nearTo(t, "E", []float64{warm.E}, []float64{cold.E}, 1e-12)
	nearTo(t, "Hessian", warm.Hessian.RawSymmetric().Data, cold.Hessian.RawSymmetric().Data, 1e-9)
	nearTo(t, "Covariance", warm.Covariance.RawSymmetric().Data, cold.Covariance.RawSymmetric().Data, 1e-9)
}

// nearTo checks that no number got[i] differs from the number want[i] by more than the tolerance
// times the largest |want[i]|.
func nearTo(t *testing.T, name string, got, want []float64, tolerance float64) {
	t.Helper()
	a, b := mat.NewVecDense(len(got), got), mat.NewVecDense(len(want), want)
	var d mat.VecDense
	d.SubVec(a, b)
	if size := mat.Norm(b, math.Inf(1)); !(mat.Norm(&d, math.Inf(1)) <= tolerance*size) {
		t.Errorf("%s differs by %v, which is too large a difference for numbers of up to %v", name, mat.Norm(&d, math.Inf(1)), size)
	}
}

func TestManyRows(t *testing.T) {
	const d = 20
	for _, offset := range []float64{0, 1e5, 1e6} {
		x, y := twoClouds(60_000, d, offset)
		if offset == 0 {
			compareStarts(t, d, func(start []float64) (*classify.Estimate, error) {
				m, err := classify.FitLogistic(x, y, classify.LogisticOptions{Start: start})
				return &m.Estimate, err
			})
			compareStarts(t, d, func(start []float64) (*classify.Estimate, error) {
				m, err := classify.FitProbit(x, y, classify.ProbitOptions{Start: start})
				return &m.Estimate, err
			})
		}
		m := toolkit.Must(classify.FitLogistic(x, y, classify.LogisticOptions{}))
		// At offset 1e6 and with this many rows, the rounding of the bias is 4e-8 standard errors,
		// so the fit cannot converge.
		if said := strings.Contains(m.Reason, "centre the column"); m.Converged == (offset == 1e6) || said != (offset == 1e6) || m.Rank != d+1 {
			t.Errorf("at offset %v the rank is %d or the Reason is wrong: %s", offset, m.Rank, m.Reason)
		}
	}
}

// TestManyRowsPrior checks a fit that starts with a fit to a sample of the rows. For the sample the
// fit must use a weaker prior. The final result must be the optimum under the given prior.
func TestManyRowsPrior(t *testing.T) {
	x, y := twoClouds(60_000, 20, 1)
	compareStarts(t, 20, func(start []float64) (*classify.Estimate, error) {
		m, err := classify.FitLogistic(x, y,
			classify.LogisticOptions{Start: start, Prior: classify.Isotropic{Alpha: 2000}})
		return &m.Estimate, err
	})
}

// TestManyRowsHard checks data for which a sample of the rows is useless or misleading.
func TestManyRowsHard(t *testing.T) {
	const n, d = 60_000, 20
	x, y := twoClouds(n, d, 0)
	for i := range n { // make column 1 nearly equal to column 0
		x.Set(i, 1, x.At(i, 0)+1e-7*x.At(i, 1))
	}
	m := toolkit.Must(classify.FitLogistic(x, y, classify.LogisticOptions{}))
	if !m.Converged || m.Rank != d+1 {
		t.Errorf("nearly dependent columns: got rank %d, want full rank and convergence: %s", m.Rank, m.Reason)
	}
	for i := range n {
		x.Set(i, 1, x.At(i, 0))
	}
	if m := toolkit.Must(classify.FitLogistic(x, y, classify.LogisticOptions{})); m.Rank != d || !strings.Contains(m.Reason, "linearly dependent: 0, 1") {
		t.Errorf("dependent: rank %d, %s", m.Rank, m.Reason)
	}
	x, y = twoClouds(n, d, 0)
	for i := range n { // column 3 is 1 in a single row only, which a sample can miss
		x.Set(i, 3, 0)
	}
	x.Set(n/2+2000, 3, 1)
	if m := toolkit.Must(classify.FitLogistic(x, y, classify.LogisticOptions{})); !m.Separable {
		t.Errorf("column with one non-zero entry: want a separable fit, got %s", m.Reason)
	}
	x, y = twoClouds(n, d, 0)
	for i := range n {
		x.Set(i, 0, x.At(i, 0)+20*(2*y[i]-1))
	}
	if m := toolkit.Must(classify.FitLogistic(x, y, classify.LogisticOptions{})); !m.Separable {
		t.Errorf("separable: %s", m.Reason)
	}
	x.Set(n-1, d-1, math.NaN())
	if _, err := classify.FitLogistic(x, y, classify.LogisticOptions{}); err == nil || !strings.Contains(err.Error(), "row 59999, column 19 is NaN") {
		t.Errorf("NaN in the last row: got error %v, want an error about row 59999, column 19", err)
	}
}

// TestSameBits checks that the results have the same bits for any number of processors.
func TestSameBits(t *testing.T) {
	x, y := twoClouds(60_000, 20, 0)
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
				t.Fatalf("with %d processors, number %d is %v, want %v", p, i, v, want[i])
			}
		}
	}
}

// TestManyRowsMemory checks that the memory of a fit does not grow with the number of rows, because
// each pass reuses the accumulators.
func TestManyRowsMemory(t *testing.T) {
	x, y := twoClouds(100_000, 50, 0)
	size := allocated(t, func() error { return of(classify.FitLogistic(x, y, classify.LogisticOptions{})) })
	t.Logf("%.1f MB", float64(size)/1e6)
	errorIf(t, size > 8<<20, "%d bytes allocated", size)
}

// TestManyRowsStreamed checks a fit that reads the rows again in each pass. The fit must reach the
// same optimum as a fit of rows in memory. Thirteen passes must be enough, including the passes
// that count, check and scale the rows. After the last pass of Newton's method, only the null model
// needs one more pass. No pass is needed for sums with 31 digits.
func TestManyRowsStreamed(t *testing.T) {
	const d = 20
	x, y := twoClouds(60_000, d, 0)
	memory := toolkit.Must(classify.FitLogistic(x, y, classify.LogisticOptions{}))
	passes := 0
	rows := toolkit.Must(classify.NewRows(classify.RowsOf(x, y),
		classify.RowsOptions{Progress: func(pass, _, _ int) { passes = pass + 1 }}))
	m := toolkit.Must(classify.FitLogisticFrom(rows, classify.LogisticOptions{}))
	if !m.Converged {
		t.Fatal(m.Reason)
	}
	nearTo(t, "W", m.W, memory.W, 1e-10)
	nearTo(t, "E", []float64{m.E}, []float64{memory.E}, 1e-12)
	nearTo(t, "Hessian", m.Hessian.RawSymmetric().Data, memory.Hessian.RawSymmetric().Data, 1e-9)
	nearTo(t, "Covariance", m.Covariance.RawSymmetric().Data, memory.Covariance.RawSymmetric().Data, 1e-9)
	errorIf(t, passes > 13, "%d passes", passes)
}

// TestManyRowsIterations checks that Iterations and MaxIterations also count chords. A chord is a
// step that uses the Hessian of an earlier iterate.
func TestManyRowsIterations(t *testing.T) {
	x, y := twoClouds(60_000, 20, 0)
	for most := 1; most <= 6; most++ {
		m := toolkit.Must(classify.FitLogistic(x, y, classify.LogisticOptions{MaxIterations: most}))
		errorIf(t, m.Iterations > most || m.Iterations != len(m.Trace)-1,
			"MaxIterations is %d: got %d iterations and %d steps: %s", most, m.Iterations, len(m.Trace)-1, m.Reason)
	}
}

// plainMatrix hides the type of a matrix, so that a fit cannot read its rows in place.
type plainMatrix struct{ *mat.Dense }

// TestManyRowsInspected checks that two methods of inspecting the rows agree. If the rows are in
// memory, the pass that computes the sums also inspects the rows. This pass scales the columns by
// factors from a sample of the rows. If the rows are not in memory, an earlier pass inspects them.
func TestManyRowsInspected(t *testing.T) {
	const n, d = 60_000, 4
	x, target := twoClouds(n, d, 1e3)
	labels := make([]int, n)
	for i, v := range target {
		labels[i] = int(v)
	}
	fits := func(x mat.Matrix) (lda *classify.LDA, qda *classify.QDA, bayes *classify.NaiveBayesGaussian,
		fisher *classify.Fisher, err error) {
		lda, err1 := classify.FitLDA(x, labels, 2, classify.LDAOptions{})
		qda, err2 := classify.FitQDA(x, labels, 2, classify.QDAOptions{})
		bayes, err3 := classify.FitNaiveBayesGaussian(x, labels, 2, classify.NaiveBayesGaussianOptions{})
		fisher, err4 := classify.FitFisher(x, target, classify.FisherOptions{})
		return lda, qda, bayes, fisher, errors.Join(err1, err2, err3, err4)
	}
	same := func() {
		t.Helper()
		lda, qda, bayes, fisher, err := fits(x)
		lda2, qda2, bayes2, fisher2, err2 := fits(plainMatrix{x})
		if err != nil || err2 != nil {
			t.Fatal(err, err2)
		}
		nearTo(t, "Σ", lda.Sigma.RawSymmetric().Data, lda2.Sigma.RawSymmetric().Data, 1e-12)
		nearTo(t, "means", lda.Means.RawMatrix().Data, lda2.Means.RawMatrix().Data, 1e-13)
		nearTo(t, "weights", lda.W.RawMatrix().Data, lda2.W.RawMatrix().Data, 1e-9)
		nearTo(t, "Σ_1", qda.Sigma[1].RawSymmetric().Data, qda2.Sigma[1].RawSymmetric().Data, 1e-12)
		nearTo(t, "σ²", bayes.Variance.RawMatrix().Data, bayes2.Variance.RawMatrix().Data, 1e-12)
		nearTo(t, "Fisher", fisher.Direction, fisher2.Direction, 1e-9)
	}
	same()
	// First, one number is far outside the range of any sample of the rows. Then two columns are
	// multiplied by 1e-120 and 1e120.
	x.Set(30_500, 2, 1e12)
	same()
	x.Set(30_500, 2, 1e3)
	for i := range n {
		x.Set(i, 1, x.At(i, 1)*1e-120)
		x.Set(i, 3, x.At(i, 3)*1e120)
	}
	same()
	for _, at := range []int{0, 40_123, n - 1} {
		was := x.At(at, 3)
		x.Set(at, 3, math.NaN())
		_, _, _, _, err := fits(x)
		if want := fmt.Sprintf("x row %d, column 3 is NaN", at); err == nil || strings.Count(err.Error(), want) != 4 {
			t.Errorf("got error %v, want four errors with %q", err, want)
		}
		x.Set(at, 3, was)
	}
	labels[7], x.RawRowView(9)[0] = 5, math.Inf(1)
	if _, err := classify.FitLDA(x, labels, 2, classify.LDAOptions{}); err == nil || !strings.Contains(err.Error(), "x row 9") {
		t.Errorf("got error %v for invalid labels and x, want an error about row 9 of x", err)
	}
}

// TestManyRowsEarly checks fits that compute their internal coordinates from a few rows. If these
// coordinates are unsuitable for all rows, the fit must still give the same result.
func TestManyRowsEarly(t *testing.T) {
	const n, d = 60_000, 4
	x, target := twoClouds(n, d, 50)
	same := func(name string) {
		t.Helper()
		for _, prior := range []classify.Prior{nil, classify.Isotropic{Alpha: 2}} {
			a, err := classify.FitLogistic(x, target, classify.LogisticOptions{Prior: prior})
			b, err2 := classify.FitLogistic(plainMatrix{x}, target, classify.LogisticOptions{Prior: prior})
			if err != nil || err2 != nil || a.Converged != b.Converged || a.Rank != b.Rank {
				t.Fatalf("%s: errors %v and %v; got %+v in memory and %+v from a plain matrix, want equal fits", name, err, err2, a, b)
			}
			nearTo(t, name+": W", a.W, b.W, 1e-9)
			nearTo(t, name+": E", []float64{a.E}, []float64{b.E}, 1e-12)
		}
	}
	same("alike")
	x.Set(31_500, 2, 1e5)
	same("one far off")
	x.Set(31_500, 2, 50)
	for i := range n {
		x.Set(i, 1, truth(i%1900 == 1899)*1e-7) // column 1 contains a small number in a few rows and 0 in all others
	}
	same("constant in few rows")
	for i := range n {
		x.Set(i, 1, x.At(i, 0)-x.At(i, 2))
	}
	same("dependent")
	for _, c := range []struct {
		row  int
		v    float64
		want string
	}{{0, math.NaN(), "x row 0, column 3 is NaN"}, {45_123, math.Inf(1), "x row 45123, column 3 is +Inf"}} {
		was := x.At(c.row, 3)
		x.Set(c.row, 3, c.v)
		_, err := classify.FitLogistic(x, target, classify.LogisticOptions{})
		_, err2 := classify.FitProbit(x, target, classify.ProbitOptions{})
		for _, err := range []error{err, err2} {
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %q", err, c.want)
			}
		}
		x.Set(c.row, 3, was)
	}
	target[5], x.RawRowView(45_123)[0] = 2, math.NaN()
	if _, err := classify.FitLogistic(x, target, classify.LogisticOptions{}); err == nil || !strings.Contains(err.Error(), "x row 45123") {
		t.Errorf("got error %v for invalid targets and x, want an error about row 45123 of x", err)
	}
	x.RawRowView(45_123)[0] = 0
	if _, err := classify.FitLogistic(x, target, classify.LogisticOptions{}); err == nil || !strings.Contains(err.Error(), "t[5] is 2") {
		t.Errorf("got error %v, want an error about target 5", err)
	}
}

// TestPredictManyRows checks that Predict returns the first class with the largest score, for rows
// that are processed in several blocks by several goroutines. All numbers are small integers, so
// that many rows have two or more largest scores.
func TestPredictManyRows(t *testing.T) {
	const n = 20_000
	rng := rand.New(rand.NewPCG(5, n))
	integers := func(r, c int) *mat.Dense {
		m := mat.NewDense(r, c, nil)
		m.Apply(func(_, _ int, _ float64) float64 { return float64(rng.IntN(5) - 2) }, m)
		return m
	}
	x, labels := integers(n, 3), make([]int, n)
	for i := range labels {
		labels[i] = i % 3
	}
	for name, m := range map[string]classify.Predictor{
		"four columns of weights": must(classify.NewLinearMachine(integers(4, 4)))(t),
		"one vector of weights":   &classify.Hyperplane{W0: 1, W: []float64{1, -2, 1}},
		"densities":               must(classify.FitNaiveBayesGaussian(x, labels, 3, classify.NaiveBayesGaussianOptions{}))(t),
	} {
		s := must(m.(classify.Scorer).Scores(x))(t)
		for i, class := range must(m.Predict(x))(t) {
			if row := s.RawRowView(i); class != floats.MaxIdx(row) {
				t.Fatalf("%s: row %d has the scores %v and the class %d, want the first of the largest scores", name, i, row, class)
			}
		}
	}
}
