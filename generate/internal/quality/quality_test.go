package quality

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/catalog"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/cell"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/exercise"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/mutant"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/trial"
)

const (
	moduleRoot = "../../.."
	red        = "exercises/testdata/red/ex01"
	good       = "generate/internal/exercise/testdata/good/ex07"
)

// judgeFolders judges the exercises in the given folders.
func judgeFolders(t *testing.T, o Options, dirs ...string) *Summary {
	t.Helper()
	o.Root = moduleRoot
	var list []*exercise.Exercise
	for _, dir := range dirs {
		list = append(list, must.Get(exercise.Load(os.DirFS(moduleRoot), dir))(t))
	}
	return must.Get(Run(t.Context(), list, o))(t)
}

// TestRed checks that an exercise counts as red, that is, faulty, if its check accepts a wrong
// answer. The judge must report all faults of the exercise. The rows must appear in the order of the
// exercises, and the results must not depend on the number of jobs.
func TestRed(t *testing.T) {
	records := filepath.Join(t.TempDir(), "records")
	must.Write(t, records, "of an earlier run\n")
	var rows []string
	o := Options{Jobs: 4, Records: records, Row: func(r *Result) { rows = append(rows, r.ID) }}
	four := judgeFolders(t, o, red, good)
	one := judgeFolders(t, Options{Jobs: 1, Row: o.Row}, red, good)
	if want := []string{"own-1", "own-7", "own-1", "own-7"}; !slices.Equal(rows, want) {
		t.Errorf("got the rows %q, want %q", rows, want)
	}
	for i, r := range one.Exercises {
		if !slices.Equal(r.Fates, four.Exercises[i].Fates) {
			t.Errorf("%s: the fates of the mutants depend on the number of jobs", r.ID)
		}
	}
	r := four.Exercises[0]
	if kept := must.Read(t, records); strings.Count(kept, `"exercise":"`+r.ID+`"`) != 6 || strings.Contains(kept, "earlier") {
		t.Errorf("want six records of this exercise, and none of an earlier run; got\n%s", kept)
	}
	want := []string{
		"a right form is not accepted: TestRight/rounded",
		"a wrong answer does not get its own message (key sum): TestWrong/sum",
		"a wrong answer is not rejected: TestWrong/quotient",
		"3 right forms are tested, want at least the reference and 3 others",
		"3 wrong answers are tested, want at least 4",
		"its tests do not pass: TestSkipped (skipped)",
		"its tests do not pass: TestRight/rounded",
		"its tests do not pass: TestWrong/quotient",
		"its tests do not pass: TestWrong/sum",
		red + "/check_test.go:10: give a reason why this mutant is right; write it below, indented: Area: return a * b → return a",
		red + "/check_test.go:12: this mutant is not equivalent, because the check rejects it, or it crashes or does not end: Area: return a * b → return -(a * b)",
		red + "/check_test.go:15: this mutant does not exist (any more): Area: return a * b → return a + b",
		"unexplained surviving mutants: 3 of 15",
	}
	slices.Sort(r.Faults) // the order of the failed tests is random, because the exercise's tests run in the order of a map
	slices.Sort(want)
	if !slices.Equal(r.Faults, want) {
		t.Errorf("got the faults\n%s\nwant\n%s", strings.Join(r.Faults, "\n"), strings.Join(want, "\n"))
	}
	if r.Right != (Count{2, 3}) || r.Rejected != (Count{2, 3}) || r.Own != (Count{1, 3}) ||
		r.Mutants() != (Count{11, 14}) || r.Equivalent != 1 {
		t.Errorf("the counts are right=%v, rejected=%v, own message=%v, mutants=%v, equivalent=%d; want 2/3, 2/3, 1/3, 11/14 and 1",
			r.Right, r.Rejected, r.Own, r.Mutants(), r.Equivalent)
	}
	survivors := []string{"Area: return a * b → return b", "Area: return a * b → return a",
		"Area: return a * b → return a / b"}
	if got := r.Survivors(); !slices.Equal(got, survivors) {
		t.Errorf("the mutants %q survive, want %q", got, survivors)
	}
	if r.Seconds <= 0 || r.Peak < 1<<20 {
		t.Errorf("the check costs %g s and %d bytes, want more than 0 s and at least 1 MiB", r.Seconds, r.Peak)
	}
	// CheckSteps must reject this mutant of the step's function.
	i := slices.IndexFunc(r.Fates, func(f Fate) bool { return f.Mutant == "Square: return s * s → return 2*(s * s)" })
	if i < 0 || r.Fates[i].Fate != Killed || r.Fates[i].How != "Wrong square" {
		t.Errorf("got the fates %+v, want the mutant of Square killed with “Wrong square”", r.Fates)
	}
	i = slices.IndexFunc(r.Fates, func(f Fate) bool { return f.Fate == Equivalent })
	if i < 0 || r.Fates[i] != (Fate{"Square: s := a → s := -a", Equivalent, "The sign is lost in the product."}) {
		t.Errorf("got the fates %+v, want the mutant s := -a of Square as equivalent, with the reason “The sign is lost in the product.”", r.Fates)
	}
}

