// Package existence decides whether a likelihood has a maximum. It uses linear programming in
// floating point, and proves the result with Farkas' lemma in exact arithmetic. If these methods
// cannot decide, for example because the data have too many rows, it examines how the weights w
// changed in the last steps of a solver.
package existence
