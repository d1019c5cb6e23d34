// Package quality measures how well the check of an exercise distinguishes right answers from wrong
// answers. The tests of an exercise contain right answers that are written in different forms
// (right forms), and wrong answers. In addition, package mutant makes mechanical mutants of the
// exercise's reference answer. The check must reject every mutant that is wrong. The comment
// “Equivalent mutants” in check_test.go lists the mutants that are right, with the reasons.
package quality

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"
	"sync"
	"time"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/exercise"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/mutant"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/trial"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// These constants are the minimum numbers of right forms (right answers in different forms) and of
// wrong answers in the tests of an exercise.
const (
	leastRight = 4 // the reference answer, and three right answers that are written differently
	leastWrong = 4
)

// Options configures Run.
type Options struct {
	Root string // folder of the module
	Jobs int    // number of processes that run tests or judge mutants at the same time, at least 1
	// Records is the path of a file for the tests' reports on every answer. If Records is "", the
	// reports are not kept.
	Records string
	// Most is the largest number of mutants to judge per exercise; 0 means 240. If an exercise has more
	// mutants, Run chooses this number of them, evenly spaced in the list. In addition, Run judges every mutant that
	// check_test.go lists.
	Most int
	Row  func(*Result) // receives each result, in the order of the exercises; can be nil
}

// defaultMost is the default value of Options.Most.
const defaultMost = 240

// Run judges the checks of the exercises. Faults of a check are part of the Summary. Run returns an
// error if it cannot judge all exercises, for example because a reference answer does not compile.
// If the error occurs while Run judges mutants, Run also returns a Summary of the finished exercises.
func Run(ctx context.Context, list []*exercise.Exercise, o Options) (*Summary, error) {
	o.Most = cmp.Or(o.Most, defaultMost)
	if o.Row == nil {
		o.Row = func(*Result) {}
	}
	forms, err := runTests(ctx, list, o)
	if err != nil {
		return nil, err
	}
	maker, err := mutant.NewMaker(o.Root, list)
	if err != nil {
		return nil, err
	}
	subjects := make([]*subject, len(list))
	bundles := make([]trial.Bundle, len(list))
	for i, e := range list {
		if subjects[i], err = newSubject(e, maker, o); err != nil {
			return nil, err
		}
		bundles[i] = subjects[i].bundle()
	}
	program, err := trial.Build(ctx, o.Root, bundles)
	if err != nil {
		return nil, err
	}
	defer program.Close()

	// Judge the reference answers first, one after another, so that no other process distorts their
	// measured costs.
	for i, t := range subjects {
		if t.reference, err = program.Judge(ctx, i, 0, trial.Limits{}); err != nil {
			return nil, err
		}
		if message := t.reference.Compile; message != "" {
			return nil, fmt.Errorf("%s: the reference answer or a mutant of it does not compile: %s", t.exercise.ID,
				message)
		}
	}
	s := &Summary{}
	err = inOrder(ctx, o.Jobs, subjects, func(ctx context.Context, i, k int) error {
		return subjects[i].judge(ctx, program, i, k)
	}, func(i int) {
		r := subjects[i].combine(forms[i])
		s.Exercises = append(s.Exercises, r)
		o.Row(r)
	})
	return s, err
}

// A subject is an exercise with its mutants and the judgements on the mutants.
type subject struct {
	exercise   *exercise.Exercise
	answer     mutant.Text
	made       int             // number of all mutants, before the selection
	known      map[string]bool // names of all mutants, before the selection
	mutants    []mutant.Mutant // mutants to judge
	equivalent []equivalent
	faults     []string // faults in the list of equivalent mutants
	reference  trial.Judgement
	judged     []trial.Judgement // judgements, one for each element of mutants
}

func newSubject(e *exercise.Exercise, maker *mutant.Maker, o Options) (*subject, error) {
	answer, all, err := maker.Mutants(e)
	if err != nil {
		return nil, err
	}
	t := &subject{exercise: e, answer: answer, made: len(all), known: map[string]bool{}}
	if t.equivalent, t.faults, err = readEquivalents(os.DirFS(o.Root), e.Dir); err != nil {
		return nil, err
	}
	listed := map[string]bool{}
	for _, q := range t.equivalent {
		listed[q.name] = true
	}
	for _, m := range all {
		t.known[m.Name] = true
	}
	t.mutants = spread(all, o.Most, func(m mutant.Mutant) bool { return listed[m.Name] })
	t.judged = make([]trial.Judgement, len(t.mutants))
	return t, nil
}

