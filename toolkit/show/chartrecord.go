package show

import (
	"image"
	"image/color"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A recorder is a page on which layers leave themselves instead of ink: what an
// interactive chart is made of. Everything else that is drawn on it is lost.
type recorder struct {
	blank
	frames []vg.Rectangle // of the panels, in points from the lower left
	layers [][]any        // of each panel, from below
}

// recorded keeps a layer if c is a part of a recorder's page, and says so.
func recorded(c draw.Canvas, layer any) bool {
	r := recorderOf(c)
	if r != nil && len(r.layers) > 0 {
		last := len(r.layers) - 1
		r.layers[last] = append(r.layers[last], layer)
	}
	return r != nil
}

// recorderOf returns the recorder that c is a part of, else nil. Each part of a
// page holds the whole.
func recorderOf(c vg.Canvas) *recorder {
	for {
		switch in := c.(type) {
		case *recorder:
			return in
		case draw.Canvas:
			c = in.Canvas
		default:
			return nil
		}
	}
}

// begin starts the next panel, end notes where its frame is.
func (r *recorder) begin() { r.layers = append(r.layers, nil) }

func (r *recorder) end(frame vg.Rectangle) { r.frames = append(r.frames, frame) }

// record lays the figure out on a page of w × h points as in print.
func (f *Figure) record(w, h vg.Length) *recorder {
	r := &recorder{}
	f.drawPanels(draw.Canvas{Canvas: r, Rectangle: vg.Rectangle{Max: vg.Point{X: w, Y: h}}})
	return r
}

var _ vg.Canvas = (*recorder)(nil)

// blank is a canvas that draws nothing.
type blank struct{}

func (blank) SetLineWidth(vg.Length)                 {}
func (blank) SetLineDash([]vg.Length, vg.Length)     {}
func (blank) SetColor(color.Color)                   {}
func (blank) Rotate(float64)                         {}
func (blank) Translate(vg.Point)                     {}
func (blank) Scale(float64, float64)                 {}
func (blank) Push()                                  {}
func (blank) Pop()                                   {}
func (blank) Stroke(vg.Path)                         {}
func (blank) Fill(vg.Path)                           {}
func (blank) FillString(font.Face, vg.Point, string) {}
func (blank) DrawImage(vg.Rectangle, image.Image)    {}
