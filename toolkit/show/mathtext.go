package show

import (
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	stdfont "golang.org/x/image/font"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/show/internal/canvas"
)

// formulas typesets labels that may contain formulas between dollar signs; see [NewPanel]. It is
// the text handler of legends and of the panels that newPanel returns.
type formulas struct{}

var _ text.Handler = formulas{}

// Cache returns gonum/plot's default font cache.
func (formulas) Cache() *font.Cache { return font.DefaultCache }

// Extents returns the extents of font f.
func (formulas) Extents(f font.Font) font.Extents {
	face := font.DefaultCache.Lookup(f, f.Size)
	return face.Extents()
}

// Lines splits txt at line breaks.
func (formulas) Lines(txt string) []string { return strings.Split(strings.TrimRight(txt, "\n"), "\n") }

// Box returns the width of one line of text, its height above the baseline and its depth below the
// baseline.
func (m formulas) Box(txt string, f font.Font) (width, height, depth vg.Length) {
	_, width = typeset(txt, f)
	e := m.Extents(f)
	return width, e.Ascent, e.Descent
}

// Draw draws the text txt at the position pt.
func (m formulas) Draw(c vg.Canvas, txt string, sty text.Style, pt vg.Point) {
	if strings.TrimSpace(txt) == "" {
		return
	}
	c.SetColor(sty.Color)
	if sty.Rotation != 0 {
		c.Push()
		defer c.Pop()
		c.Rotate(sty.Rotation)
		sin, cos := math.Sincos(sty.Rotation)
		s, k := vg.Length(sin), vg.Length(cos)
		pt.X, pt.Y = pt.Y*s+pt.X*k, pt.Y*k-pt.X*s
	}
	sty.Handler = m
	lines := m.Lines(txt)
	// The positions of the lines are the same as with the plain text handler of gonum/plot, so that
	// panels look alike with either handler.
	y := pt.Y + sty.Height(txt)*vg.Length(sty.YAlign) - m.Extents(sty.Font).Ascent
	for i, line := range lines {
		runs, width := typeset(line, sty.Font)
		x := pt.X + vg.Length(sty.XAlign)*width
		up := vg.Length(len(lines)-i) * sty.Font.Size
		for _, r := range runs {
			c.FillString(font.DefaultCache.Lookup(r.face, r.face.Size), vg.Point{X: x + r.dx, Y: y + up + r.dy},
				r.drawnText())
		}
	}
}

// unicodeText returns a label, which may contain formulas, as plain characters. It uses Unicode
// subscripts and superscripts where they exist.
func unicodeText(s string) string {
	runs, _ := typeset(s, sans(10))
	var b strings.Builder
	for _, r := range runs {
		from, to := "", ""
		switch {
		case r.dy < 0:
			from, to = "0123456789+−=()aehijklmnoprstuvx", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ"
		case r.dy > 0:
			from, to = "0123456789+−=()inT", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁱⁿᵀ"
		}
		text, ok := translateRunes(r.text, []rune(from), []rune(to))
		if !ok && r.dy > 0 && len([]rune(text)) > 1 {
			text = "^(" + text + ")" // without the parentheses, e^{−1/2} would become "e−1/2"
		}
		b.WriteString(text)
	}
	return b.String()
}

// translateRunes replaces each character of s: the character from[i] becomes the character to[i].
// It returns the new text and true. If the slice `from` is empty, it returns s and true. If s contains
// a character that this slice lacks, it returns s and false.
func translateRunes(s string, from, to []rune) (string, bool) {
	out := []rune(s)
	for i, c := range out {
		at := strings.IndexRune(string(from), c)
		if at < 0 {
			return s, len(from) == 0
		}
		out[i] = to[len([]rune(string(from)[:at]))]
	}
	return string(out), true
}

var symbols = map[string]string{
	"alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "zeta": "ζ", "eta": "η",
	"theta": "θ", "kappa": "κ", "lambda": "λ", "mu": "μ", "nu": "ν", "xi": "ξ", "pi": "π", "rho": "ρ",
	"sigma": "σ", "tau": "τ", "phi": "φ", "chi": "χ", "psi": "ψ", "omega": "ω",
	"Gamma": "Γ", "Delta": "Δ", "Theta": "Θ", "Lambda": "Λ", "Sigma": "Σ", "Phi": "Φ", "Psi": "Ψ", "Omega": "Ω",
	"nabla": "∇", "cdot": "·", "times": "×", "pm": "±", "leq": "≤", "geq": "≥", "neq": "≠", "approx": "≈",
	"infty": "∞", "to": "→", "partial": "∂", "sum": "∑", "sqrt": "√", "mid": " | ", "|": "‖",
	"{": "{", "}": "}", "$": "$", ",": " ", "quad": "  ",
}

// A run is a piece of text that has one font, at a position in a line.
type run struct {
	face   font.Font
	text   string
	dx, dy vg.Length
}

// drawnText returns the text to draw. The sign ‖ of the font is short and heavy, so drawnText
// replaces it with the two bars ||, which are longer and thinner.
func (r run) drawnText() string { return strings.ReplaceAll(r.text, "‖", "||") }

