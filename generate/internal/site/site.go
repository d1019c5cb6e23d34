// Package site builds the whole course as static pages, which can be read without a server and
// without a network: the notebooks with their outputs and interactive charts, the exercises, the
// figures and the equations. A search page covers all of these pages.
package site

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"html"
	"html/template"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"codeberg.org/go-fonts/stix/stix2mathregular"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/equations"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/exercise"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/files"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/formula"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/lesson"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/licences"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbformat"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/page"
	"github.com/hyperplane-notebooks/hyperplane/toolkit"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

// Options contains everything that Build needs to make a site.
type Options struct {
	Module    fs.FS // files of the module, including its committed notebooks
	Executed  fs.FS // executed notebooks, which replace committed notebooks that have the same cells; can be nil
	Exercises []*exercise.Exercise
	Course    *lesson.Course // lessons on the start page; nil for a site without lessons
	Lessons   string         // folder of the module that contains the lessons' sources
	Title     string         // heading of the start page; "" for the toolkit's own start page
	Index     *equations.Index
	Equations []byte // page of equations as Markdown; nil for a site without this page
	Figures   *Figures
	Formulas  *formula.Renderer
	Play      files.Tree      // files of package play, which pages use to judge answers; nil for a site without editors
	Works     []licences.Work // third-party works on the site; Build adds their licences
	// Distinct returns variants of the exercise with the given id, one for each set of constants that
	// a variant can have. If Distinct is nil, the site has no variants.
	Distinct func(id string) ([]*exercise.Exercise, error)
	// Expand replaces names in a text, such as {eq:prml-4.97}, with links relative to the given
	// notebook. The names in notebooks are already expanded, but the names in hints are not.
	Expand func(text, notebook string) (string, error)
	// Own contains the site's own scripts, styles and templates. If Own is nil, Build uses the
	// files embedded in the program.
	Own  fs.FS
	Kept *Kept // pages from earlier calls of Build, if this call may reuse them; can be nil
}

// Folder is the folder of the module that contains the notebooks.
const Folder = "notebooks"

// A sheet is one page of the site.
type sheet struct {
	Path   string // path of the page on the site, such as "lessons/01-lines.html"
	Source string // notebook that the page shows, such as "lessons/01-lines.ipynb"; "" for none
	Kind   string // CSS class of the page's main element: "home", "list", "bench", "lesson", "finder" or ""
	Up     *sheet
	Doc    *page.Document

	Styles, Scripts []string // files that this page loads, in addition to the files that all pages load

	Previous, Next *sheet
}

// Title returns the title of the page.
func (s *sheet) Title() string { return s.Doc.Title }

// Whole reports whether the page has no table of contents, whatever its headings. Every other page
// with headings shows a table of contents beside the text.
func (s *sheet) Whole() bool {
	return slices.Contains([]string{"home", "list", "bench", "finder"}, s.Kind)
}

// An entry is a line of a page's table of contents. It also contains the headings of the fold below
// this line.
type entry struct {
	page.Heading
	Below []page.Heading
}

// maxHeadings is a limit for the table of contents. If a page has more headings, the table folds
// the headings of each section (see Contents).
const maxHeadings = 60

// Contents returns the table of contents of the page. On a page with very many headings, the headings
// of a section are folded below that section (see maxHeadings).
func (s *sheet) Contents() (list []entry) {
	for _, h := range s.Doc.Headings {
		if n := len(list) - 1; n >= 0 && h.Level > 2 && len(s.Doc.Headings) > maxHeadings {
			list[n].Below = append(list[n].Below, h)
			continue
		}
		list = append(list, entry{Heading: h})
	}
	return list
}

