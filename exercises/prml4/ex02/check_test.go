package ex02_test

import (
	"fmt"
	"maps"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/instance"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/leastsquares"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/leastsquares/forms"
	"github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex02"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

type predictor = leastsquares.Predictor

func TestFunctions(t *testing.T) { gate.Functions(t, ex02.Exercise(), gate.Of(ex02.Check, Predict)) }

func TestRight(t *testing.T) {
	answers := forms.Rights(Predict)
	maps.Copy(answers, map[string]predictor{
		"Gram-Schmidt": gramSchmidt,
		"normal equations of the independent columns of [1 X]": independentColumns,
		"dual form with one weight per target":                 dual,
		"targets shifted, normal equations":                    forms.Recoded(forms.Pseudo, 1, -0.3),
		"targets recoded, Gram-Schmidt":                        forms.Recoded(gramSchmidt, 2, -1),
		"arbitrary weights, corrected by a fit of their residuals": func(X, T *mat.Dense, x []float64) []float64 {
			_, d := X.Dims()
			_, k := T.Dims()
			guess := mat.NewDense(d+1, k, nil)
			guess.Apply(func(i, j int, _ float64) float64 { return 0.1 * float64(1+i+2*j) }, guess)
			var left mat.Dense
			left.Mul(instance.WithOnes(X), guess)
			left.Sub(T, &left)
			y := Predict(X, &left, x)
			floats.Add(y, forms.Apply(guess, x))
			return y
		},
		"rounding of 1e-15":               noisy(1e-15),
		"errors just below the tolerance": noisy(3e-8),
	})
	gate.Rights(t, ex02.Check, answers)
}

// noisy returns an answer that adds positive and negative errors to the result of Predict. The
// absolute value of an error is at most part·m, where m is the largest mean |t| of a column of T.
func noisy(part float64) predictor {
	return func(X, T *mat.Dense, x []float64) []float64 {
		y := Predict(X, T, x)
		for i := range y {
			y[i] += part * mat.Norm(T, 1) / float64(T.RawMatrix().Rows) * math.Sin(1e3*float64(1+i)*floats.Sum(x))
		}
		return y
	}
}

// TestPlainInverse checks answers that need independent columns of [1 X], such as an answer that
// computes the inverse of [1 X]ᵀ[1 X]. Therefore the part of the report that tests dependent columns
// must be Wrong, and all other parts must be Right.
func TestPlainInverse(t *testing.T) {
	for name, answer := range map[string]predictor{
		"inverse, error ignored": func(X, T *mat.Dense, x []float64) []float64 {
			gram, right := forms.Equations(X, T)
			var inverse, W mat.Dense
			_ = inverse.Inverse(gram)
			W.Mul(&inverse, right)
			return forms.Apply(&W, x)
		},
		"normal equations solved with the error ignored": forms.Ridge(0, true),
		"Solve, with a panic on its error": func(X, T *mat.Dense, x []float64) []float64 {
			var W mat.Dense
			if err := W.Solve(instance.WithOnes(X), T); err != nil {
				panic(err)
			}
			return forms.Apply(&W, x)
		},
		"QR, with a panic on its error": func(X, T *mat.Dense, x []float64) []float64 {
			var qr mat.QR
			qr.Factorize(instance.WithOnes(X))
			var W mat.Dense
			if err := qr.SolveTo(&W, false, T); err != nil {
				panic(err)
			}
			return forms.Apply(&W, x)
		},
		"Cholesky, or the mean of the targets if it fails": func(X, T *mat.Dense, x []float64) []float64 {
			gram, right := forms.Equations(X, T)
			var chol mat.Cholesky
			if !chol.Factorize(mat.NewSymDense(len(x)+1, gram.RawMatrix().Data)) {
				return instance.Mean(T)
			}
			var W mat.Dense
			_ = chol.SolveTo(&W, right)
			return forms.Apply(&W, x)
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := ex02.Check(answer)
			gate.Wrong(t, ex02.Exercise(), r, "singular")
			if r.Count(verify.Right) != len(r.Parts)-1 {
				t.Errorf("want all parts except the part on dependent columns to be Right, got\n%s", r)
			}
		})
	}
}

