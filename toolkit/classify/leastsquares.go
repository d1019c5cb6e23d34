package classify

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/codec"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/linalg"
)

var (
	_ Predictor   = (*LeastSquares)(nil)
	_ Scorer      = (*LeastSquares)(nil)
	_ linearModel = (*LeastSquares)(nil)
)

// LeastSquaresOptions are the options of FitLeastSquares. The zero value means the fit of PRML
// 4.1.3.
type LeastSquaresOptions struct {
	// Coding selects the targets of the classes; the zero value is CodingOneOfK. In
	// FitLeastSquaresTargets, Coding must have the zero value, because the caller gives the
	// targets.
	Coding Coding
	// Weights says how often each row counts; nil counts each row once (see the package
	// comment).
	Weights []float64
	// Ridge is the factor λ ≥ 0 of the penalty ½λ Σ w² on all weights.
	Ridge float64
	// FreeBias leaves the biases out of the penalty. Without a penalty on the biases, adding a
	// constant to a column of x or T changes only the biases of the solution. If the sum of the
	// targets is the same in every row, the outputs have this sum, too.
	FreeBias bool
}

// LeastSquares is the least-squares classifier of PRML 4.1.3,
//
//	y(x) = Wᵀφ, φ = (1, x), W = Φ†T (4.16),
//
// which predicts the class with the largest y_k. With CodingPlusMinus or CodingFisher, two classes
// have a single output y, and the model predicts C₁ if y ≥ 0.
//
// If all rows of T satisfy a linear constraint aᵀt + b = 0 (4.18), y(x) satisfies the same
// constraint (4.19) for every x under two conditions. The fit must not penalise the biases, because
// a penalty pulls the outputs towards 0. Φ must have full column rank. If Φ has a lower rank, the
// constraint holds for every x that is an affine combination of the rows of the fit, but not
// necessarily for another x. PRML prints "for any value of x", although the pseudo-inverse in (4.16)
// allows a Φ of lower rank. For 1-of-K targets the constraint means that the y_k sum to 1. The y_k
// are not probabilities, because y_k can be outside [0,1].
//
// Equations: PRML (4.13)–(4.19).
type LeastSquares struct {
	Names
	W         *mat.Dense // (D+1)×K, with the biases in row 0
	SumSquare float64    // E_D(W) = ½ Σ_n ‖y(x_n) − t_n‖², PRML (4.15)
	E         float64    // the objective: E_D(W) plus the penalty
	Rank      int        // rank of Φ, or D+1 with a Ridge; if it is below D+1, W is the solution of least norm
	Reason    string     // how the fit was computed, and the dependent columns, if any
	N         int        // number of rows in the fit: the sum of the row weights, rounded
}

// FitLeastSquares fits the discriminant functions of K classes by least squares, PRML (4.16). The
// targets are codes of the labels. x is N×D, and labels are 0…k−1. With 1-of-K coding, the weights
// of a class without rows are zero.
//
// The default method is an orthogonal factorisation of Φ. The relative error of W is about 10⁻¹⁶
// times the condition number of the centred and scaled Φ. With 64 rows or more and a condition
// number of at most a few hundred, the normal equations are equally accurate. FitLeastSquares then
// solves the normal equations with the Cholesky factor of ΦᵀΦ, and refines the solution if needed.
// Dependent columns are not an error. W is then the solution that the pseudo-inverse of Φ gives.
//
// Errors: shapes that do not agree, NaN or Inf in x, labels out of range, labels of a single class,
// CodingFisher with more than two classes, an unknown Coding, a Ridge that is negative or not finite.
//
// Equations: PRML (4.15), (4.16).
func FitLeastSquares(x mat.Matrix, labels []int, k int, o LeastSquaresOptions) (*LeastSquares, error) {
	return fitLeastSquares("FitLeastSquares", InMemory{X: x, Labels: labels, K: k}, o)
}

