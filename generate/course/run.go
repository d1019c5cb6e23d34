package course

import (
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

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/content"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/runner"
)

// newRunCmd returns the command `generate run`, which executes notebooks without a browser and
// judges them.
func newRunCmd() *cobra.Command {
	o := runner.Options{Jobs: runtime.NumCPU(), Books: current.Books}
	asJSON, brief := false, false
	var variant variantFlags
	cmd := &cobra.Command{
		Use:   "run NOTEBOOK…",
		Short: "execute notebooks through the kernel and judge every cell",
		Long: `This command executes notebooks, or all notebooks below a folder, without a browser. Each
notebook runs in a separate kernel. The command judges every cell by the output of the cell.

The notebook of an exercise passes if every cell runs without an error and every part of the
check is Right. Optional steps are also judged, but they count only in a solved notebook. A
learner's notebook without an answer does not pass, so authors of exercises run the notebooks
in the folder solutions.

Exit status: 0 every notebook passed; 1 a notebook did not pass; 2 wrong usage, or a notebook
could not be judged, because a file cannot be read, the run was interrupted, or the set-up is
broken. The command always prints the verdicts that it has reached.

A notebook names its exercise and its variant. If it contains a report on a different exercise
or variant, it does not pass. With --exercise, every notebook must pass the exercise that you
name, and a notebook without a check does not pass. With --seed or --student, every notebook
must contain the variant that you name. The verdict comes from the check cell in the
notebook, and a learner can change this cell so that it judges something other than the
answer. To judge submissions, use the command check (for the functions in a Go file) or grade
(for a class). These commands extract only the functions of the exercise, and call the
functions themselves.

A notebook is a program that runs with all your rights, so run only notebooks that you
trust.`,
		Example: `  go run ./generate run notebooks/tour.ipynb --out out --html --trust --charts
  go run ./generate run work/exercises --json
  go run ./generate run ada.ipynb --exercise {id} --student "Ada Lovelace"`,
		Args: cobra.MinimumNArgs(1),
	}
	f := cmd.Flags()
	f.StringVar(&o.Out, "out", "", "write the executed notebooks to this folder")
	f.BoolVar(&o.HTML, "html", false, "also write each notebook as an HTML page (needs --out)")
	f.BoolVar(&o.Trust, "trust", false, "with --html: let the pages contain the scripts that the notebooks display")
	f.BoolVar(&o.Charts, "charts", false,
		"also write charts in their interactive form, in addition to the pictures (needs --out; the command strip removes the interactive form)")
	f.StringVar(&o.Reuse.Dir, "reuse", "",
		"keep the results of passed notebooks in this folder, and run passed notebooks again only after a change")
	f.DurationVar(&o.Timeout, "timeout", time.Minute, "time limit for each cell")
	f.DurationVar(&o.Limit, "limit", 15*time.Minute, "time limit for each notebook")
	f.IntVar(&o.Jobs, "jobs", o.Jobs, "number of notebooks to run at the same time")
	f.StringVar(&o.Exercise, "exercise", "",
		"id of the exercise that every notebook must pass in its own check cell")
	variant.add(cmd, "with --exercise: expect")
	f.BoolVar(&asJSON, "json", false, "print the verdicts as JSON")
	f.BoolVar(&brief, "brief", false, "leave out the notebooks that passed; the last line still counts them")
	cmd.RunE = func(cmd *cobra.Command, notebooks []string) error {
		err := checkRunFlags(o)
		if err != nil {
			return err
		}
		if o.Seed, err = expectedSeed(cmd, o, variant); err != nil {
			return err
		}
		if o.Kernel, err = runner.FindKernel("."); err != nil {
			return err
		}
		if o.Reuse.Dir != "" {
			if o.Reuse.Inputs, err = inputsHash(); err != nil {
				return err
			}
		}
		o.Progress = runner.NewProgress(cmd.ErrOrStderr()).Show

		ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
		defer stop()
		summary, err := runner.Run(ctx, notebooks, o)
		if summary != nil {
			table := summary.WriteTable
			if brief {
				table = summary.WriteFailed
			}
			if err := print(cmd, asJSON, summary, table); err != nil {
				return err
			}
			warn(cmd.ErrOrStderr(), summary)
		}
		switch {
		case ctx.Err() != nil:
			return errors.New("interrupted; all running notebooks were stopped")
		case err != nil:
			return err
		case !summary.Judged():
			return errors.New("some notebooks could not be judged; for the reasons, see the lines with NotJudged")
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
		return fmt.Errorf("invalid --timeout %v or --limit %v: want times above 0, such as 60s or 5m",
			o.Timeout, o.Limit)
	case o.HTML && o.Out == "":
		return fmt.Errorf("--html needs --out: name the folder for the pages")
	case o.Charts && o.Out == "":
		return fmt.Errorf("--charts needs --out: name the folder for the notebooks with the charts")
	case o.Trust && !o.HTML:
		return fmt.Errorf("--trust needs --html: it only affects the pages")
	}
	return atLeastOne(o.Jobs)
}

// expectedSeed returns the seed of the variant that --seed or --student chooses. If the user gave
// neither flag, it returns nil, so that the notebooks may have any variant. It returns an error if
// one of these flags is given without --exercise, or if --exercise names an unknown exercise.
func expectedSeed(cmd *cobra.Command, o runner.Options, flags variantFlags) (*uint64, error) {
	seeded := cmd.Flags().Changed("seed") || cmd.Flags().Changed("student")
	if !cmd.Flags().Changed("exercise") {
		if seeded {
			return nil, errors.New("--seed and --student need --exercise: name the exercise that every notebook must pass")
		}
		return nil, nil
	}
	var known []string
	for _, e := range current.Progress() {
		known = append(known, e.ID)
	}
	if !slices.Contains(known, o.Exercise) {
		return nil, content.Unknown("exercise", o.Exercise, known)
	}
	v, err := flags.variant(cmd)
	if err != nil || !seeded {
		return nil, err
	}
	return &v.Seed, nil
}

// warn prints a warning for each notebook whose run left processes or files behind.
func warn(w io.Writer, s *runner.Summary) {
	for _, n := range s.Notebooks {
		if n.Warning != "" {
			fmt.Fprintf(w, "%s: warning: %q left files or processes behind: %s\n", program, n.Path, n.Warning)
		}
	}
}
