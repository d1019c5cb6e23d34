package classify

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/glm"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/kernels"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/linalg"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/solve"
)

// Evidence is the Laplace approximation of a model's log evidence, PRML (4.137),
//
//	ln p(D) ≃ ln p(D|θ_MAP) + ln p(θ_MAP) + (M/2) ln 2π − ½ ln|A|,
//
// split into the log likelihood at θ_MAP and the logarithm of the Occam factor. The Occam factor is
// roughly the volume of the posterior divided by the volume of the prior. With a proper prior and a
// log-concave likelihood, the logarithm of the Occam factor is at most 0. A flat parameter has the
// constant density 1 instead of a proper prior. With flat parameters the logarithm may be positive.
//
// A = −∇∇ ln p(D|θ)p(θ) at θ_MAP. PRML exercise 4.23 defines H as the second derivatives of ln
// p(D|θ) without the minus sign. For an odd number of parameters, |H| is then negative and ln|H| does
// not exist (erratum P19).
//
// Equations: PRML (4.136)–(4.139).
type Evidence struct {
	LogLikelihood float64 // ln p(D|θ_MAP)
	LogPrior      float64 // ln p(θ_MAP)
	LogDet        float64 // ln|A|
	M             int     // number of parameters
	N             int     // number of data rows: the sum of the row weights, rounded
	SumWeights    float64 // the sum of the row weights; 0 without data, or for a model from a file without this sum
	// Flat is the number of parameters without a proper prior. These parameters have density 1. The
	// evidence can only be compared with the evidence of a model with the same flat parameters. If
	// Flat is 0, LogEvidence approximates a proper evidence.
	Flat int
}

// LogOccam returns the last three terms of (4.137), which are the logarithm of the Occam
// factor: ln p(θ_MAP) + (M/2) ln 2π − ½ ln|A|.
//
// Equations: PRML (4.137).
func (e Evidence) LogOccam() float64 {
	return e.LogPrior + float64(e.M)/2*kernels.Log2Pi - e.LogDet/2
}

// LogEvidence returns ln p(D) by (4.137).
//
// Equations: PRML (4.137).
func (e Evidence) LogEvidence() float64 { return e.LogLikelihood + e.LogOccam() }

// Deviance returns −2 ln p(D|θ_MAP).
func (e Evidence) Deviance() float64 { return -2 * e.LogLikelihood }

// AIC returns −2 ln p(D|θ_MAP) + 2M; smaller is better. PRML (1.73) is −½ times the AIC.
func (e Evidence) AIC() float64 { return e.Deviance() + 2*float64(e.M) }

// BIC returns −2 ln p(D|θ_MAP) + M ln N; smaller is better. PRML (4.139) is −½ times the BIC, and
// equals (4.137) without the terms that stay bounded as N grows. BIC penalises a parameter more
// than AIC only for N ≥ 8 (ln 7 < 2 < ln 8). The text after (4.139) omits this condition (erratum
// P35). Without data (N = 0), the penalty is 0.
//
// Equations: PRML (4.139).
func (e Evidence) BIC() float64 {
	return e.Deviance() + float64(e.M)*math.Log(math.Max(sumOr(e.SumWeights, e.N), 1))
}

// DegreesOfFreedom returns M.
func (e Evidence) DegreesOfFreedom() int { return e.M }

