package classify_test

import (
	"fmt"
	"maps"
	"math"
	"os"
	"reflect"
	"regexp"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

// allSolvers contains every solver, and Sequential both with and without corrections.
// [TestAllSolvers] checks that no solver is missing.
var allSolvers = []classify.Solver{classify.Newton{}, classify.LBFGS{}, classify.GradientDescent{},
	classify.CoordinateAscent{}, classify.Sequential{Corrected: true}, classify.Sequential{}}

// TestAllSolvers requires that allSolvers contains every type that solver.go declares as a Solver,
// and no other type.
func TestAllSolvers(t *testing.T) {
	found := map[string]bool{}
	for _, s := range allSolvers {
		found[reflect.TypeOf(s).Name()] = true
	}
	declared := map[string]bool{}
	text := string(must(os.ReadFile("solver.go"))(t))
	for _, d := range regexp.MustCompile(`_ Solver = (\w+)\{\}`).FindAllStringSubmatch(text, -1) {
		declared[d[1]] = true
	}
	errorIf(t, !maps.Equal(found, declared), "allSolvers contains %v, want the solvers that solver.go declares: %v", found, declared)
}

// solvers lists all solvers except Newton, some of them with options. Sequential always has the option
// Corrected, because without this option it does not converge. The field `near` is the distance from the
// optimum that the solver must reach, in standard errors of the weights.
var solvers = []struct {
	name   string
	solver classify.Solver
	near   float64
}{
	{"gradient descent", classify.GradientDescent{}, 1e-10},
	{"gradient descent, small start", classify.GradientDescent{SmallStart: true, Seed: 7}, 1e-10},
	{"sequential, corrected", classify.Sequential{Corrected: true}, 1e-10},
	{"sequential, corrected and shuffled", classify.Sequential{Corrected: true, Shuffle: true, Seed: 3}, 1e-10},
	{"coordinate ascent", classify.CoordinateAscent{}, 1e-10},
	{"L-BFGS", classify.LBFGS{}, 1e-6},
	{"L-BFGS, two gradients", classify.LBFGS{Memory: 2}, 1e-6},
}

// TestSolversReachNewtonsOptimum checks that every solver in the list `solvers` reaches the same weights
// as Newton for every model in the list `optima`. For logistic and softmax regression, it also checks
// soft targets, priors and dependent columns.
func TestSolversReachNewtonsOptimum(t *testing.T) {
	x, labels := clouds(120, 3, 2, 5)
	y := targets(labels)
	soft := slices.Clone(y)
	soft[3], soft[4] = 0.25, 0.5
	cov := mat.NewSymDense(4, []float64{2, .3, 0, 0, .3, 1, .2, 0, 0, .2, 3, -.4, 0, 0, -.4, .5})
	twice := mat.NewDense(120, 4, nil) // make the last column equal to the first column
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
		for _, f := range optima {
			if p.name == "general" && f.name == "softmax" || p.name != "maximum likelihood" && f.name != "logistic" &&
				f.name != "softmax" {
				continue
			}
			want := must(f.fit(p.x, p.t, classify.LogisticOptions{Prior: p.prior}))(t)
			for _, s := range solvers {
				t.Run(p.name+"/"+f.name+"/"+s.name, func(t *testing.T) {
					m := must(f.fit(p.x, p.t, classify.LogisticOptions{Prior: p.prior, Solver: s.solver}))(t)
					errorIf(t, !m.Converged || m.Separable, "got Converged %v and Separable %v, want true and false: %s", m.Converged, m.Separable,
						m.Reason)
					for i, w := range want.W {
						unit := 1.0
						if want.Covariance != nil {
							unit = math.Sqrt(want.Covariance.At(i, i))
						}
						closeTo(t, m.W[i], w, 2*s.near*unit, "w%d (%s)", i, m.Reason)
					}
					if f.name == "logistic" {
						last := m.Trace[len(m.Trace)-1]
						errorIf(t, last.Iteration != m.Iterations || math.Abs(last.E-m.E) > 1e-12*m.E,
							"the trace ends at iteration %d with E = %v, but the model has %d iterations and E = %v; want equal values", last.Iteration, last.E,
							m.Iterations, m.E)
					}
				})
			}
		}
	}
}

