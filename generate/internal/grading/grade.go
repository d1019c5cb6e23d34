package grading

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/exercise"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// Judge compiles a submission and judges it by the checks of the exercise, in the variant
// that this program has chosen: the report of Check, and that of CheckSteps where there is
// one.
func (t *Toolchain) Judge(ctx context.Context, e *exercise.Exercise, checks []any, s *Submission, l Limits) ([]*verify.Report, error) {
	session := &Session{CPU: l.CPU}
	if t.Socket != "" {
		p, err := s.program(e)
		if err != nil {
			return nil, err
		}
		if session.Elsewhere, err = t.elsewhere(ctx, p, l); err != nil {
			return nil, err
		}
		defer session.Elsewhere.Close()
	} else {
		dir, err := os.MkdirTemp("", "hyperplane-answer-")
		if err != nil {
			return nil, err
		}
		defer os.RemoveAll(dir)
		if err := t.Compile(ctx, e, s, dir); err != nil {
			return nil, err
		}
		session.Command = t.Command(filepath.Join(dir, "answer"), l)
	}
	if len(checks) != len(e.Calls) {
		return nil, fmt.Errorf("%s has %d checks for %d calls", e.ID, len(checks), len(e.Calls))
	}
	reports := make([]*verify.Report, len(checks))
	var err error
	for i, check := range checks {
		if reports[i], err = session.Report(check, e.Calls[i].Args, e.Answer.Functions); err != nil {
			return nil, err
		}
	}
	return reports, nil
}
