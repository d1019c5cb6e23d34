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

// A Stub is the cell in which a learner writes an answer, either unchanged or with the learner's
// code.
type Stub struct {
	functions map[string]function
	others    map[string]string // maps each type, constant, variable and method to the tokens of its declaration
	order     []string          // the declared names, in the order of their declarations
}

type function struct {
	signature string // result of the function `signature`
	todo      bool   // true if the body is exactly panic(verify.TODO)
	text      string // tokens of the function's declaration; see tokensOf
}

// ReadStub reads the declarations of a stub cell. If the cell is not valid Go, the error states the
// line in the cell.
func ReadStub(source string) (*Stub, error) {
	goSource, _, _ := asFile(source)
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", goSource, parser.SkipObjectResolution)
	if err != nil {
		return nil, addPosition(err, "the cell", 1)
	}
	tokens := func(n ast.Node) string {
		return tokensOf(goSource[fset.Position(n.Pos()).Offset:fset.Position(n.End()).Offset])
	}
	s := &Stub{functions: map[string]function{}, others: map[string]string{}}
	for _, decl := range file.Decls {
		if d, ok := decl.(*ast.FuncDecl); ok && d.Recv == nil && d.Body != nil {
			name := d.Name.Name
			s.functions[name] = function{signature(d.Type, tokens), tokens(d.Body) == "{ panic ( verify . TODO ) }",
				tokens(d)}
			s.order = append(s.order, name)
			continue
		}
		if d, ok := decl.(*ast.GenDecl); ok && d.Tok == token.IMPORT {
			continue
		}
		for _, name := range slices.Sorted(maps.Keys(declaredNames(decl))) {
			if _, ok := decl.(*ast.FuncDecl); ok {
				name += " (method " + tokens(decl.(*ast.FuncDecl).Name) + ")"
			}
			s.others[name] = tokens(decl)
			s.order = append(s.order, name)
		}
	}
	return s, nil
}

// Answers reports whether the learner's cell `mine` contains the learner's code in at least one
// function that the stub s leaves to the learner. Any body except panic(verify.TODO) counts as such
// code.
func (s *Stub) Answers(mine *Stub) bool {
	for name, f := range s.functions {
		if m, ok := mine.functions[name]; ok && f.todo && !m.todo {
			return true
		}
	}
	return false
}

// Renamed reports whether the learner's cell `mine` implements a function that the stub s does not
// declare, but lacks a function that s leaves to the learner. This is the case after the learner, or a
// new version of the exercise, has renamed a function.
func (s *Stub) Renamed(mine *Stub) bool {
	lacks, implements := false, false
	for name, f := range s.functions {
		lacks = lacks || f.todo && !mine.Declares(name)
	}
	for name, m := range mine.functions {
		implements = implements || !m.todo && !s.Declares(name)
	}
	return lacks && implements
}

// Fits returns an error if the learner's cell `mine` cannot replace the stub s. The cell must
// declare the functions that s leaves to the learner, with the parameter and result types in s. It
// must also contain all other declarations of s unchanged, apart from comments and layout.
func (s *Stub) Fits(mine *Stub) error {
	for _, name := range s.order {
		f, leaves := s.functions[name]
		m, declares := mine.functions[name]
		switch {
		case leaves && f.todo && !declares:
			return fmt.Errorf("the cell has no function %s", name)
		case leaves && f.todo && m.signature != f.signature:
			return fmt.Errorf("the signature of %s has changed", name)
		case leaves && !f.todo && m.text != f.text, !leaves && mine.others[name] != s.others[name]:
			return fmt.Errorf("%s, which the exercise provides, has changed or is missing", name)
		}
	}
	return nil
}

// signature returns three lists: the types of a function's type parameters, parameters and results.
// The lists omit names: (a, b int) becomes (int, int).
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

// tokensOf returns the tokens of the source, joined by spaces. It omits comments and semicolons,
// including the semicolons that line ends imply.
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

// Declares reports whether the cell declares a function with the given name.
func (s *Stub) Declares(function string) bool {
	_, ok := s.functions[function]
	return ok
}
