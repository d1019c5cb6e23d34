package exercises

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/seed"
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
	for _, name := range f.names() {
		if !placeholder.MatchString("[[" + name + "]]") {
			return nil, fmt.Errorf("%q cannot be the name of a constant: letters and digits, a letter first", name)
		}
		if strings.ContainsAny(f.values[name], "\r\n") {
			return nil, fmt.Errorf("the constant %s of variant %d has a line break, with which lines would be counted wrongly", name, seed)
		}
	}
	return f, nil
}

func (f *filler) names() []string { return slices.Sorted(maps.Keys(f.values)) }

// lines changes every line of a text; an error says where it stands.
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

// line fills a line of an exercise.md.
func (f *filler) line(text string) (string, error) {
	var err error
	out := placeholder.ReplaceAllStringFunc(text, func(found string) string {
		key := found[2 : len(found)-2]
		value, ok := f.values[key]
		if !ok && err == nil {
			known := "this exercise has none"
			if len(f.values) > 0 {
				known = "there are " + strings.Join(f.names(), ", ")
			}
			err = fmt.Errorf("%s stands for no constant; %s", found, known)
		}
		f.used[key] = true
		return value
	})
	return out, err
}

// answerLine fills a line of an answer_test.go: one with a mark becomes what stands
// behind it.
func (f *filler) answerLine(line string) (string, error) {
	code, template, marked := strings.Cut(line, varyMark)
	mark := strings.TrimSpace(varyMark)
	if at := placeholder.FindString(line); !marked && at != "" {
		return "", fmt.Errorf("%s must stand behind %q, so that the line is Go without it", at, mark)
	}
	if !marked {
		return line, nil
	}
	if !placeholder.MatchString(template) {
		return "", fmt.Errorf("nothing varies behind %q; write [[name]] for each constant", mark)
	}
	filled, err := f.line(strings.TrimRight(template, " \t\r"))
	return code[:len(code)-len(strings.TrimLeft(code, " \t"))] + filled, err
}

// commonLine is answerLine for the common variant, in which the line as it is
// compiled and tested must be what its template makes.
func (f *filler) commonLine(line string) (string, error) {
	made, err := f.answerLine(line)
	code, _, marked := strings.Cut(line, varyMark)
	if stands := strings.TrimRight(code, " \t"); err == nil && marked && made != stands {
		err = fmt.Errorf("the line is %q, but behind %q it is %q in the common variant", strings.TrimSpace(stands), strings.TrimSpace(varyMark), strings.TrimSpace(made))
	}
	return made, err
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
// the line: of what is missing or wrong in it, of a placeholder that stands for no
// constant, of a constant that occurs nowhere, and of a line of the answer that is
// not what its template makes in the common variant.
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
	for _, key := range f.names() {
		if !f.used[key] {
			return nil, fmt.Errorf("%s:1: the constant %s occurs neither here as [[%s]] nor in answer_test.go", t.Name, key, key)
		}
	}
	e, err := parse(t.Name, markdown)
	if err != nil {
		return nil, err
	}
	e.Answer, e.Seed, e.Vary, e.source = answer, seed, t.Vary, t
	return e, nil
}

// Under runs f in the variant with another seed, for a second opinion on an answer that was
// judged in this one, and then returns to the seed of before. The other variant has the same
// constants, so the same statement. If two thousand seeds hold none, Under returns false and
// f is not run.
func (e *Exercise) Under(f func()) bool {
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
