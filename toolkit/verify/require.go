package verify

import (
	"fmt"
	"io"
	"os"
)

// nbgraderVariable is set by nbgrader while it runs a notebook: to autograde or validate.
const nbgraderVariable = "NBGRADER_EXECUTION"

func underNbgrader() bool { return os.Getenv(nbgraderVariable) != "" }

// traces returns the writer for the stack traces of the parts. It is standard error, except under
// nbgrader, where any output on standard error costs the cell its points.
func traces() io.Writer {
	if underNbgrader() {
		return os.Stdout
	}
	return os.Stderr
}

// Require ends a test cell of nbgrader. While nbgrader runs the notebook and part n of the report,
// counted from 1, is not Right, it writes a line to standard error, so that the cell earns no
// points. Otherwise it does nothing, because the report has been shown.
func (r *Report) Require(n int) {
	if !underNbgrader() {
		return
	}
	if n < 1 || n > len(r.Parts) {
		fmt.Fprintf(os.Stderr, "no part %d: %s has parts 1 to %d\n", n, r.Exercise, len(r.Parts))
		return
	}
	if p := r.Parts[n-1]; p.Outcome != Right {
		fmt.Fprintf(os.Stderr, "part %d is %v: %s\n", n, p.Outcome, p.Name)
	}
}
