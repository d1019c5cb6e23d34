package show

import (
	"cmp"
	"image/color"
	"math"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
)

func TestEveryClassHasItsLook(t *testing.T) {
	if len(palette) != MaxClasses || len(markers) != MaxClasses {
		t.Errorf("there are %d colours and %d markers, want %d of each, one for each class",
			len(palette), len(markers), MaxClasses)
	}
	if len(dashes) < len(lineColors) {
		t.Errorf("there are %d dash patterns for %d line colours, want at least as many", len(dashes), len(lineColors))
	}
	if ClassColor(-1) != palette[MaxClasses-1] || LineColor(len(lineColors)) != lineColors[0] {
		t.Errorf("ClassColor(-1) is %v and LineColor(%d) is %v, want the last class colour %v and the first line colour %v",
			ClassColor(-1), len(lineColors), LineColor(len(lineColors)), palette[MaxClasses-1], lineColors[0])
	}
}

// luminance returns the relative luminance as defined by WCAG 2.
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
		// WCAG requires a contrast of 3 : 1 for graphics. This test accepts 2 : 1 for the colours of
		// classes, because markers are larger than thin lines and also differ in shape.
		if r := contrast(c, paper); r < 2 {
			t.Errorf("the contrast of class %d with the paper is %.2f, want at least 2", k, r)
		}
		if r := contrast(ink, tint); r < 7 {
			t.Errorf("the contrast of the boundary with the region of class %d is %.2f, want at least 7", k, r)
		}
	}
	for i, c := range lineColors[:3] {
		if r := contrast(c, paper); r < 3 {
			t.Errorf("the contrast of line %d with the paper is %.2f, want at least 3", i, r)
		}
	}
}

// TestMath checks plainText and unicodeText, which convert a label to plain characters. If the
// field `unicode` is "", both texts must be equal.
func TestMath(t *testing.T) {
	for _, c := range []struct{ in, plain, unicode string }{
		{"sepal length", "sepal length", ""},
		{`$\sigma(a)$`, "σ(a)", ""},
		{`$x_1^{2n}$ [cm]`, "x12n [cm]", "x₁²ⁿ [cm]"},
		{`$\|\nabla E\|$`, "‖∇E‖", ""},
		{`$-1$`, "−1", ""},
		{`costs $5`, "costs $5", ""},
		{`\$5 and $a$`, "$5 and a", ""},
		{`$a\$b$`, "a$b", ""},
		{`$\ln p(C_k|\mathbf{x})$`, "ln p(Ck|x)", "ln p(Cₖ|x)"},
		{`$\text{if }x$`, "if x", ""},
		{`$\lambda^2 = \pi/8$`, "λ2 = π/8", "λ² = π/8"},
		{`${a_{b}$`, "ab", ""}, // a group without a closing brace ends where the formula ends
		{`$_$`, "", ""}, {`$x_$`, "x", ""}, {`$\$`, `$$`, ""}, {`$$`, "", ""}, {``, "", ""},
		{escape(`a$b\c$`), `a$b\c$`, ""},
		{`$\mathbf{w}^{(2)}$, $w_{(10)}$`, "w(2), w(10)", "w⁽²⁾, w₍₁₀₎"},
		// the exponent keeps its characters, because Unicode has no superscript slash
		{`$\phi_j = e^{-1/2}$`, "φj = e−1/2", "φⱼ = e^(−1/2)"},
		{`$\mathbf{w}^*$ and $10^{-9}$`, "w* and 10−9", "w* and 10⁻⁹"},
		{"area: |$r$ − $y$|", "area: |r − y|", ""},
	} {
		plain, unicode := plainText(c.in), unicodeText(c.in)
		if plain != c.plain || unicode != cmp.Or(c.unicode, c.plain) {
			t.Errorf("for the label %q, plainText returns %q and unicodeText returns %q, want %q and %q",
				c.in, plain, unicode, c.plain, cmp.Or(c.unicode, c.plain))
		}
	}
}

