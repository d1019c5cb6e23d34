// Package klog replaces, in the workspace of a cell, the logger that gonbui imports; gonbui is
// the package by which a cell talks to its kernel. docker/setup.sh makes the replacement.
// gonbui calls only two functions of the logger. The original adds a network stack and
// structured logging to every cell that displays something, and the linker reads them each time.
package klog

import (
	"fmt"
	"os"
)

// Infof writes a line to standard error.
func Infof(format string, args ...any) { fmt.Fprintf(os.Stderr, format+"\n", args...) }

// Errorf writes a line to standard error.
func Errorf(format string, args ...any) { Infof(format, args...) }
