package ex24_test

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex24"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// mean and variance are the reference with one of its results replaced.
func mean(f func(phi, m []float64, S *mat.SymDense) float64) projectFunc {
	return func(phi, m []float64, S *mat.SymDense) (float64, float64) {
		_, v := Project(phi, m, S)
		return f(phi, m, S), v
	}
}

func variance(f func(phi, m []float64, S *mat.SymDense) float64) projectFunc {
	return func(phi, m []float64, S *mat.SymDense) (float64, float64) {
		mu, _ := Project(phi, m, S)
		return mu, f(phi, m, S)
	}
}

// changed is the reference with its variance passed through g.
func changed(g func(v, mu float64) float64) projectFunc {
	return func(phi, m []float64, S *mat.SymDense) (float64, float64) {
		mu, v := Project(phi, m, S)
		return mu, g(v, mu)
	}
}

func form(u []float64, S mat.Matrix, v []float64) float64 {
	return mat.Inner(mat.NewVecDense(len(u), u), S, mat.NewVecDense(len(v), v))
}

func inverse(S *mat.SymDense) *mat.Dense {
	var inv mat.Dense
	if inv.Inverse(S) != nil {
		n := S.SymmetricDim()
		inv = *mat.NewDense(n, n, nil)
		inv.Set(0, 0, math.NaN())
	}
	return &inv
}

func ones(n int) []float64 {
	v := make([]float64, n)
	floats.AddConst(1, v)
	return v
}

func some(keep func(i, j int) bool) projectFunc {
	return variance(func(phi, _ []float64, S *mat.SymDense) float64 {
		sum := 0.0
		for i := range phi {
			for j := range phi {
				if keep(i, j) {
					sum += phi[i] * S.At(i, j) * phi[j]
				}
			}
		}
		return sum
	})
}

