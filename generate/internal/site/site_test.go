package site

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"golang.org/x/net/html"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/catalog"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/equations"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/exercise"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/files"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/formula"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/licences"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/manifest"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbformat"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/play"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/figures"
)

// emptyFigures returns all figures of the catalogue, with tiny files instead of drawings.
func emptyFigures() *Figures {
	f := &Figures{Manifest: &manifest.Manifest{Version: "9.9.9", Size: "notebook"}, Files: files.Tree{},
		Charts: map[string]string{}}
	for _, e := range figures.All() {
		f.Manifest.Figures = append(f.Manifest.Figures,
			manifest.Item{ID: e.ID, Title: e.Title, Source: e.Source, LookFor: e.LookFor,
				Alt: e.ID + " in words", Call: e.Call, ChartCall: e.ChartCall, Parameters: e.Parameters,
				Files: []manifest.File{{Name: e.ID + ".svg"}}})
		f.Files[e.ID+".svg"] = []byte("<svg xmlns='http://www.w3.org/2000/svg'/>")
		if e.Chart != nil {
			f.Charts[e.ID] = `<div class="hyperplane-chart" data-key="` + fmt.Sprintf("%x", e.ID) +
				`"><img alt="x" src="data:,"></div><script>draw("` + e.ID + `")</script>`
		} else {
			f.Files[narrowFile(e.ID)] = f.Files[e.ID+".svg"]
		}
	}
	return f
}

// module returns the folder of this module as a file system.
func module(t *testing.T) fs.FS {
	t.Helper()
	return os.DirFS("../../..")
}

// works returns the third-party works on a site with editors.
var works = sync.OnceValues(func() ([]licences.Work,
	error) {
	return licences.Site(context.Background(), "../../..", true)
})

// smallSite returns the options for a site whose only notebooks are a map and a tour. The functions
// in `add` can change the tour.
func smallSite(t *testing.T, add ...func(tour *nbformat.Notebook)) Options {
	t.Helper()
	start, tour := nbformat.New(), nbformat.New()
	start.AddMarkdown("a", "# The map\n\nWords for the notebook.")
	start.AddMarkdown("b",
		"## When you are stuck\n\nGo to [the tour](tour.ipynb#Second-part), [(4.1)](equations.md#prml-4.1).")
	tour.AddMarkdown("a",
		"# The tour\n\nWords of Newton.\n\n## Second part\n\n$x^2$, `$y$`, [code](../toolkit/x.go), ![a plot](images/a.png)\n")
	for _, f := range add {
		f(tour)
	}
	m := fstest.MapFS{
		"notebooks/equations.md": {Data: []byte("# Equations\n\n<a id=\"prml-4.1\"></a>\n\n## (4.1)\n\n$$t = 1$$\n\n- figures: [`figures.PRML4x1`](../toolkit/figures/prml4_discriminants.go#PRML4x1)\n")},
		"notebooks/images/a.png": {Data: []byte("png")},
		"toolkit/x.go":           {Data: []byte("package x")},
	}
	for name, nb := range map[string]*nbformat.Notebook{startNotebook: start, "tour.ipynb": tour} {
		m[path.Join(Folder, name)] = &fstest.MapFile{Data: must.Get(nb.Marshal())(t)}
	}
	return Options{Module: m, Lessons: "generate/lessons", Works: must.Get(works())(t), Index: &equations.Index{},
		Equations: m["notebooks/equations.md"].Data, Figures: emptyFigures(), Formulas: &formula.Renderer{},
		Expand: func(text, _ string) (string, error) { return text, nil }}
}

// committedSite returns the options for the site of the committed notebooks, and this site. The site
// has editors, but no compiler, and the editor's own scripts are empty files.
var committedSite = sync.OnceValues(func() (Options, files.Tree) {
	get := func(err error) {
		if err != nil {
			panic(err)
		}
	}
	o := Options{Module: os.DirFS("../../.."), Lessons: "generate/lessons", Figures: emptyFigures(),
		Formulas: &formula.Renderer{}}
	var err error
	o.Works, err = works()
	get(err)
	o.Exercises, err = catalog.Exercises(o.Module)
	get(err)
	o.Course, err = catalog.Course(o.Module, o.Exercises)
	get(err)
	o.Index, err = equations.Build(o.Module)
	get(err)
	o.Expand = func(text, notebook string) (string, error) {
		page := strings.Repeat("../", strings.Count(notebook, "/")) + equations.PageName
		if strings.HasPrefix(notebook, "exercises/") {
			text = o.Index.Numbers(text, page)
		}
		return o.Index.Expand(text, page)
	}
	o.Equations, err = fs.ReadFile(o.Module, "notebooks/equations.md")
	get(err)
	o.Play = files.Tree{path.Join(play.Folder, "play.css"): nil}
	for _, name := range playScripts {
		o.Play[path.Join(play.Folder, name)] = nil
	}
	site, err := Build(context.Background(), o)
	get(err)
	return o, site
})

