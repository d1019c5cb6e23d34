// Package existence decides whether a likelihood has a maximum: by linear programming in floating
// point, by Farkas' lemma in exact arithmetic, and for many rows by the change of w over the last
// steps of a solver.
package existence
