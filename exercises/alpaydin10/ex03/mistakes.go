package ex03

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/judge"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

var askDerivative = &judge.Question[derivativeFunc, scores]{
	Func: "DSoftmax", Name: "DSoftmax", Hint: 3, Per: "pair of classes",
	Ask: func(d derivativeFunc, c *judge.Call, a scores) []float64 {
		var out []float64
		for i := range a {
			for j := range a {
				v := d(c.Slice("a", a), i, j)
				if math.IsNaN(v) || math.IsInf(v, 0) {
					c.Say(infinite(a, i, j, v))
				}
				out = append(out, v)
			}
		}
		return out
	},
	Right:  func(a scores) []float64 { return kernel.SoftmaxJacobian(a) },
	Nearly: judge.Wrong{Key: "imprecise", Hint: 3, Message: "Nearly: for {problem} your numbers have their first digits right, but not 12 decimal places, as finite differences have not. The formula is exact."},
	Sign:   judge.Wrong{Key: "sign", Hint: 2, Message: "Your signs are turned. An output rises with its own score."},
	Factor: judge.Wrong{Key: "factor", Hint: 2, Message: "Your derivatives are the right ones times a number. There is no factor in front."},
	Mistakes: []judge.Mistake[derivativeFunc]{
		{Key: "misprint-10.32", Hint: 1, Message: "You return y_i(1 − y_i) whatever j is: the derivative with respect to a_i. So it is printed in (10.32), by mistake; the exercise asks for ∂y_i/∂a_j.",
			Answer: by(func(yi, _, _ float64) float64 { return yi * (1 - yi) })},
		{Key: "diagonal-only", Hint: 1, Message: "Right for i = j, and 0 for i ≠ j, as if every output had its own score alone. All scores stand in the denominator: the others' outputs fall when a_j rises.",
			Answer: by(func(yi, _, delta float64) float64 { return delta * yi * (1 - yi) })},
		{Key: "off-diagonal-sign", Hint: 2, Message: "Right for i = j; for i ≠ j the sign is wrong. The derivative of a denominator brings a minus.",
			Answer: by(func(yi, yj, delta float64) float64 { return delta*yi*(1-yi) + (1-delta)*yi*yj })},
		{Key: "inner-sign", Hint: 2, Message: "You have y_i(δ_ij + y_j): the quotient rule has a minus between its terms.",
			Answer: by(func(yi, yj, delta float64) float64 { return yi * (delta + yj) })},
		{Key: "delta-left-out", Hint: 2, Message: "You have −y_i·y_j for every pair: only the denominator was differentiated. For i = j the numerator moves too; that is what δ_ij is for.",
			Answer: by(func(yi, yj, _ float64) float64 { return -yi * yj })},
		{Key: "delta-is-one", Hint: 2, Message: "You have y_i(1 − y_j) for every pair. δ_ij is 1 for i = j and 0 otherwise.",
			Answer: by(func(yi, yj, _ float64) float64 { return yi * (1 - yj) })},
		{Key: "delta-reversed", Hint: 2, Message: "Your δ_ij is the wrong way round: 0 for i = j and 1 otherwise.",
			Answer: by(func(yi, yj, delta float64) float64 { return yi * (1 - delta - yj) })},
		{Key: "one-index", Hint: 2, Message: "You have y_i(δ_ij − y_i): for i ≠ j the output that belongs to the score a_j is missing.",
			Answer: by(func(yi, _, delta float64) float64 { return yi * (delta - yi) })},
		{Key: "denominator-held-fixed", Hint: 1, Message: "You have y_i for i = j and 0 otherwise: the denominator was held fixed. It contains every score.",
			Answer: by(func(yi, _, delta float64) float64 { return delta * yi })},
		{Key: "log-softmax", Hint: 2, Message: "You have δ_ij − y_j, the derivative of log y_i. A factor y_i is missing.",
			Answer: by(func(_, yj, delta float64) float64 { return delta - yj })},
		{Key: "product", Hint: 2, Message: "You have y_i·y_j for every pair: one of two terms, and with the other sign.",
			Answer: by(func(yi, yj, _ float64) float64 { return yi * yj })},
		{Key: "squared", Hint: 2, Message: "A factor y_i comes in once too often.",
			Answer: by(func(yi, yj, delta float64) float64 { return yi * yi * (delta - yj) })},
		{Key: "score-for-output", Hint: 2, Message: "The formula is applied to the scores. It is in terms of the outputs y, the softmax of a.",
			Answer: of(func(a []float64) []float64 { return a }, func(ai, aj, delta float64) float64 { return ai * (delta - aj) })},
		{Key: "sigmoids", Hint: 1, Message: "These are the derivatives of K separate sigmoids, (10.42). The softmax has one denominator for all.",
			Answer: of(each(kernel.Sigmoid), func(yi, _, delta float64) float64 { return delta * yi * (1 - yi) })},
		{Key: "unnormalised", Hint: 2, Message: "This is the derivative of the exponential alone. The outputs are divided by the sum of all of them.",
			Answer: of(each(math.Exp), func(ei, _, delta float64) float64 { return delta * ei })},
		{Key: "zero", Hint: 1, Message: "You return 0 for every pair. Was the result never computed?",
			Answer: func([]float64, int, int) float64 { return 0 }},
	},
}

