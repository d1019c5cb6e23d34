package classify

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/block"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/check"
)

var (
	_ Predictor = (*LeastSquares)(nil)
	_ Scorer    = (*LeastSquares)(nil)
)

// LeastSquaresOptions has no fields yet; the zero value is the fit of PRML 4.1.3.
type LeastSquaresOptions struct{}

// LeastSquares is the least-squares classifier of PRML 4.1.3,
//
//	y(x) = Wᵀφ,  φ = (1, x),  W = Φ†T  (4.16),
//
// with 1-of-K targets T; the class is the largest y_k. The y_k sum to 1 but are
// no probabilities: they leave [0,1].
type LeastSquares struct {
	W         *mat.Dense // (D+1)×K, row 0 the biases
	SumSquare float64    // E_D(W) = ½ Σ_n ‖y(x_n) − t_n‖², PRML (4.15)
	Rank      int        // of Φ; below D+1 W is the solution of least norm
	Reason    string     // what was done; names the columns when some are dependent
	N         int        // rows of the fit
}

// FitLeastSquares fits the discriminant functions of K classes to 1-of-K targets
// by least squares, PRML (4.16). x is N×D, labels are 0…k−1; a class without
// rows gets zero weights.
//
// The solution comes from an orthogonal factorisation of Φ (never from ΦᵀΦ
// alone), with a relative error of about 10⁻¹⁶ times the condition number of the
// centred and scaled Φ. Large problems use ΦᵀΦ with a step of refinement if Φ is
// so well conditioned (some hundreds at most) that this is as good. Dependent
// columns are no error: W is then the pseudo-inverse's solution.
//
// Errors: shapes that do not agree, NaN or Inf in x, labels out of range, labels
// of a single class.
func FitLeastSquares(x mat.Matrix, labels []int, k int, _ LeastSquaresOptions) (*LeastSquares, error) {
	src, cols, err := check.Inputs(x)
	if err != nil {
		return nil, failure("FitLeastSquares", err)
	}
	n, d := src.Dims()
	if _, err := check.Labels(labels, n, k); err != nil {
		return nil, failure("FitLeastSquares", err)
	}
	c := newCoordinates(cols, nil)
	target := func(i int, t []float64) {
		clear(t)
		t[labels[i]] = 1
	}
	s := solveLeastSquares(c.design(src), c, k, target)
	m := &LeastSquares{W: mat.NewDense(d+1, k, nil), SumSquare: s.half, Rank: d + 1, N: n}
	for j, in := range s.w {
		m.W.SetCol(j, s.rank.shortest(c.outer(in)))
	}
	m.Reason = "solved by " + s.method
	if s.rank != nil {
		m.Rank = s.rank.r
		m.Reason += ", " + s.rank.describe(cols)
	}
	return m, nil
}

// Scores returns the N×K values y_k(x) = w_kᵀφ.
func (m *LeastSquares) Scores(x mat.Matrix) (*mat.Dense, error) {
	if m.W == nil {
		return nil, failure("LeastSquares", errors.New("the model has no weights: make it with FitLeastSquares"))
	}
	_, k := m.W.Dims()
	w := make([][]float64, k)
	for j := range w {
		w[j] = mat.Col(nil, j, m.W)
	}
	s, err := linearScores(x, w)
	if err != nil {
		return nil, failure("LeastSquares", err)
	}
	return s, nil
}

// Predict returns the class with the largest y_k for each row of x.
func (m *LeastSquares) Predict(x mat.Matrix) ([]int, error) {
	s, err := m.Scores(x)
	if err != nil {
		return nil, err
	}
	return largest(s), nil
}

// lsSolution holds the weights of each target in inner coordinates.
type lsSolution struct {
	w      [][]float64 // K of M
	half   float64     // ½ Σ squares of the residuals
	rank   *rank
	method string
}

// solveLeastSquares minimises ‖Φ′w_k − t_k‖² for k targets; target writes row i.
func solveLeastSquares(d *block.Design, c *coordinates, k int, target func(i int, t []float64)) *lsSolution {
	n, m := d.Dims()
	if n >= m && large(n, m) {
		if s := normalEquations(d, k, target); s != nil {
			return s
		}
	}
	t := block.Reduce(d, k, func() *block.Triangle { return block.NewTriangle(m + k) },
		func(int) func(*block.Triangle, *block.Block) {
			row := make([]float64, k)
			return func(t *block.Triangle, b *block.Block) {
				for r := range b.N {
					target(b.Lo+r, row)
					copy(b.Row(r)[m:], row)
				}
				t.Add(b)
			}
		}, (*block.Triangle).Merge)
	u := leading(t, m)
	s := &lsSolution{rank: newRank(u, c), method: "orthogonal factorisation"}
	for j := range k {
		z := make([]float64, m)
		for i := range z {
			z[i] = t.At(i, m+j)
		}
		for i := m; i <= m+j; i++ {
			s.half += t.At(i, m+j) * t.At(i, m+j) / 2
		}
		if s.rank == nil {
			s.w = append(s.w, u.solve(z))
			continue
		}
		p, zp := u.project(s.rank.free, z)
		left := dot(z, z) - dot(zp, zp) // part of z outside the column space
		s.half += math.Max(left, 0) / 2
		s.w = append(s.w, mulVec(s.rank.free, p.solve(zp)))
	}
	return s
}

func mulVecT(a *mat.Dense, x []float64) []float64 {
	_, c := a.Dims()
	y := make([]float64, c)
	for i, v := range x {
		for j, e := range a.RawRowView(i) {
			y[j] += v * e
		}
	}
	return y
}

func dot(a, b []float64) float64 {
	var s float64
	for i, v := range a {
		s += v * b[i]
	}
	return s
}

func mulVec(a *mat.Dense, x []float64) []float64 {
	r, _ := a.Dims()
	y := make([]float64, r)
	for i := range y {
		y[i] = dot(a.RawRowView(i), x)
	}
	return y
}
