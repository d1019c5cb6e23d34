package show

import "strings"

// unicodeText sets a label, which may hold formulas, in plain characters: subscripts
// and superscripts are raised and lowered where Unicode has them.
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
		text, ok := translated(r.text, []rune(from), []rune(to))
		if !ok && r.dy > 0 && len([]rune(text)) > 1 {
			text = "^(" + text + ")" // e to the −1/2, not e − 1/2
		}
		b.WriteString(text)
	}
	return b.String()
}

// translated replaces each character of s that is in from by that of to, if all are,
// and reports whether they are.
func translated(s string, from, to []rune) (string, bool) {
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
