// Package canvas writes files from the drawing commands of gonum/plot. The bytes of a file depend
// only on what is drawn.
//
// A [Canvas] applies every transformation, draws text as the outlines of its glyphs, and rounds
// every coordinate to 1/100 point. A [Sink] receives only filled paths, strokes and images. Their
// coordinates are in points, with the origin at the bottom left. The sinks for SVG, PDF and PNG can
// therefore be simple, and their pictures agree.
package canvas

import (
	"image"
	"image/color"
	"math"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
)

// A Sink receives drawing operations. The coordinates are in points, with the y axis upwards, and
// are already rounded. The paths do not contain arcs.
type Sink interface {
	// Fill fills the path p by the non-zero winding rule. If `label` is not empty, p is the
	// outline of this text.
	Fill(p vg.Path, c color.NRGBA, label string)
	// Stroke draws a line along p.
	Stroke(p vg.Path, s Stroke)
	// Image draws img into the rectangle and smooths it.
	Image(r vg.Rectangle, img image.Image)
}

// A Stroke is a line style. Width and Dash are in points. A nil Dash means a solid line.
type Stroke struct {
	Color color.NRGBA
	Width vg.Length
	Dash  []vg.Length
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
type matrix struct{ a, b, c, d, e, f vg.Length }

// New returns a canvas of w×h points that draws into sink. It magnifies everything by the factor
// `scale`, so the coordinates in drawing commands refer to a page of w/scale × h/scale points.
func New(w, h vg.Length, scale float64, sink Sink) *Canvas {
	c := &Canvas{sink: sink, w: w / vg.Length(scale), h: h / vg.Length(scale)}
	c.state.m = matrix{a: vg.Length(scale), d: vg.Length(scale)}
	vg.Initialize(c)
	return c
}

// Size returns the size of the page before magnification.
func (c *Canvas) Size() (w, h vg.Length) { return c.w, c.h }

// SetLineWidth sets the width of later strokes.
func (c *Canvas) SetLineWidth(w vg.Length) { c.state.width = w }

// SetLineDash sets the dashes of later strokes. It ignores the offset, which no figure uses.
func (c *Canvas) SetLineDash(pattern []vg.Length, _ vg.Length) { c.state.dash = pattern }

// SetColor sets the colour of later fills and strokes; nil means black.
func (c *Canvas) SetColor(clr color.Color) {
	if clr == nil {
		clr = color.Black
	}
	c.state.color = color.NRGBAModel.Convert(clr).(color.NRGBA)
}

// Rotate rotates everything that is drawn later by the angle rad, anticlockwise.
func (c *Canvas) Rotate(rad float64) {
	sin, cos := sincos(rad)
	c.state.m = c.state.m.mul(matrix{a: cos, b: sin, c: -sin, d: cos})
}

// Translate shifts all later drawing by pt.
func (c *Canvas) Translate(pt vg.Point) {
	c.state.m = c.state.m.mul(matrix{a: 1, d: 1, e: pt.X, f: pt.Y})
}

// Scale magnifies later drawing.
func (c *Canvas) Scale(x, y float64) {
	c.state.m = c.state.m.mul(matrix{a: vg.Length(x), d: vg.Length(y)})
}

// Push saves the colour, the line style and the transformation.
func (c *Canvas) Push() { c.stack = append(c.stack, c.state) }

// Pop restores the state that the matching Push saved.
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
	st := Stroke{Color: c.state.color, Width: round(c.state.width * k)}
	for _, d := range c.state.dash {
		st.Dash = append(st.Dash, round(d*k))
	}
	c.sink.Stroke(s, st)
}

// FillString draws text whose baseline begins at pt.
func (c *Canvas) FillString(f font.Face, pt vg.Point, text string) {
	if f.Font.Size <= 0 || text == "" || f.Face == nil {
		return
	}
	m := c.state.m.mul(matrix{a: 1, d: 1, e: pt.X, f: pt.Y})
	if s := outline(f, text, m); len(s) > 0 {
		c.sink.Fill(s, c.state.color, text)
	}
}

