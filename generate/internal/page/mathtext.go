package page

import (
	"strings"

	"golang.org/x/net/html"
)

// Separator stands before and after the text of a formula in [Section.Text]. A search can therefore
// show a formula without treating its text as words.
const Separator = "\u2063"

// mathText converts MathML to a line of text, such as "σ(a) = 1/(1 + e^(−a))".
func mathText(mathml string) string {
	nodes, err := html.ParseFragment(strings.NewReader(mathml), nil)
	if err != nil {
		return ""
	}
	var b strings.Builder
	for _, n := range nodes {
		b.WriteString(lineOf(n))
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// lineOf converts a node of MathML to text on one line.
func lineOf(n *html.Node) string {
	if n.Type == html.TextNode {
		return plainLetters(n.Data)
	}
	var parts []string
	for c := range n.ChildNodes() {
		if c.Type == html.ElementNode || strings.TrimSpace(c.Data) != "" {
			parts = append(parts, lineOf(c))
		}
	}
	at := func(i int) string {
		if i < len(parts) {
			return parts[i]
		}
		return ""
	}
	switch n.Data {
	case "annotation":
		return ""
	case "mfrac":
		return inParentheses(at(0)) + "/" + inParentheses(at(1))
	case "msup":
		if exponent := at(1); exponent != "" {
			return at(0) + superscript(exponent)
		}
	case "msub", "munder":
		return at(0) + "_" + inParentheses(at(1))
	case "msubsup", "munderover":
		return at(0) + "_" + inParentheses(at(1)) + superscript(at(2))
	case "msqrt":
		return "√" + inParentheses(strings.Join(parts, ""))
	case "mover":
		return at(0)
	case "mtr":
		return strings.Join(parts, ", ") + "; "
	case "mo":
		if text := strings.Join(parts, ""); strings.Contains("=≈≤≥<>∝≡→+−·×∈∼≠", strings.TrimSpace(text)) && text != "" {
			return " " + strings.TrimSpace(text) + " "
		}
	case "mspace":
		return " "
	}
	return strings.Join(parts, "")
}

// superscript returns the text of an exponent. The text begins with the sign ^, unless it is a
// single raised character: ᵀ for a transpose, ² or a prime.
func superscript(text string) string {
	text = strings.TrimSpace(text)
	switch text {
	case "T":
		return "ᵀ"
	case "2":
		return "²"
	case "′", "″":
		return text
	}
	return "^" + inParentheses(strings.ReplaceAll(text, " ", ""))
}

// inParentheses encloses a text in parentheses, unless the text is a single term, such as a letter or
// a number, or is already in parentheses.
func inParentheses(text string) string {
	text = strings.TrimSpace(text)
	if !strings.ContainsAny(text, " +−/=,·^_") || isEnclosed(text) {
		return text
	}
	return "(" + text + ")"
}

// isEnclosed returns true if the first character of a text is a parenthesis that the last character
// closes, as in (a + b), but not in (a + b)(c + d).
func isEnclosed(text string) bool {
	open := 0
	for i, r := range text {
		switch r {
		case '(':
			open++
		case ')':
			open--
		}
		if open == 0 {
			return i > 0 && i == len(text)-1
		}
	}
	return false
}

// plainLetters replaces some mathematical letters of Unicode, such as a bold 𝐰, with ordinary letters,
// which every font has and every reader can search for. These are the bold, italic, bold italic and
// script Latin letters, and the bold Greek letters. It removes invisible operators and variation
// selectors.
func plainLetters(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 0x1D400 && r <= 0x1D433: // bold
			return latin(r - 0x1D400)
		case r >= 0x1D434 && r <= 0x1D467: // italic
			return latin(r - 0x1D434)
		case r >= 0x1D468 && r <= 0x1D49B: // bold italic
			return latin(r - 0x1D468)
		case r >= 0x1D49C && r <= 0x1D4CF: // script
			return latin(r - 0x1D49C)
		case r >= 0x1D6A8 && r <= 0x1D6C0: // bold capital Greek
			return 'Α' + r - 0x1D6A8
		case r >= 0x1D6C2 && r <= 0x1D6DA: // bold small Greek
			return 'α' + r - 0x1D6C2
		case r == 0x2061 || r == 0x2062 || r == 0x2063 || r == 0xFE00 || r == 0xFE01: // invisible characters
			return -1
		}
		return r
	}, s)
}

// latin returns the letter with index n in the sequence A … Z, a … z.
func latin(n rune) rune {
	if n < 26 {
		return 'A' + n
	}
	return 'a' + n - 26
}
