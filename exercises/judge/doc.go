// Package judge builds the parts of a check from tables. The tables contain the calls of a
// learner's function (Question), the properties that its answers must have (Property, Step), and
// the known wrong answers (Mistake).
//
// The check tests every answer in the same order: whether the function changed an argument, whether
// the results are complete, of the right shape, and finite, and whether the property holds. If the
// property does not hold, the check looks for a known mistake that explains the answers to all
// problems of the part. If no mistake explains them, it tests whether the answers are right except
// for a factor, or nearly right. If they are not, the verdict is the property's own message. No
// message reveals the right numbers.
package judge
