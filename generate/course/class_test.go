package course

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/class"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbformat"
)

// TestClass checks that each learner's notebooks contain the learner's own variant, and that the
// notebooks show the learner's name. A second run with a new learner must add the new notebooks
// without overwriting edited ones.
func TestClass(t *testing.T) {
	dir := t.TempDir()
	roster, course := filepath.Join(dir, "roster.csv"), filepath.Join(dir, "course")
	must.Write(t, roster, "id,name\nada,Ada *Lovelace*\nbob,Bob\n")
	args := []string{"class", roster, "--exercises", "prml-4.25,alpaydin-10.9=2", "--out", course}
	run(t, args...)
	before := must.Tree(t, course)
	c := must.Get(class.Open(course))(t)
	if len(c.Exercises) != 2 || c.Exercises[1] != (class.Assigned{ID: "alpaydin-10.9", Weight: 2}) {
		t.Errorf("got the exercises %+v, want two exercises, the second alpaydin-10.9 with weight 2", c.Exercises)
	}
	for _, l := range c.Learners {
		for _, e := range c.Exercises {
			release := filepath.Join(course, "release", l.ID, e.ID+".ipynb")
			if n, ok := seedOf(release); !ok || n != l.Seed {
				t.Errorf("%s has the seed %d, want %d", release, n, l.Seed)
			}
			text := must.Read(t, release)
			if strings.Contains(text, "{ex:") || strings.Contains(text, "{eq:") {
				t.Errorf("%s contains a macro that was not replaced by a link", release)
			}
			solved := nbformat.OwnMetadata(must.Get(nbformat.ReadFile(filepath.Join(course, "key", l.ID,
				e.ID+".ipynb")))(t).Metadata)
			if solved["solved"] != true {
				t.Errorf("the notebook key/%s/%s.ipynb has the metadata %v, want solved = true", l.ID, e.ID, solved)
			}
		}
	}
	must.Contain(t, before["release/ada/prml-4.25.ipynb"], `Variant for Ada \\*Lovelace\\*`)

	edited := filepath.Join(course, "release", "ada", "prml-4.25.ipynb")
	must.Write(t, edited, "mine")
	must.Write(t, roster, "id,name\ncyd,Cyd\n")
	run(t, args...)
	after := must.Tree(t, course)
	for path, text := range before {
		if path == "class.json" || strings.HasSuffix(path, "ada/prml-4.25.ipynb") &&
			strings.HasPrefix(path, "release") {
			continue
		}
		if after[path] != text {
			t.Errorf("%s has changed", path)
		}
	}
	if after["release/ada/prml-4.25.ipynb"] != "mine" || after["release/cyd/alpaydin-10.9.ipynb"] == "" {
		t.Errorf("the edited notebook contains %.80q, want \"mine\"; the new learner's notebook has %d bytes, want more than 0",
			after["release/ada/prml-4.25.ipynb"], len(after["release/cyd/alpaydin-10.9.ipynb"]))
	}
	if _, err := os.Stat(filepath.Join(course, "release", "secret")); err == nil {
		t.Error("the release folder contains the secret, which must stay with the teacher")
	}
	wantRefused(t, []string{"class", roster, "--out", course}, []mistake{
		{"unknown id", []string{"--exercises", "prml-4.52"}, "did you mean"},
		{"a lesson's task", []string{"--exercises", "lesson-4"}, "task of a lesson"},
		{"twice", []string{"--exercises", "prml-4.25,prml-4.25"}, "twice"},
		{"a weight that is not a number", []string{"--exercises", "prml-4.25=x"}, "invalid weight"},
		{"negative weight", []string{"--exercises", "prml-4.25=-1"}, "invalid weight"},
		{"no exercises", nil, "class needs --exercises"},
		{"optional weight above 1", []string{"--exercises", "prml-4.25", "--optional", "2"}, "invalid --optional 2: want a number from 0 to 1"},
		{"feedback and a roster", []string{"--feedback", dir}, "the class already exists"},
		{"assignment without nbgrader", []string{"--exercises", "prml-4.25", "--assignment", "a"},
			"--assignment needs --nbgrader"},
	})
	must.Write(t, roster, "id,name\na/b,Cyd\n")
	runWant(t, exitBad, args, "roster.csv:2: the id")
}
