package show

import (
	"errors"
	"fmt"
	"math"
	"strconv"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot/vg/draw"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
)

// ClassDensities is a model of the inputs of each class, as the generative
// models of package classify are: ln p(x|C_k), N×K, −Inf where the density is 0.
type ClassDensities interface {
	// LogDensities returns the logarithms; its errors are those of the plot.
	LogDensities(x mat.Matrix) (*mat.Dense, error)
}

// MarginalDensity is a model of all inputs: ln p(x), N entries.
type MarginalDensity interface {
	// LogMarginal returns the logarithms; its errors are those of the plot.
	LogMarginal(x mat.Matrix) ([]float64, error)
}

// DensitiesOptions change what [Densities] and [Marginal] draw. The zero value
// works.
type DensitiesOptions struct {
	Title          string
	XLabel, YLabel string     // default: the features' names
	X, Y           [2]float64 // the ranges shown; default: the data's with a margin
	Grid           int        // cells of the mesh along each side; default 160
	// Levels are the heights of the contours as fractions of the largest density
	// (of each class its own), rising between 0 and 1. Default: for Densities
	// e^(−9/2), e^(−2), e^(−1/2), which for a Gaussian are three, two and one
	// standard deviations from the mean; for Marginal 0.1, 0.2 … 0.9.
	Levels     []float64
	HidePoints bool
}

// Densities draws contours of the class-conditional densities p(x|C_k) of a
// generative model, each in the colour and dashes of its class, and the points of
// d.
//
// A density that is 0 on all of the plane shown (a class without rows) has no
// contours. Numbers: points.x, .y, .class; contour.class, .level (a fraction of
// the peak), .piece, .x, .y; peak.class and peak.value, the largest density.
// Errors: as [Regions]; densities that are NaN or +Inf, or 0 everywhere.
func Densities(m ClassDensities, d *datasets.Dataset, o DensitiesOptions) (_ *Figure, err error) {
	defer named("Densities", &err)
	p, err := newPlane(m, d, planeView{o.Title, o.XLabel, o.YLabel, o.X, o.Y, o.Grid})
	if err != nil {
		return nil, err
	}
	p.addRows(o.HidePoints)
	levels := sigmas
	if len(o.Levels) > 0 {
		if levels, err = checkLevels(o.Levels, 2); err != nil {
			return nil, err
		}
	}
	data := newRuns("contour.", "class", "level", "piece")
	var class, peaks []float64
	for k := range d.K() {
		h, err := newHeight(p.box, p.grid, func(x *mat.Dense) ([]float64, error) {
			a, err := m.LogDensities(x)
			if err != nil {
				return nil, fmt.Errorf("the model has no densities on the plane (was it fitted on these two features?): %w", err)
			}
			n, _ := x.Dims()
			if err := checkTable(a, n, d.K(), x); err != nil {
				return nil, err
			}
			return mat.Col(nil, k, a), nil
		})
		if err != nil {
			return nil, err
		}
		peak, err := logPeak(h)
		if err != nil {
			return nil, fmt.Errorf("class %d: %w", k, err)
		}
		if math.IsInf(peak, -1) {
			continue
		}
		class, peaks = append(class, float64(k)), append(peaks, math.Exp(peak))
		layer := lineLayer{style: draw.LineStyle{Color: ClassColor(k), Width: 1.1, Dashes: dash(k)}}
		for _, level := range levels {
			lines, _, err := h.contour(peak + math.Log(level))
			if err != nil {
				return nil, err
			}
			layer.lines = append(layer.lines, lines...)
			for _, l := range lines {
				data.add(l, float64(k), level)
			}
		}
		p.panel.Add(layer)
		p.AddLegend("$p(\\mathbf{x}|C_{"+strconv.Itoa(k+1)+"})$", layer)
	}
	if len(peaks) == 0 {
		return nil, errors.New("every density is 0 on all of the plane shown; choose ranges X and Y around the data")
	}
	p.addProbe(0, m, "", d.ClassNames)
	data.to(p.Figure)
	p.AddData("peak.class", class)
	p.AddData("peak.value", peaks)
	p.Alt = fmt.Sprintf("Contours of the densities of %d classes over %s.", d.K(), p.axes())
	return p.Figure, nil
}

// sigmas are the heights of a Gaussian three, two and one standard deviations
// from its mean.
var sigmas = []float64{math.Exp(-4.5), math.Exp(-2), math.Exp(-0.5)}

// logPeak returns the largest logarithm of a density.
func logPeak(h *height) (float64, error) {
	for i, v := range h.v {
		if math.IsInf(v, 1) {
			return 0, fmt.Errorf("the density is infinite at x = %.6g", h.box.inputs(h.grid.Nodes()).RawRowView(i))
		}
	}
	return h.peak(), nil
}
