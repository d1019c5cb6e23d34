package ex09_test

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/exercises/alpaydin10/ex09"
	"github.com/hyperplane-notebooks/hyperplane/exercises/gate"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

type (
	featuresFunc = func(x float64) []float64
	weightsFunc  = func() []float64
)

// singleFeature returns a Features function with the single feature f.
func singleFeature(f func(x float64) float64) featuresFunc {
	return func(x float64) []float64 { return []float64{f(x)} }
}

func w(values ...float64) weightsFunc { return func() []float64 { return values } }

func step(x, at float64) float64 {
	if x > at {
		return 1
	}
	return 0
}

// vary returns the texts that replace the placeholders of the exercise for a given seed, such as the
// ends of the interval.
var vary = ex09.Exercise().Vary

// constant returns the number that replaces the placeholder with the given name if the seed is n.
func constant(n uint64, name string) float64 {
	v, err := strconv.ParseFloat(vary(n)[name], 64)
	if err != nil {
		panic(err)
	}
	return v
}

// intervalEnds returns the two ends of the interval for the seed n.
func intervalEnds(n uint64) (from, to float64) { return constant(n, "a"), constant(n, "b") }

// (a, b) is the interval for the seed that these tests use to judge answers. For seed 0 it is (2, 4). The number m is
// the middle of the interval, and h is half its length.
var (
	a, b = intervalEnds(gate.Seed())
	m, h = (a + b) / 2, (b - a) / 2
)

// weights returns the right weights for the interval (a, b), which are the coefficients of
// −(x−a)(x−b).
var weights = w(-a*b, a+b, -1)

func TestRight(t *testing.T) {
	if gate.Seed() == 0 { // Weights is right only for seed 0, with the interval (2, 4)
		t.Run("reference", func(t *testing.T) { gate.Right(t, ex09.Check(Features, Weights)) })
	}
	for _, tc := range []struct {
		name     string
		features featuresFunc
		weights  weightsFunc
	}{
		{"reference with the weights for the current interval", Features, weights},
		{"1 − (x−3)²", singleFeature(func(x float64) float64 { return (x - m) * (x - m) }), w(h*h, -1)},
		{"(x−2)(x−4), no bias", singleFeature(func(x float64) float64 { return (x - a) * (x - b) }), w(-1)},
		{"a constant feature for the bias", func(x float64) []float64 { return []float64{1, x, x * x} },
			w(-a*b, a+b, -1)},
		{"powers up to the third, with a different scale", func(x float64) []float64 { return []float64{x, x * x, x * x * x} },
			w(-10*a*b, 10*(a+b), -10, 0)},
		{"distance from the middle", singleFeature(func(x float64) float64 { return math.Abs(x - m) }), w(h, -1)},
		{"Gaussian bump", singleFeature(func(x float64) float64 { return math.Exp(-(x - m) * (x - m)) }), w(-math.Exp(-h*h), 1)},
		{"two indicators", func(x float64) []float64 { return []float64{step(x, a), step(x, b)} }, w(-0.5, 1, -1)},
		{"the indicator itself", singleFeature(func(x float64) float64 {
			if x > a && x < b {
				return 1
			}
			return -1
		}), w(1)},
		{"two hinges", func(x float64) []float64 { return []float64{math.Max(0, x-m), math.Max(0, m-x)} },
			w(h, -1, -1)},
		{"Cauchy bump", singleFeature(func(x float64) float64 { return 1 / (1 + (x-m)*(x-m)) }), w(-1/(1+h*h), 1)},
	} {
		t.Run(tc.name, func(t *testing.T) { gate.Right(t, ex09.Check(tc.features, tc.weights)) })
	}
}

func TestFunctions(t *testing.T) {
	gate.Function(t, ex09.Exercise(), func(f featuresFunc) *verify.Report { return ex09.Check(f, weights) }, Features)
	gate.Function(t, ex09.Exercise(), func(f weightsFunc) *verify.Report { return ex09.Check(Features, f) }, weights)
}

