package exercises

import (
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/seed"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// Judge judges the learner's answer part by part and returns the report, which a
// notebook shows, with the seed of the variant that was judged. It is what every
// exercise's Check does. In a notebook the learner's progress is recorded.
func (e *Exercise) Judge(parts ...verify.Part) *verify.Report {
	e = e.chosen()
	try := e.begin(toAnswer, len(parts))
	r := verify.Heading{Exercise: e.ID, Title: e.Title, Seed: seed.Get()}.Run(parts...)
	try.end(r)
	return r
}

// JudgeSteps is Judge for the steps on the way to the answer, of an exercise's
// CheckSteps. Its report is marked as optional.
func (e *Exercise) JudgeSteps(parts ...verify.Part) *verify.Report {
	e = e.chosen()
	try := e.begin(toSteps, len(parts))
	r := verify.Heading{Exercise: e.ID, Title: e.Title + " (steps)", Seed: seed.Get(), Optional: true}.Run(parts...)
	try.end(r)
	return r
}
