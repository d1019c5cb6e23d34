package cell

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
)

// Calls determines which functions the cells of a notebook call, either directly or through
// declarations of the same or earlier cells. If a cell only mentions a function, as in plot(f), this
// also counts as a call. The zero value is ready for the first cell.
type Calls struct {
	uses map[string][]string // maps a declared name to the top-level names that its declarations use
}

// Add processes the next cell. It returns the functions in `wanted` that the cell's main calls,
// directly or indirectly, in the order of `wanted`. For a cell that is not valid Go, Add returns nil.
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
	delete(c.uses, "main")     // do not keep main, because each cell has its own main
	fresh := map[string]bool{} // functions that this cell declares; they replace earlier functions
	for _, decl := range file.Decls {
		f, ok := decl.(*ast.FuncDecl)
		for name, node := range declaredNames(decl) {
			if ok && f.Recv == nil && !fresh[name] {
				fresh[name] = true
				delete(c.uses, name)
			}
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
// declares it. For a method it uses the name of the receiver's type, because code that uses the type
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

// OnTop returns the cell with a statement inserted below the line %% or %main, at the start of main.
// A cell without such a line stays unchanged.
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
		text     string
		keys     []string // the names that it declares; for a method, the type and the method, such as T.M
		uses     []string
		replaced bool // whether a later cell declares the same name
	}
	var all []*declaration
	byName := map[string][]*declaration{} // maps a name to its declarations; a type's name also maps to its methods
	byKey := map[string]*declaration{}    // maps a key to the last declaration with this key
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
			f, ok := decl.(*ast.FuncDecl)
			for name, node := range declaredNames(decl) {
				called = append(called, name)
				if ok && f.Recv != nil {
					name += "." + f.Name.Name
				}
				new.keys = append(new.keys, name)
				new.uses = append(new.uses, topLevel(file, node)...)
			}
			parsed, names = append(parsed, new), append(names, called)
		}
		return parsed, names
	}
	for _, source := range earlier {
		parsed, names := read(source)
		for i, d := range parsed {
			if slices.Contains(names[i], "main") {
				continue // skip main, because each cell has its own main
			}
			all = append(all, d)
			for _, key := range d.keys {
				if old := byKey[key]; old != nil {
					old.replaced = true
				}
				byKey[key] = d
			}
			for _, name := range names[i] {
				byName[name] = append(byName[name], d)
			}
		}
	}
	needed := map[*declaration]bool{}
	var follow func(uses []string)
	follow = func(uses []string) {
		for _, name := range uses {
			for _, d := range byName[name] {
				if !needed[d] && !d.replaced {
					needed[d] = true
					follow(d.uses)
				}
			}
		}
	}
	parsed, _ := read(source)
	for _, d := range parsed {
		for _, key := range d.keys {
			if old := byKey[key]; old != nil {
				old.replaced = true // the cell itself declares the name
			}
		}
	}
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
