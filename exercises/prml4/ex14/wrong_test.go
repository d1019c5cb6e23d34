package ex14_test

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/gate"
	"github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex14"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// perceptron makes passes until one has no correction; wrong decides what counts
// as a mistake, and limited says what is reported when the passes run out.
func perceptron(passes int, wrong func(s float64) bool, limited bool) directionFunc {
	return func(Phi *mat.Dense, t []float64) ([]float64, bool) {
		w := make([]float64, Phi.RawMatrix().Cols)
		for range passes {
			clean := true
			for n := range t {
				if sign := 2*t[n] - 1; wrong(sign * floats.Dot(w, Phi.RawRowView(n))) {
					floats.AddScaled(w, sign, Phi.RawRowView(n))
					clean = false
				}
			}
			if clean {
				return w, true
			}
		}
		return w, limited
	}
}

func notPositive(s float64) bool { return s <= 0 }

// found changes the reference's direction where there is one.
func found(f func(w []float64) []float64) directionFunc {
	return func(Phi *mat.Dense, t []float64) ([]float64, bool) {
		w, ok := SeparatingDirection(Phi, t)
		if ok {
			w = f(w)
		}
		return w, ok
	}
}

func TestWrongDirection(t *testing.T) {
	fill := func(v float64) func(w []float64) []float64 {
		return func(w []float64) []float64 {
			for j := range w {
				w[j] = v
			}
			return w
		}
	}
	for _, tc := range []struct {
		name, key string
		answer    directionFunc
	}{
		{"always success", "always-ok", perceptron(300, notPositive, true)},
		{"never", "never-ok", func(*mat.Dense, []float64) ([]float64, bool) { return nil, false }},
		{"gives up after two passes", "missed", perceptron(2, notPositive, false)},
		{"gives up after a hundred passes", "missed", perceptron(100, notPositive, false)},
		{"difference of means as the boundary's normal", "missed", func(Phi *mat.Dense, t []float64) ([]float64, bool) {
			w := make([]float64, Phi.RawMatrix().Cols)
			for n := range t {
				floats.AddScaled(w, 2*t[n]-1, Phi.RawRowView(n))
			}
			for n := range t {
				if (2*t[n]-1)*floats.Dot(w, Phi.RawRowView(n)) <= 0 {
					return nil, false
				}
			}
			return w, true
		}},
		{"one pass, success assumed", "not-separating", perceptron(1, notPositive, true)},
		{"mistakes are < 0", "zero-vector", perceptron(1000, func(s float64) bool { return s < 0 }, false)},
		{"boundary counts as right", "touching", func(Phi *mat.Dense, t []float64) ([]float64, bool) {
			w, ok := SeparatingDirection(Phi, t)
			if ok {
				return w, ok
			}
			// is there a w ≠ 0 with nothing on the wrong side? tried on a circle and on the axes
			m := Phi.RawMatrix().Cols
			for i := range 720 {
				w := make([]float64, m)
				w[m-1] = math.Cos(float64(i) * math.Pi / 360)
				w[0] = math.Sin(float64(i) * math.Pi / 360)
				if i%180 == 0 { // the axes exactly
					w[m-1], w[0] = math.Round(w[m-1]), math.Round(w[0])
				}
				right := true
				for n := range t {
					right = right && (2*t[n]-1)*floats.Dot(w, Phi.RawRowView(n)) >= 0
				}
				if right {
					return w, true
				}
			}
			return nil, false
		}},
		{"last point not looked at", "false-success", func(Phi *mat.Dense, t []float64) ([]float64, bool) {
			if w, ok := SeparatingDirection(Phi, t); ok {
				return w, ok
			}
			n, m := Phi.Dims()
			return SeparatingDirection(mat.DenseCopyOf(Phi.Slice(0, n-1, 0, m)), t[:n-1])
		}},
		{"opposite", "opposite", found(func(w []float64) []float64 { floats.Scale(-1, w); return w })},
		{"zero", "zero-vector", found(fill(0))},
		{"first axis", "not-separating", found(func(w []float64) []float64 {
			clear(w)
			w[0] = 1
			return w
		})},
		{"fixed margin asked for", "absolute-threshold", func(Phi *mat.Dense, t []float64) ([]float64, bool) {
			w, ok := SeparatingDirection(Phi, t)
			for n := range t {
				ok = ok && math.Abs(floats.Dot(w, Phi.RawRowView(n))) > 1e-8
			}
			return w, ok
		}},
		{"a point on the boundary", "on-the-boundary", func(Phi *mat.Dense, t []float64) ([]float64, bool) {
			w, ok := SeparatingDirection(Phi, t)
			if n, m := Phi.Dims(); ok && n == 3 && m == 2 && t[0] == 0 { // three points on a line
				return []float64{1, 1}, true
			}
			return w, ok
		}},
		{"without the bias", "wrong-length", found(func(w []float64) []float64 { return w[1:] })},
		{"nil", "wrong-length", found(func([]float64) []float64 { return nil })},
		{"not a number", "not-finite", found(fill(math.NaN()))},
		{"infinite", "not-finite", found(fill(math.Inf(1)))},
		{"huge", "not-separating", found(fill(math.MaxFloat64))},
		{"signs into Φ", "mutates-inputs", func(Phi *mat.Dense, t []float64) ([]float64, bool) {
			w, ok := SeparatingDirection(Phi, t)
			Phi.Scale(-1, Phi)
			return w, ok
		}},
		{"targets to ±1", "mutates-inputs", func(Phi *mat.Dense, t []float64) ([]float64, bool) {
			w, ok := SeparatingDirection(Phi, t)
			for n := range t {
				t[n] = 2*t[n] - 1
			}
			return w, ok
		}},
	} {
		t.Run(tc.name, func(t *testing.T) { gate.Wrong(t, ex14.Exercise(), ex14.Check(tc.answer, ErrorAlong), tc.key) })
	}
}

