package leastsquares

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/judge"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// Question returns the judge.Question that asks for the predictions at all inputs of a problem. The
// argument `hint` is the number of the hint that explains how to build the learner's function. Each
// exercise adds its own mistakes to the question.
func Question(hint int) *judge.Question[Predictor, Problem] {
	return &judge.Question[Predictor, Problem]{
		Same: func(p Problem) any { return [2]*mat.Dense{p.X, p.T} },
		Func: "Predict", Name: "y(x)", Hint: hint, Per: "output and input",
		Invoke: func(f Predictor, c *judge.Call, p Problem) []float64 { return predictAll(f, c, p, hint) },
		Right:  func(p Problem) []float64 { return slices.Clone(p.want) },
		Unit:   func(p Problem, _ []float64) []float64 { return p.unit },
		Family: knownFamily,
		Sign: judge.Wrong{Key: "scaled", Hint: hint,
			Message: "Your predictions are the least-squares predictions with the opposite sign."},
		Factor: judge.Wrong{Key: "scaled", Hint: hint,
			Message: "Your predictions are the least-squares predictions multiplied by a constant, as if you had multiplied only one of XᵀX and XᵀT by a factor."},
		Mistakes: []judge.Mistake[Predictor]{
			{Key: "mean", Answer: func(_, T *mat.Dense, _ []float64) []float64 { return instance.Mean(T) }, Hint: 1,
				Message: "You return the mean of the targets for every x. The mean satisfies every constraint that the targets satisfy, but your prediction does not depend on x."},
			{Key: "no-bias", Hint: 2,
				Message: "Your predictions are least squares without a bias: your function is 0 at x = 0, and the residuals do not sum to zero. Without a bias the predictions need not satisfy the constraint.",
				Answer:  func(X, T *mat.Dense, x []float64) []float64 { return Times(x, Solve(X, T, FullRank)) }},
			{Key: "bias-not-used", Hint: 2,
				Message: "The slopes are right for least squares with a bias, but the bias is missing from your prediction. Add it, for example with a 1 in x, as in the rows of [1 X].",
				Answer: func(X, T *mat.Dense, x []float64) []float64 {
					return instance.Minus(Best(X, T, x), Best(X, T, make([]float64, len(x))))
				}},
			{Key: "targets-not-restored", Hint: 2,
				Message: "Your predictions do not contain the mean of the targets, as if you had subtracted this mean from the targets and not added it back.",
				Answer: func(X, T *mat.Dense, x []float64) []float64 {
					return instance.Minus(Best(X, T, x),
						instance.Mean(T))
				}},
			{Key: "x-not-centred", Hint: 2,
				Message: "Your slopes are right, but your bias is the mean of the targets, which is the bias for centred inputs. Subtract the mean of the inputs from x as well.",
				Answer: func(X, T *mat.Dense, x []float64) []float64 {
					return Best(X, T, floats.AddTo(make([]float64, len(x)), x, instance.Mean(X)))
				}},
			{Key: "transposed", Hint: hint,
				Message: "Your predictions are W[1 x] with the least-squares weights W. For {problem} the result has the right shape only because W is square. y(x) is Wᵀ[1 x], one entry per column of W.",
				Answer: func(X, T *mat.Dense, x []float64) []float64 { // the result has one entry per row of W
					w, one := instance.LeastSquares(X, T), append([]float64{1}, x...)
					y := make([]float64, len(one))
					for i := range y {
						for j := range min(len(one), w.RawMatrix().Cols) {
							y[i] += w.At(i, j) * one[j]
						}
					}
					return y
				}},
			{Key: "bias-misplaced", Hint: hint,
				Message: "Your weights are the least-squares weights, but each weight multiplies the input next to its own. This happens if the 1 is first in the rows of [1 X] but last in x.",
				Answer: func(X, T *mat.Dense, x []float64) []float64 {
					return Times(append(slices.Clone(x), 1), instance.LeastSquares(X, T))
				}},
			{Key: "bias-misplaced", Hint: hint,
				Message: "Your weights are the least-squares weights, but each weight multiplies the input next to its own. This happens if the 1 is last in the rows of [X 1] but first in x.",
				Answer: func(X, T *mat.Dense, x []float64) []float64 {
					last := len(x) - 1
					return Times(append([]float64{x[last], 1}, x[:last]...), instance.LeastSquares(X, T))
				}},
			{Key: "scaled", Hint: hint,
				Message: "Your predictions are the least-squares predictions divided by N, as if you had divided only XᵀT by N.",
				Answer: func(X, T *mat.Dense, x []float64) []float64 {
					y := Best(X, T, x)
					floats.Scale(1/float64(T.RawMatrix().Rows), y)
					return y
				}},
			{Key: "nearest-neighbour", Hint: 1,
				Message: "Every prediction is one of the targets: the target of the nearest training input. The least-squares prediction is one linear function for all x.",
				Answer:  func(X, T *mat.Dense, x []float64) []float64 { return T.RawRowView(nearest(X, x)) }},
			{Key: "training-only", Hint: 2,
				Message: "At a new x your prediction is the least-squares prediction at the nearest training input. Evaluate the linear function at x itself.",
				Answer: func(X, T *mat.Dense, x []float64) []float64 {
					return Best(X, T,
						X.RawRowView(nearest(X, x)))
				}},
			{Key: "hard-decision", Hint: 2,
				Message: "Every entry is 0 or 1, as if you had already chosen a class. Return the vector y(x) before this choice; its entries may be any numbers.",
				Answer: After(func(y []float64) {
					best := floats.MaxIdx(y)
					clear(y)
					y[best] = 1
				})},
			{Key: "clipped", Hint: 2,
				Message: "All entries lie in [0, 1], even for x far away, as if the outputs were clipped. The least-squares y(x) is linear in x and therefore unbounded.",
				Answer: After(func(y []float64) {
					for i, v := range y {
						y[i] = math.Min(1, math.Max(0, v))
					}
				})},
			{Key: "softmax", Hint: 2,
				Message: "Your predictions are the softmax of the least-squares outputs. y(x) is linear in x, and its entries may lie outside [0, 1]; it satisfies the constraint without a softmax.",
				Answer: After(func(y []float64) {
					top := floats.Max(y)
					for i, v := range y {
						y[i] = math.Exp(v - top)
					}
					floats.Scale(1/floats.Sum(y), y)
				})},
			{Key: "normalised", Hint: 2,
				Message: "Your predictions are the least-squares predictions divided by their sum. With 1-of-K targets the sum is already 1; with other targets it need not be.",
				Answer:  After(func(y []float64) { floats.Scale(1/floats.Sum(y), y) })},
			{Key: "sum-forced", Hint: 2,
				Message: "Your last output is 1 minus the sum of the others. Here the targets do not sum to 1. The least-squares outputs satisfy a constraint only if the targets satisfy it, so do not force the outputs.",
				Answer:  After(func(y []float64) { y[len(y)-1] += 1 - floats.Sum(y) })},
		},
	}
}

