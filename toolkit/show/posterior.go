package show

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/plot/vg/draw"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/show/internal/contour"
)

// PosteriorOptions change what [Posterior] draws. All fields are optional.
type PosteriorOptions struct {
	Title          string
	XLabel, YLabel string     // axis labels; the default is the feature names
	X, Y           [2]float64 // ranges to show; the default is the range of the data with a margin
	Grid           int        // number of cells of the mesh along each side, 8 to 1000; the default is 160
	// Levels are the probabilities at which contours are drawn, ascending between 0 and 1. The
	// default is 0.1, 0.2, …, 0.9 for two classes, and 0.9 for more classes.
	Levels     []float64
	HidePoints bool
}

// Posterior draws the posterior probabilities of a model and the points of d.
//
// For two classes it draws bands of p(C₁|x) between contours. A band has a tint of the colour of the
// more probable class. The more certain the class, the stronger the tint. If 0.5 is one of the
// levels, a thick line marks where p(C₁|x) is one half. For more classes it mixes the colours of the
// classes in the proportions of their posteriors. Thick lines mark where the two largest posteriors
// are equal, and thin lines are contours of each p(C_k|x).
//
// To draw a learner's own function f, call Posterior(PosteriorFunc(f), d, …).
//
// The figure's Data contains:
//   - Unless HidePoints is true, the points: "points.x", "points.y" and "points.class".
//   - The contours: "contour.class", "contour.level", "contour.piece", "contour.x" and "contour.y".
//   - For more than two classes, the boundaries: "boundary.i", "boundary.j", "boundary.piece",
//     "boundary.x" and "boundary.y".
//
// Errors: the errors of [Regions], a data set with fewer than two classes, levels that are not in
// ascending order, and a level outside the open interval (0,1).
func Posterior(m classify.Prober, d *datasets.Dataset, o PosteriorOptions) (_ *Figure, err error) {
	defer prefixError("Posterior", &err)
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
	// The lines are found from log odds, because the log odds of a linear model are linear.
	odds, err := p.heights(m.Posterior, func(row []float64, k int) float64 {
		rest := 0.0 // 1−p, computed as the sum over the other classes, because the difference 1−p loses digits if p is nearly 1
		for j, v := range row {
			if j != k {
				rest += v
			}
		}
		return math.Log(row[k]) - math.Log(rest)
	})
	if err != nil {
		return nil, err
	}
	p.Alt = fmt.Sprintf("Posterior probabilities of %d classes over %s.", d.K(), p.axes())
	if d.K() == 2 {
		err = p.addBands(odds[0], levels, d.ClassNames[0])
	} else {
		err = p.addMixture(m.Posterior, odds, levels)
	}
	if err != nil {
		return nil, err
	}
	p.addRows(o.HidePoints)
	p.addProbe(m, "", d.ClassNames)
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
			return nil, fmt.Errorf("option Levels is %v; levels must be numbers in ascending order, greater than 0 and less than 1", levels)
		}
		last = v
	}
	return levels, nil
}

func logOdds(p float64) float64 { return math.Log(p / (1 - p)) }

// addBands draws, for two classes, bands of the posterior of the first class. The argument `odds`
// contains the log odds of this class.
func (p *planePlot) addBands(odds *height, levels []float64, class string) error {
	bar := &colorBar{label: "$p($" + label(class) + "$|\\mathbf{x})$", levels: levels}
	edges := append(append([]float64{0}, levels...), 1)
	for i := range len(levels) + 1 {
		bar.colors = append(bar.colors, p.bandColor((edges[i]+edges[i+1])/2))
	}
	p.bar = bar
	p.add(fill([][]xy{p.box.corners()}, bar.colors[0]))
	thin, thick := lineLayer{style: draw.LineStyle{Color: softInk, Width: thinWidth}},
		lineLayer{style: solidLine(lineWidth)}
	data := newRuns("contour.", "class", "level", "piece")
	for i, level := range levels {
		lines, rings, err := odds.contours(levels[i:i+1], logOdds, data, 0)
		if err != nil {
			return err
		}
		p.add(fill(rings[0], bar.colors[i+1]))
		layer := &thin
		if level == 0.5 {
			layer = &thick
		}
		layer.lines = append(layer.lines, lines...)
	}
	p.add(thin, thick)
	if len(thick.lines) > 0 {
		p.AddLegend("$p$ = 0.5", thick)
	}
	data.to(p.Figure)
	return nil
}

// bandColor returns the colour of a band. The argument is the posterior of the first class in the
// middle of the band. If it is one half, the colour is white. The farther it is from one half, the
// closer the colour is to the colour of the more probable class.
func (p *planePlot) bandColor(first float64) color.NRGBA {
	k := 0
	if first < 0.5 {
		k = 1
	}
	return mix(paper, ClassColor(p.hue(k)), 0.52*math.Abs(2*first-1))
}

// addMixture draws the colours of the classes, mixed in the proportions of the posterior. Over them
// it draws the contours and the decision boundaries.
func (p *planePlot) addMixture(posterior table, odds []*height, levels []float64) error {
	img, err := p.mixture(posterior)
	if err != nil {
		return err
	}
	p.add(imageLayer{p.box, img})
	data := newRuns("contour.", "class", "level", "piece")
	names := make([]string, len(levels))
	thin := lineLayer{style: solidLine(thinWidth)}
	for i, level := range levels {
		names[i] = strconv.FormatFloat(level, 'g', 3, 64)
		for k, h := range odds {
			lines, _, err := h.contours(levels[i:i+1], logOdds, data, float64(k))
			if err != nil {
				return err
			}
			thin.lines = append(thin.lines, lines...)
		}
	}
	p.add(thin)
	data.to(p.Figure)
	found, err := p.regions(posterior.largestClass, len(odds), posterior)
	if err != nil {
		return err
	}
	p.AddLegend("decision boundary", p.addBoundary(found, solidLine(lineWidth)))
	p.AddLegend("$p(C_k|\\mathbf{x})$ = "+strings.Join(names, ", "), thin)
	p.addBoundaryData("boundary.", found)
	return nil
}

// mixture returns a picture of the plane. The colour of a pixel mixes the colours of the classes in
// the proportions of the posterior at the centre of the pixel.
func (p *planePlot) mixture(posterior table) (image.Image, error) {
	n := p.grid.NX - 1
	var pts []contour.Point
	for j := range n {
		for i := range n {
			pts = append(pts, contour.Point{X: (float64(i) + 0.5) / float64(n), Y: 1 - (float64(j)+0.5)/float64(n)})
		}
	}
	a, err := posterior.evaluate(p.box.inputs(pts), p.rows.K())
	if err != nil {
		return nil, err
	}
	img := image.NewNRGBA(image.Rect(0, 0, n, n))
	for i := range pts {
		var rgb [3]float64
		for k, v := range a.RawRowView(i) {
			c, w := mix(paper, ClassColor(p.hue(k)), 0.55), round9(v)
			rgb[0] += w * float64(c.R)
			rgb[1] += w * float64(c.G)
			rgb[2] += w * float64(c.B)
		}
		at := func(v float64) uint8 { return uint8(math.Round(min(255, max(0, v)))) }
		img.SetNRGBA(i%n, i/n, color.NRGBA{at(rgb[0]), at(rgb[1]), at(rgb[2]), 255})
	}
	return img, nil
}
