// Package trial compiles answers to an exercise and lets the exercise judge them, as a notebook
// would. An answer can be any text, for example the unchanged stub, the reference answer or one of
// its mutants. Package trial builds one program for all answers, from packages that exist only in
// an overlay. Package trial writes no files into the module.
package trial

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/cell"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/exercise"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/files"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// A Bundle is a list of texts for one exercise. Each text is a whole answer. All texts of a bundle
// are compiled as one package, which is far faster than one package for each text.
type Bundle struct {
	Exercise *exercise.Exercise // the exercise, in the variant for which the texts are judged
	Texts    []Suffixer
}

// A Suffixer is a text that can append a suffix to its top-level names, so that the names are
// unique in a package with many texts.
type Suffixer interface {
	// Suffixed returns the declarations, with the argument appended to every top-level name. For
	// the first text of a bundle, the argument is "".
	Suffixed(suffix string) string
	// Needs returns the imports that the declarations need.
	Needs() []cell.Import
}

// A Program is a compiled program that judges the texts of bundles.
type Program struct {
	dir, path string
	messages  map[int]string // messages of the compiler, keyed by the number of the bundle
}

// A Judgement is the result of judging one text. Exactly one of its first three fields is set.
type Judgement struct {
	Reports []*verify.Report // reports of Check and, if the exercise has one, of CheckSteps
	Compile string           // messages of the compiler about the bundle that contains the text
	Died    string           // how the program failed, or what it wrote instead of reports, if the text compiled

	Cost Cost // cost of judging; zero if the text did not compile
}

// Limits are the limits on the resources for judging one text; 0 means no limit. Time is limited as
// processor time, which does not depend on the load of the machine. Limits have no effect on systems
// other than Linux and macOS.
type Limits struct {
	CPU    time.Duration // processor time
	Memory int64         // maximum number of bytes of data in the process; enforced by the operating system
}

// A Cost contains the time and the memory that a process needed to judge a text.
type Cost struct {
	// Time is the wall-clock time of the calls that judge, without the start of the program.
	Time time.Duration
	// CPU is the processor time. If the text is the first that a process judges, CPU includes the
	// start of the program.
	CPU time.Duration
	// Peak is the largest amount of memory, in bytes, that the process used until it had judged the
	// text. It is 0 if the amount is unknown.
	Peak int64
}

// Build compiles the bundles against the module at root. The caller must close the program. For a
// bundle that does not compile, Judge returns the compiler's messages.
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
		for i, text := range messages { // The next iteration builds without these bundles.
			p.messages[i] = text
		}
	}
}

// Close removes the program.
func (p *Program) Close() error { return os.RemoveAll(p.dir) }

// build compiles all bundles that are not known to fail. It returns the compiler's messages, keyed
// by the number of the bundle. If the build succeeds, the map is empty.
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
			o.add(fmt.Sprintf("s%d/t%d.go", i, k), b.memberFile(i, k, text))
		}
		o.add(fmt.Sprintf("s%d/s.go", i), b.entryFile(i))
	}
	o.addProgram(included)
	return o.build(ctx, "-ldflags=-w", "-o", p.path, "./"+overlayDir)
}

// memberFile returns the source file of text k of bundle i: its declarations and a function that
// judges them. The line directive makes the compiler count lines from the first line of the text.
func (b Bundle) memberFile(i, k int, text Suffixer) string {
	suffix := ""
	if k > 0 {
		suffix = fmt.Sprintf("_%d", k)
	}
	var calls strings.Builder
	for _, call := range b.Exercise.Calls {
		fmt.Fprintf(&calls, "\t\t%s.%s(%s),\n", b.Exercise.Package(), call.Func,
			strings.Join(call.Args, suffix+", ")+suffix)
	}
	imports := cell.Merge(text.Needs(), []cell.Import{b.Exercise.Import(),
		{Path: cell.HyperplaneModule + "/toolkit/verify"}})
	return fmt.Sprintf("package s%d\n\n%s\n\nfunc judgeSubmission_%d() []*verify.Report {\n\treturn []*verify.Report{\n%s\t}\n}\n\n//line cell.go:1:1\n%s\n",
		i, cell.Declaration(imports), k, calls.String(), text.Suffixed(suffix))
}

