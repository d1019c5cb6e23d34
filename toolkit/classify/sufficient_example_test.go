package classify_test

import (
	"encoding/json"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
)

// Two machines have half of the irises each. One sends its statistics to the other.
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
	sent := toolkit.Must(json.Marshal(half(1)))

	var received classify.SufficientMoments
	if err := json.Unmarshal(sent, &received); err != nil {
		fmt.Println(err)
	}
	all := half(0)
	if err := all.Merge(&received); err != nil {
		fmt.Println(err)
	}
	m := toolkit.Must(all.FitLDA(classify.LDAOptions{}))
	same := toolkit.Must(classify.FitLDA(iris.X, iris.Labels, iris.K(), classify.LDAOptions{}))
	fmt.Println(all.Counts, mat.EqualApprox(m.Sigma, same.Sigma, 1e-14))
	// Output: [50 50 50] true
}

// sixMoments are those of six rows with overlapping classes.
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
	// Output: classify: SufficientMoments.Add: x has 3 numbers: these statistics are of 2 columns
}

func ExampleSufficientMoments_Merge() {
	s := sixMoments()
	fmt.Println(s.Merge(sixMoments()), s.Counts)
	// Output: <nil> [6 6]
}

func ExampleSufficientMoments_FitLDA() {
	m := toolkit.Must(sixMoments().FitLDA(classify.LDAOptions{}))
	fmt.Printf("%.3f\n", toolkit.Must(m.TwoClass())[:2])
	// Output: [0.750 -1.500]
}

func ExampleSufficientMoments_FitQDA() {
	m := toolkit.Must(sixMoments().FitQDA(classify.QDAOptions{}))
	fmt.Printf("%.3f\n", m.LogDet)
	// Output: [-3.296 -3.296]
}

func ExampleSufficientMoments_FitFisher() {
	m := toolkit.Must(sixMoments().FitFisher(classify.FisherOptions{}))
	fmt.Printf("%.3f %s\n", m.Direction[0], m.Reason)
	// Output: -1.000 equal projected Gaussian densities
}

func ExampleSufficientMoments_FitLeastSquares() {
	m := toolkit.Must(sixMoments().FitLeastSquares(classify.LeastSquaresOptions{}))
	fmt.Printf("%.3f\n", m.SumSquare)
	// Output: 1.333
}

func ExampleSufficientMoments_FitNaiveBayesGaussian() {
	m := toolkit.Must(sixMoments().FitNaiveBayesGaussian(classify.NaiveBayesGaussianOptions{}))
	fmt.Printf("%.3f\n", mat.Formatted(m.Variance))
	// Output:
	// ⎡0.222  0.222⎤
	// ⎣0.222  0.222⎦
}

// sixCounts are those of the same rows, whose numbers are 0 and 1.
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

func ExampleSufficientCounts_FitNaiveBayesBernoulli() {
	m := toolkit.Must(sixCounts().FitNaiveBayesBernoulli(classify.NaiveBayesBernoulliOptions{Smoothing: 1}))
	fmt.Printf("%.1f\n", mat.Formatted(m.Mu))
	// Output:
	// ⎡0.4  0.6⎤
	// ⎣0.6  0.6⎦
}

func ExampleSufficientCounts_FitNaiveBayesCategorical() {
	m := toolkit.Must(sixCounts().FitNaiveBayesCategorical(classify.NaiveBayesCategoricalOptions{}))
	fmt.Printf("%.3f\n", mat.Formatted(m.Mu[0]))
	// Output:
	// ⎡0.667  0.333⎤
	// ⎣0.333  0.667⎦
}

// sixSums are those of the same rows at weights w.
func sixSums(w []float64) *classify.LogisticSums {
	s := toolkit.Must(classify.NewLogisticSums(w))
	for i, x := range [][]float64{{0, 0}, {0, 1}, {1, 1}, {1, 0}, {1, 1}, {0, 1}} {
		if err := s.Add(x, float64(1-i/3)); err != nil {
			fmt.Println(err)
		}
	}
	return s
}

// A driver repeats: send w, merge the sums of the parts, step.
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
