package class

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hyperplane-notebooks/hyperplane/exercises/progress"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/exercise"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/grading"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbformat"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

func small() *Course {
	return &Course{Schema: courseSchema, Exercises: []Assigned{{ID: "prml-4.25", Weight: 2}}, Learners: []Learner{
		{ID: "ada", Name: "Ada Lovelace", Seed: 1 << 40, Due: "2026-01-02T00:00:00Z"},
		{ID: "bob", Name: "Bob", Seed: 1<<40 + 1}, {ID: "bob2", Name: "Bob", Seed: 1<<40 + 2},
	}}
}

func loadOne(id string, l Learner) (*exercise.Exercise, error) {
	return exercise.LoadVariant(os.DirFS("../../.."), "exercises/prml4/ex25",
		exercise.Variant{Seed: l.Seed, For: l.Name})
}

// filledNotebook returns a learner's notebook with an answer. `body` is the body of LambdaSquared.
func filledNotebook(t *testing.T, l Learner, body string) *nbformat.Notebook {
	t.Helper()
	nb := must.Get(must.Get(loadOne("prml-4.25", l))(t).Learner())(t)
	nb.Cell("prml-4-25-stub").Source = "func LambdaSquared() float64 { " + body +
		" }\nfunc SigmoidSlope() float64 { return 1 }\nfunc ProbitSlope(lambda float64) float64 { return 1 }"
	return nb
}

// newGrader returns a grader for the class c. The grader calls the function `judge` for one submission
// at a time, unless the test changes Jobs. The function `judge` need not run the answer, because the
// tests only check how results are stored and shown.
func newGrader(c *Course, out string, judge func(job *grading.Job) (*grading.Outcome, error)) *Grader {
	return &Grader{Course: c, Out: out, Tool: "1", Limits: grading.DefaultLimits, Jobs: 1, Log: io.Discard, Load: loadOne,
		Judge: func(_ context.Context, job *grading.Job) (*grading.Outcome, error) { return judge(job) }}
}

// judgedParts returns an outcome with a single report, which consists of the results `parts`.
func judgedParts(job *grading.Job, parts ...verify.Result) (*grading.Outcome, error) {
	return &grading.Outcome{Status: grading.Judged, Reports: []*verify.Report{{Exercise: job.Exercise, Seed: job.Seed,
		Complete: true, Parts: parts}}}, nil
}

func writeNotebook(t *testing.T, path string, nb *nbformat.Notebook, at time.Time) {
	t.Helper()
	must.Do(t, os.MkdirAll(filepath.Dir(path), 0o755))
	must.Do(t, nb.WriteFile(path))
	must.Do(t, os.Chtimes(path, at, at))
}

// TestFind checks that Find recognises every layout and finds the time of each submission. Find
// must report unknown learners, ambiguous names and files that are not named after an exercise.
func TestFind(t *testing.T) {
	dir := t.TempDir()
	for _, f := range []string{"ada/prml-4.25.ipynb", "ada/prml-4.25-Copy1.ipynb", "submitted/bob/hw/prml-4.25.ipynb",
		"Bob_12_assignsubmission_file_/prml-4.25.ipynb",
		"Eve_13_assignsubmission_file_/prml-4.25.ipynb", "eve/prml-4.25.ipynb", "notes.txt", ".git/x"} {
		must.Write(t, filepath.Join(dir, f), "{}")
	}
	must.Write(t, filepath.Join(dir, "submitted/bob/hw/timestamp.txt"), "2026-01-03 00:00:00.5 UTC")
	// Find must ignore the time in this timestamp.txt. The file is not in nbgrader's layout, so the
	// learner may have written it.
	must.Write(t, filepath.Join(dir, "ada/timestamp.txt"), "2026-01-01 00:00:00 UTC")
	must.Do(t, os.Symlink(filepath.Join(dir, "ada"), filepath.Join(dir, "bob2")))
	list, ungraded, err := Find(dir, small())
	must.Do(t, err)
	if len(list) != 2 || list[0].Learner != "ada" || list[0].TimeFrom != "the file" || list[1].Learner != "bob" ||
		list[1].Time.Format(time.RFC3339) != "2026-01-03T00:00:00Z" {
		t.Errorf("found the submissions %+v and %+v, want ada's with the time of the file, and bob's with the time of timestamp.txt",
			list[0], list[1])
	}
	must.Contain(t, strings.Join(ungraded, "\n"), `Copy1.ipynb": this file or folder is not named`,
		`"Bob_12_assignsubmission_file_": bob and bob2 have the name`, `"Eve_13_assignsubmission_file_": nobody`,
		`"eve": nobody in the class has this id`, `"notes.txt": not the folder`, `"bob2": not the folder`,
		`"ada/timestamp.txt": this file or folder is not named`)
	if len(ungraded) != 7 {
		t.Errorf("got the entries %q that are not submissions, want 7 entries", ungraded)
	}
	must.Do(t, os.Remove(filepath.Join(dir, "bob2")))
	must.Write(t, filepath.Join(dir, "Ada Lovelace_1_assignsubmission_file_", "prml-4.25.ipynb"), "{}")
	must.Write(t, filepath.Join(dir, "Ada Lovelace_1_assignsubmission_file_", "timestamp.txt"),
		"2001-01-01 00:00:00 UTC")
	old := time.Unix(1e9, 0)
	must.Do(t, os.Chtimes(filepath.Join(dir, "ada", "prml-4.25.ipynb"), old, old))
	if list, _, _ := Find(dir, small()); !strings.HasPrefix(list[0].File, "Ada Lovelace_1") || len(list[0].Notes) != 1 {
		t.Errorf("of two submissions, the submission %+v counts; want the later submission and a note", list[0])
	}
}

