// Package klog replaces the logger that gonbui imports, in the Go workspace that compiles a
// notebook's cells. A cell uses gonbui to communicate with its kernel. docker/setup.sh puts this
// package in place of the original. gonbui calls only two functions of the logger, but the original
// imports packages for networking and structured logging. With the original, the linker would have
// to read the code of those packages for every cell that displays something.
package klog

import (
	"fmt"
	"os"
)

// Infof writes a line to standard error, like the function of the original package.
func Infof(format string, args ...any) { fmt.Fprintf(os.Stderr, format+"\n", args...) }

// Errorf writes a line to standard error, like the function of the original package.
func Errorf(format string, args ...any) { Infof(format, args...) }
