package ex18

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/form"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/kernel"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/learner"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// gradientFunc is the learner's function.
type gradientFunc = func(W, Phi, T *mat.Dense) *mat.Dense

// ask calls the learner's function with copies of everything and returns a copy
// of its answer; with a verdict instead where that is not an M×K matrix of finite
// numbers.
func ask(gradient gradientFunc, p problem) (*mat.Dense, *verify.Verdict) {
	var in learner.Inputs
	g := gradient(in.Dense("W", p.W), in.Dense("Phi", p.Phi), in.Dense("T", p.T))
	if bad := in.Changed(3); bad != nil {
		return nil, bad
	}
	m, k := p.W.Dims()
	n, _ := p.Phi.Dims()
	if g != nil && !g.IsEmpty() && m != k {
		switch r, c := g.Dims(); {
		case r == k && c == m:
			return nil, learner.Fail("transposed", 3, "Your matrix is K×M, one row per class. Asked for is M×K, like W: column j belongs to w_j.")
		case r == n && c == k && n != m:
			return nil, learner.Fail("not-summed", 3, "Your matrix is N×K, one row per data point. Each residual is multiplied by the features of its point, and the points are summed.")
		}
	}
	if bad := form.Matrix("gradient", g, m, k, "M×K", p.name, 3); bad != nil {
		return nil, bad
	}
	return mat.DenseCopyOf(g), nil
}

func judgeForm(gradient gradientFunc) verify.Verdict {
	for _, p := range general(source(1)) {
		first, bad := ask(gradient, p)
		if bad != nil {
			return *bad
		}
		second, bad := ask(gradient, p)
		if bad != nil {
			return *bad
		}
		if !verify.CloseMat(second, first, verify.Tolerance{Rel: 1e-9}).OK {
			return verify.Fail("not-constant", 0, "Two calls with the same W, Φ and T gave different matrices. Is something added to a matrix that outlives the call?")
		}
	}
	return verify.Pass("You returned an M×K matrix for M from 1 to 4 and K from 3 to 5.")
}

// compare is nil where the learner's answer is the gradient at p, by central
// differences of E for columns of Φ brought to size 1; else it names what is wrong.
func compare(gradient gradientFunc, p problem) *verify.Verdict {
	g, bad := ask(gradient, p)
	if bad != nil {
		return bad
	}
	s := instance.Sizes(p.Phi)
	m, k := p.W.Dims()
	back := func(v []float64) []float64 { // entry j·K+c belongs to weight j of class c
		out := make([]float64, len(v))
		for i := range v {
			out[i] = v[i] / s[i/k]
		}
		return out
	}
	at := learner.Entries(p.W)
	for i := range at {
		at[i] *= s[i/k]
	}
	e := func(v []float64) float64 { return p.errAt(mat.NewDense(m, k, back(v))) }
	f := verify.Gradient(e, at, back(learner.Entries(g)), verify.Tolerance{Rel: 1e-7, Abs: 1e-9})
	if f.OK {
		return nil
	}
	if v, ok := recognise(p, g); ok {
		return &v
	}
	return learner.Fail("derivative", 2, "For “%s” (columns brought to size 1) the derivatives of E by central differences are not your entries: %s, counted row by row.", p.name, f.Off())
}

func judgeDerivative(gradient gradientFunc) verify.Verdict {
	for _, p := range general(source(2)) {
		if bad := compare(gradient, p); bad != nil {
			return *bad
		}
	}
	return verify.Pass("Column j holds the derivatives of E by w_j, by finite differences, also where M = K hides a transposed matrix.")
}

// judgeSums needs no derivative: one vector added to all w_k changes nothing.
func judgeSums(gradient gradientFunc) verify.Verdict {
	for _, p := range general(source(3)) {
		g, bad := ask(gradient, p)
		if bad != nil {
			return *bad
		}
		m, _ := g.Dims()
		size := mat.Norm(p.Phi, 2)
		for j := range m {
			if f := verify.SumsTo(g.RawRowView(j), 0, verify.Tolerance{Abs: 1e-10 * size}); !f.OK {
				return verify.Fail("rows", 2, "For “%s” the derivatives by weight %d of all classes do not add up to 0: %s. One vector added to all w_k changes no output; and what y − t is, summed over the classes, you know.", p.name, j, f.Off())
			}
		}
		if mat.Norm(g, 1) == 0 {
			return verify.Fail("zero", 3, "All your entries are 0, which sums to 0 too easily. Was the result never written to?")
		}
	}
	return verify.Pass("Every row sums to 0: outputs and targets of a point both sum to 1.")
}

