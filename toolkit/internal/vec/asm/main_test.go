package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestCommitted checks that the committed assembly equals the output of the generator. The
// generator keeps its program in a global variable of avo, so it runs in a separate process.
func TestCommitted(t *testing.T) {
	dir := t.TempDir()
	s, stubs := filepath.Join(dir, "k.s"), filepath.Join(dir, "stubs.go")
	if out, err := exec.Command("go", "run", ".", "-out", s, "-stubs", stubs, "-pkg", "vec").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for made, committed := range map[string]string{s: "../kernels_amd64.s", stubs: "../stubs_amd64.go"} {
		got, want := body(t, made), body(t, committed)
		if !bytes.Equal(got, want) {
			t.Errorf("%s differs from the output of the generator: run go generate ./toolkit/internal/vec", committed)
		}
	}
}

// body returns a file without its first line, which contains the command.
func body(t *testing.T, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := bytes.Cut(b, []byte("\n"))
	return rest
}
