package figures

import (
	"fmt"
	"math"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/kernels"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

// PRML4x14Options change figure 4.14. The zero value draws the printed form.
type PRML4x14Options struct {
	Slope float64 // of the sigmoid's activation; 0 is 20
	Bias  float64 // of the sigmoid's activation; 0 is 4
	// Precision of the Gaussian that is drawn, to compare others with Laplace's; 0
	// is A, the curvature of −ln f at the mode.
	Precision float64
}

func (o PRML4x14Options) filled() PRML4x14Options {
	return filled(o, PRML4x14Options{Slope: 20, Bias: 4})
}

func prml4x14Entry() Entry {
	return entry(Entry{
		ID:      "fig-prml-4.14",
		Title:   "The Laplace approximation of a skewed density",
		Source:  "PRML figure 4.14",
		LookFor: "The Gaussian has the mode of p and its curvature there, and knows nothing else: it misses the tail on the right. Of the negative logarithms it is the parabola that touches.",
	}, PRML4x14, nil)
}

// PRML4x14 draws p(z) ∝ f(z) = exp(−z²/2)σ(20z + 4) with its Laplace
// approximation q(z) = N(z|z₀, A⁻¹), and beside them −ln f(z) and its Taylor
// polynomial at the mode, −ln f(z₀) + ½A(z−z₀)² (4.131).
//
// Numbers: a.x, a.p(z), a.q(z); b.x, b.−ln f(z), b.−ln f(z0) + A(z−z0)2/2; laplace.mode, .A (what was drawn),
// .logf, ln f at the mode, and .logZ; exact.logZ, exact.mean, exact.variance, by quadrature.
// Errors: a slope, bias or precision that is not finite, or a negative precision.
func PRML4x14(o PRML4x14Options) (_ *show.Figure, err error) {
	defer named("PRML 4.14", &err)
	o = o.filled()
	if !(math.Abs(o.Slope) <= 1e3 && math.Abs(o.Bias) <= 1e3) {
		return nil, fmt.Errorf("Slope is %v and Bias %v; both must lie between −1000 and 1000", o.Slope, o.Bias)
	}
	if !(o.Precision >= 0) || math.IsInf(o.Precision, 0) {
		return nil, fmt.Errorf("Precision is %v; it must be positive and finite, or 0 for Laplace's", o.Precision)
	}
	fit, err := classify.Laplace1D(o.logf, classify.Laplace1DOptions{
		First: func(z float64) float64 { return -z + o.Slope*kernels.Sigmoid(-o.Slope*z-o.Bias) },
		Second: func(z float64) float64 {
			a := o.Slope*z + o.Bias
			return -1 - o.Slope*o.Slope*kernels.Sigmoid(a)*kernels.Sigmoid(-a)
		},
	})
	if err != nil {
		return nil, err
	}
	exact, err := fit.Exact(o.logf)
	if err != nil {
		return nil, err
	}
	precision := fit.A
	if o.Precision > 0 {
		precision = o.Precision
	}
	fig, err := o.panels(fit, exact, precision)
	if err != nil {
		return nil, err
	}
	fig.AddData("laplace.mode", []float64{fit.Z0})
	fig.AddData("laplace.A", []float64{precision})
	fig.AddData("laplace.logf", []float64{fit.LogF})
	fig.AddData("laplace.logZ", []float64{fit.LogF + math.Log(2*math.Pi/precision)/2})
	fig.AddData("exact.logZ", []float64{exact.LogZ})
	fig.AddData("exact.mean", []float64{exact.Mean})
	fig.AddData("exact.variance", []float64{exact.Variance})
	fig.Alt = fmt.Sprintf("A skewed density and its Laplace approximation, the Gaussian with its mode %.3g and curvature %.3g there, and their negative logarithms, which touch at the mode.", fit.Z0, precision)
	return fig, nil
}

// logf returns ln f(z).
func (o PRML4x14Options) logf(z float64) float64 {
	return -z*z/2 + kernels.LogSigmoid(o.Slope*z+o.Bias)
}

func (o PRML4x14Options) panels(fit *classify.LaplaceFit1D, exact *classify.Exact1D, precision float64) (*show.Figure, error) {
	// Both densities, as far as they are more than a line.
	own, his := 1/math.Sqrt(fit.A), math.Sqrt(exact.Variance)
	from := math.Floor(min(fit.Z0-3*own, exact.Mean-4*his))
	to := math.Ceil(max(fit.Z0+3*own, exact.Mean+4*his))
	deviation := 1 / math.Sqrt(precision)
	p := func(z float64) float64 { return kernels.Exp(o.logf(z) - exact.LogZ) }
	q := func(z float64) float64 { return kernels.NormPDF((z-fit.Z0)/deviation) / deviation }
	left, err := show.Curves(show.CurvesOptions{Title: "densities", XLabel: "$z$", From: from, To: to, Guides: []float64{0}},
		show.Curve{Name: "$p(z)$", F: p}, show.Curve{Name: "$q(z)$", F: q})
	if err != nil {
		return nil, err
	}
	right, err := show.Curves(show.CurvesOptions{Title: "negative logarithms", XLabel: "$z$", From: from, To: to, Y: [2]float64{-fit.LogF - 0.7, 13 - fit.LogF}},
		show.Curve{Name: `$-\ln f(z)$`, F: func(z float64) float64 { return -o.logf(z) }},
		show.Curve{Name: `$-\ln f(z_0) + A(z-z_0)^2/2$`, F: func(z float64) float64 {
			return -fit.LogF + precision*(z-fit.Z0)*(z-fit.Z0)/2
		}})
	if err != nil {
		return nil, err
	}
	for _, mark := range []struct {
		fig  *show.Figure
		x, y []float64
	}{
		{left, []float64{fit.Z0, fit.Z0}, []float64{0, max(p(fit.Z0), q(fit.Z0))}},
		{right, []float64{fit.Z0, fit.Z0}, []float64{-fit.LogF, 3 - fit.LogF}},
	} {
		if err := mark.fig.AddLine(0, "", mark.x, mark.y, show.Look{Width: 1, Dash: 2}); err != nil {
			return nil, err
		}
	}
	if err := left.AddText(0, "$z_0$", fit.Z0, 0, 0, -10, show.Look{Align: -0.5}); err != nil {
		return nil, err
	}
	if err := right.AddText(0, "$z_0$", fit.Z0, 3-fit.LogF, 0, 5, show.Look{Align: -0.5}); err != nil {
		return nil, err
	}
	return show.Panels(2, left, right)
}
