package classify_test

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

// solvers are all ways to the optimum, with how near each comes, in standard
// errors of the weights (the Newton step that is left).
var solvers = []struct {
	name string
	way  classify.Solver
	near float64
}{
	{"gradient descent", classify.GradientDescent{}, 1e-10},
	{"gradient descent, small start", classify.GradientDescent{SmallStart: true, Seed: 7}, 1e-10},
	{"sequential, corrected", classify.Sequential{Corrected: true}, 1e-10},
	{"sequential, corrected and shuffled", classify.Sequential{Corrected: true, Shuffle: true, Seed: 3}, 1e-10},
	{"coordinate ascent", classify.CoordinateAscent{}, 1e-10},
	{"L-BFGS", classify.LBFGS{}, 1e-6},
	{"L-BFGS, two gradients", classify.LBFGS{Memory: 2}, 1e-6},
}

func TestSolversReachNewtonsOptimum(t *testing.T) {
	x, labels := clouds(120, 3, 2, 5)
	y := targets(labels)
	soft := slices.Clone(y)
	soft[3], soft[4] = 0.25, 0.5
	cov := mat.NewSymDense(4, []float64{2, .3, 0, 0, .3, 1, .2, 0, 0, .2, 3, -.4, 0, 0, -.4, .5})
	twice := mat.NewDense(120, 4, nil) // the last column repeats the first
	twice.Augment(x, x.Slice(0, 120, 0, 1))
	for _, p := range []struct {
		name  string
		x     mat.Matrix
		t     []float64
		prior classify.Prior
	}{
		{"maximum likelihood", x, y, nil},
		{"soft targets", x, soft, nil},
		{"isotropic", x, y, classify.Isotropic{Alpha: 3}},
		{"free bias", x, y, classify.Isotropic{Alpha: 0.5, FreeBias: true}},
		{"general", x, y, classify.Gaussian{Mean: []float64{1, -1, 0.5, 2}, Cov: cov}},
		{"dependent columns", twice, y, nil},
	} {
		want := must(classify.FitLogistic(p.x, p.t, classify.LogisticOptions{Prior: p.prior}))(t)
		for _, s := range solvers {
			t.Run(p.name+"/"+s.name, func(t *testing.T) {
				m := must(classify.FitLogistic(p.x, p.t, classify.LogisticOptions{Prior: p.prior, Solver: s.way}))(t)
				if !m.Converged || m.Separable {
					t.Fatalf("Converged %v, Separable %v: %s", m.Converged, m.Separable, m.Reason)
				}
				for i, w := range want.W {
					unit := 1.0
					if want.Covariance != nil {
						unit = math.Sqrt(want.Covariance.At(i, i))
					}
					if d := math.Abs(m.W[i]-w) / unit; d > 1.1*s.near {
						t.Errorf("w%d is %v, by Newton %v: %.2g standard errors away (%s)", i, m.W[i], w, d, m.Reason)
					}
				}
				last := m.Trace[len(m.Trace)-1]
				if last.Iteration != m.Iterations || math.Abs(last.E-m.E) > 1e-12*m.E {
					t.Errorf("the trace ends at iteration %d with E = %v; the model says %d, %v", last.Iteration, last.E, m.Iterations, m.E)
				}
			})
		}
	}
}

// TestSolversReachNewtonsOptimumSoftmax: the same for three classes.
func TestSolversReachNewtonsOptimumSoftmax(t *testing.T) {
	x, labels := clouds(120, 2, 3, 5)
	for name, prior := range map[string]classify.Prior{"maximum likelihood": nil, "isotropic": classify.Isotropic{Alpha: 1}, "free bias": classify.Isotropic{Alpha: 1, FreeBias: true}} {
		want := must(classify.FitSoftmax(x, labels, 3, classify.SoftmaxOptions{Prior: prior}))(t)
		for _, s := range solvers {
			t.Run(name+"/"+s.name, func(t *testing.T) {
				m := must(classify.FitSoftmax(x, labels, 3, classify.SoftmaxOptions{Prior: prior, Solver: s.way}))(t)
				if !m.Converged || m.Separable {
					t.Fatalf("Converged %v, Separable %v: %s", m.Converged, m.Separable, m.Reason)
				}
				for i, w := range flat(want.W) {
					if d := math.Abs(flat(m.W)[i] - w); d > 2*s.near {
						t.Errorf("weight %d is %v, by Newton %v (%s)", i, flat(m.W)[i], w, m.Reason)
					}
				}
			})
		}
	}
}

