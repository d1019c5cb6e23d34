// Package ex01 judges Alpaydin exercise 10.1: where basis functions are not zero.
// It also holds the regions of the plane that an answer is built of.
package ex01

import (
	_ "embed"
	"fmt"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

//go:embed exercise.md
var text string

//go:embed answer_test.go
var answer string

var exercise = exercises.MustParseVaried("exercises/alpaydin10/ex01/exercise.md", text, answer, vary)

// Exercise returns a copy of the text of this exercise.
func Exercise() *exercises.Exercise { return exercise.Copy() }

// Hint shows hint n, from 1, and returns its markdown.
func Hint(n int) string { return exercise.Hint(n) }

// Solution shows the worked derivation and the reference answer.
func Solution() string { return exercise.Solution() }

// Check judges the six functions of Alpaydin exercise 10.1: each returns the region
// of the plane in which a basis function of section 10.2 is defined and not zero.
func Check(sine func() Region, bump func(a, c float64) Region, radialBump func(m []float64, c float64) Region,
	log func() Region, step func(c float64) Region, halfPlane func(a, b, c float64) Region) *verify.Report {
	part := func(name string, cases func() []question, pass string) verify.Part {
		return verify.Part{Name: name, Judge: func() verify.Verdict { return judge(cases(), pass) }}
	}
	c := own()
	return exercise.Judge(
		part("a. "+c.sine(), func() []question { return sines(sine) },
			fmt.Sprintf("Everywhere but on the lines x1 = %s, infinitely many; negative values are not zero.", c.zeros())),
		part("b. exp(−(x1−a)²/c)", func() []question { return bumps(bump) },
			"Everywhere: an exponential is never 0, however far x1 is from a. (Floating-point numbers give up beyond about 27√c and say 0.)"),
		part("c. exp(−‖x−m‖²/c)", func() []question { return radialBumps(radialBump) },
			"Everywhere: the bump is local in the sense of small, not of zero."),
		part("d. "+c.log(), func() []question { return logs(log) },
			fmt.Sprintf("Where x2 > %g, its domain, except on the line x2 = %g.", c.q, c.q+1)),
		part("e. 1(x1 > c)", func() []question { return stepQuestions(step) },
			"The open half-plane right of x1 = c; on the line itself the indicator is 0."),
		part("f. 1(a·x1 + b·x2 > c)", func() []question { return halfPlanes(halfPlane) },
			"The open half-plane to which (a, b) points; on the line itself the indicator is 0."),
	)
}
