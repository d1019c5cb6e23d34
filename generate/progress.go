package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/exercises/progress"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/cell"
)

// learnerDir is the folder of the module into which `make lab` copies the notebooks.
const learnerDir = "work"

func newProgressCmd() *cobra.Command {
	var dir string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "progress",
		Short: "show which exercises are passed, tried, revealed, not begun",
		Long: `progress shows the state of every exercise: passed, tried, revealed
(the solution was shown before it was passed) or not begun, with the number of
tries, the outcome of the last one, the hints seen, and the steps on the way.

Notebooks record it themselves, in ` + progress.Name + ` in the folder of --dir or in one
above it; the environment variable ` + progress.Variable + ` names another file where --dir
is not given. A file that is missing or broken is not an error: then nothing
is known, and a line says why. With --json it prints one JSON object, for programs.

` + exitHelp,
		Example: `  go run ./generate progress
  go run ./generate progress --dir work --json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			f, err := progressFile(dir)
			if err != nil {
				return err
			}
			t := f.Table(exercises.Entries())
			if asJSON {
				return printJSON(cmd, t)
			}
			_, err = fmt.Fprint(cmd.OutOrStdout(), t)
			return err
		},
	}
	cmd.Flags().StringVar(&dir, "dir", "", "folder of the learner's notebooks (default work in the module)")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// progressFile returns the progress file for the notebooks in dir; "" means the learner's
// own folder. It returns an error if dir is given and is not a folder.
func progressFile(dir string) (progress.File, error) {
	if dir == "" {
		root, _, err := module()
		if err != nil {
			return progress.File{}, err
		}
		if path := os.Getenv(progress.Variable); path != "" {
			return progress.File{Path: path}, nil
		}
		if !cell.InClone(root) {
			root = "." // notebooks --work work has put them there
		}
		return progress.File{Path: filepath.Join(root, learnerDir, progress.Name)}, nil
	}
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return progress.File{}, fmt.Errorf("--dir %s: the folder does not exist; name the folder with your notebooks",
			dir)
	case err != nil:
		return progress.File{}, err
	case !info.IsDir():
		return progress.File{}, fmt.Errorf("--dir %s is a file; name the folder with your notebooks", dir)
	}
	return progress.Below(dir), nil
}
