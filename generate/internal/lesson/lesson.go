// Package lesson makes a notebook of a markdown file: fenced Go blocks become
// code cells, the text between them markdown cells.
package lesson

import (
	"cmp"
	"fmt"
	"strings"
	"unicode"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/cell"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/markdown"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbformat"
	"github.com/hyperplane-notebooks/hyperplane/toolkit"
)

// A Lesson is the source of one notebook.
type Lesson struct {
	ID    string // of the notebook's cells: "tour"
	Title string
	Slug  string // path of the notebook without extension: "tour" or "lessons/least-squares"
	Order int    // place among the lessons, 0 first; that of the course is its number

	Sections  string   // of the books, "PRML 4.1.7; Alpaydin 10.2"
	Minutes   int      // a walk of so long, 0 if it is not said
	Needs     []string // ids of the lessons before it
	Exercises []string // ids of the exercises that belong to it

	// Covers and Quotes are read off the text when the notebook is made.
	Covers []Cover
	Quotes []Quote

	file   string
	line   int // of the file, where the text begins
	source string
}

// Path is where the notebook lies below the folder notebooks.
func (l *Lesson) Path() string { return l.Slug + ".ipynb" }

// Notebook makes the notebook. Each heading of the first two levels begins a new
// cell. The cells' ids are the lesson's id, the section's heading and a number.
//
// The set-up cell comes in place of the first Go block if that holds nothing but
// imports and set-up lines, and else below the introduction. It writes the
// imports of all cells: those that they declare, and those of well-known packages
// that they use without declaring them. local are the packages that this lesson
// may use on top of cell.Common, by name.
//
// Words behind "go" at a fence tell about the cell: key=value goes into the
// cell's metadata of this project (expect=NotPassed), any other word is a tag
// (raises-exception).
//
// The text may hold {task}, {map} and {next} on lines of their own, and marks that
// the notebook does not show; see Course and marks.go. course may be nil.
func (l *Lesson) Notebook(course *Course, local map[string]cell.Import) (*nbformat.Notebook, error) {
	above := strings.Repeat("\n", l.line-1) // so that lines count from the top of the file
	blocks, err := markdown.Split(l.file, []byte(above+l.source), 2)
	if err != nil {
		return nil, err
	}
	if blocks, err = course.fill(l, blocks); err != nil {
		return nil, err
	}
	if len(blocks) == 0 {
		return nil, fmt.Errorf("%s:%d: there is no text below the front matter", l.file, l.line)
	}
	known := cell.Common()
	for name, i := range local {
		known[name] = i
	}
	imports := []cell.Import{{Path: cell.Module + "/toolkit"}}
	setup := 1 // index of the block in front of which the set-up cell comes
	if blocks[0].Code {
		setup = 0
	}
	first := true
	for i, b := range blocks {
		if !b.Code {
			continue
		}
		c, err := cell.Read(l.file, b.Line, b.Text, known)
		if err != nil {
			return nil, err
		}
		imports = append(imports, c.Imports...)
		if blocks[i].Text = c.Source; c.Source == "" {
			if !first {
				return nil, fmt.Errorf("%s:%d: this cell holds only imports; they belong to the first Go block", l.file, b.Line)
			}
			setup = i
		}
		first = false
	}
	main := "toolkit.MadeWith(\"" + toolkit.Version + "\")"
	if strings.Contains(l.source, "show.DisplayChart(") {
		main += "\nshow.LoadCharts()" // once for all charts of the notebook
	}
	return l.assemble(blocks, setup, "%noautoget\n"+cell.Declaration(cell.Merge(imports))+"\n\n%%\n"+main)
}

func (l *Lesson) assemble(blocks []markdown.Block, setup int, setupCell string) (*nbformat.Notebook, error) {
	nb := nbformat.New()
	nb.Metadata["hyperplane"] = map[string]any{"lesson": l.ID, "version": toolkit.Version}
	section, n := "start", 0
	seen := map[string]bool{"start": true}
	l.Covers, l.Quotes = nil, nil
	id := func() string {
		n++
		return nbformat.ID(l.ID, section, fmt.Sprint(n))
	}
	role := func(c *nbformat.Cell, role string) *nbformat.Cell {
		c.Metadata["hyperplane"] = map[string]any{"lesson": l.ID, "role": role}
		return c
	}
	if blocks[0].Level != 1 {
		role(nb.AddMarkdown(id(), "# "+l.Title), "text")
	}
	for i := 0; i <= len(blocks); i++ {
		if i == setup {
			role(nb.AddCode(nbformat.ID(l.ID, "setup"), setupCell), "setup")
		}
		if i == len(blocks) || blocks[i].Text == "" {
			continue
		}
		b := blocks[i]
		if b.Level == 2 {
			section, n = slug(b.Heading), 0
			if seen[section] {
				return nil, fmt.Errorf("%s:%d: two sections have headings that make the same cell ids (%s)", l.file, b.Line, section)
			}
			seen[section] = true
		}
		if !b.Code {
			c := role(nb.AddMarkdown(id(), ""), "text")
			c.Source = l.read(b.Text, section, c.ID)
			continue
		}
		tag(role(nb.AddCode(id(), b.Text), "code"), b.Tags)
	}
	return nb, nb.Validate()
}

// tag puts the words of a fence into a cell's metadata.
func tag(c *nbformat.Cell, words []string) {
	own := c.Metadata["hyperplane"].(map[string]any)
	for _, w := range words {
		if key, value, ok := strings.Cut(w, "="); ok {
			own[key] = value
			continue
		}
		tags, _ := c.Metadata["tags"].([]string)
		c.Metadata["tags"] = append(tags, w)
	}
}

// slug turns a heading into the middle of a cell id, at most 32 characters long.
func slug(heading string) string {
	words := strings.FieldsFunc(strings.ToLower(heading), func(r rune) bool {
		return r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
	s := strings.Join(words, "-")
	if len(s) > 32 {
		s = strings.TrimRight(s[:32], "-")
	}
	return cmp.Or(s, "section")
}
