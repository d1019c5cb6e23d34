package exercises

import "github.com/hyperplane-notebooks/hyperplane/exercises/internal/seed"

// Variant makes this program judge, hint and solve the personal variant with that
// seed, and returns the seed; 0 is the common variant. It stands in the set-up
// cell of a variant's notebooks as
//
//	var _ = exercises.Variant(12345)
//
// which GoNB runs again in every cell, before the cell's check. It panics when
// this program has already drawn numbers for another variant.
func Variant(n uint64) uint64 {
	if err := seed.Choose(n); err != nil {
		panic("exercises: " + err.Error())
	}
	return n
}