// TestBulk checks that the grader refuses a very long answer without judging, storing or showing
// it. A message must not contain characters that control a terminal. If the folder of submissions
// cannot be listed, or if its list of times is invalid, the grader must return a FolderError.
func TestBulk(t *testing.T) {
	in, out := t.TempDir(), t.TempDir()
	c := small()
	g := newGrader(c, out, func(job *grading.Job) (*grading.Outcome, error) {
		if len(job.Source) > 1<<20 {
			t.Error("the long answer was judged")
		}
		return judgedParts(job, verify.Result{Outcome: verify.Crashed, Message: "a\x1b[2Jb\u202ec\nd"})
	})
	writeNotebook(t, filepath.Join(in, "ada", "prml-4.25.ipynb"),
		filledNotebook(t, c.Learners[0], "return 8 // "+strings.Repeat("<", 4<<20)), time.Now())
	writeNotebook(t, filepath.Join(in, "bob", "prml-4.25.ipynb"), filledNotebook(t, c.Learners[1], "return 8"), time.Now())
	_, _, err := g.Grade(t.Context(), in)
	must.Do(t, err)
	list := must.Get(ReadBook(out, g.Tool, c, true, g.Received, loadOne))(t).Results
	if r := list[0]; r.Status != grading.Refused || !strings.Contains(r.Message, "want at most 262144") || r.Source != "" {
		t.Errorf("the long answer has the status %s, %d stored bytes and the message %s; want Refused, 0 bytes and a message with the limit 262144", r.Status, len(r.Source), r.Message)
	}
	if got := list[1].Parts[0].Message; got != "a[2Jbc\nd" {
		t.Errorf("got the message %q, want \"a[2Jbc\\nd\", without control characters except \\n", got)
	}
	for name, dir := range map[string]string{"invalid time": in, "no folder": filepath.Join(in, "nowhere")} {
		if name == "invalid time" {
			must.Write(t, filepath.Join(in, manifestFile), "id,exercise,time\nada,prml-4.25,24.11.2026\n")
		}
		if _, _, err := g.Grade(t.Context(), dir); !errors.As(err, new(*FolderError)) {
			t.Errorf("%s: got the error %v, want a FolderError", name, err)
		}
	}
}

