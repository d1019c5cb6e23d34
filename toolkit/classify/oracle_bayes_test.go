package classify_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/kernels"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/oracle"
)

func oracleBayesLogistic(t *testing.T, r *reference) {
	target := r.target()
	prior, points := variationalInputs(r)
	m := must(classify.FitBayesLogistic(r.x, target, classify.BayesLogisticOptions{Prior: prior}))(t)
	if !m.Converged {
		t.Fatal(m.Reason)
	}
	r.expect("w_map", m.W...)
	r.expect("A", flat(m.Precision)...)
	r.expect("S_N", flat(m.Covariance)...)
	r.expect("loglik_map", m.Evidence.LogLikelihood)
	r.expect("log_prior_map", m.Evidence.LogPrior)
	r.expect("log_evidence_laplace", m.LogEvidence())
	r.expect("bic_439", -m.BIC()/2)
	mean, variance := must2(m.ActivationMoments(points))(t)
	r.expect("mu_a", mean...)
	r.expect("sigma2_a", variance...)
	for key, by := range map[string]classify.PredictiveMethod{
		"pred_plugin": classify.PredictivePlugIn, "pred_kappa": classify.PredictiveModerated,
		"pred_laplace_exact": classify.PredictiveQuadrature,
	} {
		r.expect(key, firstColumn(must(m.PosteriorBy(points, by))(t))...)
	}
	none := must(classify.FitBayesLogistic(&mat.Dense{}, nil,
		classify.BayesLogisticOptions{Prior: prior, Method: classify.PredictiveQuadrature}))(t)
	r.expect("prior_pred", firstColumn(must(none.Posterior(points))(t))...)

	r.compareExact(sampleIntegrate(t, r.x, target, prior, points))
}

// compareExact compares e, the results of quadrature over the exact posterior, with the reference
// values.
func (r *reference) compareExact(e *sampleExact) {
	r.t.Helper()
	r.expect("log_evidence_exact", e.logEvidence)
	r.expect("posterior_mean_exact", e.mean...)
	r.expect("posterior_cov_exact", flat(e.cov)...)
	r.expect("pred_exact", e.posterior...)
}

func oracleBayesMulti(t *testing.T, r *reference) {
	target := r.target()
	for _, alpha := range r.Alphas {
		key := "a" + dotless(alpha) + "_"
		m := must(classify.FitBayesLogistic(r.x, target,
			classify.BayesLogisticOptions{Prior: classify.Isotropic{Alpha: alpha}}))(t)
		r.expect(key+"w_map", m.W...)
		r.expect(key+"S_N", flat(m.Covariance)...)
		r.expect(key+"loglik_map", m.Evidence.LogLikelihood)
		r.expect(key+"log_prior_map", m.Evidence.LogPrior)
		r.expect(key+"log_evidence_laplace", m.LogEvidence())
		r.expect(key+"bic_439", -m.BIC()/2)
		r.expect(key+"pred_kappa", firstColumn(must(m.Posterior(r.PhiPoints()))(t))...)
	}
}

// oracleBayesMAP compares the Laplace fits with the reference values of maximum-posterior fits. Half
// of the priors do not penalise the bias.
func oracleBayesMAP(t *testing.T, r *reference) {
	target := r.target()
	for _, free := range []bool{false, true} {
		for _, alpha := range r.Alphas {
			key := mapKey(free, alpha)
			m := must(classify.FitBayesLogistic(r.x, target,
				classify.BayesLogisticOptions{Prior: classify.Isotropic{Alpha: alpha, FreeBias: free}}))(t)
			r.expect(key+"w", m.W...)
			r.expect(key+"loglik", m.Evidence.LogLikelihood)
			r.expect(key+"A", flat(m.Precision)...)
			r.expect(key+"S_N", flat(m.Covariance)...)
			norm := float64(len(m.W)-m.Evidence.Flat) / 2 * math.Log(alpha/(2*math.Pi))
			r.expect(key+"E", norm-m.Evidence.LogPrior-m.Evidence.LogLikelihood)
		}
	}
}

