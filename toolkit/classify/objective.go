package classify

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/glm"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/linalg"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/solve"
)

// Objective is the function E(w) of the weights w (bias first) that a fit minimises. With a Gaussian
// prior, E(w) = −ln p(t|w) + ½(w−m0)ᵀS0⁻¹(w−m0). In SigmoidObjective, half the sum of squared errors
// replaces −ln p(t|w). An Objective is safe for concurrent use by several goroutines. It uses the
// matrix x that the constructor received, not a copy.
type Objective struct {
	glm      *glm.Likelihood
	prior    *glm.Gaussian
	jeffreys *solve.Problem // under Jeffreys' prior, the objective with this prior's penalty; nil under other priors
}

// LogisticObjective returns the cross-entropy error (4.90) of logistic regression for inputs x
// (N×D) and targets t in [0,1], with an optional prior. FitLogistic minimises this function.
// Errors: as for FitLogistic, except that targets of a single class are allowed.
//
// Equations: PRML (4.89)–(4.91), (4.96), (4.97), (4.141), (4.142); Alpaydin (10.23), (10.24).
func LogisticObjective(x mat.Matrix, t []float64, prior Prior) (*Objective, error) {
	if !isJeffreys(prior) {
		return objectiveOf("LogisticObjective", x, t, prior)
	}
	in, err := InMemory{X: x, T: slices.Clone(t)}.checkedData(requirements{})
	if err != nil {
		return nil, failure("LogisticObjective", err)
	}
	p, err := newProblem(in, glm.CrossEntropy{}, LogisticOptions{Prior: prior})
	if err != nil {
		return nil, failure("LogisticObjective", err)
	}
	p.Exact = true
	return &Objective{glm: p.GLM, jeffreys: p}, nil
}

// objectiveOf returns the result of LogisticObjective for a prior that does not depend on the data.
// The argument `name` is the name of the exported function for errors.
func objectiveOf(name string, x mat.Matrix, t []float64, prior Prior) (*Objective, error) {
	in, err := InMemory{X: x, T: slices.Clone(t)}.checkedData(requirements{})
	if err != nil {
		return nil, failure(name, err)
	}
	_, d := in.Src.Dims()
	g, err := resolvePrior(prior, d+1)
	if err != nil {
		return nil, failure(name, err)
	}
	return &Objective{glm: glm.New(block.NewDesign(in.Src, nil, nil), in.T, glm.CrossEntropy{}), prior: g}, nil
}

// Dim returns the number of weights: D+1, or K(D+1) for softmax regression.
func (o *Objective) Dim() int { return o.glm.M }

// Value returns E(w). It returns an error if the length of w is not Dim or w contains NaN or Inf.
//
// Equations: PRML (4.90), (4.108).
func (o *Objective) Value(w []float64) (float64, error) {
	if err := o.check(w); err != nil {
		return 0, err
	}
	if o.jeffreys != nil {
		_, e := o.jeffreys.Evaluate(o.jeffreys.Coord.Inner(w), glm.OnlyValue)
		return e, nil
	}
	return o.glm.Evaluate(w, glm.OnlyValue).E + o.prior.Value(w), nil
}

// Gradient returns ∇E(w). For LogisticObjective this is (4.91) plus the gradient of the prior's
// penalty. Errors: as for Value. Under Jeffreys' prior, Gradient also returns an error if H(w), the
// Hessian of −ln p(t|w), is singular in double precision. Value returns +Inf for such a w.
//
// Equations: PRML (4.91), (4.93), (4.96), (4.109), (4.122), (4.124).
func (o *Objective) Gradient(w []float64) ([]float64, error) {
	if err := o.check(w); err != nil {
		return nil, err
	}
	if o.jeffreys != nil {
		return withName(o.jeffreys.PenalisedGradient(w))
	}
	g := o.glm.Evaluate(w, glm.WithGradient).Grad
	o.prior.AddGradient(g, w)
	return g, nil
}

// Hessian returns ∇∇E(w). For LogisticObjective with a Gaussian prior this is ΦᵀRΦ + S0⁻¹, where ΦᵀRΦ
// is (4.97). The E of LabelFlipObjective and SigmoidObjective need not be convex. Hessian therefore returns
// positive semidefinite approximations for them: the expected Hessian for LabelFlipObjective, and the
// Gauss–Newton matrix for SigmoidObjective. Under Jeffreys' prior Hessian returns the exact second
// derivatives, which need not be positive definite far from the minimum. Errors: as for Gradient.
//
// Equations: PRML (4.94), (4.97), (4.110).
func (o *Objective) Hessian(w []float64) (*mat.SymDense, error) {
	if err := o.check(w); err != nil {
		return nil, err
	}
	if o.jeffreys != nil {
		return withName(o.jeffreys.PenalisedHessian(w))
	}
	return o.hessian(o.glm.Evaluate(w, glm.WithGram)), nil
}

func (o *Objective) hessian(ev *glm.Evaluation) *mat.SymDense {
	h := ev.Gram.Sym(o.glm.M)
	o.prior.AddPrecision(h)
	return h
}

