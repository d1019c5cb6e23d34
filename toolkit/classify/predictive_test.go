package classify_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
)

// TestConvolveEdges checks the integral (4.152) in limiting cases. For a variance that is negative or
// NaN, ConvolveProbit, Kappa and ConvolveSigmoid must return NaN.
func TestConvolveEdges(t *testing.T) {
	closeTo(t, classify.ConvolveProbit(0, 2, 3), 0.5, 1e-15, "λ = 0")
	closeTo(t, classify.ConvolveProbit(-2, 1, 0), math.Erfc(2/math.Sqrt2)/2, 1e-15, "σ² = 0")
	closeTo(t, classify.ConvolveProbit(1e200, 1, 1e300), 0.5, 1e-12, "large λ and σ²")
	for _, v := range []float64{-1, math.NaN()} {
		for _, p := range []float64{classify.ConvolveProbit(1, 0, v), classify.Kappa(v), classify.ConvolveSigmoid(0, v)} {
			errorIf(t, !math.IsNaN(p), "variance %v: got %v, want NaN", v, p)
		}
	}
}

// TestModeration checks that the left side of (4.153), an integral, lies between ½ and σ(μ), that the
// right side, its approximation, is on the same side of ½, and that their largest difference is about
// 0.015.
func TestModeration(t *testing.T) {
	var worst float64
	for mu := -30.0; mu <= 30; mu += 0.25 {
		for _, s2 := range []float64{1e-16, 0.01, 0.3, 1, 3, 10, 30, 100, 1e4, 1e6} {
			p, q := classify.ConvolveSigmoid(mu, s2), classify.ModeratedSigmoid(mu, s2)
			worst = math.Max(worst, math.Abs(p-q))
			errorIf(t, (p-0.5)*mu < 0 || (q-0.5)*mu < 0 || math.Abs(p-0.5) > math.Abs(logisticOf(mu)-0.5)+1e-15,
				"μ = %v, σ² = %v: the integral is %v and its approximation %v; want the integral between ½ and σ(μ) = %v, and the approximation on the same side of ½", mu, s2, p, q, logisticOf(mu))
		}
	}
	closeTo(t, worst, 0.015, 0.005, "the largest error of (4.153)")
}

func ExampleKappa() {
	for _, variance := range []float64{0, 1, 25} {
		fmt.Printf("σ² = %2.0f: κ = %.4f, σ(κ·2) = %.4f, exactly %.4f\n", variance, classify.Kappa(variance),
			classify.ModeratedSigmoid(2, variance), classify.ConvolveSigmoid(2, variance))
	}
	// Output:
	// σ² =  0: κ = 1.0000, σ(κ·2) = 0.8808, exactly 0.8808
	// σ² =  1: κ = 0.8474, σ(κ·2) = 0.8448, exactly 0.8445
	// σ² = 25: κ = 0.3040, σ(κ·2) = 0.6475, exactly 0.6468
}

// TestModerationDecisions checks the effect of moderation on decisions. With equal losses, no decision
// changes. With unequal losses and a threshold of 0.9, some decisions change from C₁ to C₂, but none
// from C₂ to C₁. For μ_a = 0, the posterior is ½ with and without moderation. With a reject option,
// moderation increases the number of rejected rows.
func TestModerationDecisions(t *testing.T) {
	x, target := logisticRows(20, 2, 3)
	m := must(classify.FitBayesLogistic(x, target,
		classify.BayesLogisticOptions{Prior: classify.Isotropic{Alpha: 0.1}}))(t)
	points := normalMatrix(rand.New(rand.NewPCG(1, 1)), 2000, 2)
	points.Scale(4, points)
	equal := must(m.Moderation(points, classify.Decision{}))(t)
	errorIf(t, len(equal.Changed) != 0 || !slices.Equal(equal.PlugIn, must(m.Predict(points))(t)) ||
		!slices.Equal(equal.PlugIn, equal.Moderated), "equal losses: %d decisions changed, want 0 and the decisions of Predict", len(equal.Changed))
	// With these losses the decision is C₁ if p(C₁|x) ≥ 0.9.
	unequal := classify.Decision{Loss: mat.NewDense(2, 2, []float64{0, 1, 9, 0})}
	closeTo(t, must(unequal.Threshold())(t), 0.9, 1e-15, "threshold")
	mod := must(m.Moderation(points, unequal))(t)
	errorIf(t, len(mod.Changed) == 0, "unequal losses: no decision changed, want at least one change")
	plug := must(m.PosteriorBy(points, classify.PredictivePlugIn))(t)
	for _, i := range mod.Changed {
		errorIf(t, mod.PlugIn[i] != 0 || mod.Quadrature[i] != 1 || plug.At(i, 0) < 0.9,
			"plug-in posterior %v: the decision changes from %d to %d, want a change from 0 to 1 and a posterior of at least 0.9", plug.At(i, 0), mod.PlugIn[i], mod.Quadrature[i])
	}
	reject := must(m.Moderation(points, classify.Decision{Reject: 0.1}))(t)
	kept := func(c []int) int {
		return len(slices.DeleteFunc(slices.Clone(c), func(class int) bool { return class == classify.Rejected }))
	}
	a, b := kept(reject.PlugIn), kept(reject.Quadrature)
	errorIf(t, b >= a || b == 0, "with a reject option %d rows are kept without moderation and %d with moderation, want fewer with moderation, but not 0", a, b)
	// On the plane μ_a = 0 all methods give ½, for any σ_a.
	flat0 := &classify.BayesLogistic{W: []float64{0, 0}, Root: mat.NewDense(2, 2, []float64{1, 0, 0, 5})}
	for _, by := range []classify.PredictiveMethod{classify.PredictiveModerated, classify.PredictiveQuadrature,
		classify.PredictivePlugIn} {
		closeTo(t, must(flat0.PosteriorBy(pointsOn(7), by))(t).At(0, 0), 0.5, 0, "the posterior at μ_a = 0, by method %d", by)
	}
}

