package show

import (
	"strings"
	"testing"
)

// The page's script draws areas and arrows, echarts their entries in the legend: it
// must be told their colours, or the two differ.
func TestChartLegendHasTheColorsOfShapes(t *testing.T) {
	p := NewPanel("", "")
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0, 1, 0, 1
	fig := must(NewFigure(1, p))(t)
	look := Look{Color: LineColor(1)}
	if err := fig.AddArea(0, "an area", []float64{0, 1, 1}, []float64{0, 0, 1}, look); err != nil {
		t.Fatal(err)
	}
	if err := fig.AddArrow(0, "an arrow", 0, 0, 1, 1, look); err != nil {
		t.Fatal(err)
	}
	c := must(Interactive(fig))(t)
	colors := map[string]string{"an area": hex(mix(paper, look.Color, tintShare)), "an arrow": hex(look.Color)}
	for _, part := range c.data.Parts {
		for name, color := range colors {
			if strings.Contains(string(part), `"name":"`+name+`"`) && strings.Contains(string(part), `"itemStyle":{"color":"`+color+`"}`) {
				delete(colors, name)
			}
		}
	}
	if len(colors) > 0 {
		t.Errorf("without their colours: %v, in %s", colors, c.data.Parts)
	}
}
