package ex13_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/twoclass"
	"github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex13"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

type (
	gradientFunc = twoclass.Gradient
	linkFunc     = func(v, t float64) float64
)

func checkOutput(f linkFunc) *verify.Report     { return ex13.CheckSteps(f, ByActivation) }
func checkActivation(f linkFunc) *verify.Report { return ex13.CheckSteps(ByOutput, f) }

func TestFunctions(t *testing.T) {
	gate.Functions(t, ex13.Exercise(), gate.Of(ex13.Check, Gradient), gate.Of(checkOutput, ByOutput),
		gate.Of(checkActivation, ByActivation))
}

func sigmoid(a float64) float64 { return 1 / (1 + math.Exp(-a)) }

// withOutput returns an answer that computes Σ (y(a) − t) φ, where the function y replaces σ.
func withOutput(y func(a float64) float64) gradientFunc {
	return twoclass.Pulling(func(a, t float64) float64 { return y(a) - t })
}

// clippedSigmoid returns the function that is σ(a) for |a| ≤ c, 0 for a < −c, and 1 for a > c.
func clippedSigmoid(c float64) func(float64) float64 {
	return func(a float64) float64 {
		switch {
		case a > c:
			return 1
		case a < -c:
			return 0
		}
		return sigmoid(a)
	}
}

// differences returns an answer that computes central differences of E with the step h. If `scaled`
// is true, the step for each weight is h divided by the size of its column of Φ.
func differences(h float64, scaled bool) gradientFunc {
	return func(w []float64, Phi *mat.Dense, t []float64) []float64 {
		e := func(a, t float64) float64 { return math.Max(a, 0) - a*t + math.Log1p(math.Exp(-math.Abs(a))) }
		g := make([]float64, len(w))
		for j := range w {
			step := h
			if size := floats.Norm(mat.Col(nil, j, Phi), math.Inf(1)); scaled && size > 0 {
				step /= size
			}
			up, down := slices.Clone(w), slices.Clone(w)
			up[j], down[j] = w[j]+step, w[j]-step
			g[j] = (twoclass.Sum(e, up, Phi, t) - twoclass.Sum(e, down, Phi, t)) / (up[j] - down[j])
		}
		return g
	}
}

func TestRight(t *testing.T) {
	gate.Rights(t, ex13.Check, map[string]gradientFunc{
		"reference": Gradient,
		"Φᵀ(y − t) computed with gonum vectors": func(w []float64, Phi *mat.Dense, t []float64) []float64 {
			var a, g mat.VecDense
			a.MulVec(Phi, mat.NewVecDense(len(w), w))
			for n := range t {
				a.SetVec(n, sigmoid(a.AtVec(n))-t[n])
			}
			g.MulVec(Phi.T(), &a)
			return g.RawVector().Data
		},
		"hyperbolic tangent":             withOutput(func(a float64) float64 { return (1 + math.Tanh(a/2)) / 2 }),
		"class by class, with labels ±1": twoclass.Pulling(func(a, t float64) float64 { s := 2*t - 1; return -s * sigmoid(-s*a) }),
		"activations clipped at ±25": withOutput(func(a float64) float64 {
			return sigmoid(math.Max(-25,
				math.Min(25, a)))
		}),
		"tᵀΦ subtracted from yᵀΦ at the end": func(w []float64, Phi *mat.Dense, t []float64) []float64 {
			g := withOutput(sigmoid)(w, Phi, make([]float64, len(t)))
			floats.Sub(g, twoclass.Pulling(func(_, t float64) float64 { return t })(w, Phi, t))
			return g
		},
	})
	gate.Rights(t, checkOutput, map[string]linkFunc{
		"two fractions":      func(y, t float64) float64 { return -t/y + (1-t)/(1-y) },
		"one power":          func(y, t float64) float64 { return -math.Pow(t-1+y, -1) },
		"denominator y − y²": func(y, t float64) float64 { return (y - t) / (y - y*y) },
		"one fraction by case": func(y, t float64) float64 {
			return map[bool]float64{true: -1 / y,
				false: 1 / (1 - y)}[t == 1]
		},
	})
	gate.Rights(t, checkActivation, map[string]linkFunc{
		"tanh":            func(a, t float64) float64 { return (1+math.Tanh(a/2))/2 - t },
		"both terms kept": func(a, t float64) float64 { return (1-t)*sigmoid(a) - t*sigmoid(-a) },
	})
}

