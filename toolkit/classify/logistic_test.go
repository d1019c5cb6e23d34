package classify_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

// TestIdentities checks identities that hold at an optimum for any data.
func TestIdentities(t *testing.T) {
	x, labels := clouds(80, 3, 2, 41)
	target := targets(labels)
	fit := func(p classify.Prior) *classify.Logistic {
		return must(classify.FitLogistic(x, target, classify.LogisticOptions{Prior: p}))(t)
	}
	diagonal := func(v float64) *mat.SymDense {
		d := mat.NewDiagDense(4, []float64{v, v, v, v})
		s := mat.NewSymDense(4, nil)
		s.CopySym(d)
		return s
	}
	m := fit(nil)
	// The bias component of (4.91) is Σ(y−t) = 0: the mean posterior is the class share.
	within(t, floats.Sum(column(must(m.Posterior(x))(t))), 40, 1e-12, "sum of the posteriors")
	inverses(t, m.Covariance, m.Hessian, 4e-13)
	nearly(t, "isotropic is a Gaussian", fit(classify.Isotropic{Alpha: 2}).W,
		fit(classify.Gaussian{Cov: diagonal(0.5)}).W, 1e-14)
	mean := []float64{1, -2, 3, 0.5}
	narrow := fit(classify.Gaussian{Mean: mean, Cov: diagonal(1e-12)})
	errorIf(t, !narrow.Converged, "narrow prior: %s", narrow.Reason)
	nearly(t, "a narrow prior holds w at its mean", narrow.W, mean, 1e-9)
	// A row with soft target π has the same effect on W as ten copies of the row, 10π of them with
	// t = 1.
	one, pi := []float64{-1, 0, 1, 3}, []float64{0.3, 0.1, 0.6, 0.9}
	var xs, ts []float64
	for i, p := range pi {
		for c := range 10 {
			xs, ts = append(xs, one[i]), append(ts, truth(float64(c)+0.5 < 10*p))
		}
	}
	a := must(classify.FitLogistic(pointsOn(one...), pi, classify.LogisticOptions{}))(t)
	b := must(classify.FitLogistic(pointsOn(xs...), ts, classify.LogisticOptions{}))(t)
	nearly(t, "a soft target is ten hard ones", a.W, b.W, 1e-13)
}

// TestUnits checks that other units and offsets of the inputs change the weights and standard
// errors only by the exact factors. The units range from 1e-150 to 1e150.
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
		errorIf(t, !m.Converged, "%v: %s", c, m.Reason)
		se := must(m.StandardErrors())(t)
		for j, s := range c.scale {
			tol := 1e-12 + 1e-15*math.Abs(c.offset) // the rows themselves are rounded to 1e-16 of the offset
			within(t, m.W[j+1]*s/base.W[j+1], 1, tol, "%v: weight %d", c, j+1)
			within(t, se[j+1]*s/baseErrors[j+1], 1, tol, "%v: standard error %d", c, j+1)
		}
	}
	// Units in which a result cannot be represented give an error, not an infinity.
	for scale, want := range map[float64]string{1e200: "Hessian", 1e-200: "covariance", 5e-324: "choose other units"} {
		y := mat.NewDense(70, 2, nil)
		y.Apply(func(i, j int, _ float64) float64 { return math.Round(x.At(i, j)*4) * scale }, y)
		mentions(t, of(classify.FitLogistic(y, targets(labels), classify.LogisticOptions{})), want, "units")
	}
	// With weights of opposite sign, 1e308 in both columns gives Inf − Inf.
	m := &classify.Logistic{Estimate: classify.Estimate{W: []float64{0, 1e10, -1e10}}}
	mentions(t, of(m.Posterior(mat.NewDense(1, 2, []float64{1e308, 1e308}))), "row 0", "overflows")
}

// TestTails checks that posteriors and log likelihoods keep their digits at activations of ±800.
func TestTails(t *testing.T) {
	one := classify.Estimate{W: []float64{0, 1}}
	for _, c := range []struct {
		m    classify.Prober
		x    float64
		want []float64
	}{
		{&classify.Logistic{Estimate: one}, -800, []float64{0, 1}},
		{&classify.Logistic{Estimate: one}, 800, []float64{1, 0}},
		{&classify.Logistic{Estimate: one}, -700, []float64{9.85967654375977e-305, 1}}, // exp(−700) and exp(−40): scalar_facts
		{&classify.Logistic{Estimate: one}, 40, []float64{1, 4.248354255291589e-18}},
		{&classify.Probit{Estimate: one}, -800, []float64{0, 1}},
		{&classify.Probit{Estimate: one}, 800, []float64{1, 0}},
		{&classify.Probit{Estimate: one}, -37, []float64{5.725571222524577e-300, 1}}, // Φ(−37) and Φ(−9) by Laplace's continued fraction in 50 decimal digits
		{&classify.Probit{Estimate: one}, 9, []float64{1, 1.1285884059538406e-19}},
		{&classify.Softmax{W: mat.NewDense(2, 3, []float64{0, 0, 0, 1, 0, -1})}, -350,
			[]float64{9.85967654375977e-305, 9.929590396264978e-153, 1}}, // exp(−350)
		{&classify.Softmax{W: mat.NewDense(2, 3, []float64{0, 0, 0, 1, 0, -1})}, 40,
			[]float64{1, 4.248354255291589e-18, 1.804851387845415e-35}}, // exp(−80)
	} {
		p := must(c.m.Posterior(pointsOn(c.x)))(t)
		for k, want := range c.want {
			within(t, p.At(0, k), want, 2e-15*want, "%T at %v, class %d", c.m, c.x, k)
		}
	}
	o := must(classify.LogisticObjective(pointsOn(-800, 800, -700, 40), []float64{0, 1, 1, 0.5}, nil))(t)
	within(t, must(o.Value(one.W))(t), 720, 1e-12, "E") // −ln σ(−700) = 700, the soft row gives ½(0+40)
	// ln Φ(−800) = −800²/2 − ln(800√(2π)) − 1/800² + …
	o = must(classify.ProbitObjective(pointsOn(-800, 800, -37, 9), []float64{1, 1, 0, 1}, nil))(t)
	within(t, must(o.Value(one.W))(t), 320000+math.Log(800*math.Sqrt(2*math.Pi))+1/640000.0, 1e-9, "probit E")
	o = must(classify.SoftmaxObjective(pointsOn(800, -800), []int{2, 1}, 3, nil))(t)
	within(t, must(o.Value([]float64{0, 1, 0, 0, 0, -1}))(t), 2400, 1e-12, "softmax E") // a₀−a₂ of the first row, a₂−a₁ of the second
	far := &classify.LabelFlip{Estimate: one, Epsilon: 0.1}
	nearly(t, "label posteriors", flat(must(far.LabelPosterior(pointsOn(-800, 800)))(t)), []float64{0.1, 0.9, 0.9, 0.1},
		1e-16)
}

