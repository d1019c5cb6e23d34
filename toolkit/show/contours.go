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

// ContoursOptions change what [Contours] draws. The zero value works where a
// density says where it is, or there are samples.
type ContoursOptions struct {
	Title          string
	XLabel, YLabel string
	X, Y           [2]float64 // the ranges shown; default: all samples, and 3.5 deviations around each mean
	Grid           int        // cells of the mesh along each side; default 160
	Levels         []float64  // fractions of the largest value, rising between 0 and 1; default as in [DensitiesOptions]
	// Samples, N×2, are drawn as small dots under the contours: of a Markov chain,
	// say. SamplesName is their entry in the legend; default "samples".
	Samples     mat.Matrix
	SamplesName string
	Filled      bool // bands of grey under the first density
}

// Contours draws contours of up to six densities over the same two variables,
// each in its own colour and dashes: an exact posterior of two weights against its
// approximations, say.
//
// Numbers: samples.x, .y; for each density its name with .level, .piece, .x, .y
// and .peak, the logarithm of its largest value. Errors: no density, more than
// six, no ranges, a function that is nil, NaN, +Inf or −Inf everywhere shown.
func Contours(o ContoursOptions, densities ...Density) (*Figure, error) {
	fig, err := contours(o, densities)
	if err != nil {
		return nil, fmt.Errorf("show: Contours: %w", err)
	}
	return fig, nil
}

func contours(o ContoursOptions, densities []Density) (*Figure, error) {
	if len(densities) == 0 {
		return nil, errors.New("no density is given; name at least one")
	}
	if len(densities) > len(lineColors) {
		return nil, fmt.Errorf("%d densities; colours and dashes keep %d apart", len(densities), len(lineColors))
	}
	dots, err := checkSamples(o.Samples)
	if err != nil {
		return nil, err
	}
	b, err := densityBox(o, dots, densities)
	if err != nil {
		return nil, err
	}
	g, err := checkGrid(o.Grid)
	if err != nil {
		return nil, err
	}
	levels := sigmas
	if len(o.Levels) > 0 {
		if levels, err = checkLevels(o.Levels, 2); err != nil {
			return nil, err
		}
	}
	p := newPlot(o.XLabel, o.YLabel)
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = b.x[0], b.x[1], b.y[0], b.y[1]
	fig := one(p)
	fig.Title = o.Title
	fig.Alt = "Contours of the densities"
	for i, d := range densities {
		if d.Log == nil {
			return nil, fmt.Errorf("the function of %q is nil", d.Name)
		}
		h, err := newHeight(b, g, pointwise(d.Log))
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
			if err := fig.fillDensity(h, peak, levels); err != nil {
				return nil, err
			}
		}
		if i == 0 && dots != nil {
			fig.addSamples(dots, o.SamplesName)
		}
		if err := fig.addDensity(h, d.Name, peak, levels, i); err != nil {
			return nil, err
		}
		if i > 0 {
			fig.Alt += ","
		}
		fig.Alt += " " + d.Name
	}
	fig.Alt += "."
	return fig, nil
}

// addDensity draws the contours of the i-th density.
func (f *Figure) addDensity(h *height, name string, peak float64, levels []float64, i int) error {
	layer := lineLayer{style: lineStyle(i)}
	layer.style.Width = 1.2
	var data contourData
	for _, level := range levels {
		lines, _, err := h.contour(peak + math.Log(level))
		if err != nil {
			return err
		}
		layer.lines = append(layer.lines, lines...)
		for _, l := range lines {
			data.add(0, level, l)
		}
	}
	f.panels[0].Add(layer)
	f.AddLegend(name, layer)
	name = plain(name)
	f.AddData(name+".level", data.level)
	f.AddData(name+".piece", data.piece)
	f.AddData(name+".x", data.x)
	f.AddData(name+".y", data.y)
	f.AddData(name+".peak", []float64{peak})
	return nil
}

// fillDensity draws bands of grey between the contours.
func (f *Figure) fillDensity(h *height, peak float64, levels []float64) error {
	for n, level := range levels {
		_, rings, err := h.contour(peak + math.Log(level))
		if err != nil {
			return err
		}
		f.panels[0].Add(areaLayer{rings, mix(paper, shade(1), 0.45*float64(n+1)/float64(len(levels)))})
	}
	return nil
}

// addSamples draws dots small and light enough that their density shows.
func (f *Figure) addSamples(dots []xy, name string) {
	if name == "" {
		name = "samples"
	}
	radius := vg.Length(1)
	if len(dots) > 1000 {
		radius = 0.7
	}
	xs, ys := make([]float64, len(dots)), make([]float64, len(dots))
	for i, q := range dots {
		xs[i], ys[i] = round9(q.X), round9(q.Y)
	}
	layer := pointLayer{polyline(xs, ys), draw.GlyphStyle{Color: color.NRGBA{0x8C, 0xA6, 0xBF, 255}, Radius: radius, Shape: dotGlyph{}}}
	f.panels[0].Add(layer)
	f.AddLegend(name, layer)
	f.AddData("samples.x", xs)
	f.AddData("samples.y", ys)
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
	b := box{o.X, o.Y}
	for j, r := range []*[2]float64{&b.x, &b.y} {
		name := "XY"[j : j+1]
		if *r == ([2]float64{}) {
			lo, hi := math.Inf(1), math.Inf(-1)
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
				return b, fmt.Errorf("nothing says where to look; give the option %s a range, or samples", name)
			}
			if span, size := hi-lo, max(math.Abs(lo), math.Abs(hi)); span > 0 && span < 1e-6*size {
				return b, fmt.Errorf("the range %s is %v to %v: the nine digits that are drawn hardly tell these apart; subtract the mean", name, lo, hi)
			}
			r[0], r[1] = padded(lo, hi)
		}
		if err := checkRange(name, *r); err != nil {
			return b, err
		}
	}
	return b, nil
}
