// Package seed holds the number of the personal variant that this program
// judges. It is apart from package exercises so that the packages that draw
// instances can ask it without importing the exercises' text.
package seed

import (
	"fmt"
	"math/rand/v2"
	"sync"
)

// Variable is the environment variable by which tests judge another variant:
// HYPERPLANE_SEED=7 go test ./exercises/... Only package gate, which the tests
// import and no notebook does, reads it.
const Variable = "HYPERPLANE_SEED"

var state struct {
	sync.Mutex
	value uint64
	asked bool // somebody has drawn numbers or shown a text
}

// Get returns the seed, 0 for the common variant. From then on Choose takes no
// other: numbers drawn before and after it would not belong together.
func Get() uint64 {
	state.Lock()
	defer state.Unlock()
	state.asked = true
	return state.value
}

// Peek is Get for who only lists what there is: another may still be chosen.
func Peek() uint64 {
	state.Lock()
	defer state.Unlock()
	return state.value
}

// Choose sets the seed for the rest of the program. It is an error once a seed
// was chosen or asked for that differs.
func Choose(n uint64) error {
	state.Lock()
	defer state.Unlock()
	if state.value == n {
		return nil
	}
	if state.asked || state.value != 0 {
		return fmt.Errorf("variant %d cannot be chosen: this program is already at variant %d; the choice stands once, in the set-up cell, before any check. Was the set-up cell edited? Restart the kernel", n, state.value)
	}
	state.value = n
	return nil
}

// Set sets the seed whatever was before, and returns what was. It is for tests.
func Set(n uint64) (old uint64) {
	state.Lock()
	defer state.Unlock()
	old, state.value = state.value, n
	return old
}

// Source returns the generator for the pair (a, b) in the variant n. In the common
// variant it is the plain PCG of the pair.
func Source(n, a, b uint64) *rand.Rand {
	if n != 0 {
		a ^= scramble(n)
		b ^= scramble(^n)
	}
	return rand.New(rand.NewPCG(a, b))
}

// scramble is the finaliser of SplitMix64: neighbouring seeds get states that have
// nothing in common.
func scramble(n uint64) uint64 {
	n += 0x9e3779b97f4a7c15
	n = (n ^ n>>30) * 0xbf58476d1ce4e5b9
	n = (n ^ n>>27) * 0x94d049bb133111eb
	return n ^ n>>31
}
