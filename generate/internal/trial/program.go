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
	"strings"
	"time"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/cell"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// Limits bound what one submission may use; 0 means no limit. Processor time is
// the same on a busy machine, which time on the wall is not.
type Limits struct {
	CPU    time.Duration // rounded up to whole seconds
	Memory int64         // bytes of data, as the system enforces it
}

// A Cost is what judging a submission took.
type Cost struct {
	Time time.Duration // of the judging calls, without the start of the program
	CPU  time.Duration // of the whole process
	Peak int64         // most resident memory of the process, bytes; 0 where it is not known
}

// answer is the file that the program leaves.
type answer struct {
	Reports []*verify.Report `json:"reports"`
	Seconds float64          `json:"seconds"`
	Peak    int64            `json:"peak"`
}

// addProgram adds the program for the packages s<i>. Its arguments are the number
// of the package and of the text in it, the file for the answer, and the limits of
// processor time in seconds and of memory in bytes.
func (o *overlay) addProgram(included []int) error {
	var imports, cases strings.Builder
	for _, i := range included {
		fmt.Fprintf(&imports, "\t%q\n", fmt.Sprintf("%s/%s/s%d", cell.Module, virtual, i))
		fmt.Fprintf(&cases, "\tcase %d:\n\t\treports = s%d.JudgeSubmission(number(2))\n", i, i)
	}
	main := strings.NewReplacer("\t\"IMPORTS\"\n", imports.String(), "\t// CASES\n", cases.String(), "MODULE", cell.Module, "CANNOT", fmt.Sprint(cannotAnswer)).Replace(mainText)
	for name, text := range map[string]string{"main.go": main, "limits_unix.go": limitsText, "limits_other.go": noLimitsText} {
		if err := o.add(name, text); err != nil {
			return err
		}
	}
	return nil
}

// cannotAnswer is the exit status of a program that has judged and cannot write its
// answer: a full disk must not pass for a wrong answer.
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
	limit(uint64(number(4)), uint64(number(5)))
	start := time.Now()
	var reports []*verify.Report
	switch number(1) {
	// CASES
	}
	seconds := time.Since(start).Seconds()
	text, err := json.Marshal(map[string]any{"reports": reports, "seconds": seconds, "peak": peak()})
	if err != nil {
		panic(err)
	}
	if err := os.WriteFile(os.Args[3], text, 0o600); err != nil {
		os.Stderr.WriteString(err.Error())
		os.Exit(CANNOT)
	}
}

func number(arg int) int {
	n, err := strconv.Atoi(os.Args[arg])
	if err != nil {
		panic(err)
	}
	return n
}
`

// The peak is read off the process's own memory: what the system tells the parent
// (rusage) contains the parent itself, from before the program was loaded.
const limitsText = `//go:build linux || darwin

package main

import (
	"os"
	"regexp"
	"strconv"
	"syscall"
)

func limit(cpu, memory uint64) {
	for which, value := range map[int]uint64{syscall.RLIMIT_CPU: cpu, syscall.RLIMIT_DATA: memory} {
		if value == 0 {
			continue
		}
		if err := syscall.Setrlimit(which, &syscall.Rlimit{Cur: value, Max: value}); err != nil {
			panic(err)
		}
	}
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

func limit(cpu, memory uint64) {}

func peak() int64 { return 0 }
`

// run judges one text. The reports come through a file, so that what it prints
// cannot pass for one. It returns an error when it could not judge.
func run(ctx context.Context, program string, i, text int, limits Limits) (Judgement, error) {
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	file := fmt.Sprintf("%s-%d-%d.json", program, i, text)
	defer os.Remove(file) // there may be thousands
	cmd := exec.CommandContext(limited, program, fmt.Sprint(i), fmt.Sprint(text), file,
		fmt.Sprint(math.Ceil(limits.CPU.Seconds())), fmt.Sprint(limits.Memory))
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	err := cmd.Run()
	if ctx.Err() != nil {
		return Judgement{}, ctx.Err()
	}
	if cmd.ProcessState == nil {
		return Judgement{}, fmt.Errorf("starting the program that judges: %w", err)
	}
	if cmd.ProcessState.ExitCode() == cannotAnswer {
		return Judgement{}, fmt.Errorf("the program that judges: %s", &stderr)
	}
	cost := Cost{CPU: cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()}
	said, readErr := os.ReadFile(file)
	if err := errors.Join(err, readErr); err != nil {
		return Judgement{Died: fmt.Sprintf("%v\n%s", err, stderr.String()), Cost: cost}, nil
	}
	var a answer
	if err := json.Unmarshal(said, &a); err != nil || len(a.Reports) == 0 {
		return Judgement{Died: fmt.Sprintf("no reports: %v\n%s", err, said), Cost: cost}, nil
	}
	cost.Time, cost.Peak = time.Duration(a.Seconds*float64(time.Second)), a.Peak
	return Judgement{Reports: a.Reports, Cost: cost}, nil
}
