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

// TestOracleBayes compares the reference values of the Laplace approximation and
// of Bayesian logistic regression. The table shows with -v.
func TestOracleBayes(t *testing.T) {
	l := oracle.NewLedger()
	for _, f := range []struct {
		family string
		check  func(*testing.T, *oracle.Ledger, *oracle.Case, *mat.Dense, []string)
	}{
		{"bayes_logistic", oracleBayesLogistic},
		{"bayes_logistic_multi", oracleBayesMulti},
		{"logistic_map", oracleBayesMAP},
	} {
		eachCase(t, f.family, func(t *testing.T, c *oracle.Case, x *mat.Dense, text []string) {
			f.check(t, l, c, x, text)
		})
	}
	for _, f := range []struct {
		family string
		check  func(*testing.T, *oracle.Ledger, *oracle.Case)
	}{{"laplace_1d", oracleLaplace1D}, {"scalar_facts", oracleProbitFacts}} {
		cases, err := oracle.Load(f.family)
		if err != nil {
			t.Fatal(err)
		}
		for i := range cases {
			t.Run(cases[i].ID, func(t *testing.T) { f.check(t, l, &cases[i]) })
		}
	}
	l.Log(t)
}

func oracleBayesLogistic(t *testing.T, l *oracle.Ledger, c *oracle.Case, x *mat.Dense, text []string) {
	target := must(c.Target(text))(t)
	s0 := mat.NewSymDense(2, []float64{c.S0[0][0], c.S0[0][1], c.S0[1][0], c.S0[1][1]})
	prior := classify.Gaussian{Mean: c.M0, Cov: s0}
	m := must(classify.FitBayesLogistic(x, target, classify.BayesLogisticOptions{Prior: prior}))(t)
	if !m.Converged {
		t.Fatal(m.Reason)
	}
	l.Compare(t, c, "w_map", m.W...)
	l.Compare(t, c, "A", flat(m.Precision)...)
	l.Compare(t, c, "S_N", flat(m.Covariance)...)
	l.Compare(t, c, "loglik_map", m.Evidence.LogLikelihood)
	l.Compare(t, c, "log_prior_map", m.Evidence.LogPrior)
	l.Compare(t, c, "log_evidence_laplace", m.LogEvidence())
	l.Compare(t, c, "bic_439", -m.BIC()/2)
	points := mat.NewDense(len(c.XPoints), 1, c.XPoints)
	mean, variance, err := m.ActivationMoments(points)
	if err != nil {
		t.Fatal(err)
	}
	l.Compare(t, c, "mu_a", mean...)
	l.Compare(t, c, "sigma2_a", variance...)
	for key, by := range map[string]classify.PredictiveMethod{
		"pred_plugin": classify.PlugIn, "pred_kappa": classify.Moderated, "pred_laplace_exact": classify.Quadrature,
	} {
		l.Compare(t, c, key, mat.Col(nil, 0, must(m.PosteriorBy(points, by))(t))...)
	}
	none := must(classify.FitBayesLogistic(&mat.Dense{}, nil, classify.BayesLogisticOptions{Prior: prior, Method: classify.Quadrature}))(t)
	l.Compare(t, c, "prior_pred", mat.Col(nil, 0, must(none.Posterior(points))(t))...)

	e := exactPosterior(x, target, none, m, c.XPoints)
	l.Compare(t, c, "log_evidence_exact", e.logEvidence)
	l.Compare(t, c, "posterior_mean_exact", e.mean[:]...)
	l.Compare(t, c, "posterior_cov_exact", e.cov[:]...)
	l.Compare(t, c, "pred_exact", e.pred...)
	complete(t, c, 17)
}

// exact2D is the exact posterior of two weights.
type exact2D struct {
	logEvidence float64
	mean        [2]float64
	cov         [4]float64
	pred        []float64
}

