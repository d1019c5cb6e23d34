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

// learnerDir is the folder, below the module's folder, to which `make lab` copies the notebooks for
// the learner.
const learnerDir = "work"

func newProgressCmd() *cobra.Command {
	var dir string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "progress",
		Short: "show which exercises are passed, tried, revealed or not begun",
		Long: `This command shows the state of every exercise: passed, tried, revealed (you saw the solution
and have not passed the exercise) or not begun. It also shows the number of tries, the outcome
of the last try, the hints that you have seen, and the optional steps.

The notebooks record this state in the file ` + progress.Name + `, in the folder --dir or in a
folder above it. Without --dir, the environment variable ` + progress.Variable + ` can name a
different file. If the file is missing or broken, the table shows no progress, and a line
above the table states the reason. With --json, the command prints one JSON object for other
programs.

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

// progressFile returns the progress file for the notebooks in the folder `dir`. If dir is "", it
// returns the file that the environment variable HYPERPLANE_PROGRESS names, or the file in the folder
// learnerDir if this variable is not set. If dir is neither "" nor an existing folder, progressFile
// returns an error.
func progressFile(dir string) (progress.File, error) {
	if dir == "" {
		root, _, err := openModule()
		if err != nil {
			return progress.File{}, err
		}
		if path := os.Getenv(progress.Variable); path != "" {
			return progress.File{Path: path}, nil
		}
		if !cell.InClone(root) {
			root = "." // outside a clone, `notebooks --work work` writes below the current folder
		}
		return progress.File{Path: filepath.Join(root, learnerDir, progress.Name)}, nil
	}
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return progress.File{}, fmt.Errorf("--dir %s: the folder does not exist; give the folder that contains your notebooks",
			dir)
	case err != nil:
		return progress.File{}, err
	case !info.IsDir():
		return progress.File{}, fmt.Errorf("--dir %s is a file; name the folder with your notebooks", dir)
	}
	return progress.Below(dir), nil
}