// spread selects `count` mutants at equal distances in the list. If the list has at most `count`
// mutants, spread selects the whole list. In addition, it selects every mutant for which the
// function `required` returns true.
func spread(all []mutant.Mutant, count int, required func(mutant.Mutant) bool) []mutant.Mutant {
	if len(all) <= count {
		return all
	}
	chosen := map[int]bool{}
	for i := range count {
		chosen[i*len(all)/count] = true
	}
	var out []mutant.Mutant
	for i, m := range all {
		if chosen[i] || required(m) {
			out = append(out, m)
		}
	}
	return out
}

// bundle returns the texts to compile into one program: first the reference answer, then the
// mutants.
func (t *subject) bundle() trial.Bundle {
	b := trial.Bundle{Exercise: t.exercise, Texts: []trial.Suffixer{t.answer}}
	for _, m := range t.mutants {
		b.Texts = append(b.Texts, m.Text)
	}
	return b
}

// portion is the largest number of mutants that one process judges. If a mutant ends the process early,
// the process judges fewer mutants.
const portion = 24

// portions returns the number of portions into which the subject's mutants are divided.
func (t *subject) portions() int { return (len(t.mutants) + portion - 1) / portion }

// judge judges portion k of the subject's mutants. The program contains the subject's texts as bundle
// i. The argument `control` of [trial.Program.JudgeAll] is the reference answer.
func (t *subject) judge(ctx context.Context, program *trial.Program, i, k int) error {
	from, to := k*portion, min((k+1)*portion, len(t.mutants))
	var members []trial.Member
	for m := from; m < to; m++ {
		members = append(members, trial.Member{Bundle: i, Text: m + 1})
	}
	judged, err := program.JudgeAll(ctx, members, &trial.Member{Bundle: i}, t.limits())
	copy(t.judged[from:to], judged)
	return err
}

// limits returns the limits for judging a mutant. An endless loop must end soon, but a right answer
// must never exceed the limits. The limits are therefore far larger than the time and the memory
// that the reference answer needs, and they grow with these values.
func (t *subject) limits() trial.Limits {
	return trial.Limits{CPU: time.Second + 5*t.reference.Cost.CPU, Memory: 2<<30 + 5*t.reference.Cost.Peak}
}

// combine makes the Result of the exercise from the results of the tests and the judgements on the
// mutants.
func (t *subject) combine(f testCounts) *Result {
	r := &Result{ID: t.exercise.ID, Right: f.right, Rejected: f.rejected, Own: f.own, Faults: f.faults,
		Seconds: t.reference.Cost.Time.Seconds(), Peak: t.reference.Cost.Peak}
	if !t.reference.All(verify.Right) {
		r.Faults = append(r.Faults, "the reference answer is not right: "+t.reference.Outcomes())
	}
	r.Made, r.Judged = t.made, len(t.mutants)
	if t.made == 0 {
		r.Faults = append(r.Faults, "no mutant can be made from the reference answer")
	}
	survives := map[string]bool{}
	for k, m := range t.mutants {
		fate := Fate{Mutant: m.Name, Fate: Killed, How: describeKill(t.judged[k])}
		if isAccepted(t.judged[k]) {
			fate.Fate = Survived
			for _, q := range t.equivalent {
				if q.name == m.Name && q.reason != "" {
					fate.Fate, fate.How = Equivalent, q.reason
				}
			}
		}
		survives[m.Name] = fate.Fate != Killed
		switch fate.Fate {
		case Killed:
			r.Killed++
		case Equivalent:
			r.Equivalent++
		}
		r.Fates = append(r.Fates, fate)
	}
	r.Faults = append(r.Faults, t.faults...)
	for _, q := range t.equivalent {
		switch {
		case !t.known[q.name]:
			r.Faults = append(r.Faults, q.errorf("this mutant does not exist (any more): %s", q.name))
		case !survives[q.name]:
			r.Faults = append(r.Faults, q.errorf("this mutant is not equivalent, because the check rejects it, or it crashes or does not end: %s", q.name))
		}
	}
	if n := len(r.Survivors()); n > 0 {
		r.Faults = append(r.Faults, fmt.Sprintf("unexplained surviving mutants: %d of %d", n, r.Judged))
	}
	return r
}

// isAccepted reports whether the exercise accepts the judged text as an answer: every part must be Right
// in the report of Check and, if the exercise has one, in the report of CheckSteps.
func isAccepted(j trial.Judgement) bool { return j.All(verify.Right) }

