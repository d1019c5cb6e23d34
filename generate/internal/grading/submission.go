package grading

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/cell"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/exercise"
)

// An Answer is the part of a submitted notebook that is graded: Go declarations, and the imports
// that they need.
type Answer struct {
	Source  string
	Imports []cell.Import
}

// standard lists the packages of the standard library that an answer may import. With these
// packages, an answer cannot access files, the network, other processes, or memory outside its own
// variables. A data race between goroutines can still break Go's type safety, but package confine
// denies the system calls that an attack would need.
var standard = []string{
	"cmp", "container/heap", "container/list", "container/ring", "errors", "fmt", "iter", "maps", "math", "math/big",
	"math/bits",
	"math/cmplx", "math/rand", "math/rand/v2", "slices", "sort", "strconv", "strings", "sync", "unicode",
	"unicode/utf8",
}

// libraries lists the packages outside the standard library that an answer may import. These packages,
// and all packages outside the standard library that they import, are built without assembly and
// without package unsafe (see checkedTag). The last two packages belong to hyperplane. An answer may
// import each of them only if the stub or the reference answer of the exercise also imports it.
var libraries = []string{
	"gonum.org/v1/gonum/blas", "gonum.org/v1/gonum/blas/blas64", "gonum.org/v1/gonum/diff/fd",
	"gonum.org/v1/gonum/floats",
	"gonum.org/v1/gonum/floats/scalar", "gonum.org/v1/gonum/integrate", "gonum.org/v1/gonum/integrate/quad",
	"gonum.org/v1/gonum/interp",
	"gonum.org/v1/gonum/mat", "gonum.org/v1/gonum/mathext", "gonum.org/v1/gonum/num/dual",
	"gonum.org/v1/gonum/num/hyperdual",
	"gonum.org/v1/gonum/optimize", "gonum.org/v1/gonum/optimize/convex/lp", "gonum.org/v1/gonum/stat",
	"gonum.org/v1/gonum/stat/combin",
	"gonum.org/v1/gonum/stat/distmv", "gonum.org/v1/gonum/stat/distuv",
	cell.HyperplaneModule + "/toolkit", cell.HyperplaneModule + "/toolkit/verify",
}

// withoutCheck returns the imports of an answer. If an exercise provides a package to answers, an
// answer may import the package of the exercise. Because that package also contains the check,
// withoutCheck replaces this import with the provided package. The import keeps its name.
func withoutCheck(e *exercise.Exercise, imports []cell.Import) []cell.Import {
	list := slices.Clone(imports)
	for i, im := range list {
		if replaced(e, im) {
			list[i] = cell.Import{Name: im.Called(), Path: e.Provided}
		}
	}
	return list
}

func replaced(e *exercise.Exercise, i cell.Import) bool {
	return e.Provided != "" && i.Path == e.Import().Path
}

// Cut returns the declarations in the source of the answer cells. If the answer omits a function that
// only the check of the intermediate steps needs, Cut adds this function from the stub. Cut returns an
// error with an explanation if the answer is too long, is not valid Go, lacks any other function of
// the exercise, or contains code that an answer must not contain. Such an error does not mean that
// the mathematics is wrong.
func Cut(e *exercise.Exercise, source string) (*Answer, error) {
	known := cell.Common()
	for _, i := range e.Answer.Solution.Imports {
		known[i.Called()] = i
	}
	if err := FitsSource(source); err != nil {
		return nil, err
	}
	text := declarations(source)
	if file, err := parser.ParseFile(token.NewFileSet(), "your answer", "package answer;"+text, 0); err == nil {
		if n := Nodes(file); n > maxNodes {
			return nil, fmt.Errorf("your answer has a syntax tree of %d nodes, want at most %d", n, maxNodes)
		}
		stub, err := readStub(e)
		if err != nil {
			return nil, err
		}
		for _, step := range stepFunctions(e) {
			if functions(file)[step] == nil {
				text += "\n" + stub.text(stub.functions[step])
			}
		}
	}
	c, err := cell.Read("your answer", 1, text, known)
	if err != nil {
		return nil, err
	}
	for _, i := range c.Imports {
		if !allowed(e, i) {
			return nil, fmt.Errorf("an answer to %s may not import %q; it may import %s, but none of them under the name . or _",
				e.ID, i.Path, strings.Join(slices.Concat(standard, libraries[:len(libraries)-2]), ", "))
		}
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "your answer", "package answer;"+text, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	if err := checkDirectives(fset, file); err != nil {
		return nil, err
	}
	for _, name := range e.Answer.Functions {
		if functions(file)[name] == nil {
			return nil, fmt.Errorf("your answer has no function %s", name)
		}
	}
	return &Answer{withoutImports(fset, file, text), withoutCheck(e, usedImports(file, c.Imports))}, nil
}

// FitsSource returns an error if the source of an answer has more bytes than allowed.
func FitsSource(source string) error {
	if len(source) > maxSource {
		return fmt.Errorf("your answer has %d bytes, want at most %d", len(source), maxSource)
	}
	return nil
}

// maxSource and maxNodes limit the size of an answer before it is compiled. Compiling a switch with
// 200 000 cases took up to a minute. The longest reference answer has about 1000 nodes.
const (
	maxSource = 256 << 10 // bytes
	maxNodes  = 20_000
)

// Nodes counts the nodes of a syntax tree.
func Nodes(tree ast.Node) (n int) {
	ast.Inspect(tree, func(node ast.Node) bool {
		if node != nil {
			n++
		}
		return true
	})
	return n
}

// stepFunctions returns the names of the functions that only the check of the intermediate steps
// needs. A learner may omit these functions.
func stepFunctions(e *exercise.Exercise) (names []string) {
	for _, name := range e.Answer.Functions {
		if len(e.Calls) > 0 && !slices.Contains(e.Calls[0].Args, name) {
			names = append(names, name)
		}
	}
	return names
}

// usedImports returns the imports that a file uses. The imports of a notebook cell may be unused,
// but an unused import in a Go file is a compile error.
func usedImports(file *ast.File, imports []cell.Import) []cell.Import {
	names := map[string]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if id, ok := s.X.(*ast.Ident); ok {
				names[id.Name] = true
			}
		}
		return true
	})
	return slices.DeleteFunc(imports, func(i cell.Import) bool { return !names[i.Called()] })
}

