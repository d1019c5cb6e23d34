package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// fixture returns a session whose module is a temporary folder with the given files. It also
// returns the buffer to which the session writes its output.
func fixture(t *testing.T, files map[string]string) (*session, *bytes.Buffer) {
	t.Helper()
	root, err := moduleRoot()
	if err != nil {
		t.Fatal(err)
	}
	var said bytes.Buffer
	s := newSession(t.Context(), root, t.TempDir(), &said)
	s.dir = t.TempDir()
	if files["go.mod"] == "" {
		write(t, filepath.Join(s.dir, "go.mod"), "module red\n\ngo 1.26\n")
	}
	for name, text := range files {
		write(t, filepath.Join(s.dir, name), text)
	}
	return s, &said
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// requireTools skips the test if a tool is missing. The gate `red` runs these tests and fails if a
// test is skipped, so a missing tool does not go unnoticed.
func requireTools(t *testing.T, s *session, tools ...string) {
	t.Helper()
	for _, name := range tools {
		if _, err := s.lookPath(name); err != nil {
			t.Skipf("%s is not installed: run make setup or docker/setup.sh lint", name)
		}
	}
}

const installable = "module github.com/hyperplane-notebooks/hyperplane\n\ngo 1.26\n\n"

// workflows returns a Makefile with the target `test`, and a workflow that runs the given command
// and evaluates the given expression.
func workflows(command, expression string) map[string]string {
	return map[string]string{"Makefile": ".PHONY: x\ntest: ready\n\tgo test\n",
		".github/workflows/x.yml": "on: push\njobs:\n  test:\n    runs-on: ubuntu-latest\n    strategy:\n      matrix:\n        t: [test, tset]\n" +
			"    env:\n      X: ${{ " + expression + " }}\n    steps:\n      - {run: " + command + "}\n"}
}

const failing = "package red\n\nimport \"testing\"\n\nfunc TestX(t *testing.T) { t.Error(\"not this\") }\n"

// TestRed gives examples of faults to gates, or to functions that gates call. Each gate or function
// must return an error, and its output or its error must name the fault.
func TestRed(t *testing.T) {
	unformatted := "package red\n\nvar  X = 1\n"
	printf := "package red\n\nimport \"fmt\"\n\nfunc F() { fmt.Printf(\"%d\", \"x\") }\n"
	inTest := func(body string) string {
		return "package red\n\nimport \"testing\"\n\nfunc TestX(t *testing.T) { " + body + " }\n"
	}
	manifest := func(old, new string) string {
		root, err := moduleRoot()
		if err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(filepath.Join(root, "toolkit/figures/testdata/manifest.json"))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(text), old) {
			t.Fatalf("the manifest has no %q", old)
		}
		return strings.ReplaceAll(string(text), old, new)
	}
	same := func(s *session) error {
		inRoot := s.inFolder(s.root)
		return inRoot.compareFigures(filepath.Join(s.dir, "manifest.json"), "fig-prml-4.9")
	}
	withGit := func(g func(*session) error) func(*session) error {
		return func(s *session) error {
			if err := s.runCommand("git", "init", "-q", "."); err != nil {
				return err
			}
			return g(s)
		}
	}
	reports := func(least, most int) func(*session) error {
		return func(s *session) error {
			return s.sameReports(filepath.Join(s.dir, "here"), filepath.Join(s.dir, "there"), least, most)
		}
	}
	noise := map[string]string{"go.mod": installable}
	for i := range 1 + mostZip/mostFile {
		b := make([]byte, mostFile)
		_, _ = rand.NewChaCha8([32]byte{byte(i)}).Read(b) // never fails
		noise[fmt.Sprint(i)] = string(b)
	}
	onPath := "package classify\n\nimport (\n\t\"os\"\n\t\"testing\"\n)\n\nfunc TestOracle(t *testing.T) {\n\tif os.Getenv(\"HYPERPLANE_KERNEL\") == \"generic\" {\n\t\tt.Error(\"not this\")\n\t}\n}\n"
	for _, tt := range []struct {
		name  string
		files map[string]string
		gate  func(*session) error
		want  string
	}{
		{"gofmt", map[string]string{"red.go": unformatted}, gofmt, "red.go"},
		{"vet", map[string]string{"red.go": printf}, vet, "wrong type"},
		{"staticcheck", map[string]string{"red.go": "package red\n\nfunc unused() {}\n"}, staticcheck, "U1000"},
		{"actionlint", workflows("make test", "matrix.x"), actionlint, `property "x" is not defined`},
		{"a workflow that runs go test itself", workflows("go test ./...", "github.ref"), actionlint,
			`x.yml runs "go test ./...", want targets of the Makefile`},
		{"a workflow with a command after make", workflows(`"make test; go test"`, "github.ref"), actionlint,
			`runs "make test; go test"`},
		{"a missing target", workflows("make tset", "github.ref"), actionlint,
			`x.yml runs "make tset", want targets of the Makefile`},
		{"a missing target in a matrix", workflows(`"make ${{ matrix.t }}"`, "github.ref"), actionlint,
			`x.yml runs "make tset", want targets of the Makefile`},
		{"no workflows", nil, actionlint, "no workflow in .github/workflows"},
		{"tidy", map[string]string{"go.mod": "module red\n\ngo 1.26\n\nrequire gonum.org/v1/gonum v0.17.0\n"}, tidy,
			"-require gonum.org/v1/gonum v0.17.0"},
		{"language in a comment",
			map[string]string{"red.go": "// Package red holds what is left of the list and\n// that " +
				"of\n// the other.\npackage red\n"}, checkLanguage,
			`red.go has 1 places that are not plain English, allowed 0:`},
		{"language in a message", map[string]string{"red.go": "package red\n\nvar X = \"the date is no" + "ne\"\n"},
			checkLanguage, `line 3: "\"the date is no`},
		{"language in a name", map[string]string{"red.go": "package red\n\nfunc f() {\n\tfor lastAsked := range 3 {\n\t\t_ = lastAsked\n\t}\n}\n"},
			checkLanguage, "line 4: the vague name lastAsked"},
		{"language in a document outside a code block", map[string]string{"red.md": "```\nis no" + "ne\n```\nThere is another " + "one.\n"},
			checkLanguage, "line 4: "},
		{"a long sentence",
			map[string]string{"red.go": "package red\n\n// X is" + strings.Repeat(" very", 40) + " long.\nvar X = 1\n"},
			checkLanguage, "a sentence of 43 words, want at most 40"},
		{"language: a file has fewer places than allowed", map[string]string{"red.go": "package red\n", allowedFile: "2 red.go\n"},
			checkLanguage, "lower this limit"},
		{"quick language", map[string]string{"x/red.md": "It is no" + "ne.\n"}, withGit(quickChecks),
			"x/red.md has 1 places"},
		{"a failing test", map[string]string{"red_test.go": failing}, unitTests, "not this"},
		{"a test that does not compile", map[string]string{"red_test.go": inTest("x")}, unitTests, "undefined: x"},
		{"a test that ends its program",
			map[string]string{"red_test.go": "package red\n\nimport (\n\t\"os\"\n\t\"testing\"\n)\n\nfunc TestX(t *testing.T) { os.Exit(3) }\n"}, unitTests, "FAIL"},
		{"a skipped test", map[string]string{"red_test.go": inTest(`t.Skip("kernel: no GoNB")`)}, unitTests,
			"SKIPPED for a reason that the gate does not allow: TestX"},
		{"a skipped subtest",
			map[string]string{"red_test.go": inTest(`t.Run("y", func(t *testing.T) { t.Skip("no Python") })`)}, unitTests,
			"SKIPPED for a reason that the gate does not allow: TestX/y"},
		{"no test to run", map[string]string{"red_test.go": inTest("")},
			func(s *session) error { return s.goTest(nil, "-run=^TestY$", ".") }, "NO TESTS to run in red"},
		{"install a module with a replace directive",
			map[string]string{"go.mod": installable + "replace gonum.org/v1/gonum => ./x\n",
				"generate/main.go": "package main\n\nfunc main() {}\n"},
			withGit(installGate), "more replace directives"},
		{"install a large file",
			map[string]string{"go.mod": installable, "large.ipynb": strings.Repeat("x", mostFile+1000)},
			withGit(installGate), "large.ipynb is 601 kB, want at most 600"},
		{"install a large module", noise, withGit(installGate), "the module's zip has"},
		{"the installed command prints no version",
			map[string]string{"go.mod": installable,
				"generate/main.go": "package main\n\nfunc main() { println(\"no version\") }\n"},
			withGit(installGate), `the installed command, generate version, exits with 0, want 0 and "hyperplane 0.`},
		{"modules", map[string]string{"inner/go.mod": "module inner\n\ngo 1.26\n", "inner/red_test.go": failing},
			nestedModules, "the module in inner: exit status 1"},
		{"no modules", map[string]string{"red.go": "package red\n"}, nestedModules, "found no nested module"},
		{"kernels",
			map[string]string{"toolkit/classify/red_test.go": onPath,
				"toolkit/internal/x/x_test.go": strings.Replace(inTest(""), "package red", "package x", 1)}, kernelTests,
			`the tests fail on the vector path "generic"`},
		{"vet-386", map[string]string{"toolkit/x/red.go": "package x\n\n// X is large.\nvar X int = 1 << 40\n"}, vet386,
			"overflows"},
		{"quick", map[string]string{"red_test.go": failing, "x/red_test.go": failing}, withGit(quickChecks), "not this"},
		{"quick vet", map[string]string{"x/red.go": printf}, withGit(quickChecks), "wrong type"},
		{"quick format", map[string]string{"x/red.go": unformatted}, withGit(quickChecks), "x/red.go"},
		{"a notebook with old outputs", map[string]string{"tour.ipynb": "other outputs", "fresh.ipynb": "outputs"},
			tourIsFresh, "does not contain the outputs"},
		{"a notebook with a changed text", map[string]string{
			"tour.ipynb":  notebook(`{"output_type": "stream", "name": "stdout", "text": ["a\n", "b\n"]}`),
			"fresh.ipynb": notebook(`{"output_type": "stream", "name": "stdout", "text": ["b\n", "a\n"]}`)},
			tourIsFresh, "does not contain the outputs"},
		{"a notebook with a changed text that is not a list of lines", map[string]string{
			"tour.ipynb":  notebook(`{"output_type": "stream", "name": "stdout", "text": "a"}`),
			"fresh.ipynb": notebook(`{"output_type": "stream", "name": "stdout", "text": "b"}`)},
			tourIsFresh, "does not contain the outputs"},
		{"a notebook with a changed display", map[string]string{
			"tour.ipynb":  notebook(`{"output_type": "display_data", "data": {"text/plain": ["a"]}}`),
			"fresh.ipynb": notebook(`{"output_type": "display_data", "data": {"text/plain": ["b"]}}`)},
			tourIsFresh, "does not contain the outputs"},
		{"an untouched notebook with a right answer", nil, func(s *session) error { return checkValues(`"outcome": "Right"`, "outcome", "NotAttempted") },
			`"Right"`},
		{"wasm: different verdicts",
			map[string]string{"here": `{"passed":true,"html":"1"}`, "there": `{"passed":false,"html":"1"}`},
			reports(1, 1), "differs from the verdict on this processor"},
		{"wasm: different wording", map[string]string{"here": `{"passed":true,"html":"1"}`, "there": `{"passed":true,"html":"2"}`},
			reports(1, 0), "at most 0 reports that differ"},
		{"wasm: too few verdicts", map[string]string{"here": `{"passed":true}`, "there": `{"passed":true}`}, reports(2, 0),
			"at least 2 verdicts"},
		{"wasm: fewer verdicts than on this processor", map[string]string{"here": "{\"passed\":true}\n{\"passed\":true}", "there": `{"passed":true}`},
			reports(sameCount, 0), "at least 2 verdicts"},
		{"a site without its compiler", map[string]string{"out/site/assets/play/x": ""}, func(s *session) error {
			t.Setenv("HYPERPLANE_PLAY_SITE", filepath.Join(s.dir, "out", "site"))
			return s.inFolder(s.root).goTest(nil, "-tags=playtest", "-count=1", "-run=^TestBuild$",
				"./generate/internal/play")
		}, "play.json: no such file"},
		{"readme", map[string]string{"README.md": "no command\n"}, runReadme, "the README contains no line"},
		{"figures", map[string]string{"manifest.json": manifest(`"sha256": "`, `"sha256": "0`)}, same,
			"fig-prml-4.9.svg: bytes differ"},
		{"numbers", map[string]string{"manifest.json": manifest(`"numbers": "`, `"numbers": "0`)}, same,
			"fig-prml-4.9: numbers differ"},
		{"a figure missing in the manifest", map[string]string{"manifest.json": manifest(`"fig-prml-4.9`, `"fig-prml-4.99`)}, same,
			"fig-prml-4.9: is not in the manifest"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s, said := fixture(t, tt.files)
			requireTools(t, s, "staticcheck", "actionlint", "generate")
			err := tt.gate(s)
			if text := fmt.Sprint(said, err); err == nil || !strings.Contains(text, tt.want) {
				t.Errorf("got the error %v, want an error, and %q in the error or the output:\n%s", err, tt.want, text)
			}
		})
	}
}

