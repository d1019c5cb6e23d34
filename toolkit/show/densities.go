package show

import (
	"errors"
	"fmt"
	"image/color"
	"math"
	"strconv"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
)

// ClassDensities is a model of the inputs of each class, like the generative models of package
// classify. It returns the N×K matrix of ln p(x|C_k), where an entry is −Inf if the density is 0.
type ClassDensities interface {
	// LogDensities returns ln p(x|C_k) for the rows of x. If it returns an error, the plot returns that
	// error.
	LogDensities(x mat.Matrix) (*mat.Dense, error)
}

// MarginalDensity is a model of the inputs, regardless of their classes. It returns the N values of
// ln p(x).
type MarginalDensity interface {
	// LogMarginal returns ln p(x) for the rows of x. If it returns an error, the plot returns that error.
	LogMarginal(x mat.Matrix) ([]float64, error)
}

// DensitiesOptions change what [Densities] and [Marginal] draw. All fields are optional. Levels are
// the heights of the contours of a density, as fractions of its largest value. The default for
// Densities is e^(−9/2), e^(−2), e^(−1/2). For a Gaussian, the contours with these heights are
// three, two and one standard deviations from the mean. The default for Marginal is 0.1, 0.2, …,
// 0.9.
type DensitiesOptions = PosteriorOptions

// Densities draws the points of d and contours of the class-conditional densities p(x|C_k) of a
// generative model. Each density has the colour and dashes of its class.
//
// If a density is 0 on the whole plane shown (for instance because a class has no rows), it has no
// contours, and the Data does not contain its peak.
//
// The figure's Data contains:
//   - The points: "points.x", "points.y" and "points.class".
//   - The contours: "contour.class", "contour.level" (a fraction of the largest density),
//     "contour.piece", "contour.x" and "contour.y".
//   - The peaks, which are the largest values of the densities: "peak.class" and "peak.value".
//
// Errors: the errors of [Regions], levels that are not between 0 and 1 in ascending order, a
// density that is NaN or +Inf, and no density above 0 on the plane shown.
func Densities(m ClassDensities, d *datasets.Dataset, o DensitiesOptions) (_ *Figure, err error) {
	defer prefixError("Densities", &err)
	p, err := newPlane(m, d, planeView{o.Title, o.XLabel, o.YLabel, o.X, o.Y, o.Grid})
	if err != nil {
		return nil, err
	}
	p.addRows(o.HidePoints)
	levels, err := densityLevels(o.Levels)
	if err != nil {
		return nil, err
	}
	classes, err := p.heights(func(x mat.Matrix) (*mat.Dense, error) {
		a, err := m.LogDensities(x)
		if err != nil {
			return nil, fmt.Errorf("the model returned no densities for points of the plane; fit it on these two features: %w",
				err)
		}
		return a, nil
	}, entry)
	if err != nil {
		return nil, err
	}
	data := newRuns("contour.", "class", "level", "piece")
	var class, peaks []float64
	for k, h := range classes {
		peak, err := h.peak()
		if err != nil {
			return nil, fmt.Errorf("class %d: %w", k, err)
		}
		if math.IsInf(peak, -1) {
			continue
		}
		class, peaks = append(class, float64(k)), append(peaks, math.Exp(peak))
		style := draw.LineStyle{Color: ClassColor(p.hue(k)), Width: 1.1, Dashes: dash(p.hue(k))}
		if err := p.addDensity(h, "$p(\\mathbf{x}|C_{"+strconv.Itoa(k+1)+"})$", peak, levels, style, data, float64(k)); err != nil {
			return nil, err
		}
	}
	if len(peaks) == 0 {
		return nil, errors.New("every density is 0 on the whole plane shown; choose ranges X and Y around the data")
	}
	p.addProbe(m, "", d.ClassNames)
	data.to(p.Figure)
	p.AddData("peak.class", class)
	p.AddData("peak.value", peaks)
	p.Alt = fmt.Sprintf("Contours of the densities of %d classes over %s.", d.K(), p.axes())
	return p.Figure, nil
}

// densityLevels returns the given levels, or an error if they are not between 0 and 1 in ascending
// order. If no levels are given, it returns the heights that a Gaussian has three, two and one
// standard deviations from its mean, as fractions of its largest value.
func densityLevels(levels []float64) ([]float64, error) {
	if len(levels) == 0 {
		return []float64{math.Exp(-4.5), math.Exp(-2), math.Exp(-0.5)}, nil
	}
	return checkLevels(levels, 2)
}

// logLevel returns a function that converts a level, which is a fraction of the largest density, to
// a log density.
func logLevel(peak float64) func(level float64) float64 {
	return func(level float64) float64 { return peak + math.Log(level) }
}

// addDensity draws the contours of a density and adds their points to `data`. The argument `keys`
// contains the values of the first columns of `data`.
func (p *planePlot) addDensity(h *height, name string, peak float64, levels []float64, style draw.LineStyle, data *runs,
	keys ...float64) error {
	lines, _, err := h.contours(levels, logLevel(peak), data, keys...)
	if err != nil {
		return err
	}
	layer := lineLayer{lines, style}
	p.add(layer)
	p.AddLegend(name, layer)
	return nil
}

