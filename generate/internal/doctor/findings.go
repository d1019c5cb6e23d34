package doctor

import (
	"cmp"
	"encoding/json"
	"fmt"
	"go/version"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/runner"
)

const (
	runSetup     = "run `make setup`"
	completeCopy = "start the command inside a complete copy of the repository"
)

// checkGo compares the version of the go command with the version in go.mod.
func (m Machine) checkGo() (status Status, found, remedy string) {
	mod, err := m.ReadFile(filepath.Join(m.Root, "go.mod"))
	want := regexp.MustCompile(`(?m)^go (\S+)`).FindSubmatch(mod)
	if err != nil || want == nil {
		return Missing, "no go line in " + filepath.Join(m.Root, "go.mod"), completeCopy
	}
	path, err := m.LookPath("go")
	if err != nil {
		return Missing, "the go command is not in PATH", fmt.Sprintf("install Go %s or newer from https://go.dev/dl/", want[1])
	}
	have, err := m.Output(path, "env", "GOVERSION")
	if err != nil {
		return Mismatched, fmt.Sprintf("%s does not work: %v", path, err), "reinstall Go from https://go.dev/dl/"
	}
	// GOVERSION can have a suffix, as in "go1.26.8 X:experiment", or name a commit, as in
	// "devel go1.27-0a1b2c3".
	have, _, _ = strings.Cut(strings.TrimPrefix(have, "devel "), " ")
	if version.Compare(have, "go"+string(want[1])) < 0 {
		return Mismatched, fmt.Sprintf("%s is %s", path,
			have), fmt.Sprintf("install Go %s or newer from https://go.dev/dl/", want[1])
	}
	return Present, have + " (" + path + ")", ""
}

// pinnedPrograms lists the programs for which docker/tools/go.mod requires a fixed version. For
// each program, it names the module.
var pinnedPrograms = []struct {
	program, module string
	needed          bool
	remedy          string
}{
	{"gonb", "github.com/janpfeifer/gonb", true, runSetup},
	{"goimports", "golang.org/x/tools", true, runSetup},
	{"gopls", "golang.org/x/tools/gopls", false, "needed only for name completion: run `docker/setup.sh lab`"},
}

func (m Machine) tools() (checks []check) {
	mod, err := m.ReadFile(filepath.Join(cmp.Or(m.Toolkit, m.Root), "docker", "tools", "go.mod"))
	if err != nil {
		return []check{{"kernel tools", true,
			func() (Status, string, string) { return Missing, err.Error(), completeCopy }}}
	}
	for _, p := range pinnedPrograms {
		checks = append(checks, check{p.program, p.needed, func() (Status, string, string) {
			pin := regexp.MustCompile(`(?m)^\s*(?:require )?` + regexp.QuoteMeta(p.module) +
				` (v\S+)`).FindSubmatch(mod)
			path := filepath.Join(m.Tools, "bin", p.program)
			have, err := m.Version(path)
			switch {
			case pin == nil:
				return Mismatched, "docker/tools/go.mod does not require " + p.module, "restore docker/tools/go.mod"
			case err != nil:
				return Missing, path + " is missing or is not a Go program", p.remedy
			case have != string(pin[1]):
				return Mismatched, fmt.Sprintf("%s is %s, want %s", path, have, pin[1]), p.remedy
			}
			return Present, have, ""
		}})
	}
	return checks
}

// versionsScript is a Python program that prints the versions of Python and of the packages that
// run a notebook.
const versionsScript = `
import sys, nbclient, nbformat, jupyter_client as client
print("python %d.%d" % sys.version_info[:2], "nbclient", nbclient.__version__, "nbformat", nbformat.__version__,
      "jupyter_client", client.__version__)`

func (m Machine) python() (status Status, found, remedy string) {
	path, err := m.FindPython()
	if err != nil {
		return Missing, err.Error(), "run `docker/setup.sh packages`, which installs the packages or lists them"
	}
	versions, err := m.Output(path, "-c", versionsScript)
	if err != nil {
		return Mismatched, fmt.Sprintf("%s: %s", path,
			lastLine(versions)), "run `docker/setup.sh packages`, or set HYPERPLANE_PYTHON to the path of a different python"
	}
	return Present, versions + " (" + path + ")", ""
}

// checkKernel checks the file kernel.json of the kernel. The file must name this repository and a
// program that exists. The go command in the first folder of the kernel's PATH must work.
func (m Machine) checkKernel() (status Status, found, remedy string) {
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
		return Mismatched, path + " does not describe a Jupyter kernel", "delete this file and " + runSetup
	}
	if _, err := m.LookPath(spec.Argv[0]); err != nil {
		return Mismatched, "the kernel starts " + spec.Argv[0] + ", which does not exist (was the repository moved?)", runSetup
	}
	if other := runner.OtherCheckout(text, m.Root); other != "" {
		return Mismatched, other + " (was the repository moved or copied?)", runSetup + " in " + m.Root
	}
	first, _, _ := strings.Cut(spec.Env["PATH"], ":")
	if got, err := m.Output(filepath.Join(first, "go"), "env", "GOVERSION"); err != nil {
		return Mismatched, fmt.Sprintf("the go command for cells, in %q, does not work: %s", first, lastLine(got)), runSetup
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
	add("temporary folder", true, m.Temp, m.CanRun,
		"the kernel writes programs to this folder and runs them: set TMPDIR to a folder where programs can be written and run")
	if cache, err := m.Output("go", "env", "GOCACHE"); err == nil {
		add("build cache", true, cache, m.CanWrite, "make the folder writable, or set GOCACHE to a writable folder")
	}
	// The repository may be read-only, as in a container image. Only some commands need to write to
	// the repository.
	add("repository", false, m.Root, m.CanWrite,
		"make the repository writable, because `make demo`, `make test` and `make lab` write to its folders .tools, out and work")
	return checks
}

