package toolkit_test

import (
	"bytes"
	"flag"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/printer"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite api.txt")

// notebookPackages lists the packages of the toolkit that a notebook may import. The file api.txt
// lists the exported declarations of these packages. It also lists the exported declarations of package
// equation, which only tests import. Every change to a name or a type in these declarations changes
// api.txt, where a reviewer sees the change.
var notebookPackages = []string{".", "classify", "datasets", "figures", "show", "verify"}

func TestAPI(t *testing.T) {
	var got bytes.Buffer
	for _, dir := range append([]string{"equation"}, notebookPackages...) {
		for _, line := range exportedDeclarations(t, dir) {
			got.WriteString(line + "\n")
		}
	}
	if *update {
		if err := os.WriteFile("api.txt", got.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile("api.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range difference(string(want), got.String()) {
		t.Errorf("api.txt and the code differ (- only in api.txt, + only in the code): %s", d)
	}
	if t.Failed() {
		t.Log("if the change is intended, run go test ./toolkit -run TestAPI -update")
	}
}

// TestAPIGoesRed checks that the function `difference` reports a missing line and an added line.
func TestAPIGoesRed(t *testing.T) {
	if d := difference("a\nb\n", "b\nc\n"); !slices.Equal(d, []string{"- a", "+ c"}) {
		t.Errorf("difference returns %q, want the lines - a and + c", d)
	}
}

func difference(want, got string) []string {
	var out []string
	missing := func(sign, in, from string) {
		have := strings.Split(from, "\n")
		for line := range strings.SplitSeq(in, "\n") {
			if !slices.Contains(have, line) {
				out = append(out, sign+line)
			}
		}
	}
	missing("- ", want, got)
	missing("+ ", got, want)
	return out
}

// parsedFiles parses the files that match `pattern`. It skips test files unless `pattern` ends in
// _test.go.
func parsedFiles(t *testing.T, pattern string, mode parser.Mode) (*token.FileSet, []*ast.File) {
	t.Helper()
	names, err := filepath.Glob(pattern)
	if err != nil || len(names) == 0 {
		t.Fatalf("the pattern %s matches %d files (error %v), want at least one", pattern, len(names), err)
	}
	fset := token.NewFileSet()
	var files []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") != strings.HasSuffix(pattern, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(fset, name, nil, mode)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	return fset, files
}

// exportedFunctions returns the exported functions and methods that the files declare.
func exportedFunctions(files []*ast.File) []*ast.FuncDecl {
	var out []*ast.FuncDecl
	for _, f := range files {
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Name.IsExported() {
				out = append(out, fn)
			}
		}
	}
	return out
}

// typeName returns the name of a type. It omits the package, the asterisk of a pointer type, and a
// type parameter. For a type of any other form, such as a slice, it returns "".
func typeName(typ ast.Expr) string {
	switch typ := typ.(type) {
	case *ast.StarExpr:
		return typeName(typ.X)
	case *ast.IndexExpr:
		return typeName(typ.X)
	case *ast.SelectorExpr:
		return typ.Sel.Name
	case *ast.Ident:
		return typ.Name
	}
	return ""
}

var space = regexp.MustCompile(`\s+`)

// exportedDeclarations lists the exported declarations of a package, one per line, sorted.
func exportedDeclarations(t *testing.T, dir string) []string {
	t.Helper()
	fset, files := parsedFiles(t, filepath.Join(dir, "*.go"), 0)
	p, err := doc.NewFromFiles(fset, files, module+"/toolkit/"+dir)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	add := func(node any) {
		var b bytes.Buffer
		if err := printer.Fprint(&b, fset, node); err != nil {
			t.Fatal(err)
		}
		out = append(out, p.Name+": "+strings.TrimSpace(space.ReplaceAllString(b.String(), " ")))
	}
	values := func(vs []*doc.Value) {
		for _, v := range vs {
			for _, spec := range v.Decl.Specs {
				s := *spec.(*ast.ValueSpec)
				s.Values = nil // api.txt lists the names of constants and variables, but not their values
				add(&ast.GenDecl{Tok: v.Decl.Tok, Specs: []ast.Spec{&s}})
			}
		}
	}
	funcs := func(fs []*doc.Func) {
		for _, f := range fs {
			d := *f.Decl
			d.Body = nil
			add(&d)
		}
	}
	values(p.Consts)
	values(p.Vars)
	funcs(p.Funcs)
	for _, typ := range p.Types {
		add(typ.Decl)
		values(typ.Consts)
		values(typ.Vars)
		funcs(typ.Funcs)
		funcs(typ.Methods)
	}
	slices.Sort(out)
	return out
}
