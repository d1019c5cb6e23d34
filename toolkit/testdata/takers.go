// Package testdata has functions for the tests of the rules to find.
package testdata

import "io"

type fit func() error

// Direct takes a function. It returns its error.
func Direct(f func() error) error { return f() }

// Named takes one of a named type and returns what it returns.
func Named(n int, f fit) error { return f() }

func Reader(r io.Reader) (int, error) { return 0, nil }

// Plain fails for negative n.
func Plain(n int) error { return nil }

func hidden(f func()) {}
