package class

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/exercise"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/grading"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbformat"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

func small() *Course {
	return &Course{Schema: courseSchema, Exercises: []Assigned{{ID: "prml-4.25", Weight: 2}}, Learners: []Learner{
		{ID: "ada", Name: "Ada Lovelace", Seed: 1 << 40, Due: "2026-01-02T00:00:00Z"}, {ID: "bob", Name: "Bob", Seed: 1<<40 + 1}, {ID: "bob2", Name: "Bob", Seed: 1<<40 + 2},
	}}
}

func loadOne(id string, l Learner) (*exercise.Exercise, error) {
	return exercise.LoadVariant(os.DirFS("../../.."), "exercises/prml4/ex25", exercise.Variant{Seed: l.Seed, For: l.Name})
}

// filled is the notebook of a learner with a text in the cell of the answer.
func filled(t *testing.T, l Learner, body string) *nbformat.Notebook {
	t.Helper()
	nb := must.Get(must.Get(loadOne("prml-4.25", l))(t).Learner())(t)
	nb.Cell("prml-4-25-stub").Source = "func LambdaSquared() float64 { " + body + " }\nfunc SigmoidSlope() float64 { return 1 }\nfunc ProbitSlope(lambda float64) float64 { return 1 }"
	return nb
}

func lay(t *testing.T, path string, nb *nbformat.Notebook, at time.Time) {
	t.Helper()
	must.Do(t, os.MkdirAll(filepath.Dir(path), 0o755))
	must.Do(t, nb.WriteFile(path))
	must.Do(t, os.Chtimes(path, at, at))
}

// Every shape is found, with its time; who is not in the class or ambiguous, and what is
// not called as an exercise, is said.
func TestFind(t *testing.T) {
	dir := t.TempDir()
	for _, f := range []string{"ada/prml-4.25.ipynb", "ada/prml-4.25-Copy1.ipynb", "submitted/bob/hw/prml-4.25.ipynb", "Bob_12_assignsubmission_file_/prml-4.25.ipynb",
		"Eve_13_assignsubmission_file_/prml-4.25.ipynb", "eve/prml-4.25.ipynb", "notes.txt", ".git/x"} {
		must.Write(t, filepath.Join(dir, f), "{}")
	}
	must.Write(t, filepath.Join(dir, "submitted/bob/hw/timestamp.txt"), "2026-01-03 00:00:00.5 UTC")
	must.Do(t, os.Symlink(filepath.Join(dir, "ada"), filepath.Join(dir, "bob2")))
	list, strange, err := Find(dir, small())
	must.Do(t, err)
	if len(list) != 2 || list[0].Learner != "ada" || list[0].TimeFrom != "the file" || list[1].Learner != "bob" || list[1].Time.Format(time.RFC3339) != "2026-01-03T00:00:00Z" {
		t.Errorf("found %+v %+v", list[0], list[1])
	}
	must.Contain(t, strings.Join(strange, "\n"), `Copy1.ipynb": not called`, `"Bob_12_assignsubmission_file_": bob and bob2 have the name`, `"Eve_13_assignsubmission_file_": nobody`,
		`"eve": nobody in the class has this id`, `"notes.txt": not the folder`, `"bob2": not the folder`)
	if len(strange) != 6 {
		t.Errorf("strange are %q", strange)
	}
	must.Do(t, os.Remove(filepath.Join(dir, "bob2")))
	must.Write(t, filepath.Join(dir, "Ada Lovelace_1_assignsubmission_file_", "prml-4.25.ipynb"), "{}")
	old := time.Unix(1e9, 0)
	must.Do(t, os.Chtimes(filepath.Join(dir, "ada", "prml-4.25.ipynb"), old, old))
	if list, _, _ := Find(dir, small()); !strings.HasPrefix(list[0].File, "Ada Lovelace_1") || len(list[0].Notes) != 1 {
		t.Errorf("of two, this counts: %+v", list[0])
	}
}

