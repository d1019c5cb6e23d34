package canvas

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"image"
	"image/color"
	"maps"
	"slices"
	"unicode/utf16"

	"gonum.org/v1/plot/vg"
)

// PDF is a Sink that writes a PDF document with one page. The document contains no date, identifier
// or font (text is outlines), so equal drawings give equal files.
type PDF struct {
	w, h   vg.Length
	title  string
	page   bytes.Buffer
	alphas map[uint8]bool
	images []image.Image
}

// NewPDF returns a document with an empty page of w×h points and the given title.
func NewPDF(w, h vg.Length, title string) *PDF {
	return &PDF{w: w, h: h, title: title, alphas: map[uint8]bool{}}
}

// Fill implements Sink.
func (d *PDF) Fill(p vg.Path, c color.NRGBA, _ string) {
	d.color(c, "rg")
	d.path(p)
	d.page.WriteString("f\n")
}

// Stroke implements Sink.
func (d *PDF) Stroke(p vg.Path, s Stroke) {
	d.color(s.Color, "RG")
	fmt.Fprintf(&d.page, "[%s] 0 d %s w\n", nums(s.Dash...), num(s.Width))
	d.path(p)
	d.page.WriteString("S\n")
}

// Image implements Sink.
func (d *PDF) Image(r vg.Rectangle, img image.Image) {
	fmt.Fprintf(&d.page, "q %s 0 0 %s %s cm /I%d Do Q\n", num(r.Size().X), num(r.Size().Y), nums(r.Min.X, r.Min.Y),
		len(d.images))
	d.images = append(d.images, img)
}

func (d *PDF) color(c color.NRGBA, op string) {
	d.alphas[c.A] = true
	fmt.Fprintf(&d.page, "/A%d gs %.4g %.4g %.4g %s\n", c.A, float64(c.R)/255, float64(c.G)/255, float64(c.B)/255, op)
}

func (d *PDF) path(p vg.Path) {
	var at vg.Point
	for _, comp := range p {
		to := comp.Pos
		switch comp.Type {
		case vg.MoveComp:
			d.page.WriteString(nums(to.X, to.Y) + " m\n")
		case vg.LineComp:
			d.page.WriteString(nums(to.X, to.Y) + " l\n")
		case vg.CurveComp:
			a, b := comp.Control[0], comp.Control[len(comp.Control)-1]
			if len(comp.Control) == 1 { // PDF has no quadratic curves, so write the same curve as a cubic
				a = vg.Point{X: at.X + (b.X-at.X)*2/3, Y: at.Y + (b.Y-at.Y)*2/3}
				b = vg.Point{X: to.X + (b.X-to.X)*2/3, Y: to.Y + (b.Y-to.Y)*2/3}
			}
			d.page.WriteString(nums(a.X, a.Y, b.X, b.Y, to.X, to.Y) + " c\n")
		case vg.CloseComp:
			d.page.WriteString("h\n")
			continue
		}
		at = to
	}
}

// Bytes returns the finished file.
func (d *PDF) Bytes() ([]byte, error) {
	var out bytes.Buffer
	var offsets []int
	object := func(dict string, stream []byte) {
		offsets = append(offsets, out.Len())
		fmt.Fprintf(&out, "%d 0 obj\n<<%s", len(offsets), dict)
		if stream != nil {
			var z bytes.Buffer
			w := zlib.NewWriter(&z)
			_, _ = w.Write(stream) // writing to memory cannot fail
			_ = w.Close()
			fmt.Fprintf(&out, "/Filter/FlateDecode/Length %d>>\nstream\n%s\nendstream\nendobj\n", z.Len(), z.Bytes())
			return
		}
		out.WriteString(">>\nendobj\n")
	}
	out.WriteString("%PDF-1.4\n%\xe2\xe3\xcf\xd3\n") // the second line marks the file as binary
	const firstImage = 6
	resources := "/ExtGState<<"
	for _, a := range slices.Sorted(maps.Keys(d.alphas)) {
		resources += fmt.Sprintf("/A%d<</ca %.4g/CA %.4g>>", a, float64(a)/255, float64(a)/255)
	}
	resources += ">>/XObject<<"
	for i := range d.images {
		resources += fmt.Sprintf("/I%d %d 0 R", i, firstImage+i)
	}
	resources += ">>"
	object("/Type/Catalog/Pages 2 0 R", nil)
	object("/Type/Pages/Kids[3 0 R]/Count 1", nil)
	object(fmt.Sprintf("/Type/Page/Parent 2 0 R/MediaBox[0 0 %s]/Group<</S/Transparency/CS/DeviceRGB>>/Resources<<%s>>/Contents 4 0 R", nums(d.w, d.h), resources), nil)
	object("", append([]byte("1 j\n"), d.page.Bytes()...)) // join lines with round corners, as in SVG and PNG
	object("/Title <"+pdfText(d.title)+">", nil)
	for _, img := range d.images {
		b := img.Bounds()
		object(fmt.Sprintf("/Type/XObject/Subtype/Image/Width %d/Height %d/ColorSpace/DeviceRGB/BitsPerComponent 8/Interpolate true", b.Dx(), b.Dy()), rgb(img))
	}
	start := out.Len()
	fmt.Fprintf(&out, "xref\n0 %d\n0000000000 65535 f \n", len(offsets)+1)
	for _, o := range offsets {
		fmt.Fprintf(&out, "%010d 00000 n \n", o)
	}
	fmt.Fprintf(&out, "trailer\n<</Size %d/Root 1 0 R/Info 5 0 R>>\nstartxref\n%d\n%%%%EOF\n", len(offsets)+1, start)
	return out.Bytes(), nil
}

// pdfText returns s as the hexadecimal digits of UTF-16 with byte order mark.
func pdfText(s string) string {
	out := "FEFF"
	for _, u := range utf16.Encode([]rune(s)) {
		out += fmt.Sprintf("%04X", u)
	}
	return out
}

// rgb returns the pixels of img, row by row from the top. Each pixel has three bytes.
func rgb(img image.Image) []byte {
	b := img.Bounds()
	out := make([]byte, 0, 3*b.Dx()*b.Dy())
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			c := color.NRGBAModel.Convert(img.At(x, y)).(color.NRGBA)
			out = append(out, c.R, c.G, c.B)
		}
	}
	return out
}
