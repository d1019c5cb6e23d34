package course

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/cell"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/licences"
)

// newLicencesCmd returns the command `generate licences`. The programs of this module contain
// third-party work, so the licences of this work must accompany the programs. The command collects
// these licences.
func newLicencesCmd() *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use:   "licences",
		Short: "write the licences of third-party work in this command and in the toolkit",
		Long: `This command writes the files LICENSES.txt and NOTICE. If you distribute this command or a
program that uses the toolkit, for example in a container image, you must add these two files.
The files cover Go, every module from which the programs are built, and the scripts and fonts
that the programs contain. A site has its own LICENSES.txt and NOTICE.

` + exitHelp,
		Example: "  go run ./generate licences --out out/licences",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			root, _, err := openModule()
			if err != nil {
				return err
			}
			goroot, err := exec.CommandContext(cmd.Context(), "go", "env", "GOROOT").Output()
			if err != nil {
				return fmt.Errorf("go env GOROOT: %w", err)
			}
			golang, err := licences.Go(strings.TrimSpace(string(goroot)), runtime.Version())
			if err != nil {
				return err
			}
			packages,
				err := licences.List(cmd.Context(), root, cell.HyperplaneModule+"/generate", cell.HyperplaneModule+"/toolkit/...",
				cell.HyperplaneModule+"/exercises/...")
			if err != nil {
				return err
			}
			modules, err := licences.Modules(root, packages)
			if err != nil {
				return err
			}
			bundled, err := licences.Site(cmd.Context(), root, true)
			if err != nil {
				return err
			}
			works := append(append(modules, golang), bundled...)
			for i := range works {
				works[i].Files = nil // do not list these files, because only a site contains them
			}
			tree := licences.Tree(works)
			if _, err := tree.Write(cmd.Context(), out); err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "licences of %d works: %s\n", len(works), filepath.Join(out, licences.File))
			return nil
		},
	}
	cmd.Flags().StringVar(&out, "out", filepath.Join("out", "licences"), "folder for the files")
	return cmd
}
