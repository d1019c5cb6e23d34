package canvas

import (
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
)

// Nabla is the symbol ∇. It is drawn as a capital delta upside down, because the fonts of gonum/plot
// do not contain it.
const Nabla = '∇'

// substitute returns the rune whose glyph is drawn for r. It also reports whether this glyph is
// drawn upside down.
func substitute(r rune) (rune, bool) {
	if r == Nabla {
		return 'Δ', true
	}
	return r, false
}

// Width returns the width that text has in the font f. It uses the same substitutions and kerning
// as the drawing.
func Width(f font.Face, text string) vg.Length {
	if f.Face == nil {
		return 0
	}
	return layout(f, text, nil)
}

// outline returns the outlines of the glyphs of `text`. The text begins at the origin, and the
// transformation m is applied to it.
func outline(f font.Face, text string, m matrix) vg.Path {
	var (
		out   vg.Path
		buf   sfnt.Buffer
		upem  = fixed.Int26_6(f.Face.UnitsPerEm())
		scale = f.Font.Size / vg.Length(upem)
	)
	layout(f, text, func(r rune, x vg.Length) {
		sub, flip := substitute(r)
		index, err := f.Face.GlyphIndex(&buf, sub)
		if err != nil {
			return
		}
		// Ask LoadGlyph for as many pixels per em as there are font units per em. The glyph's coordinates
		// are then in font units.
		segs, err := f.Face.LoadGlyph(&buf, index, upem, nil)
		if err != nil {
			return // draw nothing for a glyph that cannot be loaded
		}
		top := vg.Length(0)
		if flip {
			for _, s := range segs {
				top = max(top, -vg.Length(s.Args[0].Y))
			}
		}
		at := func(i int) vg.Point {
			p := segs[i/3].Args[i%3]
			y := -vg.Length(p.Y)
			if flip {
				y = top - y
			}
			return m.apply(x+vg.Length(p.X)*scale, y*scale)
		}
		for i, s := range segs {
			switch i *= 3; s.Op {
			case sfnt.SegmentOpMoveTo:
				if i > 0 {
					out.Close()
				}
				out.Move(at(i))
			case sfnt.SegmentOpLineTo:
				out.Line(at(i))
			case sfnt.SegmentOpQuadTo:
				out.QuadTo(at(i), at(i+1))
			case sfnt.SegmentOpCubeTo:
				out.CubeTo(at(i), at(i+1), at(i+2))
			}
		}
		if len(segs) > 0 {
			out.Close()
		}
	})
	return out
}

// layout returns the width of `text`. If `place` is not nil, layout also calls place(r, x) for each
// rune r, where x is the position of the rune in points.
func layout(f font.Face, text string, place func(r rune, x vg.Length)) vg.Length {
	var (
		buf   sfnt.Buffer
		upem  = fixed.Int26_6(f.Face.UnitsPerEm())
		scale = f.Font.Size / vg.Length(upem)
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
			place(r, vg.Length(pos)*scale)
		}
		if adv, err := f.Face.GlyphAdvance(&buf, index, upem, 0); err == nil {
			pos += int(adv)
		}
		prev, first = index, false
	}
	return vg.Length(pos) * scale
}