func tourIsFresh(s *session) error {
	return s.sameNotebook(filepath.Join(s.dir, "tour.ipynb"), filepath.Join(s.dir, "fresh.ipynb"))
}

func notebook(outputs string) string {
	return `{"cells": [{"cell_type": "code", "outputs": [` + outputs + `]}]}`
}

// TestTextsFirst compares two runs of one cell. In the second run, the kernel received a part of the
// text after the display. The gates must regard the two runs as equal.
func TestTextsFirst(t *testing.T) {
	const display = `{"output_type": "display_data", "data": {"text/plain": ["figure"]}}`
	s, said := fixture(t, map[string]string{
		"tour.ipynb": notebook(`{"output_type": "stream", "name": "stdout", "text": ["a\n", "b\n"]}, ` + display),
		"fresh.ipynb": notebook(`{"output_type": "stream", "name": "stdout", "text": ["a\n"]}, ` + display +
			`, {"output_type": "stream", "name": "stdout", "text": ["b\n"]}`),
	})
	if err := tourIsFresh(s); err != nil {
		t.Error(err, said)
	}
}

// TestQuiet checks that goTest prints only the output of tests that fail, even if other tests of
// the package print something.
func TestQuiet(t *testing.T) {
	s, said := fixture(t, map[string]string{"red_test.go": `package red

import (
	"fmt"
	"testing"
)

func TestFine(t *testing.T) { fmt.Println("a noisy success") }

func TestX(t *testing.T) {
	t.Run("fine", func(t *testing.T) { t.Log("another noisy success") })
	t.Run("bad", func(t *testing.T) { t.Error("not this") })
}
`})
	if err := unitTests(s); err == nil || s.tests.failed != 2 || s.tests.passed != 2 {
		t.Errorf("got the error %v and the counts %+v, want an error, 2 passed and 2 failed tests", err, s.tests)
	}
	if text := said.String(); strings.Contains(text, "noisy") || !strings.Contains(text, "not this") ||
		!strings.Contains(text, "--- FAIL: TestX/bad") {
		t.Errorf("want the output of the failed test and no output of passed tests, got\n%s", text)
	}
}

