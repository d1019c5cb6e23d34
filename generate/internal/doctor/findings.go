package doctor

import (
	"cmp"
	"encoding/json"
	"fmt"
	"go/version"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/runner"
)

const (
	runSetup     = "run `make setup`"
	completeCopy = "start this inside a complete copy of the repository"
)

// goRelease compares the go command with the go line of go.mod.
func (m Machine) goRelease() (status Status, found, remedy string) {
	mod, err := m.ReadFile(filepath.Join(m.Root, "go.mod"))
	want := regexp.MustCompile(`(?m)^go (\S+)`).FindSubmatch(mod)
	if err != nil || want == nil {
		return Missing, "no go line in " + filepath.Join(m.Root, "go.mod"), completeCopy
	}
	path, err := m.LookPath("go")
	if err != nil {
		return Missing, "no go in PATH", fmt.Sprintf("install Go %s or newer from https://go.dev/dl/", want[1])
	}
	have, err := m.Output(path, "env", "GOVERSION")
	if err != nil {
		return Mismatched, fmt.Sprintf("%s does not work: %v", path, err), "install Go anew from https://go.dev/dl/"
	}
	have, _, _ = strings.Cut(have, " ") // "go1.26.8 X:experiment"
	if version.Compare(have, "go"+string(want[1])) < 0 {
		return Mismatched, fmt.Sprintf("%s is %s", path, have), fmt.Sprintf("install Go %s or newer from https://go.dev/dl/", want[1])
	}
	return Present, have + " (" + path + ")", ""
}

// pinned are the programs of docker/tools/go.mod and the modules they come from.
var pinned = []struct {
	program, module string
	needed          bool
	remedy          string
}{
	{"gonb", "github.com/janpfeifer/gonb", true, runSetup},
	{"goimports", "golang.org/x/tools", true, runSetup},
	{"gopls", "golang.org/x/tools/gopls", false, "for the completion of names alone: run `docker/setup.sh lab`"},
}

func (m Machine) tools() (checks []check) {
	mod, err := m.ReadFile(filepath.Join(m.Root, "docker", "tools", "go.mod"))
	if err != nil {
		return []check{{"kernel tools", true, func() (Status, string, string) { return Missing, err.Error(), completeCopy }}}
	}
	for _, p := range pinned {
		checks = append(checks, check{p.program, p.needed, func() (Status, string, string) {
			pin := regexp.MustCompile(`(?m)^\s*(?:require )?` + regexp.QuoteMeta(p.module) + ` (v\S+)`).FindSubmatch(mod)
			path := filepath.Join(m.Tools, "bin", p.program)
			have, err := m.Version(path)
			switch {
			case pin == nil:
				return Mismatched, "docker/tools/go.mod does not require " + p.module, "restore docker/tools/go.mod"
			case err != nil:
				return Missing, "no program " + path, p.remedy
			case have != string(pin[1]):
				return Mismatched, fmt.Sprintf("%s is %s, pinned is %s", path, have, pin[1]), p.remedy
			}
			return Present, have, ""
		}})
	}
	return checks
}

// modules prints what the python has of what running a notebook takes.
const modules = `
import sys, nbclient, nbformat, jupyter_client as client
print("python %d.%d" % sys.version_info[:2], "nbclient", nbclient.__version__, "nbformat", nbformat.__version__,
      "jupyter_client", client.__version__)`

func (m Machine) python() (status Status, found, remedy string) {
	path, err := m.FindPython()
	if err != nil {
		return Missing, err.Error(), "run `docker/setup.sh packages`, which installs the packages or says which"
	}
	versions, err := m.Output(path, "-c", modules)
	if err != nil {
		return Mismatched, fmt.Sprintf("%s: %s", path, lastLine(versions)), "run `docker/setup.sh packages`, or set HYPERPLANE_PYTHON to another python"
	}
	return Present, versions + " (" + path + ")", ""
}

