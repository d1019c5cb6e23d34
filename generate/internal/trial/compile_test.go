package trial

import (
	"os"
	"strings"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/catalog"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbformat"
)

// Every cell of every notebook compiles: set-up, stub or answer, check, explore,
// lessons.
func TestEveryNotebookCompiles(t *testing.T) {
	root := moduleRoot(t)
	var names []string
	var notebooks []*nbformat.Notebook
	add := func(name string, nb *nbformat.Notebook, err error) {
		if err != nil {
			t.Fatal(err)
		}
		names, notebooks = append(names, name), append(notebooks, nb)
	}
	exercises, err := catalog.Exercises(os.DirFS(root))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range exercises {
		nb, err := e.Learner()
		add(e.ID+", learner's", nb, err)
		nb, err = e.Solved()
		add(e.ID+", solved", nb, err)
	}
	lessons, err := catalog.Lessons(os.DirFS(root))
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range lessons {
		nb, err := l.Notebook(catalog.Packages())
		add(l.ID, nb, err)
	}
	compile(t, root, names, notebooks)
}

func compile(t *testing.T, root string, names []string, notebooks []*nbformat.Notebook) {
	t.Helper()
	got, err := Compile(t.Context(), root, notebooks)
	if err != nil {
		t.Fatal(err)
	}
	for i, name := range names {
		if got[i] != "" {
			t.Errorf("%s:\n%s", name, got[i])
		}
	}
}

func TestCompileRed(t *testing.T) {
	root := moduleRoot(t)
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
	got, err := Compile(t.Context(), root, notebooks)
	if err != nil {
		t.Fatal(err)
	}
	for i, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if (got[i] == "") != (tt.want == "") || !strings.Contains(got[i], tt.want) {
				t.Errorf("messages are %q, want %q", got[i], tt.want)
			}
		})
	}
}
