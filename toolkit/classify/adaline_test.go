package classify_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

// TestAdalineUpdates: two passes spelt out.
func TestAdalineUpdates(t *testing.T) {
	x, labels := clouds(30, 3, 2, 1)
	target := targets(labels)
	target[3] = 0.25 // a soft target, coded −½
	o := classify.AdalineOptions{Rate: 0.02, Decay: 0.5, Start: []float64{1, 0, -1, 2}, MaxEpochs: 2}
	m := must(classify.FitAdaline(x, target, o))(t)
	w := slices.Clone(o.Start)
	for pass := range 2 {
		η := 0.02 / (1 + 0.5*float64(pass))
		for i := range 30 {
			δ := 2*target[i] - 1 - w[0]
			for j := range 3 {
				δ -= w[j+1] * x.At(i, j)
			}
			w[0] += η * δ
			for j := range 3 {
				w[j+1] += η * δ * x.At(i, j)
			}
		}
		for j := range w {
			geoNear(t, "w", m.Trace[pass+1].W[j], w[j])
		}
	}
	if m.Epochs != 2 || len(m.Trace) != 3 || !slices.Equal(m.W, m.Trace[2].W) || m.DegreesOfFreedom() != 4 {
		t.Errorf("%d passes, %d steps", m.Epochs, len(m.Trace))
	}
}

// TestAdalineLeastSquares: with a rate that falls the rule goes to the solution
// of FitLeastSquares with ±1 targets; E = LeastE + ½N·Excess (Pythagoras).
func TestAdalineLeastSquares(t *testing.T) {
	x, labels := clouds(200, 3, 2, 2)
	ls := must(classify.FitLeastSquares(x, labels, 2, classify.LeastSquaresOptions{Coding: classify.CodingPlusMinus}))(t)
	for _, shuffle := range []bool{false, true} {
		m := must(classify.FitAdaline(x, targets(labels), classify.AdalineOptions{Decay: 1, Shuffle: shuffle, Tolerance: 1e-7, MaxEpochs: 20000}))(t)
		if !m.Converged || m.Excess > 1e-7 {
			t.Fatal(m.Reason)
		}
		geoNear(t, "least E", m.LeastE, ls.SumSquare)
		geoNear(t, "Pythagoras", m.E, m.LeastE+100*m.Excess)
		for i, w := range flat(ls.W) {
			geoNear(t, "least squares", m.LeastSquares[i], w)
			if math.Abs(m.W[i]-w) > 1e-3 {
				t.Errorf("weight %d: %v, least squares %v", i, m.W[i], w)
			}
		}
		wrong := misclassified(t, m, x, labels)
		if wrong != m.Misclassified {
			t.Errorf("%d wrong, the model says %d", wrong, m.Misclassified)
		}
	}
}

// TestAdalineRate: a constant rate stays off by about its size, too large a one
// diverges, and the message names one that does not.
func TestAdalineRate(t *testing.T) {
	x, labels := clouds(200, 3, 2, 2)
	target := targets(labels)
	fit := func(rate float64) *classify.Adaline {
		return must(classify.FitAdaline(x, target, classify.AdalineOptions{Rate: rate, Tolerance: 1e-12}))(t)
	}
	large, small := fit(0.02), fit(0.002)
	ratio := large.Excess / small.Excess
	if large.Converged || !strings.Contains(large.Reason, "constant rate") || ratio < 30 || ratio > 300 {
		t.Errorf("excess %v and %v: %s", large.Excess, small.Excess, large.Reason)
	}
	_, err := classify.FitAdaline(x, target, classify.AdalineOptions{Rate: 5})
	mentions(t, err, "diverge", "Rate is 5", "2/‖φ‖²")
	_, err = classify.FitAdaline(x, target, classify.AdalineOptions{Rate: 1e300})
	mentions(t, err, "diverge")
	// On separable data it goes on correcting rows that are right already.
	far := pointsOn(-1, -1, -1, 1, 10)
	m := must(classify.FitAdaline(far, []float64{0, 0, 0, 1, 1}, classify.AdalineOptions{Decay: 0.1}))(t)
	if m.Misclassified == 0 {
		t.Error("a point far on its right side does not pull the least-squares boundary over")
	}
}

func TestAdalineEdges(t *testing.T) {
	x, target := pointsOn(0, 1, 2), []float64{0, 0, 1}
	fit := func(x mat.Matrix, target []float64, o classify.AdalineOptions) error {
		return of(classify.FitAdaline(x, target, o))
	}
	refused(t, []refusal{
		{"one class", fit(x, []float64{1, 1, 1}, classify.AdalineOptions{}), []string{"3 targets", "single class"}},
		{"targets", fit(x, []float64{1, -1, 1}, classify.AdalineOptions{}), []string{"t[1]"}},
		{"rate", fit(x, target, classify.AdalineOptions{Rate: -1}), []string{"Rate"}},
		{"decay", fit(x, target, classify.AdalineOptions{Decay: math.Inf(1)}), []string{"Decay"}},
		{"tolerance", fit(x, target, classify.AdalineOptions{Tolerance: math.NaN()}), []string{"Tolerance"}},
		{"passes", fit(x, target, classify.AdalineOptions{MaxEpochs: -2}), []string{"MaxEpochs"}},
		{"start", fit(x, target, classify.AdalineOptions{Start: []float64{1, 2, 3}}), []string{"Start", "3 entries"}},
		{"huge", fit(pointsOn(1e200, -1e200), []float64{0, 1}, classify.AdalineOptions{}), []string{"standardise"}},
	})
	// A column so small that its weight is of order 1e150 is not learnt; it is no
	// error, and the answer says how far off it is.
	m := must(classify.FitAdaline(pointsOn(1e-150, -1e-150), []float64{0, 1}, classify.AdalineOptions{}))(t)
	if m.Converged || m.Excess < 0.9 {
		t.Errorf("excess %v: %s", m.Excess, m.Reason)
	}
	// More columns than rows, dependent columns: the outputs are reached.
	wide := mat.NewDense(2, 4, []float64{1, 5, 2, 2, -1, 5, 0, 0})
	m = must(classify.FitAdaline(wide, []float64{1, 0}, classify.AdalineOptions{}))(t)
	if !m.Converged || m.LeastE > 1e-20 {
		t.Errorf("%s, least E %v", m.Reason, m.LeastE)
	}
}

func ExampleFitAdaline() {
	x := mat.NewDense(4, 1, []float64{-2, -1, 1, 2})
	m := toolkit.Must(classify.FitAdaline(x, []float64{0, 0, 1, 1}, classify.AdalineOptions{Decay: 1}))
	fmt.Println(m.Converged, m.Misclassified)
	fmt.Printf("%.1f, least squares %.1f\n", m.W[1], m.LeastSquares[1])
	// Output:
	// true 0
	// 0.6, least squares 0.6
}
