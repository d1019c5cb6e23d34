package classify_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"sync"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
)

// addRows adds the rows of x with the given labels.
func addRows(t *testing.T, s interface {
	Add(x []float64, label int) error
}, x *mat.Dense, labels []int) {
	t.Helper()
	for i, l := range labels {
		if err := s.Add(x.RawRowView(i), l); err != nil {
			t.Fatal(err)
		}
	}
}

// TestLogisticSums checks that Newton's method with merged sums reaches the optimum of FitLogistic,
// with and without a prior. The sums must equal the value and the derivatives of LogisticObjective.
func TestLogisticSums(t *testing.T) {
	x, labels := clouds(3000, 4, 2, 16)
	target := targets(labels)
	for _, prior := range []classify.Prior{nil, classify.Isotropic{Alpha: 3}} {
		w := make([]float64, 5)
		length := 1.0
		for pass := 0; length > 1e-9 && pass < 20; pass++ {
			parts := make([]*classify.LogisticSums, 3)
			for p := range parts {
				parts[p] = must(classify.NewLogisticSums(w))(t)
				for i := p * 1000; i < (p+1)*1000; i++ {
					errorIf(t, parts[p].Add(x.RawRowView(i), target[i]) != nil, "Add returns an error for row %d, want no error", i)
				}
				errorIf(t, p > 0 && parts[0].Merge(parts[p]) != nil, "Merge returns an error for part %d, want no error", p)
			}
			o := must(classify.LogisticObjective(x, target, nil))(t)
			e, g, h := parts[0].Sums()
			closeTo(t, e, must(o.Value(w))(t), 1e-12*e, "E")
			allClose(t, "∇E", g, must(o.Gradient(w))(t), 1e-9)
			allClose(t, "H", flat(h), flat(must(o.Hessian(w))(t)), 1e-9)
			errorIf(t, parts[0].N != 3000, "the sums have %d rows, want 3000", parts[0].N)
			w, length = must2(parts[0].Step(prior))(t)
		}
		allClose(t, "W", w, must(classify.FitLogistic(x, target, classify.LogisticOptions{Prior: prior}))(t).W, 1e-12)
	}
}

// TestSufficientSaved checks that Save and Load restore statistics bit for bit, even if rows are
// pending. After that, Add and Merge must change the restored moments in the same way as the original
// moments.
func TestSufficientSaved(t *testing.T) {
	x, labels := clouds(700, 2, 3, 16)
	x.Apply(func(_, _ int, v float64) float64 { return truth(v > 0) }, x)
	moments := must(classify.NewSufficientMoments(2, 4))(t)
	counts := must(classify.NewSufficientCounts([]int{2, 3}, 3))(t)
	sums := must(classify.NewLogisticSums([]float64{0.1, 0.2, 0.3}))(t)
	addRows(t, moments, x, labels)
	addRows(t, counts, x, labels)
	for i, l := range labels {
		errorIf(t, sums.Add(x.RawRowView(i), float64(l)/2) != nil, "Add returns an error for row %d, want no error", i)
	}
	for _, m := range []classify.Model{moments, counts, sums} {
		text := textOf(t, m)
		back := textOf(t, loadModel[classify.Model](t, text))
		errorIf(t, !bytes.Equal(back, text), "the statistics %s are restored as %s, want equal statistics", text, back)
	}
	again := loadModel[*classify.SufficientMoments](t, textOf(t, moments))
	for _, s := range []*classify.SufficientMoments{moments, again} {
		if err := errors.Join(s.Add([]float64{1, 0}, 3), s.Merge(s)); err != nil {
			t.Fatal(err)
		}
	}
	got, want := textOf(t, again), textOf(t, moments)
	errorIf(t, !bytes.Equal(got, want) || moments.Counts[3] != 2, "after the same calls, the restored moments are %s, want %s with 2 rows of class 3", got, want)
}

