package classify_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/oracle"
)

// flat returns the elements of a matrix by rows.
func flat(m mat.Matrix) []float64 {
	r, c := m.Dims()
	var out []float64
	for i := range r {
		for j := range c {
			out = append(out, m.At(i, j))
		}
	}
	return out
}

// eachCase runs f as a subtest for every case of a family.
func eachCase(t *testing.T, family string, f func(t *testing.T, c *oracle.Case, x *mat.Dense, text []string)) {
	t.Helper()
	cases, err := oracle.Load(family)
	if err != nil {
		t.Fatal(err)
	}
	for i := range cases {
		c := &cases[i]
		t.Run(c.ID, func(t *testing.T) {
			x, text, err := c.Table()
			if err != nil {
				t.Fatal(err)
			}
			f(t, c, x, text)
		})
	}
}

// TestOracle compares every reference value of the families that the fits of
// this package compute. The table shows with -v.
func TestOracle(t *testing.T) {
	l := oracle.NewLedger()
	for _, f := range []struct {
		family string
		check  func(*testing.T, *oracle.Ledger, *oracle.Case, *mat.Dense, []string)
	}{
		{"least_squares", oracleLeastSquares},
		{"logistic_ml", oracleLogisticML},
		{"logistic_map", oracleLogisticMAP},
		{"logistic_soft_labels", oracleSoftLabels},
		{"separability", oracleSeparability},
		{"separability", oracleSeparable},
		{"perceptron", oraclePerceptron},
	} {
		eachCase(t, f.family, func(t *testing.T, c *oracle.Case, x *mat.Dense, text []string) {
			f.check(t, l, c, x, text)
		})
	}
	l.Log(t)
}

func oracleLeastSquares(t *testing.T, l *oracle.Ledger, c *oracle.Case, x *mat.Dense, text []string) {
	k := len(c.Classes)
	labels := must(c.Labels(text))(t)
	m := must(classify.FitLeastSquares(x, labels, k, classify.LeastSquaresOptions{}))(t)
	l.Compare(t, c, "W", flat(m.W)...)
	l.Compare(t, c, "E_D", m.SumSquare)
	l.Compare(t, c, "y_points", flat(must(m.Scores(c.PhiPoints()))(t))...)
	confusion, wrong := make([]float64, k*k), 0.0
	for i, p := range must(m.Predict(x))(t) {
		confusion[labels[i]*k+p]++
		if p != labels[i] {
			wrong++
		}
	}
	l.Compare(t, c, "n_train_errors", wrong)
	l.Compare(t, c, "confusion_rows_true", confusion...)
	complete(t, c, 5)
}

func oracleLogisticML(t *testing.T, l *oracle.Ledger, c *oracle.Case, x *mat.Dense, text []string) {
	target := must(c.Target(text))(t)
	m := must(classify.FitLogistic(x, target, classify.LogisticOptions{}))(t)
	if !m.Converged || m.Separable {
		t.Fatalf("Converged %v, Separable %v: %s", m.Converged, m.Separable, m.Reason)
	}
	l.Compare(t, c, "w", m.W...)
	l.Compare(t, c, "se", must(m.StandardErrors())(t)...)
	z, p, err := m.Wald()
	if err != nil {
		t.Fatal(err)
	}
	l.Compare(t, c, "z", z...)
	l.Compare(t, c, "p_value", p...)
	l.Compare(t, c, "cov", flat(m.Covariance)...)
	l.Compare(t, c, "hessian", flat(m.Hessian)...)
	l.Compare(t, c, "loglik", m.LogLikelihood)
	l.Compare(t, c, "deviance", m.Deviance())
	l.Compare(t, c, "null_loglik", m.NullLogLikelihood)
	l.Compare(t, c, "AIC", m.AIC())
	l.Compare(t, c, "BIC", m.BIC())
	values := 16
	post := must(m.Posterior(c.PhiPoints()))(t)
	l.Compare(t, c, "prob_points", mat.Col(nil, 0, post)...)
	if _, ok := c.Values["se_eta_points"]; ok { // not kept for the collinear case
		l.Compare(t, c, "se_eta_points", must(m.ActivationErrors(c.PhiPoints()))(t)...)
		values++
	}
	o := must(classify.LogisticObjective(x, target, nil))(t)
	l.Compare(t, c, "at_w_E", must(o.Value(c.WEval))(t))
	l.Compare(t, c, "at_w_grad", must(o.Gradient(c.WEval))(t)...)
	l.Compare(t, c, "at_w_hess", flat(must(o.Hessian(c.WEval))(t))...)
	var irls []float64
	for _, s := range m.Trace[1:4] {
		irls = append(irls, s.W...)
	}
	l.Compare(t, c, "irls_from_zero", irls...)
	complete(t, c, values)
}

