package trial

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/cell"
)

// virtual is the folder of the packages to compile, relative to the module. Its subfolder s<i>
// contains the package of bundle i. The folder exists only in the overlay.
const virtual = "generate/internal/trial/virtual"

// An overlay is a set of files that the go command sees in the folder virtual. The overlay stores
// the files in a temporary folder.
type overlay struct {
	root, dir string
	replace   map[string]string // path in the module → real file
	texts     map[string]string // real file → its text
}

func newOverlay(root, dir string) (*overlay, error) {
	root, err := filepath.Abs(root) // the go command reports absolute paths
	return &overlay{root, dir, map[string]string{}, map[string]string{}}, err
}

// add puts a file into the overlay. path is relative to virtual.
func (o *overlay) add(path, text string) {
	file := filepath.Join(o.dir, strings.ReplaceAll(path, "/", "_"))
	o.replace[filepath.Join(o.root, filepath.FromSlash(virtual), filepath.FromSlash(path))] = file
	o.texts[file] = text
}

// build runs go build with the overlay. It returns the compiler's messages, keyed by package
// number. The map is empty on success.
func (o *overlay) build(ctx context.Context, args ...string) (map[int]string, error) {
	list, err := json.Marshal(map[string]any{"Replace": o.replace})
	if err != nil {
		return nil, err
	}
	file := filepath.Join(o.dir, "overlay.json")
	o.texts[file] = string(list)
	for file, text := range o.texts {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			return nil, err
		}
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

var packageLine = regexp.MustCompile(`(?m)^# \S+/` + virtual + `/s([0-9]+)$`)

// byPackage splits the go command's messages by package. The messages for a package follow a line
// with the package's path. byPackage drops messages about packages outside virtual.
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

// addProgram adds the main program, which judges the texts in the packages s<i>. The first
// arguments of the program are the number of the package, the number of the text in the package,
// and the file for the answer. The last two arguments are the limits of processor time in seconds
// and of memory in bytes.
func (o *overlay) addProgram(included []int) {
	var imports, cases strings.Builder
	for _, i := range included {
		fmt.Fprintf(&imports, "\t%q\n", fmt.Sprintf("%s/%s/s%d", cell.Course, virtual, i))
		fmt.Fprintf(&cases, "\tcase %d:\n\t\treports = s%d.JudgeSubmission(number(2))\n", i, i)
	}
	main := strings.NewReplacer("\t\"IMPORTS\"\n", imports.String(), "\t// CASES\n", cases.String(), "MODULE",
		cell.Module, "CANNOT", fmt.Sprint(cannotAnswer)).Replace(mainText)
	for name, text := range map[string]string{"main.go": main, "limits_unix.go": limitsText,
		"limits_other.go": noLimitsText} {
		o.add(name, text)
	}
}

// cannotAnswer is the exit status of a program that has judged a text but cannot write its answer
// file. With this status, a full disk does not count as a wrong answer.
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

// The program reads its peak memory from its own /proc/self/status. The parent's figure (rusage)
// would also include memory that the parent used before the program was loaded.
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