// TestGrade checks that the grader stores a result and does not judge the same submission again. If
// a learner made several submissions, the best or the last must count, as the caller chooses. A
// deleted submission must keep its result. If a new version of the judge changes a result, the
// grader must report the change.
func TestGrade(t *testing.T) {
	in, out := t.TempDir(), t.TempDir()
	c := small()
	calls := 0
	var log bytes.Buffer
	g := newGrader(c, out, func(job *grading.Job) (*grading.Outcome, error) {
		calls++
		done, _ := judgedParts(job, verify.Result{Name: "a", Outcome: verify.Right},
			verify.Result{Name: "b", Outcome: verify.Wrong, Key: "slope", Hint: 2})
		switch r := done.Reports[0]; {
		case strings.Contains(job.Source, "return 8"):
			r.Parts[1].Outcome, r.Parts[1].Key = verify.Right, ""
		case strings.Contains(job.Source, "for {}") && calls < 20:
			r.Parts[0].Outcome = verify.TimedOut
		case strings.Contains(job.Source, "broken"):
			return nil, fmt.Errorf("no judge")
		}
		done.Reports = append(done.Reports, &verify.Report{Exercise: job.Exercise, Seed: job.Seed, Complete: true,
			Optional: true, Parts: []verify.Result{{Name: "c", Outcome: verify.Wrong}}})
		return done, nil
	})
	g.Jobs, g.Log = 2, &log
	day := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	path := filepath.Join(in, "ada", "prml-4.25.ipynb")
	read := func(best bool) *Result {
		t.Helper()
		return must.Get(ReadBook(out, g.Tool, c, best, g.Received, loadOne))(t).Results[0]
	}
	grade := func(wantCalls int) string {
		t.Helper()
		calls = 0
		changed, _, err := g.Grade(t.Context(), in)
		must.Do(t, err)
		if calls != wantCalls {
			t.Errorf("the judge was called %d times, want %d", calls, wantCalls)
		}
		return strings.Join(changed, "\n")
	}
	writeNotebook(t, path, filledNotebook(t, c.Learners[0], "return 8"), day)
	grade(1)
	grade(0)
	if r := read(true); r.Points != 2 || r.Max != 2 || r.Late || len(r.Parts) != 3 || !r.Parts[2].Optional {
		t.Errorf("got the result %+v, want 2 of 2 points, in time, and a third part that is optional", r)
	}
	writeNotebook(t, path, filledNotebook(t, c.Learners[0], "return 1"), day.AddDate(0, 0, 2))
	grade(1)
	if best, last := read(true), read(false); best.Points != 2 || best.Late || last.Points != 1 || !last.Late || last.Attempts != 2 {
		t.Errorf("the best result is %+v and the last result is %+v; want a best result of 2 points that is not late, a last result of 1 point that is late, and 2 attempts", best, last)
	}
	g.Tool = "2"
	if said := grade(1); said != "" {
		t.Errorf("a new version of the judge gives the same results, but Grade reports the change %s", said)
	}
	writeNotebook(t, path, filledNotebook(t, c.Learners[0], "for {}"), day)
	if grade(2); !read(false).Late || read(true).Points != 2 { // the last submission is the one with the latest time
		t.Errorf("got the last result %+v and a best result of %g points; want a late last result, and a best result that keeps its 2 points", read(false), read(true).Points)
	}
	must.Contain(t, log.String(), "will be judged again", "[1/1]", "1 of 2 points")
	must.Do(t, os.Remove(path))
	if grade(0); read(true).Points != 2 {
		t.Error("the best result does not keep its 2 points after its submission was deleted")
	}
	// If a submission cannot be judged, Grade must return an error, and the next run must judge the
	// submission again.
	writeNotebook(t, filepath.Join(in, "bob", "prml-4.25.ipynb"), filledNotebook(t, c.Learners[1], "broken"), day)
	if _, _, err := g.Grade(t.Context(), in); err == nil || !strings.Contains(err.Error(), "no judge") {
		t.Errorf("got the error %v, want an error with the text \"no judge\"", err)
	}
	calls = 0
	if _, _, err := g.Grade(t.Context(), in); err == nil || calls != 1 {
		t.Errorf("a submission that could not be judged was judged %d more times, with the error %v; want once more, with an error", calls, err)
	}
	b := must.Get(ReadBook(out, "2", c, true, g.Received, loadOne))(t)
	if b.Results[1].Status != Failed || b.Results[2].Status != Missing {
		t.Errorf("bob has the status %s and bob2 has the status %s, want Failed and Missing", b.Results[1].Status, b.Results[2].Status)
	}
	must.Do(t, b.Write(t.Context(), out))
	must.Contain(t, must.Read(t, filepath.Join(out, "grades.csv")),
		"id,name,email,prml-4.25,points,max,late\nada,Ada Lovelace,,2,2,2,0\nbob,Bob,,0,0,2,0\n")
	must.Contain(t, must.Read(t, filepath.Join(out, "grades-nbgrader.csv")),
		"hyperplane,2026-01-02 00:00:00,2026-01-01 00:00:00,ada,Lovelace,Ada,,2.0,0.0,2.0,2.0\n",
		"hyperplane,,2026-01-01 00:00:00,bob,Bob,,,0.0,0.0,0.0,2.0\n")
	must.Contain(t, must.Read(t, filepath.Join(out, "summary.html")), "<td>prml-4.25</td><td>4 submissions</td>")
	if page := must.Read(t, filepath.Join(out, "feedback", "bob.html")); strings.Contains(page, "Ada") || !strings.Contains(page, "not your fault") {
		t.Errorf("Bob's page must say that the failure is not his fault, and must not name Ada; the page is\n%s", page)
	}
	var back Book
	must.Do(t, json.Unmarshal([]byte(must.Read(t, filepath.Join(out, "results.json"))), &back))
	if back.Schema != "hyperplane-grades/1" || len(back.Results) != 3 {
		t.Errorf("results.json contains the schema %q and %d results, want hyperplane-grades/1 and 3 results", back.Schema, len(back.Results))
	}
	// Simulate a new version of the judge with a corrected check. It judges an unchanged submission
	// differently.
	writeNotebook(t, path, filledNotebook(t, c.Learners[0], "return 1"), day.AddDate(0, 0, 2))
	must.Do(t, os.RemoveAll(filepath.Join(in, "bob")))
	g.Tool = "3"
	g.Judge = func(_ context.Context, job *grading.Job) (*grading.Outcome, error) {
		return judgedParts(job, verify.Result{Outcome: verify.Right})
	}
	changed, _, err := g.Grade(t.Context(), in)
	must.Do(t, err)
	must.Contain(t, strings.Join(changed, "\n"), "ada prml-4.25: 2 of 2 points, previously 1 of 2 points")
	// A later version of the judge runs out of time in its first run and succeeds in its second run, so
	// the result has not changed.
	g.Tool = "4"
	runs := 0
	g.Judge = func(_ context.Context, job *grading.Job) (*grading.Outcome, error) {
		if runs++; runs == 1 {
			return judgedParts(job, verify.Result{Outcome: verify.TimedOut})
		}
		return judgedParts(job, verify.Result{Outcome: verify.Right})
	}
	if changed, _, err := g.Grade(t.Context(), in); err != nil || len(changed) > 0 || runs != 2 {
		t.Errorf("after %d runs, Grade reports the changes %q and the error %v; want 2 runs and no change", runs, changed, err)
	}
	g.Tool = "3"
	// If results cannot be written, the submissions must have the status Failed and not Missing.
	// Grade must also set the field unkept, so that the shard stays incomplete.
	release := must.Get(progress.Lock(filepath.Join(out, stateDir, ".lock"), 0))(t)
	usual := keepWait
	defer func() { keepWait = usual }()
	keepWait = 10 * time.Millisecond
	writeNotebook(t, filepath.Join(in, "bob2", "prml-4.25.ipynb"), filledNotebook(t, c.Learners[2], "return 1"), day)
	if _, _, err := g.Grade(t.Context(), in); err == nil || !strings.Contains(err.Error(), "locked") || !g.unkept {
		t.Errorf("got the error %v and unkept = %t, want an error with \"locked\", and unkept = true", err, g.unkept)
	}
	release()
	keepWait = usual // in later runs, a worker must wait while another worker writes
	if r := must.Get(ReadBook(out, "3", c, true, g.Received, loadOne))(t).Results[2]; r.Status != Failed || r.Message != failedMessage {
		t.Errorf("a submission whose result could not be stored has the status %s and the message %s; want Failed and failedMessage", r.Status, r.Message)
	}
	if _, _, err := g.Grade(t.Context(), in); err != nil || must.Get(ReadBook(out, "3", c, true, g.Received, loadOne))(t).Results[2].Status != grading.Judged {
		t.Errorf("in the next run, got the error %v and the status %s for bob2, want no error and the status Judged", err,
			must.Get(ReadBook(out, "3", c, true, g.Received, loadOne))(t).Results[2].Status)
	}
	// The grader must shorten a long message about an answer.
	g.Tool, g.Judge = "3.1", func(context.Context, *grading.Job) (*grading.Outcome, error) {
		return &grading.Outcome{Status: grading.NotCompiled, Message: strings.Repeat("<b>A", 15<<20)}, nil
	}
	_, _, err = g.Grade(t.Context(), in)
	must.Do(t, err)
	if r := read(false); r.Status != grading.NotCompiled || len(r.Message) > grading.MaxMessage+10 {
		t.Errorf("got the status %s and a message of %d bytes, want NotCompiled and a short message",
			r.Status, len(r.Message))
	}
	// A fault of the machine must end the run and must not change the stored result of any
	// submission.
	g.Tool, g.Jobs = "3.2", 1
	tries := 0
	g.Judge = func(context.Context, *grading.Job) (*grading.Outcome, error) {
		tries++
		return nil, fmt.Errorf("the judge: %w", &grading.Fault{Err: errors.New("no importcfg")})
	}
	_, _, err = g.Grade(t.Context(), in)
	must.Fail(t, err, "this machine cannot judge: no importcfg")
	if r := read(false); r.Status != grading.NotCompiled || tries != 1 {
		t.Errorf("after %d calls of Judge the result is %s: %s, want 1 call and the earlier result NotCompiled", tries, r.Status, r.Message)
	}
	// The grader must reject a report about a variant that is not the learner's.
	g.Tool = "4"
	g.Judge = func(_ context.Context, job *grading.Job) (*grading.Outcome, error) {
		return judgedParts(&grading.Job{Exercise: job.Exercise, Seed: 7})
	}
	_, _, err = g.Grade(t.Context(), in)
	must.Fail(t, err, "variant 7")
}

