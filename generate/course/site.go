package course

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/cell"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/equations"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/exercise"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/formula"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/licences"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/manifest"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/play"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/site"
)

// newSiteCmd returns the command `generate site`, which generates HTML pages for the whole course.
func newSiteCmd() *cobra.Command {
	var out, executed, reuse, serve string
	var judgeInPage, compiler, asIs, watched bool
	jobs := runtime.NumCPU()
	cmd := &cobra.Command{
		Use:   "site",
		Short: "generate HTML pages for the whole course, for reading without a server or a network",
		Long: `This command generates pages for all notebooks with their outputs, and pages for the exercises,
the figures and the equations. It also generates a search page. To read the site, open
index.html in a browser. Reading needs no server and no network.

Learners can write an answer on the page of an exercise, and the page judges the answer with
Go's own compiler, which runs in the browser. This needs a server. For your own browser,
--serve starts a server. For other readers, copy the site to any static host; the README says
what a Content-Security-Policy of the host must allow. The first build of the compiler takes
minutes. --serve builds the compiler while you read, and the pages show the remaining time.
--play=false omits the compiler, and the parts of the pages that need it.

Authors can use --serve --watch. Twice a second the command checks for changes in exercises,
lessons, equations, and the site's own scripts and styles. It generates the pages of changed
sources again, and the browser reloads these pages. If a source contains an error, the command
prints the error, shows it in the pages, and keeps the old pages. The Go code of the toolkit
and of the command is part of the running program. After a change to this code, stop the
command and run it again.

The outputs on the pages come from the committed notebooks. With --executed FOLDER, the
command takes the outputs of a page from the executed notebook in FOLDER, if that notebook has
the same cells as the committed one. The command writes nothing if it finds a broken link, a
formula that it cannot typeset, or a picture without alt text.

` + exitHelp,
		Example: `  go run ./generate site --out out/site
  go run ./generate site --serve
  go run ./generate site --serve --watch
  go run ./generate run notebooks/tour.ipynb notebooks/exercises/solutions --out out/notebooks --charts
  go run ./generate site --out out/site --executed out/notebooks`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			root, module, err := openModule()
			if err != nil {
				return err
			}
			var listener net.Listener
			if serve != "" { // listen before the site is made, so that the user learns at once if the port is in use
				if listener, err = listen(serve, usualAddress); err != nil {
					return err
				}
				defer listener.Close()
			}
			if watched && (listener == nil || asIs || executed != "") {
				return errors.New("--watch needs --serve, and allows neither --as-is nor --executed")
			}
			if asIs {
				if listener == nil {
					return errors.New("--as-is needs --serve")
				}
				if _, err := os.Stat(filepath.Join(out, "index.html")); err != nil {
					return fmt.Errorf("--as-is: %w; to make the site, omit --as-is", err)
				}
				_, err := os.Stat(filepath.Join(out, filepath.FromSlash(play.ManifestPath)))
				return serveSite(cmd, listener, root, out, reuse, judgeInPage && compiler && err != nil)
			}
			o := site.Options{Module: module, Formulas: &formula.Renderer{}, Lessons: current.LessonDir, Title: title}
			toolkitRoot, err := cell.Toolkit(root)
			if err != nil {
				return err
			}
			if executed != "" {
				if _, err := os.Stat(executed); err != nil {
					return fmt.Errorf("--executed: %w; name the folder that `run --out` wrote", err)
				}
				o.Executed = os.DirFS(executed)
			}
			server := newWatchServer(cmd, root, out)
			if watched {
				if err := server.beginWatch(&o); err != nil {
					return err
				}
			}
			if err := readSources(&o, module); err != nil {
				return err
			}
			if o.Works, err = licences.Site(cmd.Context(), toolkitRoot, judgeInPage); err != nil {
				return err
			}
			if judgeInPage {
				build := play.Options{Root: root, Cache: reuse, Exercises: o.Exercises,
					Warn: func(text string) { fmt.Fprintln(cmd.ErrOrStderr(), program+":", text) }}
				var works []licences.Work
				if listener == nil && compiler {
					if bar := progressBar(cmd.ErrOrStderr()); bar != nil {
						build.Done = func(share float64) { bar(int(100*share), 100, "compiler, percent") }
					}
					var built *play.Manifest
					inputs, failed := compilerInputs(module)
					if o.Play, built, err = play.Build(cmd.Context(), build); err == nil {
						works, o.Play[inputsPath], err = built.Works, []byte(inputs), failed
					}
				} else {
					o.Play, works, err = play.Scripts(cmd.Context(), build)
				}
				if err != nil {
					return err
				}
				o.Works = append(o.Works, works...)
			}
			inputs, err := inputsOf(module)
			if err != nil {
				return err
			}
			if !withFigures {
				o.Figures = &site.Figures{Manifest: &manifest.Manifest{}}
			} else if o.Figures, err = site.Draw(cmd.Context(), jobs, reuse, inputs, progressBar(cmd.ErrOrStderr())); err != nil {
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
			fmt.Fprintf(cmd.OutOrStdout(), "%d files written, %d unchanged in %s\n", len(done.Written),
				len(done.Unchanged), out)
			if listener == nil {
				return nil
			}
			if watched {
				return server.serve(listener, o, reuse, judgeInPage && compiler)
			}
			return serveSite(cmd, listener, root, out, reuse, judgeInPage && compiler)
		},
	}
	f := cmd.Flags()
	f.StringVar(&out, "out", filepath.Join("out", "site"), "folder for the site")
	f.StringVar(&executed, "executed", "", "take outputs from the notebooks in this folder, which run --out wrote")
	f.StringVar(&reuse, "reuse", "",
		"keep figures and formulas in this folder, and make them again only after a change")
	f.BoolVar(&judgeInPage, "play", true, "let learners write answers on the pages of exercises, and judge the answers there")
	f.BoolVar(&compiler, "compiler", true, "build the compiler that judges answers; if false, a later run can add it")
	f.StringVar(&serve, "serve", "", "make the site, then serve it on this address of your own machine")
	f.BoolVar(&watched, "watch", false, "with --serve: rebuild pages when their sources change")
	f.BoolVar(&asIs, "as-is", false, "with --serve: do not make the site, but serve the existing site in --out")
	f.Lookup("serve").NoOptDefVal = usualAddress
	f.IntVar(&jobs, "jobs", jobs, "number of figures to draw at the same time")
	return cmd
}

// readSources reads the exercises, the lessons and the equations of the course, and stores them in
// the options of the site.
func readSources(o *site.Options, module fs.FS) (err error) {
	if o.Exercises, err = current.Exercises(module); err != nil {
		return err
	}
	if o.Index, err = current.Equations.Build(module); err != nil {
		return err
	}
	if o.Equations = nil; len(o.Index.Equations)+len(o.Index.Errata) > 0 {
		if o.Equations, err = fs.ReadFile(o.Module, notebookDir+"/"+equations.PageName); err != nil {
			return err
		}
	}
	if o.Course, err = current.Course(module, o.Exercises); err != nil {
		return err
	}
	known := newNames(o.Course, o.Exercises)
	known.equations = o.Index
	o.Expand = known.text
	o.Distinct = func(id string) ([]*exercise.Exercise, error) {
		list, err := current.Distinct(module, id)
		for _, e := range list {
			e.Lessons = known.lessonsOf(id)
		}
		return list, err
	}
	return nil
}
