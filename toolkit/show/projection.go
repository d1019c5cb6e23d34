package show

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg/draw"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
)

// A Direction is a line that inputs are projected on.
type Direction struct {
	Name string
	W    []float64 // one entry per feature; only its direction matters
	// Thresholds are values of the projection that divide the classes, in units
	// of the features: wᵀx/‖w‖.
	Thresholds []float64
}

// ProjectionsOptions change what [Projections] draws. The zero value works.
type ProjectionsOptions struct {
	Title string
	Bins  int // of the histograms, over the range of all projections; default 30
}

// Projections draws the rows of d projected on each direction, y = wᵀx/‖w‖, as a
// histogram for each class; for two features the points, the direction and the
// thresholds stand above. PRML figure 4.6.
//
// Numbers, for each direction after its name: .y and .class of every row; .edge,
// the borders of the bins, and .count0, .count1 … of each class; .threshold;
// .fisher, for two classes Fisher's J = (m₂−m₁)²/(s₁²+s₂²) (4.25); .overlap, the
// area that the histograms of two classes share, each of area 1.
//
// Errors: no direction, more than four; d without rows, with NaN, or with more
// than [MaxClasses] classes; a direction of the wrong length, zero or not finite.
func Projections(d *datasets.Dataset, o ProjectionsOptions, directions ...Direction) (_ *Figure, err error) {
	defer named("Projections", &err)
	if len(directions) == 0 {
		return nil, errors.New("no direction is given; name at least one")
	}
	if len(directions) > 4 {
		return nil, fmt.Errorf("%d directions; a row has room for 4: draw the others with another call", len(directions))
	}
	if err := checkRows(d); err != nil {
		return nil, err
	}
	if o.Bins == 0 {
		o.Bins = 30
	}
	if o.Bins < 1 || o.Bins > 1000 {
		return nil, fmt.Errorf("option Bins is %d; use 1 to 1000, or 0 for 30", o.Bins)
	}
	planar := d.D() == 2
	var above, below []*plot.Plot
	var shadows []*shadow
	most := 0.0
	for _, w := range directions {
		s, err := newShadow(d, w, o.Bins)
		if err != nil {
			return nil, err
		}
		shadows = append(shadows, s)
		most = max(most, s.tallest())
	}
	for _, s := range shadows {
		if planar {
			p, err := s.scatter(d)
			if err != nil {
				return nil, err
			}
			above = append(above, p)
		}
		below = append(below, s.histogram(most))
	}
	fig, err := NewFigure(len(directions), append(above, below...)...)
	if err != nil {
		return nil, err
	}
	fig.Title = o.Title
	for i, s := range shadows {
		fig.panels[i].Title.Text = s.Name
		fig.addShadow(s)
		p := fig.panels[i]
		if ratio := (p.Y.Max - p.Y.Min) / (p.X.Max - p.X.Min); planar && ratio > 0.2 && ratio < 5 {
			fig.setShape(i, func(sh *shape) { sh.equal = true }) // right angles look right; a strip would show nothing
		}
	}
	for k, name := range d.ClassNames {
		fig.AddLegend(label(name), areaLayer{color: histogramTint(k)},
			pointLayer{style: draw.GlyphStyle{Color: ClassColor(k), Radius: markerSize, Shape: marker(k)}})
	}
	if len(directions) == 1 && planar {
		fig.Width, fig.Height = 4.6, 7.6
	}
	fig.Alt = fmt.Sprintf("Histograms of %d classes projected on %d directions.", d.K(), len(directions))
	return fig, nil
}

// A shadow is a data set projected on a direction.
type shadow struct {
	Direction
	unit   []float64
	y      []float64
	class  []int
	edge   []float64
	counts [][]float64 // K × bins
}

func newShadow(d *datasets.Dataset, w Direction, bins int) (*shadow, error) {
	if len(w.W) != d.D() {
		return nil, fmt.Errorf("the direction %q has %d entries; the data set has %d features", w.Name, len(w.W), d.D())
	}
	big := 0.0
	for _, v := range w.W {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("the direction %q is %v; it must be finite", w.Name, w.W)
		}
		big = max(big, math.Abs(v))
	}
	if big == 0 {
		return nil, fmt.Errorf("the direction %q is zero; it points nowhere", w.Name)
	}
	for _, v := range w.Thresholds {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("a threshold of %q is %v; it must be finite", w.Name, v)
		}
	}
	s := &shadow{Direction: w, class: d.Labels, unit: make([]float64, d.D())}
	norm := 0.0
	for _, v := range w.W {
		norm += v / big * v / big
	}
	for j, v := range w.W {
		s.unit[j] = v / big / math.Sqrt(norm)
	}
	lo, hi := math.Inf(1), math.Inf(-1)
	for i := range d.N() {
		y := 0.0
		for j, u := range s.unit {
			y += u * d.X.At(i, j)
		}
		s.y = append(s.y, round9(y))
		lo, hi = min(lo, s.y[i]), max(hi, s.y[i])
	}
	if math.IsInf(lo, 0) || math.IsInf(hi, 0) {
		return nil, fmt.Errorf("the projection on %q overflows; choose other units", w.Name)
	}
	if hi-lo <= 1e-7*max(math.Abs(lo), math.Abs(hi)) {
		lo, hi = padded(lo, hi)
	}
	for b := range bins + 1 {
		s.edge = append(s.edge, round9(lo+(hi-lo)*float64(b)/float64(bins)))
	}
	s.counts = make([][]float64, d.K())
	for k := range s.counts {
		s.counts[k] = make([]float64, bins)
	}
	for i, y := range s.y {
		b := min(max(int((y-lo)/(hi-lo)*float64(bins)), 0), bins-1)
		for b > 0 && y < s.edge[b] { // the borders are rounded
			b--
		}
		for b < bins-1 && y >= s.edge[b+1] {
			b++
		}
		s.counts[d.Labels[i]][b]++
	}
	return s, nil
}

func (s *shadow) tallest() float64 {
	most := 0.0
	for _, c := range s.counts {
		for _, v := range c {
			most = max(most, v)
		}
	}
	return most
}
