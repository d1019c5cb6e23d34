// Package ex03 judges Alpaydin exercise 10.3: the derivatives of the softmax, and
// the update rule for the weights that follows from them.
package ex03

import (
	"embed"
	"math"
	"math/cmplx"
	"math/rand/v2"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/exercises/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/multiclass"
	"github.com/hyperplane-notebooks/hyperplane/exercises/judge"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

type (
	scores         = multiclass.Scores
	derivativeFunc = func(a []float64, i, j int) float64
	stepFunc       = func(W, X, R *mat.Dense, eta float64) *mat.Dense
)

// The variable `gradient` is the tolerance for the gradient of E, which the check computes from the
// learner's step. The exercise requires this accuracy.
var gradient = verify.Tolerance{Abs: 1e-7, Rel: 1e-7}

// Check judges both functions of Alpaydin exercise 10.3. For K scores a, dSoftmax returns ∂y_i/∂a_j.
// The function `step` takes one step of gradient descent on the cross-entropy (10.31) of the inputs X
// (N×D) and the 1-of-K targets R (N×K), with the learning factor eta. It returns the new weights, a
// (D+1)×K matrix whose row 0 contains the biases.
func Check(dSoftmax derivativeFunc, step stepFunc) *verify.Report {
	return exercise.Judge(append(derivativeQuestion.Parts(dSoftmax, derivativeParts()...),
		stepQuestion.Parts(step, stepParts()...)...)...)
}

func derivativeParts() []judge.Property[scores] {
	moderate := func(part uint64) func() []scores { return func() []scores { return moderateScores(source(part)) } }
	return []judge.Property[scores]{
		judge.Form("DSoftmax: the result is a finite number, and the scores a stay unchanged", moderate(1), nil, judge.Wrong{},
			"You returned a number for every i and j, for several K from 1 to 6."),
		{Name: "DSoftmax: the result is the derivative of y_i with respect to a_j", Problems: moderate(2),
			Holds: scores.Derivatives,
			Wrong: judge.Wrong{Key: "derivative", Hint: 2,
				Message: "For {problem} your ∂y_i/∂a_j is {off} (rows are i, columns j)."},
			Right: "Your derivatives agree with central differences of the softmax for every pair i, j, equal or not, for several K from 1 to 6. (The printed (10.32) contains ∂a_i instead of ∂a_j; the exercise is right.)"},
		{Name: "DSoftmax: when one score changes, the changes in the outputs cancel", Problems: moderate(3),
			Holds: multiclass.Columns("0 only because all your derivatives are 0"),
			Wrong: judge.Wrong{Key: "sum-over-outputs", Hint: 2,
				Message: "For {problem}, when one score changes, the changes in all outputs must cancel, because the outputs sum to 1. The sum of your derivatives is {off}."},
			Right: "Σ_i ∂y_i/∂a_j = 0 because the outputs sum to 1."},
		{Name: "DSoftmax: when all scores change by the same amount, no output changes", Problems: moderate(3),
			Holds: multiclass.Rows("0 only because all your derivatives are 0"),
			Wrong: judge.Wrong{Key: "sum-over-scores", Hint: 2,
				Message: "For {problem}, when all scores change by the same amount, no output changes. Your derivatives of one output must therefore cancel, but their sum is {off}."},
			Right: "Σ_j ∂y_i/∂a_j = 0 because adding the same number to all scores changes no output."},
		{Name: "DSoftmax: the result is finite and right for scores up to ±1000, whichever score is largest",
			Problems: multiclass.FarScores,
			Extreme:  true, Holds: scores.Exact,
			Wrong: judge.Wrong{Key: "tails", Hint: 3,
				Message: "For {problem} your numbers are finite, but {off} (rows are i, columns j). If you clip, or set small outputs to 0, the result is not accurate enough."},
			Right: "Your derivatives are right at scores of ±1000, at which the exponentials themselves overflow or vanish."},
	}
}

func stepParts() []judge.Property[problem] {
	with := func(part uint64, eta float64) func() []problem {
		return func() []problem {
			list := problems(source(part))
			for i := range list {
				list[i].eta = eta
			}
			return list
		}
	}
	return []judge.Property[problem]{
		judge.Form("Step: the result is a (D+1)×K matrix, and W, X and R stay unchanged",
			func() []problem { return problems(source(5)) }, nil, judge.Wrong{},
			"You returned a new (D+1)×K matrix for D from 1 to 5 and K from 2 to 4."),
		{Name: "Step: the weights change by −η times the gradient of E",
			Problems: func() []problem { return problems(source(6)) },
			Holds: func(p problem, change []float64) verify.Finding {
				slopes := floats.ScaleTo(make([]float64, len(change)), -1/p.eta, change)
				return flattened(verify.Gradient(p.Error, multiclass.Entries(p.W), slopes, gradient))
			},
			Wrong: judge.Wrong{Key: "gradient", Hint: 4,
				Message: "For {problem} the change in the weights, divided by −η, is not the gradient of E, computed by central differences: it is {off}."},
			Right: "The change is −η times the gradient of the cross-entropy, computed by central differences in every weight and bias. The factors y_i cancel, so the change is η Σ (r − y) x."},
		{Name: "Step: with η = 0 the weights do not change", Problems: with(7, 0),
			Holds: func(p problem, change []float64) verify.Finding {
				return flattened(verify.CloseSlice(change, make([]float64, len(change)), multiclass.Decimals))
			},
			Wrong: judge.Wrong{Key: "moves-without-eta", Hint: 3,
				Message: "For {problem} and η = 0 the weights should not change, but they are {off}. η must multiply the whole change, and the step must begin at W."},
			Right: "With η = 0 your step leaves the weights unchanged."},
		{Name: "Step: with a small η the error falls", Problems: with(7, 1e-4),
			Holds: func(p problem, change []float64) verify.Finding {
				w := multiclass.Entries(p.W)
				return verify.Finding{OK: p.Error(floats.AddTo(change, change, w)) < p.Error(w)}
			},
			Wrong: judge.Wrong{Key: "error-rises", Hint: 3,
				Message: "For {problem} and η = 0.0001 the error does not decrease. The step must go against the gradient, and begin at the weights W that were passed in."},
			Right: "A small step decreases the error on every problem."},
		{Name: "Step: finite and right at scores up to ±1000", Problems: farSteps, Extreme: true,
			Holds: func(p problem, change []float64) verify.Finding {
				return flattened(verify.CloseSlice(change, p.rightChange(), verify.Tolerance{Abs: gradient.Abs * p.eta}))
			},
			Wrong: judge.Wrong{Key: "step-tails", Hint: 3,
				Message: "For {problem} your weights are finite, but {off}. If you clip, or set small outputs to 0, the result is not accurate enough."},
			Right: "Your step is right even for scores of ±1000, whichever class has the largest score."},
	}
}

func source(part uint64) *rand.Rand { return instance.Source(1003, part) }

// flattened removes the index of the worst entry from the result of a comparison. This
// index does not help a learner, because it counts the entries of the flattened matrix.
func flattened(f verify.Finding) verify.Finding {
	f.Where = ""
	return f
}

// moderateScores draws vectors of scores with moderate entries. For the first vector, no two known
// mistakes give the same result.
func moderateScores(r *rand.Rand) []scores {
	draw := func(k int, spread, shift float64) scores { return multiclass.Drawn(r, k, spread, shift) }
	return []scores{draw(4, 1.5, 0.4), draw(3, 1, -1), draw(2, 1.2, 0), draw(6, 2, 0), {0.3}, make(scores, 4),
		draw(3, 1, 30)}
}

// A problem contains the arguments of one step of gradient descent. The matrix Φ in the embedded
// multiclass.Problem is X with a column of ones in front.
type problem struct {
	multiclass.Problem
	X   *mat.Dense // N×D
	eta float64
}

// problems draws problems. In most of them D+1, K and N differ, so that an answer with a transposed
// factor cannot multiply the matrices.
func problems(r *rand.Rand) []problem {
	var out []problem
	for _, c := range []struct {
		name    string
		n, d, k int
		offset  float64
		eta     float64
	}{
		{"three inputs, three classes", 20, 3, 3, 0.5, 0.1},
		{"two inputs, four classes", 15, 2, 4, -1, 0.03},
		{"one input, two classes", 8, 1, 2, 0.3, 0.5},
		{"a single point", 1, 2, 3, 0, 0.2},
		{"five inputs far from 0, two classes", 12, 5, 2, 3, 0.01},
		{"fewer points than inputs or classes", 2, 4, 3, 0, 1},
	} {
		x, w := mat.NewDense(c.n, c.d, instance.Normals(r, c.n*c.d)),
			mat.NewDense(c.d+1, c.k, instance.Normals(r, (c.d+1)*c.k))
		floats.AddConst(c.offset, x.RawMatrix().Data)
		w.Scale(0.5, w)
		labels := make([]int, c.n)
		for t := range labels {
			labels[t] = r.IntN(c.k)
			if c.k > 2 && labels[t] == 1 { // unequal classes
				labels[t] = r.IntN(c.k)
			}
		}
		out = append(out, posed(c.name, w, x, instance.OneOfK(labels, c.k), c.eta))
	}
	return out
}

func posed(name string, w, x, r *mat.Dense, eta float64) problem {
	return problem{multiclass.Problem{Name: name, Phi: instance.WithOnes(x), T: r, W: w}, x, eta}
}

// farSteps returns problems with a single point each. Its scores are a vector of FarScores, so they
// lie within ±1000. In every score, half is the bias and half is the product of the input and its
// weight.
func farSteps() (out []problem) {
	for i, a := range multiclass.FarScores()[2:] { // each of the first two lists contains only one score
		k := len(a)
		half := floats.ScaleTo(make([]float64, k), 0.5, a)
		out = append(out, posed("a single point with the scores "+strings.TrimPrefix(a.String(), "a = "),
			mat.NewDense(2, k, append(half, half...)), mat.NewDense(1, 1, []float64{1}),
			instance.OneOfK([]int{(i + 2) % k}, k), 0.1))
	}
	return out
}

// rightChange returns the right change in the weights, −η times the gradient of E. It uses the
// complex-step method for the derivatives with respect to the scores.
func (p problem) rightChange() []float64 {
	return multiclass.Entries(change(p.W, p.X, p.T, p.eta, func(a, r []float64) []float64 {
		const h = 1e-30
		top, out := floats.Max(a), make([]float64, len(a))
		for i := range a {
			sum := complex(0, 0)
			for k, v := range a {
				sum += cmplx.Exp(complex(v-top, h*multiclass.Same(i, k)))
			}
			out[i] = imag(cmplx.Log(sum))/h - r[i]
		}
		return out
	}))
}

var derivativeQuestion = &judge.Question[derivativeFunc, scores]{
	Func: "DSoftmax", Name: "DSoftmax", Hint: 3, Per: "pair of classes",
	Invoke: func(d derivativeFunc, c *judge.Call, a scores) []float64 {
		var out []float64
		for i := range a {
			for j := range a {
				v := d(c.Slice("a", a), i, j)
				if math.IsNaN(v) || math.IsInf(v, 0) {
					c.Say(infiniteVerdict(a, i, j, v))
				}
				out = append(out, v)
			}
		}
		return out
	},
	Right: func(a scores) []float64 { return kernel.SoftmaxJacobian(a) },
	Nearly: judge.Wrong{Key: "imprecise", Hint: 3,
		Message: "Nearly: for {problem} your numbers are right in their first digits, but not to 12 decimal places. Finite differences are not so accurate; the formula is exact."},
	Sign: judge.Wrong{Key: "sign", Hint: 2, Message: "Your signs are reversed. An output increases with its own score."},
	Factor: judge.Wrong{Key: "factor", Hint: 2,
		Message: "Your derivatives are the right numbers multiplied by a constant. The formula does not contain this constant."},
	Mistakes: []judge.Mistake[derivativeFunc]{
		{Key: "misprint-10.32", Answer: derivativeBy(func(yi, _, _ float64) float64 { return yi * (1 - yi) }), Hint: 1,
			Message: "You return y_i(1 − y_i) whatever j is: the derivative with respect to a_i. (10.32) prints it by mistake; the exercise asks for ∂y_i/∂a_j."},
		{Key: "diagonal-only", Answer: derivativeBy(multiclass.DiagonalOnly), Hint: 1,
			Message: "Your derivative is right for i = j, but 0 for i ≠ j, as if every output depended only on its own score. The denominator contains all scores, so the other outputs decrease when a_j increases."},
		{Key: "off-diagonal-sign", Answer: derivativeBy(multiclass.OffDiagonalSign), Hint: 2,
			Message: "Your derivative is right for i = j, but for i ≠ j its sign is wrong. The derivative of the denominator contributes a minus sign."},
		{Key: "inner-sign", Answer: derivativeBy(multiclass.InnerSign), Hint: 2,
			Message: "You return y_i(δ_ij + y_j): the quotient rule has a minus between its terms."},
		{Key: "delta-left-out", Answer: derivativeBy(multiclass.IdentityLeftOut), Hint: 2,
			Message: "You return −y_i·y_j for every pair, as if only the denominator changed. For i = j the numerator also changes, which adds the term with δ_ij."},
		{Key: "delta-is-one", Answer: derivativeBy(multiclass.OneForIdentity), Hint: 2,
			Message: "You return y_i(1 − y_j) for every pair. δ_ij is 1 for i = j and 0 otherwise."},
		{Key: "delta-reversed", Answer: derivativeBy(func(yi, yj, delta float64) float64 { return yi * (1 - delta - yj) }),
			Hint: 2, Message: "Your δ_ij is 0 for i = j and 1 otherwise; it should be the reverse."},
		{Key: "one-index", Answer: derivativeBy(multiclass.OneIndex), Hint: 2,
			Message: "You return y_i(δ_ij − y_i): the second factor should contain y_j, the output of the score a_j."},
		{Key: "denominator-held-fixed", Answer: derivativeBy(multiclass.DenominatorHeldFixed), Hint: 1,
			Message: "You return y_i for i = j and 0 otherwise, as if the denominator were constant. The denominator contains every score."},
		{Key: "log-softmax", Answer: derivativeBy(multiclass.LogSoftmax), Hint: 2,
			Message: "You return δ_ij − y_j, the derivative of log y_i. A factor y_i is missing."},
		{Key: "product", Answer: derivativeBy(multiclass.OuterProduct), Hint: 2,
			Message: "You return y_i·y_j for every pair. This is only one of the two terms, and it has the wrong sign."},
		{Key: "squared", Answer: derivativeBy(multiclass.Squared), Hint: 2, Message: "Your derivative contains the factor y_i once too often."},
		{Key: "score-for-output", Answer: derivativeOf(slices.Clone, multiclass.Softmax), Hint: 2,
			Message: "You return a_i(δ_ij − a_j), with the scores a in place of the outputs y. The formula contains the softmax y of a."},
		{Key: "sigmoids", Answer: derivativeOf(multiclass.Map(kernel.Sigmoid), multiclass.DiagonalOnly), Hint: 1,
			Message: "You return the derivatives of K separate sigmoids, (10.42). In the softmax all outputs share one denominator."},
		{Key: "unnormalised", Answer: derivativeOf(multiclass.Map(math.Exp), multiclass.DenominatorHeldFixed), Hint: 2,
			Message: "You return the derivative of the exponential alone. The softmax divides each exponential by the sum of all exponentials."},
		{Key: "zero", Answer: derivativeBy(multiclass.Zero), Hint: 1,
			Message: "You return 0 for every pair."},
	},
}

// infiniteVerdict returns the verdict on a derivative v that is NaN or infinite.
func infiniteVerdict(a scores, i, j int, v float64) *verify.Verdict {
	if a.Far() {
		return judge.Fail("overflow", 3,
			"For %v your ∂y_%d/∂a_%d is %g. In Go e^1000 is Inf and e^−1000 is 0, so Inf/Inf and 0/0, which are NaN, are possible causes. Subtracting the same number from all scores does not change the softmax; which number avoids an overflow?", a, i, j, v)
	}
	return judge.Fail("not-finite", 3, "For %v your ∂y_%d/∂a_%d is %g.", a, i, j, v)
}

// derivativeOf returns an answer that calls two functions. The function `values` computes the
// outputs, and the function `d` computes the derivative from the outputs.
func derivativeOf(values func(a []float64) []float64, d multiclass.Derivative) derivativeFunc {
	return func(a []float64, i, j int) float64 {
		v := values(a)
		return d(v[i], v[j], multiclass.Same(i, j))
	}
}

func derivativeBy(d multiclass.Derivative) derivativeFunc { return derivativeOf(kernel.Softmax, d) }

const classIndex = "In your step the residual of class i is multiplied by x_i, the input with the index of the class. Figure 10.8 contains this misprint; the weight w_ij multiplies the input x_j."

// stepQuestion compares the change in the weights with the right change. A comparison of the weights
// themselves would not reveal a wrong factor.
var stepQuestion = &judge.Question[stepFunc, problem]{
	Func: "Step", Name: "Step", Hint: 4, Per: "weight", New: true,
	Invoke: func(step stepFunc, c *judge.Call, p problem) []float64 {
		next := step(c.Dense("W", p.W), c.Dense("X", p.X), c.Dense("R", p.T), p.eta)
		_, r, k := p.Dims()
		c.Say(shapeVerdict(p, next))
		change := c.Matrix("W", next, r, k, "(D+1)×K")
		if change == nil {
			return nil
		}
		return floats.SubTo(change, change, multiclass.Entries(p.W))
	},
	Right: problem.rightChange,
	Nearly: judge.Wrong{Key: "step-imprecise", Hint: 4,
		Message: "Nearly: for {problem} the change in the weights is right in its first digits, but not to 7 places. A difference quotient or a rounded number is not accurate enough."},
	Sign: judge.Wrong{Key: "uphill", Hint: 3,
		Message: "Your step goes uphill: it is η Σ (y − r) x, η times the gradient of E, possibly times a constant. Subtract the gradient instead."},
	Factor: judge.Wrong{Key: "step-factor", Hint: 4,
		Message: "Your step is the right step multiplied by a constant. It should be η times the sum, without another factor."},
	Mistakes: []judge.Mistake[stepFunc]{
		{Key: "averaged", Answer: times(func(n, _ float64) float64 { return 1 / n }), Hint: 4,
			Message: "Your step is divided by N. E in (10.31) is a sum over the sample, not a mean, so its gradient is a sum too."},
		{Key: "eta-left-out", Hint: 4, Message: "η is missing, or has no effect: your step is the whole negative gradient.",
			Answer: func(W, X, R *mat.Dense, _ float64) *mat.Dense { return step(W, X, R, 1) }},
		{Key: "eta-twice", Answer: times(func(_, eta float64) float64 { return eta }), Hint: 4,
			Message: "Your step contains the factor η twice."},
		{Key: "change-only", Hint: 4, Message: "You return the change ΔW. Return the weights after the step, W + ΔW.",
			Answer: func(W, X, R *mat.Dense, eta float64) *mat.Dense { return change(W, X, R, eta, multiclass.Right) }},
		{Key: "unchanged", Answer: moved(multiclass.Nothing), Hint: 3,
			Message: "You return the weights unchanged, although the error is not at its minimum."},
		{Key: "bias-not-updated", Answer: changedStep(func(d *mat.Dense) { clear(d.RawRowView(0)) }), Hint: 4,
			Message: "Your step leaves the biases unchanged. Change the biases by η Σ (r − y), like the weights of an input that is always 1."},
		{Key: "only-biases", Hint: 4, Message: "Your step changes only the biases. The weights of the inputs must change as well.",
			Answer: changedStep(func(d *mat.Dense) { eachInput(d, func(row []float64) { clear(row) }) })},
		{Key: "input-left-out", Hint: 3,
			Message: "Every weight changes by the same amount as the bias of its class: the factor x is missing. The derivative of a score with respect to a weight is that weight's input.",
			Answer:  changedStep(func(d *mat.Dense) { eachInput(d, func(row []float64) { copy(row, d.RawRowView(0)) }) })},
		{Key: "squared-error", Answer: moved(multiclass.FactorLeft), Hint: 3,
			Message: "Your step contains a factor y(1 − y), as in (10.45). For the cross-entropy this factor cancels: the derivative of E with respect to y_i is −r_i/y_i, and the sum over the classes gives y − r."},
		{Key: "squared-error", Answer: moved(multiclass.SquaredError), Hint: 3,
			Message: "Your step is the step for the squared error, Σ_i (r_i − y_i) y_i(δ_ij − y_j). The error here is the cross-entropy, whose derivative contains the factor r_i/y_i, which cancels y_i."},
		{Key: "own-class-only", Answer: moved(multiclass.OwnClassOnly), Hint: 3,
			Message: "Each class learns only from its own points: η Σ r(1 − y) x. The points of other classes contribute −y x, because ∂y_i/∂a_j is not 0 for i ≠ j."},
		{Key: "outputs-left-out", Answer: moved(multiclass.OutputsLeftOut), Hint: 3,
			Message: "Your step is η Σ r x, without the outputs y; this step would never become smaller."},
		{Key: "targets-left-out", Answer: moved(multiclass.TargetsLeftOut), Hint: 3,
			Message: "Your step is −η Σ y x, without the targets r."},
		{Key: "chain-rule-stops-at-y", Answer: moved(multiclass.ByOutputs), Hint: 3,
			Message: "Your step is η Σ (r/y) x, with the derivative of −E with respect to the outputs. The derivative of the outputs with respect to the scores is missing."},
		{Key: "sigmoids", Answer: moved(multiclass.Sigmoids), Hint: 3,
			Message: "Your outputs are K separate sigmoids. Exactly one class is right for each point, so the outputs share the denominator of the softmax."},
		{Key: "scores-for-outputs", Answer: moved(multiclass.ActivationsForOutputs), Hint: 3,
			Message: "Your residual is r − a, with the scores in place of the outputs, as in least squares with a linear model."},
		{Key: "hard-outputs", Answer: moved(multiclass.Thresholded), Hint: 3,
			Message: "Your outputs are 1 for the largest score and 0 for the others, as in the perceptron's rule. Use the probabilities instead."},
		{Key: "bias-not-in-score", Hint: 4,
			Message: "Your outputs do not contain the biases: the score is w_i0 + w_iᵀx.",
			Answer: func(W, X, R *mat.Dense, eta float64) *mat.Dense {
				bare := mat.DenseCopyOf(W)
				clear(bare.RawRowView(0))
				return addTo(W, change(bare, X, R, eta, multiclass.Right))
			}},
		{Key: "one-by-one", Hint: 4,
			Message: "Your step is stochastic descent, in which the weights change after every point and the next point uses the new weights. Sum over all points with the W that was passed in, and take one step.",
			Answer: func(W, X, R *mat.Dense, eta float64) *mat.Dense {
				for t := range X.RawMatrix().Rows {
					W = pointStep(W, X, R, eta, t)
				}
				return W
			}},
		{Key: "last-point-only", Hint: 4,
			Message: "Only the last point contributes to your step. Add the changes of all points.",
			Answer: func(W, X, R *mat.Dense, eta float64) *mat.Dense {
				return pointStep(W, X, R, eta,
					X.RawMatrix().Rows-1)
			}},
		{Key: "first-point-only", Hint: 4, Message: "Only the first point contributes to your step. Add the changes of all points.",
			Answer: func(W, X, R *mat.Dense, eta float64) *mat.Dense { return pointStep(W, X, R, eta, 0) }},
		{Key: "misprint-figure-10.8", Hint: 3, Message: classIndex, Answer: classIndexed(0)},
		{Key: "misprint-figure-10.8", Hint: 3, Message: classIndex, Answer: classIndexed(1)},
		{Key: "last-class-fixed", Hint: 3,
			Message: "The last class does not learn, as if it were the reference class of (10.25). Here all K classes have weights.",
			Answer:  changedStep(func(d *mat.Dense) { d.SetCol(d.RawMatrix().Cols-1, make([]float64, d.RawMatrix().Rows)) })},
	},
}

// shapeVerdict returns a verdict if the learner's matrix is transposed or lacks the row of biases, or
// if large scores lead to an entry that is not finite. Otherwise it returns nil.
func shapeVerdict(p problem, next *mat.Dense) *verify.Verdict {
	if next == nil || next.IsEmpty() {
		return nil
	}
	_, r, k := p.Dims()
	switch gr, gk := next.Dims(); {
	case gr == k && gk == r && r != k:
		return judge.Fail("transposed", 4,
			"You returned a K×(D+1) matrix, one row per class. The weights of a class form a column: want (D+1)×K, here %d×%d.", r, k)
	case gr == r-1 && gk == k:
		return judge.Fail("no-bias-row", 4,
			"You returned a D×K matrix: the row of biases is missing. The biases are row 0; update them like the weights of an input that is always 1.")
	case math.IsNaN(0*mat.Sum(next)) && p.Far():
		return judge.Fail("step-overflow", 3,
			"For %v a weight is not a finite number. In Go e^1000 is Inf and e^−1000 is 0, so Inf/Inf and 0/0, which are NaN, are possible causes. Subtract the largest score before exponentiating, and do not compute r/y: the factor y cancels it.", p)
	}
	return nil
}

// change returns −η Φᵀ(residuals). The right change in the weights and most wrong changes have this
// form.
func change(W, X, R *mat.Dense, eta float64, residual multiclass.Residual) *mat.Dense {
	d := multiclass.Gradient(W, instance.WithOnes(X), R, residual)
	d.Scale(-eta, d)
	return d
}

// addTo returns a new matrix W + d.
func addTo(W, d *mat.Dense) *mat.Dense {
	next := mat.DenseCopyOf(W)
	next.Add(next, d)
	return next
}

func moved(residual multiclass.Residual) stepFunc {
	return func(W, X, R *mat.Dense, eta float64) *mat.Dense { return addTo(W, change(W, X, R, eta, residual)) }
}

var step = moved(multiclass.Right)

// changedStep returns a wrong answer that applies f to the right change in W. The function `times`
// returns a wrong answer that multiplies the right change by factor(N, η).
func changedStep(f func(d *mat.Dense)) stepFunc {
	return func(W, X, R *mat.Dense, eta float64) *mat.Dense {
		d := change(W, X, R, eta, multiclass.Right)
		f(d)
		return addTo(W, d)
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

// pointStep returns the weights after a step for the single point t.
func pointStep(W, X, R *mat.Dense, eta float64, t int) *mat.Dense {
	d, k := X.RawMatrix().Cols, R.RawMatrix().Cols
	return step(W, mat.DenseCopyOf(X.Slice(t, t+1, 0, d)), mat.DenseCopyOf(R.Slice(t, t+1, 0, k)), eta)
}

// classIndexed returns an answer with the mistake of figure 10.8. For every weight of class i, the
// answer multiplies the residual by entry i+shift of the vector (1, x), or by the last entry if i+shift
// is too large.
func classIndexed(shift int) stepFunc {
	return func(W, X, R *mat.Dense, eta float64) *mat.Dense {
		d := change(W, X, R, eta, multiclass.Right)
		right := mat.DenseCopyOf(d)
		d.Apply(func(_, i int, _ float64) float64 { return right.At(min(i+shift, right.RawMatrix().Rows-1), i) }, d)
		return addTo(W, d)
	}
}

func init() {
	judge.Known(exercise, derivativeQuestion, func(f derivativeFunc) *verify.Report { return Check(f, step) })
	judge.Known(exercise, stepQuestion, func(f stepFunc) *verify.Report {
		return Check(derivativeBy(multiclass.Softmax),
			f)
	})
}

//go:embed exercise.md answer_test.go
var files embed.FS

var exercise = exercises.MustParse("exercises/alpaydin10/ex03", files)

// Exercise returns a copy of the text of this exercise.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, counted from 1, and returns the markdown of the hint.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }
