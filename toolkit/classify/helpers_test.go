package classify_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

// must returns the value of a call, or fails the test that it is then given.
func must[T any](v T, err error) func(t *testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// flat returns the elements of a matrix by rows.
func flat(m mat.Matrix) []float64 {
	r, c := m.Dims()
	var out []float64
	for i := range r {
		for j := range c {
			out = append(out, m.At(i, j))
		}
	}
	return out
}

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// leastMargin returns the least dᵀφ_n in the direction of t_n; soft targets
// count with −|dᵀφ_n|.
func leastMargin(x mat.Matrix, target, d []float64) float64 {
	least := math.Inf(1)
	for i, v := range target {
		a := d[0]
		for j, w := range d[1:] {
			a += w * x.At(i, j)
		}
		switch v {
		case 1:
		case 0:
			a = -a
		default:
			a = -math.Abs(a)
		}
		least = math.Min(least, a)
	}
	return least
}

// of, of2 and of3 drop the values of a call that is to fail.
func of(_ any, err error) error        { return err }
func of2(_, _ any, err error) error    { return err }
func of3(_, _, _ any, err error) error { return err }

// refusal is a call that fails, and words of its message.
type refusal struct {
	name string
	err  error
	want []string
}

// refused checks that every call has failed with its words.
func refused(t *testing.T, cases []refusal) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) { mentions(t, c.err, c.want...) })
	}
}

// nearly compares two lists of numbers, to tol of 1 and of each number.
func nearly(t *testing.T, name string, got, want []float64, tol float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: %d numbers, want %d", name, len(got), len(want))
		return
	}
	for i, w := range want {
		errorIf(t, !(math.Abs(got[i]-w) <= tol*(1+math.Abs(w))), "%s: number %d is %v, want %v", name, i, got[i], w)
	}
}

// inverses checks that a is the inverse of b.
func inverses(t *testing.T, a, b mat.Matrix, tol float64) {
	t.Helper()
	n, _ := a.Dims()
	var p mat.Dense
	p.Mul(a, b)
	for i := range n {
		p.Set(i, i, p.At(i, i)-1)
	}
	e := mat.Norm(&p, 1)
	errorIf(t, !(e <= tol), "the product with the inverse is off the identity by %v", e)
}

// stationary checks that the gradient vanishes at w.
func stationary(t *testing.T, o *classify.Objective, w []float64, tol float64) {
	t.Helper()
	for i, g := range must(o.Gradient(w))(t) {
		errorIf(t, !(math.Abs(g) <= tol), "gradient %d is %v", i, g)
	}
}

// secondDifferences checks a Hessian at w by central differences of the gradient.
func secondDifferences(t *testing.T, o *classify.Objective, w []float64, hess mat.Matrix) {
	t.Helper()
	const h = 1e-5
	for i := range w {
		up, down := slices.Clone(w), slices.Clone(w)
		up[i] += h
		down[i] -= h
		gu, gd := must(o.Gradient(up))(t), must(o.Gradient(down))(t)
		for j := range w {
			if fd := (gu[j] - gd[j]) / (2 * h); !(math.Abs(fd-hess.At(i, j)) <= 1e-7*(1+math.Abs(fd))) {
				t.Errorf("Hessian (%d,%d) is %v, the difference quotient %v", i, j, hess.At(i, j), fd)
			}
		}
	}
}

// differences checks gradient and Hessian of an objective at w by central
// differences (h² truncation, 1e-16/h rounding); hessian false leaves the second
// derivatives out.
func differences(t *testing.T, o *classify.Objective, w []float64, hessian bool) {
	t.Helper()
	const h = 1e-5
	for i, g := range must(o.Gradient(w))(t) {
		up, down := slices.Clone(w), slices.Clone(w)
		up[i] += h
		down[i] -= h
		within(t, (must(o.Value(up))(t)-must(o.Value(down))(t))/(2*h), g, 1e-7*(1+math.Abs(g)), "gradient %d is %v, the difference quotient", i, g)
	}
	if hessian {
		secondDifferences(t, o, w, must(o.Hessian(w))(t))
	}
}

// descends checks that the steps are evaluated where they stand, and that E falls;
// wrong counts the rows misclassified with w.
func descends(t *testing.T, trace classify.Trace, o *classify.Objective, wrong func(w []float64) int) {
	t.Helper()
	for i, s := range trace {
		e := must(o.Value(s.W))(t)
		errorIf(t, math.Abs(e-s.E) > 1e-12*e, "step %d: E = %v, at its w it is %v", i, s.E, e)
		g := floats.Norm(must(o.Gradient(s.W))(t), 2)
		errorIf(t, math.Abs(g-s.GradNorm) > 1e-12*(1+s.GradNorm), "step %d: gradient norm %v, at its w it is %v", i, s.GradNorm, g)
		n := wrong(s.W)
		errorIf(t, n != s.Misclassified, "step %d: %d misclassified, at its w %d", i, s.Misclassified, n)
		before := trace[max(i-1, 0)].E
		errorIf(t, s.E > before*(1+1e-15), "step %d: E rises from %v to %v", i, before, s.E)
	}
}

// errorSum adds the errors f(a, t) of the activations a = wᵀφ, by plain sums.
func errorSum(x mat.Matrix, t, w []float64, f func(a, t float64) float64) float64 {
	var e float64
	for n, v := range t {
		a := w[0]
		for j := range w[1:] {
			a += w[j+1] * x.At(n, j)
		}
		e += f(a, v)
	}
	return e
}

// misclassified counts the rows that m gives another class than labels.
func misclassified(t *testing.T, m classify.Predictor, x mat.Matrix, labels []int) (wrong int) {
	t.Helper()
	for i, class := range must(m.Predict(x))(t) {
		if class != labels[i] {
			wrong++
		}
	}
	return wrong
}

// errorIf reports that the condition holds.
func errorIf(t testing.TB, bad bool, format string, args ...any) {
	t.Helper()
	if bad {
		t.Errorf(format, args...)
	}
}

// within checks a number to tol, absolutely.
func within(t testing.TB, got, want, tol float64, what string, args ...any) {
	t.Helper()
	if !(math.Abs(got-want) <= tol) && got != want {
		t.Errorf("%s: %v, want %v ± %.2g", fmt.Sprintf(what, args...), got, want, tol)
	}
}

// must2 is must for a call with two values.
func must2[T, U any](v T, u U, err error) func(t *testing.T) (T, U) {
	return func(t *testing.T) (T, U) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v, u
	}
}
