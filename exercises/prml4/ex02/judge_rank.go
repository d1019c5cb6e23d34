package ex02

import (
	"errors"
	"fmt"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// rankTol is the agreement asked for where columns depend on each other. It
// leaves room for a pseudo-inverse of [1 X]ᵀ[1 X], which sees only half the digits.
const rankTol = 1e-6

// dependent returns problems in which the columns of [1 X] are linearly
// dependent, so that many weights share the least sum of squares.
func dependent(r *rand.Rand) []problem {
	plane := recipe{"", []int{7, 8, 5}, []float64{1, -0.5, 0.3}, []float64{1, 1, 1}, rankTol}
	edit := func(name string, change func(i int, row []float64)) problem {
		p := oneOfK(r, plane)
		p.name = name
		n, _ := p.X.Dims()
		for i := range n {
			change(i, p.X.RawRowView(i))
		}
		return p
	}
	few := oneOfK(r, recipe{"three points in five dimensions", []int{1, 1, 1}, make([]float64, 5), []float64{1, 1, 1, 1, 1}, rankTol})
	one := oneOfK(r, recipe{"a single point", []int{1, 0}, []float64{1, 2}, []float64{1, 1}, rankTol})
	return []problem{
		edit("a column that occurs twice", func(_ int, x []float64) { x[2] = x[0] }),
		edit("a column that is a mixture of two others", func(_ int, x []float64) { x[2] = 0.3*x[0] - 1.7*x[1] }),
		edit("a constant column", func(_ int, x []float64) { x[1] = 2.5 }),
		edit("a column of zeros", func(_ int, x []float64) { x[2] = 0 }),
		edit("three indicator columns, one of them 1", func(i int, x []float64) {
			clear(x)
			x[i*i%3] = 1 // squares leave remainder 0 or 1, so one indicator is always 0
		}),
		edit("one and the same input everywhere", func(_ int, x []float64) { copy(x, []float64{0.5, -1, 2}) }),
		few,
		one,
	}
}

// judgeRank establishes the least-squares prediction where its weights are not
// unique: at the training inputs, and at their affine combinations, the
// prediction still is.
func judgeRank(predict predictor) verify.Verdict {
	r := source(4)
	problems := dependent(r)
	for _, p := range problems {
		if v := judgeDependent(predict, p, r); v != nil {
			return *v
		}
	}
	return verify.Pass("On %d data sets with dependent columns or fewer points than weights your predictions are least squares at the training inputs and at their affine combinations. There they do not depend on which of the best weights you choose.", len(problems))
}

func judgeDependent(predict predictor, p problem, r *rand.Rand) (v *verify.Verdict) {
	defer func() {
		// A panic of gonum's is what a singular matrix leads to, if full rank is no
		// problem; every other one goes on, still on its own stack, to where its place
		// is found.
		if cause := recover(); cause != nil {
			err, ok := fromGonum(cause)
			if !ok || !worksOnFullRank(predict) {
				panic(cause)
			}
			f := singular(p, fmt.Sprintf("gonum stopped with “%v”", err))
			v = &f
		}
	}()
	Y, bad := atTraining(predict, p)
	if bad != nil {
		if bad.Key == "not-finite" && worksOnFullRank(predict) {
			f := singular(p, "your predictions are not finite numbers")
			return &f
		}
		return bad
	}
	basis := instance.WithOnes(p.X)
	f := verify.NormalEquations(basis, Y, p.T, p.tol)
	if f.OK {
		f = verify.InSpan(basis, Y, p.tol)
	}
	inputs, weights := p.blends(r, 3)
	for i := 0; i < len(inputs) && f.OK; i++ {
		y, bad := ask(predict, p, inputs[i])
		if bad != nil {
			return bad
		}
		want := make([]float64, len(y))
		for n, c := range weights[i] {
			floats.AddScaled(want, c, Y.RawRowView(n))
		}
		f = verify.CloseSlice(y, want, verify.Tolerance{Abs: p.tol * floats.Norm(weights[i], 1)})
	}
	if f.OK {
		return nil
	}
	out := verify.Fail("not-least-squares", 3, "With %s your predictions are not least squares at the training inputs or at their affine combinations: %s.", p.name, f.Off())
	if worksOnFullRank(predict) {
		out = singular(p, "your predictions are "+f.Off())
	}
	return &out
}

// worksOnFullRank is the control experiment: the same kind of data with
// independent columns.
func worksOnFullRank(predict predictor) (works bool) {
	defer func() {
		if recover() != nil {
			works = false
		}
	}()
	p := oneOfK(source(5), recipe{"control", []int{7, 8, 5}, []float64{1, -0.5, 0.3}, []float64{1, 1, 1}, rankTol})
	Y, bad := atTraining(predict, p)
	return bad == nil && fits(p, Y) == nil
}

func singular(p problem, found string) verify.Verdict {
	return verify.Fail("singular", 3, "With %s, %s; with independent columns all is well. Here the columns of [1 X] depend on each other (fewer points than weights are a case of it), so [1 X]ᵀ[1 X] has no inverse: a plain Inverse, Cholesky, QR or Solve gives up, or returns rounding errors together with an error value. The least-squares prediction at these inputs exists all the same, and is unique.", p.name, found)
}

// fromGonum tells a panic with an error of package mat, which is what a singular
// or misshaped matrix causes, from the learner's own.
func fromGonum(cause any) (error, bool) {
	err, ok := cause.(error)
	if !ok {
		return nil, false
	}
	var condition mat.Condition
	var shape mat.Error
	var stack mat.ErrorStack
	if errors.As(err, &condition) || errors.As(err, &shape) || errors.As(err, &stack) {
		return err, true
	}
	return nil, false
}
