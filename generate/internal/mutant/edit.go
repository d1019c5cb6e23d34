package mutant

import (
	"cmp"
	"go/ast"
	"go/token"
	"slices"
	"strings"
	"unicode/utf8"
)

// An edit replaces a piece of the text. The edit's name shows a larger piece, so that a reader can
// find the edit in the text.
type edit struct {
	function string
	kind     Kind
	from, to int // offsets of the replaced piece
	new      string
	showFrom int
	showTo   int
	operand  string
}

func (e edit) apply(source string) string { return source[:e.from] + e.new + source[e.to:] }

// shown is the maximum length of a line, in characters, that an edit's name shows as a whole. For a
// longer piece, squeeze keeps this many characters at the start and at the end.
const shown = 90

// name describes the edit by its function, the old piece and the new piece.
func (e edit) name(source string) string {
	old := squeeze(source[e.showFrom:e.showTo])
	new := squeeze(source[e.showFrom:e.from] + e.new + source[e.to:e.showTo])
	if new == "" {
		new = "removed"
	}
	return e.function + ": " + old + " → " + new
}

// squeeze joins a text to one line. If the line is long, squeeze replaces the middle by an
// ellipsis.
func squeeze(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if utf8.RuneCountInString(text) <= 2*shown {
		return text
	}
	r := []rune(text)
	return string(r[:shown]) + " … " + string(r[len(r)-shown:])
}

// A collector traverses a function and collects edits. path is the list of nodes from the
// function's body to the current node.
type collector struct {
	*checked
	function string
	kind     Kind // kind of the edits to collect
	kinds    []kind
	path     []ast.Node
	edits    []edit
}

// editsOf returns the edits of all functions, constants and variables, in source order. It skips
// the declarations named in given.
func editsOf(f *checked, kinds []kind, given []string) []edit {
	c := &collector{checked: f, kinds: kinds}
	for _, d := range f.file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if c.function = namesOf(d)[0]; !slices.Contains(given, c.function) {
				c.walk(d.Body)
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				if s, ok := s.(*ast.ValueSpec); ok && !slices.Contains(given, s.Names[0].Name) {
					c.function = s.Names[0].Name
					c.walk(s)
				}
			}
		}
	}
	slices.SortStableFunc(c.edits, func(a, b edit) int { return cmp.Compare(a.from, b.from) })
	return c.edits
}

// namesOf returns the names that d declares. For a function this is its name ("Table.Sum" for a
// method). For constants or variables it is all of their names.
func namesOf(d ast.Decl) []string {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil {
			return []string{d.Name.Name}
		}
		of := ""
		ast.Inspect(d.Recv.List[0].Type, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && of == "" {
				of = id.Name
			}
			return true
		})
		return []string{of + "." + d.Name.Name}
	case *ast.GenDecl:
		var names []string
		for _, s := range d.Specs {
			if s, ok := s.(*ast.ValueSpec); ok {
				for _, id := range s.Names {
					names = append(names, id.Name)
				}
			}
		}
		return names
	}
	return nil
}

// A kind collects edits of one Kind at every node.
type kind struct {
	Kind
	collect func(*collector, ast.Node)
}

// kinds lists the edits that imitate common mistakes.
var kinds = []kind{
	{Operator, (*collector).operators}, {Sign, (*collector).signs}, {Factor, (*collector).factors},
	{Number, (*collector).numbers},
	{Statement, (*collector).terms}, {Truth, (*collector).choices}, {Loop, (*collector).loops},
	{Order, (*collector).shapes},
	{Function, (*collector).functions},
}

func (c *collector) walk(root ast.Node) {
	ast.Inspect(root, func(n ast.Node) bool {
		if n == nil {
			c.path = c.path[:len(c.path)-1]
			return true
		}
		c.path = append(c.path, n)
		for _, k := range c.kinds {
			c.kind = k.Kind
			k.collect(c, n)
		}
		return true
	})
}

// parent returns the parent of the current node, or nil.
func (c *collector) parent() ast.Node {
	if len(c.path) < 2 {
		return nil
	}
	return c.path[len(c.path)-2]
}

// replace adds an edit that replaces the node n by new.
func (c *collector) replace(n ast.Node, new string) { c.change(n.Pos(), n.End(), new) }

// change adds an edit that replaces the text between from and to by new.
func (c *collector) change(from, to token.Pos, new string) {
	e := edit{function: c.function, kind: c.kind, from: c.offset(from), to: c.offset(to), new: new}
	e.showFrom, e.showTo = e.from, e.to
	for i := len(c.path) - 1; i >= 0; i-- {
		start, end, ok := line(c.path[i])
		if !ok || start > from || end < to {
			break
		}
		text := strings.TrimSpace(c.text.Source[c.offset(start):c.offset(end)])
		if i < len(c.path)-1 && (utf8.RuneCountInString(text) > shown || strings.Contains(text, "\n")) {
			break
		}
		e.showFrom, e.showTo = c.offset(start), c.offset(end)
	}
	c.operandOf(&e, from, to)
	c.edits = append(c.edits, e)
}

// remove adds an edit that removes a whole statement. The statement's line remains as an empty
// line.
func (c *collector) remove(n ast.Stmt) {
	from, to := c.offset(n.Pos()), c.offset(n.End())
	kind, operand := c.kind, brief(c.source(n))
	if n, ok := n.(*ast.IfStmt); ok {
		kind, operand = Condition, brief(c.source(n.Cond))
	}
	c.edits = append(c.edits,
		edit{function: c.function, kind: kind, from: from, to: to, showFrom: from, showTo: to, operand: operand})
}

// line returns the part of a node that is normally on one line. This is the whole expression or
// simple statement, or the header of a loop or condition.
func line(n ast.Node) (from, to token.Pos, ok bool) {
	switch n := n.(type) {
	case *ast.IfStmt:
		return n.Pos(), n.Body.Lbrace, true
	case *ast.ForStmt:
		return n.Pos(), n.Body.Lbrace, true
	case *ast.RangeStmt:
		return n.Pos(), n.Body.Lbrace, true
	case *ast.BlockStmt, *ast.CaseClause, *ast.SwitchStmt, *ast.FuncDecl, *ast.File:
		return 0, 0, false
	}
	return n.Pos(), n.End(), true
}
