package course

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/exercise"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/files"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbgrader"
)

// courseFlags contains the values of the flags for a course folder of nbgrader.
type courseFlags struct {
	nbgrader   bool
	assignment string
}

const nbgraderHelp = `With --nbgrader, the command makes a course folder of nbgrader in the folder --out. The
course folder contains nbgrader_config.py and the folder source/ASSIGNMENT, which has a
notebook for each exercise. In such a notebook, the reference answer is in regions that
nbgrader clears, and each part of the compulsory check has a locked test cell worth one point.
If a file exists with different contents, the command writes nothing and reports the file.`

func (f *courseFlags) add(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&f.nbgrader, "nbgrader", false, "make a course folder of nbgrader instead of single notebooks")
	cmd.Flags().StringVar(&f.assignment, "assignment", "hyperplane", "name of the assignment in the course folder")
}

// checkArgs returns an error if the user gave --nbgrader without --out, or --assignment without
// --nbgrader.
func (f *courseFlags) checkArgs(cmd *cobra.Command) error {
	switch flags := cmd.Flags(); {
	case f.nbgrader && !flags.Changed("out"):
		return errors.New("--nbgrader needs the course folder: name the folder with --out")
	case !f.nbgrader && flags.Changed("assignment"):
		return errors.New("--assignment needs --nbgrader")
	}
	return nil
}

// writeNbgraderAssignment makes a course folder of nbgrader in `dir`, with the exercises in `list` as one
// assignment. It never overwrites a file that differs from the new version, because an instructor
// may have edited the file. If such a file exists, writeNbgraderAssignment returns an error.
func writeNbgraderAssignment(cmd *cobra.Command, dir string, f courseFlags, v exercise.Variant,
	list []*exercise.Exercise) error {
	tree, err := courseTree(f.assignment, v, list)
	if err != nil {
		return err
	}
	done, err := writeUnlessDifferent(cmd, dir, tree)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "assignment %s: %d files written, %d unchanged in %s\n", f.assignment,
		len(done.Written), len(done.Unchanged), dir)
	return err
}

// courseTree returns the files of a course folder of nbgrader, with the exercises in `list` as one
// assignment. As a side effect, it sets the variant of the whole process to v.Seed.
func courseTree(assignment string, v exercise.Variant, list []*exercise.Exercise) (files.Tree, error) {
	exercises.Variant(v.Seed)
	checks := map[string]any{}
	for _, e := range list {
		checks[e.ID] = current.Checks(e.ID)[0]
	}
	return nbgrader.Course(assignment, list, checks, 1)
}

// writeUnlessDifferent writes the files of `tree` into a folder. If one of the files already exists with different
// contents, writeUnlessDifferent returns an error and writes nothing.
func writeUnlessDifferent(cmd *cobra.Command, dir string, tree files.Tree) (done files.Result, err error) {
	for _, path := range tree.Paths() {
		file := filepath.Join(dir, filepath.FromSlash(path))
		if old, err := os.ReadFile(file); err == nil && !bytes.Equal(old, tree[path]) {
			return done, fmt.Errorf("%s exists and differs from the new version: move it away, or choose another folder with --out", file)
		}
	}
	return tree.Write(cmd.Context(), dir)
}
