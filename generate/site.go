package main

import (
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/catalog"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/equations"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/exercise"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/formula"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/play"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/site"
)

// newSiteCmd is `generate site`: the course as pages.
func newSiteCmd() *cobra.Command {
	var out, executed, reuse, serve string
	var solve bool
	jobs := runtime.NumCPU()
	cmd := &cobra.Command{
		Use:   "site",
		Short: "make the whole course as pages that need no server and no network",
		Long: `site makes pages of all notebooks with their outputs, of the exercises, the figures
and the equations, and a search in them. Open index.html in a browser: no server and
no network is needed to read.

On the pages of exercises answers are written and judged, by Go's own compiler, which
runs in the page. For that the site must come from a server: --serve is one for your
own browser, and any static host serves others (the README says which headers it must
allow). Building the compiler takes minutes at first; --play=false leaves it out.

Outputs are those of the committed notebooks or, with --executed, of the notebooks in
that folder that have the same cells. A link that leads nowhere, a formula that cannot
be set and a picture without words are errors; then nothing is written.

` + exitHelp,
		Example: `  go run ./generate site --out out/site
  go run ./generate site --serve
  go run ./generate run notebooks/tour.ipynb notebooks/exercises/solutions --out out/notebooks --charts
  go run ./generate site --out out/site --executed out/notebooks`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			root, module, err := module()
			if err != nil {
				return err
			}
			var listener net.Listener
			if serve != "" { // an address that cannot be had is told before the work
				if listener, err = play.Listen(serve); err != nil {
					return fmt.Errorf("--serve: %w", err)
				}
				defer listener.Close()
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
			if solve {
				o.Play, _, err = play.Build(cmd.Context(), play.Options{Root: root, Cache: reuse, Exercises: o.Exercises,
					Warn: func(text string) { fmt.Fprintln(cmd.ErrOrStderr(), "generate:", text) }})
				if err != nil {
					return err
				}
			}
			if o.Index, err = equations.Build(module); err != nil {
				return err
			}
			if o.Equations, err = fs.ReadFile(module, notebookDir+"/"+equations.PageName); err != nil {
				return err
			}
			course, err := catalog.Course(module, o.Exercises)
			if err != nil {
				return err
			}
			known := newNames(course, o.Exercises)
			known.equations = o.Index
			o.Expand = known.text
			o.Distinct = func(id string) ([]*exercise.Exercise, error) {
				list, err := catalog.Distinct(module, id)
				for _, e := range list {
					e.Lessons = known.lessonsOf(id)
				}
				return list, err
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
			if listener == nil {
				return nil
			}
			fmt.Fprintf(cmd.OutOrStdout(), "serving http://%s/ until it is interrupted\n", listener.Addr())
			return play.Serve(cmd.Context(), listener, out)
		},
	}
	f := cmd.Flags()
	f.StringVar(&out, "out", filepath.Join("out", "site"), "folder for the site")
	f.StringVar(&executed, "executed", "", "take outputs from the notebooks in this folder (of run --out)")
	f.StringVar(&reuse, "reuse", "", "keep figures and formulas in this folder, and do not draw or set them again while nothing has changed")
	f.BoolVar(&solve, "play", true, "answers can be written and judged in the pages of exercises")
	f.StringVar(&serve, "serve", "", "then serve the site on this address of your own machine")
	f.Lookup("serve").NoOptDefVal = "127.0.0.1:8080"
	f.IntVar(&jobs, "jobs", jobs, "figures to draw at a time")
	return cmd
}
