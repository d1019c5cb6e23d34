package ex03_test

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex03"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// ridge adds lambda to the diagonal of the normal equations.
func ridge(X, T *mat.Dense, x []float64, lambda float64) []float64 {
	B := withOnes(X)
	var gram, right, W mat.Dense
	gram.Mul(B.T(), B)
	for j := range gram.RawMatrix().Rows {
		gram.Set(j, j, gram.At(j, j)+lambda)
	}
	right.Mul(B.T(), T)
	_ = W.Solve(&gram, &right)
	return times(append([]float64{1}, x...), &W)
}

// loose finds constraints that hold to a tolerance relative to the spread.
func loose(T *mat.Dense, tol float64) (A *mat.Dense, b []float64) {
	_, k := T.Dims()
	Z := minus(T, means(T))
	var svd mat.SVD
	svd.Factorize(Z, mat.SVDFullV)
	var v mat.Dense
	svd.VTo(&v)
	var rows []float64
	for i := range k {
		a := mat.Col(nil, i, &v)
		var z mat.VecDense
		z.MulVec(Z, mat.NewVecDense(k, a))
		if mat.Norm(&z, 2) <= tol*mat.Norm(T, 2) {
			rows = append(rows, a...)
			b = append(b, -floats.Dot(a, means(T)))
		}
	}
	if b == nil {
		return nil, nil
	}
	return mat.NewDense(len(b), k, rows), b
}

// byRank is the reference with a rule of its own for which singular values count.
func byRank(T *mat.Dense, counts func(s float64) bool) (A *mat.Dense, b []float64) {
	_, k := T.Dims()
	var svd mat.SVD
	svd.Factorize(minus(T, means(T)), mat.SVDFullV)
	rank := 0
	for _, s := range svd.Values(nil) {
		if counts(s) {
			rank++
		}
	}
	if rank == k {
		return nil, nil
	}
	var v mat.Dense
	svd.VTo(&v)
	A = mat.DenseCopyOf(v.Slice(0, k, rank, k).T())
	for i := range k - rank {
		b = append(b, -floats.Dot(A.RawRowView(i), means(T)))
	}
	return A, b
}

func TestWrongPredict(t *testing.T) {
	after := func(f func(y []float64)) predictor {
		return func(X, T *mat.Dense, x []float64) []float64 {
			y := Predict(X, T, x)
			f(y)
			return y
		}
	}
	calls := 0.0
	for _, tc := range []struct {
		name, key string
		answer    predictor
	}{
		{"nearly satisfied constraints forced", "forced", func(X, T *mat.Dense, x []float64) []float64 {
			y := Predict(X, T, x)
			A, b := loose(T, 1e-2)
			for i := range b { // orthonormal rows
				a := A.RawRowView(i)
				floats.AddScaled(y, -(floats.Dot(a, y) + b[i]), a)
			}
			return y
		}},
		{"no bias", "no-bias", func(X, T *mat.Dense, x []float64) []float64 { return times(x, solve(X, T)) }},
		{"no bias breaks the constraints", "constraint", func(X, T *mat.Dense, x []float64) []float64 { return times(x, solve(X, T)) }},
		{"mean of the targets", "mean", func(_, T *mat.Dense, _ []float64) []float64 { return means(T) }},
		{"bias not used", "bias-not-used", func(X, T *mat.Dense, x []float64) []float64 {
			y := Predict(X, T, x)
			floats.Sub(y, Predict(X, T, make([]float64, len(x))))
			return y
		}},
		{"targets centred, not restored", "targets-not-restored", func(X, T *mat.Dense, x []float64) []float64 {
			y := centred(X, T, x)
			floats.Sub(y, means(T))
			return y
		}},
		{"moved to sum 1", "sum-forced", after(func(y []float64) { floats.AddConst((1-floats.Sum(y))/float64(len(y)), y) })},
		{"divided by the sum", "normalised", after(func(y []float64) { floats.Scale(1/floats.Sum(y), y) })},
		{"softmax", "softmax", after(func(y []float64) {
			top := floats.Max(y)
			for i, v := range y {
				y[i] = math.Exp(v - top)
			}
			floats.Scale(1/floats.Sum(y), y)
		})},
		{"penalty", "not-least-squares", func(X, T *mat.Dense, x []float64) []float64 { return ridge(X, T, x, 0.1) }},
		{"penalty breaks the constraints", "constraint", func(X, T *mat.Dense, x []float64) []float64 { return ridge(X, T, x, 0.1) }},
		{"squared outputs", "not-linear", after(func(y []float64) { floats.Mul(y, append([]float64(nil), y...)) })},
		{"half", "scaled", after(func(y []float64) { floats.Scale(0.5, y) })},
		{"clipped far away", "elsewhere", after(func(y []float64) {
			for i, v := range y {
				if math.Abs(v) < 1500 {
					y[i] = math.Max(-6, math.Min(6, v))
				}
			}
		})},
		{"plain inverse", "singular", func(X, T *mat.Dense, x []float64) []float64 { return ridge(X, T, x, 0) }},
		{"the mean where points are few", "mean", func(X, T *mat.Dense, x []float64) []float64 {
			if n, d := X.Dims(); n < d+1 {
				return means(T)
			}
			return Predict(X, T, x)
		}},
		{"nothing", "empty", func(_, _ *mat.Dense, _ []float64) []float64 { return nil }},
		{"weights of one output", "wrong-length", func(_, _ *mat.Dense, _ []float64) []float64 { return make([]float64, 12) }},
		{"not a number", "not-finite", after(func(y []float64) { y[0] = math.NaN() })},
		{"huge", "not-linear", after(func(y []float64) { y[0] = math.Copysign(math.MaxFloat64, y[0]) })},
		{"writes into T", "mutates-inputs", func(X, T *mat.Dense, x []float64) []float64 {
			y := Predict(X, T, x)
			T.Copy(minus(T, means(T)))
			return y
		}},
		{"changes", "not-constant", after(func(y []float64) { calls++; y[0] += calls })},
	} {
		t.Run(tc.name, func(t *testing.T) { gate.Wrong(t, ex03.Exercise(), ex03.Check(tc.answer, Constraints), tc.key) })
	}
}

