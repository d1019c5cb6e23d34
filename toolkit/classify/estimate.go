package classify

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/existence"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/glm"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/kernels"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/linalg"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/solve"
)

// Estimate contains the results of a maximum-likelihood or MAP fit of a single weight vector.
// Logistic, Probit, LabelFlip and GLM embed Estimate.
type Estimate struct {
	Names
	W             []float64 // w0, w1 … wD
	E             float64   // the value of the objective at W
	LogLikelihood float64   // ln p(t|W)
	HasPrior      bool      // reports whether the fit had a prior
	// Penalty is the penalty that the prior adds to E. It is 0 without a prior, and NaN for a GLM from
	// a file that does not store the penalty.
	Penalty float64
	// Hessian is ∇∇E at W: the observed information plus the precision of the prior. For Jeffreys'
	// prior, Hessian is only the observed information.
	Hessian *mat.SymDense
	// Covariance is the inverse of Hessian. It is the asymptotic covariance of the
	// maximum-likelihood estimate or, with a prior, S_N of the Laplace approximation (4.143). The sum
	// that PRML (4.143) prints for S_N is S_N⁻¹ (erratum P3). Covariance is nil if the fit has not
	// converged, and for dependent columns of Φ without a prior.
	Covariance        *mat.SymDense
	NullLogLikelihood float64 // ln p(t) of the maximum-likelihood model whose only weight is the bias
	N                 int     // number of rows in the fit: the sum of the row weights, rounded
	SumWeights        float64 // the sum of the row weights; 0 for a model from a file without this sum
	Rank              int     // rank of the design matrix Φ; D+1 with a prior
	Iterations        int     // steps taken
	Converged         bool    // reports whether W is the optimum
	Reason            string  // why the fit stopped
	// Separable reports whether the likelihood has no maximum, because it keeps growing as w grows. In
	// Logistic and Probit fits, this means that the classes are separable. FitGLM and FitLabelFlip
	// describe further cases.
	Separable bool
	Direction []float64 // if Separable is true, a unit vector of weights along which the likelihood never falls
	// Infinite is the result of InfiniteWeights for a Separable logistic or probit fit. It reports
	// which weights are infinite. Infinite is nil for other fits, for dependent columns, if Φ has
	// more than 2048 entries, and if the exact proof would take too long. In the last two cases the
	// caller can call InfiniteWeights and set Infinite. The printed table shows ±∞ for infinite weights.
	Infinite []int
	Trace    Trace // the iterates from the start to W
}

var errNoEstimate = errors.New("the model has no weights: create the model with its Fit function")

// Activations returns a_n = wᵀφ_n for each row of x. Errors: x with a different number of
// columns than in the fit, NaN or Inf, an unfitted model.
func (m *Estimate) Activations(x mat.Matrix) ([]float64, error) {
	if m.classes() == 0 {
		return nil, failure("Activations", errNoEstimate)
	}
	s, err := linearScores(x, [][]float64{m.W})
	if err != nil {
		return nil, failure("Activations", err)
	}
	return s.RawMatrix().Data, nil
}

// writePairs fills dst, an N×2 matrix. Each row contains the two numbers that the link l computes
// from the activation of the row.
func (m *Estimate) writePairs(dst *mat.Dense, x mat.Matrix, l predictionLink) error {
	if m.classes() == 0 {
		return failure("Activations", errNoEstimate)
	}
	if err := linearTo(dst, x, [][]float64{m.W}, l); err != nil {
		return failure("Activations", err)
	}
	return nil
}

// pairs returns an N×2 matrix. Each row contains the two numbers that the link l computes from the
// activation of the row.
func (m *Estimate) pairs(x mat.Matrix, l predictionLink) (*mat.Dense, error) {
	if m.classes() == 0 {
		return nil, failure("Activations", errNoEstimate)
	}
	dst, err := newPrediction(x, 2, func(dst *mat.Dense) error { return linearTo(dst, x, [][]float64{m.W}, l) })
	if err != nil {
		return nil, failure("Activations", err)
	}
	return dst, nil
}

// classes returns 2 for a fitted model and 0 for an unfitted model.
func (m *Estimate) classes() int {
	if m == nil || len(m.W) == 0 {
		return 0
	}
	return 2
}

// predict returns 0 (C₁) for rows with a ≥ 0 and 1 (C₂) for rows with a < 0.
func (m *Estimate) predict(x mat.Matrix) ([]int, error) {
	if m.classes() == 0 {
		return nil, failure("Activations", errNoEstimate)
	}
	class, err := linearClasses(x, [][]float64{m.W})
	if err != nil {
		return nil, failure("Activations", err)
	}
	return class, nil
}

