package course

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/cell"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/doctor"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/runner"
)

// newSetupCmd returns the command `generate setup`, which makes a kernel for the notebooks of a
// course that has its own Go module.
func newSetupCmd() *cobra.Command {
	var from string
	cmd := &cobra.Command{
		Use:   "setup",
		Short: "let your own course's module use the kernel of a hyperplane checkout",
		Long: `This command makes the folder .tools in the module of the course. The folder contains a kernel
whose cells can import the packages of the course. It also contains links to the tools of a
checkout of hyperplane, in which ` + "`make setup`" + ` has built the kernel. The module cache of Go does
not contain these tools, so you need a checkout. Keep the checkout, because the links lead to it.
To make a checkout and use its tools:

  git clone https://` + cell.HyperplaneModule + ` && make -C hyperplane setup
  go run . setup --from hyperplane/.tools

` + exitHelp,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if cell.InHyperplane() {
				return errors.New("this is hyperplane itself: run `make setup`")
			}
			root, err := cell.FindRoot(".")
			if err != nil {
				return err
			}
			if from == "" {
				toolkit, err := cell.Toolkit(root)
				if err != nil {
					return err
				}
				from = filepath.Join(toolkit, ".tools")
			}
			if from, err = filepath.Abs(from); err != nil {
				return err
			}
			if err := adoptTools(from, filepath.Join(root, ".tools"), root); err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%s now uses the kernel of %s\n", root, from)
			return nil
		},
	}
	cmd.Flags().StringVar(&from, "from", "", "folder .tools of a checkout (default: .tools in the checkout that go.mod names)")
	return cmd
}

// adoptTools makes the folder `tools`, with everything that the notebooks of the module in `root`
// need. It writes a kernel for this module, and symbolic links to the other tools, which are in the
// folder `source`.
func adoptTools(source, tools, root string) error {
	kernel := filepath.Join("share", "jupyter", "kernels", "gonb", "kernel.json")
	spec, err := os.ReadFile(filepath.Join(source, kernel))
	if err != nil {
		return fmt.Errorf("found no kernel: %w; run `make setup` in a checkout of hyperplane, and name the folder .tools of this checkout with --from",
			err)
	}
	mine, err := runner.ForModule(spec, root)
	if err != nil {
		return fmt.Errorf("%s: %w", filepath.Join(source, kernel), err)
	}
	if err := os.MkdirAll(filepath.Dir(filepath.Join(tools, kernel)), 0o755); err != nil {
		return err
	}
	for _, name := range []string{"bin", "gowrap", "libexec", "python"} {
		link := filepath.Join(tools, name)
		if err := os.Remove(link); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
		if _, err := os.Stat(filepath.Join(source, name)); err != nil {
			continue // the folder "python" may be missing; the notebooks then use the system's Python
		}
		if err := os.Symlink(filepath.Join(source, name), link); err != nil {
			return err
		}
	}
	return os.WriteFile(filepath.Join(tools, kernel), mine, 0o644)
}

// newDoctorCmd returns the command `generate doctor`, which checks whether this machine has
// everything that notebooks need.
func newDoctorCmd() *cobra.Command {
	asJSON := false
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "report what this machine has, what is missing or has the wrong version, and how to fix it",
		Long: `This command checks Go, the kernel and its tools, Jupyter, the folders that hyperplane writes
to, and the sandbox for other people's answers. If everything that a cell needs is present, it
also runs one cell. The exit status is 1 when something that notebooks need is missing or
broken.`,
		Args: cobra.NoArgs,
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the findings as JSON")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		machine, err := doctor.ThisMachine(".")
		if err != nil {
			return err
		}
		report := doctor.Examine(machine)
		if err := print(cmd, asJSON, report, report.WriteTable); err != nil {
			return err
		}
		if !report.Well {
			return &exitError{exitNotPassed, nil}
		}
		return nil
	}
	return cmd
}
