// Package ex06 judges PRML exercise 4.6: least squares with the targets N/N1 and −N/N2 yields
// Fisher's discriminant.
package ex06

import (
	"embed"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/exercises/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/gauss"
	"github.com/hyperplane-notebooks/hyperplane/exercises/judge"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

type (
	matrixFunc = func(X1, X2 *mat.Dense) *mat.Dense
	fitFunc    = func(X1, X2 *mat.Dense) (w []float64, w0 float64)
	rightFunc  = func(X1, X2 *mat.Dense) []float64
	biasFunc   = func(X1, X2 *mat.Dense, w []float64) float64
)

// Check judges both functions of PRML exercise 4.6 for the points X1 (N1×D) and X2 (N2×D) of two
// classes. normalMatrix returns the D×D matrix on the left of (4.37). `fit` returns the
// least-squares weights (D) and the bias for the targets N/N1 and −N/N2.
func Check(normalMatrix func(X1, X2 *mat.Dense) *mat.Dense,
	fit func(X1, X2 *mat.Dense) (w []float64, w0 float64)) *verify.Report {
	return exercise.Judge(slices.Concat(
		matrixQuestion.Parts(normalMatrix, []judge.Property[problem]{
			judge.Form("NormalMatrix: the result is a D×D matrix, and X1 and X2 stay unchanged", scarce, nil,
				judge.Wrong{}, "You returned a D×D matrix, for D = 1, 2, 3 and 5."),
			{Name: "NormalMatrix: M·w = N(m1 − m2) at the least-squares weights", Problems: scarce,
				Holds: func(p problem, m []float64) verify.Finding {
					return judge.All(p.equation(m, p.direct(), p.tol()), p.isTotal(m))
				},
				Wrong: judge.Wrong{Key: "m-equation", Hint: 2,
					Message: "For {problem} your M times the least-squares weights should be N(m1 − m2). With all columns scaled to the same spread, the product is {off}. S_W must be a plain sum over the points, and S_B needs the factor N1N2/N."},
				Right: "At the least-squares weights, M·w = N(m1 − m2). Your M is also the total scatter S_T, the sum of (x−m)(x−m)ᵀ over all points, because S_T = S_W + (N1N2/N)·S_B."},
		}...),
		fitQuestion.Parts(fit, []judge.Property[problem]{
			judge.Form("Fit: the result is D weights and a bias, and X1 and X2 stay unchanged", problems, nil,
				judge.Wrong{}, "You returned D weights and a bias, for D = 1, 2, 3 and 5."),
			{Name: "Fit: w and w0 minimise the sum of squares", Problems: problems, Holds: stationary,
				Wrong: judge.Wrong{Key: "not-least-squares", Hint: 2,
					Message: "For {problem} your w and w0 do not minimise the sum of squares: a derivative that should be 0, or an entry of your w, is {off}. The derivative is divided by the lengths of its column and of the target vector; column 0 is the column of ones, and target 0 is the only target. An entry of w is multiplied by the spread of its column. If your M is also wrong, fix M first."},
				Right: "The residuals sum to zero and are orthogonal to every column of x, so your w and w0 minimise the sum of squares (4.31)."},
			{Name: "Fit: ∂E/∂w0 = 0 at your w and w0", Problems: problems, Precheck: biasFault,
				Right: "Your w0 is −wᵀm, where m is the mean of all points. The mean of the targets is 0, since N1·N/N1 − N2·N/N2 = 0."},
			{Name: "Fit: w has the right direction, and class 1 lies on the positive side", Problems: problems,
				Precheck: notFisher,
				Right:    "Your w is a positive multiple of S_W⁻¹(m1 − m2), so wᵀ(x − m) > 0 means class 1. ((4.38) prints m2 − m1, which lies along the same line. But with the printed sign, the rule in the text is wrong, because (4.38) omits a negative factor.)"},
			{Name: "(4.37) holds with your matrix and your weights", Problems: problems, SecondFunc: "NormalMatrix",
				Precheck: func(p problem, fit []float64) *verify.Verdict {
					return together(p, matrixQuestion.Invoke(normalMatrix, &judge.Call{}, p), fit)
				},
				Right: "Your M times your w is N(m1 − m2)."},
		}...))...)
}

// CheckSteps judges two optional steps of the derivation. rightSide returns Σ t_n x_n (D numbers)
// for the targets N/N1 and −N/N2. bestBias returns the w0 at which ∂E/∂w0 is 0 for given weights w
// (D numbers).
func CheckSteps(rightSide func(X1, X2 *mat.Dense) []float64,
	bestBias func(X1, X2 *mat.Dense, w []float64) float64) *verify.Report {
	return exercise.JudgeSteps(slices.Concat(
		biasQuestion.Steps(bestBias, judge.Step[problem]{Name: "BestBias: ∂E/∂w0 is 0 at your w0, for any given w",
			Problems: scarce,
			Routes: []judge.Route[problem]{
				{Name: "the mean of t − wᵀx", Tol: 1e-9, Value: biasQuestion.Right},
				{Name: "the lowest point of E along w0", Tol: 1e-6, Value: func(p problem) []float64 {
					// p.sumOfSquares is a parabola in w0, so three of its values determine the
					// lowest point
					left, here, right := p.sumOfSquares(p.w, -1), p.sumOfSquares(p.w, 0), p.sumOfSquares(p.w, 1)
					return []float64{(left - right) / 2 / (left - 2*here + right)}
				}},
			},
			Right: "∂E/∂w0 is 0 at your w0, even for weights that are not the best."}),
		rightQuestion.Steps(rightSide, judge.Step[problem]{Name: "RightSide: Σ t_n x_n", Problems: scarce,
			Routes: []judge.Route[problem]{
				{Name: "the class means", Tol: 1e-9, Value: problem.right},
				{Name: "the sum over the points", Tol: 1e-9,
					Value: func(p problem) []float64 { return gauss.Times(p.All().T(), p.coded()) }},
			},
			Right: "Your result agrees with Σ t_n x_n, computed from the class means and also as a sum over the points."}),
		rightQuestion.Parts(rightSide,
			judge.Property[problem]{Name: "together: with the results of your BestBias and RightSide, the derivatives of E with respect to w are right",
				Problems: scarce, SecondFunc: "BestBias",
				Precheck: func(p problem, right []float64) *verify.Verdict {
					return checkEliminated(p, right, biasQuestion.Invoke(bestBias, &judge.Call{}, p)[0])
				},
				Right: "Σ x_n(wᵀx_n + w0) with the w0 of your BestBias, minus the result of your RightSide, agrees with ∂E/∂w, computed by finite differences."}))...)
}

// stationary checks that the learner's w and w0 satisfy (4.32) and (4.33), which set the derivatives
// of E to 0: the residuals must be orthogonal to the column of ones and to every column of x. It also
// compares w with the least-squares weights.
func stationary(p problem, fit []float64) verify.Finding {
	y, t := p.fitted(fit), p.coded()
	f := verify.NormalEquations(instance.WithOnes(p.All()), mat.NewVecDense(len(y), y), mat.NewVecDense(len(t), t),
		p.tol())
	if !f.OK {
		return f
	}
	return verify.CloseSlice(p.even(fit), p.even(p.direct()), verify.Tolerance{Rel: 100 * p.tol()})
}

// biasFault returns a verdict if w0 is not the best bias for the learner's w. The verdict names the
// mistake if biasFault recognises it.
func biasFault(p problem, fit []float64) *verify.Verdict {
	w, w0 := split(fit)
	m1, m2 := p.Means()
	n1, n2, n := p.Counts()
	a1, a2, size := floats.Dot(w, m1), floats.Dot(w, m2), p.terms(w)
	like := func(v, tol float64) bool { return verify.Close(w0, v, verify.Tolerance{Abs: tol * size, Rel: tol}).OK }
	switch {
	case like(-(n1*a1+n2*a2)/n, 1e-9):
		return nil
	case w0 == 0:
		return judge.Fail("no-bias", 2, "Your w0 is 0, so the boundary always passes through the origin. It must pass through the mean of all points.")
	case like(-(a1+a2)/2, 1e-7):
		return judge.Fail("midpoint", 2,
			"Your w0 puts the boundary midway between the class means. By (4.32) the least-squares boundary passes through the mean m of all points, which is nearer to the larger class.")
	case like((n1*a1+n2*a2)/n, 1e-7):
		return judge.Fail("bias-sign", 2,
			"Your w0 is +wᵀm. By (4.32) wᵀm + w0 is the mean of the targets, which is 0, so w0 = −wᵀm.")
	case like(-a1, 1e-7), like(-a2, 1e-7):
		return judge.Fail("one-mean", 2, "Your w0 puts the boundary through the mean of one class. The boundary must pass through the mean of all points.")
	case like(-(n2*a1+n1*a2)/n, 1e-7):
		return judge.Fail("weights-exchanged", 3,
			"Your w0 weights each class mean by the number of points of the other class. Weight each mean by the number of points of its own class.")
	}
	return judge.Fail("bias", 2,
		"For %v, ∂E/∂w0 is not zero at your w and w0: the residuals do not sum to zero.", p)
}

// notFisher returns a verdict if w is not a positive multiple of S_W⁻¹(m1 − m2).
func notFisher(p problem, fit []float64) *verify.Verdict {
	w, _ := split(fit)
	f := verify.Parallel(p.even(fit), p.even(gauss.Solve(p.Within(), p.Gap())), math.Max(1e-6, 100*p.Tol))
	switch {
	case !f.OK && floats.Norm(p.even(fit), 2) > 0 && verify.Parallel(w, p.Gap(), 1e-6).OK:
		return judge.Fail("means-only", 1,
			"Your w lies along m1 − m2, so it ignores the scatter within the classes.")
	case !f.OK:
		return judge.Fail("not-fisher", 1,
			"For %v your w does not lie along Fisher's direction. With all columns scaled to the same spread, your w is %s. (The error is the sine of the angle between w and this direction.)", p, f.Off())
	case floats.Dot(w, p.Gap()) < 0:
		return judge.Fail("printed-sign", 1,
			"Your w lies along S_W⁻¹(m2 − m1), as printed in (4.38). With the targets N/N1 for class 1 and −N/N2 for class 2 the solution of (4.37) has the opposite sign and points towards m1. Only then is the rule “class 1 if wᵀ(x − m) > 0” right.")
	}
	return nil
}

func together(p problem, m, fit []float64) *verify.Verdict {
	if len(m) != (len(fit)-1)*(len(fit)-1) {
		return judge.Fail("not-together", 2,
			"The result of your NormalMatrix does not have the right form. The earlier parts of this report say more.")
	}
	f := p.equation(m, fit, math.Max(1e-7, 100*p.Tol))
	return judge.FailIf(!f.OK, "not-together", 2,
		"For %v your matrix times your weights should be N(m1 − m2), but it is %s. The earlier parts of this report show which of the two functions is wrong.", p, f.Off())
}

// checkEliminated checks that Σ x_n(wᵀx_n + w0) − Σ t_n x_n equals ∂E/∂w. The argument `w0` is the
// learner's bias, and the argument `right` is the learner's Σ t_n x_n.
func checkEliminated(p problem, right []float64, w0 float64) *verify.Verdict {
	all := p.All()
	n, _ := all.Dims()
	got := instance.Minus(gauss.Times(all.T(), p.fitted(append(slices.Clone(p.w), w0))), right)
	for j, size := range instance.Sizes(all) {
		slope := verify.Derivative(func(v float64) float64 {
			w := slices.Clone(p.w)
			w[j] += v / size
			return p.sumOfSquares(w, biasQuestion.Right(p)[0]) // the bias stays the best bias for p.w
		}, 0, 0)
		unit := float64(n) * (1 + floats.Norm(p.w, 1)) * math.Max(1, float64(n)/4)
		if f := verify.Close(got[j]/size, slope, verify.Tolerance{Abs: 1e-6 * unit}); !f.OK {
			return judge.Fail("not-the-derivative", 2,
				"For %v, Σ x_n(wᵀx_n + w0) with the w0 of your BestBias, minus the result of your RightSide, should be ∂E/∂w, computed by finite differences. Entry %d, divided by the size of its column, is %s.", p, j, f.Off())
		}
	}
	return nil
}

// A problem consists of two classes of points and arbitrary weights w. The weights are scaled so
// that wᵀx is about 1 for columns of any size.
type problem struct {
	gauss.Classes
	w []float64
}

// scarce returns all problems, including problems with fewer than D + 2 points, for which S_W has no
// inverse. The function `problems` returns only the problems with at least D + 2 points.
var scarce = instance.Once(func() (list []problem) {
	clouds := append(instance.TwoClasses(instance.Source(406, 1)), fewest())
	r := instance.Source(406, 32)
	for _, c := range append(clouds, instance.FewPoints(instance.Source(406, 2))...) {
		list = append(list, problem{gauss.Classes{Clouds: c}, instance.Weights(r, c.All(), 1)})
	}
	return list
})

func problems() []problem {
	return slices.DeleteFunc(slices.Clone(scarce()), func(p problem) bool {
		n1, n2, d := p.Dims()
		return n1+n2 < d+2
	})
}

// fewest returns two classes in the plane: a single point, and three points that form a triangle.
func fewest() instance.Clouds {
	r := instance.Source(406, 3)
	near := func(rows int, v ...float64) *mat.Dense {
		for i := range v {
			v[i] += 0.1 * r.NormFloat64()
		}
		return mat.NewDense(rows, 2, v)
	}
	return instance.Clouds{Name: "one point against three points in the plane", X1: near(1, 0, 0.5),
		X2: near(3, 3, 1, 1.5, 1.8, 1.5, 0.2), Tol: 1e-9}
}

// sumOfSquares returns the sum of squares (4.31) for given weights and bias.
func (p problem) sumOfSquares(w []float64, w0 float64) float64 {
	r := instance.Minus(p.fitted(append(slices.Clone(w), w0)), p.coded())
	return floats.Dot(r, r) / 2
}

func (p problem) tol() float64 { return math.Max(1e-8, 10*p.Tol) }

// right returns N(m1 − m2), the right-hand side of (4.37).
func (p problem) right() []float64 {
	_, _, n := p.Counts()
	return floats.ScaleTo(p.Gap(), n, p.Gap())
}

// total returns S_T.
func (p problem) total() *mat.Dense { return mat.DenseCopyOf(p.Total()) }

// coded returns the targets N/N1 and −N/N2 of section 4.1.5, one for each point.
func (p problem) coded() []float64 {
	n1, n2, n := p.Counts()
	return p.Targets(n/n1, -n/n2)
}

// direct returns the entries of the least-squares w, followed by w0. It does not use (4.37).
func (p problem) direct() []float64 { return p.leastSquares(p.coded()) }

func (p problem) leastSquares(t []float64) []float64 {
	w := mat.Col(nil, 0, instance.LeastSquares(p.All(), mat.NewDense(len(t), 1, t)))
	return append(w[1:], w[0])
}

// fitted returns the values wᵀx + w0 at all points.
func (p problem) fitted(fit []float64) []float64 {
	w, w0 := split(fit)
	y := instance.Activations(p.All(), w)
	floats.AddConst(w0, y)
	return y
}

// split divides a fit into w and w0. A fit is a slice with the entries of w, followed by w0.
func split(fit []float64) (w []float64, w0 float64) { return fit[:len(fit)-1], fit[len(fit)-1] }

// even returns each weight of a fit multiplied by the spread of its column, so that all weights
// have the same unit.
func (p problem) even(fit []float64) []float64 {
	s := p.Spread()
	return floats.MulTo(make([]float64, len(s)), fit[:len(s)], s)
}

// terms returns the sum of the absolute values of the terms of wᵀm, where m is the mean of all
// points.
func (p problem) terms(w []float64) (size float64) {
	for j, m := range p.Mean() {
		size += math.Abs(w[j] * m)
	}
	return size
}

// equation compares M·w with N(m1 − m2). The slice m contains the entries of M, and the slice `fit`
// contains w, followed by a bias that equation ignores.
func (p problem) equation(m, fit []float64, tol float64) verify.Finding {
	w, _ := split(fit)
	got, right := gauss.Times(mat.NewDense(len(w), len(w), m), w), p.right()
	floats.Div(got, p.Spread())
	floats.Div(right, p.Spread())
	return verify.CloseSlice(got, right, verify.Tolerance{Rel: tol})
}

// isTotal compares M with S_T. The slice m contains the entries of M.
func (p problem) isTotal(m []float64) verify.Finding {
	got, right := p.Spread().Even(m), p.Spread().Even(p.total().RawMatrix().Data)
	return verify.CloseSlice(got.RawMatrix().Data, right.RawMatrix().Data, verify.Tolerance{Rel: p.tol()})
}

var matrixQuestion = &judge.Question[matrixFunc, problem]{
	Func: "NormalMatrix", Name: "M", Hint: 3, Per: "pair of columns", New: true,
	Invoke: func(normalMatrix matrixFunc, c *judge.Call, p problem) []float64 {
		m := normalMatrix(c.Dense("X1", p.X1), c.Dense("X2", p.X2))
		_, _, d := p.Dims()
		if m != nil && m.RawMatrix().Rows == d+1 && m.RawMatrix().Cols == d+1 {
			c.Say(judge.Fail("bias-inside", 2,
				"Your M has D+1 rows, as in the normal equations of w and w0 together. (4.34) eliminates the bias, so the matrix of (4.37) is D×D."))
		}
		return c.Matrix("M", m, d, d, "D×D")
	},
	Right: func(p problem) []float64 { return p.total().RawMatrix().Data },
	Unit:  func(p problem, _ []float64) []float64 { return p.Spread().Units() },
	Family: func(p problem, m []float64) *verify.Verdict {
		return judge.FailIf(p.equation(m, p.direct(), p.tol()).OK, "m-total", 2,
			"For %v your M times the least-squares weights is N(m1 − m2), but M is not the matrix of (4.37). With all columns scaled to the same spread, M is %s. The equation M·w = N(m1 − m2) alone does not determine M: it also holds for other matrices, even for matrices that are not symmetric.", p, p.isTotal(m).Off())
	},
	Factor: judge.Wrong{Key: "m-factor", Hint: 2,
		Message: "Your M is the matrix of (4.37) times a constant factor. The right-hand side N(m1 − m2) requires the factor 1."},
	Mistakes: []judge.Mistake[matrixFunc]{
		{Key: "within-only", Answer: withBetween(func(_, _, _ float64) float64 { return 0 }), Hint: 2,
			Message: "Your M is S_W alone. S_W⁻¹N(m1 − m2) has the right direction, but (4.37) also contains the term with S_B, which changes the length of w."},
		{Key: "integer-division", Answer: withBetween(func(n1, n2, n float64) float64 { return math.Floor(n1 * n2 / n) }),
			Hint:    3,
			Message: "In your M the factor before S_B is N1N2/N rounded down. The integer division n1*n2/n has this result. Divide in float64."},
		{Key: "between-unweighted", Answer: withBetween(func(_, _, _ float64) float64 { return 1 }), Hint: 2,
			Message: "Your M is S_W + S_B: the factor before S_B is missing. This factor appears when you insert the mean of all points, m = (N1m1 + N2m2)/N."},
		{Key: "wrong-factor", Answer: withBetween(func(n1, n2, n float64) float64 { return n1 * n2 / (n * n) }), Hint: 2,
			Message: "The factor before S_B is N1N2/N² in your M. Divide by N only once."},
		{Key: "wrong-factor", Answer: withBetween(func(n1, n2, _ float64) float64 { return n1 * n2 }), Hint: 2,
			Message: "The factor before S_B is N1N2 in your M: the division by N is missing."},
		{Key: "wrong-factor", Answer: withBetween(func(_, _, n float64) float64 { return n }), Hint: 2,
			Message: "The factor before S_B is N in your M. It should be N1N2/N."},
		{Key: "wrong-factor", Answer: withBetween(func(n1, n2, n float64) float64 { return n / (n1 * n2) }), Hint: 2,
			Message: "The factor before S_B is N/(N1N2) in your M, the reciprocal of the right factor."},
		{Key: "wrong-factor", Answer: withBetween(func(n1, n2, n float64) float64 { return (n1*n1 + n2*n2) / n }), Hint: 2,
			Message: "The factor before S_B is (N1² + N2²)/N in your M. This is the factor in N·Σ(m_k − m)(m_k − m)ᵀ. But the term of class k must be multiplied by N_k, not by N."},
		{Key: "between-subtracted", Answer: withBetween(func(n1, n2, n float64) float64 { return -n1 * n2 / n }), Hint: 2,
			Message: "The term with S_B has a minus sign in your M. Both terms of (4.37) have a plus sign."},
		{Key: "between-only",
			Answer: weighted(func(n1, n2, n float64) (c1, c2, b float64) { return 0, 0, n1 * n2 / n }), Hint: 2,
			Message: "Your M is the term with S_B alone. Without S_W, M has no inverse for D > 1."},
		{Key: "covariance", Hint: 2,
			Message: "Your M is the covariance of all points, which is the matrix of (4.37) divided by N. With your M, the right-hand side would have to be m1 − m2 instead of N(m1 − m2).",
			Answer:  weighted(func(n1, n2, n float64) (c1, c2, b float64) { return 1 / n, 1 / n, n1 * n2 / (n * n) })},
		{Key: "covariance", Hint: 2,
			Message: "Your M is the matrix of (4.37) divided by N−1, as computed by stat.CovarianceMatrix. S_T is a plain sum over the points.",
			Answer: weighted(func(n1, n2, n float64) (c1, c2, b float64) {
				return 1 / (n - 1), 1 / (n - 1),
					n1 * n2 / (n * (n - 1))
			})},
		{Key: "within-divided",
			Answer: weighted(func(n1, n2, n float64) (c1, c2, b float64) { return 1 / n, 1 / n, n1 * n2 / n }), Hint: 2,
			Message: "In your M, S_W is divided by N, but the term with S_B is not. S_W of this exercise is the plain sum over the points."},
		{Key: "covariances-summed",
			Answer:  weighted(func(n1, n2, n float64) (c1, c2, b float64) { return 1 / n1, 1 / n2, n1 * n2 / n }),
			Hint:    2,
			Message: "In your M the scatter of each class is divided by its number of points. S_W of this exercise is the plain sum over the points, so a larger class has more weight."},
		{Key: "covariances-summed",
			Answer: weighted(func(n1, n2, _ float64) (c1, c2, b float64) { return 1 / n1, 1 / n2, 0 }), Hint: 2,
			Message: "Your M is the sum of the covariances of the two classes. S_W of this exercise is the plain sum over the points, and the term with S_B is missing."},
		{Key: "not-centred", Answer: raw(func(float64) float64 { return 0 }), Hint: 2,
			Message: "Your M is the sum of the products xxᵀ, as in the normal equations without a bias. Insert the best w0 into the equations. This w0 depends on w, so your M changes: N·mmᵀ is subtracted."},
		{Key: "plus-mean", Answer: raw(func(n float64) float64 { return n }), Hint: 2,
			Message: "Your M is Σxxᵀ + N·mmᵀ. The second term must be negative, because w0 is −wᵀm. (One set of lecture notes has the same wrong sign.)"},
		{Key: "mean-once", Answer: raw(func(float64) float64 { return -1 }), Hint: 2,
			Message: "Your M is Σxxᵀ − mmᵀ. The factor N before mmᵀ is missing: the mean is subtracted from all N points."},
	},
}

var fitQuestion = &judge.Question[fitFunc, problem]{
	Func: "Fit", Name: "w and w0", Hint: 3, Per: "column of X1 and X2, and one for w0",
	Invoke: func(fit fitFunc, c *judge.Call, p problem) []float64 {
		w, w0 := fit(c.Dense("X1", p.X1), c.Dense("X2", p.X2))
		_, _, d := p.Dims()
		return append(c.Vector("w", w, d, "column of X1 and X2"), c.Vector("w0", []float64{w0}, 1, "")...)
	},
	Right: problem.direct,
	Unit: func(p problem, right []float64) []float64 {
		w, w0 := split(right)
		length, u := floats.Norm(p.even(right), 2), p.Spread()
		for j, s := range u {
			u[j] = length / s
		}
		return append(u, math.Max(math.Abs(w0), p.terms(w)))
	},
	Family: minimumFault,
	Nearly: judge.Wrong{Key: "nearly", Hint: 3,
		Message: "Nearly right: for {problem} your w and w0 are {off}. Solve the linear equations exactly; an iterative search or rounded numbers are not accurate enough."},
	Mistakes: []judge.Mistake[fitFunc]{
		{Key: "one-of-k", Answer: withTargets(func(_, _, _ float64) (t1, t2 float64) { return 1, 0 }), Hint: 1,
			Message: "You return the least-squares solution for the targets 1 and 0, as in 1-of-K coding. Only its direction is right. Here the targets are N/N1 and −N/N2."},
		{Key: "plus-minus-one", Answer: withTargets(func(_, _, _ float64) (t1, t2 float64) { return 1, -1 }), Hint: 1,
			Message: "You return the least-squares solution for the targets +1 and −1. Only its direction is right. Here the targets are N/N1 and −N/N2."},
		{Key: "targets-exchanged", Answer: withTargets(func(n1, n2, n float64) (t1, t2 float64) { return n / n2, -n / n1 }),
			Hint:    1,
			Message: "You return the least-squares solution for the targets N/N2 and −N/N1. You have exchanged N1 and N2: the target is N/N1 for class 1 and −N/N2 for class 2."},
		{Key: "targets-upside-down", Answer: withTargets(func(n1, n2, n float64) (t1, t2 float64) { return n1 / n, -n2 / n }),
			Hint: 1, Message: "You return the least-squares solution for the targets N1/N and −N2/N. The right targets are N/N1 and −N/N2."},
		{Key: "integer-division", Hint: 3,
			Message: "You return the least-squares solution for N/N1 and −N/N2 rounded to integers. The integer division n/n1 rounds in this way. Divide in float64.",
			Answer:  withTargets(func(n1, n2, n float64) (t1, t2 float64) { return math.Floor(n / n1), -math.Floor(n / n2) })},
		{Key: "both-positive", Answer: withTargets(func(n1, n2, n float64) (t1, t2 float64) { return n / n1, n / n2 }),
			Hint: 1, Message: "You return the least-squares solution for two positive targets, N/N1 and N/N2. The target of class 2 is −N/N2."},
		{Key: "classes-exchanged", Answer: withTargets(func(n1, n2, n float64) (t1, t2 float64) { return -n / n1, n / n2 }),
			Hint:    1,
			Message: "All your signs are wrong: class 1 has the positive target, N/N1. ((4.38) prints the direction m2 − m1, but the solution of (4.37) is a positive multiple of S_W⁻¹(m1 − m2).)"},
		{Key: "without-n", Answer: withTargets(func(n1, n2, _ float64) (t1, t2 float64) { return 1 / n1, -1 / n2 }), Hint: 2,
			Message: "Your w solves M·w = m1 − m2. The factor N on the right-hand side of (4.37) is missing, as if the targets were 1/N1 and −1/N2."},
		{Key: "within-only", Answer: throughMean(func(p problem) (mat.Matrix, []float64) { return p.Within(), p.right() }),
			Hint:    2,
			Message: "Your w solves S_W·w = N(m1 − m2). The term with S_B is missing, so the direction is right but the length is wrong."},
		{Key: "integer-division", Hint: 3,
			Message: "Your w solves (4.37) with N1N2/N rounded down. The integer division n1*n2/n has this result. Divide in float64.",
			Answer: throughMean(func(p problem) (mat.Matrix, []float64) {
				n1, n2, n := p.Counts()
				return gauss.Plus(p.Within(), math.Floor(n1*n2/n), p.Gap()), p.right()
			})},
		{Key: "fisher-itself", Answer: throughMean(func(p problem) (mat.Matrix, []float64) { return p.Within(), p.Gap() }),
			Hint:    2,
			Message: "Your w is S_W⁻¹(m1 − m2). Its direction is right, but its length is wrong: (4.37) also determines the length."},
		{Key: "no-bias",
			Answer: fromFit(func(p problem) []float64 { return append(gauss.Solve(p.All(), p.coded()), 0) }), Hint: 2,
			Message: "You return the least-squares solution without a bias."},
		{Key: "midpoint", Answer: withBias(func(_, _, a, b float64) float64 { return -(a + b) / 2 }), Hint: 2,
			Message: "Your w is right, but your w0 puts the boundary midway between the class means. The least-squares boundary passes through the mean of all points, which is nearer to the larger class."},
		{Key: "bias-sign", Answer: withBias(func(n1, n2, a, b float64) float64 { return (n1*a + n2*b) / (n1 + n2) }),
			Hint: 2, Message: "Your w is right, but your w0 is +wᵀm. It should be −wᵀm."},
	},
}

// minimumFault returns a verdict that explains why w and w0 are not the least-squares solution, or
// nil if it finds no explanation.
func minimumFault(p problem, fit []float64) *verify.Verdict {
	w, _ := split(fit)
	even, right := p.even(fit), p.even(p.direct())
	// `rest` is N(m1 − m2) − M·w; this vector is λw if the learner added λ to the diagonal of M
	rest := instance.Minus(p.right(), gauss.Times(p.Total(), w))
	sum := floats.Sum(instance.Minus(p.fitted(fit), p.coded()))
	_, _, n := p.Counts()
	switch {
	case floats.Norm(even, 2) == 0:
		return judge.Fail("zero-weights", 2, "All your weights are 0.")
	case verify.CloseSlice(even, right, verify.Tolerance{Rel: 100 * p.tol()}).OK && math.Abs(sum) > p.tol()*n:
		return judge.Fail("bias", 2,
			"For %v your w is the least-squares w, but your w0 is wrong: the residuals do not sum to zero.", p)
	case len(w) > 1 && floats.Dot(rest, w) > 0 && verify.Parallel(rest, w, 1e-3).OK:
		return judge.Fail("ridge", 2,
			"Your weights are shorter than the least-squares weights, as if you added a number to the diagonal of M, or a penalty on w to E. M has an inverse without such a change.")
	case verify.SameDirection(even, right, 1e-5).OK && math.Abs(floats.Norm(even, 2)/floats.Norm(right, 2)-1) > 1e-3:
		return judge.Fail("length", 2,
			"For %v your w has the direction of Fisher's discriminant, which is right, but the wrong length. (4.37) determines the length for these targets. If your M is also wrong, fix M first.", p)
	}
	return nil
}

var biasQuestion = &judge.Question[biasFunc, problem]{
	Func: "BestBias", Name: "BestBias", Key: "bias", Hint: 1,
	Invoke: func(bestBias biasFunc, c *judge.Call, p problem) []float64 {
		return []float64{bestBias(c.Dense("X1", p.X1), c.Dense("X2", p.X2), c.Slice("w", p.w))}
	},
	Right: func(p problem) []float64 { return []float64{-floats.Dot(p.w, p.Mean())} },
	Unit:  func(p problem, _ []float64) []float64 { return []float64{1 + floats.Norm(p.w, 1)} },
	Mistakes: []judge.Mistake[biasFunc]{
		{Key: "turned", Answer: biasFrom(func(n1, n2, a, b float64) float64 { return (n1*a + n2*b) / (n1 + n2) }), Hint: 1,
			Message: "Your bias has the wrong sign: wᵀx + w0 must be 0 at the mean of all points."},
		{Key: "midpoint", Answer: biasFrom(func(_, _, a, b float64) float64 { return -(a + b) / 2 }), Hint: 1,
			Message: "With your bias, wᵀx + w0 is 0 midway between the class means. It must be 0 at the mean of all points, which weights the class means by N1 and N2."},
		{Key: "not-divided", Answer: biasFrom(func(n1, n2, a, b float64) float64 { return -(n1*a + n2*b) }), Hint: 1,
			Message: "Your bias is N times the right bias. The equation contains N·w0, because w0 occurs once for every point."},
		{Key: "plus-minus-one",
			Answer: biasFrom(func(n1, n2, a, b float64) float64 { return (n1 - n2 - n1*a - n2*b) / (n1 + n2) }), Hint: 1,
			Message: "You return the bias for the targets 1 and −1, whose mean is (N1 − N2)/N. The targets of this exercise sum to 0."},
		{Key: "one-of-k", Answer: biasFrom(func(n1, n2, a, b float64) float64 { return (n1 - n1*a - n2*b) / (n1 + n2) }),
			Hint:    1,
			Message: "You return the bias for the targets 1 and 0, whose mean is N1/N. The targets of this exercise sum to 0."},
		{Key: "first-class", Answer: biasFrom(func(_, _, a, _ float64) float64 { return -a }), Hint: 1,
			Message: "Your bias contains only the mean of class 1. The derivative with respect to w0 is a sum over the points of both classes."},
		{Key: "second-class", Answer: biasFrom(func(_, _, _, b float64) float64 { return -b }), Hint: 1,
			Message: "Your bias contains only the mean of class 2. The derivative with respect to w0 is a sum over the points of both classes."},
		{Key: "means-added", Answer: biasFrom(func(_, _, a, b float64) float64 { return -a - b }), Hint: 1,
			Message: "Your bias is −wᵀ(m1 + m2). The mean of all points weights the two class means by N1/N and N2/N."},
		{Key: "counts-exchanged",
			Answer: biasFrom(func(n1, n2, a, b float64) float64 { return -(n2*a + n1*b) / (n1 + n2) }), Hint: 1,
			Message: "In your bias, each class mean is weighted by the number of points of the other class. Use the number of points of its own class."},
		{Key: "zero", Answer: biasFrom(func(_, _, _, _ float64) float64 { return 0 }), Hint: 1,
			Message: "Your bias is 0. The targets sum to 0, but the values wᵀx need not, so w0 must shift their mean to 0."},
	},
}

var rightQuestion = &judge.Question[rightFunc, problem]{
	Func: "RightSide", Name: "RightSide", Key: "right", Hint: 2, Per: "column of X1 and X2",
	Invoke: func(rightSide rightFunc, c *judge.Call, p problem) []float64 {
		_, _, d := p.Dims()
		return c.Vector("right side", rightSide(c.Dense("X1", p.X1), c.Dense("X2", p.X2)), d, "column of X1 and X2")
	},
	Right: problem.right,
	Unit: func(p problem, _ []float64) []float64 {
		// The unit is N times the largest absolute entry of the column. No term of Σ t_n x_n is larger
		// than this unit. Far from the origin these terms nearly cancel, but their rounding errors do not.
		_, _, n := p.Counts()
		return floats.ScaleTo(instance.Sizes(p.All()), n, instance.Sizes(p.All()))
	},
	Mistakes: []judge.Mistake[rightFunc]{
		{Key: "no-n", Answer: withMeans(func(_, _ float64) (float64, float64) { return 1, -1 }), Hint: 2,
			Message: "In your result the factor N is missing. The points of class 1 sum to N1·m1, and this sum times the target N/N1 is N·m1."},
		{Key: "swapped", Answer: withMeans(func(n1, n2 float64) (float64, float64) { return -n1 - n2, n1 + n2 }), Hint: 2,
			Message: "Your signs are wrong: class 1 has the positive target."},
		{Key: "plus", Answer: withMeans(func(n1, n2 float64) (float64, float64) { return n1 + n2, n1 + n2 }), Hint: 2,
			Message: "Your result is N(m1 + m2). Subtract the mean of class 2, because its target is negative."},
		{Key: "plus-minus-one", Answer: withMeans(func(n1, n2 float64) (float64, float64) { return n1, -n2 }), Hint: 2,
			Message: "You return Σ t_n x_n for the targets 1 and −1. The targets of this exercise are N/N1 and −N/N2."},
		{Key: "one-of-k", Answer: withMeans(func(n1, _ float64) (float64, float64) { return n1, 0 }), Hint: 2,
			Message: "You return Σ t_n x_n for the targets 1 and 0. The targets of this exercise are N/N1 and −N/N2."},
		{Key: "means-for-sums",
			Answer: withMeans(func(n1, n2 float64) (float64, float64) { return (n1 + n2) / n1, -(n1 + n2) / n2 }), Hint: 2,
			Message: "You multiply each target by the mean of its class. Multiply the target by the sum of the points of its class, which is N1 or N2 times the mean."},
		{Key: "targets-inverted", Hint: 2,
			Message: "You return Σ t_n x_n for the targets N1/N and −N2/N. The right targets are N/N1 and −N/N2. The smaller the class, the larger is the absolute value of its target.",
			Answer: withMeans(func(n1, n2 float64) (float64, float64) {
				return n1 * n1 / (n1 + n2),
					-n2 * n2 / (n1 + n2)
			})},
		{Key: "between-factor", Hint: 2,
			Message: "Your result has the factor N1N2/N, which is the factor of S_B on the left-hand side. On the right-hand side the factor is N.",
			Answer: withMeans(func(n1, n2 float64) (float64, float64) {
				return n1 * n2 / (n1 + n2),
					-n1 * n2 / (n1 + n2)
			})},
		{Key: "integer-division", Hint: 3,
			Message: "You return Σ t_n x_n for rounded targets, as computed by the integer division n/n1. Divide in float64.",
			Answer: withMeans(func(n1, n2 float64) (float64, float64) {
				return n1 * math.Floor((n1+n2)/n1), -n2 * math.Floor((n1+n2)/n2)
			})},
	},
}

func newProblem(X1, X2 *mat.Dense) problem { return problem{Classes: gauss.Of(X1, X2)} }

// fromClasses returns an answer that calls f with the two classes.
func fromClasses[T any](f func(p problem) T) func(X1, X2 *mat.Dense) T {
	return func(X1, X2 *mat.Dense) T { return f(newProblem(X1, X2)) }
}

// fromFit returns an answer that calls f with the two classes and divides the slice that f returns
// into w and w0.
func fromFit(f func(p problem) []float64) fitFunc {
	return func(X1, X2 *mat.Dense) ([]float64, float64) { return split(f(newProblem(X1, X2))) }
}

// weighted returns an answer that computes c1·S_1 + c2·S_2 + b·S_B from the scatter matrices S_1
// and S_2 of the classes.
func weighted(f func(n1, n2, n float64) (c1, c2, b float64)) matrixFunc {
	return fromClasses(func(p problem) *mat.Dense {
		c1, c2, b := f(p.Counts())
		m1, m2 := p.Means()
		s1, s2 := instance.Scatter(p.X1, m1), instance.Scatter(p.X2, m2)
		s1.ScaleSym(c1, s1)
		s2.ScaleSym(c2, s2)
		s1.AddSym(s1, s2)
		return gauss.Plus(s1, b, p.Gap())
	})
}

// withBetween returns an answer that computes S_W + b·S_B.
func withBetween(b func(n1, n2, n float64) float64) matrixFunc {
	return weighted(func(n1, n2, n float64) (float64, float64, float64) { return 1, 1, b(n1, n2, n) })
}

// raw returns an answer that computes Σxxᵀ + f(N)·mmᵀ, where m is the mean of all points.
func raw(f func(n float64) float64) matrixFunc {
	return fromClasses(func(p problem) *mat.Dense {
		_, _, n := p.Counts()
		m := p.Mean()
		return gauss.Plus(instance.Scatter(p.All(), make([]float64, len(m))), f(n), m)
	})
}

// withTargets returns an answer that computes the least-squares solution for the targets t1 and t2.
func withTargets(f func(n1, n2, n float64) (t1, t2 float64)) fitFunc {
	return fromFit(func(p problem) []float64 { return p.leastSquares(p.Targets(f(p.Counts()))) })
}

// throughMean returns an answer that solves M·w = `right` for w and sets w0 = −wᵀm, where f returns
// M and the vector `right`.
func throughMean(f func(p problem) (M mat.Matrix, right []float64)) fitFunc {
	return fromFit(func(p problem) []float64 {
		w := gauss.Solve(f(p))
		return append(w, -floats.Dot(w, p.Mean()))
	})
}

// biasFrom returns an answer that computes the bias f(N1, N2, wᵀm1, wᵀm2).
func biasFrom(f func(n1, n2, a, b float64) float64) biasFunc {
	return func(X1, X2 *mat.Dense, w []float64) float64 {
		p := newProblem(X1, X2)
		n1, n2, _ := p.Counts()
		m1, m2 := p.Means()
		return f(n1, n2, floats.Dot(w, m1), floats.Dot(w, m2))
	}
}

// withBias returns an answer that combines the right w with the bias f(N1, N2, wᵀm1, wᵀm2).
func withBias(f func(n1, n2, a, b float64) float64) fitFunc {
	return fromFit(func(p problem) []float64 {
		w, _ := split(p.direct())
		return append(slices.Clone(w), biasFrom(f)(p.X1, p.X2, w))
	})
}

// withMeans returns an answer that computes a·m1 + b·m2, where f(N1, N2) returns a and b.
func withMeans(f func(n1, n2 float64) (a, b float64)) rightFunc {
	return fromClasses(func(p problem) []float64 {
		n1, n2, _ := p.Counts()
		a, b := f(n1, n2)
		m1, m2 := p.Means()
		floats.Scale(a, m1)
		floats.AddScaled(m1, b, m2)
		return m1
	})
}

func init() {
	judge.Known(exercise, matrixQuestion, func(f matrixFunc) *verify.Report { return Check(f, fromFit(problem.direct)) })
	judge.Known(exercise, fitQuestion, func(f fitFunc) *verify.Report { return Check(fromClasses(problem.total), f) })
	judge.Known(exercise, biasQuestion, func(f biasFunc) *verify.Report {
		return CheckSteps(fromClasses(problem.right),
			f)
	})
	judge.Known(exercise, rightQuestion, func(f rightFunc) *verify.Report {
		return CheckSteps(f, biasFrom(func(n1, n2, a, b float64) float64 { return -(n1*a + n2*b) / (n1 + n2) }))
	})
}

//go:embed exercise.md answer_test.go
var files embed.FS

var exercise = exercises.MustParse("exercises/prml4/ex06", files)

// Exercise returns a copy of the text of this exercise.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, counted from 1, and returns the markdown of the hint.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }
