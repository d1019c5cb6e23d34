package ex20_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex20"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// by makes blocks with factors r(y, j, k), in the order by classes.
func by(r func(y []float64, j, k int) float64) hessianFunc {
	return func(W, Phi *mat.Dense) *mat.Dense { return sum(W, Phi, false, r) }
}

func delta(j, k int) float64 {
	if j == k {
		return 1
	}
	return 0
}

// after changes the reference's matrix.
func after(f func(H *mat.Dense)) hessianFunc {
	return func(W, Phi *mat.Dense) *mat.Dense {
		H := Hessian(W, Phi)
		f(H)
		return H
	}
}

func scale(c float64) hessianFunc { return after(func(H *mat.Dense) { H.Scale(c, H) }) }

func apply(f func(i, j int, v float64) float64) hessianFunc {
	return after(func(H *mat.Dense) { H.Apply(f, H) })
}

// rows is the reference on rows from … to−1.
func rows(from, to func(n int) int) hessianFunc {
	return func(W, Phi *mat.Dense) *mat.Dense {
		n, m := Phi.Dims()
		_, k := W.Dims()
		i, j := from(n), to(n)
		if i >= j {
			return mat.NewDense(m*k, m*k, nil)
		}
		return Hessian(W, mat.DenseCopyOf(Phi.Slice(i, j, 0, m)))
	}
}

// sized makes a square matrix of zeros.
func sized(size func(n, m, k int) int) hessianFunc {
	return func(W, Phi *mat.Dense) *mat.Dense {
		n, m := Phi.Dims()
		s := size(n, m, W.RawMatrix().Cols)
		return mat.NewDense(s, s, nil)
	}
}

