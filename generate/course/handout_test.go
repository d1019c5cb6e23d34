package course

import (
	"path/filepath"
	"testing"

	results "github.com/hyperplane-notebooks/hyperplane/generate/internal/class"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbgrader"
)

// TestClassNbgrader checks a class that is also a course folder of nbgrader. The folder must
// contain one source notebook for each exercise. Below release, it must contain the notebooks of
// each learner. The function results.Find must find a notebook in the folder where nbgrader stores
// collected notebooks.
func TestClassNbgrader(t *testing.T) {
	dir := t.TempDir()
	roster, course := filepath.Join(dir, "roster.csv"), filepath.Join(dir, "course")
	must.Write(t, roster, "id,name,email\nada,Ada King Lovelace,a@b\nbob,Bob,\n")
	args := []string{"class", roster, "--exercises", "prml-4.25,alpaydin-10.9", "--optional", "0.5", "--out", course,
		"--nbgrader", "--assignment", "week-1"}
	run(t, args...)
	run(t, args...)
	tree := must.Tree(t, course)
	for _, path := range []string{"nbgrader_config.py", "source/week-1/prml-4-25.ipynb",
		"source/week-1/alpaydin-10-9.ipynb", "release/ada/week-1/prml-4-25.ipynb",
		"release/bob/week-1/alpaydin-10-9.ipynb"} {
		if tree[path] == "" {
			t.Errorf("the course folder lacks the file %s", path)
		}
	}
	must.Contain(t, tree["students.csv"], "id,first_name,last_name,email\nada,Ada King,Lovelace,a@b\nbob,,Bob,\n")
	must.Contain(t, tree["source/week-1/alpaydin-10-9.ipynb"], nbgrader.Key, "BEGIN SOLUTION")
	c := must.Get(results.Open(course))(t)
	if n, ok := seedOf(filepath.Join(course, "release/ada/week-1/alpaydin-10-9.ipynb")); !ok || n != c.Learners[0].Seed || c.Exercises[0].Optional != 0.5 {
		t.Errorf("Ada's variant is %d, want %d; the class has the exercises %+v, want Optional = 0.5 for the first", n, c.Learners[0].Seed, c.Exercises)
	}
	must.Write(t, filepath.Join(dir, "submitted/ada/week-1/alpaydin-10-9.ipynb"), "{}")
	if list, ungraded, err := results.Find(filepath.Join(dir, "submitted"),
		c); err != nil || len(list) != 1 || list[0].Exercise != "alpaydin-10.9" {
		t.Errorf("Find returns the submissions %v, the unknown files %q and the error %v, want one submission for alpaydin-10.9", list, ungraded, err)
	}
	// Add a learner and an exercise to the existing class. The file students.csv must list the new
	// learner, and the folder source must contain the new exercise.
	must.Write(t, roster, "id,name\ncyd,Cyd\n")
	run(t, "class", roster, "--exercises", "prml-4.8", "--out", course)
	tree = must.Tree(t, course)
	must.Contain(t, tree["students.csv"], "cyd,,Cyd,\n")
	must.Contain(t, tree["source/week-1/prml-4-8.ipynb"], "BEGIN SOLUTION")
	if tree["release/cyd/week-1/prml-4-8.ipynb"] == "" {
		t.Error("a learner added later has no notebook of the assignment in release")
	}
	runWant(t, exitBad, append(args[:len(args)-1], "week-2"), "the class has assignment week-1")
}
