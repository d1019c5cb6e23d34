package classify_test

import (
	"fmt"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

func oracleLogisticML(t *testing.T, r *reference) {
	target := r.target()
	m := must(classify.FitLogistic(r.x, target, classify.LogisticOptions{}))(t)
	if !m.Converged || m.Separable {
		t.Fatalf("Converged %v, Separable %v: %s", m.Converged, m.Separable, m.Reason)
	}
	r.is("w", m.W...)
	r.is("se", must(m.StandardErrors())(t)...)
	z, p := must2(m.Wald())(t)
	r.is("z", z...)
	r.is("p_value", p...)
	r.is("cov", flat(m.Covariance)...)
	r.is("hessian", flat(m.Hessian)...)
	r.is("loglik", m.LogLikelihood)
	r.is("deviance", m.Deviance())
	r.is("null_loglik", m.NullLogLikelihood)
	r.is("AIC", m.AIC())
	r.is("BIC", m.BIC())
	r.is("prob_points", column(must(m.Posterior(r.PhiPoints()))(t))...)
	if r.has("se_eta_points") { // not kept for the collinear case
		r.is("se_eta_points", must(m.ActivationErrors(r.PhiPoints()))(t)...)
	}
	o := must(classify.LogisticObjective(r.x, target, nil))(t)
	r.is("at_w_E", must(o.Value(r.WEval))(t))
	r.is("at_w_grad", must(o.Gradient(r.WEval))(t)...)
	r.is("at_w_hess", flat(must(o.Hessian(r.WEval))(t))...)
	var irls []float64
	for _, s := range m.Trace[1:4] {
		irls = append(irls, s.W...)
	}
	r.is("irls_from_zero", irls...)
}

// mapKey begins the keys of a fit with an isotropic prior.
func mapKey(free bool, alpha float64) string {
	if free {
		return "nobias_a" + dotless(alpha) + "_"
	}
	return "all_a" + dotless(alpha) + "_"
}

func oracleLogisticMAP(t *testing.T, r *reference) {
	target := r.target()
	for _, free := range []bool{false, true} {
		for _, alpha := range r.Alphas {
			key := mapKey(free, alpha)
			m := must(classify.FitLogistic(r.x, target, classify.LogisticOptions{Prior: classify.Isotropic{Alpha: alpha, FreeBias: free}}))(t)
			if !m.Converged {
				t.Fatal(m.Reason)
			}
			r.is(key+"w", m.W...)
			r.is(key+"E", m.E)
			r.is(key+"loglik", m.LogLikelihood)
			r.is(key+"A", flat(m.Hessian)...)
			r.is(key+"S_N", flat(m.Covariance)...)
		}
	}
}

func oracleSoftLabels(t *testing.T, r *reference) {
	target := r.target()
	m := must(classify.FitLogistic(r.x, target, classify.LogisticOptions{}))(t)
	r.is("w", m.W...)
	r.is("se", must(m.StandardErrors())(t)...)
	r.is("objective", m.LogLikelihood)
	r.is("hessian", flat(m.Hessian)...)
	o := must(classify.LogisticObjective(r.x, target, nil))(t)
	r.is("at_w_E", must(o.Value(r.WEval))(t))
	r.is("at_w_grad", must(o.Gradient(r.WEval))(t)...)
}

func oracleSoftmax(t *testing.T, r *reference) {
	labels, k := r.labels(), r.k()
	if r.has("w") {
		m := must(classify.FitSoftmax(r.x, labels, k, classify.SoftmaxOptions{}))(t)
		if !m.Converged || m.Separable {
			t.Fatalf("Converged %v, Separable %v: %s", m.Converged, m.Separable, m.Reason)
		}
		ref := must(m.Reference(k - 1))(t)
		r.is("w", flat(ref.W.T())...)
		r.is("se", flat(ref.StandardErrors.T())...)
		r.is("loglik", m.LogLikelihood)
		r.is("deviance", m.Deviance())
		r.is("AIC", m.AIC())
		r.is("BIC", m.BIC())
		r.is("probs_points", flat(must(m.Posterior(r.PhiPoints()))(t))...)
	}
	for _, alpha := range []float64{0.1, 1} {
		key := "map_a" + dotless(alpha) + "_"
		if !r.has(key + "W") {
			continue
		}
		m := must(classify.FitSoftmax(r.x, labels, k, classify.SoftmaxOptions{Prior: classify.Isotropic{Alpha: alpha}}))(t)
		r.is(key+"W", flat(m.W.T())...)
		r.is(key+"E", m.E)
	}
	if r.WEvals != nil {
		o := must(classify.SoftmaxObjective(r.x, labels, k, nil))(t)
		w := slices.Concat(r.WEvals...)
		r.is("at_W_E", must(o.Value(w))(t))
		r.is("at_W_grad", must(o.Gradient(w))(t)...)
		r.is("at_W_full_hess", flat(must(o.Hessian(w))(t))...)
	}
}

func oracleProbit(t *testing.T, r *reference) {
	target := r.target()
	m := must(classify.FitProbit(r.x, target, classify.ProbitOptions{}))(t)
	if !m.Converged || m.Separable {
		t.Fatalf("Converged %v, Separable %v: %s", m.Converged, m.Separable, m.Reason)
	}
	r.is("w", m.W...)
	r.is("se_observed", must(m.StandardErrors())(t)...)
	r.is("se_expected", must(m.ExpectedStandardErrors(r.x))(t)...)
	r.is("loglik", m.LogLikelihood)
	r.is("deviance", m.Deviance())
	r.is("AIC", m.AIC())
	r.is("BIC", m.BIC())
	r.is("hessian", flat(m.Hessian)...)
	r.is("fisher_information", flat(must(m.FisherInformation(r.x))(t))...)
	r.is("prob_points", column(must(m.Posterior(r.PhiPoints()))(t))...)
	o := must(classify.ProbitObjective(r.x, target, nil))(t)
	r.is("at_w_E", must(o.Value(r.WEval))(t))
	r.is("at_w_grad", must(o.Gradient(r.WEval))(t)...)
	r.is("at_w_hess", flat(must(o.Hessian(r.WEval))(t))...)
	at := &classify.Probit{Estimate: classify.Estimate{W: r.WEval}}
	r.is("at_w_fisher", flat(must(at.FisherInformation(r.x))(t))...)
}

func oracleLabelFlip(t *testing.T, r *reference) {
	target := r.target()
	for _, eps := range r.Epsilons {
		m := must(classify.FitLabelFlip(r.x, target, classify.LabelFlipOptions{Epsilon: eps}))(t)
		if !m.Converged {
			t.Fatal(m.Reason)
		}
		key := dotless(eps)
		r.is("w_"+key, m.W...)
		r.is("loglik_"+key, m.LogLikelihood)
		r.is("hess_"+key, flat(m.Hessian)...)
	}
	if r.has("joint_w") {
		m := must(classify.FitLabelFlip(r.x, target, classify.LabelFlipOptions{Estimate: true}))(t)
		r.is("joint_w", m.W...)
		r.is("joint_eps_hat", m.Epsilon)
		r.is("joint_loglik", m.LogLikelihood)
		r.is("joint_hess", flat(m.Hessian)...)
		r.is("joint_AIC", m.AIC())
	}
}

// oracleOnBasis repeats the case that has a basis with the package's own.
func oracleOnBasis(t *testing.T, r *reference) {
	if r.Basis == nil {
		return
	}
	plain := *r.Case
	plain.Basis = nil
	x, _ := must2(plain.Table())(t)
	centres := mat.NewDense(len(r.Basis.Centres), 2, slices.Concat(r.Basis.Centres...))
	basis := must(classify.BasisGaussian(centres, r.Basis.S...))(t)
	fit := must(classify.FitOnBasis(x, basis, func(phi mat.Matrix) (*classify.Logistic, error) {
		return classify.FitLogistic(phi, r.target(), classify.LogisticOptions{})
	}))(t)
	r.is("w", fit.Model.W...)
	r.is("loglik", fit.Model.LogLikelihood)
	r.is("cov", flat(fit.Model.Covariance)...)
	r.is("prob_points", column(must(fit.Posterior(plain.PhiPoints()))(t))...)
}

// oracleGradientDescent compares the iterates with those of the textbook's
// algorithms, step by step: Alpaydin's figures 10.6 and 10.8 and the sequential
// updates in file order, and 10.8's descent of the squared error of sigmoid outputs.
func oracleGradientDescent(t *testing.T, r *reference) {
	traces := map[string][]classify.Trace{
		"batch_w_%d": bookTrace(t, r, classify.GradientDescent{Rate: r.Eta, Every: 1}, 1000),
		"sgd_w_%d":   bookTrace(t, r, classify.Sequential{Rate: r.Eta, Every: 1}, 5),
		"sq_w_%d":    bookSquares(t, r),
	}
	for key := range r.Values {
		for form, outputs := range traces {
			var n int
			if _, err := fmt.Sscanf(key, form, &n); err != nil {
				continue
			}
			if w, ok := iterate(outputs, n); ok {
				r.is(key, w...)
			} else {
				t.Errorf("%s: the descent has no iteration %d", key, n)
			}
		}
	}
}

// iterate joins the weights of all outputs after n iterations. A descent that
// converged earlier has no such step.
func iterate(outputs []classify.Trace, n int) (w []float64, ok bool) {
	for _, trace := range outputs {
		if n >= len(trace) || trace[n].Iteration != n {
			return nil, false
		}
		w = append(w, trace[n].W...)
	}
	return w, true
}

// TestIterate: a trace that ends before the step asked for, or leaves steps out, is
// no panic.
func TestIterate(t *testing.T) {
	at := func(n ...int) (trace classify.Trace) {
		for _, i := range n {
			trace = append(trace, classify.Step{Iteration: i, W: []float64{float64(i)}})
		}
		return trace
	}
	if w, ok := iterate([]classify.Trace{at(0, 1, 2), at(0, 1)}, 1); !ok || len(w) != 2 || w[0] != 1 || w[1] != 1 {
		t.Errorf("%v, %v", w, ok)
	}
	for _, outputs := range [][]classify.Trace{{at(0, 1, 2), at(0, 1)}, {at(0, 1)}, {at(0, 2, 4)}, {nil}} {
		if w, ok := iterate(outputs, 2); ok {
			t.Errorf("iteration 2 of %v is %v", outputs, w)
		}
	}
}

// bookTrace fits from the case's start, with one or, for more than two classes,
// several activations.
func bookTrace(t *testing.T, r *reference, way classify.Solver, n int) []classify.Trace {
	t.Helper()
	start, k := must(r.Start())(t), r.k()
	if k == 2 {
		return []classify.Trace{must(classify.FitLogistic(r.x, r.target(), classify.LogisticOptions{Solver: way, Start: start, MaxIterations: n}))(t).Trace}
	}
	w := mat.DenseCopyOf(mat.NewDense(k, len(start)/k, start).T())
	return []classify.Trace{must(classify.FitSoftmax(r.x, r.labels(), k, classify.SoftmaxOptions{Solver: way, Start: w, MaxIterations: n}))(t).Trace}
}

// bookSquares compares the squared error at the start, and returns the traces of its
// descent, one for each output.
func bookSquares(t *testing.T, r *reference) (traces []classify.Trace) {
	t.Helper()
	start, labels, k := must(r.Start())(t), r.labels(), r.k()
	_, d := r.x.Dims()
	outputs := len(start) / (d + 1)
	hot := oneOfK(labels, k)
	var e float64
	var grad []float64
	for j := range outputs {
		o, w := must(classify.SigmoidObjective(r.x, mat.Col(nil, j, hot), nil))(t), start[j*(d+1):(j+1)*(d+1)]
		e += must(o.Value(w))(t)
		grad = append(grad, must(o.Gradient(w))(t)...)
	}
	r.is("sq_E", e)
	r.is("sq_grad", grad...)
	m := must(classify.FitSigmoidSquares(r.x, labels, k, classify.SigmoidSquaresOptions{
		Solver: classify.GradientDescent{Rate: r.EtaSq, Every: 1}, MaxIterations: 100,
		Start: mat.DenseCopyOf(mat.NewDense(outputs, d+1, start).T()),
	}))(t)
	for _, out := range m.Outputs {
		traces = append(traces, out.Trace)
	}
	return traces
}