func TestStopping(t *testing.T) {
	x, labels := clouds(200, 4, 2, 9)
	y := targets(labels)
	held := classify.Stopping{X: x.Slice(100, 200, 0, 4), T: y[100:], Patience: 5}
	small := x.Slice(0, 12, 0, 4)
	for _, solver := range []classify.Solver{
		classify.GradientDescent{Stop: held}, classify.Sequential{Stop: held}, classify.CoordinateAscent{Stop: held},
		classify.LBFGS{Stop: held},
	} {
		t.Run(fmt.Sprintf("held out/%T", solver), func(t *testing.T) {
			m := must(classify.FitLogistic(small, y[:12], classify.LogisticOptions{Solver: solver}))(t)
			errorHas(t, reasonError(m.Reason), "stopped early", "held-out")
			errorIf(t, m.Converged, "Converged is true after an early stop, want false")
			o := must(classify.LogisticObjective(held.X, held.T, nil))(t)
			least := math.Inf(1)
			for _, step := range m.Trace {
				e := must(o.Value(step.W))(t)
				closeTo(t, step.HeldOut, e, 1e-9*e, "iteration %d: held-out error", step.Iteration)
				least = math.Min(least, e)
			}
			closeTo(t, must(o.Value(m.W))(t), least, 1e-9*least, "held-out error at W, which must be the least of the trace")
		})
	}
	sep := mat.NewDense(6, 1, []float64{-3, -2, -1, 1, 2, 3.5})
	for _, solver := range []classify.Solver{
		classify.GradientDescent{Rate: 0.01, Stop: classify.Stopping{NoErrors: true}},
		classify.Sequential{Rate: 0.01, Stop: classify.Stopping{NoErrors: true}},
		classify.CoordinateAscent{Rate: 0.01, Stop: classify.Stopping{NoErrors: true}},
		classify.LBFGS{Stop: classify.Stopping{NoErrors: true}},
	} {
		t.Run(fmt.Sprintf("no errors/%T", solver), func(t *testing.T) {
			m := must(classify.FitLogistic(sep, []float64{1, 1, 1, 0, 0, 0},
				classify.LogisticOptions{Solver: solver, Start: []float64{-2, 0}}))(t)
			for i, s := range m.Trace {
				errorIf(t, (s.Misclassified == 0) != (i == len(m.Trace)-1), "step %d (counting from 0) of %d has %d misclassified rows, want 0 only in the last step", i,
					len(m.Trace), s.Misclassified)
			}
			errorHas(t, reasonError(m.Reason), "stopped early", "no row is misclassified")
		})
	}
}

func TestSolverOptionErrors(t *testing.T) {
	x, labels := clouds(20, 2, 2, 1)
	y := targets(labels)
	refused := func(solver classify.Solver, words ...string) {
		t.Helper()
		errorHas(t, errorOf(classify.FitLogistic(x, y, classify.LogisticOptions{Solver: solver})), words...)
	}
	refused(classify.Sequential{Every: 3, EveryUpdate: true}, "Every is 3", "EveryUpdate")
	stop := func(s classify.Stopping) classify.Solver { return classify.LBFGS{Stop: s} }
	refused(stop(classify.Stopping{T: y}), "no X")
	refused(stop(classify.Stopping{X: x}), "targets of X")
	refused(stop(classify.Stopping{X: x, T: y, Labels: labels}), "not both")
	refused(stop(classify.Stopping{X: x.Slice(0, 5, 0, 1), T: y[:5]}), "5×1", "2 columns")
	refused(stop(classify.Stopping{X: x, T: y[:3]}), "3 targets", "20 rows")
	refused(stop(classify.Stopping{X: x, Labels: labels[:3]}), "3 entries", "20 rows")
}