// Marginal draws the density p(x) = Σ_k p(x|C_k)p(C_k) of all inputs, and the points of d. The
// bands between contours are darker where the density is higher. The options, the columns of Data
// and the errors are the same as for [Densities]. In the Data, the class of the density is 0.
func Marginal(m MarginalDensity, d *datasets.Dataset, o DensitiesOptions) (_ *Figure, err error) {
	defer prefixError("Marginal", &err)
	p, err := newPlane(m, d, planeView{o.Title, o.XLabel, o.YLabel, o.X, o.Y, o.Grid})
	if err != nil {
		return nil, err
	}
	levels, err := checkLevels(o.Levels, 2)
	if err != nil {
		return nil, err
	}
	h, err := newHeight(p.box, p.grid, func(x *mat.Dense) ([]float64, error) { return m.LogMarginal(x) })
	if err != nil {
		return nil, err
	}
	peak, err := h.peak()
	if err != nil {
		return nil, err
	}
	if math.IsInf(peak, -1) {
		return nil, errors.New("the density is 0 on the whole plane shown; choose ranges X and Y around the data")
	}
	data := newRuns("contour.", "class", "level", "piece")
	lines, rings, err := h.contours(levels, logLevel(peak), data, 0)
	if err != nil {
		return nil, err
	}
	p.bar = &colorBar{label: "$p(\\mathbf{x})$ / max", levels: levels, colors: []color.NRGBA{paper}}
	for i, r := range rings {
		band := fill(r, shade(float64(i+1)/float64(len(levels)+1)))
		p.bar.colors = append(p.bar.colors, band.color)
		p.add(band)
	}
	p.add(lineLayer{lines, draw.LineStyle{Color: softInk, Width: thinWidth}})
	p.addRows(o.HidePoints)
	data.to(p.Figure)
	p.AddData("peak.class", []float64{0})
	p.AddData("peak.value", []float64{math.Exp(peak)})
	p.Alt = fmt.Sprintf("Density of the inputs over %s.", p.axes())
	return p.Figure, nil
}

// shade returns the colour for a height t between 0 and 1. For t = 0 this is the background colour.
// For t = 1 it is a grey on which the markers of all classes are visible.
func shade(t float64) color.NRGBA { return mix(paper, color.NRGBA{0x6A, 0x6A, 0x78, 255}, t) }

// A Density is a function of two variables together with a name for the legend. The function Log
// returns the logarithm of the density up to a constant, or −Inf where the density is 0.
type Density struct {
	Name string
	Log  func(a, b float64) float64
	// Mean and Deviation state approximately where the density is large. A plot computes its
	// default ranges from them. Both are ignored for a variable whose Deviation is not positive.
	Mean, Deviation [2]float64
}

// GaussianDensity returns the Gaussian density of two variables with the given mean and covariance.
// It returns an error if mean does not have two entries, if cov is nil or not 2×2, if a number is
// not finite, or if cov is not positive definite.
func GaussianDensity(name string, mean []float64, cov mat.Symmetric) (Density, error) {
	if len(mean) != 2 || isNil(cov) || cov.SymmetricDim() != 2 {
		return Density{}, fmt.Errorf("show: GaussianDensity: %s needs a mean of 2 entries (it has %d) and a covariance of 2×2; choose two of the variables", name, len(mean))
	}
	a, b, c := cov.At(0, 0), cov.At(0, 1), cov.At(1, 1)
	sa, sc := math.Sqrt(a), math.Sqrt(c)
	rho := b / sa / sc
	rest := (1 - rho) * (1 + rho)
	if !(a > 0 && c > 0 && rest > 0) || !allFinite(a, c, mean[0], mean[1]) {
		return Density{}, fmt.Errorf("show: GaussianDensity: %s has the mean %v and the covariance [%v %v; %v %v]; want finite numbers and a positive definite covariance", name, mean, a, b, b, c)
	}
	m0, m1 := mean[0], mean[1]
	return Density{name, func(x, y float64) float64 {
		u, v := (x-m0)/sa, (y-m1)/sc
		return 0 - (u*u-2*rho*u*v+v*v)/(2*rest) // 0 − q instead of −q, which would be −0 at the mean
	}, [2]float64{m0, m1}, [2]float64{sa, sc}}, nil
}

// ContoursOptions change what [Contours] draws. All fields are optional, except that Contours needs
// ranges, samples, or a density with a Deviation.
type ContoursOptions struct {
	Title          string
	XLabel, YLabel string
	X, Y           [2]float64 // ranges to show; the defaults include all samples, and 3.5 deviations on both sides of each mean
	Grid           int        // number of cells of the mesh along each side; the default is 160
	// heights as fractions of the largest value, ascending in (0, 1); the default is as in
	// [DensitiesOptions]
	Levels []float64
	// Samples is an N×2 matrix of points, such as the draws of a Markov chain. They are drawn as
	// small dots under the contours.
	Samples mat.Matrix
}

