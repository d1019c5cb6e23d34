package exercise

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/cell"
)

// These directives can occur in answer_test.go, in the doc comment of a declaration.
const (
	given  = "//hyperplane:given"  // marks a declaration that the learner's notebook contains in full
	hidden = "//hyperplane:hidden" // marks a declaration that only the solution contains
)

// Code is Go source for a notebook cell: declarations without a package clause, and the imports
// that the declarations need.
type Code struct {
	Source  string
	Imports []cell.Import
}

// Answer is the content of answer_test.go, split into stub and solution.
type Answer struct {
	Functions []string // names of the functions that the learner writes, in the order of the file
	Stub      Code     // declarations of the stub, in which each function of Functions has the body panic(verify.TODO)
	Solution  Code     // declarations of the solution, with the bodies of the reference answer
}

// Cut reads the source of an answer_test.go. Error messages show `name` as the name of the file.
//
// The stub contains every function with its doc comment and signature, but with the body
// panic(verify.TODO). Types and constants are in the stub and in the solution. Two directives in a doc
// comment change this: a declaration with //hyperplane:given is in the stub as a whole, and a
// declaration with //hyperplane:hidden is only in the solution. The doc comment of a variable or a
// method must contain one of these directives. Neither the stub nor the solution contains tests,
// examples, benchmarks or fuzz targets.
//
// Cut returns an error, with the file and usually the line, for code that cannot be part of a notebook
// cell. It also returns an error if a function that the learner must write has no doc comment, because
// the learner would not know what the function must do.
func Cut(name string, src []byte) (*Answer, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, src, parser.ParseComments)
	if err != nil {
		return nil, err // parser.ParseFile puts the file and line into its error
	}
	c := &cutter{fset: fset, src: src, file: file}
	if err := c.imports(); err != nil {
		return nil, err
	}
	a := &Answer{}
	var stub, solution piece
	for _, decl := range file.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			if isTest(d) {
				continue
			}
			mark, err := c.directiveOf(d)
			if err != nil {
				return nil, err
			}
			solution.add(c.text(d.Doc, d.Pos(), d.End()), d)
			switch mark {
			case given:
				stub.add(c.text(d.Doc, d.Pos(), d.End()), d)
			case "":
				stub.add(c.text(d.Doc, d.Pos(), d.Body.Lbrace)+"{\n\tpanic(verify.TODO)\n}", d.Type)
				a.Functions = append(a.Functions, d.Name.Name)
			}
		case *ast.GenDecl:
			if d.Tok == token.IMPORT {
				continue
			}
			mark := directive(d.Doc)
			if d.Tok == token.VAR && mark == "" {
				return nil, c.errorf(d,
					"the doc comment of a variable must contain %s (the learner gets the variable too) or %s (only the solution contains it)", given, hidden)
			}
			solution.add(c.text(d.Doc, d.Pos(), d.End()), d)
			if mark != hidden {
				stub.add(c.text(d.Doc, d.Pos(), d.End()), d)
			}
		}
	}
	if len(a.Functions) == 0 {
		return nil, c.errorf(file.Name, "there is no function for the learner to write")
	}
	if a.Stub, err = c.code(stub); err != nil {
		return nil, err
	}
	a.Stub.Imports = cell.Merge(a.Stub.Imports, []cell.Import{{Path: cell.HyperplaneModule + "/toolkit/verify"}})
	a.Solution, err = c.code(solution)
	return a, err
}

// A piece is a list of declarations for one cell. The field `nodes` contains the syntax trees of
// these declarations. The method (*cutter).code uses the trees to find out which imports the cell
// needs.
type piece struct {
	texts []string
	nodes []ast.Node
}

func (p *piece) add(text string, node ast.Node) {
	p.texts = append(p.texts, text)
	p.nodes = append(p.nodes, node)
}

type cutter struct {
	fset   *token.FileSet
	src    []byte
	file   *ast.File
	byName map[string]cell.Import
}