// withName returns v and err. If err is not nil, withName adds the name Objective to err.
func withName[T any](v T, err error) (T, error) {
	if err != nil {
		err = failure("Objective", err)
	}
	return v, err
}

func (o *Objective) check(w []float64) error {
	if o == nil || o.glm == nil {
		return failure("Objective",
			errors.New("the objective is empty: make it with LogisticObjective or another constructor"))
	}
	what := "one entry for the bias and one for each column of x"
	if o.glm.Many != nil {
		what += ", class after class"
	}
	if err := check.Vector("w", w, o.glm.M, what); err != nil {
		return failure("Objective", err)
	}
	return nil
}

// Prior is a Gaussian prior over the weights, p(w) = N(w|m0, S0), PRML (4.140). With a prior, a fit
// minimises −ln p(t|w) + ½(w−m0)ᵀS0⁻¹(w−m0), which is the negative of (4.142) without its constant.
// Isotropic and Gaussian are such priors; a nil Prior means maximum likelihood. Jeffreys also
// implements Prior, but is not Gaussian, and only a few functions accept it.
//
// Equations: PRML (4.140), (4.142).
type Prior interface {
	// resolve returns the prior over m weights in the form that the solvers use.
	resolve(m int) (*glm.Gaussian, error)
	// weights returns the number of weights for which the prior is defined, or 0 if the prior is
	// defined for any number of weights. If weights returns 0, a model with several classes uses the
	// prior for the weights of each class.
	weights() int
	// precision returns the precision α that the evidence procedure can change. It also returns a
	// function that returns the same prior with a different α, or nil if the prior has no such
	// parameter.
	precision() (alpha float64, with func(alpha float64) Prior)
}

var (
	_ Prior = Isotropic{}
	_ Prior = Gaussian{}
	_ Prior = Jeffreys{}
)

// dataPrior is a prior that depends on the data. Only FitLogistic, FitLogisticFrom,
// LogisticObjective, ProfileIntervals and Profile accept such a prior.
type dataPrior interface {
	Prior
	fromData()
}

var _ dataPrior = Jeffreys{}

// Isotropic is the prior N(w|0, α⁻¹I). It adds the penalty α/2·‖w‖² to the error.
//
// Equations: PRML (4.140).
type Isotropic struct {
	Alpha float64 // the precision α > 0 of each weight; 1/α is the option C of scikit-learn
	// FreeBias leaves the bias w0 out of the penalty. PRML also penalises the bias, but many
	// packages do not.
	FreeBias bool
}

// Gaussian is the prior N(w|m0, S0) over w = (w0, w1 … wD). For softmax regression, w contains such
// weights for each class, class after class, and K(D+1) replaces D+1 below.
//
// Equations: PRML (4.140).
type Gaussian struct {
	Mean []float64     // prior mean m0, D+1 entries; nil means 0
	Cov  *mat.SymDense // prior covariance S0, (D+1)×(D+1), positive definite
}

// Jeffreys is Jeffreys' prior p(w) ∝ |H(w)|^½ for FitLogistic, where H = ΦᵀRΦ is the Hessian (4.97)
// of −ln p(t|w). FitLogistic then minimises
//
//	E(w) = −ln p(t|w) − ½ ln|H(w)|, ∇E = Σ_n {(y_n − t_n) − h_n(½ − y_n)}φ_n,
//
// with the leverages h_n = R_nn φ_nᵀH⁻¹φ_n, which add up to D+1. This is the penalised likelihood
// of Firth (1993). The penalty removes the systematic error of order 1/N from the estimated
// weights. The weights are finite for all data with independent columns, including separable data
// and a single class (Heinze and Schemper 2002). The activations do not depend on the units or the
// origin of x, so the columns need no scaling. Unlike a Gaussian prior, Jeffreys' prior has no
// parameter to choose.
//
// In H, a row of weight k counts k times. The field Penalty of the fit is −½ ln|H(W)|. The fields
// Hessian and Covariance are H(W) and its inverse. Both matrices omit the second derivatives of the
// penalty. The intervals of ProfileIntervals are valid even if the logarithm of the penalised
// likelihood is not nearly quadratic.
//
// Errors: columns that are constant or depend on other columns, because |H| is then 0; a Solver
// other than Newton; any function other than FitLogistic, FitLogisticFrom, LogisticObjective,
// ProfileIntervals and Profile.
//
// Equations: PRML (4.97).
type Jeffreys struct{}

var errJeffreys = errors.New("Prior is Jeffreys, which needs the data: only FitLogistic, FitLogisticFrom, LogisticObjective, ProfileIntervals and Profile accept it; use Isotropic or Gaussian")

func (Jeffreys) fromData() {}

func (Jeffreys) resolve(int) (*glm.Gaussian, error) { return nil, errJeffreys }

func (Jeffreys) weights() int { return 0 }

func (Jeffreys) precision() (float64, func(alpha float64) Prior) { return 0, nil }

// isJeffreys reports whether p is a prior that depends on the data, and not a nil pointer.
func isJeffreys(p Prior) bool {
	_, ok := p.(dataPrior)
	return ok && !check.Nil(p)
}

