// Package lesson makes a notebook from a Markdown file. Fenced Go blocks become code cells, and the
// text between them becomes Markdown cells.
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
	ID    string // prefix of the cells' ids, for example "tour"
	Title string
	Slug  string // path of the notebook without extension, for example "lessons/least-squares"
	Order int    // position among the lessons, counted from 0; for a numbered lesson, this is the lesson's number

	Sections  string   // sections of the books, for example "PRML 4.1.7; Alpaydin 10.2"
	Minutes   int      // time that a reader needs; 0 if unknown
	Needs     []string // numbers of the lessons on which this lesson builds
	Exercises []string // ids of the exercises that belong to the lesson

	// The method Notebook reads the marks in the text and fills Covers and Quotes with their
	// contents.
	Covers []Cover
	Quotes []Quote

	file   string
	line   int // line of the file on which the text begins
	source string
}

// Path returns the path of the notebook below the folder notebooks.
func (l *Lesson) Path() string { return l.Slug + ".ipynb" }

// Notebook makes the lesson's notebook. Each heading of the first two levels begins a new cell. Except
// for the set-up cell, a cell's id consists of the lesson's id, the section's heading and a number.
// Above the first heading of level 2, the word "start" takes the place of the heading.
//
// The notebook has a set-up cell. If the first Go block of the text contains only imports and set-up
// lines, the set-up cell replaces this block. Otherwise the set-up cell follows the introduction. If
// the text begins with any other code, the set-up cell precedes this code. The set-up cell imports
// all packages that the cells import. It also imports the packages that the cells use without an
// import. Such a package must be in cell.Common or in `local`, which maps the name of a package to
// its import. The set-up cell also imports package toolkit.
//
// The words after "go" in the line of a fence describe the cell. A word of the form key=value
// becomes an entry of the cell's hyperplane metadata (expect=NotPassed). Any other word becomes a tag
// (raises-exception).
//
// The text may contain the lines {task}, {map} and {next}, see Course. If it contains none of these
// lines, `course` may be nil. The text may also contain marks that the notebook does not show, see
// Cover and Quote.
func (l *Lesson) Notebook(course *Course, local map[string]cell.Import) (*nbformat.Notebook, error) {
	above := strings.Repeat("\n", l.line-1) // empty lines, so that line numbers in errors count from the start of the file
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
	imports := []cell.Import{{Path: cell.HyperplaneModule + "/toolkit"}}
	setup := 1 // index of the block before which the set-up cell is inserted
	if blocks[0].Code {
		setup = 0
	}
	first, command := true, "" // command is a line for the shell in the set-up block
	for i, b := range blocks {
		if !b.Code {
			continue
		}
		c, err := cell.Read(l.file, b.Line, b.Text, known)
		if err != nil {
			return nil, err
		}
		imports = append(imports, c.Imports...)
		if first && strings.HasPrefix(c.Source, "!") && !strings.Contains(c.Source, "\n") {
			command, c.Source = c.Source+"\n", ""
		}
		if blocks[i].Text = c.Source; c.Source == "" {
			if !first {
				return nil, fmt.Errorf("%s:%d: this cell contains only imports or set-up lines: move them to the first Go block", l.file,
					b.Line)
			}
			setup = i
		}
		first = false
	}
	main := "toolkit.MadeWith(\"" + toolkit.Version + "\")"
	if strings.Contains(l.source, "show.DisplayChart(") {
		main += "\nshow.LoadCharts()" // one call loads the library for all charts of the notebook
	}
	return l.assemble(blocks, setup, "%noautoget\n"+command+cell.Declaration(cell.Merge(imports))+"\n\n%%\n"+main)
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
				return nil, fmt.Errorf("%s:%d: two sections have headings that make the same cell ids (%s)", l.file,
					b.Line, section)
			}
			seen[section] = true
		}
		if !b.Code {
			c := role(nb.AddMarkdown(id(), ""), "text")
			c.Source = l.readMarks(b.Text, section, c.ID)
			continue
		}
		addTags(role(nb.AddCode(id(), b.Text), "code"), b.Tags)
	}
	return nb, nb.Validate()
}

// addTags adds to the metadata of the cell the words after "go" in the opening line of its fence.
func addTags(c *nbformat.Cell, words []string) {
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

// slug converts a heading to the middle part of a cell id, with at most 32 characters. For a heading
// without ASCII letters and digits, slug returns "section".
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
	comma    = regexp.MustCompile(`\s*,\s*`)
)

