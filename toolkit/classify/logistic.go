package classify

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/kernels"
)

var (
	_ Predictor = (*Logistic)(nil)
	_ Scorer    = (*Logistic)(nil)
	_ Prober    = (*Logistic)(nil)
)

// LogisticOptions of FitLogistic. The zero value is maximum likelihood.
type LogisticOptions struct {
	// Prior over the weights; nil is none (maximum likelihood).
	Prior Prior
	// Start is the first iterate, bias first, D+1 entries; nil is 0.
	Start []float64
	// MaxIterations bounds the iterations; 0 is 100 for Newton, more for solvers
	// that need more.
	MaxIterations int
	// Tolerance is the length of the Newton step, counted in standard errors of
	// the weights, at which the fit has converged, if the step is as short beside
	// the weights and every activation too, 1e-8 of them or Tolerance if that is
	// more; 0 is 1e-10.
	Tolerance float64
	// Solver is the way to the optimum; nil is Newton{}.
	Solver Solver
}

// Logistic is the logistic regression model of PRML 4.3.2,
//
//	p(C₁|x) = y = σ(a),  a = wᵀφ,  φ = (1, x)  (4.87),
//
// with w minimising E(w) = −Σ_n {t_n ln y_n + (1−t_n) ln(1−y_n)} (4.90), plus
// ½(w−m0)ᵀS0⁻¹(w−m0) under a Gaussian prior (4.142).
//
// It wants classes that overlap. Alpaydin 10.7.2 has it used "as long as classes
// are linearly separable": that is where the weights are not finite, see Separable.
//
// The sign of w_j says in which direction x_j works. Its size is the importance of
// x_j, as Alpaydin 10.1 has it, only among columns in comparable units: x_j in
// metres has 1000 times the weight of x_j in millimetres.
type Logistic struct {
	W             []float64     // w0, w1 … wD
	E             float64       // the objective at W
	LogLikelihood float64       // ln p(t|W)
	HasPrior      bool          // the fit had a prior
	Penalty       float64       // its part of E, ½(W−m0)ᵀS0⁻¹(W−m0); 0 without
	Hessian       *mat.SymDense // ∇∇E at W, (4.97) and the prior's precision
	// Covariance is the inverse Hessian: the asymptotic covariance of the
	// maximum-likelihood estimate, or S_N of the Laplace approximation (4.143,
	// whose right-hand side is the inverse of what it says). Nil if there is no
	// optimum or Φ has dependent columns.
	Covariance        *mat.SymDense
	NullLogLikelihood float64   // ln p(t) of a bias alone, by maximum likelihood
	N                 int       // rows of the fit
	Rank              int       // of Φ, or D+1 with a prior
	Iterations        int       // steps taken
	Converged         bool      // W is the optimum
	Reason            string    // why the fit stopped
	Separable         bool      // the maximum does not exist: the classes are (quasi-)separable
	Direction         []float64 // if Separable: d of length 1 with dᵀφ ≥ 0 for t = 1 and ≤ 0 for t = 0
	Trace             Trace     // the iterates, the start first
}

// FitLogistic fits a two-class logistic regression to inputs x (N×D) and targets
// t in [0,1], t = 1 meaning C₁; a target between 0 and 1 is the probability that
// it is 1 (PRML exercise 4.16).
//
// If no maximum of the likelihood exists because a hyperplane separates the
// classes, with or without rows on it, the model returned is an iterate that can
// be used and plotted, with Separable set, the Direction, and a Reason that says
// so. Where the iterates do not prove either, exact arithmetic decides, as long as
// the size of the data allows. A Prior makes the optimum exist always.
//
// Converged says that W is the optimum: the Newton step left is at most 1e-8
// standard errors long, and short beside the weights and the activations, unless
// Tolerance is larger. A weak prior or a row far out on its right side leaves an
// exponential tail before the optimum, along which the step is short in standard
// errors long before its end; Newton crosses it.
//
// Dependent columns (a constant one, duplicates, more columns than rows) are no
// error: the activations are unique, and of all weights that give them W is the
// shortest; Reason names the columns and Covariance is nil.
//
// Errors: shapes that do not agree, NaN or Inf, targets outside [0,1], targets
// of a single class without a prior on the bias, a bad prior.
func FitLogistic(x mat.Matrix, t []float64, o LogisticOptions) (*Logistic, error) {
	m, err := fitLogistic(x, t, o)
	if err != nil {
		return nil, failure("FitLogistic", err)
	}
	return m, nil
}

