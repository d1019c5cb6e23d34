// Package kerneltest gives tests the GoNB kernel if it is set up.
//
// A plain `go test ./...` passes on a machine without Jupyter: tests that need the kernel are
// skipped and say so. `make test` sets HYPERPLANE_REQUIRE_KERNEL, which makes such tests fail.
package kerneltest

import (
	"os"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/runner"
)

// RequireVariable is the environment variable that turns skips into failures. Any value will do.
const RequireVariable = "HYPERPLANE_REQUIRE_KERNEL"

// Kernel returns the kernel of this repository. It skips the test if there is no kernel or no
// Python that can drive it.
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
