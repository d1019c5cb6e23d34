package show

import (
	"errors"
	"fmt"
	"image/color"
	"maps"
	"math"
	"slices"
	"sort"
	"strconv"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/plot/vg/draw"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
)

// A Direction describes a line onto which inputs are projected.
type Direction struct {
	Name string
	W    []float64 // direction w with one entry per feature; its length does not matter
	// Thresholds are values of the projection wᵀx/‖w‖ at which one class ends and the next begins.
	// They have the same units as the features.
	Thresholds []float64
}

// ProjectionsOptions change what [Projections] draws. All fields are optional.
type ProjectionsOptions struct {
	Title string
	Bins  int // number of histogram bins for each direction, 1 to 1000; the default is 30
}

// Projections projects the rows of d onto each direction, y = wᵀx/‖w‖, and draws a histogram of y for
// each class. For two features, it also draws the points, the direction and the thresholds above
// the histograms. See PRML figure 4.6.
//
// The figure's Data contains the following columns for each direction. For a direction with the
// name D they are:
//   - "D.y" and "D.class": the projection and the class of every row.
//   - "D.edge": the borders of the histogram bins.
//   - "D.count0", "D.count1" and so on: the counts of each class in the bins.
//   - "D.threshold": the thresholds.
//   - "D.fisher", only for two classes: Fisher's J = (m₂−m₁)²/(s₁²+s₂²) (4.25).
//   - "D.overlap", only for two classes: the area that both histograms share if each histogram is
//     scaled to area 1.
//
// Errors: no direction, more than four directions, a direction that is zero, is not finite or does
// not have one entry per feature, and a threshold that is not finite. It is also an error if d has
// no rows, contains NaN or infinite values, or has more than [MaxClasses] classes, or if a
// projection overflows.
//
// Equations: PRML (4.20), (4.24), (4.25).
func Projections(d *datasets.Dataset, o ProjectionsOptions, directions ...Direction) (_ *Figure, err error) {
	defer prefixError("Projections", &err)
	if len(directions) == 0 {
		return nil, errors.New("no direction is given; give at least one")
	}
	if len(directions) > 4 {
		return nil, fmt.Errorf("there are %d directions; a row has space for 4, so draw the other directions with a second call",
			len(directions))
	}
	if err := checkRows(d); err != nil {
		return nil, err
	}
	if err := countOr("Bins", &o.Bins, 30, 1, 1000); err != nil {
		return nil, err
	}
	planar := d.D() == 2
	var above, below []panel
	var all []*projection
	most := 1.0
	for _, w := range directions {
		s, err := project(d, w, o.Bins)
		if err != nil {
			return nil, err
		}
		all = append(all, s)
		for _, c := range s.counts {
			most = max(most, floats.Max(c))
		}
	}
	for _, s := range all {
		if planar {
			p, err := s.drawScatter(d)
			if err != nil {
				return nil, err
			}
			above = append(above, p)
		}
		below = append(below, s.drawHistogram(most))
	}
	fig, err := newFigure(len(directions), append(above, below...)...)
	if err != nil {
		return nil, err
	}
	fig.Title = o.Title
	for i, s := range all {
		p := &fig.panels[i]
		p.Title.Text = s.Name
		s.addNumbers(fig)
		ratio := (p.Y.Max - p.Y.Min) / (p.X.Max - p.X.Min)
		// with equal axes, right angles have the correct shape, but if one range is much longer than
		// the other, the frame would be too narrow
		p.equal = planar && ratio > 0.2 && ratio < 5
	}
	hues := huesOf(d)
	for k, name := range d.ClassNames {
		fig.AddLegend(label(name), areaLayer{color: histogramTint(hueIn(hues, k))},
			pointLayer{style: classGlyph(hueIn(hues, k), markerSize)})
	}
	if len(directions) == 1 && planar {
		fig.Width, fig.Height = 4.6, 7.6
	}
	fig.Alt = fmt.Sprintf("Histograms of %d classes projected on %d directions.", d.K(), len(directions))
	return fig, nil
}

// A projection contains a data set and its projection onto a direction.
type projection struct {
	Direction
	unit     []float64
	y, class []float64   // projection and class of each row
	edge     []float64   // borders of the histogram bins
	counts   [][]float64 // K × bins
	hues     []int       // numbers of the colours of the classes
}

