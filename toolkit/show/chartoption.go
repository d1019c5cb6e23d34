package show

import (
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
