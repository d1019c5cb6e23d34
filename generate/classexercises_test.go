//go:build classtest

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/catalog"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/class"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/exercise"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/mutant"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbformat"
)

// mutants are texts of an exercise's reference answer in each of which one thing is wrong
// that a learner gets wrong, in the functions that count: n of them, none of those of which
// the exercise's tests say that they are right all the same.
func mutants(t *testing.T, maker *mutant.Maker, e *exercise.Exercise, n int) (list []mutant.Mutant) {
	t.Helper()
	_, all, err := maker.Of(e)
	must.Do(t, err)
	equivalent := must.Read(t, filepath.FromSlash(e.Dir)+"/check_test.go")
	const most = 12 // the first of those that `generate judge` judges, evenly over the text
	for i := range most {
		m := all[i*len(all)/most]
		function, _, _ := strings.Cut(m.Name, ":")
		known := slices.ContainsFunc(list, func(o mutant.Mutant) bool { return o.Name == m.Name })
		if slices.Contains(e.Calls[0].Args, function) && !strings.Contains(equivalent, m.Name) && !known && len(list) < n {
			list = append(list, m)
		}
	}
	return list
}

// TestClassOfExercises: in every exercise the reference answer earns all points, also when
// it is asked again, and an answer with a mistake does not.
func TestClassOfExercises(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(moduleRoot(t))
	course, in, out := filepath.Join(dir, "course"), filepath.Join(dir, "in"), filepath.Join(dir, "out")
	list := must.Get(catalog.Exercises(os.DirFS(".")))(t)
	list = slices.DeleteFunc(list, func(e *exercise.Exercise) bool { return e.OfLesson() })
	var ids []string
	for _, e := range list {
		ids = append(ids, e.ID)
	}
	const wrong = 2
	roster := "id,name\nright,Right One\n"
	for i := range wrong {
		roster += fmt.Sprintf("wrong%d,Wrong %d\n", i, i)
	}
	// What they earn is left to chance but for one thing: it is not all.
	coins := []string{"if rand.IntN(2) == 0 {\nreturn 0.2\n}\nreturn math.Pi / 8", "if rand.IntN(4) == 0 {\nreturn 0.2\n}\nreturn math.Pi / 8"}
	roster += "coin0,Coin 0\ncoin1,Coin 1\n"
	must.Write(t, filepath.Join(dir, "roster.csv"), roster)
	apart(t, 0, []string{"class", filepath.Join(dir, "roster.csv"), "--exercises", strings.Join(ids, ","), "--out", course})
	maker := must.Get(mutant.NewMaker(".", list))(t)
	what := map[[2]string]string{}
	c := must.Get(class.Open(course))(t)
	hand := func(id string, e *exercise.Exercise, name, source string) {
		nb := must.Get(nbformat.ReadFile(filepath.Join(course, "release", id, e.ID+".ipynb")))(t)
		nb.Cell(nbformat.ID(e.ID, "stub")).Source = source
		must.Do(t, os.MkdirAll(filepath.Join(in, id), 0o755))
		must.Do(t, nb.WriteFile(filepath.Join(in, id, e.ID+".ipynb")))
		what[[2]string{id, e.ID}] = name
	}
	for i, body := range coins {
		e := list[slices.IndexFunc(list, func(e *exercise.Exercise) bool { return e.ID == "prml-4.25" })]
		hand(fmt.Sprint("coin", i), e, body, in25("", body))
	}
	for _, e := range list {
		answers := []string{must.Get(loadVariant(e.ID, c.Learners[0]))(t).Answer.Solution.Source}
		names := []string{"reference"}
		for _, m := range mutants(t, maker, e, wrong) {
			answers, names = append(answers, m.Text.Source), append(names, m.Name)
		}
		for i, source := range answers {
			hand(c.Learners[i].ID, e, names[i], source)
		}
	}
	begun := time.Now()
	told := apart(t, 0, []string{"grade", in, "--class", course, "--cpu", "5s", "--out", out})
	took := time.Since(begun)
	var book class.Book
	must.Do(t, json.Unmarshal([]byte(must.Read(t, filepath.Join(out, "results.json"))), &book))
	for _, r := range book.Results {
		name, ok := what[[2]string{r.Learner, r.Exercise}]
		if !ok {
			continue
		}
		if full := r.Points == r.Max; r.Status != "Judged" || full != (name == "reference") {
			t.Errorf("%s, %s: %s, %g of %g points\n%+v", r.Exercise, name, r.Status, r.Points, r.Max, r.Parts)
		}
	}
	figure(t, "%d hand-ins to %d exercises: %v; %s", len(what), len(list), took.Round(time.Second), costOf(told))
}

// costOf is the line in which a run says what it has taken.
func costOf(told string) string {
	for line := range strings.Lines(told) {
		if strings.Contains(line, "judged in") {
			return strings.TrimSpace(line)
		}
	}
	return "no cost is said"
}

// figure prints what was measured, also into the file that the gate shows.
func figure(t *testing.T, format string, args ...any) {
	t.Helper()
	text := fmt.Sprintf(format, args...)
	t.Log(text)
	if name := os.Getenv("HYPERPLANE_FIGURES"); name != "" {
		f := must.Get(os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644))(t)
		must.Get(fmt.Fprintln(f, text))(t)
		must.Do(t, f.Close())
	}
}
