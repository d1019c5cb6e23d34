package doctor

import (
	"bytes"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/grading"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/kerneltest"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
)

// healthyMachine returns a machine on which every check succeeds.
func healthyMachine() Machine {
	files := map[string]string{
		"/repo/go.mod":                                  "module m\n\ngo 1.26.0\n",
		"/repo/docker/tools/go.mod":                     "require (\n\tgithub.com/janpfeifer/gonb v0.11.4 // indirect\n\tgolang.org/x/tools v0.35.1\n\tgolang.org/x/tools/gopls v0.20.0\n)\n",
		"/tools/share/jupyter/kernels/gonb/kernel.json": `{"argv": ["/tools/bin/gonb", "--kernel", "{connection_file}", "-go_work=/repo"], "env": {"PATH": "/tools/gowrap:${PATH}"}}`,
	}
	versions := map[string]string{"/tools/bin/gonb": "v0.11.4", "/tools/bin/gopls": "v0.20.0",
		"/tools/bin/goimports": "v0.35.1"}
	return Machine{
		Root: "/repo", Tools: "/tools", Temp: "/tmp",
		LookPath: func(p string) (string, error) { return "/bin/" + strings.TrimPrefix(p, "/"), nil },
		Output: func(p string, args ...string) (string, error) {
			if strings.HasSuffix(p, "go") {
				return "go1.26.8", nil
			}
			return "fine", nil
		},
		ReadFile: func(p string) ([]byte, error) {
			if text, ok := files[p]; ok {
				return []byte(text), nil
			}
			return nil, os.ErrNotExist
		},
		Version: func(p string) (string, error) {
			if v, ok := versions[p]; ok {
				return v, nil
			}
			return "", os.ErrNotExist
		},
		FindPython: func() (string, error) { return "/usr/bin/python3", nil },
		CanRun:     func(string) error { return nil },
		CanWrite:   func(string) error { return nil },
		RunCell:    func() (time.Duration, error) { return time.Second, nil },
		Confines:   func() error { return nil },
		Bound:      func() bool { return true },
		Groups:     func() (*grading.Groups, error) { return &grading.Groups{Dir: "/cgroup"}, nil },
	}
}

