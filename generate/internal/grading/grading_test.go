package grading

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex25"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/catalog"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/cell"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

const root = "../../.."

// judgeAnswer compiles an answer to PRML 4.25 and judges it without the intermediate steps. The limits
// for each part are three seconds of processor time and one gigabyte of memory.
func judgeAnswer(t *testing.T, source string) (*verify.Report, error) {
	t.Helper()
	e := must.Get(catalog.Exercises(os.DirFS(root), "prml-4.25"))(t)[0]
	s, err := Cut(e, source)
	if err != nil {
		return nil, err
	}
	dir := t.TempDir()
	tools := toolchain(t)
	if err := tools.Compile(t.Context(), e, s, dir); err != nil {
		return nil, err
	}
	limits := DefaultLimits
	limits.CPU = 3 * time.Second
	session := tools.Session(filepath.Join(dir, "answer"), limits, 0)
	return session.Report(ex25.Check, e.Calls[0].Args, e.Answer.Functions)
}

var (
	once  sync.Once
	tools *Toolchain
	bad   error
)

// toolchain returns a toolchain with a sandbox, which the tests share.
func toolchain(t *testing.T) *Toolchain {
	t.Helper()
	once.Do(func() {
		abs := must.Get(filepath.Abs(root))(t)
		dir := must.Get(os.MkdirTemp("", "hyperplane-toolchain-"))(t)
		tools, bad = NewToolchain(context.Background(), abs, dir, false, catalog.Content.Provided()...)
	})
	must.Do(t, bad)
	return tools
}

func TestMain(m *testing.M) {
	code := m.Run()
	if tools != nil {
		os.RemoveAll(tools.PackageDir)
	}
	os.Exit(code)
}

// recursion is a function body that overflows the stack. Each call needs much of the stack, so that
// there are few calls. With many calls, the Go runtime would need a long time to scan the stack.
const recursion = "var wide [512]float64\n\tfor i := range wide {\n\t\twide[i] = LambdaSquared()\n\t}\n\treturn wide[0]"

const rest = "\nfunc SigmoidSlope() float64 { panic(verify.TODO) }\nfunc ProbitSlope(lambda float64) float64 { panic(verify.TODO) }\n"

func TestReport(t *testing.T) {
	for _, tt := range []struct {
		name, body string
		outcome    verify.Outcome
		key        string
	}{
		{"right", "return math.Pi / 8", verify.Right, ""},
		{"wrong", "return -8 / math.Pi", verify.Wrong, "negative"},
		{"stub", "panic(verify.TODO)", verify.NotAttempted, ""},
		{"panic", "var v []float64\n\treturn v[0]", verify.Crashed, "panic"},
		{"endless", "for {\n\t}", verify.TimedOut, "timed-out"},
		{"recursion", recursion, verify.Crashed, "ended"},
		{"counts its calls", "calls++\n\tif calls > 5 {\n\t\treturn 0.2\n\t}\n\treturn math.Pi / 8", verify.Wrong,
			"not-the-same"},
		{"counts its calls and blocks after some calls",
			"calls++\n\tif calls > 5 {\n\t\tselect {}\n\t}\n\treturn math.Pi / 8",
			verify.TimedOut, "not-the-same"},
		{"tosses a coin", "if rand.Float64() < 0.3 {\n\t\treturn 0.2\n\t}\n\treturn math.Pi / 8", verify.Wrong, ""},
		{"counts its calls, but always returns the right number", "calls++\n\treturn math.Pi / 8", verify.Right, ""},
		{"sums in the random order of a map",
			"s := 0.0\n\tfor _, x := range map[int]float64{1: 0.1, 2: 0.3, 3: 0.7, 4: math.Pi/8 - 1.1} {\n\t\ts += x\n\t}\n\treturn s", verify.Right, ""},
		{"a random start", "x := rand.Float64()\n\tfor range 80 {\n\t\tx = (x + math.Pi/8) / 2\n\t}\n\treturn x",
			verify.Right, ""},
		// With gonum's assembly kernels, which do not check N and Inc, this call of ScaleVec could
		// write beyond the end of the slice. Answers use gonum without the kernels, so the call panics.
		{"vector whose increment leads past the slice",
			"a := []float64{0, 0, 1, 0}\n\tvar v mat.VecDense\n\tv.SetRawVector(blas64.Vector{N: 2, Inc: 2, Data: a[:1:1]})\n\tv.ScaleVec(math.Pi/8, &v)\n\treturn a[2]", verify.Crashed, "panic"},
		{"sleeps", "select {}", verify.TimedOut, "timed-out"},
		{"sleeps on a channel", "return <-make(chan float64)", verify.TimedOut, "timed-out"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := must.Get(judgeAnswer(t,
				"import \"gonum.org/v1/gonum/blas/blas64\"\n\nvar calls int\n\nfunc LambdaSquared() float64 {\n\t"+
					tt.body+"\n}\n"+rest))(t)
			if p := r.Parts[0]; p.Outcome != tt.outcome || tt.key != "" && p.Key != tt.key {
				t.Errorf("part 1: got the outcome %s with the key %q, want %s with the key %q (\"\" means any key):\n%s",
					p.Outcome, p.Key, tt.outcome, tt.key, r)
			}
		})
	}
}