// infinite is the verdict on a number that is none.
func infinite(a scores, i, j int, v float64) *verify.Verdict {
	bad := verify.Fail("not-finite", 3, "For %v your ∂y_%d/∂a_%d is %g.", a, i, j, v)
	if floats.Norm(a, math.Inf(1)) > 300 {
		bad = verify.Fail("overflow", 3, "For %v your ∂y_%d/∂a_%d is %g: e^1000 is Inf in Go and e^−1000 is 0, and Inf/Inf and 0/0 are NaN. The same number taken off all scores changes nothing; which one helps?", a, i, j, v)
	}
	return &bad
}

// of is f(v_i, v_j, δ_ij) of the values v of the scores, by the same of the outputs.
func of(values func(a []float64) []float64, f func(vi, vj, delta float64) float64) derivativeFunc {
	return func(a []float64, i, j int) float64 {
		v, delta := values(a), 0.0
		if i == j {
			delta = 1
		}
		return f(v[i], v[j], delta)
	}
}

func by(f func(yi, yj, delta float64) float64) derivativeFunc { return of(kernel.Softmax, f) }

func each(f func(float64) float64) func([]float64) []float64 {
	return func(a []float64) []float64 {
		out := make([]float64, len(a))
		for i, v := range a {
			out[i] = f(v)
		}
		return out
	}
}

const classIndex = "You multiply by x_i, the input with the number of the class. So it is printed in figure 10.8, by mistake: the weight w_ij belongs to the input x_j."

