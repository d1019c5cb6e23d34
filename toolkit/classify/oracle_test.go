package classify_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/oracle"
)

// reference is one case of the reference files. It contains the data of the case, and the keys of
// the values that a check has compared or skipped so far.
type reference struct {
	*oracle.Case
	t      *testing.T
	ledger *oracle.Ledger
	x      *mat.Dense // nil for cases without data
	text   []string   // the label column
	seen   map[string]bool
}

// expect compares computed numbers with the reference value that has the given key.
func (r *reference) expect(key string, got ...float64) {
	r.t.Helper()
	r.seen[key] = true
	r.ledger.Compare(r.t, r.Case, key, got...)
}

// expectCriteria checks that a maximum-likelihood fit has converged and is not Separable. It compares
// the likelihood and the criteria of the fit with the reference values.
func (r *reference) expectCriteria(converged, separable bool, reason string, logLikelihood float64, m interface {
	Deviance() float64
	AIC() float64
	BIC() float64
}) {
	r.t.Helper()
	if !converged || separable {
		r.t.Fatalf("got Converged %v and Separable %v, want true and false: %s", converged, separable, reason)
	}
	r.expect("loglik", logLikelihood)
	r.expect("deviance", m.Deviance())
	r.expect("AIC", m.AIC())
	r.expect("BIC", m.BIC())
}

// expectObjective compares an objective and its derivatives at w with reference values. The key of
// a reference value is `prefix` followed by a name. The Hessian is not compared if its name,
// `hessian`, is "".
func (r *reference) expectObjective(o *classify.Objective, w []float64, prefix, hessian string) {
	r.t.Helper()
	r.expect(prefix+"E", must(o.Value(w))(r.t))
	r.expect(prefix+"grad", must(o.Gradient(w))(r.t)...)
	if hessian != "" {
		r.expect(prefix+hessian, flat(must(o.Hessian(w))(r.t))...)
	}
}

// hasValue reports whether the case has a reference value with the given key.
func (r *reference) hasValue(key string) bool { return r.Values[key] != nil }

func (r *reference) target() []float64 { return must(r.Case.Target(r.text))(r.t) }
func (r *reference) labels() []int     { return must(r.Case.Labels(r.text))(r.t) }
func (r *reference) k() int            { return len(r.Classes) }

// firstColumn returns the first column of p.
func firstColumn(p mat.Matrix) []float64 { return mat.Col(nil, 0, p) }

// dotless formats a number as the keys of the reference files do, for example "0p1" for 0.1.
func dotless(v float64) string { return strings.ReplaceAll(fmt.Sprint(v), ".", "p") }

// families lists the reference files and the checks that use them. Each value of a file must be
// compared by at least one check, or skipped by oracleScalarFacts.
var families = []struct {
	name   string
	checks []func(*testing.T, *reference)
}{
	{"least_squares", checks(oracleLeastSquares)},
	{"logistic_ml", checks(oracleLogisticML, oracleOnBasis)},
	{"logistic_map", checks(oracleLogisticMAP, oracleBayesMAP)},
	{"logistic_soft_labels", checks(oracleSoftLabels)},
	{"separability", checks(oracleSeparability, oracleSeparable)},
	{"perceptron", checks(oraclePerceptron)},
	{"gradient_descent", checks(oracleGradientDescent)},
	{"softmax", checks(oracleSoftmax)},
	{"probit_ml", checks(oracleProbit)},
	{"logistic_label_flip", checks(oracleLabelFlip)},
	{"fisher_two_class", checks(oracleFisher)},
	{"fisher_multi", checks(oracleFisherMulti)},
	{"lda_ml", checks(oracleLDA)},
	{"qda_ml", checks(oracleQDA)},
	{"nb_bernoulli", checks(oracleBernoulli)},
	{"nb_categorical", checks(oracleCategorical)},
	{"bayes_logistic", checks(oracleBayesLogistic)},
	{"bayes_logistic_multi", checks(oracleBayesMulti)},
	{"laplace_1d", checks(oracleLaplace1D)},
	{"variational_logistic", checks(oracleVariational)},
	{"scalar_facts", checks(oracleScalarFacts)},
}

