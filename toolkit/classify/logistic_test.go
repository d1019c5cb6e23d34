package classify_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

// TestIdentities that hold at an optimum whatever the data.
func TestIdentities(t *testing.T) {
	x, labels := clouds(80, 3, 2, 41)
	target := targets(labels)
	m := must(classify.FitLogistic(x, target, classify.LogisticOptions{}))(t)
	t.Run("mean posterior is the class share", func(t *testing.T) {
		// The bias component of (4.91) is Σ(y−t) = 0.
		var sum float64
		for _, p := range mat.Col(nil, 0, must(m.Posterior(x))(t)) {
			sum += p
		}
		if math.Abs(sum-40) > 1e-12 {
			t.Errorf("the posteriors sum to %v, t to 40", sum)
		}
	})
	t.Run("covariance inverts the Hessian", func(t *testing.T) { inverses(t, m.Covariance, m.Hessian, 4e-13) })
	t.Run("isotropic is a Gaussian", func(t *testing.T) {
		cov := mat.NewSymDense(4, nil)
		for i := range 4 {
			cov.SetSym(i, i, 0.5)
		}
		a := must(classify.FitLogistic(x, target, classify.LogisticOptions{Prior: classify.Isotropic{Alpha: 2}}))(t)
		b := must(classify.FitLogistic(x, target, classify.LogisticOptions{Prior: classify.Gaussian{Cov: cov}}))(t)
		nearly(t, "weights", a.W, b.W, 1e-14)
	})
	t.Run("a narrow prior holds w at its mean", func(t *testing.T) {
		mean := []float64{1, -2, 3, 0.5}
		cov := mat.NewSymDense(4, nil)
		for i := range 4 {
			cov.SetSym(i, i, 1e-12)
		}
		b := must(classify.FitLogistic(x, target, classify.LogisticOptions{Prior: classify.Gaussian{Mean: mean, Cov: cov}}))(t)
		if !b.Converged {
			t.Error(b.Reason)
		}
		nearly(t, "weights", b.W, mean, 1e-9)
	})
	t.Run("a soft target is two weighted hard ones", func(t *testing.T) {
		// π at one row is the same likelihood as ten copies, 10π of them with t = 1.
		one := mat.NewDense(4, 1, []float64{-1, 0, 1, 3})
		pi := []float64{0.3, 0.1, 0.6, 0.9}
		var xs, ts []float64
		for i, p := range pi {
			for c := range 10 {
				xs = append(xs, one.At(i, 0))
				ts = append(ts, truth(float64(c)+0.5 < 10*p))
			}
		}
		a := must(classify.FitLogistic(one, pi, classify.LogisticOptions{}))(t)
		b := must(classify.FitLogistic(mat.NewDense(40, 1, xs), ts, classify.LogisticOptions{}))(t)
		nearly(t, "weights", a.W, b.W, 1e-13)
	})
}

// TestUnits: units and offsets of the inputs change w by the exact rule and
// nothing else, over the whole range of numbers.
func TestUnits(t *testing.T) {
	x, labels := clouds(70, 3, 2, 51)
	target := targets(labels)
	base := must(classify.FitLogistic(x, target, classify.LogisticOptions{}))(t)
	for _, scale := range [][]float64{{1e150, 1e-150, 1}, {1e-150, 1e-150, 1e-150}, {1e150, 1e150, 1e150}, {1e-3, 1e5, 7}} {
		y := mat.NewDense(70, 3, nil)
		y.Apply(func(_, j int, v float64) float64 { return v * scale[j] }, x)
		m := must(classify.FitLogistic(y, target, classify.LogisticOptions{}))(t)
		if !m.Converged {
			t.Fatalf("scale %v: %s", scale, m.Reason)
		}
		se, want := must(m.StandardErrors())(t), must(base.StandardErrors())(t)
		for j, s := range scale {
			if e := math.Abs(m.W[j+1]*s/base.W[j+1] - 1); e > 1e-12 {
				t.Errorf("scale %v: weight %d off by %.2g", scale, j+1, e)
			}
			if e := math.Abs(se[j+1]*s/want[j+1] - 1); e > 1e-12 {
				t.Errorf("scale %v: standard error %d off by %.2g", scale, j+1, e)
			}
		}
	}
	for _, offset := range []float64{1e3, 1e6, -1e9} {
		y := mat.NewDense(70, 3, nil)
		y.Apply(func(_, _ int, v float64) float64 { return v + offset }, x)
		m := must(classify.FitLogistic(y, target, classify.LogisticOptions{}))(t)
		for j := range 3 {
			// The rows themselves are rounded to 1e-16 of the offset.
			if e := math.Abs(m.W[j+1]/base.W[j+1] - 1); !m.Converged || e > 1e-15*math.Abs(offset)+1e-13 {
				t.Errorf("offset %v: weight %d off by %.2g (%s)", offset, j+1, e, m.Reason)
			}
		}
	}
}