// TestCommitted checks that the site contains a page for every committed notebook except solutions,
// and the page of equations. The pages must not contain unexpanded LaTeX or broken links, and must
// not load files from the network. Hints and solutions must be folded, and the search must not
// reveal them.
func TestCommitted(t *testing.T) {
	o, site := committedSite()
	wantNoAnswers(t, site)
	notebooks := 0
	must.Do(t, fs.WalkDir(o.Module, Folder, func(p string, d fs.DirEntry, err error) error {
		p = strings.TrimPrefix(p, Folder+"/")
		if path.Ext(p) == ".ipynb" && !strings.Contains(p, "solutions/") && !strings.Contains(p, ".ipynb_checkpoints") {
			if notebooks++; site[pageOf(p)] == nil {
				t.Errorf("%s has no page", p)
			}
		}
		return err
	}))
	if formulas := strings.Count(string(site["equations.html"]), "<math"); notebooks < 36 || formulas < len(o.Index.Equations) {
		t.Errorf("got %d notebooks, and %d formulas on the page of equations; want at least 36 notebooks and a formula for each equation", notebooks, formulas)
	}
	e := o.Exercises[slices.IndexFunc(o.Exercises, func(e *exercise.Exercise) bool { return !e.OfLesson() })]
	page := string(site[exercisePage(e)])
	must.Contain(t, page, `<details class="hint">`, `<details class="solution">`, "Hint 1 of ", "Where to go next",
		`data-call="Check(`, `<textarea id="play-answer"`, `<div id="play-static">`, `assets/play/page.js" defer`)
	must.Contain(t, string(site["lessons/01-lines.html"]), `class="try" data-cell="`, `<textarea id="play-answer"`,
		`<details class="hint">`, `<details class="solution">`)
	must.Contain(t, page, `data-part="task"`, `data-part="hint-1"`, `data-part="explore"`, `data-part="solution"`)
	must.Contain(t, string(site["exercises/prml4/24-project-posterior.html"]), `Exercises <a href="25-probit-scale.html">PRML 4.25</a> and <a href="26-probit-convolution.html">4.26</a>`)
	if site[strings.TrimSuffix(exercisePage(e), ".html")+".ipynb"] == nil {
		t.Error("the site lacks the notebook for download")
	}
	hint, _, _ := strings.Cut(e.Hints[0], "$")
	hint = strings.Join(strings.Fields(hint), " ")
	if text := string(site["assets/search-index.js"]); strings.Contains(text, hint) || !strings.Contains(text, "Where to go next") {
		t.Errorf("the search index contains the hint %q, or lacks the text \"Where to go next\"", hint)
	}
}

// TestEquationLinks checks that the page of an exercise links to every equation that the page uses.
// The entry of an equation must link to each exercise and lesson that links to the equation. Every
// equation number in the texts of these pages must be a link.
func TestEquationLinks(t *testing.T) {
	o, site := committedSite()
	back := map[string]string{} // maps an equation's id to its entry on the page of the equations
	for _, entry := range strings.Split(string(site["equations.html"]), `<a id="`)[1:] {
		id, _, _ := strings.Cut(entry, `"`)
		back[id] = entry
	}
	link := regexp.MustCompile(`href="(?:\.\./)*equations\.html#([a-z0-9]+-[\w.-]+)"`)
	for _, e := range o.Exercises {
		page := exercisePage(e)
		linked := map[string]bool{}
		for _, m := range link.FindAllStringSubmatch(string(site[page]), -1) {
			linked[m[1]] = true
			if !strings.Contains(back[m[1]], `href="`+page) {
				t.Errorf("the page %s links to the equation %s, but the equation does not link back", page, m[1])
			}
		}
		if e.OfLesson() {
			continue
		}
		book, _, _ := strings.Cut(e.ID, "-")
		for _, id := range must.Get(o.Index.Cited(strings.Join(e.Equations, ", "), book))(t) {
			if !linked[id] {
				t.Errorf("the page %s uses the equation %s without a link", page, id)
			}
		}
		if len(linked) == 0 {
			t.Errorf("the page %s links to no equation, want at least one", page)
		}
	}
	number := regexp.MustCompile(`\((?:4|10)\.\d+\)`)
	for p, text := range site {
		if !strings.HasPrefix(p, "exercises/") && !strings.HasPrefix(p, "lessons/") || path.Ext(p) != ".html" {
			continue
		}
		root := must.Get(html.Parse(bytes.NewReader(text)))(t)
		for n := range root.Descendants() {
			if n.Type != html.TextNode || !number.MatchString(n.Data) {
				continue
			}
			if !slices.ContainsFunc(slices.Collect(n.Ancestors()), func(up *html.Node) bool {
				return slices.Contains([]string{"a", "code", "pre", "math", "script", "textarea", "svg"}, up.Data)
			}) {
				t.Errorf("%s: the number of an equation has no link in %.60q", p, n.Data)
			}
		}
	}
}

