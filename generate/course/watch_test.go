package course

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/catalog"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/cell"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/equations"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/formula"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/licences"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/manifest"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbformat"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/play"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/site"
	"github.com/hyperplane-notebooks/hyperplane/toolkit"
)

// watched is a server for the author of a small course in a temporary folder. The server checks
// for changed sources only when the test calls update.
type watched struct {
	*watchServer
	said     bytes.Buffer
	vetted   []string
	compiled int
	failure  error // error that the function `vet` returns
}

// watchSmall makes a course with one exercise, two lessons and one equation, makes the pages of the
// course, and returns the author's server. The course's module has the path of hyperplane's own
// module, so that the server also watches the scripts and styles of the pages.
func watchSmall(t *testing.T) *watched {
	t.Helper()
	root, dir := moduleRoot(t), t.TempDir()
	works := must.Get(licences.Site(t.Context(), root, true))(t)
	for _, name := range []string{siteDir, playDir} {
		must.Do(t, os.CopyFS(filepath.Join(dir, name), os.DirFS(filepath.Join(root, name))))
	}
	must.Write(t, filepath.Join(dir, "go.mod"), "module "+cell.HyperplaneModule+"\n")
	must.Write(t, filepath.Join(dir, "toolkit/show/curves.go"), "package show\n")
	must.Write(t, filepath.Join(dir, "generate/equations/notation.md"), "## Notation\n")
	must.Write(t, filepath.Join(dir, "generate/equations/notes.md"),
		"# Notes\n\n## notes-1\n\n$$y = w x$$\n\nA line through the origin.\n")
	t.Cleanup(func() { must.Do(t, setCurrent(generateCourse)) })
	must.Do(t, setCurrent(Course{Module: cell.HyperplaneModule, Toolkit: toolkit.Version,
		Lessons:   catalog.Content.LessonDir,
		Equations: equations.Standard.Dir, Books: exercises.Books{{ID: "own", Name: "Own", Title: "Own", Numbers: "N",
			Folder: "own"}, {ID: "notes", Name: "Notes", Title: "Notes", Equations: []string{"notes.md"}}}}))
	module := os.DirFS(dir)
	for _, id := range []string{"own-1", "lesson-1", "lesson-2"} {
		o := must.Get(newSource(currentPlace(module), id, "The title of "+id, "slope"))(t)
		must.Get(must.Get(o.files())(t).Write(t.Context(), dir))(t)
		addToCatalogue(t, module, o.Dir)
	}
	w := &watched{}
	cmd := newSiteCmd()
	cmd.SetContext(t.Context())
	cmd.SetOut(&w.said)
	cmd.SetErr(&w.said)
	w.watchServer = newWatchServer(cmd, dir, filepath.Join(t.TempDir(), "site"))
	w.watchServer.vet = func(_ context.Context, folders []string) error {
		w.vetted = append(w.vetted, folders...)
		return w.failure
	}
	w.compile = func() { w.compiled++ }
	w.options = site.Options{Title: "Small", Lessons: current.LessonDir, Formulas: &formula.Renderer{}, Works: works,
		Figures: &site.Figures{Manifest: &manifest.Manifest{}},
		Play:    must.Get(play.Web(os.DirFS(filepath.Join(dir, playDir))))(t)}
	must.Do(t, w.beginWatch(&w.options))
	must.Get(w.makePages(t.Context()))(t)
	return w
}

// update makes the server check for changed sources. It returns the paths of the pages that the
// server has made, and the text that the server has printed.
func (w *watched) update() (made []string, said string) {
	w.said.Reset()
	w.options.Kept.Made = nil
	tick := make(chan time.Time, 1)
	tick <- time.Time{}
	close(tick)
	w.run(w.ctx, tick)
	return w.options.Kept.Made, w.said.String()
}

// replace replaces the first occurrence of the text `old` in a source file with the text `fresh`.
func (w *watched) replace(t *testing.T, name, old, fresh string) {
	t.Helper()
	text := must.Read(t, filepath.Join(w.root, name))
	if !strings.Contains(text, old) {
		t.Fatalf("%s does not contain %q", name, old)
	}
	must.Write(t, filepath.Join(w.root, name), strings.Replace(text, old, fresh, 1))
}

