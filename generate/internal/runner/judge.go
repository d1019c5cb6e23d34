package runner

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbformat"
)

// Why runner.py cut a cell short.
const (
	stoppedTimeout = "timeout"
	stoppedOutput  = "output"
	stoppedLost    = "lost"
	stoppedStuck   = "stuck"
	stoppedDead    = "dead"
)

var (
	// programEnd is GoNB's error value when a program did not end well. Of a shell
	// line or cell GoNB says so only to stderr, on a line of its own, and answers
	// "ok"; in any other cell such a line is the program's own text.
	programEnd = regexp.MustCompile(`(?m)^(exit status [1-9][0-9]*|signal: .+)$`)
	// runtimeEnd is how a trace of the Go runtime begins.
	runtimeEnd = regexp.MustCompile(`(?m)^(panic: |fatal error: ).*$`)
	// unknownCommand is GoNB's answer to a % line that it does not know.
	unknownCommand = regexp.MustCompile(`(?m)^".*" unknown or not implemented yet\.`)
	// compilerLine is a message of the go command with the place in the cell's file.
	compilerLine = regexp.MustCompile(`(?m)main(?:_test)?\.go:[0-9]+(?::[0-9]+)?: (.*)$`)
	// shell is a line, or the first line of a cell, that GoNB hands to a shell.
	shell = regexp.MustCompile(`(?m)^(//gonb:)?!|\A(//gonb:)?%%(bash|sh|script|gx)\b`)
	// checkCall is the call of an exercise's check.
	checkCall = regexp.MustCompile(`\bex[0-9]{2}\.Check[A-Za-z]*\(`)
	// packageLine is how the go command names the package that its messages are about.
	packageLine = regexp.MustCompile(`(?m)^# .*\n`)
)

// judge gives the verdict on an executed cell of a notebook with the claim k. stopped
// says why the cell was cut short, "" if it was not.
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
		want, _ = nbformat.Own(cell.Metadata)["expect"].(string)
	}
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

func verdict(cell *nbformat.Cell, c Cell, stopped string, k claim) (Verdict, string) {
	switch stopped {
	case stoppedTimeout:
		return TimedOut, "interrupted at the time limit"
	case stoppedStuck:
		return TimedOut, "the interrupt did not end it at the time limit"
	case stoppedOutput:
		return TooMuchOutput, "interrupted at the output limit"
	case stoppedLost:
		return TooMuchOutput, "some of what it put out did not arrive"
	case stoppedDead:
		return KernelDied, "the kernel ended during this cell"
	}

	stderr := streamText(cell.Outputs, "stderr")
	failed, end, trace := errorOutput(cell.Outputs)
	switch {
	case failed && !programEnd.MatchString(end):
		return CompileError, compilerMessage(end, trace)
	case !failed && shell.MatchString(cell.Source):
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
	return reported(c, k)
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