func TestSolversOnSeparableData(t *testing.T) {
	x := mat.NewDense(6, 1, []float64{-3, -2, -1, 1, 2, 3})
	quasi := mat.NewDense(6, 1, []float64{-3, -2, 0, 0, 2, 3})
	y := []float64{1, 1, 1, 0, 0, 0}
	for _, s := range slices.Concat(solvers, []struct {
		name string
		way  classify.Solver
		near float64
	}{{"sequential", classify.Sequential{}, 0}, {"Newton", classify.Newton{}, 0}}) {
		for name, x := range map[string]*mat.Dense{"separable": x, "quasi-separable": quasi} {
			t.Run(s.name+"/"+name, func(t *testing.T) {
				m := must(classify.FitLogistic(x, y, classify.LogisticOptions{Solver: s.way, MaxIterations: 300}))(t)
				if m.Converged || !m.Separable || !strings.Contains(m.Reason, "separable") {
					t.Errorf("Converged %v, Separable %v: %s", m.Converged, m.Separable, m.Reason)
				}
				least := leastMargin(x, y, m.Direction)
				if least < -1e-12 || name == "separable" && least <= 0 {
					t.Errorf("the direction %v has margin %v", m.Direction, least)
				}
				mp := must(classify.FitLogistic(x, y, classify.LogisticOptions{Solver: s.way, Prior: classify.Isotropic{Alpha: 1}}))(t)
				if mp.Separable || s.near > 0 && !mp.Converged {
					t.Errorf("with a prior: Converged %v, Separable %v: %s", mp.Converged, mp.Separable, mp.Reason)
				}
			})
		}
	}
}

func TestStopping(t *testing.T) {
	x, labels := clouds(200, 4, 2, 9)
	y := targets(labels)
	held := classify.Stopping{X: x.Slice(100, 200, 0, 4), T: y[100:], Patience: 5}
	small := x.Slice(0, 12, 0, 4)
	for _, s := range []struct {
		name string
		way  classify.Solver
	}{
		{"gradient descent", classify.GradientDescent{Stop: held}},
		{"sequential", classify.Sequential{Stop: held}},
		{"coordinate ascent", classify.CoordinateAscent{Stop: held}},
		{"L-BFGS", classify.LBFGS{Stop: held}},
	} {
		t.Run("held out/"+s.name, func(t *testing.T) {
			m := must(classify.FitLogistic(small, y[:12], classify.LogisticOptions{Solver: s.way}))(t)
			mentions(t, fmt.Errorf("%s", m.Reason), "stopped early", "held-out")
			if m.Converged {
				t.Error("an early stop is not convergence")
			}
			o := must(classify.LogisticObjective(held.X, held.T, nil))(t)
			got := must(o.Value(m.W))(t)
			least := math.Inf(1)
			for _, step := range m.Trace {
				e := must(o.Value(step.W))(t)
				if math.Abs(e-step.HeldOut) > 1e-9*e {
					t.Errorf("iteration %d: held-out error %v, recorded %v", step.Iteration, e, step.HeldOut)
				}
				least = math.Min(least, e)
			}
			if math.Abs(got-least) > 1e-9*least {
				t.Errorf("held-out error %v, the least of the trace is %v", got, least)
			}
		})
	}
	sep := mat.NewDense(6, 1, []float64{-3, -2, -1, 1, 2, 3.5})
	for _, way := range []classify.Solver{
		classify.GradientDescent{Rate: 0.01, Stop: classify.Stopping{NoErrors: true}},
		classify.Sequential{Rate: 0.01, Stop: classify.Stopping{NoErrors: true}},
		classify.CoordinateAscent{Rate: 0.01, Stop: classify.Stopping{NoErrors: true}},
		classify.LBFGS{Stop: classify.Stopping{NoErrors: true}},
	} {
		t.Run(fmt.Sprintf("no errors/%T", way), func(t *testing.T) {
			m := must(classify.FitLogistic(sep, []float64{1, 1, 1, 0, 0, 0}, classify.LogisticOptions{Solver: way, Start: []float64{-2, 0}}))(t)
			for i, s := range m.Trace {
				if last := i == len(m.Trace)-1; (s.Misclassified == 0) != last {
					t.Errorf("step %d of %d has %d errors", i, len(m.Trace), s.Misclassified)
				}
			}
			mentions(t, fmt.Errorf("%s", m.Reason), "stopped early", "no row is misclassified")
		})
	}
}

