package course

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	results "github.com/hyperplane-notebooks/hyperplane/generate/internal/class"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
)

// newTwoLearners makes a class of two learners, Ada and Bob, with one exercise. It also makes a
// folder of submissions with one notebook: Ada submits the solved notebook of her own variant.
func newTwoLearners(t *testing.T) (class, in string) {
	t.Helper()
	dir := t.TempDir()
	class, in = filepath.Join(dir, "course"), filepath.Join(dir, "in")
	must.Write(t, filepath.Join(dir, "roster.csv"), "id,name\nada,Ada\nbob,Bob\n")
	run(t, "class", filepath.Join(dir, "roster.csv"), "--exercises", "alpaydin-10.9=2", "--out", class)
	must.Write(t, filepath.Join(in, "ada", "alpaydin-10.9.ipynb"),
		must.Read(t, filepath.Join(class, "key", "ada", "alpaydin-10.9.ipynb")))
	return class, in
}

// TestGrade checks that the solved notebook of a learner's own variant earns all points. If a learner
// submits the solved notebook of a different learner's variant, the feedback must say so. A second run
// of the command must not judge the same submissions again. `class --feedback` must give learners only their own
// feedback page and must not change the released notebooks. Learners may then submit a second
// answer.
func TestGrade(t *testing.T) {
	class, in := newTwoLearners(t)
	wantRefused(t, []string{"class", "--out", class},
		[]mistake{{"no grades", []string{"--feedback", in}, "run the command `grade` first"}})
	key := func(id string) string {
		return must.Read(t, filepath.Join(class, "key", id, "alpaydin-10.9.ipynb"))
	}
	bob := filepath.Join(in, "bob", "alpaydin-10.9.ipynb")
	must.Write(t, bob, key("ada"))
	out := filepath.Join(t.TempDir(), "grades")
	release := must.Tree(t, filepath.Join(class, "release"))
	t.Chdir(moduleRoot(t))
	args := []string{"grade", in, "--class", class, "--out", out}
	runApart(t, 0, args, "ada alpaydin-10.9: 2 of 2 points",
		"2 judged in", "MiB for an answer", "2 results, of which 0 are missing")
	first := must.Tree(t, out)
	must.Contain(t, first["grades.csv"], "ada,Ada,,2,2,2,0\n")
	must.Contain(t, first["feedback/bob.html"], "The notebook names the variant")
	runApart(t, 0, append(args, "--jobs", "1"), "ada alpaydin-10.9: as before", "bob alpaydin-10.9: as before")
	for path, text := range must.Tree(t, out) {
		if first[path] != text {
			t.Errorf("the second run has changed %s", path)
		}
	}

	feedback := []string{"class", "--feedback", out, "--out", class}
	runWant(t, 0, feedback, "2 feedback pages")
	page := must.Read(t, filepath.Join(class, "release", "bob", "feedback.html"))
	must.Contain(t, page, "<h1>Bob</h1>", "but was judged as the learner&#39;s own variant")
	if strings.Contains(strings.ToLower(page), "ada") {
		t.Errorf("Bob's page contains text from Ada's page:\n%s", page)
	}
	must.Write(t, bob, key("bob"))
	runApart(t, 0, append(args, "--cpu", "11s", "--no-isolation"), "WARNING: answers run without a sandbox",
		"ada alpaydin-10.9: 2 of 2 points", "bob alpaydin-10.9: 2 of 2 points")
	roster := filepath.Join(t.TempDir(), "roster.csv")
	must.Write(t, roster, "id,name\ncyd,Cyd\n")
	run(t, "class", roster, "--exercises", "alpaydin-10.9=2", "--out", class)
	runWant(t, 0, feedback, "cyd: no feedback page", "2 feedback pages")
	must.Contain(t, must.Read(t, filepath.Join(class, "release", "bob", "feedback.html")), "2 of 2 points",
		"There are 2 different submissions")
	after := must.Tree(t, filepath.Join(class, "release"))
	for path, text := range release {
		if after[path] != text {
			t.Errorf("the released file %s has changed", path)
		}
	}
}

func TestGradeRefuses(t *testing.T) {
	class, in := newTwoLearners(t)
	out := filepath.Join(t.TempDir(), "grades")
	wantRefused(t, []string{"grade"}, []mistake{
		{"no class", []string{in, "--out", out}, "required flag"},
		{"no such class", []string{in, "--class", in, "--out", out}, "make the class with the command `class`"},
		{"no hand-ins", []string{"--class", class, "--out", out}, "requires at least 1 arg"},
		{"two folders", []string{in, in, "--class", class, "--out", out}, "several folders: grade accepts one"},
		{"keep", []string{in, "--class", class, "--out", out, "--keep", "first"}, `invalid --keep "first": want best or last`},
		{"cpu", []string{in, "--class", class, "--out", out, "--cpu", "1500ms"}, "invalid --cpu 1.5s: want whole seconds"},
		{"memory", []string{in, "--class", class, "--out", out, "--memory", "1GB"}, `invalid --memory "1GB": want a size`},
		{"little memory", []string{in, "--class", class, "--out", out, "--memory", "1MiB"}, "256MiB or more"},
		{"jobs", []string{in, "--class", class, "--out", out, "--jobs", "0"}, "invalid --jobs 0: want 1 or more"},
		{"shard", []string{in, "--class", class, "--out", out, "--shard", "3/2"}, `invalid --shard "3/2"`},
		{"shard 0", []string{in, "--class", class, "--out", out, "--shard", "0/2"}, `invalid --shard "0/2"`},
		{"out in the hand-ins", []string{in, "--class", class, "--out", filepath.Join(in, "x")}, "overlap"},
		{"merge of nothing", []string{"--merge", in, "--class", class, "--out", out}, "contains no results"},
	})
	held := filepath.Join(t.TempDir(), "held")
	release := must.Get(results.Lock(held, results.Shard{}))(t)
	must.Write(t, filepath.Join(held, "state", "x"), "")
	wantRefused(t, []string{"grade", in, "--class", class, "--out", held},
		[]mistake{{"another run", nil, "another run is writing to"}})
	wantRefused(t, []string{"grade", "--merge", held, "--class", class, "--out", held},
		[]mistake{{"another run, merging", nil, "another run is writing to"}})
	release()
	t.Setenv("PATH", filepath.Dir(must.Get(os.Executable())(t)))
	wantRefused(t, []string{"grade", in, "--class", class, "--out", out},
		[]mistake{{"no bubblewrap", nil, "install bubblewrap"}})
	if _, err := os.Stat(out); err == nil {
		t.Error("a refused command has left files behind")
	}
}
