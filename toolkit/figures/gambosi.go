package figures

import (
	"fmt"
	"math"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/kernels"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

// GambosiSigmoidOptions change the figure of the sigmoid's symmetry. The zero
// value draws the printed form.
type GambosiSigmoidOptions struct {
	A     float64 `default:"1.5"` // where the symmetry is marked: at A and −A
	Range float64 `default:"6"`   // a runs from −Range to Range
}

// GambosiSigmoid draws σ(a) and σ(−a) = 1 − σ(a), and marks two equal heights:
// from 0 to σ(−A) at −A and from σ(A) to 1 at A.
//
// Numbers: x, σ(a), σ(−a), and marked.a, .below (σ(−A)), .above (1 − σ(A)).
// Errors: A outside −Range … Range, or a range that is not positive and finite.
//
// Equations: PRML (4.59), (4.60); Gambosi (sigmoid), (sigmoid-symmetry).
func GambosiSigmoid(o GambosiSigmoidOptions) (_ *show.Figure, err error) {
	defer named("Gambosi sigmoid", &err)
	o = filled(o)
	need(math.Abs(o.A) <= o.Range, "A is %v; it must lie between −%v and %v to be seen", o.A, o.Range, o.Range)
	fig := try(show.Curves(show.CurvesOptions{
		XLabel: "$a$", From: -o.Range, To: o.Range, Y: [2]float64{-0.05, 1.05}, Guides: []float64{0, 0.5, 1},
	},
		show.Curve{Name: `$\sigma(a)$`, F: kernels.Sigmoid},
		show.Curve{Name: `$\sigma(-a) = 1 - \sigma(a)$`, F: func(a float64) float64 { return kernels.Sigmoid(-a) }}))
	below, above := kernels.Sigmoid(-o.A), 1-kernels.Sigmoid(o.A)
	bar := show.Look{Width: 2.4}
	for _, s := range []struct {
		x, y0, y1 float64
		label     string
	}{{-o.A, 0, below, `$\sigma(-a)$`}, {o.A, 1 - above, 1, `$1 - \sigma(a)$`}} {
		check(fig.AddLine(0, "", []float64{s.x, s.x}, []float64{s.y0, s.y1}, bar))
		dx, align := 6.0, 0.0 // on the side away from the curve
		if s.x > 0 {
			dx, align = -6, -1
		}
		check(fig.AddText(0, s.label, s.x, (s.y0+s.y1)/2, dx, 0, show.Look{Align: align}))
	}
	check(fig.AddMarks(0, "", []float64{-o.A, o.A, 0}, []float64{below, 1 - above, 0.5}, show.Look{}))
	fig.AddData("marked.a", []float64{o.A})
	fig.AddData("marked.below", []float64{below})
	fig.AddData("marked.above", []float64{above})
	fig.Alt = fmt.Sprintf("The logistic sigmoid and its mirror image; at a = %g the distance of the curve from one equals its value at −a.", o.A)
	return fig, nil
}
