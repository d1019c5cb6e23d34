// Package owncourse makes a course outside this module for tests. The course is about linear
// regression and has three exercises and one lesson.
package owncourse

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/cell"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
	"github.com/hyperplane-notebooks/hyperplane/toolkit"
)

// A Module is a copy of the course in its own Go module. Dir is the folder of the module, and Program is
// the path of the course's command, which Copy and Edit build.
type Module struct{ Dir, Program string }

// Copy copies the course of generate/course/testdata/regression into a temporary folder and builds
// its command. The go.mod of the copy requires hyperplane and the same modules as the go.mod in the
// folder `root`. Its replace directive takes hyperplane from `root`.
func Copy(t testing.TB, root string) Module {
	t.Helper()
	dir := t.TempDir()
	m := Module{dir, filepath.Join(dir, "course")}
	must.Do(t, os.CopyFS(m.Dir, os.DirFS(filepath.Join(root, "generate/course/testdata/regression"))))
	mod := regexp.MustCompile(`(?m)^module .*`).ReplaceAllString(must.Read(t, filepath.Join(root, "go.mod")),
		"module example.org/course")
	must.Write(t, filepath.Join(m.Dir, "go.mod"), mod+"\nrequire "+cell.HyperplaneModule+" v0.0.0\n\nreplace "+cell.HyperplaneModule+" => "+
		root+"\n")
	must.Write(t, filepath.Join(m.Dir, "go.sum"), must.Read(t, filepath.Join(root, "go.sum")))
	m.Edit(t, "main.go", `"TOOLKIT"`, `"`+toolkit.Version+`"`)
	return m
}

// Edit changes a file of the module: it replaces the first occurrence of the text `old` with the text
// `fresh`. Then it builds the course's command.
func (m Module) Edit(t testing.TB, file, old, fresh string) {
	t.Helper()
	path := filepath.Join(m.Dir, file)
	text := must.Read(t, path)
	must.Contain(t, text, old)
	must.Write(t, path, strings.Replace(text, old, fresh, 1))
	m.RunWant(t, 0, "go", []string{"build", "-o", m.Program, "."})
}

// RunWant runs a program in the module's folder. The test fails unless the program exits with the
// given code and prints every string in `wants`.
func (m Module) RunWant(t testing.TB, code int, program string, args []string, wants ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), program, args...)
	cmd.Dir = m.Dir
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "HYPERPLANE_TOOLS=") { // without this variable, the program uses the tools in m.Dir
			cmd.Env = append(cmd.Env, v)
		}
	}
	text, err := cmd.CombinedOutput()
	if got := cmd.ProcessState.ExitCode(); got != code {
		t.Fatalf("%s %q exits with %d, want %d (error %v); it printed\n%s",
			filepath.Base(program), args, got, code, err, text)
	}
	must.Contain(t, string(text), wants...)
}

// Run runs the course's command, with arguments that are separated by spaces. See [Module.RunWant].
func (m Module) Run(t testing.TB, code int, args string, wants ...string) {
	t.Helper()
	m.RunWant(t, code, m.Program, strings.Fields(args), wants...)
}