// EvidenceOf returns the Laplace evidence of a fitted Logistic, Probit, LabelFlip, GLM or Softmax
// model. Models with different links or bases can be compared by their evidence. prior must be the
// prior of the fit. For a BayesLogistic or BayesSoftmax model, EvidenceOf ignores prior and returns
// the field Evidence.
//
// With a nil prior, or a prior that leaves biases free, the parameters without a prior have density
// 1 (see Evidence.Flat). No probability of a Softmax model changes if the same vector is added to
// the weights of all classes. The evidence omits the directions of these shifts if the prior is
// flat in these directions, or if the prior is the same for all classes. For a GLM with Gaussian
// family the approximation is exact except for rounding. ln|A| is less accurate if columns are
// nearly dependent.
//
// Errors: a model of a type not named above, an unfitted model, a model that has not converged or has
// no unique weights, a LabelFlip with an estimated ε. A prior that is invalid or different from the
// prior of the fit is also an error, and so is a GLM from a file that does not store the penalty of
// the prior.
//
// Equations: PRML (4.136)–(4.138).
func EvidenceOf(model Criteria, prior Prior) (Evidence, error) {
	e, err := evidenceOf(model, prior)
	if err != nil {
		return Evidence{}, failure("EvidenceOf", err)
	}
	return e, nil
}

func evidenceOf(model Criteria, prior Prior) (Evidence, error) {
	if !fittedCriteria(model) {
		return Evidence{}, fmt.Errorf("the model is a %T without a fit: want a fitted model", model)
	}
	var est *Estimate
	classes := 1
	switch m := model.(type) {
	case *BayesLogistic:
		return m.Evidence, nil
	case *BayesSoftmax:
		return m.Evidence, nil
	case interface{ estimate() *Estimate }:
		est = m.estimate()
	case *Softmax:
		_, classes = m.W.Dims()
		est = &Estimate{W: classAfterClass(m.W), E: m.E, LogLikelihood: m.LogLikelihood, HasPrior: m.HasPrior,
			Penalty: m.Penalty, Hessian: m.Hessian, Covariance: m.Covariance, Converged: m.Converged, Reason: m.Reason,
			N: m.N, SumWeights: m.SumWeights}
	default:
		return Evidence{}, fmt.Errorf("a %T has no posterior to approximate: give a Logistic, Probit, LabelFlip, GLM or Softmax fit", model)
	}
	if est.Hessian.SymmetricDim() != len(est.W) {
		return Evidence{}, fmt.Errorf("besides its weights, the %T has a parameter without a prior: fit the model with a fixed value of this parameter", model)
	}
	if !est.Converged {
		return Evidence{}, errors.New("the fit did not converge to the mode of the posterior: " + est.Reason)
	}
	g, err := evidencePrior(prior, len(est.W), classes)
	if err != nil {
		return Evidence{}, err
	}
	if err := est.samePrior(g); err != nil {
		return Evidence{}, err
	}
	h, bias := evidenceHessian(est.Hessian, g, classes)
	m := h.SymmetricDim()
	logDet, ok := logDetOf(h, m)
	if !ok && est.Covariance != nil {
		v, _ := evidenceHessian(est.Covariance, g, classes)
		logDet, ok = logDetByCovariance(h, v, bias)
	}
	if !ok {
		return Evidence{}, errors.New("the Hessian is not positive definite in double precision: the weights are not unique, or x is badly scaled; standardise the columns, or use a prior on all weights")
	}
	if g != nil && g.Each != nil && classes > 1 {
		logDet += g.Each.LogDet()
		m += len(g.Each.Root)
	}
	return Evidence{
		LogLikelihood: est.LogLikelihood, LogPrior: g.LogDensity(est.W), LogDet: logDet,
		M: m, N: est.N, SumWeights: est.SumWeights, Flat: m - g.Proper(),
	}, nil
}

// samePrior returns an error if the penalty of the prior g differs from the penalty of the fit, or if
// the penalty of the fit is unknown. It also returns an error if the fit had a prior but g is nil, and
// vice versa. For most models from a file without the penalty, Load has computed the penalty as
// E + LogLikelihood, with the rounding error of E. The tolerance of the comparison therefore includes
// a multiple of |E|.
func (m *Estimate) samePrior(g *glm.Gaussian) error {
	given := g.Value(m.W)
	switch {
	case math.IsNaN(m.Penalty):
		return errors.New("the model file does not store the penalty of the prior, so the prior cannot be checked: fit the model again")
	case m.HasPrior && g == nil:
		return errors.New("the model was fitted with a prior, but prior is nil: want the prior of the fit")
	case !m.HasPrior && g != nil:
		return errors.New("the model was fitted without a prior, but prior is not nil: want nil, or a model fitted with this prior")
	case math.Abs(m.Penalty-given) > 1e-9*math.Abs(given)+1e-12*math.Abs(m.E):
		return fmt.Errorf("the fit's penalty is %.6g, but the given prior has the penalty %.6g: want the prior of the fit", m.Penalty, given)
	}
	return nil
}