func TestWrong(t *testing.T) {
	none := func(int) int { return 0 }
	all := func(n int) int { return n }
	calls := 0.0
	right := func(y []float64, j, k int) float64 { return y[k] * (delta(j, k) - y[j]) }
	for _, tc := range []struct {
		name, key string
		answer    hessianFunc
	}{
		{"(4.110) as printed", "printed-sign", scale(-1)},
		{"(4.110) as printed, by features", "printed-sign", func(W, Phi *mat.Dense) *mat.Dense {
			return sum(W, Phi, true, func(y []float64, j, k int) float64 { return -right(y, j, k) })
		}},
		{"diagonal blocks only", "cross-blocks-left-out", by(func(y []float64, j, k int) float64 { return delta(j, k) * y[k] * (1 - y[k]) })},
		{"diagonal blocks only, by features", "cross-blocks-left-out", func(W, Phi *mat.Dense) *mat.Dense {
			return sum(W, Phi, true, func(y []float64, j, k int) float64 { return delta(j, k) * y[k] * (1 - y[k]) })
		}},
		{"cross blocks only", "diagonal-blocks-left-out", by(func(y []float64, j, k int) float64 { return (delta(j, k) - 1) * y[k] * y[j] })},
		{"sign of the cross blocks", "cross-sign", by(func(y []float64, j, k int) float64 { return math.Abs(right(y, j, k)) })},
		{"y(I + y)", "inner-sign", by(func(y []float64, j, k int) float64 { return y[k] * (delta(j, k) + y[j]) })},
		{"−yy", "identity-left-out", by(func(y []float64, j, k int) float64 { return -y[k] * y[j] })},
		{"yy", "outer-product", by(func(y []float64, j, k int) float64 { return y[k] * y[j] })},
		{"y_k(1 − y_j) everywhere", "one-for-identity", by(func(y []float64, j, k int) float64 { return y[k] * (1 - y[j]) })},
		{"y_j(1 − y_k) everywhere", "one-for-identity", by(func(y []float64, j, k int) float64 { return y[j] * (1 - y[k]) })},
		{"diag(y)", "denominator-held-fixed", by(func(y []float64, j, k int) float64 { return delta(j, k) * y[k] })},
		{"I − y_j", "factor-left-out", by(func(y []float64, j, k int) float64 { return delta(j, k) - y[j] })},
		{"I − y_k", "factor-left-out", by(func(y []float64, j, k int) float64 { return delta(j, k) - y[k] })},
		{"ΦᵀΦ in the diagonal blocks", "weights-left-out", by(func(_ []float64, j, k int) float64 { return delta(j, k) })},
		{"K sigmoids", "sigmoids", func(W, Phi *mat.Dense) *mat.Dense {
			M, K := W.Dims()
			H := mat.NewDense(M*K, M*K, nil)
			for n := range Phi.RawMatrix().Rows {
				for k := range K {
					y := 1 / (1 + math.Exp(-floats.Dot(mat.Col(nil, k, W), Phi.RawRowView(n))))
					block := H.Slice(k*M, (k+1)*M, k*M, (k+1)*M).(*mat.Dense)
					block.RankOne(block, y*(1-y), Phi.RowView(n), Phi.RowView(n))
				}
			}
			return H
		}},
		{"fixed upper bound", "fixed-bound", by(func(y []float64, j, k int) float64 { return (delta(j, k) - 1/float64(len(y))) / 2 })},
		{"mean for sum", "averaged", func(W, Phi *mat.Dense) *mat.Dense {
			H := Hessian(W, Phi)
			H.Scale(1/float64(Phi.RawMatrix().Rows), H)
			return H
		}},
		{"half", "factor", scale(0.5)},
		{"twice", "factor", scale(2)},
		{"prior", "prior", after(func(H *mat.Dense) {
			for i := range H.RawMatrix().Rows {
				H.Set(i, i, H.At(i, i)+0.5)
			}
		})},
		{"a small number on the diagonal", "curved-along-shift", after(func(H *mat.Dense) {
			for i := range H.RawMatrix().Rows {
				H.Set(i, i, H.At(i, i)+1e-6)
			}
		})},
		{"softmax over the points", "softmax-over-points", func(W, Phi *mat.Dense) *mat.Dense {
			return sumOf(byPoints(W, Phi), Phi, false, right)
		}},
		{"softmax over the points, by features", "softmax-over-points", func(W, Phi *mat.Dense) *mat.Dense {
			return sumOf(byPoints(W, Phi), Phi, true, right)
		}},
		{"rows by classes, columns by features", "mixed-order", mixed(true)},
		{"rows by features, columns by classes", "mixed-order", mixed(false)},
		{"last row only", "last-row", rows(func(n int) int { return n - 1 }, all)},
		{"first row only", "first-row", rows(none, func(int) int { return 1 })},
		{"last row forgotten", "row-forgotten", rows(none, func(n int) int { return n - 1 })},
		{"first row forgotten", "row-forgotten", rows(func(int) int { return 1 }, all)},
		{"upper triangle", "one-triangle", apply(func(i, j int, v float64) float64 { return v * boolean(i <= j) })},
		{"lower triangle", "one-triangle", apply(func(i, j int, v float64) float64 { return v * boolean(i >= j) })},
		{"diagonal", "diagonal-only", apply(func(i, j int, v float64) float64 { return v * delta(i, j) })},
		{"zero", "zero", scale(0)},
		{"not symmetric", "not-symmetric", by(func(y []float64, j, k int) float64 { return delta(j, k) - y[j] })},
		{"an entry off", "derivative", after(func(H *mat.Dense) { H.Set(0, 0, 1.01*H.At(0, 0)) })},
		{"indefinite", "not-semidefinite", by(func(y []float64, j, k int) float64 { return -y[k]*y[j] + delta(j, k)*y[k]*y[k]/2 })},
		{"flat beyond the shifts", "too-flat", func(W, Phi *mat.Dense) *mat.Dense { // R = vvᵀ with v summing to 0
			return sum(W, Phi, false, func(y []float64, j, k int) float64 {
				v := func(i int) float64 { return delta(i, 0) - delta(i, 1) }
				return v(j) * v(k)
			})
		}},
		{"one order here, the other there", "order-changes", func(W, Phi *mat.Dense) *mat.Dense {
			M, K := W.Dims()
			return kronecker(W, Phi, M == K)
		}},
		{"two classes only", "two-classes", func(W, Phi *mat.Dense) *mat.Dense {
			H := Hessian(W, Phi)
			if W.RawMatrix().Cols == 2 {
				H.Set(0, 1, H.At(0, 1)+0.1)
			}
			return H
		}},
		{"one class", "one-class", by(func(y []float64, j, k int) float64 { return right(y, j, k) + boolean(len(y) == 1) })},
		{"M×M", "one-block", sized(func(_, m, _ int) int { return m })},
		{"K×K", "one-block", sized(func(_, _, k int) int { return k })},
		{"one class held", "class-held", sized(func(_, m, k int) int { return m * (k - 1) })},
		{"N×N", "by-points", sized(func(n, _, _ int) int { return n })},
		{"one too many", "wrong-shape", sized(func(_, m, k int) int { return m*k + 1 })},
		{"nil", "empty", func(_, _ *mat.Dense) *mat.Dense { return nil }},
		{"empty", "empty", func(_, _ *mat.Dense) *mat.Dense { return &mat.Dense{} }},
		{"plain exponentials", "overflow", func(W, Phi *mat.Dense) *mat.Dense {
			H := Hessian(W, Phi)
			var A mat.Dense
			A.Mul(Phi, W)
			for n := range A.RawMatrix().Rows {
				s := 0.0
				for _, a := range A.RawRowView(n) {
					s += math.Exp(a)
				}
				H.Set(0, 0, H.At(0, 0)+0*math.Exp(A.At(n, 0))/s) // NaN where the quotient is
			}
			return H
		}},
		{"clipped activations", "tails", func(W, Phi *mat.Dense) *mat.Dense {
			var A mat.Dense
			A.Mul(Phi, W)
			if math.Max(mat.Max(&A), -mat.Min(&A)) < 500 {
				return Hessian(W, Phi)
			}
			return sum(W, Phi, false, func(y []float64, j, k int) float64 {
				z := make([]float64, len(y))
				for i := range z {
					z[i] = 1 / float64(len(y))
				}
				return right(z, j, k)
			})
		}},
		{"wrong everywhere", "wrong-in-the-middle", scale(2)},
		{"not a number", "not-finite", after(func(H *mat.Dense) { H.Set(0, 0, math.NaN()) })},
		{"infinite", "not-finite", after(func(H *mat.Dense) { H.Set(0, 0, math.Inf(1)) })},
		{"huge", "derivative", apply(func(i, j int, _ float64) float64 { return math.Copysign(math.MaxFloat64, float64(1-2*((i+j)%2))) })},
		{"very large", "derivative", apply(func(i, j int, _ float64) float64 { return 1e200 * float64(1+i+j) })},
		{"outputs into W", "mutates-inputs", func(W, Phi *mat.Dense) *mat.Dense {
			H := Hessian(W, Phi)
			W.Scale(2, W)
			return H
		}},
		{"weights Φ in place", "mutates-inputs", func(W, Phi *mat.Dense) *mat.Dense {
			H := Hessian(W, Phi)
			Phi.Scale(0.5, Phi)
			return H
		}},
		{"grows", "not-constant", after(func(H *mat.Dense) { calls++; H.Set(0, 0, H.At(0, 0)+calls) })},
	} {
		t.Run(tc.name, func(t *testing.T) { gate.Wrong(t, ex20.Exercise(), ex20.Check(tc.answer), tc.key) })
	}
}