func project(d *datasets.Dataset, w Direction, bins int) (*projection, error) {
	if len(w.W) != d.D() {
		return nil, fmt.Errorf("the direction %q has %d entries; the data set has %d features", w.Name, len(w.W), d.D())
	}
	largest := floats.Norm(w.W, math.Inf(1))
	switch {
	case !allFinite(w.W...):
		return nil, fmt.Errorf("the direction %q is %v; it must be finite", w.Name, w.W)
	case largest == 0:
		return nil, fmt.Errorf("the direction %q is the zero vector; give a vector with an entry that is not 0", w.Name)
	case !allFinite(w.Thresholds...):
		return nil, fmt.Errorf("the thresholds of %q are %v; they must be finite", w.Name, w.Thresholds)
	}
	s := &projection{Direction: w, counts: make([][]float64, d.K()), hues: huesOf(d)}
	for _, v := range w.W {
		s.unit = append(s.unit, v/largest) // this scaled vector has a norm that cannot overflow
	}
	floats.Scale(1/floats.Norm(s.unit, 2), s.unit)
	for i, l := range d.Labels {
		y := 0.0
		for j, u := range s.unit {
			y += u * d.X.At(i, j)
		}
		s.y, s.class = append(s.y, round9(y)), append(s.class, float64(l))
	}
	lo, hi := floats.Min(s.y), floats.Max(s.y)
	if !allFinite(lo, hi) {
		return nil, fmt.Errorf("the projection on %q overflows; choose other units", w.Name)
	}
	if isRoundingError(lo, hi) {
		lo, hi = withMargin(lo, hi)
	}
	for b := range bins + 1 {
		s.edge = append(s.edge, round9(lo+(hi-lo)*float64(b)/float64(bins)))
	}
	for k := range s.counts {
		s.counts[k] = make([]float64, bins)
	}
	for i, y := range s.y {
		b := sort.Search(bins-1, func(b int) bool { return y < s.edge[b+1] })
		s.counts[d.Labels[i]][b]++
	}
	return s, nil
}

// lineThrough returns the end points of a line through the centre of the box b, parallel to the
// direction. If `across` is true, the line is instead perpendicular to the direction, its points have
// the projection y, and it may miss the box.
func (s *projection) lineThrough(b box, y float64, across bool) []xy {
	w, h := b.size()
	reach := math.Hypot(w, h)
	cx, cy := (b.x[0]+b.x[1])/2, (b.y[0]+b.y[1])/2
	u := xy{X: s.unit[0], Y: s.unit[1]}
	if across { // start at the centre of the box, projected onto the line wᵀx/‖w‖ = y
		off := y - (u.X*cx + u.Y*cy)
		cx, cy = cx+off*u.X, cy+off*u.Y
		u = xy{X: -u.Y, Y: u.X}
	}
	return []xy{{X: round9(cx - reach*u.X), Y: round9(cy - reach*u.Y)},
		{X: round9(cx + reach*u.X), Y: round9(cy + reach*u.Y)}}
}

// drawScatter draws the points of the data, the direction as an arrow, and the thresholds.
func (s *projection) drawScatter(d *datasets.Dataset) (panel, error) {
	b, err := newBox(d, [2]float64{}, [2]float64{})
	if err != nil {
		return panel{}, err
	}
	if w, h := b.size(); w < 5*h && h < 5*w { // extend the shorter range, so that the frame is not too narrow
		const least = 0.85
		widen(&b.y, least*w)
		widen(&b.x, h)
	}
	p := b.panel(label(d.FeatureNames[0]), label(d.FeatureNames[1]))
	for k, pts := range points(d) {
		p.add(pointLayer{pts, classGlyph(hueIn(s.hues, k), 0.8*markerSize)})
	}
	line := lineLayer{[][]xy{s.lineThrough(b, 0, false)}, draw.LineStyle{Color: softInk, Width: thinWidth}}
	w, h := b.size()
	reach := 0.2 * min(w, h)
	cx, cy := (b.x[0]+b.x[1])/2, (b.y[0]+b.y[1])/2
	arrow := arrowLayer{from: xy{X: cx, Y: cy},
		to:    xy{X: round9(cx + reach*s.unit[0]), Y: round9(cy + reach*s.unit[1])},
		style: draw.LineStyle{Color: ink, Width: lineWidth}, head: 8}
	p.add(line, arrow)
	for _, t := range s.Thresholds {
		p.add(lineLayer{[][]xy{s.lineThrough(b, t, true)}, thresholdStyle})
	}
	return p, nil
}

// widen extends a range on both sides so that its length is at least `span`.
func widen(r *[2]float64, span float64) {
	if more := (span - (r[1] - r[0])) / 2; more > 0 {
		r[0], r[1] = round9(r[0]-more), round9(r[1]+more)
	}
}

// addNumbers adds the numbers of the projection to the Data of a figure.
func (s *projection) addNumbers(f *Figure) {
	name := plainText(s.Name)
	f.AddData(name+".y", s.y)
	f.AddData(name+".class", s.class)
	f.AddData(name+".edge", s.edge)
	for k, c := range s.counts {
		f.AddData(name+".count"+strconv.Itoa(k), c)
	}
	f.AddData(name+".threshold", s.Thresholds)
	if len(s.counts) == 2 {
		f.AddData(name+".fisher", []float64{s.fisher()})
		f.AddData(name+".overlap", []float64{s.overlap()})
	}
}

