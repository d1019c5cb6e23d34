package classify

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/linalg"
)

// optimumFit is a fit of two weights by one model: w0 and w1, as those of the
// logistic model are counted.
type optimumFit struct {
	name string
	fit  func(x *mat.Dense, t []float64, alpha float64) (w []float64, converged bool, reason string, err error)
}

// optimumFits are all fits of the logistic objective with a prior α on w, by all
// solvers.
func optimumFits() []optimumFit {
	labels := func(t []float64) []int {
		l := make([]int, len(t))
		for i, v := range t {
			l[i] = int(1 - v)
		}
		return l
	}
	contrast := func(w *mat.Dense) []float64 { return []float64{w.At(0, 0) - w.At(0, 1), w.At(1, 0) - w.At(1, 1)} }
	var out []optimumFit
	for _, s := range []Solver{Newton{}, LBFGS{}, GradientDescent{}, CoordinateAscent{}, Sequential{Corrected: true}} {
		out = append(out, optimumFit{fmt.Sprintf("logistic %T", s), func(x *mat.Dense, t []float64, alpha float64) ([]float64, bool, string, error) {
			m, err := FitLogistic(x, t, LogisticOptions{Prior: Isotropic{Alpha: alpha}, Solver: s})
			if err != nil {
				return nil, false, "", err
			}
			return m.W, m.Converged, m.Reason, nil
		}}, optimumFit{fmt.Sprintf("softmax %T", s), func(x *mat.Dense, t []float64, alpha float64) ([]float64, bool, string, error) {
			m, err := FitSoftmax(x, labels(t), 2, SoftmaxOptions{Prior: Isotropic{Alpha: 2 * alpha}, Solver: s})
			if err != nil {
				return nil, false, "", err
			}
			return contrast(m.W), m.Converged, m.Reason, nil
		}})
	}
	return append(out, optimumFit{"Bernoulli", func(x *mat.Dense, t []float64, alpha float64) ([]float64, bool, string, error) {
		m, err := FitGLM(x, t, BernoulliTarget{}, GLMOptions{Prior: Isotropic{Alpha: alpha}})
		if err != nil {
			return nil, false, "", err
		}
		return m.W, m.Converged, m.Reason, nil
	}}, optimumFit{"label flip of 0", func(x *mat.Dense, t []float64, alpha float64) ([]float64, bool, string, error) {
		m, err := FitLabelFlip(x, t, LabelFlipOptions{Prior: Isotropic{Alpha: alpha}})
		if err != nil {
			return nil, false, "", err
		}
		return m.W, m.Converged, m.Reason, nil
	}}, optimumFit{"Bayes logistic", func(x *mat.Dense, t []float64, alpha float64) ([]float64, bool, string, error) {
		m, err := FitBayesLogistic(x, t, BayesLogisticOptions{Prior: Isotropic{Alpha: alpha}})
		if err != nil {
			return nil, false, "", err
		}
		return m.W, m.Converged, m.Reason, nil
	}}, optimumFit{"Bayes softmax", func(x *mat.Dense, t []float64, alpha float64) ([]float64, bool, string, error) {
		m, err := FitBayesSoftmax(x, labels(t), 2, BayesSoftmaxOptions{Prior: Isotropic{Alpha: 2 * alpha}})
		if err != nil {
			return nil, false, "", err
		}
		return contrast(m.W), m.Converged, m.Reason, nil
	}})
}

// mustConverge are those that have to arrive; the others may say that they have not.
var mustConverge = map[string]bool{
	"logistic classify.Newton": true, "softmax classify.Newton": true, "logistic classify.LBFGS": true,
	"Bernoulli": true, "Bayes logistic": true, "Bayes softmax": true,
}

