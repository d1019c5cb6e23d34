package quality

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/catalog"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/exercise"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/mutant"
)

const (
	moduleRoot = "../../.."
	red        = "exercises/testdata/red/ex01"
)

// judged runs the judge over an exercise's folder.
func judged(t *testing.T, o Options, dirs ...string) *Summary {
	t.Helper()
	if _, err := exec.LookPath("go"); err != nil {
		t.Skipf("%s needs the go command", t.Name())
	}
	o.Root, o.Module = moduleRoot, os.DirFS(moduleRoot)
	var list []*exercise.Exercise
	for _, dir := range dirs {
		e, err := exercise.Load(o.Module, dir)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, e)
	}
	s, err := Run(t.Context(), list, o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestRed: an exercise whose check accepts a wrong answer is red, and everything
// that is wrong with it is said.
func TestRed(t *testing.T) {
	r := judged(t, Options{Jobs: 2}, red).Exercises[0]
	want := []string{
		"a right form is not accepted: TestRight/rounded",
		"a wrong answer does not get its own message (sum): TestWrong/sum",
		"a wrong answer is not rejected: TestWrong/quotient",
		"3 right forms are tested; at least the reference and 3 others must be",
		"3 wrong answers are tested; at least 4 must be",
		"its tests fail: TestRight/rounded",
		"its tests fail: TestWrong/quotient",
		"its tests fail: TestWrong/sum",
		red + "/check_test.go:10: nothing says why this mutant is right; write it below, indented: Area: return a * b → return a",
		red + "/check_test.go:12: this mutant is not equivalent, the check refuses it: Area: return a * b → return -(a * b)",
		red + "/check_test.go:15: there is no such mutant (any more): Area: return a * b → return a + b",
		"3 of 15 mutants survive unexplained",
	}
	slices.Sort(want[5:8])
	if got := slices.Clone(r.Faults); !slices.Equal(sortedTests(got), want) {
		t.Errorf("the faults are\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if r.Right != (Count{2, 3}) || r.Rejected != (Count{2, 3}) || r.Own != (Count{1, 3}) || r.Mutants() != (Count{11, 14}) || r.Equivalent != 1 {
		t.Errorf("the counts are %v, %v, %v, %v, %d", r.Right, r.Rejected, r.Own, r.Mutants(), r.Equivalent)
	}
	survivors := []string{"Area: return a * b → return b", "Area: return a * b → return a", "Area: return a * b → return a / b"}
	if got := r.Survivors(); !slices.Equal(got, survivors) {
		t.Errorf("%q survive, want %q", got, survivors)
	}
	if r.Seconds <= 0 || r.Peak < 1<<20 {
		t.Errorf("the check took %g s and %d bytes, which cannot be", r.Seconds, r.Peak)
	}
	// A mutant of the step's function is judged by CheckSteps.
	i := slices.IndexFunc(r.Fates, func(f Fate) bool { return f.Mutant == "Square: return s * s → return 2*(s * s)" })
	if i < 0 || r.Fates[i].Fate != Killed || r.Fates[i].How != "Wrong square" {
		t.Errorf("the mutant of the step: %+v", r.Fates)
	}
	i = slices.IndexFunc(r.Fates, func(f Fate) bool { return f.Fate == Equivalent })
	if i < 0 || r.Fates[i] != (Fate{"Square: s := a → s := -a", Equivalent, "The sign is lost in the product."}) {
		t.Errorf("the equivalent mutant: %+v", r.Fates)
	}
}

// sortedTests puts the faults of tests, which run in the order of a map, in order.
func sortedTests(faults []string) []string {
	from := slices.IndexFunc(faults, func(f string) bool { return strings.HasPrefix(f, "its tests fail") })
	if from < 0 {
		return faults
	}
	to := from
	for to < len(faults) && strings.HasPrefix(faults[to], "its tests fail") {
		to++
	}
	slices.Sort(faults[from:to])
	return faults
}

// TestGreen: a small exercise of the catalogue has every column full.
func TestGreen(t *testing.T) {
	s := judged(t, Options{Jobs: 1}, "exercises/prml4/ex09")
	r := s.Exercises[0]
	if r.Red() || s.Red() != 0 || r.Right.Good < leastRight || r.Rejected.Good < leastWrong || r.Own != r.Rejected || r.Killed != r.Judged || r.Judged != r.Made || r.Made < 5 {
		t.Errorf("it is %+v", r)
	}
}

// TestJobsMakeNoDifference: rows come in order, and are the same for any number
// of jobs.
func TestJobsMakeNoDifference(t *testing.T) {
	var rows []string
	o := Options{Jobs: 1, Row: func(r *Result) { rows = append(rows, r.ID) }}
	one := judged(t, o, red, "generate/internal/exercise/testdata/good/ex07")
	o.Jobs = 4
	four := judged(t, o, red, "generate/internal/exercise/testdata/good/ex07")
	if want := []string{"prml-99.1", "prml-99.7", "prml-99.1", "prml-99.7"}; !slices.Equal(rows, want) {
		t.Errorf("rows are %q, want %q", rows, want)
	}
	for i, r := range one.Exercises {
		if !slices.Equal(r.Fates, four.Exercises[i].Fates) {
			t.Errorf("%s: the mutants' fates depend on the number of jobs", r.ID)
		}
	}
}

// TestSpread: of too many mutants as many as there may be, over the whole length,
// and those that are listed; none is forgotten silently.
func TestSpread(t *testing.T) {
	r := judged(t, Options{Jobs: 2, Most: 4}, red).Exercises[0]
	// 4, and 3 that check_test.go names, of which two are among the 4 already.
	if r.Made != 15 || r.Judged != 5 {
		t.Errorf("%d mutants of %d are judged", r.Judged, r.Made)
	}
	var b strings.Builder
	r.WriteRow(&b)
	if !strings.Contains(b.String(), "(5 of 15 mutants)") {
		t.Errorf("the row does not say that not all mutants are judged: %s", &b)
	}
	all := make([]mutant.Mutant, 10)
	for i := range all {
		all[i].Name = string(rune('a' + i))
	}
	names := ""
	for _, m := range spread(all, 3, func(m mutant.Mutant) bool { return m.Name == "j" }) {
		names += m.Name
	}
	if names != "adgj" {
		t.Errorf("the spread is %s", names)
	}
}

// TestEventsOfTests: tests that do not compile are a fault, not an end.
func TestEventsOfTests(t *testing.T) {
	const events = `{"Action":"build-output","ImportPath":"m/b [m/b.test]","Output":"b_test.go:3:1: syntax error\n"}
{"Action":"fail","Package":"m/b","FailedBuild":"m/b [m/b.test]"}
{"Action":"run","Package":"m/a","Test":"TestX"}
{"Action":"fail","Package":"m/a","Test":"TestX/one"}
{"Action":"fail","Package":"m/a","Test":"TestX"}
{"Action":"fail","Package":"m/a"}
{"Action":"output","Package":"m/c","Output":"panic: init\n"}
{"Action":"fail","Package":"m/c"}
{"Action":"pass","Package":"m/d","Test":"TestX"}
{"Action":"pass","Package":"m/d"}
`
	failures, seen, err := readEvents([]byte(events))
	if err != nil || seen != 4 {
		t.Fatalf("%d packages, %v", seen, err)
	}
	for pkg, want := range map[string]string{"m/a": "TestX/one", "m/b": "b_test.go:3:1: syntax error", "m/c": "panic: init", "m/d": ""} {
		if got := strings.Join(failures[pkg], "|"); got != want {
			t.Errorf("%s: %q, want %q", pkg, got, want)
		}
	}
	if _, _, err := readEvents([]byte("FAIL m/a\n")); err == nil {
		t.Error("no error for what is not JSON")
	}
	f := count("m", []record{{Kind: "wrong", Exercise: "m", Complete: false, Test: "T"}, {Kind: "right", Exercise: "other"}}, nil)
	if f.rejected != (Count{0, 1}) || f.right != (Count{}) || !slices.Contains(f.faults, "a wrong answer is not rejected: T") {
		t.Errorf("an incomplete report: %+v", f)
	}
}

// TestReferenceThatIsNotRight: then killed mutants prove nothing.
func TestReferenceThatIsNotRight(t *testing.T) {
	e, err := exercise.Load(os.DirFS(moduleRoot), red)
	if err != nil {
		t.Fatal(err)
	}
	tr := &subject{exercise: e}
	tr.reference.Died = "exit status 2"
	r := tr.result(forms{})
	for _, want := range []string{"the reference answer is not right: died: exit status 2", "no mutant can be made of the reference answer"} {
		if !slices.Contains(r.Faults, want) {
			t.Errorf("%q is not among %q", want, r.Faults)
		}
	}
}

func TestInOrder(t *testing.T) {
	subjects := make([]*subject, 20)
	var done [20]atomic.Int32
	for i := range subjects {
		subjects[i] = &subject{mutants: make([]mutant.Mutant, i%4)}
	}
	next := 0
	err := inOrder(t.Context(), 3, subjects, func(_ context.Context, i, _ int) error {
		done[i].Add(1)
		return nil
	}, func(i int) {
		if i != next || int(done[i].Load()) != i%4 {
			t.Errorf("%d is done, want %d; it has %d of %d mutants", i, next, done[i].Load(), i%4)
		}
		next++
	})
	if err != nil || next != 20 {
		t.Errorf("%d done, %v", next, err)
	}
	failure := errors.New("no process")
	err = inOrder(t.Context(), 3, subjects, func(_ context.Context, i, _ int) error {
		if i == 5 {
			return failure
		}
		return nil
	}, func(i int) {
		if i >= 5 {
			t.Errorf("%d is done, after an error", i)
		}
	})
	if !errors.Is(err, failure) {
		t.Errorf("the error is %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := inOrder(ctx, 3, subjects, func(context.Context, int, int) error { t.Error("called"); return nil }, func(int) { t.Error("done") }); !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
}

// TestEveryEquivalentFile: the files in the exercises have a reason for every
// entry. (Whether the entries hold is what the judge itself finds out.)
func TestEveryEquivalentFile(t *testing.T) {
	module := os.DirFS(moduleRoot)
	for _, e := range catalog.Entries {
		_, faults, err := readEquivalents(module, e.Dir)
		if err != nil {
			t.Error(err)
		}
		for _, f := range faults {
			t.Error(f)
		}
	}
}
