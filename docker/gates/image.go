package main

import (
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
)

// The gates that test the image, a hub and a Slurm cluster.

// builder returns a notRun error if no program that builds the image is available. It ignores that
// docker/image.sh can install buildah as root. In CI, builder always returns nil, because there the
// build must fail if a program is missing.
func (s *session) builder() error {
	if s.ci {
		return nil
	}
	for _, name := range []string{"podman", "buildah"} {
		if _, err := s.lookPath(name); err == nil {
			return nil
		}
	}
	if exec.CommandContext(s.ctx, "docker", "info").Run() == nil {
		return nil
	}
	return notRun("no docker, podman or buildah to build the image with")
}

func image(s *session) error {
	if err := s.builder(); err != nil {
		return err
	}
	return s.runCommand("docker/image.sh", "test")
}

// browserTests opens the notebooks in both front ends, and the site, in Chromium, and uses them as a
// reader does.
func browserTests(s *session) error {
	if err := s.builder(); err != nil {
		return err
	}
	if err := errors.Join(s.runCommand("docker/image.sh", "build"), s.runCommand("docker/demo.sh", "some")); err != nil {
		return err
	}
	before, shots := s.tests.passed, filepath.Join(s.dir, "out", "browser")
	err := s.goTest([]string{"HYPERPLANE_FRONTENDS=1", "HYPERPLANE_SITE=" + filepath.Join(s.dir, "out", "site"),
		"HYPERPLANE_SCREENSHOTS=" + shots},
		"-count=1", "-timeout=40m", "./generate/internal/frontends")
	pictures, _ := filepath.Glob(filepath.Join(shots, "*.png"))
	fmt.Fprintf(s.w, "%d screenshots in out/browser\n", len(pictures))
	// The package's tests skip all work without the variable HYPERPLANE_FRONTENDS.
	return errors.Join(err, errIf(s.tests.passed-before < 5, "fewer than 5 tests passed"))
}

func hub(s *session) error   { return s.runCommand("docker/hub/test.sh") }
func slurm(s *session) error { return s.runCommand("docker/slurm/test.sh") }

// exitCode returns the exit status of the program that caused err, 0 for nil, and -1 for any other
// error.
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
