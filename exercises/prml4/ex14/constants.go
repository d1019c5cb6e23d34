package ex14

import (
	"fmt"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/seed"
)

// ratio is the constant of the promise: separable data have a margin of R/ratio at
// least, R being the length of the longest φ. The book has no promise; a variant's
// is a little weaker than the common one, so that the data which do not vary keep it
// as well.
func ratio(n uint64) int {
	if n == 0 {
		return 25
	}
	return 26 + seed.Source(n, 414, 0).IntN(6) // 31² corrections fit into the thousand passes of the reference
}

// promise is the margin, relative to the longest φ, that the statement promises
// for separable data.
func promise() float64 { return 1 / float64(ratio(seed.Get())) }

// vary is the promise, and what follows from it, as text.
func vary(n uint64) map[string]string {
	r := ratio(n)
	oneMore := fmt.Sprintf("correction number %d", r*r+1)
	if n == 0 {
		oneMore = "a 626th correction"
	}
	return map[string]string{
		"ratio": fmt.Sprint(r), "most": fmt.Sprint(r * r), // corrections of the perceptron
		"oneMore": oneMore,
	}
}
