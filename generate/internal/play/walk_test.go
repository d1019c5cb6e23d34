//go:build playtest

package play

import (
	"fmt"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/browsertest"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
)

// A reader comes to the start page, finds the exercise, errs, takes a hint, solves it and
// draws with the answer; on a desk by day and on a phone by night.
func TestWalk(t *testing.T) {
	t.Parallel()
	site := served(t)
	for _, v := range []browsertest.View{{Width: 1280, Height: 900}, {Width: 390, Height: 844, Dark: true}} {
		light := map[bool]string{false: "light", true: "dark"}[v.Dark]
		t.Run(fmt.Sprintf("%d %s", v.Width, light), func(t *testing.T) {
			d := &desk{browsertest.Open(t, site+"/index.html", v), t}
			step := func(name string) {
				d.Screenshot(fmt.Sprintf("walk-%d-%s-%s", v.Width, light, name))
				for _, fault := range d.TooWide() {
					t.Errorf("%s: %s", name, fault)
				}
			}
			d.press(`header a[href="exercises.html"]`)
			d.Until(`document.title.startsWith("Exercises")`)
			d.press(`a[href^="exercises/prml4/25-"]`)
			d.ready()
			step("1-begin")
			d.write(header + "{ return math.Sqrt(math.Pi / 8) }")
			d.check("Check")
			step("2-wrong")
			d.press("#play-report button")
			d.Until(`document.querySelectorAll("details.hint")[2].open`)
			step("3-hint")
			d.write(right)
			d.check("Check")
			must.Contain(t, d.report(), "passed: all 3 parts right")
			step("4-right")
			d.press(".try .run")
			d.Until(`document.getElementById("play").dataset.busy === ""`)
			step("5-explore")
			d.clean()
		})
	}
}
