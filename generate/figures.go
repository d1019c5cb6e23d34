package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/figures"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

func newFiguresCmd() *cobra.Command {
	var o figures.WriteOptions
	var out string
	var sizes []string
	for _, s := range show.Sizes() {
		sizes = append(sizes, s.Name)
	}
	cmd := &cobra.Command{
		Use:   "figures [ID …]",
		Short: "draw figures, with their numbers and a manifest",
		Long: `figures draws the figures with the given ids, all of them for none, and writes each
in every format asked for, with a manifest of what was drawn and the checksums of
the files. The same command gives the same bytes, on every machine.

` + exitHelp,
		Example: `  go run ./generate figures --out out/figures
  go run ./generate figures fig-prml-4.9 --out /tmp --format svg,csv --size slide`,
		RunE: func(cmd *cobra.Command, ids []string) error {
			o.IDs, o.Context = ids, cmd.Context()
			o.Progress = progress(cmd.ErrOrStderr())
			if o.Jobs < 1 {
				return bad(fmt.Errorf("--jobs takes a number from 1; found %d", o.Jobs))
			}
			manifest, err := figures.WriteAll(out, o)
			if err != nil {
				return bad(err)
			}
			n := 0
			for _, f := range manifest.Figures {
				n += len(f.Files)
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%d figures, %d files and %s in %s\n", len(manifest.Figures), n, figures.ManifestName, out)
			return nil
		},
	}
	f := cmd.Flags()
	f.StringVar(&out, "out", filepath.Join("out", "figures"), "folder for the figures")
	f.StringSliceVar(&o.Formats, "format", []string{"svg", "png", "pdf", "csv"}, "formats, of "+strings.Join(show.Formats(), ", "))
	f.IntVar(&o.Jobs, "jobs", runtime.NumCPU(), "figures to draw at a time")
	f.StringVar(&o.Size, "size", sizes[0], "size, one of "+strings.Join(sizes, ", "))
	return cmd
}

// progress shows a bar on w where w is a terminal; elsewhere it shows nothing, so
// that logs stay readable.
func progress(w io.Writer) func(done, total int, id string) {
	f, ok := w.(*os.File)
	if !ok {
		return nil
	}
	if info, err := f.Stat(); err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return nil
	}
	var bar *progressbar.ProgressBar
	return func(done, total int, id string) {
		if bar == nil {
			bar = progressbar.NewOptions(total, progressbar.OptionSetWriter(w), progressbar.OptionShowCount(),
				progressbar.OptionSetWidth(30), progressbar.OptionClearOnFinish())
		}
		bar.Describe(id)
		_ = bar.Set(done) // a bar that cannot be drawn must not stop the figures
	}
}

func listFigures() []listedFigure {
	list := []listedFigure{}
	for _, e := range figures.All() {
		list = append(list, listedFigure{e.ID, e.Title, e.Source})
	}
	return list
}