// TestJudgedTwice checks that a submission that ran out of time is judged twice, and that the
// better result counts.
func TestJudgedTwice(t *testing.T) {
	for _, tt := range []struct {
		name          string
		first, second verify.Outcome // outcomes of part 1 in two runs; part 2 is TimedOut in the first run, then Wrong
		points        float64
		note          bool
	}{
		{"worse", verify.Right, verify.Wrong, 1, true},
		{"better", verify.Wrong, verify.Right, 1, false},
		{"the same", verify.Right, verify.Right, 1, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			in, c, calls := t.TempDir(), small(), 0
			g := newGrader(c, t.TempDir(), func(job *grading.Job) (*grading.Outcome, error) {
				if calls++; calls > 1 {
					return judgedParts(job, verify.Result{Outcome: tt.second}, verify.Result{Outcome: verify.Wrong})
				}
				return judgedParts(job, verify.Result{Outcome: tt.first}, verify.Result{Outcome: verify.TimedOut})
			})
			writeNotebook(t, filepath.Join(in, "ada", "prml-4.25.ipynb"), filledNotebook(t, c.Learners[0], "for {}"),
				time.Unix(1e9, 0))
			for range 2 { // the second call of Grade must not judge anything
				_, _, err := g.Grade(t.Context(), in)
				must.Do(t, err)
			}
			r := must.Get(ReadBook(g.Out, "1", c, false, g.Received, loadOne))(t).Results[0]
			noted := strings.Contains(strings.Join(r.Notes, "\n"), "0 of 2 points")
			if calls != 2 || r.Points != tt.points || noted != tt.note {
				t.Errorf("got %d judgements, %g points and the notes %q; want 2 judgements and %g points; want a note about the second judgement: %t",
					calls, r.Points, r.Notes, tt.points, tt.note)
			}
		})
	}
}