// fisher returns (m₂−m₁)²/(s₁²+s₂²) for two classes. The scatters s₁² and s₂² are sums (4.24), not
// means. If a class has no rows, or if the scatters are so small that they can be rounding errors,
// fisher returns NaN.
func (s *projection) fisher() float64 {
	var n, mean, scatter [2]float64
	for i, y := range s.y {
		k := int(s.class[i])
		n[k]++
		mean[k] += y
	}
	for k := range mean {
		mean[k] /= n[k]
	}
	for i, y := range s.y {
		k := int(s.class[i])
		scatter[k] += (y - mean[k]) * (y - mean[k])
	}
	size := max(math.Abs(s.edge[0]), math.Abs(s.edge[len(s.edge)-1]))
	if spread := math.Sqrt((scatter[0] + scatter[1]) / (n[0] + n[1])); spread < 1e-12*size { // rounding error
		return math.NaN()
	}
	return (mean[1] - mean[0]) / (scatter[0] + scatter[1]) * (mean[1] - mean[0])
}

// overlap returns the area that the histograms of two classes have in common. Each histogram is
// first scaled to area 1. It returns NaN if a class has no rows.
func (s *projection) overlap() float64 {
	sum, n0, n1 := 0.0, floats.Sum(s.counts[0]), floats.Sum(s.counts[1])
	for b, v := range s.counts[0] {
		sum += min(v/n0, s.counts[1][b]/n1)
	}
	return sum
}

// histogramTint returns the colour of the histogram bars of a class with hue k.
func histogramTint(k int) color.NRGBA { return mix(paper, ClassColor(k), 0.4) }

// drawHistogram draws the bars and the outline of each class's histogram, and the thresholds. Where
// bars overlap, it draws a mixture of their colours. The argument `most` is the largest count in the
// histograms of all directions.
func (s *projection) drawHistogram(most float64) panel {
	p := newPanel("$y = \\mathbf{w}^{\\text{T}}\\mathbf{x}/\\|\\mathbf{w}\\|$", "points in a bin")
	p.X.Min, p.X.Max = withMargin(s.edge[0], s.edge[len(s.edge)-1])
	p.Y.Min, p.Y.Max = 0, 1.08*most
	p.Y.Tick.Marker = countTicks{}
	k := len(s.counts)
	bars := map[string]*areaLayer{} // the key is the list of the classes whose bars overlap
	for b := range len(s.edge) - 1 {
		from := 0.0
		order := sortedIndices(k, func(c int) float64 { return s.counts[c][b] })
		for i, c := range order { // draw the parts from below: up to the height of the shortest bar, all bars overlap
			v := s.counts[c][b]
			if v == from {
				continue
			}
			high := slices.Clone(order[i:])
			slices.Sort(high)
			key := fmt.Sprint(high)
			if bars[key] == nil {
				bars[key] = &areaLayer{color: s.mixedColor(high)}
			}
			bars[key].rings = append(bars[key].rings, rectangle(s.edge[b], from, s.edge[b+1], v))
			from = v
		}
	}
	for _, key := range slices.Sorted(maps.Keys(bars)) {
		p.add(*bars[key])
	}
	for c, counts := range s.counts {
		p.add(lineLayer{s.outline(counts), draw.LineStyle{Color: ClassColor(hueIn(s.hues, c)), Width: 1.1}})
	}
	for _, t := range s.Thresholds {
		p.add(lineLayer{[][]xy{{{X: round9(t), Y: 0}, {X: round9(t), Y: p.Y.Max}}}, thresholdStyle})
	}
	return p
}

// mixedColor returns the colour of the overlapping bars of the given classes.
func (s *projection) mixedColor(classes []int) color.NRGBA {
	out := histogramTint(hueIn(s.hues, classes[0]))
	for n, c := range classes[1:] {
		out = mix(out, histogramTint(hueIn(s.hues, c)), 1/float64(n+2))
	}
	if len(classes) > 1 {
		out = mix(out, ink, 0.15)
	}
	return out
}

var thresholdStyle = draw.LineStyle{Color: ink, Width: 1.3, Dashes: dash(1)}

// outline returns the outline of a histogram. Where bins are empty, the outline is interrupted.
func (s *projection) outline(counts []float64) (runs [][]xy) {
	var run []xy
	for b, v := range counts {
		if v > 0 {
			if run == nil {
				run = []xy{{X: s.edge[b], Y: 0}}
			}
			run = append(run, xy{X: s.edge[b], Y: v}, xy{X: s.edge[b+1], Y: v})
		}
		if run != nil && (v == 0 || b == len(counts)-1) {
			runs = append(runs, append(run, xy{X: run[len(run)-1].X, Y: 0}))
			run = nil
		}
	}
	return runs
}
