package page

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbformat"
	"github.com/hyperplane-notebooks/hyperplane/toolkit"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// displayed returns a notebook with a Markdown cell and a code cell. The code cell has one output for
// each element of `bundles`.
func displayed(markdown string, bundles ...map[string]any) *nbformat.Notebook {
	nb := nbformat.New()
	nb.AddMarkdown("text", markdown)
	c := nb.AddCode("code", "1")
	for _, data := range bundles {
		c.Outputs = append(c.Outputs,
			nbformat.Output{"output_type": "display_data", "metadata": map[string]any{}, "data": data})
	}
	return nb
}

// hostile returns a notebook with a script in many places where a notebook can contain a script.
func hostile() *nbformat.Notebook {
	nb := displayed("# Text\n\n<script>attack(1)</script>\n\n<img src=x onerror=\"attack(2)\">\n\n[link](javascript:attack%283%29) <a href=\"javascript:attack(4)\">link</a>",
		map[string]any{"text/html": "<script>attack(5)</script><b onclick='attack(6)'>bold</b><iframe srcdoc='&lt;script>attack(7)&lt;/script>'></iframe>"},
		map[string]any{"text/html": "</div></main></body></html><body onload=attack(8)><script>attack(9)</script>"},
		map[string]any{"text/html": "<style>@import 'attack(10)'</style><form action='javascript:attack(11)'><input autofocus onfocus=attack(12)></form>"},
		map[string]any{"text/html": "<svg><style><img title=\"</style><img src=x onerror=attack(13)>\"></svg><math><mtext></form><form><mglyph><style></math><img src onerror=attack(14)>"},
		map[string]any{"text/markdown": "<script>attack(15)</script>"},
		map[string]any{"text/markdown": "![$\\text{\" onerror=attack(31)}$](x) <img alt='$\\text{\" onerror=attack(32)}$' src=x> $\\text{<img src=x onerror=\u0061ttack(33)>}$"},
		map[string]any{"text/markdown": "\uE0000\uE001 <math><mtext><img src=x onerror=attack(34)></mtext></math>"},
		map[string]any{"text/html": "<p title='&#xE000;0&#xE001;'>&#xE000;0&#xE001;</p>"},
		map[string]any{"text/markdown": "&#xE000;7&#xE001; and $x$"},
		map[string]any{"image/svg+xml": "<svg xmlns='http://www.w3.org/2000/svg' onload='attack(16)'><script>attack(17)</script></svg>"},
		map[string]any{"application/javascript": "attack(18)"},
		map[string]any{"text/latex": "<script>attack(19)</script>"},
		map[string]any{"image/png": "AA==\" onerror=\"attack(20)"},
		map[string]any{"text/html": "<meta http-equiv=refresh content='0;url=javascript:attack(21)'><base href='https://attack(22)/'><link rel=import href='attack(23)'>"},
		map[string]any{"text/html": "<a href='data:text/html,<script>attack(24)</script>'>link</a>"},
		map[string]any{"application/vnd.jupyter.widget-view+json": map[string]any{"model_id": "</script><script>attack(25)</script>"}},
	)
	nb.Metadata["title"] = "</title><script>attack(26)</script>"
	nb.Metadata["language_info"] = map[string]any{"name": "\"><script>attack(27)</script>"}
	nb.Metadata["widgets"] = map[string]any{"application/vnd.jupyter.widget-state+json": map[string]any{"state": map[string]any{}, "x": "</script><script>attack(28)</script>"}}
	nb.Cells[1].Metadata["tags"] = []any{"\"><script>in a class</script>"}
	return nb
}

// notebookDocument converts a notebook to a document.
func notebookDocument(t *testing.T, nb *nbformat.Notebook, o Options) *Document {
	t.Helper()
	b := New(o)
	b.Notebook(nb)
	return must.Get(b.Document())(t)
}

