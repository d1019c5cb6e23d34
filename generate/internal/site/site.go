// Package site builds the whole course as static pages that need no server and no
// network: the notebooks with their outputs and interactive charts, the exercises, the
// figures, the equations, and a search across them.
package site

import (
	"bytes"
	"cmp"
	"context"
	"embed"
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
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/licences"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbformat"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/page"
	"github.com/hyperplane-notebooks/hyperplane/toolkit"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

// Options are the inputs of Build.
type Options struct {
	Module    fs.FS // the module's files, with its committed notebooks
	Executed  fs.FS // executed notebooks, which replace committed ones with the same cells; may be nil
	Exercises []*exercise.Exercise
	Index     *equations.Index
	Equations []byte // the page of equations, as markdown
	Figures   *Figures
	Formulas  *formula.Renderer
	Play      files.Tree      // files of package play, which judge answers in the pages; nil for read-only pages
	Works     []licences.Work // third-party works on the site, whose licences are added
	// Distinct returns the variants of an exercise whose texts differ; nil omits variants.
	Distinct func(id string) ([]*exercise.Exercise, error)
	// Expand replaces names in a text, such as {eq:prml-4.97}, by links as seen from the
	// notebook with that path. The names in notebooks are already expanded, those in hints
	// are not.
	Expand func(text, notebook string) (string, error)
}

// Folder is the folder of the module that holds the notebooks.
const Folder = "notebooks"

// A sheet is one page of the site.
type sheet struct {
	Path   string // "lessons/01-lines.html"
	Source string // the notebook that it shows, such as "lessons/01-lines.ipynb", or ""
	Up     *sheet
	Doc    *page.Document

	Styles, Scripts []string // files of the site that this page loads besides the common ones

	Previous, Next *sheet
}

// Title returns the title of the page.
func (s *sheet) Title() string { return s.Doc.Title }

// Root returns the relative path from the page to the root of the site.
func (s *sheet) Root() string { return strings.Repeat("../", strings.Count(s.Path, "/")) }

// builder holds the site while it is built.
type builder struct {
	Options
	sheets []*sheet          // in reading order
	places map[string]string // address on the site by path in the module
	files  files.Tree
}

// Build builds the site in memory. It returns an error that names the page and the place
// for a formula that cannot be typeset, a broken link, a picture without alternative text,
// or a third-party work without its licence.
func Build(ctx context.Context, o Options) (files.Tree, error) {
	b := &builder{Options: o, files: files.Tree{}}
	notebooks, err := b.notebooks()
	if err != nil {
		return nil, err
	}
	maps.Copy(b.files, o.Play)
	b.place(notebooks)
	for _, p := range notebooks {
		if p == startNotebook {
			continue
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err := b.lesson(p); err != nil {
			return nil, err
		}
	}
	for _, add := range []func() error{b.exercises, b.gallery, b.equations, b.searchPage, b.start} {
		if err := add(); err != nil {
			return nil, err
		}
	}
	if err := b.write(); err != nil {
		return nil, err
	}
	return b.files, errors.Join(Check(b.files), b.unlisted())
}

// notebooks lists the notebooks other than exercises in reading order: the map, the tour,
// the lessons, the rest.
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

// read returns a notebook, executed if an executed copy with the same cells exists.
func (b *builder) read(p string) (*nbformat.Notebook, error) {
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

// page begins the document of a page whose texts come from a file of the module.
func (b *builder) page(target, from string) *page.Builder {
	return page.New(page.Options{Formulas: b.Formulas, Trust: true, Strict: true, Chart: b.Figures.live,
		Link: func(href string) (string, error) { return b.link(target, from, href) }})
}

// add ends the document of a page and appends it to the site.
func (b *builder) add(s *sheet, from string, doc *page.Builder) (err error) {
	if s.Doc, err = doc.Document(); err != nil {
		return fmt.Errorf("%s: %w", from, err)
	}
	s.Doc.Title = cmp.Or(s.Doc.Title, strings.TrimSuffix(path.Base(s.Path), ".html"))
	b.sheets = append(b.sheets, s)
	return nil
}

// lesson adds the page of a notebook. The set-up cell is folded, and the task and the
// cells marked "try" can be run if the site has editors.
func (b *builder) lesson(p string) error {
	nb, err := b.read(p)
	if err != nil {
		return err
	}
	s := &sheet{Path: pageOf(p), Source: p}
	from := path.Join(Folder, p)
	doc := b.page(s.Path, from)
	task := b.task(s.Path)
	var earlier []string
	for i := 0; i < len(nb.Cells); i++ {
		c := nb.Cells[i]
		where := fmt.Sprintf("cell %d (%s)", i+1, c.ID)
		switch {
		case nbformat.Own(c.Metadata)["role"] == "setup":
			doc.Fold("setup", "Set-up of the notebook", func() { doc.Cell(where, c) })
		case task != nil && c.Source == task.Answer.Stub.Source:
			n, err := b.yourTurn(s, doc, task, nb.Cells[i:])
			if err != nil {
				return fmt.Errorf("%s: %w", from, err)
			}
			i += n - 1
		case b.Play != nil && c.Type == nbformat.Code && triable(c):
			if err := b.try(doc, from+": "+where, c, earlier); err != nil {
				return err
			}
		default:
			doc.Cell(where, c)
		}
		if c.Type == nbformat.Code && nbformat.Own(c.Metadata)["role"] == "code" {
			earlier = append(earlier, c.Source)
		}
	}
	return b.add(s, from, doc)
}

// startNotebook is the map of the course, which the start page shows.
const startNotebook = "index.ipynb"

// start puts the start page before all others: the map of the course, and below it a list
// of all pages except the exercises, which have their own list.
func (b *builder) start() error {
	s := &sheet{Path: "index.html", Source: startNotebook}
	from := path.Join(Folder, startNotebook)
	doc := b.page(s.Path, from)
	nb, err := b.read(startNotebook)
	switch {
	case err == nil:
		doc.Notebook(nb)
	case errors.Is(err, fs.ErrNotExist):
		s.Source = ""
		doc.Markdown("", "# Hyperplane\n\nLearn linear classification by doing it: in Go, in Jupyter.")
	default:
		return err
	}
	doc.Markdown("", "## All pages")
	doc.HTML("<ul>\n")
	for _, other := range b.sheets {
		if other.Up == nil {
			doc.HTML(fmt.Sprintf("<li><a href=\"%s\">%s</a></li>\n", relative(s.Path, other.Path, ""),
				html.EscapeString(other.Title())))
		}
	}
	doc.HTML("</ul>\n")
	if err := b.add(s, from, doc); err != nil {
		return err
	}
	last := len(b.sheets) - 1
	b.sheets = append([]*sheet{b.sheets[last]}, b.sheets[:last]...)
	return nil
}

// pageOf returns the path of a notebook's page.
func pageOf(notebook string) string { return strings.TrimSuffix(notebook, ".ipynb") + ".html" }

// triable reports whether a lesson marks a cell as runnable in the page: its fence
// says "go try".
func triable(c *nbformat.Cell) bool {
	tags, _ := c.Metadata["tags"].([]any)
	return slices.Contains(tags, any("try"))
}

// task returns the task of the lesson with that page. It returns nil if the lesson has no
// task or the site cannot run it.
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

// yourTurn adds the task of a lesson as a place to work, with its hints and its solution.
// It replaces the notebook's cells from the stub through the calls that judge it to the
// call for hints, and returns their number.
func (b *builder) yourTurn(s *sheet, doc *page.Builder, e *exercise.Exercise, cells roles) (int, error) {
	hint := slices.IndexFunc(cells,
		func(c *nbformat.Cell) bool { return strings.Contains(c.Source, e.Package()+".Hint(") })
	if hint < 0 {
		return 0, fmt.Errorf("no cell calls %s.Hint", e.Package())
	}
	err := b.work(s, doc, e, func() {
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
		if err := b.hint(doc, e, i); err != nil {
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

//go:embed frame.html play.html site.css site.js
var own embed.FS

var frame = template.Must(template.New("frame.html").Option("missingkey=error").ParseFS(own, "frame.html"))

// keys matches the keys of charts, which name their files.
var keys = regexp.MustCompile(`^[0-9a-f]{1,64}$`)

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
	for _, s := range b.sheets {
		var out bytes.Buffer
		if err := frame.Execute(&out, map[string]any{"Page": s, "Version": toolkit.Version}); err != nil {
			return fmt.Errorf("%s: %w", s.Path, err)
		}
		b.files[s.Path] = out.Bytes()
		for _, c := range s.Doc.Charts {
			if !keys.MatchString(c.Key) {
				return fmt.Errorf("%s: a chart has the key %q, want hexadecimal digits", s.Path, c.Key)
			}
			b.files["assets/charts/"+c.Key+".js"] = []byte(c.Script)
		}
	}
	maps.Copy(b.files, licences.Tree(b.Works))
	css, err := fs.ReadFile(own, "site.css")
	if err != nil {
		return err
	}
	script, err := fs.ReadFile(own, "site.js")
	if err != nil {
		return err
	}
	b.files["assets/site.css"] = []byte(page.CSS + string(css))
	b.files["assets/site.js"] = script
	b.files["assets/Temml.woff2"] = formula.Font
	b.files["assets/STIXTwoMath-Regular.otf"] = stix2mathregular.TTF
	b.files["assets/charts.js"] = []byte(show.ChartLibrary())
	b.files["assets/search.js"], err = b.searchIndex()
	return err
}
