// Package ex18 judges PRML exercise 4.18: the gradients of the cross-entropy of
// multiclass logistic regression.
package ex18

import (
	"embed"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/exercises/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/multiclass"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/twoclass"
	"github.com/hyperplane-notebooks/hyperplane/exercises/judge"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// Check judges the function `gradient` of PRML exercise 4.18. `gradient` returns the M×K matrix
// whose column j is the gradient of (4.108) with respect to w_j. Its arguments are the weights W
// (M×K), the design matrix Phi (N×M) and the 1-of-K targets T (N×K).
func Check(gradient func(W, Phi, T *mat.Dense) *mat.Dense) *verify.Report {
	return exercise.Judge(gradientQuestion.Parts(gradient, []judge.Property[problem]{
		judge.Form("the result is an M×K matrix of finite numbers, and W, Φ and T stay unchanged", general, nil,
			judge.Wrong{},
			"You returned an M×K matrix for M from 1 to 5 and K from 3 to 40."),
		{Name: "column j contains the derivatives of E with respect to w_j", Problems: general, Holds: derivatives,
			Wrong: judge.Wrong{Key: "derivative", Hint: 2,
				Message: "For {problem} your entries should be the derivatives of E. With row m divided by Σ_n|φ_nm|, your gradient is {off}. (Its entries are counted row by row.)"},
			Right: "Column j agrees with the finite differences of E with respect to w_j, even for M = K, where a transposed matrix would have the right shape."},
		// This part of the report checks the gradient without computing a derivative: adding the
		// same vector to all w_k does not change E, so the gradients of all classes sum to 0.
		{Name: "the gradients of all classes add up to 0", Problems: general, Precheck: notZero,
			Holds: func(p problem, g []float64) verify.Finding {
				_, k := p.W.Dims()
				sums := make([]float64, len(g)/k)
				for j := range sums {
					sums[j] = floats.Sum(g[j*k:(j+1)*k]) / units(p, g)[j*k]
				}
				return verify.CloseSlice(sums, make([]float64, len(sums)), verify.Tolerance{Abs: tol * float64(k)})
			},
			Wrong: judge.Wrong{Key: "rows", Hint: 2,
				Message: "For {problem} the entries of row m, one per class, should sum to 0. Divided by Σ_n|φ_nm|, the sums of the rows are {off}. The outputs sum to 1 and so do the targets, so y − t sums to 0."},
			Right: "Every row of your gradient sums to 0, because the outputs and the targets of a point both sum to 1."},
		{Name: "two classes: the gradient of logistic regression; one class: 0", Problems: fewClasses,
			Precheck: oneClass,
			Holds:    checkBinary,
			Wrong: judge.Wrong{Key: "two-classes", Hint: 2,
				Message: "For {problem} your gradient, with row m divided by Σ_n|φ_nm|, is {off}. With two classes the model is logistic regression with w = w₁ − w₂: your first column should be the gradient of logistic regression, and your second column its negative."},
			Right: "With two classes your first column is the gradient (4.91) at w₁ − w₂ and your second column its negative. With one class your gradient is 0."},
		{Name: "finite and right at activations up to ±800", Problems: multiclass.FarProblems, Extreme: true,
			Precheck: judge.First(exact,
				judge.Wrong{Key: "tails", Hint: 3,
					Message: "For {problem} your gradient is finite, but with row m divided by Σ_n|φ_nm|, it is {off}. Do not clip activations or outputs, do not set small outputs to 0, and do not add a number to a denominator."}),
			Right: "Your gradient has no overflow at ±800. If a point is far on the wrong side of a boundary, its residual is −1 for its own class and 1 for the predicted class."},
	}...)...)
}

// tol is the tolerance stated in the text of the exercise: an entry in row m of the gradient may
// differ from the right value by tol·Σ_n|φ_nm|.
const tol = 1e-10

// exact compares the answer with ΦᵀR, where R contains the residuals.
func exact(p problem, g []float64) verify.Finding { return compareInUnits(p, g, right(p), tol) }

// derivatives compares the answer with central differences of E, and then with ΦᵀR, which is more
// accurate.
func derivatives(p problem, g []float64) verify.Finding {
	return judge.All(compareInUnits(p, g, differences(p, p.Error), 1e-7), exact(p, g))
}

// checkBinary checks the answer to a problem with few classes. For two classes, it computes the
// gradient of the two-class error (4.90) at w₁ − w₂ by central differences. The first column of the
// answer must equal this gradient, and the second column must equal its negative. For two and for
// three classes, the answer must also equal the exact gradient. For one class, checkBinary accepts
// any answer, because oneClass checks it.
func checkBinary(p problem, g []float64) verify.Finding {
	_, m, k := p.Dims()
	switch {
	case k == 1:
		return verify.Finding{OK: true}
	case k > 2:
		return exact(p, g)
	}
	half := problem{Phi: p.Phi, W: mat.NewDense(m, 1, instance.Minus(mat.Col(nil, 0, p.W), mat.Col(nil, 1, p.W)))}
	var want []float64
	two := twoclass.Problem{Phi: p.Phi, T: mat.Col(nil, 0, p.T)}
	for _, d := range differences(half, func(w []float64) float64 { return twoclass.Logistic.At(two, w) }) {
		want = append(want, d, -d)
	}
	return judge.All(compareInUnits(p, g, want, 1e-7), exact(p, g))
}

// differences returns the gradient of e at W, computed by central differences. The step for a
// weight depends on the size of its column of Φ.
func differences(p problem, e func(w []float64) float64) []float64 {
	_, _, k := p.Dims()
	sizes, at := instance.Sizes(p.Phi), multiclass.Entries(p.W)
	out := make([]float64, len(at))
	for i, w := range at {
		s := sizes[i/k]
		out[i] = s * verify.Derivative(func(v float64) float64 { at[i] = v / s; return e(at) }, w*s, 0)
		at[i] = w
	}
	return out
}

// compareInUnits divides `got` and `want` by the numbers that the function `units` returns, and
// compares the quotients.
func compareInUnits(p problem, got, want []float64, tol float64) verify.Finding {
	u := units(p, want)
	return verify.CloseSlice(floats.DivTo(make([]float64, len(u)), got, u),
		floats.DivTo(make([]float64, len(u)), want, u), verify.Tolerance{Abs: tol})
}

// units returns one number for each entry of the gradient. For all entries of row m this number is
// Σ_n|φ_nm|, or 1 if column m of Φ is zero.
func units(p problem, _ []float64) []float64 {
	_, m, k := p.Dims()
	u := make([]float64, m*k)
	for i := range u {
		if u[i] = floats.Norm(mat.Col(nil, i/k, p.Phi), 1); u[i] == 0 {
			u[i] = 1
		}
	}
	return u
}

func right(p problem) []float64 {
	return multiclass.Entries(multiclass.Gradient(p.W, p.Phi, p.T, multiclass.Right))
}

func notZero(_ problem, g []float64) *verify.Verdict {
	return judge.FailIf(floats.Norm(g, 1) == 0, "zero", 3,
		"All your entries are 0. Check that you write to the matrix that you return.")
}

func oneClass(p problem, g []float64) *verify.Verdict {
	// the tolerance 1e-6 is large enough to accept clipped outputs: only the part about activations
	// up to ±800 judges whether outputs are clipped
	f := compareInUnits(p, g, right(p), 1e-6)
	_, _, k := p.Dims()
	return judge.FailIf(k == 1 && !f.OK, "one-class", 2,
		"With a single class the output is always 1, so E and its gradient are 0. Your gradient is %s.",
		f.Off())
}

type problem = multiclass.Problem

// drawProblem returns a problem with moderate activations.
func drawProblem(r *rand.Rand, name string, n, k int, centre, spread []float64) problem {
	first := func() int { return min(r.IntN(k), r.IntN(k)) } // classes with a low number have more points on average
	return multiclass.Draw(r, name, n, k, centre, spread, 1, first)
}

// general returns problems of many kinds. For any two mistakes with different messages, at least
// one of these problems shows which mistake was made.
var general = instance.Once(func() []problem {
	r := instance.Source(418, 2)
	shifted := drawProblem(r, "all weight vectors far from 0 in one direction", 20, 3, []float64{1, 0}, []float64{0, 1})
	for j := range 2 {
		floats.AddConst(30, shifted.W.RawRowView(j))
	}
	many := drawProblem(r, "more classes than points, more weights than points", 3, 9, []float64{1, 0, 0, 0, 0},
		[]float64{0, 1, 1, 1, 1})
	many.W.Scale(0.6, many.W) // smaller weights keep the probability of every class well above 0
	return []problem{
		drawProblem(r, "forty points, three weights, four classes", 40, 4, []float64{1, 0, 0.5}, []float64{0, 1, 1}),
		drawProblem(r, "as many weights as classes", 25, 3, []float64{1, 0, 0}, []float64{0, 1, 2}),
		drawProblem(r, "as many points as weights", 4, 3, []float64{1, 0, 0, 0}, []float64{0, 1, 1, 1}),
		drawProblem(r, "columns of very different size", 30, 5, []float64{1, 0, 1e6}, []float64{0, 1e-6, 5e5}),
		drawProblem(r, "one weight", 12, 3, []float64{0.4}, []float64{1}),
		drawProblem(r, "a single point", 1, 4, []float64{1, 0.5}, []float64{0, 1}),
		drawProblem(r, "N = M = K", 3, 3, []float64{1, 0, 0}, []float64{0.5, 1, 1}),
		many,
		drawProblem(r, "a column of zeros", 8, 4, []float64{1, 0, 0}, []float64{0, 0, 1}),
		shifted,
		drawProblem(r, "forty classes", 100, 40, []float64{1, 0}, []float64{0, 1}),
	}
})

// fewClasses returns problems with one and with two classes, followed by one problem with three
// classes. This last problem is needed, because with two classes alone a wrong sign would look like a
// wrong order of the columns.
func fewClasses() []problem {
	r := instance.Source(418, 4)
	return []problem{
		drawProblem(r, "two classes", 20, 2, []float64{1, 0, 0}, []float64{0, 1, 1}),
		drawProblem(r, "two classes, two weights", 15, 2, []float64{1, 0}, []float64{0, 1}),
		drawProblem(r, "two classes, a single point", 1, 2, []float64{1, 0}, []float64{0, 1}),
		drawProblem(r, "one class", 6, 1, []float64{1, 0}, []float64{0, 1}),
		drawProblem(r, "three classes", 12, 3, []float64{1, 0}, []float64{0, 1}),
	}
}

type gradientFunc = func(W, Phi, T *mat.Dense) *mat.Dense

var gradientQuestion = &judge.Question[gradientFunc, problem]{
	Func: "Gradient", Name: "gradient", Hint: 3, Per: "weight and class", New: true, Right: right, Unit: units,
	Invoke: func(f gradientFunc, c *judge.Call, p problem) []float64 {
		g := f(c.Dense("W", p.W), c.Dense("Phi", p.Phi), c.Dense("T", p.T))
		c.Say(shapeFault(p, g))
		_, m, k := p.Dims()
		return c.Matrix("gradient", g, m, k, "M×K")
	},
	Nearly: judge.Wrong{Key: "nearly", Hint: 3,
		Message: "Nearly right: for {problem} your gradient is right to three digits, but not to ten. Use the exact formula. Finite differences, rounded numbers and clipped outputs are not accurate enough."},
	Sign: judge.Wrong{Key: "sign", Hint: 2,
		Message: "Your matrix is a positive multiple of the gradient of the log likelihood: a step against it would increase E. Change the sign, so that the residuals are Y − T."},
	Factor: judge.Wrong{Key: "factor", Hint: 2,
		Message: "Your matrix is the gradient times a constant factor. E in (4.108) has no factor in front of the sums."},
	Mistakes: []judge.Mistake[gradientFunc]{
		{Key: "sign", Answer: withResiduals(multiclass.Reversed), Hint: 2,
			Message: "Your matrix is the gradient of the log likelihood: a step against it would increase E. Change the sign, so that the residuals are Y − T."},
		{Key: "own-class-only", Answer: withResiduals(multiclass.OwnClassOnly), Hint: 1,
			Message: "Each point changes only the weights of its own class, as if output k depended only on activation k. Through the denominator the output of the true class depends on every activation, so each point affects all w_j."},
		{Key: "other-classes-only", Answer: withResiduals(multiclass.OtherClassesOnly), Hint: 2,
			Message: "Each point changes only the weights of classes other than its own. The term with k = j in the sum of the chain rule is missing."},
		{Key: "sigmoids", Answer: withResiduals(multiclass.Sigmoids), Hint: 2,
			Message: "Your outputs are K separate sigmoids, one classifier per class. The softmax divides by a sum over all classes."},
		{Key: "softmax-left-out", Answer: withResiduals(multiclass.ActivationsForOutputs), Hint: 2,
			Message: "Your residual is a − t, as in linear least squares. In place of the activation a, use the output that the softmax returns."},
		{Key: "unnormalised", Hint: 2, Message: "Your outputs are e^a. Divide them by their sum.",
			Answer: withResiduals(multiclass.Each(func(_, t, a float64) float64 { return math.Exp(a) - t }))},
		{Key: "softmax-over-points", Hint: 3,
			Message: "Your outputs are the softmax of the columns of the N×K activations. Apply the softmax to the rows, each of which contains the activations of one point.",
			Answer: func(W, Phi, T *mat.Dense) *mat.Dense {
				r, g := multiclass.OverPoints(W, Phi), mat.DenseCopyOf(W)
				r.Sub(r, T)
				g.Mul(Phi.T(), r)
				return g
			}},
		{Key: "thresholded", Answer: withResiduals(multiclass.Thresholded), Hint: 2,
			Message: "Your outputs are 1 for the class with the largest activation and 0 for all other classes. Use the probabilities that the softmax returns."},
		{Key: "squared-error", Answer: withResiduals(multiclass.SquaredError), Hint: 2,
			Message: "You return the gradient of the sum of squares ½Σ(y−t)², which contains the Jacobian of the softmax. For the cross-entropy the derivative of the logarithm cancels this Jacobian."},
		{Key: "factor-left", Answer: withResiduals(multiclass.FactorLeft), Hint: 2,
			Message: "Your residuals contain a factor y(1−y). This factor cancels against the derivative of the logarithm."},
		{Key: "chain-rule-stops-at-y", Answer: withResiduals(multiclass.ByOutputs), Hint: 2,
			Message: "Your residual is −t/y, the derivative of E with respect to the outputs. The derivatives of the outputs with respect to the activations are missing."},
		{Key: "target-left-out", Answer: withResiduals(multiclass.TargetsLeftOut), Hint: 2,
			Message: "Your sum is Σ yφ, as if all targets were 0. The terms must be (y − t)φ."},
		{Key: "outputs-left-out", Answer: withResiduals(multiclass.OutputsLeftOut), Hint: 2,
			Message: "Your sum is −Σ tφ, as if all outputs were 0. The terms must be (y − t)φ."},
		{Key: "absolute", Hint: 2,
			Message: "Your residuals are |y − t|, without signs. The residual of the true class is negative, and all other residuals are positive.",
			Answer:  withResiduals(multiclass.Each(func(y, t, _ float64) float64 { return math.Abs(y - t) }))},
		{Key: "transposed", Hint: 3,
			Message: "Your matrix is transposed. It has the right shape only because M = K. Column j must contain the derivatives with respect to w_j.",
			Answer: func(W, Phi, T *mat.Dense) *mat.Dense {
				return mat.DenseCopyOf(withResiduals(multiclass.Right)(W, Phi,
					T).T())
			}},
		{Key: "class-forgotten", Answer: zeroedColumn(func(k int) int { return k - 1 }), Hint: 3,
			Message: "Your last column is 0, and all other columns are right. A column of 0 is correct only if the weights of that class are fixed at 0. In this exercise all K weight vectors are free."},
		{Key: "class-forgotten", Answer: zeroedColumn(func(int) int { return 0 }), Hint: 3,
			Message: "Your first column is 0, and all other columns are right. All K weight vectors are free, and indices start at 0."},
		{Key: "bias-forgotten", Answer: changed(func(_, _, g *mat.Dense) { clear(g.RawRowView(0)) }), Hint: 3,
			Message: "Your first row is 0, and all other rows are right. In this model the bias is an ordinary weight with its own derivatives."},
		{Key: "prior", Answer: changed(func(W, _, g *mat.Dense) { g.Add(g, W) }), Hint: 2,
			Message: "Your matrix is the gradient plus W, as if there were a Gaussian prior. E in (4.108) is only the negative log likelihood."},
		{Key: "last-row", Answer: selectedPoints(multiclass.LastPoint), Hint: 3,
			Message: "Your sum contains only the last data point, as if each point replaced the previous point. Add all points."},
		{Key: "first-row", Answer: selectedPoints(multiclass.FirstPoint), Hint: 3,
			Message: "Your sum contains only the first data point. Check where your loop ends."},
		{Key: "row-forgotten", Answer: selectedPoints(multiclass.AllButLast), Hint: 3,
			Message: "Your sum leaves out the last data point. Check where your loop ends."},
		{Key: "row-forgotten", Answer: selectedPoints(multiclass.AllButFirst), Hint: 3,
			Message: "Your sum leaves out the first data point. Indices start at 0."},
		{Key: "zero", Answer: withResiduals(multiclass.Nothing), Hint: 3,
			Message: "All your entries are 0. Check that you write to the matrix that you return."},
		{Key: "averaged", Hint: 2,
			Message: "Your matrix is the gradient divided by N. E in (4.108) is a sum over the data, not a mean, so its gradient is a sum too.",
			Answer:  changed(func(_, Phi, g *mat.Dense) { g.Scale(1/float64(Phi.RawMatrix().Rows), g) })},
		{Key: "averaged", Hint: 2,
			Message: "Your matrix is the gradient divided by N·K. E in (4.108) is a sum over data and classes, not a mean, so its gradient is a sum too.",
			Answer: changed(func(W, Phi, g *mat.Dense) {
				g.Scale(1/float64(Phi.RawMatrix().Rows*W.RawMatrix().Cols),
					g)
			})},
		{Key: "classes-reversed", Answer: reordered(func(j, k int) int { return k - 1 - j }), Hint: 3,
			Message: "Your columns are in reverse order. Column j must contain the gradient with respect to w_j."},
		{Key: "classes-shifted", Answer: reordered(func(j, k int) int { return (j + k - 1) % k }), Hint: 3,
			Message: "Each of your columns is one place too far to the right, and the last column comes first. Column j must contain the gradient with respect to w_j."},
		{Key: "classes-shifted", Answer: reordered(func(j, k int) int { return (j + 1) % k }), Hint: 3,
			Message: "Each of your columns is one place too far to the left, and the first column comes last. Column j must contain the gradient with respect to w_j."},
	},
}

// shapeFault returns a verdict if a known mistake explains the wrong shape of the matrix. It also
// returns a verdict if an entry is not finite at large activations.
func shapeFault(p problem, g *mat.Dense) *verify.Verdict {
	if g == nil || g.IsEmpty() {
		return nil
	}
	n, m, k := p.Dims()
	switch r, cols := g.Dims(); {
	case m != k && r == k && cols == m:
		return judge.Fail("transposed", 3,
			"Your matrix is K×M, with one row per class. It must be M×K, like W, with the gradient with respect to w_j in column j.")
	case m != k && r == n && cols == k && n != m:
		return judge.Fail("not-summed", 3,
			"Your matrix is N×K, with one row per data point. Multiply each residual by the features of its point, and sum over the points.")
	case p.Far() && math.IsNaN(0*mat.Sum(g)): // NaN or infinite
		return judge.Fail("overflow", 3,
			"For %v an entry of your gradient is not a finite number. e^800 overflows to Inf and e^−800 underflows to 0, and both Inf/Inf and 0/0 are NaN. For each point, subtract its largest activation from all its activations, and do not divide by an output.", p)
	}
	return nil
}

// withResiduals returns an answer that computes ΦᵀR, where the function r computes the residuals in
// R.
func withResiduals(r multiclass.Residual) gradientFunc {
	return func(W, Phi, T *mat.Dense) *mat.Dense { return multiclass.Gradient(W, Phi, T, r) }
}

// selectedPoints returns an answer that uses only the points for which keep(i, N) is true.
func selectedPoints(keep func(i, n int) bool) gradientFunc {
	return func(W, Phi, T *mat.Dense) *mat.Dense {
		return multiclass.Gradient(W, multiclass.Only(Phi, keep), T, multiclass.Right)
	}
}

// changed returns an answer that applies f to the right gradient.
func changed(f func(W, Phi, g *mat.Dense)) gradientFunc {
	return func(W, Phi, T *mat.Dense) *mat.Dense {
		g := withResiduals(multiclass.Right)(W, Phi, T)
		f(W, Phi, g)
		return g
	}
}

// zeroedColumn returns an answer that sets column j(K) of the right gradient to 0.
func zeroedColumn(j func(k int) int) gradientFunc {
	return changed(func(_, _, g *mat.Dense) {
		m, k := g.Dims()
		g.SetCol(j(k), make([]float64, m))
	})
}

// reordered returns an answer whose column j is column i of the right gradient, where i = from(j,
// K).
func reordered(from func(j, k int) int) gradientFunc {
	return changed(func(_, _, g *mat.Dense) {
		old := mat.DenseCopyOf(g)
		g.Apply(func(i, j int, _ float64) float64 { return old.At(i, from(j, g.RawMatrix().Cols)) }, g)
	})
}

func init() { judge.Known(exercise, gradientQuestion, Check) }

//go:embed exercise.md answer_test.go
var files embed.FS

var exercise = exercises.MustParse("exercises/prml4/ex18", files)

// Exercise returns a copy of the text of this exercise.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, counted from 1, and returns the markdown of the hint.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }
