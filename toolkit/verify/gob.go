//go:build !js

package verify

import "encoding/gob"

// This file is not part of the build for browsers. In a browser, package gob would increase the
// size of the program by half a megabyte, and there is no kernel that needs gob.
func init() {
	// The pipe to the kernel encodes values with package gob. If a value has a type that is not
	// registered with gob, the pipe fails for this value and for all later output of the cell.
	gob.Register(map[string]any{})
	gob.Register([]any{})
}
