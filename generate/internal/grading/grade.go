package grading

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/exercise"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify/remote"
)

// Judgement is what became of a submission that compiles.
type Judgement struct {
	Reports []*verify.Report // of Check, and of CheckSteps where there is one
	Cost    Cost

	asked []map[int]*remote.Conn // the connections of each report's parts, with what was asked
}

// Judge compiles a submission and judges it by the checks of the exercise, in the variant
// that this program has chosen. The order in which questions are asked again is drawn from
// seed. Beside an error it holds only what was spent.
func (t *Toolchain) Judge(ctx context.Context, e *exercise.Exercise, checks []any, s *Submission, l Limits, seed uint64) (Judgement, error) {
	var j Judgement
	begun := time.Now()
	session, end, err := t.compiled(ctx, e, s, l, seed)
	j.Cost.Compile = time.Since(begun)
	if err != nil {
		return j, err
	}
	defer end()
	begun = time.Now()
	if len(checks) != len(e.Calls) {
		return j, fmt.Errorf("%s has %d checks for %d calls", e.ID, len(checks), len(e.Calls))
	}
	for i, check := range checks {
		r, err := session.Report(check, e.Calls[i].Args, e.Answer.Functions)
		if err != nil {
			return Judgement{Cost: j.Cost}, err
		}
		j.Reports, j.asked = append(j.Reports, r), append(j.asked, session.asked)
	}
	j.Cost.Judge, j.Cost.AnswerMemory, j.Cost.JudgeMemory = time.Since(begun), session.Peak, peakMemory("self")
	return j, nil
}

// compiled compiles a submission, here or at a server. End removes what that has made.
func (t *Toolchain) compiled(ctx context.Context, e *exercise.Exercise, s *Submission, l Limits, seed uint64) (session *Session, end func(), err error) {
	if t.Socket != "" {
		p, err := s.program(e)
		if err != nil {
			return nil, nil, err
		}
		session := newSession(l, seed)
		session.Elsewhere, err = t.elsewhere(ctx, p, l)
		err = blame(err, e, func(p *program) error {
			reference, err := t.elsewhere(ctx, p, l)
			if err == nil {
				reference.Close()
			}
			return err
		})
		if err != nil {
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
