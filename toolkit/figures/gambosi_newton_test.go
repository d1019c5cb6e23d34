package figures

import (
	"fmt"
	"math"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

func init() {
	addProperties([]property{{
		name:  "fig-gambosi-newton: each step lands at the tangent's root, the convergence is quadratic",
		wrong: with(GambosiNewton, GambosiNewtonOptions{Rate: 0.9}),
		holds: func(d show.Data) error {
			if err := tangentSteps(d); err != nil {
				return err
			}
			for _, name := range []string{"error.one weight", "error.Newton"} {
				if err := quadratic(d, name); err != nil {
					return err
				}
			}
			if quadratic(d, "error.gradient descent") == nil {
				return fmt.Errorf("gradient descent converges quadratically")
			}
			return nil
		},
	}, {
		name:  "fig-gambosi-newton: a rate of 1/2 is not quadratic, whatever the tangents do",
		draw:  with(GambosiNewton, GambosiNewtonOptions{Seed: 3}),
		wrong: with(GambosiNewton, GambosiNewtonOptions{Rate: 0.5}),
		holds: func(d show.Data) error { return quadratic(d, "error.Newton") },
	}}...)
}

// tangentSteps checks every step of the first panel: the drawn tangent starts on the
// drawn curve, has its slope, and ends at 0, where the next step begins.
func tangentSteps(d show.Data) error {
	w, _ := d.Column("newton.w")
	slope, _ := d.Column("newton.slope")
	curvature, _ := d.Column("newton.curvature")
	for k := range len(w) - 1 {
		if root := w[k] - slope[k]/curvature[k]; math.Abs(root-w[k+1]) > 1e-7 {
			return fmt.Errorf("the tangent at %v has its root at %v, the step goes to %v", w[k], root, w[k+1])
		}
	}
	x, _ := d.Column("a.x")
	f, _ := d.Column("a.dE/dw")
	tx, _ := d.Column("a.tangents.x")
	ty, _ := d.Column("a.tangents.y")
	if len(tx) < 6 {
		return fmt.Errorf("%d points of tangents", len(tx))
	}
	h := x[1] - x[0]
	for k := 0; k+2 < len(tx); k += 3 {
		if math.Abs(ty[k+1]) > 1e-8 || tx[k] != w[k/3] || tx[k+1] != w[k/3+1] {
			return fmt.Errorf("tangent %d ends at (%v, %v)", k/3, tx[k+1], ty[k+1])
		}
		// The curve around the point of contact: the chord of the mesh cell that it lies in is
		// within h²/8·|f″| of it, and the chord's slope within h/2·|f″|, |f″| < 1.
		i := int((tx[k] - x[0]) / h)
		chord := (f[i+1] - f[i]) / h
		if on := f[i] + chord*(tx[k]-x[i]); math.Abs(on-ty[k]) > h*h {
			return fmt.Errorf("tangent %d starts at height %v, the curve is at %v", k/3, ty[k], on)
		}
		if slope := (ty[k+1] - ty[k]) / (tx[k+1] - tx[k]); math.Abs(slope-chord) > h {
			return fmt.Errorf("tangent %d has slope %v, the curve %v", k/3, slope, chord)
		}
	}
	return nil
}

// quadratic checks that from 1/3 on the errors fall to at most twice their square, at
// least twice, and below 1e-4.
func quadratic(d show.Data, name string) error {
	e, _ := d.Column(name)
	near := 0
	for k := 0; k+1 < len(e); k++ {
		if e[k] < 1.0/3 {
			near++
			if e[k+1] > 2*e[k]*e[k] {
				return fmt.Errorf("%s: %v after %v", name, e[k+1], e[k])
			}
		}
	}
	if near < 2 || e[len(e)-1] > 1e-4 {
		return fmt.Errorf("%s: %v", name, e)
	}
	return nil
}

func TestGambosiNewtonErrors(t *testing.T) {
	refuses(t, GambosiNewton, map[string]GambosiNewtonOptions{
		"negative N":     {N: -1},
		"separable":      {N: 1},
		"negative rate":  {Rate: -1},
		"rate above 1":   {Rate: 1.5},
		"NaN rate":       {Rate: math.NaN()},
		"diverges":       {Start: 20},
		"infinite start": {Start: math.Inf(1)},
	})
	for name, o := range map[string]GambosiNewtonOptions{"other start": {Start: -0.7}, "slow": {Rate: 0.01}, "at the optimum": {Start: 1.2}, "seed": {Seed: 9}} {
		fig, err := GambosiNewton(o)
		if err == nil {
			_, err = fig.SVG()
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
