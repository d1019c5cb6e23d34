// Package seed stores the seed of this program. The seed selects the constants and the problems of
// the exercises. Some packages draw problems and need the seed, but not the texts of the exercises.
// Therefore seed is separate from package exercises.
package seed

import (
	"fmt"
	"math/rand/v2"
	"sync"
)

// Variable is the name of the environment variable that sets the seed for the tests, as in the
// command “HYPERPLANE_SEED=7 go test ./exercises/...”. Only package gate reads the variable, and
// only tests import gate. The variable therefore has no effect in notebooks.
const Variable = "HYPERPLANE_SEED"

var state struct {
	sync.Mutex
	value   uint64
	wasRead bool // whether Get was called, to draw numbers or to show a text
}

// Get returns the seed. It is 0 unless the program has chosen a different seed. After the first
// call of Get, Choose rejects any other seed, because the program may already have drawn numbers
// for the old seed.
func Get() uint64 {
	state.Lock()
	defer state.Unlock()
	state.wasRead = true
	return state.value
}

// Peek returns the seed. Unlike a call of Get, a call of Peek does not prevent Choose from setting
// a different seed. Use Peek to list mistakes without judging an answer.
func Peek() uint64 {
	state.Lock()
	defer state.Unlock()
	return state.value
}

// Choose sets the seed for the rest of the program. It returns an error if the program has already
// used a seed other than n, or has already chosen a seed other than 0 and n.
func Choose(n uint64) error {
	state.Lock()
	defer state.Unlock()
	if state.value == n {
		return nil
	}
	if state.wasRead || state.value != 0 {
		return fmt.Errorf("variant %d cannot be chosen: this program already uses variant %d; choose a variant only in the set-up cell, before any check; after editing the set-up cell, restart the kernel", n, state.value)
	}
	state.value = n
	return nil
}

// Set sets the seed without any check and returns the old seed. It is meant for tests and for the
// method Exercise.WithOtherSeed.
func Set(n uint64) (old uint64) {
	state.Lock()
	defer state.Unlock()
	old, state.value = state.value, n
	return old
}

// Source returns a random number generator that depends on the seed n and on the numbers a and b.
// For n = 0 the result is the PCG generator that is seeded with a and b.
func Source(n, a, b uint64) *rand.Rand {
	if n != 0 {
		a ^= mixBits(n)
		b ^= mixBits(^n)
	}
	return rand.New(rand.NewPCG(a, b))
}

// mixBits is the finaliser of SplitMix64. It spreads the bits of n, so that the generators for
// neighbouring seeds draw unrelated numbers.
func mixBits(n uint64) uint64 {
	n += 0x9e3779b97f4a7c15
	n = (n ^ n>>30) * 0xbf58476d1ce4e5b9
	n = (n ^ n>>27) * 0x94d049bb133111eb
	return n ^ n>>31
}
