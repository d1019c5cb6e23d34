package course

import (
	"cmp"
	"errors"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/cell"
)

func newExercisesCmd() *cobra.Command {
	var out string
	var flags variantFlags
	var course courseFlags
	cmd := &cobra.Command{
		Use:   "exercises [ID …]",
		Short: "make the learner's notebook and the solved notebook of each exercise",
		Long: `This command makes two notebooks for each exercise. The learner's notebook contains a stub,
which declares the functions of the reference answer without their bodies. The solved notebook
contains the reference answer, and is in the folder solutions. The command writes no file
before it has made all notebooks, so it changes no file if an exercise contains an error. A
notebook whose sources have not changed keeps its outputs.

` + variantHelp + `

` + nbgraderHelp + `

` + exitHelp,
		Example: `  go run ./generate exercises
  go run ./generate exercises {id} --out /tmp/notebooks
  go run ./generate exercises --student "Ada Lovelace"
  go run ./generate exercises {id} {other} --seed 7 --out /tmp/seven
  go run ./generate exercises {id} {other} --nbgrader --assignment probit --out /tmp/course`,
		RunE: func(cmd *cobra.Command, ids []string) error {
			if err := course.checkArgs(cmd); err != nil {
				return err
			}
			root, v, list, err := flags.readVariant(cmd, ids...)
			if err != nil {
				return err
			}
			if out == "" && !cell.InClone(root) {
				return errors.New("missing --out: name a folder for the notebooks, for example --out work")
			}
			if course.nbgrader {
				return writeNbgraderAssignment(cmd, out, course, v, list)
			}
			learner, solved, err := renderExercises(list)
			if err != nil {
				return err
			}
			tree := mergeUnder("", learner, solved)
			if v.Seed != 0 {
				return writeVariant(cmd, root, cmp.Or(out, folder(root, v)), v, tree)
			}
			dir := cmp.Or(out, filepath.Join(root, notebookDir, exerciseDir))
			if err := sameVariant(dir, v, tree); err != nil {
				return err
			}
			return writeTree(cmd, tree, dir)
		},
	}
	cmd.Flags().StringVar(&out, "out", "",
		"folder for the notebooks (default notebooks/exercises in the module; for a variant a folder below work/variants)")
	flags.add(cmd, "make")
	course.add(cmd)
	return cmd
}
