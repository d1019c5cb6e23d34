package main

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

	"github.com/spf13/cobra"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/catalog"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/cell"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/equations"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/files"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbformat"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/work"
	"github.com/hyperplane-notebooks/hyperplane/toolkit"
)

func newNotebooksCmd() *cobra.Command {
	var out, workDir string
	var check, carry bool
	cmd := &cobra.Command{
		Use:   "notebooks",
		Short: "make all notebooks, or check them, or write copies for the learner",
		Long: `notebooks makes all notebooks, lessons and exercises, into the folder notebooks.
Outputs of a notebook whose sources have not changed are kept.

With --check it writes nothing and lists every notebook there that differs from
what its source makes (outputs left out), is missing, or has no source.

With --work it writes copies of the lessons and of the learner's exercise notebooks
to the folder where the learner works. A copy that was edited is never
overwritten: the new version is written beside it, as name.v<version>.ipynb. The
copies are recorded in the file ` + work.StateFile + ` there.

With --carry it also puts your answers into the new copies: the cell with the stub,
as you left it, if the new stub has the same functions. The old copies stay, and a
new copy that you have edited is left as it is.

` + exitHelp,
		Example: `  go run ./generate notebooks
  go run ./generate notebooks --check
  go run ./generate notebooks --work work
  go run ./generate notebooks --work work --carry`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			root, module, err := module()
			if err != nil {
				return err
			}
			if workDir == "" && out == "" && !check && !cell.InClone(root) {
				return errors.New("no folder for the notebooks: name it, such as --work work for copies to work in")
			}
			all, learner, err := renderAll(module)
			if err != nil {
				return err
			}
			dir := cmp.Or(out, filepath.Join(root, notebookDir))
			switch {
			case carry && workDir == "":
				return errors.New("--carry goes with --work: name the folder of your notebooks, such as --work work")
			case workDir != "":
				if err := layWork(cmd, workDir, learner); err != nil {
					return err
				}
				return carryAnswers(cmd.OutOrStdout(), workDir, learner, carry)
			case check:
				return checkNotebooks(cmd.OutOrStdout(), dir, all)
			}
			return writeTree(cmd, all, dir)
		},
	}
	cmd.Flags().StringVar(&out, "out", "", "folder of the notebooks (default notebooks in the module)")
	cmd.Flags().BoolVar(&check, "check", false, "write nothing; list the notebooks that differ")
	cmd.Flags().StringVar(&workDir, "work", "", "write the learner's copies to this folder")
	cmd.Flags().BoolVar(&carry, "carry", false, "put your answers into the new copies (with --work)")
	cmd.MarkFlagsMutuallyExclusive("check", "work")
	cmd.MarkFlagsMutuallyExclusive("out", "work")
	return cmd
}

// renderAll renders the notebooks: all for the folder notebooks, learner for the subset
// that a learner works in.
func renderAll(module fs.FS) (all, learner files.Tree, err error) {
	exercises, err := catalog.Exercises(module)
	if err != nil {
		return nil, nil, err
	}
	course, err := catalog.Course(module, exercises)
	if err != nil {
		return nil, nil, err
	}
	name := newNames(course, exercises)
	for _, e := range exercises {
		e.Lessons = name.lessonsOf(e.ID)
	}
	stubs, solved, err := renderExercises(exercises)
	if err != nil {
		return nil, nil, err
	}
	texts, err := renderLessons(course)
	if err != nil {
		return nil, nil, err
	}
	if name.equations, err = equations.Build(module); err != nil {
		return nil, nil, err
	}
	page, err := equationsPage(module, name.equations)
	if err != nil {
		return nil, nil, err
	}
	learner = under("", texts, under(exerciseDir, stubs))
	all = under("", learner, under(exerciseDir, solved))
	for _, tree := range []files.Tree{all, learner} {
		if err := name.expand(tree); err != nil {
			return nil, nil, err
		}
		tree[equations.PageName] = page
	}
	return all, learner, nil
}

func layWork(cmd *cobra.Command, dir string, learner files.Tree) error {
	steps, notes, err := work.Lay(cmd.Context(), dir, toolkit.Version, learner)
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

// carryAnswers copies the learner's answers into the new copies in dir. Without carry it
// prints one line that says how to do so.
func carryAnswers(w io.Writer, dir string, learner files.Tree, carry bool) error {
	list, err := work.Carry(dir, learner, carry)
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
		fmt.Fprintf(w, "%d new copies can have your answers: go run ./generate notebooks --work %s --carry\n", possible,
			dir)
	}
	return err
}

// checkNotebooks lists the notebooks below dir that differ from want, and returns an error
// if there are any.
func checkNotebooks(w io.Writer, dir string, want files.Tree) error {
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
			wrong[filepath.ToSlash(p)] = "has no source; remove it"
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
		return &exitError{exitNotPassed,
			fmt.Errorf("%d of %d notebooks differ; `go run ./generate notebooks` makes them again", len(wrong),
				len(want))}
	}
	fmt.Fprintf(w, "%d notebooks match their sources\n", len(want))
	return nil
}

// newStripCmd returns `generate strip`, which prepares notebooks for a commit or for sending.
func newStripCmd() *cobra.Command {
	var all bool
	cmd := &cobra.Command{
		Use:   "strip NOTEBOOK…",
		Short: "remove from notebooks what should not be committed or sent",
		Long: `strip removes from notebooks the chart library that show.LoadCharts() put there
(700 kB of script; charts then show their pictures until it is run again), the time and
the release of Go of each cell's run, and with --outputs all outputs. Files are replaced
atomically.

` + exitHelp,
		Example: "  go run ./generate strip work/tour.ipynb",
		Args:    cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, paths []string) error {
			for _, path := range paths {
				nb, err := nbformat.ReadFile(path)
				if err != nil {
					return err
				}
				if all {
					nb.Strip()
				} else {
					nb.StripTiming()
				}
				b, err := nb.Marshal()
				if err != nil {
					return fmt.Errorf("%s: %w", path, err)
				}
				if err := files.Write(path, b); err != nil {
					return err
				}
				fmt.Fprintf(cmd.OutOrStdout(), "%s: %d bytes\n", path, len(b))
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&all, "outputs", false, "remove all outputs")
	return cmd
}