func checks(f ...func(*testing.T, *reference)) []func(*testing.T, *reference) { return f }

// TestOracle compares the results of the package with the reference values. With the flag -v it
// prints a table of the comparisons. If a case panics, the case fails, and the test continues with
// the next case. At the end the test fails if at least one case was not compared.
func TestOracle(t *testing.T) {
	ledger, reached := oracle.NewLedger(), map[string]int{}
	for _, f := range families {
		cases, err := oracle.Load(f.name)
		if err != nil {
			t.Error(err)
			continue
		}
		for i := range cases {
			t.Run(cases[i].ID, func(t *testing.T) {
				reached[f.name]++
				compareCase(t, ledger, &cases[i], f.checks)
			})
		}
	}
	ledger.Log(t)
	if pattern := flag.Lookup("test.run").Value.String() + flag.Lookup("test.skip").Value.String(); strings.Contains(pattern, "/") {
		return // if the flag -run or -skip selects a part of the cases, do not report the other cases as missing
	}
	for _, say := range notReached(reached, casesOfFiles(t)) {
		t.Error(say)
	}
}

func compareCase(t *testing.T, ledger *oracle.Ledger, c *oracle.Case, checks []func(*testing.T, *reference)) {
	defer func() {
		p := recover()
		errorIf(t, p != nil, "panic: %v\n%s", p, debug.Stack())
	}()
	r := &reference{Case: c, t: t, ledger: ledger, seen: map[string]bool{}}
	if c.Data != "" {
		var err error
		if r.x, r.text, err = c.Table(); err != nil {
			t.Fatal(err)
		}
	}
	for _, check := range checks {
		check(t, r)
	}
	for _, key := range slices.Sorted(maps.Keys(c.Values)) {
		errorIf(t, !r.seen[key], "no check compares the reference value %q", key)
	}
}

// casesOfFiles counts the cases in the reference files. It does not use the loader of package
// oracle.
func casesOfFiles(t *testing.T) map[string]int {
	t.Helper()
	files := must(filepath.Glob("../internal/oracle/testdata/*.json"))(t)
	count := map[string]int{}
	for _, file := range files {
		var f struct{ Cases []json.RawMessage }
		if err := json.Unmarshal(must(os.ReadFile(file))(t), &f); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		count[strings.TrimSuffix(filepath.Base(file), ".json")] = len(f.Cases)
	}
	if len(count) < 21 {
		t.Fatalf("found %d reference files, want at least 21", len(count))
	}
	return count
}

// notReached returns a message for each family with cases that were not compared.
func notReached(reached, files map[string]int) (say []string) {
	for _, family := range slices.Sorted(maps.Keys(files)) {
		if reached[family] != files[family] {
			say = append(say, fmt.Sprintf("%s: only %d of %d cases were compared", family, reached[family], files[family]))
		}
	}
	return say
}

// TestNotReached checks that notReached reports a missing family or case.
func TestNotReached(t *testing.T) {
	files := casesOfFiles(t)
	if say := notReached(files, files); len(say) != 0 {
		t.Errorf("if all cases were compared, notReached returns %q, want an empty list", say)
	}
	for name, n := range files {
		for _, left := range []int{0, n - 1} {
			reached := maps.Clone(files)
			reached[name] = left
			if say := notReached(reached, files); len(say) != 1 || !strings.Contains(say[0], name) {
				t.Errorf("%s with %d of %d cases compared: got %q, want one message about the family", name, left, n, say)
			}
		}
	}
}

func oracleLeastSquares(t *testing.T, r *reference) {
	k, labels := r.k(), r.labels()
	m := must(classify.FitLeastSquares(r.x, labels, k, classify.LeastSquaresOptions{}))(t)
	r.expect("W", flat(m.W)...)
	r.expect("E_D", m.SumSquare)
	r.expect("y_points", flat(must(m.Scores(r.PhiPoints()))(t))...)
	confusion, wrong := make([]float64, k*k), 0.0
	for i, p := range must(m.Predict(r.x))(t) {
		confusion[labels[i]*k+p]++
		if p != labels[i] {
			wrong++
		}
	}
	r.expect("n_train_errors", wrong)
	r.expect("confusion_rows_true", confusion...)
}

