package main

import (
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/doctor"
)

// newDoctorCmd is `generate doctor`: what this machine has of what notebooks need.
func newDoctorCmd() *cobra.Command {
	asJSON := false
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "tell what is present, missing or mismatched, and the remedy",
		Long: `doctor looks at Go, the kernel and its tools, Jupyter and the folders that are
written to, and runs one cell. The exit status is 1 when something is not right
that notebooks need.`,
		Args: cobra.NoArgs,
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the findings as JSON")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		machine, err := doctor.ThisMachine(".")
		if err != nil {
			return bad(err)
		}
		report := doctor.Examine(machine)
		if asJSON {
			text, err := json.MarshalIndent(report, "", "  ")
			if err != nil {
				return bad(err)
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%s\n", text)
		} else if err := report.WriteTable(cmd.OutOrStdout()); err != nil {
			return bad(err)
		}
		if !report.Well {
			return &exitError{exitNotPassed, nil}
		}
		return nil
	}
	return cmd
}
