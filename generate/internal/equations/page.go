package equations

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/cell"
)

// PageName is the name of the page that lists all equations. The page is in the folder of the
// notebooks.
const PageName = "equations.md"

// Page returns the index as a Markdown page. The links on the page work if the page is in a folder
// directly below the module's root. The page lists every equation with its formula and links. Below
// the equations, the page shows the errata. At the end it shows `notation`, a text that
// compares the notations of the sources.
func (x *Index) Page(notation string) []byte {
	sources := slices.DeleteFunc(slices.Clone(x.table.Books), func(s exercises.Book) bool { return len(s.Equations) == 0 })
	var b strings.Builder
	b.WriteString("# Every equation, and where it is\n\n")
	fmt.Fprintf(&b,
		"%d equations of %d sources: what each says, the code that computes it, the test that checks it on random numbers, the exercises, lessons and figures that use it. Made by `%s notebooks`; `%[3]s equations --symbol NAME` lists only the equations of the Go symbol NAME.\n\n", len(x.Equations), len(sources),
		cell.Command())
	for i, s := range sources {
		fmt.Fprintf(&b, "- [%s](#%s)\n", s.Source(), anchor(sources, i))
	}
	if len(x.Errata) > 0 {
		b.WriteString("- [Misprints](#misprints)\n")
	}
	if notation != "" {
		b.WriteString("- [Notation](#notation)\n")
	}
	for i, s := range sources {
		fmt.Fprintf(&b, "\n<a id=\"%s\"></a>\n\n## %s\n", anchor(sources, i), s.Source())
		for _, e := range x.Equations {
			if e.book == s.Source() {
				e.write(&b, x.table.Books)
			}
		}
	}
	if len(x.Errata) > 0 {
		b.WriteString("\n<a id=\"misprints\"></a>\n\n## Misprints\n")
	}
	for _, e := range x.Errata {
		e.write(&b, x.table.Books)
	}
	if notation != "" {
		b.WriteString("\n<a id=\"notation\"></a>\n\n" + strings.TrimSpace(notation) + "\n")
	}
	return []byte(b.String())
}

// anchor returns the anchor of book i: its id, or its folder if an earlier book has the same id.
func anchor(books exercises.Books, i int) string {
	id := books[i].ID
	if slices.ContainsFunc(books[:i], func(b exercises.Book) bool { return b.ID == id }) {
		return books[i].Folder
	}
	return id
}

func (e *Equation) write(b *strings.Builder, books exercises.Books) {
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
	row(b, books, "code", e.Code, e.NoCode)
	row(b, books, "checked by", e.Checks, e.NoCheck)
	row(b, books, "exercises", e.Exercises, "")
	row(b, books, "lessons", e.Lessons, "")
	row(b, books, "figures", e.Figures, "")
	for _, id := range e.Misprints {
		fmt.Fprintf(b, "- misprint: [%s](#%s)\n", id, id)
	}
}

func row(b *strings.Builder, books exercises.Books, name string, links []Link, reason string) {
	if len(links) == 0 && reason == "" {
		return
	}
	parts := make([]string, len(links), len(links)+1)
	for i, l := range links {
		parts[i] = fmt.Sprintf("[%s](../%s)", l.label(books), l.Path)
		// Add an anchor to the link, because a file can draw several figures.
		if figure, ok := strings.CutPrefix(l.Name, "figures."); ok {
			parts[i] = fmt.Sprintf("[%s](../%s#%s)", l.label(books), l.Path, figure)
		}
	}
	if reason != "" {
		parts = append(parts, reason)
	}
	fmt.Fprintf(b, "- %s: %s\n", name, strings.Join(parts, ", "))
}

// lessonNumber matches the name of a lesson, such as 07-logistic, or of its task, such as lesson-7.
var lessonNumber = regexp.MustCompile(`^(?:lesson-|0*)(\d+)`)

// label returns the text of the link. For a lesson or an exercise, the text is the title, with the
// number in front if there is one. For all other links, it is the name.
func (l Link) label(books exercises.Books) string {
	if l.Title == "" {
		return "`" + l.Name + "`"
	}
	if book, ok := books.BookOfReference(l.Name); ok {
		return book.Cite(l.Name) + ": " + l.Title
	}
	if m := lessonNumber.FindStringSubmatch(l.Name); m != nil {
		return "lesson " + m[1] + ": " + l.Title
	}
	return l.Title
}

func (e *Erratum) write(b *strings.Builder, books exercises.Books) {
	fmt.Fprintf(b, "\n<a id=\"%s\"></a>\n\n### %s\n\n%s: %s.\n\n- printed: %s\n- right: %s\n", e.ID, e.ID, e.Where,
		e.Kind, e.Printed, e.Right)
	if e.Words != "" {
		fmt.Fprintf(b, "- %s\n", strings.Join(strings.Fields(e.Words), " "))
	}
	for _, id := range e.Equations {
		_, number, _ := strings.Cut(id, "-")
		fmt.Fprintf(b, "- equation: [(%s)](#%s)\n", number, id)
	}
	row(b, books, "checked by", e.Proofs, "")
	row(b, books, "explained in", e.Named, "")
}
