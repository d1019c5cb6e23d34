package course

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/cell"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/class"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/exercise"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/grading"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/runner"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/work"
	"github.com/hyperplane-notebooks/hyperplane/toolkit"
)

// newGradeCmd returns the command `grade`, which judges the submissions of a class in a
// sandbox.
func newGradeCmd() *cobra.Command {
	var f gradeFlags
	cmd := &cobra.Command{
		Use:   "grade HAND-INS | grade --merge RESULTS…",
		Short: "grade the submissions of a class in a sandbox",
		Long: `This command judges the notebooks that the learners of a class submitted. It judges each
notebook as an answer to the learner's own variant. The folder HAND-INS contains the notebooks
under one of these paths:

  ID/EXERCISE.ipynb
  submitted/ID/ASSIGNMENT/EXERCISE.ipynb                 (nbgrader)
  NAME_NUMBER_assignsubmission_file_/EXERCISE.ipynb      (Moodle)

In place of notebooks, a learner's folder may contain ` + work.FileName + `, which a page of the
course exports. grade then judges the answers to the learner's own variant in that file.

Only the declarations in a notebook's answer cell count. They run in a sandbox
(bubblewrap) without access to the network, to files, to the judge or to other processes.
Each part runs in a separate process. The feedback also lists changes elsewhere in the
notebook that do not count, such as added code cells.

The points for an exercise are its weight times the share of its parts that are Right. An
optional part counts as a fraction of a compulsory part. The command class sets this
fraction with --optional; it is 0 by default. If a part is Right, grade repeats the calls of
the answer in a new process and in a different order. If the answer then returns a different
value, the part is not Right, because the value depends on more than the arguments.

grade reads the time of a submission from hand-ins.csv in the folder of submissions
(columns id, exercise and time). If that file does not give the time, grade uses nbgrader's
timestamp.txt, but only in nbgrader's layout. Otherwise grade uses the modification time of
the submitted file. The feedback names the source of the time.

grade writes these files to the folder --out:

  grades.csv, results.json   the grades
  summary.html               a page about the whole class
  feedback/ID.html           a page for each learner
  alike.json                 answers that are suspiciously similar
  grades-nbgrader.csv        the grades in the format of nbgrader's export

To resume an interrupted run, run the same command again. It does not judge a submission
again if the same version of this program has already judged it with the same limits. If a
learner submits several times, --keep selects the submission that counts.

To use five machines, run grade on each, with --shard 1/5 to --shard 5/5; each run judges a
fifth of the submissions. Then run grade --merge to combine the results. If a machine does
not allow bubblewrap, as in most Kubernetes pods, use --answers, which names the socket of a
server that runs the answers in a separate container.

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
				return fmt.Errorf("invalid --keep %q: want best or last", f.keep)
			}
			tool, err := judgedBy()
			if err != nil {
				return err
			}
			if f.merge {
				if err := class.Merge(f.out, course, args); err != nil {
					return err
				}
				return f.writeGrades(cmd, course, tool, nil)
			}
			if len(args) != 1 {
				return errors.New("several folders: grade accepts one folder; only --merge accepts several")
			}
			return f.grade(cmd, course, tool, args[0])
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.class, "class", "", "folder of the class, made by the class command")
	flags.StringVar(&f.out, "out", "", "folder for the grades")
	flags.IntVar(&f.jobs, "jobs", runtime.NumCPU(), "number of submissions to judge at the same time")
	flags.DurationVar(&f.cpu, "cpu", grading.DefaultLimits.CPU,
		"processor time limit for each part, in whole seconds")
	flags.StringVar(&f.memory, "memory", fmt.Sprintf("%dMiB", grading.DefaultLimits.Memory>>20),
		"memory limit for each part")
	flags.DurationVar(&f.diagnosis, "diagnosis", 0,
		"time limit for finding the mistake in a wrong answer if no message explains the mistake, for example 5s")
	flags.StringVar(&f.shard, "shard", "", "judge only shard i of n, given as i/n, for example 2/5")
	flags.StringVar(&f.keep, "keep", "best", "which submission counts if there are several: best or last")
	flags.BoolVar(&f.noSandbox, "no-isolation", false, "run answers without a sandbox, with your rights")
	flags.StringVar(&f.answers, "answers", "",
		"socket of the answers server, which compiles and runs the answers in a separate container")
	flags.BoolVar(&f.merge, "merge", false, "judge nothing; combine the results of several shards")
	for _, name := range []string{"class", "out"} {
		_ = cmd.MarkFlagRequired(name) // the error is nil, because the command defines the flag
	}
	return cmd
}

// grade judges the submissions in the folder `dir`. Without --shard, it also writes the grades.
func (f *gradeFlags) grade(cmd *cobra.Command, course *class.Course, tool, dir string) error {
	if err := atLeastOne(f.jobs); err != nil {
		return err
	}
	limits, err := f.limits()
	if err != nil {
		return err
	}
	shard, err := f.parseShard()
	if err != nil {
		return err
	}
	if isWithin(dir, f.out) || isWithin(f.out, dir) {
		return fmt.Errorf("--out %s and the submissions in %s overlap: name a separate folder with --out", f.out, dir)
	}
	if err := f.checkConfined(cmd); err != nil {
		return err
	}
	release, err := class.Lock(f.out, shard)
	if err != nil {
		return err
	}
	defer release()
	root, _, err := openModule()
	if err != nil {
		return err
	}
	work := filepath.Join(f.out, ".work")
	if shard.Count > 0 {
		work += fmt.Sprintf("-%d-of-%d", shard.Index, shard.Count)
	}
	if work, err = filepath.Abs(work); err != nil {
		return err
	}
	if err := os.RemoveAll(work); err != nil { // if an earlier run was killed, its folder still exists
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
	answerJudge := judge{root, filepath.Join(work, "tmp"), tools}
	if err := answerJudge.checkReference(cmd.Context(), course); err != nil {
		return err
	}
	g := &class.Grader{Course: course, Out: f.out, Tool: tool, Limits: limits, Diagnosis: f.diagnosis, Jobs: f.jobs,
		Shard: shard, Log: cmd.ErrOrStderr(), Watch: runner.IsTerminal(cmd.ErrOrStderr()),
		Load: loadVariant, Judge: answerJudge.judgeInProcess}
	begun := time.Now()
	changed, ungraded, failed := g.Grade(cmd.Context(), dir)
	if took := time.Since(begun); g.Judged > 0 {
		each := func(d time.Duration) time.Duration { return (d / time.Duration(g.Judged)).Round(time.Millisecond) }
		fmt.Fprintf(cmd.ErrOrStderr(),
			"%d judged in %v, %.0f a minute with --jobs %d; on average %v to compile and %v to judge; at most %d MiB for a judge, %d MiB for an answer\n",
			g.Judged, took.Round(time.Second), float64(g.Judged)/took.Minutes(), f.jobs, each(g.Cost.Compile),
			each(g.Cost.Judge), g.Cost.JudgeMemory>>20, g.Cost.AnswerMemory>>20)
	}
	for _, s := range ungraded {
		fmt.Fprintln(cmd.OutOrStdout(), "not graded:", s)
	}
	for _, c := range changed {
		fmt.Fprintln(cmd.OutOrStdout(), "changed:", c)
	}
	if cmd.Context().Err() != nil {
		return fmt.Errorf("interrupted; run the same command again to resume")
	}
	if errors.As(failed, new(*grading.Fault)) || errors.As(failed, new(*class.FolderError)) {
		return failed // write no grades: submissions that were not judged would count as Missing or Failed
	}
	if shard.Count == 0 {
		err = f.writeGrades(cmd, course, tool, g.Received)
	} else {
		fmt.Fprintf(cmd.OutOrStdout(),
			"shard %s is judged; when all shards are judged, run grade --merge to write the grades\n", f.shard)
	}
	return errors.Join(failed, err)
}

// writeGrades reads the results of all judged submissions from the folder f.out and writes the
// grades to it. The argument `received` lists the submissions that this run has found. With --merge
// it is nil.
func (f *gradeFlags) writeGrades(cmd *cobra.Command, course *class.Course, tool string,
	received []*class.Submission) error {
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
	_, err = fmt.Fprintf(cmd.OutOrStdout(),
		"%d results, of which %d are missing, in %s: summary.html, grades.csv, results.json, feedback\n",
		len(book.Results), missing, f.out)
	return err
}

// loadVariant returns the exercise with the given id, in the personal variant of learner l.
func loadVariant(id string, l class.Learner) (*exercise.Exercise, error) {
	_, module, err := openModule()
	if err != nil {
		return nil, err
	}
	list, err := current.Variants(module, exercise.Variant{Seed: l.Seed, For: l.Name}, id)
	if err != nil {
		return nil, err
	}
	return list[0], nil
}

// judgedBy returns a string that identifies the version of the judge: the version of hyperplane and
// the hash of this program's file. The hash changes if a check of an exercise changes, because the
// checks are compiled into the program.
func judgedBy() (string, error) {
	path, err := os.Executable()
	if err != nil {
		return "", err
	}
	sum, err := fileHash(path)
	return cmp.Or(toolkit.Version, "0") + "+" + sum, err
}

// gradeFlags contains the values of the flags of the command `grade`.
type gradeFlags struct {
	class, out, memory, shard, keep string
	answers                         string
	jobs                            int
	cpu, diagnosis                  time.Duration
	merge, noSandbox                bool
}

var sizes = map[string]int64{"MiB": 1 << 20, "GiB": 1 << 30}

// limits returns the limits on processor time and memory from the flags --cpu and --memory. It also
// returns an error if --diagnosis is invalid.
func (f *gradeFlags) limits() (grading.Limits, error) {
	l := grading.DefaultLimits
	if f.cpu < time.Second || f.cpu > time.Hour || f.cpu%time.Second != 0 {
		return l, fmt.Errorf("invalid --cpu %v: want whole seconds from 1s to 1h", f.cpu)
	}
	if f.diagnosis < 0 || f.diagnosis > time.Minute {
		return l, fmt.Errorf("invalid --diagnosis %v: want 0s to 1m", f.diagnosis)
	}
	l.CPU = f.cpu
	m := regexp.MustCompile(`^([1-9][0-9]{0,5})(MiB|GiB)$`).FindStringSubmatch(f.memory)
	if m == nil {
		return l, fmt.Errorf("invalid --memory %q: want a size such as 512MiB or 2GiB", f.memory)
	}
	n, err := strconv.ParseInt(m[1], 10, 64)
	l.Memory = n * sizes[m[2]]
	if l.Memory < 256<<20 { // the Go runtime itself already reserves 256 MiB
		return l, fmt.Errorf("invalid --memory %s: want 256MiB or more", f.memory)
	}
	return l, err
}

// parseShard returns the shard that the flag --shard names. Without the flag, it returns the zero
// Shard, which means all submissions.
func (f *gradeFlags) parseShard() (s class.Shard, err error) {
	if f.shard == "" {
		return s, nil
	}
	m := regexp.MustCompile(`^([0-9]{1,6})/([0-9]{1,6})$`).FindStringSubmatch(f.shard)
	if m != nil {
		s.Index, _ = strconv.Atoi(m[1]) // Atoi cannot fail, because the pattern allows at most six digits
		s.Count, _ = strconv.Atoi(m[2])
	}
	if s.Index < 1 || s.Index > s.Count {
		return s, fmt.Errorf("invalid --shard %q: want i/n with i from 1 to n, for example 2/5", f.shard)
	}
	return s, nil
}

// toolchain returns the tools that compile and run answers on this machine. It stores the files of
// these tools in `dir`. If `noSandbox` is true, answers run without a sandbox.
func toolchain(ctx context.Context, root, dir string, noSandbox bool) (*grading.Toolchain, error) {
	toolkit, err := cell.Toolkit(root)
	if err != nil {
		return nil, err
	}
	return grading.NewToolchain(ctx, toolkit, dir, noSandbox, current.Provided()...)
}

// tools returns the tools that compile and run the answers. With --answers, the tools send the
// answers to the server at the socket. Otherwise the tools compile and run the answers on this
// machine, and keep their files in `dir`.
func (f *gradeFlags) tools(cmd *cobra.Command, root, dir string) (*grading.Toolchain, error) {
	if f.answers == "" {
		return toolchain(cmd.Context(), root, dir, f.noSandbox)
	}
	// Make the path of the socket absolute, because the processes that judge answers run in a
	// different folder.
	socket, err := filepath.Abs(f.answers)
	if err != nil {
		return nil, err
	}
	return &grading.Toolchain{Socket: socket}, grading.Reachable(cmd.Context(), socket)
}

// checkConfined returns an error if answers must run in a sandbox and this machine cannot create
// one. With --answers, the server runs the answers, so this machine needs no sandbox. With
// --no-isolation, answers need no sandbox, and checkConfined prints a warning. The two flags together
// are an error.
func (f *gradeFlags) checkConfined(cmd *cobra.Command) error {
	switch {
	case f.noSandbox && f.answers != "":
		return errors.New("--no-isolation and --answers cannot be combined: answers run either on this machine or on the server")
	case f.noSandbox:
		fmt.Fprintln(cmd.ErrOrStderr(),
			program+": WARNING: answers run without a sandbox, with your rights: they can read and change your files and the grades")
	case f.answers == "":
		if err := grading.CheckSandbox(cmd.Context()); err != nil {
			return fmt.Errorf("this machine cannot isolate answers: %w; install bubblewrap (docker/setup.sh packages), or use --answers (answers run in a separate container) or --no-isolation (answers run with your rights)", err)
		}
	}
	return nil
}