// minRelativePivot is the smallest acceptable ratio of a pivot to the diagonal entry in a Cholesky
// factorisation. If the ratio is smaller, more than half of the digits are lost.
const minRelativePivot = 1e-8

// logDetOf returns ln|a| of an m×m matrix. Its second result is false if a is not positive definite, or
// if ln|a| would have too few correct digits.
func logDetOf(a mat.Symmetric, m int) (float64, bool) {
	r, pivot := linalg.Cholesky(a.At, m)
	if r == nil || pivot < minRelativePivot {
		return 0, false
	}
	return r.LogDet(), true
}

// logDetByCovariance returns ln|A|, given A and V = A⁻¹. It uses two blocks: the block of A for the
// biases, and the block of V for the other weights. |A| is the determinant of the first block
// divided by the determinant of the second block. If columns are far from 0, a factorisation of A
// loses digits. The two determinants stay accurate, because the fit does not compute V from A.
func logDetByCovariance(a, v *mat.SymDense, bias []int) (float64, bool) {
	var rest []int
	for i := range a.SymmetricDim() {
		if !slices.Contains(bias, i) {
			rest = append(rest, i)
		}
	}
	logDetAt := func(s *mat.SymDense, at []int) float64 {
		r, _ := linalg.Cholesky(func(i, j int) float64 { return s.At(at[i], at[j]) }, len(at))
		if r == nil || !r.Regular() {
			return math.NaN()
		}
		return r.LogDet()
	}
	logDet := logDetAt(a, bias) - logDetAt(v, rest)
	return logDet, !math.IsNaN(logDet)
}

// evidenceHessian removes some directions from h. It returns the remaining matrix and the indices of
// the biases in this matrix. h is a Hessian or the inverse of a Hessian. For several classes, a shift
// that is common to the weights of all classes changes no probability. evidenceHessian removes the
// directions of these shifts if the prior is flat in these directions. It also removes them if the
// prior is the same for all classes, because only the prior then determines the shifts. In that case,
// evidenceOf adds the terms of the shifts.
func evidenceHessian(h *mat.SymDense, g *glm.Gaussian, classes int) (*mat.SymDense, []int) {
	m := h.SymmetricDim() / classes
	bias := make([]int, classes)
	for j := range bias {
		bias[j] = j * m
	}
	if classes == 1 {
		return h, bias
	}
	var shifts []int
	if g != nil && g.Each == nil {
		shifts = g.Unpenalised(m)
	} else {
		for i := range m {
			shifts = append(shifts, i)
		}
	}
	if len(shifts) == 0 {
		return h, bias
	}
	free := solve.SharedShift(m, classes, shifts).Free
	var hf, fhf mat.Dense
	hf.Mul(h, free)
	fhf.Mul(free.T(), &hf)
	n, _ := fhf.Dims()
	out := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			out.SetSym(i, j, (fhf.At(i, j)+fhf.At(j, i))/2)
		}
	}
	for j := range bias { // in the coordinates of the matrix `free`, the biases come first
		bias[j] = j
	}
	if slices.Contains(shifts, 0) {
		bias = bias[1:]
		for j := range bias {
			bias[j] = j
		}
	}
	return out, bias
}

