package kerneltest

import (
	"fmt"
	"strings"
	"testing"
)

// A recorder is a testing.TB whose methods Skipf and Fatalf do not end the test. Instead, they store
// the message.
type recorder struct {
	testing.TB
	skipped, failed string
}

func (r *recorder) Helper()                   {}
func (r *recorder) Skipf(f string, a ...any)  { r.skipped = fmt.Sprintf(f, a...) }
func (r *recorder) Fatalf(f string, a ...any) { r.failed = fmt.Sprintf(f, a...) }

func TestKernelOfAnotherFolder(t *testing.T) {
	t.Setenv("HYPERPLANE_TOOLS", t.TempDir())
	for _, required := range []string{"", "1"} {
		t.Setenv(RequireVariable, required)
		r := &recorder{TB: t}
		if Kernel(r); !strings.HasPrefix(r.skipped+r.failed, "kernel: ") ||
			!strings.Contains(r.skipped+r.failed, "make setup") || (r.failed != "") != (required != "") {
			t.Errorf("with HYPERPLANE_REQUIRE_KERNEL=%q: got the skip message %q and the failure message %q; want a failure if the variable is not empty and a skip otherwise, with a message that begins with \"kernel: \" and names make setup",
				required, r.skipped, r.failed)
		}
	}
}
