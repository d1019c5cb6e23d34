package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/spf13/cobra"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/catalog"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/class"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/exercise"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/grading"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/runner"
	"github.com/hyperplane-notebooks/hyperplane/toolkit"
)

// newGradeCmd is `generate grade`: what a class handed in, judged where it can do no harm.
func newGradeCmd() *cobra.Command {
	var f gradeFlags
	cmd := &cobra.Command{
		Use:   "grade HAND-INS | grade --merge RESULTS…",
		Short: "grade what a class handed in, in a sandbox",
		Long: `grade judges the notebooks that a class (generate class) handed in, each by the
learner's own variant. They lie as ID/EXERCISE.ipynb, or as nbgrader or Moodle lay
them: submitted/ID/ASSIGNMENT/EXERCISE.ipynb, NAME_NUMBER_assignsubmission_file_/EXERCISE.ipynb.

Of a notebook only the declarations of the cell with the answer count. They run in a
sandbox (bubblewrap) that has no network and sees no file, no judge and no other
process, each part in a process of its own; what else was changed is noted.
Points are the exercise's weight × the share of its compulsory parts that are Right,
and of the optional ones as far as the class lets them count. What was Right is asked
again of another process, in another order: an answer that depends on anything but its
arguments loses the part.

When something was handed in says hand-ins.csv in that folder (columns id, exercise and
time), else nbgrader's timestamp.txt, else the file; the feedback says which.

In the folder --out then lie grades.csv, results.json, summary.html, alike.json
(answers that are suspiciously equal), grades-nbgrader.csv (the grades as nbgrader
exports them), and feedback/ID.html for each learner. What was
judged before, by the same version and limits, is not judged again: a run that was
ended goes on where it was. A learner may hand in again: --keep says which counts.

On several machines, --shard 2/5 judges a fifth of the hand-ins; then
grade --merge takes the folders together. Where bubblewrap is refused, as in most pods,
--answers names a server that runs the answers in a container of its own.

` + exitHelp,
		Example: `  go run ./generate grade hand-ins --class course --out grades
  go run ./generate grade hand-ins --class course --out shards --shard 2/2
  go run ./generate grade --merge shards --class course --out grades`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			course, err := class.Open(f.class)
			if err != nil {
				return err
			}
			if f.keep != "best" && f.keep != "last" {
				return fmt.Errorf("--keep takes best or last; found %q", f.keep)
			}
			tool, err := judgedBy()
			if err != nil {
				return err
			}
			if f.merge {
				if err := class.Merge(f.out, course, args); err != nil {
					return err
				}
				return f.write(cmd, course, tool, nil)
			}
			if len(args) != 1 {
				return errors.New("grade takes one folder of hand-ins; only --merge takes several folders")
			}
			return f.grade(cmd, course, tool, args[0])
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.class, "class", "", "folder of the class, made by generate class")
	flags.StringVar(&f.out, "out", "", "folder for the grades")
	flags.IntVar(&f.jobs, "jobs", runtime.NumCPU(), "hand-ins to judge at a time")
	flags.DurationVar(&f.cpu, "cpu", grading.DefaultLimits.CPU, "limit of processor time for each part, in whole seconds")
	flags.StringVar(&f.memory, "memory", "1GiB", "limit of memory for each part")
	flags.DurationVar(&f.diagnosis, "diagnosis", 0, "how long to look for the place of the mistake in each wrong answer that no message explains, for example 5s")
	flags.StringVar(&f.shard, "shard", "", "judge only part i of n, as in 2/5")
	flags.StringVar(&f.keep, "keep", "best", "which of several hand-ins counts, best or last")
	flags.BoolVar(&f.open, "no-isolation", false, "run answers without a sandbox, with your rights")
	flags.StringVar(&f.answers, "answers", "", "socket of a server (generate answers) that compiles and runs the answers in a container of its own")
	flags.BoolVar(&f.merge, "merge", false, "judge nothing; take folders of results together")
	for _, name := range []string{"class", "out"} {
		_ = cmd.MarkFlagRequired(name) // an error only for a flag that there is not
	}
	return cmd
}

