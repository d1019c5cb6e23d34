package exercises

import (
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"
)

// A Book is a source of exercises, equations and figures: a chapter of a printed book, a set of
// slides, or exercises that the course's author has written. A printed book with several chapters
// has one Book for each chapter.
type Book struct {
	ID      string // the beginning of the ids of its exercises, such as "prml" in "prml-4.25"
	Name    string // name of the book in citations, such as "PRML" in "PRML 4.25"
	Author  string // the author's name, such as "Bishop"; "" if unknown
	Title   string
	Chapter string // name of the chapter, such as "chapter 4", or ""

	// Numbers shows the form of the exercise numbers in this book, such as "4.N", where N stands
	// for a whole number. For a book without exercises, Numbers is "".
	Numbers string

	Folder    string   // the folder that contains the exercises' folders, such as "prml4"
	Equations []string // the files that list the equations of the book
}

// Source returns the author, title and chapter, such as "Bishop, Pattern Recognition and Machine
// Learning, chapter 4".
func (b Book) Source() string { return joined(b.Author, b.Title, b.Chapter) }

// Heading returns a short heading for the exercises of the book, such as "PRML, chapter 4".
func (b Book) Heading() string { return joined(b.Name, b.Chapter) }

// Byline returns a heading with the author, such as "Bishop, chapter 4". If the author is unknown,
// Byline returns the same text as Heading.
func (b Book) Byline() string {
	if b.Author == "" {
		return b.Heading()
	}
	return joined(b.Author, b.Chapter)
}

func joined(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), ", ")
}

// number returns the part of an exercise id that follows the book's id and "-". It also reports
// whether this part has the form of an exercise number of the book.
func (b Book) number(id string) (string, bool) {
	number, ok := strings.CutPrefix(id, b.ID+"-")
	form := strings.ReplaceAll(regexp.QuoteMeta(b.Numbers), "N", "[0-9]+")
	return number, ok && b.Numbers != "" && regexp.MustCompile("^"+form+"$").MatchString(number)
}

// Books lists the books of a course, in the order in which they appear in its tables.
type Books []Book

// lessons is the book that contains the tasks of the lessons. Every course has this book.
var lessons = Book{ID: "lesson", Name: "Lessons", Title: "Lessons", Numbers: "N", Folder: "lessons"}

// Standard returns the books of the course that comes with the toolkit.
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

// all returns all books of the course. The book of the lessons' tasks comes first.
func (b Books) all() Books { return slices.Concat(Books{lessons}, b) }

// BookOfExercise returns the book of the exercise with the given id. If the id does not have the form that any of the
// books uses, the error lists the valid forms.
func (b Books) BookOfExercise(id string) (Book, error) {
	var forms []string
	for _, book := range b.all() {
		if _, ok := book.number(id); ok {
			return book, nil
		}
		if book.Numbers != "" {
			forms = append(forms, book.ID+"-"+book.Numbers)
		}
	}
	return Book{}, fmt.Errorf("invalid id %q: want a form like %s", id, strings.Join(forms, " or "))
}

// BookOfReference returns the book of the equation or figure with the given id, whose number may have any form. If
// several Books have the same id because they are chapters of one printed book, the number selects the Book; if it
// belongs to none of these chapters, BookOfReference returns the first of them. If no Book has the id, ok is false.
func (b Books) BookOfReference(id string) (book Book, ok bool) {
	for _, row := range b {
		number, mine := strings.CutPrefix(id, row.ID+"-")
		chapter, _, _ := strings.Cut(row.Numbers, "N")
		if mine && (!ok || chapter != "" && strings.HasPrefix(number, chapter)) {
			book, ok = row, true
		}
	}
	return book, ok
}

// ExerciseOfCell returns the id of the exercise whose notebook contains the generated cell with the id `cell`, which
// has a form like prml-4-25-stub. For any other id, such as the id of a lesson's cell, ExerciseOfCell returns "".
func (b Books) ExerciseOfCell(cell string) string {
	for _, book := range b {
		form := strings.ReplaceAll(regexp.QuoteMeta(strings.ReplaceAll(book.Numbers, ".", "-")), "N", "[0-9]+")
		m := regexp.MustCompile("^" + book.ID + "-(" + form + ")-").FindStringSubmatch(cell)
		if m != nil && book.Numbers != "" {
			return book.ID + "-" + strings.ReplaceAll(m[1], "-", ".")
		}
	}
	return ""
}

// replaceExerciseMacros replaces each macro of the form {ex:id} with the name of the exercise with this id:
// {ex:prml-4.25} becomes PRML 4.25. A macro whose id does not have the form that any book uses stays unchanged.
func (b Books) replaceExerciseMacros(text string) string {
	return exerciseMacro.ReplaceAllStringFunc(text, func(macro string) string {
		id := exerciseMacro.FindStringSubmatch(macro)[1]
		if book, err := b.BookOfExercise(id); err == nil {
			return book.Cite(id)
		}
		return macro
	})
}

var exerciseMacro = regexp.MustCompile(`\{ex:([\w.-]+)\}`)

// Cite returns the name of the exercise with the given id, such as "PRML 4.25".
func (b Book) Cite(id string) string { return b.Name + " " + strings.TrimPrefix(id, b.ID+"-") }

// The method MustParse is like the function [MustParse], but the exercise must belong to one of
// these books.
func (b Books) MustParse(dir string, files fs.ReadFileFS) *Exercise {
	return mustParse(b, dir, files, nil)
}

// The method MustParseVaried is like the function [MustParseVaried], but the exercise must belong
// to one of these books.
func (b Books) MustParseVaried(dir string, files fs.ReadFileFS, vary Constants) *Exercise {
	return mustParse(b, dir, files, vary)
}
