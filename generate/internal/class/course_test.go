package class

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
)

func TestReadRoster(t *testing.T) {
	got := must.Get(ReadRoster("r.csv",
		[]byte("\ufeffname;due; ID;group\nAda  Lovelace;2026-12-01 18:00;ada;1\n\"O'Neil; Cathy\";;cathy;2\n")))(t)
	if len(got) != 2 || got[0].ID != "ada" || got[0].Name != "Ada Lovelace" || got[0].Due[:16] != "2026-12-01T18:00" ||
		got[1].Name != "O'Neil; Cathy" || got[1].Due != "" {
		t.Errorf("got the learners %+v, want ada, named Ada Lovelace, with the due date 2026-12-01T18:00, and cathy, named O'Neil; Cathy, without a due date", got)
	}
	day := must.Get(ReadRoster("r.csv", []byte("id,name,due\na,A,2026-12-01\n")))(t)
	if day[0].Due[:19] != "2026-12-01T23:59:59" {
		t.Errorf("a due date without a time becomes %s, want 23:59:59 on that day", day[0].Due)
	}
	for _, tt := range []struct{ name, text, want string }{
		{"empty", "", "r.csv:1: the roster is empty"},
		{"no id", "name,email\nA,a@b\n", "r.csv:1: there is no column id"},
		{"no name", "id\na\n", "r.csv:1: there is no column name"},
		{"no learner", "id,name\n", "r.csv:2: the roster has no learner"},
		{"twice", "id,name\na,A\nb,B\n\na,C\n", "r.csv:5: the id a is already in line 2"},
		{"twice but for capitals", "id,name\na,A\nA,B\n", "r.csv:3: the id A is already in line 2"},
		{"twice, typed differently", "id,name\né,A\ne\u0301,B\n", "r.csv:3: the id é is already in line 2"},
		{"slash", "id,name\na,A\n../b,B\n", `r.csv:3: the id "../b" cannot be`},
		{"backslash", "id,name\na\\b,B\n", "r.csv:2: the id"},
		{"a formula", "id,name\n=cmd,B\n", `r.csv:2: invalid id "=cmd": a spreadsheet would read it as a formula`},
		{"formula after a semicolon", "id,name\na;@b,B\n",
			`r.csv:2: invalid id "a;@b": a spreadsheet would read it as a formula`},
		{"dots", "id,name\n..,B\n", "r.csv:2: the id"},
		{"control character", "id,name\na\x1bb,B\n", "r.csv:2: the id"},
		{"not UTF-8", "id,name\na\xff,B\n", "r.csv:2: the id"},
		{"line with an empty id", "id,name\n,B\n", "r.csv:2: the id is empty"},
		{"line without a name", "id,name\na,\n", "r.csv:2: invalid name"},
		{"a line too short", "id,name\na\n", "line 2: wrong number of fields"},
		{"invalid date", "id,name,due\na,A,soon\n", `r.csv:2: invalid due date "soon"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := ReadRoster("r.csv", []byte(tt.text))
			must.Fail(t, err, tt.want)
		})
	}
}

// TestEnrol checks that learners keep their seeds when Enrol is called again. Enrol must create the
// course's secret only once, in a file that only its owner may read.
func TestEnrol(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "course")
	exercises := []Assigned{{ID: "prml-4.25", Weight: 1, Optional: 0.5}}
	first := must.Get(Enrol(dir, "1", []Learner{{ID: "ada", Name: "Ada"}, {ID: "bob", Name: "Bob"}}, exercises))(t)
	must.Do(t, first.Save(dir))
	if mode := must.Get(os.Stat(filepath.Join(dir, "secret")))(t).Mode().Perm(); mode != 0o600 {
		t.Errorf("the secret's file has the mode %o, want 600", mode)
	}
	second := must.Get(Enrol(dir, "2", []Learner{{ID: "cyd", Name: "Cyd"}, {ID: "ada", Name: "Ada L."}},
		[]Assigned{{ID: "prml-4.8", Weight: 2}, {ID: "prml-4.25", Weight: 3}}))(t)
	a, b := first.Learners, second.Learners
	if len(b) != 3 || b[0].Name != "Ada L." || b[0].Seed != a[0].Seed || b[1] != a[1] || b[2].ID != "cyd" {
		t.Errorf("the first enrolment gives the learners %+v, and the second enrolment gives %+v; want the same seeds, Ada's new name, and cyd at the end",
			a, b)
	}
	if a[0].Seed == a[1].Seed || a[0].Seed < 1<<40 || a[0].Seed >= 1<<41 {
		t.Errorf("got the seeds %d and %d, want two different seeds of 41 bits", a[0].Seed, a[1].Seed)
	}
	if e := second.Exercises; len(e) != 2 || e[0] != (Assigned{"prml-4.25", 3, 0.5}) ||
		e[1] != (Assigned{"prml-4.8", 2, 0}) {
		t.Errorf("got the exercises %+v, want the exercises of both enrolments with the weights of the second, and Optional = 0.5 from the first", e)
	}
	other := must.Get(Enrol(t.TempDir(), "1", []Learner{{ID: "ada", Name: "Ada"}}, exercises))(t)
	if other.Learners[0].Seed == a[0].Seed {
		t.Error("two courses give the same learner the same seed, want different seeds")
	}
	must.Do(t, os.Remove(filepath.Join(dir, "secret")))
	_, err := Enrol(dir, "1", nil, exercises)
	must.Fail(t, err, "the course's secret")
	must.Write(t, filepath.Join(dir, "secret"), "short")
	_, err = Enrol(dir, "1", nil, exercises)
	must.Fail(t, err, "does not contain the secret of a course")
	must.Write(t, filepath.Join(dir, "class.json"), `{"schema": "hyperplane-class/9"}`)
	_, err = Enrol(dir, "1", nil, exercises)
	must.Fail(t, err, "hyperplane-class/9")
}