// TestBeyondUnits: units in which a result cannot be represented are an error,
// not an infinity.
func TestBeyondUnits(t *testing.T) {
	x, labels := clouds(70, 2, 2, 51)
	for _, c := range []struct {
		scale float64
		want  string
	}{{1e200, "Hessian"}, {1e-200, "covariance"}, {5e-324, "choose other units"}} {
		y := mat.NewDense(70, 2, nil)
		y.Apply(func(_, _ int, v float64) float64 { return math.Round(v*4) * c.scale }, x)
		_, err := classify.FitLogistic(y, targets(labels), classify.LogisticOptions{})
		mentions(t, err, c.want, "units")
	}
	// Weights of different sign: 1e308 in both columns gives Inf − Inf.
	_, err := (&classify.Logistic{Estimate: classify.Estimate{W: []float64{0, 1e10, -1e10}}}).Posterior(mat.NewDense(1, 2, []float64{1e308, 1e308}))
	mentions(t, err, "row 0", "overflows")
}

// TestTails: activations of ±800 keep their posteriors, log likelihoods and fits.
func TestTails(t *testing.T) {
	m := &classify.Logistic{Estimate: classify.Estimate{W: []float64{0, 1}}}
	x := mat.NewDense(4, 1, []float64{-800, 800, -700, 40})
	p := must(m.Posterior(x))(t)
	for _, c := range []struct {
		i, k int
		want float64
	}{
		{0, 0, 0}, {0, 1, 1}, {1, 0, 1}, {1, 1, 0},
		{2, 0, 9.85967654375977e-305}, // exp(−700), scalar_facts
		{3, 1, 4.248354255291589e-18}, // exp(−40), scalar_facts
	} {
		if got := p.At(c.i, c.k); math.Abs(got-c.want) > 5e-16*c.want {
			t.Errorf("posterior (%d,%d) = %v, want %v", c.i, c.k, got, c.want)
		}
	}
	o := must(classify.LogisticObjective(x, []float64{0, 1, 1, 0.5}, nil))(t)
	// −ln σ(−700) = 700, the soft row gives ½(0+40), the first two nothing.
	if e := must(o.Value([]float64{0, 1}))(t); math.Abs(e-720) > 1e-12 {
		t.Errorf("E = %v, want 720", e)
	}
	// A start at which every row is saturated, half of them on the wrong side.
	y, labels := clouds(100, 2, 2, 61)
	target := targets(labels)
	want := must(classify.FitLogistic(y, target, classify.LogisticOptions{}))(t)
	for _, start := range [][]float64{{0, 800, -800}, {800, 0, 0}, {-1e4, 3e5, 1e6}} {
		far := must(classify.FitLogistic(y, target, classify.LogisticOptions{Start: start}))(t)
		if !far.Converged {
			t.Errorf("start %v: %s", start, far.Reason)
			continue
		}
		nearly(t, fmt.Sprintf("start %v: weights", start), far.W, want.W, 1e-12)
	}
}

