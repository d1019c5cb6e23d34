package show

import (
	"fmt"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
)

// RegionsOptions change what [Regions] draws. The zero value works.
type RegionsOptions struct {
	Title          string
	XLabel, YLabel string     // default: the feature names
	X, Y           [2]float64 // the ranges to show; default: the data with a margin
	Grid           int        // cells of the mesh along each side; default 160
	Mistakes       bool       // draws rings around the points that the model misclassifies
	HidePoints     bool
}

// Regions draws the region in which a model predicts each class, the boundaries between the
// regions, and the points of d with a marker for each class.
//
// Boundaries are contour lines. Regions computes their points to 1e-12 of the picture, from the
// model's activations (classify.Scorer). If there are none, it uses the posterior (classify.Prober)
// or, as a last resort, only the predictions. Each straight boundary of a linear model has two
// points.
//
// Numbers: points.x, .y, .class; boundary.i, .j (the two classes), .piece, .x, .y; region.class,
// .ring, .x, .y, the corners of the regions.
//
// Errors: d without rows, not of two features, with NaN, or with more than [MaxClasses] classes; a
// model that was not fitted on two features or predicts classes that d does not have.
func Regions(m classify.Predictor, d *datasets.Dataset, o RegionsOptions) (_ *Figure, err error) {
	defer named("Regions", &err)
	p, err := newPlane(m, d, planeView{o.Title, o.XLabel, o.YLabel, o.X, o.Y, o.Grid})
	if err != nil {
		return nil, err
	}
	found, err := p.modelRegions(m)
	if err != nil {
		return nil, err
	}
	p.Alt = fmt.Sprintf("Decision regions of %d classes over %s.", d.K(), p.axes())
	p.tint(found)
	boundary := p.addBoundary(found, solid(lineWidth))
	p.addRows(o.HidePoints)
	if len(boundary.lines) > 0 {
		p.AddLegend("decision boundary", boundary)
	}
	if o.Mistakes {
		predicted, err := predict(m.Predict).labels(d.X, d.K())
		if err != nil {
			return nil, err
		}
		p.addMistakes(predicted)
	}
	p.addBoundaryData("boundary.", found)
	corners := newRuns("region.", "class", "ring")
	for k, rings := range found.Regions {
		for _, r := range p.box.rings(rings) {
			corners.add(r, float64(k))
		}
	}
	corners.to(p.Figure)
	p.addProbe(m, "", d.ClassNames)
	return p.Figure, nil
}

// Named is a model with its name in the legend.
type Named struct {
	Name  string
	Model classify.Predictor
}

// BoundariesOptions change what [Boundaries] draws. The zero value works.
type BoundariesOptions struct {
	Title          string
	XLabel, YLabel string     // default: the feature names
	X, Y           [2]float64 // the ranges to show; default: the data with a margin
	Grid           int        // cells of the mesh along each side; default 160
}

// Boundaries draws the points of d and, over them, the decision boundaries of
// several models for comparison, each in its own colour and dashes.
//
// Numbers: points.x, .y, .class and for each model its name with .i, .j (the two
// classes), .piece, .x, .y. Errors: as for [Regions]; no model, or more than six.
func Boundaries(d *datasets.Dataset, o BoundariesOptions, models ...Named) (_ *Figure, err error) {
	defer named("Boundaries", &err)
	if err := checkCount(len(models), "model", "models"); err != nil {
		return nil, err
	}
	p, err := newPlane(models, d, planeView{o.Title, o.XLabel, o.YLabel, o.X, o.Y, o.Grid})
	if err != nil {
		return nil, err
	}
	p.addRows(false)
	p.Alt = "Decision boundaries of"
	for i, m := range models {
		found, err := p.modelRegions(m.Model)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", m.Name, err)
		}
		p.AddLegend(m.Name, p.addBoundary(found, lineStyle(i)))
		p.addBoundaryData(plain(m.Name)+".", found)
		p.addProbe(m.Model, plain(m.Name), d.ClassNames)
		p.mention(i, m.Name)
	}
	p.Alt += "."
	return p.Figure, nil
}
