package figures

import (
	"fmt"
	"math"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

func init() {
	addProperties(property{
		name: "fig-prml-4.5: recall of the middle class below 0.5 for least squares, above 0.95 for logistic",
		// At the corners of a triangle no class is masked.
		wrong: with(PRML4x5, PRML4x5Options{Shift: 4}),
		holds: func(d show.Data) error {
			ls, _ := d.Column("recall.least squares")
			lg, _ := d.Column("recall.logistic")
			if len(ls) != 3 || len(lg) != 3 || !(ls[1] < 0.5) || !(lg[1] > 0.95) {
				return fmt.Errorf("recall %v of least squares, %v of logistic", ls, lg)
			}
			// The numbers are those of the drawn points in the drawn regions.
			for panel, want := range map[string][]float64{"a.": ls, "b.": lg} {
				if got := drawnRecall(d, panel, 1); math.Abs(got-want[1]) > 1e-9 {
					return fmt.Errorf("%s: a share of %v of the middle class is drawn in its region, the number says %v", panel, got, want[1])
				}
			}
			return nil
		},
	})
}

// drawnRecall returns the share of the drawn points of class k that lie in the
// drawn region of class k: inside an odd number of its rings.
func drawnRecall(d show.Data, panel string, k float64) float64 {
	px, _ := d.Column(panel + "points.x")
	py, _ := d.Column(panel + "points.y")
	class, _ := d.Column(panel + "points.class")
	in, n := 0.0, 0.0
	for i := range px {
		if class[i] == k {
			n++
			if inRegion(d, panel, k, px[i], py[i]) {
				in++
			}
		}
	}
	return in / n
}

// inRegion says whether (x, y) lies in the drawn region of class k.
func inRegion(d show.Data, panel string, k, x, y float64) bool {
	class, _ := d.Column(panel + "region.class")
	ring, _ := d.Column(panel + "region.ring")
	xs, _ := d.Column(panel + "region.x")
	ys, _ := d.Column(panel + "region.y")
	inside := false
	for i := 0; i < len(xs); {
		end := i
		for end < len(xs) && ring[end] == ring[i] {
			end++
		}
		if class[i] == k {
			for j := i; j < end; j++ { // does a ray to the right cross this side of the ring?
				next := j + 1
				if next == end {
					next = i
				}
				if (ys[j] > y) != (ys[next] > y) && x < xs[j]+(y-ys[j])/(ys[next]-ys[j])*(xs[next]-xs[j]) {
					inside = !inside
				}
			}
		}
		i = end
	}
	return inside
}

func TestPRML4x5Errors(t *testing.T) {
	refuses(t, PRML4x5, map[string]PRML4x5Options{
		"negative N":      {N: -1},
		"negative spread": {Spread: -1},
		"NaN shift":       {Shift: math.NaN()},
		"infinite shift":  {Shift: math.Inf(1)},
	})
}
