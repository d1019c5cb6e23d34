package grading

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex25"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/catalog"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/cell"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

const root = "../../.."

// judged compiles an answer to PRML 4.25 and judges it, with three seconds of processor time
// and a gigabyte for each part.
func judged(t *testing.T, source string) (*verify.Report, error) {
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

// toolchain is one for all tests.
func toolchain(t *testing.T) *Toolchain {
	t.Helper()
	once.Do(func() {
		abs := must.Get(filepath.Abs(root))(t)
		dir := must.Get(os.MkdirTemp("", "hyperplane-toolchain-"))(t)
		tools, bad = NewToolchain(context.Background(), abs, dir, false)
	})
	must.Do(t, bad)
	return tools
}

func TestMain(m *testing.M) {
	code := m.Run()
	if tools != nil {
		os.RemoveAll(tools.Dir)
	}
	os.Exit(code)
}

// recursion fills the stack with few frames: to look at each takes its time.
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
		{"counts its calls", "calls++\n\tif calls > 5 {\n\t\treturn 0.2\n\t}\n\treturn math.Pi / 8", verify.Wrong, "not-the-same"},
		{"tosses a coin", "if rand.Float64() < 0.3 {\n\t\treturn 0.2\n\t}\n\treturn math.Pi / 8", verify.Wrong, ""},
		{"counts its calls, and is right", "calls++\n\treturn math.Pi / 8", verify.Right, ""},
		{"adds up in the order of a map", "s := 0.0\n\tfor _, x := range map[int]float64{1: 0.1, 2: 0.3, 3: 0.7, 4: math.Pi/8 - 1.1} {\n\t\ts += x\n\t}\n\treturn s", verify.Right, ""},
		{"a random start", "x := rand.Float64()\n\tfor range 80 {\n\t\tx = (x + math.Pi/8) / 2\n\t}\n\treturn x", verify.Right, ""},
		{"sleeps", "select {}", verify.TimedOut, "timed-out"},
		{"sleeps on a channel", "return <-make(chan float64)", verify.TimedOut, "timed-out"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := must.Get(judged(t, "var calls int\n\nfunc LambdaSquared() float64 {\n\t"+tt.body+"\n}\n"+rest))(t)
			if p := r.Parts[0]; p.Outcome != tt.outcome || tt.key != "" && p.Key != tt.key {
				t.Errorf("%s %q, want %s %q:\n%s", p.Outcome, p.Key, tt.outcome, tt.key, r)
			}
		})
	}
}

// What runs in the cell is no part of the answer, and neither is what only that needs; a
// command is none either, and the lines of the rest keep their numbers.
func TestCutDeclarations(t *testing.T) {
	e := must.Get(catalog.Exercises(os.DirFS(root), "prml-4.25"))(t)[0]
	s := must.Get(Cut(e, "import (\n\t\"math\"\n\t\"strings\"\n)\n!ls\nfunc LambdaSquared() float64 { return math.Pi }"+rest+"%%\nos.Exit(len(strings.ToUpper(\"\")))"))(t)
	if len(s.Imports) != 2 || s.Imports[0].Path != "math" || s.Imports[1].Path != cell.Module+"/toolkit/verify" {
		t.Errorf("imports %v", s.Imports)
	}
	if lines := strings.Split(s.Source, "\n"); !strings.HasPrefix(lines[5], "func LambdaSquared") || strings.Contains(s.Source, "Exit") || strings.Contains(s.Source, "ls") {
		t.Errorf("source %q", s.Source)
	}
}

// Who leaves out the steps on the way is judged by the answer.
func TestStepsMayBeLeftOut(t *testing.T) {
	r, err := judged(t, "func LambdaSquared() float64 { return math.Pi / 8 }")
	if err != nil || !r.Passed() {
		t.Errorf("%v %v", r, err)
	}
}

// What is no answer is refused, with a reason.
func TestCut(t *testing.T) {
	const answer = "func LambdaSquared() float64 { return 0.2 }" + rest
	for _, tt := range []struct{ name, source, want string }{
		{"file", "import \"os\"\n" + answer, "may not import \"os\""},
		{"used without an import", answer + "\nvar f = os.Args", "may not import \"os\""},
		{"unsafe", "import \"unsafe\"\n" + answer, "may not import \"unsafe\""},
		{"the judge", "import \"github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex25\"\n" + answer, "may not import"},
		{"cgo", "import \"C\"\n" + answer, "may not import \"C\""},
		{"linkname", "//go:linkname a b\n" + answer, "the directive //go:"},
		{"embed", answer + "\n//go:embed x\nvar s string", "the directive //go:"},
		{"line", "//line x.go:1\n" + answer, "the directive //line"},
		{"init", answer + "\nfunc init() {}", "may not have a function init"},
		{"no body", answer + "\nfunc f()", "has no body"},
		{"no function", rest, "has no function LambdaSquared"},
		{"no Go", "func (", "your answer:1"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := judged(t, tt.source)
			must.Fail(t, err, tt.want)
		})
	}
	for _, signature := range []string{"() string", "(x ...float64) float64", "() (float64, error)", "[T any]() float64", "() any"} {
		_, err := judged(t, "func LambdaSquared"+signature+" { panic(0) }"+rest)
		if compile := (*CompileError)(nil); !errors.As(err, &compile) || !strings.Contains(compile.Message, "answer.go:1") {
			t.Errorf("LambdaSquared%s gives %v", signature, err)
		}
	}
	_, err := judged(t, "func LambdaSquared() float64 { return x }"+rest)
	var compile *CompileError
	if !errors.As(err, &compile) || !strings.Contains(compile.Message, "answer.go:1") || !strings.Contains(compile.Message, "undefined: x") {
		t.Errorf("a compile error is %v", err)
	}
}

// What runs in the sandbox sees no file of this machine but the system's, no environment,
// no other process and no network, and leaves nothing behind.
func TestConfined(t *testing.T) {
	dir := t.TempDir()
	canary := filepath.Join(dir, "canary")
	must.Write(t, canary, "sing")
	t.Setenv("HYPERPLANE_CANARY", "sing")
	look := func(script string) string {
		args := confined(DefaultLimits, map[string]string{canary: "/given"}, nil, "/bin/sh", "-c", script)
		text, _ := exec.Command(args[0], args[1:]...).CombinedOutput() // what fails says so
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
		{"the environment", "env | grep -c CANARY", "0"},
		{"other processes", "echo /proc/[0-9]* end", "/proc/1 /proc/2 end"}, // bwrap and sh
		{"the network", "cat /proc/net/dev | grep -c :", "1"},               // lo, which is down
		{"its user", "id -u", "65534"},
		{"to mount", "mount -t tmpfs x /usr", "superuser"},
		{"the system", "touch /usr/x", "Read-only file system"},
		{"a big file", "head -c 100000000 /dev/zero > /tmp/big; stat -c %s /tmp/big", "67108864"},
		{"another's processes", "kill -9 " + strconv.Itoa(os.Getpid()), "No such process"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if said := look(tt.script); !strings.Contains(said, tt.want) {
				t.Errorf("%s says %q, want %q", tt.script, said, tt.want)
			}
		})
	}
	if must.Read(t, canary) != "sing" {
		t.Error("the sandbox changed a file outside")
	}
}

// What judging has taken is said: time, and memory of either side.
func TestCost(t *testing.T) {
	e := must.Get(catalog.Exercises(os.DirFS(root), "prml-4.25"))(t)[0]
	s := must.Get(Cut(e, "func LambdaSquared() float64 {\n\tb := make([]byte, 100<<20)\n\tfor i := range b {\n\t\tb[i] = 1\n\t}\n\treturn math.Pi / 8 * float64(b[9])\n}\n"+rest))(t)
	_, cost, err := toolchain(t).Judge(t.Context(), e, []any{ex25.Check, ex25.CheckSteps}, s, DefaultLimits, 0)
	must.Do(t, err)
	if cost.Compile <= 0 || cost.Judge <= 0 || cost.JudgeMemory < 1<<20 || cost.AnswerMemory < 100<<20 || cost.AnswerMemory > 1<<30 {
		t.Errorf("the cost is %+v", cost)
	}
	sum := cost
	if sum.Add(Cost{Compile: 1, AnswerMemory: 1}); sum.Compile != cost.Compile+1 || sum.AnswerMemory != cost.AnswerMemory {
		t.Errorf("the sum is %+v", sum)
	}
}

// Where an exercise hands on names to build an answer of, an answer may use them, and them
// alone: the check beside them is not there.
func TestHandedOn(t *testing.T) {
	e := must.Get(catalog.Exercises(os.DirFS(root), "alpaydin-10.1"))(t)[0]
	compiled := func(source string) error {
		return toolchain(t).Compile(t.Context(), e, must.Get(Cut(e, source))(t), t.TempDir())
	}
	must.Do(t, compiled(e.Answer.Solution.Source))
	must.Do(t, compiled("import \""+cell.Module+"/exercises/alpaydin10/ex01\"\n"+e.Answer.Solution.Source))
	must.Fail(t, compiled(e.Answer.Solution.Source+"\nvar _ = ex01.Check"), "undefined: ex01.Check")
	other := must.Get(catalog.Exercises(os.DirFS(root), "prml-4.25"))(t)[0]
	_, err := Cut(other, "import \""+cell.Module+"/exercises/alpaydin10/ex01\"\nfunc LambdaSquared() float64 { return 0.2 }"+rest)
	must.Fail(t, err, "may not import")
}
