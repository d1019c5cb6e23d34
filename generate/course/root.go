package course

import (
	"fmt"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/cell"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/content"
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
			return content.Unknown("command", args[0], names)
		},
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.CompletionOptions.HiddenDefaultCmd = true
	cobra.EnableCommandSorting = false
	if !cell.InHyperplane() {
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
// the course. It replaces "go run ./generate" with the command line of the course. It also replaces
// {id} and {other} with the ids of two exercises, and {folder} with the folder of an exercise.
func inCourse(cmd *cobra.Command) {
	id, other, dir := examples()
	cmd.Example = cell.InCourse(strings.NewReplacer("{id}", id, "{other}", other, "{folder}", dir).Replace(cmd.Example))
	for _, sub := range cmd.Commands() {
		inCourse(sub)
	}
}

// examples returns the ids of two exercises of the course and the folder of the first exercise. If
// the course has fewer than two exercises, an id can name the task of a lesson, and both ids can be
// the same. If the course has no exercises and no tasks, examples returns "ID", "ID" and "FOLDER".
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
