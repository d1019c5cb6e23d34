package show

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image/png"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg/draw"
)

// A chartSeries is one series of echarts, of the type line, scatter or custom; a
// custom one is drawn by the page's script, which knows the shapes.
type chartSeries struct {
	Type       string         `json:"type"`
	Name       string         `json:"name,omitempty"`
	XAxisIndex int            `json:"xAxisIndex"`
	YAxisIndex int            `json:"yAxisIndex"`
	Data       any            `json:"data"`
	Silent     bool           `json:"silent,omitempty"`
	Clip       bool           `json:"clip"`
	ShowSymbol *bool          `json:"showSymbol,omitempty"`
	Symbol     string         `json:"symbol,omitempty"`
	SymbolSize float64        `json:"symbolSize,omitempty"`
	ItemStyle  map[string]any `json:"itemStyle,omitempty"`
	LineStyle  map[string]any `json:"lineStyle,omitempty"`
	Notes      []string       `json:"notes,omitempty"` // of each point, for the tooltip

	Shape string         `json:"shape,omitempty"`
	With  map[string]any `json:"with,omitempty"`
}

// seriesOf turns the layers of one panel into series.
type seriesOf struct {
	b     *chartBuilder
	f     *Figure
	panel int
	r     [4]float64
}

// layer returns the series of a layer.
func (s seriesOf) layer(l any) []any {
	switch l := l.(type) {
	case areaLayer:
		if l.hatch != nil {
			return s.area(s.nameOf(l), l.rings, hex(mix(l.color, ink, 0.12))) // the hatching is not drawn
		}
		return s.area(s.nameOf(l), l.rings, hex(l.color))
	case lineLayer:
		return s.lines(l)
	case pointLayer:
		return s.points(l)
	case textLayer:
		return s.text(l)
	case imageLayer:
		return s.image(l)
	case arrowLayer:
		return []any{s.custom(s.nameOf(l), "arrow", l.from, map[string]any{
			"from": s.at(l.from), "to": s.at(l.to), "both": l.both, "head": px(l.head), "style": stroke(l.style)}).inLegend(hexOf(l.style.Color))}
	case sideLayer:
		return []any{s.custom("", "side", l.a, map[string]any{
			"from": [2]float64{l.a.X, l.a.Y}, "to": [2]float64{l.b.X, l.b.Y}, "left": l.left, "style": stroke(l.style)})}
	case cornerLayer:
		return []any{s.custom("", "corner", l.at, map[string]any{
			"at": s.at(l.at), "u": [2]float64{l.u.X, l.u.Y}, "v": [2]float64{l.v.X, l.v.Y}, "size": px(l.size), "style": stroke(l.style)})}
	case capLayer:
		at := [][2]float64{}
		for _, q := range l.at {
			at = append(at, s.at(q))
		}
		if len(at) == 0 {
			return nil
		}
		return []any{s.custom("", "caps", l.at[0], map[string]any{"at": at, "style": stroke(l.style)})}
	case *scene:
		return l.series(s.panel, s.b)
	}
	return nil
}

// at is a point, rounded to what can be seen.
func (s seriesOf) at(q xy) [2]float64 {
	return [2]float64{near(q.X, s.r[0], s.r[1]), near(q.Y, s.r[2], s.r[3])}
}

// custom is a series with one datum, drawn as shape; anchor is a point of it.
func (s seriesOf) custom(name, shape string, anchor xy, with map[string]any) chartSeries {
	return chartSeries{Type: "custom", Name: name, XAxisIndex: s.panel, YAxisIndex: s.panel, Silent: true, Clip: true,
		Data: [][2]float64{s.at(anchor)}, Shape: shape, With: with}
}

// inLegend gives a custom series the colour of its entry in the legend: echarts does
// not see what the page's script draws, and would choose one of its own.
func (c chartSeries) inLegend(color string) chartSeries {
	if c.Name != "" {
		c.ItemStyle = map[string]any{"color": color}
	}
	return c
}

func (s seriesOf) area(name string, rings [][]xy, color string) []any {
	out := [][]float64{}
	for _, r := range rings {
		flat := []float64{}
		for _, q := range r {
			p := s.at(q)
			flat = append(flat, p[0], p[1])
		}
		if len(flat) > 4 {
			out = append(out, flat)
		}
	}
	if len(out) == 0 {
		return nil
	}
	return []any{s.custom(name, "area", rings[0][0], map[string]any{"rings": out, "color": color}).inLegend(color)}
}

func (s seriesOf) lines(l lineLayer) []any {
	data := [][]any{}
	for i, line := range l.lines {
		if i > 0 {
			data = append(data, []any{nil, nil}) // lifts the pen
		}
		last := math.Inf(-1)
		for _, q := range line {
			if math.IsNaN(q.X) || math.IsNaN(q.Y) {
				data = append(data, []any{nil, nil})
				continue
			}
			if q.X < last {
				s.b.curves = false
			}
			last = q.X
			p := s.at(q)
			data = append(data, []any{p[0], p[1]})
		}
	}
	if len(data) == 0 {
		return nil
	}
	if len(l.lines) > 1 {
		s.b.curves = false
	}
	hidden, name := false, s.nameOf(l)
	s.b.strokes[name] = true
	return []any{chartSeries{Type: "line", Name: name, XAxisIndex: s.panel, YAxisIndex: s.panel, Clip: true,
		Data: data, ShowSymbol: &hidden, Symbol: "none", LineStyle: styleOf(l.style, map[string]any{}, "color", "width", "type"), ItemStyle: map[string]any{"color": hexOf(l.style.Color)}}}
}

