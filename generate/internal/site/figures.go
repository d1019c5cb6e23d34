package site

import (
	"context"
	"encoding/json"
	"fmt"
	"html/template"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/files"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/gallery"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/manifest"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/page"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/figures"
)

// Figures contains the figures of the catalogue: pictures, and interactive versions.
type Figures struct {
	Manifest *manifest.Manifest
	Files    files.Tree
	Charts   map[string]string // interactive versions of the figures, keyed by the figure's id
}

// Draw draws the figures with the given ids, or all figures if no ids are given. The argument `reuse`
// is a folder for figures of earlier calls. If this folder contains the figures of a call with the
// same `inputs` and `ids`, Draw returns these figures. Otherwise Draw draws the figures and replaces
// the figures that are stored in the folder. If `reuse` is "", Draw stores nothing. After each figure
// that it draws, Draw calls the function `progress`, unless `progress` is nil.
func Draw(ctx context.Context, jobs int, reuse, inputs string, progress func(done, total int, id string),
	ids ...string) (*Figures, error) {
	kept := filepath.Join(reuse, strings.Join(append([]string{"figures", inputs}, ids...), "-")+".json")
	if reuse != "" {
		f := &Figures{}
		if text, err := os.ReadFile(kept); err == nil && json.Unmarshal(text, f) == nil {
			return f, f.restoreParameters()
		}
	}
	dir, err := os.MkdirTemp("", "hyperplane-figures-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	f := &Figures{Files: files.Tree{}, Charts: map[string]string{}}
	f.Manifest, err = manifest.Write(dir,
		manifest.Options{IDs: ids, Formats: []string{"svg", "png", "pdf", "csv"}, Jobs: jobs, Context: ctx,
			Progress: progress})
	if err != nil {
		return nil, err
	}
	for _, item := range f.Manifest.Figures {
		for _, file := range item.Files {
			if f.Files[file.Name], err = os.ReadFile(filepath.Join(dir, file.Name)); err != nil {
				return nil, err
			}
		}
		e, err := figures.Find(item.ID)
		if err != nil {
			return nil, err
		}
		if e.Chart == nil {
			if f.Files[narrowFile(item.ID)], err = drawNarrow(e); err != nil {
				return nil, fmt.Errorf("%s: %w", item.ID, err)
			}
			continue
		}
		c, err := e.Chart()
		if err == nil {
			f.Charts[item.ID], err = c.Snippet()
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", item.ID, err)
		}
	}
	if reuse == "" {
		return f, nil
	}
	text, err := json.Marshal(f)
	if err != nil {
		return nil, err
	}
	if older, err := filepath.Glob(filepath.Join(reuse, "figures-*.json")); err == nil {
		// Remove the figures of earlier calls, because a file with all figures takes about 16 MB.
		for _, file := range older {
			_ = os.Remove(file)
		}
	}
	return f, files.Write(kept, text)
}

// narrowFile returns the name of the file with the phone version of a figure.
func narrowFile(id string) string { return id + ".narrow.svg" }

// drawNarrow draws the phone version of a figure, in which the panels are stacked vertically.
func drawNarrow(e figures.Entry) ([]byte, error) {
	fig, err := e.Draw()
	if err != nil {
		return nil, err
	}
	return fig.Narrow().SVG()
}

// restoreParameters sets the options of each figure to the options in the catalogue, because options
// that were read from JSON do not have their Go types.
func (f *Figures) restoreParameters() error {
	for i, item := range f.Manifest.Figures {
		e, err := figures.Find(item.ID)
		if err != nil {
			return err
		}
		f.Manifest.Figures[i].Parameters = e.Parameters
	}
	return nil
}

// liveForm returns the interactive version of the figure that a cell with this source displays with
// show.DisplayChart. It returns "" if the cell displays no figure of the catalogue in this way.
func (f *Figures) liveForm(source string) (string, error) {
	for _, item := range f.Manifest.Figures {
		if item.ChartCall != "" && strings.Contains(source, "show.DisplayChart("+item.ChartCall+")") {
			return f.Charts[item.ID], nil
		}
	}
	return "", nil
}

// figuresPage is the page of all figures. The figures' files are in the folder figuresFolder beside
// it.
const (
	figuresPage   = "figures.html"
	figuresFolder = "figures/"
)

// addGallery adds the page of the figures, if the course has figures.
func (b *builder) addGallery() error {
	if !b.hasFigures() {
		return nil
	}
	uses := b.listUses()
	return b.makeOrReuse(figuresPage, nil, func() error { return b.addFigures(uses) }, uses)
}

// addFigures adds the page of all figures. Below each figure, it lists `uses`: the equations that the
// figure shows, and the pages that use the figure.
func (b *builder) addFigures(uses map[string][]gallery.Use) error {
	s := &sheet{Path: figuresPage}
	doc := page.New(page.Options{Formulas: b.Formulas, Trust: true, Strict: true})
	sections, err := gallery.Sections(b.Figures.Manifest, figuresFolder, func(id string) gallery.Extra {
		extra := gallery.Extra{Live: template.HTML(b.Figures.Charts[id]), Uses: uses[id]}
		if b.Figures.Files[narrowFile(id)] != nil {
			extra.Narrow = figuresFolder + narrowFile(id)
		}
		return extra
	})
	if err != nil {
		return err
	}
	doc.Markdown("",
		"# Figures\n\nEach figure makes the same point as the figure in its source, with this project's own data. Figures that are interactive in the notebooks are interactive on this page, too.")
	doc.HTML("<div class=\"gallery\">\n")
	doc.Fragment("", sections)
	doc.HTML("</div>\n")
	for name, data := range b.Figures.Files {
		b.files[figuresFolder+name] = data
	}
	return b.add(s, figuresPage, doc)
}

// figureCall matches a call of a figure's function in a notebook cell.
var figureCall = regexp.MustCompile(`\bfigures\.([A-Za-z0-9]+?)(?:Chart)?\(`)

// listUses returns, for each figure that is used, links to the equations that the figure shows, and to
// the lessons, other notebooks and exercises that use the figure.
func (b *builder) listUses() map[string][]gallery.Use {
	byFunction, uses := map[string]string{}, map[string][]gallery.Use{}
	for _, e := range figures.All() {
		name := figureCall.FindStringSubmatch(e.Call)[1]
		byFunction[name] = e.ID
	}
	add := func(id, label, text, href string) {
		list := uses[id]
		if n := len(list) - 1; n >= 0 && list[n].Label == label {
			if last := list[n].Links[len(list[n].Links)-1]; last.File != href {
				list[n].Links = append(list[n].Links, gallery.Link{Label: text, File: href})
			}
		} else {
			list = append(list, gallery.Use{Label: label, Links: []gallery.Link{{Label: text, File: href}}})
		}
		uses[id] = list
	}
	for _, e := range b.Index.Equations {
		for _, l := range e.Figures {
			if m := figureCall.FindStringSubmatch(l.Name + "("); m != nil && byFunction[m[1]] != "" {
				add(byFunction[m[1]], "Equations", e.Number, "equations.html#"+e.ID)
			}
		}
	}
	for _, s := range b.sheets {
		if strings.HasPrefix(s.Path, "exercises") {
			continue
		}
		nb, err := b.read(s.Source)
		if err != nil {
			continue // not a notebook
		}
		for _, c := range nb.Cells {
			for _, m := range figureCall.FindAllStringSubmatch(c.Source, -1) {
				if id := byFunction[m[1]]; id != "" {
					add(id, "Lessons", s.Title(), s.Path)
				}
			}
		}
	}
	for _, e := range b.Exercises {
		if place := b.places[path.Join(e.Dir, "exercise.md")]; e.Figure != "" && place != "" {
			add(e.Figure, "Exercises", e.Source, place)
		}
	}
	return uses
}

// addEquations adds the page of the equations, if the course has equations.
func (b *builder) addEquations() error {
	if !b.hasEquations() {
		return nil
	}
	return b.makeOrReuse("equations.html", nil, b.equationsPage, b.Equations)
}

func (b *builder) equationsPage() error {
	s := &sheet{Path: "equations.html"}
	from := path.Join(Folder, "equations.md")
	doc := b.page(s.Path, from)
	doc.HTML("<div class=\"equations\">\n")
	doc.Markdown("", string(b.Equations))
	doc.HTML("</div>\n")
	return b.add(s, from, doc)
}
