package show

import (
	"fmt"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot/vg/draw"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/show/internal/contour"
)

// DiscriminantsOptions change what [Discriminants] draws. The zero value works.
type DiscriminantsOptions struct {
	Title          string
	XLabel, YLabel string     // default: the feature names
	X, Y           [2]float64 // the ranges to show; default: the data with a margin
	Grid           int        // cells of the mesh along each side; default 160
	Tint           bool       // colour the regions
	HidePoints     bool
}

// Discriminants draws the lines on which the discriminants g_k(x) of a machine are zero. They are
// thin lines in the colour and dashes of the class, with an arrow to the positive side. Thick lines
// are the boundary of the machine, where the two largest g_k are equal. See Alpaydin figure 10.9.
// For a [classify.OneVersusOne] the thin lines belong to its pairwise classifiers, g_ij(x) = 0.
//
// If a discriminant has the same sign on the whole plane shown, it has no line.
//
// Numbers: points.x, .y, .class; zero.class (for pairs zero.i and .j), .piece, .x, .y; boundary.i,
// .j, .piece, .x, .y. Errors: as for [Regions].
func Discriminants(m classify.Scorer, d *datasets.Dataset, o DiscriminantsOptions) (_ *Figure, err error) {
	defer named("Discriminants", &err)
	p, err := newPlane(m, d, planeView{o.Title, o.XLabel, o.YLabel, o.X, o.Y, o.Grid})
	if err != nil {
		return nil, err
	}
	var found *contour.Map
	if machine, ok := m.(classify.Predictor); ok {
		found, err = p.modelRegions(machine)
	} else {
		found, err = p.regions(table(m.Scores).largest, d.K(), m.Scores)
	}
	if err != nil {
		return nil, err
	}
	p.Alt = fmt.Sprintf("The lines g = 0 of the discriminants of %d classes over %s, and the boundary.", d.K(),
		p.axes())
	if o.Tint {
		p.tint(found)
	}
	p.addRows(o.HidePoints)
	if err := p.addZeros(m); err != nil {
		return nil, err
	}
	boundary := p.addBoundary(found, solid(1.5*lineWidth))
	if len(boundary.lines) > 0 {
		p.AddLegend("decision boundary", boundary)
	}
	p.addBoundaryData("boundary.", found)
	p.addProbe(m, "", d.ClassNames)
	return p.Figure, nil
}

// addZeros draws the lines on which the discriminants of m are zero.
func (p *planePlot) addZeros(m classify.Scorer) error {
	if pairs, ok := m.(*classify.OneVersusOne); ok {
		return p.addPairs(pairs)
	}
	data := newRuns("zero.", "class", "piece")
	hs, err := p.heights(m.Scores, entry)
	if err != nil {
		return err
	}
	for c, h := range hs {
		style := draw.LineStyle{Color: ClassColor(p.hue(c)), Width: 1, Dashes: dash(p.hue(c))}
		if err := p.addZero(h, fmt.Sprintf("$g_{%d}(\\mathbf{x})$ = 0", c+1), style, data, float64(c)); err != nil {
			return err
		}
	}
	data.to(p.Figure)
	return nil
}

// addPairs draws the lines on which the pairwise classifiers are undecided.
func (p *planePlot) addPairs(m *classify.OneVersusOne) error {
	data := newRuns("zero.", "i", "j", "piece")
	for _, pair := range m.Pairs {
		h, err := newHeight(p.box, p.grid, func(x *mat.Dense) ([]float64, error) {
			a, err := table(pair.Machine.Scores).at(x, 2)
			if err != nil {
				return nil, err
			}
			return floats.SubTo(make([]float64, a.RawMatrix().Rows), mat.Col(nil, 0, a), mat.Col(nil, 1, a)), nil
		})
		if err != nil {
			return fmt.Errorf("classes %d and %d: %w", pair.First, pair.Second, err)
		}
		// Mix the colours of the two classes in equal parts.
		first, second := p.hue(pair.First), p.hue(pair.Second)
		style := draw.LineStyle{Color: mix(ClassColor(first), ClassColor(second), 0.5), Width: 1,
			Dashes: dash(first + second)}
		name := fmt.Sprintf("$g_{%d%d}(\\mathbf{x})$ = 0", pair.First+1, pair.Second+1)
		if err := p.addZero(h, name, style, data, float64(pair.First), float64(pair.Second)); err != nil {
			return err
		}
	}
	data.to(p.Figure)
	return nil
}

// addZero draws the line h = 0 with its arrow and adds the points of the line to data. values are
// the values of the leading columns.
func (p *planePlot) addZero(h *height, name string, style draw.LineStyle, data *runs, values ...float64) error {
	lines, _, err := h.contour(0)
	if err != nil || len(lines) == 0 {
		return err
	}
	layer := lineLayer{lines, style}
	side, err := newSideLayer(h, lines, style)
	if err != nil {
		return err
	}
	p.add(layer, side)
	p.AddLegend(name, layer)
	for _, l := range lines {
		data.add(l, values...)
	}
	return nil
}