// FitLeastSquaresFrom is like [FitLeastSquares], but reads the rows, or only their moments, from
// any source. It returns the errors of FitLeastSquares. It also returns an error for a source that
// cannot be read, and for a source that cannot provide what the fit or its options need.
//
// Equations: PRML (4.15), (4.16).
func FitLeastSquaresFrom(s Source, o LeastSquaresOptions) (*LeastSquares, error) {
	return fitLeastSquares("FitLeastSquaresFrom", s, o)
}

func fitLeastSquares(function string, s Source, o LeastSquaresOptions) (*LeastSquares, error) {
	d := requirements{weights: o.Weights, labels: true, moments: true}
	return fitFrom(function, s, d, func(in *check.Data) (*LeastSquares, error) {
		outputs, target, err := o.Coding.targetFunc(in)
		if err != nil {
			return nil, err
		}
		return fitOutputs(in.Src, in.Cols, in.Origin, outputs, target, o)
	})
}

// FitLeastSquaresTargets fits one output per column of targets (N×K, arbitrary numbers) to inputs x
// (N×D). With one column the model has two classes, and the sign of y determines the predicted
// class. The targets of C₁ must then be positive and the targets of C₂ negative. Targets of a
// single class are not an error. Errors: shapes that do not agree, NaN or Inf in x or targets, a
// Coding other than the zero value, a Ridge that is negative or not finite.
//
// Equations: PRML (4.15)–(4.19); Notes on part I (frobenius).
func FitLeastSquaresTargets(x, targets mat.Matrix, o LeastSquaresOptions) (*LeastSquares, error) {
	m, err := fitLeastSquaresTargets(x, targets, o)
	if err != nil {
		return nil, weightedFailure("FitLeastSquaresTargets", o.Weights, err)
	}
	return m, nil
}

func fitLeastSquaresTargets(x, targets mat.Matrix, o LeastSquaresOptions) (*LeastSquares, error) {
	x, targets, err := weightedMatrix(x, targets, o.Weights)
	if err != nil {
		return nil, err
	}
	src, cols, err := check.Inputs(x)
	if err != nil {
		return nil, err
	}
	n, _ := src.Dims()
	k, err := checkTargetMatrix(targets, n)
	if err != nil {
		return nil, err
	}
	if o.Coding != CodingOneOfK {
		return nil, fmt.Errorf("Coding is %d, but FitLeastSquaresTargets uses the given targets: leave Coding at 0", o.Coding)
	}
	return fitOutputs(src, cols, nil, k, func(i int, t []float64) { mat.Row(t, i, targets) }, o)
}

func checkRidge(v float64) error {
	if !(v >= 0) || math.IsInf(v, 1) {
		return fmt.Errorf("Ridge is %v: it must be finite and at least 0", v)
	}
	return nil
}

// fitOutputs fits k outputs to inputs x. The rows of src are x minus the vector `origin`; a nil
// origin means 0. The weights of the result apply to x, not to the rows of src. The function `target`
// writes the targets of row i to t.
func fitOutputs(src *block.Source, cols *block.Columns, origin []float64, k int, target func(i int, t []float64),
	o LeastSquaresOptions) (*LeastSquares, error) {
	if err := checkRidge(o.Ridge); err != nil {
		return nil, err
	}
	_, d := src.Dims()
	c := linalg.NewCoordinates(cols, nil)
	design := c.Design(src)
	for j, v := range origin {
		c.Shift[j] += v * c.Scale[j]
	}
	s := linalg.SolveLeastSquares(design, c, k, target, o.penaltyRows(c)...)
	m := &LeastSquares{W: mat.NewDense(d+1, k, nil), SumSquare: s.Half, E: s.Half, Rank: d + 1,
		N: wholeRows(src.Total())}
	for j, in := range s.W {
		w := s.Rank.Shortest(c.Outer(in))
		if err := check.Vector("w", w, d+1, "weights"); err != nil {
			return nil, fmt.Errorf("the weights are not finite numbers (%w): choose other units for x or the targets",
				err)
		}
		m.W.SetCol(j, w)
	}
	if o.Ridge > 0 {
		m.SumSquare = linalg.LsPass(design, s.W, target).Half
		m.E = m.SumSquare + o.penaltyValue(m.W)
	}
	m.Reason = "solved by " + s.Method
	if s.Rank != nil {
		m.Rank = s.Rank.R
		m.Reason += ", " + s.Rank.Describe(cols)
	}
	return m, nil
}