// TestAnswerOfOtherEditors checks that Answer removes a byte order mark and a package clause, as
// GoNB does.
func TestAnswerOfOtherEditors(t *testing.T) {
	e := must.Get(loadOne("prml-4.25", small().Learners[0]))(t)
	nb := filledNotebook(t, small().Learners[0], "return 8")
	plain := nb.Cell("prml-4-25-stub").Source
	for name, source := range map[string]string{"mark": "\ufeff" + plain, "package": "package main\n\n" + plain,
		"both": "\ufeffpackage main\n" + plain} {
		nb.Cell("prml-4-25-stub").Source = source
		data := must.Get(nb.Marshal())(t)
		for _, before := range []string{"", "\ufeff"} {
			answer, _, err := Answer([]byte(before+string(data)), e)
			if err == nil {
				_, err = grading.Cut(e, answer)
			}
			if err != nil || !strings.Contains(answer, "return 8") {
				t.Errorf("for the case %s with %q before the notebook, got the error %v and the answer\n%s\nwant no error, and an answer that contains return 8",
					name, before, err, answer)
			}
		}
	}
}

// TestAlike checks that findAlike reports two answers that differ only in names, comments or
// layout. It must not report functions that are short or common.
func TestAlike(t *testing.T) {
	c := small()
	for i := range 50 {
		c.Learners = append(c.Learners, Learner{ID: fmt.Sprint("x", i), Name: "X", Seed: uint64(1<<40 + 9 + i)})
	}
	const long = "a := []float64{1, 2, 3}; s := 0.0; for i, v := range a { s += float64(i) * v / (v + 1); if s > 7 { return s / 2 } }; return s * math.Pi"
	renamed := strings.NewReplacer("a :=", "data :=", "range a", "range data", "s ", "sum ", "return s", "return sum",
		" v", " w", "(v", "(w").Replace(long)
	var results []*Result
	for i, l := range c.Learners {
		body := fmt.Sprintf("x := %d.5; return x", i)
		switch {
		case i == 0:
			body = long
		case i == 1:
			body = "/* mine */ " + renamed
		case i%2 == 0:
			// Half of the class writes this function, so findAlike must ignore it as common.
			body = strings.Replace(long, "7", "8", 1)
		}
		results = append(results,
			&Result{Learner: l.ID, Exercise: "prml-4.25", Status: grading.Judged,
				Source: filledNotebook(t, l, body).Cell("prml-4-25-stub").Source})
	}
	// Three answers must not be compared. Answer 50 is a sum of so many terms that go/printer would
	// need minutes. Answer 51 was not judged. The variant of learner 52 cannot be loaded. All other
	// answers must still be compared.
	results[50].Source = filledNotebook(t, c.Learners[50],
		"return 1.0"+strings.Repeat("+1.0*1", 2_000)).Cell("prml-4-25-stub").Source
	results[51].Source, results[51].Status = results[50].Source, grading.NotCompiled
	list, failed := findAlike(c, results, func(id string, l Learner) (*exercise.Exercise, error) {
		if l.ID == c.Learners[52].ID {
			return nil, errors.New("no such variant")
		}
		return loadOne(id, l)
	})
	if len(failed) != 2 || failed[0].Learner != c.Learners[50].ID || !strings.Contains(failed[0].Reason, "nodes") ||
		failed[1] != (NotCompared{"prml-4.25", c.Learners[52].ID, "no such variant"}) {
		t.Errorf("got the answers %+v that were not compared, want answer 50 because of its nodes, and answer 52 because there is no such variant", failed)
	}
	if len(list) != 1 || fmt.Sprint(list[0].Learners) != "[ada bob]" || list[0].Function != "LambdaSquared" ||
		list[0].Of != 52 {
		t.Errorf("got the shared functions %+v, want only LambdaSquared, shared by ada and bob, of 52 judged answers", list)
	}
}

