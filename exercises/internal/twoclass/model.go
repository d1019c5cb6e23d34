package twoclass

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize"

	"github.com/hyperplane-notebooks/hyperplane/exercises/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
	"github.com/hyperplane-notebooks/hyperplane/exercises/judge"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// A Term is a function that returns the contribution of one point to a sum over all points. Its
// arguments are the point's activation a and target t.
type Term = func(a, t float64) float64

// Gradient and Hessian are the types of learners' functions. Their arguments are w (M), Φ (N×M) and
// t (N).
type (
	Gradient = func(w []float64, Phi *mat.Dense, t []float64) []float64
	Hessian  = func(w []float64, Phi *mat.Dense, t []float64) *mat.Dense
)

// Sum returns Σ_n r(a_n, t_n), where a_n is the activation of point n.
func Sum(r Term, w []float64, Phi *mat.Dense, t []float64) (sum float64) {
	for i, a := range instance.Activations(Phi, w) {
		sum += r(a, t[i])
	}
	return sum
}

// Pulling returns a function that computes Σ_n r(a_n, t_n) φ_n. The gradient and most wrong
// gradients have this form.
func Pulling(r Term) Gradient {
	return func(w []float64, Phi *mat.Dense, t []float64) []float64 {
		g := make([]float64, len(w))
		for i, a := range instance.Activations(Phi, w) {
			floats.AddScaled(g, r(a, t[i]), Phi.RawRowView(i))
		}
		return g
	}
}

// Weighting returns a function that computes Σ_n r(a_n, t_n) φ_n φ_nᵀ. A Hessian has this form.
func Weighting(r Term) Hessian {
	return func(w []float64, Phi *mat.Dense, t []float64) *mat.Dense {
		h := mat.NewDense(len(w), len(w), nil)
		for i, a := range instance.Activations(Phi, w) {
			h.RankOne(h, r(a, t[i]), Phi.RowView(i), Phi.RowView(i))
		}
		return h
	}
}

// Along returns a function that computes Σ_n r(c·a_n, t_n). If r is the error of a point, the
// result is the error at the weights c·w.
func Along(r Term) func(w []float64, Phi *mat.Dense, t []float64, c float64) float64 {
	return func(w []float64, Phi *mat.Dense, t []float64, c float64) float64 {
		return Sum(func(a, t float64) float64 { return r(c*a, t) }, w, Phi, t)
	}
}

// Untargeted returns a function that computes a Hessian without targets, Σ_n r(a_n) φ_n φ_nᵀ.
func Untargeted(r func(a float64) float64) func(w []float64, Phi *mat.Dense) *mat.Dense {
	return func(w []float64, Phi *mat.Dense) *mat.Dense {
		return Weighting(func(a, _ float64) float64 { return r(a) })(w, Phi, make([]float64, Phi.RawMatrix().Rows))
	}
}

// Curvature returns a function that computes Σ_n f(a_n, uᵀφ_n). The curvature uᵀHu has this form.
func Curvature(f func(a, s float64) float64) func(u, w []float64, Phi *mat.Dense) float64 {
	return func(u, w []float64, Phi *mat.Dense) float64 { return Sum(f, w, Phi, instance.Activations(Phi, u)) }
}

// Residual returns y − t for a target t of 0 or 1, accurately in both tails. Prime returns the
// derivative σ′(a).
func Residual(a, t float64) float64 { return (1-t)*kernel.Sigmoid(a) - t*kernel.Sigmoid(-a) }
func Prime(a float64) float64       { return kernel.Sigmoid(a) * kernel.Sigmoid(-a) }

// A Model is an error function that is a sum over the points. Value is the contribution of a point.
// Slope and Bend are the first and the second derivative of Value with respect to the activation.
// The tolerances are for features that are scaled to size 1. Tol is for comparisons with exact
// values, and Differences is for comparisons with difference quotients, which lose digits.
type Model struct {
	Value, Slope, Bend Term
	Tol, Differences   float64
}

