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
	peak, err := logPeak(h)
	if err != nil {
		return nil, err
	}
	if math.IsInf(peak, -1) {
		return nil, errors.New("the density is 0 on all of the plane shown; choose ranges X and Y around the data")
	}
	data := newRuns("contour.", "class", "level", "piece")
	bar := &colorBar{label: "$p(\\mathbf{x})$ / max", levels: levels, colors: []color.NRGBA{paper}}
	thin := lineLayer{style: draw.LineStyle{Color: softInk, Width: thinWidth}}
	for i, level := range levels {
		lines, rings, err := h.contour(peak + math.Log(level))
		if err != nil {
			return nil, err
		}
		band := areaLayer{rings, shade(float64(i+1) / float64(len(levels)+1))}
		bar.colors = append(bar.colors, band.color)
		p.panel.Add(band)
		thin.lines = append(thin.lines, lines...)
		for _, l := range lines {
			data.add(l, 0, level)
		}
	}
	p.bar = bar
	p.panel.Add(thin)
	p.addRows(o.HidePoints)
	data.to(p.Figure)
	p.AddData("peak.class", []float64{0})
	p.AddData("peak.value", []float64{math.Exp(peak)})
	p.Alt = fmt.Sprintf("Density of the inputs over %s.", p.axes())
	return p.Figure, nil
}

// shade returns the colour of a height t between 0 and 1: from paper to a grey
// on which the markers of all classes can still be seen.
func shade(t float64) color.NRGBA { return mix(paper, color.NRGBA{0x6A, 0x6A, 0x78, 255}, t) }
