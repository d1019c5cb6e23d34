package ex08_test

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex08"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

func TestWrong(t *testing.T) {
	after := func(f func(w []float64, w0 *float64)) posteriorFunc {
		return func(mu1, mu2 []float64, Sigma *mat.SymDense, p1 float64) ([]float64, float64) {
			w, w0 := Posterior(mu1, mu2, Sigma, p1)
			f(w, &w0)
			return w, w0
		}
	}
	// with changes the matrix that takes the place of Σ.
	with := func(f func(Sigma *mat.SymDense) *mat.SymDense) posteriorFunc {
		return func(mu1, mu2 []float64, Sigma *mat.SymDense, p1 float64) ([]float64, float64) {
			return Posterior(mu1, mu2, f(Sigma), p1)
		}
	}
	power := func(a float64) func(Sigma *mat.SymDense) *mat.SymDense {
		return func(Sigma *mat.SymDense) *mat.SymDense {
			var s mat.SymDense
			var e mat.EigenSym
			e.Factorize(Sigma, true)
			var v, scaled mat.Dense
			e.VectorsTo(&v)
			values := e.Values(nil)
			scaled.Apply(func(_, j int, x float64) float64 { return x * math.Pow(values[j], a/2) }, &v)
			s.SymOuterK(1, &scaled)
			return &s
		}
	}
	diagonal := func(Sigma *mat.SymDense) *mat.SymDense {
		d := Sigma.SymmetricDim()
		s := mat.NewSymDense(d, nil)
		for i := range d {
			s.SetSym(i, i, Sigma.At(i, i))
		}
		return s
	}
	calls := 0.0
	for _, tc := range []struct {
		name, key string
		answer    posteriorFunc
	}{
		{"prior missing", "prior-missing", formula(1, func(q1, q2, _ float64) float64 { return (q2 - q1) / 2 })},
		{"prior inverted", "prior-inverted", formula(1, func(q1, q2, p1 float64) float64 { return (q2-q1)/2 + math.Log((1-p1)/p1) })},
		{"½ missing", "half-missing", formula(1, func(q1, q2, p1 float64) float64 { return q2 - q1 + math.Log(p1/(1-p1)) })},
		{"½ on everything", "half-on-all", formula(1, func(q1, q2, p1 float64) float64 { return (q2 - q1 + math.Log(p1/(1-p1))) / 2 })},
		{"Σ for Σ⁻¹", "sigma-for-inverse", with(power(-1))},
		{"Σ for Σ⁻¹ in w0 only", "sigma-for-inverse", func(mu1, mu2 []float64, Sigma *mat.SymDense, p1 float64) ([]float64, float64) {
			w, _ := Posterior(mu1, mu2, Sigma, p1)
			_, w0 := Posterior(mu1, mu2, power(-1)(Sigma), p1)
			return w, w0
		}},
		{"Σ missing", "sigma-missing", with(power(0))},
		{"classes swapped", "classes-swapped", func(mu1, mu2 []float64, Sigma *mat.SymDense, p1 float64) ([]float64, float64) {
			return Posterior(mu2, mu1, Sigma, 1-p1)
		}},
		{"means swapped, prior not", "quadratic-sign", func(mu1, mu2 []float64, Sigma *mat.SymDense, p1 float64) ([]float64, float64) {
			return Posterior(mu2, mu1, Sigma, p1)
		}},
		{"w0 swapped only", "not-antisymmetric", formula(1, func(q1, q2, p1 float64) float64 { return (q1-q2)/2 + 1 - math.Log(p1/(1-p1)) })},
		{"both quadratic terms subtracted", "quadratic-sum", formula(1, func(q1, q2, p1 float64) float64 { return -(q1+q2)/2 + math.Log(p1/(1-p1)) })},
		{"quadratic terms missing", "quadratic-missing", formula(1, func(_, _, p1 float64) float64 { return math.Log(p1 / (1 - p1)) })},
		{"class 1 only in w0", "one-quadratic", formula(1, func(q1, _, p1 float64) float64 { return -q1/2 + math.Log(p1/(1-p1)) })},
		{"class 2 only in w0", "one-quadratic", formula(1, func(_, q2, p1 float64) float64 { return q2/2 + math.Log(p1/(1-p1)) })},
		{"prior without its logarithm", "prior-no-log", formula(1, func(q1, q2, p1 float64) float64 { return (q2-q1)/2 + p1/(1-p1) })},
		{"ln p1 only", "prior-of-one", formula(1, func(q1, q2, p1 float64) float64 { return (q2-q1)/2 + math.Log(p1) })},
		{"log10", "log-base", formula(1, func(q1, q2, p1 float64) float64 { return (q2-q1)/2 + math.Log10(p1/(1-p1)) })},
		{"prior doubled", "prior", formula(1, func(q1, q2, p1 float64) float64 { return (q2-q1)/2 + 2*math.Log(p1/(1-p1)) })},
		{"determinant left", "determinant-left", func(mu1, mu2 []float64, Sigma *mat.SymDense, p1 float64) ([]float64, float64) {
			w, w0 := Posterior(mu1, mu2, Sigma, p1)
			return w, w0 - math.Log(mat.Det(Sigma))/2
		}},
		{"root of Σ⁻¹", "half-of-inverse", with(power(0.5))},
		{"Cholesky half", "half-of-inverse", func(mu1, mu2 []float64, Sigma *mat.SymDense, p1 float64) ([]float64, float64) {
			_, w0 := Posterior(mu1, mu2, Sigma, p1)
			var chol mat.Cholesky
			chol.Factorize(Sigma)
			var l mat.TriDense
			chol.LTo(&l)
			var w mat.VecDense
			_ = w.SolveVec(&l, mat.NewVecDense(len(mu1), floats.SubTo(make([]float64, len(mu1)), mu1, mu2)))
			return w.RawVector().Data, w0
		}},
		{"inverse twice", "inverse-twice", with(power(2))},
		{"diagonal of Σ", "diagonal-only", with(diagonal)},
		{"μ1 + μ2", "sum-of-means", func(mu1, mu2 []float64, Sigma *mat.SymDense, p1 float64) ([]float64, float64) {
			return Posterior(mu1, floats.ScaleTo(make([]float64, len(mu2)), -1, mu2), Sigma, p1)
		}},
		{"μ1 only", "one-mean", func(mu1, mu2 []float64, Sigma *mat.SymDense, p1 float64) ([]float64, float64) {
			return Posterior(mu1, make([]float64, len(mu2)), Sigma, p1)
		}},
		{"w halved", "w-factor", formula(0.5, right)},
		{"w doubled", "w-factor", formula(2, right)},
		{"prior in w", "w-prior", func(mu1, mu2 []float64, Sigma *mat.SymDense, p1 float64) ([]float64, float64) {
			w, w0 := Posterior(mu1, mu2, Sigma, p1)
			floats.Scale(p1/(1-p1), w)
			return w, w0
		}},
		{"one entry off", "w", after(func(w []float64, _ *float64) { w[0] += 0.01 })},
		{"σ is off where an entry is", "bayes", after(func(w []float64, _ *float64) { w[0] += 0.01 })},
		{"bias off", "w0", after(func(_ []float64, w0 *float64) { *w0 += 0.01 })},
		{"bias inside", "bias-inside", func(mu1, mu2 []float64, Sigma *mat.SymDense, p1 float64) ([]float64, float64) {
			w, w0 := Posterior(mu1, mu2, Sigma, p1)
			return append([]float64{w0}, w...), w0
		}},
		{"nothing", "empty", func(_, _ []float64, _ *mat.SymDense, _ float64) ([]float64, float64) { return nil, 0 }},
		{"too long", "wrong-length", func(_, _ []float64, _ *mat.SymDense, _ float64) ([]float64, float64) { return make([]float64, 9), 0 }},
		{"NaN in w", "not-finite", after(func(w []float64, _ *float64) { w[0] = math.NaN() })},
		{"infinite w0", "not-finite", after(func(_ []float64, w0 *float64) { *w0 = math.Inf(1) })},
		{"huge", "w", after(func(w []float64, w0 *float64) { w[0], *w0 = math.MaxFloat64, -math.MaxFloat64 })},
		{"difference written into mu1", "mutates-inputs", func(mu1, mu2 []float64, Sigma *mat.SymDense, p1 float64) ([]float64, float64) {
			w, w0 := Posterior(mu1, mu2, Sigma, p1)
			floats.Sub(mu1, mu2)
			return w, w0
		}},
		{"Sigma scaled", "mutates-inputs", func(mu1, mu2 []float64, Sigma *mat.SymDense, p1 float64) ([]float64, float64) {
			w, w0 := Posterior(mu1, mu2, Sigma, p1)
			Sigma.ScaleSym(2, Sigma)
			return w, w0
		}},
		{"changes", "not-constant", after(func(_ []float64, w0 *float64) { calls++; *w0 += calls })},
	} {
		t.Run(tc.name, func(t *testing.T) { gate.Wrong(t, ex08.Exercise(), ex08.Check(tc.answer), tc.key) })
	}
}

func TestNoAnswer(t *testing.T) {
	gate.Outcome(t, ex08.Check(func(_, _ []float64, _ *mat.SymDense, _ float64) ([]float64, float64) { panic(verify.TODO) }), verify.NotAttempted)
	gate.Outcome(t, ex08.Check(func(_, _ []float64, _ *mat.SymDense, _ float64) ([]float64, float64) { panic("my own") }), verify.Crashed)
	gate.Outcome(t, ex08.Check(nil), verify.Crashed)
}

func TestSameReportEachTime(t *testing.T) {
	if first, second := ex08.Check(Posterior).String(), ex08.Check(Posterior).String(); first != second {
		t.Errorf("two runs differ:\n%s\n%s", first, second)
	}
}

func ExampleCheck() {
	noPrior := formula(1, func(q1, q2, _ float64) float64 { return (q2 - q1) / 2 })
	fmt.Println(ex08.Check(noPrior).Parts[2].Message)
	// Output: The prior is missing in your w0. A class that is rare is less probable at every x.
}
