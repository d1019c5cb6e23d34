package grading

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/exercise"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// Judge compiles a submission and judges it by the checks of the exercise, in the variant
// that this program has chosen: the report of Check, and that of CheckSteps where there is
// one; and what that has taken. The order in which questions are asked again is drawn from seed.
func (t *Toolchain) Judge(ctx context.Context, e *exercise.Exercise, checks []any, s *Submission, l Limits, seed uint64) ([]*verify.Report, Cost, error) {
	var cost Cost
	dir, err := os.MkdirTemp("", "hyperplane-answer-")
	if err != nil {
		return nil, cost, err
	}
	defer os.RemoveAll(dir)
	begun := time.Now()
	err = t.Compile(ctx, e, s, dir)
	cost.Compile = time.Since(begun)
	if err != nil {
		return nil, cost, err
	}
	begun = time.Now()
	session := t.Session(filepath.Join(dir, "answer"), l, seed)
	if len(checks) != len(e.Calls) {
		return nil, cost, fmt.Errorf("%s has %d checks for %d calls", e.ID, len(checks), len(e.Calls))
	}
	reports := make([]*verify.Report, len(checks))
	for i, check := range checks {
		if reports[i], err = session.Report(check, e.Calls[i].Args, e.Answer.Functions); err != nil {
			return nil, cost, err
		}
	}
	cost.Judge, cost.AnswerMemory, cost.JudgeMemory = time.Since(begun), session.Peak, peakMemory("self")
	return reports, cost, nil
}