// TestCutDeclarations checks that Cut removes commands, the code that the cell runs, and the
// imports that only the removed code needs. The remaining lines must keep their line numbers.
func TestCutDeclarations(t *testing.T) {
	e := must.Get(catalog.Exercises(os.DirFS(root), "prml-4.25"))(t)[0]
	s := must.Get(Cut(e, "import (\n\t\"math\"\n\t\"strings\"\n)\n!ls\nfunc LambdaSquared() float64 { return math.Pi }"+
		rest+"%%\nos.Exit(len(strings.ToUpper(\"\")))"))(t)
	if len(s.Imports) != 2 || s.Imports[0].Path != "math" || s.Imports[1].Path != cell.HyperplaneModule+"/toolkit/verify" {
		t.Errorf("got the imports %v, want math and toolkit/verify", s.Imports)
	}
	if lines := strings.Split(s.Source, "\n"); !strings.HasPrefix(lines[5], "func LambdaSquared") || strings.Contains(s.Source, "Exit") || strings.Contains(s.Source, "ls") {
		t.Errorf("got the source %q, want LambdaSquared in line 6, and neither the command nor the code below %%%%",
			s.Source)
	}
}

// TestStepsMayBeLeftOut checks that an answer without the functions of the intermediate steps can
// pass.
func TestStepsMayBeLeftOut(t *testing.T) {
	r, err := judgeAnswer(t, "func LambdaSquared() float64 { return math.Pi / 8 }")
	if err != nil || !r.Passed() {
		t.Errorf("got the report %v and the error %v, want a pass", r, err)
	}
}

// TestCut checks that an invalid answer is rejected with a reason.
func TestCut(t *testing.T) {
	const answer = "func LambdaSquared() float64 { return 0.2 }" + rest
	for _, tt := range []struct{ name, source, want string }{
		{"file", "import \"os\"\n" + answer, "may not import \"os\""},
		{"used without an import", answer + "\nvar f = os.Args", "may not import \"os\""},
		{"unsafe", "import \"unsafe\"\n" + answer, "may not import \"unsafe\""},
		{"the judge", "import \"github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex25\"\n" + answer,
			"may not import"},
		{"cgo", "import \"C\"\n" + answer, "may not import \"C\""},
		{"linkname", "//go:linkname a b\n" + answer, "the directive //go:"},
		{"embed", answer + "\n//go:embed x\nvar s string", "the directive //go:"},
		{"line", "//line x.go:1\n" + answer, "the directive //line"},
		{"init", answer + "\nfunc init() {}", "may not have a function init"},
		{"no body", answer + "\nfunc f()", "has no body"},
		{"no function", rest, "has no function LambdaSquared"},
		{"no Go", "func (", "your answer:1"},
		{"a large syntax tree", "func LambdaSquared() float64 { return 1.0" + strings.Repeat("+1.0", 45_000) + " }" +
			rest, "nodes, want at most 20000"},
		{"many cases", "func LambdaSquared() float64 { switch {\n" + strings.Repeat("case true:\n", 20_000) +
			"}; return 1 }" + rest, "nodes, want at most 20000"},
		{"a long source", answer + "\n// " + strings.Repeat("x", 1<<20), "bytes, want at most"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := judgeAnswer(t, tt.source)
			must.Fail(t, err, tt.want)
		})
	}
	for _, signature := range []string{"() string", "(x ...float64) float64", "() (float64, error)",
		"[T any]() float64", "() any"} {
		_, err := judgeAnswer(t, "func LambdaSquared"+signature+" { panic(0) }"+rest)
		if compile := (*CompileError)(nil); !errors.As(err, &compile) || !strings.Contains(compile.Message, "answer.go:1") {
			t.Errorf("the signature LambdaSquared%s gives the error %v, want a compile error in line 1 of the answer", signature, err)
		}
	}
	// For the following answers, the error of the compiler or the linker names no line of the
	// answer, or names a different file.
	for _, tt := range []struct{ source, want string }{
		{"var x = [1 << 28]float64{1}\n" + answer, "symbol too large"},
		{"var x [1 << 37]float64\n" + answer, "too large"},
		{"type byte = int8\n" + answer, "main.go:"},
	} {
		_, err := judgeAnswer(t, tt.source)
		if compile := (*CompileError)(nil); !errors.As(err, &compile) || !strings.Contains(compile.Message, tt.want) {
			t.Errorf("the answer %.30q gives the error %v, want a compile error with %q", tt.source, err, tt.want)
		}
	}
	_, err := judgeAnswer(t, "func LambdaSquared() float64 { return x }"+rest)
	var compile *CompileError
	if !errors.As(err, &compile) || !strings.Contains(compile.Message, "answer.go:1") ||
		!strings.Contains(compile.Message, "undefined: x") {
		t.Errorf("got the error %v, want the compile error \"undefined: x\" in line 1 of the answer", err)
	}
}

