package show

import (
	"image/color"
	"math"
	"testing"

	"gonum.org/v1/plot/vg"
)

func TestEveryClassHasItsLook(t *testing.T) {
	if len(palette) != MaxClasses || len(markers) != MaxClasses {
		t.Errorf("%d colours and %d markers for %d classes", len(palette), len(markers), MaxClasses)
	}
	if len(dashes) < len(lineColors) {
		t.Errorf("%d dashes for %d lines", len(dashes), len(lineColors))
	}
	if ClassColor(-1) != palette[MaxClasses-1] || LineColor(len(lineColors)) != lineColors[0] {
		t.Error("numbers out of range do not wrap around")
	}
}

// luminance is the relative luminance of WCAG 2.
func luminance(c color.NRGBA) float64 {
	lin := func(v uint8) float64 {
		s := float64(v) / 255
		if s <= 0.04045 {
			return s / 12.92
		}
		return math.Pow((s+0.055)/1.055, 2.4)
	}
	return 0.2126*lin(c.R) + 0.7152*lin(c.G) + 0.0722*lin(c.B)
}

func contrast(a, b color.NRGBA) float64 {
	l, d := luminance(a), luminance(b)
	return (max(l, d) + 0.05) / (min(l, d) + 0.05)
}

func TestContrast(t *testing.T) {
	for k, c := range palette {
		tint := mix(paper, c, tintShare)
		// Markers have a border of paper, so 2 : 1 suffices for the lightest (WCAG asks 3 : 1 of thin lines).
		if r := contrast(c, paper); r < 2 {
			t.Errorf("class %d: contrast %.2f with paper", k, r)
		}
		if r := contrast(ink, tint); r < 7 {
			t.Errorf("class %d: the boundary has contrast %.2f with the region", k, r)
		}
	}
	for i, c := range lineColors[:3] {
		if r := contrast(c, paper); r < 3 {
			t.Errorf("line %d: contrast %.2f with paper", i, r)
		}
	}
}

func TestMath(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"sepal length", "sepal length"},
		{`$\sigma(a)$`, "σ(a)"},
		{`$x_1^{2n}$ [cm]`, "x12n [cm]"},
		{`$\|\nabla E\|$`, "‖∇E‖"},
		{`$-1$`, "−1"},
		{`costs $5`, "costs $5"},
		{`\$5 and $a$`, "$5 and a"},
		{`$a\$b$`, "a$b"},
		{`$\ln p(C_k|\mathbf{x})$`, "ln p(Ck|x)"},
		{`$\text{if }x$`, "if x"},
		{`$\lambda^2 = \pi/8$`, "λ2 = π/8"},
		{`${a_{b}$`, "ab"}, // an unclosed group ends with the formula
		{`$_$`, ""}, {`$x_$`, "x"}, {`$\$`, `$$`}, {`$$`, ""}, {``, ""},
		{escape(`a$b\c$`), `a$b\c$`},
	} {
		if got := plain(c.in); got != c.want {
			t.Errorf("%q reads %q, want %q", c.in, got, c.want)
		}
	}
}

func TestMathPlacesScripts(t *testing.T) {
	runs, width := typeset(`$x_1^2$`, sans(10))
	if len(runs) != 3 {
		t.Fatalf("%d runs, want 3: %v", len(runs), runs)
	}
	x, sub, sup := runs[0], runs[1], runs[2]
	if !(sub.dy < 0 && sup.dy > 0 && sub.face.Size < x.face.Size && sub.dx > 0 && sup.dx > sub.dx) {
		t.Errorf("scripts are misplaced: %+v", runs)
	}
	if width <= sup.dx {
		t.Errorf("width %v ends before the last sign at %v", width, sup.dx)
	}
	if x.face.Style == 0 || sub.face.Style != 0 {
		t.Error("letters must be italic and digits upright")
	}
	if w := (formulas{}); w.Extents(sans(10)).Ascent <= vg.Length(5) {
		t.Error("no extents")
	}
}

// FuzzMath looks for labels that break the typesetter.
func FuzzMath(f *testing.F) {
	for _, s := range []string{`$x_{1}$`, `$\`, `${{{`, "$_^$", `\\$a$`, "$\\\xff$"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if _, w := typeset(s, sans(10)); math.IsNaN(w.Points()) || w < 0 {
			t.Errorf("%q is %v wide", s, w)
		}
		if got := plain(escape(s)); got != s {
			t.Errorf("escaped %q reads %q", s, got)
		}
	})
}

func TestTicks(t *testing.T) {
	labels := func(ticks []string) string {
		out := ""
		for _, s := range ticks {
			out += s + " "
		}
		return out
	}
	for _, c := range []struct {
		lo, hi float64
		want   string
	}{
		{0, 1, "0 0.2 0.4 0.6 0.8 1.0 "},
		{-5, 5, "−4 −2 0 2 4 "},
		{-0.02, 0.02, "−0.02 −0.01 0 0.01 0.02 "},
		{-1e9, 1e9, "$−10^{9}$ $−5·10^{8}$ 0 $5·10^{8}$ $10^{9}$ "},
		{1e-9, 3e-9, "$10^{−9}$ $1.5·10^{−9}$ $2·10^{−9}$ $2.5·10^{−9}$ $3·10^{−9}$ "},
	} {
		var got []string
		for _, k := range (niceTicks{}).Ticks(c.lo, c.hi) {
			got = append(got, k.Label)
		}
		if labels(got) != c.want {
			t.Errorf("%v…%v: %q, want %q", c.lo, c.hi, labels(got), c.want)
		}
	}
	for _, r := range [][2]float64{{1, 1}, {2, 1}, {math.NaN(), 1}, {0, math.Inf(1)}} {
		if n := len((niceTicks{}).Ticks(r[0], r[1])); n != 0 {
			t.Errorf("%v: %d ticks", r, n)
		}
	}
}

func TestUnicodeText(t *testing.T) {
	for label, want := range map[string]string{
		`$\mathbf{w}^{(2)}$, $w_{(10)}$`: "w⁽²⁾, w₍₁₀₎",
		`$\phi_j = e^{-1/2}$`:            "φⱼ = e^(−1/2)", // there is no raised stroke
		`$\mathbf{w}^*$ and $10^{-9}$`:   "w* and 10⁻⁹",
		"area: |$r$ − $y$|":              "area: |r − y|",
	} {
		if got := unicodeText(label); got != want {
			t.Errorf("%s is %q, want %q", label, got, want)
		}
	}
}