// TestSpread checks which mutants the judge selects if there are too many mutants. The judge must
// select the permitted number of mutants at equal distances in the list, and also every mutant that
// check_test.go lists. The row of the exercise must say that not all mutants were judged.
func TestSpread(t *testing.T) {
	r := judgeFolders(t, Options{Jobs: 2, Most: 4}, red).Exercises[0]
	// The option Most selects 4 mutants, and check_test.go names 3 of the 15 mutants. Of these 3
	// mutants, 2 are also among the 4 selected mutants, so the judge must judge 5 mutants in all.
	if r.Made != 15 || r.Judged != 5 {
		t.Errorf("the judge judged %d of %d mutants, want 5 of 15", r.Judged, r.Made)
	}
	var b strings.Builder
	r.WriteRow(&b)
	if !strings.Contains(b.String(), "(5 of 15 mutants)") {
		t.Errorf("the row does not say that only 5 of 15 mutants were judged: %s", &b)
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
		t.Errorf("spread selects the mutants %s, want adgj", names)
	}
}

// TestEventsOfTests checks the failures that readEvents finds in packages whose tests fail, do not
// compile, or panic before they start. It also checks that a wrong answer with an incomplete report
// counts as a fault of the exercise.
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
		t.Fatalf("got %d finished packages (error %v), want 4", seen, err)
	}
	for pkg, want := range map[string]string{"m/a": "TestX/one", "m/b": "b_test.go:3:1: syntax error",
		"m/c": "panic: init", "m/d": ""} {
		if got := strings.Join(failures[pkg], "|"); got != want {
			t.Errorf("%s: got the failures %q, want %q", pkg, got, want)
		}
	}
	if _, _, err := readEvents([]byte("FAIL m/a\n")); err == nil {
		t.Error("readEvents returns no error for output that is not JSON")
	}
	f := combineRecords("m",
		[]record{{Kind: "wrong", Exercise: "m", Complete: false, Test: "T"}, {Kind: "right", Exercise: "other"}}, nil)
	if f.rejected != (Count{0, 1}) || f.right != (Count{}) ||
		!slices.Contains(f.faults, "a wrong answer is not rejected: T") {
		t.Errorf("for an incomplete report, got %+v, want no right form, and one wrong answer with the fault that it is not rejected", f)
	}
}

// TestReferenceThatIsNotRight checks that the judge reports a fault if the reference answer is not
// right, for example because its process died. In this case, killed mutants prove nothing about the
// check, because they may be killed for the same reason as the reference answer. The judge must also
// report a fault if there are no mutants.
func TestReferenceThatIsNotRight(t *testing.T) {
	e := must.Get(exercise.Load(os.DirFS(moduleRoot), red))(t)
	tr := &subject{exercise: e}
	tr.reference.Died = "exit status 2"
	r := tr.combine(testCounts{})
	must.Contain(t, strings.Join(r.Faults, "\n"), "the reference answer is not right: died: exit status 2",
		"no mutant can be made from the reference answer")
}

// A sum is the body of the function Sum in an answer to the fixture ex07. The other functions of
// this answer are right.
type sum string

func (s sum) Suffixed(suffix string) string {
	return strings.NewReplacer("_S", suffix, "BODY", string(s)).Replace(
		"func Halve_S(x []float64, by ex07.Scale) []float64 { return []float64{2} }\n" +
			"func Mean_S(x *mat.Dense) float64 { return 2 }\nfunc Sum_S(x []float64) float64 { BODY }")
}

func (s sum) Needs() []cell.Import {
	list := []cell.Import{{Path: "gonum.org/v1/gonum/mat"}, {Path: cell.HyperplaneModule + "/" + good}}
	if strings.Contains(string(s), "os.") {
		list = append(list, cell.Import{Path: "os"})
	}
	return list
}