// fittedCriteria reports whether m is a fitted model and not nil.
func fittedCriteria(m Criteria) bool {
	switch v := m.(type) {
	case nil:
		return false
	case *Softmax:
		return v != nil && v.W != nil && v.Hessian != nil
	case *BayesLogistic:
		return v != nil && len(v.W) > 0
	case *BayesSoftmax:
		return v != nil && v.W != nil
	case interface{ estimate() *Estimate }:
		e := v.estimate()
		return e != nil && len(e.W) > 0 && e.Hessian != nil
	}
	return true
}

// evidencePrior returns the prior p over the m weights of all classes in the form that the solvers
// use, or nil if p is nil.
func evidencePrior(p Prior, m, classes int) (*glm.Gaussian, error) {
	if classes > 1 {
		return softmaxPrior(p, m/classes, classes)
	}
	return resolvePrior(p, m)
}

// Criteria is implemented by every maximum-likelihood or Bayesian model. Its methods return
// criteria for comparisons of models. Smaller AIC and BIC are better.
type Criteria interface {
	Deviance() float64 // −2 ln p(D|θ)
	AIC() float64      // Deviance + 2M
	BIC() float64      // Deviance + M ln N
}

// Candidate is a fitted model in a comparison.
type Candidate struct {
	Name  string
	Model Criteria
	// Prior is the prior of the fit. Prior is ignored for BayesLogistic and BayesSoftmax models,
	// because these models contain their prior. For other models, a nil Prior restricts the
	// comparison to AIC, BIC and the likelihood.
	Prior Prior
}

// Compared contains the criteria of one model in a comparison.
type Compared struct {
	Name          string
	M             int     // number of parameters
	LogLikelihood float64 // at the fit
	AIC, BIC      float64 // smaller is better
	// LogEvidence and LogOccam are Laplace approximations (4.137). Probability is the posterior
	// probability of the model, computed under equal prior probabilities of all models with an
	// evidence. The three fields are NaN for a model without a proper prior, and for a model whose
	// Candidate.Prior is missing (see Candidate).
	LogEvidence, LogOccam, Probability float64
}

// Comparison is a table of the criteria of models fitted to the same data. ByEvidence, ByBIC, ByAIC
// and ByLikelihood are positions of the best models in Rows, or −1 if no model has the criterion.
// If several models are best, the position is the first of them.
type Comparison struct {
	Rows                     []Compared
	ByEvidence, ByBIC, ByAIC int
	ByLikelihood             int // position of the model with the highest likelihood, without any penalty
}

// CompareModels compares models fitted to the same data with different bases, priors or links. The
// criteria are the evidence, BIC, AIC and the likelihood alone.
//
// AIC and BIC are defined for maximum-likelihood fits. For other fits, AIC and BIC use the
// likelihood at the mode, as (4.139) does. For N ≥ 8, BIC prefers smaller models than AIC. In AIC
// and BIC every parameter counts as a whole parameter, even if a prior constrains it.
//
// Errors: no candidates, a nil or unfitted model, models fitted to different numbers of rows, an
// evidence that cannot be computed (see EvidenceOf).
//
// Equations: PRML (4.137), (4.139).
func CompareModels(candidates ...Candidate) (*Comparison, error) {
	if len(candidates) == 0 {
		return nil, failure("CompareModels", fmt.Errorf("no candidates: give at least one fitted model"))
	}
	c := &Comparison{ByEvidence: -1, ByBIC: -1, ByAIC: -1, ByLikelihood: -1}
	var rows float64
	for i, m := range candidates {
		line, n, err := m.compareRow()
		if err != nil {
			return nil, failure("CompareModels", fmt.Errorf("candidate %d (%s): %w", i, m.Name, err))
		}
		if i == 0 {
			rows = n
		} else if math.Abs(n-rows) > 1e-6*rows {
			return nil, failure("CompareModels",
				fmt.Errorf("candidate %d (%s) was fitted to %.0f rows but candidate 0 to %.0f: only models of the same data can be compared", i, m.Name, n, rows))
		}
		c.Rows = append(c.Rows, line)
	}
	c.setProbabilities()
	for i, r := range c.Rows {
		better := func(at *int, value func(Compared) float64) {
			if v := value(r); !math.IsNaN(v) && (*at < 0 || v > value(c.Rows[*at])) {
				*at = i
			}
		}
		better(&c.ByEvidence, func(r Compared) float64 { return r.LogEvidence })
		better(&c.ByBIC, func(r Compared) float64 { return -r.BIC })
		better(&c.ByAIC, func(r Compared) float64 { return -r.AIC })
		better(&c.ByLikelihood, func(r Compared) float64 { return r.LogLikelihood })
	}
	return c, nil
}