// TestWrong checks wrong answers. Except for the gradient 0, ByOutput y − t and ByActivation a − t,
// they are not in the tables of mistakes in check.go. For each answer in a map of gate.Wrongs, the
// report must contain the expected key, that is, the name of the mistake.
func TestWrong(t *testing.T) {
	// `after` returns an answer that applies f to the right gradient
	after := func(f func(g []float64, w []float64)) gradientFunc {
		return func(w []float64, Phi *mat.Dense, t []float64) []float64 {
			g := Gradient(w, Phi, t)
			f(g, w)
			return g
		}
	}
	scale := func(c float64) gradientFunc { return after(func(g, _ []float64) { floats.Scale(c, g) }) }
	prior := func(c float64) gradientFunc { return after(func(g, w []float64) { floats.AddScaled(g, c, w) }) }
	clip := func(eps float64) gradientFunc {
		return withOutput(func(a float64) float64 { return math.Min(1-eps, math.Max(eps, sigmoid(a))) })
	}
	gate.Wrongs(t, ex13.Exercise(), ex13.Check, map[string][]gradientFunc{
		"factor": {scale(0.5), scale(2), scale(1 / math.Ln2)},
		"prior": {prior(1), prior(1e-6),
			after(func(g, w []float64) { floats.AddScaled(g[1:], 0.1, w[1:]) })},
		"derivative": {after(func(g, _ []float64) { g[len(g)-1] *= 1.01 }),
			withOutput(func(a float64) float64 { return sigmoid(a + 1) })},
		"nearly": {differences(1e-4, true), differences(1e-3, false),
			withOutput(func(a float64) float64 { return math.Round(1e5*sigmoid(a)) / 1e5 })},
		"not-zero-at-minimum":    {after(func(g, _ []float64) { g[0] += 1e-4 })},
		"uphill":                 {scale(-3)},
		"zero-away-from-minimum": {scale(0)},
		"in-the-middle":          {scale(0.5)},
		"views": {func(w []float64, Phi *mat.Dense, t []float64) []float64 {
			// this answer fails if Phi is a view with one row
			n, m := Phi.Dims()
			all := Phi.Slice(0, n-1, 0, m).(*mat.Dense)
			return floats.AddTo(make([]float64, m), Gradient(w, Phi, t), Gradient(w, all, t[:0]))
		}},
		"transposed": {func(_ []float64, _ *mat.Dense, t []float64) []float64 {
			return make([]float64,
				len(t))
		}},
		"not-finite": {withOutput(math.Log)},
		"overflow": {
			withOutput(func(a float64) float64 { return math.Exp(a) / (1 + math.Exp(a)) }),
			twoclass.Pulling(func(a, t float64) float64 { y := sigmoid(a); return (-t/y + (1-t)/(1-y)) * y * (1 - y) }),
		},
		"tails": {
			withOutput(clippedSigmoid(10)), withOutput(clippedSigmoid(17)), clip(1e-7),
			withOutput(func(a float64) float64 { return sigmoid(math.Max(-15, math.Min(15, a))) }),
		},
	})
	// Check must reject this answer, but any part of the report may do so, because random problems
	// with moderate activations can also reveal the mistake.
	if r := ex13.Check(withOutput(clippedSigmoid(6))); r.Passed() {
		t.Errorf("an answer that returns the output 0 for a < −6 and 1 for a > 6 passes:\n%s", r)
	}
	gate.Wrongs(t, ex13.Exercise(), checkOutput, map[string][]linkFunc{
		"output-sign":   {func(y, t float64) float64 { return -ByOutput(y, t) }},
		"output-factor": {func(y, t float64) float64 { return ByOutput(y, t) / 2 }},
		"output-value": {
			func(y, t float64) float64 { return (y - t) / (y * y) },
			func(y, t float64) float64 { return ByOutput(math.Min(0.999, math.Max(0.001, y)), t) },
			func(y, t float64) float64 { return ByOutput(math.Max(1e-12, y), t) },
		},
		"not-linked": {func(y, t float64) float64 { return y - t }},
	})
	gate.Wrongs(t, ex13.Exercise(), checkActivation, map[string][]linkFunc{
		"activation-sign":   {func(a, t float64) float64 { return -ByActivation(a, t) }},
		"activation-factor": {func(a, t float64) float64 { return ByActivation(a, t) / 2 }},
		"activation-nearly": {
			func(a, t float64) float64 { return math.Round(1e6*ByActivation(a, t)) / 1e6 },
			func(a, t float64) float64 { return clippedSigmoid(10)(a) - t },
		},
		"activation-value": {
			func(_, _ float64) float64 { return 0 },
			func(a, t float64) float64 { return clippedSigmoid(4)(a) - t },
		},
		"activation-not-finite": {
			func(a, t float64) float64 { return math.Exp(a)/(1+math.Exp(a)) - t },
			func(a, t float64) float64 { y := sigmoid(a); return ByOutput(y, t) * y * (1 - y) },
		},
		"activation-in-the-middle": {func(a, t float64) float64 { return a - t }},
	})
}

