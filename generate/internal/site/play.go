package site

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"html"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/cell"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/exercise"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbformat"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/page"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/play"
	"github.com/hyperplane-notebooks/hyperplane/toolkit"
)

// playScripts are the scripts of a page with an editor for an exercise, in the order in which they
// run.
var playScripts = []string{"codemirror-6.min.js", "editor.js", "tabs.js", "judge.js", "hints.js",
	"variant.js", "notebook.js", "dispute.js", "cells.js", "verdict.js", "page.js"}

// playOwn lists the scripts in [play.Folder] that belong to this project.
var playOwn = func() (list []string) {
	workers := []string{"compiler.js", "runner.js", "memfs.js", "imports.js", "parts.js"}
	for _, name := range slices.Concat(playScripts, workers) {
		if !strings.Contains(name, ".min.") {
			list = append(list, path.Join(play.Folder, name))
		}
	}
	return list
}()

// addEditor adds the editor in which the learner writes the answer to an exercise, and the notebook
// that the learner can download. If the browser cannot judge answers, the page shows, instead of the
// editor, what the function `static` adds.
func (b *builder) addEditor(s *sheet, doc *page.Builder, e *exercise.Exercise, static func()) error {
	learner := path.Join("exercises", e.LearnerPath())
	var err error
	if b.files[learner], err = fs.ReadFile(b.Module, path.Join(Folder, learner)); err != nil {
		return err
	}
	for _, name := range playScripts {
		s.Scripts = append(s.Scripts, path.Join(play.Folder, name))
	}
	s.Styles = []string{path.Join(play.Folder, "play.css")}
	variants, err := b.addVariants(s, e)
	if err != nil {
		return err
	}
	data, err := json.Marshal(map[string]any{
		"id": e.ID, "package": e.Package(), "path": e.Import().Path, "module": cell.HyperplaneModule, "variants": variants,
		"lesson":   e.OfLesson(),
		"notebook": path.Base(learner), "place": learner, "root": s.Root(), "version": toolkit.Version,
		"command": cell.Command(),
	})
	if err != nil {
		return err
	}
	again, err := b.againPages(s.Path, e)
	if err != nil {
		return err
	}
	playHTML, err := b.template("play.html")
	if err != nil {
		return err
	}
	var out bytes.Buffer
	stub := e.Answer.Stub.Source + "\n"
	err = playHTML.Execute(&out,
		map[string]any{"Data": string(data), "Again": again, "Stub": stub, "Rows": strings.Count(stub, "\n") + 3,
			"Calls": e.Calls, "ID": e.ID, "Own": b.Title != "", "Lesson": e.OfLesson(), "Varies": len(e.Varies()) > 0})
	if err != nil {
		return err
	}
	doc.HTML(out.String())
	doc.HTML("<div id=\"play-static\">\n")
	static()
	doc.HTML("</div>\n")
	return nil
}

// A part is a piece of an exercise's page that depends on the exercise's constants.
type part struct {
	name string // such as "task"
	add  func(*page.Builder) error
}

// addPart adds a part, marked with its name so that the scripts of the page can find the part.
func (p part) addPart(doc *page.Builder) error {
	doc.HTML("<div data-part=\"" + p.name + "\">\n")
	err := p.add(doc)
	doc.HTML("</div>\n")
	return err
}