// TestSufficientErrors checks the errors for input that cannot be added, merged, fitted or loaded.
func TestSufficientErrors(t *testing.T) {
	// The argument `rows` contains, row after row, the two inputs and the label.
	moments := func(rows ...float64) *classify.SufficientMoments {
		s := must(classify.NewSufficientMoments(2, 3))(t)
		for i := 0; i < len(rows); i += 3 {
			addRows(t, s, mat.NewDense(1, 2, rows[i:i+2]), []int{int(rows[i+2])})
		}
		return s
	}
	counts := must(classify.NewSufficientCounts([]int{2, 3}, 2))(t)
	three := must(classify.NewSufficientCounts([]int{2, 3}, 2))(t)
	addRows(t, three, mat.NewDense(2, 2, []float64{1, 2, 1, 2}), []int{0, 1})
	sums := must(classify.NewLogisticSums([]float64{0, 0}))(t)
	other := must(classify.NewLogisticSums([]float64{0, 1}))(t)
	step := func(s *classify.LogisticSums, p classify.Prior) error { return errorOf2(s.Step(p)) }
	constant := must(classify.NewLogisticSums([]float64{0, 0}))(t)
	for _, v := range []float64{0, 1, 1} {
		if err := constant.Add([]float64{2}, v); err != nil {
			t.Fatal(err)
		}
	}
	line := moments(0, 0, 0, 1, 2, 0, 2, 4, 0, 0, 1, 1, 1, 3, 1, 2, 5, 1)
	errorHas(t, errorOf(classify.NewSufficientMoments(0, 2)), "0 columns")
	errorHas(t, errorOf(classify.NewSufficientMoments(1<<20, 2)), "1 GB")
	errorHas(t, moments().Add([]float64{1, 2}, 3), "label is 3", "0…2")
	errorHas(t, moments().Add([]float64{1}, 0), "1 numbers", "2 columns")
	errorHas(t, moments().Add([]float64{1, math.Inf(1)}, 0), "x[1] is +Inf")
	errorHas(t, moments(-1e308, 0, 0).Add([]float64{1.5e308, 0}, 0), "x[0] is 1.5e+308")
	errorHas(t, new(classify.SufficientMoments).Add(nil, 0), "NewSufficientMoments")
	errorHas(t, moments().Merge(must(classify.NewSufficientMoments(2, 2))(t)), "2 columns and 3 classes", "2 and 2")
	errorHas(t, moments().Merge(nil), "NewSufficientMoments")
	errorHas(t, errorOf(classify.FitLDAFrom(moments(), classify.LDAOptions{})), "[0 0 0] rows", "at least two")
	errorHas(t, errorOf(classify.FitQDAFrom(moments(1, 2, 1), classify.QDAOptions{})), "[0 1 0] rows")
	errorHas(t, errorOf(classify.FitLDAFrom(line, classify.LDAOptions{Weights: []float64{1}})), "Weights",
		"leave Weights out")
	errorHas(t, errorOf(classify.FitQDAFrom(line, classify.QDAOptions{})), "class 0 is singular", "rank 1 of 2")
	errorHas(t, errorOf(classify.FitLDAFrom(line, classify.LDAOptions{})), "singular", "(counting from 0): 0, 1")
	errorHas(t, errorOf(classify.FitFisherFrom(line, classify.FisherOptions{})), "two classes")
	errorHas(t, errorOf(classify.FitNaiveBayesGaussianFrom(moments(1, 2, 0, 1, 3, 0, 4, 5, 1, 6, 7, 1),
		classify.NaiveBayesGaussianOptions{})), "column 0", "constant", "class 0")

	errorHas(t, errorOf(classify.NewSufficientCounts([]int{2, 0}, 2)), "levels[1] is 0")
	errorHas(t, errorOf(classify.NewSufficientCounts(nil, 2)), "0 columns")
	errorHas(t, counts.Add([]float64{1, 3}, 0), "x[1] is 3", "0…2")
	errorHas(t, counts.Add([]float64{0.5, 0}, 0), "x[0] is 0.5")
	errorHas(t, counts.Add([]float64{1}, 0), "1 numbers", "2 columns")
	errorHas(t, counts.Add([]float64{1, 1}, -1), "label is -1")
	errorHas(t, counts.Merge(must(classify.NewSufficientCounts([]int{3, 2}, 2))(t)), "[2 3]", "[3 2]")
	errorHas(t, errorOf(classify.FitNaiveBayesCategoricalFrom(counts, nil, classify.NaiveBayesCategoricalOptions{})),
		"[0 0] rows")
	errorHas(t, errorOf(classify.FitNaiveBayesBernoulliFrom(three, classify.NaiveBayesBernoulliOptions{})),
		"feature 1 has 3 levels")
	errorHas(t, new(classify.SufficientCounts).Add(nil, 0), "NewSufficientCounts")

	errorHas(t, errorOf(classify.NewLogisticSums([]float64{1})), "1 entries")
	errorHas(t, sums.Add([]float64{1, 2}, 0), "x has 2 entries")
	errorHas(t, sums.Add([]float64{1}, 2), "is 2", "[0,1]")
	errorHas(t, sums.Merge(other), "different weights")
	errorHas(t, step(sums, nil), "no rows")
	errorHas(t, step(constant, nil), "singular", "Prior")
	errorHas(t, step(constant, classify.Isotropic{Alpha: -1}), "Alpha")
	errorHas(t, new(classify.LogisticSums).Add([]float64{1}, 0), "NewLogisticSums")

	errorHas(t, loadError(`{"schema":"hyperplane-sufficient-moments/1","counts":[1,1],"columns":2,"origin":[[0],[0,0]],"factor":[null,null]}`),
		"origin has 1 entries")
	errorHas(t, loadError(`{"schema":"hyperplane-sufficient-moments/1","counts":[4,0],"columns":1,"origin":[[0],null],"factor":[{"rows":2,"cols":2,"data":[3,0,0,1]},null]}`),
		"√4, the square root of the number of rows")
	errorHas(t, loadError(`{"schema":"hyperplane-sufficient-counts/1","levels":[2],"counts":[2,1],"cells":[[1,1],[2,0]]}`),
		"class 1", "want 1")
	errorHas(t, loadError(`{"schema":"hyperplane-logistic-sums/1","w":[0,0],"n":1,"e":0,"gradient":[1],"hessian":null}`),
		"gradient")
	_, length := must2(constant.Step(classify.Isotropic{Alpha: 1}))(t)
	errorIf(t, !(length > 0), "a step with a prior has length %v, want a positive length", length)
	e, g, h := (*classify.LogisticSums)(nil).Sums()
	errorIf(t, e != 0 || g != nil || h != (*mat.SymDense)(nil), "a nil *LogisticSums has the sums %v, %v, %v, want 0, nil and nil", e, g, h)
}

