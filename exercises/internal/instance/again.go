package instance

import "github.com/hyperplane-notebooks/hyperplane/exercises/internal/seed"

// Again reports whether numbers that lack a wanted property must be drawn anew,
// from the same generator: a variant can be drawn unluckily, so that a mistake
// does not show in it. The common variant is never drawn anew: its numbers were
// looked at, and stay.
//
//	p := draw(r)
//	for instance.Again(func() bool { return mistakesShow(p) }) {
//		p = draw(r)
//	}
func Again(wanted func() bool) bool { return seed.Get() != 0 && !wanted() }