func TestWrong(t *testing.T) {
	calls := 0.0
	for _, tc := range []struct {
		name, key string
		answer    projectFunc
	}{
		{"sum of m", "mean-of-weights-alone", mean(func(_, m []float64, _ *mat.SymDense) float64 { return floats.Sum(m) })},
		{"first of m", "mean-of-weights-alone", mean(func(_, m []float64, _ *mat.SymDense) float64 { return m[0] })},
		{"mᵀm", "mean-of-weights-alone", mean(func(_, m []float64, _ *mat.SymDense) float64 { return floats.Dot(m, m) })},
		{"−μ", "mean-sign", mean(func(phi, m []float64, _ *mat.SymDense) float64 { return -floats.Dot(phi, m) })},
		{"μ/M", "mean-averaged", mean(func(phi, m []float64, _ *mat.SymDense) float64 { return floats.Dot(phi, m) / float64(len(m)) })},
		{"no bias", "bias-forgotten", mean(func(phi, m []float64, _ *mat.SymDense) float64 { return floats.Dot(phi[1:], m[1:]) })},
		{"last weight forgotten", "last-forgotten", mean(func(phi, m []float64, _ *mat.SymDense) float64 {
			return floats.Dot(phi[:len(phi)-1], m[:len(m)-1])
		})},
		{"φᵀSm", "mean-with-covariance", mean(func(phi, m []float64, S *mat.SymDense) float64 { return form(phi, S, m) })},
		{"σ(μ)", "sigmoid-applied", mean(func(phi, m []float64, _ *mat.SymDense) float64 { return 1 / (1 + math.Exp(-floats.Dot(phi, m))) })},
		{"κμ", "kappa-applied", mean(func(phi, m []float64, S *mat.SymDense) float64 {
			return floats.Dot(phi, m) / math.Sqrt(1+math.Pi*form(phi, S, phi)/8)
		})},
		{"mean 0", "mean-zero", mean(func(_, _ []float64, _ *mat.SymDense) float64 { return 0 })},
		{"mean nearly", "mean", mean(func(phi, m []float64, _ *mat.SymDense) float64 { return floats.Dot(phi, m) + 1e-4 })},
		{"swapped", "results-swapped", func(phi, m []float64, S *mat.SymDense) (float64, float64) {
			mu, v := Project(phi, m, S)
			return v, mu
		}},
		{"φᵀS⁻¹φ", "covariance-as-precision", variance(func(phi, _ []float64, S *mat.SymDense) float64 { return form(phi, inverse(S), phi) })},
		{"1/(φᵀS⁻¹φ)", "covariance-as-precision", variance(func(phi, _ []float64, S *mat.SymDense) float64 { return 1 / form(phi, inverse(S), phi) })},
		{"1/σ²", "precision-returned", changed(func(v, _ float64) float64 { return 1 / v })},
		{"σ", "standard-deviation", changed(func(v, _ float64) float64 { return math.Sqrt(v) })},
		{"σ⁴", "variance-squared", changed(func(v, _ float64) float64 { return v * v })},
		{"diagonal", "off-diagonals-dropped", some(func(i, j int) bool { return i == j })},
		{"one triangle", "covariances-once", some(func(i, j int) bool { return i >= j })},
		{"φ once", "features-once", variance(func(phi, _ []float64, S *mat.SymDense) float64 { return form(phi, S, ones(len(phi))) })},
		{"sum of S", "features-left-out", variance(func(_, _ []float64, S *mat.SymDense) float64 { return mat.Sum(S) })},
		{"trace", "features-left-out", variance(func(_, _ []float64, S *mat.SymDense) float64 { return mat.Trace(S) })},
		{"determinant", "features-left-out", variance(func(_, _ []float64, S *mat.SymDense) float64 { return mat.Det(S) })},
		{"φᵀφ", "covariance-left-out", variance(func(phi, _ []float64, _ *mat.SymDense) float64 { return floats.Dot(phi, phi) })},
		{"mᵀSm", "mean-for-features", variance(func(_, m []float64, S *mat.SymDense) float64 { return form(m, S, m) })},
		{"variance φᵀSm", "mean-for-features", variance(func(phi, m []float64, S *mat.SymDense) float64 { return form(phi, S, m) })},
		{"‖Sφ‖²", "covariance-twice", variance(func(phi, _ []float64, S *mat.SymDense) float64 {
			var v mat.VecDense
			v.MulVec(S, mat.NewVecDense(len(phi), phi))
			return mat.Dot(&v, &v)
		})},
		{"E[a²]", "second-moment", changed(func(v, mu float64) float64 { return v + mu*mu })},
		{"mean subtracted twice", "mean-subtracted", changed(func(v, mu float64) float64 { return v - mu*mu })},
		{"noise", "noise-added", changed(func(v, _ float64) float64 { return v + 1 })},
		{"½", "factor", changed(func(v, _ float64) float64 { return v / 2 })},
		{"2", "factor", changed(func(v, _ float64) float64 { return 2 * v })},
		{"variance/M", "averaged", variance(func(phi, _ []float64, S *mat.SymDense) float64 { return form(phi, S, phi) / float64(len(phi)) })},
		{"negative", "negative", changed(func(v, _ float64) float64 { return -v })},
		{"negative, not recognised", "negative", changed(func(v, _ float64) float64 { return -3 * v })},
		{"nearly", "variance", changed(func(v, _ float64) float64 { return 1.001 * v })},
		{"nearly, seen in the integral", "wrong-before", changed(func(v, _ float64) float64 { return 1.001 * v })},
		{"wrong for two weights with small variances only", "integral", func(phi, m []float64, S *mat.SymDense) (float64, float64) {
			mu, v := Project(phi, m, S)
			if len(phi) == 2 && mat.Trace(S) < 0.5 {
				v += 0.2
			}
			return mu, v
		}},
		{"mean not linear", "mean-scaling", mean(func(phi, m []float64, _ *mat.SymDense) float64 {
			return math.Max(-100, math.Min(100, floats.Dot(phi, m)))
		})},
		{"variance limited", "variance-scaling", changed(func(v, _ float64) float64 { return math.Min(1000, v) })},
		{"not additive", "not-additive", variance(func(phi, _ []float64, S *mat.SymDense) float64 {
			return math.Sqrt(form(phi, S, phi) * mat.Trace(S) * floats.Dot(phi, phi))
		})},
		{"small number on the diagonal", "singular", changed(func(v, _ float64) float64 { return math.Max(v, 1e-9) })},
		{"NaN where S is singular", "singular", changed(func(v, _ float64) float64 { return v * v / v })},
		{"not a number", "not-finite", changed(func(_, _ float64) float64 { return math.NaN() })},
		{"infinite mean", "not-finite", mean(func(_, _ []float64, _ *mat.SymDense) float64 { return math.Inf(1) })},
		{"huge", "variance", changed(func(_, _ float64) float64 { return math.MaxFloat64 })},
		{"huge mean", "mean", mean(func(_, _ []float64, _ *mat.SymDense) float64 { return -math.MaxFloat64 })},
		{"samples", "not-constant", changed(func(v, _ float64) float64 { calls++; return v + calls })},
		{"scales φ in place", "mutates-inputs", func(phi, m []float64, S *mat.SymDense) (float64, float64) {
			mu, v := Project(phi, m, S)
			floats.Mul(phi, m)
			return mu, v
		}},
		{"changes m", "mutates-inputs", func(phi, m []float64, S *mat.SymDense) (float64, float64) {
			mu, v := Project(phi, m, S)
			floats.Mul(m, phi)
			return mu, v
		}},
		{"scales S in place", "mutates-inputs", func(phi, m []float64, S *mat.SymDense) (float64, float64) {
			mu, v := Project(phi, m, S)
			S.ScaleSym(2, S)
			return mu, v
		}},
	} {
		t.Run(tc.name, func(t *testing.T) { gate.Wrong(t, ex24.Exercise(), ex24.Check(tc.answer), tc.key) })
	}
}

func TestNoAnswer(t *testing.T) {
	gate.Outcome(t, ex24.Check(func(_, _ []float64, _ *mat.SymDense) (float64, float64) { panic(verify.TODO) }), verify.NotAttempted)
	gate.Outcome(t, ex24.Check(func(_, _ []float64, _ *mat.SymDense) (float64, float64) { panic("my own") }), verify.Crashed)
	gate.Outcome(t, ex24.Check(nil), verify.Crashed)
}

func TestSameReportEachTime(t *testing.T) {
	if first, second := ex24.Check(Project).String(), ex24.Check(Project).String(); first != second {
		t.Errorf("two runs differ:\n%s\n%s", first, second)
	}
}

func ExampleCheck() {
	deviation := changed(func(v, _ float64) float64 { return math.Sqrt(v) })
	fmt.Println(ex24.Check(deviation).Parts[2].Message)
	// Output: This is the standard deviation; asked for is the variance, its square.
}
