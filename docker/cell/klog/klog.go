// Package klog stands in, in the workspace of a cell, for the logger of gonbui, the package
// by which a cell talks to its kernel (docker/setup.sh replaces it there). Of it gonbui calls
// two functions; the whole of it costs every cell that shows something a network stack and
// structured logging, which the linker reads each time.
package klog

import (
	"fmt"
	"os"
)

// Infof writes a line to the standard error.
func Infof(format string, args ...any) { fmt.Fprintf(os.Stderr, format+"\n", args...) }

// Errorf writes a line to the standard error.
func Errorf(format string, args ...any) { Infof(format, args...) }
