// Package toolkit holds what every notebook shares: the version of the toolkit.
//
// The parts a notebook works with are its sub-packages: datasets, classify, show,
// verify and figures.
package toolkit

import (
	"fmt"
	"io"
	"os"
	"strings"
)

// Version is the toolkit's version, stamped into every generated notebook.
const Version = "0.3.0"

// MadeWith stands in the set-up cell of every generated notebook. It is silent
// when version is the toolkit's own, and else prints one line with the remedy.
func MadeWith(version string) {
	madeWith(os.Stdout, version)
}

func madeWith(w io.Writer, version string) {
	version = strings.TrimPrefix(version, "v")
	if version == Version {
		return
	}
	fmt.Fprintf(w, "This notebook was made for hyperplane %s; this is hyperplane %s. Run `make lab` for a fresh copy: it comes beside this one, and your work stays as it is.\n", version, Version)
}
