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

// Check judges both functions of PRML exercise 4.6. normalMatrix returns the
// matrix (D×D) on the left of (4.37) for the points X1 (N1×D) and X2 (N2×D) of two
// classes; fit returns the least-squares weights (D) and bias for the targets
// N/N1 and −N/N2.
func Check(normalMatrix func(X1, X2 *mat.Dense) *mat.Dense,
	fit func(X1, X2 *mat.Dense) (w []float64, w0 float64)) *verify.Report {
	return exercise.Judge(slices.Concat(
		askMatrix.Parts(normalMatrix, []judge.Property[problem]{
			judge.Form("NormalMatrix: the result is a D×D matrix, and X1 and X2 stay unchanged", scarce, nil,
				judge.Wrong{}, "You returned a D×D matrix, for D from 1 to 5."),
			{Name: "NormalMatrix: M·w = N(m1 − m2) at the least-squares weights", On: scarce,
				Holds: func(p problem, m []float64) verify.Finding {
					return judge.All(p.equation(m, p.direct(), p.tol()), p.isTotal(m))
				},
				Wrong: judge.Wrong{Key: "m-equation", Hint: 2,
					Message: "For {problem} your M times the least-squares weights should be N(m1 − m2). In columns scaled to equal size it is {off}. S_W must be a plain sum over the points, and S_B needs the factor N1N2/N."},
				Right: "M·w = N(m1 − m2) at the least-squares weights. Your M is also the total scatter S_T, the sum of (x−m)(x−m)ᵀ over all points, because S_T = S_W + (N1N2/N)·S_B."},
		}...),
		askFit.Parts(fit, []judge.Property[problem]{
			judge.Form("Fit: the result is D weights and a bias, and X1 and X2 stay unchanged", problems, nil,
				judge.Wrong{}, "You returned D weights and a bias, for D from 1 to 5."),
			{Name: "Fit: w and w0 minimise the sum of squares", On: problems, Holds: stationary,
				Wrong: judge.Wrong{Key: "not-least-squares", Hint: 2,
					Message: "For {problem} the derivatives of the sum of squares should be 0 at your w and w0. Relative to the lengths of column and target they are {off} (column 0 is the column of ones; target 0 is the only target). If your M is also wrong, fix it first."},
				Right: "The residuals sum to zero and are orthogonal to every column of x, so your w and w0 minimise the sum of squares (4.31)."},
			{Name: "Fit: ∂E/∂w0 = 0 with your own w", On: problems, First: misplaced,
				Right: "w0 = −wᵀm, where m is the mean of all points. The mean of the targets is 0, since N1·N/N1 − N2·N/N2 = 0."},
			{Name: "Fit: the direction of w, and on which side class 1 lies", On: problems, First: notFisher,
				Right: "w is a positive multiple of S_W⁻¹(m1 − m2), so wᵀ(x − m) > 0 means class 1. ((4.38) prints m2 − m1, which lies along the same line but contradicts the rule in the text, because the dropped factor is negative.)"},
			{Name: "(4.37) holds with your matrix and your weights", On: problems, With: "NormalMatrix",
				First: func(p problem, fit []float64) *verify.Verdict {
					return together(p, askMatrix.Ask(normalMatrix, &judge.Call{}, p), fit)
				},
				Right: "Your M times your w is N(m1 − m2)."},
		}...))...)
}

// CheckSteps judges two optional steps of the derivation. rightSide returns Σ t_n x_n (D) for the
// targets N/N1 and −N/N2. bestBias returns the w0 at which ∂E/∂w0 vanishes for given weights w (D).
func CheckSteps(rightSide func(X1, X2 *mat.Dense) []float64,
	bestBias func(X1, X2 *mat.Dense, w []float64) float64) *verify.Report {
	return exercise.JudgeSteps(slices.Concat(
		askBias.Steps(bestBias, judge.Step[problem]{Name: "BestBias: ∂E/∂w0 vanishes there, whatever w is", On: scarce,
			Routes: []judge.Route[problem]{
				{Name: "the mean of t − wᵀx", Tol: 1e-9, Value: askBias.Right},
				{Name: "the lowest point of E along w0", Tol: 1e-6, Value: func(p problem) []float64 {
					left, here, right := p.err(p.w, -1), p.err(p.w, 0), p.err(p.w, 1) // E is a parabola in w0
					return []float64{(left - right) / 2 / (left - 2*here + right)}
				}},
			},
			Right: "∂E/∂w0 vanishes at your w0, even for weights that are not the best."}),
		askRight.Steps(rightSide, judge.Step[problem]{Name: "RightSide: Σ t_n x_n", On: scarce,
			Routes: []judge.Route[problem]{
				{Name: "the class means", Tol: 1e-9, Value: problem.right},
				{Name: "the sum over the points", Tol: 1e-9,
					Value: func(p problem) []float64 { return gauss.Times(p.All().T(), p.coded()) }},
			},
			Right: "Your result is Σ t_n x_n, computed from the class means and point by point."}),
		askRight.Parts(rightSide,
			judge.Property[problem]{Name: "together: the derivatives of E with respect to w, once w0 is eliminated",
				On: scarce, With: "BestBias",
				First: func(p problem, right []float64) *verify.Verdict {
					return eliminated(p, right, askBias.Ask(bestBias, &judge.Call{}, p)[0])
				},
				Right: "Σ x_n(wᵀx_n + w0) minus your right side is ∂E/∂w, computed by finite differences."}))...)
}

