package classify_test

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/oracle"
)

// variationalInputs returns the prior and the points of a case with one feature.
func variationalInputs(c *oracle.Case) (classify.Gaussian, *mat.Dense) {
	s0 := mat.NewSymDense(2, []float64{c.S0[0][0], c.S0[0][1], c.S0[1][0], c.S0[1][1]})
	return classify.Gaussian{Mean: c.M0, Cov: s0}, mat.NewDense(len(c.XPoints), 1, c.XPoints)
}

// TestOracleVariational compares every reference value of the variational family;
// the exact ones are found by the quadrature that the samplers are tested with.
// The table shows with -v.
func TestOracleVariational(t *testing.T) {
	l := oracle.NewLedger()
	eachCase(t, "variational_logistic", func(t *testing.T, c *oracle.Case, x *mat.Dense, text []string) {
		target := must(c.Target(text))(t)
		prior, points := variationalInputs(c)
		first := must(classify.FitVariationalLogistic(x, target, classify.VariationalLogisticOptions{Prior: prior, MaxIterations: 1}))(t)
		l.Compare(t, c, "first_m_N", first.Mean...)
		l.Compare(t, c, "first_S_N", flat(first.Covariance)...)
		l.Compare(t, c, "first_bound", first.Bound)

		m := must(classify.FitVariationalLogistic(x, target, classify.VariationalLogisticOptions{Prior: prior}))(t)
		if !m.Converged {
			t.Fatal(m.Reason)
		}
		l.Compare(t, c, "m_N", m.Mean...)
		l.Compare(t, c, "S_N", flat(m.Covariance)...)
		l.Compare(t, c, "xi", m.Xi...)
		l.Compare(t, c, "bound", m.Bound)
		mu, variance, err := m.ActivationMoments(points)
		if err != nil {
			t.Fatal(err)
		}
		l.Compare(t, c, "mu_a", mu...)
		l.Compare(t, c, "sigma2_a", variance...)
		l.Compare(t, c, "pred_kappa", mat.Col(nil, 0, must(m.PosteriorBy(points, classify.Moderated))(t))...)
		l.Compare(t, c, "pred_q_exact", mat.Col(nil, 0, must(m.PosteriorBy(points, classify.Quadrature))(t))...)

		e := sampleIntegrate(t, x, target, prior, points)
		l.Compare(t, c, "log_evidence_exact", e.logEvidence)
		l.Compare(t, c, "gap", e.logEvidence-m.Bound)
		l.Compare(t, c, "posterior_mean_exact", e.mean...)
		l.Compare(t, c, "posterior_cov_exact", flat(e.cov)...)
		l.Compare(t, c, "pred_exact", e.posterior...)
		complete(t, c, 16)

		plain := must(classify.FitVariationalLogistic(x, target, classify.VariationalLogisticOptions{Prior: prior, Plain: true}))(t)
		if e := oracle.RelErr(plain.Mean, m.Mean); e > 1e-9 || !plain.Converged {
			t.Errorf("the plain updates end %.2g apart: %s", e, plain.Reason)
		}
	})
	l.Log(t)
}
