package page

import (
	"strings"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbformat"
)

// toDocument converts a Markdown text to a document.
func toDocument(t *testing.T, source string, o Options) *Document {
	t.Helper()
	b := New(o)
	b.Markdown("", source)
	return must.Get(b.Document())(t)
}

// TestFormulas checks that formulas are recognized in many kinds of text, but not in code. Each test
// case contains the Markdown, the number of <math> elements, and `wants`. The page must contain each
// string in `wants`. However, if a string begins with !, the page must not contain the rest of the string.
func TestFormulas(t *testing.T) {
	for _, tc := range []struct {
		name, source string
		math         int
		wants        []string
	}{
		{"in a line", "so $a_1$ and $b_2$.", 2, []string{"<msub>", "!_"}},
		{"punctuation after a formula", "so $a$, and $b$.", 2, []string{"</math>,</span> and", "</math>.</span>"}},
		{"stars and underscores", "$a_1 * b$ and $c_1 * d$", 2, []string{"!<em>"}},
		{"display on several lines", "$$\na \\\\\n= b\n$$", 1, []string{`display="block"`, "!$"}},
		{"display in a line", "then $$x$$ follows", 1,
			[]string{"then <span class=\"formula\"><math", "</span> follows"}},
		{"bar in a table", "|p|q|\n|-|-|\n|$p(x|y)$|$2$|\n", 2,
			[]string{"<td><span class=\"formula\"><math>", "!<del>"}},
		{"list", "1. $a$\n2. b\n   $$c$$\n", 2, []string{"<li><span class=\"formula\"><math>"}},
		{"less than", "$a<b$ and $c>d$", 2, []string{"&lt;", "!<b$"}},
		{"heading", "## The $x$ axis", 1, []string{`<h2 id="The--axis">`}},
		{"link", "[$x$](#y)", 1, []string{`<a href="#y"><span class="formula"><math>`}},
		{"code", "`$a$` and\n\n```\n$b$\n```\n\n    $c$\n", 0, []string{"<code>$a$</code>", "$b$", "$c$"}},
		{"code beside a formula", "`cost` $x$ `$y`", 1, []string{"<code>cost</code>", "<code>$y</code>"}},
		{"a dollar of money", "costs \\$5 and \\$6", 0, []string{"$5 and $6"}},
		{"one dollar", "costs $5", 0, []string{"costs $5"}},
		{"two paragraphs", "costs $5\n\nand $6", 0, []string{"$5", "$6"}},
		{"alternative text", "![a $x$](y.png)", 0, []string{`alt="a $x$"`}},
		{"unknown command", "$\\nosuch$", 0, []string{`<code>$\nosuch$</code>`}},
		{"marks in the text", "\uE0000\uE001", 0, []string{"\uFFFD0\uFFFD"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			body := string(toDocument(t, tc.source, Options{Trust: true}).Body)
			if n := strings.Count(body, "<math"); n != tc.math {
				t.Errorf("got %d formulas, want %d; the page is %s", n, tc.math, body)
			}
			for _, want := range tc.wants {
				if not, ok := strings.CutPrefix(want, "!"); strings.Contains(body, strings.TrimPrefix(want, "!")) == ok {
					t.Errorf("the page contains %q: %t, want %t; the page is %s", strings.TrimPrefix(not, "!"), ok, !ok, body)
				}
			}
		})
	}
}

// TestStrictFormulas checks that the error for an invalid formula names the formula's cell.
func TestStrictFormulas(t *testing.T) {
	nb := nbformat.New()
	nb.AddMarkdown("first", "# Good $x$")
	nb.AddMarkdown("second", "bad $\\frac{1$")
	b := New(Options{Strict: true})
	b.Notebook(nb)
	_, err := b.Document()
	must.Fail(t, err, "cell 2 (second)", `\\frac{1`)
}

// TestHeadings checks that headings get the same ids as in Jupyter, with a number where an id would
// occur twice. The text below each heading, including code, must be recorded for the search.
func TestHeadings(t *testing.T) {
	d := toDocument(t, "# A *title*\n\nIntro $x$.\n\n## First part\n\nWords, `code`.\n\n## First part\n\nMore.\n\n#### Deep\n", Options{})
	if d.Title != "A title" || len(d.Headings) != 2 || d.Headings[0] != (Heading{2, "First-part", "First part"}) ||
		d.Headings[1].ID != "First-part-2" {
		t.Errorf("got the title %q and the headings %+v, want the title \"A title\" and two headings \"First part\" with the ids First-part and First-part-2", d.Title, d.Headings)
	}
	must.Contain(t, string(d.Body), `<h1 id="A-title">`, `<h4 id="Deep">`)
	if len(d.Sections) != 4 || d.Sections[2].Heading != "First part" ||
		strings.TrimSpace(d.Sections[2].Text) != "Words, code." {
		t.Errorf("got the sections %+v, want four; the third must have the heading \"First part\" and the text \"Words, code.\"", d.Sections)
	}
}

