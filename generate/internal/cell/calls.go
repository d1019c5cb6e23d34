package cell

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
)

// Calls determines which functions the cells of a notebook call, either directly or through
// declarations of earlier cells. The zero value is ready for the first cell.
type Calls struct {
	uses map[string][]string // maps a declared name to the top-level names that its declaration uses
}

// Add processes the next cell. It returns the functions in `wanted` that the cell's main calls,
// directly or indirectly, in the order of `wanted`. For a cell that is not Go, Add returns nil.
func (c *Calls) Add(source string, wanted []string) []string {
	if c.uses == nil {
		c.uses = map[string][]string{}
	}
	if programMagic.MatchString(source) {
		return nil
	}
	goSource, _, _ := asFile(source)
	file, err := parser.ParseFile(token.NewFileSet(), "", goSource, 0)
	if err != nil {
		return nil
	}
	delete(c.uses, "main") // do not keep main, because each cell has its own main
	for _, decl := range file.Decls {
		for name, node := range declaredNames(decl) {
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

// declaredNames maps each name that a declaration declares to the part of the syntax tree that
// declares it. For a method it uses the name of the method's type, because code that uses the type
// may call the method.
func declaredNames(decl ast.Decl) map[string]ast.Node {
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

// topLevel returns the names that a node uses, without parameters and names that a function declares
// inside its body. Each returned name belongs to a top-level declaration of this or a different cell,
// or to a package, or is predeclared in Go.
func topLevel(file *ast.File, node ast.Node) []string {
	var names []string
	ast.Inspect(node, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok &&
			(slices.Contains(file.Unresolved, id) || id.Obj != nil && id.Obj == file.Scope.Lookup(id.Name)) {
			names = append(names, id.Name)
		}
		return true
	})
	return names
}

// OnTop returns the cell with a statement inserted at the start of its main. A cell without main
// stays unchanged.
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

// Needed returns the declarations of earlier cells that a cell uses directly or indirectly, in the
// order of the earlier cells. With these declarations and the imports, which Needed omits, the cell
// compiles without the earlier cells. If several cells declare the same name, the last declaration
// counts, as in the kernel. A cell that is not Go declares nothing.
func Needed(earlier []string, source string) string {
	type declaration struct {
		text string
		uses []string
	}
	var all []*declaration
	byName := map[string][]*declaration{} // maps a name to its declarations; a type's name also maps to its methods
	read := func(source string) (parsed []*declaration, names [][]string) {
		goSource, _, _ := asFile(source)
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, "", goSource, parser.ParseComments)
		if err != nil || programMagic.MatchString(source) {
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
			for name, node := range declaredNames(decl) {
				called = append(called, name)
				new.uses = append(new.uses, topLevel(file, node)...)
			}
			parsed, names = append(parsed, new), append(names, called)
		}
		return parsed, names
	}
	for _, source := range earlier {
		parsed, names := read(source)
		fresh := map[string]bool{} // names that this cell declares; its declarations replace earlier declarations
		for i, d := range parsed {
			if slices.Contains(names[i], "main") {
				continue // skip main, because each cell has its own main
			}
			all = append(all, d)
			for _, name := range names[i] {
				if !fresh[name] {
					fresh[name], byName[name] = true, nil
				}
				byName[name] = append(byName[name], d)
			}
		}
	}
	needed := map[*declaration]bool{}
	var follow func(uses []string)
	follow = func(uses []string) {
		for _, name := range uses {
			for _, d := range byName[name] {
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