// TestReadersChangeNothing checks that reading statistics does not change them. While rows are
// pending, two goroutines fit the statistics, save them and merge them into another value.
func TestReadersChangeNothing(t *testing.T) {
	x, labels := clouds(700, 3, 2, 19)
	type part struct {
		model classify.Model
		add   func(i int) error
		read  func() error
	}
	for name, build := range map[string]func() part{
		"moments": func() part {
			s := must(classify.NewSufficientMoments(3, 2))(t)
			return part{s, func(i int) error { return s.Add(x.RawRowView(i), labels[i]) }, func() error {
				total, err := classify.NewSufficientMoments(3, 2)
				return errors.Join(err, total.Merge(s), errorOf(classify.FitLDAFrom(s, classify.LDAOptions{})),
					classify.Save(io.Discard, s))
			}}
		},
		"sums": func() part {
			s := must(classify.NewLogisticSums(make([]float64, 4)))(t)
			return part{s, func(i int) error { return s.Add(x.RawRowView(i), float64(labels[i])) }, func() error {
				total, err := classify.NewLogisticSums(s.W)
				return errors.Join(err, total.Merge(s), errorOf2(s.Step(nil)), classify.Save(io.Discard, s))
			}}
		},
	} {
		read, left := build(), build()
		for i := range labels {
			if i == 100 {
				var both sync.WaitGroup
				for range 2 {
					both.Go(func() {
						if err := read.read(); err != nil {
							t.Error(err)
						}
					})
				}
				both.Wait()
			}
			if err := errors.Join(read.add(i), left.add(i)); err != nil {
				t.Fatal(err)
			}
		}
		got, want := textOf(t, read.model), textOf(t, left.model)
		errorIf(t, !bytes.Equal(got, want),
			"%s: after two goroutines have read the statistics, they are\n%s\nwant the bits of statistics that were not read:\n%s",
			name, got, want)
	}
}