// entryFile returns the source file with the function JudgeSubmission of bundle i. The argument of
// this function is the number of a text; the function judges the text in the exercise's variant.
func (b Bundle) entryFile(i int) string {
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
`, i, cell.HyperplaneModule, b.Exercise.Seed, cases.String())
}

// judgeTimeout limits the time of a process, which may take (n+1)·judgeTimeout for n texts. This is
// far longer than any exercise needs.
const judgeTimeout = 5 * time.Minute

// answerFile is the content of the file that the program writes about one text.
type answerFile struct {
	Reports []*verify.Report `json:"reports"`
	Seconds float64          `json:"seconds"`
	CPU     float64          `json:"cpu"`
	Peak    int64            `json:"peak"`
}

// A Member identifies a text by the number of its bundle and its number in the bundle.
type Member struct{ Bundle, Text int }

// Judge judges one text in a separate process. It returns an error if it could not judge the text.
func (p *Program) Judge(ctx context.Context, bundle, text int, limits Limits) (Judgement, error) {
	all, err := p.JudgeAll(ctx, []Member{{bundle, text}}, nil, limits)
	if err != nil {
		return Judgement{}, err
	}
	return all[0], nil
}

// JudgeAll judges texts, as many as possible in the same process. The texts must come from bundles
// with the same variant. JudgeAll returns an error if it could not judge all texts.
//
// A text can change something that later texts in its process use. Therefore each process with
// several texts judges one more text at the end: the control, which must be a right answer. If the
// process does not judge the control as right, JudgeAll keeps only the judgement on its first text.
// It judges the other texts again, each in a separate process. If `control` is nil, JudgeAll assumes
// that no text affects later texts.
//
// If a process ends while it judges any text but the first, the next process begins with the text
// that ended this process. Because the control was not judged, JudgeAll keeps only the judgement on the
// first text, unless `control` is nil. If a function of a text does not return in time, a new process
// judges the texts after that text.
func (p *Program) JudgeAll(ctx context.Context, members []Member, control *Member, limits Limits) ([]Judgement, error) {
	all := make([]Judgement, len(members))
	var queue []int // indices of the members that have no judgement yet
	for i, m := range members {
		if all[i].Compile = p.messages[m.Bundle]; all[i].Compile == "" {
			queue = append(queue, i)
		}
	}
	alone := false
	for len(queue) > 0 {
		var list []Member
		for _, i := range queue {
			list = append(list, members[i])
		}
		if alone {
			list = list[:1]
		}
		judged, end, err := p.run(ctx, list, control, limits)
		if err != nil {
			return nil, err
		}
		if n := len(judged); control != nil && end != clean {
			alone = alone || end == spoiled
			if end == died { // the next process begins with the text that ended this process
				last := queue[n]
				queue = slices.Insert(slices.Delete(queue, n, n+1), 1, last)
			}
			judged = judged[:1]
		}
		for k, j := range judged {
			all[queue[k]] = j
		}
		queue = queue[len(judged):]
	}
	return all, nil
}

// An ending describes the end of a process that was to judge several texts.
type ending int

const (
	clean   ending = iota // the process judged the control as right, needed no control, or ended during its first text
	spoiled               // the process judged the control, but not as right, or ended during the control
	died                  // the process ended while it judged a text other than the first
)

// run starts a process that judges the members. It returns the judgements on the members that the
// process has judged. If the process ends during the first member, run returns one judgement, which
// contains the reason. If there is only one member, run does not use `control`.
func (p *Program) run(ctx context.Context, members []Member, control *Member, limits Limits) (judged []Judgement,
	end ending, err error) {
	limited, cancel := context.WithTimeout(ctx, time.Duration(len(members)+1)*judgeTimeout)
	defer cancel()
	file := func(m Member) string { return fmt.Sprintf("%s-%d-%d.json", p.path, m.Bundle, m.Text) }
	// Several processes can judge the control at the same time. Therefore the name of controlFile contains
	// the numbers of the first member, which make this name unique.
	controlFile := file(members[0]) + ".control"
	args := []string{fmt.Sprint(limits.CPU.Seconds()), fmt.Sprint(limits.Memory), "-1", "0", controlFile}
	if len(members) == 1 {
		control = nil
	}
	if control != nil {
		args[2], args[3] = fmt.Sprint(control.Bundle), fmt.Sprint(control.Text)
		defer os.Remove(controlFile)
	}
	for _, m := range members {
		args = append(args, fmt.Sprint(m.Bundle), fmt.Sprint(m.Text), file(m))
		defer os.Remove(file(m)) // do not leave the file to p.Close, because a Program can judge thousands of texts
	}
	cmd := exec.CommandContext(limited, p.path, args...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	err = cmd.Run()
	if ctx.Err() != nil {
		return nil, clean, ctx.Err()
	}
	if cmd.ProcessState == nil {
		return nil, clean, fmt.Errorf("cannot start the program that judges the answers: %w", err)
	}
	if cmd.ProcessState.ExitCode() == cannotAnswer {
		return nil, clean, fmt.Errorf("the program that judges the answers cannot write its reports: %s", &stderr)
	}
	var missing error
	for _, m := range members {
		j, readErr := readJudgement(file(m))
		if missing = readErr; missing != nil {
			break
		}
		judged = append(judged, j)
	}
	if len(judged) == 0 || len(members) == 1 && err != nil {
		cost := Cost{CPU: cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()}
		message := fmt.Sprintf("%v\n%s", errors.Join(err, missing), stderr.String())
		return []Judgement{{Died: message, Cost: cost}}, clean, nil
	}
	if control != nil {
		switch j, err := readJudgement(controlFile); {
		case err != nil && len(judged) < len(members):
			return judged, died, nil
		case err != nil || !j.All(verify.Right):
			return judged, spoiled, nil
		}
	}
	return judged, clean, nil
}

// readJudgement reads the judgement on one text from the file to which the program has written it.
func readJudgement(file string) (Judgement, error) {
	content, err := os.ReadFile(file)
	if err != nil {
		return Judgement{}, err
	}
	var a answerFile
	if err := json.Unmarshal(content, &a); err != nil || len(a.Reports) == 0 {
		return Judgement{Died: fmt.Sprintf("no reports: %v\n%s", err, content)}, nil
	}
	seconds := func(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
	return Judgement{Reports: a.Reports, Cost: Cost{seconds(a.Seconds), seconds(a.CPU), a.Peak}}, nil
}

// Outcomes returns the judgement as text: the outcomes of all parts in one line, or the reason why
// there are no reports. The word “incomplete” precedes the outcomes of an incomplete report.
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

// All reports whether every part of every report has the outcome `want`. It returns false if the text
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

// overlayDir is the folder of the packages to compile, relative to the module. Its subfolder s<i>
// contains the package of bundle i. The folder exists only in the overlay.
const overlayDir = "generate/internal/trial/virtual"

// An overlay is a set of files that are stored in a temporary folder. The go command treats these
// files as if they were in the folder overlayDir.
type overlay struct {
	root, dir string
	replace   map[string]string // maps a path in the module to the path of the real file
	texts     map[string]string // maps the path of a real file to its content
}

func newOverlay(root, dir string) (*overlay, error) {
	root, err := filepath.Abs(root) // make root absolute, because the go command runs in another current folder
	return &overlay{root, dir, map[string]string{}, map[string]string{}}, err
}

// add puts a file into the overlay. The argument `path` is relative to overlayDir.
func (o *overlay) add(path, text string) {
	file := filepath.Join(o.dir, strings.ReplaceAll(path, "/", "_"))
	o.replace[filepath.Join(o.root, filepath.FromSlash(overlayDir), filepath.FromSlash(path))] = file
	o.texts[file] = text
}

// build runs go build with the overlay. It returns the compiler's messages, keyed by package
// number. The map is empty on success.
func (o *overlay) build(ctx context.Context, args ...string) (map[int]string, error) {
	for file, text := range o.texts {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			return nil, err
		}
	}
	file, err := files.Overlay(o.dir, o.replace)
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, "go", append([]string{"build", "-overlay=" + file, "-buildvcs=false"}, args...)...)
	cmd.Dir = o.root
	text, err := cmd.CombinedOutput()
	if err == nil {
		return nil, nil
	}
	messages := byPackage(string(text))
	if len(messages) == 0 {
		return nil, fmt.Errorf("cannot build the program that judges the answers: %w\n%s", err, text)
	}
	return messages, nil
}

var packageLine = regexp.MustCompile(`(?m)^# \S+/` + overlayDir + `/s([0-9]+)$`)

// byPackage splits the go command's messages by package. In the output of the go command, a line
// with a package's path precedes the messages about this package. byPackage drops messages about
// all packages except the packages s<i> in overlayDir.
func byPackage(text string) map[int]string {
	messages := map[int]string{}
	for _, at := range packageLine.FindAllStringSubmatchIndex(text, -1) {
		body, _, _ := strings.Cut(text[at[1]:], "\n# ")
		if i, err := strconv.Atoi(text[at[2]:at[3]]); err == nil {
			messages[i] = strings.TrimSpace(body)
		}
	}
	return messages
}

// addProgram adds the main program, which judges the texts in the packages s<i>. These are the
// arguments of the program:
//   - The first argument is the limit of processor time for each text, in seconds.
//   - The second argument is the limit of memory, in bytes.
//   - Three arguments follow for the control text, and then three for each text: the number of the
//     package, the number of the text in the package, and the path of the answerFile.
//
// If there is no control text, the number of the control text's package is −1.
func (o *overlay) addProgram(included []int) {
	var imports, cases strings.Builder
	for _, i := range included {
		fmt.Fprintf(&imports, "\t%q\n", fmt.Sprintf("%s/%s/s%d", cell.CourseModule, overlayDir, i))
		fmt.Fprintf(&cases, "\tcase %d:\n\t\treturn s%d.JudgeSubmission(text)\n", i, i)
	}
	main := strings.NewReplacer("\t\"IMPORTS\"\n", imports.String(), "\t// CASES\n", cases.String(), "MODULE",
		cell.HyperplaneModule, "CANNOT", fmt.Sprint(cannotAnswer)).Replace(mainText)
	for name, text := range map[string]string{"main.go": main, "limits_unix.go": limitsText,
		"limits_other.go": noLimitsText} {
		o.add(name, text)
	}
}

// cannotAnswer is the exit status of the program if it has judged a text but cannot write the
// answerFile, for example because the disk is full. The status shows that the text is not to blame.
const cannotAnswer = 125

const mainText = `package main

import (
	"encoding/json"
	"os"
	"strconv"
	"time"

	"MODULE/toolkit/verify"
	"IMPORTS"
)

func main() {
	seconds, err := strconv.ParseFloat(os.Args[1], 64)
	if err != nil {
		panic(err)
	}
	limitMemory(uint64(number(2)))
	for at := 6; at < len(os.Args); at += 3 {
		if !answer(at, seconds) {
			break
		}
	}
	if number(3) >= 0 {
		answer(3, seconds)
	}
}

// answer judges a text and writes the answerFile. It reports whether all functions of the text have
// returned in time.
func answer(at int, seconds float64) (ended bool) {
	before, start := processor(), time.Now()
	if at == 6 {
		before = 0 // count the start of the program, too
	}
	limitTime(before+seconds, seconds)
	reports := judge(number(at), number(at+1))
	text, err := json.Marshal(map[string]any{"reports": reports, "seconds": time.Since(start).Seconds(),
		"cpu": processor() - before, "peak": peak()})
	if err != nil {
		panic(err)
	}
	if err := os.WriteFile(os.Args[at+2], text, 0o600); err != nil {
		os.Stderr.WriteString(err.Error())
		os.Exit(CANNOT)
	}
	for _, r := range reports {
		if r.Count(verify.TimedOut) > 0 {
			return false
		}
	}
	return true
}

func judge(bundle, text int) []*verify.Report {
	switch bundle {
	// CASES
	}
	return nil
}

func number(arg int) int {
	n, err := strconv.Atoi(os.Args[arg])
	if err != nil {
		panic(err)
	}
	return n
}
`

// limitsText is the source of functions that limit and measure the resources of the program. The
// program reads its peak memory from /proc/self/status. The value that the system reports to the
// parent process (rusage) is not suitable: it also counts memory that the process used before it
// loaded the program.
const limitsText = `//go:build linux || darwin

package main

import (
	"math"
	"os"
	"regexp"
	"strconv"
	"sync/atomic"
	"syscall"
	"time"
)

func limitMemory(bytes uint64) {
	if bytes == 0 {
		return
	}
	if err := syscall.Setrlimit(syscall.RLIMIT_DATA, &syscall.Rlimit{Cur: bytes, Max: bytes}); err != nil {
		panic(err)
	}
}

// deadline holds, as math.Float64bits, the processor time in seconds at which this process kills itself.
// It is 0 as long as no limit has been set. RLIMIT_CPU would not do, because a process cannot raise its
// hard limit again for the next text.
var deadline atomic.Uint64

func limitTime(end, seconds float64) {
	if seconds == 0 {
		return
	}
	if deadline.Swap(math.Float64bits(end)) != 0 {
		return
	}
	go func() {
		for processor() < math.Float64frombits(deadline.Load()) {
			time.Sleep(50 * time.Millisecond)
		}
		syscall.Kill(os.Getpid(), syscall.SIGKILL)
	}()
}

func processor() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}

func peak() int64 {
	status, _ := os.ReadFile("/proc/self/status")
	m := regexp.MustCompile("VmHWM:[ \t]*([0-9]+) kB").FindSubmatch(status)
	if m == nil {
		return 0
	}
	kB, _ := strconv.ParseInt(string(m[1]), 10, 64)
	return kB << 10
}
`

const noLimitsText = `//go:build !linux && !darwin

package main

func limitMemory(bytes uint64) {}

func limitTime(end, seconds float64) {}

func processor() float64 { return 0 }

func peak() int64 { return 0 }
`
