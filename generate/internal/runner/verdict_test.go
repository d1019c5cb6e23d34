package runner

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbformat"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

func stderr(text string) nbformat.Output {
	return nbformat.Output{"output_type": "stream", "name": "stderr", "text": text}
}

func errorOut(value string, trace ...any) nbformat.Output {
	return nbformat.Output{"output_type": "error", "ename": "ERROR", "evalue": value, "traceback": trace}
}

// report returns the output of a check whose parts have the given outcomes.
func report(t *testing.T, exercise string, complete bool, outcomes ...verify.Outcome) nbformat.Output {
	t.Helper()
	r := &verify.Report{Schema: "hyperplane-report/1", Exercise: exercise, Complete: complete}
	for _, o := range outcomes {
		r.Parts = append(r.Parts, verify.Result{Name: "part", Outcome: o})
	}
	var object map[string]any
	must.Do(t, json.Unmarshal(must.Get(json.Marshal(r))(t), &object))
	return nbformat.Output{"output_type": "display_data", "metadata": map[string]any{},
		"data": map[string]any{verify.ReportMIME: object}}
}

// withValue changes one value of the report in an output, and returns the output.
func withValue(o nbformat.Output, key string, value any) nbformat.Output {
	o.Data(verify.ReportMIME).(map[string]any)[key] = value
	return o
}

// stepsReport returns the output of a CheckSteps whose steps have the given outcomes.
func stepsReport(t *testing.T, outcomes ...verify.Outcome) nbformat.Output {
	t.Helper()
	return withValue(report(t, "prml-4.25", true, outcomes...), "optional", true)
}

