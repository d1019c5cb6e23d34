// Package judge builds the parts of a check from tables. The tables contain the calls of a
// learner's function (Question), the properties that its answers must have (Property, Step), and
// the known wrong answers (Mistake).
//
// The check tests every answer in the same order. Did the function change an argument? Are the
// results complete, of the right shape, and finite? Does the property hold? If not, the check first
// looks for a known mistake that explains the answers to all problems of the part. It then tests
// whether the answers are right except for a factor, or nearly right. Only if neither applies does
// the property give its own message. No message reveals the right numbers.
package judge
