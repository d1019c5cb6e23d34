package trial

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/catalog"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/cell"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/exercise"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbformat"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// root is the folder of the module.
const root = "../../.."

// goodFixture is the folder of an exercise without faults.
const goodFixture = "generate/internal/exercise/testdata/good/ex07"

// A soleText is an answer that is the only text in its bundle. Its names need no suffix.
type soleText exercise.Code

func (c soleText) Suffixed(string) string { return c.Source }
func (c soleText) Needs() []cell.Import   { return c.Imports }

// A submission is an answer as a learner submits it.
type submission struct {
	exercise *exercise.Exercise // the variant of the exercise whose check judges the submission
	code     exercise.Code
}

// judgeAll judges submissions, each in its own bundle. Consecutive submissions with the same seed can
// share a process.
func judgeAll(t *testing.T, submissions []submission) (got []Judgement) {
	t.Helper()
	bundles := make([]Bundle, len(submissions))
	for i, s := range submissions {
		bundles[i] = Bundle{s.exercise, []Suffixer{soleText(s.code)}}
	}
	p := must.Get(Build(t.Context(), root, bundles))(t)
	defer p.Close()
	for from := 0; from < len(bundles); {
		var members []Member
		for i := from; i < len(bundles) && bundles[i].Exercise.Seed == bundles[from].Exercise.Seed; i++ {
			members = append(members, Member{Bundle: i})
		}
		got = append(got, must.Get(p.JudgeAll(t.Context(), members, nil, Limits{}))(t)...)
		from += len(members)
	}
	return got
}

// TestRed judges the unchanged stub, right answers, changed stubs, and answers with faults. Of
// these texts, only the unchanged stub may count as a stub, and only the right answers may count as
// right.
func TestRed(t *testing.T) {
	load := func(dir string) *exercise.Exercise { return must.Get(exercise.Load(os.DirFS(root), dir))(t) }
	good, red := load(goodFixture), load("generate/internal/trial/testdata/red/ex01")
	with := func(c exercise.Code, old, new string, imports ...string) exercise.Code {
		if strings.Count(c.Source, old) == 0 {
			t.Fatalf("the text %q does not occur in\n%s", old, c.Source)
		}
		c.Source = strings.ReplaceAll(c.Source, old, new)
		for _, p := range imports {
			c.Imports = cell.Merge(c.Imports, []cell.Import{{Path: p}})
		}
		return c
	}
	stub, answer := good.Answer.Stub, good.Answer.Solution
	unused := exercise.Code{Source: answer.Source, Imports: answer.Imports}
	tests := []struct {
		name string
		s    submission
		want string // prefix of the result of Outcomes
	}{
		{"stub", submission{good, stub}, "NotAttempted NotAttempted NotAttempted"},
		{"answer", submission{good, answer}, "Right Right Right"},
		{"stub that does not compile", submission{red, red.Answer.Stub},
			"does not compile: cell.go:7:18: undefined: side"},
		{"its answer compiles", submission{red, red.Answer.Solution}, "Right"},
		{"the learner's own panic", submission{good, with(stub, "verify.TODO", `"not attempted yet"`)},
			"Crashed Crashed Crashed"},
		{"half done",
			submission{good, with(answer, "return math\n", "panic(verify.TODO)\n", cell.HyperplaneModule+"/toolkit/verify")},
			"Right Right NotAttempted"},
		{"wrong", submission{good, with(answer, "y[i] /= float64(by)", "y[i] *= float64(by)")}, "Wrong Right Right"},
		{"exit", submission{good, with(stub, "panic(verify.TODO)", "os.Exit(0)\n\tpanic(0)", "os")}, "died: "},
		{"forged report",
			submission{good,
				with(stub, "panic(verify.TODO)", "fmt.Println(`[{\"complete\":true}]`)\n\tos.Exit(0)\n\tpanic(0)", "os",
					"fmt")}, "died: "},
		{"syntax error", submission{good, with(unused, "math := 0.0", "math := = 0.0")}, "does not compile: cell.go:"},
		{"other signature", submission{good, with(stub, "func Sum(x []float64) float64", "func Sum(x []float64) int")},
			"does not compile: "},
	}
	var submissions []submission
	for _, tt := range tests {
		submissions = append(submissions, tt.s)
	}
	got := judgeAll(t, submissions)
	for i, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if o := got[i].Outcomes(); !strings.HasPrefix(o, tt.want) {
				t.Errorf("got the outcomes %q, want outcomes that begin with %q", o, tt.want)
			}
			if got[i].All(verify.Right) != (tt.name == "answer" || tt.name == "its answer compiles") {
				t.Errorf("All(Right) = %t for a submission with the outcomes %q, want the opposite", got[i].All(verify.Right), got[i].Outcomes())
			}
			if got[i].All(verify.NotAttempted) != (tt.name == "stub") {
				t.Errorf("All(NotAttempted) = %t for a submission with the outcomes %q, want true only for the unchanged stub", got[i].All(verify.NotAttempted), got[i].Outcomes())
			}
		})
	}
	if _, err := os.Stat(root + "/" + overlayDir); err == nil {
		t.Errorf("the folder %s of the overlay was written to the disk", overlayDir)
	}
}

