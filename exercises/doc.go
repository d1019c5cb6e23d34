// Package exercises holds what all exercises share: the form of an exercise's
// text, hints and solutions, and the record of a learner's progress, which
// [Progress] shows.
//
// Each exercise is a package of its own below this folder with four files:
// exercise.md (the text), check.go (the judge), answer_test.go (the reference
// answer, from which the learner's stub is cut) and wrong_test.go (wrong answers
// that were met, each with the message it must earn). This package imports none
// of them.
package exercises
