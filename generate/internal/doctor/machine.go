package doctor

import (
	"context"
	"debug/buildinfo"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/cell"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/runner"
)

// A Machine is what the doctor sees of one; tests make their own.
type Machine struct {
	Root  string // the repository
	Tools string // what docker/setup.sh filled
	Temp  string // folder for temporary files

	LookPath   func(program string) (string, error)
	Output     func(program string, args ...string) (string, error) // what it prints, trimmed
	ReadFile   func(path string) ([]byte, error)
	Version    func(program string) (string, error) // of the module that a Go program was built from
	FindPython func() (string, error)
	CanRun     func(folder string) error // writes a program there and starts it
	CanWrite   func(folder string) error
	RunCell    func() (time.Duration, error)
}

// ThisMachine is the machine it runs on, and the repository that dir lies in.
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
		RunCell: func() (time.Duration, error) { return runCell(dir) },
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

// moduleVersion reads what the linker wrote into the program: what `gonb -V` prints is
// not the version it was built from.
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

// runCell runs one cell through the kernel and returns how long that took, kernel
// and all.
func runCell(dir string) (time.Duration, error) {
	kernel, err := runner.FindKernel(dir)
	if err != nil {
		return 0, err
	}
	began := time.Now()
	err = runner.Probe(context.Background(), kernel)
	return time.Since(began), err
}
