// Package judge builds the parts of a check from tables: the calls of a
// learner's function (Question), the properties that its answers must have (Property, Step),
// and the known wrong answers (Mistake).
//
// Every answer is checked in the same order: Was an argument changed? Are the results
// complete, of the right shape, and finite? Does the property hold? If not: which
// known mistake explains the answers to all problems of the part, are they right up
// to a factor, are they nearly right? Only then does the property give its own message. No
// message gives away the right numbers.
package judge
