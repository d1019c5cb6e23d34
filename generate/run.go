package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"slices"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/runner"
)

// newRunCmd is `generate run`: notebooks executed headless and judged.
func newRunCmd() *cobra.Command {
	o := runner.Options{Jobs: max(1, runtime.NumCPU()/2)}
	asJSON := false
	var variant variantFlags
	cmd := &cobra.Command{
		Use:   "run NOTEBOOK…",
		Short: "execute notebooks through the kernel and judge every cell",
		Long: `run executes notebooks (or all notebooks below a folder) without a browser, each
in a kernel of its own, and judges every cell by what it put out.

The exit status is 0 when every notebook passed: for an exercise that means that
every part of its Check is Right; optional steps are judged too, and count in a
solved notebook. It is 1 when one did not pass, and 2 when one could not be judged:
a file that cannot be read, a run that was interrupted, a set-up that is broken.
Verdicts that were reached are printed in any case.

A notebook says itself which exercise and which variant it is of, and a report of
another is no pass. With --exercise you say it: then every notebook has to pass that
exercise, of the variant of --seed or --student if one is given, and one that checks
nothing is no pass.

A notebook is a program, and runs with all your rights: run only those that you
would run as yourself.`,
		Example: `  go run ./generate run notebooks/tour.ipynb --out out --html
  go run ./generate run work/exercises --json
  go run ./generate run ada.ipynb --exercise prml-4.8 --student "Ada Lovelace"`,
		Args: cobra.MinimumNArgs(1),
	}
	f := cmd.Flags()
	f.StringVar(&o.Out, "out", "", "write the executed notebooks to this folder")
	f.BoolVar(&o.HTML, "html", false, "write each as an HTML page too (needs --out)")
	f.BoolVar(&o.Trust, "trust", false, "with --html: keep the scripts that the notebooks display in the pages")
	f.DurationVar(&o.Timeout, "timeout", time.Minute, "time limit of a cell")
	f.DurationVar(&o.Limit, "limit", 15*time.Minute, "time limit of a notebook")
	f.IntVar(&o.Jobs, "jobs", o.Jobs, "notebooks to run at a time")
	f.StringVar(&o.Exercise, "exercise", "", "the id of the exercise that every notebook has to pass")
	variant.add(cmd, "with --exercise: expect")
	f.BoolVar(&asJSON, "json", false, "print the verdicts as JSON")
	cmd.RunE = func(cmd *cobra.Command, notebooks []string) error {
		if err := checkRunFlags(o); err != nil {
			return bad(err)
		}
		var err error
		if o.Seed, err = expectedSeed(cmd, o, variant); err != nil {
			return bad(err)
		}
		kernel, err := runner.FindKernel(".")
		if err != nil {
			return bad(err)
		}
		o.Kernel = kernel
		o.Progress = runner.NewProgress(cmd.ErrOrStderr()).Show

		ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
		defer stop()
		summary, err := runner.Run(ctx, notebooks, o)
		if summary != nil {
			if err := printSummary(cmd.OutOrStdout(), summary, asJSON); err != nil {
				return bad(err)
			}
			warn(cmd.ErrOrStderr(), summary)
		}
		switch {
		case ctx.Err() != nil:
			return bad(errors.New("interrupted; everything that ran has been ended"))
		case err != nil:
			return bad(err)
		case !summary.Judged():
			return bad(errors.New("not every notebook could be judged; the lines NotJudged say why"))
		case !summary.Passed:
			return &exitError{exitNotPassed, nil}
		}
		return nil
	}
	return cmd
}

func checkRunFlags(o runner.Options) error {
	switch {
	case o.Timeout <= 0 || o.Limit <= 0:
		return fmt.Errorf("--timeout and --limit take a time above 0, such as 60s or 5m; found %v and %v", o.Timeout, o.Limit)
	case o.Jobs < 1:
		return fmt.Errorf("--jobs takes a number from 1; found %d", o.Jobs)
	case o.HTML && o.Out == "":
		return fmt.Errorf("--html needs --out: the folder for the pages")
	case o.Trust && !o.HTML:
		return fmt.Errorf("--trust needs --html: it is about what stands in the pages")
	}
	return nil
}

// expectedSeed is the seed that the flags ask for, nil for none.
func expectedSeed(cmd *cobra.Command, o runner.Options, flags variantFlags) (*uint64, error) {
	seeded := cmd.Flags().Changed("seed") || cmd.Flags().Changed("student")
	if !cmd.Flags().Changed("exercise") {
		if seeded {
			return nil, errors.New("--seed and --student need --exercise: the exercise that is to be of that variant")
		}
		return nil, nil
	}
	var known []string
	for _, e := range exercises.Entries() {
		known = append(known, e.ID)
	}
	if !slices.Contains(known, o.Exercise) {
		return nil, nearest("exercise", o.Exercise, known)
	}
	v, err := flags.variant(cmd)
	if err != nil || !seeded {
		return nil, err
	}
	return &v.Seed, nil
}

// warn says what runs left behind.
func warn(w io.Writer, s *runner.Summary) {
	for _, n := range s.Notebooks {
		if n.Warning != "" {
			fmt.Fprintf(w, "generate: warning: %q left something behind: %s\n", n.Path, n.Warning)
		}
	}
}

func printSummary(w io.Writer, s *runner.Summary, asJSON bool) error {
	if !asJSON {
		return s.WriteTable(w)
	}
	text, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s\n", text)
	return err
}
