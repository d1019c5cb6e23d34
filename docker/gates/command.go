package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// command returns a command that runs in the environment of this project and writes its output to
// s.w. The command runs in a separate process group. When the session's context ends, the whole
// group is killed.
func (s *session) command(env []string, name string, args ...string) *exec.Cmd {
	if path, err := s.lookPath(name); err == nil && !strings.Contains(name, "/") {
		name = path
	}
	cmd := exec.CommandContext(s.ctx, name, args...)
	cmd.Dir = s.dir
	cmd.Env = append(os.Environ(), "GOTOOLCHAIN=local", "GOFLAGS=-buildvcs=false", "PATH="+s.searchPath())
	cmd.Env = append(cmd.Env, env...)
	cmd.Stdout, cmd.Stderr = s.w, s.w
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	// A child process of the command can keep the pipe of its output open after the command has
	// ended. WaitDelay is the longest time to wait for such a process.
	cmd.WaitDelay = 10 * time.Second
	return cmd
}

// runCommand runs a command, and returns an error if the command fails.
func (s *session) runCommand(name string, args ...string) error {
	return s.runWithEnv(nil, name, args...)
}

func (s *session) runWithEnv(env []string, name string, args ...string) error {
	if err := s.command(env, name, args...).Run(); err != nil {
		return fmt.Errorf("%s %s: %w", name, strings.Join(args[:min(2, len(args))], " "), err)
	}
	return nil
}

// commandOutput runs a command and returns its standard output.
func (s *session) commandOutput(name string, args ...string) (string, error) {
	var out bytes.Buffer
	cmd := s.command(nil, name, args...)
	cmd.Stdout = &out
	err := cmd.Run()
	return out.String(), err
}

func (s *session) lookPath(name string) (string, error) {
	for _, dir := range filepath.SplitList(s.searchPath()) {
		if path, err := exec.LookPath(filepath.Join(dir, name)); err == nil {
			return path, nil
		}
	}
	return "", exec.ErrNotFound
}

// searchPath returns the value of the variable PATH for commands. The folder of the project's tools
// comes first. The folders /usr/sbin and /sbin, which contain programs such as servers, come last.
func (s *session) searchPath() string {
	return strings.Join([]string{filepath.Join(s.root, ".tools", "bin"), os.Getenv("PATH"), "/usr/sbin", "/sbin"},
		string(filepath.ListSeparator))
}

// inFolder returns a copy of s that runs its commands in the folder dir.
func (s *session) inFolder(dir string) *session {
	inner := *s
	inner.dir = dir
	return &inner
}

// exitCode returns the exit status of the program that caused err. If err is nil, it returns 0. If
// no program caused err, or if a signal ended the program, it returns −1.
func exitCode(err error) int {
	if err == nil {
		return 0
	}
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exit.ExitCode()
	}
	return -1
}

func errIf(bad bool, text string) error {
	if bad {
		return errors.New(text)
	}
	return nil
}
