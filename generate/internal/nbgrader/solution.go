package nbgrader

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"strings"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/exercise"
)

// The lines between which nbgrader's ClearSolutions puts the stub of the
// kernel's language, and that stub, which the configuration names.
const (
	begin = "// BEGIN SOLUTION"
	end   = "// END SOLUTION"
	stub  = "panic(verify.TODO)"
)

// solution is the reference answer with the body of every function that the learner
// writes as a region that nbgrader replaces by the stub; what is cleared so is the
// stub of the learner's notebook.
//
// nbgrader puts a stub in place of every region, so that a declaration which only the
// solution has cannot be a region of its own: it stands in that of the first function,
// behind whose body the region goes on to the last line but one of the declaration.
func solution(a *exercise.Answer) (string, error) {
	all, err := declarations(a.Solution.Source)
	if err != nil {
		return "", err
	}
	kept, err := declarations(a.Stub.Source)
	if err != nil {
		return "", err
	}
	learners := map[string]bool{} // a function to write, as opposed to one that is given
	for _, name := range a.Functions {
		learners[name] = true
	}
	there := map[string]bool{}
	for _, d := range kept {
		there[d.name] = true
	}
	var hidden, texts []string
	for _, d := range all {
		if !there[d.name] {
			hidden = append(hidden, d.text)
		}
	}
	if err := closable(hidden); err != nil {
		return "", err
	}
	for _, d := range all {
		switch {
		case !there[d.name]:
			continue
		case !learners[d.name]:
			texts = append(texts, d.text)
			continue
		}
		text := d.head + "{\n\t" + begin + "\n" + d.body
		if len(hidden) > 0 {
			last := len(hidden) - 1
			text += "\n}\n\n"
			for _, h := range hidden[:last] {
				text += h + "\n\n"
			}
			text += strings.TrimSuffix(hidden[last], "\n}")
			hidden = nil
		}
		texts = append(texts, text+"\n\t"+end+"\n}")
	}
	return strings.Join(texts, "\n\n"), nil
}

// closable puts a declaration that ends with a brace on a line of its own last.
func closable(hidden []string) error {
	if len(hidden) == 0 {
		return nil
	}
	for i, h := range hidden {
		if strings.HasSuffix(h, "\n}") {
			last := len(hidden) - 1
			hidden[i], hidden[last] = hidden[last], hidden[i]
			return nil
		}
	}
	return fmt.Errorf("nbgrader: what only the solution declares must hold a function or a type over several lines; found only:\n%s", strings.Join(hidden, "\n"))
}

// A declaration of a cell, with its comment; head and body of a function.
type declaration struct {
	name, text, head, body string
}

// declarations reads the declarations of a cell. Methods are named with their receiver.
func declarations(source string) ([]declaration, error) {
	const clause = "package cell\n"
	text := clause + source
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "cell", text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	at := func(p token.Pos) int { return fset.Position(p).Offset }
	var list []declaration
	for _, decl := range file.Decls {
		d := declaration{}
		doc := decl.Pos()
		switch n := decl.(type) {
		case *ast.FuncDecl:
			d.name = n.Name.Name
			if n.Recv != nil {
				d.name = text[at(n.Recv.Pos()):at(n.Recv.End())] + d.name
			}
			if n.Doc != nil {
				doc = n.Doc.Pos()
			}
			d.head = text[at(doc):at(n.Body.Lbrace)]
			d.body = strings.TrimRight(strings.TrimLeft(text[at(n.Body.Lbrace)+1:at(n.Body.Rbrace)], "\n"), " \t\n")
			if !strings.HasPrefix(d.body, "\t") {
				d.body = "\t" + strings.TrimSpace(d.body)
			}
		case *ast.GenDecl:
			d.name = text[at(n.Pos()):at(n.End())]
			if n.Doc != nil {
				doc = n.Doc.Pos()
			}
		}
		d.text = text[at(doc):at(decl.End())]
		list = append(list, d)
	}
	return list, nil
}
