package ex15_test

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex15"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

func TestWrongHessian(t *testing.T) {
	sigmoid := func(a float64) float64 { return 1 / (1 + math.Exp(-a)) }
	// after changes the reference's matrix.
	after := func(f func(h *mat.Dense)) hessianFunc {
		return func(w []float64, Phi *mat.Dense) *mat.Dense {
			h := Hessian(w, Phi)
			f(h)
			return h
		}
	}
	scale := func(c float64) hessianFunc { return after(func(h *mat.Dense) { h.Scale(c, h) }) }
	apply := func(f func(i, j int, v float64) float64) hessianFunc {
		return after(func(h *mat.Dense) { h.Apply(f, h) })
	}
	row := func(i func(n int) int) hessianFunc {
		return func(w []float64, Phi *mat.Dense) *mat.Dense {
			n, _ := Phi.Dims()
			return Hessian(w, mat.NewDense(1, len(w), append([]float64(nil), Phi.RawRowView(i(n))...)))
		}
	}
	calls := 0.0
	for _, tc := range []struct {
		name, key string
		answer    hessianFunc
	}{
		{"R left out", "weights-left-out", weighting(func(float64) float64 { return 1 })},
		{"y²", "y-squared", weighting(func(a float64) float64 { return math.Pow(sigmoid(a), 2) })},
		{"y", "y-only", weighting(sigmoid)},
		{"1−y", "one-minus-y", weighting(func(a float64) float64 { return 1 - sigmoid(a) })},
		{"(1−y)²", "one-minus-y-squared", weighting(func(a float64) float64 { return math.Pow(1-sigmoid(a), 2) })},
		{"y(1+y)", "one-plus-y", weighting(func(a float64) float64 { return sigmoid(a) * (1 + sigmoid(a)) })},
		{"(RΦ)ᵀ(RΦ)", "weights-squared", weighting(func(a float64) float64 { return math.Pow(sigmoid(a)*sigmoid(-a), 2) })},
		{"one root too many", "root-of-weights", weighting(func(a float64) float64 { return math.Sqrt(sigmoid(a) * sigmoid(-a)) })},
		{"a(1−a)", "sigmoid-left-out", weighting(func(a float64) float64 { return a * (1 - a) })},
		{"outer products of gradients, rounded outputs as targets", "uses-targets", weighting(func(a float64) float64 {
			return math.Pow(sigmoid(a)-math.Round(sigmoid(a)), 2)
		})},
		{"t(1−t)", "zero-matrix", weighting(func(a float64) float64 {
			t := math.Round(sigmoid(a))
			return t * (1 - t)
		})},
		{"negative, concave", "negative", scale(-1)},
		{"last row only", "last-row", row(func(n int) int { return n - 1 })},
		{"first row only", "first-row", row(func(int) int { return 0 })},
		{"mean for sum", "averaged", func(w []float64, Phi *mat.Dense) *mat.Dense {
			h := Hessian(w, Phi)
			h.Scale(1/float64(Phi.RawMatrix().Rows), h)
			return h
		}},
		{"½", "factor", scale(0.5)},
		{"twice", "factor", scale(2)},
		{"mean over N−1", "factor", func(w []float64, Phi *mat.Dense) *mat.Dense {
			h := Hessian(w, Phi)
			h.Scale(1/math.Max(1, float64(Phi.RawMatrix().Rows-1)), h)
			return h
		}},
		{"a prior", "prior", after(func(h *mat.Dense) {
			for i := range h.RawMatrix().Rows {
				h.Set(i, i, h.At(i, i)+0.5)
			}
		})},
		{"a prior, bias free", "prior", after(func(h *mat.Dense) {
			for i := 1; i < h.RawMatrix().Rows; i++ {
				h.Set(i, i, h.At(i, i)+2)
			}
		})},
		{"a small number on the diagonal", "curved-along-flat", after(func(h *mat.Dense) {
			for i := range h.RawMatrix().Rows {
				h.Set(i, i, h.At(i, i)+1e-6)
			}
		})},
		{"diagonal only", "diagonal-only", apply(func(i, j int, v float64) float64 {
			if i == j {
				return v
			}
			return 0
		})},
		{"upper triangle only", "one-triangle", apply(func(i, j int, v float64) float64 {
			if i <= j {
				return v
			}
			return 0
		})},
		{"lower triangle only", "one-triangle", apply(func(i, j int, v float64) float64 {
			if i >= j {
				return v
			}
			return 0
		})},
		{"one entry differs from its mirror", "not-symmetric", apply(func(i, j int, v float64) float64 {
			if i < j {
				return 1.01 * v
			}
			return v
		})},
		{"an entry off", "derivative", after(func(h *mat.Dense) { h.Set(0, 0, 1.01*h.At(0, 0)) })},
		{"negative off the diagonal's sum", "not-positive-definite", after(func(h *mat.Dense) {
			for i := range h.RawMatrix().Rows {
				h.Set(i, i, h.At(i, i)*float64(1-2*(i%2)))
			}
		})},
		{"indefinite where columns are dependent", "not-semidefinite", after(func(h *mat.Dense) {
			for i := range h.RawMatrix().Rows {
				h.Set(i, i, 0.9*h.At(i, i))
			}
		})},
		{"ΦRΦᵀ", "n-by-n", func(_ []float64, Phi *mat.Dense) *mat.Dense {
			var h mat.Dense
			h.Mul(Phi, Phi.T())
			return &h
		}},
		{"ΦRΦᵀ where it fits", "n-by-n", func(w []float64, Phi *mat.Dense) *mat.Dense {
			n, m := Phi.Dims()
			if n != m {
				return Hessian(w, Phi)
			}
			half, h := mat.DenseCopyOf(Phi), mat.Dense{}
			for i := range n {
				y := sigmoid(floats.Dot(w, Phi.RawRowView(i)))
				floats.Scale(math.Sqrt(y*(1-y)), half.RawRowView(i))
			}
			h.Mul(half, half.T())
			return &h
		}},
		{"weights as a matrix", "wrong-shape", func(_ []float64, Phi *mat.Dense) *mat.Dense {
			return mat.NewDense(Phi.RawMatrix().Rows+1, 1, nil)
		}},
		{"nil", "empty", func([]float64, *mat.Dense) *mat.Dense { return nil }},
		{"empty", "empty", func([]float64, *mat.Dense) *mat.Dense { return &mat.Dense{} }},
		{"e^a/(1+e^a)", "overflow", weighting(func(a float64) float64 {
			y := math.Exp(a) / (1 + math.Exp(a))
			return y * (1 - y)
		})},
		{"e^−a/(1+e^−a)²", "overflow", weighting(func(a float64) float64 {
			return math.Exp(-a) / math.Pow(1+math.Exp(-a), 2)
		})},
		{"clipped outputs", "tails", weighting(func(a float64) float64 {
			y := math.Min(1-1e-9, math.Max(1e-9, sigmoid(a)))
			return y * (1 - y)
		})},
		{"wrong everywhere", "wrong-in-the-middle", scale(2)},
		{"not a number", "not-finite", after(func(h *mat.Dense) { h.Set(0, 0, math.NaN()) })},
		{"infinite", "not-finite", after(func(h *mat.Dense) { h.Set(0, 0, math.Inf(1)) })},
		{"huge numbers", "derivative", after(func(h *mat.Dense) { // their products overflow
			h.Apply(func(_, _ int, v float64) float64 { return math.Copysign(math.MaxFloat64, v) }, h)
		})},
		{"very large numbers", "derivative", apply(func(i, j int, v float64) float64 { return math.Copysign(1e200, v) })},
		{"very small numbers", "factor", scale(1e-200)},
		{"weights written into Φ", "mutates-inputs", func(w []float64, Phi *mat.Dense) *mat.Dense {
			h := Hessian(w, Phi)
			Phi.Scale(0.5, Phi)
			return h
		}},
		{"w changed", "mutates-inputs", func(w []float64, Phi *mat.Dense) *mat.Dense {
			h := Hessian(w, Phi)
			w[0]++
			return h
		}},
		{"grows with every call", "not-constant", after(func(h *mat.Dense) { calls++; h.Set(0, 0, h.At(0, 0)+calls) })},
	} {
		t.Run(tc.name, func(t *testing.T) {
			gate.Wrong(t, ex15.Exercise(), ex15.Check(tc.answer, NullDirection), tc.key)
		})
	}
}

