package show

import (
	"errors"
	"fmt"
	"image/color"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot/vg/draw"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/show/internal/contour"
)

// DecideFunc makes a machine of a function that returns the class of one input,
// counted from 0, or classify.Ambiguous or classify.Rejected.
type DecideFunc func(x []float64) int

var _ classify.Decider = DecideFunc(nil)

// Decide returns the answers for the rows of x.
func (f DecideFunc) Decide(x mat.Matrix) ([]int, error) {
	if f == nil {
		return nil, errors.New("show: DecideFunc: the function is nil")
	}
	return PredictFunc(f).Predict(x)
}

// DecisionsOptions change what [Decisions] draws. The zero value works.
type DecisionsOptions struct {
	Title          string
	XLabel, YLabel string     // default: the features' names
	X, Y           [2]float64 // the ranges shown; default: the data's with a margin
	Grid           int        // cells of the mesh along each side; default 160
	HidePoints     bool
	HideZeros      bool // leave out the lines on which the machine's discriminants are zero
}

// Decisions draws where a machine assigns which class, tinted, and where it has
// no single answer: where several classes claim the point (hatched upwards) and
// where none does (hatched downwards). PRML figure 4.2, Alpaydin figures 10.3 and
// 10.4. If the machine has Scores, the lines on which its discriminants are zero
// are drawn as by [Discriminants].
//
// Numbers: points.x, .y, .class; region.class (−1 ambiguous, −2 rejected), .ring,
// .x, .y; share.class and share.area, the fraction of the plane shown that each
// answer has; zero.… as in Discriminants. Errors: as [Regions].
func Decisions(m classify.Decider, d *datasets.Dataset, o DecisionsOptions) (*Figure, error) {
	fig, err := decisions(m, d, o)
	if err != nil {
		return nil, fmt.Errorf("show: Decisions: %w", err)
	}
	return fig, nil
}

func decisions(m classify.Decider, d *datasets.Dataset, o DecisionsOptions) (*Figure, error) {
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
	k := d.K()
	found, err := traceRegions(answers{m, k}, b, g, k+2)
	if err != nil {
		return nil, err
	}
	p := planePanel(d, b, o.XLabel, o.YLabel)
	fig := one(p)
	fig.Title = o.Title
	fig.Alt = fmt.Sprintf("Where a machine assigns one of %d classes over %s and %s, and where it has no single answer.", k, p.X.Label.Text, p.Y.Label.Text)
	var unclear []legendItem
	for c, rings := range found.Regions {
		var pts [][]xy
		for _, r := range rings {
			pts = append(pts, b.points(r, false))
		}
		if c < k {
			p.Add(areaLayer{pts, mix(paper, ClassColor(c), tintShare)})
			continue
		}
		layer := undecidedLayer(c-k, pts)
		p.Add(layer)
		if len(pts) > 0 {
			unclear = append(unclear, legendItem{name: []string{"several classes claim it", "no class claims it"}[c-k]})
			unclear[len(unclear)-1].thumbs = append(unclear[len(unclear)-1].thumbs, layer)
		}
	}
	edges := boundaryLayer(found, b)
	edges.style = draw.LineStyle{Color: softInk, Width: thinWidth}
	p.Add(edges)
	if !o.HidePoints {
		fig.addPoints(d)
	}
	fig.legend = append(fig.legend, unclear...)
	fig.addAnswerData(found, b, k)
	if s, ok := m.(classify.Scorer); ok && !o.HideZeros {
		if err := fig.addZeros(s, b, g, k); err != nil {
			return nil, err
		}
	}
	return fig, nil
}

// undecidedLayer hatches where several classes claim a point (kind 0) or none does.
func undecidedLayer(kind int, rings [][]xy) hatchLayer {
	l := hatchLayer{rings: rings, tint: color.NRGBA{0xEC, 0xEC, 0xEC, 255}, slope: 1, spacing: 5,
		style: draw.LineStyle{Color: ink, Width: thinWidth}}
	if kind == 1 {
		l.tint, l.slope, l.spacing = paper, -1, 8
		l.style.Color = softInk
	}
	return l
}

// answers predicts the classes of a Decider, then two more: ambiguous, rejected.
type answers struct {
	classify.Decider
	k int
}

// Predict implements classify.Predictor.
func (a answers) Predict(x mat.Matrix) ([]int, error) {
	labels, err := a.Decide(x)
	if err != nil {
		return nil, err
	}
	out := make([]int, len(labels)) // the machine may keep its own
	for i, l := range labels {
		switch {
		case l == classify.Ambiguous:
			out[i] = a.k
		case l == classify.Rejected:
			out[i] = a.k + 1
		case l < 0 || l >= a.k:
			return nil, fmt.Errorf("the machine answers %d at x = %.6g; answers are the classes 0 to %d, classify.Ambiguous and classify.Rejected", l, mat.Row(nil, i, x), a.k-1)
		default:
			out[i] = l
		}
	}
	return out, nil
}

func (f *Figure) addAnswerData(found *contour.Map, b box, k int) {
	code := func(c int) float64 {
		if c < k {
			return float64(c)
		}
		return float64([]int{classify.Ambiguous, classify.Rejected}[c-k])
	}
	var class, ring, xs, ys, codes, areas []float64
	n := 0.0
	for c, rings := range found.Regions {
		area := 0.0
		for _, r := range rings {
			for i, q := range r {
				next := r[(i+1)%len(r)]
				area += (q.X*next.Y - next.X*q.Y) / 2
			}
			for _, q := range b.points(r, false) {
				class, ring = append(class, code(c)), append(ring, n)
				xs, ys = append(xs, q.X), append(ys, q.Y)
			}
			n++
		}
		codes, areas = append(codes, code(c)), append(areas, area)
	}
	f.AddData("region.class", class)
	f.AddData("region.ring", ring)
	f.AddData("region.x", xs)
	f.AddData("region.y", ys)
	f.AddData("share.class", codes)
	f.AddData("share.area", areas)
}
