// Package solve finds the weights of a generalized linear model: Newton's method, with
// the proof that there is a maximum or none, and the solvers whose path is the lesson.
// A Problem is the objective in coordinates in which units and offsets of the inputs
// cost no digits; a Path is what a Solver made of it.
package solve
