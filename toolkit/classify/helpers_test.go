package classify_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

// must receives the results v and err of a call. It returns a function that returns v, or fails the
// test t if err is not nil.
func must[T any](v T, err error) func(t *testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// flat returns the elements of a matrix in row-major order.
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

// leastMargin returns the smallest of the margins of all rows for weights d. The margin is dᵀφ_n
// for t_n = 1, −dᵀφ_n for t_n = 0, and −|dᵀφ_n| for a soft target.
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

// The three functions below receive the results of a call that should fail, and return only its
// error.
func errorOf(_ any, err error) error        { return err }
func errorOf2(_, _ any, err error) error    { return err }
func errorOf3(_, _, _ any, err error) error { return err }

// failingCall contains the error of a call that should fail, and the words that this error must
// contain.
type failingCall struct {
	name string
	err  error
	want []string
}

// allFail checks that every call fails with the expected words in its error.
func allFail(t *testing.T, cases []failingCall) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) { errorHas(t, c.err, c.want...) })
	}
}

// allClose checks that each number got[i] differs from the number v = want[i] by at most tol·(1 +
// |v|).
func allClose(t *testing.T, name string, got, want []float64, tol float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: got %d numbers, want %d", name, len(got), len(want))
		return
	}
	for i, w := range want {
		errorIf(t, !(math.Abs(got[i]-w) <= tol*(1+math.Abs(w))), "%s: number %d is %v, want %v", name, i, got[i], w)
	}
}

// checkInverse checks that matrix a is the inverse of matrix b.
func checkInverse(t *testing.T, a, b mat.Matrix, tol float64) {
	t.Helper()
	n, _ := a.Dims()
	var p mat.Dense
	p.Mul(a, b)
	for i := range n {
		p.Set(i, i, p.At(i, i)-1)
	}
	e := mat.Norm(&p, 1)
	errorIf(t, !(e <= tol), "the product of the matrix and its inverse differs by %v from the unit matrix, want at most %v", e, tol)
}

// checkStationary checks that the gradient of an objective is 0 at w.
func checkStationary(t *testing.T, o *classify.Objective, w []float64, tol float64) {
	t.Helper()
	for i, g := range must(o.Gradient(w))(t) {
		errorIf(t, !(math.Abs(g) <= tol), "component %d of the gradient is %v, want 0 ± %v", i, g, tol)
	}
}

// secondDifferences compares a Hessian at w with central differences of the gradient.
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
				t.Errorf("entry (%d,%d) of the Hessian is %v, want the difference quotient %v", i, j, hess.At(i, j), fd)
			}
		}
	}
}

// checkDerivatives checks the gradient and Hessian of an objective at w by central differences with
// step h. Their truncation error is about h², and their rounding error is about 1e-16/h. If
// `hessian` is false, checkDerivatives does not check the Hessian.
func checkDerivatives(t *testing.T, o *classify.Objective, w []float64, hessian bool) {
	t.Helper()
	const h = 1e-5
	for i, g := range must(o.Gradient(w))(t) {
		up, down := slices.Clone(w), slices.Clone(w)
		up[i] += h
		down[i] -= h
		closeTo(t, (must(o.Value(up))(t)-must(o.Value(down))(t))/(2*h), g, 1e-7*(1+math.Abs(g)),
			"difference quotient, compared with entry %d of the gradient", i)
	}
	if hessian {
		secondDifferences(t, o, w, must(o.Hessian(w))(t))
	}
}

// errorSum adds the errors f(a, t) of the activations a = wᵀφ by plain summation.
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

// misclassified counts the rows whose class according to m differs from their label.
func misclassified(t *testing.T, m classify.Predictor, x mat.Matrix, labels []int) (wrong int) {
	t.Helper()
	for i, class := range must(m.Predict(x))(t) {
		if class != labels[i] {
			wrong++
		}
	}
	return wrong
}

// errorIf reports a test error if `bad` is true.
func errorIf(t testing.TB, bad bool, format string, args ...any) {
	t.Helper()
	if bad {
		t.Errorf(format, args...)
	}
}

