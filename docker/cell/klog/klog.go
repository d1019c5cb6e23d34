// Package klog replaces the logger that the package gonbui imports. A cell of a notebook uses
// gonbui to communicate with its kernel. The replacement applies only in the Go workspace that
// compiles the cells. docker/setup.sh puts this package in place of the original. gonbui calls only
// two functions of the logger, but the original imports packages for networking and structured
// logging. With the original, the linker would have to read the code of those packages for every
// cell that displays something.
package klog

import (
	"fmt"
	"os"
)

// Infof writes a line to standard error, like the function of the original package.
func Infof(format string, args ...any) { fmt.Fprintf(os.Stderr, format+"\n", args...) }

// Errorf writes a line to standard error, like the function of the original package.
func Errorf(format string, args ...any) { Infof(format, args...) }
