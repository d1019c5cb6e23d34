package course

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/cell"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/equations"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/files"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/lesson"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbformat"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/work"
	"github.com/hyperplane-notebooks/hyperplane/toolkit"
)

func newNotebooksCmd() *cobra.Command {
	var out, workDir string
	var check, carry bool
	cmd := &cobra.Command{
		Use:   "notebooks",
		Short: "make all notebooks, check them, or write copies of them for a learner",
		Long: `This command writes the notebooks of all lessons and exercises, and the page of equations, to
the folder notebooks. A notebook whose code has not changed keeps its outputs. The command
prints the path of each file that it changes, and marks each notebook that loses its outputs.

With --check, the command writes nothing. It compares the folder notebooks with the sources, and
lists every file that is missing or differs from its source (apart from outputs), and every
notebook that has no source. Among the lessons with outputs, it also lists each lesson whose text
quotes a number (written {=0.5}) that no output of the same section contains.

With --work, the command writes copies of the lessons and of the learner's exercise notebooks
to the folder where the learner works. If the learner has edited a copy, the command leaves
it unchanged, and writes a newer version of the notebook beside it, as name.v<version>.ipynb.
The command records the copies in the file ` + work.StateFile + ` in the same folder.

With --carry, the command also copies your answers from the old copies into the new copies.
Your answer is the text of the stub cell. The command copies it only if the new stub has the
same functions. The old copies stay, and so do new copies that you have edited. If the folder
contains ` + work.FileName + `, which a page of the course exports, --carry also copies the answers in
that file into the notebooks, and adds the progress in that file to your progress.

` + exitHelp,
		Example: `  go run ./generate notebooks
  go run ./generate notebooks --check
  go run ./generate notebooks --work work
  go run ./generate notebooks --work work --carry`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			root, module, err := openModule()
			if err != nil {
				return err
			}
			if workDir == "" && out == "" && !check && !cell.InClone(root) {
				return errors.New("no folder for the notebooks: name one with --out, or with --work for copies that you can edit")
			}
			course, all, learner, err := renderAll(module)
			if err != nil {
				return err
			}
			dir := cmp.Or(out, filepath.Join(root, notebookDir))
			switch {
			case carry && workDir == "":
				return errors.New("--carry needs --work: name the folder of your notebooks, for example --work work")
			case workDir != "":
				if err := writeLearnerCopies(cmd, workDir, learner); err != nil {
					return err
				}
				return carryAnswers(cmd.OutOrStdout(), workDir, learner, carry)
			case check:
				return checkNotebooks(cmd.OutOrStdout(), dir, all, course.Lessons)
			}
			return writeTree(cmd, all, dir)
		},
	}
	cmd.Flags().StringVar(&out, "out", "", "folder of the notebooks (default notebooks in the module)")
	cmd.Flags().BoolVar(&check, "check", false, "write nothing; list the notebooks that differ from their sources")
	cmd.Flags().StringVar(&workDir, "work", "", "write the learner's copies to this folder")
	cmd.Flags().BoolVar(&carry, "carry", false, "copy your answers into the new copies (with --work)")
	cmd.MarkFlagsMutuallyExclusive("check", "work")
	cmd.MarkFlagsMutuallyExclusive("out", "work")
	return cmd
}

// renderAll makes all notebooks of the course. The result `all` contains these notebooks and the page
// of equations. The result `learner` contains the same files except the solved notebooks of the
// exercises.
func renderAll(module fs.FS) (course *lesson.Course, all, learner files.Tree, err error) {
	exercises, err := current.Exercises(module)
	if err != nil {
		return nil, nil, nil, err
	}
	if course, err = current.Course(module, exercises); err != nil {
		return nil, nil, nil, err
	}
	name := newNames(course, exercises)
	for _, e := range exercises {
		e.Lessons = name.lessonsOf(e.ID)
	}
	stubs, solved, err := renderExercises(exercises)
	if err != nil {
		return nil, nil, nil, err
	}
	texts, err := renderLessons(course)
	if err != nil {
		return nil, nil, nil, err
	}
	if name.equations, err = current.Equations.Build(module); err != nil {
		return nil, nil, nil, err
	}
	page, err := equationsPage(module, name.equations)
	if err != nil {
		return nil, nil, nil, err
	}
	learner = mergeUnder("", texts, mergeUnder(exerciseDir, stubs))
	all = mergeUnder("", learner, mergeUnder(exerciseDir, solved))
	for _, tree := range []files.Tree{all, learner} {
		if err := name.expand(tree); err != nil {
			return nil, nil, nil, err
		}
		tree[equations.PageName] = page
	}
	return course, all, learner, nil
}

