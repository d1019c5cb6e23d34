package canvas

import (
	"bytes"
	"image"
	"image/color"
	"image/png"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgimg"
)

// PNG draws into pixels with gonum/plot's rasterizer, which works in fixed
// point: the pixels follow from the rounded coordinates alone.
type PNG struct{ img *vgimg.Canvas }

// NewPNG returns a white page of w×h points at dpi dots per inch.
func NewPNG(w, h float64, dpi int) *PNG {
	return &PNG{vgimg.NewWith(vgimg.UseWH(vg.Points(w), vg.Points(h)), vgimg.UseDPI(dpi), vgimg.UseBackgroundColor(color.White))}
}

// Bytes returns the picture as a PNG file, with a palette where that is as good.
func (d *PNG) Bytes() ([]byte, error) {
	var img image.Image = d.img.Image()
	if rgba, ok := img.(*image.RGBA); ok {
		img = paletted(rgba)
	}
	var b bytes.Buffer
	enc := png.Encoder{CompressionLevel: png.BestCompression}
	if err := enc.Encode(&b, img); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// Fill implements Sink.
func (d *PNG) Fill(p []Segment, c color.NRGBA, _ string) {
	d.img.SetColor(c)
	d.img.Fill(vgPath(p))
}

// Stroke implements Sink.
func (d *PNG) Stroke(p []Segment, s Stroke) {
	d.img.SetColor(s.Color)
	d.img.SetLineWidth(vg.Points(s.Width))
	dash := make([]vg.Length, len(s.Dash))
	for i, v := range s.Dash {
		dash[i] = vg.Points(v)
	}
	d.img.SetLineDash(dash, 0)
	d.img.Stroke(vgPath(p))
}

// Image implements Sink.
func (d *PNG) Image(lo, hi Point, img image.Image) {
	d.img.DrawImage(vg.Rectangle{Min: vgPoint(lo), Max: vgPoint(hi)}, img)
}

func vgPath(p []Segment) vg.Path {
	out := make(vg.Path, 0, len(p))
	for _, s := range p {
		switch s.Kind {
		case Move:
			out.Move(vgPoint(s.P[0]))
		case Line:
			out.Line(vgPoint(s.P[0]))
		case Quad:
			out.QuadTo(vgPoint(s.P[0]), vgPoint(s.P[1]))
		case Cubic:
			out.CubeTo(vgPoint(s.P[0]), vgPoint(s.P[1]), vgPoint(s.P[2]))
		case Close:
			out.Close()
		}
	}
	return out
}

func vgPoint(p Point) vg.Point { return vg.Point{X: vg.Points(p.X), Y: vg.Points(p.Y)} }
