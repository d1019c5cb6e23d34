package ex19_test

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex19"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

func sigmoid(a float64) float64 { return 1 / (1 + math.Exp(-a)) }

// m is N(x)/Φ(x).
func m(x float64) float64 { return pdf(x) / cdf(x) }

func afterGradient(f func(g, w []float64, Phi *mat.Dense)) gradientFunc {
	return func(w []float64, Phi *mat.Dense, t []float64) []float64 {
		g := Gradient(w, Phi, t)
		f(g, w, Phi)
		return g
	}
}

func scaleGradient(c float64) gradientFunc {
	return afterGradient(func(g, _ []float64, _ *mat.Dense) { floats.Scale(c, g) })
}

func TestWrongGradient(t *testing.T) {
	calls := 0.0
	for _, tc := range []struct {
		name, key string
		answer    gradientFunc
	}{
		{"of −L", "of-the-error", scaleGradient(-1)},
		{"logistic", "logistic", pulling(func(a, t float64) float64 { return t - sigmoid(a) })},
		{"t − Φ", "canonical-form", pulling(func(a, t float64) float64 { return t - cdf(a) })},
		{"(t − Φ)N", "denominator-left-out", pulling(func(a, t float64) float64 { return (t - cdf(a)) * pdf(a) })},
		{"no density", "density-left-out", pulling(func(a, t float64) float64 { return (t - cdf(a)) / (cdf(a) * cdf(-a)) })},
		{"every t taken for 1", "label-forgotten", pulling(func(a, _ float64) float64 { return m(a) })},
		{"sN(a)/Φ(a)", "sign-of-label-outside", pulling(func(a, t float64) float64 { return (2*t - 1) * m(a) })},
		{"inner sign", "inner-sign", pulling(func(a, t float64) float64 { return m((2*t - 1) * a) })},
		{"t = 1 only", "one-term-only", pulling(func(a, t float64) float64 { return t * m(a) })},
		{"t = 0 only", "one-term-only", pulling(func(a, t float64) float64 { return -(1 - t) * m(-a) })},
		{"erf without √2, throughout", "erf-scale", pulling(func(a, t float64) float64 {
			s := 2*t - 1
			return s * 2 / math.Sqrt(math.Pi) * math.Exp(-a*a) / math.Erfc(-s*a)
		})},
		{"erf without √2 in Φ", "erf-scale", pulling(func(a, t float64) float64 { return (2*t - 1) * pdf(a) / (math.Erfc(-(2*t-1)*a) / 2) })},
		{"exp(−a²)", "density-scale", pulling(func(a, t float64) float64 {
			return (2*t - 1) * math.Exp(-a*a) / math.Sqrt(2*math.Pi) / cdf((2*t-1)*a)
		})},
		{"density without 1/√(2π)", "density-not-normalised", scaleGradient(math.Sqrt(2 * math.Pi))},
		{"mean", "averaged", afterGradient(func(g, _ []float64, Phi *mat.Dense) { floats.Scale(1/float64(Phi.RawMatrix().Rows), g) })},
		{"half", "factor", scaleGradient(0.5)},
		{"no features", "features-left-out", func(w []float64, Phi *mat.Dense, t []float64) []float64 {
			g := make([]float64, len(w))
			for n := range t {
				s := 2*t[n] - 1
				floats.AddConst(s*m(s*floats.Dot(w, Phi.RawRowView(n))), g)
			}
			return g
		}},
		{"last row forgotten", "row-forgotten", func(w []float64, Phi *mat.Dense, t []float64) []float64 { return Gradient(w, Phi, t[:len(t)-1]) }},
		{"first row forgotten", "row-forgotten", func(w []float64, Phi *mat.Dense, t []float64) []float64 {
			n, c := Phi.Dims()
			if n == 1 {
				return make([]float64, c)
			}
			return Gradient(w, mat.DenseCopyOf(Phi.Slice(1, n, 0, c)), t[1:])
		}},
		{"bias entry 0", "bias-forgotten", afterGradient(func(g, _ []float64, _ *mat.Dense) { g[0] = 0 })},
		{"prior", "prior", afterGradient(func(g, w []float64, _ *mat.Dense) { floats.Sub(g, w) })},
		{"zero", "zero", scaleGradient(0)},
		{"an entry off", "derivative", afterGradient(func(g, _ []float64, _ *mat.Dense) { g[0] *= 1.001 })},
		{"targets ±1", "derivative", pulling(func(a, t float64) float64 { return (2*t - 1 - cdf(a)) * pdf(a) / (cdf(a) * cdf(-a)) })},
		{"mean not zero", "mean-not-zero", pulling(func(a, t float64) float64 { return t * m(a) })},
		{"1 − Φ in the tail", "tail", pulling(func(a, t float64) float64 { return (t - cdf(a)) * pdf(a) / (cdf(a) * (1 - cdf(a))) })},
		{"1 + erf in the tail", "tail", pulling(func(a, t float64) float64 {
			s := 2*t - 1
			return s * pdf(a) / (0.5 * (1 + math.Erf(s*a/math.Sqrt2)))
		})},
		{"Φ clipped", "tail-clipped", pulling(func(a, t float64) float64 {
			s := 2*t - 1
			return s * pdf(a) / math.Max(1e-12, cdf(s*a))
		})},
		{"wrong everywhere", "wrong-in-the-middle", scaleGradient(2)},
		{"one per point", "one-per-point", func(_ []float64, _ *mat.Dense, t []float64) []float64 { return make([]float64, len(t)) }},
		{"too long", "wrong-length", func(w []float64, _ *mat.Dense, _ []float64) []float64 { return make([]float64, len(w)+70) }},
		{"nil", "empty", func([]float64, *mat.Dense, []float64) []float64 { return nil }},
		{"not a number", "not-finite", scaleGradient(math.NaN())},
		{"infinite", "not-finite", scaleGradient(math.Inf(1))},
		{"huge", "derivative", afterGradient(func(g, _ []float64, _ *mat.Dense) {
			for i := range g {
				g[i] = math.MaxFloat64
			}
		})},
		{"targets to ±1 in place", "mutates-inputs", func(w []float64, Phi *mat.Dense, t []float64) []float64 {
			g := Gradient(w, Phi, t)
			for n := range t {
				t[n] = 2*t[n] - 1
			}
			return g
		}},
		{"grows", "not-constant", afterGradient(func(g, _ []float64, _ *mat.Dense) { calls++; g[0] += calls })},
	} {
		t.Run(tc.name, func(t *testing.T) { gate.Wrong(t, ex19.Exercise(), ex19.Check(tc.answer, Hessian), tc.key) })
	}
}

