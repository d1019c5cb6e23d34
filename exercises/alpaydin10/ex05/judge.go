package ex05

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// derivativeTol is the agreement asked for with central differences, relative to
// the largest entry.
var derivativeTol = verify.Tolerance{Rel: 1e-7, Abs: 1e-8}

// compare is nil where got holds the derivatives at p, and else names what is wrong.
func compare(p problem, got []*mat.Dense) *verify.Verdict {
	_, d, k := p.dims()
	f := verify.Gradient(func(v []float64) float64 { return p.err(unflat(v, d, k)) }, flat(p.W), flat(got), derivativeTol)
	if f.OK {
		return nil
	}
	if v, ok := recognise(p, got); ok {
		return &v
	}
	f.Where = "" // the entries are those of all matrices in a row
	v := verify.Fail("derivative", 2, "For “%s” the derivatives of E by central differences are not your entries: %s.", p.name, f.Off())
	return &v
}

func judgeDerivative(gradient gradientFunc) verify.Verdict {
	for _, p := range problems(source(2)) {
		got, bad := ask(gradient, p)
		if bad != nil {
			return *bad
		}
		if bad := compare(p, got); bad != nil {
			return *bad
		}
	}
	return verify.Pass("Your entries are the derivatives by central differences, each entry of each W_i moved alone. (Were W_i kept symmetric by storing its upper triangle alone, an entry off the diagonal would stand for two and its derivative be the sum of both.)")
}

// judgeFeatures takes the other way: with the D² products x_j x_l as inputs the
// discriminants are linear, and the gradient is Σ (y − r) φ, (10.33).
func judgeFeatures(gradient gradientFunc) verify.Verdict {
	for _, p := range problems(source(3)) {
		got, bad := ask(gradient, p)
		if bad != nil {
			return *bad
		}
		n, d, k := p.dims()
		phi := mat.NewDense(n, d*d, nil)
		scores := mat.NewDense(n, k, nil)
		for t := range n {
			x := p.X.RawRowView(t)
			for j := range d {
				for l := range d {
					phi.Set(t, j*d+l, x[j]*x[l])
				}
			}
			for i := range k {
				s := p.w0[i] + floats.Dot(phi.RawRowView(t), flat(p.W[i:i+1]))
				for j := range d {
					s += p.w.At(j, i) * x[j]
				}
				scores.Set(t, i, s)
			}
			y := kernel.Softmax(scores.RawRowView(t))
			scores.SetRow(t, floats.SubTo(y, y, p.R.RawRowView(t)))
		}
		var linear mat.Dense // D²×K
		linear.Mul(phi.T(), scores)
		for i := range k {
			if f := verify.CloseSlice(flat(got[i:i+1]), mat.Col(nil, i, &linear), verify.Tolerance{Rel: 1e-9, Abs: 1e-10}); !f.OK {
				if v, ok := recognise(p, got); ok {
					return v
				}
				f.Where = ""
				return verify.Fail("features", 2, "For “%s”, with the products x_j·x_l as the inputs of a linear softmax, the gradient of class %d by (10.33) is not your matrix: %s.", p.name, i, f.Off())
			}
		}
	}
	return verify.Pass("Written row by row, your matrices are the gradient of a linear softmax whose inputs are the D² products: quadratic in x is linear in the features.")
}

func judgeStep(gradient gradientFunc) verify.Verdict {
	for _, p := range problems(source(4)) {
		for _, m := range p.W { // symmetric matrices, as a quadratic form may have
			m.Add(m, mat.DenseCopyOf(m.T()))
		}
		got, bad := ask(gradient, p)
		if bad != nil {
			return *bad
		}
		for i, m := range got {
			if f := verify.Symmetric(m, 1e-9); !f.OK {
				return verify.Fail("not-symmetric", 2, "For “%s” with symmetric W_i your matrix of class %d differs from its transpose: %s. x_j·x_l is the same as x_l·x_j, so a symmetric W_i must stay so.", p.name, i, f.Off())
			}
		}
		length := floats.Norm(flat(got), 2)
		if length == 0 {
			return verify.Fail("zero", 2, "For “%s” all your derivatives are 0, where E is not at its least.", p.name)
		}
		_, d, k := p.dims()
		next := unflat(floats.AddScaledTo(make([]float64, len(flat(got))), flat(p.W), -1e-5/length, flat(got)), d, k)
		if !(p.err(next) < p.err(p.W)) {
			return verify.Fail("error-rises", 2, "For “%s” a small step against your gradient does not lower E.", p.name)
		}
	}
	return verify.Pass("A step ΔW_i = −η ∂E/∂W_i lowers E, and leaves symmetric matrices symmetric without being told to.")
}

// judgeTails makes the scores large through the inputs.
func judgeTails(gradient gradientFunc) verify.Verdict {
	for i, scale := range []float64{20, 40, 20, 30} {
		p := problems(source(5))[i/2*2] // with two and with four inputs
		p.X.Scale(scale, p.X)
		got, bad := ask(gradient, p)
		if bad != nil {
			if bad.Key == "not-finite" {
				return verify.Fail("overflow", 3, "With scores of ±1000 an entry is not a finite number: exponentials overflow, and Inf/Inf is NaN. Take the largest score off all of them first.")
			}
			return *bad
		}
		if f := verify.CloseSlice(flat(got), flat(p.gather(residual, product)), verify.Tolerance{Rel: 1e-9}); !f.OK {
			control := problems(source(6))[0]
			if m, bad := ask(gradient, control); bad != nil || compare(control, m) != nil {
				return verify.Fail("wrong-in-the-middle", 0, "With scores of ±1000 your matrices are finite, but not right; nor are they at moderate ones. Mend that first, the second part says more.")
			}
			return verify.Fail("tails", 3, "With scores of ±1000 your matrices are finite, but %s of a largest entry near %s. Are scores or outputs clipped?", f.Off(), verify.Magnitude(math.Max(1, floats.Norm(flat(got), math.Inf(1)))))
		}
	}
	return verify.Pass("Right where the scores are so large that their exponentials overflow.")
}