// predictAll calls f at all inputs of p. If f fails for linearly dependent columns of [1 X] but is right
// for independent columns, the message names the dependence as the cause.
func predictAll(f Predictor, c *judge.Call, p Problem, hint int) (got []float64) {
	if p.Dependent {
		defer func() {
			// If gonum panics here although f is right for independent columns, a verdict replaces the
			// panic. Any other panic must continue, because the report uses the stack of that panic to
			// say where it happened.
			if cause := recover(); cause != nil {
				err, ok := isGonumError(cause)
				if !ok || !rightInControl(f) {
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
		case len(y) == k && p.Dependent && !finite(y) && rightInControl(f):
			c.Say(singular(p, hint, "your predictions are not finite numbers"))
		case len(y) == k || len(y) == 0:
		case len(y) == n:
			say(c, "transposed", hint,
				"You returned %d numbers, one per training input. y(x) has one entry per column of T, here %d. Look for a transposed factor.", n, k)
		case len(y) == d || len(y) == d+1:
			say(c, "weights-returned", hint,
				"You returned %d numbers, the number of weights of one output. y(x) has one entry per column of T, here %d: return a prediction, not weights, and check for a transposed factor.", len(y), k)
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

// Best returns the least-squares prediction.
func Best(X, T *mat.Dense, x []float64) []float64 {
	y, _ := instance.Linear(instance.LeastSquares(X, T), x)
	return y
}

// After returns a wrong answer. The answer computes the least-squares prediction and then alters it
// with the function `change`.
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

// FullRank is a special value for the argument `rank` of Solve. With FullRank, Solve uses every
// singular value that is larger than rounding errors.
const FullRank = -1

// Solve replaces all singular values of the matrix a with 0, except the `rank` largest ones. It then
// returns the W of smallest norm for which the product aW is nearest to t.
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

// Times returns Wᵀx.
func Times(x []float64, w mat.Matrix) []float64 {
	var y mat.Dense
	y.Mul(mat.NewDense(1, len(x), slices.Clone(x)), w)
	return y.RawRowView(0)
}

// familyTolerance is the largest difference, divided by the unit (Problem.unit), at which
// knownFamily counts two numbers as equal. The function dropsSingularValues allows ten times as much.
const familyTolerance = 1e-6

// knownFamily returns the verdict of the first mistake with an unknown parameter that explains the
// answer, or nil if none of these mistakes explains it.
func knownFamily(p Problem, got []float64) *verify.Verdict {
	if bad := solverMistake(p, got); bad != nil {
		return bad
	}
	targets, meets := p.T.RawMatrix().Data, true
	atTraining, elsewhere, shifted, sums, wantSums := true, true, true, true, true
	_, k := p.T.Dims()
	for i, v := range got {
		miss := v - p.want[i]
		here := math.Abs(miss) <= familyTolerance*p.unit[i]
		if i < len(targets) {
			meets = meets && math.Abs(v-targets[i]) <= familyTolerance*p.unit[i]
			atTraining = atTraining && here
		} else {
			elsewhere = elsewhere && here
		}
		shifted = shifted && math.Abs(miss-(got[i%k]-p.want[i%k])) <= familyTolerance*p.unit[i]
	}
	for i := range p.At {
		unit := p.unit[i*k]
		sums = sums && math.Abs(floats.Sum(p.row(got, i))-1) <= familyTolerance*unit
		wantSums = wantSums && math.Abs(floats.Sum(p.row(p.want, i))-1) <= familyTolerance*unit
	}
	switch {
	case meets && !atTraining:
		return judge.Fail("interpolates", 1,
			"For %v you return the targets themselves at the training inputs. No linear function reaches these targets exactly, so the least-squares fit has residuals.", p)
	case sums && !wantSums:
		return judge.Fail("sum-forced", 2,
			"The targets of %v do not sum to 1, but your outputs do. The least-squares outputs satisfy a constraint only if the targets satisfy it, so do not force the outputs.", p)
	case atTraining && !elsewhere:
		return judge.Fail("elsewhere", 2,
			"For %v your predictions agree with the least-squares predictions at the training inputs, but not at other inputs.", p)
	case shifted && !(atTraining && elsewhere):
		return judge.Fail("bias-off", 2,
			"For %v the slopes are right, but the biases are wrong: the residuals of each output must sum to zero.", p)
	}
	return nil
}

// solverMistake returns a verdict if the answer is the result of a fit with a penalty, or of a
// pseudo-inverse that ignores too many singular values. For any other answer it returns nil.
func solverMistake(p Problem, got []float64) *verify.Verdict {
	switch kind := isRidge(p, p.atTrainingInputs(got)); {
	case kind == onAll:
		return judge.Fail("ridge-bias", 2,
			"For %v your predictions minimise the sum of squares plus a penalty on all weights, including the bias. Because the penalty makes the bias smaller, aᵀy + b is not 0. The exercise has no penalty. A small number added to the diagonal of [1 X]ᵀ[1 X] is such a penalty, too; its effect is large if the inputs are small.", p)
	case kind == onSlopes:
		return judge.Fail("ridge", 2,
			"For %v your predictions minimise the sum of squares plus a penalty on the slopes. The bias has no penalty, so the predictions satisfy the constraint, but they are not the least-squares predictions.", p)
	case dropsSingularValues(p, got):
		return judge.Fail("cut-off", 4,
			"For %v your predictions ignore a singular value that is larger than rounding errors, as a pseudo-inverse with too large a limit does. Count a singular value as 0 only if it is as small as the rounding error of the largest one. Do not use a fixed limit, or a thousandth of the largest value.", p)
	}
	return nil
}

type penaltyKind int

const (
	noPenalty penaltyKind = iota
	onAll
	onSlopes
)

// isRidge reports whether the predictions y are the result of ridge regression, and which weights
// are penalised. In ridge regression, the product of a column of [1 X] with the residuals is λ
// times the weight of this column. All penalised weights have the same λ > 0. In least squares,
// every such product is 0.
func isRidge(p Problem, y *mat.Dense) penaltyKind {
	ones := instance.WithOnes(p.X)
	w := Solve(ones, y, FullRank)
	var fit, residual, products mat.Dense
	fit.Mul(ones, w)
	fit.Sub(&fit, y)
	if !(mat.Norm(&fit, 2) <= familyTolerance*mat.Norm(y, 2)) {
		return noPenalty // the predictions are not values of a linear function
	}
	residual.Sub(p.T, y)
	products.Mul(ones.T(), &residual)
	_, k := w.Dims()
	lambda, ok := bestMultiple(products.RawMatrix().Data[k:], w.RawMatrix().Data[k:]) // the slopes
	if !ok || !(lambda > 0) {
		return noPenalty
	}
	onBias, expected := products.RawRowView(0), append([]float64(nil), w.RawRowView(0)...)
	floats.Scale(lambda, expected)
	size := floats.Norm(expected, 2)
	switch {
	case floats.Distance(onBias, expected, 2) <= 1e-2*size:
		return onAll
	case floats.Norm(onBias, 2) <= 1e-2*size:
		return onSlopes
	}
	return noPenalty
}

// bestMultiple returns the number c for which the vector c·b is nearest to the vector a. It also
// reports whether the distance between the two is at most 1e-4 times the length of a.
func bestMultiple(a, b []float64) (c float64, ok bool) {
	c = floats.Dot(a, b) / floats.Dot(b, b) // NaN for 0/0
	return c, floats.Distance(a, floats.ScaleTo(make([]float64, len(b)), c, b), 2) <= 1e-4*floats.Norm(a, 2)
}

// dropsSingularValues reports whether the predictions are wrong because they use only some of the
// nonzero singular values of [1 X] or of the centred inputs.
func dropsSingularValues(p Problem, got []float64) bool {
	ones, mean := instance.WithOnes(p.X), instance.Mean(p.X)
	centred, targets := instance.Centred(p.X, mean), instance.Mean(p.T)
	agrees := func(predict func(x []float64) []float64) bool {
		differs := false
		for i, x := range p.At {
			for j, v := range predict(x) {
				at := i*len(targets) + j
				if !(math.Abs(v-got[at]) <= 10*familyTolerance*p.unit[at]) {
					return false
				}
				differs = differs || math.Abs(v-p.want[at]) > 100*familyTolerance*p.unit[at]
			}
		}
		return differs
	}
	_, d := p.X.Dims()
	for rank := 1; rank <= min(d, p.X.RawMatrix().Rows); rank++ {
		plain, slopes := Solve(ones, p.T, rank), Solve(centred, p.T, rank)
		if agrees(func(x []float64) []float64 { return Times(append([]float64{1}, x...), plain) }) {
			return true
		}
		if rank < d && agrees(func(x []float64) []float64 {
			y := Times(instance.Minus(x, mean), slopes)
			floats.Add(y, targets)
			return y
		}) {
			return true
		}
	}
	return false
}