// A fixtureText is an answer to the exercise in goodFixture. In its source, the word SUFFIX follows
// every top-level name, so that the method Suffixed can replace this word.
type fixtureText struct {
	source  string
	imports []cell.Import
}

func (t fixtureText) Suffixed(suffix string) string {
	return strings.ReplaceAll(t.source, "SUFFIX", suffix)
}
func (t fixtureText) Needs() []cell.Import { return t.imports }

// sumOf returns an answer with the given body of Sum. All other functions of the answer are right.
func sumOf(body string, imports ...cell.Import) fixtureText {
	m := cell.Import{Path: "gonum.org/v1/gonum/mat"}
	ex := cell.Import{Path: cell.HyperplaneModule + "/generate/internal/exercise/testdata/good/ex07"}
	return fixtureText{"func HalveSUFFIX(x []float64, by ex07.Scale) []float64 { return []float64{2} }\n" +
		"func MeanSUFFIX(x *mat.Dense) float64 { return 2 }\n" +
		"func SumSUFFIX(x []float64) float64 { " + body + " }", append(imports, m, ex)}
}

// TestBundle judges several texts that are compiled as one package. Check and CheckSteps must judge
// each text separately. A text that runs forever or uses too much memory must be stopped.
func TestBundle(t *testing.T) {
	e := must.Get(exercise.Load(os.DirFS(root), goodFixture))(t)
	tests := []struct {
		name string
		text fixtureText
		want string // prefix of the result of Outcomes
	}{
		{"right", sumOf("return 3"), "Right Right Right"},
		{"wrong step", sumOf("return 4"), "Right Right Wrong"},
		{"imports of its own", sumOf("return math.Sqrt(9)", cell.Import{Path: "math"}), "Right Right Right"},
		{"crash", sumOf("panic(0)"), "Right Right Crashed"},
		{"no end", sumOf("for { }"), "died: signal: killed"},
		{"all memory",
			sumOf("var all [][]float64; for { v := make([]float64, 1<<24); for i := range v { v[i] = 1 }; all = append(all, v) }"), "died: exit status 2"},
	}
	b := Bundle{Exercise: e}
	for _, tt := range tests {
		b.Texts = append(b.Texts, tt.text)
	}
	p := must.Get(Build(t.Context(), root, []Bundle{b}))(t)
	defer p.Close()
	for i, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			limits := Limits{CPU: time.Second, Memory: 1 << 30}
			if tt.name == "all memory" {
				limits.CPU = time.Minute
			}
			got := must.Get(p.Judge(t.Context(), 0, i, limits))(t)
			if !strings.HasPrefix(got.Outcomes(), tt.want) {
				t.Errorf("got the outcomes %q, want outcomes that begin with %q", got.Outcomes(), tt.want)
			}
			if got.All(verify.Right) != strings.HasPrefix(tt.want, "Right Right Right") {
				t.Errorf("All(Right) = %t for a text with the outcomes %q, want the opposite", got.All(verify.Right), got.Outcomes())
			}
			if got.Died == "" && (got.Cost.Time <= 0 || got.Cost.CPU <= 0 || got.Cost.Peak < 1<<20) {
				t.Errorf("got the cost %+v, want positive times and a peak of at least 1 MiB", got.Cost)
			}
		})
	}
	t.Run("in one process", func(t *testing.T) {
		members := []Member{{0, 0}, {0, 1}, {0, 3}, {0, 4}, {0, 2}, {0, 4}, {0, 0}}
		got := must.Get(p.JudgeAll(t.Context(), members, &Member{}, Limits{CPU: time.Second, Memory: 1 << 30}))(t)
		for i, m := range members {
			if want := tests[m.Text].want; !strings.HasPrefix(got[i].Outcomes(), want) {
				t.Errorf("%s: got the outcomes %q, want outcomes that begin with %q", tests[m.Text].name, got[i].Outcomes(), want)
			}
		}
	})
	t.Run("interrupted", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if got, err := p.Judge(ctx, 0, 0, Limits{}); !errors.Is(err, context.Canceled) {
			t.Errorf("Judge with a cancelled context returns %+v and the error %v, want the error context.Canceled", got, err)
		}
	})
	t.Run("answer cannot be written", func(t *testing.T) {
		must.Do(t, os.Mkdir(p.path+"-0-0.json", 0o700))
		if got, err := p.Judge(t.Context(), 0, 0, Limits{}); err == nil {
			t.Errorf("Judge returns %+v although the program cannot write its answer file; want an error", got)
		}
	})
	must.Do(t, p.Close())
	if got, err := p.Judge(t.Context(), 0, 0, Limits{}); err == nil {
		t.Errorf("after Close, Judge returns %+v; want an error", got)
	}
}

