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
	"github.com/hyperplane-notebooks/hyperplane/toolkit/show/internal/contour"
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
func Posterior(m classify.Prober, d *datasets.Dataset, o PosteriorOptions) (*Figure, error) {
	fig, err := posterior(m, d, o)
	if err != nil {
		return nil, fmt.Errorf("show: Posterior: %w", err)
	}
	return fig, nil
}

func posterior(m classify.Prober, d *datasets.Dataset, o PosteriorOptions) (*Figure, error) {
	if isNil(m) {
		return nil, errNilModel
	}
	if err := checkPlane(d); err != nil {
		return nil, err
	}
	if d.K() < 2 {
		return nil, fmt.Errorf("the data set has %d class; a posterior needs two or more", d.K())
	}
	b, err := newBox(d, o.X, o.Y)
	if err != nil {
		return nil, err
	}
	g, err := checkGrid(o.Grid)
	if err != nil {
		return nil, err
	}
	levels, err := checkLevels(o.Levels, d.K())
	if err != nil {
		return nil, err
	}
	s := &surface{box: b, grid: g, model: m, k: d.K()}
	if s.p, err = s.at(b.inputs(g.Nodes())); err != nil {
		return nil, err
	}
	fig := one(planePanel(d, b, o.XLabel, o.YLabel))
	fig.Title = o.Title
	p := fig.panels[0]
	fig.Alt = fmt.Sprintf("Posterior probabilities of %d classes over %s and %s.", d.K(), p.X.Label.Text, p.Y.Label.Text)
	if d.K() == 2 {
		err = fig.addBands(s, levels, d.ClassNames[0])
	} else {
		err = fig.addMixture(s, levels)
	}
	if err != nil {
		return nil, err
	}
	if !o.HidePoints {
		fig.addPoints(d)
	}
	fig.addProbe(0, m, "", d.ClassNames)
	return fig, nil
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
func (f *Figure) addBands(s *surface, levels []float64, class string) error {
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
	f.bar = bar
	p := f.panels[0]
	p.Add(areaLayer{rings: [][]xy{s.box.corners()}, color: bar.colors[0]})
	var thin, thick lineLayer
	thin.style = draw.LineStyle{Color: softInk, Width: thinWidth}
	thick.style = draw.LineStyle{Color: ink, Width: lineWidth}
	var data contourData
	for i, level := range levels {
		found, err := s.above(0, level)
		if err != nil {
			return err
		}
		layer := areaLayer{color: bar.colors[i+1]}
		for _, ring := range found.Regions[0] {
			layer.rings = append(layer.rings, s.box.points(ring, false))
		}
		p.Add(layer)
		lines := &thin.lines
		if level == 0.5 {
			lines = &thick.lines
		}
		for _, l := range found.Lines {
			pts := s.box.points(l.Points, l.Closed)
			*lines = append(*lines, pts)
			data.add(0, level, pts)
		}
	}
	p.Add(thin, thick)
	if len(thick.lines) > 0 {
		f.AddLegend("$p$ = 0.5", thick)
	}
	data.to(f)
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
func (f *Figure) addMixture(s *surface, levels []float64) error {
	p := f.panels[0]
	img, err := s.mixture()
	if err != nil {
		return err
	}
	p.Add(imageLayer{s.box, img})
	var data contourData
	names := make([]string, len(levels))
	thin := lineLayer{style: draw.LineStyle{Color: ink, Width: thinWidth}}
	for i, level := range levels {
		names[i] = strconv.FormatFloat(level, 'g', 3, 64)
		for k := range s.k {
			found, err := s.above(k, level)
			if err != nil {
				return err
			}
			for _, l := range found.Lines {
				pts := s.box.points(l.Points, l.Closed)
				thin.lines = append(thin.lines, pts)
				data.add(k, level, pts)
			}
		}
	}
	p.Add(thin)
	data.to(f)
	found, err := traceRegions(mostProbable{s.model}, s.box, s.grid, s.k)
	if err != nil {
		return err
	}
	thick := boundaryLayer(found, s.box)
	thick.style = draw.LineStyle{Color: ink, Width: lineWidth}
	p.Add(thick)
	f.AddLegend("decision boundary", thick)
	f.AddLegend("$p(C_k|\\mathbf{x})$ = "+strings.Join(names, ", "), thin)
	f.addBoundaryData("boundary.", found, s.box)
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

// contourData collects the numbers of contours.
type contourData struct{ class, level, piece, x, y []float64 }

func (c *contourData) add(class int, level float64, pts []xy) {
	n := 0.0
	if len(c.piece) > 0 {
		n = c.piece[len(c.piece)-1] + 1
	}
	for _, q := range pts {
		c.class, c.level, c.piece = append(c.class, float64(class)), append(c.level, level), append(c.piece, n)
		c.x, c.y = append(c.x, q.X), append(c.y, q.Y)
	}
}

func (c *contourData) to(f *Figure) {
	f.AddData("contour.class", c.class)
	f.AddData("contour.level", c.level)
	f.AddData("contour.piece", c.piece)
	f.AddData("contour.x", c.x)
	f.AddData("contour.y", c.y)
}

var _ contour.Field = levelField{}