// TestWithoutScripts makes pages from a notebook with scripts. Without the option Trust, the page must
// contain no script. With Trust, it must contain the scripts in Markdown and HTML.
func TestWithoutScripts(t *testing.T) {
	const name = "</title><script>attack(30)</script>"
	page := string(must.Get(notebookDocument(t, hostile(), Options{}).Standalone(name))(t))
	root := must.Get(html.Parse(strings.NewReader(page)))(t)
	for n := range root.Descendants() {
		switch n.Type {
		case html.TextNode:
			if strings.Contains(n.Data, "attack(") && n.Parent.Data != "mtext" && n.Parent.Data != "title" {
				t.Errorf("the page contains the text %q of a script in <%s>, want no script", n.Data, n.Parent.Data)
			}
		case html.ElementNode:
			if n.Data == "style" && n.Parent.Data == "head" && !strings.Contains(n.FirstChild.Data, "attack") {
				continue
			}
			if slices.Contains([]string{"script", "iframe", "style", "form", "input", "svg", "base", "object",
				"mglyph"}, n.Data) {
				t.Errorf("the page has the dangerous element <%s>", n.Data)
			}
			for _, a := range n.Attr {
				if strings.HasPrefix(a.Key, "on") || strings.HasPrefix(a.Val, "javascript:") ||
					strings.HasPrefix(a.Val, "data:text") ||
					strings.Contains(a.Val, "attack(") && a.Key != "alt" {
					t.Errorf("the page has the dangerous attribute <%s %s=%q>", n.Data, a.Key, a.Val)
				}
			}
		}
	}
	must.Contain(t, page, ">Text</h1>", "<b>bold</b>", "<title>&lt;/title&gt;&lt;script&gt;attack(30)")
	page = string(must.Get(notebookDocument(t, hostile(), Options{Trust: true}).Standalone("trusted"))(t))
	must.Contain(t, page, "<script>attack(1)</script>", "<script>attack(5)</script>", "<script>attack(15)</script>",
		"<title>")
}

// TestKeepsPicturesReportsFormulas checks that the page of a notebook that is not trusted still shows
// the kinds of outputs and texts that this project's notebooks contain. For a chart, the page must show
// the chart's picture.
func TestKeepsPicturesReportsFormulas(t *testing.T) {
	const png, svg = "iVBORw0KGgo=", "PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciLz4="
	line := toolkit.Must(show.Curves(show.CurvesOptions{},
		show.Curve{Name: "a", F: func(a float64) float64 { return a }}))
	chart := must.Get(toolkit.Must(show.Interactive(line)).Snippet())(t)
	report := &verify.Report{Exercise: "prml-0.0", Title: "two parts", Complete: true, Parts: []verify.Result{
		{Name: "first", Outcome: verify.Right}, {Name: "second", Outcome: verify.Wrong, Message: "x < y & \"z\""}}}
	nb := displayed("# Formulas\n\n$a<b$ and\n\n$$\\sum_{i<j} x_{ij} \\& y$$\n\n`p < q && r`\n\n```go\nif a < b && c {}\n```\n\n|a|b|\n|-|-:|\n|1|2|\n\n[a section](#Formulas), ![](data:image/png;base64,"+png+")",
		map[string]any{"text/html": report.HTML()},
		map[string]any{"text/html": `<img alt="a figure" src="data:image/svg+xml;base64,` + svg + `">`},
		map[string]any{"image/png": png},
		map[string]any{"text/html": chart},
		map[string]any{"text/markdown": "**bold** $c<d$"},
	)
	page := string(must.Get(notebookDocument(t, nb, Options{Strict: true}).Standalone("own"))(t))
	must.Contain(t, page,
		"<mi>a</mi><mo>&lt;</mo><mi>b</mi>", "<mo movablelimits=\"false\">∑</mo>", "<code>p &lt; q &amp;&amp; r</code>",
		"<mi>c</mi><mo>&lt;</mo><mi>d</mi>", "<strong>bold</strong>",
		`<td style="text-align: left; vertical-align: top; white-space: nowrap; color: #`, "<caption",
		"x &lt; y &amp; &#34;z&#34;", `colspan="2"`,
		`<img alt="a figure" src="data:image/svg+xml;base64,`+svg+`"`, `src="data:image/png;base64,`+png+`"`,
		`<div class="hyperplane-chart" data-key="`, "<title>own</title>", `href="#Formulas"`,
		`<span class="k">if</span>`,
	)
	chartPicture, _, _ := strings.Cut(chart[strings.Index(chart, "<img"):], ">")
	source := chartPicture[strings.Index(chartPicture, `src="`):]
	must.Contain(t, page, source[:min(200, len(source))])
}