func TestMathPlacesScripts(t *testing.T) {
	runs, width := typeset(`$x_1^2$`, sans(10))
	if len(runs) != 3 {
		t.Fatalf("the formula has %d runs, want 3: %v", len(runs), runs)
	}
	x, sub, sup := runs[0], runs[1], runs[2]
	if !(sub.dy < 0 && sup.dy > 0 && sub.face.Size < x.face.Size && sub.dx > 0 && sup.dx > sub.dx) {
		t.Errorf("want a small subscript below the baseline and then a superscript above the baseline, got the runs %+v", runs)
	}
	if width <= sup.dx {
		t.Errorf("the width of the formula is %v, want more than the position of its last sign, %v", width, sup.dx)
	}
	if x.face.Style == 0 || sub.face.Style != 0 {
		t.Errorf("the letter x has the font style %d and the subscript has %d, want a style other than 0 (italic) and 0 (upright)",
			x.face.Style, sub.face.Style)
	}
}

// FuzzMath searches for labels that cannot be typeset, and for texts that escape and plainText
// together do not leave unchanged.
func FuzzMath(f *testing.F) {
	for _, s := range []string{`$x_{1}$`, `$\`, `${{{`, "$_^$", `\\$a$`, "$\\\xff$"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if _, w := typeset(s, sans(10)); math.IsNaN(w.Points()) || w < 0 {
			t.Errorf("the label %q is %v wide, want a width of at least 0", s, w)
		}
		if got := plainText(escape(s)); got != s {
			t.Errorf("plainText(escape(%q)) = %q, want the text unchanged", s, got)
		}
	})
}

func TestTicks(t *testing.T) {
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
		got := ""
		for _, k := range (niceTicks{}).Ticks(c.lo, c.hi) {
			got += k.Label + " "
		}
		if got != c.want {
			t.Errorf("the range %v to %v has the ticks %q, want %q", c.lo, c.hi, got, c.want)
		}
	}
	for _, r := range [][2]float64{{1, 1}, {2, 1}, {math.NaN(), 1}, {0, math.Inf(1)}} {
		if n := len((niceTicks{}).Ticks(r[0], r[1])); n != 0 {
			t.Errorf("the invalid range %v has %d ticks, want none", r, n)
		}
	}
}

// TestColoursBelongToClasses checks that a class of a subset keeps the colour and marker that it
// has in the whole data set. No plot of versicolor and virginica may show the colour of setosa, and
// every plot must show the colour of virginica.
func TestColoursBelongToClasses(t *testing.T) {
	iris := petals(t)
	d, target := twoKinds(t)
	lda := must(classify.FitLDA(d.X, d.Labels, d.K(), classify.LDAOptions{}))(t)
	logistic := must(classify.FitLogistic(d.X, target,
		classify.LogisticOptions{Prior: classify.Isotropic{Alpha: 0.1}}))(t)
	pairs := must(classify.FitOneVersusOne(d.X, d.Labels, d.K(), fitTwo, classify.OneVersusOneOptions{}))(t)
	raised := PosteriorSheet("p", logistic, 0)
	raised.Colors = PosteriorColors(d)
	drawn := func(f *Figure, err error) *Figure { return must(f, err)(t) }
	for name, fig := range map[string]*Figure{
		"Regions":                drawn(Regions(lda, d, RegionsOptions{HidePoints: true})),
		"Boundaries":             drawn(Boundaries(d, BoundariesOptions{}, Named{Name: "lda", Model: lda})),
		"Posterior":              drawn(Posterior(logistic, d, PosteriorOptions{HidePoints: true})),
		"Densities":              drawn(Densities(lda, d, DensitiesOptions{HidePoints: true})),
		"Discriminants":          drawn(Discriminants(lda, d, DiscriminantsOptions{HidePoints: true})),
		"Discriminants of pairs": drawn(Discriminants(pairs, d, DiscriminantsOptions{HidePoints: true, Tint: true})),
		"Decisions": drawn(Decisions(DecideFunc(func(x []float64) int { return min(1, max(0, int(x[1]))) }), d,
			DecisionsOptions{HidePoints: true})),
		"Projections": drawn(Projections(d, ProjectionsOptions{}, Direction{Name: "w", W: []float64{1, 1}})),
		"Surfaces":    drawn(Surfaces(SurfacesOptions{Data: d}, DensitySheet("1", lda, 0), DensitySheet("2", lda, 1))),
		"Surfaces by number": drawn(Surfaces(SurfacesOptions{Data: d},
			Sheet{Name: "1", Z: func(a, _ float64) float64 { return a }},
			Sheet{Name: "2", Z: func(_, b float64) float64 { return b }})),
		"Surfaces with Colors": drawn(Surfaces(SurfacesOptions{Data: d}, raised)),
	} {
		svg := string(must(fig.SVG())(t))
		if !hasHue(svg, ClassColor(2)) {
			t.Errorf("%s does not show the colour of virginica", name)
		}
		if hasHue(svg, ClassColor(0)) {
			t.Errorf("%s shows the colour of setosa, which is not a class of the data", name)
		}
	}
	f := must(Regions(lda, d, RegionsOptions{}))(t)
	for i, it := range f.legend[:2] {
		style := it.thumbs[0].(pointLayer).style
		if got, want := style.Shape.(glyph).symbol, markers[i+1].(glyph).symbol; got != want {
			t.Errorf("class %s has the marker %s, want %s", it.name, got, want)
		}
	}
	// This plot mixes the colours of the three classes in the proportions of their posteriors.
	turned := must(iris.Class("virginica", "setosa", "versicolor"))(t)
	m := must(classify.FitLDA(turned.X, turned.Labels, 3, classify.LDAOptions{}))(t)
	p := must(newPlane(m, turned, planeView{}))(t)
	img := must(p.mixture(func(x mat.Matrix) (*mat.Dense, error) {
		n, _ := x.Dims()
		certain := mat.NewDense(n, 3, nil)
		for i := range n {
			certain.Set(i, 0, 1)
		}
		return certain, nil
	}))(t)
	if got, want := img.At(3, 3), mix(paper, ClassColor(2), 0.55); got != want {
		t.Errorf("the colour where virginica is certain is %v, want %v", got, want)
	}
}

// TestHuesThatMeet checks a data set in which the hues of two classes mean the same colour. The
// colour of every class must then depend on the index of the class, and not on its hue.
func TestHuesThatMeet(t *testing.T) {
	d := petals(t)
	d.Hues = []int{1, 1 + MaxClasses, 3}
	if hues := huesOf(d); hues != nil {
		t.Errorf("huesOf returns the hues %v, want nil", hues)
	}
}

// hasHue reports whether a picture contains a colour with the same hue as c. Lighter and darker
// tones of a colour have the same hue.
func hasHue(svg string, c color.NRGBA) bool {
	want, _ := hueOf(c)
	for _, part := range strings.Split(svg, `"#`)[1:] {
		n, err := strconv.ParseUint(part[:6], 16, 32)
		if err != nil {
			continue
		}
		hue, colourful := hueOf(color.NRGBA{uint8(n >> 16), uint8(n >> 8), uint8(n), 255})
		if colourful && math.Abs(hue-want) < 5 {
			return true
		}
	}
	return false
}

// hueOf returns the angle of a colour on the colour wheel. It also reports whether the colour
// clearly differs from grey.
func hueOf(c color.NRGBA) (degrees float64, colourful bool) {
	r, g, b := float64(c.R), float64(c.G), float64(c.B)
	return 180 / math.Pi * math.Atan2(math.Sqrt(3)*(g-b), 2*r-g-b), max(r, g, b)-min(r, g, b) > 12
}