func TestSmall(t *testing.T) {
	call, script := figures.All()[0].ChartCall, fmt.Sprintf("assets/charts/%x.js", figures.All()[0].ID)
	site := must.Get(Build(t.Context(), smallSite(t, func(tour *nbformat.Notebook) {
		tour.AddCode("chart", "%%\nshow.DisplayChart("+call+
			")").Outputs = []nbformat.Output{{"output_type": "display_data", "metadata": map[string]any{},
			"data": map[string]any{"image/png": "AAAA", "text/plain": "still"}}}
	})))(t)
	tour := string(site["tour.html"])
	must.Contain(t, tour, "<title>The tour · Hyperplane</title>", `<msup>`, "<code>$y$</code>", ", code, ",
		`src="images/a.png"`, `lang="en"`,
		`class="hyperplane-chart"`, `<script src="`+script+`" defer>`, `<script src="assets/charts.js" defer>`,
		`<a class="skip" href="#main">`,
		`rel="next"`, `rel="up" href="index.html"`, `<a href="#Second-part">Second part</a>`)
	if strings.Contains(tour, "toolkit/x.go") || strings.Contains(tour, "draw(") || strings.Contains(tour, "AAAA") {
		t.Error("the page contains a link to a source, a chart's script or a chart's static picture, want none of them")
	}
	must.Contain(t, string(site["index.html"]), `<a href="tour.html#Second-part">the tour</a>`,
		`<a href="equations.html#prml-4.1">(4.1)</a>`, `<a href="figures.html">`)
	must.Contain(t, string(site["equations.html"]),
		`<a href="figures.html#fig-prml-4.1"><code>figures.PRML4x1</code></a>`)
	must.Contain(t, string(site["figures.html"]), `<a href="tour.html">The tour</a>`, `src="figures/fig-prml-4.2.svg"`,
		`<source media="(max-width: 44rem)" srcset="figures/fig-prml-4.2.narrow.svg"/>`)
	must.Contain(t, string(site[script]), `draw("fig-prml-4.1")`)
	if string(site["images/a.png"]) != "png" {
		t.Error("the site lacks the picture from the folder of the notebooks")
	}
}

