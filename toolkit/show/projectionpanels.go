package show

import (
	"cmp"
	"image/color"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg/draw"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
)

// along returns the end points of a line through the point at y along the
// direction, at right angles to it if across, that cuts through b.
func (s *shadow) along(b box, y float64, across bool) []xy {
	w, h := b.size()
	reach := math.Hypot(w, h)
	cx, cy := (b.x[0]+b.x[1])/2, (b.y[0]+b.y[1])/2
	u := xy{X: s.unit[0], Y: s.unit[1]}
	if across { // the foot of the centre on the line wᵀx = y
		off := y - (u.X*cx + u.Y*cy)
		cx, cy = cx+off*u.X, cy+off*u.Y
		u = xy{X: -u.Y, Y: u.X}
	}
	return []xy{{X: round9(cx - reach*u.X), Y: round9(cy - reach*u.Y)}, {X: round9(cx + reach*u.X), Y: round9(cy + reach*u.Y)}}
}

// scatter draws the points with the direction as an arrow and the thresholds.
func (s *shadow) scatter(d *datasets.Dataset) (*plot.Plot, error) {
	b, err := newBox(d, [2]float64{}, [2]float64{})
	if err != nil {
		return nil, err
	}
	if w, h := b.size(); w < 5*h && h < 5*w { // room on the shorter side, so that the frame is no strip
		const least = 0.85
		widen(&b.y, least*w)
		widen(&b.x, h)
	}
	p := b.panel(label(d.FeatureNames[0]), label(d.FeatureNames[1]))
	for k := range d.K() {
		var pts []plotter.XY
		for i, l := range d.Labels {
			if l == k {
				pts = append(pts, plotter.XY{X: round9(d.X.At(i, 0)), Y: round9(d.X.At(i, 1))})
			}
		}
		p.Add(pointLayer{pts, draw.GlyphStyle{Color: ClassColor(k), Radius: 0.8 * markerSize, Shape: marker(k)}})
	}
	line := lineLayer{[][]xy{s.along(b, 0, false)}, draw.LineStyle{Color: softInk, Width: thinWidth}}
	w, h := b.size()
	reach := 0.2 * min(w, h)
	cx, cy := (b.x[0]+b.x[1])/2, (b.y[0]+b.y[1])/2
	arrow := arrowLayer{from: xy{X: cx, Y: cy}, to: xy{X: round9(cx + reach*s.unit[0]), Y: round9(cy + reach*s.unit[1])},
		style: draw.LineStyle{Color: ink, Width: lineWidth}, head: 8}
	p.Add(line, arrow)
	for _, t := range s.Thresholds {
		p.Add(lineLayer{[][]xy{s.along(b, t, true)}, thresholdStyle})
	}
	return p, nil
}

// widen makes a range at least span wide, around its middle.
func widen(r *[2]float64, span float64) {
	if more := (span - (r[1] - r[0])) / 2; more > 0 {
		r[0], r[1] = round9(r[0]-more), round9(r[1]+more)
	}
}

// histogramTint is the colour of the bars of class k.
func histogramTint(k int) color.NRGBA { return mix(paper, ClassColor(k), 0.4) }

// histogram draws the bars of each class. In each bin the shorter bars stand in
// front of the longer ones, so that all can be seen.
func (s *shadow) histogram(most float64) *plot.Plot {
	p := newPlot("$y = \\mathbf{w}^{\\text{T}}\\mathbf{x}/\\|\\mathbf{w}\\|$", "rows in a bin")
	p.X.Min, p.X.Max = padded(s.edge[0], s.edge[len(s.edge)-1])
	p.Y.Min, p.Y.Max = 0, 1.08*max(1, most)
	p.Y.Tick.Marker = countTicks{}
	k := len(s.counts)
	bars := make([]areaLayer, k*k) // by rank, the longest first, then by class
	for b := range len(s.edge) - 1 {
		order := make([]int, k)
		for c := range order {
			order[c] = c
		}
		slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(s.counts[j][b], s.counts[i][b]) })
		for rank, c := range order {
			if v := s.counts[c][b]; v > 0 {
				lo, hi := s.edge[b], s.edge[b+1]
				at := &bars[rank*k+c]
				at.rings = append(at.rings, []xy{{X: lo, Y: 0}, {X: hi, Y: 0}, {X: hi, Y: v}, {X: lo, Y: v}})
			}
		}
	}
	for i, l := range bars {
		l.color = histogramTint(i % k)
		p.Add(l)
	}
	for c, counts := range s.counts {
		p.Add(lineLayer{s.outline(counts), draw.LineStyle{Color: ClassColor(c), Width: 1.1}})
	}
	for _, t := range s.Thresholds {
		p.Add(lineLayer{[][]xy{{{X: round9(t), Y: 0}, {X: round9(t), Y: p.Y.Max}}}, thresholdStyle})
	}
	return p
}

var thresholdStyle = draw.LineStyle{Color: ink, Width: 1.3, Dashes: dash(1)}

// outline returns the steps around each run of bins that are not empty.
func (s *shadow) outline(counts []float64) (runs [][]xy) {
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

// addShadow adds the numbers of a projection.
func (f *Figure) addShadow(s *shadow) {
	name := plain(s.Name)
	class := make([]float64, len(s.class))
	for i, l := range s.class {
		class[i] = float64(l)
	}
	f.AddData(name+".y", s.y)
	f.AddData(name+".class", class)
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

// fisher returns (m₂−m₁)²/(s₁²+s₂²) of two classes, with the scatters s² that are
// sums (4.24); NaN if a class has no rows or nothing is scattered.
func (s *shadow) fisher() float64 {
	var n, mean, scatter [2]float64
	for i, y := range s.y {
		n[s.class[i]]++
		mean[s.class[i]] += y
	}
	for k := range mean {
		mean[k] /= n[k]
	}
	for i, y := range s.y {
		k := s.class[i]
		scatter[k] += (y - mean[k]) * (y - mean[k])
	}
	size := max(math.Abs(s.edge[0]), math.Abs(s.edge[len(s.edge)-1]))
	if spread := math.Sqrt((scatter[0] + scatter[1]) / (n[0] + n[1])); spread < 1e-12*size { // rounding
		return math.NaN()
	}
	return (mean[1] - mean[0]) / (scatter[0] + scatter[1]) * (mean[1] - mean[0])
}

// overlap returns the area common to the histograms of two classes, each scaled
// to area 1; NaN if a class has no rows.
func (s *shadow) overlap() float64 {
	var n [2]float64
	for k, c := range s.counts {
		for _, v := range c {
			n[k] += v
		}
	}
	sum := 0.0
	for b, v := range s.counts[0] {
		sum += min(v/n[0], s.counts[1][b]/n[1])
	}
	return sum
}
