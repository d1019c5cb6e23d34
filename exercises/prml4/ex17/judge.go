package ex17

import (
	"fmt"
	"math"
	"math/cmplx"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/form"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/learner"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// jacobianFunc is the learner's function.
type jacobianFunc = func(a []float64) *mat.Dense

// moderate returns activations of a few units, the first ones general enough to
// tell all known mistakes apart.
func moderate(part uint64) [][]float64 {
	r := instance.Source(417, part)
	draw := func(k int, spread, shift float64) []float64 {
		a := instance.Normals(r, k)
		floats.Scale(spread, a)
		floats.AddConst(shift, a)
		return a
	}
	return [][]float64{draw(4, 1.5, 0.3), draw(3, 1, -1), draw(2, 1, 0), draw(7, 2, 0), make([]float64, 5), draw(3, 1, 40), {6, -6, 0.5}}
}

// ask calls the learner's function with a copy and returns a copy of its answer;
// with a verdict instead where that is not a K×K matrix of finite numbers.
func ask(jacobian jacobianFunc, a []float64) (*mat.Dense, *verify.Verdict) {
	var in learner.Inputs
	j := jacobian(in.Slice("a", a))
	if bad := in.Changed(3); bad != nil {
		return nil, bad
	}
	k := len(a)
	if j != nil && !j.IsEmpty() && k > 1 {
		if r, c := j.Dims(); r*c == k {
			return nil, learner.Fail("one-per-class", 1, "You returned one number per class. Every output depends on every activation, through the denominator: that makes K×K derivatives.")
		}
	}
	if bad := form.Matrix("J", j, k, k, "K×K", fmt.Sprintf("%d activations", k), 3); bad != nil {
		return nil, bad
	}
	return mat.DenseCopyOf(j), nil
}

func judgeForm(jacobian jacobianFunc) verify.Verdict {
	for _, a := range append(moderate(1), []float64{0.7}) {
		first, bad := ask(jacobian, a)
		if bad != nil {
			return *bad
		}
		second, bad := ask(jacobian, a)
		if bad != nil {
			return *bad
		}
		if !verify.CloseMat(second, first, verify.Tolerance{Rel: 1e-9}).OK {
			return verify.Fail("not-constant", 0, "Two calls with the same activations gave different matrices. Is something added to a matrix that outlives the call?")
		}
	}
	return verify.Pass("You returned a K×K matrix for K from 1 to 7.")
}

// complexStep is ∂y_k/∂a_j as the imaginary part of y_k(a + ih·e_j)/h: exact to
// rounding, and no formula for a derivative in it.
func complexStep(a []float64) *mat.Dense {
	const h = 1e-30
	k := len(a)
	out := mat.NewDense(k, k, nil)
	top := floats.Max(a)
	for j := range a {
		e, sum := make([]complex128, k), complex(0, 0)
		for i, v := range a {
			z := complex(v-top, 0)
			if i == j {
				z = complex(v-top, h)
			}
			e[i] = cmplx.Exp(z)
			sum += e[i]
		}
		for i := range e {
			out.Set(i, j, imag(e[i]/sum)/h)
		}
	}
	return out
}

func judgeDerivative(jacobian jacobianFunc) verify.Verdict {
	for _, a := range moderate(2) {
		j, bad := ask(jacobian, a)
		if bad != nil {
			return *bad
		}
		if bad := compare(a, j); bad != nil {
			return *bad
		}
	}
	return verify.Pass("Your entries are the derivatives, by finite differences of the softmax and by a complex step, for K from 2 to 7.")
}

// compare is nil where j holds the derivatives at a, and else names what is wrong.
func compare(a []float64, j *mat.Dense) *verify.Verdict {
	f := verify.Jacobian(kernel.Softmax, a, j, verify.Tolerance{Rel: 1e-7, Abs: 1e-9})
	g := verify.CloseMat(j, complexStep(a), verify.Tolerance{Rel: 1e-11, Abs: 1e-14})
	if f.OK && g.OK {
		return nil
	}
	if v, ok := recognise(a, j); ok {
		return &v
	}
	if f.OK {
		return learner.Fail("imprecise", 3, "Nearly: against the derivatives by a complex step your entries are %s. Are they finite differences themselves? The formula is exact.", g.Off())
	}
	return learner.Fail("derivative", 2, "For K = %d the derivatives of the softmax by central differences are not your entries: %s.", len(a), f.Off())
}

// judgeSums needs no derivative: what the outputs gain and lose must balance.
func judgeSums(jacobian jacobianFunc) verify.Verdict {
	for _, a := range moderate(3) {
		j, bad := ask(jacobian, a)
		if bad != nil {
			return *bad
		}
		if mat.Norm(j, 2) == 0 {
			return verify.Fail("zero", 2, "All your entries are 0, which sums to 0 too easily: some output moves when an activation does.")
		}
		for k := range a {
			if f := verify.SumsTo(mat.Col(nil, k, j), 0, verify.Tolerance{Abs: 1e-12}); !f.OK {
				return verify.Fail("columns", 2, "For K = %d a column of your matrix does not sum to 0: %s. The outputs sum to 1 always: what one gains when an activation changes, the others lose.", len(a), f.Off())
			}
			if f := verify.SumsTo(j.RawRowView(k), 0, verify.Tolerance{Abs: 1e-12}); !f.OK {
				return verify.Fail("rows", 2, "For K = %d a row of your matrix does not sum to 0: %s. Adding the same number to all activations changes no output.", len(a), f.Off())
			}
		}
	}
	return verify.Pass("Rows sum to 0 because a common shift of the activations changes nothing, columns because the outputs always sum to 1.")
}

func judgeFewClasses(jacobian jacobianFunc) verify.Verdict {
	for _, a := range []float64{0, -3, 12} {
		j, bad := ask(jacobian, []float64{a})
		if bad != nil {
			return *bad
		}
		if math.Abs(j.At(0, 0)) > 1e-12 {
			return verify.Fail("one-class", 2, "With a single class the output is 1 whatever its activation is; your derivative is not 0.")
		}
	}
	for _, a := range moderate(4)[:3] {
		j, bad := ask(jacobian, a[:2])
		if bad != nil {
			return *bad
		}
		slope := verify.Derivative(kernel.Sigmoid, a[0]-a[1], 0)
		want := mat.NewDense(2, 2, []float64{slope, -slope, -slope, slope})
		if f := verify.CloseMat(j, want, verify.Tolerance{Rel: 1e-7}); !f.OK {
			if v, ok := recognise(a[:2], j); ok {
				return v
			}
			return verify.Fail("two-classes", 2, "With two classes y₁ = σ(a₁ − a₂), and every entry is the slope of the sigmoid there, up to its sign. Yours is %s.", f.Off())
		}
	}
	return verify.Pass("For K = 1 the output cannot move; for K = 2 all entries are ±σ′(a₁ − a₂).")
}

func judgeTails(jacobian jacobianFunc) verify.Verdict {
	for _, a := range [][]float64{{1000, 999, 998.5}, {-1000, -1001, -1000.3}, {1000, -1000, 0}, {800, 800}, {710, -745, 709, 0}, {-1000}} {
		j, bad := ask(jacobian, a)
		if bad != nil {
			if bad.Key == "not-finite" {
				return verify.Fail("overflow", 3, "With activations like %g an entry is not a finite number: e^1000 overflows to Inf, e^−1000 underflows to 0, and Inf/Inf and 0/0 are NaN. Taking the same number off all activations changes nothing; which one?", a[0])
			}
			return *bad
		}
		// A shift leaves the outputs unchanged: the same matrix without the large numbers.
		shifted := slices.Clone(a)
		floats.AddConst(-floats.Max(a), shifted)
		if f := verify.CloseMat(j, complexStep(shifted), verify.Tolerance{Abs: 1e-11}); !f.OK {
			control := moderate(5)[0]
			if m, bad := ask(jacobian, control); bad != nil || compare(control, m) != nil {
				return verify.Fail("wrong-in-the-middle", 0, "With activations like %g your matrix is finite, but not right; nor is it at moderate ones. Mend that first, the second part says more.", a[0])
			}
			return verify.Fail("tails", 3, "With activations like %g your matrix is finite, but %s. Are activations or exponentials clipped? Taking the largest activation off all of them is exact.", a[0], f.Off())
		}
	}
	return verify.Pass("Right at ±1000, too, where the exponentials themselves overflow or vanish.")
}