// TestRed checks that each fault makes Build fail with an error that describes the fault.
func TestRed(t *testing.T) {
	text := func(source string) func(*nbformat.Notebook) {
		return func(nb *nbformat.Notebook) { nb.AddMarkdown("red", source) }
	}
	output := func(page string) func(*nbformat.Notebook) {
		return func(nb *nbformat.Notebook) {
			nb.AddCode("red",
				"x").Outputs = []nbformat.Output{{"output_type": "display_data", "metadata": map[string]any{},
				"data": map[string]any{"text/html": page}}}
		}
	}
	for _, tc := range []struct {
		name  string
		add   func(*nbformat.Notebook)
		wants []string
	}{
		{"invalid formula", text(`$\frac{1$`), []string{"notebooks/tour.ipynb: cell 2 (red)", `\\frac{1`}},
		{"link to a missing notebook", text("[x](lessons/99-none.ipynb)"),
			[]string{"cell 2 (red)", "leads nowhere", "notebooks/lessons/99-none.ipynb"}},
		{"link to a missing source", text("[x](../toolkit/none.go)"), []string{"leads nowhere", "toolkit/none.go"}},
		{"missing anchor on a different page", text("[x](equations.md#prml-4.99)"), []string{"tour.html", `has no anchor "prml-4.99"`}},
		{"missing anchor on the same page", text("[x](#nowhere)"), []string{"tour.html", `has no anchor "nowhere"`}},
		{"LaTeX in an output", output(`<p>$x_1$ and</p>`), []string{"tour.html", "was not replaced", "$x_1$"}},
		{"LaTeX command in an output", output(`<p>\frac{1}{2}</p>`), []string{"was not replaced", `\frac`}},
		{"unexpanded name", text("see {ex:prml-4.7}"), []string{"was not replaced", "{ex:p"}},
		{"picture from elsewhere", output(`<img alt="x" src="https://example.org/x.png">`),
			[]string{"needs https://example.org/x.png"}},
		{"script from elsewhere", output(`<script src="//example.org/x.js"></script>`),
			[]string{"needs //example.org/x.js"}},
		{"script that is a module", output(`<script type="module">import "./x.js"</script>`), []string{"module"}},
		{"picture without words", text("![](images/a.png)"), []string{"no alt text"}},
		{"missing picture", output(`<img alt="x" src="images/none.png">`),
			[]string{"cell 2 (red)", "there is no notebooks/images/none.png"}},
		{"two main headings", text("# Another"), []string{"2 instances of main heading"}},
		{"the same id twice", text("<a id=\"Second-part\"></a>"), []string{`two elements have the id "Second-part"`}},
		{"invalid key of a chart",
			output(`<div class="hyperplane-chart" data-key="../x"><img alt="x" src="data:,"></div><script>1</script>`),
			[]string{`key "../x"`}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := Build(t.Context(), smallSite(t, tc.add))
			must.Fail(t, err, tc.wants...)
		})
	}
}

// TestExecuted checks that an executed notebook replaces the committed notebook only if the cells
// are the same.
func TestExecuted(t *testing.T) {
	o := smallSite(t)
	ran := must.Get(nbformat.Parse("tour", must.Get(fs.ReadFile(o.Module, "notebooks/tour.ipynb"))(t)))(t)
	ran.Cells[0].Metadata["seen"] = "fresh"
	executed := fstest.MapFS{"tour.ipynb": {Data: must.Get(ran.Marshal())(t)}}
	o.Executed = executed
	b := &builder{Options: o}
	if nb := must.Get(b.read("tour.ipynb"))(t); nb.Cells[0].Metadata["seen"] != "fresh" {
		t.Error("the site shows the committed notebook, want the executed notebook")
	}
	ran.Cells[0].Source += "\n\nEdited."
	executed["tour.ipynb"].Data = must.Get(ran.Marshal())(t)
	if nb := must.Get(b.read("tour.ipynb"))(t); nb.Cells[0].Metadata["seen"] == "fresh" {
		t.Error("the site shows an executed notebook whose cells differ from the committed notebook")
	}
}

// TestRaw checks that Raw ignores code, scripts, typeset formulas and a single dollar sign.
func TestRaw(t *testing.T) {
	root := must.Get(html.Parse(strings.NewReader(`<p>costs $5; <code>$x$</code></p><pre>\frac</pre><math><mi>x</mi><mtext>$a$</mtext></math><script>"\\frac $x$"</script>`)))(t)
	if left := Raw(root); len(left) > 0 {
		t.Errorf("Raw returns %q, want nothing", left)
	}
}

// TestFiguresAreKept calls Draw several times with the same folder. The figures that Draw reads
// from the folder must equal the figures that it has drawn, including their options. If the inputs
// have changed, Draw must draw the figures again and store only the new figures.
func TestFiguresAreKept(t *testing.T) {
	dir := t.TempDir()
	const id = "fig-gambosi-sigmoid"
	count := 0
	drawn := must.Get(Draw(t.Context(), 1, dir, "a", func(done, _ int, _ string) { count = done }, id))(t)
	if count != 1 {
		t.Errorf("Draw reports the progress of %d figures, want 1", count)
	}
	if len(drawn.Manifest.Figures) != 1 || len(drawn.Files) != 5 {
		t.Fatalf("got %d figures and %d files; want one figure with five files: four formats and a version for a phone", len(drawn.Manifest.Figures), len(drawn.Files))
	}
	if again := must.Get(Draw(t.Context(), 1, dir, "a", nil, id))(t); !reflect.DeepEqual(again, drawn) {
		t.Error("the stored figures differ from the drawn figures")
	}
	must.Get(Draw(t.Context(), 1, dir, "b", nil, "fig-prml-4.9"))(t)
	if kept := must.Get(os.ReadDir(dir))(t); len(kept) != 1 || kept[0].Name() != "figures-b-fig-prml-4.9.json" {
		t.Errorf("the folder contains %v, want only figures-b-fig-prml-4.9.json", kept)
	}
}