// askStep asks for the change of the weights: of that alone can a factor be told.
var askStep = &judge.Question[stepFunc, problem]{
	Func: "Step", Name: "Step", Hint: 4, Per: "weight", New: true,
	Ask: func(step stepFunc, c *judge.Call, p problem) []float64 {
		next := step(c.Dense("W", p.W), c.Dense("X", p.X), c.Dense("R", p.R), p.eta)
		r, k := p.W.Dims()
		if bad := telling(p, next); bad != nil {
			c.Say(bad)
		}
		change := c.Matrix("W", next, r, k, "(D+1)×K")
		if change == nil {
			return nil
		}
		return floats.SubTo(change, change, entries(p.W))
	},
	Right:  problem.change,
	Nearly: judge.Wrong{Key: "step-imprecise", Hint: 4, Message: "Nearly: for {problem} the change of the weights has its first digits right, but not 7. Is the gradient a difference of errors, or a number rounded?"},
	Sign:   judge.Wrong{Key: "uphill", Hint: 3, Message: "Your step goes uphill: η Σ (y − r) x is added, perhaps times a number. That is the gradient; descent goes against it, so that a class whose output is too small gains."},
	Factor: judge.Wrong{Key: "step-factor", Hint: 4, Message: "Your step is the right one times a number. It is η times the sum, without another factor."},
	Mistakes: []judge.Mistake[stepFunc]{
		{Key: "averaged", Hint: 4, Message: "Your step is divided by N. E in (10.31) is a sum over the sample, not a mean, and so is its gradient.",
			Answer: times(func(n, _ float64) float64 { return 1 / n })},
		{Key: "eta-left-out", Hint: 4, Message: "η is left out: the whole gradient is taken as the step.",
			Answer: func(W, X, R *mat.Dense, _ float64) *mat.Dense { return step(W, X, R, 1) }},
		{Key: "eta-twice", Hint: 4, Message: "η comes in twice, once in the sum and once outside it.",
			Answer: times(func(_, eta float64) float64 { return eta })},
		{Key: "change-only", Hint: 4, Message: "You return the change ΔW. Asked for are the weights after the step, W + ΔW.",
			Answer: func(W, X, R *mat.Dense, eta float64) *mat.Dense {
				r, k := W.Dims()
				return mat.NewDense(r, k, change(W, X, R, eta, residual))
			}},
		{Key: "unchanged", Hint: 3, Message: "The weights come back as they were, although the error is not at its least.",
			Answer: func(W, _, _ *mat.Dense, _ float64) *mat.Dense { return W }},
		{Key: "bias-not-updated", Hint: 4, Message: "The biases stay as they were. They learn as well: by η Σ (r − y), as for an input that is always 1.",
			Answer: after(func(d *mat.Dense) { clear(d.RawRowView(0)) })},
		{Key: "only-biases", Hint: 4, Message: "Only the biases change. Does the loop over the inputs run?",
			Answer: after(func(d *mat.Dense) { eachInput(d, func(row []float64) { clear(row) }) })},
		{Key: "input-left-out", Hint: 3, Message: "Every weight changes as the biases do: the factor x is left out. The derivative of a score with respect to a weight is that weight's input.",
			Answer: after(func(d *mat.Dense) { eachInput(d, func(row []float64) { copy(row, d.RawRowView(0)) }) })},
		{Key: "squared-error", Hint: 3, Message: "A factor y(1 − y) is left, as in (10.45). With the cross-entropy the r/y in front takes it away.",
			Answer: moved(terms(func(y, r, _ float64) float64 { return (r - y) * y * (1 - y) }))},
		{Key: "squared-error", Hint: 3, Message: "Your step is that of the squared error, Σ_i (r_i − y_i) y_i(δ_ij − y_j). The error here is the cross-entropy, whose r_i/y_i takes the y_i away.",
			Answer: moved(squaredError)},
		{Key: "own-class-only", Hint: 3, Message: "Each class learns from its own points alone: η Σ r(1 − y) x. Because of the common denominator the points of other classes push it away, by −y; ∂y_i/∂a_j for i ≠ j was left out.",
			Answer: moved(terms(func(y, r, _ float64) float64 { return r * (1 - y) }))},
		{Key: "outputs-left-out", Hint: 3, Message: "You add η Σ r x: the outputs y are left out, and the step would never get smaller.",
			Answer: moved(terms(func(_, r, _ float64) float64 { return r }))},
		{Key: "targets-left-out", Hint: 3, Message: "You subtract η Σ y x: the targets r are left out.",
			Answer: moved(terms(func(y, _, _ float64) float64 { return -y }))},
		{Key: "chain-rule-stops-at-y", Hint: 3, Message: "You add η Σ (r/y) x: the derivative of −E with respect to the outputs. The derivative of the outputs with respect to the scores is missing.",
			Answer: moved(terms(func(y, r, _ float64) float64 { return r / y }))},
		{Key: "sigmoids", Hint: 3, Message: "Your outputs are K separate sigmoids. The classes exclude each other: the softmax shares one denominator.",
			Answer: moved(terms(func(_, r, a float64) float64 { return r - kernel.Sigmoid(a) }))},
		{Key: "scores-for-outputs", Hint: 3, Message: "Your residual is r − a, with the scores in place of the outputs: least squares on a linear model.",
			Answer: moved(terms(func(_, r, a float64) float64 { return r - a }))},
		{Key: "hard-outputs", Hint: 3, Message: "Your outputs are 1 for the largest score and 0 for the others: the perceptron's rule. The sum is over the probabilities.",
			Answer: moved(func(a, r []float64) []float64 { out := slices.Clone(r); out[floats.MaxIdx(a)]--; return out })},
		{Key: "bias-not-in-score", Hint: 4, Message: "The outputs are computed without the biases: the score is w_i0 + w_iᵀx.",
			Answer: func(W, X, R *mat.Dense, eta float64) *mat.Dense {
				bare := mat.DenseCopyOf(W)
				clear(bare.RawRowView(0))
				return plus(W, change(bare, X, R, eta, residual))
			}},
		{Key: "one-by-one", Hint: 4, Message: "Your weights change after every point, and the next one already sees the new ones: stochastic descent. Asked for is one step for all points together, all with the W that was handed in.",
			Answer: func(W, X, R *mat.Dense, eta float64) *mat.Dense {
				for t := range X.RawMatrix().Rows {
					W = point(W, X, R, eta, t)
				}
				return W
			}},
		{Key: "last-point-only", Hint: 4, Message: "Only the last point counts. Is the change overwritten where it should be added to?",
			Answer: func(W, X, R *mat.Dense, eta float64) *mat.Dense { return point(W, X, R, eta, X.RawMatrix().Rows-1) }},
		{Key: "first-point-only", Hint: 4, Message: "Only the first point counts. Does the loop end too early?",
			Answer: func(W, X, R *mat.Dense, eta float64) *mat.Dense { return point(W, X, R, eta, 0) }},
		{Key: "misprint-figure-10.8", Hint: 3, Message: classIndex, Answer: classIndexed(0)},
		{Key: "misprint-figure-10.8", Hint: 3, Message: classIndex, Answer: classIndexed(1)},
		{Key: "last-class-fixed", Hint: 3, Message: "The last class does not learn, as if it were the reference class of (10.25). Here all K classes have weights.",
			Answer: after(func(d *mat.Dense) {
				r, k := d.Dims()
				d.SetCol(k-1, make([]float64, r))
			})},
	},
}

