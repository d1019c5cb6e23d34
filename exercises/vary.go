package exercises

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/seed"
)

// Constants is a function that returns the constants in the texts of an exercise, for the given seed.
// The result maps the name of each constant to the text that replaces its placeholder. Seed 0 selects
// the constants that all learners share. The names are the same for every seed.
type Constants func(seed uint64) map[string]string

// placeholder matches the placeholder of a constant: [[name]]. This notation has no meaning in
// Markdown, LaTeX or Go.
var placeholder = regexp.MustCompile(`\[\[([A-Za-z][A-Za-z0-9]*)\]\]`)

// varyMark separates two versions of a line of answer_test.go. The code before the mark contains
// the constants for seed 0. The code after the mark contains placeholders instead of the constants.
//
//	return []float64{-8, 6, -1} //hyperplane:vary return []float64{[[w0]], [[w1]], -1}
//
// The file is therefore still Go code that compiles and can be tested.
const varyMark = "//hyperplane:vary "

// A filler replaces placeholders with the constants for one seed, and records which constants
// occurred.
type filler struct {
	values map[string]string
	used   map[string]bool
}

func newFiller(vary Constants, seed uint64) (*filler, error) {
	f := &filler{values: map[string]string{}, used: map[string]bool{}}
	if vary != nil {
		f.values = vary(seed)
	}
	for _, name := range f.constantNames() {
		if !placeholder.MatchString("[[" + name + "]]") {
			return nil, fmt.Errorf("invalid constant name %q: want letters and digits, a letter first", name)
		}
		if strings.ContainsAny(f.values[name], "\r\n") {
			return nil, fmt.Errorf("the constant %s of variant %d contains a line break, which would shift the line numbers",
				name, seed)
		}
	}
	return f, nil
}

func (f *filler) constantNames() []string { return slices.Sorted(maps.Keys(f.values)) }

// The function `lines` applies the function `change` to every line of a text and returns the
// changed text. An error begins with the name of the text and the line number.
func lines(name, text string, change func(line string) (string, error)) (string, error) {
	all := strings.Split(text, "\n")
	for i, line := range all {
		var err error
		if all[i], err = change(line); err != nil {
			return "", fmt.Errorf("%s:%d: %w", name, i+1, err)
		}
	}
	return strings.Join(all, "\n"), nil
}

// The method `line` replaces the placeholders in one line of an exercise.md, or in the template of
// one line of an answer_test.go.
func (f *filler) line(text string) (string, error) {
	var err error
	out := placeholder.ReplaceAllStringFunc(text, func(found string) string {
		key := found[2 : len(found)-2]
		value, ok := f.values[key]
		if !ok && err == nil {
			known := "this exercise has no constants"
			if len(f.values) > 0 {
				known = "want " + strings.Join(f.constantNames(), ", ")
			}
			err = fmt.Errorf("unknown constant %s; %s", found, known)
		}
		f.used[key] = true
		return value
	})
	return out, err
}

// answerLine inserts the constants into one line of an answer_test.go. If the line contains varyMark,
// the result is the filled-in template after the mark, with the indentation of the line. A line
// without the mark stays unchanged, and must not contain a placeholder.
func (f *filler) answerLine(line string) (string, error) {
	code, template, marked := strings.Cut(line, varyMark)
	mark := strings.TrimSpace(varyMark)
	if at := placeholder.FindString(line); !marked && at != "" {
		return "", fmt.Errorf("%s must follow %q, because the code before the mark must be valid Go", at, mark)
	}
	if !marked {
		return line, nil
	}
	if !placeholder.MatchString(template) {
		return "", fmt.Errorf("no constant after %q; write [[name]] for each constant", mark)
	}
	filled, err := f.line(strings.TrimRight(template, " \t\r"))
	return code[:len(code)-len(strings.TrimLeft(code, " \t"))] + filled, err
}

// commonLine is like answerLine, for the constants of seed 0. It also returns an error if the code
// before the mark differs from the filled-in template.
func (f *filler) commonLine(line string) (string, error) {
	made, err := f.answerLine(line)
	code, _, marked := strings.Cut(line, varyMark)
	if original := strings.TrimRight(code, " \t"); err == nil && marked && made != original {
		err = fmt.Errorf("the line is %q, but the template after %q gives %q for seed 0", strings.TrimSpace(original),
			strings.TrimSpace(varyMark), strings.TrimSpace(made))
	}
	return made, err
}

// A Text contains the texts of the files of an exercise. In these texts, placeholders stand for the
// constants that vary.
type Text struct {
	Name       string    // name of the exercise's file exercise.md, for error messages
	Markdown   string    // exercise.md
	AnswerName string    // name of the exercise's file answer_test.go, for error messages
	Answer     string    // answer_test.go
	Vary       Constants // nil if no constants vary
	Books      Books     // nil for Standard()
}

// Parse returns the exercise with the constants for the given seed. Every error begins with the
// name of the file and the line number. Parse returns an error for a missing or invalid title, fact
// or section, an invalid constant, a placeholder without a constant, and a constant without a
// placeholder. For the answer, Parse also returns an error for a placeholder outside a template, a
// template without a placeholder, and a line that differs from its template for seed 0.
func (t Text) Parse(seed uint64) (*Exercise, error) {
	common, err := newFiller(t.Vary, 0)
	if err != nil {
		return nil, fmt.Errorf("%s:1: %w", t.Name, err)
	}
	if _, err := lines(t.AnswerName, t.Answer, common.commonLine); err != nil {
		return nil, err
	}
	f, err := newFiller(t.Vary, seed)
	if err != nil {
		return nil, fmt.Errorf("%s:1: %w", t.Name, err)
	}
	markdown, err := lines(t.Name, t.Markdown, f.line)
	if err != nil {
		return nil, err
	}
	answer, err := lines(t.AnswerName, t.Answer, f.answerLine)
	if err != nil {
		return nil, err
	}
	for _, key := range f.constantNames() {
		if !f.used[key] {
			return nil, fmt.Errorf("%s:1: the constant %s occurs neither here as [[%s]] nor in answer_test.go", t.Name,
				key, key)
		}
	}
	if t.Books == nil {
		t.Books = Standard()
	}
	e, err := parse(t.Books, t.Name, markdown)
	if err != nil {
		return nil, err
	}
	e.Answer, e.Seed, e.Vary, e.source = answer, seed, t.Vary, t
	return e, nil
}

// WithOtherSeed sets a different seed that selects the same constants, calls f, restores the seed, and
// returns true. The statement of the exercise is the same for both seeds, but the checks draw
// different data. A caller can therefore judge an answer a second time with different data. If none
// of the next two thousand seeds selects the same constants, or if f is nil, WithOtherSeed only returns false.
func (e *Exercise) WithOtherSeed(f func()) bool {
	if f == nil {
		return false
	}
	here := seed.Peek()
	other := here + 1
	if e.Vary != nil {
		for want := e.Vary(here); !maps.Equal(e.Vary(other), want); other++ {
			if other == here+2000 {
				return false
			}
		}
	}
	defer seed.Set(seed.Set(other))
	f()
	return true
}
