// Package exercises contains the code that all exercises share. The code parses the text of an
// exercise, judges answers, and shows hints and solutions. It also records a learner's progress,
// which [Progress] shows.
//
// Each exercise is a separate package in a folder below this folder, with four files:
//
//   - exercise.md: the text.
//   - check.go: the judge, with the table of known wrong answers.
//   - answer_test.go: the reference answer, from which the learner's stub is made.
//   - check_test.go: right answers in other forms, and further wrong answers with the keys of their verdicts.
//
// The test in files_test.go limits the number of files and the number of lines of Go in each folder.
// This package imports no exercise. CONTRIBUTING.md explains how to add an exercise.
//
// The seed, a number, selects a personal variant of the exercises. The variant determines the
// constants in the statements and the data of the checks. The set-up cell of a personal notebook
// calls Variant with the seed. Each check draws its data from the seed when Check is called, never
// when its package is initialised. If the constants of a statement vary, exercise.md contains the placeholder
// [[name]] in place of each constant. In answer_test.go, each line with such a constant ends with a comment. The
// comment consists of //hyperplane:vary and the same line with the placeholders:
//
//	return 2 //hyperplane:vary return [[c]]
//
// check.go calls MustParseVaried with a function that returns the constants by name; see Constants. If the environment
// variable HYPERPLANE_SEED is set, the tests of all exercises judge the variant with that seed.
package exercises