// TestWorkFile grades work files, which the pages export. Only the answer to the learner's own
// variant may count. The grader must judge a work file again only if this answer has changed. The
// summary must contain the number of tries until the learner passed.
func TestWorkFile(t *testing.T) {
	in, out := t.TempDir(), t.TempDir()
	c := small()
	var judged []string
	g := newGrader(c, out, func(job *grading.Job) (*grading.Outcome, error) {
		judged = append(judged, job.Source)
		p := verify.Result{Name: "a", Outcome: verify.Right}
		if strings.Contains(job.Source, "wrong") {
			p = verify.Result{Name: "a", Outcome: verify.Wrong, Key: "slope"}
		}
		return judgedParts(job, p)
	})
	export := func(learner string, answers ...string) {
		t.Helper()
		list := map[string]any{}
		for i := 0; i < len(answers); i += 2 {
			list[answers[i]] = map[string]string{"time": "2026-01-01T00:00:00Z", "source": answers[i+1]}
		}
		const record = `{"answer": {"passed": true, "tries": 6, "last": {"right": 1, "parts": 1, "finished": true},
			"earlier": [{"right": 0, "parts": 1, "finished": true, "wrong": {"1": "reciprocal"}}], "passed_after": 5}, "steps": null, "hints": [], "offered": false, "revealed": false}`
		must.Write(t, filepath.Join(in, learner, "hyperplane-work.json"), fmt.Sprintf(`{"schema": "hyperplane-work/1", "answers": %s, "guesses": {},
			"progress": {"schema": "hyperplane-progress/2", "exercises": {"prml-4.25:1099511627776": %s}}}`, must.Get(json.Marshal(list))(t), record))
	}
	grade := func() string {
		t.Helper()
		judged = nil
		_, ungraded, err := g.Grade(t.Context(), in)
		must.Do(t, err)
		return strings.Join(ungraded, "\n")
	}
	export("ada", "prml-4.25:1099511627776", "package x\n\nright ada", "prml-4.25", "common", "prml-4.1", "other")
	export("bob", "prml-4.25", "common")
	must.Write(t, filepath.Join(in, "bob2", "hyperplane-work.json"), "{")
	writeNotebook(t, filepath.Join(in, "bob", "prml-4.25.ipynb"), filledNotebook(t, c.Learners[1], "wrong"), time.Now())
	ungraded := grade()
	must.Contain(t, ungraded, "bob/hyperplane-work.json\": no answer to prml-4.25 in variant 1099511627777; there is an answer in the common variant",
		"bob2/hyperplane-work.json\": it is not a JSON object with a schema")
	if got := strings.Join(judged, "|"); !strings.HasPrefix(strings.TrimSpace(got), "right ada|func LambdaSquared() float64 { wrong }") {
		t.Errorf("the grader judged %q, want ada's answer from the work file and bob's from the notebook", got)
	}
	export("ada", "prml-4.25:1099511627776", "package x\n\nright ada", "prml-4.1", "another text")
	if grade(); len(judged) > 0 {
		t.Errorf("no answer to prml-4.25 in a learner's own variant has changed, but the grader judged %q again", judged)
	}
	writeNotebook(t, filepath.Join(in, "bob", "prml-4.25.ipynb"), filledNotebook(t, c.Learners[1], "right"),
		time.Now().Add(time.Minute))
	if grade(); len(judged) != 1 {
		t.Errorf("the grader judged %q, want only bob's new answer", judged)
	}
	b := must.Get(ReadBook(out, g.Tool, c, true, g.Received, loadOne))(t)
	if r := b.Results[0]; r.Points != 2 || r.Tries != 5 || fmt.Sprint(r.Mistakes) != "[reciprocal]" || r.File != "ada/hyperplane-work.json" {
		t.Errorf("got the result %+v for ada, want 2 points, 5 tries and the mistake reciprocal, from the work file", r)
	}
	if r := b.Results[1]; r.Tries != 2 || fmt.Sprint(r.Mistakes) != "[slope]" {
		t.Errorf("got the result %+v for bob, want 2 tries and the mistake slope", r)
	}
	must.Contain(t, string(must.Get(b.summary())(t)), "<td>prml-4.25</td><td>2</td><td>2</td><td>3.5, at most 5</td>",
		"<td>prml-4.25 reciprocal</td><td>1</td><td>1</td><td>5, at most 5</td>", "<td>prml-4.25 slope</td><td>1</td><td>1</td><td>2, at most 2</td>")
}

