package show

import (
	"fmt"
	"image/color"
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// ContoursOptions change what [Contours] draws. The zero value works where a
// density says where it is, or there are samples.
type ContoursOptions struct {
	Title          string
	XLabel, YLabel string
	X, Y           [2]float64 // the ranges shown; default: all samples, and 3.5 deviations around each mean
	Grid           int        // cells of the mesh along each side; default 160
	Levels         []float64  // fractions of the largest value, rising between 0 and 1; default as in [DensitiesOptions]
	// Samples, N×2, are drawn as small dots under the contours: of a Markov chain,
	// say.
	Samples mat.Matrix
	Filled  bool // bands of grey under the first density
}

// Contours draws contours of up to six densities over the same two variables,
// each in its own colour and dashes: an exact posterior of two weights against its
// approximations, say.
//
// Numbers: samples.x, .y; for each density its name with .level, .piece, .x, .y
// and .peak, the logarithm of its largest value. Errors: no density, more than
// six, no ranges, a function that is nil, NaN, +Inf or −Inf everywhere shown.
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
	levels := sigmas
	if len(o.Levels) > 0 {
		if levels, err = checkLevels(o.Levels, 2); err != nil {
			return nil, err
		}
	}
	p.Alt = "Contours of the densities"
	for i, d := range densities {
		if d.Log == nil {
			return nil, fmt.Errorf("the function of %q is nil", d.Name)
		}
		h, err := newHeight(b, p.grid, pointwise(d.Log))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", plain(d.Name), err)
		}
		peak, err := logPeak(h)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", plain(d.Name), err)
		}
		if math.IsInf(peak, -1) {
			return nil, fmt.Errorf("%s is 0 on all of the plane shown; choose ranges X and Y around it", plain(d.Name))
		}
		if i == 0 && o.Filled {
			if err := p.fillDensity(h, peak, levels); err != nil {
				return nil, err
			}
		}
		if i == 0 && dots != nil {
			p.addSamples(dots)
		}
		if err := p.addDensity(h, d.Name, peak, levels, i); err != nil {
			return nil, err
		}
		p.mention(i, d.Name)
	}
	p.Alt += "."
	return p.Figure, nil
}

// addDensity draws the contours of the i-th density.
func (p *planePlot) addDensity(h *height, name string, peak float64, levels []float64, i int) error {
	layer := lineLayer{style: lineStyle(i)}
	layer.style.Width = 1.2
	data := newRuns(plain(name)+".", "level", "piece")
	for _, level := range levels {
		lines, _, err := h.contour(peak + math.Log(level))
		if err != nil {
			return err
		}
		layer.lines = append(layer.lines, lines...)
		for _, l := range lines {
			data.add(l, level)
		}
	}
	p.panel.Add(layer)
	p.AddLegend(name, layer)
	data.to(p.Figure)
	p.AddData(plain(name)+".peak", []float64{peak})
	return nil
}

// fillDensity draws bands of grey between the contours.
func (p *planePlot) fillDensity(h *height, peak float64, levels []float64) error {
	for n, level := range levels {
		_, rings, err := h.contour(peak + math.Log(level))
		if err != nil {
			return err
		}
		p.panel.Add(areaLayer{rings, mix(paper, shade(1), 0.45*float64(n+1)/float64(len(levels)))})
	}
	return nil
}

// addSamples draws dots small and light enough that their density shows.
func (p *planePlot) addSamples(dots []xy) {
	radius := vg.Length(1)
	if len(dots) > 1000 {
		radius = 0.7
	}
	xs, ys := make([]float64, len(dots)), make([]float64, len(dots))
	for i, q := range dots {
		xs[i], ys[i] = round9(q.X), round9(q.Y)
	}
	layer := pointLayer{polyline(xs, ys), draw.GlyphStyle{Color: color.NRGBA{0x8C, 0xA6, 0xBF, 255}, Radius: radius, Shape: dotGlyph{}}}
	p.panel.Add(layer)
	p.AddLegend("samples", layer)
	p.AddData("samples.x", xs)
	p.AddData("samples.y", ys)
}

// dotGlyph is a disc without a border.
type dotGlyph struct{}

// DrawGlyph implements draw.GlyphDrawer.
func (dotGlyph) DrawGlyph(c *draw.Canvas, sty draw.GlyphStyle, at vg.Point) {
	c.SetColor(sty.Color)
	c.Fill(circle(at, sty.Radius))
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
		if v := out[i].X + out[i].Y; math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("row %d of the samples is (%v, %v); leave it out", i, out[i].X, out[i].Y)
		}
	}
	return out, nil
}

// densityBox returns the ranges given, or those of samples and densities.
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
			return 0, 0, fmt.Errorf("nothing says where to look; give the option %s a range, or samples", name)
		}
		if narrow(lo, hi) {
			return 0, 0, fmt.Errorf("the range %s is %v to %v: the nine digits that are drawn hardly tell these apart; subtract the mean", name, lo, hi)
		}
		return lo, hi, nil
	})
}
