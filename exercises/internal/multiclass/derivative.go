package multiclass

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
)

// A Derivative computes the derivative ∂y_k/∂a_j of a softmax. Its arguments are the outputs y_k
// and y_j, and the element I_kj of the identity matrix.
type Derivative func(yk, yj, same float64) float64

// At returns the K×K matrix of the derivatives at the outputs y. Row k, column j contains the
// derivative of y_k with respect to a_j.
func (d Derivative) At(y []float64) *mat.Dense {
	out := mat.NewDense(len(y), len(y), nil)
	out.Apply(func(k, j int, _ float64) float64 { return d(y[k], y[j], Same(k, j)) }, out)
	return out
}

// Same returns the element I_kj of the identity matrix: 1 if k and j are equal, and 0 otherwise.
func Same(k, j int) float64 { return When(k == j, 1) }

// When returns v if the condition is true, and 0 otherwise.
func When(holds bool, v float64) float64 {
	if holds {
		return v
	}
	return 0
}

// Softmax returns the right derivative, PRML (4.106). The other functions in this block are wrong
// versions that learners write.
func Softmax(yk, yj, same float64) float64             { return yk * (same - yj) }
func DiagonalOnly(yk, _, same float64) float64         { return same * yk * (1 - yk) }
func OffDiagonalSign(yk, yj, same float64) float64     { return same*yk*(1-yk) + (1-same)*yk*yj }
func InnerSign(yk, yj, same float64) float64           { return yk * (same + yj) }
func IdentityLeftOut(yk, yj, _ float64) float64        { return -yk * yj }
func OuterProduct(yk, yj, _ float64) float64           { return yk * yj }
func OneForIdentity(yk, yj, _ float64) float64         { return yk * (1 - yj) }
func OneIndex(yk, _, same float64) float64             { return yk * (same - yk) }
func DenominatorHeldFixed(yk, _, same float64) float64 { return same * yk }
func LogSoftmax(_, yj, same float64) float64           { return same - yj }
func LogSoftmaxTransposed(yk, _, same float64) float64 { return same - yk }
func Squared(yk, yj, same float64) float64             { return yk * yk * (same - yj) }
func Zero(_, _, _ float64) float64                     { return 0 }

// Hessian returns the MK×MK matrix Σ_n D(y_n) ⊗ φ_nφ_nᵀ, where D(y_n) contains the derivatives d at
// the outputs of point n. The rows and columns are grouped by class. If `byFeatures` is set, the
// factors of ⊗ are exchanged, and the rows and columns are grouped by feature. PRML (4.110) and
// most wrong versions of it are such sums, each with its own d.
func Hessian(Y, Phi *mat.Dense, d Derivative, byFeatures bool) *mat.Dense {
	n, k := Y.Dims()
	_, m := Phi.Dims()
	h := mat.NewDense(m*k, m*k, nil)
	for i := range n {
		var square, term mat.Dense
		square.Outer(1, Phi.RowView(i), Phi.RowView(i))
		if at := d.At(Y.RawRowView(i)); byFeatures {
			term.Kronecker(&square, at)
		} else {
			term.Kronecker(at, &square)
		}
		h.Add(h, &term)
	}
	return h
}

// A Residual computes K factors from a point's activations a and targets t. For each class, the
// gradient of the cross-entropy is Σ_n r_n φ_n, where r_n is the factor and φ_n are the features of
// point n.
type Residual = func(a, t []float64) []float64

// Gradient returns the M×K matrix ΦᵀR, where row n of R is the residual of point n. The right
// gradient, PRML (4.109), and most wrong versions of it have this form.
func Gradient(W, Phi, T *mat.Dense, residual Residual) *mat.Dense {
	r := Activations(W, Phi)
	for n := range r.RawMatrix().Rows {
		r.SetRow(n, residual(r.RawRowView(n), T.RawRowView(n)))
	}
	var g mat.Dense
	g.Mul(Phi.T(), r)
	return &g
}

