package ex03

import (
	"fmt"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/seed"
)

// codes are the numbers of colours and of shapes of the statement's example.
type codes struct{ colours, shapes int }

// codesOf are those of a variant, never those of the common one.
func codesOf(n uint64) codes {
	common := codes{3, 2}
	if n == 0 {
		return common
	}
	for r := seed.Source(n, 403, 0); ; {
		if c := (codes{3 + r.IntN(3), 2 + r.IntN(2)}); c != common {
			return c
		}
	}
}

func own() codes { return codesOf(seed.Get()) }

// vary is the two numbers, and what follows from them, as text.
func vary(n uint64) map[string]string {
	c := codesOf(n)
	words := []string{"", "one", "two", "three", "four", "five", "six", "seven", "eight"}
	return map[string]string{
		"colours": words[c.colours], "shapes": words[c.shapes], "entries": words[c.colours+c.shapes],
		"k": fmt.Sprint(c.colours + c.shapes), "c": fmt.Sprint(c.colours), "s": fmt.Sprint(c.shapes),
		"lastColour": fmt.Sprint(c.colours - 1), "lastEntry": fmt.Sprint(c.colours + c.shapes - 1), "to": between(c),
	}
}

// between joins the first and the last entry of the shapes.
func between(c codes) string {
	if c.shapes == 2 {
		return "and"
	}
	return "to"
}