// TestRun checks that `run` rejects an unknown gate, and that the exit status is 1 if a gate fails.
// A gate whose program is missing must fail only in CI. The table of times must list a slow gate
// before a fast gate.
func TestRun(t *testing.T) {
	var said bytes.Buffer
	if code := run(t.Context(), []string{"tset"}, &said); code != 2 || !strings.Contains(said.String(), `unknown level or gate "tset"`) {
		t.Errorf("for an unknown gate, got exit status %d and the output %s, want status 2 and the name of the gate", code, &said)
	}
	s, text := fixture(t, nil)
	var results []result
	for _, g := range []gate{
		{name: "quickly", run: func(*session) error { return nil }},
		{name: "slowly", run: func(s *session) error { return s.runCommand("sleep", "0.2") }},
		{name: "badly", run: func(*session) error { return fmt.Errorf("no") }},
		{name: "elsewhere", needs: []string{"no-such-program"}, run: func(*session) error { return nil }},
	} {
		results = append(results, s.runGate(g))
	}
	wrong := 1
	if s.ci {
		wrong = 2
	}
	if code := s.finish(results); code != 1 {
		t.Errorf("after failed gates, got exit status %d, want 1", code)
	}
	for _, want := range []string{"FAILED: badly: no", "failed: badly", "over its budget",
		fmt.Sprintf("%d passed, %d failed", 4-wrong, wrong)} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("want %q in the output, which is\n%s", want, text)
		}
	}
	if table := text.String()[strings.Index(text.String(), "gate"):]; strings.Index(table, "slowly") > strings.LastIndex(table, "quickly") {
		t.Errorf("the table of times does not list the gate “slowly” before the faster gate “quickly”:\n%s", table)
	}
}

