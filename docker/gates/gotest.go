package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
)

// An event is one line of the output of the command `go test -json`.
type event struct {
	Action, Package, ImportPath, Test, Output string
	Elapsed                                   float64
	FailedBuild                               string
}

// allowedSkip matches the skip messages that do not fail the gate. A test that is skipped in this way
// cannot run with the rights of the current user, or runs only in a process that another test
// starts.
var allowedSkip = regexp.MustCompile(`_test\.go:[0-9]+: (root may|/proc is writable|only as a child of)`)

// goTest runs go test. It prints one line per tested package, and the output of the tests that fail. A
// skipped test fails the gate unless allowedSkip matches its message, because a skip can hide a
// missing program. The gate also fails if no test runs in any package, or if a package has tests but
// the flag -run selects no test of the package.
func (s *session) goTest(env []string, args ...string) error {
	t := &tests{w: s.w, output: map[string][]string{}, outcome: map[string]string{}}
	cmd := s.command(append([]string{"HYPERPLANE_REQUIRE_KERNEL=1"}, env...), "go",
		append([]string{"test", "-json"}, args...)...)
	out, in := io.Pipe()
	cmd.Stdout, cmd.Stderr = in, s.w
	done := make(chan error, 1)
	go func() { done <- t.read(out) }()
	err := cmd.Run()
	in.Close()
	err = errors.Join(err, <-done)
	s.tests.passed, s.tests.failed = s.tests.passed+t.passed, s.tests.failed+t.failed
	if err == nil && t.failed > 0 {
		err = errors.New("a test was skipped for a reason that the gate does not allow, or a package had no test to run")
	}
	if err == nil && t.passed == 0 {
		err = errors.New("go test ran no test")
	}
	return err
}

// tests collects the output and the outcome of every test in one run of go test.
type tests struct {
	w              io.Writer
	passed, failed int
	output         map[string][]string // lines that each test printed, by package and test
	outcome        map[string]string   // outcome of each test, by package and test
	// the keys of `output` for the tests of packages that are still running, in the order in which
	// the tests first printed something
	order []string
}

func (t *tests) read(r io.Reader) error {
	lines := bufio.NewReader(r)
	for {
		line, err := lines.ReadBytes('\n')
		if len(bytes.TrimSpace(line)) > 0 {
			var e event
			if json.Unmarshal(line, &e) != nil {
				fmt.Fprintf(t.w, "%s", line) // the go command itself printed this line
			} else {
				t.take(e)
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func (t *tests) take(e event) {
	key := e.Package + "\x00" + e.Test
	switch e.Action {
	case "build-output":
		fmt.Fprint(t.w, e.Output)
	case "output":
		if strings.HasPrefix(e.Output, "=== ") {
			return
		}
		if len(t.output[key]) == 0 {
			t.order = append(t.order, key)
		}
		t.output[key] = append(t.output[key], e.Output)
	case "pass", "fail", "skip":
		if e.Test == "" {
			t.printPackage(e)
			return
		}
		t.outcome[key] = e.Action
		switch text := strings.Join(t.output[key], ""); {
		case e.Action == "pass":
			t.passed++
			delete(t.output, key)
		case e.Action == "fail":
			t.failed++
		case !allowedSkip.MatchString(text):
			t.failed++
			fmt.Fprintf(t.w, "SKIPPED for a reason that the gate does not allow: %s %s", e.Test, text)
			delete(t.output, key)
		}
	}
}

// printPackage prints the output of a finished package's failing tests, and then the line with the
// package's result.
func (t *tests) printPackage(e event) {
	var left []string
	for _, key := range t.order {
		name, test, _ := strings.Cut(key, "\x00")
		if name != e.Package {
			left = append(left, key)
			continue
		}
		text := strings.Join(t.output[key], "")
		delete(t.output, key)
		switch {
		case test == "" && strings.Contains(text, "[no tests to run]"):
			t.failed++
			fmt.Fprintf(t.w, "NO TESTS to run in %s\n", name)
		case e.Action == "fail" && t.outcome[key] != "pass" && t.outcome[key] != "skip": // the test failed or did not finish
			fmt.Fprint(t.w, text)
		case test == "" && e.Action == "pass":
			for line := range strings.Lines(text) {
				if strings.HasPrefix(line, "ok") {
					fmt.Fprint(t.w, line)
				}
			}
		}
		delete(t.outcome, key)
	}
	t.order = left
	if e.Action == "fail" {
		if e.FailedBuild != "" {
			t.failed++
			fmt.Fprintf(t.w, "FAIL\t%s [build failed]\n", e.Package)
		} else {
			fmt.Fprintf(t.w, "FAIL\t%s\t%.3fs\n", e.Package, e.Elapsed)
		}
	}
}

// packages lists the packages of the module for which the function `keep` returns true.
func (s *session) packages(keep func(path string) bool) ([]string, error) {
	text, err := s.commandOutput("go", "list", "./...")
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	return slices.DeleteFunc(strings.Fields(text), func(p string) bool { return !keep(p) }), nil
}