func fitLogistic(x mat.Matrix, t []float64, o LogisticOptions) (*Logistic, error) {
	src, cols, err := check.Inputs(x)
	if err != nil {
		return nil, err
	}
	n, d := src.Dims()
	if err := check.Targets(t, n); err != nil {
		return nil, err
	}
	prior, err := resolvePrior(o.Prior, d+1)
	if err != nil {
		return nil, err
	}
	if prior == nil || prior.free {
		if err := check.OneClass(t); err != nil {
			return nil, err
		}
	}
	start, err := o.complete(d + 1)
	if err != nil {
		return nil, err
	}
	p := newProblem(src, cols, t, crossEntropy{}, prior)
	p.start, p.maxIt, p.tol = p.coord.inner(start), o.MaxIterations, o.Tolerance
	way := o.Solver.solve(p)

	m := &Logistic{
		W: p.outer(way.w), N: n, Rank: d + 1,
		Iterations: way.trace[len(way.trace)-1].Iteration, Converged: way.converged, Reason: way.reason, Trace: way.trace,
	}
	if err := check.Vector("w", m.W, d+1, "weights"); err != nil {
		return nil, fmt.Errorf("the weights cannot be represented (%w): choose other units for x", err)
	}
	m.measure(src, t, p, prior)
	if !finite(m.Hessian) {
		return nil, errors.New("the Hessian overflows: choose other units for x")
	}
	if way.direction != nil {
		m.Separable = true
		m.Direction = p.outer(way.direction)
		floats.Scale(1/floats.Norm(m.Direction, 2), m.Direction)
	}
	if p.rank != nil {
		m.Rank = p.rank.r
		m.Reason += "; " + p.rank.describe(cols)
	}
	if m.Converged && p.rank == nil {
		m.Covariance = p.covariance(way.quad)
		if !finite(m.Covariance) {
			return nil, errors.New("the covariance of the weights overflows: choose other units for x")
		}
	}
	return m, nil
}

// finite reports whether all elements are finite numbers.
func finite(s *mat.SymDense) bool {
	n := s.SymmetricDim()
	for i := range n {
		for j := i; j < n; j++ {
			if v := s.At(i, j); math.IsNaN(v) || math.IsInf(v, 0) {
				return false
			}
		}
	}
	return true
}

// complete fills in the defaults and returns the starting weights.
func (o *LogisticOptions) complete(m int) ([]float64, error) {
	if err := completeSolver(&o.Solver, &o.MaxIterations, &o.Tolerance, m-1, 2); err != nil {
		return nil, err
	}
	if o.Start == nil {
		return make([]float64, m), nil
	}
	return o.Start, check.Vector("Start", o.Start, m, "the bias and one per column of x")
}

// measure fills in the numbers of the fit at W, in the units of x.
func (m *Logistic) measure(src *block.Source, t []float64, p *problem, prior *gaussian) {
	o := &Objective{glm: newGLM(block.NewDesign(src, nil, nil), t, crossEntropy{}), prior: prior}
	ev := o.glm.evaluate(m.W, withGram)
	m.LogLikelihood = -ev.e
	m.HasPrior, m.Penalty = prior != nil, prior.value(m.W)
	m.E = ev.e + m.Penalty
	m.Hessian = o.hessian(ev)
	var share, rest float64
	for _, v := range t {
		share += v
		rest += 1 - v
	}
	for _, s := range []float64{share, rest} {
		if s > 0 {
			m.NullLogLikelihood += s * kernels.LogSigmoid(kernels.Logit(s/float64(len(t))))
		}
	}
}

// covariance returns the inverse Hessian in the coordinates of w: B·R⁻¹(B·R⁻¹)ᵀ.
func (p *problem) covariance(q *quadratic) *mat.SymDense {
	f := p.coord.columns(q.r.inverse())
	c := mat.NewSymDense(p.glm.m, nil)
	for i := range p.glm.m {
		for j := i; j < p.glm.m; j++ {
			c.SetSym(i, j, dot(f.RawRowView(i), f.RawRowView(j)))
		}
	}
	return c
}

// Activations returns a_n = wᵀφ_n for each row of x; a > 0 is the side of C₁.
// Errors: x with other columns than the fit, NaN or Inf, a model without a fit.
func (m *Logistic) Activations(x mat.Matrix) ([]float64, error) {
	s, err := m.activations(x)
	if err != nil {
		return nil, err
	}
	return mat.Col(nil, 0, s), nil
}

func (m *Logistic) activations(x mat.Matrix) (*mat.Dense, error) {
	if m == nil || len(m.W) == 0 {
		return nil, failure("Logistic", errors.New("the model has no weights: make it with FitLogistic"))
	}
	s, err := linearScores(x, [][]float64{m.W})
	if err != nil {
		return nil, failure("Logistic", err)
	}
	return s, nil
}

// Scores returns N×2: the activations a and 0.
func (m *Logistic) Scores(x mat.Matrix) (*mat.Dense, error) {
	return m.pair(x, func(a float64) (float64, float64) { return a, 0 })
}

// Posterior returns N×2: p(C₁|x) = σ(a) and p(C₂|x) = σ(−a), each to full
// relative accuracy.
func (m *Logistic) Posterior(x mat.Matrix) (*mat.Dense, error) {
	return m.pair(x, func(a float64) (float64, float64) { return kernels.Sigmoid(a), kernels.Sigmoid(-a) })
}

func (m *Logistic) pair(x mat.Matrix, f func(a float64) (float64, float64)) (*mat.Dense, error) {
	s, err := m.activations(x)
	if err != nil {
		return nil, err
	}
	n, _ := s.Dims()
	out := mat.NewDense(n, 2, nil)
	for i := range n {
		u, v := f(s.At(i, 0))
		out.SetRow(i, []float64{u, v})
	}
	return out, nil
}

// Predict returns 0 (C₁) for rows with a ≥ 0 and 1 (C₂) for the others.
func (m *Logistic) Predict(x mat.Matrix) ([]int, error) {
	s, err := m.Scores(x)
	if err != nil {
		return nil, err
	}
	return largest(s), nil
}
