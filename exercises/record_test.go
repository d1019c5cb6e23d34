package exercises

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/seed"
	"github.com/hyperplane-notebooks/hyperplane/exercises/progress"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// exerciseCount is the number of exercises, as text.
var exerciseCount = strconv.Itoa(len(Entries()))

// asNotebook makes the test record progress in a new folder, as a notebook does. Until the test ends,
// the function `display` appends its line to `lines` instead of showing it.
func asNotebook(t *testing.T) (e *Exercise, file progress.File, lines *[]string) {
	t.Helper()
	t.Setenv(headlessVariable, "")
	t.Setenv(progress.Variable, "")
	dir, err := filepath.EvalSymlinks(t.TempDir())
	requireNoError(t, err)
	t.Chdir(dir)
	lines = new([]string)
	shownLines = sync.Map{}
	wasRecording, wasDisplay := isRecording, display
	isRecording = func() bool { return !headless() }
	display = func(line string) { *lines = append(*lines, line) }
	t.Cleanup(func() { isRecording, display = wasRecording, wasDisplay })
	text := strings.ReplaceAll(good, "prml-4.99", "prml-4.25") // the id must belong to an existing exercise
	return MustParse("x", folder(text, "package x\n")), progress.File{Path: filepath.Join(dir, progress.Name)}, lines
}

func recorded(t *testing.T, f progress.File, e *Exercise) *progress.Record {
	t.Helper()
	p, err := f.Read()
	requireNoError(t, err)
	return p.Peek(e.ID)
}

