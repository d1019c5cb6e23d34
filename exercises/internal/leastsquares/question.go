package leastsquares

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/judge"
)

// Question asks for the predictions at all inputs of a problem; hint is the one that
// says how the function is built. An exercise adds mistakes of its own.
func Question(hint int) *judge.Question[Predictor, Problem] {
	return &judge.Question[Predictor, Problem]{
		Same: func(p Problem) any { return [2]*mat.Dense{p.X, p.T} },
		Func: "Predict", Name: "y(x)", Hint: hint, Per: "output and input",
		Ask:    func(f Predictor, c *judge.Call, p Problem) []float64 { return ask(f, c, p, hint) },
		Right:  func(p Problem) []float64 { return slices.Clone(p.want) },
		Unit:   func(p Problem, _ []float64) []float64 { return p.unit },
		Family: family,
		Sign:   judge.Wrong{Key: "scaled", Hint: hint, Message: "Your predictions are the least-squares ones with the other sign."},
		Factor: judge.Wrong{Key: "scaled", Hint: hint, Message: "Your predictions are the least-squares ones times one number. Does a factor stand in one of XᵀX and XᵀT only?"},
		Mistakes: []judge.Mistake[Predictor]{
			{Key: "mean", Answer: func(_, T *mat.Dense, _ []float64) []float64 { return instance.Mean(T) }, Hint: 1, Message: "You return the mean of the targets for every x. It satisfies every constraint that they do, but it is the best constant: the inputs are not used."},
			{Key: "no-bias", Hint: 2, Message: "This is least squares without a bias: your function is 0 at x = 0, and the residuals do not sum to zero. The column of ones is what carries a constraint.",
				Answer: func(X, T *mat.Dense, x []float64) []float64 { return Times(x, Solve(X, T, FullRank)) }},
			{Key: "bias-not-used", Hint: 2, Message: "The slopes are those of least squares with a bias, but the bias itself is left out of the prediction. Is x extended by a 1 like the rows of X?",
				Answer: func(X, T *mat.Dense, x []float64) []float64 {
					return instance.Minus(Best(X, T, x), Best(X, T, make([]float64, len(x))))
				}},
			{Key: "targets-not-restored", Hint: 2, Message: "Your predictions are those of centred targets: the mean of the targets was subtracted and never added again.",
				Answer: func(X, T *mat.Dense, x []float64) []float64 { return instance.Minus(Best(X, T, x), instance.Mean(T)) }},
			{Key: "x-not-centred", Hint: 2, Message: "The slopes are right and the bias is the mean of the targets. That is the bias for centred inputs: then the mean of the inputs must be subtracted from x as well.",
				Answer: func(X, T *mat.Dense, x []float64) []float64 {
					return Best(X, T, floats.AddTo(make([]float64, len(x)), x, instance.Mean(X)))
				}},
			{Key: "transposed", Hint: hint, Message: "Your weights are those of least squares, transposed: for {problem} W happens to be square, elsewhere the shapes will not fit. y(x) is Wᵀ[1 x], one entry per column of W.",
				Answer: func(X, T *mat.Dense, x []float64) []float64 { // as many numbers as W has rows
					w, one := instance.LeastSquares(X, T), append([]float64{1}, x...)
					y := make([]float64, len(one))
					for i := range y {
						for j := range min(len(one), w.RawMatrix().Cols) {
							y[i] += w.At(i, j) * one[j]
						}
					}
					return y
				}},
			{Key: "bias-misplaced", Hint: hint, Message: "Your weights are those of least squares, each applied to the neighbour of its input: the 1 stands first in the rows of [1 X] and last in x, or the other way round.",
				Answer: func(X, T *mat.Dense, x []float64) []float64 {
					return Times(append(slices.Clone(x), 1), instance.LeastSquares(X, T))
				}},
			{Key: "bias-misplaced", Hint: hint, Message: "Your weights are those of least squares, each applied to the neighbour of its input: the 1 stands last in the rows of [X 1] and first in x, or the other way round.",
				Answer: func(X, T *mat.Dense, x []float64) []float64 {
					last := len(x) - 1
					return Times(append([]float64{x[last], 1}, x[:last]...), instance.LeastSquares(X, T))
				}},
			{Key: "scaled", Hint: hint, Message: "Your predictions are the least-squares ones divided by N. Does a factor 1/N stand in one of XᵀX and XᵀT only?",
				Answer: func(X, T *mat.Dense, x []float64) []float64 {
					y := Best(X, T, x)
					floats.Scale(1/float64(T.RawMatrix().Rows), y)
					return y
				}},
			{Key: "nearest-neighbour", Hint: 1, Message: "Every prediction is one of the targets, as if the nearest training input answered. The least-squares prediction is one linear function for all x.",
				Answer: func(X, T *mat.Dense, x []float64) []float64 { return T.RawRowView(nearest(X, x)) }},
			{Key: "training-only", Hint: 2, Message: "At a new x you return the prediction of one of the training inputs. Keep the weights W of the fit, and evaluate the linear function at x itself.",
				Answer: func(X, T *mat.Dense, x []float64) []float64 { return Best(X, T, X.RawRowView(nearest(X, x))) }},
			{Key: "hard-decision", Hint: 2, Message: "Every entry is 0 or 1: the class was chosen already. y(x) is the vector before that choice, and its entries may be any numbers.",
				Answer: After(func(y []float64) {
					best := floats.MaxIdx(y)
					clear(y)
					y[best] = 1
				})},
			{Key: "clipped", Hint: 2, Message: "No entry leaves [0, 1], also far away: the outputs are clipped. The least-squares y(x) is linear in x, hence unbounded.",
				Answer: After(func(y []float64) {
					for i, v := range y {
						y[i] = math.Min(1, math.Max(0, v))
					}
				})},
			{Key: "softmax", Hint: 2, Message: "A softmax was applied to the outputs. y(x) is linear in x and its entries may leave [0, 1]; a constraint needs no help.",
				Answer: After(func(y []float64) {
					top := floats.Max(y)
					for i, v := range y {
						y[i] = math.Exp(v - top)
					}
					floats.Scale(1/floats.Sum(y), y)
				})},
			{Key: "normalised", Hint: 2, Message: "Your predictions are the least-squares ones divided by their sum. With 1-of-K targets that changes nothing, and the sum is 1 by itself; with other targets it need not be.",
				Answer: After(func(y []float64) { floats.Scale(1/floats.Sum(y), y) })},
			{Key: "sum-forced", Hint: 2, Message: "The last output is 1 minus the others. Here the targets do not sum to 1, and the constraint must come from the targets: a function that forces it is not least squares.",
				Answer: After(func(y []float64) { y[len(y)-1] += 1 - floats.Sum(y) })},
		},
	}
}