// declarations returns the source of a cell up to the first %% line. The code after that line runs
// in the notebook and is not part of the answer. Commands, which begin with % or !, become blank
// lines, so that all other lines keep their numbers.
func declarations(source string) string {
	text, _, _ := strings.Cut("\n"+source, "\n%%")
	lines := strings.Split(strings.TrimPrefix(text, "\n"), "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, "%") || strings.HasPrefix(line, "!") {
			lines[i] = ""
		}
	}
	return strings.Join(lines, "\n")
}

// withoutImports returns a text with its imports replaced by spaces. `file` is the syntax tree
// of the text with "package answer;" in front of it.
func withoutImports(fset *token.FileSet, file *ast.File, text string) string {
	b := []byte(text)
	before := len("package answer;")
	for _, d := range file.Decls {
		if d, ok := d.(*ast.GenDecl); ok && d.Tok == token.IMPORT {
			for i := fset.Position(d.Pos()).Offset - before; i < fset.Position(d.End()).Offset-before; i++ {
				if b[i] != '\n' {
					b[i] = ' '
				}
			}
		}
	}
	return string(b)
}

func allowed(e *exercise.Exercise, i cell.Import) bool {
	ours := strings.HasPrefix(i.Path, cell.HyperplaneModule+"/") || replaced(e, i)
	return i.Name != "_" && i.Name != "." &&
		(slices.Contains(standard, i.Path) || (replaced(e, i) || i.Path == e.Provided || slices.Contains(libraries, i.Path)) &&
			(!ours || slices.Contains(slices.Concat(e.Answer.Stub.Imports, e.Answer.Solution.Imports), i)))
}

// checkDirectives returns an error if a file contains a directive for the compiler or linker. It
// also rejects functions without a body, and functions with the name init or main.
func checkDirectives(fset *token.FileSet, file *ast.File) error {
	for _, group := range file.Comments {
		for _, c := range group.List {
			for _, directive := range []string{"//go:", "//line ", "/*line ", "//export ", "//extern ", "//cgo"} {
				if strings.HasPrefix(c.Text, directive) {
					return fmt.Errorf("%v: an answer may not contain the directive %s", fset.Position(c.Pos()),
						strings.TrimSpace(directive))
				}
			}
		}
	}
	for _, d := range file.Decls {
		f, ok := d.(*ast.FuncDecl)
		switch {
		case !ok:
		case f.Body == nil:
			return fmt.Errorf("%v: the function %s has no body", fset.Position(f.Pos()), f.Name.Name)
		case f.Recv == nil && (f.Name.Name == "init" || f.Name.Name == "main"):
			return fmt.Errorf("%v: an answer may not have a function %s", fset.Position(f.Pos()), f.Name.Name)
		}
	}
	return nil
}

// A stub is the answer cell of the released notebook.
type stub struct {
	source    string // the parsed text; positions in fset refer to this text
	fset      *token.FileSet
	functions map[string]*ast.FuncDecl
}

func readStub(e *exercise.Exercise) (*stub, error) {
	s := &stub{source: "package stub;" + e.Answer.Stub.Source, fset: token.NewFileSet()}
	file, err := parser.ParseFile(s.fset, "the stub", s.source, 0)
	if err != nil {
		return nil, err
	}
	s.functions = functions(file)
	for _, name := range e.Answer.Functions {
		if s.functions[name] == nil {
			return nil, fmt.Errorf("the stub of %s has no function %s", e.ID, name)
		}
	}
	return s, nil
}

// text returns the source of a node of the stub.
func (s *stub) text(n ast.Node) string { return s.between(n.Pos(), n.End()) }

func (s *stub) between(from, to token.Pos) string {
	return s.source[s.fset.Position(from).Offset:s.fset.Position(to).Offset]
}

// functions returns a map of the functions that a file declares. Each key is the name of a
// function, and the value is its declaration. The map omits methods.
func functions(file *ast.File) map[string]*ast.FuncDecl {
	m := map[string]*ast.FuncDecl{}
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil {
			m[f.Name.Name] = f
		}
	}
	return m
}