func oracleSeparability(t *testing.T, r *reference) {
	target := r.target()
	m := must(classify.FitLogistic(r.x, target, classify.LogisticOptions{}))(t)
	r.expect("ml_exists", truth(m.Converged && !m.Separable))
	// No case has quasi-separable data, so ml_exists and separable are opposite values.
	r.expect("separable", truth(m.Separable))
	errorIf(t, m.Separable && leastMargin(r.x, target, m.Direction) <= 0, "Separable is true, but Direction %v does not separate the classes",
		m.Direction)
}

func oracleSeparable(t *testing.T, r *reference) {
	target := r.target()
	s := checkedSeparability(t, r.x, target)
	r.expect("separable", truth(s.Separable))
	errorIf(t, s.Separable && leastMargin(r.x, target, s.W) <= 0, "Separable is true, but the plane %v does not separate the classes", s.W)
}

func oracleLogisticML(t *testing.T, r *reference) {
	target := r.target()
	m := must(classify.FitLogistic(r.x, target, classify.LogisticOptions{}))(t)
	r.expectCriteria(m.Converged, m.Separable, m.Reason, m.LogLikelihood, m)
	r.expect("w", m.W...)
	r.expect("se", must(m.StandardErrors())(t)...)
	z, p := must2(m.Wald())(t)
	r.expect("z", z...)
	r.expect("p_value", p...)
	r.expect("cov", flat(m.Covariance)...)
	r.expect("hessian", flat(m.Hessian)...)
	r.expect("null_loglik", m.NullLogLikelihood)
	r.expect("prob_points", firstColumn(must(m.Posterior(r.PhiPoints()))(t))...)
	if r.hasValue("se_eta_points") { // the reference file omits this value for the collinear case
		r.expect("se_eta_points", must(m.ActivationErrors(r.PhiPoints()))(t)...)
	}
	r.expectObjective(must(classify.LogisticObjective(r.x, target, nil))(t), r.WEval, "at_w_", "hess")
	var irls []float64
	for _, s := range m.Trace[1:4] {
		irls = append(irls, s.W...)
	}
	r.expect("irls_from_zero", irls...)
}

// mapKey returns the key prefix of a maximum-posterior fit with an isotropic prior.
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
			m := must(classify.FitLogistic(r.x, target,
				classify.LogisticOptions{Prior: classify.Isotropic{Alpha: alpha, FreeBias: free}}))(t)
			if !m.Converged {
				t.Fatal(m.Reason)
			}
			r.expect(key+"w", m.W...)
			r.expect(key+"E", m.E)
			r.expect(key+"loglik", m.LogLikelihood)
			r.expect(key+"A", flat(m.Hessian)...)
			r.expect(key+"S_N", flat(m.Covariance)...)
		}
	}
}

func oracleSoftLabels(t *testing.T, r *reference) {
	target := r.target()
	m := must(classify.FitLogistic(r.x, target, classify.LogisticOptions{}))(t)
	r.expect("w", m.W...)
	r.expect("se", must(m.StandardErrors())(t)...)
	r.expect("objective", m.LogLikelihood)
	r.expect("hessian", flat(m.Hessian)...)
	r.expectObjective(must(classify.LogisticObjective(r.x, target, nil))(t), r.WEval, "at_w_", "")
}