// grade judges the hand-ins of a folder and, unless it is a shard, writes the grades.
func (f *gradeFlags) grade(cmd *cobra.Command, course *class.Course, tool, dir string) error {
	if err := atLeastOne(f.jobs); err != nil {
		return err
	}
	limits, err := f.limits()
	if err != nil {
		return err
	}
	shard, err := f.part()
	if err != nil {
		return err
	}
	if within(dir, f.out) || within(f.out, dir) {
		return fmt.Errorf("--out %s and the hand-ins in %s share files: name another folder", f.out, dir)
	}
	if err := f.confined(cmd); err != nil {
		return err
	}
	release, err := class.Lock(f.out, shard)
	if err != nil {
		return err
	}
	defer release()
	root, _, err := module()
	if err != nil {
		return err
	}
	work := filepath.Join(f.out, ".work")
	if shard.Of > 0 {
		work += fmt.Sprintf("-%d-of-%d", shard.Index, shard.Of)
	}
	if work, err = filepath.Abs(work); err != nil {
		return err
	}
	if err := os.RemoveAll(work); err != nil { // of a run that was killed
		return err
	}
	for _, folder := range []string{filepath.Join(work, "tools"), filepath.Join(work, "tmp")} {
		if err := os.MkdirAll(folder, 0o755); err != nil {
			return err
		}
	}
	defer os.RemoveAll(work)
	tools, err := f.tools(cmd, root, filepath.Join(work, "tools"))
	if err != nil {
		return err
	}
	ask := judge{root, filepath.Join(work, "tmp"), tools}
	if err := ask.works(cmd.Context(), course); err != nil {
		return err
	}
	g := &class.Grader{Course: course, Out: f.out, Tool: tool, Limits: limits, Diagnosis: f.diagnosis, Jobs: f.jobs, Shard: shard, Log: cmd.ErrOrStderr(), Watch: runner.IsTerminal(cmd.ErrOrStderr()),
		Load: loadVariant, Judge: ask.one}
	begun := time.Now()
	changed, strange, failed := g.Grade(cmd.Context(), dir)
	if took := time.Since(begun); g.Judged > 0 {
		each := func(d time.Duration) time.Duration { return (d / time.Duration(g.Judged)).Round(time.Millisecond) }
		fmt.Fprintf(cmd.ErrOrStderr(), "%d judged in %v, %.0f a minute with --jobs %d; each %v to compile, %v to judge; at most %d MiB for a judge, %d MiB for an answer\n",
			g.Judged, took.Round(time.Second), float64(g.Judged)/took.Minutes(), f.jobs, each(g.Cost.Compile), each(g.Cost.Judge), g.Cost.JudgeMemory>>20, g.Cost.AnswerMemory>>20)
	}
	for _, s := range strange {
		fmt.Fprintln(cmd.OutOrStdout(), "not graded:", s)
	}
	for _, c := range changed {
		fmt.Fprintln(cmd.OutOrStdout(), "changed:", c)
	}
	if cmd.Context().Err() != nil {
		return fmt.Errorf("interrupted; the same command goes on where it was")
	}
	if errors.As(failed, new(*grading.Fault)) {
		return failed // grades would call those Missing who were not judged
	}
	if shard.Of == 0 {
		err = f.write(cmd, course, tool, g.Received)
	} else {
		fmt.Fprintf(cmd.OutOrStdout(), "shard %s is judged; generate grade --merge makes the grades of all\n", f.shard)
	}
	return errors.Join(failed, err)
}

// write writes the grades from the results that are kept; received are the submissions of
// this run.
func (f *gradeFlags) write(cmd *cobra.Command, course *class.Course, tool string, received []*class.HandIn) error {
	book, err := class.ReadBook(f.out, tool, course, f.keep == "best", received, loadVariant)
	if err != nil {
		return err
	}
	if err := book.Write(cmd.Context(), f.out); err != nil {
		return err
	}
	for _, n := range book.NotCompared {
		fmt.Fprintf(cmd.OutOrStdout(), "not compared with other answers: %s %s: %s\n", n.Learner, n.Exercise, n.Reason)
	}
	missing := 0
	for _, r := range book.Results {
		if r.Status == class.Missing {
			missing++
		}
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "%d results, of which %d are missing, in %s: summary.html, grades.csv, results.json, feedback\n", len(book.Results), missing, f.out)
	return err
}

// loadVariant reads an exercise as a learner has it.
func loadVariant(id string, l class.Learner) (*exercise.Exercise, error) {
	_, module, err := module()
	if err != nil {
		return nil, err
	}
	list, err := catalog.Variants(module, exercise.Variant{Seed: l.Seed, For: l.Name}, id)
	if err != nil {
		return nil, err
	}
	return list[0], nil
}

// judgedBy names what judges: the version, and this program, which holds the checks.
func judgedBy() (string, error) {
	path, err := os.Executable()
	if err != nil {
		return "", err
	}
	sum, err := fileHash(path)
	return cmp.Or(toolkit.Version, "0") + "+" + sum, err
}