// closeTo checks that `got` and `want` differ by at most `tol`, or are the same infinity.
func closeTo(t testing.TB, got, want, tol float64, what string, args ...any) {
	t.Helper()
	if !(math.Abs(got-want) <= tol) && got != want {
		t.Errorf("%s: got %v, want %v ± %.2g", fmt.Sprintf(what, args...), got, want, tol)
	}
}

// must2 does the same as must for a call that returns two values and an error.
func must2[T, U any](v T, u U, err error) func(t *testing.T) (T, U) {
	return func(t *testing.T) (T, U) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v, u
	}
}

// The functions below are helpers for the checks of equations. They return random data, evaluate
// simple formulas, or differentiate functions numerically. They do not call the toolkit.

// normals returns n random numbers with the standard normal distribution.
func normals(r *rand.Rand, n int) []float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = r.NormFloat64()
	}
	return v
}

// normalMatrix returns a rows×cols matrix of standard normal random numbers.
func normalMatrix(r *rand.Rand, rows, cols int) *mat.Dense {
	return mat.NewDense(rows, cols, normals(r, rows*cols))
}

// randomCov returns a random positive definite d×d matrix.
func randomCov(r *rand.Rand, d int) *mat.SymDense {
	a := normalMatrix(r, d+3, d)
	s := mat.NewSymDense(d, nil)
	s.SymOuterK(1, a.T())
	return s
}

// overlappingRows returns n ≥ 4 rows of d columns, and targets of two classes. The ranges of both
// classes overlap in column 0. For d = 1, no plane therefore separates the classes. For d > 1, some
// draws can be separable.
func overlappingRows(r *rand.Rand, n, d int) (*mat.Dense, []float64) {
	x, t := normalMatrix(r, n, d), make([]float64, n)
	for i := range t {
		if r.Float64() < logisticOf(x.At(i, 0)) {
			t[i] = 1
		}
	}
	for i := range 4 { // in column 0, place inputs of both classes at −1 and at 1
		x.Set(i, 0, 2*float64(i%2)-1)
		t[i] = float64(i / 2)
	}
	return x, t
}

// logisticOf returns the sigmoid 1/(1+e^{−a}), computed as printed.
func logisticOf(a float64) float64 { return 1 / (1 + math.Exp(-a)) }

// slope returns the derivative of f at x by the five-point formula, accurate to about 1e-10.
func slope(f func(float64) float64, x float64) float64 {
	const h = 1e-3
	return (8*(f(x+h)-f(x-h)) - (f(x+2*h) - f(x-2*h))) / (12 * h)
}

// slopes returns the gradient of f at w, computed with five-point difference quotients.
func slopes(f func([]float64) float64, w []float64) []float64 {
	g := make([]float64, len(w))
	for j := range w {
		g[j] = slope(func(v float64) float64 {
			at := append([]float64{}, w...)
			at[j] = v
			return f(at)
		}, w[j])
	}
	return g
}

// affineValue returns wᵀx + w0. The bias w0 is the first entry of w.
func affineValue(w, x []float64) float64 {
	y := w[0]
	for j, v := range x {
		y += w[j+1] * v
	}
	return y
}

// withOnes returns the matrix with rows (1, x).
func withOnes(x mat.Matrix) *mat.Dense {
	n, d := x.Dims()
	out := mat.NewDense(n, d+1, nil)
	out.Apply(func(i, j int, _ float64) float64 {
		if j == 0 {
			return 1
		}
		return x.At(i, j-1)
	}, out)
	return out
}

// averageOf returns the mean of the rows of a class, and the number of these rows.
func averageOf(x *mat.Dense, labels []int, class int) (mean []float64, count float64) {
	_, d := x.Dims()
	mean = make([]float64, d)
	for i, l := range labels {
		if l == class {
			floats.Add(mean, x.RawRowView(i))
			count++
		}
	}
	floats.Scale(1/count, mean)
	return mean, count
}
