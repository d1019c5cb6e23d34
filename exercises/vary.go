package exercises

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// Constants are the constants of an exercise's statement, of its hints and of its
// solution, as text by name, for the variant with that seed; 0 is the common one.
// The names are the same for every seed.
type Constants func(seed uint64) map[string]string

// placeholder is what stands for a constant in exercise.md: [[name]]. Neither
// Markdown nor LaTeX nor Go gives it a meaning.
var placeholder = regexp.MustCompile(`\[\[([A-Za-z][A-Za-z0-9]*)\]\]`)

// varyMark stands in answer_test.go behind the code of a line, as it is in the
// common variant; behind the mark stands the same line with placeholders.
//
//	return []float64{-8, 6, -1} //hyperplane:vary return []float64{[[w0]], [[w1]], -1}
//
// So the file stays Go that compiles and is tested.
const varyMark = "//hyperplane:vary "

// A filler puts the constants of one variant into texts, and remembers which it
// has met.
type filler struct {
	values map[string]string
	used   map[string]bool
}

func newFiller(vary Constants, seed uint64) (*filler, error) {
	f := &filler{values: map[string]string{}, used: map[string]bool{}}
	if vary != nil {
		f.values = vary(seed)
	}
	for _, name := range slices.Sorted(maps.Keys(f.values)) {
		if !placeholder.MatchString("[[" + name + "]]") {
			return nil, fmt.Errorf("%q cannot be the name of a constant: letters and digits, a letter first", name)
		}
		if strings.ContainsAny(f.values[name], "\r\n") {
			return nil, fmt.Errorf("the constant %s of variant %d has a line break, with which lines would be counted wrongly", name, seed)
		}
	}
	return f, nil
}

// line fills one line; name and n say where it stands.
func (f *filler) line(name string, n int, text string) (string, error) {
	var err error
	out := placeholder.ReplaceAllStringFunc(text, func(found string) string {
		key := found[2 : len(found)-2]
		value, ok := f.values[key]
		if !ok && err == nil {
			err = fmt.Errorf("%s:%d: %s stands for no constant; %s", name, n, found, f.known())
		}
		f.used[key] = true
		return value
	})
	return out, err
}

func (f *filler) known() string {
	if len(f.values) == 0 {
		return "this exercise has none"
	}
	return "there are " + strings.Join(slices.Sorted(maps.Keys(f.values)), ", ")
}

// text fills an exercise.md. Lines keep their numbers.
func (f *filler) text(name, markdown string) (string, error) {
	lines := strings.Split(markdown, "\n")
	for i, line := range lines {
		var err error
		if lines[i], err = f.line(name, i+1, line); err != nil {
			return "", err
		}
	}
	return strings.Join(lines, "\n"), nil
}

// answer fills an answer_test.go: a line with a mark becomes what stands behind
// it. Lines keep their numbers.
func (f *filler) answer(name, source string) (string, error) {
	lines := strings.Split(source, "\n")
	for i, line := range lines {
		code, template, marked := strings.Cut(line, varyMark)
		if !marked {
			if at := placeholder.FindString(line); at != "" {
				return "", fmt.Errorf("%s:%d: %s must stand behind %q, so that the line is Go without it", name, i+1, at, strings.TrimSpace(varyMark))
			}
			continue
		}
		if !placeholder.MatchString(template) {
			return "", fmt.Errorf("%s:%d: nothing varies behind %q; write [[name]] for each constant", name, i+1, strings.TrimSpace(varyMark))
		}
		filled, err := f.line(name, i+1, strings.TrimRight(template, " \t\r"))
		if err != nil {
			return "", err
		}
		lines[i] = code[:len(code)-len(strings.TrimLeft(code, " \t"))] + filled
	}
	return strings.Join(lines, "\n"), nil
}

// unmarked is an answer_test.go as it is compiled: without what stands behind the
// marks.
func unmarked(source string) string {
	lines := strings.Split(source, "\n")
	for i, line := range lines {
		if code, _, marked := strings.Cut(line, varyMark); marked {
			lines[i] = strings.TrimRight(code, " \t")
		}
	}
	return strings.Join(lines, "\n")
}

// unused returns an error if a constant occurs nowhere.
func (f *filler) unused(name string) error {
	for _, key := range slices.Sorted(maps.Keys(f.values)) {
		if !f.used[key] {
			return fmt.Errorf("%s:1: the constant %s occurs neither here as [[%s]] nor in answer_test.go", name, key, key)
		}
	}
	return nil
}

// A Text is what an exercise's folder says, with placeholders where constants
// vary.
type Text struct {
	Name       string    // of the exercise.md, for error messages
	Markdown   string    // exercise.md
	AnswerName string    // of the answer_test.go
	Answer     string    // answer_test.go
	Vary       Constants // nil where no constants vary
}

// Parse reads the text in the variant with that seed. An error names the file and
// the line: of what Parse of a file finds, of a placeholder that stands for no
// constant, of a constant that occurs nowhere, and of a line of the answer that is
// not what its template makes in the common variant.
func (t Text) Parse(seed uint64) (*Exercise, error) {
	if err := t.common(); err != nil {
		return nil, err
	}
	f, err := newFiller(t.Vary, seed)
	if err != nil {
		return nil, fmt.Errorf("%s:1: %w", t.Name, err)
	}
	markdown, err := f.text(t.Name, t.Markdown)
	if err != nil {
		return nil, err
	}
	answer, err := f.answer(t.AnswerName, t.Answer)
	if err != nil {
		return nil, err
	}
	if err := f.unused(t.Name); err != nil {
		return nil, err
	}
	e, err := parse(t.Name, markdown)
	if err != nil {
		return nil, err
	}
	e.Answer, e.Seed, e.Vary, e.source = answer, seed, t.Vary, t
	return e, nil
}

// common makes sure that the reference answer that is compiled and tested is the
// one of the common variant.
func (t Text) common() error {
	f, err := newFiller(t.Vary, 0)
	if err != nil {
		return fmt.Errorf("%s:1: %w", t.Name, err)
	}
	filled, err := f.answer(t.AnswerName, t.Answer)
	if err != nil {
		return err
	}
	made, stands := strings.Split(filled, "\n"), strings.Split(unmarked(t.Answer), "\n")
	for i := range stands {
		if made[i] != stands[i] {
			return fmt.Errorf("%s:%d: the line is %q, but behind %q it is %q in the common variant", t.AnswerName, i+1,
				strings.TrimSpace(stands[i]), strings.TrimSpace(varyMark), strings.TrimSpace(made[i]))
		}
	}
	return nil
}
