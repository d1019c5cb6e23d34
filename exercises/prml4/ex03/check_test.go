package ex03_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/leastsquares"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/leastsquares/forms"
	"github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex03"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

type (
	predictor = leastsquares.Predictor
	finder    = func(T *mat.Dense) (*mat.Dense, []float64)
)

func checkPredict(f predictor) *verify.Report  { return ex03.Check(f, Constraints) }
func checkConstraints(f finder) *verify.Report { return ex03.Check(Predict, f) }

func TestFunctions(t *testing.T) {
	// "calls" omits the test of the number of calls: Check calls Predict 488 times, because one
	// call predicts at only one of the many inputs of a problem
	gate.Functions(t, ex03.Exercise(), gate.Of(checkPredict, Predict, "calls"), gate.Of(checkConstraints, Constraints))
}

func TestRight(t *testing.T) {
	gate.Rights(t, checkPredict, forms.Rights(Predict))
	gate.Rights(t, checkConstraints, map[string]finder{
		"null space of T with a constant column appended": byExtension,
		"rows scaled and mixed with each other": func(T *mat.Dense) (*mat.Dense, []float64) {
			A, b := Constraints(T)
			if A == nil {
				return nil, nil
			}
			for i := 1; i < len(b); i++ {
				floats.Add(A.RawRowView(i), A.RawRowView(i-1))
				b[i] += b[i-1]
			}
			A.Scale(-1e3, A)
			floats.Scale(-1e3, b)
			return A, b
		},
		"an empty matrix if there are no constraints": func(T *mat.Dense) (*mat.Dense, []float64) {
			A, b := Constraints(T)
			if A == nil {
				return &mat.Dense{}, []float64{}
			}
			return A, b
		},
	})
}

// TestWrongPredict checks wrong answers that are not in the tables of mistakes in check.go. For
// each answer, the report must contain the expected key, that is, the name of the mistake.
func TestWrongPredict(t *testing.T) {
	slopeMore := forms.Wrongs()["constraint"]
	gate.Wrongs(t, ex03.Exercise(), checkPredict, forms.Wrongs())
	gate.Wrongs(t, ex03.Exercise(), checkPredict, map[string][]predictor{
		"forced": {forms.AsManyPoints, func(X, T *mat.Dense, x []float64) []float64 {
			// this answer also makes the predictions satisfy constraints that the targets only
			// nearly satisfy
			y := Predict(X, T, x)
			A, b := byRank(T, mat.SVDFullV, func(s float64) bool { return s > 1e-2*mat.Norm(T, 2) })
			for i := range b { // this projection is right because the rows of A are orthonormal
				a := A.RawRowView(i)
				floats.AddScaled(y, -(floats.Dot(a, y) + b[i]), a)
			}
			return y
		}},
		// the last answer of this list computes no bias
		"not-together": append(slopeMore, forms.Ridge(0.1, true), func(X, T *mat.Dense, x []float64) []float64 {
			return leastsquares.Times(x, leastsquares.Solve(X, T, leastsquares.FullRank))
		}),
		"not-linear": {leastsquares.After(func(y []float64) { floats.Mul(y, slices.Clone(y)) })},
		"scaled": {leastsquares.After(func(y []float64) { floats.Scale(0.5, y) }),
			leastsquares.After(func(y []float64) { floats.Scale(-1, y) })},
		"elsewhere": {leastsquares.After(func(y []float64) {
			for i, v := range y {
				if math.Abs(v) < 1500 {
					y[i] = math.Max(-6, math.Min(6, v))
				}
			}
		})},
		"singular": {forms.Ridge(0, true),
			forms.Instead(func(X, _ *mat.Dense, _ []float64) bool { return X.RawMatrix().Rows == 1 })},
		"weights-returned": {func(_, _ *mat.Dense, x []float64) []float64 { return make([]float64, len(x)) }},
	})
	t.Run("a penalty is not mistaken for a plain inverse", func(t *testing.T) {
		for _, p := range checkPredict(forms.Ridge(1e-5, true)).Parts {
			if p.Key == "singular" {
				t.Errorf("part %q has the key %q, want a different key", p.Name, p.Key)
			}
		}
	})
}

