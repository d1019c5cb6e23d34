// Package trial compiles answers to an exercise and lets the exercise judge them, as a notebook
// would. An answer is the unchanged stub, the reference answer, one of its mutants, or any other
// text. Package trial builds one program for all answers, from packages that exist only in an
// overlay. It writes nothing into the module.
package trial

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/cell"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/exercise"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// A Bundle is a list of texts for one exercise; each text is a whole answer. All texts of a bundle
// are compiled as one package, which is far faster than one package for each text.
type Bundle struct {
	Exercise *exercise.Exercise // the exercise, in the variant that judges the texts
	Texts    []Suffixer
}

// A Suffixer is a text whose top-level names can be made unique by a suffix.
type Suffixer interface {
	// Suffixed returns the declarations with suffix appended to every top-level name. The
	// suffix of the first text of a bundle is "".
	Suffixed(suffix string) string
	// Needs returns the imports of the declarations.
	Needs() []cell.Import
}

// A Program judges the texts of bundles, each in its own process.
type Program struct {
	dir, path string
	messages  map[int]string // the compiler's messages, keyed by bundle
}

// A Judgement is the result for one text. Exactly one of its first three fields is set.
type Judgement struct {
	Reports []*verify.Report // reports of Check, and of CheckSteps if the exercise has one
	Compile string           // the compiler's messages about the text's bundle
	Died    string           // how the program ended, if it ended before it could report

	Cost Cost // cost of judging; zero if the text did not compile
}

// Limits bound the resources for judging one text; 0 means no limit. Unlike wall-clock time,
// processor time does not depend on the load of the machine.
type Limits struct {
	CPU    time.Duration // rounded up to whole seconds
	Memory int64         // bytes of data, as enforced by the operating system
}

// A Cost is the time and memory that judging a text took.
type Cost struct {
	Time time.Duration // time of the calls that judge, without the start of the program
	CPU  time.Duration // processor time of the whole process
	Peak int64         // peak resident memory of the process in bytes; 0 if unknown
}

// Build compiles the bundles against the module at root. The caller closes the program.
// For a bundle that does not compile, Judge returns the compiler's messages.
func Build(ctx context.Context, root string, bundles []Bundle) (*Program, error) {
	dir, err := os.MkdirTemp("", "hyperplane-trial-")
	if err != nil {
		return nil, err
	}
	p := &Program{dir, filepath.Join(dir, "judge"), map[int]string{}}
	for {
		messages, err := p.build(ctx, root, bundles)
		if err != nil {
			p.Close()
			return nil, err
		}
		if len(messages) == 0 {
			return p, nil
		}
		for i, text := range messages { // then build again, without the bundles that failed
			p.messages[i] = text
		}
	}
}

// Close removes the program.
func (p *Program) Close() error { return os.RemoveAll(p.dir) }

// build compiles all bundles that are not known to fail. It returns the compiler's messages, keyed
// by bundle. If the build succeeds, the map is empty.
func (p *Program) build(ctx context.Context, root string, bundles []Bundle) (map[int]string, error) {
	o, err := newOverlay(root, p.dir)
	if err != nil {
		return nil, err
	}
	var included []int
	for i, b := range bundles {
		if p.messages[i] != "" {
			continue
		}
		included = append(included, i)
		for k, text := range b.Texts {
			o.add(fmt.Sprintf("s%d/t%d.go", i, k), b.member(i, k, text))
		}
		o.add(fmt.Sprintf("s%d/s.go", i), b.entry(i))
	}
	o.addProgram(included)
	return o.build(ctx, "-ldflags=-w", "-o", p.path, "./"+virtual)
}

// member returns the source file of text k of bundle i: its declarations and a function that judges
// them. The line directive makes the compiler count lines from the first line of the text.
func (b Bundle) member(i, k int, text Suffixer) string {
	suffix := ""
	if k > 0 {
		suffix = fmt.Sprintf("_%d", k)
	}
	var calls strings.Builder
	for _, call := range b.Exercise.Calls {
		fmt.Fprintf(&calls, "\t\t%s.%s(%s),\n", b.Exercise.Package(), call.Func,
			strings.Join(call.Args, suffix+", ")+suffix)
	}
	imports := cell.Merge(text.Needs(), []cell.Import{b.Exercise.Import(), {Path: cell.Module + "/toolkit/verify"}})
	return fmt.Sprintf("package s%d\n\n%s\n\nfunc judgeSubmission_%d() []*verify.Report {\n\treturn []*verify.Report{\n%s\t}\n}\n\n//line cell.go:1:1\n%s\n",
		i, cell.Declaration(imports), k, calls.String(), text.Suffixed(suffix))
}

