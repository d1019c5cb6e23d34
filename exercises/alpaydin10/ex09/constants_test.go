package ex09_test

import (
	"maps"
	"math"
	"slices"
	"strconv"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/exercises/alpaydin10/ex09"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/gate"
)

// Intervals of variants are what the texts and the grid rely on, and differ.
func TestIntervals(t *testing.T) {
	seen := map[[2]float64]bool{}
	for n := range uint64(300) {
		from, to := ex09.IntervalOf(n)
		seen[[2]float64{from, to}] = true
		half := (to - from) / 2
		if n == 0 && (from != 2 || to != 4) || n > 0 && from == 2 && to == 4 {
			t.Errorf("variant %d has the interval (%g, %g)", n, from, to)
		}
		if from < 1 || to > 18 || half != float64(int(half)) || half < 1 {
			t.Errorf("variant %d has the interval (%g, %g)", n, from, to)
		}
		if again, _ := ex09.IntervalOf(n); again != from {
			t.Errorf("variant %d has another interval the second time", n)
		}
		if !slices.Equal(slices.Sorted(maps.Keys(ex09.Vary(n))), slices.Sorted(maps.Keys(ex09.Vary(0)))) {
			t.Errorf("variant %d has other constants than the common one", n)
		}
	}
	if len(seen) != 36 {
		t.Errorf("%d intervals among 300 variants, want all 36", len(seen))
	}
}

// The answer of the common variant does not pass another one.
func TestAnswerOfAnotherVariant(t *testing.T) {
	for n := range uint64(20) {
		gate.Variant(t, n+1)
		gate.Wrong(t, ex09.Exercise(), ex09.Check(Features, Weights), wrongKey(ex09.Interval()))
	}
}

// wrongKey is what (2, 4) looks like where the interval is another one.
func wrongKey(from, to float64) string {
	switch {
	case from+to == 6:
		return "width-off"
	case to-from == 2:
		return "centre-off"
	}
	return "interval-off"
}

// A wave of the interval's half period is right within a width of it, and positive
// again where the text says, on the right and on the left.
func TestWaveIsPositiveAgain(t *testing.T) {
	for n := range uint64(20) {
		from, to := ex09.IntervalOf(n)
		width := to - from
		wave := func(x float64) float64 { return math.Sin(math.Pi * (x - from) / width) }
		names := ex09.Vary(n)
		again, err1 := strconv.ParseFloat(names["again"], 64)
		until, err2 := strconv.ParseFloat(names["until"], 64)
		if err1 != nil || err2 != nil {
			t.Fatal(err1, err2)
		}
		for _, c := range []struct {
			x        float64
			positive bool
		}{
			{(from + to) / 2, true}, {from - width/2, false}, {to + width/2, false},
			{(again + until) / 2, true}, {until + width/2, false},
			{from - 3*width/2, true}, {from - 5*width/2, false},
		} {
			if (wave(c.x) > 0) != c.positive {
				t.Errorf("variant %d, x = %g: the wave is %.3g", n, c.x, wave(c.x))
			}
		}
	}
}
