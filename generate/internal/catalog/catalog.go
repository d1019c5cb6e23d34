// Package catalog lists the exercises of the course that belongs to the toolkit. It is the only
// package that imports every exercise.
package catalog

import (
	"github.com/hyperplane-notebooks/hyperplane/exercises"
	alpaydin10ex01 "github.com/hyperplane-notebooks/hyperplane/exercises/alpaydin10/ex01"
	alpaydin10ex02 "github.com/hyperplane-notebooks/hyperplane/exercises/alpaydin10/ex02"
	alpaydin10ex03 "github.com/hyperplane-notebooks/hyperplane/exercises/alpaydin10/ex03"
	alpaydin10ex04 "github.com/hyperplane-notebooks/hyperplane/exercises/alpaydin10/ex04"
	alpaydin10ex05 "github.com/hyperplane-notebooks/hyperplane/exercises/alpaydin10/ex05"
	alpaydin10ex06 "github.com/hyperplane-notebooks/hyperplane/exercises/alpaydin10/ex06"
	alpaydin10ex07 "github.com/hyperplane-notebooks/hyperplane/exercises/alpaydin10/ex07"
	alpaydin10ex08 "github.com/hyperplane-notebooks/hyperplane/exercises/alpaydin10/ex08"
	alpaydin10ex09 "github.com/hyperplane-notebooks/hyperplane/exercises/alpaydin10/ex09"
	"github.com/hyperplane-notebooks/hyperplane/exercises/lessons/lesson01"
	"github.com/hyperplane-notebooks/hyperplane/exercises/lessons/lesson02"
	"github.com/hyperplane-notebooks/hyperplane/exercises/lessons/lesson03"
	"github.com/hyperplane-notebooks/hyperplane/exercises/lessons/lesson04"
	"github.com/hyperplane-notebooks/hyperplane/exercises/lessons/lesson05"
	"github.com/hyperplane-notebooks/hyperplane/exercises/lessons/lesson06"
	"github.com/hyperplane-notebooks/hyperplane/exercises/lessons/lesson07"
	"github.com/hyperplane-notebooks/hyperplane/exercises/lessons/lesson08"
	"github.com/hyperplane-notebooks/hyperplane/exercises/lessons/lesson09"
	"github.com/hyperplane-notebooks/hyperplane/exercises/lessons/lesson10"
	"github.com/hyperplane-notebooks/hyperplane/exercises/lessons/lesson11"
	"github.com/hyperplane-notebooks/hyperplane/exercises/lessons/lesson12"
	"github.com/hyperplane-notebooks/hyperplane/exercises/lessons/lesson13"
	"github.com/hyperplane-notebooks/hyperplane/exercises/lessons/lesson14"
	prml4ex01 "github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex01"
	prml4ex02 "github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex02"
	prml4ex03 "github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex03"
	prml4ex04 "github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex04"
	prml4ex05 "github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex05"
	prml4ex06 "github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex06"
	prml4ex07 "github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex07"
	prml4ex08 "github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex08"
	prml4ex09 "github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex09"
	prml4ex10 "github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex10"
	prml4ex11 "github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex11"
	prml4ex12 "github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex12"
	prml4ex13 "github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex13"
	prml4ex14 "github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex14"
	prml4ex15 "github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex15"
	prml4ex16 "github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex16"
	prml4ex17 "github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex17"
	prml4ex18 "github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex18"
	prml4ex19 "github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex19"
	prml4ex20 "github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex20"
	prml4ex21 "github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex21"
	prml4ex22 "github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex22"
	prml4ex23 "github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex23"
	prml4ex24 "github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex24"
	prml4ex25 "github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex25"
	prml4ex26 "github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex26"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/cell"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/content"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/equations"
)

func entry(e *exercises.Exercise, checks ...any) exercises.Checked {
	return exercises.Checked{Exercise: e, Checks: checks}
}