// inOrder calls the function `judgePortion` for every portion of the mutants of every subject, in
// max(1, jobs) goroutines. As soon as a subject and all earlier subjects are complete, inOrder
// calls the function `report` for this subject, from the goroutine of the caller. After the first
// error that `judgePortion` returns, inOrder makes no more calls and returns that error. If ctx ends,
// inOrder also makes no more calls, and returns the cause.
func inOrder(ctx context.Context, jobs int, subjects []*subject,
	judgePortion func(ctx context.Context, i, k int) error, report func(i int)) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	type task struct{ i, k int }
	tasks := make(chan task)
	left := make([]sync.WaitGroup, len(subjects))
	for i, t := range subjects {
		left[i].Add(t.portions())
	}
	go func() {
		defer close(tasks)
		for i, t := range subjects {
			for k := range t.portions() {
				tasks <- task{i, k}
			}
		}
	}()
	for range max(1, jobs) {
		go func() {
			for t := range tasks {
				if ctx.Err() == nil { // after an error, run no more tasks; only count them
					if err := judgePortion(ctx, t.i, t.k); err != nil {
						cancel(err)
					}
				}
				left[t.i].Done()
			}
		}()
	}
	for i := range subjects {
		left[i].Wait()
		if ctx.Err() == nil {
			report(i)
		}
	}
	return context.Cause(ctx)
}

// equivalentFile is the file of an exercise that may contain a comment with a list of equivalent
// mutants. The comment begins with equivalentMark. It lists mutants that pass the check because
// they are right answers, for example:
//
//	/*
//	Equivalent mutants
//
//	Fit: top := floats.Max(a) → top := floats.Min(a)
//	    Why this is right all the same, on one indented line or more.
//	*/
//
// If several names stand on consecutive lines, the reason below them applies to all of these
// mutants. A blank line ends an entry. A line that begins with #, also after white space, has no effect.
const (
	equivalentFile = "check_test.go"
	equivalentMark = "/*\nEquivalent mutants\n"
)

// An equivalent is an entry of the list of equivalent mutants: a mutant that is right, and the
// reason why it is right.
type equivalent struct {
	name, reason string
	file         string
	line         int
}

// errorf returns a fault of the entry as text that begins with the file and the line of the entry.
func (q equivalent) errorf(format string, args ...any) string {
	return fmt.Sprintf("%s:%d: %s", q.file, q.line, fmt.Sprintf(format, args...))
}

// readEquivalents reads the list of equivalent mutants of an exercise. If the file or the comment in
// it is missing, the list is empty. readEquivalents reports an invalid entry as a fault of the
// exercise, and not as an error.
func readEquivalents(module fs.FS, dir string) (list []equivalent, faults []string, err error) {
	name := path.Join(dir, equivalentFile)
	data, err := fs.ReadFile(module, name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	head, rest, found := strings.Cut(string(data), equivalentMark)
	if !found {
		return nil, nil, nil
	}
	text, _, _ := strings.Cut(rest, "*/")
	list, faults = parseEquivalents(name, strings.Repeat("\n", strings.Count(head+equivalentMark, "\n"))+text)
	return list, faults, nil
}

func parseEquivalents(file, text string) (list []equivalent, faults []string) {
	var open []equivalent // mutants whose common reason the parser has not read completely yet
	reason := ""
	finish := func() {
		for _, q := range open {
			if q.reason = reason; reason == "" {
				faults = append(faults,
					q.errorf("give a reason why this mutant is right; write it below, indented: %s", q.name))
			}
			list = append(list, q)
		}
		open, reason = nil, ""
	}
	seen := map[string]bool{}
	for i, line := range strings.Split(text, "\n") {
		q := equivalent{name: strings.TrimSpace(line), file: file, line: i + 1}
		switch indented := strings.TrimLeft(line, " \t") != line; {
		case q.name == "":
			finish()
		case strings.HasPrefix(q.name, "#"):
		case indented && len(open) == 0:
			faults = append(faults, q.errorf("a reason without a mutant above it: %s", q.name))
		case indented:
			reason = strings.TrimSpace(reason + " " + q.name)
		case seen[q.name]:
			faults = append(faults, q.errorf("this mutant is listed twice: %s", q.name))
		default:
			if reason != "" {
				finish()
			}
			seen[q.name] = true
			open = append(open, q)
		}
	}
	finish()
	return list, faults
}
