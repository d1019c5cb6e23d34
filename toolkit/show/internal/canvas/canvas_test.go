package canvas

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	_ "gonum.org/v1/plot" // registers the fonts
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
)

func must[T any](v T, err error) func(*testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// recorder records the operations of a canvas.
type recorder struct {
	fills   []vg.Path
	labels  []string
	strokes []Stroke
}

func (r *recorder) Fill(p vg.Path, _ color.NRGBA, label string) {
	r.fills, r.labels = append(r.fills, p), append(r.labels, label)
}
func (r *recorder) Stroke(_ vg.Path, s Stroke)      { r.strokes = append(r.strokes, s) }
func (r *recorder) Image(vg.Rectangle, image.Image) {}

func face(size vg.Length) font.Face {
	return font.DefaultCache.Lookup(font.Font{Typeface: "Liberation", Variant: "Sans", Size: size}, size)
}

// TestPDFOffsets checks the table of offsets in a PDF file, and that the file contains the title, but
// no date and no identifier.
func TestPDFOffsets(t *testing.T) {
	s := NewPDF(200, 100, "α")
	c := New(200, 100, 1.5, s)
	c.SetColor(color.NRGBA{10, 200, 30, 128})
	c.FillString(face(10), vg.Point{X: 10, Y: -30}, "∇σ(a)")
	c.DrawImage(vg.Rectangle{Max: vg.Point{X: 40, Y: 20}}, image.NewNRGBA(image.Rect(0, 0, 2, 2)))
	b := must(s.Bytes())(t)
	text := string(b)
	start, err := strconv.Atoi(strings.Fields(text[strings.LastIndex(text, "startxref"):])[1])
	if err != nil || !strings.HasPrefix(text[start:], "xref\n") {
		t.Fatalf("'startxref' points at %q (error %v), want the table that begins with 'xref'", text[start:start+10], err)
	}
	lines := strings.Split(text[start:], "\n")
	var n int
	if _, err := fmt.Sscanf(lines[1], "0 %d", &n); err != nil {
		t.Fatal(err)
	}
	for i := 1; i < n; i++ {
		at := must(strconv.Atoi(lines[2+i][:10]))(t)
		if want := fmt.Sprintf("%d 0 obj", i); !strings.HasPrefix(text[at:], want) {
			t.Errorf("object %d should begin at its offset %d, but %q is there", i, at, text[at:at+12])
		}
	}
	if !strings.Contains(text, "<FEFF03B1>") || strings.Contains(text, "Date") || strings.Contains(text, "/ID") { // U+03B1 is α
		t.Errorf("the file contains the title in UTF-16: %v, a date: %v, an identifier: %v; want true, false and false",
			strings.Contains(text, "<FEFF03B1>"), strings.Contains(text, "Date"), strings.Contains(text, "/ID"))
	}
}

func TestTextWidthAndKerning(t *testing.T) {
	f := face(10)
	for _, s := range []string{"", "sepal length", "AVAV To", "λ² = π/8"} {
		if got, want := Width(f, s), f.Width(s); math.Abs(float64(got-want)) > 1e-9 {
			t.Errorf("the width of %q is %v, want %v as in gonum/plot", s, got, want)
		}
	}
	if got, want := Width(f, "∇"), Width(f, "Δ"); got != want {
		t.Errorf("∇ is %v wide and Δ is %v wide, want equal widths", got, want)
	}
}

func TestNablaStandsOnItsTip(t *testing.T) {
	var r recorder
	c := New(100, 100, 1, &r)
	c.FillString(face(50), vg.Point{}, "∇")
	// The widest edge of ∇ is horizontal and at the top, so the leftmost point is also at the top.
	var x, y []vg.Length
	for _, s := range r.fills[0] {
		if s.Type != vg.CloseComp {
			x, y = append(x, s.Pos.X), append(y, s.Pos.Y)
		}
	}
	if left := slices.Index(x, slices.Min(x)); y[left] < slices.Max(y)-0.5 {
		t.Errorf("the leftmost point of ∇ is at height %v, want it within 0.5 of the top, which is at height %v", y[left], slices.Max(y))
	}
}

func TestTransformations(t *testing.T) {
	var r recorder
	c := New(100, 100, 2, &r)
	if w, h := c.Size(); w != 50 || h != 50 {
		t.Errorf("a page of 100 × 100 points with the scale 2 has the size %v × %v, want 50 × 50", w, h)
	}
	c.Push()
	c.Translate(vg.Point{X: 10, Y: 20})
	c.Rotate(math.Pi / 2)
	c.Scale(3, 3)
	c.SetLineWidth(1)
	c.SetLineDash([]vg.Length{4}, 0)
	var p vg.Path
	p.Move(vg.Point{X: 1})
	c.Fill(p)
	c.Stroke(p)
	c.Pop()
	// (1,0) → scaled (3,0) → rotated (0,3) → moved (10,23) → page (20,46).
	if got := r.fills[0][0].Pos; got != (vg.Point{X: 20, Y: 46}) {
		t.Errorf("the first fill begins at %v, want {20 46}", got)
	}
	if s := r.strokes[0]; s.Width != 6 || s.Dash[0] != 24 {
		t.Errorf("the line has the width %v and the dash %v, want 6 and 24", s.Width, s.Dash)
	}
	c.Fill(p)
	if got := r.fills[1][0].Pos; got != (vg.Point{X: 2}) {
		t.Errorf("after Pop the fill begins at %v, want {2 0}", got)
	}
}

func TestPalette(t *testing.T) {
	flat := image.NewRGBA(image.Rect(0, 0, 60, 60))
	smooth := image.NewRGBA(image.Rect(0, 0, 256, 256))
	for y := range 256 {
		for x := range 256 {
			smooth.SetRGBA(x, y, color.RGBA{uint8(x), uint8(y), uint8(x ^ y), 255})
			if x < 60 && y < 60 {
				flat.SetRGBA(x, y, color.RGBA{uint8(x / 20 * 100), 0, 0, 255})
			}
		}
	}
	if p, ok := paletted(flat, drawn).(*image.Paletted); !ok {
		t.Error("a picture of three colours has no palette, want a palette")
	} else {
		for i := range 60 {
			if p.At(i, i) != color.Color(flat.RGBAAt(i, i)) {
				t.Fatalf("pixel %d changed from %v to %v, want it unchanged", i, flat.At(i, i), p.At(i, i))
			}
		}
	}
	for _, alike := range []likeness{drawn, shaded} {
		if paletted(smooth, alike) != image.Image(smooth) {
			t.Errorf("with the limits %+v a picture of 65536 colours is copied with a palette, want the picture itself", alike)
		}
	}
}

// TestLight checks that a picture with shaded surfaces has half the resolution and a palette if Light
// is true, and the full resolution and no palette if Light is false.
func TestLight(t *testing.T) {
	for _, light := range []bool{false, true} {
		s := NewPNG(150, 150, 72)
		for i := range 150 {
			for j := range 150 { // a colour ramp
				c := color.NRGBA{uint8(i), uint8(50 + j/16), uint8(200 - i), 255}
				r := vg.Rectangle{Min: vg.Point{X: vg.Length(i), Y: vg.Length(j)},
					Max: vg.Point{X: vg.Length(i + 1), Y: vg.Length(j + 1)}}
				s.Fill(r.Path(), c, "")
			}
		}
		s.Light = light
		img := must(png.Decode(bytes.NewReader(must(s.Bytes())(t))))(t)
		_, palette := img.(*image.Paletted)
		if want := map[bool]int{false: 150, true: 75}[light]; img.Bounds().Dx() != want || palette != light {
			t.Errorf("Light = %v: got bounds %v, palette %v; want the width %d and a palette only with Light", light, img.Bounds(), palette, want)
		}
		x := img.Bounds().Dx() / 2
		got := color.RGBAModel.Convert(img.At(x, x)).(color.RGBA)
		if far := apart(got, color.RGBA{75, 54, 125, 255}); far > 12 {
			t.Errorf("Light = %v: the colour at the centre is %v, want {75 54 125 255} to within 12 in each channel", light, got)
		}
	}
}
