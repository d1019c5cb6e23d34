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

// PNG is a Sink that draws pixels with the rasterizer of gonum/plot. The rasterizer uses
// fixed-point arithmetic, so the pixels depend only on the rounded coordinates.
type PNG struct {
	img *vgimg.Canvas
	// Quick means less compression, which takes only a quarter of the time. It is for pictures that
	// are not stored.
	Quick bool
	// Light means half the resolution and 256 colours for a picture of shaded surfaces. Its file is
	// then ten times smaller. Light is for pictures that are stored in a notebook.
	Light bool
}

// NewPNG returns a white page of w×h points at dpi dots per inch.
func NewPNG(w, h vg.Length, dpi int) *PNG {
	return &PNG{img: vgimg.NewWith(vgimg.UseWH(w, h), vgimg.UseDPI(dpi), vgimg.UseBackgroundColor(color.White))}
}

// Bytes returns the picture as a PNG file. The file has a palette of at most 256 colours if the
// picture looks the same with such a palette. If it does not and Light is true, Bytes halves the
// resolution and tries a less similar palette.
func (d *PNG) Bytes() ([]byte, error) {
	var img image.Image = d.img.Image()
	if rgba, ok := img.(*image.RGBA); ok {
		if img = paletted(rgba, drawn); img == image.Image(rgba) && d.Light {
			img = paletted(smaller(rgba), shaded)
		}
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

// A likeness contains the limits that decide whether a copy with a palette of 256 colours looks the
// same as the picture.
type likeness struct {
	most      int     // largest number of colours; with more, the search for near palette colours takes too long
	group     uint8   // mask of the low bits of a channel to ignore when colours are counted
	tolerance float64 // largest mean difference between pixels; a channel has the values 0 to 255
}

var (
	drawn  = likeness{8000, 0, 0.25} // limits for a drawing, which has a few thousand colours
	shaded = likeness{60_000, 3, 2}  // limits for a picture of shaded surfaces
)

// paletted returns a copy of img with at most 256 colours. If img has too many colours, or the copy
// differs too much from img, paletted returns img itself. A palette makes files of line drawings
// three times smaller.
//
// If img has more than 256 colours, the palette contains the most frequent colours. It omits a colour
// whose difference from a more frequent colour of the palette is less than `spread`. The palette of a
// drawing therefore contains the colours of its areas and the intermediate colours of its smoothed
// edges. A picture with smooth shades has too many frequent colours, so its copy differs by more than
// the limits in `drawn` allow.
func paletted(img *image.RGBA, limits likeness) image.Image {
	const spread = 5
	b := img.Bounds()
	exact, count := map[color.RGBA]int{}, map[color.RGBA]int{}
	runs(img, func(c color.RGBA, _, _, n int) { exact[c] += n })
	if len(exact) > limits.most {
		return img
	}
	for c, n := range exact {
		count[color.RGBA{c.R | limits.group, c.G | limits.group, c.B | limits.group, c.A}] += n
	}
	colors := make([]color.RGBA, 0, len(count))
	for c := range count {
		colors = append(colors, c)
	}
	slices.SortFunc(colors, func(p, q color.RGBA) int {
		return cmp.Or(cmp.Compare(count[q], count[p]), cmp.Compare(p.R, q.R), cmp.Compare(p.G, q.G),
			cmp.Compare(p.B, q.B), cmp.Compare(p.A, q.A))
	})
	var palette color.Palette
	for _, c := range colors {
		if len(colors) <= 256 {
			palette = append(palette, c)
			continue
		}
		if len(palette) < 256 && !slices.ContainsFunc(palette,
			func(p color.Color) bool { return apart(p.(color.RGBA), c) < spread }) {
			palette = append(palette, c)
		}
	}
	index := make(map[color.RGBA]uint8, len(exact))
	total := 0
	for c, n := range exact {
		i := palette.Index(c)
		index[c] = uint8(i)
		total += n * apart(palette[i].(color.RGBA), c)
	}
	if float64(total) > limits.tolerance*float64(b.Dx()*b.Dy()) {
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

// smaller returns img with half the width and height. Each pixel is the mean of four pixels. The
// mean is computed with integers, so that the bytes are the same on every processor.
func smaller(img *image.RGBA) *image.RGBA {
	b := img.Bounds()
	out := image.NewRGBA(image.Rect(0, 0, b.Dx()/2, b.Dy()/2))
	for y := range out.Rect.Dy() {
		for x := range out.Rect.Dx() {
			above, at := img.PixOffset(b.Min.X+2*x, b.Min.Y+2*y), out.PixOffset(x, y)
			below := above + img.Stride
			for c := range 4 {
				sum := int(img.Pix[above+c]) + int(img.Pix[above+4+c]) + int(img.Pix[below+c]) + int(img.Pix[below+4+c])
				out.Pix[at+c] = uint8((sum + 2) / 4)
			}
		}
	}
	return out
}

// runs divides each row into runs of equal pixels and calls f for each run. The run begins at (x, y)
// and has n pixels of the colour c.
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

// apart returns the difference between two colours: the largest difference in any channel.
func apart(p, q color.RGBA) int {
	d := func(a, b uint8) int { return max(int(a)-int(b), int(b)-int(a)) }
	return max(d(p.R, q.R), d(p.G, q.G), d(p.B, q.B), d(p.A, q.A))
}