// TestMomentsFarFromZero checks that fits to moments are accurate even if columns are far from 0.
// The inputs are multiples of 2⁻¹⁰, so adding an offset is exact. The fits to the inputs without an
// offset are therefore the expected results.
func TestMomentsFarFromZero(t *testing.T) {
	base, labels := clouds(193, 3, 2, 23)
	base.Apply(func(_, _ int, v float64) float64 { return math.Round(v*1024) / 1024 }, base)
	far := 0.0
	fits := map[string]func(s classify.Source) []float64{
		"LDA": func(s classify.Source) []float64 {
			return flat(must(classify.FitLDAFrom(s, classify.LDAOptions{}))(t).Sigma)
		},
		"QDA": func(s classify.Source) []float64 {
			return flat(must(classify.FitQDAFrom(s, classify.QDAOptions{}))(t).Sigma[1])
		},
		"naive Bayes": func(s classify.Source) []float64 {
			return flat(must(classify.FitNaiveBayesGaussianFrom(s, classify.NaiveBayesGaussianOptions{}))(t).Variance)
		},
		"Fisher": func(s classify.Source) []float64 {
			m := must(classify.FitFisherFrom(s, classify.FisherOptions{}))(t)
			if far > 1e9 { // the projected means, and therefore J, lose accuracy
				m.J = 1
			}
			return append(m.ProjectedScatters[:], m.J)
		},
		"least squares": func(s classify.Source) []float64 {
			return flat(must(classify.FitLeastSquaresFrom(s, classify.LeastSquaresOptions{}))(t).W.Slice(1, 4, 0, 2))
		},
	}
	for _, far = range []float64{1e3, 1e6, 1e9, 1e12} {
		x := mat.DenseCopyOf(base)
		x.Apply(func(_, j int, v float64) float64 { return v + far*[]float64{1, -1, 0}[j] }, x)
		s, rest := must(classify.NewSufficientMoments(3, 2))(t), must(classify.NewSufficientMoments(3, 2))(t)
		addRows(t, s, x.Slice(0, 97, 0, 3).(*mat.Dense), labels[:97])
		addRows(t, rest, x.Slice(97, 193, 0, 3).(*mat.Dense), labels[97:])
		if err := s.Merge(rest); err != nil {
			t.Fatal(err)
		}
		for name, fit := range fits {
			nearTo(t, fmt.Sprintf("offset %g, %s", far, name), fit(s),
				fit(classify.InMemory{X: base, Labels: labels, K: 2}), 1e-12)
		}
		mean := func(s classify.Source) float64 {
			return must(classify.FitQDAFrom(s, classify.QDAOptions{}))(t).Means.At(1, 0)
		}
		closeTo(t, mean(s), far+mean(classify.InMemory{X: base, Labels: labels, K: 2}), far*0x1p-52, "mean")
	}
}

// Each of two machines stores half of the iris data. One machine sends its statistics to the other.
func ExampleSufficientMoments() {
	iris := datasets.Iris()
	half := func(part int) *classify.SufficientMoments {
		s := toolkit.Must(classify.NewSufficientMoments(iris.D(), iris.K()))
		for i := part; i < iris.N(); i += 2 {
			if err := s.Add(iris.X.RawRowView(i), iris.Labels[i]); err != nil {
				fmt.Println(err)
			}
		}
		return s
	}
	var sent bytes.Buffer
	toolkit.Must(0, classify.Save(&sent, half(1)))

	received := toolkit.Must(classify.Load(&sent)).(*classify.SufficientMoments)
	all := half(0)
	if err := all.Merge(received); err != nil {
		fmt.Println(err)
	}
	m := toolkit.Must(classify.FitLDAFrom(all, classify.LDAOptions{}))
	same := toolkit.Must(classify.FitLDA(iris.X, iris.Labels, iris.K(), classify.LDAOptions{}))
	fmt.Println(all.Counts, mat.EqualApprox(m.Sigma, same.Sigma, 1e-14))
	// Output: [50 50 50] true
}

// sixMoments returns the moments of six rows with overlapping classes.
func sixMoments() *classify.SufficientMoments {
	s := toolkit.Must(classify.NewSufficientMoments(2, 2))
	for i, x := range [][]float64{{0, 0}, {0, 1}, {1, 1}, {1, 0}, {1, 1}, {0, 1}} {
		if err := s.Add(x, i/3); err != nil {
			fmt.Println(err)
		}
	}
	return s
}

func ExampleNewSufficientMoments() {
	s := toolkit.Must(classify.NewSufficientMoments(2, 3))
	fmt.Println(s.Counts)
	// Output: [0 0 0]
}

func ExampleSufficientMoments_Add() {
	s := sixMoments()
	fmt.Println(s.Add([]float64{1, 2, 3}, 0))
	// Output: classify: SufficientMoments.Add: x has 3 numbers: these statistics have 2 columns
}

func ExampleSufficientMoments_Merge() {
	s := sixMoments()
	fmt.Println(s.Merge(sixMoments()), s.Counts)
	// Output: <nil> [6 6]
}