// kernel checks that the kernel's file points to this repository and to programs
// that are there.
func (m Machine) kernel() (status Status, found, remedy string) {
	path := filepath.Join(m.Tools, "share", "jupyter", "kernels", "gonb", "kernel.json")
	text, err := m.ReadFile(path)
	if err != nil {
		return Missing, "no " + path, runSetup
	}
	var spec struct {
		Argv []string          `json:"argv"`
		Env  map[string]string `json:"env"`
	}
	if err := json.Unmarshal(text, &spec); err != nil || len(spec.Argv) == 0 {
		return Mismatched, path + " is no kernel's file", "delete it and " + runSetup
	}
	if _, err := m.LookPath(spec.Argv[0]); err != nil {
		return Mismatched, "it starts " + spec.Argv[0] + ", which is not there (was the repository moved?)", runSetup
	}
	if other := runner.OtherCheckout(text, m.Root); other != "" {
		return Mismatched, other + " (was the repository moved or copied?)", runSetup + " in " + m.Root
	}
	first, _, _ := strings.Cut(spec.Env["PATH"], ":")
	if got, err := m.Output(filepath.Join(first, "go"), "env", "GOVERSION"); err != nil {
		return Mismatched, fmt.Sprintf("the go of its cells, in %q, does not work: %s", first, lastLine(got)), runSetup
	}
	return Present, path, ""
}

func (m Machine) folders() (checks []check) {
	add := func(name string, needed bool, folder string, allowed func(string) error, remedy string) {
		checks = append(checks, check{name, needed, func() (Status, string, string) {
			if err := allowed(folder); err != nil {
				return Mismatched, err.Error(), remedy
			}
			return Present, folder, ""
		}})
	}
	add("temporary folder", true, m.Temp, m.CanRun, "cells are programs that are compiled to it and run from it: set TMPDIR to a folder that allows both")
	if cache, err := m.Output("go", "env", "GOCACHE"); err == nil {
		add("build cache", true, cache, m.CanWrite, "make it writable, or set GOCACHE to a folder that is")
	}
	// Only a repository that cannot be written to because it is meant so (an
	// image) does without.
	add("repository", false, m.Root, m.CanWrite, "make demo, test and lab write to .tools, out and work in it: make it writable")
	return checks
}

// slow is far above the second or two that kernel and cell take from a warm cache.
const slow = 10 * time.Second

func (m Machine) cell() (status Status, found, remedy string) {
	took, err := m.RunCell()
	switch {
	case err != nil:
		return Mismatched, err.Error(), "run `docker/setup.sh warm`; what it prints tells more"
	case took > slow:
		return Present, fmt.Sprintf("ran, after %.0f s: the build cache was cold, now it is warm", took.Seconds()), ""
	}
	return Present, fmt.Sprintf("ran in %.1f s, kernel and all: the build cache is warm", took.Seconds()), ""
}

func (m Machine) lab() (status Status, found, remedy string) {
	for _, program := range []string{"jupyter-lab", "jupyter-notebook"} {
		if path, err := m.LookPath(program); err == nil {
			return Present, path, ""
		}
	}
	return Missing, "neither jupyter-lab nor jupyter-notebook in PATH", "for `make lab` alone: install jupyter-notebook, or JupyterLab"
}

// image looks for a program that can build the image. A docker client alone
// cannot: its engine must answer.
func (m Machine) image() (status Status, found, remedy string) {
	var tried []string
	for _, b := range [][]string{{"docker", "version"}, {"podman", "info"}, {"buildah", "version"}} {
		path, err := m.LookPath(b[0])
		if err != nil {
			continue
		}
		if _, err := m.Output(path, b[1:]...); err == nil {
			return Present, path, ""
		}
		tried = append(tried, b[0]+" is there, but its engine does not answer")
	}
	return Missing, cmp.Or(strings.Join(tried, "; "), "no docker, podman or buildah"), "for `make image` alone: start docker or podman, or as root install buildah"
}

func lastLine(s string) string {
	s = strings.TrimSpace(s)
	return s[strings.LastIndexByte(s, '\n')+1:]
}
