package ex09

import (
	"fmt"
	"math/rand/v2"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/seed"
)

// An interval is the constants of the exercise: class C₁ is from < x < to. Both
// are whole numbers, and so is the middle.
type interval struct{ from, to float64 }

// common is the interval of the book.
var common = interval{2, 4}

// intervalOf is the interval of a variant, never the book's: both ends are
// positive, so that they stand in the formulas without brackets, and between 1 and
// 18, where the grid reaches well beyond them and their mirror images.
func intervalOf(n uint64) interval {
	if n == 0 {
		return common
	}
	return draw(seed.Source(n, 1009, 0))
}

func draw(r *rand.Rand) interval {
	for {
		from, half := float64(1+r.IntN(12)), float64(1+r.IntN(3))
		if i := (interval{from, from + 2*half}); i != common {
			return i
		}
	}
}

// own is the interval of the variant that the program has chosen.
func own() interval { return intervalOf(seed.Get()) }

func (i interval) middle() float64 { return (i.from + i.to) / 2 }

// half is half the length.
func (i interval) half() float64 { return (i.to - i.from) / 2 }

// contains tells whether x belongs to C₁; the ends belong to no class.
func (i interval) contains(x float64) bool { return x > i.from && x < i.to }

// vary is the interval, and what becomes of it in formulas, as text.
func vary(n uint64) map[string]string {
	i := intervalOf(n)
	m, h := i.middle(), i.half()
	text := func(v float64) string { return fmt.Sprintf("%g", v) }
	bump := "-1"
	if h != 1 {
		bump = fmt.Sprintf("-%g", h*h)
	}
	distance := "with the same weights"
	if h != 1 {
		distance = fmt.Sprintf("with $w_0=%g$, $w=-1$", h)
	}
	return map[string]string{
		"a": text(i.from), "b": text(i.to), "m": text(m),
		"below": text(i.from - 1), "above": text(i.to + 1), // a place on either side
		"left": text(i.from - 2), "right": text(i.to + 2), // what the plots show
		"product": text(i.from * i.to), "sum": text(i.from + i.to), "halfSquared": text(h * h),
		"distance": distance, "bumpExponent": bump,
		"width": text(2 * h), "again": text(i.to + 2*h), "until": text(i.to + 4*h), // where a wave is positive again
	}
}