func TestWrongConstraints(t *testing.T) {
	after := func(f func(A *mat.Dense, b []float64) (*mat.Dense, []float64)) finder {
		return func(T *mat.Dense) (*mat.Dense, []float64) {
			A, b := Constraints(T)
			if A == nil {
				return A, b
			}
			return f(A, b)
		}
	}
	rows := func(A *mat.Dense, b []float64, n int) (*mat.Dense, []float64) {
		_, k := A.Dims()
		return mat.DenseCopyOf(A.Slice(0, n, 0, k)), b[:n]
	}
	calls := 0.0
	for _, tc := range []struct {
		name, key string
		answer    finder
	}{
		{"one row only", "one-row-only", after(func(A *mat.Dense, b []float64) (*mat.Dense, []float64) { return rows(A, b, 1) })},
		{"last row lost", "incomplete", after(func(A *mat.Dense, b []float64) (*mat.Dense, []float64) {
			if len(b) > 2 {
				return rows(A, b, len(b)-1)
			}
			return A, b
		})},
		{"never", "none-found", func(*mat.Dense) (*mat.Dense, []float64) { return nil, nil }},
		{"sum to 1 always", "not-satisfied", func(T *mat.Dense) (*mat.Dense, []float64) {
			_, k := T.Dims()
			A := mat.NewDense(1, k, nil)
			A.Apply(func(_, _ int, _ float64) float64 { return 1 }, A)
			return A, []float64{-1}
		}},
		{"not centred", "through-origin", func(T *mat.Dense) (*mat.Dense, []float64) {
			_, k := T.Dims()
			var svd mat.SVD
			svd.Factorize(T, mat.SVDFullV)
			rank := svd.Rank(1e-9)
			if rank == k {
				return nil, nil
			}
			var v mat.Dense
			svd.VTo(&v)
			return mat.DenseCopyOf(v.Slice(0, k, rank, k).T()), make([]float64, k-rank)
		}},
		{"b forgotten", "b-off", after(func(A *mat.Dense, b []float64) (*mat.Dense, []float64) { return A, make([]float64, len(b)) })},
		{"sign of b", "b-sign", after(func(A *mat.Dense, b []float64) (*mat.Dense, []float64) { floats.Scale(-1, b); return A, b })},
		{"loose", "invented", func(T *mat.Dense) (*mat.Dense, []float64) { return loose(T, 1e-2) }},
		{"loose finds too many", "too-many", func(T *mat.Dense) (*mat.Dense, []float64) { return loose(T, 1e-2) }},
		{"last target left out", "invented", func(T *mat.Dense) (*mat.Dense, []float64) {
			n, k := T.Dims()
			return Constraints(mat.DenseCopyOf(T.Slice(0, n-1, 0, k)))
		}},
		{"fixed tolerance", "absolute-threshold", func(T *mat.Dense) (*mat.Dense, []float64) { return byRank(T, func(s float64) bool { return s > 1e-8 }) }},
		{"fixed tolerance, very small", "absolute-threshold", func(T *mat.Dense) (*mat.Dense, []float64) {
			return byRank(T, func(s float64) bool { return s > 1e-11 })
		}},
		{"strictly below the tolerance", "zero-targets", func(T *mat.Dense) (*mat.Dense, []float64) {
			return byRank(T, func(s float64) bool { return s >= 1e-9*mat.Norm(T, 2) })
		}},
		{"exact zeros only", "none-found", func(T *mat.Dense) (*mat.Dense, []float64) { return loose(T, 0) }},
		{"a row twice", "dependent-rows", after(func(A *mat.Dense, b []float64) (*mat.Dense, []float64) {
			var two mat.Dense
			two.Stack(A, A)
			return &two, append(append([]float64(nil), b...), b...)
		})},
		{"a row of zeros", "zero-row", after(func(A *mat.Dense, b []float64) (*mat.Dense, []float64) {
			clear(A.RawRowView(0))
			b[0] = 0
			return A, b
		})},
		{"one per column", "transposed", after(func(A *mat.Dense, b []float64) (*mat.Dense, []float64) { return mat.DenseCopyOf(A.T()), b })},
		{"left singular vectors", "left-null", func(T *mat.Dense) (*mat.Dense, []float64) {
			n, _ := T.Dims()
			return mat.NewDense(1, n, nil), []float64{0}
		}},
		{"a column too many", "wrong-shape", after(func(A *mat.Dense, b []float64) (*mat.Dense, []float64) {
			var wide mat.Dense
			wide.Augment(A, mat.NewDense(len(b), 1, b))
			return &wide, b
		})},
		{"b without A", "b-without-a", func(*mat.Dense) (*mat.Dense, []float64) { return nil, []float64{1} }},
		{"A without b", "empty", after(func(A *mat.Dense, _ []float64) (*mat.Dense, []float64) { return A, nil })},
		{"b too long", "wrong-length", after(func(A *mat.Dense, b []float64) (*mat.Dense, []float64) { return A, append(b, 0) })},
		{"not a number", "not-finite", after(func(A *mat.Dense, b []float64) (*mat.Dense, []float64) { A.Set(0, 0, math.NaN()); return A, b })},
		{"infinite b", "not-finite", after(func(A *mat.Dense, b []float64) (*mat.Dense, []float64) { b[0] = math.Inf(1); return A, b })},
		{"huge", "zero-row", after(func(A *mat.Dense, b []float64) (*mat.Dense, []float64) {
			A.Apply(func(_, _ int, v float64) float64 { return math.Copysign(math.MaxFloat64, v) }, A)
			return A, b
		})},
		{"centres T in place", "mutates-inputs", func(T *mat.Dense) (*mat.Dense, []float64) {
			A, b := Constraints(T)
			T.Copy(minus(T, means(T)))
			return A, b
		}},
		{"changes", "not-constant", after(func(A *mat.Dense, b []float64) (*mat.Dense, []float64) {
			calls++
			A.Set(0, 0, A.At(0, 0)+calls)
			return A, b
		})},
	} {
		t.Run(tc.name, func(t *testing.T) { gate.Wrong(t, ex03.Exercise(), ex03.Check(Predict, tc.answer), tc.key) })
	}
}

