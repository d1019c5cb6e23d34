package figures

import (
	"fmt"
	"math"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

func init() {
	addProperties(property{
		name:  "fig-prml-4.14: mode and curvature match, the negative logarithms touch to second order",
		wrong: with(PRML4x14, PRML4x14Options{Precision: 1}),
		holds: func(d show.Data) error {
			z0, a := value(d, "laplace.mode"), value(d, "laplace.A")
			s := 1 / (1 + math.Exp(-(20*z0 + 4)))
			// d/dz and d²/dz² of z²/2 − ln σ(20z + 4).
			if first := z0 - 20*(1-s); math.Abs(first) > 1e-6 {
				return fmt.Errorf("−ln f has slope %v at %v", first, z0)
			}
			if second := 1 + 400*s*(1-s); math.Abs(second-a) > 1e-6 {
				return fmt.Errorf("−ln f has curvature %v at %v, the Gaussian %v", second, z0, a)
			}
			x, _ := d.Column("b.x")
			f, _ := d.Column("b.−ln f(z)")
			q, _ := d.Column("b.−ln f(z0) + A(z−z0)2/2")
			near := 0
			for i := range x {
				// The third derivative is −31 at the mode (8000·s(1−s)(2s−1)), the fourth ≤ 650: what
				// is left is below 5.2|k|³ + 27k⁴, and below 7|k|³ as near as this.
				if k := math.Abs(x[i] - z0); k < 0.06 {
					near++
					if gap := math.Abs(f[i] - q[i]); gap > 7*k*k*k+1e-8 {
						return fmt.Errorf("%v from the mode the negative logarithms differ by %v", k, gap)
					}
				}
			}
			if near < 4 {
				return fmt.Errorf("%d points near the mode", near)
			}
			// The densities are those of the logarithms, with area 1 but for the tails.
			x, _ = d.Column("a.x")
			p, _ := d.Column("a.p(z)")
			g, _ := d.Column("a.q(z)")
			sumP, sumQ, h := 0.0, 0.0, x[1]-x[0]
			for i := range x {
				if want := math.Exp(-f[i] - value(d, "exact.logZ")); math.Abs(p[i]-want) > 1e-7 {
					return fmt.Errorf("p(%v) = %v, f/Z is %v", x[i], p[i], want)
				}
				if want := math.Exp(-q[i] - value(d, "laplace.logZ")); math.Abs(g[i]-want) > 1e-7 {
					return fmt.Errorf("q(%v) = %v, by (4.130) %v", x[i], g[i], want)
				}
				sumP, sumQ = sumP+h*p[i], sumQ+h*g[i]
			}
			if math.Abs(sumP-1) > 1e-3 || math.Abs(sumQ-1) > 1e-3 {
				return fmt.Errorf("areas of %v and %v", sumP, sumQ)
			}
			return nil
		},
	})
}

func TestPRML4x14Errors(t *testing.T) {
	refuses(t, PRML4x14, map[string]PRML4x14Options{
		"negative precision": {Precision: -1},
		"infinite precision": {Precision: math.Inf(1)},
		"NaN precision":      {Precision: math.NaN()},
		"NaN slope":          {Slope: math.NaN()},
		"infinite bias":      {Bias: math.Inf(-1)},
	})
	for name, o := range map[string]PRML4x14Options{
		"falling sigmoid": {Slope: -20},
		"steep":           {Slope: 1000},
		"far away":        {Slope: 1, Bias: -50},
		"flat":            {Slope: 1e-9},
		"sharp":           {Precision: 1e9},
		"broad":           {Precision: 1e-9},
	} {
		fig, err := PRML4x14(o)
		if err == nil {
			_, err = fig.SVG()
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
