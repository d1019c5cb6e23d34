package classify

import (
	"errors"
	"fmt"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/codec"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/glm"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/kernels"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/linalg"
)

var (
	_ Predictor = (*SigmoidSquares)(nil)
	_ Scorer    = (*SigmoidSquares)(nil)
	_ glm.Loss  = squaredSigmoid{}
)

// SigmoidSquaresOptions are the options of FitSigmoidSquares.
type SigmoidSquaresOptions struct {
	// Seed is the seed of the random starting weights. Every weight is drawn uniformly from [−0.01,
	// 0.01]. These weights multiply columns that are centred and scaled to about 1, so all outputs
	// are near ½ at the start.
	Seed uint64
	// Start, if not nil, is the initial W, (D+1)×K, or (D+1)×1 for two exclusive classes.
	Start *mat.Dense
	// Prior is the prior over the weights of each output; nil means no prior.
	Prior Prior
	// Weights says how often each row counts; nil counts each row once (see the package
	// comment).
	Weights []float64
	// MaxIterations is the maximum number of iterations in each of the two phases of the fit of an
	// output (see Solver). 0 means 100 for Newton and more for slower solvers.
	MaxIterations int
	// Tolerance decides when the fit of an output has converged; 0 means 1e-10. The length √(dᵀHd)
	// of the last Newton step d must be at most Tolerance. A length of up to 1e-8 is also allowed if
	// the last iteration did not halve the length, because rounding errors then prevent shorter
	// steps. The step must also be short relative to the weights and the activations.
	Tolerance float64
	// Solver is the solver of the first phase. nil means Newton{}, which takes Gauss–Newton steps.
	// Other solvers use only the gradient (10.40). The second phase takes Newton steps with the
	// exact Hessian.
	Solver Solver
}

// SigmoidSquares is the model that Alpaydin 10.8 calls discrimination by regression. The outputs
// are sigmoids y_k = σ(w_kᵀφ), φ = (1, x). The fit of an output to the 0/1 targets of its class
// minimises
//
//	E(w_k) = ½·Σ_n (y_nk − t_nk)² (10.37–10.39), ∇E = Σ_n (y_n−t_n)y_n(1−y_n)φ_n (10.40).
//
// Two exclusive classes have a single output with target 1 for class 0. The outputs are fitted
// separately. Their sum need not be 1, so they are not a posterior.
//
// E is not convex. If the output for a row is nearly 0 or 1, the row's term of the gradient is nearly
// 0, even if the output is far from its target. The result therefore depends on the start. Alpaydin
// 10.7.1 claims that the gradient of the cross-entropy is then also nearly 0. This is false, because
// y(1−y) cancels in that gradient (erratum A7). Alpaydin 10.8 claims that the softmax error of a row
// stops falling when the correct output is the largest. In fact, both the softmax error and the
// squared error fall until the correct output is 1 (erratum A8).
//
// Equations: Alpaydin (10.36)–(10.45).
type SigmoidSquares struct {
	W         *mat.Dense             // (D+1)×K, or (D+1)×1 for two exclusive classes
	SumSquare float64                // the squared error Σ_k E(w_k), without the prior's penalty
	N         int                    // number of rows in the fit: the sum of the row weights, rounded
	Rank      int                    // rank of Φ, or D+1 with a prior
	Outputs   []SigmoidSquaresOutput // the fit of each column of W
}

// SigmoidSquaresOutput is the fit of one output.
type SigmoidSquaresOutput struct {
	E          float64       // the objective at the output's column of W
	Hessian    *mat.SymDense // exact second derivatives ∇∇E, with the prior's precision
	Iterations int
	Converged  bool      // reports whether the column of W is a local minimum of E; E may also have lower minima
	Reason     string    // why the fit stopped
	Separable  bool      // reports whether E has no minimum because it approaches its lowest value only as w grows
	Direction  []float64 // if Separable is true, the unit vector along which w grows
	Trace      Trace     // the iterates from the start to the result
}

// FitSigmoidSquares fits inputs x (N×D) with labels 0…k−1. If a class contains no row or every row,
// the bias of its output tends to −∞ or +∞. Such a class is therefore an error, unless a prior limits
// the bias.
//
// Other errors: shapes that do not agree, NaN or Inf, labels out of range, an invalid prior or
// option. Separable classes are not an error: see SigmoidSquaresOutput.
//
// Equations: Alpaydin (10.36)–(10.45).
func FitSigmoidSquares(x mat.Matrix, labels []int, k int, o SigmoidSquaresOptions) (*SigmoidSquares, error) {
	m, err := fitSigmoidSquares(x, labels, k, o)
	if err != nil {
		return nil, weightedFailure("FitSigmoidSquares", o.Weights, err)
	}
	return m, nil
}

func fitSigmoidSquares(x mat.Matrix, labels []int, k int, o SigmoidSquaresOptions) (*SigmoidSquares, error) {
	in, err := InMemory{X: x, Labels: labels, K: k}.checkedData(requirements{weights: o.Weights, labels: true, oneClass: true})
	if err != nil {
		return nil, err
	}
	outputs := k
	if k == 2 {
		outputs = 1
	}
	return fitSigmoidOutputs(in, outputs, func(i, j int) bool { return in.Labels[i] == j }, o)
}

