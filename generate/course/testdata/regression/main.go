// This program contains the commands of the course. To list them, run: go run . help
package main

import (
	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/generate/course"

	"example.org/course/books"
	lesson01 "example.org/course/lessons/lesson01"
	ownex01 "example.org/course/own/ex01"
	ownex02 "example.org/course/own/ex02"
	ownex03 "example.org/course/own/ex03"
)

func main() {
	course.Main(course.Course{
		Module:  "example.org/course",
		Title:   "Linear regression",
		Toolkit: "TOOLKIT",
		Books:   books.All,
		Exercises: []exercises.Checked{
			{Exercise: ownex01.Exercise(), Checks: []any{ownex01.Check}},
			{Exercise: lesson01.Exercise(), Checks: []any{lesson01.Check}},
			{Exercise: ownex02.Exercise(), Checks: []any{ownex02.Check}},
			{Exercise: ownex03.Exercise(), Checks: []any{ownex03.Check}},
		},
	})
}
