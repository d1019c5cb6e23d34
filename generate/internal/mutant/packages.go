package mutant

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"slices"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/cell"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/exercise"
)

// packages provides the types of imported packages. It reads them from the compiler's export data.
type packages struct{ importer types.Importer }

// load compiles the imports and their dependencies with the go command, and returns a value that
// provides their types.
func load(root string, imports []cell.Import) (*packages, error) {
	export := map[string]string{} // maps an import path to the file with the package's export data
	if len(imports) > 0 {
		args := []string{"list", "-export", "-deps", "-json=ImportPath,Export"}
		for _, i := range imports {
			args = append(args, i.Path)
		}
		cmd := exec.Command("go", args...)
		cmd.Dir = root
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		text, err := cmd.Output()
		if err != nil {
			return nil, fmt.Errorf("compiling the imports of the reference answers: %w\n%s", err, &stderr)
		}
		for d := json.NewDecoder(bytes.NewReader(text)); ; {
			var p struct{ ImportPath, Export string }
			if err := d.Decode(&p); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				return nil, fmt.Errorf("reading the output of go list: %w", err)
			}
			export[p.ImportPath] = p.Export
		}
	}
	return newPackages(export), nil
}

// newPackages returns a value of type packages that reads export data from files. The keys of
// the map are import paths, and the values are the paths of the files with the export data.
func newPackages(files map[string]string) *packages {
	lookup := func(path string) (io.ReadCloser, error) {
		if files[path] == "" {
			return nil, fmt.Errorf("no export data for %s", path)
		}
		return os.Open(files[path])
	}
	return &packages{importer.ForCompiler(token.NewFileSet(), "gc", lookup)}
}

// A typedText is a text that compiles, with its syntax tree and its types. The method `offset`
// converts a position to an offset in the text.
type typedText struct {
	text Text
	file *ast.File
	info *types.Info
	pkg  *types.Package
	base int // position of the text's first byte
}

func (f *typedText) offset(p token.Pos) int { return int(p) - f.base }

// source returns the text of a node.
func (f *typedText) source(n ast.Node) string {
	return f.text.Source[f.offset(n.Pos()):f.offset(n.End())]
}

// check parses code, removes unused imports, and checks the types.
func (p *packages) check(code exercise.Code) (*typedText, error) {
	code, err := withUsedImports(code)
	if err != nil {
		return nil, err
	}
	fset := token.NewFileSet()
	file, above, err := parse(fset, code)
	if err != nil {
		return nil, err
	}
	f := &typedText{text: Text{Code: code}, file: file, base: 1 + above, info: &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{},
		Uses: map[*ast.Ident]types.Object{},
	}}
	config := types.Config{Importer: p.importer}
	if f.pkg, err = config.Check("p", fset, []*ast.File{file}, f.info); err != nil {
		return nil, err
	}
	for _, objects := range []map[*ast.Ident]types.Object{f.info.Defs, f.info.Uses} {
		for id, o := range objects {
			if o != nil && o.Parent() == f.pkg.Scope() {
				f.text.names = append(f.text.names, name{id.Name, f.offset(id.End())})
			}
		}
	}
	slices.SortFunc(f.text.names, func(a, b name) int { return cmp.Compare(a.end, b.end) })
	return f, nil
}

// parse parses code as a file of its own. Before the code, parse inserts a package clause and the
// imports. The result `added` is the number of inserted bytes. If fset contains no other file, the
// position of the code's first byte is added+1.
func parse(fset *token.FileSet, code exercise.Code) (file *ast.File, added int, err error) {
	head := "package p\n\n" + cell.Declaration(code.Imports) + "\n\n"
	file, err = parser.ParseFile(fset, "answer.go", head+code.Source, 0)
	return file, len(head), err
}

