// Package exercise makes the two notebooks of an exercise, the learner's and the
// solved one, from the exercise's folder: exercise.md (the text), check.go (how
// it is judged) and answer_test.go (the reference answer, from which the
// learner's stub is cut).
package exercise
