package contour

import (
	"errors"
	"math"
	"strings"
	"testing"
)

// failing is a Field whose method Cross returns an error.
type failing struct{ Field }

func (failing) Cross([]Edge) ([]float64, error) { return nil, errors.New("boom") }

// TestRoots looks for the roots of two functions. For the linear function, Roots may make only four
// evaluations: at both ends and in two steps. The other function is infinite except near its root.
// The tests of package show check the lines and regions.
func TestRoots(t *testing.T) {
	for name, c := range map[string]struct {
		gap   func(x float64) float64
		root  float64
		calls int
	}{
		"linear": {func(x float64) float64 { return 0.25 - x }, 0.25, 4},
		// the log odds of a steep posterior, which are finite only between 0.2 and 0.6
		"infinite": {func(x float64) float64 {
			switch {
			case x < 0.2:
				return math.Inf(1)
			case x > 0.6:
				return math.Inf(-1)
			}
			return 0.3 - x
		}, 0.3, 60},
	} {
		calls := 0
		edges := []Edge{{Point{0, 0}, Point{1, 0}, 0, 1}, {Point{0, 0.5}, Point{1, 0.5}, 0, 1}}
		at, err := Roots(edges, false, func(p []Point, _ []Edge) ([]float64, error) {
			calls++
			return []float64{c.gap(p[0].X), c.gap(p[1].X)}, nil
		})
		if err != nil || math.Abs(at[0]-c.root)+math.Abs(at[1]-c.root) > 1e-11 || calls > c.calls {
			t.Errorf("%s: the roots are %v after %d calls (error %v), want %v after at most %d calls", name, at, calls, err, c.root, c.calls)
		}
	}
}

func TestErrors(t *testing.T) {
	for want, c := range map[string]struct {
		grid   Grid
		labels []int
	}{
		"want at least 2 × 2":      {Grid{1, 5}, make([]int, 5)},
		"3 labels for 2 × 2 nodes": {Grid{2, 2}, make([]int, 3)},
		"label 2 at node 2":        {Grid{2, 2}, []int{0, 1, 2, 0}},
		"boom":                     {Grid{2, 2}, []int{0, 1, 1, 0}},
	} {
		if _, err := Trace(c.grid, c.labels, 2, failing{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got the error %v, want an error that contains %q", err, want)
		}
	}
}
