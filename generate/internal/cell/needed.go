package cell

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
)

// Needed returns the declarations of earlier cells that a cell comes to use, directly or
// through each other, in the order of these cells: with them before it the cell is a
// program. Of what was declared twice the later one counts, as in the kernel; what is
// not Go declares nothing.
func Needed(earlier []string, source string) string {
	type declaration struct {
		text string
		uses []string
	}
	var all []*declaration
	by := map[string][]*declaration{} // a type goes with its methods
	read := func(source string) (parsed []*declaration, names [][]string) {
		goSource, _, _ := asFile(source)
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, "", goSource, parser.ParseComments)
		if err != nil || magic.MatchString(source) {
			return nil, nil
		}
		for _, decl := range file.Decls {
			at := decl.Pos()
			var doc *ast.CommentGroup
			switch d := decl.(type) {
			case *ast.FuncDecl:
				doc = d.Doc
			case *ast.GenDecl:
				doc = d.Doc
			}
			if doc != nil {
				at = doc.Pos()
			}
			new := &declaration{text: goSource[fset.Position(at).Offset:fset.Position(decl.End()).Offset]}
			var called []string
			for name, node := range declared(decl) {
				called = append(called, name)
				new.uses = append(new.uses, topLevel(file, node)...)
			}
			parsed, names = append(parsed, new), append(names, called)
		}
		return parsed, names
	}
	for _, source := range earlier {
		parsed, names := read(source)
		fresh := map[string]bool{} // named by this cell: it takes the place of what earlier ones declared
		for i, d := range parsed {
			if slices.Contains(names[i], "main") {
				continue // each cell has its own
			}
			all = append(all, d)
			for _, name := range names[i] {
				if !fresh[name] {
					fresh[name], by[name] = true, nil
				}
				by[name] = append(by[name], d)
			}
		}
	}
	needed := map[*declaration]bool{}
	var follow func(uses []string)
	follow = func(uses []string) {
		for _, name := range uses {
			for _, d := range by[name] {
				if !needed[d] {
					needed[d] = true
					follow(d.uses)
				}
			}
		}
	}
	parsed, _ := read(source)
	for _, d := range parsed {
		follow(d.uses)
	}
	var texts []string
	for _, d := range all {
		if needed[d] {
			texts = append(texts, d.text)
		}
	}
	return strings.Join(texts, "\n\n")
}
