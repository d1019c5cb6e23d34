package ex05_test

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex05"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

func TestWrong(t *testing.T) {
	own := func(X *mat.Dense) *mat.Dense { return gram(centred(X, means(X))) }
	rows := func(X *mat.Dense) float64 { return float64(X.RawMatrix().Rows) }
	sb := func(f func(X1, X2 *mat.Dense) *mat.Dense) scatterFunc {
		return func(X1, X2 *mat.Dense) (*mat.Dense, *mat.Dense) {
			_, SW := Scatter(X1, X2)
			return f(X1, X2), SW
		}
	}
	sw := func(f func(X1, X2 *mat.Dense) *mat.Dense) scatterFunc {
		return func(X1, X2 *mat.Dense) (*mat.Dense, *mat.Dense) {
			SB, _ := Scatter(X1, X2)
			return SB, f(X1, X2)
		}
	}
	factor := func(b, w func(n1, n2 float64) float64) scatterFunc {
		return func(X1, X2 *mat.Dense) (*mat.Dense, *mat.Dense) {
			SB, SW := Scatter(X1, X2)
			return times(b(rows(X1), rows(X2)), SB), times(w(rows(X1), rows(X2)), SW)
		}
	}
	constant := func(c float64) func(n1, n2 float64) float64 { return func(_, _ float64) float64 { return c } }
	one := constant(1)
	masked := func(where func(i, j int) bool) func(*mat.Dense) *mat.Dense {
		return func(s *mat.Dense) *mat.Dense {
			s.Apply(func(i, j int, v float64) float64 {
				if where(i, j) {
					return v
				}
				return 0
			}, s)
			return s
		}
	}
	diagonal := masked(func(i, j int) bool { return i == j })
	upper := masked(func(i, j int) bool { return i <= j })
	both := func(f func(SB, SW *mat.Dense)) scatterFunc {
		return func(X1, X2 *mat.Dense) (*mat.Dense, *mat.Dense) {
			SB, SW := Scatter(X1, X2)
			f(SB, SW)
			return SB, SW
		}
	}
	total := func(X1, X2 *mat.Dense) *mat.Dense {
		var all mat.Dense
		all.Stack(X1, X2)
		return own(&all)
	}
	calls := 0.0
	for _, tc := range []struct {
		name, key string
		answer    scatterFunc
	}{
		{"S_W/N", "divided-by-n", factor(one, func(n1, n2 float64) float64 { return 1 / (n1 + n2) })},
		{"S_W/(N−1)", "divided-by-n", factor(one, func(n1, n2 float64) float64 { return 1 / (n1 + n2 - 1) })},
		{"S_W/(N−2)", "divided-by-n", factor(one, func(n1, n2 float64) float64 { return 1 / (n1 + n2 - 2) })},
		{"J is only scaled by it", "criterion-scaled", factor(one, func(n1, n2 float64) float64 { return 1 / (n1 + n2) })},
		{"sum of covariances", "class-covariances", sw(func(X1, X2 *mat.Dense) *mat.Dense {
			return plus(times(1/rows(X1), own(X1)), times(1/rows(X2), own(X2)))
		})},
		{"sum of library covariances", "class-covariances", sw(func(X1, X2 *mat.Dense) *mat.Dense {
			var s1, s2 mat.SymDense
			stat.CovarianceMatrix(&s1, X1, nil)
			stat.CovarianceMatrix(&s2, X2, nil)
			return plus(&s1, &s2)
		})},
		{"S_B with N1N2/N", "k-class", factor(func(n1, n2 float64) float64 { return n1 * n2 / (n1 + n2) }, one)},
		{"S_B about the common mean, unweighted", "k-class-unweighted", factor(func(n1, n2 float64) float64 { return (n1*n1 + n2*n2) / (n1 + n2) / (n1 + n2) }, one)},
		{"S_B about the midpoint", "midpoint", factor(constant(0.5), one)},
		{"S_B of a unit vector", "sb-unit", sb(func(X1, X2 *mat.Dense) *mat.Dense {
			g := gap(X1, X2)
			return gram(times(1/mat.Norm(g, 2), g))
		})},
		{"S_B doubled", "sb-factor", factor(constant(2), one)},
		{"S_B negative", "sb-sign", factor(constant(-1), one)},
		{"S_W doubled", "sw-factor", factor(one, constant(2))},
		{"S_W negative", "sw-sign", factor(one, constant(-1))},
		{"S_W negative has negative directions", "negative-direction", factor(one, constant(-1))},
		{"S_T for S_W", "total", sw(total)},
		{"S_T for S_B", "total", sb(total)},
		{"swapped", "swapped", func(X1, X2 *mat.Dense) (*mat.Dense, *mat.Dense) {
			SB, SW := Scatter(X1, X2)
			return SW, SB
		}},
		{"S_B of the sum", "sum-of-means", sb(func(X1, X2 *mat.Dense) *mat.Dense { return gram(plus(means(X1), means(X2))) })},
		{"m2m2ᵀ − m1m1ᵀ", "difference-of-squares", sb(func(X1, X2 *mat.Dense) *mat.Dense { return plus(gram(means(X2)), times(-1, gram(means(X1)))) })},
		{"m2m2ᵀ + m1m1ᵀ", "difference-of-squares", sb(func(X1, X2 *mat.Dense) *mat.Dense { return plus(gram(means(X2)), gram(means(X1))) })},
		{"m2m2ᵀ + m1m1ᵀ has rank 2", "rank", sb(func(X1, X2 *mat.Dense) *mat.Dense { return plus(gram(means(X2)), gram(means(X1))) })},
		{"inner product", "inner-product", sb(func(X1, X2 *mat.Dense) *mat.Dense {
			var s mat.Dense
			g := gap(X1, X2)
			s.Mul(g, g.T())
			return &s
		})},
		{"diagonal of S_B", "diagonal-only", sb(func(X1, X2 *mat.Dense) *mat.Dense { SB, _ := Scatter(X1, X2); return diagonal(SB) })},
		{"diagonal of S_W", "diagonal-only", sw(func(X1, X2 *mat.Dense) *mat.Dense { _, SW := Scatter(X1, X2); return diagonal(SW) })},
		{"upper triangle of S_B", "one-triangle", sb(func(X1, X2 *mat.Dense) *mat.Dense { SB, _ := Scatter(X1, X2); return upper(SB) })},
		{"upper triangle of S_W", "one-triangle", sw(func(X1, X2 *mat.Dense) *mat.Dense { _, SW := Scatter(X1, X2); return upper(SW) })},
		{"not centred", "not-centred", sw(func(X1, X2 *mat.Dense) *mat.Dense { return plus(gram(X1), gram(X2)) })},
		{"class 1 only", "one-class", sw(func(X1, _ *mat.Dense) *mat.Dense { return own(X1) })},
		{"class 2 only", "one-class", sw(func(_, X2 *mat.Dense) *mat.Dense { return own(X2) })},
		{"difference of scatters", "difference", sw(func(X1, X2 *mat.Dense) *mat.Dense { return plus(own(X2), times(-1, own(X1))) })},
		{"means exchanged", "means-exchanged", sw(func(X1, X2 *mat.Dense) *mat.Dense {
			return plus(gram(centred(X1, means(X2))), gram(centred(X2, means(X1))))
		})},
		{"last points only", "last-point", sw(func(X1, X2 *mat.Dense) *mat.Dense {
			n1, d := X1.Dims()
			n2, _ := X2.Dims()
			return plus(gram(centred(X1, means(X1)).Slice(n1-1, n1, 0, d)), gram(centred(X2, means(X2)).Slice(n2-1, n2, 0, d)))
		})},
		{"XXᵀ", "one-per-point", sw(func(X1, _ *mat.Dense) *mat.Dense {
			var s mat.Dense
			s.Mul(X1, X1.T())
			return &s
		})},
		{"unit matrix for S_W", "sw", sw(func(X1, _ *mat.Dense) *mat.Dense {
			_, d := X1.Dims()
			s := mat.NewDense(d, d, nil)
			for i := range d {
				s.Set(i, i, 1)
			}
			return s
		})},
		{"unit matrix for S_B", "sb", sb(func(X1, _ *mat.Dense) *mat.Dense {
			_, d := X1.Dims()
			s := mat.NewDense(d, d, nil)
			for i := range d {
				s.Set(i, i, 1)
			}
			return s
		})},
		{"zero matrix for S_B", "rank", both(func(SB, _ *mat.Dense) { SB.Zero() })},
		{"zero matrix for S_W", "criterion", both(func(_, SW *mat.Dense) { SW.Zero() })},
		{"skew part added", "not-symmetric", both(func(SB, SW *mat.Dense) {
			if d, _ := SW.Dims(); d > 1 {
				SW.Set(0, 1, SW.At(0, 1)+1)
				SW.Set(1, 0, SW.At(1, 0)-1)
			}
		})},
		{"nil S_B", "empty", sb(func(_, _ *mat.Dense) *mat.Dense { return nil })},
		{"nil S_W", "empty", sw(func(_, _ *mat.Dense) *mat.Dense { return nil })},
		{"empty S_W", "empty", sw(func(_, _ *mat.Dense) *mat.Dense { return &mat.Dense{} })},
		{"a vector", "wrong-shape", sb(func(X1, X2 *mat.Dense) *mat.Dense { return gap(X1, X2) })},
		{"not a number", "not-finite", both(func(SB, _ *mat.Dense) { SB.Set(0, 0, math.NaN()) })},
		{"infinite", "not-finite", both(func(_, SW *mat.Dense) { SW.Set(0, 0, math.Inf(1)) })},
		{"huge", "sw", both(func(SB, SW *mat.Dense) {
			SB.Apply(func(_, _ int, v float64) float64 { return math.Copysign(math.MaxFloat64, v) }, SB)
			SW.Apply(func(_, _ int, v float64) float64 { return math.Copysign(math.MaxFloat64, v) }, SW)
		})},
		{"centres X1 in place", "mutates-inputs", func(X1, X2 *mat.Dense) (*mat.Dense, *mat.Dense) {
			SB, SW := Scatter(X1, X2)
			X1.Copy(centred(X1, means(X1)))
			return SB, SW
		}},
		{"changes", "not-constant", both(func(SB, _ *mat.Dense) { calls++; SB.Set(0, 0, SB.At(0, 0)+calls) })},
	} {
		t.Run(tc.name, func(t *testing.T) { gate.Wrong(t, ex05.Exercise(), ex05.Check(tc.answer), tc.key) })
	}
}

func TestNoAnswer(t *testing.T) {
	gate.Outcome(t, ex05.Check(func(_, _ *mat.Dense) (SB, SW *mat.Dense) { panic(verify.TODO) }), verify.NotAttempted)
	gate.Outcome(t, ex05.Check(func(_, _ *mat.Dense) (SB, SW *mat.Dense) { panic("my own") }), verify.Crashed)
	gate.Outcome(t, ex05.Check(nil), verify.Crashed)
}

func TestSameReportEachTime(t *testing.T) {
	if first, second := ex05.Check(Scatter).String(), ex05.Check(Scatter).String(); first != second {
		t.Errorf("two runs differ:\n%s\n%s", first, second)
	}
}

func ExampleCheck() {
	weighted := func(X1, X2 *mat.Dense) (SB, SW *mat.Dense) {
		SB, SW = Scatter(X1, X2)
		n1, n2 := float64(X1.RawMatrix().Rows), float64(X2.RawMatrix().Rows)
		SB.Scale(n1*n2/(n1+n2), SB)
		return SB, SW
	}
	fmt.Println(ex05.Check(weighted).Parts[1].Key)
	// Output: k-class
}
