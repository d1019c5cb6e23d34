package ex03

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/learner"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

type derivativeFunc = func(a []float64, i, j int) float64

// scores returns scores of a few units; the first tell all known mistakes apart.
func scores(part uint64) [][]float64 {
	r := instance.Source(1003, part)
	draw := func(k int, spread, shift float64) []float64 {
		a := instance.Normals(r, k)
		floats.Scale(spread, a)
		floats.AddConst(shift, a)
		return a
	}
	return [][]float64{draw(4, 1.5, 0.4), draw(3, 1, -1), draw(2, 1.2, 0), draw(6, 2, 0), {0.3}, make([]float64, 4), draw(3, 1, 30)}
}

// ask returns the learner's derivatives at a, row by row, K·K numbers.
func ask(d derivativeFunc, a []float64) ([]float64, *verify.Verdict) {
	var out []float64
	for i := range a {
		for j := range a {
			var in learner.Inputs
			v := d(in.Slice("a", a), i, j)
			if bad := in.Changed(3); bad != nil {
				return nil, bad
			}
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return nil, learner.Fail("not-finite", 3, "For scores of about %.2g your ∂y_%d/∂a_%d is %g.", a[0], i, j, v)
			}
			out = append(out, v)
		}
	}
	return out, nil
}

func judgeDerivativeForm(d derivativeFunc) verify.Verdict {
	for _, a := range scores(1) {
		first, bad := ask(d, a)
		if bad != nil {
			return *bad
		}
		second, bad := ask(d, a)
		if bad != nil {
			return *bad
		}
		if !floats.Equal(first, second) {
			return verify.Fail("not-constant", 0, "Two calls with the same scores, i and j gave different numbers.")
		}
	}
	return verify.Pass("You returned a number for every i and j, for K from 1 to 6.")
}

func judgeDerivative(d derivativeFunc) verify.Verdict {
	for _, a := range scores(2) {
		got, bad := ask(d, a)
		if bad != nil {
			return *bad
		}
		if bad := compare(a, got); bad != nil {
			return *bad
		}
	}
	return verify.Pass("Central differences of the softmax agree for every pair i, j, equal or not, for K from 1 to 6. (The printed (10.32) has ∂a_i for ∂a_j; the exercise has it right.)")
}

// numeric holds the derivatives by central differences, row by row.
func numeric(a []float64) []float64 {
	var out []float64
	for i := range a {
		for j := range a {
			out = append(out, verify.Derivative(func(v float64) float64 {
				moved := append([]float64(nil), a...)
				moved[j] = v
				return kernel.Softmax(moved)[i]
			}, a[j], 1e-3))
		}
	}
	return out
}

// compare is nil where got holds the derivatives at a, and else names what is wrong.
func compare(a, got []float64) *verify.Verdict {
	f := verify.CloseSlice(got, numeric(a), verify.Tolerance{Abs: 1e-9})
	g := verify.CloseSlice(got, right(a), verify.Tolerance{Abs: 1e-13})
	if f.OK && g.OK {
		return nil
	}
	if v, ok := learner.Recognise(mistakes, a, got); ok && len(a) > 1 {
		return &v
	}
	if _, ok := learner.Factor(got, right(a)); ok {
		return learner.Fail("factor", 2, "Your derivatives are the right ones times a number. There is no factor in front.")
	}
	if f.OK {
		return learner.Fail("imprecise", 3, "Nearly: your numbers are %s, as finite differences are. The formula is exact.", g.Off())
	}
	f.Where = "" // the entries are pairs
	return learner.Fail("derivative", 2, "For K = %d some ∂y_i/∂a_j by central differences is not your number: %s.", len(a), f.Off())
}

func judgeSums(d derivativeFunc) verify.Verdict {
	for _, a := range scores(3) {
		got, bad := ask(d, a)
		if bad != nil {
			return *bad
		}
		k := len(a)
		for j := range k {
			sum, shift := 0.0, 0.0
			for i := range k {
				sum += got[i*k+j]
				shift += got[j*k+i]
			}
			if f := verify.Close(sum, 0, verify.Tolerance{Abs: 1e-12}); !f.OK {
				return verify.Fail("sum-over-outputs", 2, "For K = %d, when one score moves, the changes of all outputs must cancel, since the outputs sum to 1: their sum is %s.", k, f.Off())
			}
			if f := verify.Close(shift, 0, verify.Tolerance{Abs: 1e-12}); !f.OK {
				return verify.Fail("sum-over-scores", 2, "For K = %d, when all scores move by the same amount, no output changes: the derivatives of one output must cancel, but their sum is %s.", k, f.Off())
			}
		}
		if k > 1 && floats.Norm(got, 1) == 0 {
			return verify.Fail("zero", 2, "All your derivatives are 0, which cancels too easily.")
		}
	}
	return verify.Pass("Σ_i ∂y_i/∂a_j = 0 because the outputs sum to 1, and Σ_j ∂y_i/∂a_j = 0 because a common shift changes nothing.")
}

func judgeTails(d derivativeFunc) verify.Verdict {
	for _, a := range [][]float64{{1000, 999, 998.5}, {-1000, -1001, -1000.3}, {1000, -1000, 0}, {750, 750}, {-1000}} {
		got, bad := ask(d, a)
		if bad != nil {
			if bad.Key == "not-finite" {
				return verify.Fail("overflow", 3, "With scores like %g you return what is not a finite number: e^1000 is Inf in Go and e^−1000 is 0, and Inf/Inf and 0/0 are NaN. The same number taken off all scores changes nothing; which one helps?", a[0])
			}
			return *bad
		}
		if f := verify.CloseSlice(got, right(a), verify.Tolerance{Abs: 1e-12}); !f.OK {
			control := scores(4)[0]
			if g, bad := ask(d, control); bad != nil || compare(control, g) != nil {
				return verify.Fail("wrong-in-the-middle", 0, "With scores like %g your numbers are finite, but not right; nor are they at moderate ones. Mend that first, the second part says more.", a[0])
			}
			return verify.Fail("tails", 3, "With scores like %g your numbers are finite, but %s. Is something clipped?", a[0], f.Off())
		}
	}
	return verify.Pass("Right at ±1000, where the exponentials themselves overflow or vanish.")
}