// TestWrongConstraints checks wrong answers that are not in the tables of mistakes in check.go. For
// each answer, the report must contain the expected key, that is, the name of the mistake.
func TestWrongConstraints(t *testing.T) {
	after := func(f func(A *mat.Dense, b []float64) (*mat.Dense, []float64)) finder {
		return func(T *mat.Dense) (*mat.Dense, []float64) {
			A, b := Constraints(T)
			if A != nil {
				A, b = f(A, b)
			}
			return A, b
		}
	}
	rows := func(A *mat.Dense, b []float64, n int) (*mat.Dense, []float64) {
		_, k := A.Dims()
		return mat.DenseCopyOf(A.Slice(0, n, 0, k)), b[:n]
	}
	ranked := func(relative, absolute float64) finder {
		return func(T *mat.Dense) (*mat.Dense, []float64) {
			return byRank(T, mat.SVDFullV, func(s float64) bool { return s > relative*mat.Norm(T, 2)+absolute })
		}
	}
	gate.Wrongs(t, ex03.Exercise(), checkConstraints, map[string][]finder{
		"few-targets": {func(T *mat.Dense) (*mat.Dense, []float64) {
			// this answer ignores the directions for which the thin SVD computes no singular vector
			return byRank(T, mat.SVDThinV, func(s float64) bool { return s > 1e-9*mat.Norm(T, 2) })
		}},
		"one-row-only": {after(func(A *mat.Dense, b []float64) (*mat.Dense, []float64) { return rows(A, b, 1) })},
		"incomplete": {after(func(A *mat.Dense, b []float64) (*mat.Dense, []float64) {
			if len(b) > 2 {
				return rows(A, b, len(b)-1)
			}
			return A, b
		})},
		"none-found": {func(*mat.Dense) (*mat.Dense, []float64) { return nil, nil }, ranked(0, 0)},
		"not-satisfied": {
			func(T *mat.Dense) (*mat.Dense, []float64) { // this answer claims that targets sum to 1
				_, k := T.Dims()
				return mat.NewDense(1, k, slices.Repeat([]float64{1}, k)), []float64{-1}
			},
			func(T *mat.Dense) (*mat.Dense, []float64) { // this answer ignores the last of several targets
				n, k := T.Dims()
				return Constraints(mat.DenseCopyOf(T.Slice(0, max(1, n-1), 0, k)))
			},
		},
		"invented": {ranked(1e-7, 0), ranked(1e-6, 0), ranked(1e-5, 0), ranked(1e-4, 0), ranked(3e-4, 0),
			ranked(1e-2, 0)},
		"too-many":           {ranked(1e-7, 0), ranked(1e-2, 0)},
		"too-strict":         {ranked(1e-12, 0), ranked(1e-13, 0)},
		"absolute-threshold": {ranked(0, 1e-8), ranked(0, 1e-11)},
		"b-off": {after(func(A *mat.Dense, b []float64) (*mat.Dense,
			[]float64) {
			floats.Scale(7, b)
			return A, b
		})},
		"zero-targets": {func(T *mat.Dense) (*mat.Dense, []float64) {
			return byRank(T, mat.SVDFullV, func(s float64) bool { return s >= 1e-9*mat.Norm(T, 2) })
		}},
		"dependent-rows": {
			after(func(A *mat.Dense, b []float64) (*mat.Dense, []float64) {
				var two mat.Dense
				two.Stack(A, A)
				return &two, slices.Concat(b, b)
			}),
			after(func(A *mat.Dense, b []float64) (*mat.Dense, []float64) { // the new A has more rows than columns
				_, k := A.Dims()
				return mat.NewDense(k+1, k, slices.Repeat(A.RawRowView(0), k+1)), slices.Repeat(b[:1], k+1)
			}),
		},
		"zero-row": {
			after(func(A *mat.Dense, b []float64) (*mat.Dense, []float64) {
				clear(A.RawRowView(0))
				b[0] = 0
				return A, b
			}),
			after(func(A *mat.Dense, b []float64) (*mat.Dense, []float64) {
				A.Apply(func(_, _ int, v float64) float64 { return math.Copysign(math.MaxFloat64, v) }, A)
				return A, b
			}),
		},
		"transposed": {after(func(A *mat.Dense, b []float64) (*mat.Dense, []float64) {
			return mat.DenseCopyOf(A.T()),
				b
		})},
		"left-null": {func(T *mat.Dense) (*mat.Dense, []float64) {
			n, _ := T.Dims()
			return mat.NewDense(1, n, nil), []float64{0}
		}},
		"wrong-shape": {after(func(A *mat.Dense, b []float64) (*mat.Dense, []float64) {
			var wide mat.Dense
			wide.Augment(A, mat.NewDense(len(b), 1, b))
			return &wide, b
		})},
		"not-together": {func(*mat.Dense) (*mat.Dense, []float64) { return nil, []float64{1} }},
	})
}

