package class

import (
	"strings"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
)

// A log has a line for every hand-in; a terminal one for every learner, and a bar between
// them that is wiped off at the end.
func TestBar(t *testing.T) {
	todo := []*HandIn{{Learner: "ada", Exercise: "one"}, {Learner: "bob", Exercise: "one"}, {Learner: "ada", Exercise: "two"}}
	told := func(watch bool) string {
		var log strings.Builder
		b := newBar(&log, watch, todo)
		b.done(todo[0], "1 of 1 points", false)
		b.done(todo[1], "0 of 1 points, out of time", true)
		b.done(todo[2], "as before", false)
		b.done(todo[1], "1 of 1 points", false)
		return log.String()
	}
	want := "[1/3, about 0s left] ada one: 1 of 1 points\n[2/4, about 0s left] bob one: 0 of 1 points, out of time (comes once more)\n[3/4, about 0s left] ada two: as before\n[4/4] bob one: 1 of 1 points\n"
	if got := told(false); got != want {
		t.Errorf("a log has\n%s\nwant\n%s", got, want)
	}
	// The bar ends with its count; between, time decides how often it is drawn.
	got := told(true)
	must.Contain(t, got, "ada: one: 1 of 1 points; two: as before\n", "bob: one: 1 of 1 points\n")
	if strings.Contains(got, "comes once more") || strings.Count(got, "\n") != 2 || !strings.Contains(got, "/3") {
		t.Errorf("a terminal has\n%q", got)
	}
}