// exactPosterior integrates over both weights by the trapezoidal rule in
// coordinates in which the Laplace approximation is round. It has its own
// likelihood, and the prior from its mean, precision and density at the mean.
func exactPosterior(x *mat.Dense, target []float64, prior, m *classify.BayesLogistic, points []float64) exact2D {
	log := func(w []float64) float64 {
		a, b := w[0]-prior.W[0], w[1]-prior.W[1]
		e := prior.Evidence.LogPrior - (prior.Precision.At(0, 0)*a*a+2*prior.Precision.At(0, 1)*a*b+prior.Precision.At(1, 1)*b*b)/2
		for i, v := range target {
			a := (w[0] + w[1]*x.At(i, 0)) * (1 - 2*v)
			e -= math.Max(a, 0) + math.Log1p(math.Exp(-math.Abs(a)))
		}
		return e
	}
	const h, reach = 0.09, 380 // 34 standard deviations: the tails are heavier than q's
	top := log(m.W)
	var sum, s0, s1, s00, s01, s11 float64
	pred := make([]float64, len(points))
	for i := -reach; i <= reach; i++ {
		for j := -reach; j <= reach; j++ {
			u, v := float64(i)*h, float64(j)*h
			w := []float64{m.W[0] + m.Root.At(0, 0)*u + m.Root.At(0, 1)*v, m.W[1] + m.Root.At(1, 0)*u + m.Root.At(1, 1)*v}
			p := math.Exp(log(w) - top)
			a, b := w[0]-m.W[0], w[1]-m.W[1]
			sum += p
			s0 += p * a
			s1 += p * b
			s00 += p * a * a
			s01 += p * a * b
			s11 += p * b * b
			for k, z := range points {
				pred[k] += p / (1 + math.Exp(-w[0]-w[1]*z))
			}
		}
	}
	jacobian := math.Abs(m.Root.At(0, 0)*m.Root.At(1, 1) - m.Root.At(0, 1)*m.Root.At(1, 0))
	e := exact2D{logEvidence: top + math.Log(sum*h*h*jacobian), pred: pred}
	s0, s1 = s0/sum, s1/sum
	e.mean = [2]float64{m.W[0] + s0, m.W[1] + s1}
	e.cov = [4]float64{s00/sum - s0*s0, s01/sum - s0*s1, s01/sum - s0*s1, s11/sum - s1*s1}
	for k := range pred {
		pred[k] /= sum
	}
	return e
}

func alphaKey(alpha float64) string {
	return "a" + strings.ReplaceAll(fmt.Sprint(alpha), ".", "p") + "_"
}

func oracleBayesMulti(t *testing.T, l *oracle.Ledger, c *oracle.Case, x *mat.Dense, text []string) {
	target := must(c.Target(text))(t)
	for _, alpha := range c.Alphas {
		key := alphaKey(alpha)
		m := must(classify.FitBayesLogistic(x, target, classify.BayesLogisticOptions{Prior: classify.Isotropic{Alpha: alpha}}))(t)
		l.Compare(t, c, key+"w_map", m.W...)
		l.Compare(t, c, key+"S_N", flat(m.Covariance)...)
		l.Compare(t, c, key+"loglik_map", m.Evidence.LogLikelihood)
		l.Compare(t, c, key+"log_prior_map", m.Evidence.LogPrior)
		l.Compare(t, c, key+"log_evidence_laplace", m.LogEvidence())
		l.Compare(t, c, key+"bic_439", -m.BIC()/2)
		l.Compare(t, c, key+"pred_kappa", mat.Col(nil, 0, must(m.Posterior(c.PhiPoints()))(t))...)
	}
	complete(t, c, 7*len(c.Alphas))
}

// oracleBayesMAP: the mode and S_N are those of the maximum-posterior fit, also
// with a bias that is not penalised.
func oracleBayesMAP(t *testing.T, l *oracle.Ledger, c *oracle.Case, x *mat.Dense, text []string) {
	target := must(c.Target(text))(t)
	for _, free := range []bool{false, true} {
		for _, alpha := range c.Alphas {
			key := "all_" + alphaKey(alpha)
			if free {
				key = "nobias_" + alphaKey(alpha)
			}
			m := must(classify.FitBayesLogistic(x, target, classify.BayesLogisticOptions{Prior: classify.Isotropic{Alpha: alpha, FreeBias: free}}))(t)
			l.Compare(t, c, key+"w", m.W...)
			l.Compare(t, c, key+"loglik", m.Evidence.LogLikelihood)
			l.Compare(t, c, key+"A", flat(m.Precision)...)
			l.Compare(t, c, key+"S_N", flat(m.Covariance)...)
			norm := float64(len(m.W)-m.Evidence.Flat) / 2 * math.Log(alpha/(2*math.Pi))
			l.Compare(t, c, key+"E", norm-m.Evidence.LogPrior-m.Evidence.LogLikelihood)
		}
	}
	complete(t, c, 10*len(c.Alphas))
}

