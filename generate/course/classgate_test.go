//go:build classtest

package course

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"regexp"
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

// hashesBelow returns a line with the path and the hash of each regular file below `dir`. If `dir` is
// itself a file, the only line describes this file. hashesBelow skips files of 1 GiB or more.
func hashesBelow(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	must.Do(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			if info, err := d.Info(); err == nil && info.Size() < 1<<30 {
				fmt.Fprintf(&b, "%s %x\n", path, sha256.Sum256([]byte(must.Read(t, path))))
			}
		}
		return err
	}))
	return b.String()
}

// sameAttempts reports whether the texts a and b are equal apart from the JSON field "retried". This field
// is true if an answer was judged again after a timeout. It may differ between two runs, because a
// timeout can be caused by the load of the machine.
func sameAttempts(a, b string) bool {
	unmarked := func(text string) string { return retried.ReplaceAllString(text, "") }
	return unmarked(a) == unmarked(b)
}

var retried = regexp.MustCompile(`(?m)^\s*"retried": true,?\n`)

// TestClassOfSubmissions grades about 200 submissions, including hostile ones. Each submission must get
// the expected points, and no submission may change files outside the folder of the grades. The
// test grades all submissions twice: once in a run that the test kills and then resumes, and once
// in two shards. Both ways must write the same files.
func TestClassOfSubmissions(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("HYPERPLANE_CANARY", "sing")
	course, in := filepath.Join(dir, "course"), filepath.Join(dir, "in")
	must.Write(t, filepath.Join(dir, "canary"), "sing")
	all := fileSubmissions()
	for _, k := range kinds() {
		all = append(all, testSubmission{k, func(t *testing.T, dir, release, _ string) {
			nb := must.Get(nbformat.ReadFile(release))(t)
			name := cmp.Or(k.exercise, "prml-4.25")
			nb.Cell(nbformat.ID(name, "stub")).Source = k.cell
			must.Do(t, nb.WriteFile(filepath.Join(dir, name+".ipynb")))
		}})
	}
	var roster strings.Builder
	roster.WriteString("id,name\n")
	for i := range all {
		if all[i].exercise == "" {
			all[i].exercise = "prml-4.25"
		}
		fmt.Fprintf(&roster, "u%03d,Name%03d\n", i, i)
	}
	// Add five learners. Two have the same answer, but with different variable names. One
	// submits in nbgrader's folder layout, one in Moodle's layout, and one submits two files for
	// the same exercise.
	roster.WriteString("copy1,Copy One\ncopy2,Copy Two\nnb,Nb Grader\nmoo,Moo Dle\ntwo,Two Files\n")
	must.Write(t, filepath.Join(dir, "roster.csv"), roster.String())
	runApart(t, 0, []string{"class", filepath.Join(dir, "roster.csv"), "--exercises", "prml-4.25=3,alpaydin-10.9", "--out",
		course})
	for i, h := range all {
		id, next := fmt.Sprintf("u%03d", i), fmt.Sprintf("u%03d", (i+1)%len(all))
		must.Do(t, os.MkdirAll(filepath.Join(in, id), 0o755))
		h.write(t, filepath.Join(in, id), filepath.Join(course, "release", id, h.exercise+".ipynb"),
			filepath.Join(course, "key", next, h.exercise+".ipynb"))
	}
	answer := func(folder, id, text string) {
		nb := must.Get(nbformat.ReadFile(filepath.Join(course, "release", id, "prml-4.25.ipynb")))(t)
		nb.Cell("prml-4-25-stub").Source = text
		must.Do(t, os.MkdirAll(filepath.Join(in, folder), 0o755))
		must.Do(t, nb.WriteFile(filepath.Join(in, folder, "prml-4.25.ipynb")))
	}
	long := "a, b := 0.0, 1.0\nfor i := 0; i < 300; i++ {\nm := (a + b) / 2\nif m*8 > math.Pi {\nb = m\n} else {\na = m\n}\nif b-a < 1e-17 {\nbreak\n}\n}\nreturn a"
	answer("copy1", "copy1", in25("", long))
	answer("copy2", "copy2", in25("", "// all mine\n"+
		"left, right := 0.0, 1.0\nfor n := 0; n < 300; n++ {\nmid := (left + right) / 2\nif mid*8 > math.Pi {\nright = mid\n} else {\nleft = mid\n}\nif right-left < 1e-17 {\nbreak\n}\n}\nreturn left"))
	answer("submitted/nb/homework", "nb", in25("", right25()))
	must.Write(t, filepath.Join(in, "submitted/nb/homework/timestamp.txt"), "2026-03-04 05:06:07 UTC\n")
	answer("Moo Dle_1234_assignsubmission_file_", "moo", in25("", right25()))
	answer("two", "two", in25("", right25()))
	answer("two/later", "two", in25("", "return 0.2"))
	must.Do(t, os.Chtimes(filepath.Join(in, "two", "prml-4.25.ipynb"), time.Unix(1e9, 0), time.Unix(1e9, 0)))
	must.Write(t, filepath.Join(in, "stranger", "prml-4.25.ipynb"), "{}")

	t.Chdir(moduleRoot(t))
	watched := []string{in, course, filepath.Join(dir, "canary"), "toolkit", "exercises"}
	before := ""
	for _, w := range watched {
		before += hashesBelow(t, w)
	}
	one, merged := filepath.Join(dir, "one"), filepath.Join(dir, "merged")
	args := func(out string, more ...string) []string {
		return append([]string{"grade", in, "--class", course, "--cpu", "2s", "--out", out}, more...)
	}

	// Kill the command `grade` after a third of the submissions, with SIGKILL, which a process cannot
	// catch. Then run the command again.
	begun := time.Now()
	killed := process(t, args(one)...)
	var said bytes.Buffer
	killed.Stdout, killed.Stderr = &said, &said
	must.Do(t, killed.Start())
	done := make(chan error, 1)
	go func() { done <- killed.Wait() }()
	for done != nil {
		kept, _ := filepath.Glob(filepath.Join(one, "state", "*", "*.json"))
		if len(kept) >= len(all)/3 {
			must.Do(t, killed.Process.Kill())
			<-done
			done = nil
		}
		select {
		case err := <-done:
			t.Fatalf("the run ended before it was killed: %v\n%s", err, &said)
		case <-time.After(20 * time.Millisecond):
		}
	}
	printed := runApart(t, 0, args(one), "as before", "stranger", "results")
	logFigure(t, "judging %d submissions in a run that was killed once and resumed took %v; cost after the kill: %s",
		len(all)+5, time.Since(begun).Round(time.Second),
		costOf(printed))

	// Check the points of each submission.
	var book class.Book
	must.Do(t, json.Unmarshal([]byte(must.Read(t, filepath.Join(one, "results.json"))), &book))
	result := func(learner, exercise string) *class.Result {
		for _, r := range book.Results {
			if r.Learner == learner && r.Exercise == exercise {
				return r
			}
		}
		t.Fatalf("there is no result of learner %s for the exercise %s", learner, exercise)
		return nil
	}
	for i, h := range all {
		r := result(fmt.Sprintf("u%03d", i), h.exercise)
		status := h.status
		if status == "" {
			status = "Judged"
		}
		text := fmt.Sprintf("%v %s %+v", r.Notes, r.Message, r.Parts)
		same := r.Points == h.points || math.IsNaN(h.points) && r.Points < r.Max
		if string(r.Status) != status || !same || !strings.Contains(text, h.want) {
			t.Errorf("%s (u%03d): got the status %s and %g of %g points; want the status %s, %g points (NaN: not all points) and the text %q in\n%s",
				h.name, i, r.Status, r.Points, r.Max,
				status, h.points, h.want, text)
		}
	}
	for _, id := range []string{"copy1", "copy2", "nb", "moo"} {
		if r := result(id, "prml-4.25"); r.Points != 3 {
			t.Errorf("learner %s: got the result %+v, want 3 points", id, r)
		}
	}
	if r := result("nb", "prml-4.25"); r.Time != "2026-03-04T05:06:07Z" || r.TimeFrom != "timestamp.txt" {
		t.Errorf("the nbgrader submission has the time %s from %s, want 2026-03-04T05:06:07Z from timestamp.txt",
			r.Time, r.TimeFrom)
	}
	if r := result("two", "prml-4.25"); r.Points == 3 || !strings.Contains(fmt.Sprint(r.Notes), "Another submission") {
		t.Errorf("a learner with two files gets the result %+v, want fewer than 3 points and a note about the other file", r)
	}
	must.Contain(t, must.Read(t, filepath.Join(one, "alike.json")), "copy1", "copy2")
	for path, text := range must.Tree(t, one) {
		if strings.Contains(text, "<script>alert") && strings.HasSuffix(path, ".html") {
			t.Errorf("%s contains a script from a submission", path)
		}
		if strings.HasPrefix(path, ".work") {
			t.Errorf("%s was left behind", path)
		}
	}
	if said.Len() == 0 || strings.Contains(printed, "panic:") {
		t.Errorf("want output from the first run and no panic in the second, got\n%s%s", &said, printed)
	}

	// Judge the same submissions in two shards, and merge the results of the shards.
	begun = time.Now()
	var shards []string
	for i := range 2 {
		out := filepath.Join(dir, fmt.Sprint("shard", i+1))
		runApart(t, 0, args(out, "--shard", fmt.Sprintf("%d/2", i+1)), "is judged")
		shards = append(shards, out)
	}
	runApart(t, 0, append([]string{"grade", "--merge", "--class", course, "--out", merged}, shards...))
	logFigure(t, "judging the same submissions in two shards took %v", time.Since(begun).Round(time.Second))
	whole, parts := must.Tree(t, one), must.Tree(t, merged)
	for path, text := range whole {
		if !sameAttempts(text, parts[path]) {
			t.Errorf("%s: the run without shards and the merged run of two shards wrote different files", path)
			if strings.HasPrefix(path, "state/") {
				t.Logf("%s\n%s", text, parts[path])
			}
		}
	}
	if len(whole) != len(parts) {
		t.Errorf("the run without shards writes %d files, but merging two shards writes %d files", len(whole), len(parts))
	}

	after := ""
	for _, w := range watched {
		after += hashesBelow(t, w)
	}
	if before != after {
		t.Error("grading changed files outside the folder of the grades")
	}
}