// TestTrace checks that E falls and that the values of each step agree with the w of the step. The
// last gradient norm must be almost 0, because the convergence is quadratic.
func TestTrace(t *testing.T) {
	x, labels := clouds(200, 3, 2, 101)
	target := targets(labels)
	m := must(classify.FitLogistic(x, target, classify.LogisticOptions{}))(t)
	o := must(classify.LogisticObjective(x, target, nil))(t)
	if m.Iterations != len(m.Trace)-1 || m.Iterations < 3 {
		t.Fatalf("%d iterations, %d steps", m.Iterations, len(m.Trace))
	}
	descends(t, m.Trace, o, func(w []float64) (wrong int) {
		for n, a := range must((&classify.Logistic{Estimate: classify.Estimate{W: w}}).Activations(x))(t) {
			if (a > 0) != (target[n] > 0.5) {
				wrong++
			}
		}
		return wrong
	})
	within(t, m.Trace[len(m.Trace)-1].GradNorm, 0, 1e-12, "gradient norm at the end")
}

// TestNeverDiverges checks that fits from random starts converge on random data for which the
// maximum exists.
func TestNeverDiverges(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for trial := range 200 {
		n, d := 20+rng.IntN(30), 1+rng.IntN(3)
		x, target := mat.NewDense(n, d, nil), make([]float64, n)
		for i := range n {
			for j := range d {
				x.Set(i, j, rng.NormFloat64()*math.Pow(10, 6*rng.Float64()-3)) // heavy tails
			}
			target[i] = rng.Float64() // soft: the maximum exists
		}
		start := make([]float64, d+1)
		for i := range start {
			start[i] = rng.NormFloat64() * math.Pow(10, 4*rng.Float64()-2)
		}
		m := must(classify.FitLogistic(x, target, classify.LogisticOptions{Start: start}))(t)
		errorIf(t, !m.Converged || m.Separable, "trial %d: %s (start %v)", trial, m.Reason, start)
	}
}

// drawn returns n rows in d dimensions with targets drawn from a logistic model.
func drawn(n, d int, seed uint64) (*mat.Dense, []float64) {
	rng := rand.New(rand.NewPCG(seed, 13))
	x, t := mat.NewDense(n, d, nil), make([]float64, n)
	for i := range n {
		a := 0.3
		for j := range d {
			v := rng.NormFloat64()
			x.Set(i, j, v)
			a += v * math.Cos(float64(j)) / math.Sqrt(float64(d))
		}
		if rng.Float64() < 1/(1+math.Exp(-a)) {
			t[i] = 1
		}
	}
	return x, t
}

// TestLargeLogistic checks that fits above the size limit for Gram matrices agree with the
// orthogonal method on the same rows. The fits include dependent columns, a prior, and many chunks
// to merge.
func TestLargeLogistic(t *testing.T) {
	x, target := drawn(10000, 35, 1)
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
			"%s / %s", a.Reason, b.Reason)
		nearly(t, "weights", b.W, a.W, 1e-12)
		for i := range a.W {
			if a.Covariance != nil {
				within(t, b.Covariance.At(i, i)*2/a.Covariance.At(i, i), 1, 1e-11, "variance %d", i)
			}
		}
	}
}

// TestLargeSeparable checks that quasi-separation is also detected among many rows.
func TestLargeSeparable(t *testing.T) {
	x, target := drawn(20000, 30, 2)
	for i := range target {
		// Column 0 separates the classes, except for the tenth of the rows where it is zero.
		if i%10 == 0 {
			x.Set(i, 0, 0)
		} else {
			target[i] = truth(x.At(i, 0) > 0)
		}
	}
	m := must(classify.FitLogistic(x, target, classify.LogisticOptions{}))(t)
	if !m.Separable || m.Converged || leastMargin(x, target, m.Direction) < -1e-10 {
		t.Fatalf("%s", m.Reason)
	}
	for i, d := range m.Direction {
		errorIf(t, math.Abs(d-truth(i == 1)) > 1e-9, "direction %d is %v", i, d)
	}
}