// TestSmallestProblems checks three wrong answers. On the problem with one point and one weight, these
// answers return the same result as the mistake “one-term-only”. Part 4 of the report, which contains
// this problem, must reject the answers but must not name this mistake.
func TestSmallestProblems(t *testing.T) {
	for name, f := range map[string]gradientFunc{
		"all entries 0 for a single point": func(w []float64, Phi *mat.Dense, t []float64) []float64 {
			if len(t) == 1 {
				return make([]float64, len(w))
			}
			return Gradient(w, Phi, t)
		},
		"first column forgotten": func(w []float64, Phi *mat.Dense, t []float64) []float64 {
			return append([]float64{0}, Gradient(w, Phi, t)[1:]...)
		},
		"last row forgotten": func(w []float64, Phi *mat.Dense, t []float64) []float64 {
			if n := len(t) - 1; n > 0 {
				return Gradient(w, Phi.Slice(0, n, 0, len(w)).(*mat.Dense), t[:n])
			}
			return make([]float64, len(w))
		},
	} {
		if p := ex13.Check(f).Parts[3]; p.Outcome != verify.Wrong || p.Key == "one-term-only" {
			t.Errorf("answer %q: part 4 is %s with key %q, want Wrong with a key other than one-term-only: %s", name, p.Outcome, p.Key, p.Message)
		}
	}
}

// TestText checks that the explore cell contains neither the answer to this exercise nor the answer
// to exercise 4.14.
func TestText(t *testing.T) {
	for _, formula := range []string{"- t[", "Log1p"} {
		if strings.Contains(ex13.Exercise().Explore, formula) {
			t.Errorf("the explore cell contains %q, which is part of an answer", formula)
		}
	}
}

func ExampleCheck() {
	squares := twoclass.Pulling(func(a, t float64) float64 { y := sigmoid(a); return (y - t) * y * (1 - y) })
	fmt.Println(ex13.Check(squares).Parts[1].Message)
	// Output: This is the gradient of the sum of squares ½Σ(y−t)², with a factor y(1−y). For the cross-entropy the derivative of the logarithms cancels this factor.
}

func ExampleCheckSteps() {
	squared := func(a, t float64) float64 { y := sigmoid(a); return (y - t) * y * (1 - y) }
	fmt.Println(ex13.CheckSteps(ByOutput, squared).Parts[2].Message)
	// Output: This is the derivative of the squared error ½(y−t)². For the cross-entropy the factor y(1−y) cancels.
}