// Logistic is the cross-entropy error of logistic regression, PRML (4.90).
var Logistic = Model{
	Value: kernel.CrossEntropy, Slope: Residual, Bend: func(a, _ float64) float64 { return Prime(a) },
	Tol: 1e-9, Differences: 1e-9,
}

// At returns the error at the weights w.
func (m Model) At(p Problem, w []float64) float64 { return Sum(m.Value, w, p.Phi, p.T) }

// Gradient returns the gradient of the error at p.W. Hessian returns the second derivatives of the
// error, row by row.
func (m Model) Gradient(p Problem) []float64 { return Pulling(m.Slope)(p.W, p.Phi, p.T) }
func (m Model) Hessian(p Problem) []float64 {
	return Weighting(m.Bend)(p.W, p.Phi, p.T).RawMatrix().Data
}

// Derivatives compares g with central differences of the error. Before this comparison it scales
// the columns to size 1, so that one step size and one tolerance are right for all entries. If g
// passes, Derivatives compares g with the exact gradient.
func (m Model) Derivatives(p Problem, g []float64) verify.Finding {
	at := func(v []float64) float64 { return m.At(p, p.unscaleWeights(v)) }
	return judge.All(verify.Gradient(at, p.scaleWeights(), p.unscaleWeights(g), m.loose()), m.IsGradient(p, g))
}

// SecondDerivatives compares h with central differences of the gradient and then with the exact
// Hessian, as Derivatives does for the gradient.
func (m Model) SecondDerivatives(p Problem, h []float64) verify.Finding {
	at := func(v []float64) []float64 {
		return p.unscaleWeights(Pulling(m.Slope)(p.unscaleWeights(v), p.Phi, p.T))
	}
	return judge.All(verify.Jacobian(at, p.scaleWeights(), p.Scale().Even(h), m.loose()), m.IsHessian(p, h))
}

func (m Model) loose() verify.Tolerance { return verify.Tolerance{Rel: 1e-7, Abs: m.Differences} }

// IsGradient compares g with the exact gradient, and IsHessian compares h with the exact Hessian.
// Both scale the columns to size 1 first.
func (m Model) IsGradient(p Problem, g []float64) verify.Finding {
	return verify.CloseSlice(p.unscaleWeights(g), p.unscaleWeights(m.Gradient(p)), verify.Tolerance{Abs: m.Tol})
}

func (m Model) IsHessian(p Problem, h []float64) verify.Finding {
	return verify.CloseMat(p.Scale().Even(h), p.Scale().Even(m.Hessian(p)), verify.Tolerance{Abs: m.Tol})
}

// scaleWeights converts the weights of p to weights for columns that are scaled to size 1.
// unscaleWeights converts weights for the scaled columns to weights for the columns of p. It also
// converts a gradient in the opposite direction, from the columns of p to the scaled columns.
func (p Problem) scaleWeights() []float64 {
	return floats.MulTo(make([]float64, len(p.W)), p.W, p.Scale())
}
func (p Problem) unscaleWeights(v []float64) []float64 {
	return floats.DivTo(make([]float64, len(v)), v, p.Scale())
}

// Minimum returns a copy of p, in which the weights w minimise the error. It uses Newton's method,
// and halves a step that does not decrease the error. The classes of p must overlap.
func (m Model) Minimum(p Problem) Problem {
	p = p.AtOrigin()
	p.Least = true
	for range 60 {
		var step mat.VecDense
		if step.SolveVec(Weighting(m.Bend)(p.W, p.Phi, p.T), mat.NewVecDense(len(p.W), m.Gradient(p))) != nil {
			break
		}
		next := p.W
		for scale := 1.0; scale > 1e-9; scale /= 2 {
			next = floats.AddScaledTo(make([]float64, len(p.W)), p.W, -scale, step.RawVector().Data)
			// Near the minimum, the errors before and after a step differ only by rounding. The
			// tolerance of 1e-13 therefore accepts the whole step.
			if m.At(p, next) <= m.At(p, p.W)*(1+1e-13) {
				break
			}
		}
		p.W = next
	}
	return p
}

