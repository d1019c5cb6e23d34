// Command gates runs the project's gates. A gate tests one property that a change must have before
// somebody sends it, merges it or releases it.
//
//	gates LEVEL|GATE…      levels: quick, check, test, image, all
//	gates --list           the table of gates
//
// A gate runs even if an earlier gate has failed. At the end the command prints the time of each
// gate, slowest first, and the number of tests and gates that passed and failed. A gate that cannot
// run on this machine counts as passed; in CI, a missing program is a failure. The exit status is 0 if
// no gate failed, 1 if a gate failed, and 2 if the arguments are invalid or no gate could start. `make
// check`, `make test`, `make test-image` and `make test-all` run the set-up first.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"text/tabwriter"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout))
}

// run runs the gates that args select and returns the exit status.
func run(ctx context.Context, args []string, w io.Writer) int {
	if len(args) == 1 && args[0] == "--list" {
		list(w)
		return 0
	}
	chosen, err := chooseGates(args)
	if err != nil {
		fmt.Fprintln(w, err)
		return 2
	}
	root, err := moduleRoot()
	if err != nil {
		fmt.Fprintln(w, err)
		return 2
	}
	scratch, err := os.MkdirTemp("", "gates-")
	if err != nil {
		fmt.Fprintln(w, err)
		return 2
	}
	defer os.RemoveAll(scratch)
	s := newSession(ctx, root, scratch, w)
	var results []result
	for _, g := range chosen {
		fmt.Fprintf(w, "\n== %s\n", g.name)
		results = append(results, s.runGate(g))
	}
	return s.finish(results)
}

// chooseGates returns the gates whose levels or names occur in `args`. Each gate occurs once, in
// the order of the table.
func chooseGates(args []string) ([]gate, error) {
	if len(args) == 0 {
		return nil, fmt.Errorf("usage: gates LEVEL|GATE…; levels: %s; gates --list shows the gates",
			strings.Join(levels, ", "))
	}
	for _, a := range args {
		known := slices.Contains(levels, a) || slices.ContainsFunc(gates, func(g gate) bool { return g.name == a })
		if !known {
			return nil, fmt.Errorf("unknown level or gate %q: levels are %s; gates --list shows the gates", a,
				strings.Join(levels, ", "))
		}
	}
	var chosen []gate
	for _, g := range gates {
		if slices.ContainsFunc(args, func(a string) bool { return a == g.name || g.at(a) }) {
			chosen = append(chosen, g)
		}
	}
	return chosen, nil
}

func list(w io.Writer) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "gate\tlevels\tbudget\tneeds\twhat it proves")
	for _, g := range gates {
		fmt.Fprintf(t, "%s\t%s\t%v\t%s\t%s\n", g.name, g.levels, g.budget, strings.Join(g.needs, " "), g.proves)
	}
	t.Flush()
}

// moduleRoot returns the root folder of this project. It is the working directory or a folder above
// the working directory.
func moduleRoot() (string, error) {
	dir, err := os.Getwd()
	for err == nil {
		if _, e := os.Stat(filepath.Join(dir, "docker", "gates", "main.go")); e == nil {
			return dir, nil
		}
		if dir == filepath.Dir(dir) {
			err = errors.New("found no file docker/gates/main.go in the working directory or above: run the gates in a checkout of this project")
		}
		dir = filepath.Dir(dir)
	}
	return "", err
}

// A session runs gates, and counts the Go tests that pass and those that fail.
type session struct {
	ctx      context.Context
	root     string // root folder of the project
	dir      string // folder in which commands run; equal to root unless inFolder or a test of the gates has changed it
	scratch  string
	w        io.Writer
	ci       bool   // whether the gates run in CI, where a missing program is a failure
	generate string // path of the command `generate`
	tests    *tally
}

// lockedWriter is a writer that several goroutines can use at the same time.
type lockedWriter struct {
	mu sync.Mutex
	w  io.Writer
}

func (g *lockedWriter) Write(b []byte) (int, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.w.Write(b)
}

// A tally contains the numbers of Go tests that passed and failed.
type tally struct{ passed, failed int }

func newSession(ctx context.Context, root, scratch string, w io.Writer) *session {
	return &session{ctx: ctx, root: root, dir: root, scratch: scratch, w: &lockedWriter{w: w},
		ci: os.Getenv("CI") == "true", tests: &tally{}, generate: filepath.Join(root, ".tools", "bin", "generate")}
}

// A result is the outcome of one gate: the gate, the error that made it fail, and the time that it took.
// The error is nil if the gate passed or could not run on this machine.
type result struct {
	gate
	err error
	// wall is the time from the start to the end of the gate; cpu is the processor time of the
	// child processes that have ended in this time
	wall, cpu time.Duration
}

// runGate runs a gate and returns the result. If the gate fails or cannot run, it prints the
// reason.
func (s *session) runGate(g gate) result {
	begun, before := time.Now(), childTime()
	err := context.Cause(s.ctx)
	if err == nil {
		err = s.requireProgram(g)
	}
	if err == nil {
		err = g.run(s)
	}
	r := result{g, err, time.Since(begun), childTime() - before}
	var skipped notRun
	switch {
	case errors.As(err, &skipped):
		fmt.Fprintf(s.w, "NOT RUN: %s\n", skipped)
		r.err = nil
	case err != nil:
		fmt.Fprintf(s.w, "FAILED: %s: %v\n", g.name, err)
	}
	fmt.Fprintf(s.w, "(%.0f s)\n", r.wall.Seconds())
	return r
}

// A notRun is an error that says why a gate cannot run on this machine. It does not count as a
// failure. In CI, a missing program causes an ordinary error instead.
type notRun string

func (n notRun) Error() string { return string(n) }

// requireProgram returns an error if a program that the gate needs is not installed.
func (s *session) requireProgram(g gate) error {
	for _, name := range g.needs {
		if _, err := s.lookPath(name); err != nil {
			why := fmt.Sprintf("%s is not installed: install it, for example with a step of docker/setup.sh", name)
			if s.ci {
				return errors.New(why)
			}
			return notRun(why)
		}
	}
	return nil
}

// finish prints the table of times and the numbers of passed and failed tests and gates. It returns
// the exit status.
func (s *session) finish(results []result) int {
	passed, failed := s.tests.passed, s.tests.failed
	var wall, cpu time.Duration
	var red []string
	for _, r := range results {
		wall, cpu = wall+r.wall, cpu+r.cpu
		if r.err == nil {
			passed++
		} else {
			failed++
			red = append(red, r.name)
		}
	}
	slices.SortStableFunc(results, func(a, b result) int { return int(b.wall - a.wall) })
	fmt.Fprintln(s.w)
	t := tabwriter.NewWriter(s.w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "gate\tseconds\tprocessor\tbudget\t")
	for _, r := range results {
		mark := ""
		if r.wall > r.budget {
			mark = " over its budget"
		}
		fmt.Fprintf(t, "%s\t%.0f\t%.0f\t%.0f\t%s\n", r.name, r.wall.Seconds(), r.cpu.Seconds(), r.budget.Seconds(),
			mark)
	}
	fmt.Fprintf(t, "sum\t%.0f\t%.0f\t\t\n", wall.Seconds(), cpu.Seconds())
	t.Flush()
	fmt.Fprintln(s.w)
	if len(red) > 0 {
		fmt.Fprintln(s.w, "failed:", strings.Join(red, " "))
	}
	fmt.Fprintf(s.w, "%d passed, %d failed\n", passed, failed)
	if failed > 0 {
		return 1
	}
	return 0
}

// childTime returns the total processor time of the child processes that have ended.
func childTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_CHILDREN, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
