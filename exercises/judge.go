package exercises

import (
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/seed"
	"github.com/hyperplane-notebooks/hyperplane/exercises/progress"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// Judge judges the learner's answer part by part and returns the report, which a
// notebook shows, with the seed of the variant that was judged. It is what every
// exercise's Check does. In a notebook the learner's progress is recorded.
func (e *Exercise) Judge(parts ...verify.Part) *verify.Report {
	return e.chosen().judge(toAnswer, verify.Heading{}, parts)
}

// JudgeSteps is Judge for the steps on the way to the answer, of an exercise's
// CheckSteps. Its report is marked as optional.
func (e *Exercise) JudgeSteps(parts ...verify.Part) *verify.Report {
	return e.chosen().judge(toSteps, verify.Heading{Title: " (steps)", Optional: true}, parts)
}

func (e *Exercise) judge(of func(*progress.Record) *progress.Attempts, h verify.Heading, parts []verify.Part) *verify.Report {
	h.Exercise, h.Title, h.Seed = e.ID, e.Title+h.Title, seed.Get()
	try := e.begin(of, len(parts))
	r := h.Run(parts...)
	try.end(r)
	return r
}

// Variant makes this program judge, hint and solve the personal variant with that
// seed, and returns the seed; 0 is the common variant. It stands in the set-up
// cell of a variant's notebooks as
//
//	var _ = exercises.Variant(12345)
//
// which GoNB runs again in every cell, before the cell's check. It panics when
// this program has already drawn numbers for another variant.
func Variant(n uint64) uint64 {
	if err := seed.Choose(n); err != nil {
		panic("exercises: " + err.Error())
	}
	return n
}