func TestWrongDirection(t *testing.T) {
	// v returns the right singular vectors, M×M, singular values falling.
	v := func(Phi *mat.Dense) *mat.Dense {
		var svd mat.SVD
		svd.Factorize(Phi, mat.SVDFullV)
		var v mat.Dense
		svd.VTo(&v)
		return &v
	}
	when := func(ok bool, u []float64) ([]float64, bool) { return u, ok }
	for _, tc := range []struct {
		name, key string
		answer    directionFunc
	}{
		{"always", "always-ok", func(Phi *mat.Dense) ([]float64, bool) {
			_, m := Phi.Dims()
			return mat.Col(nil, m-1, v(Phi)), true
		}},
		{"never", "never-ok", func(*mat.Dense) ([]float64, bool) { return nil, false }},
		{"zero vector", "zero-vector", func(Phi *mat.Dense) ([]float64, bool) {
			_, ok := NullDirection(Phi)
			return when(ok, make([]float64, Phi.RawMatrix().Cols))
		}},
		{"first unit vector", "not-flat", func(Phi *mat.Dense) ([]float64, bool) {
			u := make([]float64, Phi.RawMatrix().Cols)
			u[0] = 1
			_, ok := NullDirection(Phi)
			return when(ok, u)
		}},
		{"largest singular value", "wrong-end", func(Phi *mat.Dense) ([]float64, bool) {
			_, ok := NullDirection(Phi)
			return when(ok, mat.Col(nil, 0, v(Phi)))
		}},
		{"U for V", "left-null", func(Phi *mat.Dense) ([]float64, bool) {
			_, ok := NullDirection(Phi)
			return when(ok, make([]float64, Phi.RawMatrix().Rows))
		}},
		{"U for V where it fits", "left-null", func(Phi *mat.Dense) ([]float64, bool) {
			u, ok := NullDirection(Phi)
			if n, m := Phi.Dims(); n == m && ok {
				u = mat.Col(nil, m-1, v(mat.DenseCopyOf(Phi.T())))
			}
			return when(ok, u)
		}},
		{"one entry short", "wrong-length", func(Phi *mat.Dense) ([]float64, bool) {
			u, ok := NullDirection(Phi)
			return when(ok, u[:max(0, len(u)-1)])
		}},
		{"nil and ok", "wrong-length", func(Phi *mat.Dense) ([]float64, bool) {
			_, ok := NullDirection(Phi)
			return when(ok, nil)
		}},
		{"not a number", "not-finite", func(Phi *mat.Dense) ([]float64, bool) {
			u, ok := NullDirection(Phi)
			floats.Scale(math.NaN(), u)
			return when(ok, u)
		}},
		{"infinite", "not-finite", func(Phi *mat.Dense) ([]float64, bool) {
			u, ok := NullDirection(Phi)
			floats.Scale(math.Inf(1), u)
			return when(ok, u)
		}},
		{"fewer points than weights", "counts-only", func(Phi *mat.Dense) ([]float64, bool) {
			n, m := Phi.Dims()
			u, ok := NullDirection(Phi)
			return when(ok && n < m, u)
		}},
		{"determinant is exactly 0", "missed", func(Phi *mat.Dense) ([]float64, bool) {
			var gram mat.Dense
			gram.Mul(Phi.T(), Phi)
			u, _ := NullDirection(Phi)
			return when(mat.Det(&gram) == 0, u)
		}},
		{"singular value below a fixed number", "missed", func(Phi *mat.Dense) ([]float64, bool) {
			n, m := Phi.Dims()
			var svd mat.SVD
			svd.Factorize(Phi, mat.SVDNone)
			return when(n < m || svd.Values(nil)[m-1] < 1e-12, mat.Col(nil, m-1, v(Phi)))
		}},
		{"determinant below a fixed number", "absolute-threshold", func(Phi *mat.Dense) ([]float64, bool) {
			var gram mat.Dense
			gram.Mul(Phi.T(), Phi)
			_, m := Phi.Dims()
			return when(mat.Det(&gram) < 1e-12, mat.Col(nil, m-1, v(Phi)))
		}},
		{"at most as many points as weights", "false-direction", func(Phi *mat.Dense) ([]float64, bool) {
			n, m := Phi.Dims()
			return when(n <= m, mat.Col(nil, m-1, v(Phi)))
		}},
		{"centres Φ in place", "mutates-inputs", func(Phi *mat.Dense) ([]float64, bool) {
			u, ok := NullDirection(Phi)
			Phi.Set(0, 0, Phi.At(0, 0)+1)
			return when(ok, u)
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			gate.Wrong(t, ex15.Exercise(), ex15.Check(Hessian, tc.answer), tc.key)
		})
	}
}

