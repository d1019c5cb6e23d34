package classify_test

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
)

// TestBayesSoftmaxTwo: with two classes the difference of the weight vectors is a
// logistic model with half the precision; the draws agree with quadrature within
// 4.5 standard errors, which fall as 1/√Draws.
func TestBayesSoftmaxTwo(t *testing.T) {
	x, target := drawn(60, 2, 7)
	labels := make([]int, len(target))
	for i, v := range target {
		labels[i] = int(1 - v)
	}
	two := must(classify.FitBayesLogistic(x, target, classify.BayesLogisticOptions{Prior: classify.Isotropic{Alpha: 0.25}, Method: classify.PredictiveQuadrature}))(t)
	want := must(two.Posterior(x))(t)
	var last float64
	for _, draws := range []int{200, 20000} {
		m := must(classify.FitBayesSoftmax(x, labels, 2, classify.BayesSoftmaxOptions{Prior: classify.Isotropic{Alpha: 0.5}, Draws: draws, Seed: 5}))(t)
		if !m.Converged {
			t.Fatal(m.Reason)
		}
		for i, w := range two.W {
			if math.Abs(m.W.At(i, 0)-m.W.At(i, 1)-w) > 1e-9 {
				t.Errorf("weight %d: %v, want %v", i, m.W.At(i, 0)-m.W.At(i, 1), w)
			}
		}
		// The evidence differs by the sum of the weights, whose posterior is its prior.
		if math.Abs(m.LogEvidence()-two.LogEvidence()) > 1e-9 {
			t.Errorf("ln p(D) %v and %v", m.LogEvidence(), two.LogEvidence())
		}
		p, se, err := m.PosteriorError(x)
		if err != nil {
			t.Fatal(err)
		}
		var sum float64
		for i := range labels {
			sum += se.At(i, 0)
			if d := math.Abs(p.At(i, 0) - want.At(i, 0)); d > 4.5*se.At(i, 0)+1e-12 {
				t.Errorf("%d draws, row %d: %v ± %v, want %v", draws, i, p.At(i, 0), se.At(i, 0), want.At(i, 0))
			}
		}
		if last > 0 && (sum > last/7 || sum < last/14) {
			t.Errorf("the standard errors fell from %v to %v", last, sum)
		}
		last = sum
	}
}

// TestBayesSoftmaxEdges: an empty class and separable classes with a prior, the
// errors without one.
func TestBayesSoftmaxEdges(t *testing.T) {
	x := mat.NewDense(6, 1, []float64{-3, -2, -0.5, 0.5, 2, 3})
	labels := []int{0, 0, 1, 1, 2, 2}
	iso := classify.BayesSoftmaxOptions{Prior: classify.Isotropic{Alpha: 1}}
	for k := 3; k <= 4; k++ { // class 3 has no rows
		m := must(classify.FitBayesSoftmax(x, labels, k, iso))(t)
		if p := must(m.Posterior(x))(t); !m.Converged || m.LogEvidence() >= 0 || k == 4 && !(p.At(0, 3) > 0) {
			t.Errorf("k = %d: %s", k, m.Reason)
		}
	}
	one := must(classify.FitBayesSoftmax(x, make([]int, 6), 2, iso))(t)
	if p := must(one.Posterior(x))(t); !one.Converged || p.At(2, 0) < 0.6 {
		t.Errorf("one class: %v", flat(p))
	}
	for _, c := range []struct {
		name string
		k    int
		l    []int
		o    classify.BayesSoftmaxOptions
		want []string
	}{
		{"flat, separable", 3, labels, classify.BayesSoftmaxOptions{}, []string{"flat", "separable", "cannot be normalised"}},
		{"flat, empty class", 4, labels, classify.BayesSoftmaxOptions{}, []string{"class"}},
		{"flat, one class", 2, make([]int, 6), classify.BayesSoftmaxOptions{}, []string{"class 0"}},
		{"draws", 3, labels, classify.BayesSoftmaxOptions{Draws: 1}, []string{"Draws"}},
		{"re-estimated, free bias", 3, labels, classify.BayesSoftmaxOptions{Reestimate: true, Prior: classify.Isotropic{Alpha: 1, FreeBias: true}}, []string{"FreeBias"}},
		{"prior size", 3, labels, classify.BayesSoftmaxOptions{Prior: classify.Gaussian{Cov: spd(3, 2, 1)}}, []string{"3×3", "6×6"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := classify.FitBayesSoftmax(x, c.l, c.k, c.o)
			mentions(t, err, c.want...)
		})
	}
}

func ExampleFitBayesSoftmax() {
	iris := toolkit.Must(datasets.Iris().Columns("petal_length", "petal_width"))
	m := toolkit.Must(classify.FitBayesSoftmax(iris.X, iris.Labels, 3, classify.BayesSoftmaxOptions{Reestimate: true, Draws: 2000}))
	p, se, err := m.PosteriorError(mat.NewDense(1, 2, []float64{4.8, 1.7}))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("α = %.3f\n", m.Alpha)
	for k, name := range iris.ClassNames {
		fmt.Printf("%-10s %.2f ± %.3f\n", name, p.At(0, k), se.At(0, k))
	}
	// Output:
	// α = 0.002
	// setosa     0.06 ± 0.004
	// versicolor 0.44 ± 0.002
	// virginica  0.50 ± 0.002
}
