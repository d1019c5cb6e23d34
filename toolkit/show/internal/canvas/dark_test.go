package canvas

import (
	"encoding/xml"
	"image/color"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"
)

// contrast returns the contrast of two colours (WCAG 2, "contrast ratio").
func contrast(a, b color.NRGBA) float64 {
	light := func(c color.NRGBA) float64 {
		sum := 0.0
		for i, v := range []uint8{c.R, c.G, c.B} {
			x := float64(v) / 255
			if x <= 0.04045 {
				x /= 12.92
			} else {
				x = math.Pow((x+0.055)/1.055, 2.4)
			}
			sum += x * []float64{0.2126, 0.7152, 0.0722}[i]
		}
		return sum + 0.05
	}
	x, y := light(a), light(b)
	return max(x, y) / min(x, y)
}

// TestDark checks that paper becomes dark and ink becomes light, and that every class colour
// and line colour is visible on dark paper. WCAG requires a contrast ratio of 3:1 for graphics and
// 4.5:1 for text. The tint of a region must stay close to the colour of the paper.
func TestDark(t *testing.T) {
	if c := dark(color.NRGBA{255, 255, 255, 255}); c != darkPaper {
		t.Errorf("white becomes %v, want %v", c, darkPaper)
	}
	if c := dark(color.NRGBA{0x22, 0x22, 0x22, 255}); c != darkInk {
		t.Errorf("ink becomes %v, want %v", c, darkInk)
	}
	for _, c := range []color.NRGBA{{0x00, 0x72, 0xB2, 255}, {0xD5, 0x5E, 0x00, 255}, {0x00, 0x9E, 0x73, 255},
		{0xCC, 0x79, 0xA7, 255}, {0xE6, 0x9F, 0x00, 255}, {0x56, 0xB4, 0xE9, 255}, {0x6E, 0x6E, 0x6E, 255},
		{0xA8, 0x3F, 0x7C, 255}} {
		if got := contrast(dark(c), darkPaper); got < 3 {
			t.Errorf("%s becomes %s, whose contrast with the paper is %.1f, want at least 3", hex(c), hex(dark(c)), got)
		}
		mixed := func(x uint8) uint8 { return uint8(math.Round(255 + 0.22*(float64(x)-255))) }
		tint := color.NRGBA{mixed(c.R), mixed(c.G), mixed(c.B), 255}
		if got := contrast(dark(tint), darkPaper); got < 1.1 || got > 2 {
			t.Errorf("the tint %s becomes %s, whose contrast with the paper is %.2f, want 1.1 to 2", hex(tint),
				hex(dark(tint)), got)
		}
	}
	if got := contrast(darkInk, darkPaper); got < 4.5 {
		t.Errorf("the contrast of text is %.1f, want at least 4.5", got)
	}
}

// TestDarkStyle checks that a document is well-formed and has a rule for each colour that it uses.
// A document with more than maxDark colours must have rules only for its greys. A document with more
// than maxGreys greys must have no rules.
func TestDarkStyle(t *testing.T) {
	rules := func(s *SVG) string {
		text := string(must(s.Bytes())(t))
		for d := xml.NewDecoder(strings.NewReader(text)); ; {
			if _, err := d.Token(); err == io.EOF {
				break
			} else if err != nil {
				t.Fatal(err)
			}
		}
		_, text, _ = strings.Cut(text, "<style>")
		text, _, _ = strings.Cut(text, "</style>")
		return text
	}
	var p vg.Path
	p.Move(vg.Point{})
	s := NewSVG(10, 10, `a < b & "c"`)
	s.Fill(p, color.NRGBA{255, 255, 255, 255}, "")
	s.Stroke(p, Stroke{Color: color.NRGBA{0, 0x72, 0xB2, 128}, Width: 1})
	want := `@media (prefers-color-scheme:dark){:root>[fill="#ffffff"]{fill:#1f2226}:root>[stroke="#0072b2"]{stroke:`
	if got := rules(s); !strings.HasPrefix(got, want) || strings.Count(got, "[") != 2 {
		t.Errorf("the rules are\n%s\nwant rules for exactly two colours, beginning with\n%s", got, want)
	}
	grey := NewSVG(10, 10, "")
	for i := range maxGreys + 1 {
		grey.Fill(p, color.NRGBA{uint8(5 * i), uint8(5 * i), uint8(5 * i), 255}, "")
	}
	if got := rules(grey); got != "" {
		t.Errorf("a picture with more than maxGreys greys has the rules %s, want no rules", got)
	}
	for i := range maxDark {
		s.Fill(p, color.NRGBA{uint8(i), 40, 200, 255}, "")
	}
	got := strings.Split(rules(s), ":root>")
	if !slices.ContainsFunc(got, func(r string) bool { return strings.HasPrefix(r, `[fill="#ffffff"]`) }) || len(got) > 4 {
		t.Errorf("with %d colours the rules are %q, want rules only for greys, one of them for white", maxDark+2, got)
	}
}