// TestConfined checks that a program in the sandbox can read only the files of the system in /usr and
// the files given to it. The program must have no access to the environment of this process, to other
// processes or to the network. It must not change any file outside the sandbox or exceed its limits.
func TestConfined(t *testing.T) {
	dir := t.TempDir()
	canary := filepath.Join(dir, "canary")
	must.Write(t, canary, "sing")
	t.Setenv("HYPERPLANE_CANARY", "sing")
	inherited := must.Get(syscall.Open(canary, syscall.O_RDONLY, 0))(t) // without close-on-exec
	defer syscall.Close(inherited)
	output := func(script string) string {
		args := confinedCommand(DefaultLimits, map[string]string{canary: "/given"}, nil, "/bin/sh", "-c", script)
		cmd := exec.Command(args[0], args[1:]...)
		endWithParent(cmd)
		text, _ := cmd.CombinedOutput() // ignore the error, because a failed command prints a message
		return strings.TrimSpace(string(text))
	}
	module := must.Get(filepath.Abs(root))(t)
	for _, tt := range []struct{ name, script, want string }{
		{"what it is given", "cat /given", "sing"},
		{"to change it", "echo x > /given; cat /given", "Read-only file system\nsing"},
		{"another file", "cat " + canary, "No such file"},
		{"the module", "ls " + module + "/go.mod", "No such file"},
		{"the home", "ls /root /home", "No such file"},
		{"secrets of the system", "cat /etc/shadow", "No such file"},
		{"file descriptors of the shell", fmt.Sprintf("[ -e /proc/self/fd/%d ] && echo open || echo closed", inherited),
			"closed"},
		{"the environment", "env | grep -c CANARY", "0"},
		// In the list of processes, the shell must find only two processes: bwrap (number 1) and
		// itself (number 2).
		{"other processes", "echo /proc/[0-9]* end", "/proc/1 /proc/2 end"},
		{"the network", "cat /proc/net/dev | grep -c :", "1"}, // only lo, which does not leave the sandbox
		{"its user", "[ $(id -u) -ge 60000 ] && [ $(id -g) -ge 60000 ] && grep CapEff /proc/self/status",
			"0000000000000000"},
		{"processes", "for i in $(seq 80); do sleep 9 & done", "Cannot fork"},
		{"memory",
			"for d in / /dev /dev/shm /proc /usr; do head -c 1 /dev/zero > $d/x && echo $d is written; done; echo end",
			"end"},
		{"memory in its folder", "for i in 1 2 3; do head -c 60000000 /dev/zero > /tmp/$i; done; echo end",
			"No space left"},
		{"to mount", "mount -t tmpfs x /usr", "superuser"},
		{"the system", "touch /usr/x", "Read-only file system"},
		{"a big file", "head -c 100000000 /dev/zero > /tmp/big; stat -c %s /tmp/big", "67108864"},
		{"another's processes", "kill -9 " + strconv.Itoa(os.Getpid()), "No such process"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if said := output(tt.script); !strings.Contains(said, tt.want) || strings.Contains(said, "is written") {
				t.Errorf("%s prints %q, want text that contains %q and does not contain “is written”", tt.script, said, tt.want)
			}
		})
	}
	if must.Read(t, canary) != "sing" {
		t.Error("a program in the sandbox has changed a file outside the sandbox")
	}
}

