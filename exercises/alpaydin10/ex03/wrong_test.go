package ex03_test

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/alpaydin10/ex03"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/gate"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

func TestWrongDerivative(t *testing.T) {
	calls := 0.0
	by := func(f func(yi, yj, delta float64) float64) derivativeFunc {
		return func(a []float64, i, j int) float64 {
			y := softmax(a)
			return f(y[i], y[j], delta(i, j))
		}
	}
	of := func(y func(a []float64) []float64) derivativeFunc {
		return func(a []float64, i, j int) float64 { return y(a)[i] * (delta(i, j) - y(a)[j]) }
	}
	for _, tc := range []struct {
		name, key string
		answer    derivativeFunc
	}{
		{"(10.32) as printed", "misprint-10.32", by(func(yi, _, _ float64) float64 { return yi * (1 - yi) })},
		{"sign", "sign", by(func(yi, yj, d float64) float64 { return yi * (yj - d) })},
		{"diagonal only", "diagonal-only", by(func(yi, _, d float64) float64 { return d * yi * (1 - yi) })},
		{"sign off the diagonal", "off-diagonal-sign", by(func(yi, yj, d float64) float64 { return d*yi*(1-yi) + (1-d)*yi*yj })},
		{"δ + y", "inner-sign", by(func(yi, yj, d float64) float64 { return yi * (d + yj) })},
		{"no δ", "delta-left-out", by(func(yi, yj, _ float64) float64 { return -yi * yj })},
		{"1 for δ", "delta-is-one", by(func(yi, yj, _ float64) float64 { return yi * (1 - yj) })},
		{"δ reversed", "delta-reversed", by(func(yi, yj, d float64) float64 { return yi * (1 - d - yj) })},
		{"denominator fixed", "denominator-held-fixed", by(func(yi, _, d float64) float64 { return d * yi })},
		{"log", "log-softmax", by(func(_, yj, d float64) float64 { return d - yj })},
		{"product", "product", by(func(yi, yj, _ float64) float64 { return yi * yj })},
		{"scores", "score-for-output", of(func(a []float64) []float64 { return a })},
		{"sigmoids", "sigmoids", func(a []float64, i, j int) float64 {
			y := 1 / (1 + math.Exp(-a[i]))
			return delta(i, j) * y * (1 - y)
		}},
		{"exponential alone", "unnormalised", func(a []float64, i, j int) float64 { return delta(i, j) * math.Exp(a[i]) }},
		{"zero", "zero", by(func(_, _, _ float64) float64 { return 0 })},
		{"half", "factor", by(func(yi, yj, d float64) float64 { return yi * (d - yj) / 2 })},
		{"finite differences", "imprecise", func(a []float64, i, j int) float64 {
			const h = 1e-5
			up, down := append([]float64(nil), a...), append([]float64(nil), a...)
			up[j] += h
			down[j] -= h
			return (softmax(up)[i] - softmax(down)[i]) / (2 * h)
		}},
		{"output squared", "derivative", by(func(yi, yj, d float64) float64 { return yi * yi * (d - yj) })},
		{"transposed log", "sum-over-outputs", by(func(yi, _, d float64) float64 { return d*yi - yi*yi })},
		{"rows of the log", "sum-over-scores", by(func(yi, _, d float64) float64 { return d - yi })},
		{"overflow", "overflow", of(func(a []float64) []float64 {
			y := make([]float64, len(a))
			for i, v := range a {
				y[i] = math.Exp(v)
			}
			floats.Scale(1/floats.Sum(y), y)
			return y
		})},
		{"clipped scores", "tails", of(func(a []float64) []float64 {
			y := make([]float64, len(a))
			for i, v := range a {
				y[i] = math.Max(-50, math.Min(50, v))
			}
			return softmax(y)
		})},
		{"wrong everywhere", "wrong-in-the-middle", by(func(yi, yj, _ float64) float64 { return yi * yj })},
		{"not a number", "not-finite", by(func(_, _, _ float64) float64 { return math.NaN() })},
		{"huge", "derivative", by(func(_, _, _ float64) float64 { return math.MaxFloat64 })},
		{"softmax in place", "mutates-inputs", func(a []float64, i, j int) float64 {
			copy(a, softmax(a))
			return a[i] * (delta(i, j) - a[j])
		}},
		{"grows", "not-constant", by(func(yi, yj, d float64) float64 { calls++; return calls })},
	} {
		t.Run(tc.name, func(t *testing.T) { gate.Wrong(t, ex03.Exercise(), ex03.Check(tc.answer, Step), tc.key) })
	}
}

// each is W + eta Σ f(y, r, a) x.
func each(f func(y, r, a float64) float64) stepFunc {
	return func(W, X, R *mat.Dense, eta float64) *mat.Dense {
		x, next := ones(X), mat.DenseCopyOf(W)
		n, m := x.Dims()
		_, k := W.Dims()
		for t := range n {
			a := make([]float64, k)
			for i := range k {
				a[i] = floats.Dot(mat.Col(nil, i, W), x.RawRowView(t))
			}
			y := softmax(a)
			for j := range m {
				for i := range k {
					next.Set(j, i, next.At(j, i)+eta*f(y[i], R.At(t, i), a[i])*x.At(t, j))
				}
			}
		}
		return next
	}
}