// TestBundleThatDoesNotCompile builds two bundles, one of which does not compile. The texts of the
// other bundle must still be judged.
func TestBundleThatDoesNotCompile(t *testing.T) {
	e := must.Get(exercise.Load(os.DirFS(root), goodFixture))(t)
	p := must.Get(Build(t.Context(), root,
		[]Bundle{{e, []Suffixer{sumOf("return 3"), sumOf("return y")}}, {e, []Suffixer{sumOf("return 3")}}}))(t)
	defer p.Close()
	for i, want := range []string{"does not compile: cell.go:3:42: undefined: y", "Right Right Right"} {
		if got := must.Get(p.Judge(t.Context(), i, 0, Limits{}))(t); got.Outcomes() != want {
			t.Errorf("bundle %d: got the outcomes %s, want %s", i, got.Outcomes(), want)
		}
	}
}

// TestEveryExercise judges every exercise in a few variants, and exercises with constants in more
// variants. The stub must be NotAttempted and the reference answer Right. The reports must contain
// the seed. If the answers to two successive variants differ, the answer to the first variant must be
// wrong in the second variant.
func TestEveryExercise(t *testing.T) {
	module := os.DirFS(root)
	type judged struct {
		name        string
		seed        uint64
		want        func(Judgement) bool
		description string
	}
	var list []judged
	var submissions []submission
	add := func(e *exercise.Exercise, code exercise.Code, what, wanted string, want func(Judgement) bool) {
		submissions = append(submissions, submission{e, code})
		list = append(list, judged{fmt.Sprintf("%s/%d/%s", e.ID, e.Seed, what), e.Seed, want, wanted})
	}
	all := func(o verify.Outcome) func(Judgement) bool { return func(j Judgement) bool { return j.All(o) } }
	seeds := []uint64{0, 1, 2, 3, 4, 5, 6, 7, 8, 1834699243556, 1<<53 - 1}
	// The map `everywhere` contains the seeds for which every exercise is judged. For all other
	// seeds, only exercises with constants are judged.
	everywhere := map[uint64]bool{0: true, 1: true, 1834699243556: true}
	var before []*exercise.Exercise
	varied := 0
	for _, n := range seeds {
		now := must.Get(catalog.Variants(module, exercise.Variant{Seed: n}))(t)
		for i, e := range now {
			if e.Vary == nil && !everywhere[n] {
				continue
			}
			add(e, e.Answer.Stub, "stub", "NotAttempted everywhere", all(verify.NotAttempted))
			add(e, e.Answer.Solution, "answer", "Right everywhere", all(verify.Right))
			if e.Vary == nil {
				continue
			}
			varied++
			// The reference answers to the variants of PRML 4.14 differ only in their comments. Each
			// answer makes up to 1000 passes over the points, which are enough in every variant.
			// Therefore the answer to one variant is also right in all others.
			if before != nil && e.ID != "prml-4.14" && before[i].Answer.Solution.Source != e.Answer.Solution.Source {
				add(e, before[i].Answer.Solution, fmt.Sprintf("answer of %d", before[i].Seed), "Wrong somewhere",
					func(j Judgement) bool {
						return len(j.Reports) > 0 && !j.All(verify.Right) && j.Reports[0].Count(verify.Wrong) > 0
					})
			}
		}
		before = now
	}
	if varied < 4*len(seeds) {
		t.Errorf("constants vary in %d exercises, want at least 4", varied/len(seeds))
	}
	got := judgeAll(t, submissions)
	for i, j := range list {
		t.Run(j.name, func(t *testing.T) {
			if !j.want(got[i]) {
				t.Errorf("got the outcomes %s, want %s", got[i].Outcomes(), j.description)
			}
			for _, r := range got[i].Reports {
				if r.Seed != j.seed {
					t.Errorf("the report has the seed %d, want %d, the seed of the variant", r.Seed, j.seed)
				}
			}
		})
	}
}