func judgeFewClasses(gradient gradientFunc) verify.Verdict {
	r := source(4)
	for _, p := range []problem{
		draw(r, "two classes", 20, 2, []float64{1, 0, 0}, []float64{0, 1, 1}),
		draw(r, "two classes, two weights", 15, 2, []float64{1, 0}, []float64{0, 1}),
	} {
		g, bad := ask(gradient, p)
		if bad != nil {
			return *bad
		}
		w := floats.SubTo(make([]float64, len(mat.Col(nil, 0, p.W))), mat.Col(nil, 0, p.W), mat.Col(nil, 1, p.W))
		binary := func(w []float64) float64 { // (4.90)
			e := 0.0
			for i, a := range instance.Activations(p.Phi, w) {
				e += kernel.CrossEntropy(a, p.T.At(i, 0))
			}
			return e
		}
		first, second := mat.Col(nil, 0, g), mat.Col(nil, 1, g)
		floats.Scale(-1, second)
		f, h := verify.Gradient(binary, w, first, verify.Tolerance{Rel: 1e-7}), verify.Gradient(binary, w, second, verify.Tolerance{Rel: 1e-7})
		if !f.OK || !h.OK {
			if v, ok := recognise(p, g); ok {
				return v
			}
			if f.OK {
				f = h
			}
			return verify.Fail("two-classes", 2, "With two classes the model is logistic regression with w = w₁ − w₂; its gradient is your first column, and minus your second. It is %s.", f.Off())
		}
	}
	p := draw(r, "one class", 6, 1, []float64{1, 0}, []float64{0, 1})
	g, bad := ask(gradient, p)
	if bad != nil {
		return *bad
	}
	if f := verify.CloseMat(g, mat.NewDense(2, 1, nil), verify.Tolerance{Abs: 1e-10}); !f.OK {
		return verify.Fail("one-class", 2, "With a single class the output is 1 whatever the weights are, and E is 0 everywhere. Your gradient is %s.", f.Off())
	}
	return verify.Pass("With two classes the first column is the gradient (4.91) at w₁ − w₂ and the second its opposite; with one class nothing can be learnt.")
}

func judgeTails(gradient gradientFunc) verify.Verdict {
	p := problem{name: "large weights", Phi: mat.NewDense(6, 2, nil), W: mat.NewDense(2, 3, []float64{1, 0, 0.5, 0, 1, -0.5}),
		T: instance.OneOfK([]int{0, 1, 2, 0, 1, 2}, 3)}
	for i, a := range [][]float64{{800, 799}, {-800, -799.5}, {800, -800}, {-745, 710}, {40, -40}, {0.3, 0.8}} {
		p.Phi.SetRow(i, a) // activations a₁, a₂ and (a₁−a₂)/2
	}
	common := p
	common.name = "all activations near 800"
	common.Phi, common.W = mat.NewDense(6, 2, nil), mat.NewDense(2, 3, []float64{800, 801, 799, 1, -1, 0.5})
	for i := range 6 {
		common.Phi.SetRow(i, []float64{1 - 2*float64(i%2), float64(i) / 3})
	}
	for _, p := range []problem{p, common} {
		g, bad := ask(gradient, p)
		overflow := bad != nil && bad.Key == "not-finite"
		if bad != nil && !overflow {
			return *bad
		}
		if overflow {
			return verify.Fail("overflow", 3, "With activations of ±800 an entry is not a finite number: e^800 overflows to Inf, e^−800 underflows to 0, and Inf/Inf and 0/0 are NaN. (Residuals divided by y and multiplied by it again end the same way.) What may be taken off all activations of a point?")
		}
		f := verify.CloseMat(g, p.right(), verify.Tolerance{Rel: 1e-9})
		switch {
		case f.OK:
		case compare(gradient, general(source(5))[0]) != nil:
			return verify.Fail("wrong-in-the-middle", 0, "With activations of ±800 your gradient is finite, but not right; nor is it at moderate ones. Mend that first, the second part says more.")
		case math.IsNaN(f.Miss):
			return verify.Fail("overflow", 3, "With activations of ±800 your gradient is %s.", f.Off())
		default:
			return verify.Fail("tails", 3, "With activations of ±800 your gradient is finite, but %s. Are activations or outputs clipped?", f.Off())
		}
	}
	return verify.Pass("No overflow at ±800: a point far on the wrong side pulls its own class with a residual of −1 and pushes the class that claims it with 1.")
}
