package grading

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/exercise"
)

// A stub is the cell with the answer as the notebook comes with it.
type stub struct {
	source    string // that fset speaks of
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

// text is how a function of the stub is written.
func (s *stub) text(n ast.Node) string { return s.between(n.Pos(), n.End()) }

func (s *stub) between(from, to token.Pos) string {
	return s.source[s.fset.Position(from).Offset:s.fset.Position(to).Offset]
}

// functions are those that a file declares, without its methods.
func functions(file *ast.File) map[string]*ast.FuncDecl {
	m := map[string]*ast.FuncDecl{}
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil {
			m[f.Name.Name] = f
		}
	}
	return m
}