// TestTraceRecording checks which iterates a trace records.
func TestTraceRecording(t *testing.T) {
	x, labels := clouds(40, 2, 2, 8)
	y := targets(labels)
	fit := func(solver classify.Solver, n int) *classify.Logistic {
		return must(classify.FitLogistic(x, y, classify.LogisticOptions{Solver: solver, MaxIterations: n}))(t)
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
	errorIf(t, len(all.Trace) != 26, "%d steps are recorded for 25 iterations, want 26", len(all.Trace))
	some := fit(classify.GradientDescent{Rate: slow, Every: 10}, 25)
	if got := iterations(some); !slices.Equal(got, []int{0, 10, 20, 25}) {
		t.Errorf("with Every = 10 the trace contains the iterations %v, want 0, 10, 20 and 25", got)
	}
	errorIf(t, !slices.Equal(some.W, all.W), "the fit changes if fewer iterates are recorded, want no change")
	many := fit(classify.GradientDescent{Rate: slow}, 5001)
	got := iterations(many)
	errorIf(t, len(got) > 1025 || got[0] != 0 || got[1] != 8 || got[len(got)-1] != 5001 || got[len(got)-2] != 5000,
		"the thinned trace has %d steps with iterations %v … %v, want at most 1025 steps with iterations 0, 8, … 5000, 5001", len(got), got[:3], got[len(got)-3:])
	each := fit(classify.Sequential{Rate: slow, EveryUpdate: true}, 2)
	errorIf(t, len(each.Trace) != 1+2*40, "%d steps are recorded for 2×40 patterns, want 81", len(each.Trace))
	// The step after the first pattern is w + η(t−y)φ, with y = ½ because w = 0.
	e := y[0] - 0.5
	want := []float64{slow * e, slow * e * x.At(0, 0), slow * e * x.At(0, 1)}
	errorIf(t, !floats.EqualApprox(each.Trace[1].W, want, 1e-18), "w after the first pattern is %v, want %v",
		each.Trace[1].W, want)
	one := must(classify.FitLogistic(x, y,
		classify.LogisticOptions{Solver: classify.CoordinateAscent{EveryUpdate: true}, Start: []float64{1, 1, -2},
			MaxIterations: 1}))(t)
	for i, s := range one.Trace[1:4] {
		for j := range s.W {
			errorIf(t, (s.W[j] != one.Trace[i].W[j]) != (i == j), "update %d changes w from %v to %v, want a change only in w[%d]", i, one.Trace[i].W,
				s.W, i)
		}
		errorIf(t, s.E > one.Trace[i].E, "update %d raises E from %v to %v, want no increase", i, one.Trace[i].E, s.E)
	}
	roundTrip(t, some)
}

// TestSolverEdges checks the list `solvers` on data of unusual size or scale, and from extreme starting
// weights. The results must be numbers. Except for huge and tiny data, a fit that reports Converged
// must have the same E as Newton's fit. A start that is out of range must give an error.
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
				m,
					err := classify.FitLogistic(c.x, c.t,
					classify.LogisticOptions{Solver: s.solver, Start: c.start, Prior: c.prior, MaxIterations: 2000})
				if c.name == "start out of range" {
					errorHas(t, err, "are not finite numbers")
					return
				}
				if err != nil {
					t.Fatal(err)
				}
				errorIf(t, math.IsNaN(floats.Sum(m.W)) || math.IsNaN(m.E) || m.Reason == "", "got w %v, E %v and Reason %q, want numbers and a reason", m.W, m.E,
					m.Reason)
				if c.name == "tiny" || c.name == "huge" {
					return
				}
				want := must(classify.FitLogistic(c.x, c.t, classify.LogisticOptions{Prior: c.prior}))(t)
				errorIf(t, m.Converged && math.Abs(m.E-want.E) > 1e-9*(1+want.E), "E is %v, want %v, the E that Newton reaches (Reason: %s)", m.E,
					want.E, m.Reason)
				errorIf(t, m.Separable && !want.Separable, "Separable is true, although it is false for Newton: %s", m.Reason)
			})
		}
	}
}

// TestSolversOfManyWeights checks models of three classes and a Poisson regression. LBFGS,
// GradientDescent and CoordinateAscent must reach the same minimum as Newton. If the type of the model
// has a field Covariance, each of these solvers must set it.
func TestSolversOfManyWeights(t *testing.T) {
	x, labels := clouds(90, 3, 3, 5)
	for _, f := range []fitter{
		labelled(classify.FitSoftmax, classify.SoftmaxOptions{}),
		labelled(classify.FitSoftmax, classify.SoftmaxOptions{Prior: freeBias}),
		labelled(func(x mat.Matrix, labels []int, _ int, o classify.GLMOptions) (*classify.GLM, error) {
			return classify.FitGLM(x, valuesOf(labels), classify.PoissonTarget{}, o)
		}, classify.GLMOptions{}),
		labelled(classify.FitSigmoidSquares, classify.SigmoidSquaresOptions{}),
		labelled(classify.FitQuadraticLogistic, classify.QuadraticLogisticOptions{Lambda: 1}),
	} {
		minimum := func(m any) float64 {
			return numbersOf(nil, reflect.ValueOf(m),
				func(name string) bool { return name == "E" || name == "SumSquare" })[0]
		}
		want := minimum(must(f.run(x, labels, 3))(t))
		for _, s := range []classify.Solver{classify.LBFGS{}, classify.GradientDescent{}, classify.CoordinateAscent{}} {
			got := must(f.with("Solver", s).run(x, labels, 3))(t)
			errorIf(t, !hasConverged(got), "%T: the fit has not converged, want convergence: %+v", s, got)
			closeTo(t, minimum(got), want, 1e-10*want, "%T, %T: E or SumSquare", got, s)
			covariance := reflect.ValueOf(got).Elem().FieldByName("Covariance")
			errorIf(t, covariance.IsValid() && covariance.IsNil(), "%T, %T: the fit has no covariance, want one", got, s)
		}
	}
}
