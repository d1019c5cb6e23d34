// Package exercises holds what all exercises share: the form of an exercise's
// text, hints and solutions, and the record of a learner's progress, which
// [Progress] shows.
//
// Each exercise is a package of its own below this folder with four files, or five:
// exercise.md (the text), check.go (the judge), mistakes.go where the table of known
// wrong answers is long, answer_test.go (the reference answer, from which the
// learner's stub is cut) and check_test.go (right answers of other forms, and wrong
// ones, each with the message it must earn). Those whose judge is still spread over
// more files are listed in files_test.go. This package imports no exercise.
// CONTRIBUTING.md says how to add one.
//
// A personal variant of the exercises is chosen by a number, the seed (Variant, in
// a notebook's set-up cell). By it each check draws its data, within Check and
// never when its package starts. Where the statement has constants that may be
// others, exercise.md has [[name]] in their places, answer_test.go the same behind
// //hyperplane:vary on the line, and check.go gives MustParseVaried the function
// that says what the names stand for; see Text. With the environment variable
// HYPERPLANE_SEED the tests of all exercises judge that variant.
package exercises
