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

// A chartSeries is one series of echarts. Its type is line, scatter or custom. The page's script
// draws a series of type custom; the field Shape states what to draw.
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
	Notes      []string       `json:"notes,omitempty"` // tooltip text of each point

	Shape string         `json:"shape,omitempty"`
	With  map[string]any `json:"with,omitempty"`
}

// seriesOf converts the layers of one panel to series of echarts.
type seriesOf struct {
	b     *chartBuilder
	f     *Figure
	panel int
	r     [4]float64
}

func (s seriesOf) layer(l any) []any {
	switch l := l.(type) {
	case areaLayer:
		if l.hatch != nil {
			// The chart shows a darker tint instead of the hatching.
			return s.area(s.nameOf(l), l.rings, hex(mix(l.color, ink, 0.12)))
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
		return []any{s.customSeries(s.nameOf(l), "arrow", l.from, map[string]any{
			"from": s.roundedPoint(l.from), "to": s.roundedPoint(l.to), "both": l.both, "head": px(l.head),
			"style": stroke(l.style)}).inLegend(hexOf(l.style.Color))}
	case sideLayer:
		return []any{s.customSeries("", "side", l.a, map[string]any{
			"from": [2]float64{l.a.X, l.a.Y}, "to": [2]float64{l.b.X, l.b.Y}, "left": l.left,
			"style": stroke(l.style)})}
	case cornerLayer:
		return []any{s.customSeries("", "corner", l.at, map[string]any{
			"at": s.roundedPoint(l.at), "u": [2]float64{l.u.X, l.u.Y}, "v": [2]float64{l.v.X, l.v.Y},
			"size":  px(l.size),
			"style": stroke(l.style)})}
	case capLayer:
		at := [][2]float64{}
		for _, q := range l.at {
			at = append(at, s.roundedPoint(q))
		}
		if len(at) == 0 {
			return nil
		}
		return []any{s.customSeries("", "caps", l.at[0], map[string]any{"at": at, "style": stroke(l.style)})}
	case *scene:
		return l.series(s.panel, s.b)
	}
	return nil
}

// roundedPoint returns the rounded coordinates of a point. The change is too small to be visible.
func (s seriesOf) roundedPoint(q xy) [2]float64 {
	return [2]float64{roundToView(q.X, s.r[0], s.r[1]), roundToView(q.Y, s.r[2], s.r[3])}
}

// customSeries returns a series with a single item, which the page draws as the given shape. The
// argument `anchor` is a point of the shape.
func (s seriesOf) customSeries(name, shape string, anchor xy, with map[string]any) chartSeries {
	return chartSeries{Type: "custom", Name: name, XAxisIndex: s.panel, YAxisIndex: s.panel, Silent: true, Clip: true,
		Data: [][2]float64{s.roundedPoint(anchor)}, Shape: shape, With: with}
}

// inLegend sets the colour of a custom series's legend entry. echarts would otherwise choose a
// different colour, because the page's script draws custom series and echarts does not know their
// colours.
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
			p := s.roundedPoint(q)
			flat = append(flat, p[0], p[1])
		}
		if len(flat) > 4 {
			out = append(out, flat)
		}
	}
	if len(out) == 0 {
		return nil
	}
	return []any{s.customSeries(name, "area", rings[0][0], map[string]any{"rings": out,
		"color": color}).inLegend(color)}
}

func (s seriesOf) lines(l lineLayer) []any {
	data := [][]any{}
	for i, line := range l.lines {
		if i > 0 {
			data = append(data, []any{nil, nil}) // add a missing point, so that the chart does not connect two lines
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
			p := s.roundedPoint(q)
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
		Data: data, ShowSymbol: &hidden, Symbol: "none",
		LineStyle: styleOf(l.style, map[string]any{}, "color", "width", "type"),
		ItemStyle: map[string]any{"color": hexOf(l.style.Color)}}}
}

func (s seriesOf) points(l pointLayer) []any {
	data := [][2]float64{}
	for _, q := range l.points {
		if !math.IsNaN(q.X) && !math.IsNaN(q.Y) {
			data = append(data, s.roundedPoint(q))
		}
	}
	if len(data) == 0 {
		return nil
	}
	s.b.rows = true
	delete(s.b.strokes, s.nameOf(l))
	out := chartSeries{Type: "scatter", Name: s.nameOf(l), XAxisIndex: s.panel, YAxisIndex: s.panel, Clip: true,
		Data: data, SymbolSize: 2.2 * px(l.style.Radius)}
	out.Silent = out.Name == "" // a series without a name has no tooltip
	out.Symbol, out.ItemStyle = symbolOf(l.style)
	if probes := s.f.panels[s.panel].probes; len(probes) > 0 && len(data) == len(l.points) {
		out.Notes = probes.notes(l.points)
	}
	return []any{out}
}

