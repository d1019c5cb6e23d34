package classify

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/codec"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/glm"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/linalg"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/solve"
)

var (
	_ Predictor   = (*Softmax)(nil)
	_ Scorer      = (*Softmax)(nil)
	_ Prober      = (*Softmax)(nil)
	_ linearModel = (*Softmax)(nil)
)

// SoftmaxOptions are the options of FitSoftmax. The zero value means maximum likelihood.
type SoftmaxOptions struct {
	// Prior is the prior over the weights of all K classes; nil means maximum likelihood. Isotropic
	// is the same prior for every class. The mean and the covariance of a Gaussian refer to K·(D+1)
	// weights, class after class, with the bias first in each class.
	Prior Prior
	// Weights says how often each row counts; nil counts each row once (see the package
	// comment).
	Weights []float64
	// Start is the initial W, (D+1)×K; nil means 0. If Start and Prior are nil and 50 000 rows or more
	// are in memory, the solver Newton first fits a sample of the rows, and starts from the weights of
	// this fit.
	Start *mat.Dense
	// MaxIterations is the maximum number of iterations; 0 means 100 for Newton and more for slower
	// solvers.
	MaxIterations int
	// Tolerance decides when the fit has converged; 0 means 1e-10. The length of the last Newton
	// step, in units of the standard errors of the weights, must be at most Tolerance. A length of up
	// to 1e-8 is also allowed if the last iteration did not halve the length, because rounding errors
	// then prevent shorter steps. The step must also change the weights and every activation only by
	// a relative amount of at most 1e-8 (or Tolerance, if Tolerance is larger).
	Tolerance float64
	// Solver is the solver that finds the optimum; nil means Newton{}.
	Solver Solver
}

// Softmax is multiclass logistic regression, PRML 4.3.4,
//
//	p(C_k|x) = y_k = exp(a_k)/Σ_j exp(a_j), a_k = w_kᵀφ, φ = (1, x) (4.104, 4.105),
//
// where W minimises E(W) = −Σ_n Σ_k t_nk ln y_nk (4.108) plus the prior's penalty.
//
// Adding the same vector to every w_k does not change y. At least D+1 eigenvalues of the Hessian
// (4.110) are therefore 0, and the Hessian is only positive semidefinite. PRML calls the Hessian
// positive definite (erratum P2), and the minus sign in (4.110) is a misprint (erratum P1). Because
// of the zero eigenvalues, E has many minima if there is no prior. W is then the minimum with Σ_k w_k
// = 0, and Reference returns the minimum in which a given class has weights 0 (Alpaydin 10.25). With
// an isotropic prior on all weights the only minimum has Σ_k w_k = 0.
//
// Equations: PRML (4.104), (4.105), (4.108), (4.110); Alpaydin (10.29)–(10.31).
type Softmax struct {
	Names
	W             *mat.Dense // (D+1)×K; row 0 contains the biases
	E             float64    // the objective at W
	LogLikelihood float64    // ln p(T|W)
	HasPrior      bool       // reports whether the fit had a prior
	Penalty       float64    // the penalty ½(w−m0)ᵀS0⁻¹(w−m0) that the prior adds to E; 0 without a prior
	// Hessian is ∇∇E at W, a K(D+1)×K(D+1) matrix. Its block (j,k) is Σ_n y_nk(I_kj − y_nj)φ_nφ_nᵀ,
	// plus the precision of the prior.
	Hessian *mat.SymDense
	// Covariance is the covariance of all weights, class after class, K(D+1)×K(D+1). With a prior
	// on all weights it is the inverse Hessian, S_N of the Laplace approximation. Without a prior it
	// is the asymptotic covariance of W under the condition Σ_k w_k = 0. With a prior that leaves out
	// the biases, this condition holds only for the biases. The condition makes Covariance singular.
	// Covariance is nil if W is not the optimum. Without a prior, it is also nil if Φ has dependent
	// columns.
	Covariance        *mat.SymDense
	NullLogLikelihood float64 // ln p(T) of the maximum-likelihood model whose only weights are the biases
	N                 int     // number of rows in the fit: the sum of the row weights, rounded
	// the sum of the row weights, not rounded; 0 for a model from a file without this sum
	SumWeights float64
	Rank       int    // rank of Φ, or D+1 with a prior
	Iterations int    // steps taken
	Converged  bool   // reports whether W is the optimum
	Reason     string // why the fit stopped
	// reports whether the fit has no optimum, because some classes are separable or quasi-separable; false with a prior
	Separable bool
	// if Separable is true, a (D+1)×K matrix of norm 1 with columns d_k; a row of class t has d_tᵀφ ≥ d_kᵀφ for all k
	Direction *mat.Dense
	Trace     Trace // the iterates from the start to W; Step.W contains the weights class after class
}