// Entries lists the exercises and the lessons' tasks. Each entry contains its check functions.
var Entries = []exercises.Checked{
	entry(lesson01.Exercise(), lesson01.Check),
	entry(lesson02.Exercise(), lesson02.Check),
	entry(lesson03.Exercise(), lesson03.Check),
	entry(lesson04.Exercise(), lesson04.Check),
	entry(lesson05.Exercise(), lesson05.Check),
	entry(lesson06.Exercise(), lesson06.Check),
	entry(lesson07.Exercise(), lesson07.Check),
	entry(lesson08.Exercise(), lesson08.Check),
	entry(lesson09.Exercise(), lesson09.Check),
	entry(lesson10.Exercise(), lesson10.Check),
	entry(lesson11.Exercise(), lesson11.Check),
	entry(lesson12.Exercise(), lesson12.Check),
	entry(lesson13.Exercise(), lesson13.Check),
	entry(lesson14.Exercise(), lesson14.Check),
	entry(prml4ex01.Exercise(), prml4ex01.Check),
	entry(prml4ex02.Exercise(), prml4ex02.Check),
	entry(prml4ex03.Exercise(), prml4ex03.Check),
	entry(prml4ex04.Exercise(), prml4ex04.Check),
	entry(prml4ex05.Exercise(), prml4ex05.Check),
	entry(prml4ex06.Exercise(), prml4ex06.Check, prml4ex06.CheckSteps),
	entry(prml4ex07.Exercise(), prml4ex07.Check),
	entry(prml4ex08.Exercise(), prml4ex08.Check, prml4ex08.CheckSteps),
	entry(prml4ex09.Exercise(), prml4ex09.Check, prml4ex09.CheckSteps),
	entry(prml4ex10.Exercise(), prml4ex10.Check, prml4ex10.CheckSteps),
	entry(prml4ex11.Exercise(), prml4ex11.Check),
	entry(prml4ex12.Exercise(), prml4ex12.Check),
	entry(prml4ex13.Exercise(), prml4ex13.Check, prml4ex13.CheckSteps),
	entry(prml4ex14.Exercise(), prml4ex14.Check),
	entry(prml4ex15.Exercise(), prml4ex15.Check, prml4ex15.CheckSteps),
	entry(prml4ex16.Exercise(), prml4ex16.Check),
	entry(prml4ex17.Exercise(), prml4ex17.Check, prml4ex17.CheckSteps),
	entry(prml4ex18.Exercise(), prml4ex18.Check),
	entry(prml4ex19.Exercise(), prml4ex19.Check, prml4ex19.CheckSteps),
	entry(prml4ex20.Exercise(), prml4ex20.Check, prml4ex20.CheckSteps),
	entry(prml4ex21.Exercise(), prml4ex21.Check),
	entry(prml4ex22.Exercise(), prml4ex22.Check, prml4ex22.CheckSteps),
	entry(prml4ex23.Exercise(), prml4ex23.Check),
	entry(prml4ex24.Exercise(), prml4ex24.Check),
	entry(prml4ex25.Exercise(), prml4ex25.Check, prml4ex25.CheckSteps),
	entry(prml4ex26.Exercise(), prml4ex26.Check, prml4ex26.CheckSteps),
	{Exercise: alpaydin10ex01.Exercise(), Checks: []any{alpaydin10ex01.Check},
		Provided: cell.HyperplaneModule + "/exercises/alpaydin10/region"},
	entry(alpaydin10ex02.Exercise(), alpaydin10ex02.Check),
	entry(alpaydin10ex03.Exercise(), alpaydin10ex03.Check),
	entry(alpaydin10ex04.Exercise(), alpaydin10ex04.Check),
	entry(alpaydin10ex05.Exercise(), alpaydin10ex05.Check, alpaydin10ex05.CheckSteps),
	entry(alpaydin10ex06.Exercise(), alpaydin10ex06.Check),
	entry(alpaydin10ex07.Exercise(), alpaydin10ex07.Check),
	entry(alpaydin10ex08.Exercise(), alpaydin10ex08.Check),
	entry(alpaydin10ex09.Exercise(), alpaydin10ex09.Check),
}

// Content describes the course: its exercises and the folders with its sources. Only tests use
// Content.
var Content = func() *content.Content {
	c, err := content.New(content.Content{Books: exercises.Standard(), Entries: Entries, LessonDir: "generate/lessons",
		Equations: equations.Standard})
	if err != nil {
		panic(err)
	}
	return c
}()

// These variables are shorthands for the methods of [Content].
var (
	Checks    = Content.Checks
	Exercises = Content.Exercises
	Variants  = Content.Variants
	Distinct  = Content.Distinct
	Lessons   = Content.Lessons
	Course    = Content.Course
	Packages  = Content.Packages
	Sections  = Content.Sections
)
