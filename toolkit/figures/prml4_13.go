package figures

import (
	"fmt"
	"image/color"
	"math"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/kernels"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

// PRML4x13Options change figure 4.13. The zero value draws the printed form.
type PRML4x13Options struct {
	// Means, Stds and Weights are the components of the density p(θ) of the threshold, a mixture of
	// Gaussians. If all are nil, the density is 0.6·N(−1, 0.8²) + 0.4·N(1.5, 0.5²). Weights need
	// not sum to 1. Nil Weights mean equal weights.
	Means, Stds, Weights []float64
	A                    float64 `default:"1" range:"-4..4"` // the marked input
	N                    int     `default:"800"`             // number of random inputs; each has a random threshold
	Seed                 uint64  // seed of the random data
}

// filled sets the default components, but only if all three fields are nil.
func (o PRML4x13Options) filled() PRML4x13Options {
	if o.Means == nil && o.Stds == nil && o.Weights == nil {
		o.Means, o.Stds, o.Weights = []float64{-1, 1.5}, []float64{0.8, 0.5}, []float64{0.6, 0.4}
	}
	return o
}

// thresholdsFrom and thresholdsTo are the ends of the axis a. thresholdBins is the number of bins
// of the observed shares.
const (
	thresholdsFrom = -4.0
	thresholdsTo   = 4.0
	thresholdBins  = 20
)

// PRML4x13 draws a density p(θ) of thresholds, and its cumulative distribution f(a), the
// probability that an input a reaches the threshold (4.113). f is the activation
// function of the noisy threshold model. Dots show the shares of random inputs that reached
// their thresholds.
//
// Numbers: p(θ).x, .y and f(a).x, .y, the curves; tangent.x, .y; marked.a, .p, .f;
// observed share.x and .y; observed.n, the number of inputs in each bin that is not empty.
// Errors: Means, Stds and Weights of different lengths, standard deviations or weights that
// are not positive, A outside −4 … 4, a negative N.
//
// Equations: PRML (4.112), (4.113).
func PRML4x13(o PRML4x13Options) (_ *show.Figure, err error) {
	defer named("PRML 4.13", &err)
	o = filled(o)
	// datasets.Thresholds also checks Means, Stds and Weights.
	d := try(datasets.Thresholds(datasets.ThresholdsOptions{
		N: o.N, Low: thresholdsFrom, High: thresholdsTo, Means: o.Means, Stds: o.Stds, Weights: o.Weights, Seed: o.Seed,
	}))
	fig := o.curves()
	o.mark(fig)
	observed(fig, d)
	fig.Alt = fmt.Sprintf("A density of thresholds with the area up to a = %g shaded, and its cumulative distribution, whose tangent at a has the slope of the density's height, %.2g.", o.A, o.density(o.A))
	return fig, nil
}

// mixture returns the sum of weight·f(component), with the weights normalised to sum to 1.
func (o PRML4x13Options) mixture(f func(mean, std float64) float64) float64 {
	sum, total := 0.0, 0.0
	for k := range o.Means {
		w := 1.0
		if o.Weights != nil {
			w = o.Weights[k]
		}
		sum += w * f(o.Means[k], o.Stds[k])
		total += w
	}
	return sum / total
}

// density returns p(θ).
func (o PRML4x13Options) density(theta float64) float64 {
	return o.mixture(func(mean, std float64) float64 { return kernels.NormPDF((theta-mean)/std) / std })
}

// cumulative returns f(a), the integral of p up to a, (4.113).
func (o PRML4x13Options) cumulative(a float64) float64 {
	return o.mixture(func(mean, std float64) float64 { return kernels.NormCDF((a - mean) / std) })
}

// curves draws p, the area under p up to A, and f.
func (o PRML4x13Options) curves() *show.Figure {
	const steps = 400
	var x, p, f, areaX, areaY []float64
	top := 1.0
	for i := range steps + 1 {
		v := thresholdsFrom + (thresholdsTo-thresholdsFrom)*float64(i)/steps
		x, p, f = append(x, v), append(p, o.density(v)), append(f, o.cumulative(v))
		if v <= o.A {
			areaX, areaY = append(areaX, v), append(areaY, p[i])
		}
		top = max(top, p[i])
	}
	areaX, areaY = append(areaX, o.A, o.A, thresholdsFrom), append(areaY, o.density(o.A), 0, 0)
	fig := blank(`threshold $\theta$, input $a$`, "", [2]float64{thresholdsFrom, thresholdsTo},
		[2]float64{-0.05 * top, 1.07 * top})
	guide := show.Look{Color: color.NRGBA{0xE0, 0xE0, 0xE0, 255}, Width: 1}
	ends := []float64{thresholdsFrom, thresholdsTo}
	check(
		fig.AddArea(0, "", areaX, areaY, show.Look{Color: show.LineColor(0)}),
		fig.AddLine(0, "", ends, []float64{0, 0}, guide),
		fig.AddLine(0, "", ends, []float64{1, 1}, guide),
		fig.AddLine(0, `$p(\theta)$`, x, p, show.Look{Color: show.LineColor(0), Width: 2}),
		fig.AddLine(0, `$f(a)$`, x, f, show.Look{Color: show.LineColor(1), Width: 2, Dash: 1}))
	return fig
}

// mark draws the tangent of f at A, and marks the height p(A), which equals the slope of the
// tangent.
func (o PRML4x13Options) mark(fig *show.Figure) {
	p, f := o.density(o.A), o.cumulative(o.A)
	run := min(1.1, 0.35/p) // half of the extent of the tangent along a
	check(
		fig.AddLine(0, "", []float64{o.A, o.A}, []float64{0, f}, show.Look{Width: 1, Dash: 2}),
		fig.AddLine(0, "tangent", []float64{o.A - run, o.A + run}, []float64{f - run*p, f + run*p},
			show.Look{Width: 1.3}),
		fig.AddMarks(0, "", []float64{o.A, o.A}, []float64{p, f}, show.Look{}),
		fig.AddText(0, "slope $p(a)$", o.A, f, 9, -8, show.Look{}),
		fig.AddText(0, "height $p(a)$", o.A, p, -7, 9, show.Look{Align: -1}),
		fig.AddText(0, "area $f(a)$", o.middle(), 0, 0, 14, show.Look{Align: -0.5}))
	fig.AddData("marked.a", []float64{o.A})
	fig.AddData("marked.p", []float64{p})
	fig.AddData("marked.f", []float64{f})
}

// middle returns the a that divides the shaded area into two equal parts, to within 1/16.
func (o PRML4x13Options) middle() float64 {
	at := o.A
	for at > thresholdsFrom+0.5 && o.cumulative(at) > o.cumulative(o.A)/2 {
		at -= 1.0 / 16
	}
	return at
}

// observed draws, for each bin, the share of inputs that reached their threshold.
func observed(fig *show.Figure, d *datasets.Dataset) {
	t := try(d.Target("on"))
	var n, on [thresholdBins]float64
	const width = (thresholdsTo - thresholdsFrom) / thresholdBins
	for i, v := range t {
		b := min(int(math.Floor((d.X.At(i, 0)-thresholdsFrom)/width)), thresholdBins-1)
		n[b]++
		on[b] += v
	}
	var a, share, count []float64
	for b := range n {
		if n[b] > 0 {
			a = append(a, thresholdsFrom+width*(float64(b)+0.5))
			share = append(share, on[b]/n[b])
			count = append(count, n[b])
		}
	}
	check(fig.AddMarks(0, "observed share", a, share, show.Look{Color: show.ClassColor(1), Marker: 1, Size: 2.4}))
	fig.AddData("observed.n", count)
}