func TestFewRows(t *testing.T) {
	t.Run("one row needs a prior", func(t *testing.T) {
		x := mat.NewDense(1, 2, []float64{1, 2})
		_, err := classify.FitLogistic(x, []float64{1}, classify.LogisticOptions{})
		mentions(t, err, "single class", "prior")
		_, err = classify.FitLogistic(x, []float64{0}, classify.LogisticOptions{Prior: classify.Isotropic{Alpha: 1, FreeBias: true}})
		mentions(t, err, "single class", "prior")
		m := must(classify.FitLogistic(x, []float64{1}, classify.LogisticOptions{Prior: classify.Isotropic{Alpha: 1}}))(t)
		// The optimum is w = s·φ with s = σ(−6s), 6 = ‖φ‖².
		s := m.W[0]
		if !m.Converged || math.Abs(m.W[1]-s) > 1e-14 || math.Abs(m.W[2]-2*s) > 1e-14 || math.Abs(s-1/(1+math.Exp(6*s))) > 1e-14 {
			t.Errorf("w = %v: %s", m.W, m.Reason)
		}
	})
	t.Run("one soft row fits exactly", func(t *testing.T) {
		m := must(classify.FitLogistic(mat.NewDense(1, 1, []float64{3}), []float64{0.2}, classify.LogisticOptions{}))(t)
		// a = ln(0.2/0.8) = −ln 4; the shortest w is along (1,3): a/10·(1,3).
		a := -math.Log(4)
		if !m.Converged || m.Rank != 1 || math.Abs(m.W[0]-a/10) > 1e-14 || math.Abs(m.W[1]-3*a/10) > 1e-14 {
			t.Errorf("w = %v, rank %d: %s", m.W, m.Rank, m.Reason)
		}
	})
	t.Run("more columns than rows are separable", func(t *testing.T) {
		x, labels := clouds(8, 30, 2, 71)
		m := must(classify.FitLogistic(x, targets(labels), classify.LogisticOptions{}))(t)
		if !m.Separable || m.Converged || m.Rank != 8 || leastMargin(x, targets(labels), m.Direction) <= 0 {
			t.Errorf("Separable %v, rank %d: %s", m.Separable, m.Rank, m.Reason)
		}
		p := must(classify.FitLogistic(x, targets(labels), classify.LogisticOptions{Prior: classify.Isotropic{Alpha: 1}}))(t)
		stationary(t, must(classify.LogisticObjective(x, targets(labels), classify.Isotropic{Alpha: 1}))(t), p.W, 1e-12)
	})
}

// TestDependentColumns: dependent columns do not change the activations, and w
// is the limit of a vanishing isotropic prior.
func TestDependentColumns(t *testing.T) {
	x, labels := clouds(100, 2, 2, 81)
	target := targets(labels)
	base := must(classify.FitLogistic(x, target, classify.LogisticOptions{}))(t)
	want := must(base.Activations(x))(t)
	for _, c := range []struct {
		name string
		cols func(a, b float64) []float64
		rank int
		say  string
	}{
		{"duplicate", func(a, b float64) []float64 { return []float64{a, b, a} }, 3, "linearly dependent: 0, 2"},
		{"constant", func(a, b float64) []float64 { return []float64{a, 7.3, b} }, 3, "constant like the bias: 1"},
		{"sum", func(a, b float64) []float64 { return []float64{a, b, a + b} }, 3, "linearly dependent: 0, 1, 2"},
		{"fahrenheit", func(a, b float64) []float64 { return []float64{a, 1.8*a + 32, b} }, 3, "linearly dependent: 0, 1"},
		{"both", func(a, b float64) []float64 { return []float64{a, b, b * 1e6, -4, 2} }, 3, "constant like the bias: 3, 4; linearly dependent: 1, 2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			n, _ := x.Dims()
			y := mat.NewDense(n, len(c.cols(0, 0)), nil)
			for i := range n {
				y.SetRow(i, c.cols(x.At(i, 0), x.At(i, 1)))
			}
			m := must(classify.FitLogistic(y, target, classify.LogisticOptions{}))(t)
			if !m.Converged || m.Rank != c.rank || !strings.Contains(m.Reason, c.say) || m.Covariance != nil {
				t.Errorf("rank %d, want %d; reason %q", m.Rank, c.rank, m.Reason)
			}
			nearly(t, "activations", must(m.Activations(y))(t), want, 1e-9)
			_, err := m.StandardErrors()
			mentions(t, err, "not unique")
			lim := must(classify.FitLogistic(y, target, classify.LogisticOptions{Prior: classify.Isotropic{Alpha: 1e-7}}))(t)
			nearly(t, "weights of a weak prior", lim.W, m.W, 1e-5)
		})
	}
}

