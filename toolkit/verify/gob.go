//go:build !js

package verify

import "encoding/gob"

// This file is not part of the build for browsers. In a browser, package gob would increase the
// size of the program by half a megabyte, and there is no kernel that needs gob.
func init() {
	// The kernel's pipe uses gob. If the pipe receives a value whose type is not registered, it
	// fails for all later output of the cell.
	gob.Register(map[string]any{})
	gob.Register([]any{})
}
