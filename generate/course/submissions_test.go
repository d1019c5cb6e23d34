//go:build classtest

package course

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbformat"
)

// kind describes a test submission, and the status and the points that the command `grade` must
// give it.
type kind struct {
	name     string
	exercise string  // "" means prml-4.25
	cell     string  // the text of the cell with the answer
	status   string  // "" means Judged
	points   float64 // NaN means any number below the full points
	want     string  // text that must occur in the notes, the message or the parts of the result
}

// in25 returns an answer cell for PRML 4.25. The cell begins with the declarations in `before`. The
// argument `body` becomes the body of LambdaSquared.
func in25(before, body string) string {
	return before + "\nfunc LambdaSquared() float64 {\n" + body + "\n}\n\n" +
		"func SigmoidSlope() float64 { return 0.25 }\nfunc ProbitSlope(lambda float64) float64 { return lambda / math.Sqrt(2*math.Pi) }\n"
}

func right25() string { return "return math.Pi / 8" }

// refusedImports are import paths that an answer must not use. With many of these packages, an answer
// could use more than its arguments, for example files or other processes.
var refusedImports = []string{
	"os", "os/exec", "os/signal", "os/user", "syscall", "unsafe", "net", "net/http", "plugin", "reflect", "runtime",
	"runtime/debug", "runtime/pprof",
	"testing", "time", "log", "io", "io/fs", "bufio", "context", "embed", "expvar", "go/build", "internal/abi",
	"path/filepath", "C", "../ex25", "./x", "/etc/passwd", "internal/cpu", "crypto/rand", "hash/maphash",
	"github.com/janpfeifer/gonb/gonbui", "golang.org/x/sys/unix", "gonum.org/v1/gonum/internal/asm/f64",
	"github.com/hyperplane-notebooks/hyperplane/exercises",
	"github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex25",
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/seed",
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify/remote",
}