func TestSolverOptionErrors(t *testing.T) {
	x, labels := clouds(20, 2, 2, 1)
	y := targets(labels)
	for _, c := range []struct {
		way  classify.Solver
		want []string
	}{
		{classify.GradientDescent{Rate: -1}, []string{"GradientDescent.Rate", "-1"}},
		{classify.GradientDescent{Rate: math.NaN()}, []string{"GradientDescent.Rate", "NaN"}},
		{classify.GradientDescent{Every: -2}, []string{"GradientDescent.Every", "-2"}},
		{classify.Sequential{Rate: math.Inf(1)}, []string{"Sequential.Rate", "+Inf"}},
		{classify.Sequential{Decay: -0.5}, []string{"Sequential.Decay", "-0.5"}},
		{classify.Sequential{Every: 3, EveryUpdate: true}, []string{"Every is 3", "EveryUpdate"}},
		{classify.CoordinateAscent{Rate: -3}, []string{"CoordinateAscent.Rate", "-3"}},
		{classify.CoordinateAscent{Every: -1}, []string{"CoordinateAscent.Every"}},
		{classify.LBFGS{Memory: -1}, []string{"LBFGS.Memory", "-1"}},
		{classify.LBFGS{Stop: classify.Stopping{Patience: -1}}, []string{"Patience", "-1"}},
		{classify.LBFGS{Stop: classify.Stopping{T: y}}, []string{"no X"}},
		{classify.LBFGS{Stop: classify.Stopping{X: x}}, []string{"targets of X"}},
		{classify.LBFGS{Stop: classify.Stopping{X: x, T: y, Labels: labels}}, []string{"not both"}},
		{classify.LBFGS{Stop: classify.Stopping{X: x.Slice(0, 5, 0, 1), T: y[:5]}}, []string{"5×1", "2 columns"}},
		{classify.LBFGS{Stop: classify.Stopping{X: x, T: y[:3]}}, []string{"3 targets", "20 rows"}},
		{classify.LBFGS{Stop: classify.Stopping{X: x, Labels: labels[:3]}}, []string{"3 entries", "20 rows"}},
	} {
		t.Run(fmt.Sprintf("%T %v", c.way, c.want), func(t *testing.T) {
			_, err := classify.FitLogistic(x, y, classify.LogisticOptions{Solver: c.way})
			mentions(t, err, c.want...)
		})
	}
}

