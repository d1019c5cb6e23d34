package course

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/exercise"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/files"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/quality"
)

// newJudgeCmd returns the command `generate judge`, which measures how well the checks of exercises
// distinguish right answers from wrong ones.
func newJudgeCmd() *cobra.Command {
	o := quality.Options{Jobs: runtime.NumCPU()}
	var verbose bool
	var out string
	cmd := &cobra.Command{
		Use:   "judge [ID …]",
		Short: "measure how well the exercises' checks distinguish right answers from wrong ones",
		Long: `This command prints one line for each of the given exercises, or for all exercises. The line
shows how well the exercise's check distinguishes right answers from wrong ones.

  right accepted      right answers in different forms (from the exercise's tests)
  wrong rejected      answers with a known mistake (from the exercise's tests)
  with own message    wrong answers that get a message about their mistake
  mutants killed      mutants that the check rejects; a mutant is the reference answer with
                      one small change (of a sign, a factor, an index or a term)
  equivalent          mutants that pass because they are right; the comment
                      “Equivalent mutants” in check_test.go gives the reason for each
  time, memory        cost of one check of the reference answer, in a separate process

Below the table, the command lists every mutant that the check accepts although the comment
“Equivalent mutants” gives no reason. It prints each mutant by the name that this comment must
use. In place of an ID you can give the folder of an exercise, even of an exercise that the
course does not list.

Exit status: 0 every count is complete; 1 a count is incomplete, a test fails, or an
equivalent mutant has no reason or is not equivalent; 2 wrong usage, or nothing could be
judged. (With go run, the exit status is 1 instead of 2.)`,
		Example: `  go run ./generate judge
  go run ./generate judge {id} --verbose
  go run ./generate judge {folder} --json out/judge.json`,
	}
	f := cmd.Flags()
	f.IntVar(&o.Jobs, "jobs", o.Jobs, "number of mutants to judge at the same time")
	f.StringVar(&out, "json", "", "also write the results to this file")
	f.StringVar(&o.Records, "records", "",
		"write to this file one line of JSON for every answer in the tests, with the report of the check")
	f.BoolVar(&verbose, "verbose", false, "print the outcome of every mutant")
	cmd.RunE = func(cmd *cobra.Command, ids []string) error {
		if err := atLeastOne(o.Jobs); err != nil {
			return err
		}
		root, module, err := openModule()
		if err != nil {
			return err
		}
		list, err := selectExercises(module, ids)
		if err != nil {
			return err
		}
		w := cmd.OutOrStdout()
		o.Root = root
		o.Row = func(r *quality.Result) { r.WriteRow(w) }
		quality.WriteHead(w)
		s, err := quality.Run(cmd.Context(), list, o)
		if cmd.Context().Err() != nil {
			return errors.New("interrupted; the results so far are above")
		}
		if err != nil {
			return err
		}
		if err := writeResults(w, s, verbose, out); err != nil {
			return err
		}
		if s.Red() > 0 {
			return &exitError{exitNotPassed, nil}
		}
		return nil
	}
	return cmd
}

// selectExercises returns the exercises with the given names. A name is the id of an exercise, or
// the path of an exercise's folder. If `names` is empty, selectExercises returns all exercises of the
// course.
func selectExercises(module fs.FS, names []string) ([]*exercise.Exercise, error) {
	var ids []string
	var list []*exercise.Exercise
	for _, name := range names {
		if !strings.ContainsAny(name, `/\`) {
			ids = append(ids, name)
			continue
		}
		dir := filepath.ToSlash(filepath.Clean(name))
		if !fs.ValidPath(dir) {
			_, _, dir := examples()
			return nil, fmt.Errorf("%s is not a folder of this module: give its path from the folder of the module, such as %s", name, dir)
		}
		e, err := exercise.LoadVariant(module, dir, exercise.Variant{Books: current.Books})
		if err != nil {
			return nil, err
		}
		list = append(list, e)
	}
	if len(names) > 0 && len(ids) == 0 {
		return list, nil
	}
	known, err := current.Exercises(module, ids...)
	return append(known, list...), err
}

// writeResults writes the results s to w: first the faults of the checks, and then the totals. If
// `out` is not "", it is the path of a file to which writeResults also writes s as JSON.
func writeResults(w io.Writer, s *quality.Summary, verbose bool, out string) error {
	s.WriteFaults(w, verbose)
	fmt.Fprintln(w)
	s.WriteTotals(w)
	if out == "" {
		return nil
	}
	text, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return err
	}
	return files.Write(out, append(text, '\n'))
}
