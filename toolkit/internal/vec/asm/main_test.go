package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestCommitted checks that the committed assembly and its Go stubs equal the output of the generator.
// avo keeps the program that it generates in a global variable, so the test runs the generator in a
// separate process.
func TestCommitted(t *testing.T) {
	dir := t.TempDir()
	s, stubs := filepath.Join(dir, "k.s"), filepath.Join(dir, "stubs.go")
	if out, err := exec.Command("go", "run", ".", "-out", s, "-stubs", stubs, "-pkg", "vec").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for made, committed := range map[string]string{s: "../kernels_amd64.s", stubs: "../stubs_amd64.go"} {
		got, want := withoutFirstLine(t, made), withoutFirstLine(t, committed)
		if !bytes.Equal(got, want) {
			t.Errorf("%s differs from the output of the generator: run go generate ./toolkit/internal/vec", committed)
		}
	}
}

// withoutFirstLine returns a file without its first line, which contains the command.
func withoutFirstLine(t *testing.T, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := bytes.Cut(b, []byte("\n"))
	return rest
}