func (p Isotropic) resolve(m int) (*glm.Gaussian, error) {
	if !(p.Alpha > 0) || math.IsInf(p.Alpha, 1) {
		return nil, fmt.Errorf("Isotropic.Alpha is %v: the precision must be a finite number greater than 0 (a nil Prior means no prior)", p.Alpha)
	}
	g := &glm.Gaussian{Mean: make([]float64, m), Free: p.FreeBias}
	for i := range m {
		if i == 0 && p.FreeBias {
			continue
		}
		row := make([]float64, m)
		row[i] = math.Sqrt(p.Alpha)
		g.Root = append(g.Root, row)
	}
	return g, nil
}

func (Isotropic) weights() int { return 0 }

func (p Isotropic) precision() (float64, func(alpha float64) Prior) {
	return p.Alpha, func(alpha float64) Prior { return Isotropic{Alpha: alpha, FreeBias: p.FreeBias} }
}

// weights returns the number of rows of Cov. If Cov is nil, weights returns 1, and `resolve` then
// returns an error. The result 0 would mean that the prior is defined for any number of weights.
func (p Gaussian) weights() int {
	if p.Cov == nil {
		return 1
	}
	return p.Cov.SymmetricDim()
}

func (Gaussian) precision() (float64, func(alpha float64) Prior) { return 0, nil }

func (p Gaussian) resolve(m int) (*glm.Gaussian, error) {
	g := &glm.Gaussian{Mean: make([]float64, m)}
	if p.Mean != nil {
		if err := check.Vector("Gaussian.Mean", p.Mean, m, "one entry for each weight, bias first"); err != nil {
			return nil, err
		}
		copy(g.Mean, p.Mean)
	}
	if p.Cov == nil {
		return nil, errors.New("Gaussian.Cov is nil: give the covariance S0 of the weights, or use Isotropic")
	}
	if n := p.Cov.SymmetricDim(); n != m {
		return nil, fmt.Errorf("Gaussian.Cov is %d×%d, want %d×%d (one row per weight, bias first)", n, n, m, m)
	}
	for i := range m {
		for j := i; j < m; j++ {
			if v := p.Cov.At(i, j); math.IsNaN(v) || math.IsInf(v, 0) {
				return nil, fmt.Errorf("Gaussian.Cov(%d,%d) is %v: it must be a finite number", i, j, v)
			}
		}
	}
	r, _ := linalg.Cholesky(p.Cov.At, m)
	if r == nil || !r.Regular() {
		return nil, errors.New("Gaussian.Cov is not positive definite: a covariance needs positive variances and independent directions")
	}
	// S0 = RᵀR, so S0⁻¹ = R⁻¹R⁻ᵀ. The root of S0⁻¹ is R⁻ᵀ, which is lower triangular.
	inv := r.Inverse()
	for i := range m {
		row := mat.Col(nil, i, inv)
		for _, v := range row {
			if math.IsInf(v, 0) || math.IsNaN(v) {
				return nil, errors.New("Gaussian.Cov is too close to singular to be inverted")
			}
		}
		g.Root = append(g.Root, row)
	}
	return g, nil
}

// priorOf checks p, the value of an option Prior, and returns it. The value nil is valid. A nil
// pointer and a prior that depends on the data are errors.
func priorOf(p Prior) (Prior, error) {
	if p != nil && check.Nil(p) {
		return nil, fmt.Errorf("Prior is a nil %T: leave Prior out, or give a value such as Isotropic{Alpha: 1}", p)
	}
	if isJeffreys(p) {
		return nil, errJeffreys
	}
	return p, nil
}

// reestimatedPrior completes the prior of a fit that estimates its precision. A nil prior becomes
// Isotropic{Alpha: 1}. A prior without a precision that can be estimated is an error.
func reestimatedPrior(p Prior) (Prior, error) {
	if p == nil {
		p = Isotropic{Alpha: 1}
	}
	if _, with := p.precision(); with == nil {
		return nil, fmt.Errorf("option Reestimate needs an Isotropic prior and chooses its Alpha, but Prior is a %T", p)
	}
	return p, nil
}

// alphaOf returns the precision α of an Isotropic prior, and 0 for priors without such a parameter.
func alphaOf(p Prior) float64 {
	if p == nil {
		return 0
	}
	alpha, _ := p.precision()
	return alpha
}

// resolvePrior returns a prior over m weights in the form that the solvers use, or nil if p is nil.
func resolvePrior(p Prior, m int) (*glm.Gaussian, error) {
	p, err := priorOf(p)
	if p == nil {
		return nil, err
	}
	return p.resolve(m)
}

// softmaxPrior converts a prior to the form that the solvers use, for weights that are ordered
// class by class. If p is nil, it returns nil.
func softmaxPrior(p Prior, m, k int) (*glm.Gaussian, error) {
	p, err := priorOf(p)
	if p == nil {
		return nil, err
	}
	if p.weights() > 0 {
		return p.resolve(m * k)
	}
	one, err := p.resolve(m)
	if err != nil {
		return nil, err
	}
	return one.Repeat(m, k), nil
}
