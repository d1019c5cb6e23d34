package runner_test

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbformat"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/runner"
)

// scriptedKernel returns a fake kernel that needs neither Python nor Go. The kernel is a shell
// script that reads a job and prints events. A word in the source of the job's only cell determines
// which events the script prints. The runner also sends a job to find out whether the set-up works.
// For this job, the script prints a report in which every part is right or, if `broken` is true, the
// error of a compiler that has no cache.
func scriptedKernel(t *testing.T, broken bool) runner.Kernel {
	t.Helper()
	const program = `#!/bin/sh
read -r job
say() { printf '%s\n' "$1"; }
end() { say '{"event":"ready"}'; say '{"event":"start","cell":0}'; say '{"event":"end","cell":0,"outputs":['"$1"']}'; say '{"event":"final","outputs":{}}'; }
report='{"output_type":"display_data","metadata":{},"data":{"application/vnd.hyperplane.report+json":
{"schema":"hyperplane-report/1","exercise":"probe","title":"a cell runs","complete":true,"parts":[{"name":"cell","outcome":"Right"}]}}}'
no_cache='{"output_type":"error","ename":"ERROR","evalue":"build cache is required","traceback":[]}'
case $job in
*verify.Run*) if [ BROKEN = true ]; then end "$no_cache"; else end "$(printf %s "$report" | tr -d '\n')"; fi ;;
*NoKernel*) say '{"event":"failed","message":"the folder is gone"}' ;;
*NoSpace*) end '{"output_type":"error","ename":"ERROR","evalue":"# gonb\n/usr/lib/go/link: mapping output file failed: no space left on device\n","traceback":[]}' ;;
*NoCache*) end "$no_cache" ;;
*Start99*) say '{"event":"ready"}'; say '{"event":"start","cell":99}' ;;
*StartMinus*) say '{"event":"ready"}'; say '{"event":"start","cell":-1}' ;;
*End99*) say '{"event":"ready"}'; say '{"event":"end","cell":99,"outputs":[]}' ;;
*EndText*) say '{"event":"ready"}'; say '{"event":"end","cell":0,"outputs":"text"}' ;;
*Final99*) say '{"event":"ready"}'; say '{"event":"final","outputs":{"99":[]}}' ;;
*FinalEarly*) say '{"event":"ready"}'; say '{"event":"final","outputs":{}}' ;;
*Hangs*) say '{"event":"ready"}'; say '{"event":"start","cell":0}' ;;
*) end '' ;;
esac
read -r nothing # wait until the runner ends this script
`
	path := filepath.Join(t.TempDir(), "python")
	text := strings.ReplaceAll(program, "BROKEN", map[bool]string{true: "true", false: "false"}[broken])
	must.Do(t, os.WriteFile(path, []byte(text), 0o700))
	return runner.Kernel{Python: path}
}

// writeNotebook writes a notebook with a Markdown cell and the given code cells, and returns its path.
func writeNotebook(t *testing.T, path string, cells ...string) string {
	t.Helper()
	nb := nbformat.New()
	nb.AddMarkdown("text", "# A notebook")
	for i, source := range cells {
		nb.AddCode(nbformat.ID("cell", string(rune('a'+i))), source)
	}
	must.Do(t, nb.WriteFile(path))
	return path
}

// writeNotebooks creates a folder with one notebook for each element of cells: a.ipynb, b.ipynb, …
func writeNotebooks(t *testing.T, cells ...string) string {
	t.Helper()
	dir := t.TempDir()
	for i, source := range cells {
		writeNotebook(t, filepath.Join(dir, string(rune('a'+i))+".ipynb"), source)
	}
	return dir
}

// verdicts returns the verdicts in a summary, keyed by file name.
func verdicts(s *runner.Summary) map[string]runner.Verdict {
	m := map[string]runner.Verdict{}
	for _, n := range s.Notebooks {
		m[filepath.Base(n.Path)] = n.Verdict
	}
	return m
}

