package classify_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/kernels"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/linalg"
)

// optima lists fits of two-class models with a single weight vector w. Each fit accepts the options
// of logistic regression. For softmax regression with two classes, w is the difference of the two
// weight vectors. The prior on each vector therefore has twice the precision of the prior on w.
var optima = []struct {
	name string
	same bool // reports whether the fit has the same optimum as logistic regression
	fit  estimateFit

	objective objectiveOf
}{
	{"logistic", true, estimated(classify.FitLogistic), classify.LogisticObjective},
	{"softmax", true, estimated(func(x mat.Matrix, t []float64, o classify.LogisticOptions) (*classify.Softmax, error) {
		return classify.FitSoftmaxTargets(x, bothTargets(t), softmaxOptions(o))
	}), classify.LogisticObjective},
	{"Bernoulli", true, estimated(func(x mat.Matrix, t []float64, o classify.LogisticOptions) (*classify.GLM, error) {
		return classify.FitGLM(x, t, classify.BernoulliTarget{}, classify.GLMOptions(o))
	}), classify.LogisticObjective},
	{"label flip of 0", true, fitFlip(0), classify.LogisticObjective},
	{"label flip", false, fitFlip(0.2), flipObjective(0.2)},
	{"probit", false, estimated(func(x mat.Matrix, t []float64, o classify.LogisticOptions) (*classify.Probit, error) {
		return classify.FitProbit(x, t, classify.ProbitOptions(o))
	}), classify.ProbitObjective},
}

type estimateFit = func(x mat.Matrix, t []float64, o classify.LogisticOptions) (*classify.Estimate, error)

// estimated returns a function that returns the Estimate of a fit.
func estimated[M any](fit func(x mat.Matrix, t []float64, o classify.LogisticOptions) (M, error)) estimateFit {
	return func(x mat.Matrix, t []float64, o classify.LogisticOptions) (*classify.Estimate, error) {
		m, err := fit(x, t, o)
		if err != nil {
			return nil, err
		}
		s, ok := any(m).(*classify.Softmax)
		if !ok {
			return reflect.ValueOf(m).Elem().FieldByName("Estimate").Addr().Interface().(*classify.Estimate), nil
		}
		e := &classify.Estimate{W: contrastOf(s.W), E: s.E, Rank: s.Rank, Converged: s.Converged,
			Separable: s.Separable,
			Reason:    s.Reason}
		if s.Direction != nil {
			e.Direction = contrastOf(s.Direction)
		}
		return e, nil
	}
}

func fitFlip(epsilon float64) estimateFit {
	return estimated(func(x mat.Matrix, t []float64, o classify.LogisticOptions) (*classify.LabelFlip, error) {
		return classify.FitLabelFlip(x, t, classify.LabelFlipOptions{Epsilon: epsilon, Prior: o.Prior, Start: o.Start,
			MaxIterations: o.MaxIterations, Tolerance: o.Tolerance, Solver: o.Solver})
	})
}

// bothTargets returns the shares t and 1−t of two classes.
func bothTargets(t []float64) *mat.Dense {
	both := mat.NewDense(len(t), 2, nil)
	for i, v := range t {
		both.SetRow(i, []float64{v, 1 - v})
	}
	return both
}

func softmaxOptions(o classify.LogisticOptions) classify.SoftmaxOptions {
	s := classify.SoftmaxOptions{Prior: o.Prior, Solver: o.Solver, MaxIterations: o.MaxIterations,
		Tolerance: o.Tolerance}
	if p, ok := o.Prior.(classify.Isotropic); ok {
		s.Prior = classify.Isotropic{Alpha: 2 * p.Alpha, FreeBias: p.FreeBias}
	}
	if o.Start != nil {
		s.Start = mat.NewDense(len(o.Start), 2, nil)
		s.Start.SetCol(0, o.Start)
	}
	return s
}

// zeroOf finds the zero of a decreasing function on [low, high] by bisection.
func zeroOf(f func(w float64) float64, low, high float64) float64 {
	for range 200 {
		if mid := low/2 + high/2; f(mid) > 0 {
			low = mid
		} else {
			high = mid
		}
	}
	return low
}