func oracleSoftmax(t *testing.T, r *reference) {
	labels, k := r.labels(), r.k()
	if r.hasValue("w") {
		m := must(classify.FitSoftmax(r.x, labels, k, classify.SoftmaxOptions{}))(t)
		r.expectCriteria(m.Converged, m.Separable, m.Reason, m.LogLikelihood, m)
		ref := must(m.Reference(k - 1))(t)
		r.expect("w", flat(ref.W.T())...)
		r.expect("se", flat(ref.StandardErrors.T())...)
		r.expect("probs_points", flat(must(m.Posterior(r.PhiPoints()))(t))...)
	}
	for _, alpha := range []float64{0.1, 1} {
		key := "map_a" + dotless(alpha) + "_"
		if !r.hasValue(key + "W") {
			continue
		}
		m := must(classify.FitSoftmax(r.x, labels, k,
			classify.SoftmaxOptions{Prior: classify.Isotropic{Alpha: alpha}}))(t)
		r.expect(key+"W", flat(m.W.T())...)
		r.expect(key+"E", m.E)
	}
	if r.WEvals != nil {
		r.expectObjective(must(classify.SoftmaxObjective(r.x, labels, k, nil))(t), slices.Concat(r.WEvals...),
			"at_W_", "full_hess")
	}
}

func oracleProbit(t *testing.T, r *reference) {
	target := r.target()
	m := must(classify.FitProbit(r.x, target, classify.ProbitOptions{}))(t)
	r.expectCriteria(m.Converged, m.Separable, m.Reason, m.LogLikelihood, m)
	r.expect("w", m.W...)
	r.expect("se_observed", must(m.StandardErrors())(t)...)
	r.expect("se_expected", must(m.ExpectedStandardErrors(r.x))(t)...)
	r.expect("hessian", flat(m.Hessian)...)
	r.expect("fisher_information", flat(must(m.FisherInformation(r.x))(t))...)
	r.expect("prob_points", firstColumn(must(m.Posterior(r.PhiPoints()))(t))...)
	r.expectObjective(must(classify.ProbitObjective(r.x, target, nil))(t), r.WEval, "at_w_", "hess")
	at := &classify.Probit{Estimate: classify.Estimate{W: r.WEval}}
	r.expect("at_w_fisher", flat(must(at.FisherInformation(r.x))(t))...)
}

func oracleLabelFlip(t *testing.T, r *reference) {
	target := r.target()
	for _, eps := range r.Epsilons {
		m := must(classify.FitLabelFlip(r.x, target, classify.LabelFlipOptions{Epsilon: eps}))(t)
		if !m.Converged {
			t.Fatal(m.Reason)
		}
		key := dotless(eps)
		r.expect("w_"+key, m.W...)
		r.expect("loglik_"+key, m.LogLikelihood)
		r.expect("hess_"+key, flat(m.Hessian)...)
	}
	if r.hasValue("joint_w") {
		m := must(classify.FitLabelFlip(r.x, target, classify.LabelFlipOptions{Estimate: true}))(t)
		r.expect("joint_w", m.W...)
		r.expect("joint_eps_hat", m.Epsilon)
		r.expect("joint_loglik", m.LogLikelihood)
		r.expect("joint_hess", flat(m.Hessian)...)
		r.expect("joint_AIC", m.AIC())
	}
}

// oracleOnBasis fits the case that has basis functions. The inputs in r.x are already the values of
// these functions, computed by the loader. oracleOnBasis instead applies a basis of this package to the
// plain inputs.
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
	r.expect("w", fit.Model.W...)
	r.expect("loglik", fit.Model.LogLikelihood)
	r.expect("cov", flat(fit.Model.Covariance)...)
	r.expect("prob_points", firstColumn(must(fit.Posterior(plain.PhiPoints()))(t))...)
}

// oracleGradientDescent compares the iterates of fits with the iterates of textbook algorithms:
//   - Gradient descent of Alpaydin's figures 10.6 and 10.8.
//   - Sequential updates, with the rows in the order of the file.
//   - Gradient descent of Alpaydin's section 10.8 on the squared error of sigmoid outputs. For this
//     error, oracleGradientDescent also compares the value and the gradient at the start.
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
			if w, ok := weightsAfter(outputs, n); ok {
				r.expect(key, w...)
			} else {
				t.Errorf("%s: the trace of the fit has no iteration %d", key, n)
			}
		}
	}
}

