package page

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// convertMarkdown converts Markdown to HTML. The HTML contains a mark in place of each formula, and
// convertMarkdown returns the formulas in a separate list. Like Jupyter, it takes the formulas out
// of the text before it interprets the Markdown. Therefore a bar in a formula does not end a table
// cell, and a * in a formula does not begin emphasis. Dollars in code do not begin a formula.
func convertMarkdown(source string) (fragment string, formulas []math, err error) {
	source, formulas = cutFormulas(withoutMarks.Replace(source))
	var b bytes.Buffer
	if err := converter.Convert([]byte(source), &b); err != nil {
		return "", nil, err
	}
	return b.String(), formulas, nil
}

var converter = goldmark.New(
	goldmark.WithExtensions(extension.GFM),
	goldmark.WithRendererOptions(html.WithUnsafe(), renderer.WithNodeRenderers(util.Prioritized(fenceRenderer{}, 1))),
)

// fenceRenderer renders fenced code blocks with syntax highlighting.
type fenceRenderer struct{}

func (fenceRenderer) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(ast.KindFencedCodeBlock,
		func(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
			if !entering {
				return ast.WalkContinue, nil
			}
			n := node.(*ast.FencedCodeBlock)
			_, err := w.WriteString(code(string(n.Language(source)), string(n.Lines().Value(source))))
			return ast.WalkSkipChildren, err
		})
}

// math is a formula in LaTeX, without its dollars.
type math struct {
	latex   string
	display bool
}

// source returns the formula with its dollars.
func (m math) source() string {
	if m.display {
		return "$$" + m.latex + "$$"
	}
	return "$" + m.latex + "$"
}

// A mark takes the place of a formula in the HTML. The mark consists of the index of the formula,
// enclosed by two characters of Unicode's private use area. If the text itself contains one of these
// characters, convertMarkdown first replaces it.
const open, shut = "\uE000", "\uE001"

var (
	mark         = regexp.MustCompile(open + `([0-9]+)` + shut)
	withoutMarks = strings.NewReplacer(open, "\uFFFD", shut, "\uFFFD")
	blankLine    = regexp.MustCompile(`\n[ \t]*\n`)
)

// cutFormulas replaces $…$ and $$…$$ outside code with marks. A formula cannot be empty or contain an empty
// line. A dollar after a backslash does not begin a formula.
func cutFormulas(source string) (string, []math) {
	inCode := codeIn(source)
	var b strings.Builder
	var formulas []math
	for i := 0; i < len(source); {
		switch {
		case inCode[i]:
		case source[i] == '\\' && i+1 < len(source):
			b.WriteByte(source[i])
			i++
		case source[i] == '$':
			m, end := formulaAt(source, i, inCode)
			if end == 0 {
				break
			}
			fmt.Fprintf(&b, "%s%d%s", open, len(formulas), shut)
			formulas = append(formulas, m)
			i = end
			continue
		}
		b.WriteByte(source[i])
		i++
	}
	return b.String(), formulas
}

// formulaAt returns the formula that begins with the dollar at the offset `start`, and the offset at
// which the formula ends. If no formula begins there, the returned offset is 0.
func formulaAt(source string, start int, inCode []bool) (math, int) {
	dollars := "$"
	if strings.HasPrefix(source[start:], "$$") {
		dollars = "$$"
	}
	from := start + len(dollars)
	for i := from; i < len(source) && !inCode[i]; i++ {
		switch {
		case source[i] == '\\':
			i++
		case strings.HasPrefix(source[i:], dollars):
			latex := source[from:i]
			if strings.TrimSpace(latex) == "" || blankLine.MatchString(latex) {
				return math{}, 0
			}
			return math{latex, dollars == "$$"}, i + len(dollars)
		}
	}
	return math{}, 0
}

// codeIn returns a slice with an element for each byte of a Markdown text. The element is true if
// the byte is part of code.
func codeIn(source string) []bool {
	in := make([]bool, len(source)+1)
	set := func(s text.Segment) {
		for i := s.Start; i < s.Stop; i++ {
			in[i] = true
		}
	}
	doc := converter.Parser().Parse(text.NewReader([]byte(source)), parser.WithContext(parser.NewContext()))
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n.Kind() {
		case ast.KindCodeBlock, ast.KindFencedCodeBlock:
			for i := range n.Lines().Len() {
				set(n.Lines().At(i))
			}
		case ast.KindCodeSpan:
			for c := n.FirstChild(); c != nil; c = c.NextSibling() {
				set(c.(*ast.Text).Segment)
			}
		}
		return ast.WalkContinue, nil
	})
	return in
}

// eachMark splits a text at its marks. It calls `plain` for each piece of text before, between and
// after the marks, and `formula` with the index of the formula for each mark.
func eachMark(s string, plain func(string), formula func(int)) {
	for {
		at := mark.FindStringSubmatchIndex(s)
		if at == nil {
			plain(s)
			return
		}
		plain(s[:at[0]])
		n, _ := strconv.Atoi(s[at[2]:at[3]])
		formula(n)
		s = s[at[1]:]
	}
}