// TestWrong checks wrong answers that are not in the tables of mistakes in check.go. For each
// answer, the report must contain the expected key, that is, the name of the mistake.
func TestWrong(t *testing.T) {
	slopeMore := forms.Wrongs()["constraint"]
	gate.Wrongs(t, ex02.Exercise(), ex02.Check, forms.Wrongs())
	gate.Wrongs(t, ex02.Exercise(), ex02.Check, map[string][]predictor{
		"ridge-bias": {func(X, T *mat.Dense, x []float64) []float64 {
			// this answer adds a penalty only if the normal equations are singular
			gram, right := forms.Equations(X, T)
			var W mat.Dense
			if W.Solve(gram, right) != nil {
				return forms.Ridge(1e-6, true)(X, T, x)
			}
			return forms.Apply(&W, x)
		}},
		"ridge":   {forms.Ridge(0.1, false), forms.Ridge(1e-8, false)},
		"cut-off": {forms.Cut(1e-4, 0), forms.Cut(0, 0.01), forms.Cut(0, 1e-3)},
		"bias-off": {func(X, T *mat.Dense, x []float64) []float64 {
			// this answer computes the bias from the first point only
			y := Predict(X, T, x)
			floats.Sub(y, Predict(X, T, X.RawRowView(0)))
			floats.Add(y, T.RawRowView(0))
			return y
		}},
		"interpolates": {func(X, T *mat.Dense, x []float64) []float64 {
			for i := range X.RawMatrix().Rows {
				if floats.Equal(X.RawRowView(i), x) {
					return T.RawRowView(i)
				}
			}
			return Predict(X, T, x)
		}},
		"not-linear": {
			leastsquares.After(func(y []float64) {
				for i, v := range y {
					y[i] = math.Abs(v)
				}
			}),
			leastsquares.After(func(y []float64) { // the squares of these outputs overflow
				for i, v := range y {
					y[i] = math.Copysign(math.MaxFloat64, v)
				}
			}),
		},
		"sum": slopeMore,
		"not-least-squares": {descent,
			forms.Instead(func(_, T *mat.Dense, _ []float64) bool { return T.RawMatrix().Cols == 1 })},
		"transposed": {func(X, _ *mat.Dense, _ []float64) []float64 {
			return make([]float64,
				X.RawMatrix().Rows)
		}},
		"weights-returned": {func(_, _ *mat.Dense, x []float64) []float64 { return make([]float64, len(x)+1) }},
		// this answer adds the number 1 − Σ_k y_k to the first output
		"sum-forced": {leastsquares.After(func(y []float64) { y[0] += 1 - floats.Sum(y) })},
	})
	for name, answer := range map[string]predictor{
		"as many points as weights": forms.AsManyPoints,
		"a class without points": forms.Instead(func(_, T *mat.Dense, _ []float64) bool {
			return mat.Norm(T.ColView(1), 2) == 0 && T.RawMatrix().Rows > 1
		}),
	} {
		t.Run(name, func(t *testing.T) {
			if r := ex02.Check(answer); r.Passed() || !strings.Contains(r.Parts[1].Message, name) {
				t.Errorf("want a report with a Wrong part 2 whose message contains %q, got\n%s", name, r)
			}
		})
	}
}

// TestMessages checks that the report does not claim a mistake that the answer does not contain.
func TestMessages(t *testing.T) {
	for name, tc := range map[string]struct {
		answer predictor
		never  string
	}{
		"the last entry makes the sum 1": {leastsquares.After(func(y []float64) { y[len(y)-1] += 1 - floats.Sum(y) }),
			"singular"},
		"cut off too early": {forms.Cut(1e-3, 0), "no-bias"},
		"cut off at 0.01":   {forms.Cut(0, 0.01), "singular"},
		"a penalty":         {forms.Ridge(1e-7, true), "singular"},
	} {
		t.Run(name, func(t *testing.T) {
			r := ex02.Check(tc.answer)
			for _, p := range r.Parts {
				if p.Key == tc.never {
					t.Errorf("part %q has the wrong key %q:\n%s", p.Name, p.Key, r)
				}
			}
		})
	}
}

// TestOwnPanicInRankPart checks that a panic outside gonum is reported as a panic of the learner's
// code. The part of the report that tests the rank has its own message for panics of gonum.
func TestOwnPanicInRankPart(t *testing.T) {
	r := ex02.Check(func(X, T *mat.Dense, x []float64) []float64 {
		if n, d := X.Dims(); n < d+1 {
			panic("too few points")
		}
		return Predict(X, T, x)
	})
	if got := r.Parts[3]; got.Outcome != verify.Crashed || got.Key != "panic" {
		t.Errorf("part 4 is %v with key %q, want a crash with key \"panic\":\n%s", got.Outcome, got.Key, r)
	}
}