func closeWeights(got, want []float64) bool {
	var d float64
	for j := range want {
		d = math.Hypot(d, got[j]-want[j])
	}
	return d <= 1e-8*(1+linalg.Norm(want))
}

// priorFits makes fits under a prior of precision α, and calls f for each fit. Every solver fits the
// logistic and the softmax model. Of the solvers, only Newton fits the other models that minimise
// LogisticObjective. priorFits also fits the Bayesian logistic and the Bayesian softmax model. If f's
// argument `needed` is true, the fit must converge. If `needed` is false, the fit may report that it did
// not converge.
func priorFits(t *testing.T, x *mat.Dense, target []float64, alpha float64,
	f func(name string, m *classify.Estimate, needed bool)) {
	t.Helper()
	prior := classify.Isotropic{Alpha: alpha}
	for i, s := range allSolvers {
		for _, o := range optima[:4] {
			if s != (classify.Newton{}) && o.name != "logistic" && o.name != "softmax" {
				continue
			}
			limit := 0
			if i > 1 {
				limit = 1000 // more would not help: a slow solver converges early or not at all
			}
			m := must(o.fit(x, target, classify.LogisticOptions{Prior: prior, Solver: s, MaxIterations: limit}))(t)
			name := fmt.Sprintf("%s %T", o.name, s)
			f(name, m, s == (classify.Newton{}) && o.name != "label flip of 0" || name == "logistic classify.LBFGS")
		}
	}
	b := must(classify.FitBayesLogistic(x, target, classify.BayesLogisticOptions{Prior: prior}))(t)
	f("Bayes logistic", &classify.Estimate{W: b.W, Converged: b.Converged, Reason: b.Reason}, true)
	k := must(classify.FitBayesSoftmax(x, sidesOf(target), 2,
		classify.BayesSoftmaxOptions{Prior: classify.Isotropic{Alpha: 2 * alpha}}))(t)
	f("Bayes softmax", &classify.Estimate{W: contrastOf(k.W), Converged: k.Converged, Reason: k.Reason}, true)
}

// TestConvergedIsOptimumWeakPrior checks that Converged is correct for separable data and weak
// priors, and for counts that are all 0. With a weaker prior, the weights at the optimum are larger.
// The test computes the optimum by bisection, as the zero of the gradient. In the two-class models w0
// is 0 by symmetry.
func TestConvergedIsOptimumWeakPrior(t *testing.T) {
	x, target := pointsOn(-2, -1, 1, 2), []float64{0, 0, 1, 1}
	hazard := func(a float64) float64 { return distuv.UnitNormal.Prob(a) / distuv.UnitNormal.CDF(a) }
	for _, alpha := range []float64{1, 1e-4, 1e-8, 1e-12, 1e-14, 1e-16, 1e-18, 1e-25} {
		want := []float64{0,
			zeroOf(func(w float64) float64 { return 2*kernels.Sigmoid(-w) + 4*kernels.Sigmoid(-2*w) - alpha*w }, 0, 1000)}
		priorFits(t, x, target, alpha, func(name string, m *classify.Estimate, needed bool) {
			errorIf(t, m.Converged && !closeWeights(m.W, want) || needed && !m.Converged, "%s, α = %g: got Converged %v (must be true: %v) and the weights %v; if Converged, want the weights %v: %s",
				name, alpha, m.Converged, needed, m.W, want, m.Reason)
		})
		p := must(classify.FitProbit(x, target, classify.ProbitOptions{Prior: classify.Isotropic{Alpha: alpha}}))(t)
		want[1] = zeroOf(func(w float64) float64 { return 2*hazard(w) + 4*hazard(2*w) - alpha*w }, 0, 30)
		errorIf(t, !p.Converged || !closeWeights(p.W, want), "probit, α = %g: got Converged %v and the weights %v, want true and %v: %s", alpha, p.Converged, p.W, want, p.Reason)
		// All counts are zero, so E = 2·exp(w0) cosh(w1) + α‖w‖²/2, which is smallest at w1 = 0.
		g := must(classify.FitGLM(pointsOn(-1, 1), []float64{0, 0}, classify.PoissonTarget{},
			classify.GLMOptions{Prior: classify.Isotropic{Alpha: alpha}}))(t)
		want = []float64{zeroOf(func(w float64) float64 { return -2*math.Exp(w) - alpha*w }, -1000, 0), 0}
		errorIf(t, !g.Converged || !closeWeights(g.W, want), "Poisson, α = %g: got Converged %v and the weights %v, want true and %v: %s", alpha, g.Converged, g.W, want, g.Reason)
	}
}

