package page

import (
	"html"
	"html/template"
	"strings"

	"github.com/alecthomas/chroma/v2"
	formatter "github.com/alecthomas/chroma/v2/formatters/html"
	"github.com/alecthomas/chroma/v2/lexers"
	"github.com/alecthomas/chroma/v2/styles"
)

// Code is a box of program text, with classes for its colours (see [CSS]) where the
// language is known.
func Code(language, source string) template.HTML { return template.HTML(code(language, source)) }

func code(language, source string) string {
	source = strings.TrimRight(source, "\n") + "\n"
	var b strings.Builder
	b.WriteString(`<pre class="code"><code>`)
	if lexer := lexers.Get(language); lexer == nil || highlight(&b, lexer, source) != nil {
		b.WriteString(html.EscapeString(source))
	}
	b.WriteString("</code></pre>\n")
	return b.String()
}

func highlight(b *strings.Builder, lexer chroma.Lexer, source string) error {
	tokens, err := chroma.Coalesce(lexer).Tokenise(nil, source)
	if err != nil {
		return err
	}
	var out strings.Builder
	if err := formatter.New(formatter.WithClasses(true), formatter.PreventSurroundingPre(true)).Format(&out, styles.Fallback, tokens); err != nil {
		return err
	}
	b.WriteString(out.String())
	return nil
}