// TestWatch checks that the author's server remakes only the pages that depend on a changed source.
// If a source contains an error, the server must report the file and the line, and must keep the old
// page.
func TestWatch(t *testing.T) {
	if testing.Short() {
		t.Skip("-short")
	}
	w := watchSmall(t)
	first := len(w.options.Kept.Made)
	if first < 4 {
		t.Fatalf("the first build made %d pages, want at least 4", first)
	}
	if made, said := w.update(); len(made) > 0 || said != "" {
		t.Errorf("no source has changed, but the server made %q and printed %q", made, said)
	}

	const lesson, lessonPage = "generate/lessons/01-slope.md", "lessons/01-slope.html"
	const exercise, exercisePage = "exercises/own/ex01/exercise.md", "exercises/own/01-slope.html"
	const check = "exercises/own/ex01/check.go"
	for _, change := range []struct {
		name, old, fresh string
		made             []string
		page, contains   string
	}{
		{lesson, "A parabola with one minimum", "A freshly edited machine", []string{lessonPage}, lessonPage,
			"A freshly edited machine"},
		{exercise, "## Task\n", "## Task\n\nA freshly edited task.\n", []string{exercisePage}, exercisePage,
			"A freshly edited task."},
		{exercise, "### Hint 1\n", "### Hint 1\n\nA freshly edited hint.\n", []string{exercisePage}, exercisePage,
			"A freshly edited hint."},
		{"generate/internal/site/site.css", "\n", "\n/* freshly edited */\n", nil, "assets/site.css", "freshly edited"},
		{"generate/internal/play/web/page.js", "\n", "\n// freshly edited\n", nil, "assets/play/page.js", "freshly edited"},
		{"generate/internal/site/frame.html", "<footer>", "<footer>Freshly edited. ", nil, "index.html", "Freshly edited."},
	} {
		w.replace(t, change.name, change.old, change.fresh)
		made, said := w.update()
		if !slices.Equal(made, change.made) {
			t.Errorf("after a change to %s, the server made the pages %q, want %q", change.name, made, change.made)
		}
		must.Contain(t, said, "changed: "+change.name, fmt.Sprintf("made %d pages", len(change.made)))
		must.Contain(t, must.Read(t, filepath.Join(w.out, change.page)), change.contains)
	}

	// Only the page of equations contains the text of an equation, so a change to the text must
	// affect only this page. Any page may contain the title of a lesson, so a change to the title
	// must affect all pages.
	w.replace(t, "generate/equations/notes.md", "A line through", "Freshly edited: a line through")
	if made, said := w.update(); !slices.Equal(made, []string{"equations.html"}) {
		t.Errorf("after a change to an equation's text, the server made the pages %q, want only equations.html\n%s", made, said)
	}
	w.replace(t, lesson, "title: The title of lesson-1", "title: Another title")
	if made, said := w.update(); len(made) != first {
		t.Errorf("after a change to a title, the server made %d pages, want all %d\n%s", len(made), first, said)
	}

	// For each error in a source, the server must print the file and the line, must keep the old
	// pages, and must show the error in the pages that it serves.
	before := must.Tree(t, w.out)
	for _, fault := range []struct{ name, old, fresh, at, want string }{
		{lesson, "The loss is", "See {ex:own-99}. The loss is", "{ex:own-99}", "unknown name {ex:own-99}"},
		{lesson, "$y = w x$", "$\\frac{y$", "\\frac{y$", "cannot typeset the formula"},
		{lesson, "%%\n", "%%\nfunc {\n", "func {", "expected"},
		{exercise, "- stars: ", "- stars: 9", "- stars: 9", `stars is "91"`},
		{exercise, "### Hint 2", "### Hint 7", "### Hint 7", `want "### Hint 2"`},
		{check, "func Check(", "func Check(other ", "func Check(other ", "missing ','"},
	} {
		text := must.Read(t, filepath.Join(w.root, fault.name))
		w.replace(t, fault.name, fault.old, fault.fresh)
		_, said := w.update()
		above, _, _ := strings.Cut(must.Read(t, filepath.Join(w.root, fault.name)), fault.at)
		must.Contain(t, said, fmt.Sprintf("generate: %s:%d:", fault.name, 1+strings.Count(above, "\n")), fault.want)
		if after := must.Tree(t, w.out); len(after) != len(before) || after[lessonPage] != before[lessonPage] {
			t.Errorf("an error in %s changed the site, want the old pages", fault.name)
		}
		page := httptest.NewRecorder()
		w.news.Handler(play.Handler(w.out, nil)).ServeHTTP(page, httptest.NewRequest(http.MethodGet, "/"+lessonPage, nil))
		must.Contain(t, page.Body.String(), "<h1", "say(\"", fault.name)
		must.Write(t, filepath.Join(w.root, fault.name), text)
		if _, said := w.update(); strings.Contains(said, "generate:") {
			t.Errorf("%s contains no error any more, but the server prints %s", fault.name, said)
		}
	}

	// If a check does not compile, the server must run go vet on the check again after every change
	// of any source. It must not build the compiler of the site again as long as go vet finds
	// errors.
	w.vetted, w.compiled, w.failure = nil, 0, fmt.Errorf("%s:9:2: undefined: x", check)
	w.replace(t, check, "\n", "\n\n")
	if _, said := w.update(); !strings.Contains(said, "generate: "+check+":9:2: undefined: x") || w.compiled != 0 {
		t.Errorf("%s does not compile: the server built the compiler %d times and printed %s; want no build, and the error from go vet", check, w.compiled, said)
	}
	w.failure = nil
	w.replace(t, lesson, "A freshly edited machine", "A parabola")
	w.update()
	if !slices.Equal(w.vetted, []string{"exercises/own/ex01", "exercises/own/ex01"}) || w.compiled != 1 {
		t.Errorf("the server ran go vet on %q and built the compiler %d times, want go vet twice on the folder of the check, and one build", w.vetted, w.compiled)
	}
	// If a check changes while an error in a lesson prevents the server from making the pages, the
	// server must wait until the lesson is correct again. Then it must run go vet on the check and
	// build the compiler.
	w.vetted = nil
	w.replace(t, check, "\n", "\n\n")
	w.replace(t, lesson, "The loss is", "See {ex:own-99}. The loss is")
	if w.update(); len(w.vetted) > 0 || w.compiled != 1 {
		t.Errorf("with an error in a lesson, the server ran go vet on %q and has built the compiler %d times in total; want no run of go vet, and 1 build, the earlier one", w.vetted, w.compiled)
	}
	w.replace(t, lesson, "See {ex:own-99}. The loss is", "The loss is")
	if w.update(); !slices.Equal(w.vetted, []string{"exercises/own/ex01"}) || w.compiled != 2 {
		t.Errorf("after the error was corrected, the server ran go vet on %q and has built the compiler %d times in total; want one run on the folder of the check, and 2 builds", w.vetted, w.compiled)
	}
	w.replace(t, "toolkit/show/curves.go", "\n", "\n\n")
	if _, said := w.update(); !strings.Contains(said, "toolkit/show/curves.go is part of this program") {
		t.Errorf("after a change to the toolkit, the server prints %s, want a message that the changed file is part of the running program", said)
	}

	for name, text := range must.Tree(t, w.out) {
		if strings.Contains(text, "watch-failed") {
			t.Errorf("%s contains the script of the author's server, but only served pages may contain it", name)
		}
	}
}

