// Package existence decides whether a likelihood has a maximum. It uses linear programming in
// floating point, and Farkas' lemma in exact arithmetic. For many rows, it uses the change of w
// over the last steps of a solver.
package existence