// TestSpoiledProcess judges several mutants. One changes something that later answers in the same process
// use, and one ends the process. Each mutant must get the same outcomes as in a process of its own.
func TestSpoiledProcess(t *testing.T) {
	const right = `if os.Getenv("SPOILED") != "" { return 4 }; return 3`
	e := must.Get(exercise.Load(os.DirFS(moduleRoot), good))(t)
	texts := []trial.Suffixer{sum(right), sum("return 4"), sum(`os.Setenv("SPOILED", "1"); return 4`), sum(right),
		sum("os.Exit(0); return 3"), sum("return 3")}
	program := must.Get(trial.Build(t.Context(), moduleRoot, []trial.Bundle{{Exercise: e, Texts: texts}}))(t)
	defer program.Close()
	s := &subject{exercise: e, mutants: make([]mutant.Mutant, len(texts)-1), judged: make([]trial.Judgement, len(texts)-1)}
	s.reference = must.Get(program.Judge(t.Context(), 0, 0, trial.Limits{}))(t)
	must.Do(t, s.judge(t.Context(), program, 0, 0))
	for k, want := range []string{"Right Right Wrong", "Right Right Wrong", "Right Right Right", "died: ", "Right Right Right"} {
		if got := s.judged[k].Outcomes(); !strings.HasPrefix(got, want) {
			t.Errorf("text %d has the outcomes %s, want outcomes that begin with %s", k+1, got, want)
		}
	}
}