// TestDivergence: rates that are too large are reported, and leave a model that
// can be used.
func TestDivergence(t *testing.T) {
	x, labels := clouds(60, 2, 2, 3)
	y := targets(labels)
	for _, c := range []struct {
		name  string
		way   classify.Solver
		prior classify.Prior
		want  string
	}{
		// Without a prior the gradient is bounded: the iterates jump to and fro.
		{"jumps", classify.GradientDescent{Rate: 10}, nil, "the rate is too large"},
		// η·α > 2 multiplies w by a factor beyond −1 in each step.
		{"grows", classify.GradientDescent{Rate: 3}, classify.Isotropic{Alpha: 1}, "diverged"},
		{"sequential", classify.Sequential{Rate: 200}, classify.Isotropic{Alpha: 1}, "diverged"},
		{"coordinates", classify.CoordinateAscent{Rate: 3}, classify.Isotropic{Alpha: 1}, "diverged"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := must(classify.FitLogistic(x, y, classify.LogisticOptions{Solver: c.way, Prior: c.prior, MaxIterations: 3000}))(t)
			if m.Converged || !strings.Contains(m.Reason, c.want) {
				t.Errorf("Converged %v: %s", m.Converged, m.Reason)
			}
			if math.IsNaN(floats.Sum(m.W)) {
				t.Errorf("w is %v", m.W)
			}
		})
	}
}

// TestTraceRecording: how often iterates are kept.
func TestTraceRecording(t *testing.T) {
	x, labels := clouds(40, 2, 2, 8)
	y := targets(labels)
	fit := func(way classify.Solver, n int) *classify.Logistic {
		return must(classify.FitLogistic(x, y, classify.LogisticOptions{Solver: way, MaxIterations: n}))(t)
	}
	iterations := func(m *classify.Logistic) []int {
		var out []int
		for _, s := range m.Trace {
			out = append(out, s.Iteration)
		}
		return out
	}
	slow := 1e-5
	all := fit(classify.GradientDescent{Rate: slow}, 25)
	if len(all.Trace) != 26 {
		t.Errorf("%d steps of 25 iterations", len(all.Trace))
	}
	some := fit(classify.GradientDescent{Rate: slow, Every: 10}, 25)
	if got := iterations(some); !slices.Equal(got, []int{0, 10, 20, 25}) {
		t.Errorf("every tenth: %v", got)
	}
	if !slices.Equal(some.W, all.W) {
		t.Error("recording less often changes the fit")
	}
	many := fit(classify.GradientDescent{Rate: slow}, 5001)
	got := iterations(many)
	if len(got) > 1025 || got[0] != 0 || got[1] != 8 || got[len(got)-1] != 5001 || got[len(got)-2] != 5000 {
		t.Errorf("thinned: %d steps, %v … %v", len(got), got[:3], got[len(got)-3:])
	}
	each := fit(classify.Sequential{Rate: slow, EveryUpdate: true}, 2)
	if len(each.Trace) != 1+2*40 {
		t.Errorf("%d steps for 2×40 patterns", len(each.Trace))
	}
	// The step after the first pattern is w + η(t−y)φ with y = ½ at w = 0.
	e := y[0] - 0.5
	want := []float64{slow * e, slow * e * x.At(0, 0), slow * e * x.At(0, 1)}
	if !floats.EqualApprox(each.Trace[1].W, want, 1e-18) {
		t.Errorf("after the first pattern w = %v, want %v", each.Trace[1].W, want)
	}
	one := must(classify.FitLogistic(x, y, classify.LogisticOptions{Solver: classify.CoordinateAscent{EveryUpdate: true}, Start: []float64{1, 1, -2}, MaxIterations: 1}))(t)
	for i, s := range one.Trace[1:4] {
		for j := range s.W {
			if (s.W[j] != one.Trace[i].W[j]) != (i == j) {
				t.Errorf("update %d takes w from %v to %v", i, one.Trace[i].W, s.W)
			}
		}
		if s.E > one.Trace[i].E {
			t.Errorf("update %d raises E", i)
		}
	}
	back := new(classify.Logistic)
	if err := json.Unmarshal(must(json.Marshal(some))(t), back); err != nil || !slices.Equal(iterations(back), iterations(some)) {
		t.Errorf("the trace came back as %v (%v)", iterations(back), err)
	}
}

