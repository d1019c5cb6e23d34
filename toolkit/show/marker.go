package show

import (
	"image/color"
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Markers differ in shape and in being full or open, not only in colour. Each is
// drawn on a thin border of paper, which keeps crowded points apart.

// marker returns the shape of class k.
func marker(k int) draw.GlyphDrawer { return markers[k%len(markers)] }

var markers = []draw.GlyphDrawer{
	glyph{outline: circle, full: true, symbol: "circle"},
	glyph{outline: strokes(0.9, [2]vg.Point{{X: -1, Y: -1}, {X: 1, Y: 1}}, [2]vg.Point{{X: -1, Y: 1}, {X: 1, Y: -1}}), symbol: "path://M-1,-1L1,1M-1,1L1,-1"},
	glyph{outline: polygon(3, math.Pi/2), full: true, size: 1.25, symbol: "triangle"},
	glyph{outline: polygon(4, math.Pi/4), size: 1.15, symbol: "rect"},
	glyph{outline: polygon(4, 0), full: true, size: 1.3, symbol: "diamond"},
	glyph{outline: strokes(1, [2]vg.Point{{X: -1}, {X: 1}}, [2]vg.Point{{Y: -1}, {Y: 1}}), size: 1.15, symbol: "path://M-1,0L1,0M0,-1L0,1"},
	glyph{outline: polygon(3, -math.Pi/2), size: 1.25, symbol: "path://M-1,-1L1,-1L0,1Z"},
}

// A glyph draws one marker: an outline that is filled, or stroked thickly.
type glyph struct {
	outline func(at vg.Point, r vg.Length) vg.Path
	full    bool
	size    vg.Length // times the radius; 0 is 1
	symbol  string    // its name in echarts, for interactive charts
}

// DrawGlyph implements draw.GlyphDrawer.
func (g glyph) DrawGlyph(c *draw.Canvas, sty draw.GlyphStyle, at vg.Point) {
	r := sty.Radius
	if g.size > 0 {
		r *= g.size
	}
	p := g.outline(at, r)
	stroke := func(clr color.Color, w vg.Length) {
		c.SetLineStyle(draw.LineStyle{Color: clr, Width: w})
		c.Stroke(p)
	}
	if g.full {
		stroke(paper, 1.2)
		c.SetColor(sty.Color)
		c.Fill(p)
		return
	}
	stroke(paper, 2.6)
	stroke(sty.Color, 1.4)
}

func circle(at vg.Point, r vg.Length) vg.Path {
	var p vg.Path
	p.Move(vg.Point{X: at.X + r, Y: at.Y})
	p.Arc(at, r, 0, 2*math.Pi)
	p.Close()
	return p
}

// polygon has n corners, the first in the direction turn.
func polygon(n int, turn float64) func(vg.Point, vg.Length) vg.Path {
	return func(at vg.Point, r vg.Length) vg.Path {
		var p vg.Path
		for i := range n {
			sin, cos := math.Sincos(turn + 2*math.Pi*float64(i)/float64(n))
			p.Line(vg.Point{X: at.X + r*vg.Length(cos), Y: at.Y + r*vg.Length(sin)})
		}
		p[0].Type = vg.MoveComp
		p.Close()
		return p
	}
}

// strokes draws lines between pairs of points, in units of the radius.
func strokes(scale vg.Length, ends ...[2]vg.Point) func(vg.Point, vg.Length) vg.Path {
	return func(at vg.Point, r vg.Length) vg.Path {
		var p vg.Path
		for _, e := range ends {
			p.Move(at.Add(e[0].Scale(scale * r)))
			p.Line(at.Add(e[1].Scale(scale * r)))
		}
		return p
	}
}

// ringGlyph is an open thin circle, to be drawn around other markers.
type ringGlyph struct{}

// DrawGlyph implements draw.GlyphDrawer.
func (ringGlyph) DrawGlyph(c *draw.Canvas, sty draw.GlyphStyle, at vg.Point) {
	c.SetLineStyle(draw.LineStyle{Color: sty.Color, Width: 0.9})
	c.Stroke(circle(at, sty.Radius))
}

// dotGlyph is a disc without a border.
type dotGlyph struct{}

// DrawGlyph implements draw.GlyphDrawer.
func (dotGlyph) DrawGlyph(c *draw.Canvas, sty draw.GlyphStyle, at vg.Point) {
	c.SetColor(sty.Color)
	c.Fill(circle(at, sty.Radius))
}
