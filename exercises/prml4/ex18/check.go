// Package ex18 judges PRML exercise 4.18: the gradients of the cross-entropy of
// multiclass logistic regression.
package ex18

import (
	"embed"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/judge"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/multiclass"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

//go:embed exercise.md answer_test.go
var files embed.FS

var exercise = exercises.MustParse("exercises/prml4/ex18", files)

// Exercise returns a copy of the text of this exercise.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, from 1, and returns its markdown.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }

// Check judges gradient, which returns the M×K matrix whose column j is the
// gradient of PRML (4.108) with respect to w_j, for weights W (M×K), the design
// matrix Phi (N×M) and 1-of-K targets T (N×K).
func Check(gradient func(W, Phi, T *mat.Dense) *mat.Dense) *verify.Report {
	return exercise.Judge(askGradient.Parts(gradient, []judge.Property[problem]{
		judge.Form("an M×K matrix of finite numbers comes back, and W, Φ and T stay as they were", general, nil, judge.Wrong{},
			"You returned an M×K matrix for M from 1 to 5 and K from 3 to 9."),
		{Name: "column j holds the derivatives of E by w_j", On: general, Holds: derivatives,
			Wrong: judge.Wrong{Key: "derivative", Hint: 2, Message: "For {problem} (columns brought to size 1) the derivatives of E are not your entries: {off}, counted row by row."},
			Right: "Column j holds the derivatives of E by w_j, by finite differences, also where M = K hides a transposed matrix."},
		{ // needs no derivative: one vector added to all w_k changes nothing
			Name: "the gradients of all classes add up to 0", On: general, First: notZero,
			Holds: func(p problem, g []float64) verify.Finding {
				_, k := p.W.Dims()
				sums := make([]float64, len(g)/k)
				for j := range sums {
					sums[j] = floats.Sum(g[j*k:(j+1)*k]) / units(p, g)[j*k]
				}
				return verify.CloseSlice(sums, make([]float64, len(sums)), verify.Tolerance{Abs: tol * float64(k)})
			},
			Wrong: judge.Wrong{Key: "rows", Hint: 2, Message: "For {problem} the derivatives by a weight of all classes do not add up to 0: {off}. One vector added to all w_k changes no output; and what y − t is, summed over the classes, you know."},
			Right: "Every row sums to 0: outputs and targets of a point both sum to 1."},
		{Name: "two classes: the gradient of logistic regression; one class: 0", On: fewClasses, First: oneClass, Holds: binary,
			Wrong: judge.Wrong{Key: "two-classes", Hint: 2, Message: "With two classes the model is logistic regression with w = w₁ − w₂; its gradient is your first column, and minus your second. For {problem} it is {off}."},
			Right: "With two classes the first column is the gradient (4.91) at w₁ − w₂ and the second its opposite; with one class nothing can be learnt."},
		{Name: "finite and right at activations up to ±800", On: multiclass.FarProblems, Limits: true,
			First: judge.First(exact, judge.Wrong{Key: "tails", Hint: 3, Message: "For {problem} your gradient is finite, but {off}. Are activations or outputs clipped, or small outputs taken for 0?"}),
			Right: "No overflow at ±800: a point far on the wrong side pulls its own class with a residual of −1 and pushes the class that claims it with 1."},
	}...)...)
}

// tol is the accuracy that the statement asks for, relative to Σ_n|φ_nm| in row m.
const tol = 1e-10

// exact compares with ΦᵀR.
func exact(p problem, g []float64) verify.Finding { return near(p, g, right(p), tol) }

// derivatives compares with central differences of E, and then with ΦᵀR, which has
// more digits.
func derivatives(p problem, g []float64) verify.Finding {
	return judge.All(near(p, g, differences(p, p.Error), 1e-7), exact(p, g))
}

// binary compares both columns with differences of the two-class error (4.90) at
// w₁ − w₂, where there are two.
func binary(p problem, g []float64) verify.Finding {
	_, m, k := p.Dims()
	switch {
	case k == 1:
		return verify.Finding{OK: true}
	case k > 2:
		return exact(p, g)
	}
	half := problem{Phi: p.Phi, W: mat.NewDense(m, 1, instance.Minus(mat.Col(nil, 0, p.W), mat.Col(nil, 1, p.W)))}
	var want []float64
	for _, d := range differences(half, func(w []float64) (sum float64) {
		for i, a := range instance.Activations(p.Phi, w) {
			sum += kernel.CrossEntropy(a, p.T.At(i, 0))
		}
		return sum
	}) {
		want = append(want, d, -d)
	}
	return judge.All(near(p, g, want, 1e-7), exact(p, g))
}

// differences is the gradient of e at W, by central differences in steps that suit
// the columns of Φ.
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

// near compares in units of the sums.
func near(p problem, got, want []float64, tol float64) verify.Finding {
	u := units(p, want)
	return verify.CloseSlice(floats.DivTo(make([]float64, len(u)), got, u), floats.DivTo(make([]float64, len(u)), want, u), verify.Tolerance{Abs: tol})
}

// units are Σ_n|φ_nm| for each entry of row m, 1 for a column of zeros.
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
	return judge.FailIf(floats.Norm(g, 1) == 0, "zero", 3, "All your entries are 0, which sums to 0 too easily. Was the result never written to?")
}

