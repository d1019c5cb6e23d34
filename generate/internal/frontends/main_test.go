// Package frontends has tests alone: a reader's way through the notebooks in the
// classic Notebook and in JupyterLab, with the real kernel, and through the site
// without a network, in a real browser.
//
// They take minutes and need the container image, so they run where
// HYPERPLANE_FRONTENDS is set: the gate browser of `make test-image`.
package frontends

import (
	"fmt"
	"os"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/browsertest"
)

func TestMain(m *testing.M) {
	if os.Getenv("HYPERPLANE_FRONTENDS") == "" {
		fmt.Println("not run: HYPERPLANE_FRONTENDS is not set; the gate browser sets it")
		os.Exit(0)
	}
	os.Exit(browsertest.Main(m))
}
