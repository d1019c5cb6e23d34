package gate

import (
	"fmt"
	"os"
	"strconv"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/seed"
)

// The tests of all exercises judge the variant that the environment names. A
// number that is none stops them: taking 0 for it would test nothing new.
func init() {
	n, err := fromEnvironment(os.Getenv(seed.Variable))
	if err != nil {
		panic(err)
	}
	seed.Set(n)
}

// looked looks at the variable once more: what is read before the tests begin go
// test does not know of, and would show the result of another variant from its
// cache.
func looked() { os.Getenv(seed.Variable) }

// fromEnvironment is the seed in a variable's text, 0 for none.
func fromEnvironment(text string) (uint64, error) {
	if text == "" {
		return 0, nil
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("%s is %q, want a whole number from 0", seed.Variable, text)
	}
	return n, nil
}

// Seed is the variant that the tests judge.
func Seed() uint64 { return seed.Get() }

// Cleaner is what Variant needs of testing.TB.
type Cleaner interface{ Cleanup(func()) }

// Variant lets the rest of the test judge variant n.
func Variant(t Cleaner, n uint64) {
	old := seed.Set(n)
	t.Cleanup(func() { seed.Set(old) })
}
