package show

import (
	"fmt"
	"image/color"
	"maps"
	"slices"

	"gonum.org/v1/plot/vg/draw"
)

// histogramTint is the colour of the bars of a class with this hue.
func histogramTint(k int) color.NRGBA { return mix(paper, ClassColor(k), 0.4) }

// histogram draws the bars of each class. Where the bars of several overlap their
// colours mix.
func (s *projection) histogram(most float64) panel {
	p := newPanel("$y = \\mathbf{w}^{\\text{T}}\\mathbf{x}/\\|\\mathbf{w}\\|$", "points in a bin")
	p.X.Min, p.X.Max = padded(s.edge[0], s.edge[len(s.edge)-1])
	p.Y.Min, p.Y.Max = 0, 1.08*most
	p.Y.Tick.Marker = countTicks{}
	k := len(s.counts)
	bars := map[string]*areaLayer{} // by the classes that overlap
	for b := range len(s.edge) - 1 {
		from := 0.0
		order := ordered(k, func(c int) float64 { return s.counts[c][b] })
		for i, c := range order { // from below: the shortest bar overlaps all that are left
			v := s.counts[c][b]
			if v == from {
				continue
			}
			high := slices.Clone(order[i:])
			slices.Sort(high)
			key := fmt.Sprint(high)
			if bars[key] == nil {
				bars[key] = &areaLayer{color: s.mixed(high)}
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

// mixed is the colour in which the bars of these classes overlap.
func (s *projection) mixed(classes []int) color.NRGBA {
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

// outline returns the steps around each run of bins that are not empty.
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