// TestEveryNotebookCompiles checks that every code cell of every notebook compiles unless it is meant
// to fail: set-up, stub or answer, check, Explore, and the cells of lessons. The notebooks of variants
// must also compile.
func TestEveryNotebookCompiles(t *testing.T) {
	module := os.DirFS(root)
	var names []string
	var notebooks []*nbformat.Notebook
	add := func(name string, nb *nbformat.Notebook) {
		names, notebooks = append(names, name), append(notebooks, nb)
	}
	course := must.Get(catalog.Course(module, must.Get(catalog.Exercises(module))(t)))(t)
	for _, l := range course.Lessons {
		add(l.ID, must.Get(l.Notebook(course, catalog.Packages()))(t))
	}
	for _, n := range []uint64{0, 1, 2, 1<<53 - 1} {
		for _, e := range must.Get(catalog.Variants(module, exercise.Variant{Seed: n, For: "Ada"}))(t) {
			if e.OfLesson() || e.Vary == nil && n > 1 {
				continue
			}
			add(fmt.Sprintf("%s, learner's, variant %d", e.ID, n), must.Get(e.Learner())(t))
			if n == 0 {
				add(e.ID+", solved", must.Get(e.Solved())(t))
			}
		}
	}
	for i, message := range compile(t, notebooks) {
		t.Errorf("%s does not compile:\n%s", names[i], message)
	}
}

func TestCompileRed(t *testing.T) {
	const setup = "%noautoget\nimport (\n\t\"fmt\"\n\t\"math\"\n)\n\n%%\nfmt.Print()"
	expect := func(v string) map[string]any {
		return map[string]any{"hyperplane": map[string]any{"expect": v}}
	}
	tests := []struct {
		name, source string
		metadata     map[string]any
		want         string
	}{
		{"good", "// f is math.Pi, it says.\nfunc f() float64 { return 3 }\n\n%%\nfmt.Println(f())", nil, ""},
		{"commands", "!ls\n%%\nfmt.Println()", nil, ""},
		{"unknown name in main", "func f() {}\n\n%%\nf()\ng()", nil, "b:5:1: undefined: g"},
		{"unknown name in a declaration", "\nvar x = h()", nil, "b:2:9: undefined: h"},
		{"unused variable", "%%\nx := 1", nil, "b:2:1: declared and not used: x"},
		{"package not imported", "%%\nos.Exit(0)", nil, "b:2:1: undefined: os"},
		{"unknown name of a package", "%%\nmath.Pie()", nil, "b:2:6: undefined: math.Pie"},
		{"meant to fail", "%%\nx := 1", expect("CompileError"), ""},
		{"meant not to pass", "%%\nx := 1", expect("NotPassed"), "declared and not used: x"},
	}
	var notebooks []*nbformat.Notebook
	for _, tt := range tests {
		nb := nbformat.New()
		nb.AddMarkdown("text", "no { Go")
		nb.AddCode("a", setup)
		c := nb.AddCode("b", tt.source)
		if tt.metadata != nil {
			c.Metadata = tt.metadata
		}
		notebooks = append(notebooks, nb)
	}
	got := compile(t, notebooks)
	for i, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if (got[i] == "") != (tt.want == "") || !strings.Contains(got[i], tt.want) {
				t.Errorf("got the messages %q, want messages that contain %q, or no message if this text is empty", got[i], tt.want)
			}
		})
	}
}

