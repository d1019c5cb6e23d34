package runner

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbformat"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// A Verdict is the outcome of a cell or of a whole notebook.
type Verdict string

const (
	OK            Verdict = "OK"            // the cell ended; it has no check, or only optional steps, some unattempted
	Passed        Verdict = "Passed"        // a report passed; every part is Right or an optional step not attempted
	NotPassed     Verdict = "NotPassed"     // a complete report did not pass, or a pass was not the expected verdict
	NoVerdict     Verdict = "NoVerdict"     // no readable report of a check, or no pass of a required exercise
	Mismatch      Verdict = "Mismatch"      // a report or the options contradict the notebook, or its seed is invalid
	Panicked      Verdict = "Panicked"      // the program ended with a panic or a fatal error of the Go runtime
	Exited        Verdict = "Exited"        // the program ended early, for example by os.Exit, log.Fatal or a signal
	TimedOut      Verdict = "TimedOut"      // the time limit of the cell or of the notebook stopped the cell
	TooMuchOutput Verdict = "TooMuchOutput" // the output limit stopped the cell, or some of the cell's output was lost
	CompileError  Verdict = "CompileError"  // the program of the cell did not compile
	ShellFailed   Verdict = "ShellFailed"   // a line that begins with ! or % failed
	KernelDied    Verdict = "KernelDied"    // the kernel ended while the cell was running
	NotRun        Verdict = "NotRun"        // the run ended before the cell
	NotANotebook  Verdict = "NotANotebook"  // the file is not a notebook of format 4
	NotJudged     Verdict = "NotJudged"     // no verdict: the file is unreadable, or the run failed or ended early
)

// Pass reports whether the verdict is a success.
func (v Verdict) Pass() bool { return v == OK || v == Passed }

// Cell is the result of one code cell.
type Cell struct {
	Number   int              `json:"cell"` // position of the cell among all cells of the notebook, counted from 1
	ID       string           `json:"id"`
	Exercise string           `json:"exercise,omitempty"` // exercise that the cell checks, as exerciseOf returns it
	Verdict  Verdict          `json:"verdict"`
	Detail   string           `json:"detail,omitempty"`   // reason for the verdict, in one line
	Expected bool             `json:"expected,omitempty"` // true if the notebook declares that it expects this verdict
	Optional bool             `json:"optional,omitempty"` // true if only wrong optional steps made the cell fail
	Reports  []*verify.Report `json:"reports,omitempty"`
}

// Pass reports whether the verdict on the cell is a success, or is the verdict that the notebook
// declares as intended.
func (c Cell) Pass() bool { return c.Verdict.Pass() || c.Expected }

// Notebook is the result of one notebook.
type Notebook struct {
	Path    string   `json:"notebook"`
	Verdict Verdict  `json:"verdict"`
	Detail  string   `json:"detail,omitempty"`
	Cells   []Cell   `json:"cells"`
	Files   []string `json:"files,omitempty"`   // paths of the files written to Options.Out
	Warning string   `json:"warning,omitempty"` // files and processes that remain; they do not affect the verdict
	Reused  bool     `json:"reused,omitempty"`  // true if the result is from an earlier run
}

// Summary is the result of all notebooks of a run, in the order of the paths given to Run.
type Summary struct {
	Schema    string     `json:"schema"` // "hyperplane-run/1"
	Passed    bool       `json:"passed"` // true if every notebook passed
	Notebooks []Notebook `json:"notebooks"`
}

// Judged reports whether every notebook got a verdict on its contents.
func (s *Summary) Judged() bool {
	return !slices.ContainsFunc(s.Notebooks, func(n Notebook) bool { return n.Verdict == NotJudged })
}

// conclude sets the verdict of the notebook. If the metadata contain an invalid seed or contradict the
// options of the run, the verdict is Mismatch. Otherwise, if a cell did not pass, the notebook gets
// the verdict of the first such cell. If all cells passed, the verdict depends on the claim k. It is
// NoVerdict if k names an exercise of which no cell reported a pass, or if k requires at least one
// exercise, no matter which, and no cell reported a pass. In all other cases, the verdict is Passed if
// a cell reported a pass of an exercise, and OK if not.
//
// Whether an exercise is passed depends only on the report of its Check, not on the report on its
// optional steps. A wrong optional step makes a notebook fail only if the notebook contains the
// reference answer or if the claim names no exercise.
func (n *Notebook) conclude(k claim) {
	if k.fault != "" {
		n.Verdict, n.Detail = Mismatch, k.fault
		return
	}
	extra := len(k.exercises) > 0 && !k.solved
	n.Verdict = OK
	passed := map[string]bool{}
	for _, c := range n.Cells {
		if !c.Pass() && !(extra && c.Optional) {
			n.Verdict, n.Detail = c.Verdict, c.Detail
			return
		}
		for _, r := range c.Reports {
			if r.Passed() && !r.Optional {
				passed[r.Exercise] = true
				n.Verdict = Passed
			}
		}
	}
	for _, e := range k.exercises {
		if !passed[e] {
			n.Verdict, n.Detail = NoVerdict, "no cell reported a pass of exercise "+e
			return
		}
	}
	if k.checks && len(passed) == 0 {
		n.Verdict, n.Detail = NoVerdict, "no cell reported a pass, although the notebook imports an exercise or calls its check"
	}
}

