// Package course contains the commands of a course. These commands make notebooks and a site from
// exercises and lessons, run and judge notebooks, and grade a class. A program that passes a
// [Course] to [Main] has all of these commands.
package course

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/cell"
	"github.com/hyperplane-notebooks/hyperplane/toolkit"
)

// commands contains functions that each create one sub-command. The help lists the sub-commands in
// the order of this list.
var commands = []func() *cobra.Command{
	newListCmd,
	newExercisesCmd,
	newNewCmd,
	newNotebooksCmd,
	newFiguresCmd,
	newEquationsCmd,
	newSiteCmd,
	newRunCmd,
	newCheckCmd,
	newClassCmd,
	newGradeCmd,
	newAnswersCmd,
	newStripCmd,
	newJudgeCmd,
	newJudgeOneCmd,
	newCompilerCmd,
	newProgressCmd,
	newDoctorCmd,
	newSetupCmd,
	newLicencesCmd,
	newVersionCmd,
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

func newRootCmd() *cobra.Command {
	root := &cobra.Command{
		Use:   program,
		Short: "make, run and judge the notebooks of a course, and make its figures and its site",
		Long: `The command makes notebooks and a site from exercises and lessons, and draws the figures.
It runs and judges notebooks without a browser, and grades a class. Run the command in the
module's folder or below it. If you installed a version of the command (go install …@latest),
you can run it in any folder. Outside the module, it uses the sources of that version.

` + exitHelp,
		Example: `  go run ./generate list
  go run ./generate exercises {id} --out /tmp/notebooks
  go run ./generate notebooks --check`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return nil
			}
			names := []string{}
			for _, c := range cmd.Commands() {
				names = append(names, c.Name())
			}
			return unknownName("command", args[0], names)
		},
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.CompletionOptions.HiddenDefaultCmd = true
	cobra.EnableCommandSorting = false
	if cell.CourseModule != cell.HyperplaneModule {
		root.Annotations = map[string]string{cobra.CommandDisplayNameAnnotation: cell.Command()}
	}
	for _, newCmd := range commands {
		cmd := newCmd()
		if !withFigures && cmd.Name() == "figures" {
			continue
		}
		run := cmd.RunE
		cmd.RunE = func(cmd *cobra.Command, args []string) error { return bad(run(cmd, args)) }
		root.AddCommand(cmd)
	}
	inCourse(root)
	return root
}

// inCourse changes the examples in the help of a command and of its sub-commands, so that they fit
// the course. It replaces "go run ./generate" by the command line of the course. It also replaces
// {id} and {other} by the ids of two exercises, and {folder} by the folder of an exercise.
func inCourse(cmd *cobra.Command) {
	id, other, dir := examples()
	cmd.Example = cell.InCourse(strings.NewReplacer("{id}", id, "{other}", other, "{folder}", dir).Replace(cmd.Example))
	for _, sub := range cmd.Commands() {
		inCourse(sub)
	}
}

// examples returns the ids of two exercises of the course and the folder of the first exercise. If
// the course has fewer than two exercises, examples uses tasks of lessons or repeats the only id. If
// the course has no exercises and no tasks, examples returns "ID", "ID" and "FOLDER".
func examples() (id, other, dir string) {
	list := slices.DeleteFunc(slices.Clone(current.Entries), exercises.Checked.OfLesson)
	if list = append(list, current.Entries...); len(list) == 0 {
		return "ID", "ID", "FOLDER"
	}
	return list[0].ID, list[1%len(list)].ID, list[0].Dir()
}

// newVersionCmd returns the command `generate version`.
func newVersionCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "print the version and the folder of the sources",
		Long:  "This command prints the versions of hyperplane and Go, the platform, and the folder of the sources.\n\n" + exitHelp,
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			root, _, err := openModule()
			if err != nil {
				root = "no sources: " + err.Error()
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "hyperplane %s, %s %s/%s\n%s\n", toolkit.Version, runtime.Version(),
				runtime.GOOS, runtime.GOARCH, root)
			return err
		},
	}
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