// TestCode checks the highlighting of Go. A word in a comment must not be marked as a keyword, and
// a letter such as λ must not be marked as an error. Text in an unknown language must only be escaped.
func TestCode(t *testing.T) {
	got := code("go", "%%\nfunc f(λ float64) string {\n\treturn \"x²\" // for the class with √2\n}")
	must.Contain(t, got, `<span class="kd">func</span>`, `<span class="kt">float64</span>`,
		`<span class="c1">// for the class with √2`, "λ")
	for _, bad := range []string{`class="err"`, `>for</span>`, `>class</span>`} {
		if strings.Contains(got, bad) {
			t.Errorf("found %s in the code %s", bad, got)
		}
	}
	must.Contain(t, code("nosuch", "a < b"), "a &lt; b")
}

// TestLinks checks that each link has the address that Options.Link returns. If Options.Link
// returns "", the page must contain only the text of the link.
func TestLinks(t *testing.T) {
	to := map[string]string{"a.ipynb": "a.html", "../x.go": ""}
	d := toDocument(t, "[one](a.ipynb), [`two`](../x.go)",
		Options{Link: func(href string) (string, error) { return to[href], nil }})
	must.Contain(t, string(d.Body), `<a href="a.html">one</a>, <code>two</code>`)
}

// TestBoxes checks that each table is in a box that can scroll. The script of a chart must not be
// part of the body, and elements that the notebook leaves open must be closed. Printed text, errors
// and pictures must have the right form.
func TestBoxes(t *testing.T) {
	nb := nbformat.New()
	nb.AddCode("chart", "x").Outputs = []nbformat.Output{
		{"output_type": "display_data",
			"data": map[string]any{"text/html": "<div class=\"hyperplane-chart\" data-key=\"k\"><img alt=\"x\"></div>\n<script>draw()</script>\n"}},
		{"output_type": "display_data", "data": map[string]any{"text/html": "<table><tr><td>open"}},
		{"output_type": "stream", "name": "stdout", "text": "\x1b[31ma < b\x1b[0m"},
		{"output_type": "error", "ename": "ERROR", "evalue": "exit status 2",
			"traceback": []any{"panic: no", "goroutine 1"}},
		{"output_type": "display_data", "data": map[string]any{"image/png": "AAAA", "text/plain": "two\nlines"}},
		{"output_type": "display_data", "data": map[string]any{"image/png": "no picture", "text/plain": "words"}},
	}
	d := notebookDocument(t, nb, Options{Trust: true})
	if len(d.Charts) != 1 || d.Charts[0] != (Chart{"k", "draw()"}) {
		t.Errorf("got the charts %+v, want one with the key k and the script draw()", d.Charts)
	}
	body := string(d.Body)
	must.Contain(t, body, `<div class="wide"><table><tbody><tr><td>open`, "</td></tr></tbody></table></div>",
		`<pre class="stdout">a &lt; b</pre>`,
		`<pre class="error">panic: no`, `<img alt="two lines" src="data:image/png;base64,AAAA"/>`,
		`<pre class="stdout">words</pre>`)
	if strings.Contains(body, "draw()") || strings.Count(body, "<div") != strings.Count(body, "</div>") {
		t.Errorf("the page contains the script draw(), or its <div> elements are not balanced; the page is %s", body)
	}
}

// TestLiveFigure checks that the interactive version of a cell's figure replaces the picture. If
// the cell has no picture, the page must contain the interactive version in addition to the other
// outputs. If the cell has several pictures, the page must keep all of them and must not contain
// the interactive version.
func TestLiveFigure(t *testing.T) {
	const chart = "<div class=\"hyperplane-chart\" data-key=\"k\"><img alt=\"x\"></div><script>draw()</script>"
	still := nbformat.Output{"output_type": "display_data",
		"data": map[string]any{"image/png": "AAAA", "text/plain": "still"}}
	for pictures, want := range []int{1, 1, 0} {
		nb := nbformat.New()
		c := nb.AddCode("chart", "known")
		for range pictures {
			c.Outputs = append(c.Outputs, still)
		}
		d := notebookDocument(t, nb, Options{Trust: true, Chart: func(string) (string, error) { return chart, nil }})
		if left := strings.Count(string(d.Body), "AAAA"); len(d.Charts) != want || left != pictures*(1-want) {
			t.Errorf("from a cell with %d pictures, got %d charts and %d pictures; want 1 chart and no picture if the cell has at most 1 picture, otherwise no chart and all pictures",
				pictures, len(d.Charts), left)
		}
	}
}
