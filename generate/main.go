// Generate makes notebooks from exercises and lessons, and draws the figures of the toolkit. It
// also runs and judges notebooks. To list all commands, run
//
//	go run ./generate help
package main

import (
	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/generate/course"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/catalog"
	"github.com/hyperplane-notebooks/hyperplane/toolkit"
)

func main() {
	course.Main(course.Course{
		Module:    "github.com/hyperplane-notebooks/hyperplane",
		Figures:   true,
		Toolkit:   toolkit.Version,
		Books:     exercises.Standard(),
		Exercises: catalog.Entries,
		Lessons:   "generate/lessons",
		Equations: "generate/equations",
	})
}
