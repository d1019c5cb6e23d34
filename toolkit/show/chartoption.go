package show

import (
	"encoding/json"
	"strconv"
	"unicode/utf8"

	"github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"
	"gonum.org/v1/plot"
)

// option is everything about the chart but what the frames show: axes where the
// panels of the printed figure are, legend, tooltips, tools. go-echarts writes it;
// what it has no field for is added.
func (b *chartBuilder) option() (map[string]any, []chartTicks, error) {
	c := charts.NewScatter()
	c.XAxisList, c.YAxisList = nil, nil
	legend := []map[string]any{}
	for _, name := range b.names {
		entry := map[string]any{"name": name}
		if b.strokes[name] {
			entry["itemStyle"] = map[string]any{"opacity": 0} // no dot on the line
		}
		legend = append(legend, entry)
	}
	trigger := "item"
	if b.curves && !b.rows && len(b.sheets) == 0 {
		trigger = "axis"
	}
	c.SetGlobalOptions(
		charts.WithAnimation(false),
		charts.WithTooltipOpts(opts.Tooltip{Show: opts.Bool(true), Trigger: trigger}),
		charts.WithLegendOpts(opts.Legend{Show: opts.Bool(len(b.names) > 0), Type: "scroll", Bottom: "4", Left: "center", Data: legend, ItemWidth: 26, ItemHeight: 12}),
	)
	var planes []int // panels that are not scenes
	var ticks []chartTicks
	for i, p := range b.first.panels {
		r := b.rec.frames[i]
		shown := !b.isScene(i)
		c.GridList = append(c.GridList, opts.Grid{
			Show: opts.Bool(shown), Left: number(b.left(r)), Top: number(b.topOf(r)), Width: number(px(r.Size().X)), Height: number(px(r.Size().Y)),
		})
		limits := b.ranges[i]
		x := opts.XAxis{GridIndex: i, Show: opts.Bool(shown), Type: kind(p.X), Name: unicodeText(p.X.Label.Text), NameLocation: "middle", NameGap: 26, Min: limits[0], Max: limits[1]}
		y := opts.YAxis{GridIndex: i, Show: opts.Bool(shown), Type: kind(p.Y), Name: unicodeText(p.Y.Label.Text), NameLocation: "middle", NameGap: labelRoom(p.Y, limits[2], limits[3]), Min: limits[2], Max: limits[3]}
		c.XAxisList, c.YAxisList = append(c.XAxisList, x), append(c.YAxisList, y)
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
	var xs, ys []map[string]any
	for i, p := range b.first.panels {
		limits := b.ranges[i]
		x, tx, err := axisOption("xAxis", i, c.XAxisList[i], p.X, limits[0], limits[1])
		if err != nil {
			return nil, nil, err
		}
		y, ty, err := axisOption("yAxis", i, c.YAxisList[i], p.Y, limits[2], limits[3])
		if err != nil {
			return nil, nil, err
		}
		xs, ys = append(xs, x), append(ys, y)
		ticks = append(append(ticks, tx...), ty...)
	}
	o["xAxis"], o["yAxis"] = xs, ys
	if len(planes) > 0 {
		// Dragging moves; the wheel alone scrolls the page as ever.
		o["dataZoom"] = []map[string]any{
			{"type": "inside", "xAxisIndex": planes, "filterMode": "none", "zoomOnMouseWheel": "shift", "moveOnMouseWheel": false},
			{"type": "inside", "yAxisIndex": planes, "filterMode": "none", "zoomOnMouseWheel": "shift", "moveOnMouseWheel": false},
		}
	}
	b.addScenes(o)
	return o, ticks, nil
}

// axisOption completes what go-echarts says about an axis: where the printed axis
// labels something else than round numbers, so does this one.
func axisOption(which string, index int, written any, a plot.Axis, lo, hi float64) (map[string]any, []chartTicks, error) {
	text, err := json.Marshal(written)
	if err != nil {
		return nil, nil, err
	}
	o := map[string]any{}
	if err := json.Unmarshal(text, &o); err != nil {
		return nil, nil, err
	}
	o["gridIndex"], o["min"], o["max"] = index, lo, hi // zeros are left out there
	o["axisLine"] = map[string]any{"show": true, "onZero": false, "lineStyle": map[string]any{"color": hex(ink)}}
	o["splitLine"] = map[string]any{"show": false}
	label, tick := map[string]any{"show": true, "color": hex(ink), "hideOverlap": true, "showMinLabel": false, "showMaxLabel": false}, map[string]any{"show": true}
	o["axisLabel"], o["axisTick"] = label, tick
	o["nameTextStyle"] = map[string]any{"color": hex(ink), "fontSize": 13}
	switch a.Tick.Marker.(type) {
	case niceTicks, plot.LogTicks:
		return o, nil, nil
	case countTicks:
		o["minInterval"] = 1
		return o, nil, nil
	case exponentTicks:
		o["minInterval"], label["formatter"] = 1, "10^{value}"
		return o, nil, nil
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
	return o, []chartTicks{{which, index, labels}}, nil
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

func (b *chartBuilder) isScene(panel int) bool {
	for _, l := range b.rec.layers[panel] {
		if _, ok := l.(*scene); ok {
			return true
		}
	}
	return false
}

func number(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

func kind(a plot.Axis) string {
	if _, ok := a.Scale.(plot.LogScale); ok {
		return "log"
	}
	return "value"
}