func sigmoid(a float64) float64 { return 1 / (1 + math.Exp(-a)) }

// terms is Σ r(c·a_n, t_n).
func terms(r func(a, t float64) float64) errorFunc {
	return func(w []float64, Phi *mat.Dense, t []float64, c float64) float64 {
		e := 0.0
		for n := range t {
			e += r(c*floats.Dot(w, Phi.RawRowView(n)), t[n])
		}
		return e
	}
}

func scale(f float64) errorFunc {
	return func(w []float64, Phi *mat.Dense, t []float64, c float64) float64 {
		return f * ErrorAlong(w, Phi, t, c)
	}
}

// term is one term of the error, with its digits.
func term(a, t float64) float64 {
	return ErrorAlong([]float64{1}, mat.NewDense(1, 1, []float64{a}), []float64{t}, 1)
}

func TestWrongError(t *testing.T) {
	calls := 0.0
	for _, tc := range []struct {
		name, key string
		answer    errorFunc
	}{
		{"log likelihood", "sign", scale(-1)},
		{"negative", "no-error", scale(-1)},
		{"mean", "averaged", func(w []float64, Phi *mat.Dense, t []float64, c float64) float64 {
			return ErrorAlong(w, Phi, t, c) / float64(len(t))
		}},
		{"base 2", "base", scale(1 / math.Ln2)},
		{"half", "factor", scale(0.5)},
		{"twice", "factor", scale(2)},
		{"twice falls too slowly", "falls-too-slowly", scale(2)},
		{"c·E(w)", "error-scaled", func(w []float64, Phi *mat.Dense, t []float64, c float64) float64 { return c * ErrorAlong(w, Phi, t, 1) }},
		{"c forgotten", "c-left-out", func(w []float64, Phi *mat.Dense, t []float64, _ float64) float64 { return ErrorAlong(w, Phi, t, 1) }},
		{"does not fall", "not-falling", func(w []float64, Phi *mat.Dense, t []float64, _ float64) float64 { return ErrorAlong(w, Phi, t, 1) }},
		{"bias not scaled", "bias-not-scaled", func(w []float64, Phi *mat.Dense, t []float64, c float64) float64 {
			v := floats.ScaleTo(make([]float64, len(w)), c, w)
			v[0] = w[0]
			return ErrorAlong(v, Phi, t, 1)
		}},
		{"classes swapped", "classes-swapped", func(w []float64, Phi *mat.Dense, t []float64, c float64) float64 { return ErrorAlong(w, Phi, t, -c) }},
		{"squares", "squared-error", terms(func(a, t float64) float64 { return (sigmoid(a) - t) * (sigmoid(a) - t) })},
		{"half squares", "squared-error", terms(func(a, t float64) float64 { return (sigmoid(a) - t) * (sigmoid(a) - t) / 2 })},
		{"perceptron criterion", "perceptron", terms(func(a, t float64) float64 { return math.Max(0, (1-2*t)*a) })},
		{"mistakes counted", "count", terms(func(a, t float64) float64 {
			if (2*t-1)*a <= 0 {
				return 1
			}
			return 0
		})},
		{"hinge loss", "hinge", terms(func(a, t float64) float64 { return math.Max(0, 1-(2*t-1)*a) })},
		{"t = 1 only", "one-term-only", terms(func(a, t float64) float64 { return t * term(a, 1) })},
		{"t = 0 only", "one-term-only", terms(func(a, t float64) float64 { return (1 - t) * term(a, 0) })},
		{"inner sign", "inner-sign", terms(func(a, t float64) float64 { return (2*t - 1) * term(a, t) })},
		{"likelihood", "likelihood", func(w []float64, Phi *mat.Dense, t []float64, c float64) float64 {
			return math.Exp(-ErrorAlong(w, Phi, t, c))
		}},
		{"prior", "prior", func(w []float64, Phi *mat.Dense, t []float64, c float64) float64 {
			return ErrorAlong(w, Phi, t, c) + c*c*floats.Dot(w, w)/2
		}},
		{"last point forgotten", "value", func(w []float64, Phi *mat.Dense, t []float64, c float64) float64 {
			return ErrorAlong(w, Phi, t[:len(t)-1], c)
		}},
		{"another falling curve", "newton-stops", func(_ []float64, _ *mat.Dense, t []float64, c float64) float64 {
			return float64(len(t)) * math.Ln2 * math.Exp(-c-c*c) // curved the other way at c = 0
		}},
		{"not below the bound", "not-below-bound", scale(1e4)},
		{"t ln y + (1−t) ln(1−y)", "overflow", terms(func(a, t float64) float64 {
			y := sigmoid(a)
			return -t*math.Log(y) - (1-t)*math.Log(1-y)
		})},
		{"by cases, from y", "overflow", terms(func(a, t float64) float64 {
			if t == 1 {
				return -math.Log(sigmoid(a))
			}
			return -math.Log(1 - sigmoid(a))
		})},
		{"ln(1+e^−s) for every s", "overflow", terms(func(a, t float64) float64 { return math.Log1p(math.Exp(-(2*t - 1) * a)) })},
		{"clipped outputs", "clipped", terms(func(a, t float64) float64 {
			y := math.Min(1-1e-15, math.Max(1e-15, sigmoid(a)))
			if t == 1 {
				return -math.Log(y)
			}
			return -math.Log(1 - y)
		})},
		{"activations clipped", "clipped", terms(func(a, t float64) float64 { return term(math.Min(500, math.Max(-500, a)), t) })},
		{"wrong everywhere", "wrong-in-the-middle", scale(2)},
		{"not a number", "not-finite", scale(math.NaN())},
		{"infinite", "not-finite", scale(math.Inf(1))},
		{"huge", "value", func([]float64, *mat.Dense, []float64, float64) float64 { return math.MaxFloat64 }},
		{"grows", "not-constant", func(w []float64, Phi *mat.Dense, t []float64, c float64) float64 {
			calls++
			return ErrorAlong(w, Phi, t, c) + calls
		}},
		{"scales w in place", "mutates-inputs", func(w []float64, Phi *mat.Dense, t []float64, c float64) float64 {
			floats.Scale(c, w)
			return ErrorAlong(w, Phi, t, 1)
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			gate.Wrong(t, ex14.Exercise(), ex14.Check(SeparatingDirection, tc.answer), tc.key)
		})
	}
}