// kinds returns test submissions. They differ from a correct submission only in the text of the
// answer cell.
func kinds() (list []kind) {
	add := func(k kind) { list = append(list, k) }
	// Correct answers in several forms.
	for name, body := range map[string]string{
		"π/8": right25(), "density": "return math.Pow(0.25*math.Sqrt(2*math.Pi), 2)",
		"bisection":  "lo, hi := 0.0, 1.0\nfor range 200 {\nif mid := (lo + hi) / 2; math.Sqrt(mid/(2*math.Pi)) < 0.25 {\nlo = mid\n} else {\nhi = mid\n}\n}\nreturn lo",
		"in parts":   "l := math.Sqrt(2*math.Pi) / 4\nreturn l * l",
		"it prints":  "for range 1000 {\nfmt.Println(\"working\")\n}\nreturn math.Pi / 8",
		"a closure":  "f := func(x float64) float64 { return x / 8 }\nreturn f(math.Pi)",
		"goroutines": "c := make(chan float64)\ngo func() { c <- math.Pi / 8 }()\nreturn <-c",
	} {
		add(kind{name: "right, " + name, cell: in25("", body), points: 3})
	}
	add(kind{name: "right, a helper",
		cell: in25("const n = 8\n\ntype number = float64\n\nfunc half(x number) number { return x / 2 }\n",
			"return half(2 * math.Pi / n)"), points: 3})
	add(kind{name: "right, with imports", cell: "import (\n\t\"math\"\n)\n" + in25("", right25()), points: 3})
	add(kind{name: "right, with a %% body", cell: in25("", right25()) + "%%\nos.Exit(0)", points: 3})
	add(kind{name: "right, with an import that only the %% body uses",
		cell: "import \"strings\"\n" + in25("", right25()) + "%%\nfmt.Println(strings.ToUpper(\"a\"))", points: 3})
	add(kind{name: "right, and commands", cell: "!rm -rf /\n%goflags -overlay=/tmp/x\n" + in25("", right25()),
		points: 3})
	// Wrong answers. The result for each body must contain a text, such as the key of the mistake that
	// the judge must recognise. The text is "" if no particular mistake is expected.
	for body, key := range map[string]string{
		"return 0.3927": "rounded", "return 22. / 7 / 8": "rounded",
		"n, d := 1, 8\nreturn float64(n/d) * math.Pi": "zero",
		"return -math.Pi / 8":                         "negative", "return 0.2": "slope", "return 3": "gap",
		"return 8 / math.Pi": "reciprocal",
		"return math.NaN()":  "", "return math.Inf(1)": "", "return -math.MaxFloat64": "negative",
		"return math.Sqrt(math.Pi / 8)": "",
	} {
		add(kind{name: "wrong, " + body, cell: in25("", body), points: math.NaN(), want: key})
	}
	// Cells that contain no answer or do not compile.
	add(kind{name: "empty cell", cell: "", status: "Refused", want: "has no function LambdaSquared"})
	add(kind{name: "no Go", cell: "I do not know", status: "Refused"})
	add(kind{name: "does not compile", cell: in25("", "return lambda"), status: "NotCompiled",
		want: "undefined: lambda"})
	// Hostile or malformed answers that the judge refuses before it runs anything.
	for _, p := range refusedImports {
		add(kind{name: "imports " + p, cell: fmt.Sprintf("import x %q\n\nvar _ = x.Y\n", p) + in25("", right25()),
			status: "Refused", want: "may not import"})
	}
	for name, before := range map[string]string{
		"init": "func init() { for {} }\n", "main": "func main() {}\n",
		"linkname": "//go:linkname f runtime.exit\nfunc f(int)\n", "no body": "func f()\n",
		"embed": "//go:embed x\nvar s string\n", "cgo": "//cgo CFLAGS: -I/\n", "line": "//line /etc/passwd:1\n",
		"line in a comment": "/*line x.go:1*/\n",
		"export":            "//export f\n", "noescape": "//go:noescape\nfunc f()\n", "build": "//go:build ignore\n",
		"generate": "//go:generate rm -rf /\n", "debug": "//go:debug panicnil=1\n", "dot import": "import . \"math\"\n",
		"blank import": "import _ \"math\"\n",
	} {
		add(kind{name: name, cell: before + in25("", right25()), status: "Refused"})
	}
	add(kind{name: "a shell cell", cell: "%%bash\nsed -i s/Wrong/Right/ toolkit/verify/report.go\n", status: "Refused"})
	add(kind{name: "a script cell", cell: "%%script python3\nprint('passed: all 3 parts right')\n", status: "Refused"})
	add(kind{name: "a test cell", cell: "%%test\n" + in25("", right25()), status: "Refused"})
	add(kind{name: "variable instead of the function",
		cell:   "var LambdaSquared = func() float64 { return math.Pi / 8 }\n",
		status: "Refused", want: "has no function LambdaSquared"})
	add(kind{name: "method instead of the function",
		cell: "type t int\n\nfunc (t) LambdaSquared() float64 { return math.Pi / 8 }\n", status: "Refused",
		want: "has no function LambdaSquared"})
	add(kind{name: "a file cell", cell: "%%writefile toolkit/verify/report.go\npackage verify\n", status: "Refused"})
	// Hostile answers that the compiler rejects. Many of them use code of the judge, which the program
	// of an answer does not contain.
	for name, body := range map[string]string{
		"asks the judge":  "return float64(len(ex25.Check(LambdaSquared).Parts))",
		"forges a report": "verify.Run(\"prml-4.25\", \"\").Complete = true\nreturn 0.2",
		"own parts":       "verify.Heading{Exercise: \"prml-4.25\"}.Run()\nreturn 0.2",
		"the reference":   "return ex25.Exercise().Answer", "a huge constant": "return 1 << (1 << 40)",
		"a huge array":     "var a [1 << 50]byte\nreturn float64(a[0])",
		"before the parts": "verify.BeforeParts(nil)\nreturn 0.2", "the pipe": "return hyperplanePipe{}",
		"exits through an import of the judge's program": "hyperplaneos.Exit(0)\nreturn 0.2",
		"asks under another name":                        "judge := ex25.Check\njudge(LambdaSquared)\nreturn 0.2",
		"calls a method of the exercise":                 "ex25.Exercise.Judge()\nreturn 0.2",
		"changes the id":                                 "ex25.Exercise.ID = \"prml-4.1\"\nreturn 0.2",
		"looks who calls":                                "return float64(len(runtime.Callers))",
		"the connection":                                 "c.End(nil)\nreturn 0.2",
		"a message":                                      "hyperplaneremote.New(nil, hyperplaneremote.Options{})\nreturn 0.2",
		"a constant shift":                               "return float64(1 << 600 << 600)",
	} {
		add(kind{name: name, cell: in25("", body), status: "NotCompiled"})
	}
	for name, before := range map[string]string{
		"redeclares the type byte": "type byte string\n", "a type name of the judge's program": "type hyperplanePipe struct{}\n",
		"recursive type": "type t struct{ a t }\n", "twice": "func SigmoidSlope() float64 { return 1 }\n",
		"types without an end": "type t[P any] struct{ f *t[t[P]] }\n",
		"arrays of arrays":     "var a [1 << 40][1 << 40]byte\n", "redeclares the type float64": "type float64 string\n",
		"redeclares math":        "var math = struct{ Pi float64 }{1.6}\n",
		"the program's function": "func LambdaSquared[T any]() float64 { return 0.2 }\n",
	} {
		add(kind{name: name, cell: in25(before, "return 0.2"), status: "NotCompiled"})
	}
	add(kind{name: "another signature",
		cell:   strings.Replace(in25("", "return nil"), "() float64 {\nreturn nil", "() any {\nreturn nil", 1),
		status: "NotCompiled", want: "cannot use LambdaSquared"})
	// Answers that run: hostile answers, which can do no harm in the sandbox, and other unusual answers,
	// of which some are right.
	for name, body := range map[string]string{
		"endless": "for {\n}", "endless, allocating": "var s [][]byte\nfor {\ns = append(s, make([]byte, 1<<20))\n}",
		"prints without an end":     "for {\nfmt.Println(\"passed: all 3 parts right\")\n}",
		"goroutines without an end": "for {\ngo func() { select {} }()\n}",
	} {
		add(kind{name: name, cell: in25("", body), points: 0})
	}
	for _, k := range []struct {
		name, before, body string
		points             float64
		want               string
	}{
		{"stub", "", "panic(verify.TODO)", 0, "still holds the stub"},
		{"redeclares the type string", "type string int\n", "return 0.2", math.NaN(), ""},
		{"recursion", "",
			"var wide [512]float64\nfor i := range wide {\nwide[i] = LambdaSquared()\n}\nreturn wide[0]", 0, "ended"},
		{"panic", "", "panic(\"<script>alert(1)</script> passed: all 3 parts right\")", 0, "<script>"},
		{"panics with 16 MB of text", "", "panic(strings.Repeat(\"<b>A\", 4<<20))", 0, "(16777216 bytes in all)"},
		{"a sum of 3 000 terms", "", "x := math.Pi / 8\nreturn x" + strings.Repeat("+0*x", 3_000), 3, ""},
		{"panics with an object", "type e struct{}\n\nfunc (e) Error() string { for {} }\n", "panic(e{})", 0, ""},
		{"nil map", "", "var m map[int]int\nm[0] = 1\nreturn 0", 0, "nil map"},
		{"fatal error", "",
			"m := map[int]int{}\nfor range 8 {\ngo func() {\nfor {\nm[0]++\n}\n}()\n}\nfor {\nm[0]++\n}", 0, ""},
		{"deadlock", "", "select {}", 0, ""},
		{"another TODO", "", "verify.TODO = 1\npanic(1)", 0, "panic"},
		{"says that it passed", "",
			"fmt.Println(\"✓ Right\\npassed: all 3 parts right\")\nreturn 0.2", math.NaN(), ""},
		{"reads its input", "", "var x float64\nfmt.Scan(&x)\nreturn x", 0, ""},
		{"right on every second call only", "var calls int\n",
			"calls++\nif calls%2 == 0 {\nreturn 0.2\n}\nreturn math.Pi / 8", math.NaN(), ""},
		{"counts its calls", "var calls int\n",
			"if calls++; calls > 5 {\nreturn 0.2\n}\nreturn math.Pi / 8", 0, "in another order, LambdaSquared gave a different result"},
		{"panics after some calls", "var calls int\n",
			"if calls++; calls > 6 {\npanic(verify.TODO)\n}\nreturn math.Pi / 8", 0, "not-the-same"},
		{"ends after some calls", "var calls int\n",
			"if calls++; calls > 6 {\ngo panic(1)\nselect {}\n}\nreturn math.Pi / 8", 0, "its program ended"},
		{"right, from a random starting point", "",
			"x := rand.Float64()\nfor range 90 {\nx = (x + math.Pi/8) / 2\n}\nreturn x", 3, ""},
		{"right, sums in the random order of a map", "",
			"s := 0.0\nfor _, x := range map[int]float64{1: 0.1, 2: 0.3, 3: 0.7, 4: math.Pi/8 - 1.1} {\ns += x\n}\nreturn s", 3, ""},
		{"right, and remembers it", "var memory float64\n",
			"if memory == 0 {\nmemory = math.Pi / 8\n}\nreturn memory", 3, ""},
		{"right, with a long comment", "/* " + strings.Repeat("long ", 40_000) + "*/\n", right25(), 3, ""},
		{"waits for a channel", "", "return <-make(chan float64)", 0, "time limit"},
		{"waits for a lock", "import \"sync\"\n", "var m sync.Mutex\nm.Lock()\nm.Lock()\nreturn 0.2", 0, "time limit"},
		{"takes 4 GiB", "",
			"b := make([]byte, 4<<30)\nfor i := range b {\nb[i] = 1\n}\nreturn float64(b[7])", 0, "ended"},
		{"a goroutine panics", "", "go panic(1)\nselect {}", 0, "ended"},
		{"a goroutine stays", "", "go func() {\nfor {\n}\n}()\nreturn 0.2", math.NaN(), ""},
		{"panic nil", "", "panic(nil)", 0, ""},
		{"divides whole numbers by 0", "", "n := 0\nreturn float64(1 / n)", 0, "divide by zero"},
		{"control characters", "", "panic(\"\\x1b[2J\\x00\\r✓ Right\")", 0, ""},
		{"adds a method to the judge's pipe", "func (hyperplanePipe) Close() error { panic(1) }\n",
			"return 0.2", math.NaN(), ""},
		{"writes to a file that it made itself", "func made[T any](*T) *T { return new(T) }\n",
			"var p hyperplanePipe\nmade(p.in).Write([]byte(\"x\"))\nreturn 0.2", 0, "nil pointer"},
		{"writes to a file that does not exist", "",
			"var p hyperplanePipe\np.out.Write([]byte(\"x\"))\nreturn 0.2", math.NaN(), ""},
		{"recovers", "", "defer func() { recover() }()\npanic(1)", 0, ""},
	} {
		add(kind{name: k.name, cell: in25(k.before, k.body), points: k.points, want: k.want})
	}
	const both = "func Features(x float64) []float64 { %s }\nfunc Weights() []float64 { %s }\n"
	add(kind{name: "a result too long", exercise: "alpaydin-10.9",
		cell: fmt.Sprintf(both, "return make([]float64, 9<<20)", "return []float64{1}"), points: 0})
	add(kind{name: "nil results", exercise: "alpaydin-10.9", cell: fmt.Sprintf(both, "return nil", "return nil"),
		points: 0})
	add(kind{name: "results shared", exercise: "alpaydin-10.9",
		cell:   "var shared = []float64{1, 2}\n" + fmt.Sprintf(both, "shared[0]++\nreturn shared", "return shared"),
		points: math.NaN()})
	slices.SortFunc(list, func(a, b kind) int { return strings.Compare(a.name, b.name) })
	return list
}