// Contours draws contours of up to six densities over the same two variables. Each density has its
// own colour and dashes. For example, the densities can be the exact posterior of two weights and
// its approximations.
//
// The figure's Data contains the samples ("samples.x" and "samples.y"). For a density with the name
// D it contains the contours ("D.level", "D.piece", "D.x" and "D.y") and the logarithm of the
// largest value ("D.peak"). Errors: no density, more than six densities, no ranges, invalid or very
// narrow ranges, a Grid outside 8 to 1000, samples that are not N×2 or not finite, and levels that
// are not between 0 and 1 in ascending order. It is also an error if a function is nil, returns NaN
// or +Inf, or is −Inf on the whole plane shown.
func Contours(o ContoursOptions, densities ...Density) (_ *Figure, err error) {
	defer prefixError("Contours", &err)
	if err := checkCount(len(densities), "density", "densities"); err != nil {
		return nil, err
	}
	dots, err := checkSamples(o.Samples)
	if err != nil {
		return nil, err
	}
	b, err := densityBox(o, dots, densities)
	if err != nil {
		return nil, err
	}
	p, err := planeOf(b, planeView{o.Title, o.XLabel, o.YLabel, o.X, o.Y, o.Grid})
	if err != nil {
		return nil, err
	}
	levels, err := densityLevels(o.Levels)
	if err != nil {
		return nil, err
	}
	p.Alt = "Contours of the densities"
	for i, d := range densities {
		h, peak, err := d.evaluateOn(p)
		if err != nil {
			return nil, err
		}
		if i == 0 && dots != nil {
			p.addSamples(dots)
		}
		style := lineStyle(i)
		style.Width = 1.2
		data := newRuns(plainText(d.Name)+".", "level", "piece")
		if err := p.addDensity(h, d.Name, peak, levels, style, data); err != nil {
			return nil, err
		}
		data.to(p.Figure)
		p.AddData(plainText(d.Name)+".peak", []float64{peak})
		p.appendToAlt(i, d.Name)
	}
	p.Alt += "."
	return p.Figure, nil
}

// evaluateOn returns the logarithm of the density on the plane p, and its largest value.
func (d Density) evaluateOn(p *planePlot) (h *height, peak float64, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("%s: %w", plainText(d.Name), err)
		}
	}()
	if d.Log == nil {
		return nil, 0, errors.New("the function is nil")
	}
	if h, err = newHeight(p.box, p.grid, pointwise(d.Log)); err != nil {
		return nil, 0, err
	}
	if peak, err = h.peak(); err == nil && math.IsInf(peak, -1) {
		err = errors.New("the density is 0 on the whole plane shown; choose ranges X and Y around it")
	}
	return h, peak, err
}

// addSamples draws the samples as small and light dots, so that places with many samples look
// darker.
func (p *planePlot) addSamples(dots []xy) {
	radius := vg.Length(1)
	if len(dots) > 1000 {
		radius = 0.7
	}
	var pts []xy
	data := newColumns("samples.", "x", "y")
	for _, q := range dots {
		q = xy{X: round9(q.X), Y: round9(q.Y)}
		pts = append(pts, q)
		data.row(q.X, q.Y)
	}
	layer := pointLayer{pts,
		draw.GlyphStyle{Color: color.NRGBA{0x8C, 0xA6, 0xBF, 255}, Radius: radius, Shape: dotGlyph{}}}
	p.add(layer)
	p.AddLegend("samples", layer)
	data.to(p.Figure)
}

func checkSamples(s mat.Matrix) ([]xy, error) {
	if isNil(s) {
		return nil, nil
	}
	n, d := s.Dims()
	if d != 2 {
		return nil, fmt.Errorf("the samples are %d×%d; each row needs two numbers", n, d)
	}
	out := make([]xy, n)
	for i := range out {
		out[i] = xy{X: s.At(i, 0), Y: s.At(i, 1)}
		if !allFinite(out[i].X, out[i].Y) {
			return nil, fmt.Errorf("row %d of the samples is (%v, %v); leave out rows that are not finite", i, out[i].X, out[i].Y)
		}
	}
	return out, nil
}

// densityBox returns a box with the given ranges. It replaces a zero range with the range of the
// samples and densities.
func densityBox(o ContoursOptions, dots []xy, densities []Density) (box, error) {
	return boxOr(o.X, o.Y, func(j int, name string) (lo, hi float64, err error) {
		lo, hi = math.Inf(1), math.Inf(-1)
		for _, q := range dots {
			v := []float64{q.X, q.Y}[j]
			lo, hi = min(lo, v), max(hi, v)
		}
		for _, d := range densities {
			if s := d.Deviation[j]; s > 0 {
				lo, hi = min(lo, d.Mean[j]-3.5*s), max(hi, d.Mean[j]+3.5*s)
			}
		}
		if lo > hi {
			return 0, 0, fmt.Errorf("there is no range to draw; set the option %s, or give samples or a density with a Deviation", name)
		}
		if tooNarrow(lo, hi) {
			return 0, 0, fmt.Errorf("the range %s is %v to %v: figures round to nine digits, which hardly distinguish these numbers; subtract the mean",
				name, lo, hi)
		}
		return lo, hi, nil
	})
}