// TestLibrariesAreChecked checks the packages in `libraries` and the packages that they import, except
// the standard library. When built with checkedTag, they must not contain assembly or linkname, and
// must not use package unsafe. This ensures that no length, increment or stride that an answer passes
// can make a package write outside a slice.
func TestLibrariesAreChecked(t *testing.T) {
	unchecked := func(tag string) (found []string) {
		args := append([]string{"list", "-deps", tag, "-f", `{{if not .Standard}}{{$p := .}}{{range .GoFiles}}{{$p.Dir}}/{{.}}
{{end}}{{range .SFiles}}{{$p.Dir}}/{{.}}
{{end}}{{end}}`}, libraries...)
		cmd := exec.Command("go", args...)
		cmd.Dir = root
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
		for _, file := range strings.Fields(string(must.Get(cmd.Output())(t))) {
			text := must.Read(t, file)
			if filepath.Ext(file) == ".s" || strings.Contains(text, `"unsafe"`) ||
				strings.Contains(text, "//go:linkname") {
				found = append(found, file)
			}
		}
		return found
	}
	if found := unchecked("-tags="); len(found) < 10 {
		t.Errorf("without the build tag, the test found %q; want at least 10 files with assembly, linkname or unsafe", found)
	}
	if found := unchecked(checkedTag); len(found) > 0 {
		t.Errorf("with the build tag, these files still contain assembly, linkname or unsafe, so answers may access memory outside a slice:\n%s", strings.Join(found, "\n"))
	}
}

