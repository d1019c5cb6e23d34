package exercises

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

var (
	// forms contains regular expressions for two facts in an exercise.md that must have a fixed
	// form, and formNames describes these forms in messages
	forms = map[string]*regexp.Regexp{
		"slug":  regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`),
		"stars": regexp.MustCompile(`^[1-3]$`),
	}
	formNames = map[string]string{"slug": "lower-case words joined by hyphens", "stars": "1, 2 or 3"}
)

// sections lists the level-2 headings of an exercise.md in their order. The exercise.md of a
// lesson's task has only the first three headings, because the text of the lesson replaces the
// other sections.
var sections = []string{"Task", "Hints", "Derivation", "Explore", "Next"}

// parse reads an exercise.md in which the placeholders are already replaced. `name` is the name of
// the file. Every error message begins with this name and the line number, and says what is missing
// or invalid.
//
// The file has a title (# …), a list of facts (- id: …, source, stars, slug, equations, figure,
// needs), and the sections ## Task, Hints (with ### Hint 1, ### Hint 2, …), Derivation, Explore and
// Next. Only the facts `equations` and `figure` are optional. No section may be empty. The file of a
// lesson's task ends with the derivation. Headings inside fenced code do not count. The exercise
// must belong to one of the books.
func parse(books Books, name, markdown string) (*Exercise, error) {
	p := parser{name: name, books: books, lines: strings.Split(strings.ReplaceAll(markdown, "\r\n", "\n"), "\n")}
	e := &Exercise{}
	blocks, err := p.blocks()
	if err != nil {
		return nil, err
	}
	if len(blocks) == 0 || blocks[0].level != 1 {
		return nil, p.errorf(1, "the first line must be the title, \"# …\"")
	}
	e.Title = blocks[0].heading
	if e.Title == "" {
		return nil, p.errorf(blocks[0].line, "the title is empty")
	}
	if err := p.facts(e, blocks[0]); err != nil {
		return nil, err
	}
	return e, p.sections(e, blocks[1:])
}

// A block is a heading together with the text up to the next heading of level 1 to 3.
type block struct {
	level    int
	heading  string
	line     int // line number of the heading, counted from 1
	body     string
	bodyLine int // line number of the first line of the body
}

type parser struct {
	name  string
	books Books
	lines []string
}

func (p *parser) errorf(line int, format string, args ...any) error {
	return fmt.Errorf("%s:%d: %s", p.name, line, fmt.Sprintf(format, args...))
}

func (p *parser) blocks() ([]block, error) {
	var out []block
	fence, fenceLine := "", 0
	var body []string
	flush := func() {
		if len(out) > 0 {
			b := &out[len(out)-1]
			b.body = strings.TrimSpace(strings.Join(body, "\n"))
			b.bodyLine = b.line + 1
			for _, line := range body {
				if strings.TrimSpace(line) != "" {
					break
				}
				b.bodyLine++
			}
		}
		body = nil
	}
	for i, line := range p.lines {
		trimmed := strings.TrimLeft(line, " ")
		if fence != "" {
			if strings.HasPrefix(trimmed, fence) && strings.TrimSpace(strings.TrimLeft(trimmed, fence[:1])) == "" {
				fence = ""
			}
			body = append(body, line)
			continue
		}
		if strings.HasPrefix(trimmed, "```") || strings.HasPrefix(trimmed, "~~~") {
			run := len(trimmed) - len(strings.TrimLeft(trimmed, trimmed[:1]))
			if len(out) == 0 {
				return nil, p.errorf(i+1, "code before the title; the first line must be \"# …\"")
			}
			fence, fenceLine = trimmed[:run], i+1
			body = append(body, line)
			continue
		}
		level := len(line) - len(strings.TrimLeft(line, "#"))
		if level < 1 || level > 3 || !strings.HasPrefix(line[level:], " ") {
			if len(out) == 0 && trimmed != "" {
				return nil, p.errorf(i+1, "text before the title; the first line must be \"# …\"")
			}
			body = append(body, line)
			continue
		}
		flush()
		out = append(out, block{level: level, heading: strings.TrimSpace(line[level:]), line: i + 1})
	}
	if fence != "" {
		return nil, p.errorf(fenceLine, "the code fence that opens here is never closed")
	}
	flush()
	return out, nil
}