// withUsedImports removes the imports that the code does not use, because the compiler would reject
// them. A change to an answer can make an import unused.
func withUsedImports(code exercise.Code) (exercise.Code, error) {
	file, _, err := parse(token.NewFileSet(), code)
	if err != nil {
		return code, err
	}
	// used contains the names that the file uses but does not declare, such as names of packages.
	used := map[string]bool{}
	for _, id := range file.Unresolved {
		used[id.Name] = true
	}
	var imports []cell.Import
	for _, i := range code.Imports {
		if used[i.Called()] {
			imports = append(imports, i)
		}
	}
	code.Imports = imports
	return code, nil
}

// The functions below classify expressions and calls for the methods that collect edits.

func (f *typedText) basic(e ast.Expr) types.BasicInfo {
	t := f.info.Types[e].Type
	if t == nil {
		return 0
	}
	b, ok := t.Underlying().(*types.Basic)
	if !ok {
		return 0
	}
	return b.Info()
}

func (f *typedText) isFloat(e ast.Expr) bool   { return f.basic(e)&types.IsFloat != 0 }
func (f *typedText) isInteger(e ast.Expr) bool { return f.basic(e)&types.IsInteger != 0 }
func (f *typedText) isNumber(e ast.Expr) bool  { return f.basic(e)&types.IsNumeric != 0 }
func (f *typedText) isBool(e ast.Expr) bool    { return f.basic(e)&types.IsBoolean != 0 }

// isLiteral reports whether e is a literal, such as a number or a string. A minus sign may precede
// the literal.
func isLiteral(e ast.Expr) bool {
	if u, ok := e.(*ast.UnaryExpr); ok && u.Op == token.SUB {
		e = u.X
	}
	_, ok := e.(*ast.BasicLit)
	return ok
}

// callee returns the package path and the name of the function or method that is called. The path
// is "" for a builtin and for functions that are declared in the source itself. Both results are ""
// if the called expression is neither a name nor a selector, for example a function literal.
func (f *typedText) callee(call *ast.CallExpr) (path, name string) {
	var id *ast.Ident
	switch fun := call.Fun.(type) {
	case *ast.Ident:
		id = fun
	case *ast.SelectorExpr:
		id = fun.Sel
	default:
		return "", ""
	}
	if o := f.info.Uses[id]; o != nil && o.Pkg() != nil && o.Pkg() != f.pkg {
		path = o.Pkg().Path()
	}
	return path, id.Name
}

// isConversion reports whether the call is a type conversion.
func (f *typedText) isConversion(call *ast.CallExpr) bool { return f.info.Types[call.Fun].IsType() }

// isBuiltin reports whether the call calls a builtin function, such as len.
func (f *typedText) isBuiltin(call *ast.CallExpr) bool { return f.info.Types[call.Fun].IsBuiltin() }

// signature returns the signature of the called function, or nil for a conversion or a builtin.
func (f *typedText) signature(call *ast.CallExpr) *types.Signature {
	if f.isConversion(call) || f.isBuiltin(call) {
		return nil
	}
	s, _ := f.info.Types[call.Fun].Type.Underlying().(*types.Signature)
	return s
}

// hasMethods reports whether the expression's type has all methods with the given names.
func (f *typedText) hasMethods(e ast.Expr, methods ...string) bool {
	t := f.info.Types[e].Type
	if t == nil {
		return false
	}
	if _, isPointer := t.(*types.Pointer); !isPointer && !types.IsInterface(t) {
		t = types.NewPointer(t) // a variable of type t also has the methods of *t
	}
	for _, name := range methods {
		o, _, _ := types.LookupFieldOrMethod(t, true, f.pkg, name)
		if _, ok := o.(*types.Func); !ok {
			return false
		}
	}
	return true
}

// The methods isMatrix, isSymmetric and isVector report whether the type of an expression is a
// matrix, a symmetric matrix or a vector of gonum/mat. They recognize the type by its methods.
func (f *typedText) isMatrix(e ast.Expr) bool    { return f.hasMethods(e, "Dims", "At", "T") }
func (f *typedText) isSymmetric(e ast.Expr) bool { return f.hasMethods(e, "SymmetricDim") }
func (f *typedText) isVector(e ast.Expr) bool    { return f.hasMethods(e, "AtVec") }