// TestJudge judges cells with outputs from GoNB 0.11.4 and nbclient 0.7.2, which were shortened for
// this test. In these versions, a failing program produces an error output, but a failing shell
// line or shell cell does not.
func TestJudge(t *testing.T) {
	const right, wrong, notRun, stub = verify.Right, verify.Wrong, verify.NotRun, verify.NotAttempted
	check := map[string]any{"hyperplane": map[string]any{"exercise": "prml-4.25", "role": "check"}}
	expect := func(v Verdict) map[string]any {
		return map[string]any{"hyperplane": map[string]any{"expect": string(v)}}
	}
	rep := func(complete bool, o ...verify.Outcome) []nbformat.Output {
		return []nbformat.Output{report(t, "prml-4.25", complete, o...)}
	}
	compile := errorOut("# gonb_1\n./main.go:10:1: declared and not used: x\n", "# gonb_1",
		"Cell[5]: Line 2\n\nfunc main() {\n}\n")
	tests := []struct {
		name     string
		source   string
		metadata map[string]any
		stopped  string
		outputs  []nbformat.Output
		want     Verdict
		detail   string
		expected bool // true if the cell fails as the notebook expects, so that the notebook may pass
		optional bool
		noLesson bool
	}{
		{name: "nothing", want: OK},
		{name: "warning on stderr", outputs: []nbformat.Output{stderr("panic: not really, only a log line\n")},
			want: OK},
		{name: "panic",
			outputs: []nbformat.Output{stderr("panic: "), stderr("boom\n\ngoroutine 1 [running]:\n"),
				stderr("exit status 2\n"), errorOut("exit status 2")},
			want: Panicked, detail: "panic: boom"},
		{name: "printed text that looks like a panic",
			outputs: []nbformat.Output{stderr("panic: boom\n\ngoroutine 1 [running]:\nexit status 2\n")}, want: OK},
		{name: "deadlock",
			outputs: []nbformat.Output{stderr("fatal error: all goroutines are asleep - deadlock!\nexit status 2\n"),
				errorOut("exit status 2")},
			want: Panicked, detail: "deadlock"},
		{name: "os.Exit(3)", outputs: []nbformat.Output{stderr("exit status 3\n"), errorOut("exit status 3")},
			want: Exited, detail: "exit status 3"},
		{name: "error without stderr", outputs: []nbformat.Output{errorOut("exit status 3")}, want: Exited,
			detail: "exit status 3"},
		{name: "signal", outputs: []nbformat.Output{stderr("signal: killed\n"), errorOut("signal: killed")},
			want: Exited, detail: "signal: killed"},
		{name: "printed text that looks like an exit", outputs: []nbformat.Output{stderr("exit status 1\n")}, want: OK},
		{name: "right answer whose output looks like an exit", metadata: check, source: "%%\nex25.Check(f)",
			outputs: append(rep(true, right), stderr("signal: killed\nexit status 1\n")), want: Passed},
		{name: "unused variable", outputs: []nbformat.Output{compile}, want: CompileError,
			detail: "Cell[5]: Line 2: declared and not used: x"},
		{name: "syntax", outputs: []nbformat.Output{errorOut("/tmp/gonb_1/main.go:3:14: expected ')', found '{'")},
			want: CompileError, detail: "expected ')', found '{'"},
		{name: "unknown error", outputs: []nbformat.Output{errorOut("something new")}, want: CompileError,
			detail: "something new"},
		{name: "shell line", source: "!false", outputs: []nbformat.Output{stderr("exit status 1\n")}, want: ShellFailed,
			detail: "exit status 1"},
		{name: "shell line after GoNB's comment", source: "x := 1\n//gonb:!false",
			outputs: []nbformat.Output{stderr("exit status 1\n")}, want: ShellFailed},
		{name: "shell cell", source: "%%bash\nfalse", outputs: []nbformat.Output{stderr("exit status 1\n")},
			want: ShellFailed},
		{name: "script", source: "%%script sh -e\nfalse", outputs: []nbformat.Output{stderr("exit status 1\n")},
			want: ShellFailed},
		{name: "negation at the start of an indented line of Go", source: "ok := x &&\n\t!y",
			outputs: []nbformat.Output{stderr("exit status 1\n")}, want: OK},
		{name: "exit in a cell with a shell line", source: "!true",
			outputs: []nbformat.Output{stderr("exit status 4\n"), errorOut("exit status 4")}, want: Exited},
		{name: "unknown command", source: "%nosuch",
			outputs: []nbformat.Output{stderr(`"%nosuch" unknown or not implemented yet.`)}, want: ShellFailed,
			detail: "%nosuch"},
		{name: "time-out", stopped: stoppedTimeout,
			outputs: []nbformat.Output{stderr("signal: interrupt\n"), errorOut("signal: interrupt")}, want: TimedOut},
		{name: "stuck", stopped: stoppedStuck, want: TimedOut,
			detail: "the cell ignored the interrupt at the time limit"},
		{name: "messages lost", stopped: stoppedLost, metadata: check, outputs: rep(false, right, notRun),
			want: TooMuchOutput, detail: "was lost"},
		{name: "output limit", stopped: stoppedOutput, want: TooMuchOutput},
		{name: "kernel ended", stopped: stoppedDead, metadata: check, outputs: rep(true, right), want: KernelDied},
		{name: "passed", metadata: check, outputs: rep(true, right, right), want: Passed},
		{name: "passed, check without metadata", source: "ex25.Check(f)", outputs: rep(true, right), want: Passed},
		{name: "report in a cell that is not marked as a check", outputs: rep(true, wrong), want: NotPassed},
		{name: "stub", metadata: check, outputs: rep(true, stub, stub), want: NotPassed, detail: "not attempted yet"},
		{name: "one wrong", metadata: check, outputs: rep(true, right, wrong), want: NotPassed,
			detail: "1 of 2 parts right"},
		{name: "no parts", metadata: check, outputs: rep(true), want: NotPassed},
		{name: "no report", metadata: check, want: NoVerdict},
		{name: "no report, check recognized by its call", source: "%%\nex25.CheckSteps(f)", want: NoVerdict},
		{name: "left half-way", metadata: check, outputs: rep(false, right, notRun), want: Exited, detail: "os.Exit"},
		{name: "incomplete report with only right parts", metadata: check, outputs: rep(false, right), want: Exited},
		{name: "passed, then a panic", metadata: check,
			outputs: append(rep(true, right), stderr("panic: x\nexit status 2\n"), errorOut("exit status 2")),
			want:    Panicked},
		{name: "right, then wrong", metadata: check, outputs: append(rep(true, right), rep(true, wrong)...),
			want: NotPassed},
		{name: "wrong, then right", metadata: check, outputs: append(rep(true, wrong), rep(true, right)...),
			want: NotPassed, detail: "0 of 1 parts right"},
		{name: "right twice", metadata: check, outputs: append(rep(true, right), rep(true, right)...), want: Passed},
		{name: "incomplete report, then a complete report", metadata: check,
			outputs: append(rep(false, right, notRun), rep(true, right, right)...), want: Exited, detail: "os.Exit"},
		{name: "complete report, then an incomplete report", metadata: check,
			outputs: append(rep(true, right, right), rep(false, right, notRun)...), want: Exited, detail: "os.Exit"},
		{name: "wrong steps, then right steps", metadata: check,
			outputs: []nbformat.Output{stepsReport(t, wrong), stepsReport(t, right)}, want: NotPassed, optional: true},
		{name: "two reports with steps left alone", metadata: check,
			outputs: []nbformat.Output{stepsReport(t, stub), stepsReport(t, right, stub)}, want: OK,
			detail: "optional steps"},
		{name: "report of another exercise", metadata: check,
			outputs: []nbformat.Output{report(t, "prml-4.2", true, right)}, want: Mismatch,
			detail: "for exercise prml-4.2, not for prml-4.25"},
		{name: "reports on a different exercise and on the right exercise", metadata: check,
			outputs: append(rep(true, right), report(t, "prml-4.2", true, right)), want: Mismatch},
		{name: "check whose metadata name no exercise", metadata: map[string]any{"hyperplane": map[string]any{"role": "check"}},
			outputs: rep(true, right), want: Passed},
		{name: "two exercises, one wrong",
			outputs: append([]nbformat.Output{report(t, "prml-4.2", true, wrong)}, rep(true, right)...),
			want:    NotPassed},
		{name: "title that looks like optional steps", metadata: check,
			outputs: []nbformat.Output{withValue(report(t, "prml-4.25", true, wrong), "title", "Three (steps)")},
			want:    NotPassed, detail: "not passed: 0 of 1"},
		{name: "steps right", metadata: check, outputs: []nbformat.Output{stepsReport(t, right, right)}, want: Passed},
		{name: "steps left alone", metadata: check, outputs: []nbformat.Output{stepsReport(t, stub, stub)}, want: OK,
			detail: "optional steps: not attempted yet"},
		{name: "half of the steps", metadata: check, outputs: []nbformat.Output{stepsReport(t, right, stub)}, want: OK,
			detail: "optional steps"},
		{name: "a step wrong", metadata: check,
			outputs: []nbformat.Output{stepsReport(t, wrong, stub)}, want: NotPassed,
			detail: "optional steps: not passed", optional: true},
		{name: "a step crashed", metadata: check, outputs: []nbformat.Output{stepsReport(t, verify.Crashed, right)},
			want: NotPassed, optional: true},
		{name: "right answer and wrong step in one cell", metadata: check,
			outputs: append(rep(true, right), stepsReport(t, wrong)), want: NotPassed, detail: "optional steps",
			optional: true},
		{name: "wrong step and wrong answer in one cell", metadata: check,
			outputs: append([]nbformat.Output{stepsReport(t, wrong)}, rep(true, right, wrong)...), want: NotPassed,
			detail: "not passed: 1 of 2"},
		{name: "wrong step and an unreadable report", metadata: check,
			outputs: []nbformat.Output{stepsReport(t, wrong),
				{"output_type": "display_data", "data": map[string]any{verify.ReportMIME: "Passed"}}}, want: NotPassed},
		{name: "wrong step although Passed is expected", metadata: expect(Passed),
			outputs: []nbformat.Output{stepsReport(t, wrong)}, want: NotPassed, detail: "expects Passed"},
		{name: "wrong step, then the program ends", metadata: check,
			outputs: []nbformat.Output{stepsReport(t, wrong), stderr("exit status 3\n"), errorOut("exit status 3")},
			want:    Exited},
		{name: "right answer, steps not attempted, in one cell", metadata: check,
			outputs: append(rep(true, right), stepsReport(t, stub)), want: Passed},
		{name: "wrong answer and right steps in one cell", metadata: check,
			outputs: append(rep(true, wrong), stepsReport(t, right)), want: NotPassed},
		{name: "stub, steps not attempted, in one cell", metadata: check,
			outputs: append(rep(true, stub), stepsReport(t, stub)), want: NotPassed},
		{name: "unreadable report",
			outputs: []nbformat.Output{{"output_type": "display_data",
				"data": map[string]any{verify.ReportMIME: "Passed"}}}, want: NoVerdict, detail: "cannot be read"},
		{name: "expected compile error", metadata: expect(CompileError), outputs: []nbformat.Output{compile},
			want: CompileError, expected: true},
		{name: "wrong answer, as the lesson expects", metadata: expect(NotPassed), outputs: rep(true, wrong),
			want:     NotPassed,
			expected: true},
		{name: "wrong answer that only a lesson may expect", noLesson: true, metadata: expect(NotPassed),
			outputs: rep(true, wrong), want: NotPassed, detail: "not passed"},
		{name: "no error although an error is expected", metadata: expect(CompileError), want: NotPassed,
			detail: "expects CompileError here, found OK"},
		{name: "different error than expected", metadata: expect(Panicked), outputs: []nbformat.Output{compile},
			want: CompileError, detail: "expects Panicked"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			cell := &nbformat.Cell{Type: nbformat.Code, ID: "c", Source: tt.source, Metadata: tt.metadata,
				Outputs: tt.outputs}
			got := judge(cell, tt.stopped, claim{lesson: !tt.noLesson})
			if got.Verdict != tt.want || !strings.Contains(got.Detail, tt.detail) {
				t.Errorf("got the verdict %s (%s), want %s with a detail that contains %q", got.Verdict, got.Detail, tt.want, tt.detail)
			}
			if pass := tt.want == OK || tt.want == Passed || tt.expected; got.Pass() != pass {
				t.Errorf("Pass() = %t, want %t", got.Pass(), pass)
			}
			if got.Optional != tt.optional {
				t.Errorf("Optional = %t, want %t", got.Optional, tt.optional)
			}
		})
	}
}