// TestGoVet checks that the error from goVet contains the file and the line of a compile error in a
// package.
func TestGoVet(t *testing.T) {
	if testing.Short() {
		t.Skip("-short")
	}
	dir := t.TempDir()
	must.Write(t, filepath.Join(dir, "go.mod"), "module example.org/m\n\ngo 1.26\n")
	must.Write(t, filepath.Join(dir, "a/check.go"), "package a\n\nvar x int = \"text\"\n")
	must.Write(t, filepath.Join(dir, "b/check.go"), "package b\n")
	s := &watchServer{root: dir}
	must.Fail(t, s.goVet(t.Context(), []string{"a", "b"}), "a/check.go:3:13", "cannot use")
	must.Do(t, s.goVet(t.Context(), []string{"b"}))
	must.Do(t, s.goVet(t.Context(), nil))
}

// TestCellOutputs checks that withMatchingOutputs copies the outputs of a cell from the old notebook to
// the new notebook if, and only if, the source of the cell is unchanged.
func TestCellOutputs(t *testing.T) {
	old, fresh := nbformat.New(), nbformat.New()
	old.AddCode("a", "1").Outputs = helloOutput
	old.AddCode("b", "2").Outputs = helloOutput
	fresh.AddMarkdown("text", "A new text.")
	fresh.AddCode("a", "1")
	fresh.AddCode("b", "3")
	got := must.Get(nbformat.Parse(unnamed,
		withMatchingOutputs(must.Get(fresh.Marshal())(t), must.Get(old.Marshal())(t))))(t)
	if len(got.Cell("a").Outputs) != 1 || len(got.Cell("b").Outputs) != 0 || len(got.Cells) != 3 {
		t.Errorf("got %d cells, the outputs %v for the unchanged cell a and the outputs %v for the changed cell b; want 3 cells, one output for a and none for b", len(got.Cells), got.Cell("a").Outputs, got.Cell("b").Outputs)
	}
}