func writeLearnerCopies(cmd *cobra.Command, dir string, learner files.Tree) error {
	steps, notes, err := work.Update(cmd.Context(), dir, toolkit.Version, learner)
	for _, note := range notes {
		fmt.Fprintln(cmd.ErrOrStderr(), note)
	}
	if err != nil {
		return err
	}
	same := 0
	for _, s := range steps {
		if s.Action == work.Same {
			same++
			continue
		}
		fmt.Fprintln(cmd.OutOrStdout(), s)
	}
	if same > 0 {
		fmt.Fprintf(cmd.OutOrStdout(), "%d unchanged in %s\n", same, dir)
	}
	return nil
}

// carryAnswers copies the learner's answers into the newest copies of the notebooks in `dir`. It takes
// the answers from older copies, and from the file that a page has exported. It also adds the progress
// in this file to the learner's progress. If `carry` is false, it writes nothing, but if there are
// answers to copy, it prints the command that copies them.
func carryAnswers(w io.Writer, dir string, learner files.Tree, carry bool) error {
	list, err := work.Carry(dir, learner, carry)
	if err != nil {
		return err
	}
	exported, err := work.CarryFile(dir, learner, carry)
	list = append(list, exported...)
	possible := 0
	for _, c := range list {
		if c.Why == "" {
			possible++
		}
		if carry {
			fmt.Fprintln(w, c)
		}
	}
	if !carry && possible > 0 {
		fmt.Fprintf(w, "%d notebooks can receive your answers: %s notebooks --work %s --carry\n", possible,
			cell.Command(), dir)
	}
	return err
}

// checkNotebooks compares the files below `dir` with the tree `want`. It lists the files that differ
// or are missing, and the notebooks that `want` does not contain. It also lists each lesson with
// outputs whose text quotes a number that no output of the same section contains. If checkNotebooks
// lists at least one file, it returns an error.
func checkNotebooks(w io.Writer, dir string, want files.Tree, lessons []*lesson.Lesson) error {
	wrong := map[string]string{}
	for p, fresh := range want {
		old, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(p)))
		switch {
		case errors.Is(err, fs.ErrNotExist):
			wrong[p] = "is missing"
		case err != nil:
			return err
		default:
			if d := difference(old, fresh); d != "" {
				wrong[p] = d
			}
		}
	}
	for _, l := range lessons {
		p := l.Path()
		data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(p)))
		if wrong[p] != "" || err != nil || !hasOutputs(data) {
			continue
		}
		nb, err := nbformat.Parse(p, data)
		if err != nil {
			return err
		}
		if missing := l.Unprinted(nb); len(missing) > 0 {
			wrong[p] = "quotes " + strings.Join(missing, ", ") + ", which no cell of the same section prints: correct the text, or run the notebook"
		}
	}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil:
			return err
		case d.IsDir() && d.Name() == ".ipynb_checkpoints":
			return fs.SkipDir
		case d.IsDir() || filepath.Ext(path) != ".ipynb":
			return nil
		}
		p, err := filepath.Rel(dir, path)
		if _, known := want[filepath.ToSlash(p)]; err == nil && !known {
			wrong[filepath.ToSlash(p)] = "has no source; remove this file"
		}
		return err
	})
	if err != nil {
		return err
	}
	for _, p := range slices.Sorted(maps.Keys(wrong)) {
		fmt.Fprintf(w, "%s: %s\n", filepath.Join(dir, filepath.FromSlash(p)), wrong[p])
	}
	if len(wrong) > 0 {
		return &exitError{exitNotPassed, fmt.Errorf("%d files need attention, see above (the course has %d generated files); "+
			"`%s notebooks` regenerates files that differ or are missing", len(wrong), len(want), cell.Command())}
	}
	fmt.Fprintf(w, "%d files match their sources\n", len(want))
	return nil
}