// TestPages checks the feedback page and the summary. Names and messages that look like a script must
// stay plain text, and a link must escape the percent signs in an id.
func TestPages(t *testing.T) {
	c := small()
	c.Learners[0].Name = "=HYPERLINK(<script>)"
	b := &Book{Schema: bookSchema, course: c,
		Results: []*Result{{Learner: "ada", Exercise: "prml-4.25", Status: grading.Judged, Source: "</pre><script>",
			Notes: []string{"<script>"},
			Parts: []Part{{Result: verify.Result{Name: "a", Outcome: verify.Wrong, Key: "slope",
				Message: "<script>alert(1)</script>", Hint: 2}}}}}}
	feedback := string(must.Get(b.feedback(c.Learners[0]))(t))
	summary := string(must.Get(b.summary())(t))
	for _, page := range []string{feedback, summary} {
		if strings.Contains(page, "<script>") {
			t.Errorf("the output contains a script:\n%s", page)
		}
	}
	must.Contain(t, feedback, "Hint 2 of the notebook", "Wrong")
	must.Contain(t, summary, "prml-4.25 slope", "data:image/svg", "Number of submissions by exercise",
		"<td>prml-4.25</td><td>0 submissions</td>")
	c.Learners[0].ID, b.Results[0].Learner = "m08%2e%2e", "m08%2e%2e"
	must.Contain(t, string(must.Get(b.summary())(t)), `href="feedback/m08%252e%252e.html"`)
}

// TestNoFormulas checks that a spreadsheet reads no cell of a table as a formula, whichever
// separator the spreadsheet uses. The test does not cover ids: nbgrader's tables contain them
// unchanged, so validID rejects ids that look like a formula.
func TestNoFormulas(t *testing.T) {
	c := small()
	c.Learners[0].Email = "a@b-c.de"
	for name, want := range map[string]string{"=1+1": "'=1+1", "x;=1+1;y": "x;'=1+1;y", "x; ＝1+1": "x; '＝1+1",
		"＋1": "'＋1", "@x": "'@x", "Anna-Maria": "Anna-Maria", "\"x\"\t-1": "-1"} {
		c.Learners[0].Name = name
		b, dir := &Book{course: c}, t.TempDir()
		must.Do(t, c.WriteStudents(dir))
		for _, table := range []string{string(must.Get(b.csv())(t)), string(must.Get(b.nbgraderGrades())(t)),
			must.Read(t, filepath.Join(dir, "students.csv"))} {
			for _, cell := range strings.FieldsFunc(table, func(r rune) bool { return strings.ContainsRune(",;\t\n", r) }) {
				if cell := strings.TrimSpace(cell); strings.ContainsAny(cell[:min(len(cell), 3)], "=＝＋＠－") && cell[0] != '\'' {
					t.Errorf("with the name %q, a spreadsheet would read the cell %q as a formula", name, cell)
				}
			}
			must.Contain(t, table, "a@b-c.de")
		}
		must.Contain(t, string(must.Get(b.csv())(t)), want)
	}
}

// TestLock checks that a run locks its folder against other runs of the same shard, but not against
// runs of different shards. A run without shards counts as a shard of its own.
func TestLock(t *testing.T) {
	out := t.TempDir()
	release := must.Get(Lock(out, Shard{}))(t)
	must.Get(Lock(out, Shard{1, 2}))(t)
	must.Get(Lock(out, Shard{2, 2}))(t)
	_, err := Lock(out, Shard{})
	must.Fail(t, err, "another run is writing to "+out)
	release()
	must.Get(Lock(out, Shard{}))(t)
}

