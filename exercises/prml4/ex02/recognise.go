package ex02

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
)

// A misconception is a linear function that a known mistake leads to.
type misconception struct {
	key     string
	hint    int
	message string
}

// recognise names the mistake behind linear predictions Y at the training inputs
// that are not least squares. The problem has full column rank, so that Y
// determines the weights behind it.
func recognise(p problem, Y *mat.Dense) (misconception, bool) {
	got, best := instance.LeastSquares(p.X, Y), instance.LeastSquares(p.X, p.T)
	bias, slopes := got.RawRowView(0), rest(got)
	bestSlopes, tMean := rest(best), instance.Mean(p.T)
	biasIs := func(want []float64) bool { return floats.EqualApprox(bias, want, 1e-6) }
	zero := make([]float64, len(bias))
	right := same(slopes, bestSlopes)
	switch penalty(p, got) {
	case penaltyAll:
		return misconception{"ridge-bias", 2, "This minimises the squares plus a penalty on all weights, the bias included: what the penalty takes from the bias is missing in aᵀy + b. The exercise has no penalty (a small number added to the diagonal is one)."}, true
	case penaltySlopes:
		return misconception{"ridge", 2, "This minimises the squares plus a penalty on the slopes. The bias is free, so the constraint survives, but it is not the least-squares prediction."}, true
	}
	switch {
	case mat.Norm(slopes, 1) <= 1e-9*mat.Norm(bestSlopes, 1) && biasIs(tMean):
		return misconception{"mean", 1, "You return the mean of the targets for every x. It satisfies the constraint, but it is the best constant: the inputs are not used."}, true
	case right && biasIs(zero):
		return misconception{"bias-not-used", 2, "The slopes are those of least squares with a bias, but the bias itself is left out of the prediction. Is x extended by a 1 like the rows of X?"}, true
	case right && biasIs(floats.SubTo(make([]float64, len(bias)), best.RawRowView(0), tMean)):
		return misconception{"targets-not-restored", 2, "Your predictions are those of centred targets: the mean of the targets was subtracted and never added again."}, true
	case right && biasIs(tMean):
		return misconception{"x-not-centred", 2, "The slopes are right and the bias is the mean of the targets. That is the bias for centred inputs: then the mean of the inputs must be subtracted from x as well."}, true
	case right:
		return misconception{"bias-off", 2, "The slopes are right, the biases are not: the residuals of each output must sum to zero."}, true
	case len(bias) == len(got.RawMatrix().Data)/len(bias) && same(got, best.T()):
		return misconception{"transposed", 3, "Your weights are those of least squares, transposed: here W happens to be square, elsewhere the shapes will not fit. y(x) is Wᵀ[1 x], one entry per column of W."}, true
	case same(got, rolled(best, -1)) || same(got, rolled(best, 1)):
		return misconception{"bias-misplaced", 3, "Your weights are those of least squares, each applied to the neighbour of its input: the 1 stands first in the rows of [1 X] and last in x, or the other way round."}, true
	case biasIs(zero) && orthogonal(p.X, p.T, Y):
		return misconception{"no-bias", 2, "This is least squares without a bias: your function is 0 at x = 0, and the residuals do not sum to zero. The column of ones is what carries the constraint."}, true
	}
	if c, ok := multiple(Y, at(best, p.X)); ok && c != 0 {
		return misconception{"scaled", 3, "Your predictions are the least-squares ones times one number. Does a factor such as 1/N stand in one of XᵀX and XᵀT only?"}, true
	}
	return misconception{}, false
}

type penaltyKind int

const (
	penaltyNone penaltyKind = iota
	penaltyAll
	penaltySlopes
)

// penalty looks for ridge regression: there the products of the columns of
// [1 X] with the residuals are not zero but λ times the weights, with λ > 0 the
// same for all that are penalised.
func penalty(p problem, W *mat.Dense) penaltyKind {
	var residual, products mat.Dense
	residual.Sub(p.T, at(W, p.X))
	products.Mul(instance.WithOnes(p.X).T(), &residual)
	if lambda, ok := multiple(&products, W); ok && lambda > 0 {
		return penaltyAll
	}
	size := mat.Norm(&products, math.Inf(1))
	if lambda, ok := multiple(rest(&products), rest(W)); ok && lambda > 0 && floats.Norm(products.RawRowView(0), math.Inf(1)) <= 1e-6*size {
		return penaltySlopes
	}
	return penaltyNone
}

// multiple finds c with a = c·b, to 1e-5 of a.
func multiple(a, b mat.Matrix) (c float64, ok bool) {
	var ab, bb float64
	r, k := a.Dims()
	for i := range r {
		for j := range k {
			ab += a.At(i, j) * b.At(i, j)
			bb += b.At(i, j) * b.At(i, j)
		}
	}
	if bb == 0 {
		return 0, false
	}
	c = ab / bb
	var diff mat.Dense
	diff.Scale(c, b)
	diff.Sub(a, &diff)
	return c, mat.Norm(&diff, 2) <= 1e-5*mat.Norm(a, 2)
}

// orthogonal tells whether every column of x is orthogonal to the residuals t − y.
func orthogonal(x, t, y *mat.Dense) bool {
	var residual, products mat.Dense
	residual.Sub(t, y)
	products.Mul(x.T(), &residual)
	return mat.Norm(&products, 2) <= 1e-7*mat.Norm(x, 2)*mat.Norm(t, 2)
}

// at is the linear function with weights W at every row of X, N×K.
func at(W, X *mat.Dense) *mat.Dense {
	var out mat.Dense
	out.Mul(instance.WithOnes(X), W)
	return &out
}

// rolled moves every row of m down by shift, around the ends.
func rolled(m *mat.Dense, shift int) *mat.Dense {
	r, c := m.Dims()
	out := mat.NewDense(r, c, nil)
	for i := range r {
		out.SetRow((i+shift+r)%r, m.RawRowView(i))
	}
	return out
}

// rest is the rows of m below the first.
func rest(m *mat.Dense) *mat.Dense {
	r, c := m.Dims()
	return m.Slice(1, r, 0, c).(*mat.Dense)
}
