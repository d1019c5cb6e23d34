package show

import (
	"encoding/json"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"
)

// chartData is the input of the page's script, internal/echarts/runtime.js. The JSON names of the
// fields must be the names that the script reads.
type chartData struct {
	Width   int               `json:"width"` // CSS pixels
	Height  int               `json:"height"`
	Option  map[string]any    `json:"option"` // the options for echarts, except the series and the title
	Parts   []json.RawMessage `json:"parts"`  // the distinct series that occur in the frames
	Frames  []chartFrame      `json:"frames"`
	Sliders []Slider          `json:"sliders"`
	Ticks   []chartTicks      `json:"ticks,omitempty"`
}

// columns returns the largest number of panels that are side by side. A page may give a chart with
// several columns more width than other charts.
func (d chartData) columns() int {
	n, largest := map[any]int{}, 0
	grids, _ := d.Option["grid"].([]opts.Grid)
	for _, g := range grids {
		n[g.Top]++
		largest = max(largest, n[g.Top])
	}
	return largest
}

// A chartFrame is the content of the chart for one combination of slider positions.
type chartFrame struct {
	Parts  []int        `json:"parts"`
	Title  []chartTitle `json:"title"`
	Probes []chartProbe `json:"probes,omitempty"`
}

// chartTicks are the labels that an axis on the page shows instead of numbers.
type chartTicks struct {
	Axis   string            `json:"axis"` // "xAxis" or "yAxis"
	Index  int               `json:"index"`
	Labels map[string]string `json:"labels"`
}

type chartTitle struct {
	Text      string         `json:"text"`
	Left      float64        `json:"left"`
	Top       float64        `json:"top"`
	TextAlign string         `json:"textAlign"`
	TextStyle map[string]any `json:"textStyle"`
}

// chartTools is the height of the row of tools above the panels, in points.
const chartTools = vg.Length(16)

// px converts a length on the page to CSS pixels and rounds it to the nearest hundredth.
func px(l vg.Length) float64 { return math.Round(float64(l)*96/72*100) / 100 }

// A chartBuilder collects the frames of a chart.
type chartBuilder struct {
	first   *Figure      // the figure at the initial slider positions
	ranges  [][4]float64 // for each panel, the ranges of x and y
	rec     *record      // layout of the figure `first`; it determines the positions of the panels in all frames
	w, h    vg.Length    // size of the page, in points
	top     vg.Length    // height above the panels
	bottom  vg.Length    // height below the panels
	items   []legendItem // legend entries of all frames
	pages   bool         // whether the legend is divided into pages
	parts   []json.RawMessage
	known   map[string]int // maps the JSON of a part to the index of the part
	frames  []chartFrame
	strokes map[string]bool // names of the series that are drawn as lines
	sheets  map[int]int     // for each panel, the index of its first sheet among the series
	// sheetColor maps the name of each sheet (surface) that has a single colour to this colour.
	sheetColor map[string]string
	rows       bool // whether a panel shows points, which have their own tooltips
	curves     bool // whether every line layer is a single line with ascending x coordinates
}

func newChartBuilder(frames []*Figure, start int) *chartBuilder {
	f := frames[start]
	b := &chartBuilder{first: f, items: legendOf(frames), known: map[string]int{}, strokes: map[string]bool{},
		sheets: map[int]int{}, sheetColor: map[string]string{}, curves: true,
		w: vg.Points(f.Width * 72), h: vg.Points(f.Height * 72)}
	b.top = margin + chartTools
	if f.Title != "" {
		b.top += 1.6 * titleSize
	}
	rows, room := b.legendRoom()
	b.bottom, b.pages = room, rows > legendPages
	for range f.panels {
		b.ranges = append(b.ranges, [4]float64{math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)})
	}
	b.rec = b.recordFigure(f)
	return b
}

// recordFigure returns a record of the layers of a figure.
func (b *chartBuilder) recordFigure(f *Figure) *record {
	return f.recordOn(b.w-2*margin, b.h-b.top-margin-b.bottom)
}

// left and topOf return the positions of the left edge and the top edge of a panel's frame. They
// are in pixels from the upper left corner of the page.
func (b *chartBuilder) left(r vg.Rectangle) float64 { return px(margin + r.Min.X) }
func (b *chartBuilder) topOf(r vg.Rectangle) float64 {
	return px(b.h - b.bottom - margin - r.Max.Y)
}

// widen extends the ranges of the axes so that they include the figure f.
func (b *chartBuilder) widen(f *Figure) {
	for i, p := range f.panels {
		r := &b.ranges[i]
		r[0], r[1] = min(r[0], p.X.Min), max(r[1], p.X.Max)
		r[2], r[3] = min(r[2], p.Y.Min), max(r[3], p.Y.Max)
	}
}

