// Package ex06 judges PRML exercise 4.6: least squares with the targets N/N1 and
// −N/N2 finds Fisher's discriminant.
package ex06

import (
	_ "embed"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/judge"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

//go:embed exercise.md
var text string

//go:embed answer_test.go
var answer string

var exercise = exercises.MustParse("exercises/prml4/ex06/exercise.md", text, answer)

// Exercise returns a copy of the text of this exercise.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, from 1, and returns its markdown.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }

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
func Check(normalMatrix func(X1, X2 *mat.Dense) *mat.Dense, fit func(X1, X2 *mat.Dense) (w []float64, w0 float64)) *verify.Report {
	return exercise.Judge(slices.Concat(
		askMatrix.Parts(normalMatrix,
			judge.Form("NormalMatrix: a D×D matrix comes back, and X1 and X2 stay as they were", scarce, nil, judge.Wrong{}, "You returned a D×D matrix, for D from 1 to 5."),
			judge.Property[problem]{
				Name: "NormalMatrix: M·w = N(m1 − m2) at the least-squares weights", On: scarce,
				Holds: func(p problem, m []float64) verify.Finding {
					if f := p.equation(m, p.direct(), p.tol()); !f.OK {
						return f
					}
					return p.isTotal(m)
				},
				Wrong: judge.Wrong{Key: "m-equation", Hint: 2, Message: "For {problem} your M times the least-squares weights is not N(m1 − m2) (columns brought to one size): {off}. Is S_W a plain sum over the points, not a covariance, and has S_B its factor?"},
				Right: "M·w = N(m1 − m2) at the least-squares weights. And M is the total scatter S_T, the sum of (x−m)(x−m)ᵀ over all points: S_W + (N1N2/N)·S_B is the same matrix, however you wrote it.",
			}),
		askFit.Parts(fit,
			judge.Form("Fit: D weights and a bias come back, and X1 and X2 stay as they were", problems, nil, judge.Wrong{}, "You returned D weights and a bias, for D from 1 to 5."),
			judge.Property[problem]{
				Name: "Fit: the sum of squares has its minimum there", On: problems,
				Holds: func(p problem, fit []float64) verify.Finding {
					if f := p.normal(fit); !f.OK {
						return f
					}
					w, right := p.even(fit), p.even(p.direct())
					return verify.CloseSlice(w, right, verify.Tolerance{Rel: 100 * p.tol()})
				},
				Wrong: judge.Wrong{Key: "not-least-squares", Hint: 2, Message: "For {problem} the derivatives of the sum of squares are not zero at your w and w0: relative to the lengths of the two, {off} (both counted from 0: column 0 is the column of ones, target 0 the only one). If your M is not right either, mend that first."},
				Right: "The residuals sum to zero and are orthogonal to every column of x: the sum of squares (4.31) has its minimum there.",
			},
			judge.Property[problem]{
				Name: "Fit: ∂E/∂w0 = 0 with your own w", On: problems, First: misplaced,
				Right: "w0 = −wᵀm with the mean of all points: since N1·N/N1 − N2·N/N2 = 0, the targets have the mean 0.",
			},
			judge.Property[problem]{
				Name: "Fit: the direction of w, and on which side class 1 lies", On: problems, First: notFisher,
				Right: "w is a positive multiple of S_W⁻¹(m1 − m2), so wᵀ(x − m) > 0 means class 1. ((4.38) prints m2 − m1: the same line, but against the rule given with it; the factor that is dropped there is negative.)",
			}),
		[]verify.Part{{
			Name: "(4.37) holds with your matrix and your weights", Of: []string{"NormalMatrix", "Fit"},
			Judge: func() verify.Verdict { return together(normalMatrix, fit) },
		}})...)
}

// CheckSteps judges two steps of the derivation, which are optional: rightSide is
// Σ t_n x_n (D) for the targets N/N1 and −N/N2, bestBias the w0 at which ∂E/∂w0
// vanishes for given weights w (D).
func CheckSteps(rightSide func(X1, X2 *mat.Dense) []float64, bestBias func(X1, X2 *mat.Dense, w []float64) float64) *verify.Report {
	return exercise.JudgeSteps(slices.Concat(
		askBias.Steps(bestBias, judge.Step[line]{
			Name: "BestBias: ∂E/∂w0 vanishes there, whatever w is", On: lines,
			Routes: []judge.Route[line]{
				{Name: "the mean of t − wᵀx", Tol: 1e-9, Value: func(l line) []float64 { return []float64{-l.middle()} }},
				{Name: "the lowest point of E along w0", Tol: 1e-6, Value: func(l line) []float64 {
					left, here, right := l.err(l.w, -1), l.err(l.w, 0), l.err(l.w, 1) // E is a parabola in w0
					return []float64{(left - right) / 2 / (left - 2*here + right)}
				}},
			},
			Right: "∂E/∂w0 vanishes there, for weights that are not the best, too.",
		}),
		askRight.Steps(rightSide, judge.Step[problem]{
			Name: "RightSide: Σ t_n x_n", On: scarce,
			Routes: []judge.Route[problem]{
				{Name: "the class means", Tol: 1e-9, Value: problem.right},
				{Name: "the sum over the points", Tol: 1e-9, Value: func(p problem) []float64 {
					return times(p.All().T(), mat.Col(nil, 0, p.coded()))
				}},
			},
			Right: "It is Σ t_n x_n, by the class means and point by point.",
		}),
		[]verify.Part{{
			Name: "together: the derivatives of E with respect to w, once w0 is eliminated", Of: []string{"RightSide", "BestBias"},
			Judge: func() verify.Verdict { return eliminated(rightSide, bestBias) },
		}})...)
}

// misplaced judges w0 by the learner's own w.
func misplaced(p problem, fit []float64) *verify.Verdict {
	w, w0 := p.split(fit)
	m1, m2 := p.Means()
	n1, n2, n := p.counts()
	a1, a2, size := floats.Dot(w, m1), floats.Dot(w, m2), p.terms(w)
	like := func(v, tol float64) bool { return verify.Close(w0, v, verify.Tolerance{Abs: tol * size, Rel: tol}).OK }
	if like(-(n1*a1+n2*a2)/n, 1e-9) {
		return nil
	}
	bad := verify.Fail("bias", 2, "For %v ∂E/∂w0 is not zero at your w0, with your own w: the residuals do not sum to zero.", p)
	switch {
	case w0 == 0:
		bad = verify.Fail("no-bias", 2, "Your w0 is 0: the boundary is tied to the origin.")
	case like(-(a1+a2)/2, 1e-7):
		bad = verify.Fail("midpoint", 2, "Your w0 puts the boundary midway between the class means. Least squares, by (4.32), puts it at the mean m of all points, which is nearer to the larger class.")
	case like((n1*a1+n2*a2)/n, 1e-7):
		bad = verify.Fail("bias-sign", 2, "Your w0 is +wᵀm: (4.32) says that wᵀm + w0 is the mean of the targets, and that is 0.")
	case like(-a1, 1e-7), like(-a2, 1e-7):
		bad = verify.Fail("one-mean", 2, "Your w0 puts the boundary through the mean of one class.")
	case like(-(n2*a1+n1*a2)/n, 1e-7):
		bad = verify.Fail("weights-exchanged", 3, "In the mean of all points each class mean is weighted with its own number of points; in your w0 the two are exchanged.")
	}
	return &bad
}

// notFisher compares with S_W⁻¹(m1 − m2).
func notFisher(p problem, fit []float64) *verify.Verdict {
	w, _ := p.split(fit)
	gap := p.gap()
	var bad verify.Verdict
	f := verify.Parallel(p.even(fit), p.even(solve(p.Within(), gap)), math.Max(1e-6, 100*p.Tol))
	switch {
	case !f.OK && floats.Norm(p.even(fit), 2) > 0 && verify.Parallel(w, gap, 1e-6).OK:
		bad = verify.Fail("means-only", 1, "Your w lies along m1 − m2: the scatter within the classes has no say in it.")
	case !f.OK:
		bad = verify.Fail("not-fisher", 1, "For %v your w does not lie along Fisher's direction (columns brought to one size): the sine of the angle should be 0, %s.", p, f.Off())
	case floats.Dot(w, gap) < 0:
		bad = verify.Fail("printed-sign", 1, "Your w lies along S_W⁻¹(m2 − m1), as (4.38) prints it. That is Fisher's line, but with the targets N/N1 for class 1 and −N/N2 for class 2 the solution of (4.37) points the other way, towards m1: only then is the rule “class 1 if wᵀ(x − m) > 0” right.")
	default:
		return nil
	}
	return &bad
}

func together(normalMatrix matrixFunc, fit fitFunc) verify.Verdict {
	for _, p := range problems() {
		m := askMatrix.Ask(normalMatrix, &judge.Call{}, p)
		both := askFit.Ask(fit, &judge.Call{}, p)
		_, _, d := p.Dims()
		if len(m) != d*d || len(both) != d+1 {
			return verify.Fail("not-together", 2, "One of your two functions does not return what it should. The parts above tell which.")
		}
		if f := p.equation(m, both, math.Max(1e-7, 100*p.Tol)); !f.OK {
			return verify.Fail("not-together", 2, "For %v your matrix times your weights is not N(m1 − m2): %s. The parts above tell which of the two functions it is.", p, f.Off())
		}
	}
	return verify.Pass("Your M times your w is N(m1 − m2).")
}

// eliminated puts the learner's numbers into ∂E/∂w = Σ x_n(wᵀx_n + w0) − Σ t_n x_n.
func eliminated(rightSide rightFunc, bestBias biasFunc) verify.Verdict {
	for _, l := range lines() {
		right := askRight.Ask(rightSide, &judge.Call{}, l.problem)
		bias := askBias.Ask(bestBias, &judge.Call{}, l)
		all := l.All()
		n, d := all.Dims()
		if len(right) != d {
			return verify.Fail("not-the-derivative", 2, "Your right side is not there, or not of D finite numbers. A part above tells more.")
		}
		got := instance.Minus(times(all.T(), l.fitted(append(slices.Clone(l.w), bias[0])).RawMatrix().Data), right)
		size := instance.Sizes(all)
		for j := range d {
			slope := verify.Derivative(func(v float64) float64 {
				w := slices.Clone(l.w)
				w[j] += v / size[j]
				// At the best bias for l.w the derivative along w0 vanishes: w0 may stay.
				return l.err(w, -l.middle())
			}, 0, 0)
			unit := float64(n) * (1 + floats.Norm(l.w, 1)) * math.Max(1, float64(n)/4)
			if f := verify.Close(got[j]/size[j], slope, verify.Tolerance{Abs: 1e-6 * unit}); !f.OK {
				return verify.Fail("not-the-derivative", 2, "For %v Σ x_n(wᵀx_n + w0) with your w0, minus your right side, is not ∂E/∂w by differences: in entry %d, in units of that column, it is %s.", l, j, f.Off())
			}
		}
	}
	return verify.Pass("Σ x_n(wᵀx_n + w0) minus your right side is ∂E/∂w, by differences.")
}

// A problem is two classes of points.
type problem struct{ instance.Clouds }

// problems go down to D + 2 points; with fewer S_W has no inverse. NormalMatrix is
// asked for scarce ones, too.
var problems = instance.Once(func() []problem {
	return of(append(instance.TwoClasses(instance.Source(406, 1)), fewest()))
})

var scarce = instance.Once(func() []problem {
	return append(slices.Clone(problems()), of(instance.FewPoints(instance.Source(406, 2)))...)
})

func of(clouds []instance.Clouds) []problem {
	list := make([]problem, len(clouds))
	for i, c := range clouds {
		list[i] = problem{c}
	}
	return list
}

// fewest is a point and a triangle, in the plane.
func fewest() instance.Clouds {
	r := instance.Source(406, 3)
	near := func(rows int, v ...float64) *mat.Dense {
		for i := range v {
			v[i] += 0.1 * r.NormFloat64()
		}
		return mat.NewDense(rows, 2, v)
	}
	return instance.Clouds{Name: "one point and three in the plane", X1: near(1, 0, 0.5), X2: near(3, 3, 1, 1.5, 1.8, 1.5, 0.2), Tol: 1e-9}
}

// A line is a data set with weights that need not be the best.
type line struct {
	problem
	w []float64
}

// lines have weights with which wᵀx is of size 1, however large the columns are.
var lines = instance.Once(func() (list []line) {
	r := instance.Source(406, 32)
	for _, p := range scarce() {
		list = append(list, line{p, instance.Weights(r, p.All(), 1)})
	}
	return list
})

// err is the sum of squares (4.31) for other weights and a bias.
func (l line) err(w []float64, w0 float64) float64 {
	r := instance.Minus(l.fitted(append(slices.Clone(w), w0)).RawMatrix().Data, l.coded().RawMatrix().Data)
	return floats.Dot(r, r) / 2
}

// middle is wᵀm.
func (l line) middle() float64 { return floats.Dot(l.w, instance.Mean(l.All())) }

// counts returns N1, N2 and N.
func (p problem) counts() (n1, n2, n float64) {
	a, b, _ := p.Dims()
	return float64(a), float64(b), float64(a + b)
}

func (p problem) tol() float64 { return math.Max(1e-8, 10*p.Tol) }

// gap is m1 − m2, right N times that.
func (p problem) gap() []float64 {
	m1, m2 := p.Means()
	return instance.Minus(m1, m2)
}

func (p problem) right() []float64 {
	_, _, n := p.counts()
	v := p.gap()
	floats.Scale(n, v)
	return v
}

// coded are the targets of section 4.1.5, N×1, and direct (w, w0) that solve the
// least-squares problem by itself, with nothing of (4.37) in it.
func (p problem) coded() *mat.Dense {
	n1, n2, n := p.counts()
	return p.targets(n/n1, -n/n2)
}

func (p problem) direct() []float64 { return p.leastSquares(p.coded()) }

// targets are t1 for the points of class 1 and t2 for those of class 2.
func (p problem) targets(t1, t2 float64) *mat.Dense {
	n1, n2, _ := p.Dims()
	t := mat.NewDense(n1+n2, 1, nil)
	for i := range n1 + n2 {
		t.Set(i, 0, t1)
		if i >= n1 {
			t.Set(i, 0, t2)
		}
	}
	return t
}

func (p problem) leastSquares(t *mat.Dense) []float64 {
	w := mat.Col(nil, 0, instance.LeastSquares(p.All(), t))
	return append(w[1:], w[0])
}

// total is S_T, the scatter of all points about their common mean.
func (p problem) total() *mat.Dense {
	all := p.All()
	return mat.DenseCopyOf(instance.Scatter(all, instance.Mean(all)))
}

// spread is the root of each column's sum of squares about its mean; in these units
// all columns count alike: units of a D×D matrix, even for weights.
func (p problem) spread() []float64 {
	t := p.total()
	s := make([]float64, t.RawMatrix().Rows)
	for j := range s {
		s[j] = math.Sqrt(t.At(j, j))
	}
	return s
}

func (p problem) units() (u []float64) {
	s := p.spread()
	for _, a := range s {
		for _, b := range s {
			u = append(u, a*b)
		}
	}
	return u
}

func (p problem) even(fit []float64) []float64 {
	s := p.spread()
	return floats.MulTo(make([]float64, len(s)), fit[:len(s)], s)
}

// split takes w and w0 apart, terms is the size of the terms of wᵀm.
func (p problem) split(fit []float64) (w []float64, w0 float64) {
	return fit[:len(fit)-1], fit[len(fit)-1]
}

func (p problem) terms(w []float64) (size float64) {
	for j, m := range instance.Mean(p.All()) {
		size += math.Abs(w[j] * m)
	}
	return size
}

// equation holds M·w against N(m1 − m2), isTotal M against S_T.
func (p problem) equation(m, fit []float64, tol float64) verify.Finding {
	w, _ := p.split(fit)
	got := times(mat.NewDense(len(w), len(w), m), w)
	return verify.CloseSlice(floats.DivTo(got, got, p.spread()), floats.DivTo(p.right(), p.right(), p.spread()), verify.Tolerance{Rel: tol})
}

func (p problem) isTotal(m []float64) verify.Finding {
	u := p.units()
	got := floats.DivTo(make([]float64, len(u)), m, u)
	return verify.CloseSlice(got, floats.DivTo(make([]float64, len(u)), p.total().RawMatrix().Data, u), verify.Tolerance{Rel: p.tol()})
}

// normal looks at the derivatives (4.32) and (4.33): residuals orthogonal to the
// ones and to every column of x.
func (p problem) normal(fit []float64) verify.Finding {
	all, t := p.All(), p.coded()
	return verify.NormalEquations(instance.WithOnes(all), p.fitted(fit), t, p.tol())
}

// fitted is wᵀx + w0 at all points, N×1.
func (p problem) fitted(fit []float64) *mat.Dense {
	all := p.All()
	w, w0 := p.split(fit)
	y := mat.NewDense(all.RawMatrix().Rows, 1, nil)
	for i := range all.RawMatrix().Rows {
		y.Set(i, 0, floats.Dot(w, all.RawRowView(i))+w0)
	}
	return y
}

// times is M·v, solve M⁻¹v.
func times(m mat.Matrix, v []float64) []float64 {
	var out mat.VecDense
	out.MulVec(m, mat.NewVecDense(len(v), v))
	return out.RawVector().Data
}

func solve(m mat.Matrix, v []float64) []float64 {
	var out mat.VecDense
	_ = out.SolveVec(m, mat.NewVecDense(len(v), v)) // an error tells of lost digits, too: what is left is compared
	return out.RawVector().Data
}