// A judged hand-in is kept and not judged again; of several the best or the last counts;
// one that is gone is not forgotten; what a new version finds is said.
func TestGrade(t *testing.T) {
	in, out := t.TempDir(), t.TempDir()
	c := small()
	asked := 0
	var log bytes.Buffer
	g := &Grader{Course: c, Out: out, Tool: "1", Limits: grading.DefaultLimits, Jobs: 2, Log: &log, Load: loadOne}
	// The outcome is told by the answer: what is tested here is what is kept of it.
	g.Judge = func(_ context.Context, job *grading.Job) (*grading.Outcome, error) {
		asked++
		r := &verify.Report{Exercise: job.Exercise, Seed: job.Seed, Complete: true, Parts: []verify.Result{{Name: "a", Outcome: verify.Right}, {Name: "b", Outcome: verify.Wrong, Key: "slope", Hint: 2}}}
		switch {
		case strings.Contains(job.Source, "return 8"):
			r.Parts[1].Outcome, r.Parts[1].Key = verify.Right, ""
		case strings.Contains(job.Source, "for {}") && asked < 20:
			r.Parts[0].Outcome = verify.TimedOut
		case strings.Contains(job.Source, "broken"):
			return nil, fmt.Errorf("no judge")
		}
		steps := &verify.Report{Exercise: job.Exercise, Seed: job.Seed, Complete: true, Optional: true, Parts: []verify.Result{{Name: "c", Outcome: verify.Wrong}}}
		return &grading.Outcome{Status: grading.Judged, Reports: []*verify.Report{r, steps}}, nil
	}
	day := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	path := filepath.Join(in, "ada", "prml-4.25.ipynb")
	read := func(best bool) *Result {
		t.Helper()
		return must.Get(ReadBook(out, g.Tool, c, best, loadOne))(t).Results[0]
	}
	grade := func(wantAsked int) string {
		t.Helper()
		asked = 0
		changed, _, err := g.Grade(t.Context(), in)
		must.Do(t, err)
		if asked != wantAsked {
			t.Errorf("judged %d, want %d", asked, wantAsked)
		}
		return strings.Join(changed, "\n")
	}
	lay(t, path, filled(t, c.Learners[0], "return 8"), day)
	grade(1)
	grade(0)
	if r := read(true); r.Points != 2 || r.Max != 2 || r.Late || len(r.Parts) != 3 || !r.Parts[2].Optional {
		t.Errorf("%+v", r)
	}
	lay(t, path, filled(t, c.Learners[0], "return 1"), day.AddDate(0, 0, 2))
	grade(1)
	if best, last := read(true), read(false); best.Points != 2 || best.Late || last.Points != 1 || !last.Late || last.Attempts != 2 {
		t.Errorf("best %+v\nlast %+v", best, last)
	}
	g.Tool = "2"
	if said := grade(1); said != "" {
		t.Errorf("changed: %s", said)
	}
	lay(t, path, filled(t, c.Learners[0], "for {}"), day)
	if grade(2); !read(false).Late || read(true).Points != 2 { // the times say which is the last
		t.Errorf("%+v", read(false))
	}
	must.Contain(t, log.String(), "comes once more", "[1/1]", "1 of 2 points")
	must.Do(t, os.Remove(path))
	if grade(0); read(true).Points != 2 {
		t.Error("a hand-in that is gone is forgotten")
	}
	// Of one that cannot be judged there is an error, and the next run tries again.
	lay(t, filepath.Join(in, "bob", "prml-4.25.ipynb"), filled(t, c.Learners[1], "broken"), day)
	if _, _, err := g.Grade(t.Context(), in); err == nil || !strings.Contains(err.Error(), "no judge") {
		t.Errorf("error %v", err)
	}
	asked = 0
	if _, _, err := g.Grade(t.Context(), in); err == nil || asked != 1 {
		t.Errorf("what could not be judged is judged %d times more: %v", asked, err)
	}
	b := must.Get(ReadBook(out, "2", c, true, loadOne))(t)
	if b.Results[1].Status != Failed || b.Results[2].Status != Missing {
		t.Errorf("%+v", b.Results)
	}
	must.Do(t, b.Write(t.Context(), out))
	must.Contain(t, must.Read(t, filepath.Join(out, "grades.csv")), "id,name,email,prml-4.25,points,max,late\nada,Ada Lovelace,,2,2,2,0\nbob,Bob,,0,0,2,0\n")
	must.Contain(t, must.Read(t, filepath.Join(out, "grades-nbgrader.csv")),
		"hyperplane,2026-01-02 00:00:00,2026-01-01 00:00:00,ada,Lovelace,Ada,,2.0,0.0,2.0,2.0\n", "hyperplane,,2026-01-01 00:00:00,bob,Bob,,,0.0,0.0,0.0,2.0\n")
	must.Contain(t, must.Read(t, filepath.Join(out, "summary.html")), "<td>prml-4.25</td><td>4 hand-ins</td>")
	if page := must.Read(t, filepath.Join(out, "feedback", "bob.html")); strings.Contains(page, "Ada") || !strings.Contains(page, "no fault of the answer") {
		t.Errorf("Bob's page is\n%s", page)
	}
	var back Book
	must.Do(t, json.Unmarshal([]byte(must.Read(t, filepath.Join(out, "results.json"))), &back))
	if back.Schema != "hyperplane-grades/1" || len(back.Results) != 3 {
		t.Errorf("%+v", back)
	}
	// A mended check: the same hand-in, another outcome.
	lay(t, path, filled(t, c.Learners[0], "return 1"), day.AddDate(0, 0, 2))
	must.Do(t, os.RemoveAll(filepath.Join(in, "bob")))
	g.Tool = "3"
	g.Judge = func(_ context.Context, job *grading.Job) (*grading.Outcome, error) {
		return &grading.Outcome{Status: grading.Judged, Reports: []*verify.Report{{Exercise: job.Exercise, Seed: job.Seed, Complete: true, Parts: []verify.Result{{Outcome: verify.Right}}}}}, nil
	}
	changed, _, err := g.Grade(t.Context(), in)
	must.Do(t, err)
	must.Contain(t, strings.Join(changed, "\n"), "ada prml-4.25: 2 of 2 points, before 1 of 2 points")
	// A report of another variant is none.
	g.Tool = "4"
	g.Judge = func(_ context.Context, job *grading.Job) (*grading.Outcome, error) {
		return &grading.Outcome{Status: grading.Judged, Reports: []*verify.Report{{Exercise: job.Exercise, Seed: 7, Complete: true}}}, nil
	}
	_, _, err = g.Grade(t.Context(), in)
	must.Fail(t, err, "variant 7")
}

