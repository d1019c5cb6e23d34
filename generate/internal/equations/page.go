package equations

import (
	"fmt"
	"regexp"
	"strings"
)

// PageName is the name of the page of all equations, which is in the folder of the notebooks.
const PageName = "equations.md"

// Page returns the index as a Markdown page for a folder directly below the module's root. The page
// lists every equation with its formula and links. Then follow the errata and the text notation,
// which compares the sources' notation.
func (x *Index) Page(notation string) []byte {
	var b strings.Builder
	b.WriteString("# Every equation, and where it is\n\n")
	fmt.Fprintf(&b,
		"%d equations of five sources: what each says, the code that computes it, the test that checks it on random numbers, the exercises, lessons and figures that use it. Made by `go run ./generate notebooks`; `go run ./generate equations --symbol FitLogistic` lists those of one name.\n\n", len(x.Equations))
	for _, s := range Sources {
		fmt.Fprintf(&b, "- [%s](#%s)\n", s.Title, s.ID)
	}
	b.WriteString("- [Misprints](#misprints)\n- [Notation](#notation)\n")
	for _, s := range Sources {
		fmt.Fprintf(&b, "\n<a id=\"%s\"></a>\n\n## %s\n", s.ID, s.Title)
		for _, e := range x.Equations {
			if strings.HasPrefix(e.ID, s.ID+"-") {
				e.write(&b)
			}
		}
	}
	b.WriteString("\n<a id=\"misprints\"></a>\n\n## Misprints\n")
	for _, e := range x.Errata {
		e.write(&b)
	}
	b.WriteString("\n<a id=\"notation\"></a>\n\n" + strings.TrimSpace(notation) + "\n")
	return []byte(b.String())
}

func (e *Equation) write(b *strings.Builder) {
	fmt.Fprintf(b, "\n<a id=\"%s\"></a>\n\n### %s\n\n%s\n\n$$%s$$\n\n", e.ID, e.Number, e.Words, e.LaTeX)
	to := func(ids []string) string {
		links := make([]string, len(ids))
		for i, id := range ids {
			_, number, _ := strings.Cut(id, "-")
			links[i] = fmt.Sprintf("[(%s)](#%s)", number, id)
		}
		return strings.Join(links, ", ")
	}
	if e.Same != "" {
		fmt.Fprintf(b, "- says the same as: %s\n", to([]string{e.Same}))
	}
	if len(e.Uses) > 0 {
		fmt.Fprintf(b, "- a definition, used in: %s\n", to(e.Uses))
	}
	row(b, "code", e.Code, e.NoCode)
	row(b, "checked by", e.Checks, e.NoCheck)
	row(b, "exercises", e.Exercises, "")
	row(b, "lessons", e.Lessons, "")
	row(b, "figures", e.Figures, "")
	for _, id := range e.Misprints {
		fmt.Fprintf(b, "- misprint: [%s](#%s)\n", id, id)
	}
}

func row(b *strings.Builder, name string, links []Link, reason string) {
	if len(links) == 0 && reason == "" {
		return
	}
	parts := make([]string, len(links), len(links)+1)
	for i, l := range links {
		parts[i] = fmt.Sprintf("[%s](../%s)", l.label(), l.Path)
	}
	if reason != "" {
		parts = append(parts, reason)
	}
	fmt.Fprintf(b, "- %s: %s\n", name, strings.Join(parts, ", "))
}

// lessonNumber matches the name of a lesson, such as 07-logistic, or of its task, such as lesson-7.
var lessonNumber = regexp.MustCompile(`^(?:lesson-|0*)(\d+)`)

// label returns the text of the link: the number and title of a lesson or exercise, or the name.
func (l Link) label() string {
	if l.Title == "" {
		return "`" + l.Name + "`"
	}
	for _, s := range Sources {
		if number, ok := strings.CutPrefix(l.Name, s.ID+"-"); ok {
			return s.Name + " " + number + ": " + l.Title
		}
	}
	if m := lessonNumber.FindStringSubmatch(l.Name); m != nil {
		return "lesson " + m[1] + ": " + l.Title
	}
	return l.Title
}

func (e *Erratum) write(b *strings.Builder) {
	fmt.Fprintf(b, "\n<a id=\"%s\"></a>\n\n### %s\n\n%s: %s.\n\n- printed: %s\n- right: %s\n", e.ID, e.ID, e.Where,
		e.Kind, e.Printed, e.Right)
	if e.Words != "" {
		fmt.Fprintf(b, "- %s\n", strings.Join(strings.Fields(e.Words), " "))
	}
	for _, id := range e.Equations {
		_, number, _ := strings.Cut(id, "-")
		fmt.Fprintf(b, "- equation: [(%s)](#%s)\n", number, id)
	}
	row(b, "checked by", e.Proofs, "")
	row(b, "explained in", e.Named, "")
}
