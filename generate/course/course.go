// Package course contains the commands of a course. These commands make notebooks and a site from
// exercises and lessons, run and judge notebooks, and grade a class. A program that passes a
// [Course] to [Main] has all of these commands.
package course

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/cell"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/content"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/equations"
	"github.com/hyperplane-notebooks/hyperplane/toolkit"
)

// A Course describes a course: its exercises, its lessons, and the folders of their sources. A
// course is a Go module that requires hyperplane. All folders are relative to the module's folder.
// The commands read the sources in these folders and write the notebooks to the folder "notebooks".
type Course struct {
	Module string // path of the module that contains the exercises and lessons
	Title  string // heading of the site's start page; if Title is "", the heading is the last element of Module

	// If Figures is true, the course shows the toolkit's figures: the program has the command
	// "figures", the command "list" lists the figures, and the site has a page with the figures.
	Figures bool

	// Toolkit is the version of hyperplane for which the course was written, such as "0.3.0". If
	// the version in use is different, every command fails with a message that names both versions.
	Toolkit string

	// Books are the books from which the exercises and the equations come. All lists of exercises
	// and equations follow the order of Books. Every exercise must have an id that belongs to one
	// of these books. The tasks of lessons are not from a book, so Books need not cover their ids.
	Books exercises.Books

	// Exercises are the exercises and the tasks of lessons, in any order. The sources of an
	// exercise are in a folder named "ex01", "ex02", …, inside the folder of the exercise's book.
	// The sources of a lesson's task are in a folder named "lesson01", "lesson02", …, inside a
	// folder named "lessons".
	Exercises []exercises.Checked

	Lessons   string // the folder of the lessons' texts; "" means "lessons"
	Equations string // the folder of the books' equations; "" means "equations"
}

// current contains the exercises, books and folders of the course for which this process runs a
// command.
var current *content.Content

var (
	program     = "generate" // the name of this program in its messages
	title       string       // the heading of the site's start page; "" means the heading of hyperplane's own course
	withFigures bool         // true if the course shows the figures of the toolkit
)

// setCurrent makes c the course for which this process runs a command. It returns an error if c was
// written for a different version of hyperplane, if an exercise of c has an invalid id or folder, or if
// two exercises have the same id or folder.
func setCurrent(c Course) error {
	if c.Toolkit != toolkit.Version {
		return fmt.Errorf("the course %s was made with version %q of hyperplane, but this is version %s: either read the CHANGELOG and then change Toolkit in course.Course, or require the course's version of hyperplane in go.mod",
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
	if c.Module == cell.HyperplaneModule {
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
	cell.CourseModule, current, program, title, withFigures = c.Module, made, name, heading, c.Figures
	return nil
}
