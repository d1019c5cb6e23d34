package figures

import (
	"fmt"
	"math"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

func init() {
	addProperties(property{
		name: "fig-prml-4.3: every segment between points of a region stays in it",
		// Circles for boundaries: what lies outside of one is not convex.
		wrong: with(PRML4x3, PRML4x3Options{Bend: 0.1}),
		holds: func(d show.Data) error {
			points := map[int][][2]float64{}
			for i := range 12 {
				for j := range 12 {
					x, y := inFrame(d, "", (float64(i)+0.4711)/12, (float64(j)+0.2341)/12)
					for k := range 5 {
						if inRegion(d, "", float64(k), x, y) {
							points[k] = append(points[k], [2]float64{x, y})
						}
					}
				}
			}
			if len(points) != 5 {
				return fmt.Errorf("%d regions can be seen, want 5", len(points))
			}
			for k, ps := range points {
				for i, p := range ps {
					for _, q := range ps[:i] {
						for _, s := range []float64{0.25, 0.5, 0.75} {
							x, y := p[0]+s*(q[0]-p[0]), p[1]+s*(q[1]-p[1])
							if !inRegion(d, "", float64(k), x, y) {
								return fmt.Errorf("(%v, %v) lies between two points of region %d, but not in it", x, y, k+1)
							}
						}
					}
				}
			}
			sx, _ := d.Column("segment in a region.x")
			sy, _ := d.Column("segment in a region.y")
			for k := range 5 {
				if inRegion(d, "", float64(k), sx[0], sy[0]) != inRegion(d, "", float64(k), sx[1], sy[1]) {
					return fmt.Errorf("the drawn segment ends in another region than it starts in")
				}
			}
			return nil
		},
	})
}

func TestPRML4x3AnyNumberOfClasses(t *testing.T) {
	for k := 3; k <= show.MaxClasses; k++ {
		for seed := range uint64(3) {
			if _, err := PRML4x3(PRML4x3Options{K: k, Seed: seed}); err != nil {
				t.Errorf("%d classes, seed %d: %v", k, seed, err)
			}
		}
	}
}

func TestPRML4x3Errors(t *testing.T) {
	refuses(t, PRML4x3, map[string]PRML4x3Options{
		"two classes":   {K: 2},
		"eight classes": {K: 8},
		"negative K":    {K: -1},
		"NaN bend":      {Bend: math.NaN()},
		"large bend":    {Bend: 11},
	})
}
