package show

import (
	"errors"
	"fmt"
	"image/color"
	"math"
	"strconv"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot/vg/draw"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
)

// ClassDensities is a model of the inputs of each class, like the generative models of package
// classify. It returns ln p(x|C_k), N×K, which is −Inf where the density is 0.
type ClassDensities interface {
	// LogDensities returns ln p(x|C_k) for the rows of x. The plot returns an error of
	// LogDensities.
	LogDensities(x mat.Matrix) (*mat.Dense, error)
}

// MarginalDensity is a model of all inputs. It returns ln p(x), N entries.
type MarginalDensity interface {
	// LogMarginal returns ln p(x) for the rows of x. The plot returns an error of LogMarginal.
	LogMarginal(x mat.Matrix) ([]float64, error)
}

// DensitiesOptions change what [Densities] and [Marginal] draw. The zero value works. Levels are
// the heights of the contours as fractions of the largest density of each class. The default for
// Densities is e^(−9/2), e^(−2), e^(−1/2). For a Gaussian these levels are three, two and one
// standard deviations from the mean. The default for Marginal is 0.1, 0.2 … 0.9.
type DensitiesOptions = PosteriorOptions

// Densities draws contours of the class-conditional densities p(x|C_k) of a generative model, and
// the points of d. Each density has the colour and dashes of its class.
//
// A density that is 0 on the whole plane shown (a class without rows) has no contours. Numbers:
// points.x, .y, .class; contour.class, .level (a fraction of the peak), .piece, .x, .y; peak.class
// and peak.value, the largest density. Errors: as for [Regions], and densities that are NaN or
// +Inf, or 0 everywhere.
func Densities(m ClassDensities, d *datasets.Dataset, o DensitiesOptions) (_ *Figure, err error) {
	defer named("Densities", &err)
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
		return nil, errors.New("every density is 0 on all of the plane shown; choose ranges X and Y around the data")
	}
	p.addProbe(m, "", d.ClassNames)
	data.to(p.Figure)
	p.AddData("peak.class", class)
	p.AddData("peak.value", peaks)
	p.Alt = fmt.Sprintf("Contours of the densities of %d classes over %s.", d.K(), p.axes())
	return p.Figure, nil
}

// densityLevels returns the given levels. The default levels are the heights of a Gaussian three,
// two and one standard deviations from its mean.
func densityLevels(levels []float64) ([]float64, error) {
	if len(levels) == 0 {
		return []float64{math.Exp(-4.5), math.Exp(-2), math.Exp(-0.5)}, nil
	}
	return checkLevels(levels, 2)
}

// below returns a function that converts a fraction of the peak to the log density at that height.
func below(peak float64) func(level float64) float64 {
	return func(level float64) float64 { return peak + math.Log(level) }
}

// addDensity draws the contours of a density and adds their points to data. keys are the values of
// the leading columns.
func (p *planePlot) addDensity(h *height, name string, peak float64, levels []float64, style draw.LineStyle, data *runs,
	keys ...float64) error {
	lines, _, err := h.contours(levels, below(peak), data, keys...)
	if err != nil {
		return err
	}
	layer := lineLayer{lines, style}
	p.add(layer)
	p.AddLegend(name, layer)
	return nil
}

// Marginal draws bands of the density p(x) = Σ_k p(x|C_k)p(C_k) of all inputs, darker
// for higher densities, with contours between them, and the points of d. Numbers,
// options and errors are as for [Densities], with class 0 for the single density.
func Marginal(m MarginalDensity, d *datasets.Dataset, o DensitiesOptions) (_ *Figure, err error) {
	defer named("Marginal", &err)
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
		return nil, errors.New("the density is 0 on all of the plane shown; choose ranges X and Y around the data")
	}
	data := newRuns("contour.", "class", "level", "piece")
	lines, rings, err := h.contours(levels, below(peak), data, 0)
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

// shade returns the colour of a height t between 0 and 1, from paper to a grey
// on which the markers of all classes remain visible.
func shade(t float64) color.NRGBA { return mix(paper, color.NRGBA{0x6A, 0x6A, 0x78, 255}, t) }