// judgeReports determines the verdict on a cell that ran to its end. The verdict depends on all
// reports of the cell, not only on the last report.
func judgeReports(c Cell, k claim) (Verdict, string) {
	if len(c.Reports) == 0 {
		return NoVerdict, "the check produced no report; the program may have ended before the check"
	}
	for _, r := range c.Reports {
		if fault := k.mismatch(c.Exercise, r); fault != "" {
			return Mismatch, fault
		}
		if !r.Complete {
			return Exited, "the program ended before the report was complete, for example by os.Exit: " + r.Summary()
		}
	}
	// The variable `left` describes optional steps that were not attempted. They do not count as
	// failed.
	passed, left, wrong := "", "", ""
	for _, r := range c.Reports {
		switch {
		case r.Passed():
			passed = r.Summary()
		case !r.Optional:
			return NotPassed, r.Summary()
		case leftAlone(r):
			left = "optional steps: " + r.Summary()
		default:
			wrong = "optional steps: " + r.Summary()
		}
	}
	switch {
	case wrong != "":
		return NotPassed, wrong
	case passed != "":
		return Passed, passed
	}
	return OK, left
}

// leftAlone reports whether at least one part is NotAttempted and all other parts are Right.
func leftAlone(r *verify.Report) bool {
	left := r.Count(verify.NotAttempted)
	return left > 0 && left+r.Count(verify.Right) == len(r.Parts)
}

// failsInSteps reports whether at least one report did not pass, and every report that did not pass
// is about optional steps.
func failsInSteps(reports []*verify.Report) bool {
	failed := slices.DeleteFunc(slices.Clone(reports), (*verify.Report).Passed)
	return len(failed) > 0 && !slices.ContainsFunc(failed, func(r *verify.Report) bool { return !r.Optional })
}

// reportsIn returns the reports in the outputs of a cell. The outputs contain each display only in
// its last state, and a display contains at most one report. If a report cannot be read, reportsIn
// returns the reports before it and an error.
func reportsIn(outputs []nbformat.Output) ([]*verify.Report, error) {
	var reports []*verify.Report
	for _, o := range outputs {
		data := o.Data(verify.ReportMIME)
		if data == nil {
			continue
		}
		text, err := json.Marshal(data)
		if err != nil {
			return reports, fmt.Errorf("the report cannot be read: %w", err)
		}
		r := new(verify.Report)
		if err := json.Unmarshal(text, r); err != nil {
			return reports, fmt.Errorf("the report cannot be read: %w", err)
		}
		reports = append(reports, r)
	}
	return reports, nil
}

// These constants are the reasons why a cell did not end normally. The doc string of runner.py
// explains them.
const (
	stoppedTimeout = "timeout"
	stoppedOutput  = "output"
	stoppedLost    = "lost"
	stoppedStuck   = "stuck"
	stoppedDead    = "dead"
)

var (
	// programEnd matches the line that GoNB prints to stderr when a program or a shell command fails.
	// If the program of a cell fails, GoNB also puts the line into an error output. If a shell line
	// or a shell cell fails, GoNB replies "ok" and prints the line only to stderr. If a cell has
	// neither an error output nor a shell line, the program itself has printed the line.
	programEnd = regexp.MustCompile(`(?m)^(exit status [1-9][0-9]*|signal: .+)$`)
	// runtimeEnd matches the first line that the Go runtime prints when it ends the program.
	runtimeEnd = regexp.MustCompile(`(?m)^(panic: |fatal error: ).*$`)
	// unknownCommand matches GoNB's reply to an unknown % line.
	unknownCommand = regexp.MustCompile(`(?m)^".*" unknown or not implemented yet\.`)
	// compilerLine matches a message of the go command that names a place in the cell's file.
	compilerLine = regexp.MustCompile(`(?m)main(?:_test)?\.go:[0-9]+(?::[0-9]+)?: (.*)$`)
	// shellLine matches the start of a line, or of a whole cell, that GoNB passes to a shell or to
	// another program.
	shellLine = regexp.MustCompile(`(?m)^(//gonb:)?!|\A(//gonb:)?%%(bash|sh|script|gx)\b`)
	// checkCall matches the call of an exercise's check.
	checkCall = regexp.MustCompile(`\bex[0-9]{2}\.Check[A-Za-z]*\(`)
	// packageLine matches a line such as "# example.org/p", in which the go command names the
	// package that the next messages are about.
	packageLine = regexp.MustCompile(`(?m)^# .*\n`)
)

