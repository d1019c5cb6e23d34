// Package toolkit contains declarations that every notebook uses, such as the version of the
// toolkit.
//
// Notebooks use its sub-packages datasets, classify, show, verify and figures.
package toolkit

import (
	"fmt"
	"io"
	"os"
	"strings"
)

// Version is the toolkit's version, stamped into every generated notebook.
const Version = "0.3.0"

// MadeWith is called in the set-up cell of every generated notebook. If version is the version of
// the toolkit, MadeWith prints nothing. Otherwise it prints one line with the remedy.
func MadeWith(version string) {
	madeWith(os.Stdout, version)
}

func madeWith(w io.Writer, version string) {
	version = strings.TrimPrefix(version, "v")
	if version == Version {
		return
	}
	fmt.Fprintf(w,
		"This notebook was made for hyperplane %s; this is hyperplane %s. Run `make lab` for a fresh copy next to this one; your work stays as it is.\n", version, Version)
}
