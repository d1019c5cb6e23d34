package exercises

import (
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"
)

// A Book is a source of exercises, equations and figures: a chapter of a printed book, a set of
// slides, or exercises of the author's own. A book with several chapters has a row for each chapter.
type Book struct {
	ID      string // the beginning of its ids, such as "prml" in "prml-4.25"
	Name    string // its name in citations, such as "PRML" in "PRML 4.25"
	Author  string // who wrote it, such as "Bishop"; "" if unknown
	Title   string
	Chapter string // such as "chapter 4", or ""

	// Numbers is the form of the numbers of its exercises. N stands for a whole number: "4.N". A
	// book without exercises has the form "".
	Numbers string

	Folder    string   // the folder with the folders of its exercises, such as "prml4"
	Equations []string // the files that list its equations
}

// Source returns the book in words, such as "Bishop, Pattern Recognition and Machine Learning,
// chapter 4".
func (b Book) Source() string { return joined(b.Author, b.Title, b.Chapter) }

// Heading returns a short heading for the exercises of the book, such as "PRML, chapter 4".
func (b Book) Heading() string { return joined(b.Name, b.Chapter) }

// Byline returns a heading with the author, such as "Bishop, chapter 4".
func (b Book) Byline() string {
	if b.Author == "" {
		return b.Heading()
	}
	return joined(b.Author, b.Chapter)
}

func joined(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), ", ")
}

// number returns the part of an id after the id of the book, and whether the book has the exercise.
func (b Book) number(id string) (string, bool) {
	number, ok := strings.CutPrefix(id, b.ID+"-")
	form := strings.ReplaceAll(regexp.QuoteMeta(b.Numbers), "N", "[0-9]+")
	return number, ok && b.Numbers != "" && regexp.MustCompile("^"+form+"$").MatchString(number)
}

// Books is the table of the books of a course, in the order of its lists.
type Books []Book

// lessons is the book of the lessons' tasks, which every course has.
var lessons = Book{ID: "lesson", Name: "Lessons", Title: "Lessons", Numbers: "N", Folder: "lessons"}

// Standard returns the books of the course that belongs to the toolkit.
func Standard() Books {
	return Books{
		{ID: "prml", Name: "PRML", Author: "Bishop", Title: "Pattern Recognition and Machine Learning", Chapter: "chapter 4",
			Numbers: "4.N", Folder: "prml4", Equations: []string{"prml41.md", "prml42.md", "prml43.md", "prml44.md"}},
		{ID: "alpaydin", Name: "Alpaydin", Author: "Alpaydin", Title: "Introduction to Machine Learning",
			Chapter: "chapter 10", Numbers: "10.N", Folder: "alpaydin10", Equations: []string{"alpaydin.md"}},
		{ID: "own", Name: "Own", Author: "The authors of hyperplane", Title: "exercises of their own", Numbers: "N",
			Folder: "own"},
		{ID: "gambosi", Name: "Gambosi", Author: "Gambosi", Title: "slides on probabilistic classification",
			Equations: []string{"gambosi.md"}},
		{ID: "brief", Name: "Brief notes", Title: "Notes on PRML 4.1 to 4.5 in brief", Equations: []string{"brief.md"}},
		{ID: "part1", Name: "Notes on part I", Title: "Notes on PRML chapter 4, part I", Equations: []string{"part1.md"}},
	}
}

// all returns the books with the lessons' tasks, which come first.
func (b Books) all() Books { return slices.Concat(Books{lessons}, b) }

// Find returns the book of the exercise with the given id. The error for an unknown book, and for a
// number that no book has, lists the forms of the ids.
func (b Books) Find(id string) (Book, error) {
	var forms []string
	for _, book := range b.all() {
		if _, ok := book.number(id); ok {
			return book, nil
		}
		if book.Numbers != "" {
			forms = append(forms, book.ID+"-"+book.Numbers)
		}
	}
	return Book{}, fmt.Errorf("unknown book in the id %q: want a form like %s", id, strings.Join(forms, " or "))
}

// Of returns the book of an equation or a figure, whose numbers may have any form. If several books
// have the same id, the number decides between them.
func (b Books) Of(id string) (book Book, ok bool) {
	for _, row := range b {
		number, mine := strings.CutPrefix(id, row.ID+"-")
		chapter, _, _ := strings.Cut(row.Numbers, "N")
		if mine && (!ok || chapter != "" && strings.HasPrefix(number, chapter)) {
			book, ok = row, true
		}
	}
	return book, ok
}

// OfCell returns the id of the exercise to which a cell of a generated notebook belongs, or "". The
// ids of these cells have a form such as prml-4-25-stub.
func (b Books) OfCell(cell string) string {
	for _, book := range b {
		form := strings.ReplaceAll(regexp.QuoteMeta(strings.ReplaceAll(book.Numbers, ".", "-")), "N", "[0-9]+")
		m := regexp.MustCompile("^" + book.ID + "-(" + form + ")-").FindStringSubmatch(cell)
		if m != nil && book.Numbers != "" {
			return book.ID + "-" + strings.ReplaceAll(m[1], "-", ".")
		}
	}
	return ""
}

// namesIn returns the names of the exercises that the macros in a text refer to: PRML 4.25 for
// {ex:prml-4.25}.
func (b Books) namesIn(text string) string {
	return exerciseMacro.ReplaceAllStringFunc(text, func(macro string) string {
		id := exerciseMacro.FindStringSubmatch(macro)[1]
		if book, err := b.Find(id); err == nil {
			return book.Cite(id)
		}
		return macro
	})
}

var exerciseMacro = regexp.MustCompile(`\{ex:([\w.-]+)\}`)

// Cite returns the name of the exercise with the given id, such as "PRML 4.25".
func (b Book) Cite(id string) string { return b.Name + " " + strings.TrimPrefix(id, b.ID+"-") }

// MustParse is like the function [MustParse], for an exercise of one of these books.
func (b Books) MustParse(dir string, files fs.ReadFileFS) *Exercise {
	return mustParse(b, dir, files, nil)
}

// MustParseVaried is like the function [MustParseVaried], for an exercise of one of these books.
func (b Books) MustParseVaried(dir string, files fs.ReadFileFS, vary Constants) *Exercise {
	return mustParse(b, dir, files, vary)
}