// TestBatchSurvives checks that one faulty or unusual submission does not prevent the runner from judging
// all other submissions of the class.
func TestBatchSurvives(t *testing.T) {
	link := func(to string) func(t *testing.T, path string) {
		return func(t *testing.T, path string) { must.Do(t, os.Symlink(to, path)) }
	}
	source := func(text string) func(t *testing.T, path string) {
		return func(t *testing.T, path string) { writeNotebook(t, path, text) }
	}
	tests := []struct {
		name, file string
		make       func(t *testing.T, path string)
		want       runner.Verdict
		detail     string
	}{
		{"no code cells", "", func(t *testing.T, path string) { writeNotebook(t, path) }, runner.OK, ""},
		{"dangling link", "", link("nowhere"), runner.NotJudged, "no such file"},
		{"link to itself", "", link("odd.ipynb"), runner.NotJudged, "too many levels"},
		{"link to a folder", "", link("."), runner.NotJudged, "a folder"},
		{"link to a device", "", link("/dev/zero"), runner.NotJudged, "not a regular file"},
		{"pipe", "", func(t *testing.T, path string) { must.Do(t, unix.Mkfifo(path, 0o600)) }, runner.NotJudged,
			"not a regular file"},
		{"giant", "", func(t *testing.T, path string) {
			must.Do(t, os.WriteFile(path, nil, 0o600))
			must.Do(t, os.Truncate(path, 1<<40))
		}, runner.NotJudged, "more than a notebook may have"},
		{"unreadable", "", func(t *testing.T, path string) {
			if os.Geteuid() == 0 {
				t.Skip("root may read everything")
			}
			must.Do(t, os.WriteFile(path, nil, 0o000))
		}, runner.NotJudged, "permission denied"},
		{"empty file", "", func(t *testing.T, path string) { must.Do(t, os.WriteFile(path, nil, 0o600)) },
			runner.NotANotebook, "empty"},
		{"name that is not UTF-8", "odd\xff.ipynb", source("x"), runner.OK, ""},
		{"event with too large a cell number", "", source("Start99"), runner.NotJudged, "cell index 99"},
		{"event with a negative cell number", "", source("StartMinus"), runner.NotJudged, "cell index -1"},
		{"end event with too large a cell number", "", source("End99"), runner.NotJudged, "cell index 99"},
		{"outputs that are not a list", "", source("EndText"), runner.NotJudged, "runner.py"},
		{"late outputs with too large a cell number", "", source("Final99"), runner.NotJudged, "cell index 99"},
		{"final event before the events of the cells", "", source("FinalEarly"), runner.NotRun, "before this cell"},
		{"kernel does not start", "", source("NoKernel"), runner.NotJudged, "the folder is gone"},
		{"disk full", "", source("NoSpace"), runner.NotJudged,
			"link: mapping output file failed: no space left on device"},
		{"error without a place", "", source("NoCache"), runner.CompileError, "build cache"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			checkCleanUp(t)
			tt.file = cmp.Or(tt.file, "odd.ipynb")
			dir, out := t.TempDir(), t.TempDir()
			writeNotebook(t, filepath.Join(dir, "a.ipynb"), "x")
			writeNotebook(t, filepath.Join(dir, "z.ipynb"), "x")
			tt.make(t, filepath.Join(dir, tt.file))
			s := must.Get(runner.Run(t.Context(), []string{dir},
				runner.Options{Kernel: scriptedKernel(t, false), Out: out}))(t)
			got := verdicts(s)
			if len(got) != 3 || got["a.ipynb"] != runner.OK || got["z.ipynb"] != runner.OK || got[tt.file] != tt.want {
				t.Errorf("got the verdicts %v, want %s for %q and OK for a.ipynb and z.ipynb", got, tt.want, tt.file)
			}
			if s.Judged() != (tt.want != runner.NotJudged) {
				t.Errorf("Judged() = %t, want true if and only if no notebook has the verdict NotJudged", s.Judged())
			}
			if i := slices.IndexFunc(s.Notebooks,
				func(n runner.Notebook) bool { return filepath.Base(n.Path) == tt.file }); i >= 0 {
				must.Contain(t, s.Notebooks[i].Detail, tt.detail)
			}
			for _, name := range []string{"a", "z"} {
				must.Get(os.Stat(filepath.Join(out, name+".ipynb")))(t)
			}
		})
	}
}

