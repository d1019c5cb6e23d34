// Package judge builds the parts of a check from tables. A Question describes how to call a
// learner's function. A Property or a Step describes what the answers must satisfy. A Mistake is a
// known wrong answer.
//
// The check tests every answer in the same order. First the function must not have changed an
// argument. Then the results must be complete, of the right shape, and finite. Then the property
// must hold. If the property does not hold, the check looks for a known mistake that explains the
// answers to all problems of the part. If no mistake explains the answers, the check tests whether
// they are nearly right, or right except for a factor. If they are not, the verdict has the message
// Wrong of the Property, or refers to an earlier part that found the same error. No message reveals
// the right numbers.
package judge
