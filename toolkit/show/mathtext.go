package show

import (
	"math"
	"strings"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
)

// formulas sets labels with formulas between dollar signs, as [NewPanel] describes
// them. It is the text handler of every panel.
type formulas struct{}

var _ text.Handler = formulas{}

// Cache returns the fonts of gonum/plot.
func (formulas) Cache() *font.Cache { return font.DefaultCache }

// Extents returns the extents of a font.
func (formulas) Extents(f font.Font) font.Extents {
	face := font.DefaultCache.Lookup(f, f.Size)
	return face.Extents()
}

// Lines splits at line breaks.
func (formulas) Lines(txt string) []string { return strings.Split(strings.TrimRight(txt, "\n"), "\n") }

// Box returns width, height above and depth below the baseline of one line.
func (m formulas) Box(txt string, f font.Font) (width, height, depth vg.Length) {
	_, width = typeset(txt, f)
	e := m.Extents(f)
	return width, e.Ascent, e.Descent
}

// Draw sets txt at pt.
func (m formulas) Draw(c vg.Canvas, txt string, sty text.Style, pt vg.Point) {
	if strings.TrimSpace(txt) == "" {
		return
	}
	c.SetColor(sty.Color)
	if sty.Rotation != 0 {
		c.Push()
		defer c.Pop()
		c.Rotate(sty.Rotation)
		sin, cos := math.Sincos(sty.Rotation)
		s, k := vg.Length(sin), vg.Length(cos)
		pt.X, pt.Y = pt.Y*s+pt.X*k, pt.Y*k-pt.X*s
	}
	sty.Handler = m
	lines := m.Lines(txt)
	// As gonum's plain handler places lines, so that panels mix well.
	y := pt.Y + sty.Height(txt)*vg.Length(sty.YAlign) - m.Extents(sty.Font).Ascent
	for i, line := range lines {
		runs, width := typeset(line, sty.Font)
		x := pt.X + vg.Length(sty.XAlign)*width
		up := vg.Length(len(lines)-i) * sty.Font.Size
		for _, r := range runs {
			c.FillString(font.DefaultCache.Lookup(r.face, r.face.Size), vg.Point{X: x + r.dx, Y: y + up + r.dy}, r.ink())
		}
	}
}

// unicodeText sets a label, which may hold formulas, in plain characters: subscripts
// and superscripts are raised and lowered where Unicode has them.
func unicodeText(s string) string {
	runs, _ := typeset(s, sans(10))
	var b strings.Builder
	for _, r := range runs {
		from, to := "", ""
		switch {
		case r.dy < 0:
			from, to = "0123456789+−=()aehijklmnoprstuvx", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ"
		case r.dy > 0:
			from, to = "0123456789+−=()inT", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁱⁿᵀ"
		}
		text, ok := translated(r.text, []rune(from), []rune(to))
		if !ok && r.dy > 0 && len([]rune(text)) > 1 {
			text = "^(" + text + ")" // e to the −1/2, not e − 1/2
		}
		b.WriteString(text)
	}
	return b.String()
}

// translated replaces each character of s that is in from by that of to, if all are,
// and reports whether they are.
func translated(s string, from, to []rune) (string, bool) {
	out := []rune(s)
	for i, c := range out {
		at := strings.IndexRune(string(from), c)
		if at < 0 {
			return s, len(from) == 0
		}
		out[i] = to[len([]rune(string(from)[:at]))]
	}
	return string(out), true
}
