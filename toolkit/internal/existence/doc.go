// Package existence decides whether a likelihood has a maximum. It uses linear programming in
// floating point, and Farkas' lemma in exact arithmetic. If there are too many rows for these
// methods, it uses the change of the weights w over the last steps of a solver.
package existence