// chooseMutants returns at most n mutants of an exercise's reference answer. A mutant is the
// reference answer with one small change. chooseMutants excludes a change in a function that only the
// optional steps need, because these steps do not count. It also excludes the equivalent mutants that
// the exercise's tests list, because these mutants are right answers.
func chooseMutants(t *testing.T, maker *mutant.Maker, e *exercise.Exercise, n int) (list []mutant.Mutant) {
	t.Helper()
	_, all, err := maker.Mutants(e)
	must.Do(t, err)
	equivalent := must.Read(t, filepath.FromSlash(e.Dir)+"/check_test.go")
	const most = 12 // number of candidates, which are evenly spaced in the list of all mutants
	for i := range most {
		m := all[i*len(all)/most]
		function, _, _ := strings.Cut(m.Name, ":")
		known := slices.ContainsFunc(list, func(o mutant.Mutant) bool { return o.Name == m.Name })
		if slices.Contains(e.Calls[0].Args, function) && !strings.Contains(equivalent, m.Name) && !known &&
			len(list) < n {
			list = append(list, m)
		}
	}
	return list
}

// TestClassOfExercises grades answers to every exercise. The reference answer must earn all points,
// and an answer with a mistake must not.
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
	// Each string in `coins` is the body of a function that returns a right or a wrong value at
	// random. An answer with this function may earn some points, but never all points.
	coins := []string{"if rand.IntN(2) == 0 {\nreturn 0.2\n}\nreturn math.Pi / 8",
		"if rand.IntN(4) == 0 {\nreturn 0.2\n}\nreturn math.Pi / 8"}
	roster += "coin0,Coin 0\ncoin1,Coin 1\n"
	must.Write(t, filepath.Join(dir, "roster.csv"), roster)
	runApart(t, 0, []string{"class", filepath.Join(dir, "roster.csv"), "--exercises", strings.Join(ids, ","), "--out",
		course})
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
		for _, m := range chooseMutants(t, maker, e, wrong) {
			answers, names = append(answers, m.Text.Source), append(names, m.Name)
		}
		for i, source := range answers {
			hand(c.Learners[i].ID, e, names[i], source)
		}
	}
	begun := time.Now()
	printed := runApart(t, 0, []string{"grade", in, "--class", course, "--cpu", "5s", "--out", out})
	took := time.Since(begun)
	var book class.Book
	must.Do(t, json.Unmarshal([]byte(must.Read(t, filepath.Join(out, "results.json"))), &book))
	for _, r := range book.Results {
		name, ok := what[[2]string{r.Learner, r.Exercise}]
		if !ok {
			continue
		}
		if full := r.Points == r.Max; r.Status != "Judged" || full != (name == "reference") {
			t.Errorf("%s, answer %s: got the status %s and %g of %g points; want Judged, and all points only for the reference; the parts are\n%+v",
				r.Exercise, name, r.Status, r.Points, r.Max, r.Parts)
		}
	}
	logFigure(t, "judging %d submissions to %d exercises took %v; cost: %s",
		len(what), len(list), took.Round(time.Second), costOf(printed))
}

// costOf returns the line of the command `grade` that states how much time and memory the judge
// needed.
func costOf(printed string) string {
	for line := range strings.Lines(printed) {
		if strings.Contains(line, "judged in") {
			return strings.TrimSpace(line)
		}
	}
	return "the command printed no cost"
}

// logFigure logs a measurement. If the environment variable HYPERPLANE_FIGURES names a file,
// logFigure also appends the measurement to that file.
func logFigure(t *testing.T, format string, args ...any) {
	t.Helper()
	text := fmt.Sprintf(format, args...)
	t.Log(text)
	if name := os.Getenv("HYPERPLANE_FIGURES"); name != "" {
		f := must.Get(os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644))(t)
		must.Get(fmt.Fprintln(f, text))(t)
		must.Do(t, f.Close())
	}
}
