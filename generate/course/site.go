package course

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/cell"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/equations"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/exercise"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/formula"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/licences"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/manifest"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/play"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/site"
	"github.com/hyperplane-notebooks/hyperplane/toolkit"
)

// usualAddress is the default of --serve. If its port is in use, the server takes the next free
// port.
const usualAddress = "127.0.0.1:8080"

// newSiteCmd returns `generate site`, which builds the course as pages.
func newSiteCmd() *cobra.Command {
	var out, executed, reuse, serve string
	var solve, compiler, asIs, watched bool
	jobs := runtime.NumCPU()
	cmd := &cobra.Command{
		Use:   "site",
		Short: "make pages of the whole course that work without a server or network",
		Long: `site makes pages of all notebooks with their outputs, of the exercises, the figures
and the equations, with a search. Open index.html in a browser: reading needs no server
and no network.

On the page of an exercise, learners write an answer and have it judged; Go's own
compiler runs in the page. This needs a server: --serve starts one for your own browser.
For other readers, use any static host; the README lists the headers that the host must
send. The first build of the compiler takes minutes. --serve builds the compiler while
you read, and the pages show the time left; --play=false omits the compiler.

With --serve --watch, the command is for authors: twice a second it looks for changes of
exercises, lessons, equations, and the site's own scripts and styles. It makes the affected
pages again, and the browser reloads a page that has changed. An error is printed and shown
in the page, and the old page stays. The Go code of the toolkit and of the generator is part
of this program: after a change of this code, stop the command and run it again.

Outputs come from the committed notebooks or, with --executed, from the notebooks in
that folder that have the same cells. A broken link, a formula that cannot be typeset
and a picture without alt text are errors; then nothing is written.

` + exitHelp,
		Example: `  go run ./generate site --out out/site
  go run ./generate site --serve
  go run ./generate site --serve --watch
  go run ./generate run notebooks/tour.ipynb notebooks/exercises/solutions --out out/notebooks --charts
  go run ./generate site --out out/site --executed out/notebooks`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			root, module, err := module()
			if err != nil {
				return err
			}
			var listener net.Listener
			if serve != "" { // listen first, so that a port in use is reported before any work
				if listener, err = listen(serve, usualAddress); err != nil {
					return err
				}
				defer listener.Close()
			}
			if watched && (listener == nil || asIs || executed != "") {
				return errors.New("--watch needs --serve, and neither --as-is nor --executed")
			}
			if asIs {
				if listener == nil {
					return errors.New("--as-is needs --serve")
				}
				if _, err := os.Stat(filepath.Join(out, "index.html")); err != nil {
					return fmt.Errorf("--as-is: %w; omit --as-is to make the site", err)
				}
				_, err := os.Stat(filepath.Join(out, filepath.FromSlash(play.ManifestPath)))
				return serveSite(cmd, listener, root, out, reuse, solve && compiler && err != nil)
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
			author := newAuthor(cmd, root, out)
			if watched {
				if err := author.beginWatch(&o); err != nil {
					return err
				}
			}
			if err := readSources(&o, module); err != nil {
				return err
			}
			if o.Works, err = licences.Site(cmd.Context(), toolkitRoot, solve); err != nil {
				return err
			}
			if solve {
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
				return author.serve(listener, o, reuse, solve && compiler)
			}
			return serveSite(cmd, listener, root, out, reuse, solve && compiler)
		},
	}
	f := cmd.Flags()
	f.StringVar(&out, "out", filepath.Join("out", "site"), "folder for the site")
	f.StringVar(&executed, "executed", "", "take outputs from the notebooks in this folder (written by run --out)")
	f.StringVar(&reuse, "reuse", "",
		"keep figures and formulas in this folder, and make them again only after a change")
	f.BoolVar(&solve, "play", true, "let learners write answers in the pages of exercises, where a compiler judges them")
	f.BoolVar(&compiler, "compiler", true, "build the compiler that judges answers; if false, a later run can add it")
	f.StringVar(&serve, "serve", "", "make the site, then serve it on this address of your own machine")
	f.BoolVar(&watched, "watch", false, "with --serve: make pages again when you change their sources")
	f.BoolVar(&asIs, "as-is", false, "with --serve: do not make the site, but serve the existing site in --out")
	f.Lookup("serve").NoOptDefVal = usualAddress
	f.IntVar(&jobs, "jobs", jobs, "number of figures to draw at the same time")
	return cmd
}

// readSources reads the exercises, the lessons and the equations of the module for the site.
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

// inputSources are the sources of cells and figures, and of the kernel.
var inputSources = []string{"go.mod", "go.sum", "toolkit", "exercises", toolsModule}

// toolsModule is the nested module that fixes the version of the kernel.
const toolsModule = "docker/tools"

// inputsHash returns a hash of all sources, except the notebook itself, that affect a notebook's
// outputs or a figure's bytes. Equal sources give equal hashes.
func inputsHash() (string, error) {
	_, module, err := module()
	if err != nil {
		return "", err
	}
	return inputsOf(module)
}

// inputsOf returns the hash of inputSources and of the given additional folders.
func inputsOf(module fs.FS, more ...string) (string, error) {
	sum := sha256.New()
	fmt.Fprintln(sum, toolkit.Version, runtime.Version(), runtime.GOARCH)
	var failed error
	sources := slices.Concat(inputSources, more)
	if cell.Course != cell.Module { // go.mod and go.sum are included because they name the toolkit's version.
		sources = []string{"."}
	}
	for _, source := range sources {
		err := fs.WalkDir(module, source, func(path string, d fs.DirEntry, err error) error {
			if errors.Is(err, fs.ErrNotExist) && path == toolsModule {
				return nil // The sources of an installed program do not contain nested modules.
			}
			if source == "." && d != nil && d.IsDir() && path != "." && strings.HasPrefix(d.Name(), ".") {
				return fs.SkipDir
			}
			if err != nil || d.IsDir() || source == "." && !slices.Contains([]string{".go", ".mod", ".sum"}, filepath.Ext(path)) {
				return err
			}
			text, err := fs.ReadFile(module, path)
			fmt.Fprintf(sum, "%s %d\n%s", path, len(text), text)
			return err
		})
		failed = errors.Join(failed, err)
	}
	return hex.EncodeToString(sum.Sum(nil)[:16]), failed
}
