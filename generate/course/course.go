package course

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"os/signal"
	"path"
	"slices"
	"strings"
	"syscall"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/cell"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/content"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/equations"
	"github.com/hyperplane-notebooks/hyperplane/toolkit"
)

// A Course lists the contents of a course and the folders of its sources. The course's module may be
// any module that requires the toolkit. All folders are relative to the module's folder. The commands
// read the sources in these folders and write the notebooks to the folder notebooks.
type Course struct {
	Module string // path of the module that contains the exercises and lessons
	Title  string // heading of the site's start page; if Title is "", the heading is the last element of Module

	// Figures adds the toolkit's figures to the course: the command figures, the list of figures,
	// and the page of figures on the site.
	Figures bool

	// Toolkit is the version of the toolkit with which the course was made, such as "0.3.0". If
	// this version differs from the toolkit's version, every command prints a one-line warning at
	// its end.
	Toolkit string

	// Books are the books of the exercises and of the equations, in the order of all lists. An
	// exercise whose id belongs to no book is an error.
	Books exercises.Books

	// Exercises are the exercises and the tasks of lessons, in any order. The folder of an exercise
	// is named ex01, ex02, …, in a folder with the name of its book's Folder; the folder of a
	// lesson's task is named lesson01, lesson02, …, in a folder named lessons.
	Exercises []exercises.Checked

	Lessons   string // the folder of the lessons' texts; "" for "lessons"
	Equations string // the folder of the books' equations; "" for "equations"
}

// current is the course that this process makes, runs or judges.
var current *content.Content

var (
	program     = "generate" // the name of this program in its messages
	title       string       // the heading of the site's start page, or "" for the toolkit's own
	withFigures bool         // true if the course has the figures of the toolkit
)

// setCurrent makes c the current course of this process.
func setCurrent(c Course) error {
	if c.Toolkit != toolkit.Version {
		return fmt.Errorf("the course %s was made with version %q of hyperplane, but this is version %s: read the CHANGELOG, then change Toolkit in course.Course, or require that version in go.mod",
			c.Module, c.Toolkit, toolkit.Version)
	}
	table := equations.Table{Books: c.Books, Dir: cmp.Or(c.Equations, "equations"), Lessons: cmp.Or(c.Lessons, "lessons"),
		Roots: []string{cmp.Or(c.Lessons, "lessons")}}
	for _, e := range c.Exercises {
		top, _, _ := strings.Cut(e.Dir(), "/")
		if !slices.Contains(table.Roots, top) {
			table.Roots = append(table.Roots, top)
		}
	}
	name, heading := "generate", ""
	if c.Module == cell.Module {
		table.Roots = equations.Standard.Roots
	} else {
		name = path.Base(c.Module)
		heading = cmp.Or(c.Title, name)
	}
	made, err := content.New(content.Content{Books: c.Books, Entries: c.Exercises, LessonDir: table.Lessons,
		Equations: table})
	if err != nil {
		return err
	}
	cell.Course, current, program, title, withFigures = c.Module, made, name, heading, c.Figures
	return nil
}

// Main runs the command line of the program for a course and ends the program. A course in its own
// module needs only this main function:
//
//	func main() {
//		course.Main(course.Course{
//			Module:  "example.org/sums",
//			Title:   "Sums",
//			Toolkit: "0.3.0",
//			Books:   books.All,
//			Exercises: []exercises.Checked{
//				{Exercise: ex01.Exercise(), Checks: []any{ex01.Check}},
//			},
//		})
//	}
//
// The program runs in the folder of the module or in a folder below it.
func Main(c Course) {
	// Floating-point results must not depend on the processor, because figures and committed
	// outputs are compared byte for byte.
	err := os.Setenv("HYPERPLANE_KERNEL", "generic")
	if err == nil {
		err = setCurrent(c)
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", path.Base(os.Args[0]), err)
		os.Exit(exitBad)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := execute(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}