// slowCell distinguishes a cold from a warm build cache. If doctor's cell takes longer, doctor assumes
// that the cache did not yet contain the packages of the cell. If the cache contains these packages,
// the kernel and the cell together need only one or two seconds.
const slowCell = 10 * time.Second

func (m Machine) cell() (status Status, found, remedy string) {
	took, err := m.RunCell()
	switch {
	case err != nil:
		return Mismatched, err.Error(), "run `docker/setup.sh warm`; its output contains the details"
	case took > slowCell:
		return Present, fmt.Sprintf("ran in %.0f s, because the build cache was cold; now the cache is warm",
			took.Seconds()), ""
	}
	return Present, fmt.Sprintf("ran in %.1f s, including kernel start-up; the build cache is warm",
		took.Seconds()), ""
}

func (m Machine) lab() (status Status, found, remedy string) {
	for _, program := range []string{"jupyter-lab", "jupyter-notebook"} {
		if path, err := m.LookPath(program); err == nil {
			return Present, path, ""
		}
	}
	return Missing, "neither jupyter-lab nor jupyter-notebook is in PATH", "needed only for `make lab`: install jupyter-notebook, or JupyterLab"
}

// checkImageBuilder looks for a program that can build the image. It also checks that the container
// engine is running, because a docker client cannot build an image without the engine.
func (m Machine) checkImageBuilder() (status Status, found, remedy string) {
	var tried []string
	for _, b := range [][]string{{"docker", "version"}, {"podman", "info"}, {"buildah", "version"}} {
		path, err := m.LookPath(b[0])
		if err != nil {
			continue
		}
		if _, err := m.Output(path, b[1:]...); err == nil {
			return Present, path, ""
		}
		tried = append(tried, b[0]+" is installed, but does not work; if it needs an engine, the engine may not be running")
	}
	return Missing, cmp.Or(strings.Join(tried, "; "),
		"docker, podman and buildah are not in PATH"), "needed only for `make image`: start docker or podman, or install buildah as root"
}

func lastLine(s string) string {
	s = strings.TrimSpace(s)
	return s[strings.LastIndexByte(s, '\n')+1:]
}

// checkSandbox checks whether this machine can run learners' answers in isolation.
func (m Machine) checkSandbox() (status Status, found, remedy string) {
	if _, err := m.LookPath("bwrap"); err != nil {
		return Missing, "bubblewrap (bwrap) is not on the PATH", "needed only for the command `grade`: run `docker/setup.sh packages`"
	}
	if err := m.Confines(); err != nil {
		return Mismatched, fmt.Sprintf("bubblewrap does not work: %v", strings.Join(strings.Fields(err.Error()), " ")),
			"needed only for the command `grade`: allow users to make namespaces (sysctl kernel.unprivileged_userns_clone=1; for a container, use an option of the container engine)"
	}
	return Present, "bubblewrap: each answer runs as a separate user and sees only the files of the system, no network and no other processes", ""
}

// checkLimits reports which limits apply to answers on this machine. Limits per process need only
// the program prlimit. A cgroup limits all processes of an answer together.
func (m Machine) checkLimits() (status Status, found, remedy string) {
	if _, err := m.LookPath("prlimit"); err != nil {
		return Missing, "prlimit is not on the PATH", "needed only for the commands grade and check: install util-linux"
	}
	process := "limits per process (prlimit): processor time, data, file size; limits per answer (judge): wall-clock time"
	if m.Bound() {
		process = "limits per answer (prlimit): processes; " + process
	} else {
		process += "; prlimit does not limit the number of processes, because answers run as root (allow root to make namespaces, or run generate as a different user)"
	}
	g, err := m.Groups()
	switch {
	case err != nil:
		return Present, fmt.Sprintf("%s; no cgroup can be made (%s)", process,
			strings.Join(strings.Fields(err.Error()), " ")), ""
	case len(g.First) > 0:
		first := strings.Join(slices.Sorted(maps.Keys(g.First)), ", ")
		return Present, fmt.Sprintf("%s; limits per answer (cgroups of version 1): %s", process, first), ""
	case len(g.Controllers) == 0:
		return Present, fmt.Sprintf("%s; a cgroup in %s lets the judge end all processes of an answer together, "+
			"but limits nothing, because it has no controllers", process, g.Dir), ""
	}
	return Present, fmt.Sprintf("%s; limits per answer (a cgroup in %s): %s; the judge ends all processes of an answer together", process, g.Dir,
		strings.Join(g.Controllers, ", ")), ""
}