// Current returns an HTML attribute for a link in the navigation. If the page belongs to the
// section of the site to which the link leads, the attribute marks the link as current. Otherwise
// Current returns "".
func (s *sheet) Current(section string) template.HTMLAttr {
	own := map[string]string{"index.html": "lessons", "tour.html": "lessons", "models.html": "lessons"}
	first, _, below := strings.Cut(strings.TrimSuffix(s.Path, ".html"), "/")
	switch {
	case cmp.Or(own[s.Path], first) != section:
		return ""
	case below || own[s.Path] != "" && s.Path != "index.html":
		return ` aria-current="true"`
	}
	return ` aria-current="page"`
}

// Root returns the relative path from the page to the root of the site.
func (s *sheet) Root() string { return strings.Repeat("../", strings.Count(s.Path, "/")) }

// A builder contains the parts of the site that Build has already made.
type builder struct {
	Options
	sheets []*sheet          // in reading order
	places map[string]string // maps a path in the module to the address on the site
	files  files.Tree
}

// Build builds the site in memory. It returns an error, for example, for a formula that cannot be
// typeset, for a third-party file without a licence, and for every fault that Check finds, such as a
// broken link. The error names the page, the notebook or the file with the fault.
func Build(ctx context.Context, o Options) (files.Tree, error) {
	b := &builder{Options: o, files: files.Tree{}}
	if b.Kept != nil {
		b.Kept.Made = nil
	}
	notebooks, err := b.notebooks()
	if err != nil {
		return nil, err
	}
	maps.Copy(b.files, o.Play)
	b.setPlaces(notebooks)
	for _, p := range notebooks {
		if p == startNotebook {
			continue
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		page := pageOf(p)
		err := b.makeOrReuse(page, nil, func() error { return b.addLesson(p) }, b.inputTexts(p, b.task(page))...)
		if err != nil {
			return nil, err
		}
	}
	for _, add := range []func() error{b.addExercises, b.addGallery, b.addEquations, b.searchPage, b.addStart,
		b.addYourWork} {
		if err := add(); err != nil {
			return nil, err
		}
	}
	if err := b.write(); err != nil {
		return nil, err
	}
	return b.files, errors.Join(Check(b.files), b.checkListed())
}

// notebooks lists all notebooks except exercises, in reading order: the map, the tour, the lessons,
// and all others.
func (b *builder) notebooks() ([]string, error) {
	var found []string
	for _, pattern := range []string{"index.ipynb", "tour.ipynb", "lessons/*.ipynb", "*.ipynb"} {
		matches, err := fs.Glob(b.Module, path.Join(Folder, pattern))
		if err != nil {
			return nil, err
		}
		for _, m := range matches {
			if m = strings.TrimPrefix(m, Folder+"/"); !slices.Contains(found, m) {
				found = append(found, m)
			}
		}
	}
	return found, nil
}

// read returns a notebook. In its texts, it replaces each plain number of an equation, such as
// (4.97), with a link to the equation.
func (b *builder) read(p string) (*nbformat.Notebook, error) {
	nb, err := b.current(p)
	if err != nil {
		return nil, err
	}
	for _, c := range nb.Cells {
		if c.Type == nbformat.Markdown {
			c.Source = b.Index.Numbers(c.Source, strings.Repeat("../", strings.Count(p, "/"))+equations.PageName)
		}
	}
	return nb, nil
}

// current returns the executed copy of a notebook if a copy with the same cells exists. If there is
// no such copy, it returns the committed notebook.
func (b *builder) current(p string) (*nbformat.Notebook, error) {
	text, err := fs.ReadFile(b.Module, path.Join(Folder, p))
	if err != nil {
		return nil, err
	}
	nb, err := nbformat.Parse(path.Join(Folder, p), text)
	if err != nil || b.Executed == nil {
		return nb, err
	}
	fresh, err := fs.ReadFile(b.Executed, p)
	if err != nil {
		return nb, nil
	}
	if ran, err := nbformat.Parse(p, fresh); err == nil && sameSource(nb, ran) {
		return ran, nil
	}
	return nb, nil
}

// sameSource reports whether two notebooks have the same cells.
func sameSource(a, b *nbformat.Notebook) bool {
	return slices.EqualFunc(a.Cells, b.Cells, func(a, b *nbformat.Cell) bool {
		return a.Type == b.Type && a.ID == b.ID && a.Source == b.Source
	})
}

// page returns a builder for the page with the path `target`. The texts of the page come from
// `source`, a file of the module, and the links in the texts are relative to this file.
func (b *builder) page(target, source string) *page.Builder {
	return page.New(page.Options{Formulas: b.Formulas, Trust: true, Strict: true, Chart: b.Figures.liveForm,
		PictureFirst: true,
		Keep: func(kind string, picture []byte) string {
			sum := sha256.Sum256(picture)
			name := "assets/pictures/" + hex.EncodeToString(sum[:8]) + kind
			b.files[name] = picture
			return relative(target, name, "")
		},
		Link: func(href string) (string, error) { return b.resolveLink(target, source, href) }})
}

// add finishes the document of page s and appends the page to the site. An error begins with
// `source`, the name of the file from which the page was made.
func (b *builder) add(s *sheet, source string, doc *page.Builder) (err error) {
	if s.Doc, err = doc.Document(); err != nil {
		return fmt.Errorf("%s: %w", source, err)
	}
	s.Doc.Title = cmp.Or(s.Doc.Title, strings.TrimSuffix(path.Base(s.Path), ".html"))
	b.sheets = append(b.sheets, s)
	return nil
}

// addLesson adds the page of notebook p. The set-up cell is folded. On a site with editors, the reader
// can write the answer to the lesson's task and run cells (see isLive). In a notebook without a task,
// the reader can run only the cells with the fence “go try”.
func (b *builder) addLesson(p string) error {
	nb, err := b.read(p)
	if err != nil {
		return err
	}
	s := &sheet{Path: pageOf(p), Source: p, Kind: "lesson"}
	from := path.Join(Folder, p)
	doc := b.page(s.Path, from)
	task := b.task(s.Path)
	found, err := findGuesses(nb)
	if err != nil {
		return fmt.Errorf("%s: %w", from, err)
	}
	if len(found) > 0 {
		s.Scripts = append(s.Scripts, "assets/guess.js")
	}
	var earlier []string
	given := 0 // number of elements at the start of `earlier` that the page already contains
	for i := 0; i < len(nb.Cells); i++ {
		c := nb.Cells[i]
		where := fmt.Sprintf("cell %d (%s)", i+1, c.ID)
		shown, guess := b.progressExercises(c.Source), found[c.ID]
		if guess != nil && guess.answer.ID == c.ID {
			doc.BeginFold("answer", "Output")
			guess.addFound(doc)
			c = guess.answer
		}
		switch {
		case guess != nil && guess.answer.ID != c.ID:
			guess.addField(doc)
		case c.Type == nbformat.Code && len(shown) > 0:
			doc.HTML(progressMarks(shown))
		case nbformat.OwnMetadata(c.Metadata)["role"] == "setup":
			doc.Fold("setup", "Set-up of the notebook", func() { doc.Cell(where, c) })
		// Leave out the instruction to run cells of the notebook, because the page has an editor instead.
		case task != nil && strings.Contains(c.Source, lesson.RunIt):
			here := *c
			here.Source = strings.Replace(c.Source, lesson.RunIt, "", 1)
			doc.Cell(where, &here)
		case task != nil && c.Source == task.Answer.Stub.Source:
			n, err := b.addTask(s, doc, task, nb.Cells[i:])
			if err != nil {
				return fmt.Errorf("%s: %w", from, err)
			}
			i += n - 1
		case (task != nil || b.Play != nil && triable(c)) && isLive(c):
			runs, err := b.addCell(doc, from+": "+where, c, earlier, earlier[given:])
			if err != nil {
				return err
			}
			if runs {
				given = len(earlier) + 1 // the page now contains `earlier`, and also c, which is appended to `earlier` below
			}
		default:
			doc.Cell(where, c)
		}
		if guess != nil && guess.answer == c {
			inside, outside := commentText(nb.Cells[i+1:])
			if inside != nil {
				doc.Cell(where, inside)
			}
			doc.EndFold()
			if inside != nil || outside != nil {
				i++
			}
			if outside != nil {
				doc.Cell(where, outside)
			}
		}
		if i == 0 {
			b.addPlan(doc, s, nb)
		}
		if c.Type == nbformat.Code && nbformat.OwnMetadata(c.Metadata)["role"] == "code" {
			earlier = append(earlier, c.Source)
		}
		given = min(given, len(earlier))
	}
	return b.add(s, from, doc)
}

// progressCall matches the call that shows the learner's progress in a notebook.
var progressCall = regexp.MustCompile(`(?m)^exercises\.Progress\(((?:"[^"]*"(?:, )?)*)\)$`)

// progressExercises returns the exercises whose progress a cell shows. Instead of the cell's
// output, the page shows the progress stored in the browser.
func (b *builder) progressExercises(source string) (list []*exercise.Exercise) {
	m := progressCall.FindStringSubmatch(source)
	if m == nil {
		return nil
	}
	for _, e := range b.Exercises {
		if m[1] == "" || strings.Contains(m[1], `"`+e.ID+`"`) {
			list = append(list, e)
		}
	}
	return list
}

// addPlan adds the list of a lesson's exercises below the lesson's aims. A mark beside each exercise
// shows the learner's progress.
func (b *builder) addPlan(doc *page.Builder, s *sheet, nb *nbformat.Notebook) {
	for _, c := range nb.Cells {
		shown := b.progressExercises(c.Source)
		if c.Type != nbformat.Code || len(shown) == 0 || len(shown) == len(b.Exercises) {
			continue
		}
		doc.HTML("<ul class=\"plan\" aria-label=\"Exercises of the lesson\">\n")
		for _, e := range shown {
			to, name := relative(s.Path, exercisePage(e), ""), e.Source
			if e.OfLesson() {
				to, name = "#Your-turn", "Your turn"
			}
			doc.HTML(fmt.Sprintf("<li><i class=\"mark\" data-mark=\"%s\"></i> <a href=\"%s\">%s</a></li>\n", e.ID, to,
				html.EscapeString(name)))
		}
		doc.HTML("</ul>\n")
		return
	}
}

// progressMarks returns the HTML for the marks of exercises and for the number of passed exercises.
func progressMarks(list []*exercise.Exercise) string {
	var marks, ids []string
	for _, e := range list {
		marks = append(marks, "<i class=\"mark\" data-mark=\""+e.ID+"\"></i>")
		ids = append(ids, e.ID)
	}
	return "<p class=\"did\"><span class=\"marks\" aria-hidden=\"true\">" + strings.Join(marks, "") +
		"</span> <span data-count=\"" + strings.Join(ids, " ") + "\" data-words=\" passed\"></span></p>\n"
}

// pageOf returns the path of a notebook's page.
func pageOf(notebook string) string { return strings.TrimSuffix(notebook, ".ipynb") + ".html" }

// task returns the task of the lesson with the given page. It returns nil if the lesson has no task
// or the site cannot judge answers.
func (b *builder) task(page string) *exercise.Exercise {
	if b.Play == nil {
		return nil
	}
	for _, e := range b.Exercises {
		if e.OfLesson() && exercisePage(e) == page {
			return e
		}
	}
	return nil
}

// addTask adds the task of a lesson: the editor, the hints and the solution. The argument `cells`
// contains the cells of the notebook, beginning with the stub. On the page, the task replaces these
// cells up to and including the cell that shows hints. addTask returns the number of replaced cells.
func (b *builder) addTask(s *sheet, doc *page.Builder, e *exercise.Exercise, cells roles) (int, error) {
	hint := slices.IndexFunc(cells,
		func(c *nbformat.Cell) bool { return strings.Contains(c.Source, e.Package()+".Hint(") })
	if hint < 0 {
		return 0, fmt.Errorf("no cell calls %s.Hint", e.Package())
	}
	err := b.addEditor(s, doc, e, func() {
		for i, c := range cells[:hint] {
			if c.Type == nbformat.Code {
				doc.Cell(fmt.Sprintf("cell %d (%s)", i+1, c.ID), c)
			}
		}
	})
	if err != nil {
		return 0, err
	}
	for i := range e.Hints {
		if err := b.addHint(doc, e, i); err != nil {
			return 0, err
		}
	}
	derivation, err := b.Expand(e.Derivation, path.Join("exercises", e.LearnerPath()))
	doc.Fold("solution", "Show the derivation and the reference answer", func() {
		doc.Markdown("derivation", derivation)
		doc.HTML(string(page.Code("go", e.Answer.Solution.Source)))
	})
	return hint + 1, err
}

//go:embed frame.html play.html start.html *.css *.js
var own embed.FS

// template parses a template of the site. The result also contains the sub-templates that this
// template defines.
func (b *builder) template(name string) (*template.Template, error) {
	return template.New(name).Option("missingkey=error").ParseFS(b.ownFiles(), name)
}

// assets lists the site's own scripts and styles, except site.css. On the site, these files are in the
// folder assets. The function `write` adds site.css itself, because it puts page.CSS before this file.
var assets = []string{"store.js", "work.js", "guess.js", "site.js", "start.js", "list.js", "search.js",
	"mine.css"}

// chartKey matches the valid keys of charts. A key is the name of a file.
var chartKey = regexp.MustCompile(`^[0-9a-f]{1,64}$`)

// brand returns the name of the site, which every page shows.
func (b *builder) brand() string { return cmp.Or(b.Title, "Hyperplane") }

// hasFigures and hasEquations report whether the course has figures or equations, respectively. A
// site without figures has no page of figures, and a site without equations has no page of
// equations.
func (b *builder) hasFigures() bool   { return len(b.Figures.Manifest.Figures) > 0 }
func (b *builder) hasEquations() bool { return len(b.Equations) > 0 }

// write renders the pages and adds the remaining files of the site.
func (b *builder) write() error {
	start := b.sheets[0]
	for i, s := range b.sheets {
		if i > 0 {
			s.Previous = b.sheets[i-1]
			s.Up = cmp.Or(s.Up, start)
		}
		if i+1 < len(b.sheets) {
			s.Next = b.sheets[i+1]
		}
	}
	frame, err := b.template("frame.html")
	if err != nil {
		return err
	}
	for _, s := range b.sheets {
		var out bytes.Buffer
		if err := frame.Execute(&out, map[string]any{"Page": s, "Version": toolkit.Version, "Brand": b.brand(),
			"Own": b.Title != "", "Figures": b.hasFigures(), "Equations": b.hasEquations()}); err != nil {
			return fmt.Errorf("%s: %w", s.Path, err)
		}
		b.files[s.Path] = out.Bytes()
		for _, c := range s.Doc.Charts {
			if !chartKey.MatchString(c.Key) {
				return fmt.Errorf("%s: a chart has the key %q, want 1 to 64 lower-case hexadecimal digits", s.Path, c.Key)
			}
			b.files["assets/charts/"+c.Key+".js"] = []byte(c.Script)
		}
	}
	maps.Copy(b.files, licences.Tree(b.Works))
	css, err := fs.ReadFile(b.ownFiles(), "site.css")
	if err != nil {
		return err
	}
	for _, name := range assets {
		if b.files["assets/"+name], err = fs.ReadFile(b.ownFiles(), name); err != nil {
			return err
		}
	}
	b.files["assets/site.css"] = []byte(page.CSS + string(css))
	b.files["assets/Temml.woff2"] = formula.Font
	b.files["assets/STIXTwoMath-Regular.otf"] = stix2mathregular.TTF
	b.files["assets/charts.js"] = []byte(show.ChartLibrary())
	b.files["assets/search-index.js"], err = b.searchIndex()
	return err
}
