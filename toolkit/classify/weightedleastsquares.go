package classify

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/codec"
)

// WeightedLeastSquaresOptions are the options of FitWeightedLeastSquares. The zero value means no
// penalty.
type WeightedLeastSquaresOptions struct {
	// Ridge is the factor λ ≥ 0 of the penalty ½λ Σ w², added to ½ Σ r_n (t_n − wᵀφ_n)².
	Ridge float64
	// FreeBias leaves the bias out of the penalty.
	FreeBias bool
}

// WeightedLeastSquares is the linear function wᵀφ, φ = (1, x), that minimises
//
//	Σ_n r_n (t_n − wᵀφ_n)², w = (ΦᵀRΦ)⁻¹ΦᵀRt, R = diag(r_1 … r_N).
//
// One step of iterative reweighted least squares (FitIRLS) has this form. Gambosi's slides write Ψ
// instead of R. If the targets have the variances s_n², the best weights are r_n = 1/s_n².
//
// Equations: PRML (4.95), (4.99).
type WeightedLeastSquares struct {
	Names
	W         []float64 // w0, w1 … wD
	SumSquare float64   // Σ r_n (t_n − wᵀφ_n)² at W, without the penalty
	Rank      int       // rank of R^½Φ, or D+1 with a Ridge; if it is below D+1, W is the solution of least norm
	Reason    string    // method of solution, and the dependent columns if there are any
	N         int       // number of rows with a weight above 0
}

// FitWeightedLeastSquares fits real targets t to inputs x (N×D) with a weight r_n ≥ 0 for each row.
// A nil r means weight 1 for all rows, which is ordinary least squares. A row of weight 0 is
// ignored. If Ridge is 0, multiplying all r_n by the same factor changes only SumSquare.
//
// FitWeightedLeastSquares uses the method of FitLeastSquares, with R^½Φ instead of Φ. Dependent
// columns are not an error.
//
// Errors: shapes that do not agree, NaN or Inf, a negative weight, all weights 0, a Ridge that is
// negative or not finite.
//
// Equations: PRML (4.95), (4.99); Gambosi (weighted-squares), (weighted-normal-equations).
func FitWeightedLeastSquares(x mat.Matrix, t, r []float64, o WeightedLeastSquaresOptions) (*WeightedLeastSquares,
	error) {
	m, err := fitWeightedLeastSquares(x, t, r, o)
	if err != nil {
		return nil, weightedFailure("FitWeightedLeastSquares", r, err)
	}
	return m, nil
}

func fitWeightedLeastSquares(x mat.Matrix, t, r []float64, o WeightedLeastSquaresOptions) (*WeightedLeastSquares,
	error) {
	r, unit, err := rowWeights(x, r)
	if err != nil {
		return nil, err
	}
	x, t, err = weightedData(x, t, r)
	if err != nil {
		return nil, err
	}
	src, cols, err := check.Inputs(x)
	if err != nil {
		return nil, err
	}
	n, _ := src.Dims()
	if err := check.Vector("t", t, n, "one target for each row of x"); err != nil {
		return nil, err
	}
	if err := checkRidge(o.Ridge); err != nil { // before the division by unit, so that the error states the caller's number
		return nil, err
	}
	penalty := LeastSquaresOptions{Ridge: o.Ridge / unit, FreeBias: o.FreeBias}
	s, err := fitOutputs(src, cols, nil, 1, func(i int, y []float64) { y[0] = t[i] }, penalty)
	if err != nil {
		return nil, err
	}
	return &WeightedLeastSquares{W: mat.Col(nil, 0, s.W), SumSquare: 2 * unit * s.SumSquare, Rank: s.Rank,
		Reason: s.Reason, N: n}, nil
}

// rowWeights checks the weights r of the rows of x. It returns the weights divided by `unit`, a
// power of two near the largest weight. Weights such as inverse variances can have any size; the
// division keeps their sums from overflowing. For nil weights it returns nil and the unit 1.
func rowWeights(x mat.Matrix, r []float64) (scaled []float64, unit float64, err error) {
	if r == nil || check.Nil(x) {
		return nil, 1, nil
	}
	n, _ := x.Dims()
	if err := checkWeights("weights r", r, n); err != nil || n == 0 {
		return nil, 1, err
	}
	_, e := math.Frexp(slices.Max(r))
	scaled = make([]float64, n)
	for i, v := range r {
		scaled[i] = math.Ldexp(v, 1-e)
	}
	return scaled, math.Ldexp(1, e-1), nil
}

// Values returns the fitted values wᵀφ for each row of x. Errors: x with a different
// number of columns than the fit, NaN or Inf, a model without a fit.
func (m *WeightedLeastSquares) Values(x mat.Matrix) ([]float64, error) {
	if m == nil || len(m.W) == 0 {
		return nil, failure("WeightedLeastSquares", errNoWeights("FitWeightedLeastSquares"))
	}
	s, err := linearScores(x, [][]float64{m.W})
	if err != nil {
		return nil, failure("WeightedLeastSquares", err)
	}
	return mat.Col(nil, 0, s), nil
}

// DegreesOfFreedom returns the number of adjustable weights, which is Rank.
func (m *WeightedLeastSquares) DegreesOfFreedom() int { return m.Rank }

// String returns a line with N, SumSquare and Rank, and a table of the weights.
func (m *WeightedLeastSquares) String() string {
	p := &modelText{}
	p.say("N = %d   Σ r(t − y)² = %.6g   rank %d", m.N, m.SumSquare, m.Rank)
	p.vector(&m.Names, m.W)
	return p.String()
}

var _ = codec.Register(codec.Kind[WeightedLeastSquares]{Schema: "hyperplane-weighted-least-squares/1",
	Valid: (*WeightedLeastSquares).checkSizes})

func (m *WeightedLeastSquares) checkSizes() error {
	s := sizeChecker{}
	s.checkWeights("w", len(m.W))
	return s.err
}