// Names, comments and layout do not make two answers differ; what is short, common or the
// reference's is not alike.
func TestAlike(t *testing.T) {
	c := small()
	for i := range 50 {
		c.Learners = append(c.Learners, Learner{ID: fmt.Sprint("x", i), Name: "X", Seed: uint64(1<<40 + 9 + i)})
	}
	const long = "a := []float64{1, 2, 3}; s := 0.0; for i, v := range a { s += float64(i) * v / (v + 1); if s > 7 { return s / 2 } }; return s * math.Pi"
	renamed := strings.NewReplacer("a :=", "data :=", "range a", "range data", "s ", "sum ", "return s", "return sum", " v", " w", "(v", "(w").Replace(long)
	var results []*Result
	for i, l := range c.Learners {
		body := fmt.Sprintf("x := %d.5; return x", i)
		switch {
		case i == 0:
			body = long
		case i == 1:
			body = "/* mine */ " + renamed
		case i%2 == 0:
			body = strings.Replace(long, "7", "8", 1) // what half of the class writes
		}
		results = append(results, &Result{Learner: l.ID, Exercise: "prml-4.25", Source: filled(t, l, body).Cell("prml-4-25-stub").Source})
	}
	list := must.Get(findAlike(c, results, loadOne))(t)
	if len(list) != 1 || fmt.Sprint(list[0].Learners) != "[ada bob]" || list[0].Function != "LambdaSquared" || list[0].Of != 53 {
		t.Errorf("alike are %+v", list)
	}
}

// What names the file system or a script stays text on every page and in every table.
func TestPages(t *testing.T) {
	c := small()
	c.Learners[0].Name = "=HYPERLINK(<script>)"
	b := &Book{Schema: bookSchema, course: c, Results: []*Result{{Learner: "ada", Exercise: "prml-4.25", Status: grading.Judged, Source: "</pre><script>", Notes: []string{"<script>"},
		Parts: []Part{{Result: verify.Result{Name: "a", Outcome: verify.Wrong, Key: "slope", Message: "<script>alert(1)</script>", Hint: 2}}}}}}
	feedback := string(must.Get(b.feedback(c.Learners[0]))(t))
	summary := string(must.Get(b.summary())(t))
	for _, page := range []string{feedback, summary} {
		if strings.Contains(page, "<script>") {
			t.Errorf("a script stands in\n%s", page)
		}
	}
	must.Contain(t, feedback, "Hint 2 of the notebook", "Wrong")
	must.Contain(t, summary, "prml-4.25 slope", "data:image/svg", "How many hand-ins there are of each exercise", "<td>prml-4.25</td><td>0 hand-ins</td>")
	must.Contain(t, string(must.Get(b.csv())(t)), "'=HYPERLINK")
}