// testSubmission is a test submission. Its function `write` writes the submitted files into the folder `dir`.
// The argument `release` is the path of the learner's own notebook, and `next` is the path of the
// next learner's solved notebook.
type testSubmission struct {
	kind
	write func(t *testing.T, dir, release, next string)
}

// fileSubmissions returns submissions in which the whole file is unusual, and not only the answer: for
// example, a file that is not a notebook, or a notebook with changes outside the answer cell.
func fileSubmissions() []testSubmission {
	write := func(text string) func(*testing.T, string, string, string) {
		return func(t *testing.T, dir, _, _ string) { must.Write(t, filepath.Join(dir, "prml-4.25.ipynb"), text) }
	}
	edited := func(change func(nb *nbformat.Notebook)) func(*testing.T, string, string, string) {
		return func(t *testing.T, dir, release, _ string) {
			nb := must.Get(nbformat.ReadFile(release))(t)
			change(nb)
			must.Do(t, nb.WriteFile(filepath.Join(dir, "prml-4.25.ipynb")))
		}
	}
	bad := func(name, text string) testSubmission {
		return testSubmission{kind{name: name, status: "Unreadable"}, write(text)}
	}
	misnamed := func(name string) testSubmission { // the command `grade` must not judge a file with this name
		return testSubmission{kind{name: fmt.Sprintf("named %q", name), status: "Missing"},
			func(t *testing.T, dir, release, _ string) {
				must.Write(t, filepath.Join(dir, name), must.Read(t, release))
			}}
	}
	const stub, check, setup = "prml-4-25-stub", "prml-4-25-check", "prml-4-25-setup"
	wrong := in25("", "return 0.2")
	forged := "forged := `passed`\n// ex25.Check(LambdaSquared)\nfmt.Println(forged)"
	full := func(name, want string, change func(nb *nbformat.Notebook)) testSubmission {
		return testSubmission{kind{name: name, points: 3, want: want}, edited(func(nb *nbformat.Notebook) {
			nb.Cell(stub).Source = in25("", right25())
			change(nb)
		})}
	}
	less := func(name, want string, change func(nb *nbformat.Notebook)) testSubmission {
		return testSubmission{kind{name: name, points: math.NaN(), want: want}, edited(func(nb *nbformat.Notebook) {
			nb.Cell(stub).Source = wrong
			change(nb)
		})}
	}
	return []testSubmission{
		bad("an empty file", ""), bad("not JSON", "{"), bad("not UTF-8", "{\"cells\": \"\xff\xfe\"}"),
		bad("UTF-16", "\xff\xfe{\x00}\x00"),
		bad("no cells", `{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}`),
		bad("cells null", `{"cells": null, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}`),
		bad("format 3", `{"worksheets": [], "metadata": {}, "nbformat": 3, "nbformat_minor": 0}`),
		bad("brackets", strings.Repeat("[", 200000)),
		bad("a list", "[]"), bad("NaN", `{"cells": NaN}`),
		bad("only text",
			`{"cells": [{"cell_type": "markdown", "id": "a", "metadata": {}, "source": "x"}], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}`),
		{kind{name: "FIFO", status: "Unreadable"}, func(t *testing.T, dir, _, _ string) {
			must.Do(t, syscall.Mkfifo(filepath.Join(dir, "prml-4.25.ipynb"), 0o644))
		}},
		{kind{name: "giant", status: "Unreadable", want: "bytes"}, func(t *testing.T, dir, _, _ string) {
			path := filepath.Join(dir, "prml-4.25.ipynb")
			must.Write(t, path, "{")
			must.Do(t, os.Truncate(path, 1<<40))
		}},
		{kind{name: "dangling link", status: "Unreadable"}, func(t *testing.T, dir, _, _ string) {
			must.Do(t, os.Symlink("nowhere", filepath.Join(dir, "prml-4.25.ipynb")))
		}},
		{kind{name: "link to a device", status: "Unreadable"}, func(t *testing.T, dir, _, _ string) {
			must.Do(t, os.Symlink("/dev/zero", filepath.Join(dir, "prml-4.25.ipynb")))
		}},
		{kind{name: "link to the key", status: "Unreadable"}, func(t *testing.T, dir, _, next string) {
			must.Do(t, os.Symlink(next, filepath.Join(dir, "prml-4.25.ipynb")))
		}},
		{kind{name: "folder", status: "Unreadable"}, func(t *testing.T, dir, _, _ string) {
			must.Do(t, os.Mkdir(filepath.Join(dir, "prml-4.25.ipynb"), 0o755))
		}},
		{kind{name: "nothing", status: "Missing"}, func(t *testing.T, dir, _, _ string) {}},
		full("a second answer cell, with a wrong answer", "", func(nb *nbformat.Notebook) { nb.AddCode("prml-4-25-stub-2", wrong) }),
		{kind{name: "the stub is text", status: "Unreadable", want: "no cell declares"},
			edited(func(nb *nbformat.Notebook) { nb.Cell(stub).Type = nbformat.Markdown })},
		misnamed("-x.ipynb"), misnamed("--help.ipynb"), misnamed("--output-dir=x.ipynb"), misnamed("bad\xff.ipynb"),
		misnamed("line\nPassed ada.ipynb"), misnamed("\x1b[2J.ipynb"),
		misnamed("prml-4.25.IPYNB"), misnamed("prml-4.25-Copy1.ipynb"), misnamed("<script>alert(1)<script>.ipynb"),
		full("check forged, answer right", "was changed",
			func(nb *nbformat.Notebook) { nb.Cell(check).Source = forged }),
		full("set-up gone", "is missing", func(nb *nbformat.Notebook) {
			cells := nb.Cells
			nb.Cells = nil
			for _, c := range cells {
				if c.ID != setup {
					nb.Cells = append(nb.Cells, c)
				}
			}
		}),
		full("the answer elsewhere", "not in the stub's cell", func(nb *nbformat.Notebook) {
			nb.AddCode("mine", nb.Cell(stub).Source)
			nb.Cell(stub).Source = "// see below"
		}),
		less("check forged", "was changed", func(nb *nbformat.Notebook) { nb.Cell(check).Source = forged }),
		less("check of another answer", "was changed", func(nb *nbformat.Notebook) {
			nb.Cell(check).Source = "%%\nex25.Check(func() float64 { return math.Pi / 8 })"
		}),
		less("the right answer in a later cell", "Code cells that were added",
			func(nb *nbformat.Notebook) { nb.AddCode("later", in25("", right25())) }),
		less("a shell cell", "Code cells that were added",
			func(nb *nbformat.Notebook) { nb.AddCode("sh", "!sed -i s/Wrong/Right/ toolkit/verify/report.go") }),
		less("metadata expect it", "", func(nb *nbformat.Notebook) {
			nb.Cell(check).Metadata["hyperplane"] = map[string]any{"expect": "NotPassed"}
		}),
		less("metadata gone", "variant", func(nb *nbformat.Notebook) { nb.Metadata = map[string]any{} }),
		less("another exercise's name", "prml-4.1", func(nb *nbformat.Notebook) {
			nb.Metadata["hyperplane"].(map[string]any)["exercise"] = "prml-4.1"
		}),
		less("common variant", "was changed", func(nb *nbformat.Notebook) {
			nb.Cell(setup).Source = strings.Split(nb.Cell(setup).Source, "var _ =")[0]
			nb.Metadata["hyperplane"].(map[string]any)["seed"] = json.Number("0")
		}),
		less("outputs that say passed", "", func(nb *nbformat.Notebook) {
			nb.Cell(check).Outputs = []nbformat.Output{{"output_type": "stream", "name": "stdout",
				"text": "passed: all 3 parts right\n"}}
		}),
		{kind{name: "the solved notebook of the next learner's variant", exercise: "alpaydin-10.9", points: math.NaN(), want: "the learner's own"},
			func(t *testing.T, dir, _, next string) {
				must.Write(t, filepath.Join(dir, "alpaydin-10.9.ipynb"), must.Read(t, next))
			}},
	}
}