func oneClass(p problem, g []float64) *verify.Verdict {
	f := near(p, g, right(p), 1e-6) // clipped outputs are a matter of the limits
	_, _, k := p.Dims()
	return judge.FailIf(k == 1 && !f.OK, "one-class", 2, "With a single class the output is 1 whatever the weights are, and E is 0 everywhere. Your gradient is %s.", f.Off())
}

type problem = multiclass.Problem

// draw makes a problem with activations of a few units and classes of unequal
// size.
func draw(r *rand.Rand, name string, n, k int, centre, spread []float64) problem {
	first := func() int { return min(r.IntN(k), r.IntN(k)) } // the first classes are the larger ones
	return multiclass.Draw(r, name, n, k, centre, spread, 1, first)
}

// general returns problems on which every known mistake shows.
var general = instance.Once(func() []problem {
	r := instance.Source(418, 2)
	shifted := draw(r, "all weight vectors far from 0 in one direction", 20, 3, []float64{1, 0}, []float64{0, 1})
	for j := range 2 {
		floats.AddConst(30, shifted.W.RawRowView(j))
	}
	many := draw(r, "more classes than points, more weights than points", 3, 9, []float64{1, 0, 0, 0, 0}, []float64{0, 1, 1, 1, 1})
	many.W.Scale(0.6, many.W) // so that no class is as good as ruled out
	return []problem{
		draw(r, "forty points, three weights, four classes", 40, 4, []float64{1, 0, 0.5}, []float64{0, 1, 1}),
		draw(r, "as many weights as classes", 25, 3, []float64{1, 0, 0}, []float64{0, 1, 2}),
		draw(r, "as many points as weights", 4, 3, []float64{1, 0, 0, 0}, []float64{0, 1, 1, 1}),
		draw(r, "columns of very different size", 30, 5, []float64{1, 0, 1e6}, []float64{0, 1e-6, 5e5}),
		draw(r, "one weight", 12, 3, []float64{0.4}, []float64{1}),
		draw(r, "a single point", 1, 4, []float64{1, 0.5}, []float64{0, 1}),
		draw(r, "N = M = K", 3, 3, []float64{1, 0, 0}, []float64{0.5, 1, 1}),
		many,
		draw(r, "a column of zeros", 8, 4, []float64{1, 0, 0}, []float64{0, 0, 1}),
		shifted,
	}
})

// fewClasses end with three, where a sign and an order of the columns differ.
func fewClasses() []problem {
	r := instance.Source(418, 4)
	return []problem{
		draw(r, "two classes", 20, 2, []float64{1, 0, 0}, []float64{0, 1, 1}),
		draw(r, "two classes, two weights", 15, 2, []float64{1, 0}, []float64{0, 1}),
		draw(r, "two classes, a single point", 1, 2, []float64{1, 0}, []float64{0, 1}),
		draw(r, "one class", 6, 1, []float64{1, 0}, []float64{0, 1}),
		draw(r, "three classes", 12, 3, []float64{1, 0}, []float64{0, 1}),
	}
}
