package show

import (
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"
	"gonum.org/v1/plot"
)

// option is everything about the chart but what the frames show: axes where the
// panels of the printed figure are, legend, tooltips, tools. go-echarts writes it;
// what it has no field for is added.
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
		charts.WithLegendOpts(opts.Legend{Show: opts.Bool(len(b.items) > 0), Type: legend, Bottom: "4", Left: "center", Data: b.legendEntries(), ItemWidth: 26, ItemHeight: 12}),
	)
	var planes []int // panels that are not scenes
	var ticks []chartTicks
	var xs, ys []map[string]any
	for i, p := range b.first.panels {
		r, limits, shown := b.rec.frames[i], b.ranges[i], b.rec.scene(i) == nil
		c.GridList = append(c.GridList, opts.Grid{
			Show: opts.Bool(shown), Left: number(b.left(r)), Top: number(b.topOf(r)), Width: number(px(r.Size().X)), Height: number(px(r.Size().Y)),
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
		c.SetGlobalOptions(charts.WithToolboxOpts(opts.Toolbox{Show: opts.Bool(true), Right: "8", Top: "2", Feature: &opts.ToolBoxFeature{
			DataZoom: &opts.ToolBoxFeatureDataZoom{Show: opts.Bool(true), Title: map[string]string{"zoom": "zoom: draw a rectangle", "back": "one zoom back"}, Icon: map[string]string{}},
			Restore:  &opts.ToolBoxFeatureRestore{Show: opts.Bool(true), Title: "as it was"},
		}}))
	}
	o := c.JSON()
	for _, key := range []string{"series", "title", "color"} { // they come with the frames
		delete(o, key)
	}
	o["xAxis"], o["yAxis"] = xs, ys
	o["backgroundColor"] = hex(paper) // as the picture: a dark page would hide the letters
	if b.first.bar != nil {
		o["graphic"] = b.first.bar.graphic(px(b.w), px(b.h-b.bottom)+2)
	}
	if len(planes) > 0 {
		// Dragging moves; the wheel alone scrolls the page as ever.
		o["dataZoom"] = []map[string]any{
			{"type": "inside", "xAxisIndex": planes, "filterMode": "none", "zoomOnMouseWheel": "shift", "moveOnMouseWheel": false},
			{"type": "inside", "yAxisIndex": planes, "filterMode": "none", "zoomOnMouseWheel": "shift", "moveOnMouseWheel": false},
		}
	}
	b.addScenes(o)
	return o, ticks
}

// axisOption is an axis of a panel: where the printed axis labels something else than
// round numbers, so does this one.
func axisOption(which string, index int, a plot.Axis, lo, hi float64, shown bool, gap int) (map[string]any, []chartTicks) {
	label, tick := map[string]any{"show": true, "color": hex(ink), "hideOverlap": true, "showMinLabel": false, "showMaxLabel": false}, map[string]any{"show": true}
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

// labelRoom is how far from a vertical axis its name stands, in pixels: beyond the
// longest label.
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

// A surfaceSeries is a sheet as echarts-gl draws it.
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

// series returns the sheets; heights outside the box are holes.
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
				if v := s.z[k][j*n+i]; !math.IsInf(v, 0) && v >= s.zr[0]+s.low*(s.zr[1]-s.zr[0])-1e-9 && v <= s.zr[1]+1e-9 {
					z = near(v, s.zr[0], s.zr[1])
				}
				data = append(data, []any{near(x, s.box.x[0], s.box.x[1]), near(y, s.box.y[0], s.box.y[1]), z})
			}
		}
		part := surfaceSeries{Type: "surface", Name: unicodeText(sheet.Name), Grid3D: b.gridOf(panel), Data: data, DataShape: [2]int{n, n}, CoordinateSystem: "cartesian3D",
			Shading: "lambert", WireFrame: map[string]any{"show": true, "lineStyle": map[string]any{"color": "rgba(0,0,0,0.25)", "width": 0.5}}}
		if sheet.Colors == nil {
			b.sheetColor[part.Name] = hex(sheet.Color)
			part.ItemStyle = map[string]any{"color": hex(sheet.Color), "opacity": float64(s.alpha) / 255}
		}
		out = append(out, part)
	}
	return out
}

// gridOf returns which of the boxes a panel is.
func (b *chartBuilder) gridOf(panel int) int {
	n := 0
	for i := range panel {
		if b.rec.scene(i) != nil {
			n++
		}
	}
	return n
}

// addScenes adds to the option a box for each panel that shows surfaces.
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
			"viewControl": map[string]any{"projection": "orthographic", "alpha": s.elevation, "beta": s.azimuth + 90, "orthographicSize": 165},
			"light":       map[string]any{"main": map[string]any{"intensity": 0.9, "alpha": 50, "beta": 10}, "ambient": map[string]any{"intensity": 0.45}},
			"axisPointer": map[string]any{"show": false},
			"splitLine":   map[string]any{"lineStyle": map[string]any{"color": hex(gridInk)}},
		})
		ranges := [3][2]float64{rounded(s.box.x), rounded(s.box.y), rounded(s.zr)}
		for a, name := range []string{"xAxis3D", "yAxis3D", "zAxis3D"} {
			title := unicodeText(s.labels[a])
			if a == 2 && title != "" {
				// Beside its axis lie the numbers, and echarts-gl knows no other place.
				texts = append(texts, graphicText("↑ "+title, b.left(r), b.topOf(r)+12, labelSize, "left", "middle"))
				title = "\u00a0" // without any name the numbers stand on the axis
			}
			axes[name] = append(axes[name], map[string]any{"grid3DIndex": len(grids) - 1, "type": "value", "name": title, "nameGap": 26, "nameTextStyle": labelText(13),
				"axisLabel": map[string]any{"textStyle": labelText(11)}, "min": ranges[a][0], "max": ranges[a][1], "interval": niceStep(ranges[a][1] - ranges[a][0])})
		}
		for k, sheet := range s.sheets {
			if sheet.Colors != nil {
				maps = append(maps, heights(s, k, b.sheets[i]+k))
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

// labelText is the style of a text in space. Without a height of its lines echarts-gl
// cuts off the upper part of the letters.
func labelText(size int) map[string]any {
	return map[string]any{"fontSize": size, "lineHeight": 2 * size, "color": hex(ink)}
}

// rounded widens a range to round numbers, which label its ends.
func rounded(r [2]float64) [2]float64 {
	step := niceStep(r[1] - r[0])
	return [2]float64{math.Floor(r[0]/step+1e-6) * step, math.Ceil(r[1]/step-1e-6) * step}
}

// heights colours a sheet by its height.
func heights(s *scene, sheet, series int) map[string]any {
	const n = 21
	var colors []string
	for i := range n {
		z := s.zr[0] + (s.zr[1]-s.zr[0])*float64(i)/(n-1)
		colors = append(colors, hex(s.sheets[sheet].Colors(z)))
	}
	return map[string]any{"show": false, "type": "continuous", "dimension": 2, "seriesIndex": series, "min": s.zr[0], "max": s.zr[1], "inRange": map[string]any{"color": colors}}
}
