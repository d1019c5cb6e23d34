package ex17_test

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex17"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

type jacobianFunc = func(a []float64) *mat.Dense

// of makes a matrix of entries f(k, j, y), where y is made of a.
func of(outputs func(a []float64) []float64, f func(k, j int, y []float64) float64) jacobianFunc {
	return func(a []float64) *mat.Dense {
		y := outputs(a)
		J := mat.NewDense(len(a), len(a), nil)
		J.Apply(func(k, j int, _ float64) float64 { return f(k, j, y) }, J)
		return J
	}
}

func formula(k, j int, y []float64) float64 {
	if k == j {
		return y[k] * (1 - y[k])
	}
	return -y[k] * y[j]
}

// after changes the reference's answer.
func after(f func(J *mat.Dense)) jacobianFunc {
	return func(a []float64) *mat.Dense {
		J := Jacobian(a)
		f(J)
		return J
	}
}

func plain(a []float64) []float64 {
	y := make([]float64, len(a))
	for k, v := range a {
		y[k] = math.Exp(v)
	}
	floats.Scale(1/floats.Sum(y), y)
	return y
}

func TestWrong(t *testing.T) {
	delta := func(k, j int) float64 {
		if k == j {
			return 1
		}
		return 0
	}
	exps := func(a []float64) []float64 {
		y := make([]float64, len(a))
		for k, v := range a {
			y[k] = math.Exp(v)
		}
		return y
	}
	calls := 0.0
	for _, tc := range []struct {
		name, key string
		answer    jacobianFunc
	}{
		{"all signs", "sign", after(func(J *mat.Dense) { J.Scale(-1, J) })},
		{"diagonal only", "diagonal-only", of(softmax, func(k, j int, y []float64) float64 { return delta(k, j) * y[k] * (1 - y[k]) })},
		{"off-diagonals positive", "off-diagonal-sign", of(softmax, func(k, j int, y []float64) float64 { return math.Abs(formula(k, j, y)) })},
		{"y(I + y)", "inner-sign", of(softmax, func(k, j int, y []float64) float64 { return y[k] * (delta(k, j) + y[j]) })},
		{"−y y", "identity-left-out", of(softmax, func(k, j int, y []float64) float64 { return -y[k] * y[j] })},
		{"y y", "outer-product", of(softmax, func(k, j int, y []float64) float64 { return y[k] * y[j] })},
		{"y(1 − y) everywhere", "one-for-identity", of(softmax, func(k, j int, y []float64) float64 { return y[k] * (1 - y[j]) })},
		{"diag(y)", "denominator-held-fixed", of(softmax, func(k, j int, y []float64) float64 { return delta(k, j) * y[k] })},
		{"I − y_j", "log-softmax", of(softmax, func(k, j int, y []float64) float64 { return delta(k, j) - y[j] })},
		{"I − y_k", "log-softmax", of(softmax, func(k, j int, y []float64) float64 { return delta(k, j) - y[k] })},
		{"y²(I − y)", "squared", of(softmax, func(k, j int, y []float64) float64 { return y[k] * y[k] * (delta(k, j) - y[j]) })},
		{"exp alone", "unnormalised", of(exps, func(k, j int, e []float64) float64 { return delta(k, j) * e[k] })},
		{"second term over S", "square-of-denominator", of(exps, func(k, j int, e []float64) float64 { return delta(k, j)*e[k]/floats.Sum(e) - e[k]*e[j]/floats.Sum(e) })},
		{"all over S", "square-of-denominator", of(exps, func(k, j int, e []float64) float64 {
			return (delta(k, j)*e[k]*floats.Sum(e) - e[k]*e[j]) / floats.Sum(e)
		})},
		{"sigmoids", "sigmoids", of(func(a []float64) []float64 { return a }, func(k, j int, a []float64) float64 {
			y := 1 / (1 + math.Exp(-a[k]))
			return delta(k, j) * y * (1 - y)
		})},
		{"a for y", "activation-for-output", of(func(a []float64) []float64 { return a }, formula)},
		{"softmax twice", "softmax-twice", func(a []float64) *mat.Dense { return Jacobian(softmax(a)) }},
		{"one-hot", "zero", of(func(a []float64) []float64 {
			y := make([]float64, len(a))
			y[floats.MaxIdx(a)] = 1
			return y
		}, formula)},
		{"half", "factor", after(func(J *mat.Dense) { J.Scale(0.5, J) })},
		{"1/K", "factor", after(func(J *mat.Dense) { J.Scale(1/float64(J.RawMatrix().Rows), J) })},
		{"an entry off", "derivative", after(func(J *mat.Dense) { J.Set(0, 0, J.At(0, 0)*1.01) })},
		{"column sums", "columns", after(func(J *mat.Dense) { J.Set(0, 0, J.At(0, 0)+0.1) })},
		{"row sums", "rows", func(a []float64) *mat.Dense {
			J := Jacobian(a)
			if len(a) > 1 {
				J.Set(0, 0, J.At(0, 0)+0.1)
				J.Set(1, 0, J.At(1, 0)-0.1)
			}
			return J
		}},
		{"two classes", "two-classes", func(a []float64) *mat.Dense {
			J := Jacobian(a)
			if len(a) == 2 {
				J.Set(0, 1, 0.3)
			}
			return J
		}},
		{"one class", "one-class", of(softmax, func(k, j int, y []float64) float64 {
			if len(y) == 1 {
				return 1
			}
			return formula(k, j, y)
		})},
		{"finite differences", "imprecise", func(a []float64) *mat.Dense {
			J := mat.NewDense(len(a), len(a), nil)
			for j := range a {
				up, down := append([]float64(nil), a...), append([]float64(nil), a...)
				up[j] += 1e-5
				down[j] -= 1e-5
				J.SetCol(j, floats.ScaleTo(make([]float64, len(a)), 5e4, floats.SubTo(make([]float64, len(a)), softmax(up), softmax(down))))
			}
			return J
		}},
		{"plain exponentials", "overflow", of(plain, formula)},
		{"clipped activations", "tails", func(a []float64) *mat.Dense {
			b := make([]float64, len(a))
			for k, v := range a {
				b[k] = math.Min(700, math.Max(-700, v))
			}
			return Jacobian(b)
		}},
		{"wrong everywhere", "wrong-in-the-middle", after(func(J *mat.Dense) { J.Scale(2, J) })},
		{"a column", "one-per-class", func(a []float64) *mat.Dense { return mat.NewDense(len(a), 1, softmax(a)) }},
		{"a row", "one-per-class", func(a []float64) *mat.Dense { return mat.NewDense(1, len(a), softmax(a)) }},
		{"K−1", "wrong-shape", func(a []float64) *mat.Dense { return mat.NewDense(len(a)+1, len(a)+1, nil) }},
		{"nil", "empty", func([]float64) *mat.Dense { return nil }},
		{"empty", "empty", func([]float64) *mat.Dense { return &mat.Dense{} }},
		{"not a number", "not-finite", after(func(J *mat.Dense) { J.Set(0, 0, math.NaN()) })},
		{"infinite", "not-finite", after(func(J *mat.Dense) { J.Set(0, 0, math.Inf(1)) })},
		{"huge", "derivative", after(func(J *mat.Dense) {
			J.Apply(func(i, j int, v float64) float64 { return math.Copysign(math.MaxFloat64, float64(1-2*(i%2))) }, J)
		})},
		{"exponentials into a", "mutates-inputs", func(a []float64) *mat.Dense {
			J := Jacobian(a)
			for k := range a {
				a[k] -= 1
			}
			return J
		}},
		{"grows", "not-constant", after(func(J *mat.Dense) { calls++; J.Set(0, 0, J.At(0, 0)+calls) })},
	} {
		t.Run(tc.name, func(t *testing.T) { gate.Wrong(t, ex17.Exercise(), ex17.Check(tc.answer), tc.key) })
	}
}

func TestNoAnswer(t *testing.T) {
	gate.Outcome(t, ex17.Check(func([]float64) *mat.Dense { panic(verify.TODO) }), verify.NotAttempted)
	gate.Outcome(t, ex17.Check(func([]float64) *mat.Dense { panic("my own") }), verify.Crashed)
	gate.Outcome(t, ex17.Check(nil), verify.Crashed)
}

func TestSameReportEachTime(t *testing.T) {
	if first, second := ex17.Check(Jacobian).String(), ex17.Check(Jacobian).String(); first != second {
		t.Errorf("two runs differ:\n%s\n%s", first, second)
	}
}

func ExampleCheck() {
	log := of(softmax, func(k, j int, y []float64) float64 {
		if k == j {
			return 1 - y[j]
		}
		return -y[j]
	})
	fmt.Println(ex17.Check(log).Parts[1].Message)
	// Output: You have I − y_j: these are the derivatives of ln y_k. A factor y_k is missing.
}
