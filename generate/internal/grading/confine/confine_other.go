//go:build !linux || (!amd64 && !arm64)

// Package confine does nothing on this system.
package confine
