package show

import (
	"errors"
	"fmt"
	"image/color"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg/draw"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/show/internal/contour"
)

// DecideFunc makes a machine from a function that returns the class of one input,
// counted from 0, or classify.Ambiguous or classify.Rejected.
type DecideFunc func(x []float64) int

var _ classify.Decider = DecideFunc(nil)

// Decide returns the decisions for the rows of x.
func (f DecideFunc) Decide(x mat.Matrix) ([]int, error) {
	if f == nil {
		return nil, errors.New("show: DecideFunc: the function is nil")
	}
	return PredictFunc(f).Predict(x)
}

// DecisionsOptions change what [Decisions] draws. The zero value works.
type DecisionsOptions struct {
	Title          string
	XLabel, YLabel string     // default: the feature names
	X, Y           [2]float64 // the ranges to show; default: the data with a margin
	Grid           int        // cells of the mesh along each side; default 160
	HidePoints     bool
}

// Decisions tints the regions in which a machine assigns each class. It hatches the two regions
// without a single answer: upwards where several classes claim the point, and downwards where no
// class claims it. See PRML figure 4.2 and Alpaydin figures 10.3 and 10.4. If the machine has
// Scores, Decisions also draws the lines on which its discriminants are zero, as [Discriminants]
// does.
//
// Numbers: points.x, .y, .class; region.class (−1 ambiguous, −2 rejected), .ring, .x, .y;
// share.class and share.area, the fraction of the plane shown with each answer; zero.… as in
// Discriminants. Errors: as for [Regions].
func Decisions(m classify.Decider, d *datasets.Dataset, o DecisionsOptions) (_ *Figure, err error) {
	defer named("Decisions", &err)
	p, err := newPlane(m, d, planeView{o.Title, o.XLabel, o.YLabel, o.X, o.Y, o.Grid})
	if err != nil {
		return nil, err
	}
	k := d.K()
	found, err := p.regions(answers(m, k), k+2)
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

// undecidedLayer hatches the region that several classes claim (kind 0) or the region that no class
// claims (kind 1).
func undecidedLayer(kind int, rings [][]xy) areaLayer {
	if kind == 1 {
		return areaLayer{rings: rings, color: paper,
			hatch: &hatching{draw.LineStyle{Color: softInk, Width: 1.1}, -1, 4.5}}
	}
	return areaLayer{rings: rings, color: color.NRGBA{0xEC, 0xEC, 0xEC, 255}, hatch: &hatching{solid(thinWidth), 1, 5}}
}

// answers returns the decisions of a Decider for k classes. It returns k for ambiguous and k+1 for
// rejected.
func answers(m classify.Decider, k int) predict {
	return func(x mat.Matrix) ([]int, error) {
		labels, err := m.Decide(x)
		out := slices.Clone(labels) // the machine may reuse the slice that it returned
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
