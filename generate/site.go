package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/catalog"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/equations"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/formula"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/site"
)

// newSiteCmd is `generate site`: the course as pages.
func newSiteCmd() *cobra.Command {
	var out, executed, reuse string
	jobs := runtime.NumCPU()
	cmd := &cobra.Command{
		Use:   "site",
		Short: "make the whole course as pages that need no server and no network",
		Long: `site makes pages of all notebooks with their outputs, of the exercises, the figures
and the equations, and a search in them. Open index.html in a browser: no server and
no network is needed.

Outputs are those of the committed notebooks or, with --executed, of the notebooks in
that folder that have the same cells. A link that leads nowhere, a formula that cannot
be set and a picture without words are errors; then nothing is written.

` + exitHelp,
		Example: `  go run ./generate site --out out/site
  go run ./generate run notebooks/tour.ipynb notebooks/exercises/solutions --out out/notebooks --charts
  go run ./generate site --out out/site --executed out/notebooks`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, module, err := module()
			if err != nil {
				return err
			}
			o := site.Options{Module: module, Formulas: &formula.Renderer{}}
			if executed != "" {
				if _, err := os.Stat(executed); err != nil {
					return fmt.Errorf("--executed: %w; name the folder that `run --out` wrote", err)
				}
				o.Executed = os.DirFS(executed)
			}
			if o.Exercises, err = catalog.Exercises(module); err != nil {
				return err
			}
			if o.Index, err = equations.Build(module); err != nil {
				return err
			}
			if o.Equations, err = fs.ReadFile(module, notebookDir+"/"+equations.PageName); err != nil {
				return err
			}
			o.Expand = func(text, notebook string) (string, error) {
				return o.Index.Expand(text, strings.Repeat("../", strings.Count(notebook, "/"))+equations.PageName)
			}
			inputs, err := inputsOf(module)
			if err != nil {
				return err
			}
			if o.Figures, err = site.Draw(cmd.Context(), jobs, reuse, inputs); err != nil {
				return err
			}
			if reuse != "" {
				o.Formulas.Load(reuse)
			}
			pages, err := site.Build(cmd.Context(), o)
			if err != nil {
				return err
			}
			if reuse != "" {
				if err := o.Formulas.Save(reuse); err != nil {
					return err
				}
			}
			done, err := pages.Write(cmd.Context(), out)
			if err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%d files written, %d unchanged: open %s\n", len(done.Written), len(done.Unchanged), filepath.Join(out, "index.html"))
			return nil
		},
	}
	f := cmd.Flags()
	f.StringVar(&out, "out", filepath.Join("out", "site"), "folder for the site")
	f.StringVar(&executed, "executed", "", "take outputs from the notebooks in this folder (of run --out)")
	f.StringVar(&reuse, "reuse", "", "keep figures and formulas in this folder, and do not draw or set them again while nothing has changed")
	f.IntVar(&jobs, "jobs", jobs, "figures to draw at a time")
	return cmd
}
