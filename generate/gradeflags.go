package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/class"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/grading"
)

// gradeFlags are what `generate grade` is told.
type gradeFlags struct {
	class, out, memory, shard, keep string
	answers                         string
	jobs                            int
	cpu, diagnosis                  time.Duration
	merge, open                     bool
}

var sizes = map[string]int64{"MiB": 1 << 20, "GiB": 1 << 30}

// limits are the limits that the flags ask for.
func (f *gradeFlags) limits() (grading.Limits, error) {
	l := grading.DefaultLimits
	if f.cpu < time.Second || f.cpu > time.Hour || f.cpu%time.Second != 0 {
		return l, fmt.Errorf("--cpu takes whole seconds, 1s to 1h; found %v", f.cpu)
	}
	if f.diagnosis < 0 || f.diagnosis > time.Minute {
		return l, fmt.Errorf("invalid --diagnosis %v: want 0s to 1m", f.diagnosis)
	}
	l.CPU = f.cpu
	m := regexp.MustCompile(`^([1-9][0-9]{0,5})(MiB|GiB)$`).FindStringSubmatch(f.memory)
	if m == nil {
		return l, fmt.Errorf("--memory takes a size such as 512MiB or 2GiB; found %q", f.memory)
	}
	n, err := strconv.ParseInt(m[1], 10, 64)
	l.Memory = n * sizes[m[2]]
	if l.Memory < 256<<20 { // the Go runtime reserves that much
		return l, fmt.Errorf("--memory takes 256MiB or more; found %s", f.memory)
	}
	return l, err
}

// part is the shard that the flags ask for.
func (f *gradeFlags) part() (s class.Shard, err error) {
	if f.shard == "" {
		return s, nil
	}
	m := regexp.MustCompile(`^([0-9]{1,6})/([0-9]{1,6})$`).FindStringSubmatch(f.shard)
	if m != nil {
		s.Index, _ = strconv.Atoi(m[1]) // six digits
		s.Of, _ = strconv.Atoi(m[2])
	}
	if s.Index < 1 || s.Index > s.Of {
		return s, fmt.Errorf("--shard takes i/n with i from 1 to n; found %q", f.shard)
	}
	return s, nil
}

// tools are what compiles and runs the answers, in dir if it is this machine.
func (f *gradeFlags) tools(cmd *cobra.Command, root, dir string) (*grading.Toolchain, error) {
	if f.answers == "" {
		return grading.NewToolchain(cmd.Context(), root, dir, f.open)
	}
	socket, err := filepath.Abs(f.answers) // the judge of one answer stands elsewhere
	if err != nil {
		return nil, err
	}
	return &grading.Toolchain{Socket: socket}, grading.Reachable(cmd.Context(), socket)
}

// confined is an error unless answers are confined, or need not be.
func (f *gradeFlags) confined(cmd *cobra.Command) error {
	switch {
	case f.open && f.answers != "":
		return errors.New("--no-isolation and --answers exclude one another: answers run here or at the server")
	case f.open:
		fmt.Fprintln(cmd.ErrOrStderr(), "generate: WARNING: answers run without a sandbox, with your rights: they can read and change your files and the grades")
	case f.answers == "":
		if err := grading.Confines(cmd.Context()); err != nil {
			return fmt.Errorf("answers cannot be confined here: %w; install bubblewrap (docker/setup.sh packages), let them run in a container of their own by --answers, or with your rights by --no-isolation", err)
		}
	}
	return nil
}
