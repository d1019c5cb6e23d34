package show

import (
	"fmt"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot/vg/draw"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
)

// DiscriminantsOptions change what [Discriminants] draws. The zero value works.
type DiscriminantsOptions struct {
	Title          string
	XLabel, YLabel string     // default: the features' names
	X, Y           [2]float64 // the ranges shown; default: the data's with a margin
	Grid           int        // cells of the mesh along each side; default 160
	Tint           bool       // colour the regions
	HidePoints     bool
}

// Discriminants draws where each discriminant g_k(x) of a machine is zero, thin,
// in the colour and dashes of its class and with an arrow to the side where it is
// positive, and the machine's boundary, where the two largest g_k agree, thick:
// Alpaydin figure 10.9. For a [classify.OneVersusOne] the thin lines are those of
// its duels, g_ij(x) = 0.
//
// A discriminant that has one sign on all of the plane shown has no line there.
//
// Numbers: points.x, .y, .class; zero.class (of duels zero.i and .j), .piece, .x,
// .y; boundary.i, .j, .piece, .x, .y. Errors: as [Regions].
func Discriminants(m classify.Scorer, d *datasets.Dataset, o DiscriminantsOptions) (_ *Figure, err error) {
	defer named("Discriminants", &err)
	p, err := newPlane(m, d, planeView{o.Title, o.XLabel, o.YLabel, o.X, o.Y, o.Grid})
	if err != nil {
		return nil, err
	}
	var machine classify.Predictor = highestScore{m}
	if p, ok := m.(classify.Predictor); ok {
		machine = p
	}
	found, err := traceRegions(machine, p.box, p.grid, d.K())
	if err != nil {
		return nil, err
	}
	p.Alt = fmt.Sprintf("The lines g = 0 of the discriminants of %d classes over %s, and the boundary.", d.K(), p.axes())
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
	p.addProbe(0, m, "", d.ClassNames)
	return p.Figure, nil
}

// highestScore predicts the class of the largest activation.
type highestScore struct{ classify.Scorer }

// Predict implements classify.Predictor.
func (m highestScore) Predict(x mat.Matrix) ([]int, error) {
	a, err := m.Scores(x)
	if err != nil {
		return nil, err
	}
	return argmaxRows(a), nil
}

// addZeros draws the lines on which the discriminants of m are zero.
func (p *planePlot) addZeros(m classify.Scorer) error {
	if duels, ok := m.(*classify.OneVersusOne); ok {
		return p.addDuels(duels)
	}
	k := p.rows.K()
	table := func(x *mat.Dense) (*mat.Dense, error) {
		a, err := m.Scores(x)
		if err != nil {
			return nil, err
		}
		n, _ := x.Dims()
		return a, checkTable(a, n, k, x)
	}
	nodes, err := table(p.box.inputs(p.grid.Nodes()))
	if err != nil {
		return err
	}
	data := newRuns("zero.", "class", "piece")
	for c := range k {
		h := &height{box: p.box, grid: p.grid, v: mat.Col(nil, c, nodes), f: func(x *mat.Dense) ([]float64, error) {
			a, err := table(x)
			if err != nil {
				return nil, err
			}
			return mat.Col(nil, c, a), nil
		}}
		style := draw.LineStyle{Color: ClassColor(c), Width: 1, Dashes: dash(c)}
		if err := p.addZero(h, fmt.Sprintf("$g_{%d}(\\mathbf{x})$ = 0", c+1), style, data, float64(c)); err != nil {
			return err
		}
	}
	data.to(p.Figure)
	return nil
}

func (p *planePlot) addDuels(m *classify.OneVersusOne) error {
	data := newRuns("zero.", "i", "j", "piece")
	for _, duel := range m.Pairs {
		h, err := newHeight(p.box, p.grid, func(x *mat.Dense) ([]float64, error) {
			a, err := duel.Machine.Scores(x)
			if err != nil {
				return nil, err
			}
			n, _ := x.Dims()
			if err := checkTable(a, n, 2, x); err != nil {
				return nil, err
			}
			v := mat.Col(nil, 0, a)
			for i := range v {
				v[i] -= a.At(i, 1)
			}
			return v, nil
		})
		if err != nil {
			return fmt.Errorf("classes %d and %d: %w", duel.First, duel.Second, err)
		}
		// Half of one class's colour, half of the other's.
		style := draw.LineStyle{Color: mix(ClassColor(duel.First), ClassColor(duel.Second), 0.5), Width: 1, Dashes: dash(duel.First + duel.Second)}
		name := fmt.Sprintf("$g_{%d%d}(\\mathbf{x})$ = 0", duel.First+1, duel.Second+1)
		if err := p.addZero(h, name, style, data, float64(duel.First), float64(duel.Second)); err != nil {
			return err
		}
	}
	data.to(p.Figure)
	return nil
}

// addZero draws the line h = 0 with its arrow; values are those of its points in data.
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
	p.panel.Add(layer, side)
	p.AddLegend(name, layer)
	for _, l := range lines {
		data.add(l, values...)
	}
	return nil
}
