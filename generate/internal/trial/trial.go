// Package trial compiles what a learner may have written for an exercise and lets
// the exercise judge it, as a notebook would: the stub as it is handed out, the
// reference answer, or any other text. It builds one program for all of them, of
// packages that exist only in an overlay; nothing is written into the module.
package trial

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/cell"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/exercise"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// A Submission is what a learner hands in.
type Submission struct {
	Exercise *exercise.Exercise // in the variant by which it is judged
	Code     exercise.Code      // declarations, as in the stub cell
}

// A Judgement is what became of a submission. Exactly one of its first three fields
// is set.
type Judgement struct {
	Reports []*verify.Report // of Check, and of CheckSteps where there is one
	Compile string           // the compiler's messages
	Died    string           // how the program ended before it could report

	Cost Cost // of judging it; nothing where it did not compile
}

// limit is the time for one submission, far above what an exercise may take.
const limit = 5 * time.Minute

// Judge compiles the submissions against the module at root and judges each in a
// process of its own. The judgements are in the order of the submissions. It
// returns an error only when it cannot judge at all.
func Judge(ctx context.Context, root string, submissions []Submission) ([]Judgement, error) {
	dir, err := os.MkdirTemp("", "hyperplane-trial-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	out := make([]Judgement, len(submissions))
	program := filepath.Join(dir, "judge")
	for {
		messages, err := build(ctx, root, dir, program, submissions, out)
		if err != nil {
			return nil, err
		}
		if len(messages) == 0 {
			break
		}
		for i, text := range messages { // build once more, without these
			out[i].Compile = text
		}
	}
	for i := range submissions {
		if out[i].Compile != "" {
			continue
		}
		if out[i], err = run(ctx, program, i, 0, Limits{}); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// build compiles all submissions that are not known to fail. It returns the
// compiler's messages by submission, none when the program was built.
func build(ctx context.Context, root, dir, program string, submissions []Submission, known []Judgement) (map[int]string, error) {
	o := newOverlay(root, dir)
	var included []int
	for i, s := range submissions {
		if known[i].Compile != "" {
			continue
		}
		included = append(included, i)
		if err := o.add(fmt.Sprintf("s%d/s.go", i), packageOf(i, s)); err != nil {
			return nil, err
		}
	}
	if err := o.addProgram(included); err != nil {
		return nil, err
	}
	return o.build(ctx, "-ldflags=-w", "-o", program, "./"+virtual)
}

// packageOf is the package of one submission: its declarations, and a function
// that judges them.
func packageOf(i int, s Submission) string {
	var b strings.Builder
	imports := cell.Merge(s.Code.Imports, []cell.Import{s.Exercise.Import(), {Path: cell.Module + "/toolkit/verify"}})
	choice := ""
	if n := s.Exercise.Seed; n != 0 {
		imports = cell.Merge(imports, []cell.Import{{Path: cell.Module + "/exercises"}})
		choice = fmt.Sprintf("\texercises.Variant(%d)\n", n)
	}
	fmt.Fprintf(&b, "package s%d\n\n%s\n\n", i, cell.Declaration(imports))
	fmt.Fprintf(&b, "func JudgeSubmission(int) []*verify.Report {\n%s\treturn []*verify.Report{\n", choice)
	for _, call := range s.Exercise.Calls {
		fmt.Fprintf(&b, "\t\t%s.%s,\n", s.Exercise.Package(), call)
	}
	// The line directive makes the compiler count as a reader of the cell does.
	fmt.Fprintf(&b, "\t}\n}\n\n//line cell.go:1:1\n%s\n", s.Code.Source)
	return b.String()
}

// Outcomes says in one line what a judgement is: the outcomes of all parts, or
// how it failed to come to that.
func (j Judgement) Outcomes() string {
	switch {
	case j.Compile != "":
		return "does not compile: " + j.Compile
	case j.Died != "":
		return "died: " + j.Died
	}
	var parts []string
	for _, r := range j.Reports {
		if !r.Complete || len(r.Parts) == 0 {
			parts = append(parts, "incomplete")
		}
		for _, p := range r.Parts {
			parts = append(parts, p.Outcome.String())
		}
	}
	return strings.Join(parts, " ")
}

// All reports whether every part of every report has the outcome, and there is
// at least one part in each.
func (j Judgement) All(want verify.Outcome) bool {
	if j.Compile != "" || j.Died != "" || len(j.Reports) == 0 {
		return false
	}
	for _, r := range j.Reports {
		if !r.Complete || len(r.Parts) == 0 || r.Count(want) != len(r.Parts) {
			return false
		}
	}
	return true
}
