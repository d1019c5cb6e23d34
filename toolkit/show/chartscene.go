package show

import (
	"math"
)

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
