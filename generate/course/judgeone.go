package course

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/class"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/exercise"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/grading"
)

// newJudgeOneCmd returns the command `generate judge-one`, which judges one answer. The command
// `grade` starts a separate process of judge-one for each answer, because exercises.Variant sets the
// seed of the variant for a whole process.
func newJudgeOneCmd() *cobra.Command {
	return &cobra.Command{
		Use:    "judge-one",
		Hidden: true,
		Short:  "judge one answer, for the command grade",
		Long: `This command reads a job, which contains one answer, from standard input. It judges the answer
and prints the outcome as JSON. If standard input is closed before that, it exits with status 2.

` + exitHelp,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			in := json.NewDecoder(cmd.InOrStdin())
			var job grading.Job
			if err := in.Decode(&job); err != nil {
				return err
			}
			go func() { // when the command `grade` ends, standard input is closed: then end this process, too
				_, _ = io.Copy(io.Discard, cmd.InOrStdin())
				os.Exit(exitBad)
			}()
			_, module, err := openModule()
			if err != nil {
				return err
			}
			found, err := current.Variants(module, exercise.Variant{Seed: job.Seed}, job.Exercise)
			if err != nil {
				return err
			}
			exercises.Variant(job.Seed)
			done, err := job.Do(cmd.Context(), found[0], current.Checks(job.Exercise))
			if fault := (*grading.Fault)(nil); errors.As(err, &fault) {
				done, err = &grading.Outcome{Fault: err.Error()}, nil
			}
			if done == nil {
				return err
			}
			if err != nil { // the verdict is valid even if the search for the mistake failed
				fmt.Fprintln(cmd.ErrOrStderr(), "the search for the mistake failed:", err)
			}
			return json.NewEncoder(cmd.OutOrStdout()).Encode(done)
		},
	}
}

// A judge judges answers, each in a separate process of `generate judge-one`.
type judge struct {
	root  string // the module's folder
	tmp   string // folder in which the child processes compile answers
	tools *grading.Toolchain
}

// judgeTimeLimit is the time after which a process that judges one answer is killed. This is
// elapsed time, and not processor time.
const judgeTimeLimit = 10 * time.Minute

// judgeInProcess judges the answer of one job in a separate process of `generate judge-one`.
func (j judge) judgeInProcess(ctx context.Context, job *grading.Job) (*grading.Outcome, error) {
	job.Toolchain = j.tools
	text, err := json.Marshal(job)
	if err != nil {
		return nil, err
	}
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, judgeTimeLimit, errors.New("the judge did not finish"))
	defer cancel()
	cmd := exec.CommandContext(ctx, program, "judge-one")
	cmd.Dir = j.root
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + j.tmp, "TMPDIR=" + j.tmp}
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	in, err := cmd.StdinPipe() // do not close the pipe: when this process ends, the pipe closes and judge-one ends too
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	_, wrote := in.Write(text)
	err = cmd.Wait()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if err = errors.Join(wrote, err); err != nil {
		message := strings.TrimSpace(stderr.String())
		return nil, fmt.Errorf("the judge: %w\n%s", err, message[max(0, len(message)-2000):])
	}
	done := &grading.Outcome{}
	if err := json.Unmarshal(stdout.Bytes(), done); err != nil {
		return nil, fmt.Errorf("the judge: %w", err)
	}
	if done.Fault != "" {
		return nil, &grading.Fault{Err: errors.New(done.Fault)}
	}
	return done, nil
}

// checkReference judges the reference answer to the first exercise of the class, in the first
// learner's variant. The reference answer is right, so it must pass. If it does not pass,
// checkReference returns an error that says that this machine cannot judge.
func (j judge) checkReference(ctx context.Context, course *class.Course) error {
	for _, l := range course.Learners[:min(1, len(course.Learners))] {
		for _, a := range course.Exercises[:min(1, len(course.Exercises))] {
			e, err := loadVariant(a.ID, l)
			if err != nil {
				return err
			}
			done, err := j.judgeInProcess(ctx,
				&grading.Job{Exercise: a.ID, Seed: l.Seed, Source: e.Answer.Solution.Source,
					Limits: grading.DefaultLimits})
			switch {
			case err != nil:
				return fmt.Errorf("this machine cannot judge: %w", err)
			case done.Status != grading.Judged || !done.Reports[0].Passed():
				return fmt.Errorf("this machine cannot judge: the reference answer to %s must pass, but it has the status %s: %s %v", a.ID,
					done.Status, done.Message, done.Reports)
			}
		}
	}
	return nil
}
