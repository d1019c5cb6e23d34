package classify_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

// TestUnits multiplies columns of inputs by factors from 1e-150 to 1e150, and adds offsets. The
// weight and the standard error of a column must be divided by its factor, and must not depend on
// the offset.
func TestUnits(t *testing.T) {
	x, labels := clouds(70, 3, 2, 51)
	base := must(classify.FitLogistic(x, targets(labels), classify.LogisticOptions{}))(t)
	baseErrors := must(base.StandardErrors())(t)
	for _, c := range []struct {
		scale  []float64
		offset float64
	}{
		{[]float64{1e150, 1e-150, 1}, 0}, {[]float64{1e-150, 1e-150, 1e-150}, 0}, {[]float64{1e150, 1e150, 1e150}, 0},
		{[]float64{1e-3, 1e5, 7}, 0},
		{[]float64{1, 1, 1}, 1e3}, {[]float64{1, 1, 1}, 1e6}, {[]float64{1, 1, 1}, -1e7},
	} {
		y := mat.DenseCopyOf(x)
		y.Apply(func(_, j int, v float64) float64 { return v*c.scale[j] + c.offset }, x)
		m := must(classify.FitLogistic(y, targets(labels), classify.LogisticOptions{}))(t)
		errorIf(t, !m.Converged, "scales and offset %v: Converged is false, want true: %s", c, m.Reason)
		se := must(m.StandardErrors())(t)
		for j, s := range c.scale {
			tol := 1e-12 + 1e-15*math.Abs(c.offset) // the second term allows for the rounding of x, which is 1e-16 times the offset
			closeTo(t, m.W[j+1]*s/base.W[j+1], 1, tol, "%v: ratio of weight %d to its expected value", c, j+1)
			closeTo(t, se[j+1]*s/baseErrors[j+1], 1, tol, "%v: ratio of standard error %d to its expected value", c, j+1)
		}
	}
	// If the Hessian, the covariance or the weights overflow in the units of x, the fit must return an
	// error, not an infinity.
	for scale, want := range map[float64]string{1e200: "Hessian", 1e-200: "covariance", 5e-324: "choose other units"} {
		y := mat.NewDense(70, 2, nil)
		y.Apply(func(i, j int, _ float64) float64 { return math.Round(x.At(i, j)*4) * scale }, y)
		errorHas(t, errorOf(classify.FitLogistic(y, targets(labels), classify.LogisticOptions{})), want, "units")
	}
	// With weights of opposite sign, entries of 1e308 in both columns give Inf − Inf.
	m := &classify.Logistic{Estimate: classify.Estimate{W: []float64{0, 1e10, -1e10}}}
	errorHas(t, errorOf(m.Posterior(mat.NewDense(1, 2, []float64{1e308, 1e308}))), "row 0", "overflows")
}

