package trial

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/catalog"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/cell"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/exercise"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbformat"
)

// TestEveryNotebookCompiles checks that every cell of every notebook compiles: set-up, stub or
// answer, check, Explore, and the cells of lessons. The notebooks of variants must also compile.
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
		t.Errorf("%s:\n%s", names[i], message)
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
				t.Errorf("got the messages %q, want %q", got[i], tt.want)
			}
		})
	}
}

// compile compiles the code cells of notebooks, without a kernel and without running the cells. It
// returns the compiler's messages, keyed by the index of the notebook, with cell and line. The map
// is empty if all cells compile. compile omits cells that are meant to fail: cells whose metadata
// expect a verdict other than OK or NotPassed.
func compile(t *testing.T, notebooks []*nbformat.Notebook) map[int]string {
	t.Helper()
	o := must.Get(newOverlay(root, t.TempDir()))(t)
	var args []string
	for i, nb := range notebooks {
		o.add(fmt.Sprintf("s%d/s.go", i), packageOfCells(t, i, nb))
		args = append(args, fmt.Sprintf("./%s/s%d", virtual, i))
	}
	return must.Get(o.build(t.Context(), args...))(t)
}

// packageOfCells returns the source of a package for notebook i. The package contains the
// declarations of all cells, a function for the %% part of each cell, and the imports that the
// cells use.
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
	used := must.Get(cell.Read("cells", 1, source, known))(t) // like GoNB, drop unused imports
	return fmt.Sprintf("package s%d\n\n%s\n%s", i, cell.Declaration(used.Imports), source)
}

func meantToFail(c *nbformat.Cell) bool {
	expect, _ := nbformat.Own(c.Metadata)["expect"].(string)
	return expect != "" && expect != "OK" && expect != "NotPassed"
}

// withoutImports replaces the lines of import declarations and of commands by empty lines, so that
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