func TestExamine(t *testing.T) {
	lack := errors.New("not there")
	write := func(allowed func(folder string) bool) func(folder string) error {
		return func(folder string) error {
			if allowed(folder) {
				return nil
			}
			return lack
		}
	}
	lookup := func(m *Machine, without ...string) {
		m.LookPath = func(p string) (string, error) {
			for _, w := range without {
				if p == w {
					return "", lack
				}
			}
			return "/bin/" + p, nil
		}
	}
	file := func(m *Machine, path, text string) {
		read := m.ReadFile
		m.ReadFile = func(p string) ([]byte, error) {
			if p == path {
				return []byte(text), nil
			}
			return read(p)
		}
	}
	without := func(read func(string) ([]byte, error), path string) func(string) ([]byte, error) {
		return func(p string) ([]byte, error) {
			if p == path {
				return nil, lack
			}
			return read(p)
		}
	}
	const spec = "/tools/share/jupyter/kernels/gonb/kernel.json"
	tests := []struct {
		name    string
		edit    func(m *Machine)
		finding string // name of the first finding that is not Present; "" if all are Present
		status  Status
		found   string
		remedy  string
		well    bool
	}{
		{name: "well", edit: func(*Machine) {}, well: true},
		{"no go", func(m *Machine) { lookup(m, "go") }, "go", Missing, "PATH", "Go 1.26.0 or newer", false},
		{"old go", func(m *Machine) { m.Output = func(string, ...string) (string, error) { return "go1.25.9", nil } },
			"go", Mismatched, "go1.25.9", "1.26.0", false},
		{"experimental go", func(m *Machine) {
			m.Output = func(string, ...string) (string, error) { return "go1.27rc1 X:jsonv2", nil }
		}, "", "", "", "", true},
		{"go of a commit", func(m *Machine) {
			m.Output = func(string, ...string) (string, error) { return "devel go1.27-0a1b2c3", nil }
		}, "", "", "", "", true},
		{"go does not work",
			func(m *Machine) { m.Output = func(string, ...string) (string, error) { return "", lack } }, "go",
			Mismatched, "does not work", "reinstall Go", false},
		{"no list of tools", func(m *Machine) { m.ReadFile = without(m.ReadFile, "/repo/docker/tools/go.mod") },
			"kernel tools", Missing, "not there", "complete copy", false},
		{"no gonb", func(m *Machine) { m.Tools = "/empty" }, "gonb", Missing, "/empty/bin/gonb", "make setup", false},
		{"old gonb", func(m *Machine) { m.Version = func(string) (string, error) { return "v0.11.3", nil } }, "gonb",
			Mismatched, "want v0.11.4", "make setup", false},
		{"gonb not pinned", func(m *Machine) { file(m, "/repo/docker/tools/go.mod", "module x\n") }, "gonb", Mismatched,
			"does not require", "restore", false},
		{"no python", func(m *Machine) { m.FindPython = func() (string, error) { return "", lack } },
			"python, nbclient", Missing, "not there", "setup.sh packages", false},
		{"no kernel", func(m *Machine) { m.ReadFile = without(m.ReadFile, spec) }, "kernel", Missing, spec,
			"make setup", false},
		{"kernel's file is empty", func(m *Machine) { file(m, spec, "{}") }, "kernel", Mismatched,
			"does not describe a Jupyter kernel", "delete this file", false},
		{"the kernel's gonb is missing", func(m *Machine) { lookup(m, "/tools/bin/gonb") }, "kernel", Mismatched,
			"/tools/bin/gonb", "make setup", false},
		{"repository was moved", func(m *Machine) {
			file(m, spec, `{"argv": ["/tools/bin/gonb", "-go_work=/repo-old"], "env": {"PATH": "/tools/gowrap:"}}`)
		}, "kernel", Mismatched, "serves the checkout /repo-old, not /repo", "make setup", false},
		{"the kernel names no checkout", func(m *Machine) { file(m, spec, `{"argv": ["/tools/bin/gonb"]}`) }, "kernel",
			Mismatched, "names no checkout, want /repo", "make setup", false},
		{"the go command for cells is missing", func(m *Machine) {
			m.Output = func(p string, _ ...string) (string, error) {
				if p == "/tools/gowrap/go" {
					return "exec: not found", lack
				}
				return "go1.26.8", nil
			}
		}, "kernel", Mismatched, "/tools/gowrap", "make setup", false},
		{"programs cannot run from the temporary folder",
			func(m *Machine) { m.CanRun = func(string) error { return lack } }, "temporary folder", Mismatched,
			"not there", "TMPDIR", false},
		// The fake go command in this test always prints go1.26.8, whatever its arguments are.
		// Therefore the report even shows go1.26.8 as the path of the cache.
		{"cache not writable", func(m *Machine) { m.CanWrite = write(func(f string) bool { return f != "go1.26.8" }) },
			"build cache", Mismatched, "not there", "GOCACHE", false},
		{"repository not writable",
			func(m *Machine) { m.CanWrite = write(func(f string) bool { return f != "/repo" }) }, "repository",
			Mismatched, "not there", "writable", true},
		{"a cell fails", func(m *Machine) {
			m.RunCell = func() (time.Duration, error) { return 0, errors.New("CompileError: no module") }
		}, "a cell", Mismatched, "no module", "setup.sh warm", false},
		{"no notebook server", func(m *Machine) { lookup(m, "jupyter-lab", "jupyter-notebook") }, "notebook server",
			Missing, "neither", "make lab", true},
		{"docker without an engine", func(m *Machine) {
			lookup(m, "podman", "buildah")
			m.Output = func(p string, _ ...string) (string, error) {
				if p == "/bin/docker" {
					return "", lack
				}
				return "go1.26.8", nil
			}
		}, "image builder", Missing, "engine may not be running", "make image", true},
		{"no bubblewrap", func(m *Machine) { lookup(m, "bwrap") }, "sandbox for answers", Missing, "bwrap",
			"setup.sh packages", true},
		{"no namespaces",
			func(m *Machine) { m.Confines = func() error { return errors.New("Creating new namespace\nfailed") } },
			"sandbox for answers", Mismatched, "Creating new namespace failed", "userns", true},
		{"no prlimit", func(m *Machine) { lookup(m, "prlimit") }, "limits of answers", Missing, "prlimit", "util-linux",
			true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := healthyMachine()
			tt.edit(&m)
			r := Examine(m)
			if r.Well != tt.well {
				t.Errorf("Well = %t, want %t", r.Well, tt.well)
			}
			var bad Finding
			if i := slices.IndexFunc(r.Findings, func(f Finding) bool { return f.Status != Present }); i >= 0 {
				bad = r.Findings[i]
			}
			if bad.Name != tt.finding || bad.Status != tt.status || !strings.Contains(bad.Found, tt.found) ||
				!strings.Contains(bad.Remedy, tt.remedy) {
				t.Errorf("got %+v as the first finding that is not Present, want the finding %q (\"\" means that all must be Present) with the status %q, %q in Found and %q in Remedy",
					bad, tt.finding, tt.status, tt.found, tt.remedy)
			}
			var table bytes.Buffer
			must.Do(t, r.WriteTable(&table))
			if bad.Remedy != "" {
				must.Contain(t, table.String(), "→ "+bad.Remedy)
			}
		})
	}
}

