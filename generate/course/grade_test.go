package course

import (
	"os"
	"path/filepath"
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

// TestGrade checks that a solved notebook earns all points if the learner submits it for their own
// variant, but not if a learner submits the solved notebook of a different learner. A second run of
// the command must not judge the same submissions again.
func TestGrade(t *testing.T) {
	class, in := newTwoLearners(t)
	must.Write(t, filepath.Join(in, "bob", "alpaydin-10.9.ipynb"),
		must.Read(t, filepath.Join(in, "ada", "alpaydin-10.9.ipynb")))
	out := filepath.Join(t.TempDir(), "grades")
	t.Chdir(moduleRoot(t))
	runApart(t, 0, []string{"grade", in, "--class", class, "--out", out}, "ada alpaydin-10.9: 2 of 2 points",
		"2 judged in", "MiB for an answer", "2 results, of which 0 are missing")
	first := must.Tree(t, out)
	must.Contain(t, first["grades.csv"], "ada,Ada,,2,2,2,0\n")
	must.Contain(t, first["feedback/bob.html"], "The notebook names the variant")
	runApart(t, 0, []string{"grade", in, "--class", class, "--out", out, "--jobs", "1"}, "ada alpaydin-10.9: as before",
		"bob alpaydin-10.9: as before")
	for path, text := range must.Tree(t, out) {
		if first[path] != text {
			t.Errorf("%s has changed", path)
		}
	}
	runApart(t, 0, []string{"grade", in, "--class", class, "--out", out, "--cpu", "11s", "--no-isolation"},
		"WARNING: answers run without a sandbox", "ada alpaydin-10.9: 2 of 2 points")
}

func TestGradeRefuses(t *testing.T) {
	class, in := newTwoLearners(t)
	out := filepath.Join(t.TempDir(), "grades")
	wantRefused(t, []string{"grade"}, []mistake{
		{"no class", []string{in, "--out", out}, "required flag"},
		{"no such class", []string{in, "--class", in, "--out", out}, "make the class with the command class"},
		{"no hand-ins", []string{"--class", class, "--out", out}, "requires at least 1 arg"},
		{"two folders", []string{in, in, "--class", class, "--out", out}, "several folders: grade accepts one"},
		{"keep", []string{in, "--class", class, "--out", out, "--keep", "first"}, `invalid --keep "first": want best or last`},
		{"cpu", []string{in, "--class", class, "--out", out, "--cpu", "1500ms"}, "invalid --cpu 1.5s: want whole seconds"},
		{"memory", []string{in, "--class", class, "--out", out, "--memory", "1GB"}, `invalid --memory "1GB": want a size`},
		{"little memory", []string{in, "--class", class, "--out", out, "--memory", "1MiB"}, "256MiB or more"},
		{"jobs", []string{in, "--class", class, "--out", out, "--jobs", "0"}, "invalid --jobs: want"},
		{"shard", []string{in, "--class", class, "--out", out, "--shard", "3/2"}, `invalid --shard "3/2"`},
		{"shard 0", []string{in, "--class", class, "--out", out, "--shard", "0/2"}, `invalid --shard "0/2"`},
		{"out in the hand-ins", []string{in, "--class", class, "--out", filepath.Join(in, "x")}, "share files"},
		{"merge of nothing", []string{"--merge", in, "--class", class, "--out", out}, "contains no results"},
	})
	held := filepath.Join(t.TempDir(), "held")
	release := must.Get(results.Lock(held, results.Shard{}))(t)
	must.Write(t, filepath.Join(held, "state", "x"), "")
	wantRefused(t, []string{"grade", in, "--class", class, "--out", held},
		[]mistake{{"another run", nil, "another run writes to"}})
	wantRefused(t, []string{"grade", "--merge", held, "--class", class, "--out", held},
		[]mistake{{"another run, merging", nil, "another run writes to"}})
	release()
	t.Setenv("PATH", filepath.Dir(must.Get(os.Executable())(t)))
	wantRefused(t, []string{"grade", in, "--class", class, "--out", out},
		[]mistake{{"no bubblewrap", nil, "install bubblewrap"}})
	if _, err := os.Stat(out); err == nil {
		t.Error("a refused command has left files behind")
	}
}