// Parse reads a lesson: front matter between two lines "---", then Markdown. The front matter
// contains the keys id, title and slug. It may also contain the keys order, sections, minutes, needs
// and exercises; see the fields of [Lesson]. Parse replaces {{.Version}} in the text with the toolkit's
// version. Error messages contain `file`, the name of the file, and the line.
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
				return nil, errorf(at, "invalid id %q: want at most 24 characters a-z, 0-9 and -, the first of them not -", value)
			}
		case "title":
			l.Title = value
		case "slug":
			if l.Slug = path.Clean(value); !slugForm.MatchString(value) {
				return nil, errorf(at, "invalid slug %q: want words of a-z and 0-9, joined by - (or by / after a folder)", value)
			}
		case "order":
			if _, err := fmt.Sscanf(value+"\n", "%d\n", &l.Order); err != nil || l.Order < 0 {
				return nil, errorf(at, "invalid order %q: want a whole number, at least 0", value)
			}
		case "sections":
			l.Sections = value
		case "minutes":
			if _, err := fmt.Sscanf(value+"\n", "%d\n", &l.Minutes); err != nil || l.Minutes < 1 {
				return nil, errorf(at, "invalid minutes %q: want a whole number, at least 1", value)
			}
		case "needs":
			l.Needs = comma.Split(value, -1)
		case "exercises":
			l.Exercises = comma.Split(value, -1)
		default:
			return nil, errorf(at,
				"unknown key %q; known are id, title, slug, order, sections, minutes, needs, exercises", key)
		}
	}
	return nil, errorf(len(lines), "the front matter has no line --- at its end")
}

// A Cover states that a cell covers a section of a source.
type Cover struct {
	Section string // "PRML 4.1.7"
	Cell    string // id of the cell
}

// A Quote is a number in the text of a lesson. A cell of the same section must print this number.
type Quote struct {
	Number string // the number with exactly the digits that the text shows
	Prefix string // the id of every cell of the section, except the set-up cell, is Prefix and a number
}

var (
	covers = regexp.MustCompile(`(?m)^<!-- covers: (.+?) -->\n?`)
	quoted = regexp.MustCompile(`\{=([^{}]+)\}`)
)

// readMarks removes the marks from the text of a cell and stores their contents in l. A test and the
// command `notebooks` check that the marks are true. There are two kinds of marks, with these
// meanings:
//
//	<!-- covers: PRML 4.1.7; Alpaydin 10.3 -->   this cell covers these sections
//	{=0.0775}                                    a cell of this section prints this number
func (l *Lesson) readMarks(text, section, id string) string {
	for _, m := range covers.FindAllStringSubmatch(text, -1) {
		for s := range strings.SplitSeq(m[1], ";") {
			l.Covers = append(l.Covers, Cover{strings.TrimSpace(s), id})
		}
	}
	text = strings.TrimSpace(covers.ReplaceAllString(text, ""))
	return quoted.ReplaceAllStringFunc(text, func(m string) string {
		number := quoted.FindStringSubmatch(m)[1]
		l.Quotes = append(l.Quotes, Quote{number, strings.TrimSuffix(id, lastPart.FindString(id))})
		return number
	})
}

var lastPart = regexp.MustCompile(`[0-9]+$`)

// Unprinted returns the numbers in l.Quotes that no cell of the same section prints. `nb` is the
// lesson's notebook with outputs.
func (l *Lesson) Unprinted(nb *nbformat.Notebook) (numbers []string) {
	for _, q := range l.Quotes {
		var all strings.Builder
		for _, c := range nb.Cells {
			if strings.TrimSuffix(c.ID, lastPart.FindString(c.ID)) != q.Prefix {
				continue
			}
			for _, o := range c.Outputs {
				_, text := o.Stream()
				all.WriteString(text + "\n" + fmt.Sprint(o.Data("text/plain")) + "\n")
			}
		}
		if !q.Printed(all.String()) {
			numbers = append(numbers, q.Number)
		}
	}
	return numbers
}

// Printed reports whether the output of cells contains the number q.Number with the same digits.
func (q Quote) Printed(output string) bool {
	plain := strings.NewReplacer("−", "-", "\u2009", "", "\u202f", "")
	number := regexp.QuoteMeta(plain.Replace(q.Number))
	found, err := regexp.MatchString(`(^|[^0-9.])`+number+`($|[^0-9.]|\.($|[^0-9]))`, plain.Replace(output))
	return err == nil && found
}
