package instance_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/hyperplane-notebooks/hyperplane/exercises/instance"
)

// TestScores checks that the scores reveal two kinds of wrong softmax. The first kind subtracts a
// number other than the largest score. For at least one vector of scores, one of the exponentials
// that it computes must overflow, or all must underflow to 0. The second kind sets outputs below a
// limit to 0. The difference between the largest and the smallest score must therefore take values
// from 3 to 2000. TestScores also checks that all scores are within ±1000, and that the largest score
// occurs at every index.
func TestScores(t *testing.T) {
	bad := map[string]bool{}
	largest, cut := map[[2]int]bool{}, map[int]bool{}
	for _, a := range instance.Scores() {
		top, low := floats.Max(a), floats.Min(a)
		if top > 1000 || low < -1000 {
			t.Errorf("got the scores %v, want scores within ±1000", a)
		}
		largest[[2]int{len(a), floats.MaxIdx(a)}] = true
		cut[int(top-low)] = true
		n := len(a)
		for name, off := range map[string]float64{"nothing": 0, "first": a[0], "middle": a[n/2], "last": a[n-1],
			"least": low, "mean": floats.Sum(a) / float64(n), "size": math.Max(top, -low),
			"midrange": (top + low) / 2} {
			sum := 0.0
			for _, v := range a {
				sum += math.Exp(v - off)
			}
			bad[name] = bad[name] || math.IsInf(sum, 1) || sum == 0
		}
	}
	for _, name := range []string{"nothing", "first", "middle", "last", "least", "mean", "size", "midrange"} {
		if !bad[name] {
			t.Errorf("a softmax that subtracts “%s” instead of the largest score is right for every vector of scores, want it wrong for at least one", name)
		}
	}
	for k := 1; k <= 5; k++ {
		for place := range k {
			if !largest[[2]int{k, place}] {
				t.Errorf("for K = %d the largest score is never at index %d, want it at every index", k, place)
			}
		}
	}
	for _, distance := range []int{3, 5, 7, 10, 14, 20, 25, 37, 2000} {
		if !cut[distance] {
			t.Errorf("got no scores whose largest and smallest differ by %d, want at least one vector of such scores", distance)
		}
	}
}