// sixCounts returns the SufficientCounts of the rows of sixMoments. All entries of these rows are 0
// or 1.
func sixCounts() *classify.SufficientCounts {
	s := toolkit.Must(classify.NewSufficientCounts([]int{2, 2}, 2))
	for i, x := range [][]float64{{0, 0}, {0, 1}, {1, 1}, {1, 0}, {1, 1}, {0, 1}} {
		if err := s.Add(x, i/3); err != nil {
			fmt.Println(err)
		}
	}
	return s
}

func ExampleNewSufficientCounts() {
	s := toolkit.Must(classify.NewSufficientCounts([]int{2, 3}, 2))
	fmt.Println(s.Counts, s.Cells)
	// Output: [0 0] [[0 0 0 0 0] [0 0 0 0 0]]
}

func ExampleSufficientCounts() {
	fmt.Println(sixCounts().Cells)
	// Output: [[2 1 1 2] [1 2 1 2]]
}

func ExampleSufficientCounts_Add() {
	fmt.Println(sixCounts().Add([]float64{0, 2}, 0))
	// Output: classify: SufficientCounts.Add: x[1] is 2: the values of this feature are numbered 0…1
}

func ExampleSufficientCounts_Merge() {
	s := sixCounts()
	fmt.Println(s.Merge(sixCounts()), s.Counts)
	// Output: <nil> [6 6]
}

func ExampleFitNaiveBayesCategoricalFrom_counts() {
	m := toolkit.Must(classify.FitNaiveBayesCategoricalFrom(sixCounts(), nil, classify.NaiveBayesCategoricalOptions{}))
	fmt.Printf("%.3f\n", mat.Formatted(m.Mu[0]))
	// Output:
	// ⎡0.667  0.333⎤
	// ⎣0.333  0.667⎦
}

// sixSums returns the sums over the rows of sixMoments at weights w.
func sixSums(w []float64) *classify.LogisticSums {
	s := toolkit.Must(classify.NewLogisticSums(w))
	for i, x := range [][]float64{{0, 0}, {0, 1}, {1, 1}, {1, 0}, {1, 1}, {0, 1}} {
		if err := s.Add(x, float64(1-i/3)); err != nil {
			fmt.Println(err)
		}
	}
	return s
}

// In every pass one machine sends w, merges the sums of the parts and calls Step.
func ExampleLogisticSums() {
	w := []float64{0, 0, 0}
	for pass := range 4 {
		all := toolkit.Must(classify.NewLogisticSums(w))
		for range 2 { // machines
			if err := all.Merge(sixSums(w)); err != nil {
				fmt.Println(err)
			}
		}
		e, _, _ := all.Sums()
		var length float64
		var err error
		if w, length, err = all.Step(nil); err != nil {
			fmt.Println(err)
		}
		fmt.Printf("pass %d: E = %.6f, a short step: %v\n", pass, e, length < 1e-8)
	}
	fmt.Printf("%.3f\n", w[:2])
	// Output:
	// pass 0: E = 8.317766, a short step: false
	// pass 1: E = 7.639108, a short step: false
	// pass 2: E = 7.638170, a short step: false
	// pass 3: E = 7.638170, a short step: true
	// [0.693 -1.386]
}

func ExampleNewLogisticSums() {
	s := toolkit.Must(classify.NewLogisticSums([]float64{0, 1}))
	fmt.Println(s.N, s.W)
	// Output: 0 [0 1]
}

func ExampleLogisticSums_Add() {
	fmt.Println(sixSums([]float64{0, 0, 0}).Add([]float64{1, 2}, -1))
	// Output: classify: LogisticSums.Add: t[0] is -1: targets lie in [0,1], 1 for class C1 and 0 for C2 (not −1 and +1)
}

func ExampleLogisticSums_Merge() {
	s := sixSums([]float64{0, 0, 0})
	fmt.Println(s.Merge(sixSums([]float64{0, 0, 0})), s.N)
	// Output: <nil> 12
}

func ExampleLogisticSums_Sums() {
	e, g, h := sixSums([]float64{0, 0, 0}).Sums()
	fmt.Printf("%.3f %.2f %.2f\n", e, g, h.At(0, 0))
	// Output: 4.159 [0.00 0.50 0.00] 1.50
}

func ExampleLogisticSums_Step() {
	w, length, err := sixSums([]float64{0, 0, 0}).Step(classify.Isotropic{Alpha: 1})
	fmt.Printf("%.3f %.3f %v\n", w[:2], length, err)
	// Output: [0.083 -0.333] 0.408 <nil>
}