func TestTogether(t *testing.T) {
	noBias := func(X, T *mat.Dense, x []float64) []float64 { return times(x, solve(X, T)) }
	gate.Wrong(t, ex03.Exercise(), ex03.Check(noBias, Constraints), "not-together")
}

func TestNoAnswer(t *testing.T) {
	todoPredict := func(_, _ *mat.Dense, _ []float64) []float64 { panic(verify.TODO) }
	todoFind := func(*mat.Dense) (*mat.Dense, []float64) { panic(verify.TODO) }
	gate.Outcome(t, ex03.Check(todoPredict, todoFind), verify.NotAttempted)
	gate.Outcome(t, ex03.Check(func(_, _ *mat.Dense, _ []float64) []float64 { panic("my own") }, func(*mat.Dense) (*mat.Dense, []float64) { panic("my own") }), verify.Crashed)
	gate.Outcome(t, ex03.Check(nil, nil), verify.Crashed)
	half := ex03.Check(Predict, todoFind)
	if half.Passed() || half.Count(verify.NotAttempted) != 3 || half.Count(verify.Right) != 5 {
		t.Errorf("one of two functions written: want three parts NotAttempted and five Right:\n%s", half)
	}
}

func TestSameReportEachTime(t *testing.T) {
	if first, second := ex03.Check(Predict, Constraints).String(), ex03.Check(Predict, Constraints).String(); first != second {
		t.Errorf("two runs differ:\n%s\n%s", first, second)
	}
}

func ExampleCheck() {
	mean := func(_, T *mat.Dense, _ []float64) []float64 { return means(T) }
	fmt.Println(ex03.Check(mean, Constraints).Parts[1].Message)
	// Output: You return the mean of the targets for every x. It satisfies every constraint, but it is the best constant: the inputs are not used.
}
