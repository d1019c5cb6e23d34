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
	begun := time.Now()
	session, end, err := t.compiled(ctx, e, s, l, seed)
	cost.Compile = time.Since(begun)
	if err != nil {
		return nil, cost, err
	}
	defer end()
	begun = time.Now()
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

// compiled compiles a submission, here or at a server. End removes what that has made.
func (t *Toolchain) compiled(ctx context.Context, e *exercise.Exercise, s *Submission, l Limits, seed uint64) (session *Session, end func(), err error) {
	if t.Socket != "" {
		p, err := s.program(e)
		if err != nil {
			return nil, nil, err
		}
		session := newSession(l, seed)
		if session.Elsewhere, err = t.elsewhere(ctx, p, l); err != nil {
			return nil, nil, err
		}
		return session, session.Elsewhere.Close, nil
	}
	dir, err := os.MkdirTemp("", "hyperplane-answer-")
	if err != nil {
		return nil, nil, err
	}
	end = func() { os.RemoveAll(dir) }
	if err := t.Compile(ctx, e, s, dir); err != nil {
		end()
		return nil, nil, err
	}
	return t.Session(filepath.Join(dir, "answer"), l, seed), end, nil
}
