package classify

import (
	"errors"
	"fmt"
	"math"
	"slices"

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
// taken apart into how well the best parameters fit and the Occam factor: the
// share of the prior's volume that the data leave. Under a proper prior, and where
// the likelihood is log-concave, its logarithm is a loss, never above 0; with flat
// parameters, whose density 1 is no share of anything, it may be a gain.
//
// A = −∇∇ ln p(D|θ)p(θ) at θ_MAP. (PRML exercise 4.23 calls H the second
// derivatives of ln p(D|θ), erratum P19: they need the minus sign, or ln|H| does
// not exist.)
//
// Equations: PRML (4.136)–(4.139).
type Evidence struct {
	LogLikelihood float64 // ln p(D|θ_MAP)
	LogPrior      float64 // ln p(θ_MAP)
	LogDet        float64 // ln|A|
	M             int     // parameters
	N             int     // rows of the data: the sum of their weights, rounded
	SumWeights    float64 // that sum; 0 without data, and in a model from a file that does not tell it
	// Flat is how many parameters have no proper prior. Their density is taken as
	// 1, so that the evidence means something only beside that of another model
	// with the same flat parameters. 0 for a true evidence.
	Flat int
}

// LogOccam returns the logarithm of the Occam factor, the last three terms of
// (4.137): ln p(θ_MAP) + (M/2) ln 2π − ½ ln|A|.
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

// AIC returns −2 ln p(D|θ_MAP) + 2M; smaller is better. PRML (1.73) is −½ of it.
func (e Evidence) AIC() float64 { return e.Deviance() + 2*float64(e.M) }

// BIC returns −2 ln p(D|θ_MAP) + M ln N; smaller is better. PRML (4.139) is −½ of
// it: what is left of (4.137) when N grows and all that stays bounded is dropped.
// It weighs a parameter more than AIC does for N ≥ 8 only (ln 7 < 2 < ln 8), not
// always, as the text after (4.139) has it (erratum P35). Without data, N = 0, the penalty is 0.
//
// Equations: PRML (4.139).
func (e Evidence) BIC() float64 {
	return e.Deviance() + float64(e.M)*math.Log(math.Max(sumOr(e.SumWeights, e.N), 1))
}

// DegreesOfFreedom returns M.
func (e Evidence) DegreesOfFreedom() int { return e.M }

// EvidenceOf returns the Laplace evidence of a fitted Logistic, Probit, LabelFlip,
// GLM or Softmax model under the prior that it was fitted with; so models with
// different links or bases can be compared. A nil prior, or one that leaves biases
// free, has parameters of density 1 (see Evidence.Flat); of a Softmax model the
// common shift of all classes, which changes no probability, is then left out. For
// a GLM with Gaussian family the approximation is exact, but for rounding: columns
// that nearly depend on each other cost digits of ln|A|.
//
// Errors: a model of another kind, one that has not converged or has no unique
// weights, a LabelFlip whose ε was estimated, a prior of another size or other
// than the fit's.
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
		return Evidence{}, fmt.Errorf("the model is a %T without a fit: give a fitted one", model)
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
		est = &Estimate{W: classAfterClass(m.W), E: m.E, LogLikelihood: m.LogLikelihood, HasPrior: m.HasPrior, Penalty: m.Penalty, Hessian: m.Hessian, Covariance: m.Covariance, Converged: m.Converged, Reason: m.Reason, N: m.N, SumWeights: m.SumWeights}
	default:
		return Evidence{}, fmt.Errorf("a %T has no posterior to approximate: give a Logistic, Probit, LabelFlip, GLM or Softmax fit", model)
	}
	if est.Hessian.SymmetricDim() != len(est.W) {
		return Evidence{}, fmt.Errorf("the %T has a parameter besides its weights, for which there is no prior: fit it with that parameter fixed", model)
	}
	if !est.Converged {
		return Evidence{}, errors.New("the model is not at the mode of its posterior: " + est.Reason)
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
		return Evidence{}, errors.New("the Hessian is not positive definite in double precision: the weights are not unique; standardise the columns, or use a prior on all weights")
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

// samePrior is an error if g is not the prior of the fit, as far as its penalty
// tells. That of a file without it was E + LogLikelihood, rounded as E is.
func (m *Estimate) samePrior(g *glm.Gaussian) error {
	given := g.Value(m.W)
	switch {
	case math.IsNaN(m.Penalty):
		return errors.New("the model was saved without the penalty of its prior, so the prior cannot be checked: fit it again")
	case m.HasPrior && g == nil:
		return errors.New("the model was fitted with a prior, but none is given: give the prior of the fit")
	case !m.HasPrior && g != nil:
		return errors.New("the model was fitted without a prior, but one is given: give nil, or fit with this prior")
	case math.Abs(m.Penalty-given) > 1e-9*math.Abs(given)+1e-12*math.Abs(m.E):
		return fmt.Errorf("the fit's penalty is %.6g, but the given prior has the penalty %.6g: give the prior of the fit", m.Penalty, given)
	}
	return nil
}

// fewDigits is the pivot of a matrix, beside its diagonal, from which on its factor has lost
// more than half of the digits.
const fewDigits = 1e-8

// logDetOf returns ln|a|, and whether it has the digits that a has.
func logDetOf(a mat.Symmetric, m int) (float64, bool) {
	r, pivot := linalg.Cholesky(a.At, m)
	if r == nil || pivot < fewDigits {
		return 0, false
	}
	return r.LogDet(), true
}

// logDetByCovariance returns ln|A| from the block of the biases of A and the block of the
// other weights of V = A⁻¹: |A| is the first determinant divided by the second. Columns far
// from 0 leave A few digits, but not these blocks, as V comes from the fit's own factor.
func logDetByCovariance(a, v *mat.SymDense, bias []int) (float64, bool) {
	var rest []int
	for i := range a.SymmetricDim() {
		if !slices.Contains(bias, i) {
			rest = append(rest, i)
		}
	}
	of := func(s *mat.SymDense, at []int) float64 {
		r, _ := linalg.Cholesky(func(i, j int) float64 { return s.At(at[i], at[j]) }, len(at))
		if r == nil || !r.Regular() {
			return math.NaN()
		}
		return r.LogDet()
	}
	logDet := of(a, bias) - of(v, rest)
	return logDet, !math.IsNaN(logDet)
}

// evidenceHessian returns the Hessian of the parameters that the posterior holds, or its
// inverse, and which of them are biases. Of several classes these are not the common shifts that
// change no probability if the prior is flat along them, or treats all classes alike: then it alone
// holds the shifts, with its own precision.
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
	for j := range bias { // the free coordinates begin with the biases
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

// fittedCriteria guards against nil models.
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

// evidencePrior resolves a prior over m weights of some classes together; nil for
// nil.
func evidencePrior(p Prior, m, classes int) (*glm.Gaussian, error) {
	if classes > 1 {
		return softmaxPrior(p, m/classes, classes)
	}
	return resolvePrior(p, m)
}
