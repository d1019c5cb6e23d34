package ex20

import (
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// judgeFewClasses compares with the two-class Hessian, in its own formula (4.97).
func judgeFewClasses(hessian hessianFunc) verify.Verdict {
	o, bad := orderOf(hessian)
	if bad != nil {
		return *bad
	}
	r := source(6)
	for _, p := range []problem{
		draw(r, "two classes", 20, 2, []float64{1, 0, 0}, []float64{0, 1, 1}),
		draw(r, "two classes, two weights", 15, 2, []float64{1, 0}, []float64{0, 1}),
	} {
		h, bad := askOrdered(hessian, o, p)
		if bad != nil {
			return *bad
		}
		_, m, _ := p.dims()
		want := mat.NewDense(2*m, 2*m, nil)
		for i, a := range p.activations(p.vector()) {
			v := mat.NewVecDense(2*m, nil) // (φ, −φ)
			for j, x := range p.Phi.RawRowView(i) {
				v.SetVec(j, x)
				v.SetVec(m+j, -x)
			}
			want.RankOne(want, kernel.Sigmoid(a[0]-a[1])*kernel.Sigmoid(a[1]-a[0]), v, v)
		}
		if f := verify.CloseMat(h, want, verify.Tolerance{Rel: 1e-9}); !f.OK {
			if v, ok := recognise(p, h); ok {
				return v
			}
			return verify.Fail("two-classes", 2, "With two classes every block is ΦᵀRΦ of (4.97) at w₁ − w₂, plus on the diagonal and minus beside it. Yours is %s.", f.Off())
		}
	}
	p := draw(r, "one class", 6, 1, []float64{1, 0}, []float64{0, 1})
	h, bad := ask(hessian, p)
	if bad != nil {
		return *bad
	}
	if f := verify.CloseMat(h, mat.NewDense(2, 2, nil), verify.Tolerance{Abs: 1e-10}); !f.OK {
		return verify.Fail("one-class", 2, "With a single class the output is 1 whatever the weights are, and E is 0 everywhere. Your matrix is %s.", f.Off())
	}
	return verify.Pass("With two classes every block is the Hessian of logistic regression, up to its sign; with one class nothing is curved.")
}

// judgeTails looks at activations whose exponentials overflow or vanish.
func judgeTails(hessian hessianFunc) verify.Verdict {
	o, bad := orderOf(hessian)
	if bad != nil {
		return *bad
	}
	spread := problem{name: "activations from −800 to 800", Phi: mat.NewDense(6, 2, nil), W: mat.NewDense(2, 3, []float64{1, 0, 0.5, 0, 1, -0.5}), labels: make([]int, 6)}
	for i, a := range [][]float64{{800, 799}, {-800, -799.5}, {800, -800}, {-745, 710}, {40, -40}, {0.3, 0.8}} {
		spread.Phi.SetRow(i, a)
	}
	common := problem{name: "all activations near ±800", Phi: instance.Design(source(7), 8, []float64{0, 0}, []float64{0, 1}), W: mat.NewDense(2, 3, []float64{800, 801, 799, 1, -1, 0.5}), labels: make([]int, 8)}
	for i := range 8 {
		common.Phi.Set(i, 0, float64(1-2*(i%2)))
	}
	for _, p := range []problem{common, spread} {
		h, bad := askOrdered(hessian, o, p)
		if bad != nil {
			if bad.Key == "not-finite" {
				return verify.Fail("overflow", 3, "With %s an entry is not a finite number: e^800 overflows to Inf, e^−800 underflows to 0, and Inf/Inf and 0/0 are NaN. What may be taken off all activations of one point, and must be found for each point anew?", p.name)
			}
			return *bad
		}
		// The rows of Φ are long here: 1−y formed from a rounded y leaves 1e-16·φ².
		f := verify.CloseMat(h, p.right(), verify.Tolerance{Rel: 1e-9})
		if f.OK {
			continue
		}
		control := fullRank(source(8))[0]
		if m, bad := askOrdered(hessian, o, control); bad != nil || compare(control, m) != nil {
			return verify.Fail("wrong-in-the-middle", 0, "With %s your matrix is finite, but not right; nor is it at moderate activations. Mend that first, the second part says more.", p.name)
		}
		return verify.Fail("tails", 3, "With %s your matrix is finite, but %s. Are activations or outputs clipped, or is something added to a denominator?", p.name, f.Off())
	}
	return verify.Pass("No overflow at ±800.")
}
