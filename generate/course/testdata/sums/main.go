// Sums is a course of one exercise and one lesson, in a module of its own.
package main

import (
	"example.org/sums/books"
	"example.org/sums/own/ex01"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/generate/course"
)

func main() {
	course.Main(course.Course{
		Module:    "example.org/sums",
		Title:     "Sums",
		Toolkit:   "TOOLKIT",
		Books:     books.All,
		Exercises: []exercises.Checked{{Exercise: ex01.Exercise(), Checks: []any{ex01.Check}}},
	})
}