// compile compiles the code cells of notebooks, without a kernel and without running the cells. It
// returns the compiler's messages, with the cell and the line, keyed by the index of the notebook.
// If all cells compile, the map is empty. compile skips a cell if its metadata expect a verdict
// other than OK or NotPassed.
func compile(t *testing.T, notebooks []*nbformat.Notebook) map[int]string {
	t.Helper()
	o := must.Get(newOverlay(root, t.TempDir()))(t)
	var args []string
	for i, nb := range notebooks {
		o.add(fmt.Sprintf("s%d/s.go", i), packageOfCells(t, i, nb))
		args = append(args, fmt.Sprintf("./%s/s%d", overlayDir, i))
	}
	return must.Get(o.build(t.Context(), args...))(t)
}

// packageOfCells returns the source of a package for notebook i. It leaves out cells that are meant to
// fail. The package contains the declarations of all other code cells, and the imports that these cells
// use. For each such cell with a line %%, it also contains a function with the code below this line.
func packageOfCells(t *testing.T, i int, nb *nbformat.Notebook) string {
	t.Helper()
	var imports []cell.Import
	var body strings.Builder
	for _, c := range nb.Cells {
		if c.Type != nbformat.Code || meantToFail(c) {
			continue
		}
		imports = append(imports, must.Get(cell.Read(c.ID, 1, c.Source, nil))(t).Imports...)
		declarations, main, _ := strings.Cut("\n"+c.Source+"\n", "\n%%\n")
		fmt.Fprintf(&body, "//line %s:1:1\n%s\n", c.ID, withoutImports(declarations))
		if main != "" {
			name := "cell_" + strings.ReplaceAll(c.ID, "-", "_")
			fmt.Fprintf(&body, "func %s() {\n//line %s:%d:1\n%s}\n", name, c.ID, 2+strings.Count(declarations, "\n"),
				main)
		}
	}
	source := body.String()
	known := map[string]cell.Import{}
	for _, imp := range imports {
		known[imp.Called()] = imp
	}
	used := must.Get(cell.Read("cells", 1, source, known))(t) // omit unused imports, as GoNB does
	return fmt.Sprintf("package s%d\n\n%s\n%s", i, cell.Declaration(used.Imports), source)
}

func meantToFail(c *nbformat.Cell) bool {
	expect, _ := nbformat.OwnMetadata(c.Metadata)["expect"].(string)
	return expect != "" && expect != "OK" && expect != "NotPassed"
}

// withoutImports replaces the lines of import declarations and of commands with empty lines, so that
// the other lines keep their numbers.
func withoutImports(declarations string) string {
	lines := strings.Split(strings.TrimPrefix(declarations, "\n"), "\n")
	inside := false
	for i, line := range lines {
		trimmed := strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(trimmed, "import ("):
			inside = true
		case inside && trimmed == ")":
			inside = false
		case inside, strings.HasPrefix(trimmed, "import "), strings.HasPrefix(trimmed, "%"),
			strings.HasPrefix(trimmed, "!"):
		default:
			continue
		}
		lines[i] = ""
	}
	return strings.Join(lines, "\n")
}
