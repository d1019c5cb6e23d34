package lesson

import (
	"fmt"
	"path"
	"regexp"
	"strings"

	"github.com/hyperplane-notebooks/hyperplane/toolkit"
)

var (
	idForm   = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,23}$`)
	slugForm = regexp.MustCompile(`^[a-z0-9]+([-/][a-z0-9]+)*$`)
	comma    = regexp.MustCompile(`\s*,\s*`)
)

// Parse reads a lesson: front matter between two lines "---" with id, title, slug
// and, for one of the course, order (its number), sections (of the books), minutes,
// needs (numbers of lessons before it) and exercises (ids); then markdown.
// {{.Version}} in the text is the toolkit's version. file is the file's name for
// error messages, which have file and line.
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
		case "sections":
			l.Sections = value
		case "minutes":
			if _, err := fmt.Sscanf(value+"\n", "%d\n", &l.Minutes); err != nil || l.Minutes < 1 {
				return nil, errorf(at, "minutes is %q, want a whole number from 1", value)
			}
		case "needs":
			l.Needs = comma.Split(value, -1)
		case "exercises":
			l.Exercises = comma.Split(value, -1)
		default:
			return nil, errorf(at, "unknown key %q; known are id, title, slug, order, sections, minutes, needs, exercises", key)
		}
	}
	return nil, errorf(len(lines), "the front matter is never closed by ---")
}
