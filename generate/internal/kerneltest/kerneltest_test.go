package kerneltest

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// recorder is a testing.TB that notes how a test was ended instead of ending it.
type recorder struct {
	testing.TB
	skipped, failed string
}

func (r *recorder) Helper()                   {}
func (r *recorder) Skipf(f string, a ...any)  { r.skipped = fmt.Sprintf(f, a...) }
func (r *recorder) Fatalf(f string, a ...any) { r.failed = fmt.Sprintf(f, a...) }

func TestMissing(t *testing.T) {
	lack := errors.New("no GoNB kernel")
	r := &recorder{TB: t}
	if missing(r, false, lack); !strings.HasPrefix(r.skipped, "kernel: no GoNB") || r.failed != "" {
		t.Errorf("not required: skipped %q, failed %q; want a skip that begins with kernel:", r.skipped, r.failed)
	}
	r = &recorder{TB: t}
	if missing(r, true, lack); r.skipped != "" || !strings.Contains(r.failed, "no GoNB kernel") {
		t.Errorf("required: skipped %q, failed %q; want a failure", r.skipped, r.failed)
	}
}

func TestKernelOfAnotherFolder(t *testing.T) {
	t.Setenv("HYPERPLANE_TOOLS", t.TempDir())
	t.Setenv(RequireVariable, "1")
	defer func() { _ = recover() }() // Kernel goes on after the recorder's Fatalf
	r := &recorder{TB: t}
	Kernel(r)
	if !strings.Contains(r.failed, "make setup") {
		t.Errorf("failure %q, want one that says what to do", r.failed)
	}
}
