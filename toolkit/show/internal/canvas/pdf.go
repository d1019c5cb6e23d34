package canvas

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"image"
	"image/color"
	"sort"
	"unicode/utf16"
)

// PDF collects a PDF document of one page. It holds no date, no identifier and
// no font (text is outlines), so equal drawings are equal files.
type PDF struct {
	w, h   float64
	title  string
	page   bytes.Buffer
	alphas map[uint8]bool
	images []image.Image
}

// NewPDF returns an empty page of w×h points with that document title.
func NewPDF(w, h float64, title string) *PDF {
	return &PDF{w: w, h: h, title: title, alphas: map[uint8]bool{}}
}

// Fill implements Sink.
func (d *PDF) Fill(p []Segment, c color.NRGBA, _ string) {
	d.color(c, "rg")
	d.path(p)
	d.page.WriteString("f\n")
}

// Stroke implements Sink.
func (d *PDF) Stroke(p []Segment, s Stroke) {
	d.color(s.Color, "RG")
	d.page.WriteString("[")
	for i, v := range s.Dash {
		if i > 0 {
			d.page.WriteByte(' ')
		}
		d.page.WriteString(num(v))
	}
	fmt.Fprintf(&d.page, "] 0 d %s w\n", num(s.Width))
	d.path(p)
	d.page.WriteString("S\n")
}

// Image implements Sink.
func (d *PDF) Image(lo, hi Point, img image.Image) {
	fmt.Fprintf(&d.page, "q %s 0 0 %s %s %s cm /I%d Do Q\n", num(hi.X-lo.X), num(hi.Y-lo.Y), num(lo.X), num(lo.Y), len(d.images))
	d.images = append(d.images, img)
}

func (d *PDF) color(c color.NRGBA, op string) {
	d.alphas[c.A] = true
	fmt.Fprintf(&d.page, "/A%d gs %.4g %.4g %.4g %s\n", c.A, float64(c.R)/255, float64(c.G)/255, float64(c.B)/255, op)
}

func (d *PDF) path(p []Segment) {
	var at Point
	for _, s := range p {
		switch s.Kind {
		case Move:
			at = s.P[0]
			fmt.Fprintf(&d.page, "%s %s m\n", num(at.X), num(at.Y))
		case Line:
			at = s.P[0]
			fmt.Fprintf(&d.page, "%s %s l\n", num(at.X), num(at.Y))
		case Quad:
			// A quadratic curve is the cubic one with control points two thirds of the way.
			q, e := s.P[0], s.P[1]
			fmt.Fprintf(&d.page, "%s %s %s %s %s %s c\n",
				num(at.X+(q.X-at.X)*2/3), num(at.Y+(q.Y-at.Y)*2/3),
				num(e.X+(q.X-e.X)*2/3), num(e.Y+(q.Y-e.Y)*2/3), num(e.X), num(e.Y))
			at = e
		case Cubic:
			fmt.Fprintf(&d.page, "%s %s %s %s %s %s c\n", num(s.P[0].X), num(s.P[0].Y),
				num(s.P[1].X), num(s.P[1].Y), num(s.P[2].X), num(s.P[2].Y))
			at = s.P[2]
		case Close:
			d.page.WriteString("h\n")
		}
	}
}

// Bytes returns the finished file.
func (d *PDF) Bytes() ([]byte, error) {
	var out bytes.Buffer
	var offsets []int
	object := func(dict string, stream []byte) error {
		offsets = append(offsets, out.Len())
		if stream == nil {
			fmt.Fprintf(&out, "%d 0 obj\n<<%s>>\nendobj\n", len(offsets), dict)
			return nil
		}
		var z bytes.Buffer
		w := zlib.NewWriter(&z)
		if _, err := w.Write(stream); err != nil {
			return err
		}
		if err := w.Close(); err != nil {
			return err
		}
		fmt.Fprintf(&out, "%d 0 obj\n<<%s/Filter/FlateDecode/Length %d>>\nstream\n", len(offsets), dict, z.Len())
		out.Write(z.Bytes())
		out.WriteString("\nendstream\nendobj\n")
		return nil
	}
	out.WriteString("%PDF-1.4\n%\xe2\xe3\xcf\xd3\n") // the second line tells transfer programs that the file is binary
	const firstImage = 6
	resources := "/ExtGState<<"
	for _, a := range sortedAlphas(d.alphas) {
		resources += fmt.Sprintf("/A%d<</ca %.4g/CA %.4g>>", a, float64(a)/255, float64(a)/255)
	}
	resources += ">>/XObject<<"
	for i := range d.images {
		resources += fmt.Sprintf("/I%d %d 0 R", i, firstImage+i)
	}
	resources += ">>"
	objects := []struct {
		dict   string
		stream []byte
	}{
		{"/Type/Catalog/Pages 2 0 R", nil},
		{"/Type/Pages/Kids[3 0 R]/Count 1", nil},
		{fmt.Sprintf("/Type/Page/Parent 2 0 R/MediaBox[0 0 %s %s]/Group<</S/Transparency/CS/DeviceRGB>>/Resources<<%s>>/Contents 4 0 R", num(d.w), num(d.h), resources), nil},
		{"", append([]byte("1 j\n"), d.page.Bytes()...)}, // round joins, as in SVG and PNG
		{"/Title <" + pdfText(d.title) + ">", nil},
	}
	for _, img := range d.images {
		b := img.Bounds()
		objects = append(objects, struct {
			dict   string
			stream []byte
		}{fmt.Sprintf("/Type/XObject/Subtype/Image/Width %d/Height %d/ColorSpace/DeviceRGB/BitsPerComponent 8/Interpolate true", b.Dx(), b.Dy()), rgb(img)})
	}
	for _, o := range objects {
		if err := object(o.dict, o.stream); err != nil {
			return nil, err
		}
	}
	start := out.Len()
	fmt.Fprintf(&out, "xref\n0 %d\n0000000000 65535 f \n", len(offsets)+1)
	for _, o := range offsets {
		fmt.Fprintf(&out, "%010d 00000 n \n", o)
	}
	fmt.Fprintf(&out, "trailer\n<</Size %d/Root 1 0 R/Info 5 0 R>>\nstartxref\n%d\n%%%%EOF\n", len(offsets)+1, start)
	return out.Bytes(), nil
}

func sortedAlphas(set map[uint8]bool) []int {
	var out []int
	for a := range set {
		out = append(out, int(a))
	}
	sort.Ints(out)
	return out
}

// pdfText returns s as the hexadecimal digits of UTF-16 with byte order mark.
func pdfText(s string) string {
	out := "FEFF"
	for _, u := range utf16.Encode([]rune(s)) {
		out += fmt.Sprintf("%04X", u)
	}
	return out
}

// rgb returns the pixels of img, three bytes each, rows from the top.
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