// escape puts a backslash before each dollar sign and each backslash in s. Names of classes and
// features need this, because they are not formulas.
func escape(s string) string {
	return strings.NewReplacer(`\`, `\\`, `$`, `\$`).Replace(s)
}

// plainText returns the text of a label without markup, for example for a title that is read aloud.
func plainText(s string) string {
	runs, _ := typeset(s, sans(10))
	var b strings.Builder
	for _, r := range runs {
		b.WriteString(r.text)
	}
	return b.String()
}

// typeset splits a line into runs and returns its width.
func typeset(line string, f font.Font) ([]run, vg.Length) {
	t := &setter{base: f, size: f.Size}
	for line != "" {
		i := strings.IndexAny(line, `$\`)
		if i < 0 {
			t.put(f, line)
			break
		}
		t.put(f, line[:i])
		line = line[i:]
		switch {
		case line[0] == '\\' && len(line) > 1 && (line[1] == '$' || line[1] == '\\'):
			t.put(f, line[1:2])
			line = line[2:]
		case line[0] == '$' && closingDollar(line[1:]) >= 0:
			end := closingDollar(line[1:])
			t.formula(line[1 : 1+end])
			line = line[end+2:]
		default:
			t.put(f, line[:1])
			line = line[1:]
		}
	}
	t.advance()
	return t.runs, t.x
}

// closingDollar returns the index of the dollar sign that ends a formula, or −1.
func closingDollar(s string) int {
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '$':
			return i
		}
	}
	return -1
}

type setter struct {
	base    font.Font
	size    vg.Length
	x, rise vg.Length
	runs    []run
}

// put appends the text s in the font f, with the current size and rise.
func (t *setter) put(f font.Font, s string) {
	if s == "" {
		return
	}
	f.Size = t.size
	if n := len(t.runs) - 1; n >= 0 && t.runs[n].face == f && t.runs[n].dy == t.rise {
		t.runs[n].text += s // join the parts into a single run, so that kerning applies between them
		return
	}
	t.advance()
	t.runs = append(t.runs, run{f, s, t.x, t.rise})
}

// advance moves the current position to the end of the last run.
func (t *setter) advance() {
	if n := len(t.runs) - 1; n >= 0 {
		r := t.runs[n]
		t.x = r.dx + canvas.Width(font.DefaultCache.Lookup(r.face, r.face.Size), r.drawnText())
	}
}

// formula typesets the text between two dollar signs.
func (t *setter) formula(s string) {
	for s != "" {
		token, rest := nextToken(s)
		s = rest
		switch {
		case token == "_" || token == "^":
			script, rest := nextToken(s)
			s = rest
			size, rise := t.size, t.rise
			t.size *= 0.7
			if token == "_" {
				t.rise -= 0.18 * size
			} else {
				t.rise += 0.38 * size
			}
			t.formula(groupContent(script))
			t.size, t.rise = size, rise
		case token == `\mathbf` || token == `\text`:
			arg, rest := nextToken(s)
			s = rest
			f := t.serif(false)
			if token == `\mathbf` {
				f.Weight = stdfont.WeightBold
			}
			t.put(f, groupContent(arg))
		case strings.HasPrefix(token, "{"):
			t.formula(groupContent(token))
		case strings.HasPrefix(token, `\`):
			name := token[1:]
			if sym, ok := symbols[name]; ok {
				r, _ := utf8.DecodeRuneInString(sym)
				t.put(t.serif(unicode.IsLower(r)), sym)
			} else {
				t.put(t.serif(false), name)
			}
		default:
			if token == "-" {
				token = "−"
			}
			r, _ := utf8.DecodeRuneInString(token)
			greekCapital := r >= 'Α' && r <= 'Ω'
			t.put(t.serif(unicode.IsLetter(r) && !greekCapital), token)
		}
	}
}

func (t *setter) serif(italic bool) font.Font {
	f := font.Font{Typeface: "Liberation", Variant: "Serif", Weight: t.base.Weight}
	if italic {
		f.Style = stdfont.StyleItalic
	}
	return f
}

// nextToken returns the first sign, \name or {group} of a formula, and the rest of the formula.
func nextToken(s string) (token, rest string) {
	if s == "" {
		return "", ""
	}
	switch s[0] {
	case '{':
		depth := 0
		for i, r := range s {
			switch r {
			case '{':
				depth++
			case '}':
				depth--
			}
			if depth == 0 {
				return s[:i+1], s[i+1:]
			}
		}
		return s, ""
	case '\\':
		i := 1
		for i < len(s) && (s[i] >= 'a' && s[i] <= 'z' || s[i] >= 'A' && s[i] <= 'Z') {
			i++
		}
		if i == 1 && len(s) > 1 {
			_, n := utf8.DecodeRuneInString(s[1:])
			i += n
		} else if _, sym := symbols[s[1:i]]; i < len(s) && s[i] == ' ' && sym {
			return s[:i], s[i+1:] // a space after \sigma only ends the name, but a space after \ln is drawn
		}
		return s[:i], s[i:]
	}
	_, n := utf8.DecodeRuneInString(s)
	return s[:n], s[n:]
}

// groupContent returns what is between the braces of a {group}. It returns any other token unchanged.
func groupContent(token string) string {
	if strings.HasPrefix(token, "{") {
		return strings.TrimSuffix(token[1:], "}")
	}
	return token
}
