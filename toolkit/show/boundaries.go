package show

import (
	"fmt"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
)

// Named is a model with the name that a legend gives it.
type Named struct {
	Name  string
	Model classify.Predictor
}

// BoundariesOptions change what [Boundaries] draws. The zero value works.
type BoundariesOptions struct {
	Title          string
	XLabel, YLabel string     // default: the features' names
	X, Y           [2]float64 // the ranges shown; default: the data's with a margin
	Grid           int        // cells of the mesh along each side; default 160
}

// Boundaries draws the points of d and, over them, the decision boundaries of
// several models, each in its own colour and dashes, to be compared.
//
// Numbers: points.x, .y, .class and for each model its name with .i, .j (the two
// classes), .piece, .x, .y. Errors: as [Regions]; no model, or more than six.
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
		found, err := traceRegions(m.Model, p.box, p.grid, d.K())
		if err != nil {
			return nil, fmt.Errorf("%s: %w", m.Name, err)
		}
		p.AddLegend(m.Name, p.addBoundary(found, lineStyle(i)))
		p.addBoundaryData(plain(m.Name)+".", found)
		p.addProbe(0, m.Model, plain(m.Name), d.ClassNames)
		p.mention(i, m.Name)
	}
	p.Alt += "."
	return p.Figure, nil
}