// TestLimitsAreSaid checks that the report names the limits that apply to each process, and the
// limits that a cgroup sets for a whole answer. The report must also say whether prlimit limits the
// number of an answer's processes.
func TestLimitsAreSaid(t *testing.T) {
	for _, tt := range []struct {
		groups *grading.Groups
		err    error
		want   string
	}{
		{nil, errors.New("read-only file system"), "no cgroup can be made (read-only file system)"},
		{&grading.Groups{Dir: "/g", First: map[string]string{"pids": "/p", "memory": "/m"}}, nil,
			"limits per answer (cgroups of version 1): memory, pids"},
		{&grading.Groups{Dir: "/g"}, nil, "a cgroup in /g lets the judge end all processes of an answer together, but limits nothing"},
		{&grading.Groups{Dir: "/g", Controllers: []string{"memory", "pids"}}, nil,
			"limits per answer (a cgroup in /g): memory, pids; the judge ends"},
	} {
		m := healthyMachine()
		m.Groups = func() (*grading.Groups, error) { return tt.groups, tt.err }
		if _, found, _ := m.checkLimits(); !strings.Contains(found, "limits per answer (prlimit): processes;") {
			t.Errorf("got the limits %q, want a limit on the number of processes", found)
		}
		m.Bound = func() bool { return false }
		if _, found, _ := m.checkLimits(); !strings.Contains(found, "prlimit does not limit the number of processes") {
			t.Errorf("got the limits %q, want no limit by prlimit on the number of processes", found)
		}
		if status, found, _ := m.checkLimits(); status != Present || !strings.Contains(found, tt.want) || !strings.Contains(found, "limits per process (prlimit): processor time") {
			t.Errorf("got the status %s and the limits %q, want Present, the processor time per process, and limits that contain %q",
				status, found, tt.want)
		}
	}
}

func TestColdCacheIsSaid(t *testing.T) {
	m := healthyMachine()
	m.RunCell = func() (time.Duration, error) { return 25 * time.Second, nil }
	if status, found, _ := m.cell(); status != Present || !strings.Contains(found, "cold") {
		t.Errorf("got the status %s and the text %q; want Present and text that says that the cache was cold", status, found)
	}
}

// TestThisMachine checks that Examine finds everything that notebooks need on the machine that runs
// the test. The test is skipped if the kernel is not installed.
func TestThisMachine(t *testing.T) {
	kerneltest.Kernel(t)
	m := must.Get(ThisMachine("."))(t)
	if r := Examine(m); !r.Well {
		t.Errorf("got the findings %+v, want Present for everything that notebooks need", r.Findings)
	}
}

func TestCanRun(t *testing.T) {
	must.Do(t, canRun(t.TempDir()))
	must.Fail(t, canRun(t.TempDir()+"/nothing"), "/nothing")
}
