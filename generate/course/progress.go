package course

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/hyperplane-notebooks/hyperplane/exercises/progress"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/cell"
)

// learnerDir is the folder of the module to which `make lab` copies the notebooks.
const learnerDir = "work"

func newProgressCmd() *cobra.Command {
	var dir string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "progress",
		Short: "show which exercises are passed, tried, revealed, not begun",
		Long: `progress shows the state of every exercise: passed, tried, revealed
(the solution was shown before it was passed) or not begun, with the number of
tries, the outcome of the last try, the hints seen, and the optional steps.

Notebooks record this state themselves, in ` + progress.Name + ` in the folder of --dir or
in a folder above it. Without --dir, the environment variable ` + progress.Variable + `
can name a different file. A missing or broken file is not an error: the table then shows
no progress, and a line states the reason. With --json, the command prints one JSON object,
for programs.

` + exitHelp,
		Example: `  go run ./generate progress
  go run ./generate progress --dir work --json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			f, err := progressFile(dir)
			if err != nil {
				return err
			}
			t := f.Table(current.Progress())
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

// progressFile returns the progress file for the notebooks in dir. If dir is "", it returns the
// file that $HYPERPLANE_PROGRESS names, or the file in the learner's default folder if the variable
// is not set. If dir is not "" and not a folder, it returns an error.
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
			root = "." // The command `notebooks --work work` writes the copies to a folder below the current folder.
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