// TestConvergedIsOptimumOutlier adds a row that is far from the boundary on its correct side. This
// row must not change the optimum. A variational fit must not report Converged if its bound is so
// flat that the gradient is inaccurate.
func TestConvergedIsOptimumOutlier(t *testing.T) {
	rows, target := []float64{-1, 1, -2, 3}, []float64{0, 1, 1, 1, 1}
	prior := classify.Isotropic{Alpha: 0.1}
	four := must(classify.FitLogistic(pointsOn(rows...), target[:4], classify.LogisticOptions{Prior: prior}))(t)
	checkStationary(t, must(classify.LogisticObjective(pointsOn(rows...), target[:4], prior))(t), four.W, 1e-14)
	bound := must(classify.FitVariationalLogistic(pointsOn(rows...), target[:4],
		classify.VariationalLogisticOptions{Prior: prior}))(t)
	errorIf(t, !bound.Converged, "without an outlier the variational fit has not converged: %s", bound.Reason)
	for _, v := range []float64{1e8, 1e10, 1e13, 1e20, 9.97e36} {
		x := pointsOn(append(slices.Clone(rows), v)...)
		priorFits(t, x, target, prior.Alpha, func(name string, m *classify.Estimate, needed bool) {
			needed = needed && (name != "logistic classify.LBFGS" || v < 1e15)
			errorIf(t, m.Converged && !closeWeights(m.W, four.W) || needed && !m.Converged, "%s, outlier at %g: got Converged %v (must be true: %v) and the weights %v; if Converged, want the weights %v: %s",
				name, v, m.Converged, needed, m.W, four.W, m.Reason)
		})
		if v > 1e12 {
			m := must(classify.FitVariationalLogistic(x, target, classify.VariationalLogisticOptions{Prior: prior}))(t)
			errorIf(t, m.Converged, "variational fit, outlier at %g: Converged is true for the mean %v, want false", v, m.Mean)
		}
	}
}

// TestConvergedIsOptimumExactly checks, with arithmetic of 1024 bits, that a fit is at the optimum
// if it reports Converged.
func TestConvergedIsOptimumExactly(t *testing.T) {
	for _, c := range []struct {
		name   string
		alpha  float64
		x, t   []float64
		arrive bool // true if fits by Newton's method must converge
	}{
		// The third row is far from the boundary on its correct side, and the other rows have x1 = x2,
		// so only the prior determines w1−w2. The precision of the prior is 1e-18, which is less than
		// the rounding error of the sums over rows.
		{"direction that only the prior determines", 1e-18, []float64{0, 0, 1, 1, 2, 1e9, -3, -3}, []float64{0, 1, 0, 1}, true},
		// One input is 1e9 and all others are at most 1, so w1 is much smaller than w0.
		{"column with the entry 1e9", 0.01, []float64{-1, 0, 1e9, 0}, []float64{0, 1}, true},
		// Two rows cannot determine three weights, so only the prior determines w in one direction. The
		// triangular factor R of the Hessian is inaccurate in this direction.
		{"direction that only the prior determines, with rows 1e9 apart", 1e-18, []float64{0, -1, 1e9, -1e9}, []float64{0, 1},
			false},
		{"column with the entry 1e9, and a second column", 0.01, []float64{-1, 0, 1e9, 1}, []float64{0, 1}, true},
	} {
		x := mat.NewDense(len(c.t), len(c.x)/len(c.t), c.x)
		for _, s := range []classify.Solver{classify.Newton{}, classify.LBFGS{}} {
			for _, f := range optima[:2] {
				m := must(f.fit(x, c.t,
					classify.LogisticOptions{Prior: classify.Isotropic{Alpha: c.alpha}, Solver: s}))(t)
				errorIf(t, c.arrive && s == (classify.Newton{}) && !m.Converged, "%s, %s: Converged is false, want true: %s", c.name, f.name, m.Reason)
				if m.Converged {
					checkOptimum(t, c.name+", "+f.name, x, c.t, c.alpha, m.W)
				}
			}
		}
	}
}