// part is the reference on the points from … to−1.
func part(from, to func(n int) int) stepFunc {
	return func(W, X, R *mat.Dense, eta float64) *mat.Dense {
		n, d := X.Dims()
		_, k := R.Dims()
		i, j := from(n), to(n)
		return Step(W, mat.DenseCopyOf(X.Slice(i, j, 0, d)), mat.DenseCopyOf(R.Slice(i, j, 0, k)), eta)
	}
}

func TestWrongStep(t *testing.T) {
	// change is W + f(the reference's change).
	change := func(f func(d, W, X *mat.Dense, eta float64)) stepFunc {
		return func(W, X, R *mat.Dense, eta float64) *mat.Dense {
			d := Step(W, X, R, eta)
			d.Sub(d, W)
			f(d, W, X, eta)
			d.Add(d, W)
			return d
		}
	}
	classIndex := func(shift int) stepFunc {
		return func(W, X, R *mat.Dense, eta float64) *mat.Dense {
			x, next := ones(X), mat.DenseCopyOf(W)
			n, m := x.Dims()
			_, k := W.Dims()
			for t := range n {
				var a mat.VecDense
				a.MulVec(W.T(), mat.NewVecDense(m, x.RawRowView(t)))
				y := softmax(a.RawVector().Data)
				for i := range k {
					for j := range m {
						next.Set(j, i, next.At(j, i)+eta*(R.At(t, i)-y[i])*x.At(t, min(i+shift, m-1)))
					}
				}
			}
			return next
		}
	}
	zero, all := func(int) int { return 0 }, func(n int) int { return n }
	calls := 0.0
	for _, tc := range []struct {
		name, key string
		answer    stepFunc
	}{
		{"y − r", "uphill", each(func(y, r, _ float64) float64 { return y - r })},
		{"divided by N", "averaged", change(func(d, _, X *mat.Dense, _ float64) { d.Scale(1/float64(X.RawMatrix().Rows), d) })},
		{"no η", "eta-left-out", change(func(d, _, _ *mat.Dense, eta float64) { d.Scale(1/eta, d) })},
		{"η twice", "eta-twice", change(func(d, _, _ *mat.Dense, eta float64) { d.Scale(eta, d) })},
		{"the change", "change-only", change(func(d, W, _ *mat.Dense, _ float64) { d.Sub(d, W) })},
		{"biases stay", "bias-not-updated", change(func(d, _, _ *mat.Dense, _ float64) { clear(d.RawRowView(0)) })},
		{"biases only", "only-biases", change(func(d, _, _ *mat.Dense, _ float64) {
			for j := 1; j < d.RawMatrix().Rows; j++ {
				clear(d.RawRowView(j))
			}
		})},
		{"no x", "input-left-out", change(func(d, _, _ *mat.Dense, _ float64) {
			for j := 1; j < d.RawMatrix().Rows; j++ {
				copy(d.RawRowView(j), d.RawRowView(0))
			}
		})},
		{"squared error", "squared-error", each(func(y, r, _ float64) float64 { return (r - y) * y * (1 - y) })},
		{"own class only", "own-class-only", each(func(y, r, _ float64) float64 { return r * (1 - y) })},
		{"no outputs", "outputs-left-out", each(func(_, r, _ float64) float64 { return r })},
		{"no targets", "targets-left-out", each(func(y, _, _ float64) float64 { return -y })},
		{"r/y", "chain-rule-stops-at-y", each(func(y, r, _ float64) float64 { return r / y })},
		{"sigmoids", "sigmoids", each(func(_, r, a float64) float64 { return r - 1/(1+math.Exp(-a)) })},
		{"scores", "scores-for-outputs", each(func(_, r, a float64) float64 { return r - a })},
		{"perceptron", "hard-outputs", func(W, X, R *mat.Dense, eta float64) *mat.Dense {
			var big mat.Dense
			big.Scale(1e6, W) // outputs 0 and 1
			d := Step(&big, X, R, eta)
			d.Sub(d, &big)
			x := ones(X) // again, without the rounding of large weights
			next := mat.DenseCopyOf(W)
			n, m := x.Dims()
			_, k := W.Dims()
			for t := range n {
				var a mat.VecDense
				a.MulVec(W.T(), mat.NewVecDense(m, x.RawRowView(t)))
				for i := range k {
					y := 0.0
					if i == floats.MaxIdx(a.RawVector().Data) {
						y = 1
					}
					for j := range m {
						next.Set(j, i, next.At(j, i)+eta*(R.At(t, i)-y)*x.At(t, j))
					}
				}
			}
			return next
		}},
		{"no bias in the score", "bias-not-in-score", func(W, X, R *mat.Dense, eta float64) *mat.Dense {
			bare := mat.DenseCopyOf(W)
			clear(bare.RawRowView(0))
			d := Step(bare, X, R, eta)
			d.Sub(d, bare)
			d.Add(d, W)
			return d
		}},
		{"one after the other", "one-by-one", func(W, X, R *mat.Dense, eta float64) *mat.Dense {
			for t := range X.RawMatrix().Rows {
				W = part(func(int) int { return t }, func(int) int { return t + 1 })(W, X, R, eta)
			}
			return W
		}},
		{"last point only", "last-point-only", part(func(n int) int { return n - 1 }, all)},
		{"first point only", "first-point-only", part(zero, func(int) int { return 1 })},
		{"figure 10.8 as printed", "misprint-figure-10.8", classIndex(0)},
		{"figure 10.8 as printed, from 1", "misprint-figure-10.8", classIndex(1)},
		{"last class fixed", "last-class-fixed", change(func(d, _, _ *mat.Dense, _ float64) {
			r, k := d.Dims()
			for j := range r {
				d.Set(j, k-1, 0)
			}
		})},
		{"half", "step-factor", change(func(d, _, _ *mat.Dense, _ float64) { d.Scale(0.5, d) })},
		{"an entry off", "gradient", change(func(d, _, _ *mat.Dense, _ float64) { d.Set(0, 0, 1.01*d.At(0, 0)) })},
		{"W itself", "unchanged", func(W, _, _ *mat.Dense, _ float64) *mat.Dense { return W }},
		{"uphill again", "error-rises", each(func(y, r, _ float64) float64 { return y - r })},
		{"the change again", "moves-without-eta", change(func(d, W, _ *mat.Dense, _ float64) { d.Sub(d, W) })},
		{"K×(D+1)", "transposed", func(W, X, R *mat.Dense, eta float64) *mat.Dense { return mat.DenseCopyOf(Step(W, X, R, eta).T()) }},
		{"D×K", "no-bias-row", func(W, X, R *mat.Dense, eta float64) *mat.Dense {
			r, k := W.Dims()
			return mat.DenseCopyOf(Step(W, X, R, eta).Slice(1, r, 0, k))
		}},
		{"N×K", "wrong-shape", func(_, _, R *mat.Dense, _ float64) *mat.Dense { return R }},
		{"nil", "empty", func(_, _, _ *mat.Dense, _ float64) *mat.Dense { return nil }},
		{"not a number", "not-finite", change(func(d, _, _ *mat.Dense, _ float64) { d.Set(0, 0, math.NaN()) })},
		{"huge", "gradient", change(func(d, _, _ *mat.Dense, _ float64) { d.Set(0, 0, 1e300) })},
		{"W in place", "mutates-inputs", func(W, X, R *mat.Dense, eta float64) *mat.Dense {
			W.Copy(Step(W, X, R, eta))
			return W
		}},
		{"R in place", "mutates-inputs", func(W, X, R *mat.Dense, eta float64) *mat.Dense {
			next := Step(W, X, R, eta)
			R.Scale(eta, R)
			return next
		}},
		{"grows", "not-constant", change(func(d, _, _ *mat.Dense, _ float64) { calls++; d.Set(0, 0, calls) })},
	} {
		t.Run(tc.name, func(t *testing.T) { gate.Wrong(t, ex03.Exercise(), ex03.Check(DSoftmax, tc.answer), tc.key) })
	}
}

