package canvas

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"html"
	"image"
	"image/color"
	"image/png"
	"strconv"
)

// SVG collects an SVG document. It holds no text elements, fonts, scripts or
// identifiers: any viewer draws the same, and two documents can stand in one
// page.
type SVG struct {
	w, h  float64
	title string
	body  bytes.Buffer
	err   error
}

// NewSVG returns an empty document of w×h points; title is what a screen reader
// says.
func NewSVG(w, h float64, title string) *SVG { return &SVG{w: w, h: h, title: title} }

// Bytes returns the finished document.
func (s *SVG) Bytes() ([]byte, error) {
	if s.err != nil {
		return nil, s.err
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%spt" height="%spt" viewBox="0 0 %s %s" role="img" stroke-linejoin="round">`+"\n",
		num(s.w), num(s.h), num(s.w), num(s.h))
	if s.title != "" {
		fmt.Fprintf(&b, "<title>%s</title>\n", html.EscapeString(s.title))
	}
	b.Write(s.body.Bytes())
	b.WriteString("</svg>\n")
	return b.Bytes(), nil
}

// Fill implements Sink.
func (s *SVG) Fill(p []Segment, c color.NRGBA, label string) {
	fmt.Fprintf(&s.body, `<path fill="%s"%s`, hex(c), opacity("fill", c))
	if label != "" {
		fmt.Fprintf(&s.body, ` aria-label="%s"`, html.EscapeString(label))
	}
	fmt.Fprintf(&s.body, ` d="%s"/>`+"\n", s.data(p))
}

// Stroke implements Sink.
func (s *SVG) Stroke(p []Segment, st Stroke) {
	fmt.Fprintf(&s.body, `<path fill="none" stroke="%s"%s stroke-width="%s"`, hex(st.Color), opacity("stroke", st.Color), num(st.Width))
	if len(st.Dash) > 0 {
		s.body.WriteString(` stroke-dasharray="`)
		for i, d := range st.Dash {
			if i > 0 {
				s.body.WriteByte(' ')
			}
			s.body.WriteString(num(d))
		}
		s.body.WriteByte('"')
	}
	fmt.Fprintf(&s.body, ` d="%s"/>`+"\n", s.data(p))
}

// Image implements Sink.
func (s *SVG) Image(lo, hi Point, img image.Image) {
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		s.err = err
		return
	}
	fmt.Fprintf(&s.body, `<image x="%s" y="%s" width="%s" height="%s" preserveAspectRatio="none" href="data:image/png;base64,%s"/>`+"\n",
		num(lo.X), num(s.h-hi.Y), num(hi.X-lo.X), num(hi.Y-lo.Y), base64.StdEncoding.EncodeToString(b.Bytes()))
}

var svgLetter = [...]byte{Move: 'M', Line: 'L', Quad: 'Q', Cubic: 'C', Close: 'Z'}

// data returns p as a path's d attribute; SVG's y points down.
func (s *SVG) data(p []Segment) string {
	var b []byte
	for _, seg := range p {
		b = append(b, svgLetter[seg.Kind])
		for i := range points(seg.Kind) {
			if i > 0 {
				b = append(b, ' ')
			}
			b = append(b, num(seg.P[i].X)...)
			b = append(b, ' ')
			b = append(b, num(s.h-seg.P[i].Y)...)
		}
	}
	return string(b)
}

// points returns how many points a segment of this kind has.
func points(k Kind) int {
	switch k {
	case Move, Line:
		return 1
	case Quad:
		return 2
	case Cubic:
		return 3
	}
	return 0
}

// num writes a length with at most two decimals.
func num(x float64) string { return strconv.FormatFloat(round(x), 'f', -1, 64) }

func hex(c color.NRGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }

func opacity(what string, c color.NRGBA) string {
	if c.A == 255 {
		return ""
	}
	return fmt.Sprintf(` %s-opacity="%s"`, what, strconv.FormatFloat(float64(c.A)/255, 'f', 3, 64))
}