func oracleLaplace1D(t *testing.T, r *reference) {
	sigma := func(a float64) float64 { return 1 / (1 + math.Exp(-a)) }
	if k, ok := r.Params["k"]; ok {
		rate := r.Params["r"]
		logf := func(z float64) float64 { return (k-1)*math.Log(z) - rate*z }
		m := must(classify.Laplace1D(logf, classify.Laplace1DOptions{Upper: math.Inf(1)}))(t)
		r.expect("z0", m.Z0)
		r.expect("A", m.A)
		r.expect("Z_laplace", m.Z())
		r.expect("Z_exact", math.Exp(must(m.Exact(logf))(t).LogZ))
		u := must(classify.Laplace1D(classify.ChangeLog().Of(logf), classify.Laplace1DOptions{}))(t)
		r.expect("log_u0", u.Z0)
		r.expect("log_A", u.A)
		r.expect("log_Z_laplace", u.Z())
		return
	}
	a, b, prec := r.Params["a"], r.Params["b"], r.Params["prec"]
	logf := func(z float64) float64 { return -prec*z*z/2 - math.Log1p(math.Exp(-a*z-b)) }
	// The check runs once with finite differences and once with the given derivatives.
	for _, o := range []classify.Laplace1DOptions{{}, {
		First:  func(z float64) float64 { return -prec*z + a*sigma(-a*z-b) },
		Second: func(z float64) float64 { return -prec - a*a*sigma(a*z+b)*sigma(-a*z-b) },
	}} {
		m := must(classify.Laplace1D(logf, o))(t)
		errorIf(t, (m.Step == 0) != (o.Second != nil), "Step is %v, want 0 if and only if Second is given", m.Step)
		r.expect("z0", m.Z0)
		r.expect("A", m.A)
		r.expect("f_z0", math.Exp(m.LogF))
		r.expect("Z_laplace", m.Z())
		e := must(m.Exact(logf))(t)
		r.expect("Z_exact", math.Exp(e.LogZ))
		r.expect("mean_exact", e.Mean)
		r.expect("var_exact", e.Variance)
		r.expect("kl_qp", e.KL)
		var p, q []float64
		for _, z := range r.ZGrid {
			p = append(p, math.Exp(logf(z)-e.LogZ))
			q = append(q, m.Density(z))
		}
		r.expect("p_at", p...)
		r.expect("q_at", q...)
	}
}

// oracleScalarFacts compares the functions of the probit approximation with the reference values.
// It skips three kinds of reference values:
//   - Values of functions in package kernels. The tests of kernels compare these values.
//   - Values of functions that the toolkit does not define: softplus, erf and the normal quantile.
//   - The scales lambda and minimax, and the gaps between σ and Φ, which the toolkit does not compute.
func oracleScalarFacts(t *testing.T, r *reference) {
	for key := range r.Values {
		name, _, _ := strings.Cut(key, "_")
		r.seen[key] = slices.Contains([]string{"sigmoid", "log", "softplus", "Phi", "probit", "erf", "logit",
			"logsumexp", "softmax", "lambda", "lambda2", "minimax"}, name)
	}
	var kappa []float64
	for _, s2 := range r.Arguments["s2"] {
		kappa = append(kappa, classify.Kappa(s2))
	}
	r.expect("kappa", kappa...)
	var lhs, rhs, sig, kap []float64
	for _, g := range r.ConvGrid {
		mu, s2, lambda := g[0], g[1], g[2]
		rhs = append(rhs, classify.ConvolveProbit(lambda, mu, s2))
		sig = append(sig, classify.ConvolveSigmoid(mu, s2))
		kap = append(kap, classify.ModeratedSigmoid(mu, s2))
		lhs = append(lhs, rhs[len(rhs)-1])
	}
	r.expect("conv_lhs", lhs...)
	r.expect("conv_rhs", rhs...)
	r.expect("conv_sig", sig...)
	r.expect("conv_kap", kap...)
}

// variationalInputs returns the prior and the points of a case with one feature.
func variationalInputs(r *reference) (classify.Gaussian, *mat.Dense) {
	s0 := mat.NewSymDense(2, []float64{r.S0[0][0], r.S0[0][1], r.S0[1][0], r.S0[1][1]})
	return classify.Gaussian{Mean: r.M0, Cov: s0}, mat.NewDense(len(r.XPoints), 1, r.XPoints)
}

