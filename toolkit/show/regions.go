package show

import (
	"errors"
	"fmt"
	"image/color"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg/draw"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/show/internal/contour"
)

// RegionsOptions change what [Regions] draws. All fields are optional.
type RegionsOptions struct {
	Title          string
	XLabel, YLabel string     // axis labels; the default is the feature names
	X, Y           [2]float64 // ranges to show; the default is the range of the data with a margin
	Grid           int        // number of cells of the mesh along each side, 8 to 1000; the default is 160
	Mistakes       bool       // whether to draw rings around the points that the model misclassifies
	HidePoints     bool
}

// Regions draws the regions in which a model predicts each class and the boundaries between them.
// It also draws the points of d, with a different marker for each class.
//
// Regions computes the points of the boundaries from the model's activations (classify.Scorer),
// with an error of about 1e-12 of the picture's size. If the model has no activations, or does not
// predict the class with the largest activation, Regions uses the posterior (classify.Prober) in the
// same way. If the posterior does not determine the predictions either, Regions uses only the
// predictions. A straight boundary of a linear model has only two points.
//
// The figure's Data contains:
//   - Unless HidePoints is true, the points: "points.x", "points.y" and "points.class".
//   - The boundaries between the classes i and j: "boundary.i", "boundary.j", "boundary.piece",
//     "boundary.x" and "boundary.y".
//   - The corners of the regions: "region.class", "region.ring", "region.x" and "region.y".
//   - With the option Mistakes, the indices of the misclassified rows: "mistakes.row".
//
// It is an error if d has no rows, contains NaN or infinite values, has more than [MaxClasses]
// classes, or does not have exactly two features. It is also an error if the model is nil, was not
// fitted to two features, or predicts a class that d does not have. Activations and posteriors must
// not be NaN, and their number must be the number of classes of d.
func Regions(m classify.Predictor, d *datasets.Dataset, o RegionsOptions) (_ *Figure, err error) {
	defer prefixError("Regions", &err)
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
	boundary := p.addBoundary(found, solidLine(lineWidth))
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

// A Named is a model together with a name for the legend.
type Named struct {
	Name  string
	Model classify.Predictor
}

// BoundariesOptions change what [Boundaries] draws. All fields are optional.
type BoundariesOptions struct {
	Title          string
	XLabel, YLabel string     // axis labels; the default is the feature names
	X, Y           [2]float64 // ranges to show; the default is the range of the data with a margin
	Grid           int        // number of cells of the mesh along each side, 8 to 1000; the default is 160
}

// Boundaries draws the points of d and the decision boundaries of several models for comparison.
// Each model has its own colour and dashes.
//
// The figure's Data contains the points ("points.x", "points.y" and "points.class"). For a model
// with the name M, it contains the boundaries between the classes i and j in the columns "M.i",
// "M.j", "M.piece", "M.x" and "M.y". Errors: the errors of [Regions], no model, and more than six
// models.
func Boundaries(d *datasets.Dataset, o BoundariesOptions, models ...Named) (_ *Figure, err error) {
	defer prefixError("Boundaries", &err)
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
		p.addBoundaryData(plainText(m.Name)+".", found)
		p.addProbe(m.Model, plainText(m.Name), d.ClassNames)
		p.appendToAlt(i, m.Name)
	}
	p.Alt += "."
	return p.Figure, nil
}

// DecideFunc makes a machine from a function of one input. The function returns the class, counted
// from 0, or classify.Ambiguous or classify.Rejected.
type DecideFunc func(x []float64) int

var _ classify.Decider = DecideFunc(nil)

// Decide returns the decisions for the rows of x.
func (f DecideFunc) Decide(x mat.Matrix) ([]int, error) {
	if f == nil {
		return nil, errors.New("show: DecideFunc: the function is nil")
	}
	return PredictFunc(f).Predict(x)
}