func TestNoAnswer(t *testing.T) {
	todo, todoStep := func([]float64, int, int) float64 { panic(verify.TODO) }, func(_, _, _ *mat.Dense, _ float64) *mat.Dense { panic(verify.TODO) }
	gate.Outcome(t, ex03.Check(todo, todoStep), verify.NotAttempted)
	gate.Outcome(t, ex03.Check(func([]float64, int, int) float64 { panic("my own") }, func(_, _, _ *mat.Dense, _ float64) *mat.Dense { panic("my own") }), verify.Crashed)
	gate.Outcome(t, ex03.Check(nil, nil), verify.Crashed)
	half := ex03.Check(DSoftmax, todoStep)
	if half.Passed() || half.Count(verify.NotAttempted) != 3 || half.Count(verify.Right) != 4 {
		t.Errorf("one of two functions written: want three parts NotAttempted and four Right:\n%s", half)
	}
}

func TestSameReportEachTime(t *testing.T) {
	if first, second := ex03.Check(DSoftmax, Step).String(), ex03.Check(DSoftmax, Step).String(); first != second {
		t.Errorf("two runs differ:\n%s\n%s", first, second)
	}
}

func ExampleCheck() {
	printed := func(a []float64, i, _ int) float64 { return DSoftmax(a, i, i) }
	fmt.Println(ex03.Check(printed, Step).Parts[1].Message)
	// Output: You return y_i(1 − y_i) whatever j is: the derivative with respect to a_i. So it is printed in (10.32), by mistake; the exercise asks for ∂y_i/∂a_j.
}
