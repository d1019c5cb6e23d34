// Package kerneltest gives tests the GoNB kernel, where it is set up.
//
// A plain `go test ./...` passes on a machine without Jupyter: tests that need
// the kernel skip, and say so. `make test` sets HYPERPLANE_REQUIRE_KERNEL, and
// then a test without its kernel fails.
package kerneltest

import (
	"os"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/runner"
)

// RequireVariable is the environment variable that, set to anything, turns skips
// into failures.
const RequireVariable = "HYPERPLANE_REQUIRE_KERNEL"

// Kernel returns the kernel of this repository. Without one, or without a python
// that can drive it, it skips the test.
func Kernel(t testing.TB) runner.Kernel {
	t.Helper()
	if testing.Short() {
		t.Skip("-short: no kernel is started")
	}
	k, err := runner.FindKernel(".")
	switch {
	case err != nil && os.Getenv(RequireVariable) != "":
		t.Fatalf("kernel: %v (%s is set)", err, RequireVariable)
	case err != nil:
		t.Skipf("kernel: %v", err)
	}
	return k
}