// fitSigmoidOutput fits output j. The argument `rows` is the number of rows with target 1. The field
// LogLikelihood of the result is minus the squared error, without the penalty that E contains.
func fitSigmoidOutput(in *check.Data, rows int, o SigmoidSquaresOptions, j int, rng *rand.Rand) (*Estimate, error) {
	lo := LogisticOptions{Prior: o.Prior, MaxIterations: o.MaxIterations, Tolerance: o.Tolerance, Solver: o.Solver}
	if o.Start != nil {
		lo.Start = mat.Col(nil, j, o.Start)
	}
	f, err := newProblem(in, squaredSigmoid{}, lo)
	if err != nil {
		return nil, err
	}
	if (rows == 0 || rows == len(in.T)) && (f.Prior == nil || f.Prior.Free) {
		return nil, fmt.Errorf("class %d has %d of the %d rows, so the bias of its output falls or grows without end: leave the class out, add rows, or use a prior on all weights", j, rows, len(in.T))
	}
	if o.Start == nil {
		for i := range f.Start {
			f.Start[i] = 0.02*rng.Float64() - 0.01
		}
		if f.Rank != nil {
			f.Start = linalg.MulVec(f.Rank.Free, linalg.MulVecT(f.Rank.Free, f.Start))
		}
	}
	// Skip the test that decides whether E has a minimum, because the test is not valid for this loss.
	f.Proper, f.Convex = true, false
	n := f.MinimiseExact(solverOf(o.Solver).Solve(f),
		func(float64) func(a, t float64) glm.ExactRow { return squaredSigmoid{}.row }, 0, false)
	e, err := resultOf(f, n.Path)
	if err != nil {
		return nil, err
	}
	e.LogLikelihood, e.E = -n.Sums.E, n.E
	if e.Hessian, _ = n.Matrices(false); !linalg.Finite(e.Hessian) {
		return nil, errors.New("the Hessian overflows: choose other units for x")
	}
	return e, nil
}

// squaredSigmoid is the loss ½(σ(a) − t)². Instead of the second derivative, Eval writes the
// Gauss–Newton approximation (y(1−y))² to d2, because this approximation is never negative.
type squaredSigmoid struct{}

func (squaredSigmoid) row(a, t float64) glm.ExactRow {
	y, c, _ := kernels.SigmoidParts(a)
	r := y*(1-t) - t*c // y−t; for t = 0 and t = 1 this form has no cancellation
	s := y * c
	return glm.ExactRow{E: r * r / 2, A: r * s, Aa: s*s + r*s*(c-y), Expected: s * s}
}

func (l squaredSigmoid) Eval(a, t, d1, d2 []float64) float64 {
	var e float64
	for n, v := range a {
		r := l.row(v, t[n])
		e += r.E
		d1[n], d2[n] = r.A, r.Expected
	}
	return e
}

// Curvature returns an upper bound on the second derivative, whose largest value is 0.077, at |y−t|
// = 0.386.
func (squaredSigmoid) Curvature() float64 { return 0.1 }

// weights returns the columns of W.
func (m *SigmoidSquares) weights() ([][]float64, error) {
	if m == nil || m.W == nil {
		return nil, errNoWeights("FitSigmoidSquares")
	}
	return weightColumns(m.W), nil
}

// Values returns the N×K outputs y_k = σ(a_k). For a single output it returns an N×2 matrix with y
// and 1−y. Errors: as for Scores.
//
// Equations: Alpaydin (10.37), (10.42).
func (m *SigmoidSquares) Values(x mat.Matrix) (*mat.Dense, error) {
	s, err := m.Scores(x)
	if err != nil {
		return nil, err
	}
	n, _ := s.Dims()
	_, outputs := m.W.Dims()
	for i := range n {
		row := s.RawRowView(i)
		if outputs == 1 {
			row[0], row[1] = kernels.Sigmoid(row[0]), kernels.Sigmoid(-row[0])
			continue
		}
		for j, a := range row {
			row[j] = kernels.Sigmoid(a)
		}
	}
	return s, nil
}

// Scores returns the N×K activations a_k. For a single output it returns an N×2 matrix with a and
// 0. In each row, the class with the largest activation is the class with the largest output.
func (m *SigmoidSquares) Scores(x mat.Matrix) (*mat.Dense, error) {
	w, err := m.weights()
	return modelScores("SigmoidSquares", x, w, err)
}

// Predict returns the class with the largest output for each row of x.
func (m *SigmoidSquares) Predict(x mat.Matrix) ([]int, error) {
	w, err := m.weights()
	return modelClasses("SigmoidSquares", x, w, err)
}