// root finds the zero of a falling function on [low, high] by bisection.
func root(f func(w float64) float64, low, high float64) float64 {
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

// TestConvergedIsOptimumWeakPrior: on separable data the optimum lies the farther
// out, along an exponential tail, the weaker the prior is. Bisection of the
// stationarity equation says where; by symmetry w0 is 0.
func TestConvergedIsOptimumWeakPrior(t *testing.T) {
	x, target := mat.NewDense(4, 1, []float64{-2, -1, 1, 2}), []float64{0, 0, 1, 1}
	σ := func(a float64) float64 { return 1 / (1 + math.Exp(-a)) }
	hazard := func(a float64) float64 {
		return math.Exp(-a*a/2) / math.Sqrt(2*math.Pi) / (math.Erfc(-a/math.Sqrt2) / 2)
	}
	for _, alpha := range []float64{1, 1e-4, 1e-8, 1e-12, 1e-14, 1e-16, 1e-18, 1e-25} {
		want := []float64{0, root(func(w float64) float64 { return 2*σ(-w) + 4*σ(-2*w) - alpha*w }, 0, 1000)}
		for _, f := range optimumFits() {
			w, converged, reason, err := f.fit(x, target, alpha)
			if err != nil || converged && !closeWeights(w, want) || mustConverge[f.name] && !converged {
				t.Errorf("%s, α = %g: %v, want %v: %v %s %v", f.name, alpha, w, want, converged, reason, err)
			}
		}
		p, err := FitProbit(x, target, ProbitOptions{Prior: Isotropic{Alpha: alpha}})
		want[1] = root(func(w float64) float64 { return 2*hazard(w) + 4*hazard(2*w) - alpha*w }, 0, 30)
		if err != nil || !p.Converged || !closeWeights(p.W, want) {
			t.Errorf("probit, α = %g: %v, want %v, %v", alpha, p, want, err)
		}
		// Only zero counts: E = 2·exp(w0) cosh(w1) + α‖w‖²/2.
		g, err := FitGLM(mat.NewDense(2, 1, []float64{-1, 1}), []float64{0, 0}, PoissonTarget{}, GLMOptions{Prior: Isotropic{Alpha: alpha}})
		want = []float64{root(func(w float64) float64 { return -2*math.Exp(w) - alpha*w }, -1000, 0), 0}
		if err != nil || !g.Converged || !closeWeights(g.W, want) {
			t.Errorf("Poisson, α = %g: %+v, want %v, %v", alpha, g, want, err)
		}
	}
}

// TestConvergedIsOptimumOutlier: a row on its right side, however far out, leaves
// the optimum of the others where it is.
func TestConvergedIsOptimumOutlier(t *testing.T) {
	rows, target := []float64{-1, 1, -2, 3}, []float64{0, 1, 1, 1, 1}
	const alpha = 0.1
	// Newton's method by hand on the four rows.
	want := []float64{0, 0}
	for range 50 {
		g0, g1, h00, h01, h11 := alpha*want[0], alpha*want[1], alpha, 0.0, alpha
		for i, v := range rows {
			y := 1 / (1 + math.Exp(-want[0]-want[1]*v))
			g0, g1 = g0+y-target[i], g1+(y-target[i])*v
			h := y * (1 - y)
			h00, h01, h11 = h00+h, h01+h*v, h11+h*v*v
		}
		det := h00*h11 - h01*h01
		want[0] -= (h11*g0 - h01*g1) / det
		want[1] -= (h00*g1 - h01*g0) / det
	}
	for _, v := range []float64{1e8, 1e10, 1e13, 1e20, 9.97e36} {
		x := mat.NewDense(5, 1, append(append([]float64{}, rows...), v))
		for _, f := range optimumFits() {
			w, converged, reason, err := f.fit(x, target, alpha)
			needed := mustConverge[f.name] && (f.name != "logistic classify.LBFGS" || v < 1e15)
			if err != nil || converged && !closeWeights(w, want) || needed && !converged {
				t.Errorf("%s, %g: %v, want %v: %v %s %v", f.name, v, w, want, converged, reason, err)
			}
		}
	}
}

// TestVariationalSaysWhatRoundingLeaves: where the bound is too flat for the digits
// of its gradient, the fit is not Converged; where it is Converged, an outlier has
// not moved it from the limit by more than its own 1/ξ.
func TestVariationalSaysWhatRoundingLeaves(t *testing.T) {
	rows, target := []float64{-1, 1, -2, 3}, []float64{0, 1, 1, 1, 1}
	for _, v := range []float64{1e13, 1e20, 1e37} {
		m, err := FitVariationalLogistic(mat.NewDense(5, 1, append(append([]float64{}, rows...), v)), target,
			VariationalLogisticOptions{Prior: Isotropic{Alpha: 0.1}})
		if err != nil || m.Converged {
			t.Errorf("%g: %v %v", v, m.Mean, err)
		}
	}
	m, err := FitVariationalLogistic(mat.NewDense(4, 1, rows), target[:4], VariationalLogisticOptions{Prior: Isotropic{Alpha: 0.1}})
	if err != nil || !m.Converged {
		t.Errorf("without it: %v %v", m, err)
	}
}

// TestSoftmaxAsRobustAsLogistic: with two classes and a prior, softmax and logistic
// regression agree in weights and covariance on inputs of any offset and size.
func TestSoftmaxAsRobustAsLogistic(t *testing.T) {
	base := []float64{-2, -1, 0.5, 1, -0.5, 2}
	target, labels := []float64{0, 0, 0, 1, 1, 1}, []int{1, 1, 1, 0, 0, 0}
	for _, c := range []struct {
		name          string
		offset, scale float64
		last          float64
	}{
		{"plain", 0, 1, 2}, {"offset 1e6", 1e6, 1, 2}, {"offset 1e11", 1e11, 1, 2},
		{"scale 1e150", 0, 1e150, 2}, {"scale 1e-150", 0, 1e-150, 2}, {"entry 1e8", 0, 1, 1e8},
	} {
		for _, free := range []bool{false, true} {
			x := mat.NewDense(6, 1, nil)
			for i, v := range base {
				x.Set(i, 0, c.offset+c.scale*v)
			}
			x.Set(5, 0, c.offset+c.scale*c.last)
			l, err := FitLogistic(x, target, LogisticOptions{Prior: Isotropic{Alpha: 1, FreeBias: free}})
			if err != nil {
				t.Fatal(err)
			}
			s, err := FitSoftmax(x, labels, 2, SoftmaxOptions{Prior: Isotropic{Alpha: 2, FreeBias: free}})
			if err != nil {
				t.Fatal(err)
			}
			b, err := FitBayesSoftmax(x, labels, 2, BayesSoftmaxOptions{Prior: Isotropic{Alpha: 2, FreeBias: free}})
			if err != nil {
				t.Fatal(err)
			}
			if !l.Converged || !s.Converged || !b.Converged {
				t.Errorf("%s: %s; %s; %s", c.name, l.Reason, s.Reason, b.Reason)
			}
			for j := range 2 {
				got := s.W.At(j, 0) - s.W.At(j, 1)
				if math.Abs(got-l.W[j]) > 1e-8*math.Sqrt(l.Covariance.At(j, j)) || b.W.At(j, 0) != s.W.At(j, 0) {
					t.Errorf("%s: w%d = %v, Bayes %v, logistic %v", c.name, j, got, b.W.At(j, 0), l.W[j])
				}
				cov := s.Covariance.At(j, j) + s.Covariance.At(2+j, 2+j) - 2*s.Covariance.At(j, 2+j)
				if want := l.Covariance.At(j, j); math.Abs(cov-want) > 1e-6*want+1e-14*s.Covariance.At(j, j) { // the difference of larger numbers
					t.Errorf("%s, free bias %v: variance %d %v, logistic %v", c.name, free, j, cov, want)
				}
			}
		}
	}
}

// TestOneVerdict: all models say of the same data whether a maximum exists, as
// exact arithmetic does, and logistic regression and the softmax of two classes that
// say to have converged are at the optimum.
func TestOneVerdict(t *testing.T) {
	planeSets(450, func(name string, x *mat.Dense, target []float64) {
		weak, strict := exactRecession(x, target)
		labels := make([]int, len(target))
		for i, v := range target {
			labels[i] = int(1 - v)
		}
		l, err := FitLogistic(x, target, LogisticOptions{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			return
		}
		s, err := FitSoftmax(x, labels, 2, SoftmaxOptions{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			return
		}
		p, err := FitProbit(x, target, ProbitOptions{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			return
		}
		f, err := FitLabelFlip(x, target, LabelFlipOptions{Epsilon: 0.1, Estimate: true})
		if err != nil {
			t.Errorf("%s: label flip: %v\n%v\n%v", name, err, mat.Formatted(x), target)
			return
		}
		if l.Separable != weak || s.Separable != weak || p.Separable != weak || weak && !f.Separable || strict && f.Epsilon != 0 {
			t.Errorf("%s: no maximum is %v: logistic %v (%s), softmax %v (%s), probit %v (%s), label flip %v (%s)\n%v\n%v", name, weak,
				l.Separable, l.Reason, s.Separable, s.Reason, p.Separable, p.Reason, f.Separable, f.Reason, mat.Formatted(x), target)
		}
		if weak {
			return
		}
		if name == "integers" && !(l.Converged && s.Converged && p.Converged) {
			t.Errorf("%s: %s; %s; %s", name, l.Reason, s.Reason, p.Reason)
		}
		if l.Converged != s.Converged {
			t.Logf("%s: logistic %s; softmax %s\n%v\n%v", name, l.Reason, s.Reason, mat.Formatted(x), target)
		}
		if l.Converged {
			arrived(t, name+", logistic", x, target, 0, l.W)
		}
		if s.Converged {
			arrived(t, name+", softmax", x, target, 0, contrastOf(s.W))
		}
	})
}
