package show

import (
	"fmt"
	"image/color"
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot/vg/draw"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
)

// PosteriorOptions change what [Posterior] draws. The zero value works.
type PosteriorOptions struct {
	Title          string
	XLabel, YLabel string     // default: the features' names
	X, Y           [2]float64 // the ranges shown; default: the data's with a margin
	Grid           int        // cells of the mesh along each side; default 160
	// Levels are the probabilities at which contours run, rising between 0 and 1.
	// Default: 0.1, 0.2 … 0.9 for two classes, 0.9 for more.
	Levels     []float64
	HidePoints bool
}

// Posterior draws the posterior probabilities of a model and the points of d.
//
// Two classes: bands of p(C₁|x) between contours, the colour of C₁ where it is
// certain and of C₂ where that is, and a thick line at one half. More classes:
// the colours of the classes mixed in the proportions of the posterior, thick
// boundaries where the two largest agree, and thin contours of each p(C_k|x).
//
// A learner's own function is drawn as Posterior(PosteriorFunc(f), d, …).
//
// Numbers: points.x, .y, .class; contour.class, .level, .piece, .x, .y; for more
// than two classes boundary.i, .j, .piece, .x, .y. Errors: as [Regions], and
// levels that do not rise between 0 and 1.
func Posterior(m classify.Prober, d *datasets.Dataset, o PosteriorOptions) (_ *Figure, err error) {
	defer named("Posterior", &err)
	p, err := newPlane(m, d, planeView{o.Title, o.XLabel, o.YLabel, o.X, o.Y, o.Grid})
	if err != nil {
		return nil, err
	}
	if d.K() < 2 {
		return nil, fmt.Errorf("the data set has %d class; a posterior needs two or more", d.K())
	}
	levels, err := checkLevels(o.Levels, d.K())
	if err != nil {
		return nil, err
	}
	s := &surface{box: p.box, grid: p.grid, model: m, k: d.K()}
	if s.p, err = s.at(p.box.inputs(p.grid.Nodes())); err != nil {
		return nil, err
	}
	p.Alt = fmt.Sprintf("Posterior probabilities of %d classes over %s.", d.K(), p.axes())
	if d.K() == 2 {
		err = p.addBands(s, levels, d.ClassNames[0])
	} else {
		err = p.addMixture(s, levels)
	}
	if err != nil {
		return nil, err
	}
	p.addRows(o.HidePoints)
	p.addProbe(0, m, "", d.ClassNames)
	return p.Figure, nil
}

func checkLevels(levels []float64, k int) ([]float64, error) {
	if len(levels) == 0 {
		if k > 2 {
			return []float64{0.9}, nil
		}
		return []float64{0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9}, nil
	}
	last := 0.0
	for _, v := range levels {
		if !(v > last && v < 1) {
			return nil, fmt.Errorf("option Levels is %v; levels must rise between 0 and 1, both excluded", levels)
		}
		last = v
	}
	return levels, nil
}

// addBands draws bands of the posterior of class 0 of two.
func (p *planePlot) addBands(s *surface, levels []float64, class string) error {
	bar := &colorBar{label: "$p($" + label(class) + "$|\\mathbf{x})$", levels: levels}
	for i := range len(levels) + 1 {
		lo, hi := 0.0, 1.0
		if i > 0 {
			lo = levels[i-1]
		}
		if i < len(levels) {
			hi = levels[i]
		}
		bar.colors = append(bar.colors, diverging((lo+hi)/2))
	}
	p.bar = bar
	p.panel.Add(areaLayer{[][]xy{s.box.corners()}, bar.colors[0]})
	thin, thick := lineLayer{style: draw.LineStyle{Color: softInk, Width: thinWidth}}, lineLayer{style: solid(lineWidth)}
	data := newRuns("contour.", "class", "level", "piece")
	for i, level := range levels {
		lines, rings, err := s.contour(0, level)
		if err != nil {
			return err
		}
		p.panel.Add(areaLayer{rings, bar.colors[i+1]})
		layer := &thin
		if level == 0.5 {
			layer = &thick
		}
		layer.lines = append(layer.lines, lines...)
		for _, l := range lines {
			data.add(l, 0, level)
		}
	}
	p.panel.Add(thin, thick)
	if len(thick.lines) > 0 {
		p.AddLegend("$p$ = 0.5", thick)
	}
	data.to(p.Figure)
	return nil
}

// diverging returns the colour of a band whose posterior of the first class is
// p: white at one half, towards the colour of the more probable class.
func diverging(p float64) color.NRGBA {
	k := 0
	if p < 0.5 {
		k = 1
	}
	return mix(paper, ClassColor(k), 0.52*math.Abs(2*p-1))
}

// addMixture draws the classes' colours mixed by the posterior.
func (p *planePlot) addMixture(s *surface, levels []float64) error {
	img, err := s.mixture()
	if err != nil {
		return err
	}
	p.panel.Add(imageLayer{s.box, img})
	data := newRuns("contour.", "class", "level", "piece")
	names := make([]string, len(levels))
	thin := lineLayer{style: solid(thinWidth)}
	for i, level := range levels {
		names[i] = strconv.FormatFloat(level, 'g', 3, 64)
		for k := range s.k {
			lines, _, err := s.contour(k, level)
			if err != nil {
				return err
			}
			thin.lines = append(thin.lines, lines...)
			for _, l := range lines {
				data.add(l, float64(k), level)
			}
		}
	}
	p.panel.Add(thin)
	data.to(p.Figure)
	found, err := traceRegions(mostProbable{s.model}, s.box, s.grid, s.k)
	if err != nil {
		return err
	}
	p.AddLegend("decision boundary", p.addBoundary(found, solid(lineWidth)))
	p.AddLegend("$p(C_k|\\mathbf{x})$ = "+strings.Join(names, ", "), thin)
	p.addBoundaryData("boundary.", found)
	return nil
}

// mostProbable predicts the class of the largest posterior.
type mostProbable struct{ classify.Prober }

// Predict implements classify.Predictor.
func (m mostProbable) Predict(x mat.Matrix) ([]int, error) {
	p, err := m.Posterior(x)
	if err != nil {
		return nil, err
	}
	return argmaxRows(p), nil
}