func TestDecide(t *testing.T) {
	p := mat.NewDense(3, 3, []float64{0.5, 0.3, 0.2, 0.34, 0.33, 0.33, 0.05, 0.05, 0.9})
	// A wrong answer for a row of class 2 costs 10. For row 0, the expected losses of the answers
	// 0, 1 and 2 are 0.3+10·0.2, 0.5+10·0.2 and 0.8.
	loss := mat.NewDense(3, 3, []float64{0, 1, 1, 1, 0, 1, 10, 10, 0})
	for _, c := range []struct {
		d    classify.Decision
		want []int
	}{
		{classify.Decision{}, []int{0, 0, 2}},
		{classify.Decision{Reject: 0.4}, []int{classify.Rejected, classify.Rejected, 2}},
		{classify.Decision{Loss: loss}, []int{2, 2, 2}},
	} {
		got := must(c.d.Decide(p))(t)
		errorIf(t, !slices.Equal(got, c.want), "Decide returns %v, want %v", got, c.want)
	}
	none, zero := classify.Decision{}, classify.Decision{Loss: mat.NewDense(2, 2, nil)}
	unknown := classify.Decision{Loss: mat.NewDense(3, 3, []float64{0, 1, 1, 1, 0, math.NaN(), 1, 1, 0})}
	allFail(t, []failingCall{
		{"reject", errorOf(classify.Decision{Reject: -1}.Decide(p)), []string{"Reject", "-1"}},
		{"size", errorOf(zero.Decide(p)), []string{"2×2", "3×3"}},
		{"NaN", errorOf(unknown.Decide(p)), []string{"Loss(1,2)", "NaN"}},
		{"range", errorOf(none.Decide(mat.NewDense(1, 2, []float64{2, -1}))), []string{"row 0", "probability"}},
		{"sum", errorOf(none.Decide(mat.NewDense(1, 2, []float64{0.2, 0.2}))), []string{"row 0", "sums to 0.4"}},
		{"nil", errorOf(none.Decide(nil)), []string{"nil"}},
		{"threshold", errorOf(zero.Threshold()), []string{"no threshold"}},
	})
}

func ExampleDecision() {
	posterior := mat.NewDense(3, 2, []float64{0.95, 0.05, 0.7, 0.3, 0.2, 0.8})
	// The loss of answering C₁ for a row of C₂ is ten times the loss of the opposite error.
	costly := classify.Decision{Loss: mat.NewDense(2, 2, []float64{0, 1, 10, 0})}
	careful := classify.Decision{Reject: 0.25}
	fmt.Println(toolkit.Must(costly.Decide(posterior)), toolkit.Must(careful.Decide(posterior)))
	// Output: [0 1 1] [0 -2 1]
}

func ExampleFitBayesSoftmax() {
	iris := toolkit.Must(datasets.Iris().Columns("petal_length", "petal_width"))
	m := toolkit.Must(classify.FitBayesSoftmax(iris.X, iris.Labels, 3,
		classify.BayesSoftmaxOptions{Reestimate: true, Draws: 2000}))
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

// The example prints ∫ Φ(λa) N(a|µ, σ²) da (4.152), and the integral of the sigmoid that (4.152)
// approximates.
func ExampleConvolveProbit() {
	lambda := math.Sqrt(math.Pi / 8)
	fmt.Printf("%.4f %.4f\n", classify.ConvolveProbit(lambda, 2, 9), classify.ConvolveSigmoid(2, 9))
	// Output: 0.7219 0.7174
}
