package nbgrader

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/kerneltest"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbformat"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/runner"
)

// TestPointsOfARun runs notebooks through the kernel as nbgrader's autograde does, with
// its variable in the environment, and counts points by its rule.
func TestPointsOfARun(t *testing.T) {
	kernel := kerneltest.Kernel(t)
	t.Setenv("NBGRADER_EXECUTION", "autograde")
	e := list(t, "prml-4.25")[0]
	const right = "return lambda * lambda"
	for _, tt := range []struct {
		name   string
		change func(source string) string
		want   func(got, most float64) bool
	}{
		{"the reference answer", func(s string) string { return s }, func(got, most float64) bool { return got == most && most == 3 }},
		{"the stub", func(s string) string { return must.Get(clear(s))(t) }, func(got, _ float64) bool { return got == 0 }},
		{"does not compile", func(s string) string { return strings.Replace(s, right, "return lamda", 1) }, func(got, _ float64) bool { return got == 0 }},
		{"panics", func(s string) string { return strings.Replace(s, right, `panic("no")`, 1) }, func(got, _ float64) bool { return got == 0 }},
		{"partly right", func(s string) string { return strings.Replace(s, right, "return lambda", 1) }, func(got, most float64) bool { return 0 < got && got < most }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			nb := must.Get(Source(e, checks()[e.ID], 1))(t)
			c := nb.Cell("prml-4-25-stub")
			before := c.Source
			if c.Source = tt.change(before); (c.Source == before) != (tt.name == "the reference answer") {
				t.Fatal("the answer was not changed")
			}
			dir := t.TempDir()
			file := filepath.Join(dir, "one.ipynb")
			must.Do(t, nb.WriteFile(file))
			must.Get(runner.Run(t.Context(), []string{file}, runner.Options{Kernel: kernel, Out: filepath.Join(dir, "out"), Timeout: time.Minute}))(t)
			done := must.Get(nbformat.ReadFile(filepath.Join(dir, "out", "one.ipynb")))(t)
			if got, most := points(done); !tt.want(got, most) {
				t.Errorf("%g of %g points", got, most)
			}
		})
	}
}
