package classify_test

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
)

func ExampleFitFisher() {
	d := toolkit.Must(datasets.Iris().Class("versicolor", "virginica"))
	t := toolkit.Must(d.Target("versicolor"))
	m := toolkit.Must(classify.FitFisher(d.X, t, classify.FisherOptions{}))
	fmt.Printf("w = %.3f, y0 = %.3f: %s\n", m.Direction, m.Threshold, m.Reason)
	fmt.Printf("J = %.4f, projected means %.3f\n", m.J, m.ProjectedMeans)
	// Output:
	// w = [0.227 0.356 -0.445 -0.790], y0 = -1.049: equal projected Gaussian densities
	// J = 0.1451, projected means [-0.609 -1.516]
}

func ExampleFitFisherMulti() {
	d := datasets.Iris()
	m := toolkit.Must(classify.FitFisherMulti(d.X, d.Labels, d.K(), classify.FisherMultiOptions{}))
	fmt.Printf("eigenvalues %.3f, J = %.3f\n", m.Eigenvalues, m.J)
	y := toolkit.Must(m.Transform(d.X.Slice(0, 1, 0, 4)))
	fmt.Printf("the first row's features: %.3f\n", mat.Row(nil, 0, y))
	// Output:
	// eigenvalues [32.192 0.285], J = 32.477
	// the first row's features: [-0.491 0.574]
}

func ExampleNewScatter() {
	x := mat.NewDense(4, 1, []float64{1, 3, 7, 9})
	s := toolkit.Must(classify.NewScatter(x, []int{0, 0, 1, 1}, 2))
	fmt.Println(s.Within.At(0, 0), s.Between.At(0, 0), s.Total.At(0, 0))
	// Output: 4 36 40
}

func ExampleFitLDA() {
	d := datasets.Iris()
	m := toolkit.Must(classify.FitLDA(d.X, d.Labels, d.K(), classify.LDAOptions{}))
	wrong := 0
	for i, k := range toolkit.Must(m.Predict(d.X)) {
		if k != d.Labels[i] {
			wrong++
		}
	}
	fmt.Printf("%d of %d wrong, ln p(X,t) = %.3f with %d parameters\n", wrong, d.N(), m.LogLikelihood, m.DegreesOfFreedom())
	// Output: 3 of 150 wrong, ln p(X,t) = -263.204 with 24 parameters
}

func ExampleFitQDA() {
	d := datasets.Iris()
	m := toolkit.Must(classify.FitQDA(d.X, d.Labels, d.K(), classify.QDAOptions{}))
	post := toolkit.Must(m.Posterior(mat.NewDense(1, 4, []float64{6, 2.8, 4.9, 1.6})))
	fmt.Printf("%.3f\n", mat.Row(nil, 0, post))
	// Output: [0.000 0.580 0.420]
}

func ExampleFitNaiveBayesBernoulli() {
	x := mat.NewDense(4, 2, []float64{1, 0, 1, 1, 0, 1, 0, 0})
	m := toolkit.Must(classify.FitNaiveBayesBernoulli(x, []int{0, 0, 1, 1}, 2, classify.NaiveBayesOptions{Smoothing: 1}))
	fmt.Println(mat.Row(nil, 0, m.Mu), mat.Row(nil, 1, m.Mu))
	// Output: [0.75 0.5] [0.25 0.5]
}

func ExampleFitNaiveBayesCategorical() {
	// One feature with the values 0, 1 and 2; the class 0 has never shown 2.
	x := mat.NewDense(5, 1, []float64{0, 0, 1, 2, 1})
	m := toolkit.Must(classify.FitNaiveBayesCategorical(x, []int{3}, []int{0, 0, 0, 1, 1}, 2, classify.NaiveBayesOptions{}))
	fmt.Printf("%.3f\n", mat.Row(nil, 0, m.Mu[0]))
	_, labels, err := m.Sample(12, 2)
	fmt.Println(labels, err)
	// Output:
	// [0.667 0.333 0.000]
	// [1 0 0 1 0 1 1 0 0 1 1 0] <nil>
}

func ExampleFitNaiveBayesGaussian() {
	x := mat.NewDense(4, 1, []float64{0, 2, 10, 14})
	m := toolkit.Must(classify.FitNaiveBayesGaussian(x, []int{0, 0, 1, 1}, 2, classify.NaiveBayesGaussianOptions{}))
	fmt.Println(mat.Col(nil, 0, m.Means), mat.Col(nil, 0, m.Variance))
	// Output: [1 12] [1 4]
}

func ExampleFitExponentialFamily() {
	// Waiting times: two classes with exponential densities of mean 1 and 4.
	x := mat.NewDense(4, 1, []float64{0.5, 1.5, 2, 6})
	m := toolkit.Must(classify.FitExponentialFamily(x, []int{0, 0, 1, 1}, 2, classify.ExponentialFamilyOptions{Density: classify.DensityExponential}))
	// a₁ − a₂ is linear in x; it is 0 at ln 4 / (1 − 1/4).
	fmt.Printf("%.4f %+.4f·x\n", m.W.At(0, 0)-m.W.At(0, 1), m.W.At(1, 0)-m.W.At(1, 1))
	// Output: 1.3863 -0.7500·x
}