// nativeAnswer is an answer that makes system calls directly, as machine code could. For each
// system call that the kernel does not refuse with EPERM, it prints the name of the call. Then it
// starts 200 threads, which is more than the sandbox allows. Without a sandbox, it runs on until it
// exceeds the limit on processor time.
const nativeAnswer = `package main

import (
	"fmt"
	"runtime"
	"syscall"
	"unsafe"
)

var path = append([]byte("/proc/1/mem"), 0)
var room [4096]byte

func init() {
	at := func(b []byte) uintptr { return uintptr(unsafe.Pointer(&b[0])) }
	for _, c := range []struct {
		name string
		amd64, arm64 uintptr
		args [6]uintptr
	}{
		{"memfd_create", 319, 279, [6]uintptr{at(path), 0}},
		{"a shared mapping", 9, 222, [6]uintptr{0, 4096, 3, 0x21, ^uintptr(0), 0}},
		{"a shared mapping, validated", 9, 222, [6]uintptr{0, 4096, 3, 0x23, ^uintptr(0), 0}},
		{"memory that grows downwards", 9, 222, [6]uintptr{0, 4096, 3, 0x122, ^uintptr(0), 0}},
		{"executable memory", 9, 222, [6]uintptr{0, 4096, 7, 0x22, ^uintptr(0), 0}},
		{"to make memory executable", 10, 226, [6]uintptr{at(room[:]) &^ 4095, 4096, 7}},
		{"a Unix socket", 41, 198, [6]uintptr{1, 1, 0}},
		{"a netlink socket", 41, 198, [6]uintptr{16, 3, 0}},
		{"a socket to the host", 41, 198, [6]uintptr{40, 1, 0}},
		{"a pair of sockets", 53, 199, [6]uintptr{1, 1, 0, at(room[:])}},
		{"ptrace", 101, 117, [6]uintptr{16, 1}},
		{"userfaultfd", 323, 282, [6]uintptr{1}},
		{"keyctl", 250, 219, [6]uintptr{0, ^uintptr(2), 1}},
		{"bpf", 321, 280, [6]uintptr{0, at(room[:]), 64}},
		{"io_uring", 425, 425, [6]uintptr{4, at(room[:])}},
		{"perf", 298, 241, [6]uintptr{at(room[:])}},
		{"to open a file", 257, 56, [6]uintptr{^uintptr(99), at(path), 0}},
		{"to make a file", 257, 56, [6]uintptr{^uintptr(99), at(append([]byte("/tmp/x"), 0)), 0o102, 0o644}},
		{"to start a program", 59, 221, [6]uintptr{at(append([]byte("/usr/bin/true"), 0)), 0, 0}},
		{"a process", 56, 220, [6]uintptr{17}},
		{"a process, by clone3", 435, 435, [6]uintptr{at(room[:]), 64}},
		{"a namespace", 272, 97, [6]uintptr{0x10000000}},
		{"another's signal", 62, 129, [6]uintptr{1, 0}},
		{"another's thread", 234, 131, [6]uintptr{1, 1, 0}},
		{"another's memory", 310, 270, [6]uintptr{1, at(room[:]), 1, at(room[:]), 1, 0}},
		{"System V memory", 29, 194, [6]uintptr{0, 4096, 0o1600}},
		{"a pipe", 293, 59, [6]uintptr{at(room[:]), 0}},
		{"to close the judge's pipe", 3, 57, [6]uintptr{3}},
		{"a copy of a descriptor", 72, 25, [6]uintptr{3, 0, 9}},
		{"to change its own rights", 157, 167, [6]uintptr{4, 0}},
		{"limits", 302, 261, [6]uintptr{0, 6, 0, at(room[:])}},
		{"ioctl", 16, 29, [6]uintptr{0, 0x5401, at(room[:])}},
	} {
		number := c.amd64
		if runtime.GOARCH == "arm64" {
			number = c.arm64
		}
		r, _, errno := syscall.RawSyscall6(number, c.args[0], c.args[1], c.args[2], c.args[3], c.args[4], c.args[5])
		if c.name == "a process" && errno == 0 && r == 0 {
			syscall.RawSyscall(syscall.SYS_EXIT, 0, 0, 0)
		}
		if errno != syscall.EPERM {
			fmt.Println(c.name, "gives", errno)
		}
	}
	fmt.Println("all were asked for")
	for range 200 {
		go func() {
			runtime.LockOSThread()
			select {}
		}()
		runtime.Gosched()
	}
	for {
	}
}
`

// TestNativeCode runs nativeAnswer with and without a sandbox. In both cases the kernel must refuse
// every system call in nativeAnswer's list. The kernel must let nativeAnswer start 200 threads only
// without a sandbox.
func TestNativeCode(t *testing.T) {
	e := must.Get(catalog.Exercises(os.DirFS(root), "prml-4.25"))(t)[0]
	p := must.Get(must.Get(Cut(e, "func LambdaSquared() float64 { return 0.2 }"+rest))(t).program(e))(t)
	p.Main = strings.Replace(p.Main, "LambdaSquared, SigmoidSlope, ProbitSlope", "", 1)
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" && runtime.GOARCH != "arm64" {
		t.Skip("package confine supports only Linux on amd64 and arm64")
	}
	dir := t.TempDir()
	must.Do(t, toolchain(t).compile(t.Context(), &program{p.Main, nativeAnswer}, dir))
	open := *toolchain(t)
	open.NoSandbox = true
	for name, tools := range map[string]*Toolchain{"in the sandbox": toolchain(t), "without a sandbox": &open} {
		t.Run(name, func(t *testing.T) {
			l := DefaultLimits
			l.CPU = 2 * time.Second
			var said, failed bytes.Buffer
			cmd := tools.Command(filepath.Join(dir, "answer"), l)()
			cmd.Stdout, cmd.Stderr = &said, &failed
			err := cmd.Run()
			if said.String() != "all were asked for\n" {
				t.Errorf("the answer prints %q, writes %q to standard error and ends with %v; want only the line \"all were asked for\", because the kernel must refuse every system call that the answer tries",
					&said, &failed, err)
			}
			if tools.NoSandbox && strings.Contains(failed.String(), "new OS thread") {
				t.Errorf("without a sandbox, the answer cannot start a thread: %s", &failed)
			}
			if !tools.NoSandbox && !strings.Contains(failed.String(), "errno=11") {
				t.Errorf("in the sandbox, starting 200 threads gives the error %v and prints %s, want errno=11 at the limit of 64 threads", err, failed.String())
			}
		})
	}
}