// DecisionsOptions change what [Decisions] draws. All fields are optional.
type DecisionsOptions struct {
	Title          string
	XLabel, YLabel string     // axis labels; the default is the feature names
	X, Y           [2]float64 // ranges to show; the default is the range of the data with a margin
	Grid           int        // number of cells of the mesh along each side, 8 to 1000; the default is 160
	HidePoints     bool
}

// Decisions tints the region of each class: the part of the plane in which a machine assigns points
// to this class. It hatches the other regions: with rising lines where several classes claim a
// point, and with falling lines where no class claims the point or the machine rejects it. See PRML
// figure 4.2 and Alpaydin figures 10.3 and 10.4. If the machine has the method Scores, Decisions also
// draws the lines on which the discriminants are zero, as [Discriminants] does.
//
// The figure's Data contains:
//   - Unless HidePoints is true, the points: "points.x", "points.y" and "points.class".
//   - The regions: "region.class", "region.ring", "region.x" and "region.y", where the class −1
//     means ambiguous and −2 means rejected.
//   - "share.class" and "share.area": the fraction of the drawn plane for each class, −1 and −2.
//   - If the machine has the method Scores, the columns that begin with "zero.", as for
//     Discriminants.
//
// Decisions returns the same errors as [Regions].
func Decisions(m classify.Decider, d *datasets.Dataset, o DecisionsOptions) (_ *Figure, err error) {
	defer prefixError("Decisions", &err)
	p, err := newPlane(m, d, planeView{o.Title, o.XLabel, o.YLabel, o.X, o.Y, o.Grid})
	if err != nil {
		return nil, err
	}
	k := d.K()
	found, err := p.regions(answerClasses(m, k), k+2)
	if err != nil {
		return nil, err
	}
	p.Alt = fmt.Sprintf("Where a machine assigns one of %d classes over %s, and where it has no single answer.", k,
		p.axes())
	var unclear []legendItem
	for c, rings := range found.Regions {
		pts := p.box.rings(rings)
		if c < k {
			p.add(fill(pts, mix(paper, ClassColor(p.hue(c)), tintShare)))
			continue
		}
		layer := undecidedLayer(c-k, pts)
		p.add(layer)
		if len(pts) > 0 {
			name := []string{"several classes claim it", "no class claims it"}[c-k]
			unclear = append(unclear, legendItem{name, []plot.Thumbnailer{layer}})
		}
	}
	p.addBoundary(found, draw.LineStyle{Color: softInk, Width: thinWidth})
	p.addRows(o.HidePoints)
	p.legend = append(p.legend, unclear...)
	p.addAnswerData(found)
	if s, ok := classify.ScorerOf(m); ok {
		if err := p.addZeros(s); err != nil {
			return nil, err
		}
	}
	return p.Figure, nil
}

// undecidedLayer hatches a region in which the machine does not assign a class, because its decision
// is classify.Ambiguous (kind 0) or classify.Rejected (kind 1).
func undecidedLayer(kind int, rings [][]xy) areaLayer {
	if kind == 1 {
		return areaLayer{rings: rings, color: paper,
			hatch: &hatching{draw.LineStyle{Color: softInk, Width: 1.1}, -1, 4.5}}
	}
	return areaLayer{rings: rings, color: color.NRGBA{0xEC, 0xEC, 0xEC, 255}, hatch: &hatching{solidLine(thinWidth), 1,
		5}}
}

// answerClasses converts a Decider for k classes to a predict function. Where the decision is
// ambiguous, this function returns class k, and where the point is rejected, it returns class k+1.
func answerClasses(m classify.Decider, k int) predict {
	return func(x mat.Matrix) ([]int, error) {
		labels, err := m.Decide(x)
		out := slices.Clone(labels) // change only a copy, because the machine may reuse the slice that it returned
		for i, l := range labels {
			switch {
			case l == classify.Ambiguous:
				out[i] = k
			case l == classify.Rejected:
				out[i] = k + 1
			case l < 0 || l >= k:
				return nil, fmt.Errorf("the machine returned %d at x = %.6g; want a class from 0 to %d, classify.Ambiguous or classify.Rejected", l, mat.Row(nil, i, x), k-1)
			}
		}
		return out, err
	}
}