// DrawImage draws img into rect. It does not support a rotated canvas.
func (c *Canvas) DrawImage(rect vg.Rectangle, img image.Image) {
	c.sink.Image(vg.Rectangle{Min: c.state.m.apply(rect.Min.X, rect.Min.Y),
		Max: c.state.m.apply(rect.Max.X, rect.Max.Y)}, img)
}

// mul returns the map that applies first n and then m.
func (m matrix) mul(n matrix) matrix {
	return matrix{
		a: m.a*n.a + m.c*n.b, b: m.b*n.a + m.d*n.b,
		c: m.a*n.c + m.c*n.d, d: m.b*n.c + m.d*n.d,
		e: m.a*n.e + m.c*n.f + m.e, f: m.b*n.e + m.d*n.f + m.f,
	}
}

func (m matrix) apply(x, y vg.Length) vg.Point {
	return vg.Point{X: round(m.a*x + m.c*y + m.e), Y: round(m.b*x + m.d*y + m.f)}
}

func (m matrix) magnification() vg.Length {
	return vg.Length(math.Sqrt(math.Abs(float64(m.a*m.d - m.b*m.c))))
}

func sincos(rad float64) (sin, cos vg.Length) {
	s, c := math.Sincos(rad)
	return vg.Length(s), vg.Length(c)
}

// round rounds x to 1/100 point (3.5 µm on paper). This change is too small to be visible on paper or
// on a screen, but it removes differences in the last bits of a float64. The addition of zero
// converts −0 to 0.
func round(x vg.Length) vg.Length { return vg.Length(math.Round(float64(x)*100)/100) + 0 }

// path applies the transformation to the path p and converts circular arcs to cubic Bézier curves.
func (m matrix) path(p vg.Path) vg.Path {
	out := make(vg.Path, 0, len(p))
	for _, comp := range p {
		if comp.Type == vg.ArcComp {
			out = m.arc(out, comp)
			continue
		}
		moved := vg.PathComp{Type: comp.Type, Pos: m.apply(comp.Pos.X, comp.Pos.Y)}
		for _, q := range comp.Control {
			moved.Control = append(moved.Control, m.apply(q.X, q.Y))
		}
		out = append(out, moved)
	}
	return out
}

// arc appends an arc to a path. If the path is empty or closed, arc first appends a move to the start
// of the arc. Otherwise it first appends a line to the start of the arc, unless the path already ends
// there. It then divides the arc into the smallest number of equal parts that are at most a quarter
// turn, and appends one Bézier curve for each part. The control points lie on the tangents at the
// ends of the curve. Their distance from these ends is 4/3·tan(θ/4) times the radius, where θ is the
// angle of the curve. The curve then differs from the circle by at most 0.03 % of the radius.
func (m matrix) arc(out vg.Path, comp vg.PathComp) vg.Path {
	cx, cy, r := comp.Pos.X, comp.Pos.Y, comp.Radius
	n := max(1, int(math.Ceil(math.Abs(comp.Angle)/(math.Pi/2)-1e-9)))
	step := comp.Angle / float64(n)
	k := vg.Length(4.0/3*math.Tan(step/4)) * r
	sin, cos := sincos(comp.Start)
	start := m.apply(cx+r*cos, cy+r*sin)
	switch last := len(out) - 1; {
	case last < 0 || out[last].Type == vg.CloseComp:
		out.Move(start)
	case out[last].Pos != start:
		out.Line(start)
	}
	for i := 1; i <= n; i++ {
		s2, c2 := sincos(comp.Start + step*float64(i))
		out.CubeTo(m.apply(cx+r*cos-k*sin, cy+r*sin+k*cos), m.apply(cx+r*c2+k*s2, cy+r*s2-k*c2),
			m.apply(cx+r*c2, cy+r*s2))
		sin, cos = s2, c2
	}
	return out
}
