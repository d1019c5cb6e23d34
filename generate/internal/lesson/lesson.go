// Package lesson makes a notebook of a markdown file: fenced Go blocks become
// code cells, the text between them markdown cells.
package lesson

import (
	"cmp"
	"fmt"
	"path"
	"regexp"
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
	Order int    // place among the lessons, 0 first

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
func (l *Lesson) Notebook(local map[string]cell.Import) (*nbformat.Notebook, error) {
	above := strings.Repeat("\n", l.line-1) // so that lines count from the top of the file
	blocks, err := markdown.Split(l.file, []byte(above+l.source), 2)
	if err != nil {
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
	return l.assemble(blocks, setup, cell.Declaration(cell.Merge(imports)))
}

func (l *Lesson) assemble(blocks []markdown.Block, setup int, imports string) (*nbformat.Notebook, error) {
	nb := nbformat.New()
	nb.Metadata["hyperplane"] = map[string]any{"lesson": l.ID, "version": toolkit.Version}
	section, n := "start", 0
	seen := map[string]bool{"start": true}
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
			role(nb.AddCode(nbformat.ID(l.ID, "setup"), "%noautoget\n"+imports+"\n\n%%\ntoolkit.MadeWith(\""+toolkit.Version+"\")"), "setup")
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
			role(nb.AddMarkdown(id(), b.Text), "text")
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

var (
	idForm   = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,23}$`)
	slugForm = regexp.MustCompile(`^[a-z0-9]+([-/][a-z0-9]+)*$`)
)

// Parse reads a lesson: front matter between two lines "---" with id, title, slug
// and, where there are several lessons, order; then markdown. {{.Version}} in the
// text is the toolkit's version. file is the file's name for error messages,
// which have file and line.
func Parse(file string, data []byte) (*Lesson, error) {
	text := strings.ReplaceAll(string(data), "\r\n", "\n")
	errorf := func(line int, format string, args ...any) error {
		return fmt.Errorf("%s:%d: %s", file, line, fmt.Sprintf(format, args...))
	}
	lines := strings.Split(text, "\n")
	if lines[0] != "---" {
		return nil, errorf(1, "found %q, want --- and the front matter (id, title, slug)", lines[0])
	}
	l := &Lesson{file: file}
	given := map[string]bool{}
	for i, line := range lines[1:] {
		at := i + 2
		if line == "---" {
			for _, key := range []string{"id", "title", "slug"} {
				if !given[key] {
					return nil, errorf(at, "the front matter lacks %q", key+": …")
				}
			}
			l.line = at + 1
			l.source = strings.ReplaceAll(strings.Join(lines[at:], "\n"), "{{.Version}}", toolkit.Version)
			return l, nil
		}
		key, value, ok := strings.Cut(line, ":")
		value = strings.TrimSpace(value)
		if !ok || value == "" {
			return nil, errorf(at, "found %q in the front matter, want \"key: value\"", line)
		}
		if given[key] {
			return nil, errorf(at, "%q is given twice", key)
		}
		given[key] = true
		switch key {
		case "id":
			if l.ID = value; !idForm.MatchString(value) {
				return nil, errorf(at, "id is %q, want up to 24 of a-z, 0-9 and -", value)
			}
		case "title":
			l.Title = value
		case "slug":
			if l.Slug = path.Clean(value); !slugForm.MatchString(value) {
				return nil, errorf(at, "slug is %q, want lower-case words joined by - (and / for a folder)", value)
			}
		case "order":
			if _, err := fmt.Sscanf(value+"\n", "%d\n", &l.Order); err != nil || l.Order < 0 {
				return nil, errorf(at, "order is %q, want a whole number from 0", value)
			}
		default:
			return nil, errorf(at, "unknown key %q; known are id, title, slug, order", key)
		}
	}
	return nil, errorf(len(lines), "the front matter is never closed by ---")
}