// add appends a frame with the content of the figure f.
func (b *chartBuilder) add(f *Figure) error {
	rec := b.recordFigure(f)
	frame := chartFrame{Parts: []int{}, Title: []chartTitle{}}
	if f.Title != "" {
		frame.Title = append(frame.Title,
			chartTitle{unicodeText(f.Title), px(b.w) / 2, px(margin), "center", titleStyle(15)})
	}
	for i, layers := range rec.layers {
		p := f.panels[i]
		if p.Title.Text != "" {
			r := rec.frames[i]
			frame.Title = append(frame.Title,
				chartTitle{unicodeText(p.Title.Text), b.left(r) + px(r.Size().X)/2, b.topOf(r) - 20, "center",
					titleStyle(13)})
		}
		s := seriesOf{b: b, f: f, panel: i, r: b.ranges[i]}
		for _, l := range layers {
			if _, ok := l.(*scene); ok {
				b.sheets[i] = len(frame.Parts)
			}
			for _, part := range s.layer(l) {
				n, err := b.partIndex(part)
				if err != nil {
					return err
				}
				frame.Parts = append(frame.Parts, n)
			}
		}
		for _, pr := range p.probes {
			if sampled := pr.sample(i, b.ranges[i]); sampled != nil {
				frame.Probes = append(frame.Probes, *sampled)
			}
		}
	}
	b.frames = append(b.frames, frame)
	return nil
}

// partIndex returns the index of a series in b.parts. If the series is new, partIndex appends it.
// Equal series have the same index, so a chart stores the content that its frames have in common
// only once.
func (b *chartBuilder) partIndex(s any) (int, error) {
	text, err := json.Marshal(s)
	if err != nil {
		return 0, fmt.Errorf("a layer cannot be encoded as JSON: %w", err)
	}
	n, ok := b.known[string(text)]
	if !ok {
		n = len(b.parts)
		b.parts, b.known[string(text)] = append(b.parts, text), n
	}
	return n, nil
}

// finish returns the complete data of the chart.
func (b *chartBuilder) finish(sliders []Slider) chartData {
	d := chartData{Width: int(px(b.w)), Height: int(px(b.h)), Parts: b.parts, Frames: b.frames,
		Sliders: append([]Slider{}, sliders...)}
	d.Option, d.Ticks = b.option()
	return d
}

func titleStyle(size int) map[string]any {
	return map[string]any{"fontSize": size, "color": hex(ink), "fontFamily": "sans-serif", "fontWeight": "bold"}
}

// hex returns a colour in CSS notation.
func hex(c color.NRGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }

func hexOf(c color.Color) string {
	if c == nil {
		return hex(ink)
	}
	r, g, b, _ := c.RGBA()
	return hex(color.NRGBA{uint8(r >> 8), uint8(g >> 8), uint8(b >> 8), 255})
}

// roundToView rounds v to a multiple of the largest power of ten that is at most (hi − lo)/100 000.
// The change is too small to be visible.
func roundToView(v, lo, hi float64) float64 {
	span := hi - lo
	if !(span > 0) || math.IsInf(span, 0) {
		return v
	}
	unit := math.Pow(10, 5-math.Floor(math.Log10(span)))
	if r := math.Round(v*unit) / unit; !math.IsInf(r, 0) && !math.IsNaN(r) {
		return r + 0
	}
	return v
}

// A record is a canvas for an interactive chart. It stores the layers that are drawn on it, and
// ignores everything else that is drawn.
type record struct {
	recorder.Canvas
	frames []vg.Rectangle // position of each panel, in points from the lower left corner
	layers [][]mark       // marks of each panel, from the lowest to the topmost
}

// addMark adds a mark to the panel that is being drawn.
func (r *record) addMark(m mark) {
	if last := len(r.layers) - 1; last >= 0 {
		r.layers[last] = append(r.layers[last], m)
	}
}

// recordOf returns the record that contains the canvas c, or nil if no record contains it. The
// canvas of a part of a page contains the canvas of the whole page.
func recordOf(c vg.Canvas) *record {
	for {
		switch in := c.(type) {
		case *record:
			return in
		case draw.Canvas:
			c = in.Canvas
		default:
			return nil
		}
	}
}

// recordOn draws the figure on a record, whose page has w × h points. The panels have the same rows
// and columns as in the picture.
func (f *Figure) recordOn(w, h vg.Length) *record {
	r := &record{}
	f.drawPanels(draw.Canvas{Canvas: r, Rectangle: vg.Rectangle{Max: vg.Point{X: w, Y: h}}})
	return r
}