// TestCost checks that Judge reports the time of compiling and judging, and the memory of the judge
// and of the answer. It also checks the method Add of Cost.
func TestCost(t *testing.T) {
	e := must.Get(catalog.Exercises(os.DirFS(root), "prml-4.25"))(t)[0]
	s := must.Get(Cut(e,
		"func LambdaSquared() float64 {\n\tb := make([]byte, 100<<20)\n\tfor i := range b {\n\t\tb[i] = 1\n\t}\n\treturn math.Pi / 8 * float64(b[9])\n}\n"+rest))(t)
	judged, err := toolchain(t).Judge(t.Context(), e, []any{ex25.Check, ex25.CheckSteps}, s, DefaultLimits, 0)
	must.Do(t, err)
	cost := judged.Cost
	if cost.Compile <= 0 || cost.Judge <= 0 || cost.JudgeMemory < 1<<20 || cost.AnswerMemory < 100<<20 ||
		cost.AnswerMemory > 1<<30 {
		t.Errorf("got the cost %+v; want times above 0, at least 1 MiB for the judge, and 100 MiB to 1 GiB for the answer", cost)
	}
	sum := cost
	if sum.Add(Cost{Compile: 1, AnswerMemory: 1}); sum.Compile != cost.Compile+1 || sum.AnswerMemory != cost.AnswerMemory {
		t.Errorf("adding 1 ns for compiling and 1 byte of the answer's memory to %+v gives %+v, want the sum of the times and the larger memory",
			cost, sum)
	}
}

// TestHandedOn checks an exercise whose package exports functions that answers may call. An answer
// to this exercise may use these functions, but not the check in the same package. An answer to a
// different exercise may not import the package.
func TestHandedOn(t *testing.T) {
	e := must.Get(catalog.Exercises(os.DirFS(root), "alpaydin-10.1"))(t)[0]
	compiled := func(source string) error {
		return toolchain(t).Compile(t.Context(), e, must.Get(Cut(e, source))(t), t.TempDir())
	}
	must.Do(t, compiled(e.Answer.Solution.Source))
	must.Do(t, compiled("import \""+cell.HyperplaneModule+"/exercises/alpaydin10/ex01\"\n"+e.Answer.Solution.Source))
	must.Fail(t, compiled(e.Answer.Solution.Source+"\nvar _ = ex01.Check"), "undefined: ex01.Check")
	other := must.Get(catalog.Exercises(os.DirFS(root), "prml-4.25"))(t)[0]
	_, err := Cut(other, "import \""+cell.HyperplaneModule+
		"/exercises/alpaydin10/ex01\"\nfunc LambdaSquared() float64 { return 0.2 }"+rest)
	must.Fail(t, err, "may not import")
}

// countProcesses counts the processes on this machine that have the given word as their last
// command-line argument.
func countProcesses(word string) (n int) {
	files, _ := filepath.Glob("/proc/[0-9]*/cmdline") // the error is nil, because the pattern is valid
	for _, file := range files {
		if text, err := os.ReadFile(file); err == nil && bytes.HasSuffix(bytes.TrimRight(text, "\x00"), []byte("\x00"+word)) {
			n++
		}
	}
	return n
}

// TestEnded checks that all processes in a sandbox end when the sandbox ends, even processes in new
// sessions.
func TestEnded(t *testing.T) {
	const word = "98761.4321" // an unusual duration, so that this test can find its own processes by this word
	args := confinedCommand(DefaultLimits, nil, nil, "/bin/sh", "-c",
		"setsid sleep "+word+" & setsid setsid sleep "+word+" & sleep "+word)
	cmd := exec.Command(args[0], args[1:]...)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	wait := func(n int) {
		t.Helper()
		for deadline := time.Now().Add(20 * time.Second); countProcesses(word) != n; time.Sleep(10 * time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatalf("%d processes are running, want %d", countProcesses(word), n)
			}
		}
	}
	wait(3)
	_ = cmd.Process.Kill()
	_ = cmd.Wait() // ignore the error, because the test has killed the process
	wait(0)
}