// ButGradient and ButHessian return wrong answers. The answers compute the right result and then
// alter it with the function `change`.
func (m Model) ButGradient(change func(g []float64, p Problem)) Gradient {
	return func(w []float64, Phi *mat.Dense, t []float64) []float64 {
		p := Problem{Phi: Phi, T: t, W: w}
		g := m.Gradient(p)
		change(g, p)
		return g
	}
}

func (m Model) ButHessian(change func(h *mat.Dense, p Problem)) Hessian {
	return func(w []float64, Phi *mat.Dense, t []float64) *mat.Dense {
		h := Weighting(m.Bend)(w, Phi, t)
		change(h, Problem{Phi: Phi, T: t, W: w})
		return h
	}
}

// Rows returns a wrong answer, which computes the gradient from the rows `first` to `last`
// alone. Negative indices count from the end, as in Only.
func (m Model) Rows(first, last int) Gradient {
	return m.ButGradient(func(g []float64, p Problem) { copy(g, m.Gradient(p.Only(first, last))) })
}

// Rest returns a function for the argument `change` of ButHessian. The function replaces the Hessian
// with the Hessian computed from the rows `first` to `last` alone.
func (m Model) Rest(first, last int) func(*mat.Dense, Problem) {
	return func(h *mat.Dense, p Problem) { copy(h.RawMatrix().Data, m.Hessian(p.Only(first, last))) }
}

// Keep returns a function for the argument `change` of ButHessian. The function sets every entry
// (i, j) to 0 unless where(i, j) is true.
func Keep(where func(i, j int) bool) func(*mat.Dense, Problem) {
	return func(h *mat.Dense, _ Problem) {
		h.Apply(func(i, j int, v float64) float64 {
			if where(i, j) {
				return v
			}
			return 0
		}, h)
	}
}

// Prior reports whether `extra`, the difference between an answer and the right result, equals αw
// for some α between 1e-7 and 1e7. A Gaussian prior with precision α adds this term to a gradient.
// If the bias has no prior, the first entry of `extra` is 0; Prior allows this. For fewer than three
// numbers Prior returns false: then at most one number does not belong to the bias, and any number
// equals αw for some α. For a Hessian, w is the identity matrix.
func Prior(extra, w []float64) bool {
	if len(w) < 3 {
		return false
	}
	last := len(w) - 1
	alpha := extra[last] / w[last]
	room := 1e-3 * alpha * floats.Norm(w, math.Inf(1))
	for j, v := range w {
		if !(math.Abs(extra[j]-alpha*v) <= room) && !(j == 0 && math.Abs(extra[0]) <= room) {
			return false
		}
	}
	return alpha > 1e-7 && alpha < 1e7
}

// Penalised returns the weights that minimise the error plus ½ Σ_j price_j (w_j − centre_j)². It
// starts Newton's method at the centre. The method stops when the largest absolute value in the
// gradient is below 1e-9 times the number of points, or after 100 iterations.
func (m Model) Penalised(p Problem, price, centre []float64) []float64 {
	at := func(w []float64) Problem { return Problem{Phi: p.Phi, T: p.T, W: w} }
	pull := func(w []float64) []float64 {
		return floats.MulTo(make([]float64, len(w)), price, instance.Minus(w, centre))
	}
	objective := optimize.Problem{
		Func: func(w []float64) float64 { return m.At(p, w) + floats.Dot(pull(w), instance.Minus(w, centre))/2 },
		Grad: func(g, w []float64) { floats.AddTo(g, m.Gradient(at(w)), pull(w)) },
		Hess: func(h *mat.SymDense, w []float64) {
			h.CopySym(mat.NewSymDense(len(w), m.Hessian(at(w))))
			for j, c := range price {
				h.SetSym(j, j, h.At(j, j)+c)
			}
		},
	}
	settings := &optimize.Settings{GradientThreshold: 1e-9 * float64(len(p.T)), MajorIterations: 100,
		Converger: optimize.NeverTerminate{}}
	// ignore the error: it only means that rounding prevents a lower value of the objective
	result, _ := optimize.Minimize(objective, centre, settings, &optimize.Newton{})
	return result.X
}