// scene returns the scene (the surfaces) that a panel shows, or nil if it shows none.
func (r *record) scene(panel int) *scene {
	for _, m := range r.layers[panel] {
		if s, ok := m.(*scene); ok {
			return s
		}
	}
	return nil
}

// option returns the options of the chart without the content of the frames. They describe the
// axes, the legend, the tooltips and the tools. The positions of the axes are from b.rec.
// go-echarts generates most options. The function adds those settings for which go-echarts has no
// field. It also returns the labels of the axes with custom labels.
func (b *chartBuilder) option() (map[string]any, []chartTicks) {
	c := charts.NewScatter()
	c.XAxisList, c.YAxisList = nil, nil
	legend := "plain"
	if b.pages {
		legend = "scroll"
	}
	trigger := "item"
	if b.curves && !b.rows && len(b.sheets) == 0 {
		trigger = "axis"
	}
	c.SetGlobalOptions(
		charts.WithAnimation(false),
		charts.WithTooltipOpts(opts.Tooltip{Show: opts.Bool(true), Trigger: trigger}),
		charts.WithLegendOpts(opts.Legend{Show: opts.Bool(len(b.items) > 0), Type: legend, Bottom: "4", Left: "center",
			Data: b.legendEntries(), ItemWidth: 26, ItemHeight: 12}),
	)
	var planes []int // panels without scenes
	var ticks []chartTicks
	var xs, ys []map[string]any
	for i, p := range b.first.panels {
		r, limits, shown := b.rec.frames[i], b.ranges[i], b.rec.scene(i) == nil
		c.GridList = append(c.GridList, opts.Grid{
			Show: opts.Bool(shown), Left: number(b.left(r)), Top: number(b.topOf(r)), Width: number(px(r.Size().X)),
			Height: number(px(r.Size().Y)),
		})
		x, tx := axisOption("xAxis", i, p.X, limits[0], limits[1], shown, 26)
		y, ty := axisOption("yAxis", i, p.Y, limits[2], limits[3], shown, labelRoom(p.Y, limits[2], limits[3]))
		xs, ys = append(xs, x), append(ys, y)
		ticks = append(append(ticks, tx...), ty...)
		if shown {
			planes = append(planes, i)
		}
	}
	if len(planes) > 0 {
		c.SetGlobalOptions(charts.WithToolboxOpts(opts.Toolbox{Show: opts.Bool(true), Right: "8", Top: "2",
			Feature: &opts.ToolBoxFeature{
				DataZoom: &opts.ToolBoxFeatureDataZoom{Show: opts.Bool(true),
					Title: map[string]string{"zoom": "zoom: draw a rectangle", "back": "one zoom back"},
					Icon:  map[string]string{}},
				Restore: &opts.ToolBoxFeatureRestore{Show: opts.Bool(true), Title: "reset"},
			}}))
	}
	o := c.JSON()
	for _, key := range []string{"series", "title", "color"} { // each frame has its own series and titles, and each series has its own colour
		delete(o, key)
	}
	o["xAxis"], o["yAxis"] = xs, ys
	o["backgroundColor"] = hex(paper) // The background is white as in the picture, because the letters are dark.
	if b.first.bar != nil {
		o["graphic"] = b.first.bar.graphic(px(b.w), px(b.h-b.bottom)+2)
	}
	if len(planes) > 0 {
		// Dragging with the mouse moves the panel. The mouse wheel without the shift key still
		// scrolls the page.
		o["dataZoom"] = []map[string]any{
			{"type": "inside", "xAxisIndex": planes, "filterMode": "none", "zoomOnMouseWheel": "shift",
				"moveOnMouseWheel": false},
			{"type": "inside", "yAxisIndex": planes, "filterMode": "none", "zoomOnMouseWheel": "shift",
				"moveOnMouseWheel": false},
		}
	}
	b.addScenes(o)
	return o, ticks
}

// axisOption returns an axis of a panel. If the axis in the picture has custom labels instead of
// round numbers, the chart shows the same labels.
func axisOption(which string, index int, a plot.Axis, lo, hi float64, shown bool, gap int) (map[string]any,
	[]chartTicks) {
	label, tick := map[string]any{"show": true, "color": hex(ink), "hideOverlap": true, "showMinLabel": false,
		"showMaxLabel": false}, map[string]any{"show": true}
	o := map[string]any{
		"gridIndex": index, "show": shown, "type": kind(a), "min": lo, "max": hi,
		"nameLocation": "middle", "nameGap": gap, "nameTextStyle": map[string]any{"color": hex(ink), "fontSize": 13},
		"axisLine":  map[string]any{"show": true, "onZero": false, "lineStyle": map[string]any{"color": hex(ink)}},
		"splitLine": map[string]any{"show": false}, "axisLabel": label, "axisTick": tick,
	}
	if name := unicodeText(a.Label.Text); name != "" {
		o["name"] = name
	}
	switch a.Tick.Marker.(type) {
	case niceTicks, plot.LogTicks:
		return o, nil
	case countTicks:
		o["minInterval"] = 1
		return o, nil
	case exponentTicks:
		o["minInterval"], label["formatter"] = 1, "10^{value}"
		return o, nil
	}
	values, labels := []float64{}, map[string]string{}
	for _, t := range a.Tick.Marker.Ticks(lo, hi) {
		if t.Label != "" && t.Value >= lo && t.Value <= hi {
			values = append(values, t.Value)
			labels[number(t.Value)] = unicodeText(t.Label)
		}
	}
	label["customValues"], tick["customValues"] = values, values
	label["showMinLabel"], label["showMaxLabel"], label["hideOverlap"] = true, true, false
	return o, []chartTicks{{which, index, labels}}
}

