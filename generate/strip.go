package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/files"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbformat"
)

// newStripCmd is `generate strip`: notebooks made ready to be committed or sent.
func newStripCmd() *cobra.Command {
	var all bool
	cmd := &cobra.Command{
		Use:   "strip NOTEBOOK…",
		Short: "take out of notebooks what should not be committed or sent",
		Long: `strip takes out of notebooks the chart library that show.LoadCharts() put there
(700 kB of script; charts then show their pictures until it is run again), when and
with which release of Go each cell ran, and with --outputs all outputs. A file is
replaced only when its successor is complete.

` + exitHelp,
		Example: "  go run ./generate strip work/tour.ipynb",
		Args:    cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, paths []string) error {
			for _, path := range paths {
				nb, err := nbformat.ReadFile(path)
				if err != nil {
					return bad(err)
				}
				if all {
					nb.Strip()
				} else {
					nb.StripTiming()
				}
				b, err := nb.Marshal()
				if err != nil {
					return bad(fmt.Errorf("%s: %w", path, err))
				}
				if err := files.Write(path, b); err != nil {
					return bad(err)
				}
				fmt.Fprintf(cmd.OutOrStdout(), "%s: %d bytes\n", path, len(b))
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&all, "outputs", false, "take out all outputs")
	return cmd
}