func (s seriesOf) points(l pointLayer) []any {
	data := [][2]float64{}
	for _, q := range l.points {
		if !math.IsNaN(q.X) && !math.IsNaN(q.Y) {
			data = append(data, s.at(q))
		}
	}
	if len(data) == 0 {
		return nil
	}
	s.b.rows = true
	delete(s.b.strokes, s.nameOf(l))
	out := chartSeries{Type: "scatter", Name: s.nameOf(l), XAxisIndex: s.panel, YAxisIndex: s.panel, Clip: true,
		Data: data, SymbolSize: 2.2 * px(l.style.Radius)}
	out.Silent = out.Name == "" // nothing can be told about it
	out.Symbol, out.ItemStyle = symbolOf(l.style)
	if probes := s.f.panels[s.panel].probes; len(probes) > 0 && len(data) == len(l.points) {
		out.Notes = probes.notes(l.points)
	}
	return []any{out}
}

func (s seriesOf) text(l textLayer) []any {
	at, labels := [][2]float64{}, []string{}
	for i, q := range l.at {
		at, labels = append(at, s.at(q)), append(labels, unicodeText(l.labels[i]))
	}
	if len(at) == 0 {
		return nil
	}
	align := map[draw.XAlignment]string{draw.XLeft: "left", draw.XCenter: "center", draw.XRight: "right"}[l.xalign]
	return []any{s.custom("", "text", l.at[0], map[string]any{"at": at, "labels": labels, "dx": px(l.dx), "dy": px(l.dy), "color": hex(l.color), "size": px(l.size), "align": align})}
}

func (s seriesOf) image(l imageLayer) []any {
	var b bytes.Buffer
	if err := png.Encode(&b, l.img); err != nil {
		return nil // an image in memory has no reason to fail
	}
	return []any{s.custom("", "image", xy{X: (l.box.x[0] + l.box.x[1]) / 2, Y: (l.box.y[0] + l.box.y[1]) / 2}, map[string]any{
		"box": [4]float64{l.box.x[0], l.box.x[1], l.box.y[0], l.box.y[1]}, "image": "data:image/png;base64," + base64.StdEncoding.EncodeToString(b.Bytes())})}
}

func stroke(sty draw.LineStyle) map[string]any {
	return styleOf(sty, map[string]any{"fill": "none"}, "stroke", "lineWidth", "lineDash")
}

// styleOf adds the properties of a line to o, under the names that echarts has for them.
func styleOf(sty draw.LineStyle, o map[string]any, color, width, dashes string) map[string]any {
	o[color], o[width] = hexOf(sty.Color), px(sty.Width)
	var pattern []float64
	for _, d := range sty.Dashes {
		pattern = append(pattern, px(d))
	}
	if pattern != nil {
		o[dashes] = pattern
	}
	return o
}

// symbolOf is the marker of the printed figure in the words of echarts.
func symbolOf(sty draw.GlyphStyle) (symbol string, style map[string]any) {
	color := hexOf(sty.Color)
	if _, ok := sty.Shape.(dotGlyph); ok {
		return "circle", map[string]any{"color": color}
	}
	g, ok := sty.Shape.(glyph)
	switch {
	case !ok: // the ring around a point
		return "circle", map[string]any{"color": "rgba(0,0,0,0)", "borderColor": color, "borderWidth": 1.2}
	case g.full:
		return g.symbol, map[string]any{"color": color, "borderColor": "#fff", "borderWidth": 0.6}
	}
	return g.symbol, map[string]any{"color": "rgba(0,0,0,0)", "borderColor": color, "borderWidth": 1.8}
}

// nameOf finds the name of a layer in the legend: that of the entry which shows it,
// else of one that looks like it.
func (s seriesOf) nameOf(l any) string {
	alike := ""
	for _, it := range append(slices.Clip(s.f.panels[s.panel].legend), s.f.legend...) {
		for _, t := range it.thumbs {
			if same(t, l) {
				return unicodeText(it.name)
			}
			if alike == "" && styleKey(t) == styleKey(l) && styleKey(t) != "" {
				alike = unicodeText(it.name)
			}
		}
	}
	return alike
}

// same reports whether a sample of the legend is the layer itself.
func same(t plot.Thumbnailer, l any) bool {
	switch t := t.(type) {
	case pointLayer:
		q, ok := l.(pointLayer)
		return ok && len(t.points) > 0 && len(q.points) > 0 && &t.points[0] == &q.points[0]
	case lineLayer:
		q, ok := l.(lineLayer)
		return ok && len(t.lines) > 0 && len(q.lines) > 0 && &t.lines[0] == &q.lines[0]
	}
	return false
}

// styleKey tells the styles of layers apart; it is "" where they have none.
func styleKey(l any) string {
	switch l := l.(type) {
	case areaLayer:
		return fmt.Sprint("area", l.color)
	case lineLayer:
		return fmt.Sprint("line", l.style)
	case arrowLayer:
		return fmt.Sprint("arrow", l.style)
	}
	return ""
}