// FitSoftmax fits softmax regression to inputs x (N×D) with labels 0…k−1.
//
// FitSoftmax minimises E over all K(D+1) weights together (Newton by default). If hyperplanes
// separate some classes, the likelihood has no maximum, even if rows of these classes lie on the
// planes. FitSoftmax then sets Separable, Direction and Reason, and returns an iterate that can be
// used and plotted. With a Prior on all weights the optimum always exists. FitSoftmax treats
// dependent columns in the same way as FitLogistic. With k = 2 and without a prior, the model equals
// the model of FitLogistic, with w = w_1 − w_2.
//
// Errors: shapes that do not agree, NaN or Inf, labels out of range, an invalid prior or option.
// Unless a prior limits its bias, a class that has no rows or all rows is also an error.
//
// Equations: PRML (4.104)–(4.110); Alpaydin (10.29)–(10.33).
func FitSoftmax(x mat.Matrix, labels []int, k int, o SoftmaxOptions) (*Softmax, error) {
	return fitSoftmaxLabels("FitSoftmax", InMemory{X: x, Labels: labels, K: k}, o)
}

// FitSoftmaxFrom is like [FitSoftmax], but reads the rows from any source. It returns the errors of
// FitSoftmax. It also returns an error for a source that cannot be read, and for a source that
// cannot provide what the fit or its options need. The solvers Sequential and CoordinateAscent need
// the rows in memory.
//
// Equations: PRML (4.104)–(4.110).
func FitSoftmaxFrom(s Source, o SoftmaxOptions) (*Softmax, error) {
	return fitSoftmaxLabels("FitSoftmaxFrom", s, o)
}

// FitSoftmaxTargets fits the model of FitSoftmax to N×K targets. t_nk is the probability that row n
// belongs to class k, for example the share of annotators that chose class k (compare PRML exercise 4.16).
// Each row of targets must be non-negative and sum to 1 within 1e-9. FitSoftmaxTargets returns an
// error if a row of targets is invalid. It also returns the errors of FitSoftmax.
//
// Equations: PRML (4.107), (4.108); Alpaydin (10.29)–(10.33).
func FitSoftmaxTargets(x, t mat.Matrix, o SoftmaxOptions) (*Softmax, error) {
	m, err := fitSoftmaxTargets(x, t, o)
	if err != nil {
		return nil, weightedFailure("FitSoftmaxTargets", o.Weights, err)
	}
	return m, nil
}

func fitSoftmaxLabels(function string, s Source, o SoftmaxOptions) (*Softmax, error) {
	d := requirements{weights: o.Weights, solver: o.Solver, labels: true, oneClass: true}
	return fitFrom(function, s, d, func(in *check.Data) (*Softmax, error) {
		t, err := glm.SoftmaxLabels(in)
		if err != nil {
			return nil, err
		}
		return fitSoftmax(in.Src, in.Cols, t, o, nil)
	})
}

