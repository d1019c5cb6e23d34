package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/kerneltest"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbformat"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/runner"
)

// A learner's notebook that is run as a whole before anything is written there
// shows no error, gives away no hint and no solution, and does not pass.
func TestUntouchedNotebooks(t *testing.T) {
	kerneltest.Kernel(t)
	in, out := t.TempDir(), t.TempDir()
	run(t, "exercises", "prml-4.25", "alpaydin-10.8", "--out", in)
	paths := []string{"prml4/25-probit-scale.ipynb", "alpaydin10/08-boundary-and-slope.ipynb"}
	args := []string{"run", "--json", "--out", out, "--timeout", "3m"}
	for _, p := range paths {
		args = append(args, filepath.Join(in, p))
	}
	s := printed[runner.Summary](t, exitNotPassed, args...)
	if len(s.Notebooks) != len(paths) {
		t.Fatalf("%d notebooks", len(s.Notebooks))
	}
	for _, n := range s.Notebooks {
		if n.Verdict != runner.NotPassed || n.Detail != "not attempted yet: replace the stub's panic(verify.TODO) by your answer" {
			t.Errorf("%s is %s (%s)", n.Path, n.Verdict, n.Detail)
		}
		for _, c := range n.Cells {
			if c.Verdict != runner.OK && (c.Exercise == "" || c.Verdict != runner.NotPassed) {
				t.Errorf("%s: cell %s is %s (%s)", n.Path, c.ID, c.Verdict, c.Detail)
			}
		}
		nb := must.Get(nbformat.ReadFile(n.Files[0]))(t)
		for _, fault := range untouchedFaults(nb) {
			t.Errorf("%s: %s", n.Path, fault)
		}
	}
}

// untouchedFaults says what in the outputs of an untouched notebook should not be
// there, or is missing.
func untouchedFaults(nb *nbformat.Notebook) []string {
	var faults []string
	for _, c := range nb.Cells {
		if c.Type != nbformat.Code {
			continue
		}
		text := ""
		for _, o := range c.Outputs {
			if name, _ := o.Stream(); name == "stderr" || o.Type() == "error" {
				faults = append(faults, fmt.Sprintf("cell %s shows red: %v", c.ID, o))
			}
			for _, mime := range []string{"text/plain", "text/markdown"} {
				if s, ok := o.Data(mime).(string); ok {
					text += s
				}
			}
		}
		role := nbformat.Own(c.Metadata)["role"]
		want := map[any]string{"explore": "This cell needs your ", "hint": "This exercise has ", "check": "not attempted yet"}[role]
		switch {
		case !strings.Contains(text, want):
			faults = append(faults, fmt.Sprintf("cell %s says %q, want %q", c.ID, text, want))
		case want == "" && text != "":
			faults = append(faults, fmt.Sprintf("cell %s says %q", c.ID, text))
		case strings.Contains(text, "**Hint"):
			faults = append(faults, "a hint is given away")
		}
	}
	return faults
}