// Each returns a Residual that calls the function r for each class. The arguments of r are the
// output y, the target t and the activation a of the class; the result is the factor of the class.
func Each(r func(y, t, a float64) float64) Residual {
	return func(a, t []float64) []float64 {
		y := kernel.Softmax(a)
		for k := range y {
			y[k] = r(y[k], t[k], a[k])
		}
		return y
	}
}

// Right is the right residual, y − t. The variables after Right are mistakes that learners make.
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

// Thresholded returns a residual as in the perceptron. It uses an output of 1 for the largest
// activation and 0 for all others.
func Thresholded(a, t []float64) []float64 {
	r := make([]float64, len(a))
	r[floats.MaxIdx(a)] = 1
	floats.Sub(r, t)
	return r
}

// SquaredError returns the residual of ½Σ(y−t)². It contains the Jacobian of the softmax, which
// cancels in the derivative of the cross-entropy.
func SquaredError(a, t []float64) []float64 {
	y, r := kernel.Softmax(a), Right(a, t)
	mean := floats.Dot(y, r)
	for k := range r {
		r[k] = y[k] * (r[k] - mean)
	}
	return r
}

// Less returns a softmax that subtracts off(a) from every activation before it computes the
// exponentials.
func Less(off func(a []float64) float64) func(a []float64) []float64 {
	return func(a []float64) []float64 {
		top := off(a)
		y := Map(func(v float64) float64 { return math.Exp(v - top) })(a)
		floats.Scale(1/floats.Sum(y), y)
		return y
	}
}

// Overflowing returns softmaxes that do not subtract the largest activation. For some activations an
// exponential overflows, or all exponentials are 0. The first four softmaxes also overflow on the
// problems that FarProblems returns.
func Overflowing() (list []func(a []float64) []float64) {
	for _, off := range []func(a []float64) float64{
		func([]float64) float64 { return 0 },
		func(a []float64) float64 { return a[0] },
		func(a []float64) float64 { return a[len(a)-1] },
		floats.Min,
		func(a []float64) float64 { return a[len(a)/2] },
		func(a []float64) float64 { return floats.Norm(a, math.Inf(1)) },
		func(a []float64) float64 { return floats.Sum(a) / float64(len(a)) },
		func(a []float64) float64 { return (floats.Min(a) + floats.Max(a)) / 2 },
	} {
		list = append(list, Less(off))
	}
	return list
}

// Cut returns a softmax that sets outputs below e^−c to 0. Clipped returns a softmax that first
// limits the activations to ±c.
func Cut(c float64) func(a []float64) []float64 {
	return func(a []float64) []float64 {
		return Map(func(y float64) float64 {
			if y < math.Exp(-c) {
				return 0
			}
			return y
		})(kernel.Softmax(a))
	}
}

func Clipped(c float64) func(a []float64) []float64 {
	return func(a []float64) []float64 {
		return kernel.Softmax(Map(func(v float64) float64 { return math.Max(-c, math.Min(c, v)) })(a))
	}
}

// By calls the function `make` with each softmax and returns the resulting answers. Each answer has
// the fault of the softmax that it uses.
func By[F any](make func(softmax func(a []float64) []float64) F, softmaxes ...func(a []float64) []float64) (list []F) {
	for _, softmax := range softmaxes {
		list = append(list, make(softmax))
	}
	return list
}

// Bounded returns a softmax that limits its outputs to the range from eps to 1 − eps.
func Bounded(eps float64) func(a []float64) []float64 {
	return func(a []float64) []float64 {
		return Map(func(y float64) float64 { return math.Min(1-eps, math.Max(eps, y)) })(kernel.Softmax(a))
	}
}

// Reciprocal computes the softmax as 1/Σ_j exp(a_j − a_k), without subtracting the largest
// activation.
func Reciprocal(a []float64) []float64 {
	return Map(func(v float64) float64 {
		sum := 0.0
		for _, w := range a {
			sum += math.Exp(w - v)
		}
		return 1 / sum
	})(a)
}
