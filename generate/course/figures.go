package course

import (
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/gallery"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/manifest"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/runner"
	"github.com/hyperplane-notebooks/hyperplane/toolkit"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/figures"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

func newFiguresCmd() *cobra.Command {
	var o manifest.Options
	var out, listed string
	var withGallery bool
	var sizes []string
	for _, s := range show.Sizes() {
		sizes = append(sizes, s.Name)
	}
	cmd := &cobra.Command{
		Use:   "figures [ID …]",
		Short: "draw figures, and write their numbers, a manifest, and a page that shows them",
		Long: `This command draws the figures with the given ids, or all figures. It writes a file for
each figure in every requested format; it skips html if a figure has no interactive form.
It also writes ` + manifest.Name + `, with the parameters of the figures and the checksums of
the files, and ` + gallery.Name + `, a page that shows the figures. The same command writes the
same bytes on every machine.

With --check the command writes no files. It draws the figures of a manifest again, in the
size and the formats of the manifest, and lists every figure whose numbers, files, parameters
or texts differ from the manifest. It also lists every figure that only the manifest or only
the catalogue contains. With ids the command checks only the figures with these ids.

` + exitHelp,
		Example: `  go run ./generate figures --out out/figures
  go run ./generate figures ` + figures.All()[0].ID + ` --out /tmp --format svg,csv --size slide
  go run ./generate figures --check out/figures/manifest.json`,
		RunE: func(cmd *cobra.Command, ids []string) error {
			o.IDs, o.Context = ids, cmd.Context()
			o.Progress = progressBar(cmd.ErrOrStderr())
			if err := atLeastOne(o.Jobs); err != nil {
				return err
			}
			if cmd.Flags().Changed("check") {
				return checkFigures(cmd.OutOrStdout(), listed, o)
			}
			return writeFigures(cmd.OutOrStdout(), out, o, withGallery)
		},
	}
	f := cmd.Flags()
	f.StringVar(&out, "out", filepath.Join("out", "figures"), "folder for the figures")
	f.StringSliceVar(&o.Formats, "format", []string{"svg", "png", "pdf", "csv", "html"},
		"formats, any of "+strings.Join(manifest.Formats(), ", ")+
			"; html is the interactive form, which only some figures have")
	f.IntVar(&o.Jobs, "jobs", runtime.NumCPU(), "number of figures to draw at the same time")
	f.StringVar(&o.Size, "size", sizes[0], "size, one of "+strings.Join(sizes, ", "))
	f.BoolVar(&withGallery, "gallery", true, "write "+gallery.Name+" too")
	f.StringVar(&listed, "check", "", "write no files; list the differences between the figures and this `manifest`")
	for _, name := range []string{"out", "format", "size", "gallery"} {
		cmd.MarkFlagsMutuallyExclusive("check", name)
	}
	return cmd
}

// writeFigures writes the figures and the manifest to the folder `out`, and also the gallery if
// withGallery is true.
func writeFigures(w io.Writer, out string, o manifest.Options, withGallery bool) error {
	m, err := manifest.Write(out, o)
	if err != nil {
		return err
	}
	n := 0
	for _, f := range m.Figures {
		n += len(f.Files)
	}
	also := manifest.Name
	if withGallery {
		page, err := gallery.Render(m)
		if err != nil {
			return err
		}
		if err := toolkit.WriteFile(filepath.Join(out, gallery.Name), page); err != nil {
			return err
		}
		also += ", " + gallery.Name
	}
	fmt.Fprintf(w, "%d figures, %d files and %s in %s\n", len(m.Figures), n, also, out)
	return nil
}

// checkFigures draws the figures again and prints how they differ from a manifest. The argument
// `path` is the path of the manifest's file.
func checkFigures(w io.Writer, path string, o manifest.Options) error {
	m, err := manifest.Read(path)
	if err != nil {
		return err
	}
	diffs, err := manifest.Check(m, o)
	if err != nil {
		return err
	}
	for _, d := range diffs {
		fmt.Fprintln(w, d)
	}
	if len(diffs) > 0 {
		return &exitError{code: exitNotPassed}
	}
	fmt.Fprintln(w, "the figures match the manifest:", path)
	return nil
}

// progressBar returns a function that draws a progress bar on w. It returns nil if w is not a
// terminal, because a bar would make logs unreadable.
func progressBar(w io.Writer) func(done, total int, id string) {
	if !runner.IsTerminal(w) {
		return nil
	}
	var bar *progressbar.ProgressBar
	return func(done, total int, id string) {
		if bar == nil {
			bar = progressbar.NewOptions(total, progressbar.OptionSetWriter(w), progressbar.OptionShowCount(),
				progressbar.OptionSetWidth(30), progressbar.OptionClearOnFinish())
		}
		bar.Describe(id)
		_ = bar.Set(done) // ignore the error: the figures are complete even without the bar
	}
}

func listFigures() []listedFigure {
	list := []listedFigure{}
	for _, e := range figures.All() {
		list = append(list, listedFigure{e.ID, e.Title, e.Source})
	}
	return list
}