// TestBatchByName passes the path of each notebook to Run, as a shell does when it replaces * with
// file names. A dangling link, a link to a folder, and an empty folder must get the verdict NotJudged
// if their names end in .ipynb.
func TestBatchByName(t *testing.T) {
	checkCleanUp(t)
	dir := t.TempDir()
	files := []string{writeNotebook(t, filepath.Join(dir, "a.ipynb"), "x")}
	for name, to := range map[string]string{"dangling.ipynb": "nowhere", "folder.ipynb": "."} {
		must.Do(t, os.Symlink(to, filepath.Join(dir, name)))
		files = append(files, filepath.Join(dir, name))
	}
	must.Do(t, os.Mkdir(filepath.Join(dir, "empty.ipynb"), 0o700))
	files = append(files, filepath.Join(dir, "empty.ipynb"))
	s := must.Get(runner.Run(t.Context(), files, runner.Options{Kernel: scriptedKernel(t, false)}))(t)
	for name, v := range verdicts(s) {
		if want := map[bool]runner.Verdict{true: runner.OK, false: runner.NotJudged}[name == "a.ipynb"]; v != want {
			t.Errorf("the verdict on %s is %s, want %s", name, v, want)
		}
	}
}

func TestInterruptedRunKeepsVerdicts(t *testing.T) {
	checkCleanUp(t)
	dir := writeNotebooks(t, "x", "Hangs", "x")
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	s, err := runner.Run(ctx, []string{dir},
		runner.Options{Kernel: scriptedKernel(t, false), Progress: func(path string, done, all int) {
			if filepath.Base(path) == "b.ipynb" && done < all {
				cancel()
			}
		}})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("got the error %v, want context.Canceled", err)
	}
	want := map[string]runner.Verdict{"a.ipynb": runner.OK, "b.ipynb": runner.NotJudged, "c.ipynb": runner.NotJudged}
	if v := verdicts(s); !maps.Equal(v, want) || s.Passed {
		t.Errorf("got the verdicts %v (passed %t), want %v (passed false)", v, s.Passed, want)
	}
}

// TestBrokenSetupEndsTheBatch checks that a broken set-up ends the run, even while a notebook hangs.
// The error must name the cause.
func TestBrokenSetupEndsTheBatch(t *testing.T) {
	checkCleanUp(t)
	dir := writeNotebooks(t, "x", "Hangs", "NoCache", "NoCache")
	s, err := runner.Run(t.Context(), []string{dir}, runner.Options{Kernel: scriptedKernel(t, true), Jobs: 2})
	must.Fail(t, err, "set-up is broken", "build cache is required")
	want := map[string]runner.Verdict{"a.ipynb": runner.OK, "b.ipynb": runner.NotJudged, "c.ipynb": runner.NotJudged,
		"d.ipynb": runner.NotJudged}
	if v := verdicts(s); !maps.Equal(v, want) {
		t.Errorf("got the verdicts %v, want %v", v, want)
	}
}

// TestUnwritableResult checks that Run returns an error in addition to the verdicts if it cannot
// write a result.
func TestUnwritableResult(t *testing.T) {
	checkCleanUp(t)
	dir, out := writeNotebooks(t, "x", "x"), t.TempDir()
	must.Do(t, os.Mkdir(filepath.Join(out, "a.ipynb"), 0o700))
	s, err := runner.Run(t.Context(), []string{dir}, runner.Options{Kernel: scriptedKernel(t, false), Out: out})
	must.Fail(t, err, "a.ipynb is a folder")
	if s == nil || !s.Passed {
		t.Fatalf("got the summary %+v, want two passed notebooks", s)
	}
	must.Get(os.Stat(filepath.Join(out, "b.ipynb")))(t)
}