// TestVectorPictures checks that a page shows the vector version of a picture if there is one. A
// picture can have a second vector version for narrow windows. Without the function Options.Keep, the
// vector version must be in the page itself. With Options.Keep, both versions must be in files that the
// function stores, and Options.Link must not change the addresses of these files. A picture that is
// wider than 600 pixels must have the class panels.
func TestVectorPictures(t *testing.T) {
	nb := displayed("text", map[string]any{"image/png": "AAAA", "image/svg+xml": "<svg>wide</svg>",
		show.NarrowMIME: "<svg>narrow</svg>", "text/plain": "a figure"})
	must.Contain(t, string(notebookDocument(t, nb, Options{}).Body), `<img alt="a figure" src="data:image/svg+xml;base64,`)
	kept := map[string]string{}
	o := Options{Trust: true, Keep: func(kind string, picture []byte) string {
		name := fmt.Sprintf("../pictures/%d%s", len(kept), kind)
		kept[name] = string(picture)
		return name
	}, Link: func(href string) (string, error) { return "", fmt.Errorf("unknown %s", href) }}
	body := string(notebookDocument(t, nb, o).Body)
	must.Contain(t, body, "<picture><source media=\"(max-width: 44rem)\" srcset=\"../pictures/1.svg\"", "src=\"../pictures/0.svg\"")
	if kept["../pictures/0.svg"] != "<svg>wide</svg>" || kept["../pictures/1.svg"] != "<svg>narrow</svg>" {
		t.Errorf("got the stored pictures %q, want the wide version in 0.svg and the narrow version in 1.svg", kept)
	}
	nb = displayed("text", map[string]any{"image/png": "AAAA"})
	nb.Cells[1].Outputs[0]["metadata"] = map[string]any{"image/png": map[string]any{"width": json.Number("768")}}
	must.Contain(t, string(notebookDocument(t, nb, Options{Trust: true}).Body), ` class="panels" width="768"`)
}

// TestMathText checks the text that the search uses for a formula, and the separators around this
// text.
func TestMathText(t *testing.T) {
	for latex, want := range map[string]string{
		`\sigma(a) = \frac{1}{1+e^{-a}}`: "σ(a) = 1/(1 + e^(−a))",
		`\frac{1}{(a+b)(c+d)}`:           "1/((a + b)(c + d))",
		`\tilde{\mathbf W} = (\tilde{\mathbf X}^{\mathrm T}\tilde{\mathbf X})^{-1}`: "W = (XᵀX)^(−1)",
		`y_k(\mathbf x) = w_{k0}`: "y_k(x) = w_k0",
		`\sqrt{\pi/8}`:            "√(π/8)",
		`\|\mathbf w\|^2`:         "‖w‖²",
	} {
		d := toDocument(t, "so $"+latex+"$.", Options{})
		if got := d.Sections[0].Text; strings.TrimSpace(got) != "so "+Separator+want+Separator+"." {
			t.Errorf("the section with the formula %s has the text %q, want the formula's text %q between separators", latex, got, want)
		}
	}
	d := toDocument(t, "# The $x$ axis\n\nText.\n\n## A $y$ axis\n", Options{})
	if got := d.Sections[1].Text; strings.TrimSpace(got) != "Text." {
		t.Errorf("the section below the first heading has the text %q, want \"Text.\"", got)
	}
}
