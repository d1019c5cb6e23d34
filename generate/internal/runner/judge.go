package runner

import (
	"cmp"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbformat"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// Why runner.py cut a cell short.
const (
	stoppedTimeout = "timeout"
	stoppedOutput  = "output"
	stoppedStuck   = "stuck"
	stoppedDead    = "dead"
)

var (
	// programEnd is what GoNB writes to stderr, on a line of its own, when a
	// program or a shell line did not end well; also GoNB's error value then.
	programEnd = regexp.MustCompile(`(?m)^(exit status [1-9][0-9]*|signal: .+)$`)
	// runtimeEnd is how a trace of the Go runtime begins.
	runtimeEnd = regexp.MustCompile(`(?m)^(panic: |fatal error: ).*$`)
	// unknownCommand is GoNB's answer to a % line that it does not know.
	unknownCommand = regexp.MustCompile(`(?m)^".*" unknown or not implemented yet\.`)
	// compilerLine is a message of the go command with the place in the cell's file.
	compilerLine = regexp.MustCompile(`(?m)main(?:_test)?\.go:[0-9]+(?::[0-9]+)?: (.*)$`)
	// packageLine is how the go command names the package that its messages are about.
	packageLine = regexp.MustCompile(`(?m)^# .*\n`)
	shellLine   = regexp.MustCompile(`(?m)^\s*!`)
	checkCall   = regexp.MustCompile(`\bex[0-9]{2}\.Check[A-Za-z]*\(`)
)

// judge gives the verdict on an executed cell. stopped says why the cell was cut
// short, "" if it was not.
func judge(cell *nbformat.Cell, stopped string) Cell {
	c := Cell{ID: cell.ID, Exercise: exerciseOf(cell)}
	reports, err := reportsIn(cell.Outputs)
	c.Reports = reports
	c.Verdict, c.Detail = verdict(cell, c, stopped)
	if err != nil && c.Verdict.Pass() {
		c.Verdict, c.Detail = NoVerdict, err.Error()
	}
	want, _ := own(cell.Metadata)["expect"].(string)
	c.Optional = err == nil && want == "" && c.Verdict == NotPassed && failsInSteps(reports)
	if want != "" {
		c.Expected = Verdict(want) == c.Verdict
		if !c.Expected {
			c.Detail = strings.TrimSuffix(fmt.Sprintf("the notebook expects %s here, found %s: %s", want, c.Verdict, c.Detail), ": ")
			if c.Verdict.Pass() {
				c.Verdict = NotPassed // what should have gone wrong did not
			}
		}
	}
	return c
}

func verdict(cell *nbformat.Cell, c Cell, stopped string) (Verdict, string) {
	switch stopped {
	case stoppedTimeout:
		return TimedOut, "interrupted at the time limit"
	case stoppedStuck:
		return TimedOut, "past the time limit, and the interrupt did not end it"
	case stoppedOutput:
		return TooMuchOutput, "interrupted at the output limit"
	case stoppedDead:
		return KernelDied, "the kernel ended during this cell"
	}

	stderr := streamText(cell.Outputs, "stderr")
	end := programEnd.FindString(stderr)
	failed, message, trace := errorOutput(cell.Outputs)
	if failed && !programEnd.MatchString(message) {
		return CompileError, compilerMessage(message, trace)
	}
	switch {
	case failed || end != "":
		end = cmp.Or(end, message)
		if place := runtimeEnd.FindString(stderr); place != "" {
			return Panicked, place
		}
		// GoNB answers "ok" to a failing shell line: then there is no error output.
		if !failed && shellLine.MatchString(cell.Source) {
			return ShellFailed, end
		}
		return Exited, end
	case unknownCommand.MatchString(stderr):
		return ShellFailed, unknownCommand.FindString(stderr)
	}

	if c.Exercise == "" && len(c.Reports) == 0 && !checkCall.MatchString(cell.Source) {
		return OK, ""
	}
	return reported(c.Reports)
}

// reported judges a cell that ran to its end by the reports that it gave.
func reported(reports []*verify.Report) (Verdict, string) {
	if len(reports) == 0 {
		return NoVerdict, "the check gave no report (did the program end before it?)"
	}
	for _, r := range reports {
		if !r.Complete {
			return Exited, "the program ended before the report was complete (os.Exit?): " + r.Summary()
		}
	}
	left, wrong := "", "" // of steps left alone, which nobody has to take, and of wrong ones
	for _, r := range reports {
		switch {
		case r.Passed():
		case !exercises.OfSteps(r):
			return NotPassed, r.Summary()
		case leftAlone(r):
			left = "optional steps: " + r.Summary()
		default:
			wrong = "optional steps: " + r.Summary()
		}
	}
	if wrong != "" {
		return NotPassed, wrong
	}
	if left != "" && len(reports) == 1 {
		return OK, left
	}
	return Passed, reports[len(reports)-1].Summary()
}

// leftAlone reports whether a part is not attempted, and nothing that was
// attempted is wrong.
func leftAlone(r *verify.Report) bool {
	left := r.Count(verify.NotAttempted)
	return left > 0 && left+r.Count(verify.Right) == len(r.Parts)
}

// failsInSteps reports whether all that did not pass are steps on the way, and
// the answers that were judged, if any, are right.
func failsInSteps(reports []*verify.Report) bool {
	steps := false
	for _, r := range reports {
		if !r.Passed() {
			if !exercises.OfSteps(r) {
				return false
			}
			steps = true
		}
	}
	return steps
}

// reportsIn returns the reports among outputs, the last one for each exercise and
// the last one for its steps.
func reportsIn(outputs []nbformat.Output) ([]*verify.Report, error) {
	var reports []*verify.Report
next:
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
		for i, earlier := range reports {
			if earlier.Exercise == r.Exercise && exercises.OfSteps(earlier) == exercises.OfSteps(r) {
				reports[i] = r
				continue next
			}
		}
		reports = append(reports, r)
	}
	return reports, nil
}

// own returns what the generator wrote into the metadata of a cell or a notebook.
func own(metadata map[string]any) map[string]any {
	m, _ := metadata["hyperplane"].(map[string]any)
	return m
}

// declared returns what the metadata of a notebook say of it: the exercises that
// it is about, and whether it holds the reference answer.
func declared(metadata map[string]any) (named []string, solved bool) {
	m := own(metadata)
	if e, _ := m["exercise"].(string); e != "" {
		named = append(named, e)
	}
	solved, _ = m["solved"].(bool)
	return named, solved
}

// exerciseOf returns the exercise that a cell checks, "" if it checks none. A
// check without a name is still one: it goes by the call in its source.
func exerciseOf(cell *nbformat.Cell) string {
	m := own(cell.Metadata)
	if m["role"] != "check" {
		return ""
	}
	exercise, _ := m["exercise"].(string)
	return cmp.Or(exercise, "an exercise without id")
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

// errorOutput returns value and traceback of the last error output.
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

// compilerMessage is the first complaint of the compiler, with GoNB's place in
// the cell ("Cell[3]: Line 2") where it gives one.
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