func (s seriesOf) text(l textLayer) []any {
	at, labels := [][2]float64{}, []string{}
	for i, q := range l.at {
		at, labels = append(at, s.roundedPoint(q)), append(labels, unicodeText(l.labels[i]))
	}
	if len(at) == 0 {
		return nil
	}
	align := map[draw.XAlignment]string{draw.XLeft: "left", draw.XCenter: "center", draw.XRight: "right"}[l.xalign]
	return []any{s.customSeries("", "text", l.at[0],
		map[string]any{"at": at, "labels": labels, "dx": px(l.dx), "dy": px(l.dy), "color": hex(l.color),
			"size": px(l.size), "align": align})}
}

func (s seriesOf) image(l imageLayer) []any {
	var b bytes.Buffer
	if err := png.Encode(&b, l.img); err != nil {
		return nil // writing the PNG to memory cannot fail
	}
	return []any{s.customSeries("", "image", xy{X: (l.box.x[0] + l.box.x[1]) / 2, Y: (l.box.y[0] + l.box.y[1]) / 2},
		map[string]any{
			"box":   [4]float64{l.box.x[0], l.box.x[1], l.box.y[0], l.box.y[1]},
			"image": "data:image/png;base64," + base64.StdEncoding.EncodeToString(b.Bytes())})}
}

func stroke(sty draw.LineStyle) map[string]any {
	return styleOf(sty, map[string]any{"fill": "none"}, "stroke", "lineWidth", "lineDash")
}

// styleOf adds the properties of a line to the map o and returns o. The last three arguments are
// the names that echarts has for these properties.
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

// symbolOf returns the symbol and the style that echarts uses for a marker of the printed figure.
func symbolOf(sty draw.GlyphStyle) (symbol string, style map[string]any) {
	color := hexOf(sty.Color)
	if _, ok := sty.Shape.(dotGlyph); ok {
		return "circle", map[string]any{"color": color}
	}
	g, ok := sty.Shape.(glyph)
	switch {
	case !ok: // a shape other than a glyph is a ring around a point
		return "circle", map[string]any{"color": "rgba(0,0,0,0)", "borderColor": color, "borderWidth": 1.2}
	case g.full:
		return g.symbol, map[string]any{"color": color, "borderColor": "#fff", "borderWidth": 0.6}
	}
	return g.symbol, map[string]any{"color": "rgba(0,0,0,0)", "borderColor": color, "borderWidth": 1.8}
}

// nameOf returns the name of a layer in the legend. If a legend entry was made for this layer,
// nameOf returns the name of the entry. Otherwise it returns the name of the first entry with the
// same style, or "" if there is no such entry.
func (s seriesOf) nameOf(l any) string {
	alike := ""
	for _, it := range append(slices.Clip(s.f.panels[s.panel].legend), s.f.legend...) {
		for _, t := range it.thumbs {
			if isSample(t, l) {
				return unicodeText(it.name)
			}
			if alike == "" && styleKey(t) == styleKey(l) && styleKey(t) != "" {
				alike = unicodeText(it.name)
			}
		}
	}
	return alike
}

