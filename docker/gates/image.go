package main

import (
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
)

// This file contains the gates that test the image, a hub and a Slurm cluster.

// builder returns a notRun error if no program can build the image: neither podman nor buildah is
// installed, and no docker server answers. In this case docker/image.sh would try to install buildah,
// but builder does not rely on that, because only root can install it. In CI, builder always returns
// nil, because the build must fail there if a program is missing.
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
	return notRun("to build the image, install podman or buildah, or install docker and start its server")
}

func image(s *session) error {
	if err := s.builder(); err != nil {
		return err
	}
	return s.runCommand("docker/image.sh", "test")
}

// browserTests uses Chromium to open the site, and to open the notebooks in JupyterLab and in the
// classic Notebook. It then works with the pages as a reader does.
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
	// Require at least 5 tests, so that the gate also fails if only some of the tests run.
	return errors.Join(err, errIf(s.tests.passed-before < 5, "fewer than 5 browser tests passed"))
}

func hub(s *session) error   { return s.runCommand("docker/hub/test.sh") }
func slurm(s *session) error { return s.runCommand("docker/slurm/test.sh") }
