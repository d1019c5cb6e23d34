//go:build !js

package verify

import "encoding/gob"

// A page in a browser has no kernel. The build for browsers leaves gob out, which would add half a
// megabyte.
func init() {
	// A type that gob does not know makes the kernel's pipe fail for the remaining output of the
	// cell.
	gob.Register(map[string]any{})
	gob.Register([]any{})
}
