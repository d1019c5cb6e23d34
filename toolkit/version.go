// Package toolkit contains declarations that notebooks and other packages share: the version of the
// toolkit and the functions MadeWith, Must, WriteFile and WriteFiles.
//
// Notebooks use its sub-packages datasets, classify, show, verify and figures.
package toolkit

import (
	"fmt"
	"io"
	"os"
	"strings"
)

// Version is the version of the toolkit. Every generated notebook contains the version with which
// it was made.
const Version = "0.3.0"

// MadeWith compares the version with which a notebook was made with the version of the toolkit.
// Every generated notebook calls MadeWith in its set-up cell. If the versions are equal, MadeWith
// prints nothing. Otherwise it prints one line that says what to do.
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
