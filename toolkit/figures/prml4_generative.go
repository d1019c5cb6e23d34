package figures

import (
	"fmt"
	"math"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/kernels"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

// PRML4x9Options change figure 4.9. The zero value draws the printed form.
type PRML4x9Options struct {
	Lambda2 float64 `default:"0.39269908169872414" range:"0..1e12"` // λ², the squared scale of the probit function; π/8 makes the slopes at 0 equal, (4.152)
	Range   float64 `default:"6"`                                   // a runs from −Range to Range
}

// PRML4x9 draws σ(a) and Φ(λa) in one panel, and the difference σ(a) − Φ(λa) in another.
//
// Numbers: a.x, a.σ(a), a.Φ(λa), b.x, b.σ(a) − Φ(λa); slopes.at 0, the slopes of σ(a) and
// Φ(λa) at 0; gap.largest, the largest |difference|, and gap.at, the a > 0 where it occurs.
// Errors: λ² or Range negative or not finite.
//
// Equations: PRML (4.59).
func PRML4x9(o PRML4x9Options) (_ *show.Figure, err error) {
	defer named("PRML 4.9", &err)
	o = filled(o)
	lambda := math.Sqrt(o.Lambda2)
	probit := func(a float64) float64 { return kernels.NormCDF(lambda * a) }
	// gap rounds to nine decimals, because the further digits of the difference are rounding error.
	gap := func(a float64) float64 { return math.Round((kernels.Sigmoid(a)-probit(a))*1e9) / 1e9 }
	opt := show.CurvesOptions{XLabel: "$a$", From: -o.Range, To: o.Range, Guides: []float64{0, 0.5, 1},
		Y: [2]float64{-0.05, 1.05}}
	curves := try(show.Curves(opt, show.Curve{Name: `$\sigma(a)$`, F: kernels.Sigmoid},
		show.Curve{Name: `$\Phi(\lambda a)$`, F: probit}))
	opt.Looks = []show.Look{{Color: show.LineColor(3)}} // a colour that neither curve has
	opt.Guides, opt.Y, opt.YLabel = []float64{0}, [2]float64{}, `$\sigma(a) - \Phi(\lambda a)$`
	difference := try(show.Curves(opt, show.Curve{Name: opt.YLabel, F: gap}))
	curves.Title, difference.Title = `two sigmoids, $\lambda^2 = $`+lambdaLabel(o.Lambda2), "their difference"
	fig := try(show.Panels(2, curves, difference))
	largest, at := 0.0, 0.0
	const n = 2000 // number of grid points: the gap is smooth, so its largest value is accurate to 1e-7
	for i := 1; i <= n; i++ {
		a := o.Range * float64(i) / n
		if g := math.Abs(gap(a)); g > largest {
			largest, at = g, a
		}
	}
	fig.AddData("slopes.at 0", []float64{0.25, lambda * kernels.NormPDF(0)}) // σ'(0) = σ(1−σ), (4.88)
	fig.AddData("gap.largest", []float64{largest})
	fig.AddData("gap.at", []float64{at})
	fig.Alt = fmt.Sprintf("The logistic sigmoid and the probit function scaled by lambda, lambda squared = %.4g, and their difference, at most %.2g.", o.Lambda2, largest)
	return fig, nil
}

func lambdaLabel(v float64) string {
	if v == math.Pi/8 {
		return `$\pi/8$`
	}
	return fmt.Sprintf("%.4g", v)
}
