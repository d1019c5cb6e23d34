//go:build !js

package verify

import "encoding/gob"

// In a browser's page, which has no kernel, gob would be half a megabyte for nothing.
func init() {
	// A type that gob does not know breaks the kernel's pipe for the rest of the cell.
	gob.Register(map[string]any{})
	gob.Register([]any{})
}
