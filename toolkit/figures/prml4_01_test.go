package figures

import (
	"fmt"
	"math"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

func init() {
	addProperties(property{
		name: "fig-prml-4.1: the labelled distances are y(x)/‖w‖ and −w0/‖w‖",
		// The other bias moves the line away from where the labels are expected.
		wrong: with(PRML4x1, PRML4x1Options{W0: -3}),
		holds: func(d show.Data) error {
			w, _ := d.Column("w")
			x, _ := d.Column("x")
			foot, _ := d.Column("foot")
			below, _ := d.Column("below")
			norm := math.Hypot(w[1], w[2])
			y := w[0] + w[1]*x[0] + w[2]*x[1]
			r, r0 := value(d, "distance.x"), value(d, "distance.origin")
			if math.Abs(r-y/norm) > 1e-8 || math.Abs(r0+w[0]/norm) > 1e-8 {
				return fmt.Errorf("distances %v and %v", r, r0)
			}
			// They are the lengths drawn, along w and ending on the line.
			for _, a := range []struct {
				from, to, on []float64
				distance     float64
			}{
				{[]float64{0, 0}, foot, foot, r0}, {below, x, below, r},
			} {
				for j := range 2 {
					if v := a.to[j] - a.from[j] - a.distance*w[j+1]/norm; math.Abs(v) > 1e-8 {
						return fmt.Errorf("the arrow from %v to %v is not %v along w", a.from, a.to, a.distance)
					}
				}
				if v := w[0] + w[1]*a.on[0] + w[2]*a.on[1]; math.Abs(v) > 1e-7 {
					return fmt.Errorf("%v is not on the line: y = %v", a.on, v)
				}
			}
			// By hand: 4.8/2, and (4.65 cos 20° − 1.1 sin 20°) − 2.4 = 1.593349.
			if math.Abs(r0-2.4) > 1e-8 || math.Abs(r-1.593349) > 1e-6 {
				return fmt.Errorf("distances %v and %v, want 2.4 and 1.593349", r0, r)
			}
			return nil
		},
	})
}

func TestPRML4x1Errors(t *testing.T) {
	inf := math.Inf(1)
	refuses(t, PRML4x1, map[string]PRML4x1Options{
		"NaN bias":          {W0: math.NaN()},
		"line far away":     {W0: 50},
		"negative norm":     {Norm: -1},
		"infinite angle":    {Angle: inf},
		"point outside":     {X: [2]float64{7, 0}},
		"point is infinite": {X: [2]float64{inf, 0}},
	})
}
