package figures

import (
	"fmt"
	"math"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

func init() {
	addProperties(property{
		name: "fig-prml-4.13: the slope of f equals p at every a",
		// No parameter breaks an identity: the wrong figure has a sigmoid over the density of another
		// threshold, N(0, 1).
		wrong: func() (*show.Figure, error) {
			fig, err := show.NewFigure(1, show.NewPanel("a", ""))
			if err != nil {
				return nil, err
			}
			var x, p, f []float64
			for i := range 401 {
				a := -4 + 0.02*float64(i)
				x = append(x, a)
				p = append(p, math.Exp(-a*a/2)/math.Sqrt(2*math.Pi))
				f = append(f, 1/(1+math.Exp(-a)))
			}
			if err := fig.AddLine(0, `$p(\theta)$`, x, p, show.Look{}); err != nil {
				return nil, err
			}
			return fig, fig.AddLine(0, `$f(a)$`, x, f, show.Look{})
		},
		holds: func(d show.Data) error {
			x, _ := d.Column("f(a).x")
			f, _ := d.Column("f(a).y")
			at, _ := d.Column("p(θ).x")
			p, _ := d.Column("p(θ).y")
			if len(x) != 401 || len(p) != len(x) {
				return fmt.Errorf("curves of %d and %d points", len(x), len(p))
			}
			for i := 1; i < len(x)-1; i++ {
				// The central difference over ±0.02 misses the slope by h²/6·|p″| < 1e-4.
				if slope := (f[i+1] - f[i-1]) / (x[i+1] - x[i-1]); x[i] != at[i] || math.Abs(slope-p[i]) > 1e-4 {
					return fmt.Errorf("at %v f has slope %v, p is %v", x[i], slope, p[i])
				}
			}
			// The tangent has that slope too, and touches.
			tx, _ := d.Column("tangent.x")
			ty, _ := d.Column("tangent.y")
			a, mp, mf := value(d, "marked.a"), value(d, "marked.p"), value(d, "marked.f")
			if slope := (ty[1] - ty[0]) / (tx[1] - tx[0]); math.Abs(slope-mp) > 1e-7 || math.Abs(ty[0]+slope*(a-tx[0])-mf) > 1e-7 {
				return fmt.Errorf("the tangent has slope %v, p is %v", slope, mp)
			}
			// Shares of the random data differ from f by less than four standard errors (of a
			// coin at worst), and what f changes within half a bin of 0.4, 0.2·max p.
			sx, _ := d.Column("observed share.x")
			sy, _ := d.Column("observed share.y")
			n, _ := d.Column("observed.n")
			for i := range sx {
				want := f[int(math.Round((sx[i]+4)/0.02))]
				if math.Abs(sy[i]-want) > 2/math.Sqrt(n[i])+0.2*0.33 {
					return fmt.Errorf("a share of %v was observed at %v, f is %v", sy[i], sx[i], want)
				}
			}
			return nil
		},
	})
}

func TestPRML4x13Errors(t *testing.T) {
	refuses(t, PRML4x13, map[string]PRML4x13Options{
		"negative N":     {N: -1},
		"outside":        {A: 5},
		"NaN":            {A: math.NaN()},
		"no stds":        {Means: []float64{0}},
		"no means":       {Stds: []float64{1}},
		"zero std":       {Means: []float64{0}, Stds: []float64{0}},
		"weights differ": {Means: []float64{0}, Stds: []float64{1}, Weights: []float64{1, 2}},
	})
	for name, o := range map[string]PRML4x13Options{
		"one point":     {N: 1},
		"almost a step": {Means: []float64{0}, Stds: []float64{1e-3}},
		"far away":      {Means: []float64{1e9}, Stds: []float64{1}},
		"left end":      {A: -4},
	} {
		fig, err := PRML4x13(o)
		if err == nil {
			_, err = fig.SVG()
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
