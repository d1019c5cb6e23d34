package show

import (
	"image/color"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// hatchLayer fills rings with a tint and parallel lines, so that they stand out
// in a grey print. Points inside an odd number of rings are inside.
type hatchLayer struct {
	rings   [][]plotter.XY
	tint    color.NRGBA
	style   draw.LineStyle
	slope   float64   // +1 rising, −1 falling lines
	spacing vg.Length // across
}

// Plot implements plot.Plotter.
func (l hatchLayer) Plot(c draw.Canvas, p *plot.Plot) {
	if recorded(c, l) {
		return
	}
	x, y := p.Transforms(&c)
	rings := make([][]vg.Point, len(l.rings))
	for i, r := range l.rings {
		for _, q := range r {
			rings[i] = append(rings[i], vg.Point{X: x(q.X), Y: y(q.Y)})
		}
	}
	areaLayer{l.rings, l.tint}.Plot(c, p)
	l.hatch(&c, rings)
}

// hatch draws the lines u = y − slope·x = constant inside the rings. The lines
// pass through the origin of the page, so that those of neighbouring panels and
// regions agree.
func (l hatchLayer) hatch(c *draw.Canvas, rings [][]vg.Point) {
	m := vg.Length(l.slope)
	step := l.spacing * 1.41421356
	if len(rings) == 0 {
		return
	}
	lo, hi := vg.Length(1e9), vg.Length(-1e9)
	for _, r := range rings {
		for _, q := range r {
			lo, hi = min(lo, q.Y-m*q.X), max(hi, q.Y-m*q.X)
		}
	}
	for n := int(lo/step) - 1; vg.Length(n)*step < hi; n++ {
		u := vg.Length(n) * step
		var xs []vg.Length
		for _, r := range rings {
			for i, a := range r {
				b := r[(i+1)%len(r)]
				ua, ub := a.Y-m*a.X-u, b.Y-m*b.X-u
				if (ua < 0) != (ub < 0) {
					xs = append(xs, a.X+(b.X-a.X)*ua/(ua-ub))
				}
			}
		}
		slices.Sort(xs)
		for i := 0; i+1 < len(xs); i += 2 {
			c.StrokeLine2(l.style, xs[i], u+m*xs[i], xs[i+1], u+m*xs[i+1])
		}
	}
}

// Thumbnail implements plot.Thumbnailer.
func (l hatchLayer) Thumbnail(c *draw.Canvas) {
	c.SetColor(l.tint)
	c.Fill(c.Rectangle.Path())
	l.hatch(c, [][]vg.Point{{c.Min, {X: c.Max.X, Y: c.Min.Y}, c.Max, {X: c.Min.X, Y: c.Max.Y}}})
}
