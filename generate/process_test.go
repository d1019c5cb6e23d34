package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"slices"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
)

// asCommand is set for a test binary that is to be the generate command.
const asCommand = "HYPERPLANE_TEST_AS_GENERATE"

// TestMain lets the test binary be the command itself: the seed of a variant holds for a
// whole process, and grade starts itself for each hand-in.
func TestMain(m *testing.M) {
	if os.Getenv(asCommand) != "" || slices.Contains(os.Args[1:], "judge-one") {
		main()
	}
	os.Exit(m.Run())
}

// process is generate in a process of its own; tests from end to end are not short.
func process(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	if testing.Short() {
		t.Skip("-short")
	}
	cmd := exec.CommandContext(t.Context(), must.Get(os.Executable())(t), args...)
	cmd.Env = append(os.Environ(), asCommand+"=1")
	return cmd
}

// apart runs generate in a process of its own; it must end with code and print all of
// wants.
func apart(t *testing.T, code int, args []string, wants ...string) string {
	t.Helper()
	cmd := process(t, args...)
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	if got := cmd.ProcessState.ExitCode(); got != code {
		t.Fatalf("generate %q: exit %d, want %d\n%s", args, got, code, &said)
	}
	must.Contain(t, said.String(), wants...)
	return said.String()
}