// stationary checks the derivatives (4.32) and (4.33). The residuals must be orthogonal to the
// column of ones and to every column of x.
func stationary(p problem, fit []float64) verify.Finding {
	y, t := p.fitted(fit), p.coded()
	f := verify.NormalEquations(instance.WithOnes(p.All()), mat.NewVecDense(len(y), y), mat.NewVecDense(len(t), t),
		p.tol())
	if !f.OK {
		return f
	}
	return verify.CloseSlice(p.even(fit), p.even(p.direct()), verify.Tolerance{Rel: 100 * p.tol()})
}

// misplaced returns a verdict on w0 if w0 is not the best bias for the learner's own w.
func misplaced(p problem, fit []float64) *verify.Verdict {
	w, w0 := split(fit)
	m1, m2 := p.Means()
	n1, n2, n := p.Counts()
	a1, a2, size := floats.Dot(w, m1), floats.Dot(w, m2), p.terms(w)
	like := func(v, tol float64) bool { return verify.Close(w0, v, verify.Tolerance{Abs: tol * size, Rel: tol}).OK }
	switch {
	case like(-(n1*a1+n2*a2)/n, 1e-9):
		return nil
	case w0 == 0:
		return judge.Fail("no-bias", 2, "Your w0 is 0, so the boundary always passes through the origin.")
	case like(-(a1+a2)/2, 1e-7):
		return judge.Fail("midpoint", 2,
			"Your w0 puts the boundary midway between the class means. By (4.32) the least-squares boundary passes through the mean m of all points, which is nearer to the larger class.")
	case like((n1*a1+n2*a2)/n, 1e-7):
		return judge.Fail("bias-sign", 2,
			"Your w0 is +wᵀm. By (4.32) wᵀm + w0 is the mean of the targets, which is 0, so w0 = −wᵀm.")
	case like(-a1, 1e-7), like(-a2, 1e-7):
		return judge.Fail("one-mean", 2, "Your w0 puts the boundary through the mean of one class.")
	case like(-(n2*a1+n1*a2)/n, 1e-7):
		return judge.Fail("weights-exchanged", 3,
			"Your w0 weights each class mean with the number of points of the other class. Use the number of points of its own class.")
	}
	return judge.Fail("bias", 2,
		"For %v ∂E/∂w0 is not zero at your w and w0: the residuals do not sum to zero.", p)
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
			"For %v your w does not lie along Fisher's direction. In columns scaled to equal size, the sine of the angle between them should be 0, but it is %s.", p, f.Off())
	case floats.Dot(w, p.Gap()) < 0:
		return judge.Fail("printed-sign", 1,
			"Your w lies along S_W⁻¹(m2 − m1), as printed in (4.38). With the targets N/N1 for class 1 and −N/N2 for class 2 the solution of (4.37) has the opposite sign and points towards m1. Only then is the rule “class 1 if wᵀ(x − m) > 0” right.")
	}
	return nil
}

func together(p problem, m, fit []float64) *verify.Verdict {
	if len(m) != (len(fit)-1)*(len(fit)-1) {
		return judge.Fail("not-together", 2,
			"One of your two functions returns a wrong result. The parts above show which one.")
	}
	f := p.equation(m, fit, math.Max(1e-7, 100*p.Tol))
	return judge.FailIf(!f.OK, "not-together", 2,
		"For %v your matrix times your weights should be N(m1 − m2), but it is %s. The parts above show which of the two functions is wrong.", p, f.Off())
}