// facts reads the list of facts below the title of an exercise.md.
func (p *parser) facts(e *Exercise, b block) error {
	texts := map[string]*string{"id": &e.ID, "source": &e.Source, "slug": &e.Slug, "figure": &e.Figure,
		"needs": &e.Needs, "stars": new(string), "equations": new(string)}
	seen := map[string]bool{}
	for i, line := range strings.Split(b.body, "\n") {
		at := b.bodyLine + i
		if strings.TrimSpace(line) == "" {
			continue
		}
		key, value, ok := strings.Cut(strings.TrimPrefix(line, "- "), ":")
		value = strings.TrimSpace(value)
		if !ok || !strings.HasPrefix(line, "- ") {
			return p.errorf(at, "found %q under the title, want \"- key: value\"", line)
		}
		if seen[key] {
			return p.errorf(at, "%q is given twice", key)
		}
		seen[key] = true
		if texts[key] == nil {
			return p.errorf(at, "unknown key %q: want id, source, stars, slug, equations, figure or needs", key)
		}
		*texts[key] = value
		if form, ok := forms[key]; ok && !form.MatchString(value) {
			return p.errorf(at, "%s is %q, want %s", key, value, formNames[key])
		}
		if key == "id" {
			var err error
			if e.Book, err = p.books.BookOfExercise(value); err != nil {
				return p.errorf(at, "%v", err)
			}
		}
	}
	for _, key := range []string{"id", "source", "stars", "slug", "needs"} {
		if !seen[key] {
			return p.errorf(b.line, "the list under the title has no line \"- %s: …\"", key)
		}
	}
	e.Stars, _ = strconv.Atoi(*texts["stars"])
	for eq := range strings.SplitSeq(*texts["equations"], ",") {
		if eq = strings.TrimSpace(eq); eq != "" {
			e.Equations = append(e.Equations, eq)
		}
	}
	return nil
}

func (p *parser) sections(e *Exercise, blocks []block) error {
	texts := map[string]*string{"Task": &e.Task, "Derivation": &e.Derivation, "Explore": &e.Explore, "Next": &e.Next}
	i, sections := 0, sections
	if e.OfLesson() {
		sections = sections[:3]
	}
	for _, want := range sections {
		if i == len(blocks) {
			return p.errorf(len(p.lines), "the heading \"## %s\" is missing", want)
		}
		b := blocks[i]
		if b.level != 2 || b.heading != want {
			return p.errorf(b.line, "found the heading %q, want \"## %s\"", strings.Repeat("#", b.level)+" "+b.heading,
				want)
		}
		i++
		if want == "Hints" {
			for i < len(blocks) && blocks[i].level == 3 {
				h := blocks[i]
				if label := fmt.Sprintf("Hint %d", len(e.Hints)+1); h.heading != label {
					return p.errorf(h.line, "found the heading %q, want \"### %s\"", h.heading, label)
				}
				if h.body == "" {
					return p.errorf(h.line, "%s is empty", h.heading)
				}
				e.Hints = append(e.Hints, h.body)
				i++
			}
			if len(e.Hints) == 0 {
				return p.errorf(b.line, "the section Hints has no \"### Hint 1\"")
			}
			if b.body != "" {
				return p.errorf(b.bodyLine, "unexpected text between \"## Hints\" and \"### Hint 1\"")
			}
			continue
		}
		body := b.body
		for i < len(blocks) && blocks[i].level == 3 { // a sub-heading is part of the text of its section
			body += "\n\n### " + blocks[i].heading + "\n\n" + blocks[i].body
			i++
		}
		if body = strings.TrimSpace(body); body == "" {
			return p.errorf(b.line, "the section %s is empty", want)
		}
		*texts[want] = body
	}
	if i < len(blocks) {
		return p.errorf(blocks[i].line, "unexpected heading %q; the sections are %s", blocks[i].heading,
			strings.Join(sections, ", "))
	}
	return nil
}