// telling is the verdict on a form that shows what was thought.
func telling(p problem, next *mat.Dense) *verify.Verdict {
	if next == nil || next.IsEmpty() {
		return nil
	}
	var bad verify.Verdict
	r, k := p.W.Dims()
	switch gr, gk := next.Dims(); {
	case gr == k && gk == r && r != k:
		bad = verify.Fail("transposed", 4, "You returned a K×(D+1) matrix, one row per class. The weights of a class stand in a column: (D+1)×K, here %d×%d.", r, k)
	case gr == r-1 && gk == k:
		bad = verify.Fail("no-bias-row", 4, "You returned a D×K matrix: the row of biases is missing. The biases are row 0, and they learn like weights of an input that is always 1.")
	case math.IsNaN(0*mat.Sum(next)) && floats.Norm(p.scores(p.W, 0), math.Inf(1)) > 300:
		bad = verify.Fail("step-overflow", 3, "For %v a weight is not a finite number: e^1000 is Inf in Go and e^−1000 is 0, and Inf/Inf and 0/0 are NaN. Do the exponentials overflow, or is r/y formed where an output is 0? What cancels on paper need not be formed in Go.", p)
	default:
		return nil
	}
	return &bad
}

// change is η Σ_t c_ti x_tj, where c gives for a point's scores and targets the K
// numbers that multiply its input: the form of the update and of most mistakes.
func change(W, X, R *mat.Dense, eta float64, c func(a, r []float64) []float64) []float64 {
	p := problem{W: mat.DenseCopyOf(W), X: X, R: R}
	r, k := W.Dims()
	out := mat.NewDense(r, k, nil)
	for t := range R.RawMatrix().Rows {
		factors := c(p.scores(p.W, t), R.RawRowView(t))
		floats.AddScaled(out.RawRowView(0), eta, factors)
		for j, v := range X.RawRowView(t) {
			floats.AddScaled(out.RawRowView(j+1), eta*v, factors)
		}
	}
	return out.RawMatrix().Data
}