// ask calls f at all inputs of p. Where the columns depend on each other, and f is
// right where they do not, it says what that has led to.
func ask(f Predictor, c *judge.Call, p Problem, hint int) (got []float64) {
	if p.Dependent {
		defer func() {
			// A panic of gonum's is what a singular matrix leads to; every other one goes
			// on, still on its own stack, to where its place is found.
			if cause := recover(); cause != nil {
				err, ok := fromGonum(cause)
				if !ok || !works(f) {
					panic(cause)
				}
				c.Say(singular(p, hint, "gonum stopped with “"+err.Error()+"”"))
			}
		}()
	}
	n, d := p.X.Dims()
	_, k := p.T.Dims()
	for _, x := range p.At {
		y := f(c.Dense("X", p.X), c.Dense("T", p.T), c.Slice("x", x))
		switch {
		case len(y) == k && p.Dependent && !finite(y) && works(f):
			c.Say(singular(p, hint, "your predictions are not finite numbers"))
		case len(y) == k || len(y) == 0:
		case len(y) == n:
			say(c, "transposed", hint, "You returned %d numbers, one per training input. y(x) has one entry per column of T, here %d: which factor is transposed?", n, k)
		case len(y) == d || len(y) == d+1:
			say(c, "weights-returned", hint, "You returned %d numbers, as many as weights belong to one output. y(x) has one entry per column of T, here %d: is a factor transposed, or were weights returned for a prediction?", len(y), k)
		}
		if y = c.Vector("y(x)", y, k, "column of T"); y == nil {
			return nil
		}
		got = append(got, y...)
	}
	return got
}

func say(c *judge.Call, key string, hint int, format string, args ...any) {
	c.Say(judge.Fail(key, hint, format, args...))
}

func finite(y []float64) bool {
	return !slices.ContainsFunc(y, func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) })
}

// Best is the least-squares prediction.
func Best(X, T *mat.Dense, x []float64) []float64 {
	y, _ := instance.Linear(instance.LeastSquares(X, T), x)
	return y
}

// After does something to the least-squares prediction.
func After(change func(y []float64)) Predictor {
	return func(X, T *mat.Dense, x []float64) []float64 {
		y := Best(X, T, x)
		change(y)
		return y
	}
}

func nearest(X *mat.Dense, x []float64) int {
	n, _ := X.Dims()
	best, least := 0, math.Inf(1)
	for i := range n {
		if d := floats.Distance(X.RawRowView(i), x, 2); d < least {
			best, least = i, d
		}
	}
	return best
}

// FullRank is the rank of which nothing is cut off but rounding.
const FullRank = -1

// Solve is the shortest W for which aW is nearest to t, with this many singular values.
func Solve(a, t *mat.Dense, rank int) *mat.Dense {
	_, d := a.Dims()
	_, k := t.Dims()
	w := mat.NewDense(d, k, nil)
	var svd mat.SVD
	if !svd.Factorize(a, mat.SVDThin) {
		return w
	}
	if rank == FullRank {
		rank = svd.Rank(1e-12)
	}
	if rank > 0 {
		svd.SolveTo(w, t, rank)
	}
	return w
}

// Times is Wᵀx.
func Times(x []float64, w mat.Matrix) []float64 {
	var y mat.Dense
	y.Mul(mat.NewDense(1, len(x), slices.Clone(x)), w)
	return y.RawRowView(0)
}
