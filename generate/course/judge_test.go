package course

import (
	"encoding/json"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/quality"
)

// TestJudgeRed runs `generate judge` for an exercise whose check accepts a wrong answer. The
// command must report the faults of the check and exit with status 1.
func TestJudgeRed(t *testing.T) {
	t.Chdir("..") // the path of the exercise must be relative to the module's folder, whatever the current folder is
	file := filepath.Join(t.TempDir(), "new", "judge.json")
	stdout := runWant(t, exitNotPassed, []string{"judge", "exercises/testdata/red/ex01", "--jobs", "2", "--json", file},
		"a wrong answer is not rejected: TestWrong/quotient",
		"unexplained surviving mutants: 3 of 15",
		"\n    Area: return a * b → return a / b\n",
		"\n1 exercises, 1 red: right forms accepted 2/3, wrong answers rejected 2/3, with their own message 1/3, mutants killed 11/14 (1 equivalent, explained); ")
	row := regexp.MustCompile(`(?m)^own-1 +2/3 +2/3 +1/3 +11/14 +1 +[0-9]+\.[0-9] ms +[1-9][0-9]* MB  RED$`)
	if !row.MatchString(stdout) {
		t.Errorf("the output contains no row of own-1 with the expected counts, a time and a memory size:\n%s", stdout)
	}
	var s quality.Summary
	must.Do(t, json.Unmarshal([]byte(must.Read(t, file)), &s))
	if len(s.Exercises) != 1 || s.Red() != 1 || len(s.Exercises[0].Survivors()) != 3 {
		t.Errorf("%s contains the summary %+v, want one red exercise with 3 surviving mutants", file, s)
	}
}

func TestJudgeGreen(t *testing.T) {
	runWant(t, 0, []string{"judge", "prml-4.9", "--verbose"}, "1 exercises, 0 red",
		"killed     Priors: pi[k] /= float64(len(labels)) → pi[k] *= float64(len(labels))  (Wrong ")
}
