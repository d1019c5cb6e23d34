package show

import (
	"fmt"

	"gonum.org/v1/plot/vg/draw"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/show/internal/contour"
)

// RegionsOptions change what [Regions] draws. The zero value works.
type RegionsOptions struct {
	Title          string
	XLabel, YLabel string     // default: the features' names
	X, Y           [2]float64 // the ranges shown; default: the data's with a margin
	Grid           int        // cells of the mesh along each side; default 160
	Mistakes       bool       // ring the points that the model puts into another class
	HidePoints     bool
}

// Regions draws the decision regions of a model: where it predicts which class,
// the boundaries between, and the points of d with a marker for each class.
//
// Boundaries are contour lines: their points are found with the model, by its
// activations (classify.Scorer), else its posterior (classify.Prober), else its
// predictions alone, to 1e-12 of the picture. The straight boundaries of linear models are two
// points each.
//
// Numbers: points.x, .y, .class; boundary.i, .j (the two classes), .piece, .x,
// .y; region.class, .ring, .x, .y, the corners of the regions.
//
// Errors: d without rows, not of two features, with NaN, or with more than
// [MaxClasses] classes; a model that was not fitted on two features or predicts
// classes that d does not have.
func Regions(m classify.Predictor, d *datasets.Dataset, o RegionsOptions) (*Figure, error) {
	fig, err := regions(m, d, o)
	if err != nil {
		return nil, fmt.Errorf("show: Regions: %w", err)
	}
	return fig, nil
}

func regions(m classify.Predictor, d *datasets.Dataset, o RegionsOptions) (*Figure, error) {
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
	found, err := traceRegions(m, b, g, d.K())
	if err != nil {
		return nil, err
	}
	p := planePanel(d, b, o.XLabel, o.YLabel)
	fig := one(p)
	fig.Title = o.Title
	fig.Alt = fmt.Sprintf("Decision regions of %d classes over %s and %s.", d.K(), p.X.Label.Text, p.Y.Label.Text)
	for k, rings := range found.Regions {
		layer := areaLayer{color: mix(paper, ClassColor(k), tintShare)}
		for _, r := range rings {
			layer.rings = append(layer.rings, b.points(r, false))
		}
		p.Add(layer)
	}
	layer := boundaryLayer(found, b)
	layer.style = draw.LineStyle{Color: ink, Width: lineWidth}
	p.Add(layer)
	if !o.HidePoints {
		fig.addPoints(d)
	}
	if len(layer.lines) > 0 {
		fig.AddLegend("decision boundary", layer)
	}
	if o.Mistakes {
		predicted, err := (&field{box: b, model: m, k: d.K()}).labels(d.X)
		if err != nil {
			return nil, err
		}
		fig.addMistakes(d, predicted)
	}
	fig.addBoundaryData("boundary.", found, b)
	fig.addRegionData(found, b)
	fig.addProbe(0, m, "", d.ClassNames)
	return fig, nil
}

// boundaryLayer returns all boundary lines.
func boundaryLayer(found *contour.Map, b box) lineLayer {
	var l lineLayer
	for _, line := range found.Lines {
		l.lines = append(l.lines, b.points(line.Points, line.Closed))
	}
	return l
}

func (f *Figure) addBoundaryData(prefix string, found *contour.Map, b box) {
	var is, js, piece, xs, ys []float64
	for n, line := range found.Lines {
		for _, q := range b.points(line.Points, line.Closed) {
			is, js = append(is, float64(line.I)), append(js, float64(line.J))
			piece, xs, ys = append(piece, float64(n)), append(xs, q.X), append(ys, q.Y)
		}
	}
	f.AddData(prefix+"i", is)
	f.AddData(prefix+"j", js)
	f.AddData(prefix+"piece", piece)
	f.AddData(prefix+"x", xs)
	f.AddData(prefix+"y", ys)
}

func (f *Figure) addRegionData(found *contour.Map, b box) {
	var class, ring, xs, ys []float64
	n := 0
	for k, rings := range found.Regions {
		for _, r := range rings {
			for _, q := range b.points(r, false) {
				class, ring = append(class, float64(k)), append(ring, float64(n))
				xs, ys = append(xs, q.X), append(ys, q.Y)
			}
			n++
		}
	}
	f.AddData("region.class", class)
	f.AddData("region.ring", ring)
	f.AddData("region.x", xs)
	f.AddData("region.y", ys)
}