func TestOptions(t *testing.T) {
	x, labels := clouds(30, 2, 2, 91)
	target := targets(labels)
	notPD := mat.NewSymDense(3, []float64{1, 2, 0, 2, 1, 0, 0, 0, 1})
	for _, c := range []struct {
		name string
		o    classify.LogisticOptions
		want []string
	}{
		{"start too short", classify.LogisticOptions{Start: []float64{1}}, []string{"Start", "1 entries", "3"}},
		{"start NaN", classify.LogisticOptions{Start: []float64{1, math.NaN(), 0}}, []string{"Start[1]"}},
		{"iterations", classify.LogisticOptions{MaxIterations: -1}, []string{"MaxIterations", "-1"}},
		{"tolerance", classify.LogisticOptions{Tolerance: -1}, []string{"Tolerance", "-1"}},
		{"tolerance NaN", classify.LogisticOptions{Tolerance: math.NaN()}, []string{"Tolerance"}},
		{"alpha 0", classify.LogisticOptions{Prior: classify.Isotropic{}}, []string{"Alpha is 0", "nil"}},
		{"alpha NaN", classify.LogisticOptions{Prior: classify.Isotropic{Alpha: math.NaN()}}, []string{"Alpha"}},
		{"no covariance", classify.LogisticOptions{Prior: classify.Gaussian{}}, []string{"Cov is nil"}},
		{"covariance size", classify.LogisticOptions{Prior: classify.Gaussian{Cov: mat.NewSymDense(2, nil)}}, []string{"2×2", "3×3"}},
		{"indefinite", classify.LogisticOptions{Prior: classify.Gaussian{Cov: notPD}}, []string{"not positive definite"}},
		{"mean size", classify.LogisticOptions{Prior: classify.Gaussian{Mean: []float64{1, 2}, Cov: notPD}}, []string{"Mean", "2 entries"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := classify.FitLogistic(x, target, c.o)
			mentions(t, err, append(c.want, "FitLogistic")...)
		})
	}
	for _, v := range []float64{-1, 2, math.NaN()} {
		bad := slices.Clone(target)
		bad[12] = v
		_, err := classify.FitLogistic(x, bad, classify.LogisticOptions{})
		mentions(t, err, "t[12]", "[0,1]")
	}
	t.Run("too few iterations", func(t *testing.T) {
		m := must(classify.FitLogistic(x, target, classify.LogisticOptions{MaxIterations: 2}))(t)
		if m.Converged || m.Iterations != 2 || len(m.Trace) != 3 || !strings.Contains(m.Reason, "MaxIterations = 2") {
			t.Errorf("%d iterations: %s", m.Iterations, m.Reason)
		}
		_, err := m.StandardErrors()
		mentions(t, err, "not converged")
	})
	t.Run("start at the optimum", func(t *testing.T) {
		m := must(classify.FitLogistic(x, target, classify.LogisticOptions{}))(t)
		again := must(classify.FitLogistic(x, target, classify.LogisticOptions{Start: m.W}))(t)
		if !again.Converged || again.Iterations > 1 {
			t.Errorf("%d iterations from the optimum: %s", again.Iterations, again.Reason)
		}
	})
	t.Run("prior and start are not changed", func(t *testing.T) {
		start, mean := []float64{1, 2, 3}, []float64{3, 2, 1}
		cov := mat.NewSymDense(3, []float64{1, 0, 0, 0, 1, 0, 0, 0, 1})
		must(classify.FitLogistic(x, target, classify.LogisticOptions{Start: start, Prior: classify.Gaussian{Mean: mean, Cov: cov}}))(t)
		if fmt.Sprint(start, mean, cov.At(1, 1)) != "[1 2 3] [3 2 1] 1" {
			t.Error("start or prior were changed")
		}
	})
}

// TestTrace: E falls, the steps are evaluated where they stand, and the
// convergence at the end is quadratic.
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
	if last := m.Trace[len(m.Trace)-1]; last.GradNorm > 1e-12 {
		t.Errorf("gradient norm %v at the end", last.GradNorm)
	}
}

// TestNeverDiverges: random data on which the maximum exists, random starts.
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
		if !m.Converged || m.Separable {
			t.Errorf("trial %d: %s (start %v)", trial, m.Reason, start)
		}
	}
}