// TestRoundingIsSaid checks the Reason of fits that do not converge because of rounding errors. If one
// entry of x causes the errors, Reason must name its column and row. If nearly dependent columns cause
// them, Reason must say this. For a fit with a prior, Reason must not recommend a prior.
func TestRoundingIsSaid(t *testing.T) {
	m := must(classify.FitLogistic(mat.NewDense(3, 2, []float64{-1, -3, -3, 3, 1e37, -3}), []float64{0, 1, 1},
		classify.LogisticOptions{Prior: classify.Isotropic{Alpha: 1e-7}}))(t)
	errorIf(t, m.Converged || strings.Contains(m.Reason, "use a Prior"), "got Converged %v, want false and a Reason that does not recommend a prior: %s", m.Converged, m.Reason)
	errorHas(t, reasonError(m.Reason), "column 0 of x (counting from 0) reaches 1e+37 in row 2")
	rng := rand.New(rand.NewPCG(2, 3))
	x, target := mat.NewDense(40, 2, nil), make([]float64, 40)
	for i := range target {
		v := rng.NormFloat64()
		x.SetRow(i, []float64{v, v + 2e-12*rng.NormFloat64()})
		target[i] = float64(rng.IntN(2))
	}
	m = must(classify.FitLogistic(x, target, classify.LogisticOptions{}))(t)
	errorIf(t, m.Converged || m.Rank != 3, "got rank %d and Converged %v, want rank 3 and false: %s", m.Rank, m.Converged, m.Reason)
	errorHas(t, reasonError(m.Reason), "rounding errors prevent convergence", "leave out columns that nearly depend")
}

// FuzzVerdict checks Converged and Separable for points of the plane with small and very large
// coordinates. With a prior, Separable must be false, and a fit that reports Converged must be at the
// optimum.
func FuzzVerdict(f *testing.F) {
	f.Add([]byte{0, 0, 0, 1, 1, 1, 2, 3, 0, 4, 5, 1}, byte(0))
	f.Add([]byte{0, 0, 0, 1, 1, 1, 2, 0, 1, 0, 1, 0, 1, 0, 1, 2, 1, 0, 0, 8, 1}, byte(0)) // one coordinate is 1e9
	// The inputs of two of these points differ only in the last bit.
	f.Add([]byte{5, 0, 0, 3, 0, 0, 1, 0, 0, 12, 0, 1, 2, 0, 1, 6, 0, 1}, byte(0))
	f.Add([]byte{3, 0, 0, 4, 0, 0, 1, 0, 1, 2, 0, 1}, byte(16))
	f.Add([]byte{3, 0, 0, 1, 0, 1, 5, 0, 1, 6, 0, 1, 11, 0, 1}, byte(1))
	values := []float64{0, 1, 2, -1, -2, -3, 3, 0.5, 1e9, -1e9, 1e15, 1e37, math.Nextafter(1, 2), 1e-12, -1e-12, 1e5}
	f.Fuzz(func(t *testing.T, b []byte, weak byte) {
		n := len(b) / 3
		if n < 2 || n > 16 {
			return
		}
		x, target := mat.NewDense(n, 2, nil), make([]float64, n)
		for i := range n {
			x.SetRow(i, []float64{values[b[3*i]%16], values[b[3*i+1]%16]})
			target[i] = float64(b[3*i+2] % 2)
		}
		if check.OneClass(slices.All(target)) != nil {
			return
		}
		if weak == 0 {
			checkVerdict(t, "large numbers", x, target, 2)
			return
		}
		alpha := math.Pow(10, -float64(weak%19))
		for _, fit := range optima[:2] {
			m := must(fit.fit(x, target, classify.LogisticOptions{Prior: classify.Isotropic{Alpha: alpha}}))(t)
			errorIf(t, m.Separable, "%s: Separable is true with a prior, want false: %s", fit.name, m.Reason)
			if m.Converged {
				checkOptimum(t, fit.name, x, target, alpha, m.W)
			}
		}
	})
}

