package instance

import (
	"sync"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/seed"
)

// Once returns a function that calls f the first time and remembers what it
// returned, for each variant by itself. sync.OnceValue would keep the numbers of
// the variant that happened to be asked for first.
func Once[T any](f func() T) func() T {
	var mutex sync.Mutex
	values := map[uint64]T{}
	return func() T {
		mutex.Lock()
		defer mutex.Unlock()
		n := seed.Get()
		v, known := values[n]
		if !known {
			v = f()
			values[n] = v
		}
		return v
	}
}
