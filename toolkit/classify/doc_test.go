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