func afterHessian(f func(h *mat.Dense)) hessianFunc {
	return func(w []float64, Phi *mat.Dense, t []float64) *mat.Dense {
		h := Hessian(w, Phi, t)
		f(h)
		return h
	}
}

func scaleHessian(c float64) hessianFunc { return afterHessian(func(h *mat.Dense) { h.Scale(c, h) }) }

func apply(f func(i, j int, v float64) float64) hessianFunc {
	return afterHessian(func(h *mat.Dense) { h.Apply(f, h) })
}

func boolean(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

func TestWrongHessian(t *testing.T) {
	calls := 0.0
	x := func(a, t float64) float64 { return (2*t - 1) * a }
	for _, tc := range []struct {
		name, key string
		answer    hessianFunc
	}{
		{"of −L", "of-the-error", scaleHessian(-1)},
		{"Fisher information, negative", "expected", weighting(func(a, _ float64) float64 { return -pdf(a) * pdf(a) / (cdf(a) * cdf(-a)) })},
		{"Fisher information", "expected", weighting(func(a, _ float64) float64 { return pdf(a) * pdf(a) / (cdf(a) * cdf(-a)) })},
		{"logistic", "logistic", weighting(func(a, _ float64) float64 { return -sigmoid(a) * sigmoid(-a) })},
		{"logistic, positive", "logistic", weighting(func(a, _ float64) float64 { return sigmoid(a) * sigmoid(-a) })},
		{"Φ(1 − Φ)", "canonical-form", weighting(func(a, _ float64) float64 { return -cdf(a) * cdf(-a) })},
		{"N", "canonical-form", weighting(func(a, _ float64) float64 { return -pdf(a) })},
		{"m²", "term-left-out", weighting(func(a, t float64) float64 { return -m(x(a, t)) * m(x(a, t)) })},
		{"xm", "term-left-out", weighting(func(a, t float64) float64 { return -m(x(a, t)) * x(a, t) })},
		{"m(m − x)", "inner-sign", weighting(func(a, t float64) float64 { return -m(x(a, t)) * (m(x(a, t)) - x(a, t)) })},
		{"m(m + a)", "label-forgotten", weighting(func(a, t float64) float64 { return -m(x(a, t)) * (m(x(a, t)) + a) })},
		{"every t taken for 1", "label-forgotten", weighting(func(a, _ float64) float64 { return -m(a) * (m(a) + a) })},
		{"−ΦᵀΦ", "weights-left-out", weighting(func(_, _ float64) float64 { return -1 })},
		{"erf without √2", "erf-scale", weighting(func(a, t float64) float64 {
			x := math.Sqrt2 * x(a, t)
			return -2 * m(x) * (m(x) + x)
		})},
		{"product of gradients", "outer-product", func(w []float64, Phi *mat.Dense, t []float64) *mat.Dense {
			var h mat.Dense
			g := mat.NewVecDense(len(w), Gradient(w, Phi, t))
			h.Outer(-1, g, g)
			return &h
		}},
		{"density without 1/√(2π)", "density-not-normalised", scaleHessian(math.Sqrt(2 * math.Pi))},
		{"mean", "averaged", func(w []float64, Phi *mat.Dense, t []float64) *mat.Dense {
			h := Hessian(w, Phi, t)
			h.Scale(1/float64(len(t)), h)
			return h
		}},
		{"half", "factor", scaleHessian(0.5)},
		{"last row forgotten", "row-forgotten", func(w []float64, Phi *mat.Dense, t []float64) *mat.Dense { return Hessian(w, Phi, t[:len(t)-1]) }},
		{"first row forgotten", "row-forgotten", func(w []float64, Phi *mat.Dense, t []float64) *mat.Dense {
			n, c := Phi.Dims()
			if n == 1 {
				return mat.NewDense(c, c, nil)
			}
			return Hessian(w, mat.DenseCopyOf(Phi.Slice(1, n, 0, c)), t[1:])
		}},
		{"diagonal", "diagonal-only", apply(func(i, j int, v float64) float64 { return v * boolean(i == j) })},
		{"upper triangle", "one-triangle", apply(func(i, j int, v float64) float64 { return v * boolean(i <= j) })},
		{"lower triangle", "one-triangle", apply(func(i, j int, v float64) float64 { return v * boolean(i >= j) })},
		{"not symmetric", "not-symmetric", apply(func(i, j int, v float64) float64 { return v * boolean(i <= j) })},
		{"zero", "zero", scaleHessian(0)},
		{"an entry off", "second-derivative", afterHessian(func(h *mat.Dense) { h.Set(0, 0, 1.01*h.At(0, 0)) })},
		{"not definite", "not-negative-definite", apply(func(i, j int, v float64) float64 {
			if i == j {
				return v * float64(1-2*(i%2))
			}
			return v
		})},
		{"does not belong to the gradient", "information", scaleHessian(2)},
		{"1 − Φ in the tail", "tail", weighting(func(a, t float64) float64 {
			y := cdf(a)
			if t == 1 {
				return -pdf(a) / y * (pdf(a)/y + a)
			}
			return -pdf(a) / (1 - y) * (pdf(a)/(1-y) - a)
		})},
		{"Φ² underflows", "tail", weighting(func(a, t float64) float64 {
			x, y := x(a, t), cdf(x(a, t))
			return -(x*pdf(x)*y + pdf(x)*pdf(x)) / (y * y)
		})},
		{"Φ clipped", "tail-clipped", weighting(func(a, t float64) float64 {
			q := pdf(a) / math.Max(1e-12, cdf(x(a, t)))
			return -q * (q + x(a, t))
		})},
		{"wrong everywhere", "wrong-in-the-middle", scaleHessian(2)},
		{"N×N", "n-by-n", func(_ []float64, _ *mat.Dense, t []float64) *mat.Dense { return mat.NewDense(len(t), len(t), nil) }},
		{"a row too many", "wrong-shape", func(w []float64, _ *mat.Dense, _ []float64) *mat.Dense { return mat.NewDense(len(w)+1, len(w), nil) }},
		{"nil", "empty", func([]float64, *mat.Dense, []float64) *mat.Dense { return nil }},
		{"empty", "empty", func([]float64, *mat.Dense, []float64) *mat.Dense { return &mat.Dense{} }},
		{"not a number", "not-finite", scaleHessian(math.NaN())},
		{"infinite", "not-finite", scaleHessian(math.Inf(1))},
		{"huge", "second-derivative", apply(func(i, j int, _ float64) float64 { return -math.MaxFloat64 * boolean(i == j) })},
		{"weights Φ in place", "mutates-inputs", func(w []float64, Phi *mat.Dense, t []float64) *mat.Dense {
			h := Hessian(w, Phi, t)
			Phi.Scale(2, Phi)
			return h
		}},
		{"grows", "not-constant", afterHessian(func(h *mat.Dense) { calls++; h.Set(0, 0, h.At(0, 0)-calls) })},
	} {
		t.Run(tc.name, func(t *testing.T) { gate.Wrong(t, ex19.Exercise(), ex19.Check(Gradient, tc.answer), tc.key) })
	}
}

func TestNoAnswer(t *testing.T) {
	todoGradient := func([]float64, *mat.Dense, []float64) []float64 { panic(verify.TODO) }
	todoHessian := func([]float64, *mat.Dense, []float64) *mat.Dense { panic(verify.TODO) }
	gate.Outcome(t, ex19.Check(todoGradient, todoHessian), verify.NotAttempted)
	gate.Outcome(t, ex19.Check(func([]float64, *mat.Dense, []float64) []float64 { panic("my own") },
		func([]float64, *mat.Dense, []float64) *mat.Dense { panic("my own") }), verify.Crashed)
	gate.Outcome(t, ex19.Check(nil, nil), verify.Crashed)
	if half := ex19.Check(Gradient, todoHessian); half.Passed() || half.Count(verify.Right) != 3 || half.Count(verify.NotAttempted) != 5 {
		t.Errorf("one of two functions written: want three parts Right and the rest NotAttempted:\n%s", half)
	}
}

func TestSameReportEachTime(t *testing.T) {
	if first, second := ex19.Check(Gradient, Hessian).String(), ex19.Check(Gradient, Hessian).String(); first != second {
		t.Errorf("two runs differ:\n%s\n%s", first, second)
	}
}

func ExampleCheck() {
	canonical := pulling(func(a, t float64) float64 { return t - cdf(a) })
	fmt.Println(ex19.Check(canonical, Hessian).Parts[1].Message)
	// Output: Your factor is t − Φ(a), the form that the logistic gradient has. There the derivative of the output cancelled; Φ′ is the density, and Φ(1 − Φ) is not: nothing cancels.
}