// compareRow evaluates one candidate. It returns the candidate's row of the table and the number of
// data rows of its fit.
func (m Candidate) compareRow() (line Compared, n float64, err error) {
	if !fittedCriteria(m.Model) {
		return line, 0, fmt.Errorf("the model is a %T without a fit: want a fitted model", m.Model)
	}
	deviance := m.Model.Deviance()
	params := (m.Model.AIC() - deviance) / 2
	n = kernels.Exp((m.Model.BIC() - deviance) / params)
	line = Compared{
		Name: m.Name, M: int(math.Round(params)), LogLikelihood: -deviance / 2, AIC: m.Model.AIC(), BIC: m.Model.BIC(),
		LogEvidence: math.NaN(), LogOccam: math.NaN(), Probability: math.NaN(),
	}
	var e Evidence
	switch b := m.Model.(type) {
	case *BayesLogistic:
		e = b.Evidence
	case *BayesSoftmax:
		e = b.Evidence
	default:
		if m.Prior == nil {
			return line, n, nil
		}
		if e, err = evidenceOf(m.Model, m.Prior); err != nil {
			return line, n, err
		}
	}
	if e.Flat == 0 {
		line.LogEvidence, line.LogOccam = e.LogEvidence(), e.LogOccam()
	}
	return line, n, nil
}

// setProbabilities sets the probability of each model with an evidence, p(model|D) ∝ p(D|model).
func (c *Comparison) setProbabilities() {
	var evidence []float64
	for _, r := range c.Rows {
		if !math.IsNaN(r.LogEvidence) {
			evidence = append(evidence, r.LogEvidence)
		}
	}
	if evidence == nil {
		return
	}
	kernels.Softmax(evidence, evidence)
	for i := range c.Rows {
		if !math.IsNaN(c.Rows[i].LogEvidence) {
			c.Rows[i].Probability, evidence = evidence[0], evidence[1:]
		}
	}
}

// String returns the table, with the best value of each criterion marked by a star.
func (c *Comparison) String() string {
	width := len("model")
	for _, r := range c.Rows {
		width = max(width, len([]rune(r.Name)))
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%-*s %4s %12s %12s %12s %12s %12s %11s\n", width, "model", "M", "ln p(D|θ)", "AIC", "BIC",
		"ln Occam", "ln p(D)", "p(model|D)")
	for i, r := range c.Rows {
		fmt.Fprintf(&b, "%-*s %4d %s %s %s %s %s %s\n", width, r.Name, r.M,
			compareCell(r.LogLikelihood, i == c.ByLikelihood), compareCell(r.AIC, i == c.ByAIC),
			compareCell(r.BIC, i == c.ByBIC),
			compareCell(r.LogOccam, false), compareCell(r.LogEvidence, i == c.ByEvidence),
			compareProbability(r.Probability))
	}
	return b.String()
}

func compareCell(v float64, winner bool) string {
	mark := " "
	if winner {
		mark = "*"
	}
	if math.IsNaN(v) {
		return fmt.Sprintf("%11s%s", "–", mark)
	}
	return fmt.Sprintf("%11.3f%s", v, mark)
}

func compareProbability(p float64) string {
	if math.IsNaN(p) {
		return fmt.Sprintf("%11s", "–")
	}
	return fmt.Sprintf("%11.4f", p)
}
