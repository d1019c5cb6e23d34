// Package judge makes the parts of a check out of tables: what is asked of a
// learner's function (Question), what must hold of its answers (Property, Step),
// and the wrong answers that are known (Mistake).
//
// Every answer is looked at in the same order: Was an argument changed? Is
// everything there, of its shape, and finite? Does the property hold? If not: which
// known mistake explains the answers to all problems of the part, are they right up
// to a factor, are they nearly right? Only then the property speaks for itself. No
// message tells the right numbers.
package judge
