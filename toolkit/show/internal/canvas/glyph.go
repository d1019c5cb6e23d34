package canvas

import (
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"gonum.org/v1/plot/font"
)

// Nabla is drawn as an inverted capital delta: the fonts that come with
// gonum/plot do not have it.
const Nabla = '∇'

// substitute returns the rune whose glyph stands for r, and whether it stands
// on its head.
func substitute(r rune) (rune, bool) {
	if r == Nabla {
		return 'Δ', true
	}
	return r, false
}

// Width returns the length of text set in f, in points, with the same
// substitutions and kerning as when it is drawn.
func Width(f font.Face, text string) float64 {
	if f.Face == nil {
		return 0
	}
	return layout(f, text, nil)
}

// outline returns the outlines of text, baseline at the origin, mapped by m.
func outline(f font.Face, text string, m matrix) []Segment {
	var (
		out   []Segment
		buf   sfnt.Buffer
		upem  = fixed.Int26_6(f.Face.UnitsPerEm())
		scale = f.Font.Size.Points() / float64(upem)
	)
	layout(f, text, func(r rune, x float64) {
		sub, flip := substitute(r)
		index, err := f.Face.GlyphIndex(&buf, sub)
		if err != nil {
			return
		}
		// At ppem = units per em, the 26.6 numbers are font units.
		segs, err := f.Face.LoadGlyph(&buf, index, upem, nil)
		if err != nil {
			return // a glyph without an outline: a space
		}
		top := 0.0
		if flip {
			for _, s := range segs {
				top = max(top, -float64(s.Args[0].Y))
			}
		}
		at := func(p fixed.Point26_6) Point {
			y := -float64(p.Y)
			if flip {
				y = top - y
			}
			return m.apply(x+float64(p.X)*scale, y*scale)
		}
		for i, s := range segs {
			switch s.Op {
			case sfnt.SegmentOpMoveTo:
				if i > 0 {
					out = append(out, Segment{Kind: Close})
				}
				out = append(out, Segment{Move, [3]Point{at(s.Args[0])}})
			case sfnt.SegmentOpLineTo:
				out = append(out, Segment{Line, [3]Point{at(s.Args[0])}})
			case sfnt.SegmentOpQuadTo:
				out = append(out, Segment{Quad, [3]Point{at(s.Args[0]), at(s.Args[1])}})
			case sfnt.SegmentOpCubeTo:
				out = append(out, Segment{Cubic, [3]Point{at(s.Args[0]), at(s.Args[1]), at(s.Args[2])}})
			}
		}
		if len(segs) > 0 {
			out = append(out, Segment{Kind: Close})
		}
	})
	return out
}

// layout calls place (if not nil) with the position in points of each rune of
// text and returns the width of the whole.
func layout(f font.Face, text string, place func(r rune, x float64)) float64 {
	var (
		buf   sfnt.Buffer
		upem  = fixed.Int26_6(f.Face.UnitsPerEm())
		scale = f.Font.Size.Points() / float64(upem)
		pos   int
		prev  sfnt.GlyphIndex
		first = true
	)
	for _, r := range text {
		sub, _ := substitute(r)
		index, err := f.Face.GlyphIndex(&buf, sub)
		if err != nil {
			continue
		}
		if !first {
			if k, err := f.Face.Kern(&buf, prev, index, upem, 0); err == nil {
				pos += int(k)
			}
		}
		if place != nil {
			place(r, float64(pos)*scale)
		}
		if adv, err := f.Face.GlyphAdvance(&buf, index, upem, 0); err == nil {
			pos += int(adv)
		}
		prev, first = index, false
	}
	return float64(pos) * scale
}
