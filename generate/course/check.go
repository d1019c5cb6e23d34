package course

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
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

// newCheckCmd returns the command `generate check`, which judges a user's own answer without
// Jupyter.
func newCheckCmd() *cobra.Command {
	var watch bool
	var flags variantFlags
	cmd := &cobra.Command{
		Use:   "check ID FILE.go",
		Short: "judge your own answer in a Go file, without Jupyter",
		Long: `This command judges the functions in a Go file as the notebook of the exercise does, but in a
separate process. The file contains the text of the notebook's cell with your answer. The
package clause and the imports are optional. In place of the Go file you can give the file
` + work.FileName + `, which a page of the course exports. The command then judges the
answer that this file contains for the exercise ID. With --watch the command judges your answer
again whenever the file changes, until you press Ctrl+C.

If the check does not recognise the mistake in your answer, the command spends up to 5 seconds
looking for a small change that makes the answer right. If it finds one, it names the line.

Your answer runs with your rights; only its time and its memory are limited.

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

// checkFile judges the answer in the given file and prints what the check reports about each part. It
// returns an error if the answer does not pass.
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
		if errors.Is(err, work.ErrOtherVariant) {
			return fmt.Errorf("%s: %w; choose the variant with --seed", file, err)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		text = []byte(answer.Source)
	}
	job := grading.Job{Exercise: e.ID, Seed: seed, Source: cell.WithoutPackage(string(text)), Toolchain: tools,
		Limits: grading.DefaultLimits, Diagnosis: verify.Patience(grading.DiagnosisTime)}
	done, err := job.Do(cmd.Context(), e, current.Checks(e.ID))
	switch {
	case done == nil:
		return err
	case err != nil: // the verdict is valid even if the search for the mistake failed
		fmt.Fprintln(cmd.ErrOrStderr(), "the search for the mistake failed:", err)
	}
	switch done.Status {
	case grading.Refused:
		return fmt.Errorf("%s: %s", filepath.Base(file), done.Message)
	case grading.NotCompiled:
		fmt.Fprintln(cmd.OutOrStdout(), strings.ReplaceAll(done.Message, "answer.go:", filepath.Base(file)+":"))
		return &exitError{exitNotPassed, nil}
	}
	for _, r := range done.Reports {
		fmt.Fprint(cmd.OutOrStdout(), r)
	}
	if !done.Reports[0].Passed() {
		return &exitError{exitNotPassed, nil}
	}
	return nil
}
