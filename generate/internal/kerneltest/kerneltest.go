// Package kerneltest finds the GoNB kernel for tests that need this kernel.
//
// A plain `go test ./...` passes on a machine without Jupyter, because tests that need the kernel
// are skipped with a message. `make test` sets HYPERPLANE_REQUIRE_KERNEL, which makes such tests
// fail instead.
package kerneltest

import (
	"os"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/runner"
)

// RequireVariable is the environment variable that makes tests fail instead of being skipped. Any
// non-empty value has this effect.
const RequireVariable = "HYPERPLANE_REQUIRE_KERNEL"

// Kernel returns the kernel of this repository. If FindKernel returns an error, for example because
// the kernel or a Python that can control it is not installed, Kernel skips the test. If
// RequireVariable is set, Kernel fails the test instead. With -short, Kernel always skips the test.
func Kernel(t testing.TB) runner.Kernel {
	t.Helper()
	if testing.Short() {
		t.Skip("skipped with -short: the test needs a kernel")
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
