package ex07_test

import (
	"fmt"
	"math"
	"regexp"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/hyperplane-notebooks/hyperplane/exercises/alpaydin10/ex07"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/gate"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// descent counts with another update, gradient, step or stop.
type descent struct {
	residual func(y, r float64) float64
	gradient func(g []float64, n int)
	stop     func(g []float64, eta float64) float64
	uphill   bool
	online   bool
	noBias   bool
}

func (v descent) steps(X *mat.Dense, r []float64, eta, tol float64, max int) int {
	n, d := X.Dims()
	w := make([]float64, d+1)
	for step := 0; ; step++ {
		g, at := make([]float64, d+1), append([]float64(nil), w...)
		for t := range n {
			x := append([]float64{1}, X.RawRowView(t)...)
			if v.noBias {
				x[0] = 0
			}
			y := 1 / (1 + math.Exp(-floats.Dot(at, x)))
			e := y - r[t]
			if v.residual != nil {
				e = v.residual(y, r[t])
			}
			floats.AddScaled(g, e, x)
			if v.online {
				floats.AddScaled(at, -eta*e, x)
			}
		}
		if v.gradient != nil {
			v.gradient(g, n)
		}
		size := floats.Norm(g, 2)
		if v.stop != nil {
			size = v.stop(g, eta)
		}
		switch {
		case size <= tol:
			return step
		case step == max:
			return -1
		case v.online:
			w = at
		case v.uphill:
			floats.AddScaled(w, eta, g)
		default:
			floats.AddScaled(w, -eta, g)
		}
	}
}

func TestWrongSteps(t *testing.T) {
	calls := 0
	after := func(f func(n, max int) int) stepsFunc {
		return func(X *mat.Dense, r []float64, eta, tol float64, max int) int {
			return f(Steps(X, r, eta, tol, max), max)
		}
	}
	for _, tc := range []struct {
		name, key string
		answer    stepsFunc
	}{
		{"one more", "off-by-one", after(func(n, _ int) int { return n + 1 })},
		{"one less", "off-by-one", after(func(n, _ int) int { return n - 1 })},
		{"mean gradient", "averaged", descent{gradient: func(g []float64, n int) { floats.Scale(1/float64(n), g) }}.steps},
		{"small change", "step-compared", descent{stop: func(g []float64, eta float64) float64 { return eta * floats.Norm(g, 2) }}.steps},
		{"largest component", "largest-component", descent{stop: func(g []float64, _ float64) float64 { return floats.Norm(g, math.Inf(1)) }}.steps},
		{"1-norm", "sum-of-components", descent{stop: func(g []float64, _ float64) float64 { return floats.Norm(g, 1) }}.steps},
		{"square", "squared-length", descent{stop: func(g []float64, _ float64) float64 { return floats.Dot(g, g) }}.steps},
		{"length over N", "mean-stop", func(X *mat.Dense, r []float64, eta, tol float64, max int) int {
			return Steps(X, r, eta, tol*float64(len(r)), max)
		}},
		{"no bias", "bias-left-out", descent{noBias: true}.steps},
		{"uphill", "never-arrives", descent{uphill: true}.steps},
		{"online", "online", descent{online: true}.steps},
		{"squared error", "squared-error", descent{residual: func(y, r float64) float64 { return (y - r) * y * (1 - y) }}.steps},
		{"factor 2", "half-step", descent{residual: func(y, r float64) float64 { return 2 * (y - r) }}.steps},
		{"half the η", "too-many", func(X *mat.Dense, r []float64, eta, tol float64, max int) int { return Steps(X, r, eta/2, tol, max) }},
		{"max of its own", "never-arrives", func(X *mat.Dense, r []float64, eta, tol float64, _ int) int { return Steps(X, r, eta/2, tol, 10) }},
		{"a wider tolerance", "too-few", func(X *mat.Dense, r []float64, eta, tol float64, max int) int { return Steps(X, r, eta, 3*tol, max) }},
		{"at least one", "start", after(func(n, _ int) int {
			if n == 0 {
				return 1
			}
			return n
		})},
		{"below tol, not at it", "tie", func(X *mat.Dense, r []float64, eta, tol float64, max int) int {
			return Steps(X, r, eta, math.Nextafter(tol, 0), max)
		}},
		{"very negative", "negative", after(func(int, int) int { return math.MinInt })},
		{"huge", "too-many", after(func(int, int) int { return math.MaxInt })},
		{"max for never", "max-for-never", after(func(n, max int) int {
			if n < 0 {
				return max
			}
			return n
		})},
		{"one more, −1 where it belongs", "count-first", after(func(n, _ int) int {
			if n < 0 {
				return -1
			}
			return n + 1
		})},
		{"max ignored", "max-ignored", func(X *mat.Dense, r []float64, eta, tol float64, _ int) int { return Steps(X, r, eta, tol, 20000) }},
		{"one update fewer allowed", "max-too-strict", func(X *mat.Dense, r []float64, eta, tol float64, max int) int {
			return Steps(X, r, eta, tol, max-1)
		}},
		{"η capped", "diverges", func(X *mat.Dense, r []float64, eta, tol float64, max int) int {
			for n := 0; n < 60; n++ { // tries smaller ones until it arrives
				if s := Steps(X, r, eta/math.Pow(2, float64(n)), tol, max); s >= 0 || max < 400 || max > 400 {
					return s
				}
			}
			return -1
		}},
		{"a step for every weight of its own", "no-growth", func(X *mat.Dense, r []float64, eta, tol float64, max int) int {
			z, _, _ := Rescale(X, X)
			n, _ := X.Dims()
			return Steps(z, r, 1/float64(n), tol, max)
		}},
		{"never", "no-growth", after(func(int, int) int { return -1 })},
		{"writes into X", "mutates-inputs", func(X *mat.Dense, r []float64, eta, tol float64, max int) int {
			X.Scale(0.5, X)
			return 3
		}},
		{"writes into r", "mutates-inputs", func(X *mat.Dense, r []float64, eta, tol float64, max int) int {
			r[0] = 0.5
			return 3
		}},
		{"counts on", "not-constant", after(func(n, _ int) int { calls++; return n + calls })},
	} {
		t.Run(tc.name, func(t *testing.T) { wrong(t, ex07.Check(tc.answer, Rescale), tc.key) })
	}
}

func TestWrongRescale(t *testing.T) {
	// withBack is the reference with another way back, from its weights and the rule.
	withBack := func(f func(w, mean, sd []float64) []float64) rescaleFunc {
		return func(train, test *mat.Dense) (*mat.Dense, *mat.Dense, func([]float64) []float64) {
			a, b, _ := Rescale(train, test)
			_, d := train.Dims()
			mean, sd := make([]float64, d), make([]float64, d)
			for j := range d {
				if mean[j], sd[j] = stat.PopMeanStdDev(mat.Col(nil, j, train), nil); sd[j] < 1e-12 {
					sd[j] = 1
				}
			}
			return a, b, func(w []float64) []float64 { return f(w, mean, sd) }
		}
	}
	calls := 0.0
	for _, tc := range []struct {
		name, key string
		answer    rescaleFunc
	}{
		{"train and test together", "leak", func(train, test *mat.Dense) (*mat.Dense, *mat.Dense, func([]float64) []float64) {
			var both mat.Dense
			both.Stack(train, test)
			a, _, back := Rescale(&both, test)
			n, d := train.Dims()
			m, _ := test.Dims()
			return mat.DenseCopyOf(a.Slice(0, n, 0, d)), mat.DenseCopyOf(a.Slice(n, n+m, 0, d)), back
		}},
		{"test by itself", "test-by-itself", func(train, test *mat.Dense) (*mat.Dense, *mat.Dense, func([]float64) []float64) {
			a, _, back := Rescale(train, train)
			b, _, _ := Rescale(test, test)
			return a, b, back
		}},
		{"test left as it is", "not-one-rule", func(train, test *mat.Dense) (*mat.Dense, *mat.Dense, func([]float64) []float64) {
			a, _, back := Rescale(train, test)
			return a, mat.DenseCopyOf(test), back
		}},
		{"rows to length 1", "rows-scaled", func(train, test *mat.Dense) (*mat.Dense, *mat.Dense, func([]float64) []float64) {
			rows := func(x *mat.Dense) *mat.Dense {
				z := mat.DenseCopyOf(x)
				for t := range z.RawMatrix().Rows {
					floats.Scale(1/floats.Norm(z.RawRowView(t), 2), z.RawRowView(t))
				}
				return z
			}
			return rows(train), rows(test), func(w []float64) []float64 { return w }
		}},
		{"rows to mean 0 and spread 1", "rows-scaled", func(train, test *mat.Dense) (*mat.Dense, *mat.Dense, func([]float64) []float64) {
			rows := func(x *mat.Dense) *mat.Dense {
				z := mat.DenseCopyOf(x)
				for t := range z.RawMatrix().Rows {
					m, s := stat.PopMeanStdDev(z.RawRowView(t), nil)
					floats.AddConst(-m, z.RawRowView(t))
					floats.Scale(1/(s+1e-9), z.RawRowView(t))
				}
				return z
			}
			return rows(train), rows(test), func(w []float64) []float64 { return w }
		}},
		{"0/0 in a constant column", "constant-column", func(train, test *mat.Dense) (*mat.Dense, *mat.Dense, func([]float64) []float64) {
			_, d := train.Dims()
			mean, sd := make([]float64, d), make([]float64, d)
			for j := range d {
				mean[j], sd[j] = stat.PopMeanStdDev(mat.Col(nil, j, train), nil)
			}
			apply := func(x *mat.Dense) *mat.Dense {
				z := mat.DenseCopyOf(x)
				z.Apply(func(_, j int, v float64) float64 { return (v - mean[j]) / sd[j] }, z)
				return z
			}
			return apply(train), apply(test), func(w []float64) []float64 { return w }
		}},
		{"constant only where the spread is exactly 0", "constant-by-rounding", func(train, test *mat.Dense) (*mat.Dense, *mat.Dense, func([]float64) []float64) {
			_, d := train.Dims()
			mean, sd := make([]float64, d), make([]float64, d)
			for j := range d {
				c := mat.Col(nil, j, train)
				sum := 0.0
				for _, v := range c {
					sum += v
				}
				mean[j] = sum / float64(len(c))
				for _, v := range c {
					sd[j] += (v - mean[j]) * (v - mean[j]) / float64(len(c))
				}
				if sd[j] = math.Sqrt(sd[j]); sd[j] == 0 {
					sd[j] = 1
				}
			}
			apply := func(x *mat.Dense) *mat.Dense {
				z := mat.DenseCopyOf(x)
				z.Apply(func(_, j int, v float64) float64 { return (v - mean[j]) / sd[j] }, z)
				return z
			}
			return apply(train), apply(test), func(w []float64) []float64 { return w }
		}},
		{"unchanged", "unchanged", func(train, test *mat.Dense) (*mat.Dense, *mat.Dense, func([]float64) []float64) {
			return train, test, func(w []float64) []float64 { return w }
		}},
		{"centred only", "not-scaled", byUnits(func(x []float64) (float64, float64) { return stat.Mean(x, nil), 1 })},
		{"variance for deviation", "not-scaled", byUnits(func(x []float64) (float64, float64) {
			m, v := stat.PopMeanVariance(x, nil)
			if v == 0 {
				v = 1
			}
			return m, v
		})},
		{"all columns by one number", "not-scaled", func(train, test *mat.Dense) (*mat.Dense, *mat.Dense, func([]float64) []float64) {
			unit := mat.Max(train)
			return byUnits(func(x []float64) (float64, float64) { return stat.Mean(x, nil), unit })(train, test)
		}},
		{"constant if the spread is below the mean", "not-scaled", thresholded(func(mean float64) float64 { return math.Abs(mean) })},
		{"constant if the spread is below 1e-12", "absolute-threshold", thresholded(func(float64) float64 { return 1e-12 })},
		{"threshold over the mean", "absolute-threshold", thresholded(func(mean float64) float64 { return 1e-12 / math.Abs(mean) })},
		{"threshold with the sign of the mean", "constant-column", thresholded(func(mean float64) float64 { return 1e-12 * mean })},
		{"scaled only", "not-centred", byUnits(func(x []float64) (float64, float64) {
			s := stat.PopStdDev(x, nil)
			if s < 1e-9 {
				s = 1
			}
			return 0, s
		})},
		{"to a tiny unit", "other-unit", byUnits(func(x []float64) (float64, float64) {
			m, s := stat.PopMeanStdDev(x, nil)
			if s < 1e-9 {
				return m, 1
			}
			return m, 1000 * s
		})},
		{"constant below a fixed 1e-6", "absolute-threshold", byUnits(func(x []float64) (float64, float64) {
			m, s := stat.PopMeanStdDev(x, nil)
			if s < 1e-6 {
				s = 1
			}
			return m, s
		})},
		{"constant against the largest input", "absolute-threshold", func(train, test *mat.Dense) (*mat.Dense, *mat.Dense, func([]float64) []float64) {
			largest := math.Max(mat.Max(train), -mat.Min(train))
			return byUnits(func(x []float64) (float64, float64) {
				m, s := stat.PopMeanStdDev(x, nil)
				if s < 1e-9*largest {
					s = 1
				}
				return m, s
			})(train, test)
		}},
		{"1e-6 added to every spread", "absolute-threshold", byUnits(func(x []float64) (float64, float64) {
			m, s := stat.PopMeanStdDev(x, nil)
			return m, s + 1e-6
		})},
		{"back: as they were", "back-identity", withBack(func(w, _, _ []float64) []float64 { return w })},
		{"back: bias forgotten", "back-bias-forgotten", withBack(func(w, _, sd []float64) []float64 {
			return append([]float64{w[0]}, floats.DivTo(make([]float64, len(sd)), w[1:], sd)...)
		})},
		{"back: bias the other way", "back-bias", withBack(func(w, mean, sd []float64) []float64 {
			v := floats.DivTo(make([]float64, len(sd)), w[1:], sd)
			return append([]float64{w[0] + floats.Dot(v, mean)}, v...)
		})},
		{"back: mean not divided", "back-bias", withBack(func(w, mean, sd []float64) []float64 {
			v := floats.DivTo(make([]float64, len(sd)), w[1:], sd)
			return append([]float64{w[0] - floats.Dot(w[1:], mean)}, v...)
		})},
		{"back: multiplied", "back-weights", withBack(func(w, mean, sd []float64) []float64 {
			v := floats.MulTo(make([]float64, len(sd)), w[1:], sd)
			return append([]float64{w[0] - floats.Dot(v, mean)}, v...)
		})},
		{"back: no bias returned", "wrong-length", withBack(func(w, _, sd []float64) []float64 {
			return floats.DivTo(make([]float64, len(sd)), w[1:], sd)
		})},
		{"back: nothing", "wrong-length", withBack(func(w, _, _ []float64) []float64 { return nil })},
		{"back: NaN", "back-weights", withBack(func(w, _, _ []float64) []float64 {
			out := make([]float64, len(w))
			floats.AddConst(math.NaN(), out)
			return out
		})},
		{"back: in place", "mutates-inputs", withBack(func(w, _, sd []float64) []float64 {
			floats.Div(w[1:], sd)
			w[0]++
			return w
		})},
		{"no back", "no-back", func(train, test *mat.Dense) (*mat.Dense, *mat.Dense, func([]float64) []float64) {
			a, b, _ := Rescale(train, test)
			return a, b, nil
		}},
		{"nothing", "empty", func(_, _ *mat.Dense) (*mat.Dense, *mat.Dense, func([]float64) []float64) { return nil, nil, nil }},
		{"test and train exchanged", "wrong-shape", func(train, test *mat.Dense) (*mat.Dense, *mat.Dense, func([]float64) []float64) {
			a, b, back := Rescale(train, test)
			return b, a, back
		}},
		{"infinite", "not-finite", func(train, test *mat.Dense) (*mat.Dense, *mat.Dense, func([]float64) []float64) {
			a, b, back := Rescale(train, test)
			b.Set(0, 0, math.Inf(1))
			return a, b, back
		}},
		{"huge", "not-one-rule", func(train, test *mat.Dense) (*mat.Dense, *mat.Dense, func([]float64) []float64) {
			a, b, back := Rescale(train, test)
			b.Set(0, 0, math.MaxFloat64)
			return a, b, back
		}},
		{"in place", "mutates-inputs", func(train, test *mat.Dense) (*mat.Dense, *mat.Dense, func([]float64) []float64) {
			a, b, back := Rescale(train, test)
			train.Copy(a)
			return train, b, back
		}},
		{"grows", "not-constant", func(train, test *mat.Dense) (*mat.Dense, *mat.Dense, func([]float64) []float64) {
			calls++
			a, b, back := Rescale(train, test)
			a.Set(0, 0, calls)
			return a, b, back
		}},
	} {
		t.Run(tc.name, func(t *testing.T) { wrong(t, ex07.Check(Steps, tc.answer), tc.key) })
	}
}

// wrong is gate.Wrong, and asks that the messages write one minus throughout.
func wrong(t *testing.T, r *verify.Report, key string) {
	t.Helper()
	gate.Wrong(t, ex07.Exercise(), r, key)
	for _, p := range r.Parts {
		if hyphen.MatchString(p.Message) {
			t.Errorf("part %q writes a minus as a hyphen: %s", p.Name, p.Message)
		}
	}
}

var hyphen = regexp.MustCompile(`-([0-9]|Inf)`)

// TestLimitsAreNotBlamedForTheCount: −1 where it belongs is right, also where every
// count is one too many.
func TestLimitsAreNotBlamedForTheCount(t *testing.T) {
	r := ex07.Check(func(X *mat.Dense, r []float64, eta, tol float64, max int) int {
		if n := Steps(X, r, eta, tol, max); n >= 0 {
			return n + 1
		}
		return -1
	}, Rescale)
	if p := r.Parts[1]; p.Key != "count-first" || strings.Contains(p.Message, "return −1") {
		t.Errorf("the limits are said to be wrong (%s): %s", p.Key, p.Message)
	}
	for _, p := range r.Parts[:3] {
		if p.Hint > 2 {
			t.Errorf("part %q points to hint %d, which tells how to write Rescale", p.Name, p.Hint)
		}
	}
}

// byUnits is a rescaling by column with any zero and unit.
func byUnits(rule func(x []float64) (zero, unit float64)) rescaleFunc {
	return func(train, test *mat.Dense) (*mat.Dense, *mat.Dense, func([]float64) []float64) {
		_, d := train.Dims()
		zero, unit := make([]float64, d), make([]float64, d)
		for j := range d {
			zero[j], unit[j] = rule(mat.Col(nil, j, train))
		}
		apply := func(x *mat.Dense) *mat.Dense {
			z := mat.DenseCopyOf(x)
			z.Apply(func(_, j int, v float64) float64 { return (v - zero[j]) / unit[j] }, z)
			return z
		}
		return apply(train), apply(test), func(w []float64) []float64 {
			v := floats.DivTo(make([]float64, d), w[1:], unit)
			return append([]float64{w[0] - floats.Dot(v, zero)}, v...)
		}
	}
}

// thresholded standardises, and takes a column for constant whose deviation is at
// most limit of its mean.
func thresholded(limit func(mean float64) float64) rescaleFunc {
	return byUnits(func(x []float64) (float64, float64) {
		m, s := stat.PopMeanStdDev(x, nil)
		if s <= limit(m) {
			s = 1
		}
		return m, s
	})
}

func TestNoAnswer(t *testing.T) {
	todo := func(*mat.Dense, []float64, float64, float64, int) int { panic(verify.TODO) }
	todoRescale := func(_, _ *mat.Dense) (*mat.Dense, *mat.Dense, func([]float64) []float64) { panic(verify.TODO) }
	gate.Outcome(t, ex07.Check(todo, todoRescale), verify.NotAttempted)
	gate.Outcome(t, ex07.Check(func(*mat.Dense, []float64, float64, float64, int) int { panic("my own") },
		func(_, _ *mat.Dense) (*mat.Dense, *mat.Dense, func([]float64) []float64) { panic("my own") }), verify.Crashed)
	gate.Outcome(t, ex07.Check(nil, nil), verify.Crashed)
	half := ex07.Check(Steps, todoRescale)
	if half.Passed() || half.Count(verify.NotAttempted) != 4 || half.Count(verify.Right) != 3 {
		t.Errorf("one of two functions written: want four parts NotAttempted and three Right:\n%s", half)
	}
}

func TestSameReportEachTime(t *testing.T) {
	if first, second := ex07.Check(Steps, Rescale).String(), ex07.Check(Steps, Rescale).String(); first != second {
		t.Errorf("two runs differ:\n%s\n%s", first, second)
	}
}

func ExampleCheck() {
	centred := byUnits(func(x []float64) (float64, float64) { return stat.Mean(x, nil), 1 })
	r := ex07.Check(Steps, centred)
	fmt.Println(r.Parts[5].Key)
	// Output: not-scaled
}