// requireNoError fails the test at once if one of errs is not nil.
func requireNoError(t *testing.T, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

func part(judge func() verify.Verdict) verify.Part { return verify.Part{Name: "part", Judge: judge} }

var (
	right = part(func() verify.Verdict { return verify.Pass("fine") })
	wrong = part(func() verify.Verdict { return verify.Fail("key", 1, "not so") })
	stub  = part(func() verify.Verdict { panic(verify.TODO) })
)

func TestTriesAreRecorded(t *testing.T) {
	e, f, lines := asNotebook(t)
	for i, tt := range []struct {
		parts []verify.Part
		state progress.State
		tries int
		last  string
	}{
		{[]verify.Part{stub, stub}, progress.NotBegun, 0, ""},
		{[]verify.Part{stub, wrong}, progress.Tried, 1, "0 of 2 right"},
		{[]verify.Part{right, wrong}, progress.Tried, 2, "1 of 2 right"},
		{[]verify.Part{stub, stub}, progress.Tried, 2, "1 of 2 right"},
		{[]verify.Part{right, right}, progress.Passed, 3, "2 of 2 right"},
		{[]verify.Part{wrong, right}, progress.Passed, 4, "1 of 2 right"},
		{[]verify.Part{stub, stub}, progress.Passed, 4, "1 of 2 right"},
	} {
		e.Judge(tt.parts...)
		if r := recorded(t, f, e); r.State() != tt.state || r.Answer.Tries != tt.tries ||
			r.Answer.Last.String() != tt.last || r.Steps != nil {
			t.Errorf("check %d: got the state %s, %d tries, the last result %q and the steps %+v; want the state %s, %d tries, the last result %q and the steps <nil>", i, r.State(),
				r.Answer.Tries, r.Answer.Last, r.Steps, tt.state, tt.tries, tt.last)
		}
	}
	if len(*lines) != 2 || recorded(t, f, e).Answer.PassedAfter != 3 {
		t.Errorf("after two repeated mistakes: got %d tries up to the first pass and the lines %q, want 3 and two lines",
			recorded(t, f, e).Answer.PassedAfter, *lines)
	}
}

// TestRepeatedMistakes checks the line that a learner sees after making the same mistake again. If
// there is a hint to read, the line must name it. From the third occurrence on, the line must also
// list the parts that changed since the previous try.
func TestRepeatedMistakes(t *testing.T) {
	e, f, lines := asNotebook(t)
	fails := func(key string, hint int) verify.Part {
		return part(func() verify.Verdict { return verify.Fail(key, hint, "not so") })
	}
	panics := part(func() verify.Verdict { panic("broken") })
	for i, tt := range []struct {
		hints []int // numbers of the hints that the learner reads before the try
		parts []verify.Part
		want  string
	}{
		{nil, []verify.Part{right, fails("sign", 2), right}, ""},
		{nil, []verify.Part{right, fails("scale", 2), right}, ""},
		{nil, []verify.Part{right, fails("sign", 2), right},
			"Your answer had the mistake of part 2 in 2 of your last 3 tries. Read hint 2: ex25.Hint(2)."},
		{[]int{2}, []verify.Part{fails("scale", 0), fails("sign", 2), right},
			"Your answer had the mistake of part 1 in 2 of your last 4 tries. Read the next hint, number 1: ex25.Hint(1)."},
		{nil, []verify.Part{right, fails("sign", 2), panics},
			"Your answer had the mistake of part 2 in 4 of your last 5 tries. Read the next hint, number 1: ex25.Hint(1). " +
				"Since the previous try, part 1 is now right, and part 3 is now wrong."},
		{[]int{1}, []verify.Part{right, fails("sign", 2), panics},
			"Your answer had the mistake of part 2 in 5 of your last 6 tries. Read hint 2 again: ex25.Hint(2). " +
				"Since the previous try, no part has changed: the same parts are right."},
		// two panics need not have the same cause, so they do not count as a repeated mistake
		{nil, []verify.Part{right, panics, panics}, ""},
		{nil, []verify.Part{right, right, right}, ""},
		{nil, []verify.Part{fails("sign", 0), fails("sign", 0), right},
			"Your answer had the mistake of part 1 in 6 of your last 9 tries. " +
				"Since the previous try, parts 1 and 2 are now wrong."},
	} {
		for _, n := range tt.hints {
			e.Hint(n)
		}
		*lines = nil
		e.Judge(tt.parts...)
		if got := strings.Join(*lines, "|"); got != tt.want {
			t.Errorf("try %d: got the line %q, want %q", i+1, got, tt.want)
		}
	}
	// For a different seed the exercise has a separate record, so the first mistake is not a
	// repetition.
	defer seed.Set(seed.Set(7))
	*lines = nil
	e.Judge(fails("sign", 2))
	p, err := f.Read()
	requireNoError(t, err)
	if own := p.Peek(e.ID + ":7"); len(*lines) > 0 || own.Answer.Tries != 1 || p.Peek(e.ID).Answer.Tries != 9 {
		t.Errorf("got the lines %q, %d tries for seed 7 and %d tries for seed 0; want no line, 1 try for seed 7, and still 9 tries for seed 0", *lines, own.Answer.Tries, p.Peek(e.ID).Answer.Tries)
	}
}

// TestDispute checks the text that a learner uses to report a wrong verdict. Only a notebook may
// offer the text, and only after an answer was judged.
func TestDispute(t *testing.T) {
	e, _, _ := asNotebook(t)
	var page string
	saved := showFolded
	showFolded = func(html, _ string) { page += html }
	t.Cleanup(func() { showFolded = saved })
	ours := wrong
	ours.Of = []string{"Half", "Twice"}
	e.Judge(ours) // as in a web page: without GONB_TMP_DIR, Judge offers no text
	dir := t.TempDir()
	t.Setenv("GONB_TMP_DIR", dir)
	e.Judge(stub)
	if page != "" {
		t.Errorf("in a web page or after a stub: got the text %s, want no text", page)
	}
	const source = "package main\n\nfunc Twice(x float64) float64 {\n\tif x < 1 {\n\t\treturn 0\n\t}\n\treturn 2 * x\n}\n"
	requireNoError(t, os.WriteFile(filepath.Join(dir, "main.go"), []byte(source), 0o600))
	e.Judge(ours)
	if !strings.Contains(page, "(paste the cell with your answer here)") {
		t.Errorf("if main.go lacks the function Half, the text must ask the learner to paste the answer, got: %s", page)
	}
	page = ""
	const second = "\nfunc Half(x float64) float64 { return x / 2\n}\n"
	requireNoError(t, os.WriteFile(filepath.Join(dir, "main.go"), []byte(source+second), 0o600))
	e.Judge(ours)
	for _, want := range []string{"<details>", "Exercise: prml-4.25, seed 0\nVersion: ",
		"func Half(x float64) float64 { return x / 2\n}\n\nfunc Twice(x float64) float64 {\n\tif x &lt; 1 {",
		"return 2 * x\n}\n\nReport:\n\nprml-4.25 · ",
		"not passed: 0 of 1 parts right"} {
		if !strings.Contains(page, want) {
			t.Errorf("the text lacks %q:\n%s", want, page)
		}
	}
}

// TestOldVersionsAreNotJudged checks that Judge does not call a function if the cell that defines
// the function did not compile. GoNB would call the previous version of the function.
func TestOldVersionsAreNotJudged(t *testing.T) {
	e, f, _ := asNotebook(t)
	dir := t.TempDir()
	t.Setenv("GONB_TMP_DIR", dir)
	partOf := func(p verify.Part, functions ...string) verify.Part {
		p.Of = functions
		return p
	}
	for _, tt := range []struct {
		uncompiled string
		tries      int
		want       string
	}{
		{"", 1, "not so"},
		{"Logit", 1, "Logit is still the version from before"},
		{"Explore\nLogit\nSigmoid", 1, "Logit, Sigmoid are still the versions from before"},
		{"Explore", 2, "not so"},
	} {
		requireNoError(t, os.WriteFile(filepath.Join(dir, "uncompiled"), []byte(tt.uncompiled), 0o600))
		report := e.Judge(partOf(wrong, "Sigmoid"), partOf(right, "Logit", "Sigmoid"))
		if r := recorded(t, f, e); r.Answer.Tries != tt.tries || !strings.Contains(report.String(), tt.want) {
			t.Errorf("uncompiled functions %q: got %d tries, want %d, and want %q in the report\n%s", tt.uncompiled, r.Answer.Tries, tt.tries, tt.want, report)
		}
		if judged := report.Count(verify.NotRun) == 0; judged == strings.Contains(tt.want, "before") {
			t.Errorf("uncompiled functions %q: all parts were judged: %t, want the opposite\n%s", tt.uncompiled, judged, report)
		}
	}
}

// TestBegunBeforeJudged checks that Judge writes a try to disk before it calls the learner's code,
// because that code may end the program.
func TestBegunBeforeJudged(t *testing.T) {
	e, f, _ := asNotebook(t)
	e.Judge(part(func() verify.Verdict {
		if r := recorded(t, f, e); r.State() != progress.Tried || r.Answer.Last.String() != "not finished" {
			t.Errorf("while the answer is judged: got the state %s and the last result %q, want tried and not finished", r.State(), r.Answer.Last)
		}
		return verify.Pass("")
	}))
}

func TestStepsAreRecordedApart(t *testing.T) {
	e, f, _ := asNotebook(t)
	e.JudgeSteps(stub)
	if text, err := os.ReadFile(f.Path); err != nil || strings.Contains(string(text), e.ID) {
		t.Errorf("after JudgeSteps judged a stub: the file contains %s (error %v), want no record of %s", text, err, e.ID)
	}
	e.JudgeSteps(right, wrong)
	e.JudgeSteps(right)
	r := recorded(t, f, e)
	if r.State() != progress.NotBegun || r.Answer.Tries != 0 || !r.Steps.Passed || r.Steps.Tries != 2 {
		t.Errorf("got the record %+v with the steps %+v, want only two tries at the steps, one of them passed", r, r.Steps)
	}
}

func TestHintsAreRecorded(t *testing.T) {
	e, f, _ := asNotebook(t)
	for _, n := range []int{2, 0, 3, 1, 2} {
		e.Hint(n)
	}
	if r := recorded(t, f, e); !slices.Equal(r.Hints, []int{1, 2}) || r.State() != progress.NotBegun {
		t.Errorf("got the hints %v and the state %s, want hints 1 and 2 and not begun", r.Hints, r.State())
	}
}

func TestSolutionOffersTheHintsFirst(t *testing.T) {
	const counts, offered = "now counts as *revealed*", "run this cell again"
	for _, tt := range []struct {
		name   string
		before func(e *Exercise)
		first  string // text in the first line that the first call of Solution shows
		second string
		state  progress.State
	}{
		{"at once", func(*Exercise) {}, "Hints 1 and 2 are still unseen (of 2); `ex25.Hint(1)`", counts,
			progress.Revealed},
		{"one hint left", func(e *Exercise) { e.Hint(1) }, "Hint 2 is still unseen (of 2); `ex25.Hint(2)`", counts,
			progress.Revealed},
		{"tried, and no hint left", func(e *Exercise) { e.Judge(wrong); e.Hint(2); e.Hint(1) }, counts, counts, progress.Revealed},
		{"not tried, and no hint left", func(e *Exercise) { e.Hint(1); e.Hint(2) }, "try an answer of your own", counts,
			progress.Revealed},
		{"tried, and hints left", func(e *Exercise) { e.Judge(wrong) }, offered, counts, progress.Revealed},
		{"passed", func(e *Exercise) { e.Judge(right) }, "had passed", "had passed", progress.Passed},
		{"passed after the offer", func(e *Exercise) { e.Solution(); e.Judge(right) }, "had passed", "had passed",
			progress.Passed},
		{"passed after it was revealed", func(e *Exercise) { e.Solution(); e.Solution(); e.Judge(right) },
			"was revealed before that", "was revealed before that", progress.Passed},
	} {
		t.Run(tt.name, func(t *testing.T) {
			e, f, _ := asNotebook(t)
			tt.before(e)
			for i, want := range []string{tt.first, tt.second} {
				got := e.Solution()
				lead, rest, _ := strings.Cut(got, "\n\n")
				if !strings.Contains(lead, want) || strings.Contains(lead, "\n") {
					t.Errorf("call %d of Solution begins %q, want one line that contains %q", i+1, lead, want)
				}
				if isOffer := strings.Contains(got, offered); isOffer == strings.Contains(rest, "package x") || !isOffer && rest != e.solution() {
					t.Errorf("call %d of Solution: want either an offer without the answer or the whole solution, got\n%s", i+1, got)
				}
			}
			if r := recorded(t, f, e); r.State() != tt.state {
				t.Errorf("got the recorded state %s, want %s", r.State(), tt.state)
			}
		})
	}
}

func TestRunnersRecordNothing(t *testing.T) {
	for name, set := range map[string]func(t *testing.T){
		"below a runner's mark": func(t *testing.T) {
			root := t.TempDir()
			program := filepath.Join(root, "tmp", "cell", "program")
			saved := executable
			executable = func() (string, error) { return program, nil }
			t.Cleanup(func() { executable = saved })
			t.Setenv(headlessVariable, "0") // the mark must count even if the code of a cell sets this variable to 0
			if headless() {
				t.Error("headless returned true without the mark, want false")
			}
			requireNoError(t, os.WriteFile(filepath.Join(root, HeadlessMark), nil, 0o600))
		},
		"nbgrader":           func(t *testing.T) { t.Setenv("NBGRADER_EXECUTION", "autograde") },
		"headless":           func(t *testing.T) { t.Setenv(headlessVariable, "1") },
		"outside a notebook": func(*testing.T) { isRecording = func() bool { return false } },
	} {
		t.Run(name, func(t *testing.T) {
			e, f, _ := asNotebook(t)
			set(t)
			e.Judge(wrong)
			e.JudgeSteps(right)
			e.Hint(1)
			if got := e.Solution(); got != e.solution() || !strings.HasPrefix(got, "## Solution") {
				t.Errorf("want the solution without an offer or a note before it, got\n%s", got)
			}
			if entries, err := os.ReadDir(filepath.Dir(f.Path)); err != nil || len(entries) > 0 {
				t.Errorf("got the files %v (error %v), want no files", entries, err)
			}
		})
	}
}

// TestNothingCanBeRecorded checks what an exercise does if the progress file cannot be written. The
// exercise must report the failure in one line, once per cell. Checks, hints and solutions must
// still work.
func TestNothingCanBeRecorded(t *testing.T) {
	e, f, lines := asNotebook(t)
	// put a folder in place of the file: a read-only file would not stop root from writing
	requireNoError(t, os.Mkdir(f.Path, 0o755))
	if r := e.Judge(right); !r.Passed() {
		t.Errorf("a right answer got the report %s, want a pass", r)
	}
	e.Hint(1)
	for range 2 {
		if got := e.Solution(); !strings.HasPrefix(got, "This exercise counts as *revealed*.\n\n## Solution") {
			t.Errorf("want the solution and, before it, the note that the exercise counts as revealed, got\n%s", got)
		}
	}
	if want := "Your progress is not recorded: " + f.Path + " is a folder, not a file"; len(*lines) != 1 || !strings.HasPrefix((*lines)[0], want) {
		t.Errorf("got the lines %q, want one line that begins %q", *lines, want)
	}
	if got := Progress(); !strings.Contains(got, "0 of "+exerciseCount+" exercises passed") ||
		!strings.Contains(got, "Your progress is unknown: ") {
		t.Errorf("the table begins %.300s, want no passed exercises and a note that the progress is unknown", got)
	}
}

// TestSolutionOfAFileThatCannotBeWritten checks what Solution does if the progress file can be read
// but not written. Solution must still know whether the exercise was passed.
func TestSolutionOfAFileThatCannotBeWritten(t *testing.T) {
	for want, p := range map[string]verify.Part{
		"This exercise counts as *revealed*.\n\n## Solution":                                                      wrong,
		"You had passed this exercise before, so seeing its solution does not change your result.\n\n## Solution": right,
	} {
		e, f, lines := asNotebook(t)
		e.Judge(p)
		lock := filepath.Join(filepath.Dir(f.Path), ".progress.json.lock")
		// a folder in place of the lock file prevents every user, even root, from locking the file
		requireNoError(t, os.Remove(lock), os.Mkdir(lock, 0o755))
		if got := e.Solution(); !strings.HasPrefix(got, want) {
			t.Errorf("the solution begins %.120q, want it to begin %q, as the recorded state requires", got, want)
		}
		if len(*lines) != 1 || !strings.Contains((*lines)[0], "progress.json cannot be written (") {
			t.Errorf("got the lines %q, want one line about a file that cannot be written", *lines)
		}
	}
}

// TestPassIsRecordedAllTheSame checks that a pass is recorded in two cases. In one case the
// beginning of the try was not recorded. In the other case the progress file was broken.
func TestPassIsRecordedAllTheSame(t *testing.T) {
	e, f, lines := asNotebook(t)
	requireNoError(t, os.Mkdir(f.Path, 0o755))
	e.Judge(part(func() verify.Verdict {
		if err := os.Remove(f.Path); err != nil {
			t.Error(err)
		}
		return verify.Pass("")
	}))
	if r := recorded(t, f, e); r.State() != progress.Passed || r.Answer.Tries != 1 || len(*lines) != 1 {
		t.Errorf("got the record %+v and the lines %q, want one passed try and one line", r, *lines)
	}
	requireNoError(t, os.WriteFile(f.Path, []byte(`{"schema": "hyp`), 0o600))
	e.Judge(right)
	if recorded(t, f, e).State() != progress.Passed || len(*lines) != 2 ||
		!strings.Contains((*lines)[1], "renamed to progress.json.broken") {
		t.Errorf("got the state %s and the lines %q, want passed and two lines, the second about the renamed file", recorded(t, f, e).State(), *lines)
	}
}

func TestProgress(t *testing.T) {
	e, f, _ := asNotebook(t)
	if got := Progress(); !strings.HasPrefix(got, "0 of "+exerciseCount+" exercises passed, 0 tried, 0 revealed, "+exerciseCount+" not begun\nThere is no progress.json yet: ") {
		t.Errorf("before the first try: want the table to begin with the counts and a note about the missing file, got\n%.200s", got)
	}
	if _, err := os.Stat(f.Path); err == nil {
		t.Error("Progress created the progress file, want no file before the first check")
	}
	e.Judge(right)
	e.Hint(1)
	requireNoError(t, os.Mkdir("ch4", 0o755))
	t.Chdir("ch4")
	got := Progress()
	for _, want := range []string{"1 of " + exerciseCount + " exercises passed",
		"Stored in " + filepath.Join("..", "progress.json"), "\nPRML, chapter 4\n", "\nAlpaydin, chapter 10\n",
		"✓ passed", "1 try", "hint 1 (of 3)"} {
		if !strings.Contains(got, want) {
			t.Errorf("the table lacks %q:\n%s", want, got)
		}
	}
	if got := Progress("prml-4.25", "none"); !strings.HasPrefix(got, "1 of 1 exercises passed") {
		t.Errorf("want a table of one passed exercise, got %s", got)
	}
	t.Setenv(headlessVariable, "1")
	if got := Progress(); !strings.HasPrefix(got, "0 of "+exerciseCount+" exercises passed") || strings.Contains(got, "Stored in") {
		t.Errorf("headless: want a table without progress and without the path of the file, got\n%.200s", got)
	}
}

// TestStepsAreOptional checks that the report of JudgeSteps is marked as optional, and that the
// report of Judge is not. The title of the exercise must have no influence.
func TestStepsAreOptional(t *testing.T) {
	for _, title := range []string{"A title", "A title (steps)"} {
		e := &Exercise{ID: "prml-4.99", Title: title}
		if answer, steps := e.Judge(right), e.JudgeSteps(right); answer.Optional || !steps.Optional {
			t.Errorf("%q: report of Judge optional: %t, want false; report of JudgeSteps optional: %t, want true", title, answer.Optional, steps.Optional)
		}
	}
}

func TestGuess(t *testing.T) {
	for _, tt := range []struct {
		guess, found float64
		want         string
	}{
		{NoGuess, 3, "mistakes: 3. You made no guess"},
		{3, 3, "mistakes: 3. You said 3, which agrees."},
		{0.3333, 1. / 3, "mistakes: 0.3333. You said 0.3333, which agrees."},
		{0, 0, "mistakes: 0. You said 0, which agrees."},
		{-2, 3, "mistakes: 3. You said -2."},
	} {
		if got := Guess("mistakes", tt.guess, tt.found); !strings.HasPrefix(got, tt.want) {
			t.Errorf("Guess returned %q, want it to begin with %q", got, tt.want)
		}
	}
}

func ExampleGuess() {
	const mine = NoGuess // guess: how many corrections are needed?
	fmt.Println(Guess("corrections", mine, 3)[:15])
	// Output: corrections: 3.
}
