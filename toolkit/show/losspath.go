package show

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg/draw"
)

// addPath draws the i-th path.
func (p *planePlot) addPath(t Path, i, wi, wj int) {
	var xs, ys, es []float64
	for _, s := range t.Trace {
		xs, ys, es = append(xs, round9(s.W[wi])), append(ys, round9(s.W[wj])), append(es, s.E)
	}
	pts := polyline(xs, ys)
	line := lineLayer{[][]xy{pts}, lineStyle(i)}
	line.style.Width = 1.3
	dot := draw.GlyphStyle{Color: line.style.Color, Radius: 1.7, Shape: dotGlyph{}}
	start, end := dot, dot
	start.Radius, start.Shape = 3, glyph{outline: circle, symbol: "circle"}
	end.Radius, end.Shape = 3.2, marker(1)
	thumbs := []plot.Thumbnailer{line}
	p.panel.Add(line)
	if len(pts) <= 200 { // more would be a thick line
		p.panel.Add(pointLayer{pts[min(1, len(pts)-1):max(1, len(pts)-1)], dot})
		thumbs = append(thumbs, pointLayer{style: dot})
	}
	p.panel.Add(pointLayer{pts[len(pts)-1:], end}, pointLayer{pts[:1], start})
	p.AddLegend(t.Name, thumbs...)
	name := plain(t.Name)
	p.AddData(name+".x", xs)
	p.AddData(name+".y", ys)
	p.AddData(name+".E", es)
}

// pathBox returns the ranges given, or those of the paths, checked.
func pathBox(o LossOptions, paths []Path) (box, error) {
	for _, t := range paths {
		if len(t.Trace) == 0 {
			return box{}, fmt.Errorf("the trace of %q is empty; draw the Trace field of a fitted model", t.Name)
		}
		for n, s := range t.Trace {
			if len(s.W) != len(o.At) {
				return box{}, fmt.Errorf("iteration %d of %q has %d weights; there are %d", n, t.Name, len(s.W), len(o.At))
			}
			if v := s.W[o.I] + s.W[o.J]; math.IsNaN(v) || math.IsInf(v, 0) {
				return box{}, fmt.Errorf("iteration %d of %q has the weights %v and %v; the fit did not stay finite", n, t.Name, s.W[o.I], s.W[o.J])
			}
		}
	}
	return boxOr(o.X, o.Y, func(j int, name string) (lo, hi float64, err error) {
		if len(paths) == 0 {
			return 0, 0, fmt.Errorf("nothing says where to look; give the option %s a range, or a path", name)
		}
		lo, hi = math.Inf(1), math.Inf(-1)
		for _, t := range paths {
			for _, s := range t.Trace {
				v := s.W[[]int{o.I, o.J}[j]]
				lo, hi = min(lo, v), max(hi, v)
			}
		}
		return lo - 0.25*(hi-lo), hi + 0.25*(hi-lo), nil
	})
}

// lossLevels returns the levels given, or levels whose distance from the
// smallest value grows as the square: evenly spaced contours of a parabola.
func lossLevels(h *height, levels []float64) ([]float64, error) {
	for i, v := range levels {
		if math.IsNaN(v) || math.IsInf(v, 0) || i > 0 && v <= levels[i-1] {
			return nil, fmt.Errorf("option Levels is %v; levels must be finite and rise", levels)
		}
	}
	if len(levels) > 0 {
		return levels, nil
	}
	lo, hi, ok := h.extremes()
	if !ok {
		return nil, errors.New("the objective is infinite everywhere; choose other ranges X and Y")
	}
	const n = 16
	if hi-lo <= 1e-9*max(math.Abs(lo), math.Abs(hi)) { // flat: nothing to draw between
		return nil, nil
	}
	for i := range n {
		t := (float64(i) + 0.5) / n
		levels = append(levels, round9(lo+(hi-lo)*t*t))
	}
	return levels, nil
}