func TestConclude(t *testing.T) {
	check := func(v Verdict, optional bool, o verify.Outcome) Cell {
		return Cell{Verdict: v, Optional: optional && v == NotPassed, Reports: []*verify.Report{
			{Exercise: "prml-4.25", Optional: optional, Complete: true, Parts: []verify.Result{{Outcome: o}}}}}
	}
	ran := Cell{Verdict: OK}
	right, stub := check(Passed, false, verify.Right), check(NotPassed, false, verify.NotAttempted)
	rightSteps, noSteps, wrongStep := check(Passed, true, verify.Right), check(OK, true, verify.NotAttempted),
		check(NotPassed, true, verify.Wrong)
	both := wrongStep
	both.Reports = []*verify.Report{right.Reports[0], wrongStep.Reports[0]}
	expected := stub
	expected.Expected = true
	one := []string{"prml-4.25"}
	tests := []struct {
		name      string
		cells     []Cell
		exercises []string
		solved    bool
		want      Verdict
	}{
		{"no cells", nil, nil, false, OK},
		{"cells without a check", []Cell{ran}, nil, false, OK},
		{"check passed", []Cell{ran, right}, one, false, Passed},
		{"passed, steps left alone", []Cell{right, noSteps}, one, false, Passed},
		{"passed, a step wrong", []Cell{right, wrongStep}, one, false, Passed},
		{"wrong step, then a passed check", []Cell{wrongStep, right}, one, false, Passed},
		{"passed check and wrong step in one cell", []Cell{both}, one, false, Passed},
		{"solved, a step wrong", []Cell{right, wrongStep}, one, true, NotPassed},
		{"solved, steps right", []Cell{right, rightSteps}, one, true, Passed},
		{"wrong step in a notebook without an exercise", []Cell{wrongStep}, nil, false, NotPassed},
		{"wrong step, check deleted", []Cell{wrongStep}, one, false, NoVerdict},
		{"wrong step and wrong answer", []Cell{wrongStep, stub}, one, false, NotPassed},
		{"wrong step, then a cell that panics", []Cell{right, wrongStep, {Verdict: Panicked}}, one, false, Panicked},
		{"check deleted, steps right", []Cell{rightSteps}, one, false, NoVerdict},
		{"check deleted", []Cell{ran}, one, false, NoVerdict},
		{"one of two exercises", []Cell{right}, []string{"prml-4.25", "prml-4.2"}, false, NoVerdict},
		{"first failure decides the verdict", []Cell{{Verdict: Panicked}, {Verdict: NotPassed}}, nil, false, Panicked},
		{"expected failure", []Cell{{Verdict: CompileError, Expected: true}, ran}, nil, false, OK},
		{"only an expected failure in an exercise", []Cell{expected}, one, false, NoVerdict},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			n := Notebook{Cells: tt.cells}
			n.conclude(claim{exercises: tt.exercises, solved: tt.solved})
			if n.Verdict != tt.want {
				t.Errorf("got the verdict %s (%s), want %s", n.Verdict, n.Detail, tt.want)
			}
		})
	}
}
