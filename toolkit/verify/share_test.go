package verify

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"gonum.org/v1/gonum/mat"
)

// TestEndlessOnce: a loop without an end is waited for once for each function, and
// in all no longer than DefaultLimit.
func TestEndlessOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		end := make(chan struct{})
		endless := func() Verdict { <-end; return Pass("") }
		fine := func() Verdict { return Pass("") }
		start := time.Now()
		r := Run("prml-0.0", "fixture",
			Part{Name: "f", Of: []string{"Fit"}, Judge: endless}, Part{Name: "f", Of: []string{"Fit"}, Judge: fine},
			Part{Name: "g", Of: []string{"Grow"}, Judge: endless}, Part{Name: "h", Of: []string{"Halt"}, Judge: fine}, Part{Name: "g", Of: []string{"Grow"}, Judge: endless})
		if took := time.Since(start); took > DefaultLimit {
			t.Errorf("waited %v", took)
		}
		close(end)
		want := []Outcome{TimedOut, NotRun, TimedOut, Right, NotRun}
		for i, p := range r.Parts {
			if p.Outcome != want[i] {
				t.Errorf("part %d is %v, want %v", i+1, p.Outcome, want[i])
			}
		}
		if m := r.Parts[4].Message; m != "Not asked: Grow did not come to an end in part 3." {
			t.Errorf("part 5 says %q", m)
		}
		if r.Passed() || !r.Complete {
			t.Error("the report is passed, or not complete")
		}
	})
}

// TestEcho: what an earlier part has said of the same function is not said again.
func TestEcho(t *testing.T) {
	slip := func(message string) func() Verdict { return func() Verdict { return Fail("slip", 2, "%s", message) } }
	r := Run("prml-0.0", "fixture",
		Part{Name: "a", Of: []string{"F"}, Judge: slip("first")}, Part{Name: "b", Of: []string{"G"}, Judge: slip("of another")},
		Part{Name: "c", Of: []string{"F"}, Judge: slip("second")}, Part{Name: "d", Judge: slip("of nobody")},
		Part{Name: "e", Of: []string{"F"}, Judge: func() Verdict { return Fail("other", 1, "something else") }})
	for i, want := range []string{"first", "of another", "The same as in part 1: mend that first.", "of nobody", "something else"} {
		if got := r.Parts[i]; got.Message != want || got.Outcome != Wrong || strings.HasPrefix(want, "The same") != (got.Hint == 0) {
			t.Errorf("part %d: %+v, want %q", i+1, got, want)
		}
	}
	crash := func(cause string) func() Verdict { return func() Verdict { panic(cause) } }
	r = Run("prml-0.0", "fixture", Part{Name: "a", Of: []string{"F"}, Judge: crash("one")}, Part{Name: "b", Of: []string{"F"}, Judge: crash("one")}, Part{Name: "c", Of: []string{"F"}, Judge: crash("two")})
	if !strings.HasPrefix(r.Parts[1].Message, "The same") || !strings.Contains(r.Parts[2].Message, "panic: two") {
		t.Errorf("panics:\n%s", r)
	}
}

// TestZeroTarget: a target that is 0 throughout need only be met to rounding of
// the whole problem, not exactly, and not to more.
func TestZeroTarget(t *testing.T) {
	x := mat.NewDense(2, 2, []float64{1, 2, 1, 5})
	target := mat.NewDense(2, 2, []float64{1, 0, 1, 0})
	for _, tc := range []struct {
		off float64
		ok  bool
	}{{1e-16, true}, {1e-10, false}} {
		y := mat.NewDense(2, 2, []float64{1, tc.off, 1, tc.off})
		if f := NormalEquations(x, y, target, 1e-9); f.OK != tc.ok {
			t.Errorf("off by %g: normal equations %v", tc.off, f)
		}
	}
}
