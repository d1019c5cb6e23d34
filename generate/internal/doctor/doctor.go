// Package doctor checks whether this machine has everything that notebooks need, and reports each
// problem with its fix.
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
	Remedy string `json:"remedy,omitempty"` // how to fix it, unless present
	Needed bool   `json:"needed"`           // false: required only for the purpose that Found or Remedy states
}

// Report lists all findings; later ones build on earlier ones.
type Report struct {
	Schema   string    `json:"schema"` // "hyperplane-doctor/1"
	Well     bool      `json:"well"`   // everything needed is present
	Findings []Finding `json:"findings"`
}

// A check examines one requirement. It returns the status, what was found and, unless the status is
// Present, the remedy.
type check struct {
	name    string
	needed  bool
	examine func() (status Status, found, remedy string)
}

// Examine runs all checks. It runs a cell only if everything that the cell needs is present.
func Examine(m Machine) Report {
	installed := !cell.InClone(m.Root)
	r := Report{Schema: "hyperplane-doctor/1", Well: true}
	add := func(checks ...check) {
		for _, c := range checks {
			status, found, remedy := c.examine()
			if installed && (remedy == runSetup || remedy == completeCopy) {
				remedy = cell.Clone + ", for notebooks in Jupyter"
			}
			r.Findings = append(r.Findings, Finding{c.name, status, found, remedy, c.needed})
			r.Well = r.Well && (status == Present || !c.needed)
		}
	}
	add(check{"go", true, m.goRelease})
	add(m.tools()...)
	add(check{"python, nbclient", true, m.python}, check{"kernel", true, m.kernel})
	add(m.folders()...)
	runs := m.cell
	if !r.Well {
		runs = func() (Status, string, string) {
			return Missing, "not tried because of a problem above", "fix the problems above first"
		}
	}
	add(check{"a cell", true, runs}, check{"notebook server", false, m.lab}, check{"image builder", false, m.image},
		check{"sandbox for answers", false, m.sandbox}, check{"limits of answers", false, m.limits})
	return r
}

// WriteTable writes a line per finding, the remedy below it.
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
		last = "Notebooks need something that is missing or broken: follow the arrows from the top."
	}
	_, err := fmt.Fprintln(w, last)
	return err
}

// A Machine is the doctor's view of a machine; tests make their own.
type Machine struct {
	Root  string // the repository
	Tools string // the folder that docker/setup.sh fills
	Temp  string // folder for temporary files

	LookPath   func(program string) (string, error)
	Output     func(program string, args ...string) (string, error) // trimmed output of a program
	ReadFile   func(path string) ([]byte, error)
	Version    func(program string) (string, error) // version of the module that a Go program was built from
	FindPython func() (string, error)
	CanRun     func(folder string) error // writes a program there and runs it
	CanWrite   func(folder string) error
	RunCell    func() (time.Duration, error)
	Confines   func() error                    // returns an error if answers cannot be confined
	Bound      func() bool                     // whether the number of an answer's processes is limited
	Groups     func() (*grading.Groups, error) // cgroups available for answers
}

// ThisMachine returns the machine this program runs on, with the repository that contains dir.
func ThisMachine(dir string) (Machine, error) {
	root, err := cell.FindRoot(dir)
	if err != nil {
		return Machine{}, err
	}
	tools, err := runner.FindTools(dir)
	if err != nil {
		return Machine{}, err
	}
	return Machine{
		Root: root, Tools: tools, Temp: os.TempDir(),
		LookPath: exec.LookPath, Output: output, ReadFile: os.ReadFile, Version: moduleVersion,
		FindPython: runner.FindPython, CanRun: canRun, CanWrite: canWrite,
		RunCell:  func() (time.Duration, error) { return runCell(dir) },
		Confines: func() error { return grading.Confines(context.Background()) },
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

// moduleVersion reads the version that the linker wrote into the program: `gonb -V` does not print
// the version it was built from.
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

// runCell runs one cell through the kernel and returns how long that took, including the start of
// the kernel.
func runCell(dir string) (time.Duration, error) {
	kernel, err := runner.FindKernel(dir)
	if err != nil {
		return 0, err
	}
	began := time.Now()
	err = runner.Probe(context.Background(), kernel)
	return time.Since(began), err
}