// descent minimises the sum of squares by gradient descent and stops too early.
func descent(X, T *mat.Dense, x []float64) []float64 {
	gram, right := forms.Equations(X, T)
	W := mat.NewDense(len(x)+1, T.RawMatrix().Cols, nil)
	for range 200 {
		var gradient mat.Dense
		gradient.Mul(gram, W)
		gradient.Sub(&gradient, right)
		gradient.Scale(1/mat.Trace(gram), &gradient)
		W.Sub(W, &gradient)
	}
	return forms.Apply(W, x)
}

// gramSchmidt makes the columns of [1 X] orthogonal, one after the other, and computes the
// prediction from the orthogonal columns. It drops a column if almost nothing of the column is
// left. It applies the same steps to the new input x.
func gramSchmidt(X, T *mat.Dense, x []float64) []float64 {
	B, at := instance.WithOnes(X), append([]float64{1}, x...)
	n, p := B.Dims()
	_, k := T.Dims()
	y := make([]float64, k)
	var axes [][]float64
	var values []float64
	for j := range p {
		q, v := mat.Col(nil, j, B), at[j]
		length := floats.Norm(q, 2)
		for range 2 { // a second round of projections removes the rounding errors of the first round
			for i, a := range axes {
				c := floats.Dot(a, q)
				floats.AddScaled(q, -c, a)
				v -= c * values[i]
			}
		}
		rest := floats.Norm(q, 2)
		if rest <= 1e-10*length {
			continue
		}
		floats.Scale(1/rest, q)
		axes, values = append(axes, q), append(values, v/rest)
	}
	for c := range k {
		t := mat.Col(make([]float64, n), c, T)
		for i, a := range axes {
			y[c] += floats.Dot(a, t) * values[i]
		}
	}
	return y
}

// independentColumns keeps the columns of [1 X] that do not depend on earlier columns, scales them
// to length 1, and solves their normal equations. The weights of all other columns stay 0, so the
// weights differ from the pseudo-inverse solution, but the predictions do not.
func independentColumns(X, T *mat.Dense, x []float64) []float64 {
	ones, at := instance.WithOnes(X), append([]float64{1}, x...)
	n, p := ones.Dims()
	kept, own := &mat.Dense{}, []float64{}
	for j := range p {
		column := mat.Col(nil, j, ones)
		length := floats.Norm(column, 2)
		if length == 0 || len(own) == n {
			continue
		}
		floats.Scale(1/length, column)
		wider := mat.NewDense(n, len(own)+1, nil)
		wider.Copy(kept)
		wider.SetCol(len(own), column)
		var svd mat.SVD
		if svd.Factorize(wider, mat.SVDNone) && svd.Values(nil)[len(own)] > 1e-10 {
			kept, own = wider, append(own, at[j]/length)
		}
	}
	var gram, right, W mat.Dense
	gram.Mul(kept.T(), kept)
	right.Mul(kept.T(), T)
	_ = W.Solve(&gram, &right)
	return leastsquares.Times(own, &W)
}

// dual computes y(x) = Tᵀc without computing W. Here c = B(BᵀB)⁺x̃ = (BBᵀ)⁺B x̃, with B = [1 X] and
// x̃ = (1, x).
func dual(X, T *mat.Dense, x []float64) []float64 {
	B := instance.WithOnes(X)
	n, p := B.Dims()
	var gram, bx mat.Dense // gram is N×N, and its rank is at most D+1
	gram.Mul(B, B.T())
	bx.Mul(B, mat.NewDense(p, 1, append([]float64{1}, x...)))
	var svd mat.SVD
	svd.Factorize(&gram, mat.SVDNone)
	rank := min(n, p, svd.Rank(1e-12))
	return leastsquares.Times(mat.Col(nil, 0, leastsquares.Solve(&gram, &bx, rank)), T)
}

func ExampleCheck() {
	mean := func(_, T *mat.Dense, _ []float64) []float64 { return instance.Mean(T) }
	fmt.Println(ex02.Check(mean).Parts[1].Key)
	// Output: mean
}

/*
Equivalent mutants

Predict: ones := mat.NewDense(n, d+1, nil) → ones := mat.NewDense(n, d+2, nil)
    The additional column contains only zeros. It adds no direction to the columns of [1 X], so the fit is the same. The
    pseudo-inverse gives it the weight 0, and no entry of x belongs to it.
*/
