package cell

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
)

// Calls finds out which functions the cells of a notebook come to call, directly
// or through what earlier cells declare. The zero value knows no cell.
type Calls struct {
	uses map[string][]string // a declared name → the names of top-level things in its declaration
}

// Add takes the next cell and returns those of wanted, in its order, that the body
// of its main comes to call. A cell that is not Go declares and calls nothing.
func (c *Calls) Add(source string, wanted []string) []string {
	if c.uses == nil {
		c.uses = map[string][]string{}
	}
	if magic.MatchString(source) {
		return nil
	}
	goSource, _, _ := asFile(source)
	file, err := parser.ParseFile(token.NewFileSet(), "", goSource, 0)
	if err != nil {
		return nil
	}
	delete(c.uses, "main") // each cell has its own
	for _, decl := range file.Decls {
		for name, node := range declared(decl) {
			c.uses[name] = append(c.uses[name], topLevel(file, node)...)
		}
	}
	reached := map[string]bool{}
	c.follow("main", reached)
	var called []string
	for _, name := range wanted {
		if reached[name] {
			called = append(called, name)
		}
	}
	return called
}

func (c *Calls) follow(name string, reached map[string]bool) {
	for _, used := range c.uses[name] {
		if !reached[used] {
			reached[used] = true
			c.follow(used, reached)
		}
	}
}

// declared is what a declaration names: a method goes by the name of its type,
// since whoever speaks of the type may call it.
func declared(decl ast.Decl) map[string]ast.Node {
	names := map[string]ast.Node{}
	switch d := decl.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil {
			names[d.Name.Name] = d
			break
		}
		ast.Inspect(d.Recv.List[0].Type, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				names[id.Name] = d
			}
			return true
		})
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch s := spec.(type) {
			case *ast.TypeSpec:
				names[s.Name.Name] = s
			case *ast.ValueSpec:
				for _, id := range s.Names {
					names[id.Name] = s
				}
			}
		}
	}
	return names
}

// topLevel are the names within a node that are not declared inside of functions:
// the notebook's own, and those of packages and of Go.
func topLevel(file *ast.File, node ast.Node) []string {
	var names []string
	ast.Inspect(node, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && (slices.Contains(file.Unresolved, id) || id.Obj != nil && id.Obj == file.Scope.Lookup(id.Name)) {
			names = append(names, id.Name)
		}
		return true
	})
	return names
}

// OnTop returns the cell with a statement as the first of its main, or the cell as
// it is where it has none.
func OnTop(source, statement string) string {
	lines := strings.Split(source, "\n")
	at := slices.IndexFunc(lines, isMain)
	if at < 0 {
		return source
	}
	return strings.Join(slices.Insert(lines, at+1, statement), "\n")
}

func isMain(line string) bool {
	line = strings.TrimSpace(line)
	return line == "%%" || line == "%main"
}