// SigmoidObjective returns E of one output for targets t in [0,1], with an optional prior. Its
// method Hessian returns the Gauss–Newton approximation. This approximation omits the term of the
// exact Hessian that can be negative. Errors: the errors of LogisticObjective; the prior Jeffreys.
//
// Equations: Alpaydin (10.39), (10.40).
func SigmoidObjective(x mat.Matrix, t []float64, prior Prior) (*Objective, error) {
	o, err := objectiveOf("SigmoidObjective", x, t, prior)
	if err != nil {
		return nil, err
	}
	o.glm.Loss = squaredSigmoid{}
	return o, nil
}

// FitSigmoidSquaresTargets is FitSigmoidSquares for classes that are not exclusive (end of Alpaydin
// 10.8). t is N×K with entries 0 and 1, and a row of t can contain any number of ones. A row may
// belong to several classes, such as an article on both sports and politics, or to no class. The
// model has one output for each of the K columns, even if K is 2. With K = 1 the model equals the
// model of FitSigmoidSquares for two classes. The outputs that Values returns are above ½ for likely
// classes. Predict returns the class with the largest output, which is also the class with the
// largest activation in Scores.
//
// Errors: the errors of FitSigmoidSquares; entries of t other than 0 and 1; a t with the wrong number
// of rows.
//
// Equations: Alpaydin (10.36)–(10.45).
func FitSigmoidSquaresTargets(x, t mat.Matrix, o SigmoidSquaresOptions) (*SigmoidSquares, error) {
	m, err := fitSigmoidTargets(x, t, o)
	if err != nil {
		return nil, weightedFailure("FitSigmoidSquaresTargets", o.Weights, err)
	}
	return m, nil
}

func fitSigmoidTargets(x, targets mat.Matrix, o SigmoidSquaresOptions) (*SigmoidSquares, error) {
	x, targets, err := weightedMatrix(x, targets, o.Weights)
	if err != nil {
		return nil, err
	}
	src, cols, err := check.Inputs(x)
	if err != nil {
		return nil, err
	}
	rows, err := check.TargetRows(targets)
	if err != nil {
		return nil, err
	}
	n, k := rows.Dims()
	if want, _ := src.Dims(); n != want {
		return nil, fmt.Errorf("t has %d rows but x has %d rows: give one row of targets for each row of x", n, want)
	}
	for i := range n {
		for j := range k {
			if v := targets.At(i, j); v != 0 && v != 1 {
				return nil, fmt.Errorf("t(%d,%d) is %v: want 1 if the row belongs to the class, and 0 if it does not", i, j, v)
			}
		}
	}
	return fitSigmoidOutputs(&check.Data{Src: src, Cols: cols}, k, func(i, j int) bool { return targets.At(i, j) == 1 }, o)
}

// fitSigmoidOutputs fits every output. The function `belongs` reports whether a row has target 1
// for an output.
func fitSigmoidOutputs(in *check.Data, outputs int, belongs func(row, output int) bool,
	o SigmoidSquaresOptions) (*SigmoidSquares, error) {
	n, d := in.Src.Dims()
	if float64(d+1)*float64(outputs) > 1<<26 {
		return nil, fmt.Errorf("%d outputs with %d weights each are too many: want at most 2²⁶ weights in total", outputs, d+1)
	}
	if o.Start != nil {
		if r, c := o.Start.Dims(); r != d+1 || c != outputs {
			return nil, fmt.Errorf("option Start is %d×%d, want %d×%d (one row for the bias and one for each column of x, one column per output)", r, c, d+1, outputs)
		}
	}
	m := &SigmoidSquares{W: mat.NewDense(d+1, outputs, nil), N: wholeRows(in.Src.Total())}
	rng := rand.New(rand.NewPCG(o.Seed, 1008))
	for j := range outputs {
		t, ones := make([]float64, n), 0
		for i := range t {
			if belongs(i, j) {
				t[i] = 1
				ones++
			}
		}
		e, err := fitSigmoidOutput(&check.Data{Src: in.Src, Cols: in.Cols, T: t}, ones, o, j, rng)
		if err != nil {
			return nil, err
		}
		m.W.SetCol(j, e.W)
		m.SumSquare -= e.LogLikelihood
		m.Rank = e.Rank
		m.Outputs = append(m.Outputs, SigmoidSquaresOutput{
			E: e.E, Hessian: e.Hessian, Iterations: e.Iterations, Converged: e.Converged, Reason: e.Reason,
			Separable: e.Separable, Direction: e.Direction, Trace: e.Trace,
		})
	}
	return m, nil
}

var _ = codec.Register(codec.Kind[SigmoidSquares]{Schema: "hyperplane-sigmoid-squares/1",
	Valid: (*SigmoidSquares).checkSizes})

func (m *SigmoidSquares) checkSizes() error {
	r, k := dims(m.W)
	if r < 2 || len(m.Outputs) != k {
		return fmt.Errorf("w is %d×%d with %d outputs: want at least two rows (the first for the bias), and one column for each output", r, k, len(m.Outputs))
	}
	s := sizeChecker{}
	for _, o := range m.Outputs {
		s.checkMatrix("hessian", o.Hessian, r, r)
		s.checkVector("direction", o.Direction, r)
		s.checkTrace(o.Trace, r)
	}
	return s.err
}
