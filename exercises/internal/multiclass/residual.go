package multiclass

import (
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
)

// A Residual is what multiplies the features of a point in the gradient of the
// cross-entropy: K numbers, from the point's activations and its targets.
type Residual = func(a, t []float64) []float64

// Gradient is ΦᵀR, M×K, for the matrix R with these residuals as its rows: the form of
// PRML (4.109) and of most mistakes in it.
func Gradient(W, Phi, T *mat.Dense, residual Residual) *mat.Dense {
	r := Activations(W, Phi)
	for n := range r.RawMatrix().Rows {
		r.SetRow(n, residual(r.RawRowView(n), T.RawRowView(n)))
	}
	var g mat.Dense
	g.Mul(Phi.T(), r)
	return &g
}

// Each makes residuals of each class's output, target and activation.
func Each(r func(y, t, a float64) float64) Residual {
	return func(a, t []float64) []float64 {
		y := kernel.Softmax(a)
		for k := range y {
			y[k] = r(y[k], t[k], a[k])
		}
		return y
	}
}

// Right is y − t; the others stand in its place by mistake.
var (
	Right                 = Each(func(y, t, _ float64) float64 { return y - t })
	Reversed              = Each(func(y, t, _ float64) float64 { return t - y })
	OwnClassOnly          = Each(func(y, t, _ float64) float64 { return t * (y - 1) })
	OtherClassesOnly      = Each(func(y, t, _ float64) float64 { return (1 - t) * y })
	TargetsLeftOut        = Each(func(y, _, _ float64) float64 { return y })
	OutputsLeftOut        = Each(func(_, t, _ float64) float64 { return -t })
	FactorLeft            = Each(func(y, t, _ float64) float64 { return (y - t) * y * (1 - y) })
	ByOutputs             = Each(func(y, t, _ float64) float64 { return -t / y })
	Sigmoids              = Each(func(_, t, a float64) float64 { return kernel.Sigmoid(a) - t })
	ActivationsForOutputs = Each(func(_, t, a float64) float64 { return a - t })
	Nothing               = Each(func(_, _, _ float64) float64 { return 0 })
)

// Thresholded has 1 for the output of the largest activation, as the perceptron has.
func Thresholded(a, t []float64) []float64 {
	r := make([]float64, len(a))
	r[floats.MaxIdx(a)] = 1
	floats.Sub(r, t)
	return r
}

// SquaredError is the residual of ½Σ(y−t)²: the Jacobian of the softmax is left in.
func SquaredError(a, t []float64) []float64 {
	y, r := kernel.Softmax(a), Right(a, t)
	mean := floats.Dot(y, r)
	for k := range r {
		r[k] = y[k] * (r[k] - mean)
	}
	return r
}