// newProblem checks the options of a fit with a single weight vector and sets up the problem.
func newProblem(in *check.Data, l glm.Loss, o LogisticOptions) (*solve.Problem, error) {
	_, d := in.Src.Dims()
	jeffreys := l == glm.Loss(glm.CrossEntropy{}) && isJeffreys(o.Prior)
	var prior *glm.Gaussian
	var err error
	if !jeffreys {
		prior, err = resolvePrior(o.Prior, d+1)
	}
	if err != nil {
		return nil, err
	}
	start, err := o.complete(d + 1)
	if err != nil {
		return nil, err
	}
	p := solve.NewProblem(in.Src, in.Cols, in.T, l, prior)
	if jeffreys {
		if _, newton := solverOf(o.Solver).(solve.Newton); !newton {
			return nil, fmt.Errorf("option Solver is %T: Jeffreys' prior needs Newton{}", o.Solver)
		}
		if err := p.UseJeffreys(); err != nil {
			return nil, err
		}
	}
	p.Start, p.MaxIt, p.Tol, p.MayChangeStart = p.Coord.Inner(start), o.MaxIterations, o.Tolerance,
		o.Start == nil && !jeffreys
	return p, nil
}

// fitTwoClass fits a convex loss to targets in [0,1]. If `prepare` is not nil, fitTwoClass calls it
// to complete the problem.
func fitTwoClass(function string, s Source, l glm.Loss, o LogisticOptions, prepare func(*solve.Problem)) (*Estimate,
	error) {
	d := requirements{weights: o.Weights, solver: o.Solver, inspects: true}
	return fitFrom(function, s, d, func(in *check.Data) (*Estimate, error) {
		if in.Cols == nil {
			if m := fitEarly(in, l, o, prepare); m != nil {
				return m, nil
			}
			if err := in.Inspect(); err != nil {
				return nil, err
			}
		}
		return fitConvex(in, l, o, prepare)
	})
}

// fitEarly is fitConvex without the pass that inspects the columns of all rows before the fit. It
// returns nil if the fit needs this pass, or if any error occurs. fitTwoClass then inspects the
// columns, fits again and reports the error.
func fitEarly(in *check.Data, l glm.Loss, o LogisticOptions, prepare func(*solve.Problem)) *Estimate {
	if _, newton := o.Solver.(Newton); o.Start != nil || o.Solver != nil && !newton || isJeffreys(o.Prior) {
		return nil
	}
	if in.Cols = block.InspectSome(in.Src); in.Cols.BadRow >= 0 {
		return nil
	}
	m, err := fitConvex(in, l, o, func(p *solve.Problem) {
		if p.FromSample = true; prepare != nil {
			prepare(p)
		}
	})
	if err != nil {
		return nil
	}
	return m
}

// errEarly means that the internal coordinates, which were computed from a sample of the rows, are
// unsuitable for all rows.
var errEarly = errors.New("the sample does not represent all rows")

// fitConvex performs the fit for fitTwoClass. The caller must have checked the data and inspected
// the columns.
func fitConvex(in *check.Data, l glm.Loss, o LogisticOptions, prepare func(*solve.Problem)) (*Estimate, error) {
	f, err := newProblem(in, l, o)
	if err != nil {
		return nil, err
	}
	if f.Prior == nil && !f.Jeffreys || f.Prior != nil && f.Prior.Free {
		if err := check.OneClass(in.Targets()); err != nil {
			return nil, err
		}
	}
	if prepare != nil {
		prepare(f)
	}
	path := solverOf(o.Solver).Solve(f)
	if path == nil {
		return nil, errEarly
	}
	m, err := resultOf(f, path)
	if err != nil {
		return nil, err
	}
	m.NullLogLikelihood = glm.BernoulliNull(in.Targets(), in.Src.Weights(), in.Src.Total())
	if n, d := in.Src.Dims(); m.Separable && f.Rank == nil && n*(d+1) <= infiniteSize {
		m.Infinite = infiniteOf(f, &existence.Budget{Products: infiniteProducts})
	}
	return m, nil
}

