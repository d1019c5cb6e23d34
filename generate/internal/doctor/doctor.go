// Package doctor checks whether this machine has everything that notebooks need. It reports each
// problem with a remedy.
package doctor

import (
	"context"
	"debug/buildinfo"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/cell"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/grading"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/runner"
)

// A Status is the state of a requirement.
type Status string

const (
	Present    Status = "present"
	Missing    Status = "missing"
	Mismatched Status = "mismatched" // found, but unsuitable
)

// A Finding is the result of one check.
type Finding struct {
	Name   string `json:"name"`
	Status Status `json:"status"`
	Found  string `json:"found"`
	Remedy string `json:"remedy,omitempty"` // how to fix the problem; "" if the status is Present
	// Needed reports whether notebooks require what was checked. If they do not, and if the status is
	// not Present, Remedy says what requires it.
	Needed bool `json:"needed"`
}

// Report lists all findings. The user should fix the first problem first, because this problem can
// make later checks fail.
type Report struct {
	Schema   string    `json:"schema"` // "hyperplane-doctor/1"
	Well     bool      `json:"well"`   // true if everything that notebooks need is present
	Findings []Finding `json:"findings"`
}

// A check examines one requirement. The function examine returns the status, a description of the
// finding, and the remedy, which is "" if the status is Present.
type check struct {
	name    string
	needed  bool
	examine func() (status Status, found, remedy string)
}

// Examine runs all checks on the machine m. It runs a notebook cell only if the earlier checks have
// found everything that notebooks need.
func Examine(m Machine) Report {
	installed := !cell.InClone(m.Root)
	r := Report{Schema: "hyperplane-doctor/1", Well: true}
	add := func(checks ...check) {
		for _, c := range checks {
			status, found, remedy := c.examine()
			if installed && (remedy == runSetup || remedy == completeCopy) {
				remedy = cell.Clone + ", for notebooks in Jupyter"
			}
			if !cell.InHyperplane() && strings.Contains(remedy, runSetup) {
				remedy = cell.Setup
			}
			r.Findings = append(r.Findings, Finding{c.name, status, found, remedy, c.needed})
			r.Well = r.Well && (status == Present || !c.needed)
		}
	}
	add(check{"go", true, m.checkGo})
	add(m.tools()...)
	add(check{"python, nbclient", true, m.python}, check{"kernel", true, m.checkKernel})
	add(m.folders()...)
	runs := m.cell
	if !r.Well {
		runs = func() (Status, string, string) {
			return Missing, "not checked because of a problem in a line above", "fix the problems in the lines above first"
		}
	}
	add(check{"a cell", true, runs}, check{"notebook server", false, m.lab},
		check{"image builder", false, m.checkImageBuilder},
		check{"sandbox for answers", false, m.checkSandbox}, check{"limits of answers", false, m.checkLimits})
	return r
}

// WriteTable writes one line per finding, followed by a line with the remedy, if any. The last line
// is a summary.
func (r Report) WriteTable(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, f := range r.Findings {
		fmt.Fprintf(t, "%s\t%s\t%s\n", f.Name, f.Status, f.Found)
		if f.Remedy != "" {
			fmt.Fprintf(t, "\t\t→ %s\n", f.Remedy)
		}
	}
	if err := t.Flush(); err != nil {
		return err
	}
	last := "Everything that notebooks need is present."
	if !r.Well {
		last = "Something that notebooks need is missing or broken. Apply the remedies (→) from the top."
	}
	_, err := fmt.Fprintln(w, last)
	return err
}

// A Machine gives the checks access to a machine. Tests replace its functions.
type Machine struct {
	Root    string // folder of the repository, or of the course's module
	Toolkit string // folder of the toolkit's module; "" if the toolkit is in Root
	Tools   string // folder into which docker/setup.sh installs the tools
	Temp    string // folder for temporary files

	LookPath   func(program string) (string, error)
	Output     func(program string, args ...string) (string, error) // runs a program and returns everything that it prints, trimmed
	ReadFile   func(path string) ([]byte, error)
	Version    func(program string) (string, error) // returns the module version of a Go program
	FindPython func() (string, error)
	CanRun     func(folder string) error // returns an error unless a program written to the folder can run
	CanWrite   func(folder string) error
	RunCell    func() (time.Duration, error)
	Confines   func() error                    // returns an error if this machine cannot isolate answers
	Bound      func() bool                     // reports whether prlimit can limit the number of an answer's processes
	Groups     func() (*grading.Groups, error) // finds the cgroups below which the judge can create cgroups
}

// ThisMachine returns the machine on which this program runs. Its Root is the folder that
// cell.FindRoot returns for dir.
func ThisMachine(dir string) (Machine, error) {
	root, err := cell.FindRoot(dir)
	if err != nil {
		return Machine{}, err
	}
	tools, err := runner.FindTools(dir)
	if err != nil {
		return Machine{}, err
	}
	toolkit, err := cell.Toolkit(root)
	if err != nil {
		return Machine{}, err
	}
	return Machine{
		Root: root, Toolkit: toolkit, Tools: tools, Temp: os.TempDir(),
		LookPath: exec.LookPath, Output: output, ReadFile: os.ReadFile, Version: moduleVersion,
		FindPython: runner.FindPython, CanRun: canRun, CanWrite: canWrite,
		RunCell:  func() (time.Duration, error) { return runCell(dir) },
		Confines: func() error { return grading.CheckSandbox(context.Background()) },
		Bound:    grading.ProcessesBound,
		Groups:   grading.FindGroups,
	}, nil
}

func output(program string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.WaitDelay = time.Second
	text, err := cmd.CombinedOutput()
	return strings.TrimSpace(string(text)), err
}

// moduleVersion returns the module version that the linker stored in a Go program. `gonb -V` does
// not print this version.
func moduleVersion(program string) (string, error) {
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		return "", err
	}
	return info.Main.Version, nil
}

func canWrite(folder string) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	f, err := os.CreateTemp(folder, ".doctor-*")
	if err != nil {
		return err
	}
	_ = f.Close()
	return os.Remove(f.Name())
}

func canRun(folder string) error {
	dir, err := os.MkdirTemp(folder, "doctor-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	program := filepath.Join(dir, "program")
	if err := os.WriteFile(program, []byte("#!/bin/sh\n"), 0o755); err != nil {
		return err
	}
	return exec.Command(program).Run()
}

// runCell runs one cell through the kernel and returns the time from the start of the kernel to the
// end of the cell.
func runCell(dir string) (time.Duration, error) {
	kernel, err := runner.FindKernel(dir)
	if err != nil {
		return 0, err
	}
	began := time.Now()
	err = runner.Probe(context.Background(), kernel)
	return time.Since(began), err
}