func oracleLogisticMAP(t *testing.T, l *oracle.Ledger, c *oracle.Case, x *mat.Dense, text []string) {
	target := must(c.Target(text))(t)
	for _, free := range []bool{false, true} {
		for _, alpha := range c.Alphas {
			key := "all_a"
			if free {
				key = "nobias_a"
			}
			key += strings.ReplaceAll(fmt.Sprint(alpha), ".", "p") + "_"
			m := must(classify.FitLogistic(x, target, classify.LogisticOptions{Prior: classify.Isotropic{Alpha: alpha, FreeBias: free}}))(t)
			if !m.Converged {
				t.Fatal(m.Reason)
			}
			l.Compare(t, c, key+"w", m.W...)
			l.Compare(t, c, key+"E", m.E)
			l.Compare(t, c, key+"loglik", m.LogLikelihood)
			l.Compare(t, c, key+"A", flat(m.Hessian)...)
			l.Compare(t, c, key+"S_N", flat(m.Covariance)...)
		}
	}
	complete(t, c, 10*len(c.Alphas))
}

func oracleSoftLabels(t *testing.T, l *oracle.Ledger, c *oracle.Case, x *mat.Dense, text []string) {
	target := must(c.Target(text))(t)
	m := must(classify.FitLogistic(x, target, classify.LogisticOptions{}))(t)
	l.Compare(t, c, "w", m.W...)
	l.Compare(t, c, "se", must(m.StandardErrors())(t)...)
	l.Compare(t, c, "objective", m.LogLikelihood)
	l.Compare(t, c, "hessian", flat(m.Hessian)...)
	o := must(classify.LogisticObjective(x, target, nil))(t)
	l.Compare(t, c, "at_w_E", must(o.Value(c.WEval))(t))
	l.Compare(t, c, "at_w_grad", must(o.Gradient(c.WEval))(t)...)
	complete(t, c, 6)
}

func oracleSeparability(t *testing.T, l *oracle.Ledger, c *oracle.Case, x *mat.Dense, text []string) {
	target := must(c.Target(text))(t)
	m := must(classify.FitLogistic(x, target, classify.LogisticOptions{}))(t)
	l.Compare(t, c, "ml_exists", truth(m.Converged && !m.Separable))
	// Here quasi-separable data do not occur: the two answers are opposite.
	l.Compare(t, c, "separable", truth(m.Separable))
	if m.Separable && leastMargin(x, target, m.Direction) <= 0 {
		t.Errorf("the direction %v does not separate", m.Direction)
	}
	complete(t, c, 2)
}

// complete makes sure that no reference value of a case was left out.
func complete(t *testing.T, c *oracle.Case, compared int) {
	t.Helper()
	if compared != len(c.Values) {
		t.Errorf("%d of %d reference values compared", compared, len(c.Values))
	}
}

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// leastMargin returns the least dᵀφ_n in the direction of t_n; soft targets
// count with −|dᵀφ_n|.
func leastMargin(x mat.Matrix, target, d []float64) float64 {
	least := math.Inf(1)
	for i, v := range target {
		a := d[0]
		for j, w := range d[1:] {
			a += w * x.At(i, j)
		}
		switch v {
		case 1:
		case 0:
			a = -a
		default:
			a = -math.Abs(a)
		}
		least = math.Min(least, a)
	}
	return least
}

// must returns the value of a call, or fails the test that it is then given.
func must[T any](v T, err error) func(t *testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}