// weightsAfter returns the weights of all outputs after n iterations. ok is false if the trace of
// an output does not contain iteration n.
func weightsAfter(outputs []classify.Trace, n int) (w []float64, ok bool) {
	for _, trace := range outputs {
		if n >= len(trace) || trace[n].Iteration != n {
			return nil, false
		}
		w = append(w, trace[n].W...)
	}
	return w, true
}

// bookTrace returns the trace of a fit with the given solver. The fit begins at the start weights of
// the case and makes up to n iterations. bookTrace fits a logistic model to two classes and a softmax
// model to more classes.
func bookTrace(t *testing.T, r *reference, solver classify.Solver, n int) []classify.Trace {
	t.Helper()
	start, k := must(r.Start())(t), r.k()
	if k == 2 {
		return []classify.Trace{must(classify.FitLogistic(r.x, r.target(),
			classify.LogisticOptions{Solver: solver, Start: start, MaxIterations: n}))(t).Trace}
	}
	w := mat.DenseCopyOf(mat.NewDense(k, len(start)/k, start).T())
	return []classify.Trace{must(classify.FitSoftmax(r.x, r.labels(), k,
		classify.SoftmaxOptions{Solver: solver, Start: w, MaxIterations: n}))(t).Trace}
}

// bookSquares compares the squared error and its gradient at the start with the reference values.
// It returns the traces of gradient descent on the squared error, one per output.
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
	r.expect("sq_E", e)
	r.expect("sq_grad", grad...)
	m := must(classify.FitSigmoidSquares(r.x, labels, k, classify.SigmoidSquaresOptions{
		Solver: classify.GradientDescent{Rate: r.EtaSq, Every: 1}, MaxIterations: 100,
		Start: mat.DenseCopyOf(mat.NewDense(outputs, d+1, start).T()),
	}))(t)
	for _, out := range m.Outputs {
		traces = append(traces, out.Trace)
	}
	return traces
}

func negated(v []float64) []float64 {
	out := make([]float64, len(v))
	floats.ScaleTo(out, -1, v)
	return out
}

// oracleFisher compares Fisher's discriminant with the reference values. The reference direction
// points to C₂, but the direction of this package points to C₁.
func oracleFisher(t *testing.T, r *reference) {
	m := must(classify.FitFisher(r.x, r.target(), classify.FisherOptions{}))(t)
	r.expect("m1", m.Scatter.ClassMeans.RawRowView(0)...)
	r.expect("m2", m.Scatter.ClassMeans.RawRowView(1)...)
	r.expect("S_W", flat(m.Scatter.Within)...)
	r.expect("w_unit", negated(m.Direction)...)
	r.expect("J", m.J)
	r.expect("proj_mean", negated(m.ProjectedMeans[:])...)
	r.expect("proj_scatter", m.ProjectedScatters[:]...)
	ls := must(m.LeastSquaresWeights())(t)
	r.expect("w_ls", ls[1:]...)
	r.expect("w0_ls", ls[0])
	if r.hasValue("gauss_threshold") { // the reference file contains the threshold only if it lies between the means
		r.expect("gauss_threshold", -m.Threshold)
	}
}

func oracleFisherMulti(t *testing.T, r *reference) {
	m := must(classify.FitFisherMulti(r.x, r.labels(), r.k(), classify.FisherMultiOptions{}))(t)
	r.expect("eigenvalues", m.Eigenvalues...)
	r.expect("J_full", m.J)
	r.expect("W", flat(m.W)...)
	var wtw, inv, p mat.Dense
	wtw.Mul(m.W.T(), m.W)
	if err := inv.Inverse(&wtw); err != nil {
		t.Fatal(err)
	}
	p.Product(m.W, &inv, m.W.T())
	r.expect("projector", flat(&p)...)
	r.expect("S_W", flat(m.Scatter.Within)...)
	r.expect("S_B", flat(m.Scatter.Between)...)
	r.expect("mean", m.Scatter.Mean...)
	r.expect("class_means", flat(m.Scatter.ClassMeans)...)
}