// A Descent is a right or wrong version of gradient descent. It has one learning factor, a bias,
// and one weight for each column of X. The zero value is the right descent on the cross-entropy.
type Descent struct {
	Residual    Term                                   // the factor of the input in the gradient; nil means σ(a) − r
	Size        func(g []float64, eta float64) float64 // the number that is compared with tol; nil means ‖g‖
	Start       float64                                // the initial value of all weights
	NoBias      bool
	Online      bool // whether the weights are updated after every point
	Fresh       bool // with Online: whether tol is compared with the gradient at the weights from before the pass
	InTurn      bool // whether each derivative uses the weights that the same update has already changed
	Accumulated bool // whether the gradient is never reset to 0
}

// Steps returns the number of updates until the size of the gradient is at most tol. With Online, it
// counts passes over all points instead. If more than `limit` updates or passes are needed, Steps
// returns −1.
func (d Descent) Steps(X *mat.Dense, r []float64, eta, tol float64, limit int) int {
	if d.Residual == nil {
		d.Residual = Residual
	}
	if d.Size == nil {
		d.Size = func(g []float64, _ float64) float64 { return floats.Norm(g, 2) }
	}
	x := instance.WithOnes(X)
	if d.NoBias {
		x = mat.DenseCopyOf(X)
	}
	n, m := x.Dims()
	w, g := make([]float64, m), make([]float64, m)
	floats.AddConst(d.Start, w)
	for step := 0; ; step++ {
		if !d.Accumulated {
			clear(g)
		}
		at := slices.Clone(w) // the current weights; with Online, each point changes them
		for t := range n {
			e := d.Residual(floats.Dot(at, x.RawRowView(t)), r[t])
			if d.Online {
				floats.AddScaled(at, -eta*e, x.RawRowView(t))
			}
			if d.Fresh {
				e = d.Residual(floats.Dot(w, x.RawRowView(t)), r[t])
			}
			floats.AddScaled(g, e, x.RawRowView(t))
		}
		switch {
		case d.Size(g, eta) <= tol:
			return step
		case step == limit:
			return -1
		case d.Online:
			w = at
		case d.InTurn:
			for j := range w {
				w[j] -= eta * Pulling(d.Residual)(w, x, r)[j]
			}
		default:
			floats.AddScaled(w, -eta, g)
		}
	}
}

// A Division selects, for each turn of a cross-validation, which of n points are left out of the
// fit. The function that a Division returns reports whether point t is left out in the given turn.
// There are at most n turns.
type Division = func(n int) func(turn, t int) bool

// Every returns a Division with k turns. Turn i leaves out the points i, i + k, i + 2k, …
func Every(k int) Division {
	return func(int) func(turn, t int) bool { return func(turn, t int) bool { return t%k == turn } }
}

// Blocks returns a Division with k turns. Each turn leaves out one of k contiguous blocks of
// points.
func Blocks(k int) Division {
	return func(n int) func(turn, t int) bool { return func(turn, t int) bool { return t*k/n == turn } }
}

// Again returns a Division with eight turns. Each turn leaves out n/part random points.
func Again(part int, seed uint64) Division {
	return func(n int) func(turn, t int) bool {
		var orders [8][]int
		for i := range orders {
			orders[i] = rand.New(rand.NewPCG(seed, uint64(i))).Perm(n)[:n/part]
		}
		return func(turn, t int) bool { return turn < 8 && slices.Contains(orders[turn], t) }
	}
}

// Shuffled returns a Division with k turns. Each turn leaves out one of k random groups of points.
func Shuffled(k int, seed uint64) Division {
	return func(n int) func(turn, t int) bool {
		group := make([]int, n)
		for i, t := range rand.New(rand.NewPCG(seed, 1)).Perm(n) {
			group[t] = i % k
		}
		return func(turn, t int) bool { return group[t] == turn }
	}
}