func (p *planePlot) addAnswerData(found *contour.Map) {
	k := p.rows.K()
	corners := newRuns("region.", "class", "ring")
	shares := newColumns("share.", "class", "area")
	for c, rings := range found.Regions {
		code := float64(c)
		if c >= k {
			code = float64([]int{classify.Ambiguous, classify.Rejected}[c-k])
		}
		area := 0.0
		for _, r := range rings {
			for i, q := range r {
				next := r[(i+1)%len(r)]
				area += (q.X*next.Y - next.X*q.Y) / 2
			}
			corners.add(p.box.points(r, false), code)
		}
		shares.row(code, area)
	}
	corners.to(p.Figure)
	shares.to(p.Figure)
}

// DiscriminantsOptions change what [Discriminants] draws. All fields are optional.
type DiscriminantsOptions struct {
	Title          string
	XLabel, YLabel string     // axis labels; the default is the feature names
	X, Y           [2]float64 // ranges to show; the default is the range of the data with a margin
	Grid           int        // number of cells of the mesh along each side, 8 to 1000; the default is 160
	Tint           bool       // whether to colour the regions
	HidePoints     bool
}

// Discriminants draws the lines on which the discriminants g_k(x) of a machine are zero. These
// lines are thin, have the colour and dashes of their class, and have an arrow that points to the
// positive side. Thick lines are the boundaries of the machine. If the machine predicts the class
// with the largest g_k, the two largest g_k are equal there. See Alpaydin figure 10.9. For a
// [classify.OneVersusOne] the thin lines are the zeros g_ij(x) = 0 of its pairwise classifiers. Their
// colours are mixtures of the colours of the two classes.
//
// A discriminant has no line if its sign is the same at all points shown.
//
// The figure's Data contains:
//   - Unless HidePoints is true, the points: "points.x", "points.y" and "points.class".
//   - The lines: "zero.class" (for pairwise classifiers "zero.i" and "zero.j"), "zero.piece",
//     "zero.x" and "zero.y".
//   - The boundary: "boundary.i", "boundary.j", "boundary.piece", "boundary.x" and "boundary.y".
//
// Discriminants returns the same errors as [Regions].
func Discriminants(m classify.Scorer, d *datasets.Dataset, o DiscriminantsOptions) (_ *Figure, err error) {
	defer prefixError("Discriminants", &err)
	p, err := newPlane(m, d, planeView{o.Title, o.XLabel, o.YLabel, o.X, o.Y, o.Grid})
	if err != nil {
		return nil, err
	}
	var found *contour.Map
	if machine, ok := m.(classify.Predictor); ok {
		found, err = p.modelRegions(machine)
	} else {
		found, err = p.regions(table(m.Scores).largestClass, d.K(), m.Scores)
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
	boundary := p.addBoundary(found, solidLine(1.5*lineWidth))
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

// addPairs draws, for each pairwise classifier, the line on which its discriminant is zero.
func (p *planePlot) addPairs(m *classify.OneVersusOne) error {
	data := newRuns("zero.", "i", "j", "piece")
	for _, pair := range m.Pairs {
		h, err := newHeight(p.box, p.grid, func(x *mat.Dense) ([]float64, error) {
			a, err := table(pair.Machine.Scores).evaluate(x, 2)
			if err != nil {
				return nil, err
			}
			return floats.SubTo(make([]float64, a.RawMatrix().Rows), mat.Col(nil, 0, a), mat.Col(nil, 1, a)), nil
		})
		if err != nil {
			return fmt.Errorf("classes %d and %d: %w", pair.First, pair.Second, err)
		}
		// the colour of the line is an equal mixture of the colours of the two classes
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

// addZero draws the lines on which h is zero, with one arrow, and adds the points of the lines to
// `data`. The argument `values` contains the numbers for the first columns of `data`.
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
