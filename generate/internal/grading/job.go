package grading

import (
	"context"
	"errors"
	"time"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/exercise"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// A Job is an answer to be judged, and by what. It goes to a process of its own: the seed
// of a variant holds for a whole process.
type Job struct {
	Exercise  string
	Seed      uint64
	Source    string // of the cell with the answer
	Toolchain *Toolchain
	Limits    Limits
	Diagnosis time.Duration // how long to look for the place of the mistake in a wrong answer; 0 for not at all
}

// A Status is what became of a hand-in.
type Status string

const (
	Judged      Status = "Judged"      // there are reports
	NotCompiled Status = "NotCompiled" // the compiler refused it
	Refused     Status = "Refused"     // it holds what an answer may not
)

// An Outcome is what became of a job.
type Outcome struct {
	Status  Status
	Message string           // of what is not Judged
	Reports []*verify.Report // of Check, and of CheckSteps where there is one
	Cost    Cost

	Fault string `json:",omitempty"` // in place of an outcome, the text of a [Fault]
}

// Do judges the answer of a job by the checks of the exercise. What is wrong with the
// answer is an outcome; an error is a fault of this machine.
func (j *Job) Do(ctx context.Context, e *exercise.Exercise, checks []any) (*Outcome, error) {
	s, err := Cut(e, j.Source)
	if err != nil {
		return &Outcome{Status: Refused, Message: err.Error()}, nil
	}
	judged, err := j.Toolchain.Judge(ctx, e, checks, s, j.Limits, j.Seed)
	var compile *CompileError
	if errors.As(err, &compile) {
		return &Outcome{Status: NotCompiled, Message: compile.Message, Cost: judged.Cost}, nil
	}
	if err != nil {
		return nil, err
	}
	if err := j.diagnose(ctx, e, checks, s, judged); err != nil {
		return nil, err
	}
	return &Outcome{Status: Judged, Reports: judged.Reports, Cost: judged.Cost}, nil
}

// diagnose adds to the reports where the mistake is, if that is found in time.
func (j *Job) diagnose(ctx context.Context, e *exercise.Exercise, checks []any, s *Submission, judged Judgement) error {
	if j.Diagnosis <= 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, j.Diagnosis)
	defer cancel()
	said, err := j.Toolchain.Diagnose(ctx, e, checks, s, judged, j.Limits)
	for i, text := range said {
		if r := judged.Reports[i]; text != "" {
			r.Parts[unexplained(e, r)].Message += "\n" + text
		}
	}
	return err
}
