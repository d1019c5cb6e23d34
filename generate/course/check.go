package course

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/cell"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/exercise"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/grading"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/work"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// newCheckCmd returns `generate check`, which judges the user's own answer without Jupyter.
func newCheckCmd() *cobra.Command {
	var watch bool
	var flags variantFlags
	cmd := &cobra.Command{
		Use:   "check ID FILE.go",
		Short: "judge your own answer in a Go file, without Jupyter",
		Long: `check judges the functions that a Go file declares as the notebook's check does, in
a separate process. The file holds the notebook's cell with your answer, without a
package clause; imports are optional. The file may also be ` + work.FileName + `, which a page
of the course exports; check then judges its answer to the exercise. With --watch it judges again whenever the file
changes, until you press Ctrl+C.

If the check does not recognise the mistake in an answer, the command searches for up to
5 seconds for a small change that makes the answer right, and names the line.

The answer is your own, so it runs with your rights, limited only in time and memory.

` + exitHelp,
		Example: `  go run ./generate check {id} answer.go
  go run ./generate check {id} answer.go --watch`,
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			root, v, found, err := flags.readVariant(cmd, args[0])
			if err != nil {
				return err
			}
			dir, err := os.MkdirTemp("", "hyperplane-toolchain-")
			if err != nil {
				return err
			}
			defer os.RemoveAll(dir)
			tools, err := toolchain(cmd.Context(), root, dir, true)
			if err != nil {
				return err
			}
			exercises.Variant(v.Seed)
			err = checkFile(cmd, tools, found[0], args[1], v.Seed)
			for changed := modified(args[1]); watch && cmd.Context().Err() == nil; time.Sleep(200 * time.Millisecond) {
				if now := modified(args[1]); now != changed {
					changed = now
					fmt.Fprintln(cmd.OutOrStdout())
					if err = checkFile(cmd, tools, found[0], args[1], v.Seed); err != nil {
						fmt.Fprintln(cmd.ErrOrStderr(), program+":", err)
					}
				}
			}
			return err
		},
	}
	cmd.Flags().BoolVar(&watch, "watch", false, "judge again whenever the file changes")
	flags.add(cmd, "judge by")
	return cmd
}

func modified(path string) time.Time {
	if i, err := os.Stat(path); err == nil {
		return i.ModTime()
	}
	return time.Time{}
}

// checkFile judges the answer in a file and prints the reports.
func checkFile(cmd *cobra.Command, tools *grading.Toolchain, e *exercise.Exercise, file string, seed uint64) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if filepath.Ext(file) == ".json" {
		f, err := work.Parse(text)
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		answer, err := f.Answer(e.ID, seed)
		if err != nil {
			return fmt.Errorf("%s: %w; --seed chooses the variant", file, err)
		}
		text = []byte(answer.Source)
	}
	s, err := grading.Cut(e, cell.WithoutPackage(string(text)))
	if err != nil {
		return fmt.Errorf("%s: %w", filepath.Base(file), err)
	}
	judged, err := tools.Judge(cmd.Context(), e, current.Checks(e.ID), s, grading.DefaultLimits, seed)
	var compile *grading.CompileError
	if errors.As(err, &compile) {
		fmt.Fprintln(cmd.OutOrStdout(), strings.ReplaceAll(compile.Message, "answer.go:", filepath.Base(file)+":"))
		return &exitError{exitNotPassed, nil}
	}
	if err != nil {
		return err
	}
	for _, r := range judged.Reports {
		fmt.Fprint(cmd.OutOrStdout(), r)
	}
	ctx, cancel := context.WithTimeout(cmd.Context(), verify.Patience(grading.Patience))
	defer cancel()
	messages, err := tools.Diagnose(ctx, e, current.Checks(e.ID), s, judged, grading.DefaultLimits)
	if err != nil { // A verdict is valid even if the diagnosis of the mistake failed.
		fmt.Fprintln(cmd.ErrOrStderr(), "no diagnosis:", err)
	}
	for i, text := range messages {
		if text != "" && !slices.Contains(messages[:i], text) { // two reports can have the same mistake
			fmt.Fprintln(cmd.OutOrStdout(), text)
		}
	}
	if !judged.Reports[0].Passed() {
		return &exitError{exitNotPassed, nil}
	}
	return nil
}
