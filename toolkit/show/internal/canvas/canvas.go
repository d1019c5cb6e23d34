// Package canvas turns what gonum/plot draws into files whose bytes depend on
// the drawing alone.
//
// A [Canvas] resolves every transformation, draws text as the outlines of its
// glyphs and rounds every coordinate to 1/100 point. What reaches a [Sink] is
// paths, strokes and images in points, origin at the bottom left: little enough
// that the SVG, PDF and PNG sinks stay short and agree with one another.
package canvas

import (
	"image"
	"image/color"
	"math"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
)

// A Sink receives finished drawing operations. Coordinates are points,
// y upwards, already rounded.
type Sink interface {
	// Fill fills p by the non-zero winding rule. If label is not empty, p is
	// the outline of that text.
	Fill(p []Segment, c color.NRGBA, label string)
	// Stroke draws a line along p.
	Stroke(p []Segment, s Stroke)
	// Image draws img, smoothed, into the rectangle with lower left corner min
	// and upper right corner max.
	Image(min, max Point, img image.Image)
}

// A Point is a place on the page, in points.
type Point struct{ X, Y float64 }

// Kind says what a [Segment] does.
type Kind byte

// The kinds of segment, with how many of its points each uses.
const (
	Move  Kind = iota // 1
	Line              // 1
	Quad              // 2: control, end
	Cubic             // 3: control, control, end
	Close             // 0
)

// A Segment is one piece of a path.
type Segment struct {
	Kind Kind
	P    [3]Point
}

// end returns the last point of s.
func (s Segment) end() Point { return s.P[max(0, points(s.Kind)-1)] }

// A Stroke is a line style with lengths in points. A nil Dash is a solid line.
type Stroke struct {
	Color color.NRGBA
	Width float64
	Dash  []float64
}

// Canvas implements vg.Canvas on a Sink.
type Canvas struct {
	sink  Sink
	w, h  vg.Length
	state state
	stack []state
}

var _ vg.CanvasSizer = (*Canvas)(nil)

type state struct {
	m     matrix
	color color.NRGBA
	width vg.Length
	dash  []vg.Length
}

// matrix maps (x, y) to (a x + c y + e, b x + d y + f).
type matrix struct{ a, b, c, d, e, f float64 }

// New returns a canvas of w×h points drawing into sink. Everything drawn is
// magnified scale times, so that the drawing sees a page of w/scale × h/scale.
func New(w, h vg.Length, scale float64, sink Sink) *Canvas {
	c := &Canvas{sink: sink, w: w / vg.Length(scale), h: h / vg.Length(scale)}
	c.state.m = matrix{a: scale, d: scale}
	vg.Initialize(c)
	return c
}

// Size returns the size of the page as the drawing sees it.
func (c *Canvas) Size() (w, h vg.Length) { return c.w, c.h }

// SetLineWidth sets the width of later strokes.
func (c *Canvas) SetLineWidth(w vg.Length) { c.state.width = w }

// SetLineDash sets the dashes of later strokes; the offset is not used by the
// house style and is ignored.
func (c *Canvas) SetLineDash(pattern []vg.Length, _ vg.Length) { c.state.dash = pattern }

// SetColor sets the colour of later fills and strokes; nil is black.
func (c *Canvas) SetColor(clr color.Color) {
	if clr == nil {
		clr = color.Black
	}
	c.state.color = color.NRGBAModel.Convert(clr).(color.NRGBA)
}

// Rotate turns what is drawn later by rad, anticlockwise.
func (c *Canvas) Rotate(rad float64) {
	sin, cos := math.Sincos(rad)
	c.state.m = c.state.m.mul(matrix{a: cos, b: sin, c: -sin, d: cos})
}

// Translate moves what is drawn later by pt.
func (c *Canvas) Translate(pt vg.Point) {
	c.state.m = c.state.m.mul(matrix{a: 1, d: 1, e: pt.X.Points(), f: pt.Y.Points()})
}

// Scale magnifies what is drawn later.
func (c *Canvas) Scale(x, y float64) { c.state.m = c.state.m.mul(matrix{a: x, d: y}) }

// Push saves colour, line style and transformation.
func (c *Canvas) Push() { c.stack = append(c.stack, c.state) }

// Pop restores what the matching Push saved.
func (c *Canvas) Pop() {
	c.state = c.stack[len(c.stack)-1]
	c.stack = c.stack[:len(c.stack)-1]
}

// Fill fills p.
func (c *Canvas) Fill(p vg.Path) {
	if s := c.state.m.path(p); len(s) > 0 && c.state.color.A > 0 {
		c.sink.Fill(s, c.state.color, "")
	}
}

// Stroke draws a line along p.
func (c *Canvas) Stroke(p vg.Path) {
	s := c.state.m.path(p)
	if len(s) == 0 || c.state.width <= 0 || c.state.color.A == 0 {
		return
	}
	k := c.state.m.magnification()
	st := Stroke{Color: c.state.color, Width: round(c.state.width.Points() * k)}
	for _, d := range c.state.dash {
		st.Dash = append(st.Dash, round(d.Points()*k))
	}
	c.sink.Stroke(s, st)
}

// FillString draws text with its baseline starting at pt.
func (c *Canvas) FillString(f font.Face, pt vg.Point, text string) {
	if f.Font.Size <= 0 || text == "" || f.Face == nil {
		return
	}
	m := c.state.m.mul(matrix{a: 1, d: 1, e: pt.X.Points(), f: pt.Y.Points()})
	if s := outline(f, text, m); len(s) > 0 {
		c.sink.Fill(s, c.state.color, text)
	}
}

// DrawImage draws img into rect. The image must not be rotated.
func (c *Canvas) DrawImage(rect vg.Rectangle, img image.Image) {
	c.sink.Image(c.state.m.apply(rect.Min.X.Points(), rect.Min.Y.Points()),
		c.state.m.apply(rect.Max.X.Points(), rect.Max.Y.Points()), img)
}

// mul returns the map that applies n first and m after it.
func (m matrix) mul(n matrix) matrix {
	return matrix{
		a: m.a*n.a + m.c*n.b, b: m.b*n.a + m.d*n.b,
		c: m.a*n.c + m.c*n.d, d: m.b*n.c + m.d*n.d,
		e: m.a*n.e + m.c*n.f + m.e, f: m.b*n.e + m.d*n.f + m.f,
	}
}

func (m matrix) apply(x, y float64) Point {
	return Point{round(m.a*x + m.c*y + m.e), round(m.b*x + m.d*y + m.f)}
}

func (m matrix) magnification() float64 { return math.Sqrt(math.Abs(m.a*m.d - m.b*m.c)) }

// round keeps 1/100 point (3.5 µm on paper): finer than any printer or screen,
// coarse enough to swallow differences in the last bits of a float64. Adding
// zero turns −0 into 0.
func round(x float64) float64 { return math.Round(x*100)/100 + 0 }