func (c *cutter) errorf(at ast.Node, message string, args ...any) error {
	p := c.fset.Position(at.Pos())
	return fmt.Errorf("%s:%d: %s", p.Filename, p.Line, fmt.Sprintf(message, args...))
}

func (c *cutter) imports() error {
	c.byName = map[string]cell.Import{}
	for _, spec := range c.file.Imports {
		p, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return c.errorf(spec, "%v", err)
		}
		imp := cell.Import{Path: p}
		if spec.Name != nil {
			if imp.Name = spec.Name.Name; imp.Name == "." || imp.Name == "_" {
				return c.errorf(spec, "import %s %q: a notebook cannot have dot or blank imports", imp.Name, p)
			}
		}
		c.byName[imp.Called()] = imp
	}
	return nil
}

// directiveOf returns the directive of a function. It returns an error if the function is not
// allowed in a cell, or lacks a doc comment or directive that it needs.
func (c *cutter) directiveOf(d *ast.FuncDecl) (string, error) {
	mark := directive(d.Doc)
	switch {
	case d.Name.Name == "init" && d.Recv == nil, d.Name.Name == "main" && d.Recv == nil, d.Name.Name == "_":
		return "", c.errorf(d, "func %s is not allowed in a notebook cell", d.Name.Name)
	case d.Body == nil:
		return "", c.errorf(d, "func %s has no body", d.Name.Name)
	case d.Recv != nil && mark == "":
		return "", c.errorf(d, "%s is a method, but learners write only functions: mark the method with %s or %s",
			d.Name.Name, given, hidden)
	case mark == "" && strings.TrimSpace(d.Doc.Text()) == "":
		return "", c.errorf(d,
			"func %s has no doc comment: describe the shapes and units of its arguments and results",
			d.Name.Name)
	}
	return mark, nil
}

// text returns the doc comment of a declaration without its directives, followed by the source
// between the positions pos and end.
func (c *cutter) text(doc *ast.CommentGroup, pos, end token.Pos) string {
	var b strings.Builder
	if doc != nil {
		for _, line := range doc.List {
			if line.Text != given && line.Text != hidden {
				b.WriteString(line.Text + "\n")
			}
		}
	}
	b.Write(c.src[c.fset.Position(pos).Offset:c.fset.Position(end).Offset])
	return b.String()
}

// code formats the declarations of a piece and determines the imports that they need.
func (c *cutter) code(p piece) (Code, error) {
	source, err := format.Source([]byte(strings.Join(p.texts, "\n\n")))
	if err == nil { // parse again, because format.Source can insert a line break where Go does not allow one
		_, err = parser.ParseFile(token.NewFileSet(), "", "package p\n"+string(source), parser.SkipObjectResolution)
	}
	if err != nil {
		return Code{}, fmt.Errorf("%s: cannot cut out the stub or the solution: %w", c.fset.Position(c.file.Pos()).Filename, err)
	}
	var imports []cell.Import
	for _, node := range p.nodes {
		imports = append(imports, cell.Used(c.file, node, func(name string) (cell.Import, bool) {
			imp, ok := c.byName[name]
			return imp, ok
		})...)
	}
	return Code{Source: string(bytes.TrimSpace(source)), Imports: cell.Merge(imports)}, nil
}

func directive(doc *ast.CommentGroup) string {
	if doc == nil {
		return ""
	}
	for _, line := range doc.List {
		if line.Text == given || line.Text == hidden {
			return line.Text
		}
	}
	return ""
}

var testPrefix = regexp.MustCompile(`^(Test|Example|Benchmark|Fuzz)`)

// isTest reports whether the go command treats the function d as a test, an example, a benchmark or
// a fuzz target. The name of such a function begins with Test, Example, Benchmark or Fuzz, and the
// next character, if there is one, is not a lower-case letter.
func isTest(d *ast.FuncDecl) bool {
	word := testPrefix.FindString(d.Name.Name)
	if d.Recv != nil || word == "" {
		return false
	}
	next, _ := utf8.DecodeRuneInString(d.Name.Name[len(word):])
	return !unicode.IsLower(next)
}
