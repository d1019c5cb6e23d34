package exercise

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"slices"
	"strings"
)

// A Call is a judging call of the exercise's package and the learner's functions
// that it takes.
type Call struct {
	Func string   // "Check" or "CheckSteps"
	Args []string // "LambdaSquared"
}

// String is the call as it stands in a cell, but for the package name.
func (c Call) String() string { return c.Func + "(" + strings.Join(c.Args, ", ") + ")" }

// Calls reads the judging calls off a check.go: of Check, and of CheckSteps where
// it exists. The parameters' names, with a capital, are the learner's functions
// (LambdaSquared for lambdaSquared, BIC for bic); one that is not in functions
// is an error with file and line. A variadic parameter is left out of the call.
func Calls(name string, src []byte, functions []string) ([]Call, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, src, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	errorf := func(at ast.Node, message string, args ...any) error {
		p := fset.Position(at.Pos())
		return fmt.Errorf("%s:%d: %s", p.Filename, p.Line, fmt.Sprintf(message, args...))
	}
	found := map[string]Call{}
	for _, decl := range file.Decls {
		d, ok := decl.(*ast.FuncDecl)
		if !ok || d.Recv != nil || d.Name.Name != "Check" && d.Name.Name != "CheckSteps" {
			continue
		}
		call := Call{Func: d.Name.Name}
		for _, field := range d.Type.Params.List {
			if _, variadic := field.Type.(*ast.Ellipsis); variadic {
				continue
			}
			if len(field.Names) == 0 {
				return nil, errorf(field, "a parameter of %s has no name; it must be the learner's function with a small letter", call.Func)
			}
			for _, id := range field.Names {
				i := slices.IndexFunc(functions, func(f string) bool { return strings.EqualFold(f, id.Name) })
				if i < 0 {
					return nil, errorf(id, "%s takes %s, but %s has no such function; it has %s", call.Func, id.Name,
						path.Join(path.Dir(name), "answer_test.go"), strings.Join(functions, ", "))
				}
				call.Args = append(call.Args, functions[i])
			}
		}
		if len(call.Args) == 0 {
			return nil, errorf(d, "%s takes none of the learner's functions", call.Func)
		}
		found[call.Func] = call
	}
	check, ok := found["Check"]
	if !ok {
		return nil, fmt.Errorf("%s:1: there is no func Check", name)
	}
	calls := []Call{check}
	if steps, ok := found["CheckSteps"]; ok {
		calls = append(calls, steps)
	}
	return calls, nil
}
