package course

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/cell"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/content"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/exercise"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/files"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/lesson"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbformat"
)

// notebookDir is the folder of the module with the committed notebooks. exerciseDir is the folder
// in notebookDir with the notebooks of exercises.
const (
	notebookDir = "notebooks"
	exerciseDir = "exercises"
)

// openModule returns the folder of the course's module, and a file system with the files of the module.
func openModule() (root string, files fs.FS, err error) {
	if root, err = cell.FindRoot("."); err != nil {
		return "", nil, err
	}
	return root, os.DirFS(root), nil
}

// unknownName returns the error for an unknown name. The error suggests the nearest name in the list
// `known`. If no known name is near, the error lists all of them. The argument `kind` says what the
// name should identify, such as "exercise".
func unknownName(kind, name string, known []string) error { return content.Unknown(kind, name, known) }

// renderExercises makes the learner's notebook and the solved notebook of each exercise, but not of
// the tasks of lessons. It writes no files.
func renderExercises(list []*exercise.Exercise) (learner, solved files.Tree, err error) {
	learner, solved = files.Tree{}, files.Tree{}
	for _, e := range list {
		if e.OfLesson() {
			continue
		}
		for _, kind := range []struct {
			make func() (*nbformat.Notebook, error)
			tree files.Tree
			path string
		}{{e.Learner, learner, e.LearnerPath()}, {e.Solved, solved, e.SolvedPath()}} {
			nb, err := kind.make()
			if err != nil {
				return nil, nil, err
			}
			if kind.tree[kind.path], err = nb.Marshal(); err != nil {
				return nil, nil, fmt.Errorf("%s: %w", e.Dir, err)
			}
		}
	}
	return learner, solved, nil
}

func renderLessons(course *lesson.Course) (files.Tree, error) {
	tree := files.Tree{}
	for _, l := range course.Lessons {
		nb, err := l.Notebook(course, current.Packages())
		if err != nil {
			return nil, err
		}
		if tree[l.Path()], err = nb.Marshal(); err != nil {
			return nil, fmt.Errorf("lesson %s: %w", l.ID, err)
		}
	}
	return tree, nil
}

// mergeUnder returns a tree with the files of all given trees. It puts the given folder in front of
// every path.
func mergeUnder(folder string, trees ...files.Tree) files.Tree {
	all := files.Tree{}
	for _, t := range trees {
		for p, data := range t {
			all[path.Join(folder, p)] = data
		}
	}
	return all
}

// keepOutputs returns the files of `tree`, and adds to each notebook the outputs of the notebook with
// the same path in `dir`. If the code cells of the two notebooks differ, it adds no outputs. The
// texts may differ, because they do not affect the outputs.
func keepOutputs(tree files.Tree, dir string) files.Tree {
	kept := files.Tree{}
	for p, fresh := range tree {
		kept[p] = fresh
		if old, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(p))); err == nil {
			kept[p] = withAllOutputs(fresh, old)
		}
	}
	return kept
}

// withAllOutputs returns the notebook `fresh` after adding the outputs of the notebook `old`. If the
// code cells of the two notebooks differ, or if a file is not a notebook, withAllOutputs returns `fresh`
// unchanged.
func withAllOutputs(fresh, old []byte) []byte {
	if difference(old, fresh) == "" {
		return old
	}
	from, err := nbformat.Parse("it", old)
	if err != nil {
		return fresh
	}
	to, err := nbformat.Parse("it", fresh)
	if err != nil {
		return fresh
	}
	ran, cells := codeCells(from), codeCells(to)
	if !slices.EqualFunc(ran, cells, func(a, b *nbformat.Cell) bool { return a.Source == b.Source }) {
		return fresh
	}
	for i, c := range cells {
		c.Outputs, c.ExecutionCount = ran[i].Outputs, ran[i].ExecutionCount
	}
	if b, err := to.Marshal(); err == nil {
		return b
	}
	return fresh
}

func codeCells(nb *nbformat.Notebook) (cells []*nbformat.Cell) {
	for _, c := range nb.Cells {
		if c.Type == nbformat.Code {
			cells = append(cells, c)
		}
	}
	return cells
}

// hasOutputs reports whether data is a notebook in which at least one cell has outputs.
func hasOutputs(data []byte) bool {
	nb, err := nbformat.Parse("it", data)
	return err == nil &&
		slices.ContainsFunc(nb.Cells, func(c *nbformat.Cell) bool { return len(c.Outputs) > 0 })
}

// difference describes how the file `old` differs from the generated file `fresh`. In notebooks, it
// ignores everything that a run adds, such as outputs. If nothing else differs, it returns "".
func difference(old, fresh []byte) string {
	if bytes.Equal(old, fresh) {
		return ""
	}
	if !json.Valid(fresh) {
		return changedLine(old, fresh)
	}
	nb, err := nbformat.Parse("it", old)
	if err != nil {
		return strings.TrimPrefix(err.Error(), "it: ")
	}
	if again, err := nb.Marshal(); err != nil || !bytes.Equal(again, old) {
		return "is not formatted like a notebook from Jupyter"
	}
	nb.Strip()
	stripped, err := nb.Marshal()
	if err != nil {
		return err.Error()
	}
	if !bytes.Equal(stripped, fresh) {
		return changedLine(stripped, fresh)
	}
	return ""
}

// changedLine describes the first line in which two texts differ.
func changedLine(old, fresh []byte) string {
	from, to := strings.Split(string(old), "\n"), strings.Split(string(fresh), "\n")
	i := 0
	for i < min(len(from), len(to)) && from[i] == to[i] {
		i++
	}
	line := func(lines []string) string {
		if i < len(lines) {
			return fmt.Sprintf("%.100q", strings.TrimSpace(lines[i]))
		}
		return "the end of the file"
	}
	return fmt.Sprintf("differs from its source: line %d is %s, want %s", i+1, line(from), line(to))
}

// writeTree writes the files of `tree` to `dir`, and prints the paths of the files that have changed.
// A notebook keeps the outputs of its old file in `dir` if its code is unchanged. Otherwise writeTree
// removes the outputs and adds a note to the printed path.
func writeTree(cmd *cobra.Command, tree files.Tree, dir string) error {
	kept, lost := keepOutputs(tree, dir), map[string]bool{}
	for p, data := range kept {
		path := filepath.Join(dir, filepath.FromSlash(p))
		if old, err := os.ReadFile(path); err == nil && hasOutputs(old) && !hasOutputs(data) {
			lost[path] = true
		}
	}
	r, err := kept.Write(cmd.Context(), dir)
	if err != nil {
		return err
	}
	w := cmd.OutOrStdout()
	for _, p := range r.Written {
		path := filepath.Join(dir, filepath.FromSlash(p))
		if lost[path] {
			path += ": outputs removed, because the code has changed; run the notebook again (in hyperplane's repository: `make notebooks`)"
		}
		fmt.Fprintln(w, path)
	}
	fmt.Fprintf(w, "%d written, %d unchanged in %s\n", len(r.Written), len(r.Unchanged), dir)
	return nil
}