// byPoints are outputs that sum to 1 over the points, for each class.
func byPoints(W, Phi *mat.Dense) *mat.Dense {
	var Y mat.Dense
	Y.Mul(Phi, W)
	for k := range Y.RawMatrix().Cols {
		column := mat.Col(nil, k, &Y)
		lse := floats.LogSumExp(column)
		for n, a := range column {
			Y.Set(n, k, math.Exp(a-lse))
		}
	}
	return &Y
}

// TestPrintedSign: the part on flat directions names the sign too.
func TestPrintedSign(t *testing.T) {
	if p := ex20.Check(scale(-1)).Parts[4]; p.Key != "printed-sign" {
		t.Errorf("part %q has the key %q: %s", p.Name, p.Key, p.Message)
	}
}

// TestMixedOrder: the message has rows and columns the right way round.
func TestMixedOrder(t *testing.T) {
	for _, columns := range []bool{true, false} {
		p := ex20.Check(mixed(columns)).Parts[1]
		if got := strings.Contains(p.Message, "columns in the order by features"); got != columns {
			t.Errorf("columns by features %t: %s", columns, p.Message)
		}
	}
}

// mixed has its columns, or else its rows, in the order by features.
func mixed(columns bool) hessianFunc {
	return func(W, Phi *mat.Dense) *mat.Dense {
		M, K := W.Dims()
		class := func(i int, byFeatures bool) int {
			if byFeatures {
				return i%K*M + i/K
			}
			return i
		}
		H := Hessian(W, Phi)
		out := mat.NewDense(M*K, M*K, nil)
		out.Apply(func(i, j int, _ float64) float64 { return H.At(class(i, !columns), class(j, columns)) }, out)
		return out
	}
}

func boolean(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

func TestNoAnswer(t *testing.T) {
	gate.Outcome(t, ex20.Check(func(_, _ *mat.Dense) *mat.Dense { panic(verify.TODO) }), verify.NotAttempted)
	gate.Outcome(t, ex20.Check(func(_, _ *mat.Dense) *mat.Dense { panic("my own") }), verify.Crashed)
	gate.Outcome(t, ex20.Check(nil), verify.Crashed)
}

func TestSameReportEachTime(t *testing.T) {
	if first, second := ex20.Check(Hessian).String(), ex20.Check(Hessian).String(); first != second {
		t.Errorf("two runs differ:\n%s\n%s", first, second)
	}
}

func ExampleCheck() {
	fmt.Println(ex20.Check(scale(-1)).Parts[3].Message)
	// Output: No eigenvalue is positive where none may be negative: this is (4.110) with its printed minus, which is a misprint. E is convex.
}
