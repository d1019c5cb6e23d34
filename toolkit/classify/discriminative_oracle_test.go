package classify_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/oracle"
)

// TestOracleDiscriminative compares the reference values of softmax, probit and
// label-flip regression. The table shows with -v.
func TestOracleDiscriminative(t *testing.T) {
	l := oracle.NewLedger()
	for _, f := range []struct {
		family string
		check  func(*testing.T, *oracle.Ledger, *oracle.Case, *mat.Dense, []string)
	}{
		{"softmax", oracleSoftmax},
		{"probit_ml", oracleProbit},
		{"logistic_label_flip", oracleLabelFlip},
	} {
		eachCase(t, f.family, func(t *testing.T, c *oracle.Case, x *mat.Dense, text []string) {
			f.check(t, l, c, x, text)
		})
	}
	l.Log(t)
}

func oracleSoftmax(t *testing.T, l *oracle.Ledger, c *oracle.Case, x *mat.Dense, text []string) {
	labels, k := must(c.Labels(text))(t), len(c.Classes)
	values := 0
	compare := func(key string, got ...float64) {
		t.Helper()
		values++
		l.Compare(t, c, key, got...)
	}
	if c.Values["w"] != nil {
		m := must(classify.FitSoftmax(x, labels, k, classify.SoftmaxOptions{}))(t)
		if !m.Converged || m.Separable {
			t.Fatalf("Converged %v, Separable %v: %s", m.Converged, m.Separable, m.Reason)
		}
		ref := must(m.Reference(k - 1))(t)
		compare("w", flat(ref.W.T())...)
		compare("se", flat(ref.StandardErrors.T())...)
		compare("loglik", m.LogLikelihood)
		compare("deviance", m.Deviance())
		compare("AIC", m.AIC())
		compare("BIC", m.BIC())
		compare("probs_points", flat(must(m.Posterior(c.PhiPoints()))(t))...)
	}
	for _, key := range []string{"map_a0p1_", "map_a1_"} {
		if c.Values[key+"W"] == nil {
			continue
		}
		var alpha float64
		if _, err := fmt.Sscan(strings.ReplaceAll(key[5:len(key)-1], "p", "."), &alpha); err != nil {
			t.Fatal(err)
		}
		m := must(classify.FitSoftmax(x, labels, k, classify.SoftmaxOptions{Prior: classify.Isotropic{Alpha: alpha}}))(t)
		compare(key+"W", flat(m.W.T())...)
		compare(key+"E", m.E)
	}
	if c.WEvals != nil {
		o := must(classify.SoftmaxObjective(x, labels, k, nil))(t)
		w := slices.Concat(c.WEvals...)
		compare("at_W_E", must(o.Value(w))(t))
		compare("at_W_grad", must(o.Gradient(w))(t)...)
		compare("at_W_full_hess", flat(must(o.Hessian(w))(t))...)
	}
	complete(t, c, values)
}

func oracleProbit(t *testing.T, l *oracle.Ledger, c *oracle.Case, x *mat.Dense, text []string) {
	target := must(c.Target(text))(t)
	m := must(classify.FitProbit(x, target, classify.ProbitOptions{}))(t)
	if !m.Converged || m.Separable {
		t.Fatalf("Converged %v, Separable %v: %s", m.Converged, m.Separable, m.Reason)
	}
	l.Compare(t, c, "w", m.W...)
	l.Compare(t, c, "se_observed", must(m.StandardErrors())(t)...)
	l.Compare(t, c, "se_expected", must(m.ExpectedStandardErrors(x))(t)...)
	l.Compare(t, c, "loglik", m.LogLikelihood)
	l.Compare(t, c, "deviance", m.Deviance())
	l.Compare(t, c, "AIC", m.AIC())
	l.Compare(t, c, "BIC", m.BIC())
	l.Compare(t, c, "hessian", flat(m.Hessian)...)
	l.Compare(t, c, "fisher_information", flat(must(m.FisherInformation(x))(t))...)
	l.Compare(t, c, "prob_points", mat.Col(nil, 0, must(m.Posterior(c.PhiPoints()))(t))...)
	o := must(classify.ProbitObjective(x, target, nil))(t)
	l.Compare(t, c, "at_w_E", must(o.Value(c.WEval))(t))
	l.Compare(t, c, "at_w_grad", must(o.Gradient(c.WEval))(t)...)
	l.Compare(t, c, "at_w_hess", flat(must(o.Hessian(c.WEval))(t))...)
	at := &classify.Probit{Estimate: classify.Estimate{W: c.WEval}}
	l.Compare(t, c, "at_w_fisher", flat(must(at.FisherInformation(x))(t))...)
	complete(t, c, 14)
}

func oracleLabelFlip(t *testing.T, l *oracle.Ledger, c *oracle.Case, x *mat.Dense, text []string) {
	target := must(c.Target(text))(t)
	values := 0
	compare := func(key string, got ...float64) {
		t.Helper()
		values++
		l.Compare(t, c, key, got...)
	}
	for _, eps := range c.Epsilons {
		m := must(classify.FitLabelFlip(x, target, classify.LabelFlipOptions{Epsilon: eps}))(t)
		if !m.Converged {
			t.Fatal(m.Reason)
		}
		key := strings.ReplaceAll(fmt.Sprint(eps), ".", "p")
		compare("w_"+key, m.W...)
		compare("loglik_"+key, m.LogLikelihood)
		compare("hess_"+key, flat(m.Hessian)...)
	}
	if c.Values["joint_w"] != nil {
		m := must(classify.FitLabelFlip(x, target, classify.LabelFlipOptions{Estimate: true}))(t)
		compare("joint_w", m.W...)
		compare("joint_eps_hat", m.Epsilon)
		compare("joint_loglik", m.LogLikelihood)
		compare("joint_hess", flat(m.Hessian)...)
		compare("joint_AIC", m.AIC())
	}
	complete(t, c, values)
}
