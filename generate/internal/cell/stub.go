package cell

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"maps"
	"slices"
	"strings"
)

// A Stub is the cell that a learner writes an answer in, as handed out or filled in.
type Stub struct {
	functions map[string]function
	others    map[string]string // name of a type, constant, variable or method → its tokens
	order     []string          // names in the order of the cell
}

type function struct {
	signature string // its types, without the names of the parameters
	todo      bool   // the body is panic(verify.TODO) and nothing else
	text      string // the tokens of the whole declaration
}

// ReadStub reads the declarations of a stub cell. What is not Go is an error with
// the line in the cell.
func ReadStub(source string) (*Stub, error) {
	goSource, _, _ := asFile(source)
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", goSource, parser.SkipObjectResolution)
	if err != nil {
		return nil, placed(err, "the cell", 1)
	}
	tokens := func(n ast.Node) string {
		return tokensOf(goSource[fset.Position(n.Pos()).Offset:fset.Position(n.End()).Offset])
	}
	s := &Stub{functions: map[string]function{}, others: map[string]string{}}
	for _, decl := range file.Decls {
		if d, ok := decl.(*ast.FuncDecl); ok && d.Recv == nil && d.Body != nil {
			name := d.Name.Name
			s.functions[name] = function{signature(d.Type, tokens), tokens(d.Body) == "{ panic ( verify . TODO ) }", tokens(d)}
			s.order = append(s.order, name)
			continue
		}
		if d, ok := decl.(*ast.GenDecl); ok && d.Tok == token.IMPORT {
			continue
		}
		for _, name := range slices.Sorted(maps.Keys(declared(decl))) {
			if _, ok := decl.(*ast.FuncDecl); ok {
				name += " (method " + tokens(decl.(*ast.FuncDecl).Name) + ")"
			}
			s.others[name] = tokens(decl)
			s.order = append(s.order, name)
		}
	}
	return s, nil
}

// Answers reports whether mine has code for one of the functions that the stub s
// leaves to the learner.
func (s *Stub) Answers(mine *Stub) bool {
	for name, f := range s.functions {
		if m, ok := mine.functions[name]; ok && f.todo && !m.todo {
			return true
		}
	}
	return false
}

// Fits returns an error that says why mine cannot stand in place of the stub s: it
// must declare the functions that s leaves to the learner with the same types, and
// what s gives the learner in the same words.
func (s *Stub) Fits(mine *Stub) error {
	for _, name := range s.order {
		f, leaves := s.functions[name]
		m, declares := mine.functions[name]
		switch {
		case leaves && f.todo && !declares:
			return fmt.Errorf("it has no function %s", name)
		case leaves && f.todo && m.signature != f.signature:
			return fmt.Errorf("%s takes or returns something else now", name)
		case leaves && !f.todo && m.text != f.text, !leaves && mine.others[name] != s.others[name]:
			return fmt.Errorf("%s, which the cell gives, is another now", name)
		}
	}
	return nil
}

// signature is the types that a function takes and returns, one for each
// parameter, whatever their names.
func signature(f *ast.FuncType, tokens func(ast.Node) string) string {
	list := func(fields *ast.FieldList) string {
		if fields == nil {
			return "()"
		}
		var types []string
		for _, field := range fields.List {
			for range max(1, len(field.Names)) {
				types = append(types, tokens(field.Type))
			}
		}
		return "(" + strings.Join(types, ", ") + ")"
	}
	return list(f.TypeParams) + list(f.Params) + list(f.Results)
}

// tokensOf is the source as its tokens, without comments, white space and the
// ends of lines.
func tokensOf(source string) string {
	var s scanner.Scanner
	fset := token.NewFileSet()
	s.Init(fset.AddFile("", -1, len(source)), []byte(source), nil, 0)
	var words []string
	for {
		_, tok, text := s.Scan()
		switch {
		case tok == token.EOF:
			return strings.Join(words, " ")
		case tok == token.SEMICOLON:
		case text != "":
			words = append(words, text)
		default:
			words = append(words, tok.String())
		}
	}
}

// Declares reports whether the cell has a function of that name.
func (s *Stub) Declares(function string) bool {
	_, ok := s.functions[function]
	return ok
}