// isSample reports whether the sample that a legend entry shows is the layer itself.
func isSample(t plot.Thumbnailer, l any) bool {
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

// styleKey returns a string that is equal for two areas of the same colour, for two lines of the
// same style, and for two arrows of the same style. For other layers it returns "".
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

// A surfaceSeries contains a sheet (surface) in the format of echarts-gl.
type surfaceSeries struct {
	Type             string         `json:"type"`
	Name             string         `json:"name"`
	Grid3D           int            `json:"grid3DIndex"`
	Data             [][]any        `json:"data"`
	DataShape        [2]int         `json:"dataShape"`
	Shading          string         `json:"shading"`
	WireFrame        map[string]any `json:"wireframe"`
	ItemStyle        map[string]any `json:"itemStyle,omitempty"`
	CoordinateSystem string         `json:"coordinateSystem"`
}

// series returns one series of echarts-gl for each sheet. A sheet has a hole where it is infinite,
// above the box, or below the fraction s.low of the height of the box. The data contain null there.
func (s *scene) series(panel int, b *chartBuilder) []any {
	var out []any
	n := s.cells + 1
	d := 1 / float64(s.cells)
	for k, sheet := range s.sheets {
		data := make([][]any, 0, n*n)
		for j := range n {
			for i := range n {
				x := s.box.x[0] + (s.box.x[1]-s.box.x[0])*float64(i)*d
				y := s.box.y[0] + (s.box.y[1]-s.box.y[0])*float64(j)*d
				var z any
				if v := s.z[k][j*n+i]; !math.IsInf(v, 0) && v >= s.zr[0]+s.low*(s.zr[1]-s.zr[0])-1e-9 &&
					v <= s.zr[1]+1e-9 {
					z = roundToView(v, s.zr[0], s.zr[1])
				}
				x, y = roundToView(x, s.box.x[0], s.box.x[1]), roundToView(y, s.box.y[0], s.box.y[1])
				data = append(data, []any{x, y, z})
			}
		}
		part := surfaceSeries{Type: "surface", Name: unicodeText(sheet.Name), Grid3D: b.gridOf(panel), Data: data,
			DataShape: [2]int{n, n}, CoordinateSystem: "cartesian3D",
			Shading: "lambert",
			WireFrame: map[string]any{"show": true,
				"lineStyle": map[string]any{"color": "rgba(0,0,0,0.25)", "width": 0.5}}}
		if sheet.Colors == nil {
			b.sheetColor[part.Name] = hex(sheet.Color)
			part.ItemStyle = map[string]any{"color": hex(sheet.Color), "opacity": float64(s.alpha) / 255}
		}
		out = append(out, part)
	}
	return out
}

// gridOf returns the index of a panel in the list of those panels of the chart that show surfaces.
func (b *chartBuilder) gridOf(panel int) int {
	n := 0
	for i := range panel {
		if b.rec.scene(i) != nil {
			n++
		}
	}
	return n
}

// addScenes adds a box to the options for each panel that shows surfaces.
func (b *chartBuilder) addScenes(o map[string]any) {
	var grids, maps, texts []map[string]any
	axes := map[string][]map[string]any{}
	for i := range b.rec.layers {
		s := b.rec.scene(i)
		if s == nil {
			continue
		}
		r := b.rec.frames[i]
		grids = append(grids, map[string]any{
			"left": b.left(r) - px(gap)/2, "top": b.topOf(r), "width": px(r.Size().X + gap), "height": px(r.Size().Y),
			"boxWidth": 100, "boxDepth": 100, "boxHeight": 100 * tall,
			"viewControl": map[string]any{"projection": "orthographic", "alpha": s.elevation, "beta": s.azimuth + 90,
				"orthographicSize": 165},
			"light": map[string]any{"main": map[string]any{"intensity": 0.9, "alpha": 50, "beta": 10},
				"ambient": map[string]any{"intensity": 0.45}},
			"axisPointer": map[string]any{"show": false},
			"splitLine":   map[string]any{"lineStyle": map[string]any{"color": hex(gridInk)}},
		})
		ranges := [3][2]float64{roundedRange(s.box.x), roundedRange(s.box.y), roundedRange(s.zr)}
		for a, name := range []string{"xAxis3D", "yAxis3D", "zAxis3D"} {
			title := unicodeText(s.labels[a])
			if a == 2 && title != "" {
				// echarts-gl would draw the name over the numbers of this axis. Therefore the chart
				// shows the name as a separate text.
				texts = append(texts, graphicText("↑ "+title, b.left(r), b.topOf(r)+12, labelSize, "left", "middle"))
				title = "\u00a0" // if the name is empty, echarts-gl draws the numbers over the axis
			}
			axes[name] = append(axes[name],
				map[string]any{"grid3DIndex": len(grids) - 1, "type": "value", "name": title, "nameGap": 26,
					"nameTextStyle": labelText(13),
					"axisLabel":     map[string]any{"textStyle": labelText(11)}, "min": ranges[a][0],
					"max":      ranges[a][1],
					"interval": niceStep(ranges[a][1] - ranges[a][0])})
		}
		for k, sheet := range s.sheets {
			if sheet.Colors != nil {
				maps = append(maps, heightColors(s, k, b.sheets[i]+k))
			}
		}
	}
	if len(grids) == 0 {
		return
	}
	o["grid3D"] = grids
	shapes, _ := o["graphic"].([]map[string]any)
	o["graphic"] = append(shapes, texts...)
	for name, list := range axes {
		o[name] = list
	}
	if len(maps) > 0 {
		o["visualMap"] = maps
	}
}

// labelText returns the style of a label in a three-dimensional scene. It sets a line height,
// because otherwise echarts-gl cuts off the upper part of the letters.
func labelText(size int) map[string]any {
	return map[string]any{"fontSize": size, "lineHeight": 2 * size, "color": hex(ink)}
}

// roundedRange extends a range so that both ends are multiples of the step that niceStep returns
// for it.
func roundedRange(r [2]float64) [2]float64 {
	step := niceStep(r[1] - r[0])
	return [2]float64{math.Floor(r[0]/step+1e-6) * step, math.Ceil(r[1]/step-1e-6) * step}
}

// heightColors returns the visual map that echarts uses to colour a sheet by its height.
func heightColors(s *scene, sheet, series int) map[string]any {
	const n = 21
	var colors []string
	for i := range n {
		z := s.zr[0] + (s.zr[1]-s.zr[0])*float64(i)/(n-1)
		colors = append(colors, hex(s.sheets[sheet].Colors(z)))
	}
	return map[string]any{"show": false, "type": "continuous", "dimension": 2, "seriesIndex": series, "min": s.zr[0],
		"max": s.zr[1], "inRange": map[string]any{"color": colors}}
}
