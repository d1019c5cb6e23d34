package show

import (
	"errors"
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
func Boundaries(d *datasets.Dataset, o BoundariesOptions, models ...Named) (*Figure, error) {
	fig, err := boundaries(d, o, models)
	if err != nil {
		return nil, fmt.Errorf("show: Boundaries: %w", err)
	}
	return fig, nil
}

func boundaries(d *datasets.Dataset, o BoundariesOptions, models []Named) (*Figure, error) {
	if len(models) == 0 {
		return nil, errors.New("no model is given; name at least one")
	}
	if len(models) > len(lineColors) {
		return nil, fmt.Errorf("%d models; colours and dashes keep %d apart", len(models), len(lineColors))
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
	fig := one(planePanel(d, b, o.XLabel, o.YLabel))
	fig.Title = o.Title
	fig.addPoints(d)
	fig.Alt = "Decision boundaries of"
	for i, m := range models {
		found, err := traceRegions(m.Model, b, g, d.K())
		if err != nil {
			return nil, fmt.Errorf("%s: %w", m.Name, err)
		}
		layer := boundaryLayer(found, b)
		layer.style = lineStyle(i)
		fig.panels[0].Add(layer)
		fig.AddLegend(m.Name, layer)
		fig.addBoundaryData(plain(m.Name)+".", found, b)
		fig.addProbe(0, m.Model, plain(m.Name), d.ClassNames)
		if i > 0 {
			fig.Alt += ","
		}
		fig.Alt += " " + m.Name
	}
	fig.Alt += "."
	return fig, nil
}
