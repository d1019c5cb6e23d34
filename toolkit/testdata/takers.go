// Package testdata contains example functions. Tests check which of these functions the searches
// takingFunctions and silentAboutErrors find.
package testdata

import "io"

type fit func() error

// Direct calls f and returns any error from f.
func Direct(f func() error) error { return f() }

// Named calls a function of a named type and returns its result.
func Named(n int, f fit) error { return f() }

func Reader(r io.Reader) (int, error) { return 0, nil }

// Plain fails for negative n.
func Plain(n int) error { return nil }

// Spread returns the standard error of n numbers.
func Spread(n int) (float64, error) { return 0, nil }

// Model has methods with and without a word on their errors.
type Model interface {
	// Fit fails without data.
	Fit() error
	// Draw draws.
	Draw() error
}

func hidden(f func()) {}
