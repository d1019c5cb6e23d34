package canvas

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"html"
	"image"
	"image/color"
	"image/png"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot/vg"
)

// SVG is a Sink that writes an SVG document. The document contains no text elements, fonts, scripts
// or identifiers. It therefore looks the same in every viewer, and the same page can contain
// several documents. On a page with a dark theme, the colours change as darkStyle describes.
type SVG struct {
	w, h  vg.Length
	title string
	body  bytes.Buffer
	used  map[string]map[color.NRGBA]bool // the colours drawn so far, without their opacity, by attribute ("fill" or "stroke")
	err   error
}

// NewSVG returns an empty document of w×h points. Screen readers read the title aloud.
func NewSVG(w, h vg.Length, title string) *SVG {
	return &SVG{w: w, h: h, title: title, used: map[string]map[color.NRGBA]bool{"fill": {}, "stroke": {}}}
}

// Bytes returns the finished document.
func (s *SVG) Bytes() ([]byte, error) {
	if s.err != nil {
		return nil, s.err
	}
	var b bytes.Buffer
	fmt.Fprintf(&b,
		`<svg xmlns="http://www.w3.org/2000/svg" width="%spt" height="%spt" viewBox="0 0 %s %s" role="img" stroke-linejoin="round">`+"\n",
		num(s.w), num(s.h), num(s.w), num(s.h))
	if s.title != "" {
		fmt.Fprintf(&b, "<title>%s</title>\n", html.EscapeString(s.title))
	}
	b.WriteString(darkStyle(s.used))
	b.Write(s.body.Bytes())
	b.WriteString("</svg>\n")
	return b.Bytes(), nil
}

// Fill implements Sink.
func (s *SVG) Fill(p vg.Path, c color.NRGBA, label string) {
	s.used["fill"][color.NRGBA{c.R, c.G, c.B, 255}] = true
	fmt.Fprintf(&s.body, `<path fill="%s"%s`, hex(c), opacity("fill", c))
	if label != "" {
		fmt.Fprintf(&s.body, ` aria-label="%s"`, html.EscapeString(label))
	}
	fmt.Fprintf(&s.body, ` d="%s"/>`+"\n", s.data(p))
}

// Stroke implements Sink.
func (s *SVG) Stroke(p vg.Path, st Stroke) {
	s.used["stroke"][color.NRGBA{st.Color.R, st.Color.G, st.Color.B, 255}] = true
	fmt.Fprintf(&s.body, `<path fill="none" stroke="%s"%s stroke-width="%s"`, hex(st.Color),
		opacity("stroke", st.Color), num(st.Width))
	if len(st.Dash) > 0 {
		s.body.WriteString(` stroke-dasharray="`)
		s.body.WriteString(nums(st.Dash...) + `"`)
	}
	fmt.Fprintf(&s.body, ` d="%s"/>`+"\n", s.data(p))
}

// Image implements Sink.
func (s *SVG) Image(r vg.Rectangle, img image.Image) {
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		s.err = err
		return
	}
	fmt.Fprintf(&s.body,
		`<image x="%s" y="%s" width="%s" height="%s" preserveAspectRatio="none" href="data:image/png;base64,%s"/>`+"\n",
		num(r.Min.X), num(s.h-r.Max.Y), num(r.Size().X), num(r.Size().Y), base64.StdEncoding.EncodeToString(b.Bytes()))
}

// data returns the attribute d of a path element for the path p. It flips the y axis, which points
// down in SVG.
func (s *SVG) data(p vg.Path) string {
	var b strings.Builder
	for _, comp := range p {
		if comp.Type == vg.CloseComp {
			b.WriteByte('Z')
			continue
		}
		letter, at := 'L', make([]vg.Length, 0, 6)
		for _, q := range append(slices.Clip(comp.Control), comp.Pos) {
			at = append(at, q.X, s.h-q.Y)
		}
		switch {
		case comp.Type == vg.MoveComp:
			letter = 'M'
		case comp.Type == vg.CurveComp:
			letter = []rune{'Q', 'C'}[len(comp.Control)-1]
		}
		b.WriteRune(letter)
		b.WriteString(nums(at...))
	}
	return b.String()
}

// num writes a length with at most two decimals. nums writes several lengths.
func num(x vg.Length) string { return strconv.FormatFloat(float64(round(x)), 'f', -1, 64) }

func nums(x ...vg.Length) string {
	out := make([]string, len(x))
	for i, v := range x {
		out[i] = num(v)
	}
	return strings.Join(out, " ")
}

func hex(c color.NRGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }

func opacity(what string, c color.NRGBA) string {
	if c.A == 255 {
		return ""
	}
	return fmt.Sprintf(` %s-opacity="%s"`, what, strconv.FormatFloat(float64(c.A)/255, 'f', 3, 64))
}
