// Package judge builds the parts of a check from tables. The tables contain the calls of a
// learner's function (Question), the properties that its answers must have (Property, Step), and
// the known wrong answers (Mistake).
//
// The check tests every answer in the same order. First the function must not have changed an
// argument. Then the results must be complete, of the right shape, and finite. Then the property
// must hold. If the property does not hold, the check looks for a known mistake that explains the
// answers to all problems of the part. If no mistake explains the answers, the check tests whether
// they are nearly right, or right except for a factor. Otherwise the verdict is the property's own
// message. No message reveals the right numbers.
package judge
