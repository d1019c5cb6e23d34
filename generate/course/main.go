package course

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/cell"
)

// Main runs a command for the course c and then ends the program. The program's arguments name the
// command. If a course has its own module, its program needs only this main function:
//
//	func main() {
//		course.Main(course.Course{
//			Module:  "example.org/sums",
//			Title:   "Sums",
//			Toolkit: "0.3.0",
//			Books:   books.All,
//			Exercises: []exercises.Checked{
//				{Exercise: ex01.Exercise(), Checks: []any{ex01.Check}},
//			},
//		})
//	}
//
// Users must start the program in the folder of the course's module or in a folder below it. A program
// that was installed by version (go install …@v1.2.3) runs in any folder.
func Main(c Course) {
	// Use arithmetic that gives the same results on every processor, because tests compare figures
	// and committed outputs byte for byte.
	err := os.Setenv("HYPERPLANE_KERNEL", "generic")
	if err == nil {
		err = setCurrent(c)
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", path.Base(os.Args[0]), err)
		os.Exit(exitBad)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := execute(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// execute runs the command with the given arguments and returns the exit code. If the command
// fails, execute prints the error to stderr, unless the command has already reported the problem.
func execute(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	root := newRootCmd()
	root.SetArgs(args)
	root.SetOut(stdout)
	root.SetErr(stderr)
	cmd, err := root.ExecuteContextC(ctx)
	if err == nil {
		return 0
	}
	var exit *exitError
	if errors.As(err, &exit) {
		if exit.err != nil {
			fmt.Fprintln(stderr, program+":", cell.InCourse(exit.Error()))
		}
		return exit.code
	}
	fmt.Fprintf(stderr, "%s: %s\n(see `%s --help`)\n", program, cell.InCourse(err.Error()), cmd.CommandPath())
	return exitBad
}

// An exitError is an error that also determines the exit code of the program. Before the program
// exits, it prints the message of the field `err`. If `err` is nil, the program prints no message,
// because the command has already reported the problem.
type exitError struct {
	code int
	err  error
}

func (e *exitError) Error() string {
	if e.err == nil {
		return fmt.Sprintf("exit status %d", e.code)
	}
	return e.err.Error()
}

func (e *exitError) Unwrap() error { return e.err }

// These constants are the exit codes of the program.
const (
	exitNotPassed = 1 // exit code if a notebook, an answer or a check of files did not pass
	exitBad       = 2 // exit code for all other failures, such as wrong usage or bad input
)

const exitHelp = `Exit status: 0 success; 1 a notebook or an answer did not pass, or a file differs from the
generated one; 2 any other failure, such as wrong usage, bad input, or a folder that cannot be
written.
(With go run, the exit status is 1 instead of 2.)`

// bad returns the error err with the exit code exitBad. If err is nil or already has an exit code,
// bad returns err unchanged.
func bad(err error) error {
	if err == nil || errors.As(err, new(*exitError)) {
		return err
	}
	return &exitError{exitBad, err}
}

// atLeastOne returns an error if jobs is below 1.
func atLeastOne(jobs int) error {
	if jobs < 1 {
		return fmt.Errorf("invalid --jobs %d: want 1 or more", jobs)
	}
	return nil
}

// printJSON prints v as indented JSON to the stdout of cmd.
func printJSON(cmd *cobra.Command, v any) error {
	e := json.NewEncoder(cmd.OutOrStdout())
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// print prints the result of a command. If asJSON is true, it prints `found` as JSON. Otherwise it
// calls the function `write`, which must print the same result as a table.
func print(cmd *cobra.Command, asJSON bool, found any, write func(io.Writer) error) error {
	if asJSON {
		return printJSON(cmd, found)
	}
	return write(cmd.OutOrStdout())
}