// TestTable checks that the names of gates are unique, and that each gate has only known levels, a
// budget and a description. Only the gates quick and image may have the name of a level.
func TestTable(t *testing.T) {
	seen := map[string]bool{}
	for _, g := range gates {
		if seen[g.name] || slices.Contains(levels, g.name) && g.name != "quick" && g.name != "image" ||
			g.levels == "" || g.proves == "" || g.budget == 0 || g.run == nil {
			t.Errorf("the gate %+v is incomplete, or has the name of a level or of an earlier gate", g)
		}
		seen[g.name] = true
		for _, level := range strings.Fields(g.levels) {
			if !slices.Contains(levels, level) {
				t.Errorf("%s has the unknown level %q", g.name, level)
			}
		}
		// If a gate of the level `test` checks only a sample, the level `all` needs a gate with the
		// suffix -all. Without this gate, the level `all` would not check everything.
		if g.at("test") && !g.at("all") &&
			!slices.ContainsFunc(gates, func(o gate) bool { return o.name == g.name+"-all" }) {
			t.Errorf("%s is in the level test but not in the level all, and has no counterpart with the suffix -all", g.name)
		}
	}
}

// TestPatternsNameTests checks that every alternative in the patterns of the gates `race` and
// `kernels` matches a test of toolkit/classify. Without this check, renaming a test would silently drop it
// from its gate.
func TestPatternsNameTests(t *testing.T) {
	files, err := filepath.Glob("../../toolkit/classify/*_test.go")
	if err != nil || len(files) == 0 {
		t.Fatalf("got the files %q and the error %v, want the tests of toolkit/classify", files, err)
	}
	var tests []string
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w*)`).FindAllStringSubmatch(string(text), -1) {
			tests = append(tests, m[1])
		}
	}
	for _, pattern := range []string{sideBySide, manyRows, numbers} {
		for _, name := range unmatched(pattern, tests) {
			t.Errorf("%s: the alternative %s matches no test", pattern, name)
		}
	}
	if got := unmatched("^Test(ManyRows|Gone)$", tests); !slices.Equal(got, []string{"^TestGone$"}) {
		t.Errorf("got the unmatched alternatives %q, want only ^TestGone$", got)
	}
}

// unmatched lists the alternatives of a pattern for go test that match none of the tests. The
// pattern may contain one group of alternatives. The part after a slash, which selects subtests, is
// ignored.
func unmatched(pattern string, tests []string) (names []string) {
	pattern, _, _ = strings.Cut(pattern, "/")
	before, rest, grouped := strings.Cut(pattern, "(")
	alternatives, after, _ := strings.Cut(rest, ")")
	if !grouped {
		before, alternatives = "", pattern
	}
	for _, a := range strings.Split(alternatives, "|") {
		one := regexp.MustCompile(before + a + after)
		if !slices.ContainsFunc(tests, one.MatchString) {
			names = append(names, one.String())
		}
	}
	return names
}

// TestJobsFor checks that a change to a file selects the packages whose tests read the file according
// to textReaders. If textReaders does not list the file, jobsFor must select only the package in the
// nearest folder above the file.
func TestJobsFor(t *testing.T) {
	packages := []string{"generate", "generate/internal/lesson", "exercises/prml4/ex09", "toolkit/classify", "docker"}
	for _, tt := range []struct{ file, want string }{
		{"generate/lessons/07-logistic.md",
			"[{./generate/course ^Test(EverySectionHasALesson|Lessons)} {./generate/internal/catalog } {./generate/internal/lesson }]"},
		{"generate/equations/prml.md", "[{./generate/course ^TestEquations} {./generate/internal/equations }]"},
		{"exercises/prml4/ex09/exercise.md", "[{./exercises/prml4/ex09 }]"},
		{"toolkit/classify/testdata/oracle/a.json", "[{./toolkit/classify }]"},
		{"docker/slurm/test.sh", "[{./docker }]"},
		{"README.md", "[{./generate/course ^TestPages}]"},
		{"LICENSE", "[]"},
	} {
		got := fmt.Sprint(jobsFor([]string{tt.file}, func(dir string) bool { return slices.Contains(packages, dir) }))
		if got != tt.want {
			t.Errorf("%s: got the jobs %s, want %s", tt.file, got, tt.want)
		}
	}
	got := jobsFor([]string{"README.md", "generate/course/main.go"}, func(dir string) bool { return dir == "generate/course" })
	if fmt.Sprint(got) != "[{./generate/course }]" {
		t.Errorf("for README.md and a file of generate/course, got the jobs %v, want only the job that runs all tests of generate/course", got)
	}
}