// TestPages checks that the title of a page is the name of its file, even if the name is unusual.
// The page must contain the notebook's scripts only with Trust, and must not use the network.
func TestPages(t *testing.T) {
	dir, out := t.TempDir(), t.TempDir()
	for _, name := range []string{"--help", "-x", "--output-dir=elsewhere", "<b>", "bad\xff"} {
		nb := nbformat.New()
		nb.AddMarkdown("text", "# A notebook with $x^2$\n\n<script>bring()</script>")
		must.Do(t, nb.WriteFile(filepath.Join(dir, name+".ipynb")))
	}
	for _, trust := range []bool{false, true} {
		s := must.Get(runner.Run(t.Context(), []string{dir},
			runner.Options{Kernel: scriptedKernel(t, false), Out: out, HTML: true, Trust: trust}))(t)
		for _, n := range s.Notebooks {
			if n.Verdict != runner.OK || len(n.Files) != 2 {
				t.Errorf("%q: got the verdict %s and the files %q, want OK and 2 files", n.Path, n.Verdict, n.Files)
				continue
			}
			text := must.Read(t, n.Files[1])
			must.Contain(t, text, "A notebook", "<msup>")
			if strings.Contains(text, "<script>bring()") != trust || strings.Contains(text, `src="http`) ||
				strings.Contains(text, `href="http`) {
				t.Errorf("%q, trust %v: want the script only with trust, and nothing from the network; the page is %s",
					n.Path, trust, text)
			}
		}
	}
	must.Contain(t, must.Read(t, filepath.Join(out, "<b>.html")), "<title>&lt;b&gt;</title>")
}

// TestReuse checks that a notebook that passed is run again only if the notebook or Reuse.Inputs has
// changed. A notebook that did not pass must always be run again.
func TestReuse(t *testing.T) {
	dir, out := t.TempDir(), t.TempDir()
	good, bad := writeNotebook(t, filepath.Join(dir, "good.ipynb"), "Ends"),
		writeNotebook(t, filepath.Join(dir, "bad.ipynb"), "NoCache2")
	o := runner.Options{Kernel: scriptedKernel(t, false), Out: out, Reuse: runner.Reuse{Dir: t.TempDir(), Inputs: "a"}}
	run := func(inputs string) (reused [2]bool) {
		t.Helper()
		o.Reuse.Inputs = inputs
		s := must.Get(runner.Run(t.Context(), []string{good, bad}, o))(t)
		for i, want := range []runner.Verdict{runner.OK, runner.CompileError} {
			if n := s.Notebooks[i]; n.Verdict != want || len(n.Files) != 1 || len(n.Cells) != 1 ||
				n.Path != []string{good, bad}[i] {
				t.Errorf("got the result %+v, want the verdict %s, one file, one cell and the path of the notebook", n, want)
			}
			reused[i] = s.Notebooks[i].Reused
		}
		return reused
	}
	for i, step := range []struct {
		inputs string
		want   bool
	}{{"a", false}, {"a", true}, {"b", false}, {"b", true}} {
		if got := run(step.inputs); got != [2]bool{step.want, false} {
			t.Errorf("run %d reused the results of the good and the bad notebook: %v, want [%t false]", i+1, got, step.want)
		}
	}
	fresh := must.Read(t, filepath.Join(out, "good.ipynb"))
	writeNotebook(t, good, "Ends otherwise")
	if got := run("b"); got[0] {
		t.Error("a notebook that has changed was not run again")
	}
	if must.Read(t, filepath.Join(out, "good.ipynb")) == fresh {
		t.Error("the run wrote the old result for the new notebook")
	}
}