// resultOf converts the iterates of the solver to the results of the fit. The resulting weights
// multiply the unscaled columns of x.
func resultOf(f *solve.Problem, path *solve.Path) (*Estimate, error) {
	_, d := f.Src.Dims()
	w := f.FinalWeights(path)
	m := &Estimate{
		W: w, N: wholeRows(f.Src.Total()), SumWeights: f.Src.Total(), Rank: d + 1,
		Iterations: path.Trace[len(path.Trace)-1].Iteration,
		Converged:  path.Converged, Reason: path.Reason, Trace: traceOf(path.Trace),
	}
	if err := check.Vector("w", m.W, d+1, "weights"); err != nil {
		return nil, fmt.Errorf("the weights are not finite numbers (%w): choose other units for x", err)
	}
	e, h := f.At(path)
	f.Prior.AddPrecision(h)
	m.HasPrior, m.Penalty = f.Prior != nil, f.Prior.Value(m.W)
	if f.Jeffreys {
		m.HasPrior, m.Penalty = true, f.Penalty(path)
	}
	m.LogLikelihood, m.E, m.Hessian = -e, e+m.Penalty, h
	if !linalg.Finite(m.Hessian) || math.IsInf(m.E, 0) || math.IsNaN(m.E) {
		return nil, errors.New("the objective at W or its Hessian overflows in the units of x: choose other units for x")
	}
	if path.Direction != nil {
		m.Separable = true
		m.Direction = f.Outer(path.Direction)
		floats.Scale(1/floats.Norm(m.Direction, 2), m.Direction)
	}
	if f.Rank != nil {
		m.Rank = f.Rank.R
		m.Reason += "; " + f.Rank.Describe(f.Cols)
	}
	if m.Converged && f.Rank == nil && path.Quad != nil {
		m.Covariance = f.Covariance(path.Quad)
		if !linalg.Finite(m.Covariance) {
			return nil, errors.New("the covariance of the weights overflows: choose other units for x")
		}
	}
	return m, nil
}

// DegreesOfFreedom returns the number of adjustable weights, D+1 (PRML 4.3.2). This number grows
// linearly with D, whereas Gaussian class densities need D(D+5)/2 + 1 parameters. If
// the columns of Φ are dependent and the fit has no prior, the number is the rank of Φ.
//
// Equations: Gambosi (degrees-logistic).
func (m *Estimate) DegreesOfFreedom() int { return m.Rank }

// Deviance returns −2 ln p(t|W).
func (m *Estimate) Deviance() float64 { return -2 * m.LogLikelihood }

// AIC returns Akaike's criterion −2 ln p(t|W) + 2M, where M is DegreesOfFreedom; smaller is better.
// PRML (1.73) is −½ times the AIC.
func (m *Estimate) AIC() float64 { return m.Deviance() + 2*float64(m.DegreesOfFreedom()) }

// BIC returns −2 ln p(t|W) + M ln N; smaller is better. PRML (4.139) is −½ times the BIC.
//
// Equations: PRML (4.139).
func (m *Estimate) BIC() float64 {
	return m.Deviance() + float64(m.DegreesOfFreedom())*math.Log(sumOr(m.SumWeights, m.N))
}

// StandardErrors returns the standard errors of the weights, which are the square roots of the
// diagonal of Covariance. It returns an error if the fit has no covariance.
func (m *Estimate) StandardErrors() ([]float64, error) {
	if err := m.hasCovariance(); err != nil {
		return nil, failure("StandardErrors", err)
	}
	se := make([]float64, len(m.W))
	for i := range se {
		se[i] = math.Sqrt(m.Covariance.At(i, i))
	}
	return se, nil
}

// Wald returns z = w/se and p = 2Φ(−|z|) for each weight, where se is the standard error. If the
// true weight is 0, p is approximately the probability of an even larger |z|. Wald returns an error
// if the fit has no covariance.
func (m *Estimate) Wald() (z, p []float64, err error) {
	se, err := m.StandardErrors()
	if err != nil {
		return nil, nil, err
	}
	z, p = make([]float64, len(se)), make([]float64, len(se))
	for i, s := range se {
		z[i] = m.W[i] / s
		p[i] = 2 * kernels.NormCDF(-math.Abs(z[i]))
	}
	return z, p, nil
}

// ActivationErrors returns the standard error √(φᵀ·Covariance·φ) of the activation of each
// row of x. The square of this error is σ_a² of PRML (4.150). Errors: a fit without a covariance, a
// covariance that is not positive definite in double precision, x with a different number of columns
// than in the fit, NaN or Inf in x.
//
// Equations: PRML (4.150).
func (m *Estimate) ActivationErrors(x mat.Matrix) ([]float64, error) {
	if err := m.hasCovariance(); err != nil {
		return nil, failure("ActivationErrors", err)
	}
	f, err := m.covarianceForms()
	if err != nil {
		return nil, failure("ActivationErrors", err)
	}
	s, err := linearScores(x, f)
	if err != nil {
		return nil, failure("ActivationErrors", err)
	}
	n, _ := s.Dims()
	out := make([]float64, n)
	for i := range out {
		out[i] = mat.Norm(s.RowView(i), 2)
	}
	return out, nil
}

