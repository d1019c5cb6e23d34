package course

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/cell"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/kerneltest"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/owncourse"
	"github.com/hyperplane-notebooks/hyperplane/toolkit"
)

// An ownModule is a course that is a separate Go module, outside this module. An example is a copy
// of testdata/regression.
type ownModule struct{ owncourse.Module }

func copyCourse(t *testing.T) ownModule {
	t.Helper()
	if testing.Short() {
		t.Skip("-short")
	}
	return ownModule{owncourse.Copy(t, moduleRoot(t))}
}

// checkNoForeignNames checks `text`, a page or a help text of the course m. It fails the test if the
// text contains one of the given words, or a name that may occur only in hyperplane's own course, such
// as the name of a book.
func (m ownModule) checkNoForeignNames(t *testing.T, text string, words ...string) {
	t.Helper()
	for _, word := range append(words, "Bishop", "prml", "alpaydin", "./generate") {
		if strings.Contains(text, word) {
			t.Errorf("a text of the course in %s contains %q, which may occur only in hyperplane's own course:\n%s", m.Dir, word, text)
		}
	}
}

// wantErrorLine runs the course's program with the given arguments. The program must fail and print
// exactly one line, and the line must contain every string in `wants`.
func (m ownModule) wantErrorLine(t *testing.T, args string, wants ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), m.Program, strings.Fields(args)...)
	cmd.Dir = m.Dir
	text, err := cmd.CombinedOutput()
	if err == nil || strings.Count(string(text), "\n") != 1 {
		t.Errorf("%s: got the error %v and the output below, want an error and exactly one line of output\n%s", args, err, text)
	}
	must.Contain(t, string(text), wants...)
}

// TestOwnModule runs commands of a course that is a separate Go module. The notebooks, the site and the
// tables must use the names of the course's own book. The site and the help must contain no names from
// hyperplane's own course. `judge` must accept the course's exercises and the task of its lesson.
func TestOwnModule(t *testing.T) {
	m := copyCourse(t)
	m.RunWant(t, 0, "go", []string{"test", "./..."})
	m.Run(t, 0, "list", "lesson    lesson-1", "own-3.1", "The normal equations")
	m.Run(t, 0, "equations", "own-3.1")
	m.Run(t, 0, "equations --gaps", "gaps in 5 equations")
	m.Run(t, 0, "progress", "\nOwn, chapter 3\n  3.1  The normal equations")
	m.Run(t, 0, "notebooks", "8 written")
	m.Run(t, 0, "notebooks --check", "8 files match their sources")
	lesson := must.Read(t, filepath.Join(m.Dir, "notebooks/lessons/01-shrink.ipynb"))
	must.Contain(t, lesson, "[Own 3.1](../exercises/own/01-normal-equations.ipynb)", "exercises.ProgressOf(lesson01.Exercise(), ex01.Exercise(), ",
		`\"example.org/course/own/ex01\"`)
	m.Run(t, 0, "judge", "own-3.1", "own-3.3", "lesson-1", "4 exercises, 0 red")

	answer := func(body string) string {
		must.Write(t, filepath.Join(m.Dir, "answer.go"),
			"func Ridge(phi *mat.Dense, t []float64, lambda float64) []float64 {"+body+"}\n")
		return "check own-3.2 answer.go"
	}
	const solve = `
	_, m := phi.Dims()
	var a mat.Dense
	a.Mul(phi.T(), phi)
	for j := range m {
		a.Set(j, j, a.At(j, j)+PENALTY)
	}
	var b, w mat.VecDense
	b.MulVec(phi.T(), mat.NewVecDense(len(t), t))
	w.SolveVec(&a, &b)
	return w.RawVector().Data
`
	m.Run(t, exitNotPassed, answer(strings.Replace(solve, "PENALTY", "2*lambda", 1)), "λ")
	m.Run(t, 0, answer(strings.Replace(solve, "PENALTY", "lambda", 1)), "passed: all")

	m.Run(t, 0, "site --play=false --out site")
	site := must.Tree(t, filepath.Join(m.Dir, "site"))
	must.Contain(t, site["exercises.html"], "The Teacher", `data-book="own"`)
	must.Contain(t, site["index.html"], "<title>Linear regression", `href="lessons/01-shrink.html"`)
	must.Contain(t, site["exercises/own/01-normal-equations.html"], `href="../../equations.html#own-3.1"`)
	pages := site["index.html"] + site["exercises.html"] + site["search.html"] + site["assets/search-index.js"]
	m.checkNoForeignNames(t, pages, "Alpaydin, chapter", "linear classification by doing", "figures.html", "make lab")
	if site["figures.html"] != "" {
		t.Error("the course's site contains figures of the toolkit, want none")
	}
	for _, args := range []string{"help", "judge --help", "list --help", "run --help", "class --help", "list figures"} {
		cmd := exec.CommandContext(t.Context(), m.Program, strings.Fields(args)...)
		cmd.Dir = m.Dir
		m.checkNoForeignNames(t, string(must.Get(cmd.Output())(t)), "fig-prml", "  figures ")
	}
	m.Run(t, 0, "judge --help", "go run . judge own-3.1 --verbose", "go run . judge own/ex01 --json")
	m.Run(t, exitBad, "check own-4 answer.go", `there is no exercise "own-4"; there are lesson-1, own-3.1, own-3.2, own-3.3`)
	m.Run(t, exitBad, "figures", `there is no command "figures"`)

	m.Run(t, 0, "new exercise own-3.4", "main.go", "go run . judge own-3.4")

	ids := []string{"ada", "bob", "eve"}
	must.Write(t, filepath.Join(m.Dir, "roster.csv"), "id,name\nada,Ada\nbob,Bob\neve,Eve\n")
	m.Run(t, exitBad, "class roster.csv --exercises lesson-1 --out class", "the task of a lesson")
	m.Run(t, 0, "class roster.csv --exercises own-3.1,own-3.3 --out class", "3 learners, 2 exercises")
	for _, id := range ids {
		key := "class/key/" + id + "/own-3.1.ipynb"
		if id == "eve" { // the learner "eve" submits the unchanged notebook
			key = "class/release/" + id + "/own-3.1.ipynb"
		}
		must.Write(t, filepath.Join(m.Dir, "in", id, "own-3.1.ipynb"), must.Read(t, filepath.Join(m.Dir, key)))
	}
	m.Run(t, 0, "grade in --class class --out grades --no-isolation", "ada own-3.1: 1 of 1 points", "bob own-3.1: 1 of 1 points",
		"eve own-3.1: 0 of 1 points")
}