func fitSoftmaxTargets(x, targets mat.Matrix, o SoftmaxOptions) (*Softmax, error) {
	x, targets, err := weightedMatrix(x, targets, o.Weights)
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

// fitSoftmax fits the model with the row weights of src. The prior is o.Prior. If o.Prior is nil,
// the prior is the argument `extra` (see QuadraticLogisticOptions.prior).
func fitSoftmax(src *block.Source, cols *block.Columns, t *glm.ClassTargets, o SoftmaxOptions,
	extra *glm.Gaussian) (*Softmax, error) {
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
	p.Start, p.MaxIt, p.Tol, p.MayChangeStart = p.Coord.Inner(start), o.MaxIterations, o.Tolerance, o.Start == nil
	path := o.Solver.engine().Solve(p)

	w := p.FinalWeights(path)
	if err := check.Vector("w", w, len(w), "weights"); err != nil {
		return nil, fmt.Errorf("the weights are not finite numbers (%w): choose other units for x", err)
	}
	m := &Softmax{
		W: byClass(w, t.K), N: wholeRows(src.Total()), SumWeights: src.Total(), Rank: d + 1,
		Iterations: path.Trace[len(path.Trace)-1].Iteration, Converged: path.Converged, Reason: path.Reason,
		Trace: traceOf(path.Trace),
	}
	e, h := p.At(path)
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
	if path.Direction != nil {
		m.Separable = true
		m.Direction = byClass(p.Outer(path.Direction), t.K)
		m.Direction.Scale(1/mat.Norm(m.Direction, 2), m.Direction)
	}
	deficient := p.Rank != nil && p.Rank.Dependent != nil
	if deficient {
		m.Rank = p.Rank.R / (t.K - 1)
		m.Reason += "; " + p.Rank.Describe(cols)
	}
	if m.Converged && path.Quad != nil && !deficient {
		m.Covariance = p.SoftmaxCovariance(path.Quad)
		if !linalg.Finite(m.Covariance) {
			return nil, errors.New("the covariance of the weights overflows: choose other units for x")
		}
	}
	return m, nil
}

// complete checks the options, replaces zero options with their defaults, and returns the starting
// weights.
func (o *SoftmaxOptions) complete(m, k int) ([]float64, error) {
	if err := completeSolver(&o.Solver, &o.MaxIterations, &o.Tolerance, m-1, k); err != nil {
		return nil, err
	}
	if o.Start == nil {
		return make([]float64, m*k), nil
	}
	if r, c := o.Start.Dims(); r != m || c != k {
		return nil, fmt.Errorf("Start is %d×%d, want %d×%d (one row for the bias and one for each column of x, one column per class)", r, c, m, k)
	}
	start := classAfterClass(o.Start)
	return start, check.Vector("Start", start, m*k, "class after class")
}

// byClass converts the weights w, stored class after class, to a (D+1)×K matrix.
func byClass(w []float64, k int) *mat.Dense {
	m := len(w) / k
	out := mat.NewDense(m, k, nil)
	for j := range k {
		out.SetCol(j, w[j*m:(j+1)*m])
	}
	return out
}

// classAfterClass is the inverse function of byClass.
func classAfterClass(w *mat.Dense) []float64 {
	_, k := w.Dims()
	var out []float64
	for j := range k {
		out = append(out, mat.Col(nil, j, w)...)
	}
	return out
}

// DegreesOfFreedom returns (K−1)·Rank. Without a prior, this is the number of weights that the
// likelihood determines.
func (m *Softmax) DegreesOfFreedom() int {
	_, k := m.W.Dims()
	return m.Rank * (k - 1)
}

// Deviance returns −2 ln p(T|W).
func (m *Softmax) Deviance() float64 { return -2 * m.LogLikelihood }

// AIC returns −2 ln p(T|W) + 2M, where M is DegreesOfFreedom; smaller is better.
func (m *Softmax) AIC() float64 { return m.Deviance() + 2*float64(m.DegreesOfFreedom()) }

// BIC returns −2 ln p(T|W) + M ln N; smaller is better.
func (m *Softmax) BIC() float64 {
	return m.Deviance() + float64(m.DegreesOfFreedom())*math.Log(sumOr(m.SumWeights, m.N))
}

// SoftmaxReference is a softmax model in the form of Alpaydin (10.25–10.29),
//
//	ln p(C_k|x)/p(C_R|x) = w_kᵀφ,  w_R = 0,
//
// with a reference class R. Alpaydin's reference class is the last class, K. In (10.28) and (10.29)
// Alpaydin prints i both as the index of the class and as the index of the sum. The sum needs a
// different index (erratum A5).
//
// Equations: Alpaydin (10.25)–(10.28).
type SoftmaxReference struct {
	Class      int           // R
	Classes    []int         // the K−1 classes other than R, in ascending order
	W          *mat.Dense    // (D+1)×(K−1), one column for each class in Classes
	Covariance *mat.SymDense // covariance of the entries of W, column by column; nil if the fit has no covariance
	// (D+1)×(K−1) matrix of the square roots of the diagonal of Covariance; nil if Covariance is nil
	StandardErrors *mat.Dense
}

// Reference returns the model with weights w_k − w_R, in which the given class R has weights 0. The
// posteriors stay the same. If the fit has two classes and no prior, the model with R = 1 is the model
// of FitLogistic. Errors: a class that does not exist, an unfitted model.
//
// Equations: Alpaydin (10.25)–(10.28).
func (m *Softmax) Reference(class int) (*SoftmaxReference, error) {
	if m == nil || m.W == nil {
		return nil, failure("Reference", errNoWeights("FitSoftmax"))
	}
	r, k := m.W.Dims()
	if class < 0 || class >= k {
		return nil, failure("Reference", fmt.Errorf("class is %d: it must be one of the classes 0…%d", class, k-1))
	}
	f := &SoftmaxReference{Class: class, W: mat.NewDense(r, k-1, nil)}
	for j := range k {
		if j == class {
			continue
		}
		for i := range r {
			f.W.Set(i, len(f.Classes), m.W.At(i, j)-m.W.At(i, class))
		}
		f.Classes = append(f.Classes, j)
	}
	if m.Covariance == nil {
		return f, nil
	}
	p := r * (k - 1)
	f.Covariance, f.StandardErrors = mat.NewSymDense(p, nil), mat.NewDense(r, k-1, nil)
	for u := range p {
		for v := u; v < p; v++ {
			a, b, i, j := f.Classes[u/r]*r, f.Classes[v/r]*r, u%r, v%r
			c := class * r
			f.Covariance.SetSym(u, v, m.Covariance.At(a+i, b+j)-m.Covariance.At(a+i, c+j)-m.Covariance.At(c+i, b+j)+
				m.Covariance.At(c+i, c+j))
		}
		f.StandardErrors.Set(u%r, u/r, math.Sqrt(f.Covariance.At(u, u)))
	}
	return f, nil
}

// StandardErrors returns the standard error of each weight, (D+1)×K: the square roots of the
// diagonal of Covariance. It returns an error if the fit has no covariance. Textbooks and packages
// that use a reference class report the standard errors of the model that Reference returns.
func (m *Softmax) StandardErrors() (*mat.Dense, error) {
	if m.Covariance == nil {
		return nil, failure("StandardErrors", noCovariance(m.Separable, m.Converged, m.Reason))
	}
	se := make([]float64, m.Covariance.SymmetricDim())
	for i := range se {
		se[i] = math.Sqrt(m.Covariance.At(i, i))
	}
	_, k := m.W.Dims()
	return byClass(se, k), nil
}

// SoftmaxObjective returns the cross-entropy error (4.108) of softmax regression with an optional
// prior. FitSoftmax minimises this function. The argument of the function is a vector of the K(D+1)
// weights, class after class. Without a prior, the gradient is (4.109), and the Hessian is (4.110)
// with a plus sign. Errors: as for FitSoftmax, except that classes without rows are allowed.
//
// Equations: PRML (4.107)–(4.110); Alpaydin (10.31), (10.33).
func SoftmaxObjective(x mat.Matrix, labels []int, k int, prior Prior) (*Objective, error) {
	in, err := InMemory{X: x, Labels: slices.Clone(labels), K: k}.checkedData(requirements{labels: true, oneClass: true})
	if err != nil {
		return nil, failure("SoftmaxObjective", err)
	}
	t, err := glm.SoftmaxLabels(in)
	if err != nil {
		return nil, failure("SoftmaxObjective", err)
	}
	return softmaxObjective("SoftmaxObjective", in.Src, t, prior)
}

// SoftmaxTargetsObjective returns the objective of SoftmaxObjective for the targets of
// FitSoftmaxTargets. The objective uses the matrix t itself, not a copy. Errors: as for
// SoftmaxObjective, and rows of targets that do not contain probabilities (see FitSoftmaxTargets).
//
// Equations: PRML (4.108)–(4.110).
func SoftmaxTargetsObjective(x, t mat.Matrix, prior Prior) (*Objective, error) {
	src, _, err := check.Inputs(x)
	if err != nil {
		return nil, failure("SoftmaxTargetsObjective", err)
	}
	targets, err := glm.SoftmaxTargets(t, src)
	if err != nil {
		return nil, failure("SoftmaxTargetsObjective", err)
	}
	return softmaxObjective("SoftmaxTargetsObjective", src, targets, prior)
}

func softmaxObjective(name string, src *block.Source, t *glm.ClassTargets, prior Prior) (*Objective, error) {
	_, d := src.Dims()
	g, err := softmaxPrior(prior, d+1, t.K)
	if err != nil {
		return nil, failure(name, err)
	}
	return &Objective{glm: glm.NewSoftmax(block.NewDesign(src, nil, nil), t), prior: g}, nil
}

func (m *Softmax) linearWeights() *mat.Dense { return mat.DenseCopyOf(m.W) }

// Scores returns the N×K activations a_k = w_kᵀφ.
//
// Equations: PRML (4.105).
func (m *Softmax) Scores(x mat.Matrix) (*mat.Dense, error) {
	w, err := m.weights()
	return modelScores("Softmax", x, w, err)
}

func (m *Softmax) weights() ([][]float64, error) {
	if m == nil || m.W == nil {
		return nil, errNoWeights("FitSoftmax")
	}
	return weightColumns(m.W), nil
}

// Posterior returns the N×K probabilities p(C_k|x). Each probability has full relative accuracy.
//
// Equations: PRML (4.104); Alpaydin (10.29).
func (m *Softmax) Posterior(x mat.Matrix) (*mat.Dense, error) {
	if m == nil || m.W == nil {
		return nil, failure("Softmax", errNoWeights("FitSoftmax"))
	}
	p, err := newPrediction(x, m.classes(),
		func(dst *mat.Dense) error { return linearTo(dst, x, weightColumns(m.W), softmaxLink) })
	if err != nil {
		return nil, failure("Softmax", err)
	}
	return p, nil
}

// Predict returns the class with the largest activation for each row of x.
func (m *Softmax) Predict(x mat.Matrix) ([]int, error) {
	w, err := m.weights()
	return modelClasses("Softmax", x, w, err)
}

var _ = codec.Register(codec.Kind[Softmax]{Schema: "hyperplane-softmax/1", Valid: (*Softmax).checkSizes,
	New: func() *Softmax { return &Softmax{Penalty: math.NaN()} }})

func (m *Softmax) checkSizes() error {
	if m.W == nil {
		return errNoWeightsSaved
	}
	r, k := dims(m.W)
	if r < 2 || k < 2 {
		return fmt.Errorf("w is %d×%d: want at least two rows (the first for the bias) and at least two columns (one per class)", r, k)
	}
	s := sizeChecker{}
	s.checkMatrix("direction", m.Direction, r, k)
	s.checkMatrix("hessian", m.Hessian, r*k, r*k)
	s.checkMatrix("covariance", m.Covariance, r*k, r*k)
	s.checkTrace(m.Trace, r*k)
	penaltyOf(&m.HasPrior, &m.Penalty, m.E, m.LogLikelihood)
	return s.err
}