// TestNothingToFollow: without a direction the last part is Wrong, not Right.
func TestNothingToFollow(t *testing.T) {
	r := ex14.Check(perceptron(1, notPositive, false), ErrorAlong)
	gate.Wrong(t, ex14.Exercise(), r, "no-direction")
}

func TestNoAnswer(t *testing.T) {
	todoDirection := func(*mat.Dense, []float64) ([]float64, bool) { panic(verify.TODO) }
	todoError := func([]float64, *mat.Dense, []float64, float64) float64 { panic(verify.TODO) }
	gate.Outcome(t, ex14.Check(todoDirection, todoError), verify.NotAttempted)
	gate.Outcome(t, ex14.Check(func(*mat.Dense, []float64) ([]float64, bool) { panic("my own") },
		func([]float64, *mat.Dense, []float64, float64) float64 { panic("my own") }), verify.Crashed)
	gate.Outcome(t, ex14.Check(nil, nil), verify.Crashed)
	if half := ex14.Check(SeparatingDirection, todoError); half.Passed() || half.Count(verify.Right) != 3 || half.Count(verify.NotAttempted) != 4 {
		t.Errorf("one of two functions written: want three parts Right and the rest NotAttempted:\n%s", half)
	}
}

func TestSameReportEachTime(t *testing.T) {
	if first, second := ex14.Check(SeparatingDirection, ErrorAlong).String(), ex14.Check(SeparatingDirection, ErrorAlong).String(); first != second {
		t.Errorf("two runs differ:\n%s\n%s", first, second)
	}
}

func ExampleCheck() {
	swapped := func(w []float64, Phi *mat.Dense, t []float64, c float64) float64 { return ErrorAlong(w, Phi, t, -c) }
	fmt.Println(ex14.Check(SeparatingDirection, swapped).Parts[3].Message)
	// Output: The classes are swapped: this is E(−c·w). y = σ(a) is the probability of t = 1.
}