func oracleLaplace1D(t *testing.T, l *oracle.Ledger, c *oracle.Case) {
	sigma := func(a float64) float64 { return 1 / (1 + math.Exp(-a)) }
	if k, ok := c.Params["k"]; ok {
		r := c.Params["r"]
		logf := func(z float64) float64 { return (k-1)*math.Log(z) - r*z }
		m := must(classify.Laplace1D(logf, classify.Laplace1DOptions{Upper: math.Inf(1)}))(t)
		l.Compare(t, c, "z0", m.Z0)
		l.Compare(t, c, "A", m.A)
		l.Compare(t, c, "Z_laplace", m.Z())
		l.Compare(t, c, "Z_exact", math.Exp(must(m.Exact(logf))(t).LogZ))
		u := must(classify.Laplace1D(classify.LogChange().Of(logf), classify.Laplace1DOptions{}))(t)
		l.Compare(t, c, "log_u0", u.Z0)
		l.Compare(t, c, "log_A", u.A)
		l.Compare(t, c, "log_Z_laplace", u.Z())
		complete(t, c, 7)
		return
	}
	a, b, prec := c.Params["a"], c.Params["b"], c.Params["prec"]
	logf := func(z float64) float64 { return -prec*z*z/2 - math.Log1p(math.Exp(-a*z-b)) }
	// By finite differences, and with the derivatives given.
	for _, o := range []classify.Laplace1DOptions{{}, {
		First:  func(z float64) float64 { return -prec*z + a*sigma(-a*z-b) },
		Second: func(z float64) float64 { return -prec - a*a*sigma(a*z+b)*sigma(-a*z-b) },
	}} {
		m := must(classify.Laplace1D(logf, o))(t)
		if (m.Step == 0) != (o.Second != nil) {
			t.Errorf("Step is %v", m.Step)
		}
		l.Compare(t, c, "z0", m.Z0)
		l.Compare(t, c, "A", m.A)
		l.Compare(t, c, "f_z0", math.Exp(m.LogF))
		l.Compare(t, c, "Z_laplace", m.Z())
		e := must(m.Exact(logf))(t)
		l.Compare(t, c, "Z_exact", math.Exp(e.LogZ))
		l.Compare(t, c, "mean_exact", e.Mean)
		l.Compare(t, c, "var_exact", e.Variance)
		l.Compare(t, c, "kl_qp", e.KL)
		var p, q []float64
		for _, z := range c.ZGrid {
			p = append(p, math.Exp(logf(z)-e.LogZ))
			q = append(q, m.Density(z))
		}
		l.Compare(t, c, "p_at", p...)
		l.Compare(t, c, "q_at", q...)
	}
	complete(t, c, 10)
}

func oracleProbitFacts(t *testing.T, l *oracle.Ledger, c *oracle.Case) {
	slope, minimax := classify.EqualSlope(), classify.Minimax()
	l.Compare(t, c, "lambda_", slope.Lambda)
	l.Compare(t, c, "lambda2", slope.Lambda*slope.Lambda)
	l.Compare(t, c, "probit_gap_max", slope.Gap)
	l.Compare(t, c, "probit_gap_at", slope.At)
	l.Compare(t, c, "probit_gap_sign", float64(slope.Sign))
	l.Compare(t, c, "probit_gap_all_extrema", slope.At, float64(slope.Sign)*slope.Gap)
	l.Compare(t, c, "minimax_lambda", minimax.Lambda)
	l.Compare(t, c, "minimax_gap", minimax.Gap)
	var kappa []float64
	for _, s2 := range c.Arguments["s2"] {
		kappa = append(kappa, classify.Kappa(s2))
	}
	l.Compare(t, c, "kappa", kappa...)
	var lhs, rhs, sig, kap []float64
	for _, g := range c.ConvGrid {
		mu, s2, lambda := g[0], g[1], g[2]
		rhs = append(rhs, classify.ConvolveProbit(lambda, mu, s2))
		sig = append(sig, classify.ConvolveSigmoid(mu, s2))
		kap = append(kap, classify.ModeratedSigmoid(mu, s2))
		lhs = append(lhs, rhs[len(rhs)-1])
	}
	l.Compare(t, c, "conv_lhs", lhs...)
	l.Compare(t, c, "conv_rhs", rhs...)
	l.Compare(t, c, "conv_sig", sig...)
	l.Compare(t, c, "conv_kap", kap...)
}