// judge returns the result of an executed cell. The argument k is the claim of the cell's notebook.
// `stopped` is the reason why the cell did not end normally, or "" if it did.
func judge(cell *nbformat.Cell, stopped string, k claim) Cell {
	c := Cell{ID: cell.ID, Exercise: exerciseOf(cell)}
	reports, err := reportsIn(cell.Outputs)
	c.Reports = reports
	c.Verdict, c.Detail = verdict(cell, c, stopped, k)
	if err != nil && c.Verdict.Pass() {
		c.Verdict, c.Detail = NoVerdict, err.Error()
	}
	want := ""
	if k.lesson {
		want, _ = nbformat.OwnMetadata(cell.Metadata)["expect"].(string)
	}
	c.Optional = err == nil && want == "" && c.Verdict == NotPassed && failsInSteps(reports)
	if want != "" {
		c.Expected = Verdict(want) == c.Verdict
		if !c.Expected {
			c.Detail = strings.TrimSuffix(fmt.Sprintf("the notebook expects %s here, found %s: %s", want, c.Verdict,
				c.Detail), ": ")
			if c.Verdict.Pass() {
				c.Verdict = NotPassed // the cell passed, but the notebook expects a different verdict
			}
		}
	}
	return c
}

func verdict(cell *nbformat.Cell, c Cell, stopped string, k claim) (Verdict, string) {
	switch stopped {
	case stoppedTimeout:
		return TimedOut, "interrupted at the time limit"
	case stoppedStuck:
		return TimedOut, "the cell ignored the interrupt at the time limit"
	case stoppedOutput:
		return TooMuchOutput, "interrupted at the output limit"
	case stoppedLost:
		return TooMuchOutput, "some of the cell's output was lost"
	case stoppedDead:
		return KernelDied, "the kernel ended during this cell"
	}

	stderr := streamText(cell.Outputs, "stderr")
	failed, end, trace := errorOutput(cell.Outputs)
	switch {
	case failed && !programEnd.MatchString(end):
		return CompileError, compilerMessage(end, trace)
	case !failed && shellLine.MatchString(cell.Source):
		end = programEnd.FindString(stderr)
	}
	if end != "" {
		if place := runtimeEnd.FindString(stderr); place != "" {
			return Panicked, place
		}
		if failed {
			return Exited, end
		}
		return ShellFailed, end
	}
	if unknown := unknownCommand.FindString(stderr); unknown != "" {
		return ShellFailed, unknown
	}

	if c.Exercise == "" && len(c.Reports) == 0 && !checkCall.MatchString(cell.Source) {
		return OK, ""
	}
	return judgeReports(c, k)
}

func streamText(outputs []nbformat.Output, want string) string {
	var b strings.Builder
	for _, o := range outputs {
		if name, text := o.Stream(); name == want {
			b.WriteString(text)
		}
	}
	return b.String()
}

// errorOutput returns the value and the traceback of the last error output. The result `found` is
// false if there is no error output.
func errorOutput(outputs []nbformat.Output) (found bool, value, trace string) {
	for _, o := range outputs {
		if o.Type() != "error" {
			continue
		}
		found = true
		value, _ = o["evalue"].(string)
		var lines []string
		list, _ := o["traceback"].([]any)
		for _, line := range list {
			s, _ := line.(string)
			lines = append(lines, s)
		}
		trace = strings.Join(lines, "\n")
	}
	return found, value, trace
}

// compilerMessage returns the first message of the compiler. If GoNB names the position in the cell
// ("Cell[3]: Line 2"), the result begins with this position.
func compilerMessage(value, trace string) string {
	message := strings.TrimSpace(packageLine.ReplaceAllString(value, ""))
	if m := compilerLine.FindStringSubmatch(value); m != nil {
		message = m[1]
	}
	message, _, _ = strings.Cut(message, "\n")
	for _, line := range strings.Split(trace, "\n") {
		if strings.HasPrefix(line, "Cell[") {
			return line + ": " + message
		}
	}
	return message
}