// labelRoom returns the distance in pixels between a vertical axis and its name. It is large
// enough that the name does not touch the longest label.
func labelRoom(a plot.Axis, lo, hi float64) int {
	long := 0
	for _, t := range a.Tick.Marker.Ticks(lo, hi) {
		long = max(long, utf8.RuneCountInString(unicodeText(t.Label)))
	}
	return 14 + 7*long
}

func number(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

func kind(a plot.Axis) string {
	if _, ok := a.Scale.(plot.LogScale); ok {
		return "log"
	}
	return "value"
}

// These constants are the heights of the parts below the panels of a chart, in points.
const (
	chartLegend    = vg.Length(26) // height of a legend of one row
	chartLegendRow = vg.Length(18) // additional height for each further row of the legend
	chartBar       = barHeight + 2*tickSize
)

// legendPages is the largest number of rows of a legend that is not divided into pages.
const legendPages = 6

// arrowIcon is the legend icon of an arrow.
const arrowIcon = "path://M0,4.2L18,4.2L18,1L26,5L18,9L18,5.8L0,5.8Z"

// legendOf returns the distinct legend entries of all frames.
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

// legendRoom returns the number of rows of the legend. It also returns the height that the legend
// and the colour bar need below the panels.
func (b *chartBuilder) legendRoom() (rows int, room vg.Length) {
	wrapped, _ := legendRows(b.items, b.w-2*margin)
	rows = len(wrapped)
	room = chartLegend + chartLegendRow*vg.Length(min(max(rows, 1), legendPages)-1)
	if b.first.bar != nil {
		room += chartBar
	}
	return rows, room
}

// legendEntries returns the legend entries in the format of echarts. The icon of a line has no dot,
// and the icon of an arrow is an arrow. echarts has no icon for surfaces, so their icon is a
// rectangle.
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

// graphicText returns a text element for the options of echarts. Its position on the page is in
// pixels.
func graphicText(s string, x, y float64, size vg.Length, align, vertical string) map[string]any {
	return map[string]any{"type": "text", "silent": true, "style": map[string]any{
		"text": s, "x": x, "y": y, "fill": hex(ink), "fontSize": px(size), "align": align, "verticalAlign": vertical}}
}

// graphic returns the elements that draw the colour bar above the legend of a chart of width w,
// with its upper edge at the height `top`. The bar consists of a label, coloured bands, and numbers
// below the bands.
func (b *colorBar) graphic(w, top float64) []map[string]any {
	sty := legendStyle()
	label := sty.Width(b.label)
	left := w/2 - px(label+thumbGap+barWidth)/2 + px(label+thumbGap)
	lo, hi := b.ends()
	share := func(v float64) float64 { return (v - lo) / (hi - lo) }
	stops := []map[string]any{}
	edges := append(append([]float64{lo}, b.levels...), hi)
	for i, c := range b.colors { // two colour stops at each border give the bands sharp edges
		stops = append(stops, map[string]any{"offset": share(edges[i]), "color": hex(c)},
			map[string]any{"offset": share(edges[i+1]), "color": hex(c)})
	}
	out := []map[string]any{
		graphicText(unicodeText(b.label), left-px(thumbGap), top+px(barHeight)/2, tickSize, "right", "middle"),
	}
	for _, m := range b.marksThatFit() {
		out = append(out, graphicText(m.label, left+px(m.at), top+px(barHeight)+3, tickSize-1, "center", "top"))
	}
	return append(out,
		map[string]any{"type": "rect", "silent": true,
			"shape": map[string]any{"x": left, "y": top, "width": px(barWidth), "height": px(barHeight)},
			"style": map[string]any{"stroke": hex(ink), "lineWidth": px(frameLine),
				"fill": map[string]any{"type": "linear", "x": 0, "y": 0, "x2": 1, "y2": 0, "colorStops": stops}}})
}
