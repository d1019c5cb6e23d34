package exercise

import (
	"go/parser"
	"go/token"
	"slices"
	"strings"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
)

// TestCut checks cases that do not occur in the golden notebooks. The stub must contain
// neither directives nor the comments of a removed body. It must contain functions that are not
// tests, although their names resemble the names of tests.
func TestCut(t *testing.T) {
	a := must.Get(Cut("answer_test.go", []byte(`package ex01_test

import (
	"strings"

	"gonum.org/v1/gonum/stat/distuv"
)

// Testimony is no test: a lower-case letter follows.
func Testimony() string { return strings.ToUpper("yes") }

// Normal returns a distribution.
func Normal(
	mu float64, // the mean
) (n distuv.Normal, err error) { // a comment behind the brace
	/* inside */
	return distuv.Normal{Mu: mu, Sigma: 1}, nil // at the end
}

//hyperplane:given

// grid is a table.
//
//hyperplane:given
var grid = []float64{1, 2}

// Square has a method that the learner sees.
type Square struct{ side float64 }

// Area is its area.
//
//hyperplane:given
func (s Square) Area() float64 { return s.side * s.side }

func Example() {}
func Test() {}
func FuzzX() {}
`)))(t)
	if want := []string{"Testimony", "Normal"}; !slices.Equal(a.Functions, want) {
		t.Errorf("got the functions %q, want %q", a.Functions, want)
	}
	const stub = `// Testimony is no test: a lower-case letter follows.
func Testimony() string {
	panic(verify.TODO)
}

// Normal returns a distribution.
func Normal(
	mu float64, // the mean
) (n distuv.Normal, err error) {
	panic(verify.TODO)
}

// grid is a table.
var grid = []float64{1, 2}

// Square has a method that the learner sees.
type Square struct{ side float64 }

// Area is its area.
func (s Square) Area() float64 { return s.side * s.side }`
	if a.Stub.Source != stub {
		t.Errorf("the stub is\n%s\nwant\n%s", a.Stub.Source, stub)
	}
	var paths []string
	for _, i := range a.Stub.Imports {
		paths = append(paths, i.Path)
	}
	if want := []string{"github.com/hyperplane-notebooks/hyperplane/toolkit/verify", "gonum.org/v1/gonum/stat/distuv"}; !slices.Equal(paths, want) {
		t.Errorf("the stub imports %q, want %q", paths, want)
	}
}

// FuzzCut checks that the result of a successful Cut is valid Go, and that the stub contains
// panic(verify.TODO) for each function that the learner writes.
func FuzzCut(f *testing.F) {
	for _, file := range []string{"testdata/good/ex07/answer_test.go", "../trial/testdata/red/ex01/answer_test.go"} {
		f.Add(must.Read(f, file))
	}
	f.Add("package p\n// F is.\nfunc F(\n// a\nx int /* b */) (\n) /* c */ { /* d */ }\n")
	f.Fuzz(func(t *testing.T, src string) {
		a, err := Cut("f.go", []byte(src))
		if err != nil {
			return
		}
		for _, code := range []Code{a.Stub, a.Solution} {
			if _, err := parser.ParseFile(token.NewFileSet(), "", "package p\n"+code.Source, 0); err != nil {
				t.Fatalf("Cut(%s) returns the code\n%s\nwhich is not valid Go: %v", src, code.Source, err)
			}
		}
		if n := strings.Count(a.Stub.Source, "panic(verify.TODO)"); n < len(a.Functions) {
			t.Fatalf("the stub has %d functions, but panic(verify.TODO) occurs only %d times:\n%s",
				len(a.Functions), n, a.Stub.Source)
		}
	})
}