// TestTails checks that posteriors and values of E are accurate even at activations of ±800.
func TestTails(t *testing.T) {
	one := classify.Estimate{W: []float64{0, 1}}
	for _, c := range []struct {
		m    classify.Prober
		x    float64
		want []float64
	}{
		{&classify.Logistic{Estimate: one}, -800, []float64{0, 1}},
		{&classify.Logistic{Estimate: one}, 800, []float64{1, 0}},
		{&classify.Logistic{Estimate: one}, -700, []float64{9.85967654375977e-305, 1}}, // from the reference file scalar_facts
		{&classify.Logistic{Estimate: one}, 40, []float64{1, 4.248354255291589e-18}},
		{&classify.Probit{Estimate: one}, -800, []float64{0, 1}},
		{&classify.Probit{Estimate: one}, 800, []float64{1, 0}},
		// Φ(−37) and Φ(−9) were computed by Laplace's continued fraction with 50 decimal digits.
		{&classify.Probit{Estimate: one}, -37, []float64{5.725571222524577e-300, 1}},
		{&classify.Probit{Estimate: one}, 9, []float64{1, 1.1285884059538406e-19}},
		{&classify.Softmax{W: mat.NewDense(2, 3, []float64{0, 0, 0, 1, 0, -1})}, -350,
			[]float64{9.85967654375977e-305, 9.929590396264978e-153, 1}}, // exp(−700) and exp(−350)
		{&classify.Softmax{W: mat.NewDense(2, 3, []float64{0, 0, 0, 1, 0, -1})}, 40,
			[]float64{1, 4.248354255291589e-18, 1.804851387845415e-35}}, // exp(−40) and exp(−80)
	} {
		p := must(c.m.Posterior(pointsOn(c.x)))(t)
		for k, want := range c.want {
			closeTo(t, p.At(0, k), want, 2e-15*want, "posterior of %T at x = %v, class %d", c.m, c.x, k)
		}
	}
	o := must(classify.LogisticObjective(pointsOn(-800, 800, -700, 40), []float64{0, 1, 1, 0.5}, nil))(t)
	closeTo(t, must(o.Value(one.W))(t), 720, 1e-12, "E") // row 2 adds −ln σ(−700) = 700, row 3 adds ½·40
	// The expected value is −ln Φ(−800), where ln Φ(−800) = −800²/2 − ln(800√(2π)) − 1/800² + …
	o = must(classify.ProbitObjective(pointsOn(-800, 800, -37, 9), []float64{1, 1, 0, 1}, nil))(t)
	closeTo(t, must(o.Value(one.W))(t), 320000+math.Log(800*math.Sqrt(2*math.Pi))+1/640000.0, 1e-9, "probit E")
	o = must(classify.SoftmaxObjective(pointsOn(800, -800), []int{2, 1}, 3, nil))(t)
	// The expected E is the sum of a₀−a₂ = 1600 for the first row and a₂−a₁ = 800 for the second.
	closeTo(t, must(o.Value([]float64{0, 1, 0, 0, 0, -1}))(t), 2400, 1e-12, "softmax E")
	far := &classify.LabelFlip{Estimate: one, Epsilon: 0.1}
	allClose(t, "label posteriors", flat(must(far.LabelPosterior(pointsOn(-800, 800)))(t)), []float64{0.1, 0.9, 0.9, 0.1},
		1e-16)
}

// logisticRows returns n rows in d dimensions, with targets drawn from a logistic model.
func logisticRows(n, d int, seed uint64) (*mat.Dense, []float64) {
	rng := rand.New(rand.NewPCG(seed, 13))
	x, t := mat.NewDense(n, d, nil), make([]float64, n)
	for i := range n {
		a := 0.3
		for j := range d {
			v := rng.NormFloat64()
			x.Set(i, j, v)
			a += v * math.Cos(float64(j)) / math.Sqrt(float64(d))
		}
		t[i] = truth(rng.Float64() < logisticOf(a))
	}
	return x, t
}

// TestLargeLogistic compares a fit to 10 000 rows with a fit to two copies of these rows. If the first
// fit has a prior, the prior of the second fit has twice the precision. The weights must be equal, and
// the variances of the second fit must be half as large. The test covers dependent columns, a prior, and
// sums that are merged from many chunks of rows.
func TestLargeLogistic(t *testing.T) {
	x, target := logisticRows(10000, 35, 1)
	repeated := mat.DenseCopyOf(x)
	repeated.SetCol(5, mat.Col(nil, 2, x))
	for _, c := range []struct {
		x     *mat.Dense
		alpha float64
	}{{x, 0}, {repeated, 0}, {x, 50}} {
		var twice mat.Dense
		twice.Stack(c.x, c.x)
		var small, large classify.LogisticOptions
		if c.alpha > 0 {
			small.Prior, large.Prior = classify.Isotropic{Alpha: c.alpha}, classify.Isotropic{Alpha: 2 * c.alpha}
		}
		a := must(classify.FitLogistic(c.x, target, small))(t)
		b := must(classify.FitLogistic(&twice, slices.Concat(target, target), large))(t)
		errorIf(t, !a.Converged || !b.Converged || a.Rank != b.Rank || (a.Covariance == nil) != (c.x == repeated),
			"got rank %d and Covariance == nil %v, and for two copies rank %d; want two converged fits of equal rank, and Covariance == nil %v; first fit: %s; fit to two copies: %s",
			a.Rank, a.Covariance == nil, b.Rank, c.x == repeated, a.Reason, b.Reason)
		allClose(t, "weights", b.W, a.W, 1e-12)
		for i := range a.W {
			if a.Covariance != nil {
				closeTo(t, b.Covariance.At(i, i)*2/a.Covariance.At(i, i), 1, 1e-11,
					"ratio of the variances of weight %d", i)
			}
		}
	}
}