// TestNewCourse makes a course with `generate new course`, and then adds a second exercise and a
// second lesson. Without any edits, the tests of the course must pass, and its commands `judge`,
// `notebooks` and `site` must work.
func TestNewCourse(t *testing.T) {
	if testing.Short() {
		t.Skip("-short")
	}
	dir := filepath.Join(t.TempDir(), "lines")
	m := ownModule{owncourse.Module{Dir: dir, Program: filepath.Join(dir, "program")}}
	replace := "-replace " + cell.HyperplaneModule + "=" + moduleRoot(t)
	runWant(t, 0, []string{"new", "course", m.Dir, "--title", "Lines of \"mine\""}, "own/ex01/check.go",
		"  go mod edit "+replace)
	wantRefused(t, []string{"new", "course"}, []mistake{
		{"existing file", []string{m.Dir}, "books/books.go exists"},
		{"invalid path of the module", []string{"elsewhere", "--module", "a b"}, "invalid --module"},
	})
	m.RunWant(t, 0, "go", strings.Fields("mod edit "+replace))
	m.RunWant(t, 0, "go", []string{"build", "-o", m.Program, "."})
	m.RunWant(t, 0, "go", []string{"test", "./..."})
	m.Run(t, 0, "judge", "2 exercises, 0 red")
	m.Run(t, 0, "notebooks", "4 written")
	m.Run(t, 0, "site --play=false --out site")
	site := must.Tree(t, filepath.Join(m.Dir, "site"))
	must.Contain(t, site["index.html"], "Lines of &#34;mine&#34;", `href="lessons/01-line.html"`)
	must.Contain(t, site["exercises.html"], `href="exercises/own/01-slope.html"`)

	m.Run(t, 0, "new exercise own-2 --slug second", "main.go", "go run . judge own-2")
	m.Run(t, 0, "new lesson --slug second", "lessons/02-second.md", "main.go")
	m.RunWant(t, 0, "go", []string{"build", "-o", m.Program, "."})
	m.RunWant(t, 0, "go", []string{"test", "./..."})
	m.Run(t, 0, "judge own-2 lesson-2", "2 exercises, 0 red")
	m.Run(t, 0, "notebooks", "own/02-second.ipynb", "lessons/02-second.ipynb")
}

// TestOwnModuleSaysWhatIsWrong checks the errors for typical mistakes in a course that is a
// separate Go module. For example, the kernel is not installed, an id has an unknown book, an
// exercise is not listed, or the course was written for a different version of hyperplane.
func TestOwnModuleSaysWhatIsWrong(t *testing.T) {
	m := copyCourse(t)
	m.Run(t, exitBad, "run notebooks", "no GoNB kernel", "go run . setup --from CHECKOUT/.tools")
	m.Run(t, exitNotPassed, "doctor", "go run . setup --from CHECKOUT/.tools")
	m.Run(t, exitBad, "setup --from nowhere", "found no kernel", "make setup")
	m.Edit(t, "own/ex01/exercise.md", "- id: own-3.1", "- id: prml-4.25")
	m.wantErrorLine(t, "list", `own/ex01/exercise.md:3: invalid id "prml-4.25": want a form like lesson-N or own-3.N`)
	m.Edit(t, "own/ex01/exercise.md", "- id: prml-4.25", "- id: own-3.1")
	m.Edit(t, "own/ex01/exercise.md", "- stars: 1\n", "")
	m.wantErrorLine(t, "list", `own/ex01/exercise.md:1: the list under the title has no line "- stars: …"`)
	m.Edit(t, "own/ex01/exercise.md", "- slug: ", "- stars: 1\n- slug: ")
	must.Write(t, filepath.Join(m.Dir, "own/ex04/check.go"), "package ex02\n")
	m.wantErrorLine(t, "list", "own/ex04/check.go:1: the course does not list this exercise: add it to Exercises in course.Course")
	must.Do(t, os.RemoveAll(filepath.Join(m.Dir, "own/ex04")))
	lesson := filepath.Join(m.Dir, "lessons/01-shrink.md")
	text := must.Read(t, lesson)
	must.Write(t, lesson, strings.Replace(text, "title: Shrinking a mean\n", "", 1))
	m.wantErrorLine(t, "list", "lessons/01-shrink.md:", "title")
	must.Write(t, lesson, strings.Replace(text, "{eq:own-3.5}", "{eq:own-3.6}", 1))
	m.wantErrorLine(t, "notebooks", "lessons/01-shrink.md: there is no equation own-3.6 in equations")
	must.Write(t, lesson, text)
	m.Edit(t, "main.go", `"`+toolkit.Version+`"`, `"0.0.1"`)
	m.wantErrorLine(t, "list", `example.org/course was made with version "0.0.1" of hyperplane, but this is version `+
		toolkit.Version)
}

// TestOwnModuleRuns checks that a course in a separate Go module can use the kernel of a hyperplane
// checkout. The kernel must run the lesson and the solved exercises of the course. After the run,
// `notebooks --check` must accept the lesson, and reject a quoted number that no cell prints.
func TestOwnModuleRuns(t *testing.T) {
	kerneltest.Kernel(t)
	m := copyCourse(t)
	tools := os.Getenv("HYPERPLANE_TOOLS")
	if tools == "" {
		tools = filepath.Join(moduleRoot(t), ".tools")
	}
	m.RunWant(t, 0, m.Program, []string{"setup", "--from", tools}, "now uses the kernel of")
	m.Run(t, 0, "notebooks")
	m.Run(t, 0, "run notebooks/lessons notebooks/exercises/solutions --out ran", "own-3-1-check · passed: all",
		"4 passed, 0 failed")
	lesson := must.Read(t, filepath.Join(m.Dir, "ran/lessons/01-shrink.ipynb"))
	must.Contain(t, lesson, "0.444 at lambda = 4.00", "Own, chapter 3\\n", "  3.1  The normal equations")
	must.Write(t, filepath.Join(m.Dir, "notebooks/lessons/01-shrink.ipynb"), lesson)
	m.Run(t, 0, "notebooks --check")
	m.Edit(t, "lessons/01-shrink.md", "{=0.444}", "{=0.555}")
	m.Run(t, 0, "notebooks")
	m.Run(t, exitNotPassed, "notebooks --check", "01-shrink.ipynb: quotes 0.555, which no cell of the same section prints")
}