func TestWrong(t *testing.T) {
	square := func(centre float64) featuresFunc {
		return singleFeature(func(x float64) float64 { return (x - centre) * (x - centre) })
	}
	x := singleFeature(func(x float64) float64 { return x })
	for _, tc := range []struct {
		name, key string
		features  featuresFunc
		weights   weightsFunc
	}{
		{"x − 3", "linear-in-x", x, w(-m, 1)},
		{"3 − x", "linear-in-x", x, w(m, -1)},
		{"two linear features", "linear-in-x", func(x float64) []float64 { return []float64{x - a, b - x} },
			w(0, 1, 2)},
		{"flipped", "class-flipped", Features, w(a*b, -a-b, 1)},
		{"(x−3)² − 1", "class-flipped", square(m), w(-h*h, 1)},
		{"centre 0", "centre-off", square(0), w(h*h, -1)},
		{"centre −3", "centre-off", square(-m), w(h*h, -1)},
		{"centre 2", "centre-off", square(a), w(h*h, -1)},
		{"width 4", "width-off", square(m), w(4*h*h, -1)},
		{"2 for 1", "width-off", square(m), w(h*h+1, -1)},
		{"bias forgotten", "width-off", Features, w(a+b, -1)},
		{"bias 0", "width-off", Features, w(0, a+b, -1)},
		{"12 for 6", "interval-off", Features, w(-a*b, a+b+6, -1)},
		{"rounded", "edge", singleFeature(func(x float64) float64 { return math.Exp(-(x - m) * (x - m) / (h * h)) }),
			w(-0.368, 1)},
		{"bias sign", "width-off", Features, w(a*b, a+b, -1)},
		{"middle sign", "centre-off", Features, w(-a*b, -a-b, -1)},
		{"bias last", "bias-last", Features, w(a+b, -1, -a*b)},
		{"a wave", "several-intervals", singleFeature(func(x float64) float64 { return math.Sin(math.Pi * (x - a) / (b - a)) }),
			w(0, 1)},
		{"a cubic", "wrong-far-out", singleFeature(func(x float64) float64 { return (x - a) * (x - b) * (x + 100) }), w(0, -1)},
		{"a slow wave", "wrong-far-out", singleFeature(func(x float64) float64 { return math.Cos((x - m) / 50) }),
			w(-math.Cos(h/50), 1)},
		{"one step", "one-boundary", singleFeature(func(x float64) float64 { return step(x, a) }), w(-0.5, 1)},
		{"one sigmoid, no threshold", "always", singleFeature(func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }),
			w(1, 1)},
		{"never", "never", square(m), w(-1, -1)},
		{"zero weights", "never", Features, w(0, 0, 0)},
		{"too wide by 0.0108 on each side", "misclassified",
			singleFeature(func(x float64) float64 { return math.Exp(-(x - m) * (x - m) / (h * h)) }),
			w(-math.Exp(-(h+0.0108)*(h+0.0108)/(h*h)), 1)},
		{"weights in another order", "weights-order", Features, w(-a*b, -1, a+b)},
		{"too many weights", "wrong-length", Features, w(1, 2, 3, 4, 5)},
		{"number of features varies", "wrong-length", func(x float64) []float64 {
			if x < 0 {
				return []float64{x}
			}
			return []float64{x, x * x}
		}, weights},
		{"exponential overflows", "not-finite", func(x float64) []float64 { return []float64{x, math.Exp(x)} },
			w(-8, 6, -1)},
		{"logarithm of a negative number", "not-finite", singleFeature(math.Log), w(1, 1)},
		{"pole in the middle", "not-finite", singleFeature(func(x float64) float64 { return 1 / math.Abs(x-m) }), w(-1, 1)},
		{"weight not a number", "not-finite", Features, w(math.NaN(), 6, -1)},
		{"huge weights", "not-finite", Features, w(0, math.MaxFloat64, -math.MaxFloat64)},
	} {
		t.Run(tc.name,
			func(t *testing.T) { gate.Wrong(t, ex09.Exercise(), ex09.Check(tc.features, tc.weights), tc.key) })
	}
}

func ExampleCheck() {
	line := func(x float64) []float64 { return []float64{x} }
	fmt.Println(ex09.Check(line, func() []float64 { return []float64{0, -1} }).Parts[1].Message)
	// Output: Your g is linear in x itself: a straight line, which changes its sign once. Two boundaries need a g that bends; the features may bend, although g is linear in them.
}

// TestIntervals checks the intervals for many seeds. Half the length of each interval must be a whole
// number of at least 1, and the ends must lie between 1 and 18. Only seed 0 may select (2, 4), and
// all 36 possible intervals must occur. For every seed the exercise must replace the same
// placeholders.
func TestIntervals(t *testing.T) {
	seen := map[[2]float64]bool{}
	for n := range uint64(300) {
		from, to := intervalEnds(n)
		seen[[2]float64{from, to}] = true
		half := (to - from) / 2
		if book := from == 2 && to == 4; book != (n == 0) || from < 1 || to > 18 || half != float64(int(half)) || half < 1 {
			t.Errorf("seed %d: got the interval (%g, %g), want ends from 1 to 18, half the length a whole number of at least 1, and (2, 4) for seed 0 only", n, from, to)
		}
		if !slices.Equal(slices.Sorted(maps.Keys(vary(n))), slices.Sorted(maps.Keys(vary(0)))) {
			t.Errorf("seed %d replaces the placeholders %q, want the placeholders of seed 0, %q",
				n, slices.Sorted(maps.Keys(vary(n))), slices.Sorted(maps.Keys(vary(0))))
		}
	}
	if len(seen) != 36 {
		t.Errorf("got %d different intervals for 300 seeds, want 36", len(seen))
	}
}

// TestAnswerOfAnotherVariant checks that the right answer for seed 0, whose interval is (2, 4), is
// wrong for the seeds 1 to 20.
func TestAnswerOfAnotherVariant(t *testing.T) {
	for n := range uint64(20) {
		gate.Variant(t, n+1)
		gate.Wrong(t, ex09.Exercise(), ex09.Check(Features, Weights), wrongKey(intervalEnds(n+1)))
	}
}

// wrongKey returns the key of the verdict on the answer for the interval (2, 4) if the right
// interval begins at `from` and ends at `to`.
func wrongKey(from, to float64) string {
	switch {
	case from+to == 6:
		return "width-off"
	case to-from == 2:
		return "centre-off"
	}
	return "interval-off"
}

// TestWaveIsPositiveAgain checks a wave whose half period is the width of the interval. The wave
// has the right sign inside the interval, and up to one width away from it. Farther away, the wave
// must be positive again at the places that the text of the exercise names.
func TestWaveIsPositiveAgain(t *testing.T) {
	for n := range uint64(20) {
		from, to := intervalEnds(n)
		width := to - from
		wave := func(x float64) float64 { return math.Sin(math.Pi * (x - from) / width) }
		again, until := constant(n, "again"), constant(n, "until")
		for x, positive := range map[float64]bool{
			(from + to) / 2: true, from - width/2: false, to + width/2: false,
			(again + until) / 2: true, until + width/2: false,
			from - 3*width/2: true, from - 5*width/2: false,
		} {
			if (wave(x) > 0) != positive {
				t.Errorf("seed %d: at x = %g the wave is %.3g, want the opposite sign", n, x, wave(x))
			}
		}
	}
}