// covarianceForms returns the coefficients of linear functions of φ. The squares of these functions
// add up to φᵀCφ, where C is the covariance. The sum is written as squares because a sum of squares
// is never negative. If a factor F with C = FFᵀ can be computed, the functions are Fᵀφ. If columns
// are far from 0, C may be too inaccurate to compute F. The functions are then 1/√A_00 and R(x−c),
// where A is the Hessian. RᵀR is the block of C without the bias, and c is A_x0/A_00. Without a
// prior, c is the mean of x weighted by the curvature. Completing the square in φᵀA⁻¹φ shows that
// these squares also add up to φᵀCφ.
func (m *Estimate) covarianceForms() ([][]float64, error) {
	n := len(m.W)
	r, pivot := linalg.Cholesky(m.Covariance.At, n)
	square := m.Hessian != nil && m.Hessian.SymmetricDim() == n // true if the model has no parameters besides the weights
	var f [][]float64
	if r != nil && (pivot >= minRelativePivot || !square) {
		for i := range n {
			f = append(f, r.A[i*n:(i+1)*n])
		}
		return f, nil
	}
	if square {
		r, _ = linalg.Cholesky(func(i, j int) float64 { return m.Covariance.At(i+1, j+1) }, n-1)
	}
	if r == nil || !square {
		return nil, errors.New("the covariance is not positive definite in double precision: standardise the columns of x")
	}
	a := m.Hessian.At(0, 0)
	f = append(f, make([]float64, n))
	f[0][0] = 1 / math.Sqrt(a)
	for i := range n - 1 {
		row := append([]float64{0}, r.A[i*r.N:(i+1)*r.N]...)
		for j, v := range row[1:] {
			row[0] -= v * (m.Hessian.At(0, j+1) / a)
		}
		f = append(f, row)
	}
	return f, nil
}

// Intervals returns for each weight the interval w ± z·se, where se is the standard error. The
// probability that the interval contains the true weight is approximately `level`. For example, a
// level of 0.95 means z = 1.96. Intervals returns an error if the level is not between 0 and 1 or
// if the fit has no covariance.
func (m *Estimate) Intervals(level float64) (lo, hi []float64, err error) {
	if err := checkLevel(level); err != nil {
		return nil, nil, failure("Intervals", err)
	}
	se, err := m.StandardErrors()
	if err != nil {
		return nil, nil, err
	}
	z := distuv.UnitNormal.Quantile(0.5 + level/2)
	lo, hi = make([]float64, len(se)), make([]float64, len(se))
	for i, s := range se {
		lo[i], hi[i] = m.W[i]-z*s, m.W[i]+z*s
	}
	return lo, hi, nil
}

func (m *Estimate) hasCovariance() error {
	if m.Covariance != nil {
		return nil
	}
	return noCovariance(m.Separable, m.Converged, m.Reason)
}

// noCovariance returns an error that explains why the fit has no covariance.
func noCovariance(separable, converged bool, reason string) error {
	switch {
	case separable:
		return errors.New("the likelihood has no maximum (for example because the classes are separable), so the fit has no covariance; " +
			"use a Prior (FitLogistic also accepts Jeffreys); InfiniteWeights reports the infinite weights of FitLogistic and FitProbit")
	case !converged:
		return errors.New("the fit has not converged and has no covariance: " + reason)
	}
	return errors.New("the fit has converged but has no covariance: " + reason)
}

// unknownPenalty is the Estimate of a model before Load reads a file into the model. A file of version
// 0.1 does not store the penalty, so Penalty is still NaN when checkSizes runs.
var unknownPenalty = Estimate{Penalty: math.NaN()}

// checkSizes checks the sizes of all fields. The Hessian and the covariance must have one row for
// each weight, and `extra` more rows. For a file of version 0.1, checkSizes also sets HasPrior and
// Penalty.
func (m *Estimate) checkSizes(extra int) error {
	s, n := sizeChecker{}, len(m.W)
	s.checkWeights("w", n)
	s.checkVector("direction", m.Direction, n)
	if m.Infinite != nil {
		s.requireLength("infinite", len(m.Infinite), n)
	}
	s.checkMatrix("hessian", m.Hessian, n+extra, n+extra)
	s.checkMatrix("covariance", m.Covariance, n+extra, n+extra)
	s.checkTrace(m.Trace, n)
	penaltyOf(&m.HasPrior, &m.Penalty, m.E, m.LogLikelihood)
	return s.err
}
