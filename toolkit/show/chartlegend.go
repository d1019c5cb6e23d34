package show

import (
	"slices"

	"gonum.org/v1/plot/vg"
)

// Room under the panels of a chart, in points.
const (
	chartLegend    = vg.Length(26) // the legend, if it is one row
	chartLegendRow = vg.Length(18) // each further row
	chartBar       = barHeight + 2*tickSize
)

// legendPages is the number of rows from which on the legend turns pages.
const legendPages = 6

// arrowIcon is the sign of an arrow in the legend.
const arrowIcon = "path://M0,4.2L18,4.2L18,1L26,5L18,9L18,5.8L0,5.8Z"

// legendOf returns the entries of all frames, each once.
func legendOf(frames []*Figure) []legendItem {
	var out []legendItem
	for _, f := range frames {
		for _, it := range f.allLegends() {
			if !slices.ContainsFunc(out, func(o legendItem) bool { return o.name == it.name }) {
				out = append(out, it)
			}
		}
	}
	return out
}

// legendRoom returns how many rows the legend has and the room under the panels for
// it and the colour bar.
func (b *chartBuilder) legendRoom() (rows int, room vg.Length) {
	wrapped, _ := legendRows(b.items, b.w-2*margin)
	rows = len(wrapped)
	room = chartLegend + chartLegendRow*vg.Length(min(max(rows, 1), legendPages)-1)
	if b.first.bar != nil {
		room += chartBar
	}
	return rows, room
}

// legendEntries are the entries as echarts has them: a line without a dot, an arrow as
// an arrow; of surfaces echarts knows no sign.
func (b *chartBuilder) legendEntries() []map[string]any {
	out := []map[string]any{}
	for _, it := range b.items {
		name := unicodeText(it.name)
		entry := map[string]any{"name": name}
		if b.strokes[name] {
			entry["itemStyle"] = map[string]any{"opacity": 0}
		}
		if len(it.thumbs) == 1 {
			if _, ok := it.thumbs[0].(arrowLayer); ok {
				entry["icon"] = arrowIcon
			}
		}
		if c, ok := b.sheetColor[name]; ok {
			entry["icon"], entry["itemStyle"] = "roundRect", map[string]any{"color": c}
		}
		out = append(out, entry)
	}
	return out
}

// graphicText is a text at a place of the page, in pixels.
func graphicText(s string, x, y float64, size vg.Length, align, vertical string) map[string]any {
	return map[string]any{"type": "text", "silent": true, "style": map[string]any{
		"text": s, "x": x, "y": y, "fill": hex(ink), "fontSize": px(size), "align": align, "verticalAlign": vertical}}
}

// graphic draws the bar over the legend of a chart of width w, its upper edge at top:
// the label, the bands, the numbers below them.
func (b *colorBar) graphic(w, top float64) []map[string]any {
	sty := legendStyle()
	label := sty.Width(b.label)
	left := w/2 - px(label+thumbGap+barWidth)/2 + px(label+thumbGap)
	lo, hi := b.ends()
	share := func(v float64) float64 { return (v - lo) / (hi - lo) }
	stops := []map[string]any{}
	edges := append(append([]float64{lo}, b.levels...), hi)
	for i, c := range b.colors { // two stops at each border: the bands do not mix
		stops = append(stops, map[string]any{"offset": share(edges[i]), "color": hex(c)}, map[string]any{"offset": share(edges[i+1]), "color": hex(c)})
	}
	out := []map[string]any{
		graphicText(unicodeText(b.label), left-px(thumbGap), top+px(barHeight)/2, tickSize, "right", "middle"),
	}
	for _, m := range b.fitting() {
		out = append(out, graphicText(m.label, left+px(m.at), top+px(barHeight)+3, tickSize-1, "center", "top"))
	}
	return append(out, map[string]any{"type": "rect", "silent": true, "shape": map[string]any{"x": left, "y": top, "width": px(barWidth), "height": px(barHeight)},
		"style": map[string]any{"stroke": hex(ink), "lineWidth": px(frameLine), "fill": map[string]any{"type": "linear", "x": 0, "y": 0, "x2": 1, "y2": 0, "colorStops": stops}}})
}