func TestNoAnswer(t *testing.T) {
	todoHessian := func([]float64, *mat.Dense) *mat.Dense { panic(verify.TODO) }
	todoDirection := func(*mat.Dense) ([]float64, bool) { panic(verify.TODO) }
	gate.Outcome(t, ex15.Check(todoHessian, todoDirection), verify.NotAttempted)
	gate.Outcome(t, ex15.Check(func([]float64, *mat.Dense) *mat.Dense { panic("my own") }, func(*mat.Dense) ([]float64, bool) { panic("my own") }), verify.Crashed)
	gate.Outcome(t, ex15.Check(nil, nil), verify.Crashed)
	half := ex15.Check(Hessian, todoDirection)
	if half.Passed() || half.Count(verify.NotAttempted) != 2 || half.Count(verify.Right) != len(half.Parts)-2 {
		t.Errorf("one of two functions written: want two parts NotAttempted and the rest Right:\n%s", half)
	}
}

// TestNotedLoss: a weight that rounds to 0 in the far tail is right, and noted.
func TestNotedLoss(t *testing.T) {
	lossy := ex15.Check(weighting(func(a float64) float64 {
		y := 1 / (1 + math.Exp(-a))
		return y * (1 - y)
	}), NullDirection)
	exact := ex15.Check(Hessian, NullDirection)
	if lossy.Parts[5].Message == exact.Parts[5].Message {
		t.Errorf("the report makes no difference between them: %s", exact.Parts[5].Message)
	}
}

func TestSameReportEachTime(t *testing.T) {
	if first, second := ex15.Check(Hessian, NullDirection).String(), ex15.Check(Hessian, NullDirection).String(); first != second {
		t.Errorf("two runs differ:\n%s\n%s", first, second)
	}
}

func ExampleCheck() {
	gram := func(_ []float64, Phi *mat.Dense) *mat.Dense {
		var h mat.Dense
		h.Mul(Phi.T(), Phi)
		return &h
	}
	fmt.Println(ex15.Check(gram, NullDirection).Parts[1].Message)
	// Output: This is ΦᵀΦ, the Hessian of the sum of squares (4.94): the weights R are left out. Which factor does the sigmoid add when ∇E is differentiated once more?
}
