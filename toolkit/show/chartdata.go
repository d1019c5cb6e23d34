package show

import (
	"encoding/json"
	"fmt"
	"image/color"
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"
)

// chartData is what the page's script gets; its other half is
// internal/echarts/runtime.js.
type chartData struct {
	Width   int               `json:"width"` // CSS pixels
	Height  int               `json:"height"`
	Option  map[string]any    `json:"option"` // of echarts, without series and title
	Parts   []json.RawMessage `json:"parts"`  // the series that occur in frames, each once
	Frames  []chartFrame      `json:"frames"`
	Sliders []Slider          `json:"sliders"`
	Ticks   []chartTicks      `json:"ticks,omitempty"`
}

// A chartFrame is what is seen at one combination of slider positions.
type chartFrame struct {
	Parts  []int        `json:"parts"`
	Title  []chartTitle `json:"title"`
	Probes []chartProbe `json:"probes,omitempty"`
}

// chartTicks are the labels of an axis that are not its numbers.
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

// chartTools is the room above the panels for the tools, in points.
const chartTools = vg.Length(16)

// px is a length on the page in CSS pixels, to a hundredth.
func px(l vg.Length) float64 { return math.Round(float64(l)*96/72*100) / 100 }

// A chartBuilder collects the frames of a chart.
type chartBuilder struct {
	first   *Figure
	ranges  [][4]float64 // of each panel: x from, to, y from, to
	rec     *record      // of the first figure: where the panels are
	w, h    vg.Length    // of the page, in points
	top     vg.Length    // room above the panels
	bottom  vg.Length    // room below them
	items   []legendItem // of all frames
	pages   bool         // the legend does
	parts   []json.RawMessage
	known   map[string]int // parts by their JSON
	frames  []chartFrame
	strokes map[string]bool // names of lines
	sheets  map[int]int     // the number of a panel's first sheet among the series
	// sheetColor has the colours of sheets by their names.
	sheetColor map[string]string
	rows       bool // there are points to point at
	curves     bool // every line goes from left to right
}

func newChartBuilder(frames []*Figure, start int) *chartBuilder {
	f := frames[start]
	b := &chartBuilder{first: f, items: legendOf(frames), known: map[string]int{}, strokes: map[string]bool{}, sheets: map[int]int{}, sheetColor: map[string]string{}, curves: true,
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
	b.rec = b.layout(f)
	return b
}

// layout records the layers of a figure.
func (b *chartBuilder) layout(f *Figure) *record {
	return f.record(b.w-2*margin, b.h-b.top-margin-b.bottom)
}

// left and topOf are where a frame begins, in pixels from the upper left.
func (b *chartBuilder) left(r vg.Rectangle) float64 { return px(margin + r.Min.X) }
func (b *chartBuilder) topOf(r vg.Rectangle) float64 {
	return px(b.h - b.bottom - margin - r.Max.Y)
}

// widen makes the ranges of the axes wide enough for f.
func (b *chartBuilder) widen(f *Figure) {
	for i, p := range f.panels {
		r := &b.ranges[i]
		r[0], r[1] = min(r[0], p.X.Min), max(r[1], p.X.Max)
		r[2], r[3] = min(r[2], p.Y.Min), max(r[3], p.Y.Max)
	}
}

// add appends a frame.
func (b *chartBuilder) add(f *Figure) error {
	rec := b.layout(f)
	frame := chartFrame{Parts: []int{}, Title: []chartTitle{}}
	if f.Title != "" {
		frame.Title = append(frame.Title, chartTitle{unicodeText(f.Title), px(b.w) / 2, px(margin), "center", titleStyle(15)})
	}
	for i, layers := range rec.layers {
		p := f.panels[i]
		if p.Title.Text != "" {
			r := rec.frames[i]
			frame.Title = append(frame.Title, chartTitle{unicodeText(p.Title.Text), b.left(r) + px(r.Size().X)/2, b.topOf(r) - 20, "center", titleStyle(13)})
		}
		s := seriesOf{b: b, f: f, panel: i, r: b.ranges[i]}
		for _, l := range layers {
			if _, ok := l.(*scene); ok {
				b.sheets[i] = len(frame.Parts)
			}
			for _, part := range s.layer(l) {
				n, err := b.part(part)
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

// part returns the number of a series, the same for equal ones: frames share most
// of what they show.
func (b *chartBuilder) part(s any) (int, error) {
	text, err := json.Marshal(s)
	if err != nil {
		return 0, fmt.Errorf("a layer has no form in JSON: %w", err)
	}
	n, ok := b.known[string(text)]
	if !ok {
		n = len(b.parts)
		b.parts, b.known[string(text)] = append(b.parts, text), n
	}
	return n, nil
}

// finish puts the option of the chart together.
func (b *chartBuilder) finish(sliders []Slider) chartData {
	d := chartData{Width: int(px(b.w)), Height: int(px(b.h)), Parts: b.parts, Frames: b.frames, Sliders: append([]Slider{}, sliders...)}
	d.Option, d.Ticks = b.option()
	return d
}

func titleStyle(size int) map[string]any {
	return map[string]any{"fontSize": size, "color": hex(ink), "fontFamily": "sans-serif", "fontWeight": "bold"}
}

// hex is a colour as the page writes it.
func hex(c color.NRGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }

func hexOf(c color.Color) string {
	if c == nil {
		return hex(ink)
	}
	r, g, b, _ := c.RGBA()
	return hex(color.NRGBA{uint8(r >> 8), uint8(g >> 8), uint8(b >> 8), 255})
}

// near rounds v to a hundred-thousandth of a range: more cannot be seen.
func near(v, lo, hi float64) float64 {
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

// A record is a page on which layers leave themselves instead of ink: what an
// interactive chart is made of. Everything else that is drawn on it is lost.
type record struct {
	recorder.Canvas
	frames []vg.Rectangle // of the panels, in points from the lower left
	layers [][]mark       // of each panel, from below
}

// keep takes a mark for the panel that is drawn.
func (r *record) keep(m mark) {
	if last := len(r.layers) - 1; last >= 0 {
		r.layers[last] = append(r.layers[last], m)
	}
}

// recordOf returns the record that c is a part of, else nil. Each part of a
// page holds the whole.
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

// record lays the figure out on a page of w × h points as in print.
func (f *Figure) record(w, h vg.Length) *record {
	r := &record{}
	f.drawPanels(draw.Canvas{Canvas: r, Rectangle: vg.Rectangle{Max: vg.Point{X: w, Y: h}}})
	return r
}

// scene returns the surfaces that a panel shows, or nil.
func (r *record) scene(panel int) *scene {
	for _, m := range r.layers[panel] {
		if s, ok := m.(*scene); ok {
			return s
		}
	}
	return nil
}