// penaltyRows returns one additional row of the design matrix for each penalised weight w_j. The
// output for this row is √λ·w_j. The entries of the row refer to the centred and scaled columns of
// the fit. If the targets of the additional rows are 0, a least-squares fit with these rows is
// ridge regression.
func (o LeastSquaresOptions) penaltyRows(c *linalg.Coordinates) [][]float64 {
	if o.Ridge == 0 {
		return nil
	}
	m := len(c.Scale) + 1
	var rows [][]float64
	for j := range m {
		if j == 0 && o.FreeBias {
			continue
		}
		e := make([]float64, m)
		e[j] = math.Sqrt(o.Ridge)
		rows = append(rows, c.Row(e))
	}
	return rows
}

// penaltyValue returns the penalty ½λ Σ w².
func (o LeastSquaresOptions) penaltyValue(w *mat.Dense) float64 {
	m, k := w.Dims()
	if o.FreeBias {
		w = w.Slice(1, m, 0, k).(*mat.Dense)
	}
	f := mat.Norm(w, 2)
	return o.Ridge * f * f / 2
}

// linearWeights returns a copy of W. For a single output, the copy has a second column of zeros.
func (m *LeastSquares) linearWeights() *mat.Dense {
	if _, k := m.W.Dims(); k == 1 {
		return twoColumns(mat.Col(nil, 0, m.W))
	}
	return mat.DenseCopyOf(m.W)
}

// Scores returns the N×K values y_k(x) = w_kᵀφ. For a single output y it returns an N×2 matrix with
// y and 0.
func (m *LeastSquares) Scores(x mat.Matrix) (*mat.Dense, error) {
	w, err := m.weights()
	return modelScores("LeastSquares", x, w, err)
}

func (m *LeastSquares) weights() ([][]float64, error) {
	if m == nil || m.W == nil {
		return nil, errNoWeights("FitLeastSquares")
	}
	return weightColumns(m.W), nil
}

// Outputs returns the N×K outputs y(x) of the fit, where K is the number of columns of W. Errors:
// as for Scores.
//
// Equations: PRML (4.13), (4.14), (4.17).
func (m *LeastSquares) Outputs(x mat.Matrix) (*mat.Dense, error) {
	var s *mat.Dense
	w, err := m.weights()
	if err == nil {
		s, err = linearScores(x, w)
	}
	if err != nil {
		return nil, failure("LeastSquares", err)
	}
	return s, nil
}

// DegreesOfFreedom returns the number of adjustable weights, which is Rank times the number of
// outputs. A constraint on the targets does not reduce this number.
func (m *LeastSquares) DegreesOfFreedom() int {
	_, k := m.W.Dims()
	return m.Rank * k
}

// Predict returns the class with the largest y_k for each row of x. For a single output y it
// returns class 0 (C₁) where y ≥ 0 and class 1 where y < 0.
func (m *LeastSquares) Predict(x mat.Matrix) ([]int, error) {
	w, err := m.weights()
	return modelClasses("LeastSquares", x, w, err)
}

var _ = codec.Register(codec.Kind[LeastSquares]{Schema: "hyperplane-least-squares/1",
	Valid: (*LeastSquares).checkSizes})

func (m *LeastSquares) checkSizes() error {
	if m.W == nil {
		return errNoWeightsSaved
	}
	return nil
}