// oracleVariational compares the variational fit with the reference values. The function
// sampleIntegrate, which tests of the samplers also use, computes the exact values.
func oracleVariational(t *testing.T, r *reference) {
	target := r.target()
	prior, points := variationalInputs(r)
	first := must(classify.FitVariationalLogistic(r.x, target,
		classify.VariationalLogisticOptions{Prior: prior, MaxIterations: 1}))(t)
	r.expect("first_m_N", first.Mean...)
	r.expect("first_S_N", flat(first.Covariance)...)
	r.expect("first_bound", first.Bound)

	m := must(classify.FitVariationalLogistic(r.x, target, classify.VariationalLogisticOptions{Prior: prior}))(t)
	if !m.Converged {
		t.Fatal(m.Reason)
	}
	r.expect("m_N", m.Mean...)
	r.expect("S_N", flat(m.Covariance)...)
	r.expect("xi", m.Xi...)
	r.expect("bound", m.Bound)
	mu, variance := must2(m.ActivationMoments(points))(t)
	r.expect("mu_a", mu...)
	r.expect("sigma2_a", variance...)
	r.expect("pred_kappa", firstColumn(must(m.PosteriorBy(points, classify.PredictiveModerated))(t))...)
	r.expect("pred_q_exact", firstColumn(must(m.PosteriorBy(points, classify.PredictiveQuadrature))(t))...)

	e := sampleIntegrate(t, r.x, target, prior, points)
	r.expect("gap", e.logEvidence-m.Bound)
	r.compareExact(e)

	plain := must(classify.FitVariationalLogistic(r.x, target,
		classify.VariationalLogisticOptions{Prior: prior, Plain: true}))(t)
	if e := oracle.RelErr(plain.Mean, m.Mean); e > 1e-9 || !plain.Converged {
		t.Errorf("with Plain the mean differs from the mean without Plain by %.2g (relative), want at most 1e-9 and a converged fit: %s", e, plain.Reason)
	}
}

// sampleExact contains the quadrature results for the posterior of two weights.
type sampleExact struct {
	logEvidence float64
	mean        []float64
	cov         *mat.SymDense
	posterior   []float64 // the predictive p(C₁) at the points
}

// sampleIntegrate integrates over the two weights of a model with one input. It uses the
// trapezoidal rule, in coordinates in which the covariance of the Laplace approximation is the unit
// matrix. The step is 0.15 standard deviations. The error of the rule is tiny, because the
// integrand is analytic and decays on all sides. The sum omits points at which the density is below
// exp(−60) times the density at the mode.
func sampleIntegrate(t *testing.T, x *mat.Dense, target []float64, prior classify.Gaussian,
	points *mat.Dense) *sampleExact {
	t.Helper()
	o := must(classify.LogisticObjective(x, target, prior))(t)
	l := must(classify.FitLogistic(x, target, classify.LogisticOptions{Prior: prior}))(t)
	var chol mat.Cholesky
	if !chol.Factorize(l.Covariance) {
		t.Fatal("the covariance of the Laplace approximation is not positive definite")
	}
	var low mat.TriDense
	chol.LTo(&low)
	at := func(u, v float64) (w [2]float64) {
		return [2]float64{l.W[0] + low.At(0, 0)*u, l.W[1] + low.At(1, 0)*u + low.At(1, 1)*v}
	}
	minus := func(w [2]float64) float64 { return must(o.Value(w[:]))(t) - l.E }
	const h = 0.15
	// The density is log-concave, so along a line it falls on both sides of its peak. The loops
	// therefore stop at the first negligible point beyond 12 standard deviations.
	var nodes [][2]float64
	var weights []float64
	line := func(u float64) (any bool) {
		for _, dir := range []float64{1, -1} {
			for k := 0; ; k++ {
				if k == 0 && dir < 0 {
					continue
				}
				w := at(u, dir*h*float64(k))
				e := minus(w)
				if e < 60 {
					any = true
					nodes, weights = append(nodes, w), append(weights, kernels.Exp(-e))
				} else if float64(k)*h > 12 {
					break
				}
			}
		}
		return any
	}
	line(0)
	for _, dir := range []float64{1, -1} {
		for k := 1; line(dir*h*float64(k)) || float64(k)*h < 12; k++ {
		}
	}
	r := &sampleExact{mean: make([]float64, 2), cov: mat.NewSymDense(2, nil),
		posterior: make([]float64, points.RawMatrix().Rows)}
	var z float64
	for _, p := range weights {
		z += p
	}
	area := h * h * low.At(0, 0) * low.At(1, 1)
	var s0 mat.Cholesky
	s0.Factorize(prior.Cov)
	r.logEvidence = math.Log(z*area) - l.E - s0.LogDet()/2 - math.Log(2*math.Pi)
	for i, p := range weights {
		for k := range 2 {
			r.mean[k] += p / z * nodes[i][k]
		}
	}
	for i, p := range weights {
		d := [2]float64{nodes[i][0] - r.mean[0], nodes[i][1] - r.mean[1]}
		for j := range 2 {
			for k := j; k < 2; k++ {
				r.cov.SetSym(j, k, r.cov.At(j, k)+p/z*d[j]*d[k])
			}
		}
		for n := range r.posterior {
			r.posterior[n] += p / z * kernels.Sigmoid(nodes[i][0]+nodes[i][1]*points.At(n, 0))
		}
	}
	return r
}