// TestKeep checks that no result is lost when several runs write results at the same time.
func TestKeep(t *testing.T) {
	out := t.TempDir()
	var runs sync.WaitGroup
	for i := range 8 {
		runs.Go(func() {
			r := &Result{Learner: "ada", Exercise: "prml-4.25", Status: grading.Judged,
				Time: fmt.Sprintf("2026-01-01T00:00:0%dZ", i), Basis: &Basis{Hash: fmt.Sprint("hash", i)}}
			if err := keep(out, r); err != nil {
				t.Error(err)
			}
		})
	}
	runs.Wait()
	if kept := must.Get(loadAttempts(out, "ada", "prml-4.25"))(t); len(kept.List) != 8 {
		t.Errorf("only %d of 8 results were stored", len(kept.List))
	}
}

// TestOptional checks that an optional part earns no points by default. If the course sets the
// field Optional, the value of the field must be the weight of each optional part.
func TestOptional(t *testing.T) {
	right := verify.Result{Outcome: verify.Right}
	reports := []*verify.Report{{Parts: []verify.Result{right, {Outcome: verify.Wrong}}},
		{Optional: true, Parts: []verify.Result{right, right}}}
	for _, tt := range []struct{ optional, want float64 }{{0, 1}, {0.5, 4. / 3}, {1, 1.5}} {
		c, got := small(), &Result{Reports: reports}
		c.Exercises[0].Optional = tt.optional
		if got.score(c.assignedEntry("prml-4.25")); got.Max != 2 || math.Abs(got.Points-tt.want) > 1e-6 {
			t.Errorf("with the weight %g of optional parts: got %g of %g points, want %g of 2 points", tt.optional, got.Points, got.Max, tt.want)
		}
	}
}

// TestBookFollowsTheCourse checks that ReadBook scores stored results with the present weights and due
// dates, also before it chooses the best result. The stored points are from an earlier weight.
func TestBookFollowsTheCourse(t *testing.T) {
	out, c := t.TempDir(), small()
	right, wrong := verify.Result{Outcome: verify.Right}, verify.Result{Outcome: verify.Wrong}
	for _, r := range []*Result{
		{Basis: &Basis{Hash: "half"}, Time: "2026-01-01T00:00:00Z", Points: 5,
			Reports: []*verify.Report{{Parts: []verify.Result{right, wrong}}}},
		{Basis: &Basis{Hash: "whole"}, Time: "2026-01-03T00:00:00Z", Points: 4,
			Reports: []*verify.Report{{Parts: []verify.Result{right, right}}}},
	} {
		r.Learner, r.Exercise, r.Status = c.Learners[0].ID, "prml-4.25", grading.Judged
		must.Do(t, keep(out, r))
	}
	if r := must.Get(ReadBook(out, "1", c, true, nil, loadOne))(t).Results[0]; r.Points != 2 || r.Basis.Hash != "whole" || !r.Late {
		t.Errorf("got the result %+v, want the right answer with 2 points, which is late", r)
	}
}

// TestBar checks that a log contains a line for every submission, and a further line for a submission
// that is judged again. A terminal must show a progress bar and a line for every learner.
func TestBar(t *testing.T) {
	todo := []*Submission{{Learner: "ada", Exercise: "one"}, {Learner: "bob", Exercise: "one"},
		{Learner: "ada", Exercise: "two"}}
	progress := func(watch bool) string {
		var log strings.Builder
		b := newBar(&log, watch, todo)
		b.finish(todo[0], "1 of 1 points", false)
		b.finish(todo[1], "0 of 1 points, out of time", true)
		b.finish(todo[2], "as before", false)
		b.finish(todo[1], "1 of 1 points", false)
		return log.String()
	}
	want := "[1/3, about 0s left] ada one: 1 of 1 points\n[2/4, about 0s left] bob one: 0 of 1 points, out of time (will be judged again)\n[3/4, about 0s left] ada two: as before\n[4/4] bob one: 1 of 1 points\n"
	if got := progress(false); got != want {
		t.Errorf("the log contains\n%s\nwant\n%s", got, want)
	}
	// The first states of the bar contain /3, the number of submissions. Later states contain /4,
	// because bob's submission is judged again.
	got := progress(true)
	must.Contain(t, got, "ada: one: 1 of 1 points; two: as before\n", "bob: one: 1 of 1 points\n")
	if strings.Contains(got, "will be judged again") || strings.Count(got, "\n") != 2 || !strings.Contains(got, "/3") {
		t.Errorf("the terminal shows\n%q\nwant a progress bar that contains “/3” at first, exactly one line for each of the two learners, and no “will be judged again”", got)
	}
}
