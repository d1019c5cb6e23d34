package classify_test

import (
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// documentation returns what go doc says of this package.
func documentation(t *testing.T) *doc.Package {
	t.Helper()
	fset := token.NewFileSet()
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	var files []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(fset, name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	d, err := doc.NewFromFiles(fset, files, "classify")
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// functions are all exported functions that are no methods.
func functions(d *doc.Package) []*doc.Func {
	all := d.Funcs
	for _, typ := range d.Types {
		all = append(all, typ.Funcs...)
	}
	return all
}

// returns tells whether a result of f has this type.
func returns(f *doc.Func, name string) bool {
	if f.Decl.Type.Results == nil {
		return false
	}
	for _, r := range f.Decl.Type.Results.List {
		if id, ok := r.Type.(*ast.Ident); ok && id.Name == name {
			return true
		}
	}
	return false
}

var equation = regexp.MustCompile(`(PRML|Alpaydin)(.|\n)*\d+\.\d+`)

// TestModelsNameTheirSource: the type that a Fit function returns says which
// section or equation of which book it is.
func TestModelsNameTheirSource(t *testing.T) {
	models := 0
	for _, typ := range documentation(t).Types {
		for _, f := range typ.Funcs {
			if !strings.HasPrefix(f.Name, "Fit") || strings.HasSuffix(f.Name, "OnBasis") {
				continue // a model on a basis is that model, of φ(x)
			}
			models++
			if !equation.MatchString(typ.Doc) && !equation.MatchString(f.Doc) {
				t.Errorf("neither %s nor %s names an equation or section of a book", typ.Name, f.Name)
			}
		}
	}
	if models < 20 {
		t.Errorf("%d functions that fit: too few to be all", models)
	}
}

// TestErrorsAreTold: a function that returns an error says for what.
func TestErrorsAreTold(t *testing.T) {
	errors := 0
	for _, f := range functions(documentation(t)) {
		if !returns(f, "error") {
			continue
		}
		errors++
		if !strings.Contains(strings.ToLower(f.Doc), "error") {
			t.Errorf("%s returns an error and its comment does not say when", f.Name)
		}
	}
	if errors < 60 {
		t.Errorf("%d functions that return an error: too few to be all", errors)
	}
}
