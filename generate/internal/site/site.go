// Package site makes the whole course as static pages that need no server and no
// network: the notebooks with their outputs and interactive charts, the exercises,
// the figures, the equations, and a search in all of them.
package site

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"html"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/equations"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/exercise"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/files"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/formula"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/licences"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbformat"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/page"
)

// Options say what a site is made of.
type Options struct {
	Module    fs.FS // the module's files, with its committed notebooks
	Executed  fs.FS // executed notebooks, which stand in for the committed ones of the same text; nil for none
	Exercises []*exercise.Exercise
	Index     *equations.Index
	Equations []byte // the page of equations, as markdown
	Figures   *Figures
	Formulas  *formula.Renderer
	Play      files.Tree      // what judges answers in the pages of exercises, of package play; nil for pages to read
	Works     []licences.Work // of others, on the site: their licences are put beside them
	// Distinct returns the variants of an exercise whose texts differ; nil for pages without.
	Distinct func(id string) ([]*exercise.Exercise, error)
	// Expand puts links where a text names something, as {eq:prml-4.97}, seen from the
	// notebook with that path: those of notebooks are expanded already, hints are not.
	Expand func(text, notebook string) (string, error)
}

// Folder is the folder of the module that holds the notebooks.
const Folder = "notebooks"

// A sheet is one page of the site.
type sheet struct {
	Path   string // "lessons/01-lines.html"
	Source string // the notebook that it shows, "lessons/01-lines.ipynb", or ""
	Up     *sheet
	Doc    *page.Document

	Styles, Scripts []string // files of the site that this page has beside those of all pages

	Previous, Next *sheet
}

// Title of the page.
func (s *sheet) Title() string { return s.Doc.Title }

// Root leads from the page to the folder of the site.
func (s *sheet) Root() string { return strings.Repeat("../", strings.Count(s.Path, "/")) }

// builder is the site while it is made.
type builder struct {
	Options
	sheets []*sheet          // in the order in which they are read
	places map[string]string // of the site, by path in the module
	files  files.Tree
}

// Build makes the site in memory. An error names the page and the place that is at
// fault: a formula that cannot be set, a link that leads nowhere, a picture without
// words, work of others without its licence.
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

// notebooks lists the notebooks that are no exercises, as they are read: the map, the
// tour, the lessons, the rest.
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

// read returns a notebook, executed if that is to be had.
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

// lesson adds a notebook as it stands; what only sets it up is folded.
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

// startNotebook is the map of the course: what the start page says.
const startNotebook = "index.ipynb"

// start puts the start page in front of all others: the map of the course, and below
// it a list of all pages but the exercises, which have one of their own.
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
			doc.HTML(fmt.Sprintf("<li><a href=\"%s\">%s</a></li>\n", relative(s.Path, other.Path, ""), html.EscapeString(other.Title())))
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

// pageOf is the page of a notebook.
func pageOf(notebook string) string { return strings.TrimSuffix(notebook, ".ipynb") + ".html" }