// compareGenerative compares the posterior, the conditional log likelihood and the number of training
// errors of LDA or QDA with the reference values.
func compareGenerative(t *testing.T, r *reference, labels []int, m classify.Generative) {
	r.expect("log_posterior", flat(must(m.LogPosterior(r.PhiPoints()))(t))...)
	r.expect("posterior", flat(must(m.Posterior(r.PhiPoints()))(t))...)
	var conditional, wrong float64
	lp, class := must(m.LogPosterior(r.x))(t), must(m.Predict(r.x))(t)
	for i, k := range labels {
		conditional += lp.At(i, k)
		if class[i] != k {
			wrong++
		}
	}
	r.expect("loglik_conditional", conditional)
	r.expect("n_train_errors", wrong)
}

func oracleLDA(t *testing.T, r *reference) {
	labels := r.labels()
	m := must(classify.FitLDA(r.x, labels, r.k(), classify.LDAOptions{}))(t)
	r.expect("priors", m.Priors...)
	r.expect("means", flat(m.Means)...)
	r.expect("Sigma", flat(m.Sigma)...)
	d := len(m.Mean)
	r.expect("w_k", flat(m.W.Slice(1, d+1, 0, r.k()).T())...)
	r.expect("w_k0", m.W.RawRowView(0)...)
	r.expect("loglik_joint", m.LogLikelihood)
	compareGenerative(t, r, labels, m)
	if r.k() == 2 {
		w := must(m.TwoClass())(t)
		r.expect("w", w[1:]...)
		r.expect("w0", w[0])
	}
}

func oracleQDA(t *testing.T, r *reference) {
	labels := r.labels()
	m := must(classify.FitQDA(r.x, labels, r.k(), classify.QDAOptions{}))(t)
	r.expect("priors", m.Priors...)
	r.expect("means", flat(m.Means)...)
	var sigma []float64
	for _, s := range m.Sigma {
		sigma = append(sigma, flat(s)...)
	}
	r.expect("Sigma_k", sigma...)
	r.expect("logdet_Sigma_k", m.LogDet...)
	r.expect("loglik_joint", m.LogLikelihood)
	compareGenerative(t, r, labels, m)
	if r.k() == 2 {
		s := must(m.Scores(r.PhiPoints()))(t)
		var a []float64
		for i := range r.Points {
			a = append(a, s.At(i, 0)-s.At(i, 1))
		}
		r.expect("a_points", a...)
	}
}

// smoothings maps the suffix of a reference key to the smoothing α; the suffix "ml" means α = 0.
func smoothings(r *reference) map[string]float64 {
	s := map[string]float64{"ml": 0}
	for _, a := range r.Alphas {
		s["a"+dotless(a)] = a
	}
	return s
}

func oracleBernoulli(t *testing.T, r *reference) {
	labels := r.labels()
	for key, alpha := range smoothings(r) {
		m := must(classify.FitNaiveBayesBernoulli(r.x, labels, r.k(),
			classify.NaiveBayesBernoulliOptions{Smoothing: alpha}))(t)
		r.expect("priors", m.Priors...)
		r.expect("mu_"+key, flat(m.Mu)...)
		r.expect("log_posterior_"+key, flat(must(m.LogPosterior(r.PhiPoints()))(t))...)
		if alpha > 0 {
			rows, k := m.W.Dims()
			r.expect("w_k_"+key, flat(m.W.Slice(1, rows, 0, k).T())...)
			r.expect("w_k0_"+key, m.W.RawRowView(0)...)
		}
	}
}

func oracleCategorical(t *testing.T, r *reference) {
	labels := r.labels()
	var levels []int
	for _, names := range r.Levels {
		levels = append(levels, len(names))
	}
	for key, alpha := range smoothings(r) {
		m := must(classify.FitNaiveBayesCategorical(r.x, levels, labels, r.k(),
			classify.NaiveBayesCategoricalOptions{Smoothing: alpha}))(t)
		r.expect("priors", m.Priors...)
		for i, mu := range m.Mu {
			r.expect(fmt.Sprintf("mu_%s_f%d", key, i), flat(mu)...)
		}
		r.expect("log_posterior_"+key, flat(must(m.LogPosterior(r.PhiPoints()))(t))...)
	}
}
