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
// model. Models with different links or bases can be compared by their evidence. The argument `prior`
// must be the prior of the fit. For a BayesLogistic or BayesSoftmax model, EvidenceOf ignores this
// argument and returns the field Evidence.
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
	case *QuadraticLogistic:
		return v != nil && v.Linear != nil
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