// plus is W + d.
func plus(W *mat.Dense, d []float64) *mat.Dense {
	next := mat.DenseCopyOf(W)
	floats.Add(next.RawMatrix().Data, d)
	return next
}

func moved(c func(a, r []float64) []float64) stepFunc {
	return func(W, X, R *mat.Dense, eta float64) *mat.Dense { return plus(W, change(W, X, R, eta, c)) }
}

// terms are f(y_i, r_i, a_i).
func terms(f func(y, r, a float64) float64) func(a, r []float64) []float64 {
	return func(a, r []float64) []float64 {
		y := kernel.Softmax(a)
		for i := range y {
			y[i] = f(y[i], r[i], a[i])
		}
		return y
	}
}

var (
	residual = terms(func(y, r, _ float64) float64 { return r - y })
	step     = moved(residual)
)

func squaredError(a, r []float64) []float64 {
	e, out := residual(a, r), make([]float64, len(a))
	var v mat.VecDense
	v.MulVec(square(a, kernel.SoftmaxJacobian(a)), mat.NewVecDense(len(e), e))
	copy(out, v.RawVector().Data)
	return out
}

// after is a mistake made on the right change of W, times the right change with a
// factor of N and η.
func after(f func(d *mat.Dense)) stepFunc {
	return func(W, X, R *mat.Dense, eta float64) *mat.Dense {
		r, k := W.Dims()
		d := mat.NewDense(r, k, change(W, X, R, eta, residual))
		f(d)
		return plus(W, d.RawMatrix().Data)
	}
}

func times(factor func(n, eta float64) float64) stepFunc {
	return func(W, X, R *mat.Dense, eta float64) *mat.Dense {
		return step(W, X, R, eta*factor(float64(X.RawMatrix().Rows), eta))
	}
}

func eachInput(d *mat.Dense, f func(row []float64)) {
	for j := 1; j < d.RawMatrix().Rows; j++ {
		f(d.RawRowView(j))
	}
}

// point is a step for point t alone.
func point(W, X, R *mat.Dense, eta float64, t int) *mat.Dense {
	d, k := X.RawMatrix().Cols, R.RawMatrix().Cols
	return step(W, X.Slice(t, t+1, 0, d).(*mat.Dense), R.Slice(t, t+1, 0, k).(*mat.Dense), eta)
}

// classIndexed multiplies the residual of class i by input i+shift of (1, x), for
// every weight of the class.
func classIndexed(shift int) stepFunc {
	return func(W, X, R *mat.Dense, eta float64) *mat.Dense {
		next := mat.DenseCopyOf(W)
		r, _ := W.Dims()
		p := problem{W: next, X: X, R: R}
		was := mat.DenseCopyOf(W)
		for t := range X.RawMatrix().Rows {
			x := append([]float64{1}, p.X.RawRowView(t)...)
			for i, f := range residual(p.scores(was, t), R.RawRowView(t)) {
				for j := range r {
					next.Set(j, i, next.At(j, i)+eta*f*x[min(i+shift, r-1)])
				}
			}
		}
		return next
	}
}

func init() {
	judge.Known(exercise, askDerivative, func(f derivativeFunc) *verify.Report { return Check(f, step) })
	judge.Known(exercise, askStep, func(f stepFunc) *verify.Report {
		return Check(by(func(yi, yj, delta float64) float64 { return yi * (delta - yj) }), f)
	})
}
