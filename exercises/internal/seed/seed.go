// Package seed holds the number of the personal variant that this program
// judges. It is separate from package exercises so that the packages that draw
// instances can use it without importing the exercises' text.
package seed

import (
	"fmt"
	"math/rand/v2"
	"sync"
)

// Variable is the environment variable that makes tests judge another variant:
// HYPERPLANE_SEED=7 go test ./exercises/... Only package gate reads it, which tests
// import and notebooks do not.
const Variable = "HYPERPLANE_SEED"

var state struct {
	sync.Mutex
	value uint64
	asked bool // numbers were drawn or a text was shown
}

// Get returns the seed, 0 for the common variant. After the first call Choose accepts no
// other seed: numbers drawn before and after a change would not belong together.
func Get() uint64 {
	state.Lock()
	defer state.Unlock()
	state.asked = true
	return state.value
}

// Peek returns the seed without fixing it, for callers that only list things: another seed may
// still be chosen.
func Peek() uint64 {
	state.Lock()
	defer state.Unlock()
	return state.value
}

// Choose sets the seed for the rest of the program. It returns an error if a different seed
// was already chosen or used.
func Choose(n uint64) error {
	state.Lock()
	defer state.Unlock()
	if state.value == n {
		return nil
	}
	if state.asked || state.value != 0 {
		return fmt.Errorf("variant %d cannot be chosen: this program already uses variant %d; choose once, in the set-up cell, before any check. Was the set-up cell edited? Restart the kernel", n, state.value)
	}
	state.value = n
	return nil
}

// Set sets the seed unconditionally and returns the old one. It is for tests.
func Set(n uint64) (old uint64) {
	state.Lock()
	defer state.Unlock()
	old, state.value = state.value, n
	return old
}

// Source returns the generator for the pair (a, b) in the variant n. In the common
// variant it is the plain PCG seeded with the pair.
func Source(n, a, b uint64) *rand.Rand {
	if n != 0 {
		a ^= scramble(n)
		b ^= scramble(^n)
	}
	return rand.New(rand.NewPCG(a, b))
}

// scramble is the finaliser of SplitMix64: neighbouring seeds get unrelated states.
func scramble(n uint64) uint64 {
	n += 0x9e3779b97f4a7c15
	n = (n ^ n>>30) * 0xbf58476d1ce4e5b9
	n = (n ^ n>>27) * 0x94d049bb133111eb
	return n ^ n>>31
}