// entry returns the source file with the function JudgeSubmission of bundle i. The function judges
// a text, given by its number, in the exercise's variant.
func (b Bundle) entry(i int) string {
	var cases strings.Builder
	for k := range b.Texts {
		fmt.Fprintf(&cases, "\tcase %d:\n\t\treturn judgeSubmission_%d()\n", k, k)
	}
	return fmt.Sprintf(`package s%d

import (
	"%[2]s/exercises"
	"%[2]s/toolkit/verify"
)

func JudgeSubmission(text int) []*verify.Report {
	exercises.Variant(%[3]d)
	switch text {
%[4]s	}
	return nil
}
`, i, cell.Module, b.Exercise.Seed, cases.String())
}

// limit is the maximum time for judging one text, far longer than any exercise needs.
const limit = 5 * time.Minute

// answer is the content of the file that the program writes.
type answer struct {
	Reports []*verify.Report `json:"reports"`
	Seconds float64          `json:"seconds"`
	Peak    int64            `json:"peak"`
}

// Judge judges a text of a bundle, both given by number. The program writes the reports to a file,
// so printed output cannot pass for a report. Judge returns an error if it could not judge the
// text.
func (p *Program) Judge(ctx context.Context, bundle, text int, limits Limits) (Judgement, error) {
	if message := p.messages[bundle]; message != "" {
		return Judgement{Compile: message}, nil
	}
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	file := fmt.Sprintf("%s-%d-%d.json", p.path, bundle, text)
	defer os.Remove(file) // a Program can judge thousands of texts
	cmd := exec.CommandContext(limited, p.path, fmt.Sprint(bundle), fmt.Sprint(text), file,
		fmt.Sprint(math.Ceil(limits.CPU.Seconds())), fmt.Sprint(limits.Memory))
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	err := cmd.Run()
	if ctx.Err() != nil {
		return Judgement{}, ctx.Err()
	}
	if cmd.ProcessState == nil {
		return Judgement{}, fmt.Errorf("cannot start the program that judges the answers: %w", err)
	}
	if cmd.ProcessState.ExitCode() == cannotAnswer {
		return Judgement{}, fmt.Errorf("the program that judges the answers cannot write its reports: %s", &stderr)
	}
	cost := Cost{CPU: cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()}
	content, readErr := os.ReadFile(file)
	if err := errors.Join(err, readErr); err != nil {
		return Judgement{Died: fmt.Sprintf("%v\n%s", err, stderr.String()), Cost: cost}, nil
	}
	var a answer
	if err := json.Unmarshal(content, &a); err != nil || len(a.Reports) == 0 {
		return Judgement{Died: fmt.Sprintf("no reports: %v\n%s", err, content), Cost: cost}, nil
	}
	cost.Time, cost.Peak = time.Duration(a.Seconds*float64(time.Second)), a.Peak
	return Judgement{Reports: a.Reports, Cost: cost}, nil
}

// Outcomes returns the judgement in one line: the outcomes of all parts, or the reason why there
// are no reports.
func (j Judgement) Outcomes() string {
	switch {
	case j.Compile != "":
		return "does not compile: " + j.Compile
	case j.Died != "":
		return "died: " + j.Died
	}
	var parts []string
	for _, r := range j.Reports {
		if !r.Complete || len(r.Parts) == 0 {
			parts = append(parts, "incomplete")
		}
		for _, p := range r.Parts {
			parts = append(parts, p.Outcome.String())
		}
	}
	return strings.Join(parts, " ")
}

// All reports whether every part of every report has the outcome want. It returns false if the text
// has no reports, or if a report is incomplete or has no parts.
func (j Judgement) All(want verify.Outcome) bool {
	if j.Compile != "" || j.Died != "" || len(j.Reports) == 0 {
		return false
	}
	for _, r := range j.Reports {
		if !r.Complete || len(r.Parts) == 0 || r.Count(want) != len(r.Parts) {
			return false
		}
	}
	return true
}
