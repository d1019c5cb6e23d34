package formula

import (
	"encoding/xml"
	"strings"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
)

func TestMathML(t *testing.T) {
	var r Renderer
	for _, tc := range []struct {
		name, latex string
		display     bool
		wants       []string
	}{
		{"inline", `a<b`, false, []string{"<math>", "<mi>a</mi>", "&lt;", "<mi>b</mi>"}},
		{"display", `\frac{1}{2}`, true, []string{`display="block"`, "<mfrac>", "<mn>1</mn>"}},
		{"bold, calligraphic", `\mathbf w^{\mathrm T}\boldsymbol\phi \in \mathcal C_k`, false, []string{"𝐰", "𝝓", "𝒞"}},
		{"aligned", `\begin{aligned} a &= b \\ c &= d \end{aligned}`, true, []string{"<mtable", "<mtr>"}},
		{"text is no element", `\text{<img src=x onerror=attack()>}`, false, []string{"&lt;img"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := must.Get(r.MathML(tc.latex, tc.display))(t)
			must.Contain(t, got, tc.wants...)
			if err := xml.Unmarshal([]byte(got), new(struct{})); err != nil {
				t.Errorf("the XML parser reports the error %v for the MathML %s, want no error", err, got)
			}
			if again := must.Get(r.MathML(tc.latex, tc.display))(t); again != got {
				t.Errorf("the second conversion gives %s, want the result of the first conversion, %s", again, got)
			}
		})
	}
}

// TestMathMLErrors checks that an unknown command or an unclosed group gives a one-line error that
// quotes the command or group. MathML must also reject links within a formula.
func TestMathMLErrors(t *testing.T) {
	var r Renderer
	for latex, want := range map[string]string{
		`\frac{1`:              `"\\frac{1"`,
		`\nosuchcommand x`:     `nosuchcommand`,
		`\begin{aligned} a`:    `aligned`,
		`\href{javascript:x}y`: `href`,
	} {
		got, err := r.MathML(latex, false)
		must.Fail(t, err, want)
		if got != "" || strings.Contains(err.Error(), "\n") {
			t.Errorf("the formula %s gives %q and the error %v, want no text and a one-line error", latex, got, err)
		}
	}
}

// TestKept converts formulas, stores them with Save and reads them with Load. For a formula that
// Load has read, MathML must return the same text as after the conversion, and must not start the
// library that converts formulas.
func TestKept(t *testing.T) {
	dir := t.TempDir()
	var r, again Renderer
	again.Load(dir)
	inline, display := must.Get(r.MathML("x y", false))(t), must.Get(r.MathML("x y", true))(t)
	must.Do(t, r.Save(dir))
	again.Load(dir)
	if again.call != nil || must.Get(again.MathML("x y", false))(t) != inline ||
		must.Get(again.MathML(" x y", true))(t) != display || again.call != nil {
		t.Error("a stored formula was converted again, or its MathML differs from the stored MathML")
	}
}

// TestAccents checks that a superscript of an accented letter stands beside the letter, not above
// the accent. MathML must ensure this when it converts a formula and when it returns a formula from
// its cache.
func TestAccents(t *testing.T) {
	r := &Renderer{}
	for range 2 {
		got := must.Get(r.MathML(`\tilde{\mathbf X}^{\mathrm T}\tilde{\mathbf X}_1^2 + \tilde x`, false))(t)
		if n := strings.Count(got, `<mpadded height="0.7em"><mover>`); n != 2 || strings.Count(got, "</mpadded>") != 2 {
			t.Errorf("got %d accented letters with the height of a plain letter and %d end tags of mpadded, want 2 of each: %s",
				n, strings.Count(got, "</mpadded>"), got)
		}
	}
}
