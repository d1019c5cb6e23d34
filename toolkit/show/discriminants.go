package show

import (
	"fmt"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot/vg/draw"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/show/internal/contour"
)

// DiscriminantsOptions change what [Discriminants] draws. The zero value works.
type DiscriminantsOptions struct {
	Title          string
	XLabel, YLabel string     // default: the features' names
	X, Y           [2]float64 // the ranges shown; default: the data's with a margin
	Grid           int        // cells of the mesh along each side; default 160
	Tint           bool       // colour the regions
	HideBoundary   bool
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
func Discriminants(m classify.Scorer, d *datasets.Dataset, o DiscriminantsOptions) (*Figure, error) {
	fig, err := discriminants(m, d, o)
	if err != nil {
		return nil, fmt.Errorf("show: Discriminants: %w", err)
	}
	return fig, nil
}

func discriminants(m classify.Scorer, d *datasets.Dataset, o DiscriminantsOptions) (*Figure, error) {
	if isNil(m) {
		return nil, errNilModel
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
	var machine classify.Predictor = highestScore{m}
	if p, ok := m.(classify.Predictor); ok {
		machine = p
	}
	found, err := traceRegions(machine, b, g, d.K())
	if err != nil {
		return nil, err
	}
	p := planePanel(d, b, o.XLabel, o.YLabel)
	fig := one(p)
	fig.Title = o.Title
	fig.Alt = fmt.Sprintf("The lines g = 0 of the discriminants of %d classes over %s and %s, and the boundary.", d.K(), p.X.Label.Text, p.Y.Label.Text)
	if o.Tint {
		for k, rings := range found.Regions {
			layer := areaLayer{color: mix(paper, ClassColor(k), tintShare)}
			for _, r := range rings {
				layer.rings = append(layer.rings, b.points(r, false))
			}
			p.Add(layer)
		}
	}
	if !o.HidePoints {
		fig.addPoints(d)
	}
	if err := fig.addZeros(m, b, g, d.K()); err != nil {
		return nil, err
	}
	if !o.HideBoundary {
		layer := boundaryLayer(found, b)
		layer.style = draw.LineStyle{Color: ink, Width: 1.5 * lineWidth}
		p.Add(layer)
		if len(layer.lines) > 0 {
			fig.AddLegend("decision boundary", layer)
		}
		fig.addBoundaryData("boundary.", found, b)
	}
	fig.addProbe(0, m, "", d.ClassNames)
	return fig, nil
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
func (f *Figure) addZeros(m classify.Scorer, b box, g contour.Grid, k int) error {
	if duels, ok := m.(*classify.OneVersusOne); ok {
		return f.addDuels(duels, b, g)
	}
	table := func(x *mat.Dense) (*mat.Dense, error) {
		a, err := m.Scores(x)
		if err != nil {
			return nil, err
		}
		n, _ := x.Dims()
		return a, checkTable(a, n, k, x)
	}
	nodes, err := table(b.inputs(g.Nodes()))
	if err != nil {
		return err
	}
	var data zeroData
	for c := range k {
		h := &height{box: b, grid: g, v: mat.Col(nil, c, nodes), f: func(x *mat.Dense) ([]float64, error) {
			a, err := table(x)
			if err != nil {
				return nil, err
			}
			return mat.Col(nil, c, a), nil
		}}
		style := draw.LineStyle{Color: ClassColor(c), Width: 1, Dashes: dash(c)}
		name := fmt.Sprintf("$g_{%d}(\\mathbf{x})$ = 0", c+1)
		if err := f.addZero(h, name, style, &data, c, c); err != nil {
			return err
		}
	}
	f.AddData("zero.class", data.i)
	data.to(f)
	return nil
}

func (f *Figure) addDuels(m *classify.OneVersusOne, b box, g contour.Grid) error {
	var data zeroData
	for _, duel := range m.Duels {
		h, err := newHeight(b, g, func(x *mat.Dense) ([]float64, error) {
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
		if err := f.addZero(h, name, style, &data, duel.First, duel.Second); err != nil {
			return err
		}
	}
	f.AddData("zero.i", data.i)
	f.AddData("zero.j", data.j)
	data.to(f)
	return nil
}

// addZero draws the line h = 0 with its arrow.
func (f *Figure) addZero(h *height, name string, style draw.LineStyle, data *zeroData, i, j int) error {
	lines, _, err := h.contour(0)
	if err != nil {
		return err
	}
	if len(lines) == 0 {
		return nil
	}
	layer := lineLayer{lines, style}
	side, err := newSideLayer(h, lines, style)
	if err != nil {
		return err
	}
	f.panels[0].Add(layer, side)
	f.AddLegend(name, layer)
	for _, l := range lines {
		data.add(i, j, l)
	}
	return nil
}

// zeroData collects the numbers of the lines.
type zeroData struct {
	i, j, piece, x, y []float64
	n                 float64
}

func (z *zeroData) add(i, j int, pts []xy) {
	for _, q := range pts {
		z.i, z.j, z.piece = append(z.i, float64(i)), append(z.j, float64(j)), append(z.piece, z.n)
		z.x, z.y = append(z.x, q.X), append(z.y, q.Y)
	}
	z.n++
}

func (z *zeroData) to(f *Figure) {
	f.AddData("zero.piece", z.piece)
	f.AddData("zero.x", z.x)
	f.AddData("zero.y", z.y)
}