// TestTry checks that the page contains, for each runnable cell, the declarations that the cell
// needs. If a cell imports a package that is not available in the page, the page must say so. But
// if the lesson promises that such a cell can be run, Build must return an error.
func TestTry(t *testing.T) {
	o := smallSite(t, func(tour *nbformat.Notebook) {
		tour.AddCode("earlier",
			"func twice(x float64) float64 { return 2 * x }").Metadata["hyperplane"] = map[string]any{"role": "code"}
		c := tour.AddCode("cell", "%%\nfmt.Println(twice(1))")
		c.Metadata["tags"] = []string{"try"}
	})
	o.Play = files.Tree{}
	cells := liveCells(t, must.Get(Build(t.Context(), o))(t)["tour.html"])
	const twice = "func twice(x float64) float64 { return 2 * x }"
	if len(cells) != 1 || cells[0].Context != twice || len(cells[0].Before) != 1 || cells[0].Before[0] != twice {
		t.Errorf("the page has the runnable cells %+v, want one cell whose Context, and whose only element of Before, is %s", cells, twice)
	}
	abroad := func(tour *nbformat.Notebook) *nbformat.Cell {
		return tour.AddCode("cell", "import \"net/http\"\n\n%%\nhttp.Get(\"a\")")
	}
	o = smallSite(t, func(tour *nbformat.Notebook) { abroad(tour).Metadata["tags"] = []string{"try"} })
	o.Play = files.Tree{}
	_, err := Build(t.Context(), o)
	must.Fail(t, err,
		"tour.ipynb: cell 2 (cell): this cell cannot be run in the page, which has no package net/http")
	b := &builder{Options: smallSite(t)}
	doc := b.page("tour.html", "notebooks/tour.ipynb")
	if runs := must.Get(b.addCell(doc, "cell", abroad(nbformat.New()), nil, nil))(t); runs {
		t.Error("the page lacks a package that the cell imports, but offers to run the cell")
	}
	must.Contain(t, string(must.Get(doc.Document())(t).Body),
		"This cell runs only in the notebook: the package <code>net/http</code> is not available on this page.")
}

// TestLicences checks that a page links to the licences of scripts and fonts, even on a site without
// editors. The licences of such a site must not mention CodeMirror. Build must reject third-party
// files that no licence covers.
func TestLicences(t *testing.T) {
	o := smallSite(t)
	o.Works = must.Get(licences.Site(t.Context(), "../../..", false))(t)
	site := must.Get(Build(t.Context(), o))(t)
	must.Contain(t, string(site["tour.html"]), `<a href="LICENSES.txt">`, `<a href="NOTICE">`)
	must.Contain(t, string(site[licences.File]), "go-fonts/stix", "Temml", "ECharts", "SIL OPEN FONT LICENSE",
		"Apache License")
	must.Contain(t, string(site[licences.Notice]), "The Apache Software Foundation")
	if strings.Contains(string(site[licences.File]), "CodeMirror") {
		t.Error("the licences of a site without editors mention CodeMirror")
	}
	for _, file := range []string{"assets/STIXTwoMath-Regular.otf", "assets/Temml.woff2", "assets/charts.js"} {
		o.Works = slices.DeleteFunc(must.Get(licences.Site(t.Context(), "../../..", false))(t),
			func(w licences.Work) bool { return slices.Contains(w.Files, file) })
		_, err := Build(t.Context(), o)
		must.Fail(t, err, file+": LICENSES.txt does not list this file")
	}
	for _, file := range []string{"assets/play/codemirror-6.min.js", "assets/play/wasm_exec.js",
		"assets/play/compile-1.wasm.xz", "assets/play/new.js", "figures/a.ttf"} {
		o := smallSite(t)
		o.Works, o.Play = slices.DeleteFunc(slices.Clone(o.Works),
			func(w licences.Work) bool { return slices.Contains(w.Files, file) }), files.Tree{file: nil}
		_, err := Build(t.Context(), o)
		must.Fail(t, err, file+": LICENSES.txt does not list this file")
	}
}
