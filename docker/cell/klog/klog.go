// Package klog replaces the logger that gonbui imports, in the Go workspace that compiles a
// notebook's cells. gonbui is the package by which a cell communicates with its kernel.
// docker/setup.sh puts this package in place of the original. gonbui calls only two functions of
// the logger, but the original adds a network stack and structured logging to every cell that
// displays something. The linker would have to read this code for every cell of this kind.
package klog

import (
	"fmt"
	"os"
)

// Infof writes a line to standard error.
func Infof(format string, args ...any) { fmt.Fprintf(os.Stderr, format+"\n", args...) }

// Errorf writes a line to standard error.
func Errorf(format string, args ...any) { Infof(format, args...) }