// TestSolversRepeat: the same bits for any number of processors and however the
// matrix is stored, and nothing of the inputs is changed.
func TestSolversRepeat(t *testing.T) {
	x, labels := clouds(3000, 3, 2, 31)
	y := targets(labels)
	xs, ys := mat.DenseCopyOf(x), slices.Clone(y)
	for _, s := range solvers {
		t.Run(s.name, func(t *testing.T) {
			o := classify.LogisticOptions{Solver: s.way, MaxIterations: 4, Start: []float64{.1, .2, .3, .4}}
			old := runtime.GOMAXPROCS(1)
			first := must(classify.FitLogistic(x, y, o))(t)
			runtime.GOMAXPROCS(4)
			second := must(classify.FitLogistic(struct{ mat.Matrix }{x}, y, o))(t)
			runtime.GOMAXPROCS(old)
			if !reflect.DeepEqual(first, second) {
				t.Error("a second fit differs")
			}
			if !mat.Equal(x, xs) || !slices.Equal(y, ys) || !slices.Equal(o.Start, []float64{.1, .2, .3, .4}) {
				t.Error("the inputs were changed")
			}
		})
	}
}

// TestSolverEdges: odd sizes and scales give a right answer or a reason.
func TestSolverEdges(t *testing.T) {
	x, labels := clouds(30, 2, 2, 40)
	scaled := func(s float64) *mat.Dense {
		z := mat.DenseCopyOf(x)
		z.Scale(s, z)
		return z
	}
	y := targets(labels)
	for _, c := range []struct {
		name  string
		x     *mat.Dense
		t     []float64
		start []float64
		prior classify.Prior
	}{
		{"one soft row", mat.NewDense(1, 2, []float64{1, 2}), []float64{0.3}, nil, nil},
		{"one row, prior", mat.NewDense(1, 2, []float64{1, 2}), []float64{1}, nil, classify.Isotropic{Alpha: 1}},
		{"more columns than rows", mat.NewDense(2, 4, []float64{1, 2, 3, 4, -1, 0, 1, 5}), []float64{1, 0}, nil, nil},
		{"a constant column", mat.NewDense(4, 2, []float64{1, 7, 2, 7, 3, 7, 4, 7}), []float64{1, 0, 1, 0}, nil, nil},
		{"huge", scaled(1e150), y, nil, nil},
		{"tiny", scaled(1e-150), y, nil, nil},
		{"saturated start", x, y, []float64{800, -800, 800}, nil},
		{"start out of range", x, y, []float64{1e308, 1e308, -1e308}, nil},
	} {
		for _, s := range solvers {
			t.Run(c.name+"/"+s.name, func(t *testing.T) {
				m, err := classify.FitLogistic(c.x, c.t, classify.LogisticOptions{Solver: s.way, Start: c.start, Prior: c.prior, MaxIterations: 2000})
				if c.name == "start out of range" {
					mentions(t, err, "cannot be represented")
					return
				}
				if err != nil {
					t.Fatal(err)
				}
				if math.IsNaN(floats.Sum(m.W)) || math.IsNaN(m.E) || m.Reason == "" {
					t.Errorf("w %v, E %v, %q", m.W, m.E, m.Reason)
				}
				if c.name == "tiny" || c.name == "huge" {
					return // one rate for a bias of 1 and columns of another scale: too slow, as Reason says
				}
				want := must(classify.FitLogistic(c.x, c.t, classify.LogisticOptions{Prior: c.prior}))(t)
				if m.Converged && math.Abs(m.E-want.E) > 1e-9*(1+want.E) {
					t.Errorf("E is %v, by Newton %v (%s)", m.E, want.E, m.Reason)
				}
				if m.Separable && !want.Separable {
					t.Errorf("separable, but not by Newton: %s", m.Reason)
				}
			})
		}
	}
}