func TestFewRows(t *testing.T) {
	all := classify.LogisticOptions{Prior: classify.Isotropic{Alpha: 1}}
	row := mat.NewDense(1, 2, []float64{1, 2})
	wide, labels := clouds(8, 30, 2, 71)
	for _, f := range optima {
		t.Run(f.name, func(t *testing.T) {
			for _, p := range []classify.Prior{nil, classify.Isotropic{Alpha: 1, FreeBias: true}} {
				errorHas(t, errorOf(f.fit(row, []float64{1}, classify.LogisticOptions{Prior: p})), "single class", "prior")
			}
			one := must(f.fit(row, []float64{1}, all))(t)
			errorIf(t, !one.Converged, "one row: Converged is false, want true: %s", one.Reason)
			checkStationary(t, must(f.objective(row, []float64{1}, all.Prior))(t), one.W, 1e-12)
			soft := must(f.fit(row, []float64{0.3}, classify.LogisticOptions{}))(t)
			errorIf(t, !soft.Converged || soft.Rank != 1, "one row with a soft target: got rank %d and Converged %v, want 1 and true: %s", soft.Rank, soft.Converged, soft.Reason)
			checkStationary(t, must(f.objective(row, []float64{0.3}, nil))(t), soft.W, 1e-12)
			allClose(t, "weights, parallel to the only row", soft.W, []float64{soft.W[0], soft.W[0], 2 * soft.W[0]},
				1e-13)
			m := must(f.fit(wide, targets(labels), classify.LogisticOptions{}))(t)
			errorIf(t, !m.Separable || m.Converged || m.Rank != 8 ||
				leastMargin(wide, targets(labels), m.Direction) <= 0, "more columns than rows: got rank %d, Separable %v and Converged %v, want 8, true and false, and a Direction that separates the classes: %s", m.Rank,
				m.Separable, m.Converged, m.Reason)
			m = must(f.fit(wide, targets(labels), all))(t)
			errorIf(t, !m.Converged, "more columns than rows, with a prior: Converged is false, want true: %s", m.Reason)
			checkStationary(t, must(f.objective(wide, targets(labels), all.Prior))(t), m.W, 1e-9)
		})
	}
}

// TestConvergedIsOptimumStrongPrior uses very large precisions α, for which the optimum is nearly
// −∇E(0)/α, where E is the objective without the prior. No solver may return 0 instead.
func TestConvergedIsOptimumStrongPrior(t *testing.T) {
	x, labels := clouds(30, 2, 2, 17)
	for _, alpha := range []float64{1e20, 1e25, 1e30, 1e100, 1e300} {
		for _, f := range optima {
			prior := classify.Isotropic{Alpha: alpha}
			want := must(must(f.objective(x, targets(labels), nil))(t).Gradient(make([]float64, 3)))(t)
			for _, s := range allSolvers {
				m := must(f.fit(x, targets(labels), classify.LogisticOptions{Prior: prior, Solver: s}))(t)
				for j, w := range m.W {
					closeTo(t, w, -want[j]/alpha, 1e-6*linalg.Norm(want)/alpha, "%s %T, α = %g, %s: weight %d", f.name,
						s, alpha, m.Reason, j)
				}
				errorIf(t, !m.Converged, "%s %T, α = %g: Converged is false, want true: %s", f.name, s, alpha, m.Reason)
			}
		}
	}
}
