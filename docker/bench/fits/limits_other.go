//go:build !amd64

package main

func vectorPath() (path string, lanes int, rounds func(n int)) { return "generic", 0, nil }
