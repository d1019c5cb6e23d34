package classify

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/glm"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/linalg"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/solve"
)

var (
	_ Predictor = (*Softmax)(nil)
	_ Scorer    = (*Softmax)(nil)
	_ Prober    = (*Softmax)(nil)
)

// SoftmaxOptions of FitSoftmax. The zero value is maximum likelihood.
type SoftmaxOptions struct {
	// Prior over the weights of all K classes; nil is none (maximum likelihood).
	// Isotropic treats every class alike. A Gaussian has K·(D+1) entries, class
	// after class, bias first in each.
	Prior Prior
	// Weights says how often each row counts; nil is once (see the package comment).
	Weights []float64
	// Start is the first iterate, (D+1)×K; nil is 0, and for Newton with 50 000 rows or
	// more about the optimum of a sample of them.
	Start *mat.Dense
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

// Softmax is multiclass logistic regression, PRML 4.3.4,
//
//	p(C_k|x) = y_k = exp(a_k)/Σ_j exp(a_j),  a_k = w_kᵀφ,  φ = (1, x)  (4.104, 4.105),
//
// with W minimising E(W) = −Σ_n Σ_k t_nk ln y_nk (4.108) plus the prior's penalty.
//
// The same vector added to every w_k changes no y. So the Hessian is positive
// semidefinite, not definite as PRML says after (4.110) (erratum P2), whose minus
// sign is a misprint too (erratum P1): D+1 of its eigenvalues are 0, and the minimum is a family. Of it,
// W is the member with Σ_k w_k = 0; Reference gives the one in which a class has
// weights 0 (Alpaydin 10.25). An isotropic prior leads to Σ_k w_k = 0 by itself.
//
// Equations: PRML (4.104), (4.105), (4.108), (4.110); Alpaydin (10.29)–(10.31).
type Softmax struct {
	Names
	W             *mat.Dense // (D+1)×K, row 0 the biases
	E             float64    // the objective at W
	LogLikelihood float64    // ln p(T|W)
	HasPrior      bool       // the fit had a prior
	Penalty       float64    // its part of E, ½(w−m0)ᵀS0⁻¹(w−m0); 0 without
	// Hessian is ∇∇E at W with the prior's precision, K(D+1) square: block (j,k)
	// is Σ_n y_nk(I_kj − y_nj)φ_nφ_nᵀ.
	Hessian *mat.SymDense
	// Covariance of all weights, class after class, K(D+1) square. With a prior on
	// all weights it is the inverse Hessian, S_N of the Laplace approximation; else
	// the asymptotic covariance of W with Σ_k w_k = 0, of lower rank. Nil if there
	// is no optimum or Φ has dependent columns.
	Covariance        *mat.SymDense
	NullLogLikelihood float64    // ln p(T) of biases alone, by maximum likelihood
	N                 int        // rows of the fit: the sum of their weights, rounded
	SumWeights        float64    // that sum; 0 in a model from a file that does not tell it
	Rank              int        // of Φ, or D+1 with a prior
	Iterations        int        // steps taken
	Converged         bool       // W is the optimum
	Reason            string     // why the fit stopped
	Separable         bool       // the maximum does not exist: some classes are (quasi-)separable
	Direction         *mat.Dense // if Separable: (D+1)×K of norm 1; in every row d_tᵀφ ≥ d_kᵀφ for the class t
	Trace             Trace      // the iterates, the start first; Step.W is class after class
}

// FitSoftmax fits softmax regression to inputs x (N×D) with labels 0…k−1.
//
// It minimises over all K(D+1) weights together (Newton by default). If no
// maximum of the likelihood exists because hyperplanes separate some classes,
// with or without rows on them, the model is an iterate that can be used and
// plotted, with Separable set, the Direction, and a Reason that says so. A Prior
// on all weights makes the optimum exist always. Dependent columns are treated
// as by FitLogistic.
//
// Errors: shapes that do not agree, NaN or Inf, labels out of range, a class
// without rows unless a prior holds its bias, a bad prior. With k = 2 the model
// is FitLogistic's, w = w_1 − w_2.
//
// Equations: PRML (4.104)–(4.110); Alpaydin (10.29)–(10.33).
func FitSoftmax(x mat.Matrix, labels []int, k int, o SoftmaxOptions) (*Softmax, error) {
	m, err := fitSoftmaxLabels(x, labels, k, o)
	if err != nil {
		return nil, weightedFailure("FitSoftmax", o.Weights, err)
	}
	return m, nil
}

// FitSoftmaxTargets is FitSoftmax for N×K targets: t_nk is the probability that
// row n has class k, as the labels of several judges give (compare PRML exercise
// 4.16). Each row must be non-negative and sum to 1 within 1e-9. Other rows are
// errors, and so is what FitSoftmax refuses.
//
// Equations: PRML (4.107), (4.108); Alpaydin (10.29)–(10.33).
func FitSoftmaxTargets(x, t mat.Matrix, o SoftmaxOptions) (*Softmax, error) {
	m, err := fitSoftmaxTargets(x, t, o)
	if err != nil {
		return nil, weightedFailure("FitSoftmaxTargets", o.Weights, err)
	}
	return m, nil
}

func fitSoftmaxLabels(x mat.Matrix, labels []int, k int, o SoftmaxOptions) (*Softmax, error) {
	x, labels, err := weigh(x, labels, o.Weights)
	if err != nil {
		return nil, err
	}
	src, cols, err := check.Inputs(x)
	if err != nil {
		return nil, err
	}
	t, err := glm.SoftmaxLabels(labels, src, k)
	if err != nil {
		return nil, err
	}
	return fitSoftmax(src, cols, t, o, nil)
}

func fitSoftmaxTargets(x, targets mat.Matrix, o SoftmaxOptions) (*Softmax, error) {
	x, targets, err := weighMatrix(x, targets, o.Weights)
	if err != nil {
		return nil, err
	}
	src, cols, err := check.Inputs(x)
	if err != nil {
		return nil, err
	}
	t, err := glm.SoftmaxTargets(targets, src)
	if err != nil {
		return nil, err
	}
	return fitSoftmax(src, cols, t, o, nil)
}

// fitSoftmax does the fit, with the weights of src; extra, if not nil, makes the prior in place of
// o.Prior (see Quadratic).
func fitSoftmax(src *block.Source, cols *block.Columns, t *glm.ClassTargets, o SoftmaxOptions, extra *glm.Gaussian) (*Softmax, error) {
	_, d := src.Dims()
	prior := extra
	if o.Prior != nil {
		var err error
		if prior, err = softmaxPrior(o.Prior, d+1, t.K); err != nil {
			return nil, err
		}
	}
	share := t.Totals(src)
	if prior == nil || prior.Free {
		if err := glm.NoEmptyClass(share); err != nil {
			return nil, err
		}
	}
	start, err := o.complete(d+1, t.K)
	if err != nil {
		return nil, err
	}
	p := solve.NewSoftmaxProblem(src, cols, t, prior)
	p.Start, p.MaxIt, p.Tol, p.Warm = p.Coord.Inner(start), o.MaxIterations, o.Tolerance, o.Start == nil
	way := o.Solver.engine().Solve(p)

	w := p.Returned(way)
	if err := check.Vector("w", w, len(w), "weights"); err != nil {
		return nil, fmt.Errorf("the weights cannot be represented (%w): choose other units for x", err)
	}
	m := &Softmax{
		W: byClass(w, t.K), N: wholeRows(src.Total()), SumWeights: src.Total(), Rank: d + 1,
		Iterations: way.Trace[len(way.Trace)-1].Iteration, Converged: way.Converged, Reason: way.Reason, Trace: traceOf(way.Trace),
	}
	e, h := p.At(way)
	prior.AddPrecision(h)
	m.HasPrior, m.Penalty = prior != nil, prior.Value(w)
	m.LogLikelihood, m.E, m.Hessian = -e, e+m.Penalty, h
	if !linalg.Finite(m.Hessian) {
		return nil, errors.New("the Hessian overflows: choose other units for x")
	}
	for _, v := range share {
		if v > 0 {
			m.NullLogLikelihood += v * math.Log(v/src.Total())
		}
	}
	if way.Direction != nil {
		m.Separable = true
		m.Direction = byClass(p.Outer(way.Direction), t.K)
		m.Direction.Scale(1/mat.Norm(m.Direction, 2), m.Direction)
	}
	deficient := p.Rank != nil && p.Rank.Dependent != nil
	if deficient {
		m.Rank = p.Rank.R / (t.K - 1)
		m.Reason += "; " + p.Rank.Describe(cols)
	}
	if m.Converged && way.Quad != nil && !deficient {
		m.Covariance = p.SoftmaxCovariance(way.Quad)
		if !linalg.Finite(m.Covariance) {
			return nil, errors.New("the covariance of the weights overflows: choose other units for x")
		}
	}
	return m, nil
}

// complete fills in the defaults and returns the starting weights.
func (o *SoftmaxOptions) complete(m, k int) ([]float64, error) {
	if err := completeSolver(&o.Solver, &o.MaxIterations, &o.Tolerance, m-1, k); err != nil {
		return nil, err
	}
	if o.Start == nil {
		return make([]float64, m*k), nil
	}
	if r, c := o.Start.Dims(); r != m || c != k {
		return nil, fmt.Errorf("Start is %d×%d, needed is %d×%d (the bias and one row per column of x, one column per class)", r, c, m, k)
	}
	start := classAfterClass(o.Start)
	return start, check.Vector("Start", start, m*k, "class after class")
}

// byClass returns (D+1)×K from weights class after class.
func byClass(w []float64, k int) *mat.Dense {
	m := len(w) / k
	out := mat.NewDense(m, k, nil)
	for j := range k {
		out.SetCol(j, w[j*m:(j+1)*m])
	}
	return out
}

// classAfterClass is the inverse of byClass.
func classAfterClass(w *mat.Dense) []float64 {
	_, k := w.Dims()
	var out []float64
	for j := range k {
		out = append(out, mat.Col(nil, j, w)...)
	}
	return out
}
