package figures

import (
	"fmt"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/internal/kernels"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

// PRML4x12Options are the options of PRML figure 4.12. The zero value draws the default figure.
type PRML4x12Options struct {
	// Centres contains the centres of the two Gaussian basis functions. If Centres is nil, each of
	// the two outer clouds has a centre in its middle.
	Centres [][]float64 `default:"[[-1.5, -1], [1.5, 1]]"`
	Width   float64     `default:"1.3"` // width s of both basis functions
	N       int         `default:"40"`  // number of points of each cloud
	Seed    uint64      // seed of the random data
}

// PRML4x12 draws two classes that no line separates, with the centres of two Gaussian basis
// functions. A second panel shows the same points in the plane of (φ₁, φ₂). PRML4x12 fits logistic
// regression to the points in this plane. Both panels show the boundary of this fit.
//
// The figure's Data contains:
//   - The columns of show.Regions, whose names begin with "a." for the plane of x and with "b." for
//     the plane of φ.
//   - "a.centres": the centres.
//   - "a.φj = e−1/2": a circle around each centre.
//   - "a.without basis functions": the boundary of logistic regression on x itself.
//   - "model.w": the model's weights, bias first.
//   - "mistakes.x" and "mistakes.φ": the numbers of points that the fits on x and on φ misclassify.
//   - "mistakes.n": the number of points.
//
// Errors: Centres other than two points with two finite coordinates each, a Width that is negative
// or not finite, a negative N.
func PRML4x12(o PRML4x12Options) (_ *show.Figure, err error) {
	defer returnFailure("PRML 4.12", &err)
	o = withDefaults(o)
	o.basis() // stops with an error if the centres or the width are invalid
	return o.panels(o.scene(), false), nil
}

func (o PRML4x12Options) basis() *classify.GaussianBasis {
	require(len(o.Centres) == 2, "there are %d centres; give two, so that the points φ(x) lie in a plane", len(o.Centres))
	centres := mat.NewDense(2, 2, nil)
	for j, c := range o.Centres {
		require(len(c) == 2, "centre %d has %d coordinates; give two", j, len(c))
		centres.SetRow(j, c)
	}
	return try(classify.BasisGaussian(centres, o.Width))
}

// basisScene contains the parts of the figure that do not depend on the centres: the points, and a
// logistic regression fitted to their inputs x.
type basisScene struct {
	d      *datasets.Dataset
	fit    func(x mat.Matrix) (*classify.Logistic, error)
	before float64 // number of points that logistic regression on x misclassifies
	x, y   [2]float64
	lx, ly []float64 // boundary of logistic regression on x
}

func (o PRML4x12Options) scene() *basisScene {
	d := try(datasets.Sandwich(datasets.SceneOptions{N: o.N, Seed: o.Seed}))
	t := firstClassTargets(d)
	s := &basisScene{d: d, fit: func(x mat.Matrix) (*classify.Logistic, error) {
		// The prior is weak but necessary. In the plane of φ the classes may be separable, and
		// without a prior the weights would then grow without bound.
		return classify.FitLogistic(x, t,
			classify.LogisticOptions{Prior: classify.Isotropic{Alpha: 0.01, FreeBias: true}})
	}}
	linear := try(s.fit(d.X))
	s.before = mistakes(linear, d)
	s.x, s.y = equalRanges(d)
	s.lx, s.ly = boundaryLine(linear, d, s.x, s.y)
	return s
}

// panels fits the model with the centres in o and draws it in two panels: in the plane of x and in
// the plane of φ. If `moving` is true, panels draws a frame of a chart, with a coarse mesh, without
// posteriors, and with lines that several frames can share.
func (o PRML4x12Options) panels(s *basisScene, moving bool) *show.Figure {
	d, b := s.d, o.basis()
	m := try(classify.FitOnBasis(d.X, b, s.fit))
	phi := try(classify.Features(d.X, b))
	var overX, overPhi classify.Predictor = m, m.Model
	grid := 0 // the default mesh
	if moving {
		// scoringModel hides the posteriors of the model. These posteriors differ from frame to
		// frame and would be the largest part of the page.
		overX, overPhi, grid = struct{ scoringModel }{m}, struct{ scoringModel }{m.Model}, 32
	}
	mapped := &datasets.Dataset{Name: d.Name, X: mat.DenseCopyOf(phi), Labels: d.Labels, ClassNames: d.ClassNames,
		FeatureNames: []string{"φ1", "φ2"}, Source: d.Source, Hues: d.Hues}
	inPhi := try(show.Regions(overPhi, mapped, show.RegionsOptions{
		Title: `basis functions $\phi(\mathbf{x})$`, XLabel: `$\phi_1$`, YLabel: `$\phi_2$`, X: [2]float64{-0.05, 1.05},
		Y: [2]float64{-0.05, 1.05}, Grid: grid,
	}))
	fig := equalPanels(2, o.drawInputs(s, overX, grid, moving), inPhi)
	after := mistakes(m, d)
	fig.AddData("model.w", m.Model.W)
	addNumbers(fig, "mistakes.x", s.before)
	addNumbers(fig, "mistakes.φ", after)
	addNumbers(fig, "mistakes.n", float64(d.N()))
	fig.Alt = fmt.Sprintf("Two classes in the plane of the inputs with a curved boundary around the centres of two Gaussian basis functions, and in the plane of the basis functions, where the boundary is straight. A line misclassifies %.0f points in the first plane, %.0f in the second.", s.before, after)
	return fig
}

// drawInputs draws the panel with the plane of x. It shows the regions, the centres and a circle of
// radius o.Width around each centre. It also shows the boundary of logistic regression without
// basis functions.
func (o PRML4x12Options) drawInputs(s *basisScene, m classify.Predictor, grid int, moving bool) *show.Figure {
	fig := try(show.Regions(m, s.d,
		show.RegionsOptions{Title: `inputs $\mathbf{x}$`, XLabel: "$x_1$", YLabel: "$x_2$", X: s.x, Y: s.y,
			Grid: grid}))
	const corners = 72
	var cx, cy, mx, my []float64
	name, green := `$\phi_j = e^{-1/2}$`, show.ClassColor(2)
	look := show.Look{Color: green, Dash: 2, Width: 1.4}
	for j, c := range o.Centres {
		for i := range corners + 1 {
			sin, cos := math.Sincos(2 * math.Pi * float64(i) / corners)
			cx, cy = append(cx, c[0]+o.Width*cos), append(cy, c[1]+o.Width*sin)
		}
		if moving && j == 0 { // draw the first circle as a separate line, so that frames can share it
			check(fig.AddLine(0, name, cx, cy, look))
			name, cx, cy = "", nil, nil
		}
		cx, cy = append(cx, math.NaN()), append(cy, math.NaN()) // NaN interrupts the line after the circle
		mx, my = append(mx, c[0]), append(my, c[1])
		check(fig.AddText(0, fmt.Sprintf(`$\phi_%d$`, j+1), c[0], c[1]+o.Width, 0, 9,
			show.Look{Color: green, Size: 11, Align: -0.5}))
	}
	check(
		fig.AddLine(0, name, cx, cy, look),
		fig.AddMarks(0, "centres", mx, my, show.Look{Color: green, Marker: 3, Size: 4}),
		fig.AddLine(0, "without basis functions", s.lx, s.ly, show.Look{Color: show.LineColor(4), Dash: 1, Width: 1.8}))
	return fig
}

// prml4x12Places are the slider positions of each centre. A position is the factor by which the
// vector from the midpoint of the two original centres to the centre is multiplied.
var prml4x12Places = []float64{1.5, 1, 0.5, 0, -0.5, -1, -1.5}

// PRML4x12Chart returns the figure of [PRML4x12] as a chart with one slider for each of the two
// centres. The sliders move the centres along the line through both. The model is fitted again for
// every combination of slider positions. One panel shows the curved boundary in the plane of x, and
// the other panel shows the straight boundary in the plane of φ. Errors: the errors of [PRML4x12],
// and two equal centres, which do not define a line.
func PRML4x12Chart(o PRML4x12Options) (_ *show.Chart, err error) {
	defer returnFailure("PRML 4.12", &err)
	o = withDefaults(o)
	s := o.scene()
	o.basis() // stops with an error if the centres or the width are invalid
	require(!slices.Equal(o.Centres[0], o.Centres[1]),
		"the two centres are equal, so they do not define a line on which the sliders can move them: give different centres")
	var both []show.Slider
	for j := range o.Centres {
		slider := show.Slider{Name: fmt.Sprintf("centre %d", j+1), Start: 1}
		for _, f := range prml4x12Places {
			slider.Labels = append(slider.Labels, "("+decimals(2, o.movedCentre(j, f)...)+")")
		}
		both = append(both, slider)
	}
	return sliderChart(func(at []int) *show.Figure { return o.frame(s, at[0], at[1]) }, both...), nil
}

// movedCentre returns a new position of centre j. The vector from the midpoint of the two centres to
// the new position is the vector to centre j times `multiple`.
func (o PRML4x12Options) movedCentre(j int, multiple float64) []float64 {
	out := make([]float64, 2)
	for k := range out {
		middle := (o.Centres[0][k] + o.Centres[1][k]) / 2
		out[k] = middle + multiple*(o.Centres[j][k]-middle)
	}
	return out
}

// frame draws the figure with the centres at the given positions of their two sliders.
func (o PRML4x12Options) frame(s *basisScene, first, second int) *show.Figure {
	o.Centres = [][]float64{o.movedCentre(0, prml4x12Places[first]), o.movedCentre(1, prml4x12Places[second])}
	fig := o.panels(s, true)
	after := singleNumber(fig.Data(), "mistakes.φ")
	fig.Title = fmt.Sprintf("%s; without basis functions %.0f", mistakesText(int(after), s.d.N()), s.before)
	return fig
}

// scoringModel is a model that predicts classes and computes activations, but does not compute
// posteriors.
type scoringModel interface {
	classify.Predictor
	classify.Scorer
}

// PRML4x13Options are the options of PRML figure 4.13. The zero value draws the default figure.
type PRML4x13Options struct {
	// Means, Stds and Weights describe the density p(θ) of the threshold, a mixture of Gaussians.
	// If all three are nil, the density is 0.6·N(−1, 0.8²) + 0.4·N(1.5, 0.5²). Weights need not sum
	// to 1. If only Weights is nil, all weights are equal.
	Means, Stds, Weights []float64
	A                    float64 `default:"1" range:"-4..4"` // the marked input
	N                    int     `default:"800"`             // number of random inputs; each has a random threshold
	Seed                 uint64  // seed of the random data
}

// withDefaults sets the default components, but only if Means, Stds and Weights are all nil.
func (o PRML4x13Options) withDefaults() PRML4x13Options {
	if o.Means == nil && o.Stds == nil && o.Weights == nil {
		o.Means, o.Stds, o.Weights = []float64{-1, 1.5}, []float64{0.8, 0.5}, []float64{0.6, 0.4}
	}
	return o
}

// thresholdsFrom and thresholdsTo are the ends of the a axis. thresholdBins is the number of bins
// into which this axis is divided to count the inputs.
const (
	thresholdsFrom = -4.0
	thresholdsTo   = 4.0
	thresholdBins  = 20
)

// PRML4x13 draws a density p(θ) of thresholds, and its cumulative distribution f(a), the
// probability that an input a reaches the threshold (4.113). The function f is the activation
// function of the noisy threshold model. PRML4x13 marks p and f at the input A, shades the area under
// p to the left of A, and draws the tangent of f at A. For each bin of the a axis that contains
// random inputs, a dot shows the fraction of these inputs that reached their thresholds.
//
// The figure's Data contains:
//   - The curves: "p(θ).x", "p(θ).y", "f(a).x" and "f(a).y".
//   - The tangent: "tangent.x" and "tangent.y".
//   - The marked values: "marked.a", "marked.p" and "marked.f".
//   - For each bin that is not empty, its dot ("observed share.x" and "observed share.y") and its
//     number of inputs ("observed.n").
//
// Errors: Means, Stds and Weights of different lengths, numbers that are not finite, standard
// deviations or weights that are not positive, A outside −4 … 4, a negative N.
//
// Equations: PRML (4.112), (4.113).
func PRML4x13(o PRML4x13Options) (_ *show.Figure, err error) {
	defer returnFailure("PRML 4.13", &err)
	o = withDefaults(o)
	// this call also checks Means, Stds and Weights
	d := try(datasets.Thresholds(datasets.ThresholdsOptions{
		N: o.N, Low: thresholdsFrom, High: thresholdsTo, Means: o.Means, Stds: o.Stds, Weights: o.Weights, Seed: o.Seed,
	}))
	fig := o.drawCurves()
	o.markTangent(fig)
	drawObserved(fig, d)
	fig.Alt = fmt.Sprintf("A density of thresholds with the area up to a = %g shaded, and its cumulative distribution, whose tangent at a has the slope of the density's height, %.2g.", o.A, o.density(o.A))
	return fig, nil
}

// mixture returns the weighted mean of f(mean, std) over the components.
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

// cumulative returns f(a), the integral (4.113) of the density p from −∞ to the number a.
func (o PRML4x13Options) cumulative(a float64) float64 {
	return o.mixture(func(mean, std float64) float64 { return kernels.NormCDF((a - mean) / std) })
}

// drawCurves draws the density p, the area under p to the left of A, and the activation function f.
func (o PRML4x13Options) drawCurves() *show.Figure {
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
	fig := blankFigure(`threshold $\theta$, input $a$`, "", [2]float64{thresholdsFrom, thresholdsTo},
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

// markTangent draws the tangent of f at A. It also marks the height p(A), which equals the slope of
// the tangent.
func (o PRML4x13Options) markTangent(fig *show.Figure) {
	p, f := o.density(o.A), o.cumulative(o.A)
	run := min(1.1, 0.35/p) // half of the tangent's extent along the a axis
	check(
		fig.AddLine(0, "", []float64{o.A, o.A}, []float64{0, f}, show.Look{Width: 1, Dash: 2}),
		fig.AddLine(0, "tangent", []float64{o.A - run, o.A + run}, []float64{f - run*p, f + run*p},
			show.Look{Width: 1.3}),
		fig.AddMarks(0, "", []float64{o.A, o.A}, []float64{p, f}, show.Look{}),
		fig.AddText(0, "slope $p(a)$", o.A, f, 9, -8, show.Look{}),
		fig.AddText(0, "height $p(a)$", o.A, p, -7, 9, show.Look{Align: -1}),
		fig.AddText(0, "area $f(a)$", o.areaMiddle(), 0, 0, 14, show.Look{Align: -0.5}))
	addNumbers(fig, "marked.a", o.A)
	addNumbers(fig, "marked.p", p)
	addNumbers(fig, "marked.f", f)
}

// areaMiddle returns the position of the label "area f(a)" on the a axis. This position divides the
// shaded area into two nearly equal parts, except near the left end of the axis.
func (o PRML4x13Options) areaMiddle() float64 {
	at := o.A
	for at > thresholdsFrom+0.5 && o.cumulative(at) > o.cumulative(o.A)/2 {
		at -= 1.0 / 16
	}
	return at
}

// drawObserved draws a dot for each bin that is not empty. The height of the dot is the fraction of
// the bin's inputs that reached their thresholds.
func drawObserved(fig *show.Figure, d *datasets.Dataset) {
	t := try(d.Target("on"))
	var n, ones [thresholdBins]float64
	const width = (thresholdsTo - thresholdsFrom) / thresholdBins
	for i, v := range t {
		b := min(int(math.Floor((d.X.At(i, 0)-thresholdsFrom)/width)), thresholdBins-1)
		n[b]++
		ones[b] += v
	}
	var a, share, count []float64
	for b := range n {
		if n[b] > 0 {
			a = append(a, thresholdsFrom+width*(float64(b)+0.5))
			share = append(share, ones[b]/n[b])
			count = append(count, n[b])
		}
	}
	check(fig.AddMarks(0, "observed share", a, share, show.Look{Color: show.ClassColor(1), Marker: 1, Size: 2.4}))
	fig.AddData("observed.n", count)
}
