package figures

import (
	"fmt"
	"math"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/kernels"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

// PRML4x14Options are the options of PRML figure 4.14. The zero value draws the default figure.
type PRML4x14Options struct {
	Slope float64 `default:"20" range:"-1000..1000"` // slope of the activation in σ(slope·z + bias)
	Bias  float64 `default:"4" range:"-1000..1000"`  // bias of the activation in σ(slope·z + bias)
	// Precision is the precision of the Gaussian that is drawn. 0 means the precision A of
	// Laplace's method: the second derivative of −ln f at the mode. With any other value, PRML4x14
	// draws a Gaussian with this precision instead.
	Precision float64 `range:"0..1e12"`
}

// PRML4x14 draws p(z) ∝ f(z) = exp(−z²/2)σ(slope·z + bias) with its Laplace approximation
// q(z) = N(z|z₀, A⁻¹). By default, the sigmoid is σ(20z + 4) as in the book. A second panel shows
// −ln f(z) and its Taylor polynomial at the mode, −ln f(z₀) + ½A(z−z₀)² (4.127).
//
// The figure's Data contains:
//   - The curves of the first panel: "a.x", "a.p(z)" and "a.q(z)".
//   - The curves of the second panel: "b.x", "b.−ln f(z)" and "b.−ln f(z0) + A(z−z0)2/2".
//   - The approximation: "laplace.mode", "laplace.A" (the precision that is drawn), "laplace.logf"
//     (ln f at the mode) and "laplace.logZ".
//   - The exact values, computed by quadrature: "exact.logZ", "exact.mean" and "exact.variance".
//
// Errors: a slope or bias outside −1000 to 1000, a precision outside 0 to 1e12.
//
// Equations: PRML (4.125)–(4.130), (4.135).
func PRML4x14(o PRML4x14Options) (_ *show.Figure, err error) {
	defer returnFailure("PRML 4.14", &err)
	o = withDefaults(o)
	fit := try(classify.Laplace1D(o.logf, classify.Laplace1DOptions{
		First: func(z float64) float64 { return -z + o.Slope*kernels.Sigmoid(-o.Slope*z-o.Bias) },
		Second: func(z float64) float64 {
			a := o.Slope*z + o.Bias
			return -1 - o.Slope*o.Slope*kernels.Sigmoid(a)*kernels.Sigmoid(-a)
		},
	}))
	exact := try(fit.Exact(o.logf))
	precision := fit.A
	if o.Precision > 0 {
		precision = o.Precision
	}
	fig := o.panels(fit, exact, precision)
	addNumbers(fig, "laplace.mode", fit.Z0)
	addNumbers(fig, "laplace.A", precision)
	addNumbers(fig, "laplace.logf", fit.LogF)
	addNumbers(fig, "laplace.logZ", fit.LogF+math.Log(2*math.Pi/precision)/2)
	addNumbers(fig, "exact.logZ", exact.LogZ)
	addNumbers(fig, "exact.mean", exact.Mean)
	addNumbers(fig, "exact.variance", exact.Variance)
	fig.Alt = fmt.Sprintf("A skewed density and its Laplace approximation, the Gaussian with the same mode %.3g and the same curvature %.3g there, and their negative logarithms, which touch at the mode.", fit.Z0, precision)
	return fig, nil
}

// logf returns ln f(z). The density p in the figure is proportional to f.
func (o PRML4x14Options) logf(z float64) float64 {
	return -z*z/2 + kernels.LogSigmoid(o.Slope*z+o.Bias)
}

func (o PRML4x14Options) panels(fit *classify.LaplaceFit1D, exact *classify.Exact1D, precision float64) *show.Figure {
	// The range of z includes all z at which p, or the q of Laplace's method, is visibly above 0.
	laplaceSD, exactSD := 1/math.Sqrt(fit.A), math.Sqrt(exact.Variance)
	from := math.Floor(min(fit.Z0-3*laplaceSD, exact.Mean-4*exactSD))
	to := math.Ceil(max(fit.Z0+3*laplaceSD, exact.Mean+4*exactSD))
	deviation := 1 / math.Sqrt(precision)
	p := func(z float64) float64 { return kernels.Exp(o.logf(z) - exact.LogZ) }
	q := func(z float64) float64 { return kernels.NormPDF((z-fit.Z0)/deviation) / deviation }
	left := try(show.Curves(show.CurvesOptions{Title: "densities", XLabel: "$z$", From: from, To: to,
		Guides: []float64{0}},
		show.Curve{Name: "$p(z)$", F: p}, show.Curve{Name: "$q(z)$", F: q}))
	right := try(show.Curves(show.CurvesOptions{Title: "negative logarithms", XLabel: "$z$", From: from, To: to,
		Y: [2]float64{-fit.LogF - 0.7, 13 - fit.LogF}},
		show.Curve{Name: `$-\ln f(z)$`, F: func(z float64) float64 { return -o.logf(z) }},
		show.Curve{Name: `$-\ln f(z_0) + A(z-z_0)^2/2$`, F: func(z float64) float64 {
			return -fit.LogF + precision*(z-fit.Z0)*(z-fit.Z0)/2
		}}))
	top, low := max(p(fit.Z0), q(fit.Z0)), -fit.LogF
	at := []float64{fit.Z0, fit.Z0}
	guide, middle := show.Look{Width: 1, Dash: 2}, show.Look{Align: -0.5}
	check(
		left.AddLine(0, "", at, []float64{0, top}, guide), left.AddText(0, "$z_0$", fit.Z0, 0, 0, -10, middle),
		right.AddLine(0, "", at, []float64{low, low + 3}, guide),
		right.AddText(0, "$z_0$", fit.Z0, low+3, 0, 5, middle))
	return try(show.Panels(2, left, right))
}