// addVariants adds a file with the texts of the variants of an exercise, one for each set of
// constants. It returns the address of the file, relative to the page s. If the texts do not vary or
// the site has no variants, it returns "". Most lines are equal in several variants. Therefore the
// file contains each distinct line once, and stores a text as a list of line numbers, counted from 0.
func (b *builder) addVariants(s *sheet, e *exercise.Exercise) (string, error) {
	if !slices.Contains(e.Varies(), "constants") || b.Distinct == nil {
		return "", nil
	}
	list, err := b.Distinct(e.ID)
	if err != nil {
		return "", err
	}
	lines, numbers := []string{}, map[string]int{}
	listed := func(text string) (out []int) {
		for line := range strings.SplitSeq(text, "\n") {
			n, ok := numbers[line]
			if !ok {
				n = len(lines)
				lines, numbers[line] = append(lines, line), n
			}
			out = append(out, n)
		}
		return out
	}
	texts := map[string]map[string][]int{}
	for _, v := range list {
		key := play.VariantKey(v.Vary(v.Seed))
		seed, common := v.Seed, *v.Exercise // use seed 0: the page's scripts insert the learner's seed
		common.Seed = 0
		v.Exercise = &common
		learner, err := b.expanded(v.Learner, v)
		solved, err2 := b.expanded(v.Solved, v)
		if err := cmp.Or(err, err2); err != nil {
			return "", fmt.Errorf("variant %d: %w", seed, err)
		}
		notebook, err := learner.Marshal()
		if err != nil {
			return "", err
		}
		texts[key] = map[string][]int{"stub": listed(v.Answer.Stub.Source), "notebook": listed(string(notebook))}
		for _, p := range b.parts(v, learner.Cells, solved.Cells) {
			doc := b.page(s.Path, path.Join(Folder, s.Source))
			if err := p.add(doc); err != nil {
				return "", err
			}
			d, err := doc.Document()
			if err != nil {
				return "", fmt.Errorf("variant %d: %w", seed, err)
			}
			texts[key][p.name] = listed(string(d.Body))
		}
	}
	text, err := json.Marshal(map[string]any{"lines": lines, "variants": texts})
	if err != nil {
		return "", err
	}
	file := path.Join(play.Folder, "variants-"+e.ID+".json")
	b.files[file] = text
	return s.Root() + file, nil
}

// expanded returns the notebook of a variant. In the texts, links replace names such as
// {eq:prml-4.97}.
func (b *builder) expanded(notebook func() (*nbformat.Notebook, error), e *exercise.Exercise) (*nbformat.Notebook,
	error) {
	nb, err := notebook()
	if err != nil {
		return nil, err
	}
	for _, c := range nb.Cells {
		if c.Type != nbformat.Markdown {
			continue
		}
		if c.Source, err = b.Expand(c.Source, path.Join("exercises", e.LearnerPath())); err != nil {
			return nil, err
		}
	}
	return nb, nil
}

// addCell adds a cell that the reader can edit and run in the page. The page runs the cell together
// with the declarations that the cell needs from `earlier`, the sources of all earlier cells. The
// argument `before` contains the sources of the cells between the previous runnable cell and this
// cell. When the reader changes a cell, the page needs these sources to find the declarations again.
// If the site lacks a package that the cell or these declarations import, the page says so below the
// cell; but if the lesson promises that the cell can be run, addCell returns an error instead. The
// boolean result is true if the reader can run the cell.
func (b *builder) addCell(doc *page.Builder, where string, c *nbformat.Cell, earlier, before []string) (bool, error) {
	context := cell.Needed(earlier, c.Source)
	for _, source := range []string{context, c.Source} {
		read, err := cell.Read(where, 1, source, cell.Common())
		if err != nil {
			return false, err
		}
		for _, i := range read.Imports {
			if play.Importable(i.Path) {
				continue
			}
			if triable(c) {
				return false, fmt.Errorf("%s: this cell cannot be run in the page, which has no package %s", where, i.Path)
			}
			doc.Cell(where, c)
			doc.HTML("<p class=\"still\">This cell runs only in the notebook: the package <code>" +
				html.EscapeString(i.Path) + "</code> is not available on this page.</p>\n")
			return false, nil
		}
	}
	data, err := json.Marshal(map[string]any{"id": c.ID, "source": c.Source, "context": context, "before": before})
	if err != nil {
		return false, err
	}
	doc.HTML("<div class=\"try\" data-cell=\"" + html.EscapeString(string(data)) + "\">\n")
	doc.Cell(where, c)
	doc.HTML("</div>\n")
	return true, nil
}

// triable reports whether a cell has the fence “go try”. With this fence, a lesson promises that
// the cell can be run in the page.
func triable(c *nbformat.Cell) bool {
	tags, _ := c.Metadata["tags"].([]any)
	return slices.Contains(tags, any("try"))
}

// isLive reports whether the reader of a lesson should be able to run a cell. This holds for a code
// cell that has the fence “go try” or the role "code", unless the cell declares a guess.
func isLive(c *nbformat.Cell) bool {
	return c.Type == nbformat.Code && (triable(c) || nbformat.OwnMetadata(c.Metadata)["role"] == "code") &&
		!strings.Contains(c.Source, "exercises.NoGuess")
}
