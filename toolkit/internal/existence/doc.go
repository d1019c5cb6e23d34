// Package existence decides whether a likelihood has a maximum: by linear programming
// in floating point, and by Farkas' lemma in exact arithmetic.
package existence
