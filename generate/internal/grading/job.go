// Package grading judges answers that other people wrote. An answer runs in a separate process that
// contains neither the checks nor their data. The judge calls the functions of the answer over a
// connection.
package grading

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/exercise"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify/remote"
)

// A Job contains an answer and everything that the judge needs in order to judge it. A separate
// process judges each job, because the seed of a variant applies to a whole process.
type Job struct {
	Exercise  string
	Seed      uint64
	Source    string // source of the answer's cells
	Toolchain *Toolchain
	Limits    Limits
	Diagnosis time.Duration // time to search for the mistake in a wrong answer; 0 disables the search
}

// A Status is the result of judging an answer.
type Status string

const (
	Judged      Status = "Judged"      // the judge has called the answer, so the Outcome contains reports
	NotCompiled Status = "NotCompiled" // the compiler or the linker rejected the answer, or exceeded its limits
	Refused     Status = "Refused"     // Cut rejected the answer, for example because of a forbidden import
)

// An Outcome is the result of judging a job.
type Outcome struct {
	Status  Status
	Message string           // says why the answer has its Status; "" if the Status is Judged
	Reports []*verify.Report // reports of Check and, if it exists, CheckSteps
	Cost    Cost

	Fault string `json:",omitempty"` // text of a [Fault]; if it is not empty, all other fields are empty
}

// Do judges the answer of a job with the checks of the exercise. The Outcome describes any problem
// with the answer. Do returns an error only for a problem that the answer has not caused. If only the
// search for the mistake fails, Do returns both the Outcome and an error.
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
	err = j.diagnose(ctx, e, checks, s, judged)
	return &Outcome{Status: Judged, Reports: judged.Reports, Cost: judged.Cost}, err
}

// diagnose calls Diagnose, unless j.Diagnosis is 0. Diagnose returns a sentence for each report. If
// the sentence is not "", diagnose appends it to the message of the report's first failed part.
func (j *Job) diagnose(ctx context.Context, e *exercise.Exercise, checks []any, s *Answer, judged Judgement) error {
	if j.Diagnosis <= 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, j.Diagnosis)
	defer cancel()
	messages, err := j.Toolchain.Diagnose(ctx, e, checks, s, judged, j.Limits)
	for i, text := range messages {
		if r := judged.Reports[i]; text != "" {
			r.Parts[findUnexplained(e, r)].Message += "\n" + text
		}
	}
	return err
}

// Judgement is the result of judging an answer. If the answer does not compile, only the Cost
// is set.
type Judgement struct {
	Reports []*verify.Report // reports of Check and, if it exists, CheckSteps
	Cost    Cost

	recordings []map[int]*remote.Conn // for each report, maps a part's index to the connection that recorded its calls
}

// Judge compiles an answer and judges it with the checks of the exercise, in the variant whose
// seed applies to this process. The argument `seed` determines the order in which Judge repeats
// calls. If Judge returns an error, the Judgement contains only the cost.
func (t *Toolchain) Judge(ctx context.Context, e *exercise.Exercise, checks []any, s *Answer, l Limits,
	seed uint64) (Judgement, error) {
	var j Judgement
	begun := time.Now()
	session, end, err := t.compileSession(ctx, e, s, l, seed)
	j.Cost.Compile = time.Since(begun)
	if err != nil {
		return j, err
	}
	defer end()
	begun = time.Now()
	if len(checks) != len(e.Calls) {
		return j, fmt.Errorf("%s: got %d check functions for %d calls of checks, want equal numbers", e.ID, len(checks), len(e.Calls))
	}
	for i, check := range checks {
		r, err := session.Report(check, e.Calls[i].Args, e.Answer.Functions)
		if err != nil {
			return Judgement{Cost: j.Cost}, err
		}
		j.Reports, j.recordings = append(j.Reports, r), append(j.recordings, session.recordings)
	}
	j.Cost.Judge, j.Cost.AnswerMemory, j.Cost.JudgeMemory = time.Since(begun), session.Peak, peakMemory("self")
	return j, nil
}

// compileSession compiles an answer, on this machine or on a server, and returns a session for
// the program. If there is no error, the caller must call the function `end`, which removes
// everything that compileSession has created.
func (t *Toolchain) compileSession(ctx context.Context, e *exercise.Exercise, s *Answer, l Limits,
	seed uint64) (session *Session, end func(), err error) {
	if t.Socket != "" {
		p, err := s.program(e)
		if err != nil {
			return nil, nil, err
		}
		session := newSession(l, seed)
		session.Remote, err = t.compileRemote(ctx, p, l)
		err = blameFor(err, e, func(p *program) error {
			reference, err := t.compileRemote(ctx, p, l)
			if err == nil {
				reference.Close()
			}
			return err
		})
		if err != nil {
			return nil, nil, err
		}
		return session, session.Remote.Close, nil
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

// A Cost contains the wall-clock times of compiling and judging an answer, without the search for the
// mistake. It also contains the peak memory, in bytes, of the judge's process and of the answer's
// processes. A field for memory is 0 if the value is unknown, for example for an answer on a server.
type Cost struct {
	Compile, Judge            time.Duration
	JudgeMemory, AnswerMemory int64
}

// Add adds the times of another Cost to c, and keeps the larger peak of each kind of memory.
func (c *Cost) Add(other Cost) {
	c.Compile += other.Compile
	c.Judge += other.Judge
	c.JudgeMemory = max(c.JudgeMemory, other.JudgeMemory)
	c.AnswerMemory = max(c.AnswerMemory, other.AnswerMemory)
}

// peakMemory returns the peak memory of a process in bytes, or 0 if the system does not report it.
func peakMemory(pid string) int64 {
	text, err := os.ReadFile("/proc/" + pid + "/status")
	if err != nil {
		return 0
	}
	_, after, _ := strings.Cut(string(text), "VmHWM:")
	fields := strings.Fields(after)
	if len(fields) == 0 {
		return 0
	}
	n, err := strconv.ParseInt(fields[0], 10, 64)
	if err != nil {
		return 0
	}
	return n << 10
}

// peakBelow returns the largest peak memory among a process and its descendants.
func peakBelow(pid string) int64 {
	peak := peakMemory(pid)
	text, err := os.ReadFile(fmt.Sprintf("/proc/%s/task/%[1]s/children", pid))
	if err != nil {
		return peak
	}
	for _, child := range strings.Fields(string(text)) {
		peak = max(peak, peakBelow(child))
	}
	return peak
}
