package show

import (
	"errors"
	"fmt"
	"image/color"
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A Density is a function of two variables with a name for the legend. Log returns the logarithm of
// the density up to a constant. Log may return −Inf.
type Density struct {
	Name string
	Log  func(a, b float64) float64
	// Mean and Deviation locate the density for the default ranges. Zero deviations are ignored.
	Mean, Deviation [2]float64
}

// GaussianDensity returns the Gaussian with the given mean, two entries, and
// covariance, 2×2. It returns an error if the sizes differ from these, or the
// covariance is not positive definite.
func GaussianDensity(name string, mean []float64, cov mat.Symmetric) (Density, error) {
	if len(mean) != 2 || isNil(cov) || cov.SymmetricDim() != 2 {
		return Density{}, fmt.Errorf("show: GaussianDensity: %s needs a mean of 2 entries (it has %d) and a covariance of 2×2; choose two of the variables", name, len(mean))
	}
	a, b, c := cov.At(0, 0), cov.At(0, 1), cov.At(1, 1)
	sa, sc := math.Sqrt(a), math.Sqrt(c)
	rho := b / sa / sc
	rest := (1 - rho) * (1 + rho)
	if !(a > 0 && c > 0 && rest > 0) || !finite(a, c, mean[0], mean[1]) {
		return Density{}, fmt.Errorf("show: GaussianDensity: %s has the mean %v and the covariance [%v %v; %v %v], which is not finite and positive definite", name, mean, a, b, b, c)
	}
	m0, m1 := mean[0], mean[1]
	return Density{name, func(x, y float64) float64 {
		u, v := (x-m0)/sa, (y-m1)/sc
		return 0 - (u*u-2*rho*u*v+v*v)/(2*rest) // 0 − 0 is 0, not −0
	}, [2]float64{m0, m1}, [2]float64{sa, sc}}, nil
}

// ContoursOptions change what [Contours] draws. The zero value works if a density has
// deviations or there are samples.
type ContoursOptions struct {
	Title          string
	XLabel, YLabel string
	X, Y           [2]float64 // the ranges to show; default: all samples, and 3.5 deviations around each mean
	Grid           int        // cells of the mesh along each side; default 160
	Levels         []float64  // fractions of the largest value, ascending in (0, 1); default as in [DensitiesOptions]
	// Samples, N×2, such as the draws of a Markov chain, appear as small dots under the contours.
	Samples mat.Matrix
}

// Contours draws contours of up to six densities over the same two variables. Each density has its
// own colour and dashes. An example is an exact posterior of two weights with its approximations.
//
// Numbers: samples.x, .y; for each density its name with .level, .piece, .x, .y and .peak, the
// logarithm of its largest value. Errors: no density, more than six densities, no ranges, and a
// function that is nil, returns NaN or +Inf, or is −Inf on the whole plane shown.
func Contours(o ContoursOptions, densities ...Density) (_ *Figure, err error) {
	defer named("Contours", &err)
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
		h, peak, err := d.on(p)
		if err != nil {
			return nil, err
		}
		if i == 0 && dots != nil {
			p.addSamples(dots)
		}
		style := lineStyle(i)
		style.Width = 1.2
		data := newRuns(plain(d.Name)+".", "level", "piece")
		if err := p.addDensity(h, d.Name, peak, levels, style, data); err != nil {
			return nil, err
		}
		data.to(p.Figure)
		p.AddData(plain(d.Name)+".peak", []float64{peak})
		p.mention(i, d.Name)
	}
	p.Alt += "."
	return p.Figure, nil
}

// on evaluates the logarithm of the density on the plane p. It also returns the largest value.
func (d Density) on(p *planePlot) (h *height, peak float64, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("%s: %w", plain(d.Name), err)
		}
	}()
	if d.Log == nil {
		return nil, 0, errors.New("the function is nil")
	}
	if h, err = newHeight(p.box, p.grid, pointwise(d.Log)); err != nil {
		return nil, 0, err
	}
	if peak, err = h.peak(); err == nil && math.IsInf(peak, -1) {
		err = errors.New("the density is 0 on all of the plane shown; choose ranges X and Y around it")
	}
	return h, peak, err
}

// addSamples draws small and light dots, so that their density is visible.
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
		if !finite(out[i].X, out[i].Y) {
			return nil, fmt.Errorf("row %d of the samples is (%v, %v); leave it out", i, out[i].X, out[i].Y)
		}
	}
	return out, nil
}

// densityBox returns a box with the given ranges. It replaces zero ranges with the ranges of the
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
			return 0, 0, fmt.Errorf("there is no range to draw; set the option %s, or give samples", name)
		}
		if narrow(lo, hi) {
			return 0, 0, fmt.Errorf("the range %s is %v to %v: the nine digits drawn hardly distinguish these; subtract the mean", name, lo, hi)
		}
		return lo, hi, nil
	})
}
