// Package ex05 judges Alpaydin exercise 10.5: the gradient of the cross-entropy with respect to the
// matrices W_i of quadratic discriminants.
package ex05

import (
	"embed"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/exercises/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/multiclass"
	"github.com/hyperplane-notebooks/hyperplane/exercises/judge"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// accuracy is the largest error that the exercise accepts in an entry, divided by Σ|x_j x_l|.
const accuracy = 1e-6

// Check judges gradientW, which returns the K matrices ∂E/∂W_i, D×D each, where E is the
// cross-entropy with quadratic discriminants. The arguments are W (K matrices D×D), w (D×K), w0
// (K), the inputs X (N×D) and the 1-of-K targets R (N×K).
func Check(gradientW func(W []*mat.Dense, w *mat.Dense, w0 []float64, X, R *mat.Dense) []*mat.Dense) *verify.Report {
	return exercise.Judge(question.Parts(gradientW, []judge.Property[problem]{
		judge.Form("the result is K matrices, D×D, of finite numbers, and the arguments stay unchanged", problems, nil,
			judge.Wrong{},
			"You returned one D×D matrix per class, for D from 1 to 4 and K from 2 to 4."),
		{Name: "the entries are the derivatives of E, where every entry of W_i is free", Problems: problems,
			Holds: func(p problem, got []float64) verify.Finding { return p.compare(got, p.differences()) },
			Wrong: judge.Wrong{Key: "derivative", Hint: 2,
				Message: "For {problem} your entries do not agree with central differences of E: they are {off} (in units of Σ|x_j·x_l|)."},
			Right: "Your entries agree with central differences of E, where one entry of one W_i changes at a time. (If only the upper triangle of a symmetric W_i were stored, an entry off the diagonal would represent two entries, and its derivative would be the sum of their derivatives.)"},
		{Name: "an equivalent model, whose gradient is known, has the same gradient", Problems: problems,
			Holds: func(p problem, got []float64) verify.Finding { return p.compare(got, p.features()) },
			Wrong: judge.Wrong{Key: "features", Hint: 2,
				Message: "For {problem}, your matrices are not the gradient (10.33) of a softmax model that is linear in the products x_j·x_l: they are {off} (in units of Σ|x_j·x_l|)."},
			Right: "Written row by row, your matrices are the gradient of a softmax model that is linear in the D² products: xᵀW_i x is quadratic in x, but linear in these features."},
		{Name: "a small step against your gradient, from symmetric W_i", Problems: symmetricProblems, Precheck: badStep,
			Right: "A step ΔW_i = −η ∂E/∂W_i decreases E, and symmetric matrices remain symmetric without any constraint."},
		{Name: "finite and right where the scores are ±1000", Problems: far, Extreme: true,
			Holds: func(p problem, got []float64) verify.Finding { return p.compare(got, question.Right(p)) },
			Wrong: judge.Wrong{Key: "tails", Hint: 3,
				Message: "For {problem} your matrices are finite, but {off} (in units of Σ|x_j·x_l|). If you clip scores or outputs, the result is not accurate enough."},
			Right: "Your matrices are right even if the scores are so large that their exponentials overflow."},
		{Name: "right where the inputs differ in size by a factor of 10¹²", Problems: unevenProblem, Extreme: true,
			Holds: func(p problem, got []float64) verify.Finding { return p.compare(got, p.differences()) },
			Wrong: judge.Wrong{Key: "units", Hint: 3,
				Message: "For {problem} your entries are {off} (in units of Σ|x_j·x_l|). An added constant, a cut-off or a rounding may be small for inputs near 1, but not for these."},
			Right: "Your matrices are right for inputs of very different size."},
	}...)...)
}

// compare divides each difference between an entry of `got` and the same entry of `want` by
// Σ|x_j x_l|, and reports the largest result.
func (p problem) compare(got, want []float64) verify.Finding {
	size := p.sizes()
	f := verify.CloseSlice(floats.DivTo(make([]float64, len(got)), got, size),
		floats.DivTo(make([]float64, len(got)), want, size), verify.Tolerance{Abs: accuracy})
	f.Where = "" // an index into all matrices together does not help a learner
	return f
}

// sizes returns Σ|x_j x_l| over the points, for each entry of the K matrices.
func (p problem) sizes() []float64 {
	_, d, k := p.dims()
	one, x := mat.NewDense(d, d, nil), mat.DenseCopyOf(p.X)
	x.Apply(func(_, _ int, v float64) float64 { return math.Abs(v) }, x)
	one.Mul(x.T(), x)
	return slices.Repeat(multiclass.Entries(one), k)
}

// differences computes the derivatives of E by central differences. The change in the entry (j, l)
// is proportional to 1/Σ|x_j x_l|, so that the scores change little.
func (p problem) differences() []float64 {
	n, d, k := p.dims()
	v, size := flatten(p.W), p.sizes()
	out := make([]float64, len(v))
	for i := range v {
		unit, here := float64(n)/size[i], v[i]
		out[i] = verify.Derivative(func(s float64) float64 {
			v[i] = here + s*unit
			return p.crossEntropy(unflatten(v, d, k))
		}, 0, 0) / unit
		v[i] = here
	}
	return out
}

// features computes the gradient by a different method. It treats 1, the inputs x_j and the D²
// products x_j x_l as inputs φ of a model whose discriminants are linear in φ. The gradient of such a
// model is Σ (y − r) φ, (10.33). features returns the part of this gradient that belongs to the
// products.
func (p problem) features() []float64 {
	n, d, k := p.dims()
	phi, w := mat.NewDense(n, 1+d+d*d, nil), mat.NewDense(1+d+d*d, k, nil)
	for t := range n {
		x := p.X.RawRowView(t)
		phi.SetRow(t, slices.Concat([]float64{1}, x, multiclass.Entries(product(x))))
	}
	for i := range k {
		w.SetCol(i, slices.Concat(p.w0[i:i+1], mat.Col(nil, i, p.w), flatten(p.W[i:i+1])))
	}
	linear := multiclass.Gradient(w, phi, p.R, multiclass.Right)
	return multiclass.Entries(linear.Slice(1+d, 1+d+d*d, 0, k).T()) // K×D²
}

// badStep starts at symmetric matrices and takes a small step against the learner's gradient `got`.
// It returns a verdict if the gradient is not symmetric or is 0, or if the step does not decrease E.
func badStep(p problem, got []float64) *verify.Verdict {
	_, d, k := p.dims()
	for i, m := range unflatten(got, d, k) {
		if f := verify.Symmetric(m, 1e-6); !f.OK {
			return judge.Fail("not-symmetric", 2,
				"For %v with symmetric W_i your matrix of class %d differs from its transpose: %s. Since x_j·x_l = x_l·x_j, a symmetric W_i must remain symmetric.", p, i, f.Off())
		}
	}
	length := floats.Norm(got, 2)
	if length == 0 {
		return judge.Fail("zero", 2, "For %v all your derivatives are 0, but E is not at its minimum there.", p)
	}
	v := floats.AddScaledTo(make([]float64, len(got)), flatten(p.W), -1e-5/length, got)
	return judge.FailIf(!(p.crossEntropy(unflatten(v, d, k)) < p.crossEntropy(p.W)), "error-rises", 2,
		"For %v a small step against your gradient does not decrease E.", p)
}

// CheckSteps judges two optional steps, which compute the two factors of the chain rule for one point.
// It also judges the sum of the products of these factors over all points. byScore returns the
// derivatives of the point's error with respect to its scores g (K), for 1-of-K targets r (K).
// byEntries returns the derivatives of one score, at the input x (D), with respect to the entries of
// the score's matrix W (D×D).
func CheckSteps(byScore func(g, r []float64) []float64, byEntries func(x []float64) *mat.Dense) *verify.Report {
	exact := judge.Route[point]{Name: "the chain rule", Tol: 1e-10, Value: scoreQuestion.Right}
	differences := judge.Route[point]{Name: "the difference quotient of the error", Tol: 1e-6, Value: point.differences}
	return exercise.JudgeSteps(slices.Concat(
		scoreQuestion.Steps(byScore,
			judge.Step[point]{Name: "ByScore: the derivatives of one point's error with respect to its scores",
				Problems: points, Routes: []judge.Route[point]{exact, differences},
				Right: "Your numbers agree with the derivatives of the error, computed by the chain rule and by difference quotients, for 2 to 5 classes."},
			judge.Step[point]{Name: "ByScore: scores of ±1000", Problems: farPoints, Extreme: true,
				Routes: []judge.Route[point]{exact, differences},
				Right:  "Your result is finite and right for scores up to ±1000."}),
		entriesQuestion.Steps(byEntries,
			judge.Step[input]{Name: "ByEntries: the derivatives of a score with respect to the entries of W",
				Problems: inputs,
				Routes: []judge.Route[input]{
					{Name: "the double sum", Tol: 1e-10, Value: entriesQuestion.Right},
					// The score is linear in the entries, so a difference quotient with any step is
					// exact.
					{Name: "the difference quotient of xᵀWx in one entry of W", Tol: 1e-9, Value: input.differences},
				},
				Right: "Your entries agree with the derivatives of the score, computed from the double sum and by changing one entry at a time."}),
		[]verify.Part{{Name: "both functions together: the sum of their products is ∂E/∂W_i",
			Of:    []string{"ByScore", "ByEntries"},
			Judge: func() verify.Verdict { return judgeChain(byScore, byEntries) }}})...)
}

// judgeChain multiplies the results of the learner's two functions for each point. For each
// problem, it sums these products over all points, and compares the sum with the derivatives of E.
func judgeChain(byScore scoreFunc, byEntries entriesFunc) verify.Verdict {
	for _, p := range problems() {
		n, d, k := p.dims()
		sum := make([]float64, k*d*d)
		for t := range n {
			x := p.X.RawRowView(t)
			c := judge.NewCall(p.String(), 2, false)
			m := c.Matrix("matrix", byEntries(c.Slice("x", x)), d, d, "D×D")
			g := c.Vector("list of derivatives", byScore(c.Slice("g", p.scores(x)), c.Slice("r", p.R.RawRowView(t))), k,
				"class")
			if bad := c.Verdict(); bad != nil {
				return *bad
			}
			for i := range k {
				floats.AddScaled(sum[i*d*d:(i+1)*d*d], g[i], m)
			}
		}
		if f := p.compare(sum, p.differences()); !f.OK {
			return verify.Fail("chain", 2,
				"For %v your ByScore times your ByEntries, summed over the points, is not ∂E/∂W, computed by differences: the sum is %s (in units of Σ|x_j·x_l|). The parts above show which of the two functions is wrong.", p, f.Off())
		}
	}
	return verify.Pass("The products of your two results, summed over the points, agree with ∂E/∂W, computed by differences.")
}

// A problem contains the data, and the weights at which the gradient is computed.
type problem struct {
	name string
	W    []*mat.Dense // K matrices D×D
	w    *mat.Dense   // D×K
	w0   []float64    // K
	X    *mat.Dense   // N×D
	R    *mat.Dense   // N×K, 1-of-K
	far  bool         // whether the scores are large, as in the problems of the function far
}

func (p problem) String() string { return "“" + p.name + "”" }

func (p problem) dims() (n, d, k int) {
	n, d = p.X.Dims()
	return n, d, len(p.W)
}

// problems returns problems whose inputs have similar sizes. unevenProblem returns one problem
// whose inputs differ greatly in size.
func problems() []problem { list := drawProblems(); return list[:len(list)-1] }

func unevenProblem() []problem { list := drawProblems(); return list[len(list)-1:] }

// drawProblems draws problems of several sizes N, D and K. If D > 1, no W_i is symmetric.
func drawProblems() []problem {
	r := instance.Source(1005, 1)
	var out []problem
	for _, c := range []struct {
		name    string
		n, d, k int
		offset  float64
		scale   []float64 // the scale of each input; nil if every scale is 1
	}{
		{"two inputs, three classes", 25, 2, 3, 0.4, nil},
		{"three inputs, two classes", 18, 3, 2, -0.5, nil},
		{"four inputs, four classes", 30, 4, 4, 0.2, nil},
		{"one input", 10, 1, 2, 1, nil},
		{"a single point", 1, 3, 3, 0, nil},
		{"inputs away from 0", 12, 2, 2, 3, nil},
		{"two points, four inputs, four classes", 2, 4, 4, 0, nil},
		{"inputs in units of 1e−6, 1 and 1e6", 15, 3, 3, 0.3, []float64{1e-6, 1, 1e6}},
	} {
		p := problem{name: c.name, X: mat.NewDense(c.n, c.d, instance.Normals(r, c.n*c.d)),
			w: mat.NewDense(c.d, c.k, instance.Normals(r, c.d*c.k)), w0: instance.Normals(r, c.k)}
		scale := func(j int) float64 { return append(c.scale, slices.Repeat([]float64{1}, c.d)...)[j] }
		p.X.Apply(func(_, j int, v float64) float64 { return (v + c.offset) * scale(j) }, p.X)
		p.w.Apply(func(j, _ int, v float64) float64 { return v / scale(j) }, p.w)
		size := 1 + c.offset*c.offset // dividing W by `size` keeps xᵀWx moderate
		for range c.k {
			m := mat.NewDense(c.d, c.d, instance.Normals(r, c.d*c.d))
			m.Apply(func(j, l int, v float64) float64 { return 0.5 * v / size / scale(j) / scale(l) }, m)
			p.W = append(p.W, m)
		}
		labels := make([]int, c.n)
		for t := range labels {
			labels[t] = r.IntN(c.k)
		}
		p.R = instance.OneOfK(labels, c.k)
		out = append(out, p)
	}
	return out
}

// symmetricProblems returns problems in which all W_i are symmetric.
func symmetricProblems() []problem {
	list := problems()
	for _, p := range list {
		for _, m := range p.W {
			m.Add(m, mat.DenseCopyOf(m.T()))
		}
	}
	return list
}

// far returns problems with large scores: either the inputs or the biases are large. Which
// score is the largest varies from problem to problem.
func far() []problem {
	var list []problem
	for i, scale := range []float64{20, 40, 20, 30} {
		p := problems()[i/2*2] // problem 0 has two inputs, and problem 2 has four inputs
		p.name, p.far = fmt.Sprintf("%s, inputs %g times as large", p.name, scale), true
		p.X.Scale(scale, p.X)
		list = append(list, p)
	}
	for _, w0 := range [][]float64{{1000, -1000, 0}, {-1000, 1000, 0}, {3, -1000, 1000}, {-1000, -990, -1010},
		{0, 40, 10}, {300, 0, 280}, {0, 720, 710}} {
		p := problems()[0]
		p.name, p.w0, p.far = fmt.Sprintf("biases of %g", w0), w0, true
		list = append(list, p)
	}
	return list
}

// scores returns the K discriminants at x.
func (p problem) scores(x []float64) []float64 {
	g, v := slices.Clone(p.w0), mat.NewVecDense(len(x), x)
	for i := range g {
		g[i] += mat.Dot(p.w.ColView(i), v) + mat.Inner(v, p.W[i], v)
	}
	return g
}

// crossEntropy returns the cross-entropy of the problem, in which the argument W replaces the
// problem's own matrices.
func (p problem) crossEntropy(W []*mat.Dense) (e float64) {
	p.W = W
	for t := range p.X.RawMatrix().Rows {
		e += point{p.scores(p.X.RawRowView(t)), p.R.RawRowView(t)}.crossEntropy()
	}
	return e
}

// flatten returns all entries of the matrices, one matrix after the other, row by row.
func flatten(W []*mat.Dense) []float64 {
	var out []float64
	for _, m := range W {
		out = append(out, m.RawMatrix().Data...)
	}
	return out
}

// unflatten is the inverse of flatten: it returns K matrices of size D×D.
func unflatten(v []float64, d, k int) []*mat.Dense {
	out := make([]*mat.Dense, k)
	for i := range out {
		out[i] = mat.NewDense(d, d, slices.Clone(v[i*d*d:(i+1)*d*d]))
	}
	return out
}

// A point contains the scores g and the targets r of one point of the data.
type point struct{ g, r []float64 }

func (p point) String() string {
	return fmt.Sprintf("the scores %.3g and the class %d (counting from 0)", p.g, slices.Index(p.r, 1))
}

// crossEntropy returns −ln y_k, where y_k is the softmax output for the class k of the point.
func (p point) crossEntropy() float64 { return kernel.LogSumExp(p.g) - floats.Dot(p.g, p.r) }

func (p point) differences() []float64 {
	out := make([]float64, len(p.g))
	for i, here := range p.g {
		g := slices.Clone(p.g)
		// Add a change to score i and differentiate with respect to this change, at 0. A step
		// proportional to a score of ±1000 would be too coarse.
		out[i] = verify.Derivative(func(v float64) float64 { g[i] = here + v; return point{g, p.r}.crossEntropy() }, 0, 0)
	}
	return out
}

// points returns points with 2 to 5 classes.
func points() []point {
	r := instance.Source(1005, 31)
	var out []point
	for _, k := range []int{3, 2, 4, 3, 5, 2} {
		g := multiclass.Drawn(r, k, 1.5, 0)
		out = append(out, point{g, oneOf(k, r.IntN(k))})
	}
	return append(out, point{[]float64{0, 0, 0}, oneOf(3, 1)})
}

func oneOf(k, class int) []float64 { return instance.OneOfK([]int{class}, k).RawRowView(0) }

// farPoints returns points with scores up to ±1000. The points include every combination of the
// index of the largest score and the class of the point.
func farPoints() []point {
	var out []point
	for _, g := range [][]float64{{1000, -1000, 3}, {-1000, 1000, 0}, {3, -1000, 1000}, {-999, -1000}, {0, 1000},
		{-1000, -990, -1001}, {999, 1000, 998}, {0, 20, -40}, {-300, 0, 290}, {0, 720, 710}, {800, 0}} {
		for class := range g {
			out = append(out, point{g, oneOf(len(g), class)})
		}
	}
	return out
}

// An input contains the input vector x of one point of the data.
type input []float64

func (x input) String() string { return fmt.Sprintf("x = %.3g", []float64(x)) }

// inputs returns inputs with 1 to 4 entries.
func inputs() []input {
	r := instance.Source(1005, 32)
	return []input{instance.Normals(r, 3), instance.Normals(r, 2), {1.7}, instance.Normals(r, 4), {0, -1.3},
		{1e-6, -3e6}}
}

func (x input) differences() []float64 {
	d := len(x)
	v, out := mat.NewVecDense(d, x), make([]float64, d*d)
	for i := range out {
		w := mat.NewDense(d, d, nil)
		w.Set(i/d, i%d, 1)
		out[i] = mat.Inner(v, w, v)
	}
	return out
}

type (
	gradientFunc = func(W []*mat.Dense, w *mat.Dense, w0 []float64, X, R *mat.Dense) []*mat.Dense
	scoreFunc    = func(g, r []float64) []float64
	entriesFunc  = func(x []float64) *mat.Dense
)

// checkFinite records a verdict in c if an entry of v is not finite. The exercise requires finite
// results for scores up to ±1000.
func checkFinite(c *judge.Call, v []float64) {
	if s := floats.Sum(v); math.IsNaN(s - s) {
		c.Say(judge.Fail("overflow", 3,
			"With large scores an entry is not a finite number. If exponentials overflow, their quotient is Inf/Inf, so first subtract the largest of the K scores from all scores. An output can be 0, so do not divide by an output."))
	}
}

var question = &judge.Question[gradientFunc, problem]{
	Func: "GradientW", Name: "gradient", Hint: 3, Per: "entry of the K matrices", New: true,
	Invoke: func(gradient gradientFunc, c *judge.Call, p problem) []float64 {
		_, d, k := p.dims()
		W, handed := make([]*mat.Dense, k), make([]*mat.Dense, k)
		for i := range W {
			W[i] = c.Dense(fmt.Sprintf("W[%d]", i), p.W[i])
			handed[i] = W[i]
		}
		got := gradient(W, c.Dense("w", p.w), c.Slice("w0", p.w0), c.Dense("X", p.X), c.Dense("R", p.R))
		for i := range W {
			if W[i] != handed[i] {
				c.Say(judge.Fail("mutates-inputs", 3,
					"Your function replaced a matrix in its argument W, which it shares with the caller. Make a new slice."))
			}
		}
		switch len(got) {
		case 0:
			c.Say(judge.Fail("empty", 3, "You returned no matrix. Return one matrix of derivatives per class."))
		case k - 1:
			c.Say(judge.Fail("reference-class", 2,
				"You returned K − 1 = %d matrices, as if the last class were a reference class without weights, as in (10.34). Here every class has its own weights: K = %d.", k-1, k))
		case k:
		default:
			c.Say(judge.Fail("wrong-length", 3, "You returned %d matrices, want one for each of the K = %d classes.", len(got), k))
		}
		var out []float64
		for i, m := range got {
			if p.far && m != nil {
				checkFinite(c, m.RawMatrix().Data)
			}
			out = append(out, c.Matrix(fmt.Sprintf("∂E/∂W of class %d", i), m, d, d, "D×D")...)
		}
		return out
	},
	Right: func(p problem) []float64 { return flatten(p.sumOverPoints(multiclass.Right, product)) },
	Unit:  func(p problem, _ []float64) []float64 { return p.sizes() },
	Sign: judge.Wrong{Key: "sign", Hint: 2,
		Message: "Your matrices are ∂E/∂W_i multiplied by a negative number, as if they contained r − y in place of y − r. Return the gradient, not the descent step."},
	Factor: judge.Wrong{Key: "factor", Hint: 2,
		Message: "Your matrices are the gradient times a constant. E has no factor in front of its sum."},
	Mistakes: []judge.Mistake[gradientFunc]{
		{Key: "twice",
			Answer:  wrongGradient{residual: multiclass.Each(func(y, r, _ float64) float64 { return 2 * (y - r) })}.answer,
			Hint:    2,
			Message: "Your matrices are twice the gradient. d(wx²)/dw is x² without a factor 2, because the derivative is with respect to the weight, not to x."},
		{Key: "averaged", Hint: 2,
			Message: "Your matrices are the gradient divided by N. E is the sum over the sample, not the mean, so its gradient is a sum too.",
			Answer: wrongGradient{result: func(list []*mat.Dense, n int) {
				for _, m := range list {
					m.Scale(1/float64(n), m)
				}
			}}.answer},
		{Key: "diagonal-only", Answer: wrongGradient{entry: diagonal}.answer, Hint: 2,
			Message: "Your matrices contain only the diagonal entries, the squares x_j². The entries off the diagonal multiply the products x_j·x_l, so their derivatives are not 0 either."},
		{Key: "doubled-off-diagonal", Answer: wrongGradient{entry: tiedEntries}.answer, Hint: 2,
			Message: "Your entries off the diagonal are doubled. That is right if W_i is symmetric and one number represents both (j, l) and (l, j). Here every entry is free and changes alone."},
		{Key: "upper-triangle",
			Answer:  wrongGradient{entry: func(x []float64, j, l int) float64 { return x[j] * x[l] * upper(j, l) }}.answer,
			Hint:    2,
			Message: "Your matrices contain only the upper triangle. Every entry of W_i is free here, including those below the diagonal."},
		{Key: "upper-triangle", Hint: 2,
			Message: "Your upper triangle, with doubled entries, represents both triangles. Every entry of W_i is free here, including those below the diagonal.",
			Answer:  wrongGradient{entry: func(x []float64, j, l int) float64 { return tiedEntries(x, j, l) * upper(j, l) }}.answer},
		{Key: "product-left-out", Answer: wrongGradient{entry: func([]float64, int, int) float64 { return 1 }}.answer, Hint: 1,
			Message: "All entries of each matrix are the sum of the residuals: the factor xxᵀ is missing. The derivative of xᵀWx with respect to an entry is the product that the entry multiplies."},
		{Key: "one-factor", Answer: wrongGradient{entry: row}.answer, Hint: 2,
			Message: "Your entries have a factor x_j only, as for the linear weights. In xᵀWx entry (j, l) multiplies x_j·x_l."},
		{Key: "one-factor", Answer: wrongGradient{entry: column}.answer, Hint: 2,
			Message: "Your entries have a factor x_l only, as for the linear weights. In xᵀWx entry (j, l) multiplies x_j·x_l."},
		{Key: "inner-product", Hint: 2,
			Message: "Your matrices are xᵀx times the identity. Use the outer product xxᵀ.",
			Answer: wrongGradient{entry: func(x []float64, j, l int) float64 {
				return multiclass.Same(j, l) * floats.Dot(x,
					x)
			}}.answer},
		{Key: "squared-error", Answer: wrongGradient{residual: multiclass.FactorLeft}.answer, Hint: 2,
			Message: "Your residual contains a factor y(1 − y), as for the squared error with sigmoids (10.45). With cross-entropy and softmax it cancels."},
		{Key: "own-class-only", Answer: wrongGradient{residual: multiclass.OwnClassOnly}.answer, Hint: 2,
			Message: "Each class learns only from its own points. The points of other classes contribute +y, because the outputs share a denominator."},
		{Key: "targets-left-out", Answer: wrongGradient{residual: multiclass.TargetsLeftOut}.answer, Hint: 2,
			Message: "Your sum is Σ y xxᵀ, without the targets r."},
		{Key: "outputs-left-out", Answer: wrongGradient{residual: multiclass.OutputsLeftOut}.answer, Hint: 2,
			Message: "Your sum is −Σ r xxᵀ, without the outputs y. Such a gradient would never vanish."},
		{Key: "scores-for-outputs", Answer: wrongGradient{residual: multiclass.ActivationsForOutputs}.answer, Hint: 2,
			Message: "Your residual is g − r, with the discriminants in place of their softmax."},
		{Key: "sigmoids", Answer: wrongGradient{residual: multiclass.Sigmoids}.answer, Hint: 2,
			Message: "Your outputs are K separate sigmoids. Exactly one class is right for each point, so y is the softmax of all discriminants."},
		{Key: "quadratic-left-out", Answer: weightEntries(func(_, _ int) float64 { return 0 }), Hint: 2,
			Message: "Your discriminants contain only the linear terms: xᵀW_i x is missing."},
		{Key: "linear-left-out", Answer: wrongGradient{model: func(p *problem) { p.w.Zero(); clear(p.w0) }}.answer, Hint: 2,
			Message: "Your discriminants contain only the quadratic terms: w_iᵀx + w_i0 is missing."},
		{Key: "linear-left-out", Hint: 2, Message: "Your discriminants do not contain the linear terms w_iᵀx.",
			Answer: wrongGradient{model: func(p *problem) { p.w.Zero() }}.answer},
		{Key: "bias-left-out", Hint: 2, Message: "Your discriminants do not contain the biases w_i0.",
			Answer: wrongGradient{model: func(p *problem) { clear(p.w0) }}.answer},
		{Key: "diagonal-model", Answer: weightEntries(multiclass.Same), Hint: 2,
			Message: "Your discriminants use the diagonals of W_i only: xᵀW_i x has a term for every pair of inputs."},
		{Key: "symmetric-assumed", Answer: weightEntries(func(j, l int) float64 { return 1 + upper(j, l) - upper(l, j) }),
			Hint:    2,
			Message: "Your discriminants use W_jl for W_lj as well: they count the entries above the diagonal twice, and ignore the entries below it. W_i need not be symmetric."},
		{Key: "symmetric-assumed", Answer: weightEntries(func(j, l int) float64 { return 1 - upper(j, l) + upper(l, j) }),
			Hint:    2,
			Message: "Your discriminants use W_lj for W_jl as well: they count the entries below the diagonal twice, and ignore the entries above it. W_i need not be symmetric."},
		{Key: "last-score-zero", Hint: 2,
			Message: "The score of the last class is 0 in your outputs, as for the reference class of (10.34). Here all K classes have their own weights, including the last one.",
			Answer: wrongGradient{model: func(p *problem) {
				k := len(p.W) - 1
				p.W[k].Zero()
				p.w.SetCol(k, make([]float64, p.W[k].RawMatrix().Rows))
				p.w0[k] = 0
			}}.answer},
		{Key: "last-point",
			Answer: wrongGradient{model: func(p *problem) { p.X = multiclass.Only(p.X, multiclass.LastPoint) }}.answer, Hint: 3,
			Message: "Only the last point contributes. Add the matrices of all points."},
		{Key: "last-class-fixed",
			Answer: wrongGradient{result: func(list []*mat.Dense, _ int) { list[len(list)-1].Zero() }}.answer, Hint: 2,
			Message: "The matrix of the last class is 0, as if it were the reference class of (10.34). Here all K classes have their own weights."},
		{Key: "classes-mixed", Hint: 3,
			Message: "All your matrices equal the matrix of the first class. Each class needs a matrix of its own.",
			Answer: wrongGradient{result: func(list []*mat.Dense, _ int) {
				for i := range list {
					list[i] = list[0]
				}
			}}.answer},
		{Key: "zero", Answer: wrongGradient{residual: multiclass.Nothing}.answer, Hint: 1,
			Message: "All entries are 0."},
	},
}

// withArguments returns a problem that contains copies of the arguments which a learner's function
// has received.
func withArguments(W []*mat.Dense, w *mat.Dense, w0 []float64, X, R *mat.Dense) problem {
	p := problem{w: mat.DenseCopyOf(w), w0: append([]float64(nil), w0...), X: mat.DenseCopyOf(X), R: mat.DenseCopyOf(R)}
	for _, m := range W {
		p.W = append(p.W, mat.DenseCopyOf(m))
	}
	return p
}

// sumOverPoints returns Σ_t factor(scores, targets)_i · outer(x) for each class i. The gradient and
// most wrong versions of it have this form.
func (p problem) sumOverPoints(factor scoreFunc, outer entriesFunc) []*mat.Dense {
	n, d, k := p.dims()
	out := unflatten(make([]float64, k*d*d), d, k)
	for t := range n {
		x := p.X.RawRowView(t)
		for i, f := range factor(p.scores(x), p.R.RawRowView(t)) {
			m := outer(x)
			m.Scale(f, m)
			out[i].Add(out[i], m)
		}
	}
	return out
}

// A wrongGradient is a wrong computation of the gradient. Each field replaces one part of the right
// computation: the model, the residuals, the entries x_j x_l, or the result for n points. If a
// field is nil, the corresponding part is right.
type wrongGradient struct {
	model    func(p *problem)
	residual multiclass.Residual
	entry    func(x []float64, j, l int) float64
	result   func(list []*mat.Dense, n int)
}

func (s wrongGradient) answer(W []*mat.Dense, w *mat.Dense, w0 []float64, X, R *mat.Dense) []*mat.Dense {
	p, residual, outer := withArguments(W, w, w0, X, R), scoreFunc(multiclass.Right), product
	if s.model != nil {
		s.model(&p)
	}
	if s.residual != nil {
		residual = s.residual
	}
	if s.entry != nil {
		outer = entry(s.entry)
	}
	list := p.sumOverPoints(residual, outer)
	if s.result != nil {
		s.result(list, X.RawMatrix().Rows)
	}
	return list
}

// weightEntries returns a wrong answer that multiplies entry (j, l) of every W_i by f(j, l) when it
// computes the discriminants.
func weightEntries(f func(j, l int) float64) gradientFunc {
	return wrongGradient{model: func(p *problem) {
		for _, m := range p.W {
			m.Apply(func(j, l int, v float64) float64 { return v * f(j, l) }, m)
		}
	}}.answer
}

var scoreQuestion = &judge.Question[scoreFunc, point]{
	Func: "ByScore", Name: "ByScore", Key: "score", Hint: 2, Per: "class",
	Invoke: func(byScore scoreFunc, c *judge.Call, p point) []float64 {
		v := byScore(c.Slice("g", p.g), c.Slice("r", p.r))
		if floats.Norm(p.g, math.Inf(1)) > 100 {
			checkFinite(c, v)
		}
		return c.Vector("list of derivatives", v, len(p.g), "class")
	},
	Right: func(p point) []float64 { return multiclass.Right(p.g, p.r) },
	Unit:  func(p point, _ []float64) []float64 { return slices.Repeat([]float64{1}, len(p.g)) },
	Mistakes: []judge.Mistake[scoreFunc]{
		{Key: "own-class", Answer: multiclass.OwnClassOnly, Hint: 2,
			Message: "Only your derivative for the point's own class is not 0. The denominator of the softmax contains the other scores, so the error also depends on those scores."},
		{Key: "no-target", Answer: multiclass.TargetsLeftOut, Hint: 2,
			Message: "You return the outputs alone; the targets r are missing."},
		{Key: "by-output", Answer: multiclass.ByOutputs, Hint: 2,
			Message: "You return the derivatives with respect to the outputs, −r/y. The derivatives of the outputs with respect to the scores are missing."},
		{Key: "squared-error", Answer: multiclass.FactorLeft, Hint: 2,
			Message: "Your result contains a superfluous factor y(1−y). This factor occurs in the gradient of squared errors, but cancels for the cross-entropy."},
		{Key: "sigmoids", Answer: multiclass.Sigmoids, Hint: 2,
			Message: "Your outputs are the sigmoids of the scores. Use the softmax of the scores, whose outputs sum to 1."},
		{Key: "scores", Answer: multiclass.ActivationsForOutputs, Hint: 2,
			Message: "Your result contains the scores in place of the outputs: the softmax is missing."},
	},
}

var entriesQuestion = &judge.Question[entriesFunc, input]{
	Func: "ByEntries", Name: "ByEntries", Key: "entries", Hint: 2, Per: "pair of inputs",
	Invoke: func(byEntries entriesFunc, c *judge.Call, x input) []float64 {
		return c.Matrix("matrix", byEntries(c.Slice("x", x)), len(x), len(x), "D×D")
	},
	Right: func(x input) []float64 { return product(x).RawMatrix().Data },
	Entry: func(x input, i int) string { return fmt.Sprintf("row %d, column %d", i/len(x), i%len(x)) },
	Mistakes: []judge.Mistake[entriesFunc]{
		{Key: "tied", Answer: entry(tiedEntries), Hint: 2,
			Message: "Your entries off the diagonal are doubled, which is right if W_jl and W_lj are one number. Here each entry is free."},
		{Key: "doubled", Answer: entry(func(x []float64, j, l int) float64 { return 2 * x[j] * x[l] }), Hint: 2,
			Message: "Your entries are doubled. The derivative with respect to x contains a 2, but the score is linear in the entries of W."},
		{Key: "diagonal", Answer: entry(diagonal), Hint: 2,
			Message: "Your matrix contains only the diagonal, the squares. The double sum also contains products of different inputs."},
		{Key: "rows", Answer: entry(row), Hint: 2,
			Message: "Each row contains only x_j: the second factor x_l is missing."},
		{Key: "columns", Answer: entry(column), Hint: 2,
			Message: "Each column contains only x_l: the second factor x_j is missing."},
		{Key: "added", Hint: 2, Message: "Your entries are x_j + x_l. The term of the score is W_jl x_j x_l, so multiply x_j and x_l.",
			Answer: entry(func(x []float64, j, l int) float64 { return x[j] + x[l] })},
		{Key: "trace", Hint: 2, Message: "Every entry is xᵀx, a number. The derivatives are the entries of xxᵀ.",
			Answer: entry(func(x []float64, _, _ int) float64 { return floats.Dot(x, x) })},
	},
}

// entry returns a function that computes the D×D matrix with the entries f(x, j, l) from x. The
// function `product` returns the matrix xxᵀ.
func entry(f func(x []float64, j, l int) float64) entriesFunc {
	return func(x []float64) *mat.Dense {
		m := mat.NewDense(len(x), len(x), nil)
		m.Apply(func(j, l int, _ float64) float64 { return f(x, j, l) }, m)
		return m
	}
}

var product = entry(func(x []float64, j, l int) float64 { return x[j] * x[l] })

// The first four functions return wrong derivatives with respect to W_jl. The result of tiedEntries
// would be right if W_jl and W_lj were the same number. The function `diagonal` returns x_j² if j
// and l are equal, and 0 otherwise. The functions `row` and `column` return only one factor of x_j
// x_l. The function `upper` returns 1 in the upper triangle, including the diagonal, and 0
// elsewhere.
func tiedEntries(x []float64, j, l int) float64 { return x[j] * x[l] * (2 - multiclass.Same(j, l)) }
func diagonal(x []float64, j, l int) float64    { return x[j] * x[l] * multiclass.Same(j, l) }
func row(x []float64, j, _ int) float64         { return x[j] }
func column(x []float64, _, l int) float64      { return x[l] }

func upper(j, l int) float64 { return multiclass.When(j <= l, 1) }

func init() {
	judge.Known(exercise, question, Check)
	judge.Known(exercise, scoreQuestion, func(f scoreFunc) *verify.Report { return CheckSteps(f, product) })
	judge.Known(exercise, entriesQuestion, func(f entriesFunc) *verify.Report { return CheckSteps(multiclass.Right, f) })
}

//go:embed exercise.md answer_test.go
var files embed.FS

var exercise = exercises.MustParse("exercises/alpaydin10/ex05", files)

// Exercise returns a copy of the text of this exercise.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, counted from 1, and returns the markdown of the hint.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }
