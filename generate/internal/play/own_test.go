//go:build playtest

package play

import (
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/browsertest"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/owncourse"
)

// TestOwnCourse builds the site of a course that is a separate Go module, and solves all exercises in
// the pages of this site. Before it solves the first exercise, it submits an answer with a known
// mistake. Before it solves the task of the lesson, it makes the lesson's guess.
func TestOwnCourse(t *testing.T) {
	t.Parallel()
	m := owncourse.Copy(t, must.Get(filepath.Abs(root))(t))
	build := []string{"site", "--out", "site"}
	if cache := os.Getenv("HYPERPLANE_PLAY_CACHE"); cache != "" {
		build = append(build, "--reuse", cache)
	}
	m.Run(t, 0, "notebooks")
	m.RunWant(t, 0, m.Program, build)
	server := httptest.NewServer(Handler(filepath.Join(m.Dir, "site"), nil))
	t.Cleanup(server.Close)

	// answer returns the reference answer of an exercise, without the package clause and the imports.
	answer := func(folder string) string {
		text := must.Read(t, filepath.Join(m.Dir, folder, "answer_test.go"))
		return strings.TrimSpace(text[strings.Index(text, "\n//"):])
	}
	d := openDesk(t, server.URL+"/exercises/own/01-normal-equations.html", browsertest.View{Width: 1280})
	right := answer("own/ex01")
	d.write(strings.NewReplacer("var b, w", "var b", "	if err := w.SolveVec(&a, &b); err != nil {\n		panic(err)\n	}\n	return w.",
		"	return b.").Replace(right))
	d.check("Check")
	must.Contain(t, d.report(), "You return Φᵀt.")
	d.Screenshot("own-wrong")
	d.judge(right, "own-3.1", "passed: all")
	d.run(0)
	text, pictures := d.printedText(0)
	if pictures != 1 {
		t.Errorf("the cell that uses the answer shows %d pictures, want 1", pictures)
	}
	must.Contain(t, text, "bias 1.090, slope 0.940")
	for _, e := range []struct{ page, folder string }{{"02-ridge", "own/ex02"}, {"03-predictive-variance", "own/ex03"}} {
		d.Go(server.URL + "/exercises/own/" + e.page + ".html")
		d.ready()
		d.judge(answer(e.folder), "passed: all")
	}

	d.Go(server.URL + "/lessons/01-shrink.html")
	d.ready()
	d.press("form.ask input")
	d.Type("0.4")
	d.Press("\r")
	d.Until(`document.querySelector(".told").innerText.includes("You guessed 0.4. Run the cell to see the number.")`)
	guess := browsertest.Get[int](d.Page, `[...document.querySelectorAll(".try")].findIndex((box) => box.dataset.cell.includes("exercises.Guess"))`)
	d.run(guess)
	text, _ = d.printedText(guess)
	must.Contain(t, text, "expected squared error: 0.4444. You said 0.4.", "0.444 at lambda = 4.00")
	d.judge(answer("lessons/lesson01"), "lesson-1", "passed: all")
	d.Screenshot("own-lesson")
	d.wantNoErrors()
	d.Go(server.URL + "/exercises.html")
	d.Until(`new Set([...document.querySelectorAll("[data-mark][data-state=passed]")].map((m) => m.dataset.mark)).size === 3`)
	d.Screenshot("own-list")
	for _, fault := range d.TooWide() {
		t.Error(fault)
	}
}