func TestInOrder(t *testing.T) {
	subjects := make([]*subject, 20)
	var done [20]atomic.Int32
	for i := range subjects {
		subjects[i] = &subject{mutants: make([]mutant.Mutant, i%4*portion)}
	}
	next := 0
	err := inOrder(t.Context(), 3, subjects, func(_ context.Context, i, _ int) error {
		done[i].Add(1)
		return nil
	}, func(i int) {
		if i != next || int(done[i].Load()) != i%4 {
			t.Errorf("inOrder reported subject %d with %d of %d portions judged, want subject %d with all portions judged", i, done[i].Load(), i%4, next)
		}
		next++
	})
	if err != nil || next != 20 {
		t.Errorf("inOrder reported %d subjects (error %v), want 20", next, err)
	}
	failure := errors.New("no process")
	err = inOrder(t.Context(), 3, subjects, func(_ context.Context, i, _ int) error {
		if i == 5 {
			return failure
		}
		return nil
	}, func(i int) {
		if i >= 5 {
			t.Errorf("inOrder reported subject %d in spite of an error", i)
		}
	})
	if !errors.Is(err, failure) {
		t.Errorf("got the error %v, want the error that judgePortion returned", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := inOrder(ctx, 3, subjects, func(context.Context, int, int) error {
		t.Error("inOrder calls judgePortion although the context has ended")
		return nil
	},
		func(int) { t.Error("inOrder calls report although the context has ended") }); !errors.Is(err, context.Canceled) {
		t.Errorf("got the error %v, want context.Canceled", err)
	}
}

// TestEveryEquivalentFile checks that the list of equivalent mutants in every exercise gives a
// reason for every entry. The test does not check that the mutants really are equivalent; the
// command judge does this.
func TestEveryEquivalentFile(t *testing.T) {
	for _, e := range catalog.Content.Entries {
		_, faults, err := readEquivalents(os.DirFS(moduleRoot), e.Dir())
		if err != nil || len(faults) > 0 {
			t.Errorf("%s: got the faults %q and the error %v, want no faults and no error", e.Dir(), faults, err)
		}
	}
}

func TestParseEquivalents(t *testing.T) {
	const text = `# A comment.
F: a → b
    Because
	of this.
# A comment between.
F: c → d
F: e → f #2
    Both for one reason.

F: g → h

    Nothing stands above.
F: a → b
    Twice.
F: i → j
    # not the reason`
	list, faults := parseEquivalents("x/check_test.go", text)
	var got []string
	for _, q := range list {
		got = append(got, q.name+" | "+q.reason)
	}
	want := []string{"F: a → b | Because of this.", "F: c → d | Both for one reason.",
		"F: e → f #2 | Both for one reason.", "F: g → h | ", "F: i → j | "}
	if !slices.Equal(got, want) {
		t.Errorf("got the entries\n%q\nwant\n%q", got, want)
	}
	wantFaults := []string{
		"x/check_test.go:10: give a reason why this mutant is right; write it below, indented: F: g → h",
		"x/check_test.go:12: a reason without a mutant above it: Nothing stands above.",
		"x/check_test.go:13: this mutant is listed twice: F: a → b",
		"x/check_test.go:14: a reason without a mutant above it: Twice.",
		"x/check_test.go:15: give a reason why this mutant is right; write it below, indented: F: i → j",
	}
	if !slices.Equal(faults, wantFaults) {
		t.Errorf("got the faults\n%q\nwant\n%q", faults, wantFaults)
	}
}

func TestNoEquivalents(t *testing.T) {
	if list, faults, err := readEquivalents(fstest.MapFS{}, "x"); len(list)+len(faults) > 0 || err != nil {
		t.Errorf("for a missing file, got the entries %v, the faults %v and the error %v, want none of them", list, faults, err)
	}
	file := func(text string) fstest.MapFS { return fstest.MapFS{"x/check_test.go": {Data: []byte(text)}} }
	if list, faults, err := readEquivalents(file("package x_test\n\n// Equivalent mutants\n"), "x"); len(list)+len(faults) > 0 || err != nil {
		t.Errorf("for a file without the comment, got the entries %v, the faults %v and the error %v, want none of them", list, faults, err)
	}
	if list, faults,
		err := readEquivalents(file("package x_test\n\n/*\nEquivalent mutants\n\nF: a → b\n    Why.\nF: c → d\n*/\nvar x = 1\n"), "x"); len(list) != 2 || list[0].reason != "Why." || list[0].line != 6 || len(faults) != 1 || err != nil {
		t.Errorf("for two entries, one without a reason, got the entries %+v, the faults %v and the error %v; want 2 entries, 1 fault and no error",
			list, faults, err)
	}
	if _, _, err := readEquivalents(fstest.MapFS{"x/check_test.go/y": {}}, "x"); err == nil {
		t.Error("readEquivalents returns no error for a folder in place of the file")
	}
}

func TestTable(t *testing.T) {
	s := &Summary{[]*Result{
		{ID: "prml-4.1", Right: Count{4, 4}, Rejected: Count{5, 5}, Own: Count{5, 5}, Made: 10, Judged: 10, Killed: 8,
			Equivalent: 2, Seconds: 0.0123, Peak: 12.3e6,
			Fates: []Fate{{"F: a → b", Killed, "Wrong sign"}}},
		{ID: "alpaydin-10.1", Right: Count{3, 4}, Rejected: Count{4, 5}, Own: Count{3, 5}, Made: 300, Judged: 200,
			Killed: 199, Seconds: 1.5, Peak: 150e6,
			Faults: []string{"unexplained surviving mutants: 1 of 200"},
			Fates:  []Fate{{"F: a → b", Survived, ""}, {"F: c → d", Killed, "Crashed panic"}}},
	}}
	var b strings.Builder
	WriteHead(&b)
	for _, r := range s.Exercises {
		r.WriteRow(&b)
	}
	s.WriteFaults(&b, false)
	s.WriteTotals(&b)
	const want = `                    right     wrong    with own   mutants equivalent  time per   memory
exercise         accepted  rejected     message    killed  explained     check         
prml-4.1              4/4       5/5         5/5       8/8          2   12.3 ms    12 MB
alpaydin-10.1         3/4       4/5         3/5   199/200          0 1500.0 ms   150 MB  (200 of 300 mutants)  RED

alpaydin-10.1
  unexplained surviving mutants: 1 of 200
    F: a → b
2 exercises, 1 red: right forms accepted 7/8, wrong answers rejected 9/10, with their own message 8/10, mutants killed 207/208 (2 equivalent, explained); the longest check takes 1500 ms, the largest 150 MB
`
	if b.String() != want {
		t.Errorf("got the table\n%s\nwant\n%s", &b, want)
	}
	b.Reset()
	s.WriteFaults(&b, true)
	const verbose = `
prml-4.1
    killed     F: a → b  (Wrong sign)

alpaydin-10.1
  unexplained surviving mutants: 1 of 200
    survived   F: a → b
    killed     F: c → d  (Crashed panic)
`
	if b.String() != verbose {
		t.Errorf("got the verbose table\n%s\nwant\n%s", &b, verbose)
	}
}