// eliminated checks the learner's numbers in ∂E/∂w = Σ x_n(wᵀx_n + w0) − Σ t_n x_n.
func eliminated(p problem, right []float64, w0 float64) *verify.Verdict {
	all := p.All()
	n, _ := all.Dims()
	got := instance.Minus(gauss.Times(all.T(), p.fitted(append(slices.Clone(p.w), w0))), right)
	for j, size := range instance.Sizes(all) {
		slope := verify.Derivative(func(v float64) float64 {
			w := slices.Clone(p.w)
			w[j] += v / size
			return p.err(w, askBias.Right(p)[0]) // w0 may stay at the best bias for p.w, because ∂E/∂w0 = 0 there
		}, 0, 0)
		unit := float64(n) * (1 + floats.Norm(p.w, 1)) * math.Max(1, float64(n)/4)
		if f := verify.Close(got[j]/size, slope, verify.Tolerance{Abs: 1e-6 * unit}); !f.OK {
			return judge.Fail("not-the-derivative", 2,
				"For %v Σ x_n(wᵀx_n + w0) with your w0, minus your right side, should be ∂E/∂w, computed by finite differences. In entry %d, in units of that column, it is %s.", p, j, f.Off())
		}
	}
	return nil
}

// A problem consists of two classes of points and weights w that need not be the best. wᵀx is of
// size 1, however large the columns are.
type problem struct {
	gauss.Classes
	w []float64
}

// scarce also contains problems with fewer points than columns. Every problem in problems has at
// least D + 2 points, because S_W has no inverse with fewer.
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

// fewest returns one point in the plane and a class of three points that form a triangle.
func fewest() instance.Clouds {
	r := instance.Source(406, 3)
	near := func(rows int, v ...float64) *mat.Dense {
		for i := range v {
			v[i] += 0.1 * r.NormFloat64()
		}
		return mat.NewDense(rows, 2, v)
	}
	return instance.Clouds{Name: "one point and three in the plane", X1: near(1, 0, 0.5),
		X2: near(3, 3, 1, 1.5, 1.8, 1.5, 0.2), Tol: 1e-9}
}

// err returns the sum of squares (4.31) for given weights and bias.
func (p problem) err(w []float64, w0 float64) float64 {
	r := instance.Minus(p.fitted(append(slices.Clone(w), w0)), p.coded())
	return floats.Dot(r, r) / 2
}

func (p problem) tol() float64 { return math.Max(1e-8, 10*p.Tol) }

// right returns N(m1 − m2), and total returns S_T.
func (p problem) right() []float64 {
	_, _, n := p.Counts()
	return floats.ScaleTo(p.Gap(), n, p.Gap())
}

func (p problem) total() *mat.Dense { return mat.DenseCopyOf(p.Total()) }

// coded returns the targets of section 4.1.5. direct solves the least-squares problem without
// (4.37) and returns (w, w0).
func (p problem) coded() []float64 {
	n1, n2, n := p.Counts()
	return p.Targets(n/n1, -n/n2)
}

func (p problem) direct() []float64 { return p.leastSquares(p.coded()) }

func (p problem) leastSquares(t []float64) []float64 {
	w := mat.Col(nil, 0, instance.LeastSquares(p.All(), mat.NewDense(len(t), 1, t)))
	return append(w[1:], w[0])
}

// fitted returns wᵀx + w0 at all points.
func (p problem) fitted(fit []float64) []float64 {
	w, w0 := split(fit)
	y := instance.Activations(p.All(), w)
	floats.AddConst(w0, y)
	return y
}

// split separates w and w0. even rescales w to columns of equal size. terms returns the size of the
// terms of wᵀm.
func split(fit []float64) (w []float64, w0 float64) { return fit[:len(fit)-1], fit[len(fit)-1] }

func (p problem) even(fit []float64) []float64 {
	s := p.Spread()
	return floats.MulTo(make([]float64, len(s)), fit[:len(s)], s)
}

func (p problem) terms(w []float64) (size float64) {
	for j, m := range p.Mean() {
		size += math.Abs(w[j] * m)
	}
	return size
}

// equation compares M·w with N(m1 − m2), and isTotal compares M with S_T.
func (p problem) equation(m, fit []float64, tol float64) verify.Finding {
	w, _ := split(fit)
	got, right := gauss.Times(mat.NewDense(len(w), len(w), m), w), p.right()
	floats.Div(got, p.Spread())
	floats.Div(right, p.Spread())
	return verify.CloseSlice(got, right, verify.Tolerance{Rel: tol})
}

func (p problem) isTotal(m []float64) verify.Finding {
	got, right := p.Spread().Even(m), p.Spread().Even(p.total().RawMatrix().Data)
	return verify.CloseSlice(got.RawMatrix().Data, right.RawMatrix().Data, verify.Tolerance{Rel: p.tol()})
}

//go:embed exercise.md answer_test.go
var files embed.FS

var exercise = exercises.MustParse("exercises/prml4/ex06", files)

// Exercise returns a copy of the text of this exercise.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, from 1, and returns its markdown.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }
