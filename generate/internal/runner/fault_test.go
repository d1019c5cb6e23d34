package runner_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/kerneltest"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbformat"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/runner"
)

// checkCleanUp gives the test a separate temporary folder. At the end of the test, checkCleanUp
// reports as errors all files and processes that the runs left behind.
func checkCleanUp(t *testing.T) {
	t.Helper()
	// Do not use t.TempDir: the paths of gopls's sockets in that folder would be too long.
	dir := must.Get(os.MkdirTemp("", "hp-"))(t)
	t.Setenv("TMPDIR", dir)
	t.Cleanup(func() {
		left, err := os.ReadDir(dir)
		if err != nil {
			t.Error(err)
		}
		for _, f := range left {
			t.Errorf("a run left %s in the temporary folder", f.Name())
		}
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
		for _, p := range processesNaming(t, dir) {
			t.Errorf("a run left the process %s running", p)
		}
	})
}

// processesNaming lists the processes whose environment or command line contains `text`. If `text` is
// the TMPDIR of the test, the list contains runner.py, the kernel, gopls and the programs of cells.
func processesNaming(t *testing.T, text string) []string {
	t.Helper()
	files := must.Get(filepath.Glob("/proc/[0-9]*/environ"))(t)
	var found []string
	for _, environ := range files {
		dir := filepath.Dir(environ)
		env, _ := os.ReadFile(environ) // ignore the error: the process has ended or belongs to another user
		command, _ := os.ReadFile(filepath.Join(dir, "cmdline"))
		if strings.Contains(string(env)+string(command), text) {
			found = append(found, filepath.Base(dir)+" "+strings.ReplaceAll(string(command), "\x00", " "))
		}
	}
	return found
}

func TestFaults(t *testing.T) {
	kernel := kerneltest.Kernel(t)
	const ok, notRun = runner.OK, runner.NotRun
	tests := []struct {
		notebook string
		want     runner.Verdict
		cells    []runner.Verdict
		detail   string
	}{
		{"panics", runner.Panicked, []runner.Verdict{ok, runner.Panicked, ok}, "index out of range [3]"},
		{"loops", runner.TimedOut, []runner.Verdict{ok, runner.TimedOut, ok}, "15s for a cell"},
		{"ignores_interrupt", runner.TimedOut, []runner.Verdict{ok, runner.TimedOut, ok}, "15s for a cell"},
		{"exits", runner.Exited, []runner.Verdict{ok, ok, ok, runner.Exited}, "before the report was complete"},
		{"exits_early", runner.NoVerdict, []runner.Verdict{ok, ok, runner.NoVerdict}, "no report"},
		{"fails", runner.Exited, []runner.Verdict{ok, runner.Exited, ok}, "exit status 3"},
		{"prints", runner.TooMuchOutput, []runner.Verdict{ok, runner.TooMuchOutput, ok}, "100000 characters"},
		{"does_not_compile", runner.CompileError, []runner.Verdict{ok, runner.CompileError, ok},
			"undefined: fmt.Printn"},
		{"kills_kernel", runner.KernelDied, []runner.Verdict{ok, ok, runner.KernelDied, notRun}, "kernel ended"},
		{"kills_shell", runner.KernelDied, []runner.Verdict{ok, runner.KernelDied, notRun}, "kernel ended"},
		{"shell_fails", runner.ShellFailed, []runner.Verdict{ok, runner.ShellFailed, ok}, "exit status 1"},
		{"wrong", runner.NotPassed, []runner.Verdict{ok, ok, ok, runner.NotPassed}, "1 of 2 parts right"},
		{"stub", runner.NotPassed, []runner.Verdict{ok, ok, ok, runner.NotPassed}, "1 of 2 parts right"},
		{"right", runner.Passed, []runner.Verdict{ok, ok, ok, runner.Passed}, ""},
		{"check_removed", runner.NoVerdict, []runner.Verdict{ok, ok}, "no cell reported a pass of exercise prml-0.0"},
		{"good", runner.OK, []runner.Verdict{ok, ok, ok, runner.CompileError, ok}, ""},
		{"not_json", runner.NotANotebook, nil, "invalid JSON at line 1"},
	}
	checkCleanUp(t)
	out := t.TempDir()
	judged := map[string]runner.Notebook{}
	// The time limit of a cell is 15 s in notebooks that must exceed it, and a minute in all
	// others. Even a busy machine compiles a cell in far less than a minute.
	for timeout, times := range map[time.Duration]bool{time.Minute: false, 15 * time.Second: true} {
		var paths []string
		for _, tt := range tests {
			if (tt.want == runner.TimedOut) == times {
				paths = append(paths, filepath.Join("testdata", tt.notebook+".ipynb"))
			}
		}
		summary := must.Get(runner.Run(t.Context(), paths,
			runner.Options{Kernel: kernel, Out: out, Timeout: timeout, StreamCap: 100_000, Jobs: 3}))(t)
		for i, n := range summary.Notebooks {
			judged[paths[i]] = n
		}
		if summary.Passed {
			t.Error("the run passed although some of its notebooks have faults")
		}
	}
	for _, tt := range tests {
		t.Run(tt.notebook, func(t *testing.T) {
			n := judged[filepath.Join("testdata", tt.notebook+".ipynb")]
			if n.Verdict != tt.want || !strings.Contains(n.Detail, tt.detail) {
				t.Errorf("got the verdict %s (%s), want %s with a detail that contains %q", n.Verdict, n.Detail, tt.want, tt.detail)
			}
			if !slices.EqualFunc(n.Cells, tt.cells,
				func(c runner.Cell, want runner.Verdict) bool { return c.Verdict == want }) {
				t.Errorf("got the cells %+v, want the verdicts %v", n.Cells, tt.cells)
			}
			if tt.want != runner.NotANotebook {
				checkExecuted(t, filepath.Join(out, tt.notebook+".ipynb"))
			}
		})
	}
}

// TestUncompiledAnswers covers answers whose cells do not compile. GoNB then keeps the earlier
// version of the answer, but the check must not judge that version. The compile error must describe
// the mistake.
func TestUncompiledAnswers(t *testing.T) {
	kernel := kerneltest.Kernel(t)
	checkCleanUp(t)
	const (
		setUp = "%noautoget\nimport (\n\t\"math\"\n\n\t\"github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex07\"\n)\n%%\n"
		logit = "func Logit(y float64) float64 { return math.Log(y) - math.Log1p(-y) }\n"
		right = "func Sigmoid(a float64) float64 { return 1 / (1 + math.Exp(-a)) }\n"
		check = "%%\nex07.Check(Sigmoid, Logit)"
		old   = "Sigmoid is still the version from before"
	)
	mistakes := []struct{ cell, detail string }{
		{"func Sigmoid(a float64) float64 { x := 1; return 1 / (1 + math.Exp(-a)) }", "declared and not used: x"},
		{"func Sigmoid(a float64) string { return 1 / (1 + math.Exp(-a)) }", "as string value"},
		{"func Sigmoid(a float64) float64 { return 1 / (1 + math.exp(-a)) }", "undefined: math.exp (but have Exp)"},
		{"func Sigmoid(a float64) float64 { return 1 / (1 + strings.toUpper(-a)) }",
			"undefined: strings.toUpper (but have ToUpper)"},
		{"func Sigmoid(a float64) float64 { return classify.FitLogistik(a) }", "undefined: classify.FitLogistik"},
		{"func Sigmoid(a float64) float64 { return 1 / (1 + math.Exp(-a) }", "expected"},
		{"fun Sigmoid(a float64) float64 { return 1 / (1 + math.Exp(-a)) }", "expected declaration"},
	}
	cells := []string{setUp, logit + strings.Replace(right, "-a", "a", 1), check}
	for _, m := range mistakes {
		cells = append(cells, m.cell, check)
	}
	cells = append(cells, right, check)
	path := writeNotebook(t, filepath.Join(t.TempDir(), "a.ipynb"), cells...)
	s := must.Get(runner.Run(t.Context(), []string{path}, runner.Options{Kernel: kernel}))(t)
	got := s.Notebooks[0].Cells
	if len(got) != len(cells) {
		t.Fatalf("got %d cells, want %d", len(got), len(cells))
	}
	report := func(i int) string {
		t.Helper()
		if len(got[i].Reports) != 1 {
			t.Fatalf("cell %d has the verdict %s (%s) and %d reports, want exactly one report", i, got[i].Verdict, got[i].Detail, len(got[i].Reports))
		}
		return got[i].Reports[0].String()
	}
	if r := report(2); !strings.Contains(r, "wrong sign") {
		t.Errorf("the check does not report the wrong sign in the first answer:\n%s", r)
	}
	for i, m := range mistakes {
		if c := got[3+2*i]; c.Verdict != runner.CompileError || !strings.Contains(c.Detail, m.detail) {
			t.Errorf("the cell\n%s\nhas the verdict %s (%s), want CompileError with a detail that contains %q", m.cell, c.Verdict, c.Detail, m.detail)
		}
		if r := report(4 + 2*i); !strings.Contains(r, old) || strings.Contains(r, "wrong sign") {
			t.Errorf("after the cell\n%s\nthe check reports\n%s\nwant a report that contains %q and does not judge the earlier version", m.cell, r, old)
		}
	}
	if r := report(len(got) - 1); got[len(got)-1].Verdict != runner.Passed {
		t.Errorf("got the verdict %s on the corrected answer, want Passed; the report is\n%s", got[len(got)-1].Verdict, r)
	}
}

// checkExecuted checks the executed notebook that a run has written. The notebook must not be too
// large, and must not contain temporary names or times.
func checkExecuted(t *testing.T, path string) {
	t.Helper()
	nb, text := must.Get(nbformat.ReadFile(path))(t), must.Read(t, path)
	if len(text) > 200_000 {
		t.Errorf("the executed notebook has %d bytes, want at most 200000", len(text))
	}
	if strings.Contains(text, os.Getenv("TMPDIR")) || strings.Contains(text, "gonb_") {
		t.Errorf("the executed notebook contains %s or gonb_, which are names of temporary folders; want neither", os.Getenv("TMPDIR"))
	}
	for _, c := range nb.Cells {
		if _, timed := c.Metadata["execution"]; timed {
			t.Errorf("cell %s contains metadata about timing", c.ID)
		}
	}
}

func TestSecondRunGivesTheSameBytes(t *testing.T) {
	kernel := kerneltest.Kernel(t)
	checkCleanUp(t)
	var runs [2]map[string]string
	for i := range runs {
		out := t.TempDir()
		s := must.Get(runner.Run(t.Context(), []string{"testdata/good.ipynb", "testdata/right.ipynb"},
			runner.Options{Kernel: kernel, Out: out, Jobs: 2}))(t)
		if !s.Passed {
			t.Error("a run without faults did not pass")
		}
		runs[i] = must.Tree(t, out)
	}
	if len(runs[0]) != 2 || !maps.Equal(runs[0], runs[1]) {
		t.Errorf("two runs must write the same two files; the first run wrote\n%s\nthe second run wrote\n%s", runs[0], runs[1])
	}
}

func TestLimitOfTheNotebook(t *testing.T) {
	kernel := kerneltest.Kernel(t)
	checkCleanUp(t)
	for limit := 5 * time.Second; limit < 2*time.Minute; limit *= 2 {
		summary := must.Get(runner.Run(t.Context(), []string{"testdata/loops.ipynb"},
			runner.Options{Kernel: kernel, Timeout: 2 * limit, Limit: limit}))(t)
		n := summary.Notebooks[0]
		if n.Verdict == runner.NotRun { // the machine was too slow to start the kernel within this limit
			continue
		}
		if n.Verdict != runner.TimedOut || !strings.Contains(n.Detail, fmt.Sprint(limit, " for the notebook")) ||
			n.Cells[2].Verdict != runner.NotRun {
			t.Errorf("got the verdict %s (%s) on the notebook, want TimedOut with the limit %v for the notebook; got %s on its last cell, want NotRun",
				n.Verdict, n.Detail, limit, n.Cells[2].Verdict)
		}
		return
	}
	t.Error("the kernel did not start within the longest limit")
}

func TestCancelled(t *testing.T) {
	kernel := kerneltest.Kernel(t)
	for _, tt := range []struct {
		name string
		when int // cancel after this many finished cells; -1 means cancel while the kernel starts
	}{{"at the start", -1}, {"in a loop that ignores interrupts", 1}} {
		t.Run(tt.name, func(t *testing.T) {
			checkCleanUp(t)
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			if tt.when < 0 {
				time.AfterFunc(150*time.Millisecond, cancel)
			}
			began := time.Now()
			_, err := runner.Run(ctx, []string{"testdata/ignores_interrupt.ipynb"}, runner.Options{Kernel: kernel,
				Progress: func(_ string, done, _ int) {
					if done == tt.when {
						// Cancel after 1.5 s. By then the next cell has been compiled and is
						// running.
						time.AfterFunc(1500*time.Millisecond, cancel)
					}
				}})
			if !errors.Is(err, context.Canceled) {
				t.Errorf("got the error %v, want context.Canceled", err)
			}
			if took := time.Since(began); took > 30*time.Second {
				t.Errorf("the cancelled run took %v in all, want at most 30 s", took)
			}
		})
	}
}

func TestCannotRun(t *testing.T) {
	kernel := kerneltest.Kernel(t)
	checkCleanUp(t)
	empty := t.TempDir()
	file := filepath.Join(empty, "file")
	must.Write(t, file, "")
	tests := []struct {
		name   string
		paths  []string
		kernel runner.Kernel
		out    string
		want   string
	}{
		{"no such file", []string{"testdata/nothing.ipynb"}, kernel, "", "nothing.ipynb"},
		{"folder without notebooks", []string{empty}, kernel, "", "no notebooks"},
		{"same notebook twice", []string{"testdata/good.ipynb", "./testdata/good.ipynb"}, kernel, t.TempDir(),
			"leave out one of the two"},
		{"output folder is a file", []string{"testdata/good.ipynb"}, kernel, file, "cannot write to the output folder"},
		{"no kernel", []string{"testdata/good.ipynb"}, runner.Kernel{Python: kernel.Python, Data: empty}, "",
			"kernel did not start"},
		{"no python", []string{"testdata/good.ipynb"}, runner.Kernel{Python: empty + "/python3", Data: kernel.Data}, "",
			"python3"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := runner.Run(t.Context(), tt.paths, runner.Options{Kernel: tt.kernel, Out: tt.out})
			must.Fail(t, err, tt.want)
		})
	}
}

// playVariable is the name of an environment variable. If the variable is set to the path of a
// notebook, TestMain does not run the tests. Instead, it runs that notebook with the kernel of this
// repository.
const playVariable = "HYPERPLANE_TEST_PLAY"

func TestMain(m *testing.M) {
	notebook := os.Getenv(playVariable)
	if notebook == "" {
		os.Exit(m.Run())
	}
	kernel, err := runner.FindKernel(".")
	if err == nil {
		_, err = runner.Run(context.Background(), []string{notebook}, runner.Options{Kernel: kernel,
			Progress: func(_ string, done, _ int) { fmt.Println(done) }})
	}
	fmt.Println(err)
}

// runAndKill runs this test program on a notebook and kills the program when the function farEnough
// returns. It then waits, for at most 5 seconds, until the program's descendants have ended.
func runAndKill(t *testing.T, farEnough func(stdout *bufio.Scanner), environment ...string) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), environment...)
	stdout := must.Get(cmd.StdoutPipe())(t)
	must.Do(t, cmd.Start())
	farEnough(bufio.NewScanner(stdout))
	must.Do(t, cmd.Process.Kill())
	_ = cmd.Wait()
	for deadline := time.Now().Add(5 * time.Second); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		if len(processesNaming(t, os.Getenv("TMPDIR"))) == 0 {
			break
		}
	}
}

// TestKilled kills the process that runs a notebook. The descendants of this process must still
// end, and the folder of the run must be removed.
func TestKilled(t *testing.T) {
	kerneltest.Kernel(t)
	checkCleanUp(t)
	runAndKill(t, func(lines *bufio.Scanner) {
		for lines.Scan() && lines.Text() != "1" {
			t.Log(lines.Text())
		}
		time.Sleep(1500 * time.Millisecond) // wait until the next cell has been compiled and is running
		if len(processesNaming(t, os.Getenv("TMPDIR"))) < 4 {
			t.Error("the run has fewer than 4 processes, so the notebook is not running and this test proves nothing")
		}
	}, playVariable+"=testdata/ignores_interrupt.ipynb")
}

// TestBrokenSetup runs two notebooks without faults in set-ups in which no cell can run. Each
// notebook must get the verdict NotJudged, and the error must name the cause.
func TestBrokenSetup(t *testing.T) {
	kernel := kerneltest.Kernel(t)
	tests := []struct {
		name string
		env  map[string]string // environment variables to change; "" removes the variable
		want string
	}{
		{"no home", map[string]string{"HOME": "", "GOCACHE": "", "XDG_CACHE_HOME": ""},
			"neither GOMODCACHE nor GOPATH is set"},
		{"no cache", map[string]string{"GOCACHE": "off"}, "GOCACHE=off"},
		{"no temporary folder", map[string]string{"TMPDIR": "/proc/nothing"}, "/proc/nothing"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			checkCleanUp(t)
			for name, value := range tt.env {
				t.Setenv(name, value)
				if value == "" {
					must.Do(t, os.Unsetenv(name))
				}
			}
			s, err := runner.Run(t.Context(), []string{"testdata/right.ipynb", "testdata/good.ipynb"},
				runner.Options{Kernel: kernel})
			must.Fail(t, err, "set-up is broken", tt.want)
			for _, n := range s.Notebooks {
				if n.Verdict != runner.NotJudged || len(n.Cells) > 0 {
					t.Errorf("%s: got the verdict %s and %d cells, want NotJudged and no cells", n.Path, n.Verdict, len(n.Cells))
				}
			}
		})
	}
}

// TestOddEnvironment checks that the user's settings for Go and Python do not affect a run, and that
// a cell builds without a C compiler. Notebooks must also run under the locale POSIX and in a folder
// whose name is not valid UTF-8.
func TestOddEnvironment(t *testing.T) {
	kernel := kerneltest.Kernel(t)
	checkCleanUp(t)
	for name, value := range map[string]string{
		"GOWORK": "off", "GO111MODULE": "off", "GOOS": "windows", "GOARCH": "arm64", "GOFLAGS": "-mod=vendor",
		"CGO_ENABLED": "1", "CC": "/nonexistent/cc",
		"LC_ALL": "POSIX", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONPATH": "/nonexistent",
	} {
		t.Setenv(name, value)
	}
	dir := filepath.Join(t.TempDir(), "λ\xff")
	right := strings.Replace(must.Read(t, "testdata/right.ipynb"), "%%\\n", "%%\\n// λ² ∈ ℝ\\n", 1)
	must.Contain(t, right, "λ²")
	must.Write(t, filepath.Join(dir, "right.ipynb"), right)
	s := must.Get(runner.Run(t.Context(), []string{dir},
		runner.Options{Kernel: kernel, Out: t.TempDir(), HTML: true}))(t)
	if !s.Passed || s.Notebooks[0].Verdict != runner.Passed {
		t.Errorf("got the verdict %s (%s), want Passed; got Passed = %t in the summary, want true", s.Notebooks[0].Verdict, s.Notebooks[0].Detail, s.Passed)
	}
}

// TestPythonHasModulesOfItsOwn checks that Python imports no modules from PYTHONPATH or from the
// current folder, because that folder can contain submissions. FindPython must still find an
// interpreter whose path is relative to the current folder.
func TestPythonHasModulesOfItsOwn(t *testing.T) {
	kernel := kerneltest.Kernel(t)
	checkCleanUp(t)
	dir := t.TempDir()
	seen := filepath.Join(dir, "seen")
	for _, name := range []string{"nbclient", "nbformat", "jupyter_client", "random", "asyncio"} {
		text := "open(" + "'" + seen + "', 'a').write(__name__ + ' ')\nraise SystemExit(3)\n"
		must.Write(t, filepath.Join(dir, name+".py"), text)
	}
	must.Do(t, os.Symlink(kernel.Python, filepath.Join(dir, "python")))
	text := writeNotebook(t, filepath.Join(t.TempDir(), "text.ipynb"))
	code := writeNotebook(t, filepath.Join(t.TempDir(), "code.ipynb"), "%%\n")

	t.Setenv("HYPERPLANE_PYTHON", "./python")
	t.Setenv("PYTHONPATH", dir+":.")
	t.Chdir(dir)
	python := must.Get(runner.FindPython())(t)
	must.Get(runner.Run(t.Context(), []string{text},
		runner.Options{Kernel: runner.Kernel{Python: python, Data: kernel.Data}, Out: t.TempDir(), HTML: true}))(t)
	// The folder contains no kernel, so runner.py must fail. The error must come from the real
	// module jupyter_client, and not from the file with this name in the folder.
	_, err := runner.Run(t.Context(), []string{code}, runner.Options{Kernel: runner.Kernel{Python: python, Data: dir}})
	must.Fail(t, err, "No such kernel")
	if names, err := os.ReadFile(seen); err == nil {
		t.Errorf("Python imported a module from the folder: %s", names)
	}
}
