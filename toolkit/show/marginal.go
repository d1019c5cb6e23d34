package show

import (
	"errors"
	"fmt"
	"image/color"
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot/vg/draw"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
)

// Marginal draws bands of the density p(x) = Σ_k p(x|C_k)p(C_k) of all inputs,
// the darker the denser, with contours between, and the points of d. Numbers,
// options and errors are as for [Densities], with class 0 for the one density.
func Marginal(m MarginalDensity, d *datasets.Dataset, o DensitiesOptions) (*Figure, error) {
	fig, err := marginal(m, d, o)
	if err != nil {
		return nil, fmt.Errorf("show: Marginal: %w", err)
	}
	return fig, nil
}

func marginal(m MarginalDensity, d *datasets.Dataset, o DensitiesOptions) (*Figure, error) {
	if isNil(m) {
		return nil, errNilModel
	}
	if err := checkPlane(d); err != nil {
		return nil, err
	}
	b, err := newBox(d, o.X, o.Y)
	if err != nil {
		return nil, err
	}
	g, err := checkGrid(o.Grid)
	if err != nil {
		return nil, err
	}
	levels, err := checkLevels(o.Levels, 2)
	if err != nil {
		return nil, err
	}
	h, err := newHeight(b, g, func(x *mat.Dense) ([]float64, error) { return m.LogMarginal(x) })
	if err != nil {
		return nil, err
	}
	peak, err := logPeak(h)
	if err != nil {
		return nil, err
	}
	if math.IsInf(peak, -1) {
		return nil, errors.New("the density is 0 on all of the plane shown; choose ranges X and Y around the data")
	}
	fig := one(planePanel(d, b, o.XLabel, o.YLabel))
	fig.Title = o.Title
	var data contourData
	bar := &colorBar{label: "$p(\\mathbf{x})$ / max", levels: levels, colors: []color.NRGBA{paper}}
	thin := lineLayer{style: draw.LineStyle{Color: softInk, Width: thinWidth}}
	for i, level := range levels {
		lines, rings, err := h.contour(peak + math.Log(level))
		if err != nil {
			return nil, err
		}
		band := areaLayer{rings, shade(float64(i+1) / float64(len(levels)+1))}
		bar.colors = append(bar.colors, band.color)
		fig.panels[0].Add(band)
		thin.lines = append(thin.lines, lines...)
		for _, l := range lines {
			data.add(0, level, l)
		}
	}
	fig.bar = bar
	fig.panels[0].Add(thin)
	if !o.HidePoints {
		fig.addPoints(d)
	}
	data.to(fig)
	fig.AddData("peak.class", []float64{0})
	fig.AddData("peak.value", []float64{math.Exp(peak)})
	fig.Alt = fmt.Sprintf("Density of the inputs over %s and %s.", fig.panels[0].X.Label.Text, fig.panels[0].Y.Label.Text)
	return fig, nil
}

// shade returns the colour of a height t between 0 and 1: from paper to a grey
// on which the markers of all classes can still be seen.
func shade(t float64) color.NRGBA { return mix(paper, color.NRGBA{0x6A, 0x6A, 0x78, 255}, t) }
