package toolkit_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// shown says of which exported functions a reader is shown an example: every fit,
// every plot and every check.
var shown = []struct {
	dir string
	is  func(name, result string) bool
}{
	{"classify", func(name, _ string) bool {
		return strings.HasPrefix(name, "Fit") || strings.HasPrefix(name, "Laplace") || strings.HasPrefix(name, "Evaluate") ||
			strings.HasPrefix(name, "Compare") || slices.Contains([]string{"SampleLogistic", "Separable", "ConvolveProbit"}, name)
	}},
	{"show", func(_, result string) bool { return result == "Figure" || result == "Chart" }},
	{"verify", func(_, result string) bool { return result == "Finding" }},
	{"figures", func(_, result string) bool { return result == "Figure" || result == "Chart" }},
}

func TestEveryFitPlotAndCheckHasAnExample(t *testing.T) {
	for _, s := range shown {
		names := withoutExample(t, s.dir, s.is)
		if len(names) > 0 {
			t.Errorf("%s: no runnable Example of %s", s.dir, strings.Join(names, ", "))
		}
	}
}

// TestExamplesGoesRed shows a function without an example being found: none of
// the package's plain helpers has one.
func TestExamplesGoesRed(t *testing.T) {
	if names := withoutExample(t, "show", func(name, _ string) bool { return name == "Ink" }); !slices.Equal(names, []string{"Ink"}) {
		t.Errorf("without example: %q, want Ink", names)
	}
}

func withoutExample(t *testing.T, dir string, is func(name, result string) bool) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s: %d files, %v", dir, len(files), err)
	}
	examples := map[string]bool{}
	var wanted []string
	for _, name := range files {
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Recv != nil {
				continue
			}
			if what, ok := strings.CutPrefix(fn.Name.Name, "Example"); ok {
				what, _, _ = strings.Cut(what, "_")
				examples[what] = true
			}
			if !strings.HasSuffix(name, "_test.go") && fn.Name.IsExported() && is(fn.Name.Name, result(fn)) {
				wanted = append(wanted, fn.Name.Name)
			}
		}
	}
	return slices.DeleteFunc(wanted, func(name string) bool { return examples[name] })
}

// result is the name of the type of a function's first result, without its package
// and pointer.
func result(fn *ast.FuncDecl) string {
	if fn.Type.Results == nil || len(fn.Type.Results.List) == 0 {
		return ""
	}
	typ := fn.Type.Results.List[0].Type
	if star, ok := typ.(*ast.StarExpr); ok {
		typ = star.X
	}
	if sel, ok := typ.(*ast.SelectorExpr); ok {
		typ = sel.Sel
	}
	if id, ok := typ.(*ast.Ident); ok {
		return id.Name
	}
	return ""
}
