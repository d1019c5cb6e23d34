package canvas

import (
	"bytes"
	"cmp"
	"image"
	"image/color"
	"image/png"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgimg"
)

// PNG draws into pixels with gonum/plot's rasterizer, which works in fixed
// point: the pixels follow from the rounded coordinates alone.
type PNG struct {
	img *vgimg.Canvas
	// Quick compresses less, in a quarter of the time: for a picture that nobody keeps.
	Quick bool
}

// NewPNG returns a white page of w×h points at dpi dots per inch.
func NewPNG(w, h vg.Length, dpi int) *PNG {
	return &PNG{img: vgimg.NewWith(vgimg.UseWH(w, h), vgimg.UseDPI(dpi), vgimg.UseBackgroundColor(color.White))}
}

// Bytes returns the picture as a PNG file, with a palette where that is as good.
func (d *PNG) Bytes() ([]byte, error) {
	var img image.Image = d.img.Image()
	if rgba, ok := img.(*image.RGBA); ok {
		img = paletted(rgba)
	}
	var b bytes.Buffer
	enc := png.Encoder{CompressionLevel: png.BestCompression}
	if d.Quick {
		enc.CompressionLevel = png.DefaultCompression
	}
	if err := enc.Encode(&b, img); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// Fill implements Sink.
func (d *PNG) Fill(p vg.Path, c color.NRGBA, _ string) {
	d.img.SetColor(c)
	d.img.Fill(p)
}

// Stroke implements Sink.
func (d *PNG) Stroke(p vg.Path, s Stroke) {
	d.img.SetColor(s.Color)
	d.img.SetLineWidth(s.Width)
	d.img.SetLineDash(s.Dash, 0)
	d.img.Stroke(p)
}

// Image implements Sink.
func (d *PNG) Image(r vg.Rectangle, img image.Image) { d.img.DrawImage(r, img) }

// paletted returns img with at most 256 colours if that can be done without a
// difference that shows, which makes files of line drawings three times smaller;
// otherwise img itself.
//
// The palette holds the most frequent colours, each at least spread away from the
// ones before: the flat colours of the drawing and the steps of its smoothed
// edges. A picture with smooth shades has too many frequent colours, and keeps
// them all.
func paletted(img *image.RGBA) image.Image {
	const spread, tolerance = 5, 0.25 // of 255, per channel; the mean over all pixels
	b := img.Bounds()
	count := map[color.RGBA]int{}
	runs(img, func(c color.RGBA, _, _, n int) { count[c] += n })
	if len(count) > 8000 { // a drawing has a few thousand; matching more takes long
		return img
	}
	colors := make([]color.RGBA, 0, len(count))
	for c := range count {
		colors = append(colors, c)
	}
	slices.SortFunc(colors, func(p, q color.RGBA) int {
		return cmp.Or(cmp.Compare(count[q], count[p]), cmp.Compare(p.R, q.R), cmp.Compare(p.G, q.G), cmp.Compare(p.B, q.B), cmp.Compare(p.A, q.A))
	})
	var palette color.Palette
	for _, c := range colors {
		if len(colors) <= 256 {
			palette = append(palette, c)
			continue
		}
		if len(palette) < 256 && !slices.ContainsFunc(palette, func(p color.Color) bool { return apart(p.(color.RGBA), c) < spread }) {
			palette = append(palette, c)
		}
	}
	index := make(map[color.RGBA]uint8, len(colors))
	total := 0
	for _, c := range colors {
		i := palette.Index(c)
		index[c] = uint8(i)
		total += count[c] * apart(palette[i].(color.RGBA), c)
	}
	if float64(total) > tolerance*float64(b.Dx()*b.Dy()) {
		return img
	}
	out := image.NewPaletted(b, palette)
	runs(img, func(c color.RGBA, x, y, n int) {
		at, i := out.PixOffset(x, y), index[c]
		for p := range n {
			out.Pix[at+p] = i
		}
	})
	return out
}

// runs calls f for every run of n equal pixels of a row, starting at (x, y).
func runs(img *image.RGBA, f func(c color.RGBA, x, y, n int)) {
	b := img.Bounds()
	for y := b.Min.Y; y < b.Max.Y; y++ {
		row := img.Pix[img.PixOffset(b.Min.X, y) : img.PixOffset(b.Max.X-1, y)+4]
		start := 0
		for at := 4; at <= len(row); at += 4 {
			if at == len(row) || [4]byte(row[at:]) != [4]byte(row[start:]) {
				f(color.RGBA{row[start], row[start+1], row[start+2], row[start+3]}, b.Min.X+start/4, y, (at-start)/4)
				start = at
			}
		}
	}
}

// apart returns the largest difference of two colours in a channel.
func apart(p, q color.RGBA) int {
	d := func(a, b uint8) int { return max(int(a)-int(b), int(b)-int(a)) }
	return max(d(p.R, q.R), d(p.G, q.G), d(p.B, q.B), d(p.A, q.A))
}
