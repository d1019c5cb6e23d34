package course

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/files"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbformat"
)

// newStripCmd returns the command `generate strip`, which removes data from notebooks before the
// user commits or sends them.
func newStripCmd() *cobra.Command {
	var all bool
	cmd := &cobra.Command{
		Use:   "strip NOTEBOOK…",
		Short: "strip notebooks of data that you should not commit or send",
		Long: `This command removes the following data from notebooks:

- the chart library that show.LoadCharts() has added (700 kB of JavaScript), and the
  interactive form of each chart that has a picture; until you run the notebook again, such a
  chart appears as a picture
- the vector form of the pictures that show.Display has added for pages
- the time at which each cell ran, and the release of Go that ran the notebook
- all outputs, if you give --outputs

The command writes a new file and then replaces the old one, so an error never leaves half
a notebook.

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
	cmd.Flags().BoolVar(&all, "outputs", false, "also remove all outputs")
	return cmd
}

// unnamed takes the place of a notebook's path in errors about a notebook whose path is unknown.
const unnamed = "notebook"

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
	return withOutputs(fresh, old, func(from, to *nbformat.Notebook) bool {
		ran, cells := codeCells(from), codeCells(to)
		if !slices.EqualFunc(ran, cells, func(a, b *nbformat.Cell) bool { return a.Source == b.Source }) {
			return false
		}
		for i, c := range cells {
			copyOutputs(ran[i], c)
		}
		return true
	})
}

// withMatchingOutputs returns the notebook `fresh`, with outputs from the notebook `old`. A cell gets
// the outputs of the cell with the same id in `old` if the sources of both cells are equal.
func withMatchingOutputs(fresh, old []byte) []byte {
	return withOutputs(fresh, old, func(from, to *nbformat.Notebook) bool {
		for _, c := range codeCells(to) {
			if ran := from.Cell(c.ID); ran != nil && ran.Source == c.Source {
				copyOutputs(ran, c)
			}
		}
		return true
	})
}

// withOutputs returns the notebook `fresh` after the function `carry` has copied outputs of the notebook
// `old` to it. If carry returns false, or if a file is not a notebook, as the page of equations is not,
// withOutputs returns `fresh` unchanged.
func withOutputs(fresh, old []byte, carry func(from, to *nbformat.Notebook) bool) []byte {
	from, err := nbformat.Parse(unnamed, old)
	if err != nil {
		return fresh
	}
	to, err := nbformat.Parse(unnamed, fresh)
	if err != nil || !carry(from, to) {
		return fresh
	}
	if text, err := to.Marshal(); err == nil {
		return text
	}
	return fresh
}

// copyOutputs copies the outputs and the execution count of a cell to another cell.
func copyOutputs(from, to *nbformat.Cell) {
	to.Outputs, to.ExecutionCount = from.Outputs, from.ExecutionCount
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
	nb, err := nbformat.Parse(unnamed, data)
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
	nb, err := nbformat.Parse(unnamed, old)
	if err != nil {
		return strings.TrimPrefix(err.Error(), unnamed+": ")
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