// byRank computes the constraints from the SVD of the centred targets, like the reference answer. But
// the argument `kind` selects the kind of SVD, and the function `counts` decides which singular
// values count as different from 0.
func byRank(T *mat.Dense, kind mat.SVDKind, counts func(s float64) bool) (A *mat.Dense, b []float64) {
	var svd mat.SVD
	svd.Factorize(instance.Centred(T, instance.Mean(T)), kind)
	var v mat.Dense
	svd.VTo(&v)
	var rows []float64
	values, mean := svd.Values(nil), instance.Mean(T)
	for j := range v.RawMatrix().Cols {
		if j >= len(values) || !counts(values[j]) {
			a := mat.Col(nil, j, &v)
			rows, b = append(rows, a...), append(b, -floats.Dot(a, mean))
		}
	}
	if b == nil {
		return nil, nil
	}
	return mat.NewDense(len(b), len(mean), rows), b
}

// byExtension computes the constraints without the mean of the targets. It appends a column to T in
// which every entry is s, a number about as large as the targets. A vector a and a number b form a
// constraint if [T s]·(a, b/s) = 0.
func byExtension(T *mat.Dense) (A *mat.Dense, b []float64) {
	n, k := T.Dims()
	s := mat.Norm(T, 2) / math.Sqrt(float64(n))
	if s == 0 {
		s = 1
	}
	var ext mat.Dense
	ext.Augment(T, mat.NewDense(n, 1, slices.Repeat([]float64{s}, n)))
	var svd mat.SVD
	svd.Factorize(&ext, mat.SVDFullV)
	var v mat.Dense
	svd.VTo(&v)
	var rows []float64
	for j := svd.Rank(1e-9); j < k+1; j++ {
		z := mat.Col(nil, j, &v)
		rows, b = append(rows, z[:k]...), append(b, s*z[k])
	}
	if b == nil {
		return nil, nil
	}
	return mat.NewDense(len(b), k, rows), b
}

func ExampleCheck() {
	mean := func(_, T *mat.Dense, _ []float64) []float64 { return instance.Mean(T) }
	fmt.Println(ex03.Check(mean, Constraints).Parts[1].Key)
	// Output: mean
}

/*
Equivalent mutants

Constraints: for i := range n → for i := 1; i < n; i++
Constraints: for i := range n → for i := range n-1
    One row of the centred targets stays 0. The deviations from the mean sum to 0, so each is minus the sum of the others. The
    remaining rows span the same space, and the same vectors a are orthogonal to them.

Constraints: centred.Set(i, j, T.At(i, j)-mean[j]) → centred.Set(i, j, -(T.At(i, j)-mean[j]))
Constraints: centred.Set(i, j, T.At(i, j)-mean[j]) → centred.Set(i, j, 2*(T.At(i, j)-mean[j]))
Constraints: centred.Set(i, j, T.At(i, j)-mean[j]) → centred.Set(i, j, (T.At(i, j)-mean[j])/2)
    All deviations are multiplied by one number. The same vectors a are then orthogonal to them. The singular values
    change by a factor of at most 2. The statement allows this: any norm may be the size of T, and the result is not
    determined for errors between 1e-9 and 2e-8 of the size.

Constraints: if s > 1e-9*mat.Norm(T, 2) → if s > 1e-9*mat.Norm(T, 1)
    The statement does not define "the size of T", so a learner may use either norm. No problem has an error between
    the two limits: mat.Norm(T, 1) is between 1/√K and √N times mat.Norm(T, 2), and the two norms are 0 for the same T.
*/
