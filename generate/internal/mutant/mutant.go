// Package mutant makes mechanical mutants of a reference answer. A mutant is the answer with one
// small change that imitates a mistake, such as a different sign, factor or index, or a missing
// term. Every mutant compiles. A good check rejects every mutant, unless the mutant is still a
// right answer.
//
// The package also makes repairs. A repair is a wrong answer with one small change, which might make
// the answer right.
package mutant

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/cell"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/exercise"
)

// A Mutant is a reference answer with one change.
type Mutant struct {
	// Name describes the change by its content, not by its line: "Fit: a + b → a - b". If the same
	// change occurs several times in a function, ordinals (#1, #2, …) distinguish the names.
	Name string
	Text Text
}

// A Text is an answer, a mutant or a repair, as declarations for a notebook cell. The field `names`
// lists all places where the name of a top-level declaration occurs. A search for the name would not be
// enough, because a local variable can have the same name as a top-level declaration.
type Text struct {
	exercise.Code
	names []name // in source order
}

// A name is a place in the source that contains the name of a top-level declaration. The place can
// be in the declaration itself or in code that uses it.
type name struct {
	text string
	end  int // offset of the identifier's end in the source
}

// Suffixed returns the declarations with suffix appended to every top-level name. In this way one
// package can contain many texts, each with a different suffix.
func (t Text) Suffixed(suffix string) string {
	return t.withSuffix(0, len(t.Source), suffix, func(string) bool { return true })
}

// withSuffix returns the text between the offsets start and end. It appends suffix to each
// top-level name for which the function `changed` returns true.
func (t Text) withSuffix(start, end int, suffix string, changed func(name string) bool) string {
	var b strings.Builder
	for _, n := range t.names {
		if start < n.end && n.end <= end && changed(n.text) {
			b.WriteString(t.Source[start:n.end] + suffix)
			start = n.end
		}
	}
	b.WriteString(t.Source[start:end])
	return b.String()
}

// Needs returns the imports that the declarations need.
func (t Text) Needs() []cell.Import { return t.Imports }

// A Maker makes mutants and repairs. It contains the types of the packages that answers import.
type Maker struct{ packages *packages }

// NewMaker returns a Maker for the reference answers of the exercises in `list`. `root` is the
// folder of the module.
func NewMaker(root string, list []*exercise.Exercise) (*Maker, error) {
	var imports []cell.Import
	for _, e := range list {
		imports = append(imports, e.Answer.Solution.Imports...)
	}
	p, err := load(root, cell.Merge(imports))
	return &Maker{p}, err
}

// Mutants returns the reference answer of an exercise and the mutants of this answer, in the order
// of the changes in the source. It makes no mutants of declarations that the stub provides.
func (m *Maker) Mutants(e *exercise.Exercise) (answer Text, mutants []Mutant, err error) {
	given, err := givenIn(e.Answer)
	if err != nil {
		return Text{}, nil, fmt.Errorf("%s: %w", e.Dir, err)
	}
	answer, mutants, err = m.mutate(e.Answer.Solution, given)
	if err != nil {
		return Text{}, nil, fmt.Errorf("%s: the reference answer: %w", e.Dir, err)
	}
	return answer, mutants, nil
}

// mutate returns `code` as a Text, and the mutants of `code`. It does not change the declarations
// whose names are in `given`.
func (m *Maker) mutate(code exercise.Code, given []string) (Text, []Mutant, error) {
	f, err := m.packages.check(code)
	if err != nil {
		return Text{}, nil, err
	}
	var mutants []Mutant
	seen := map[string]bool{code.Source: true}
	for _, e := range editsOf(f, kinds, given) {
		source := e.apply(code.Source)
		if seen[source] {
			continue
		}
		seen[source] = true
		g, err := m.packages.check(exercise.Code{Source: source, Imports: code.Imports})
		if err != nil {
			continue // skip a mutant that does not compile, because the compiler already rejects such an answer
		}
		mutants = append(mutants, Mutant{e.describe(code.Source), g.text})
	}
	addOrdinals(mutants)
	return f.text, mutants, nil
}

// addOrdinals appends an ordinal to names that occur more than once.
func addOrdinals(mutants []Mutant) {
	total, seen := map[string]int{}, map[string]int{}
	for _, m := range mutants {
		total[m.Name]++
	}
	for i, m := range mutants {
		if total[m.Name] > 1 {
			seen[m.Name]++
			mutants[i].Name = fmt.Sprintf("%s #%d", m.Name, seen[m.Name])
		}
	}
}

// givenIn returns the names of the functions, constants and variables that the stub provides to the
// learner.
func givenIn(a *exercise.Answer) ([]string, error) {
	file, _, err := parse(token.NewFileSet(), a.Stub)
	if err != nil {
		return nil, err
	}
	var given []string
	for _, d := range file.Decls {
		for _, name := range namesOf(d) {
			if !slices.Contains(a.Functions, name) {
				given = append(given, name)
			}
		}
	}
	return given, nil
}

// An edit replaces a piece of the text. The name of the edit may show a longer piece of the text, so
// that a reader can find the place of the edit.
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

// shown is a limit, in characters, for the code in an edit's name. The name shows the largest piece of
// code around the edit that is on one line and within this limit. If there is no such piece, the name
// shows the smallest piece. If the smallest piece is longer than 2*shown, squeeze keeps only the first
// and the last `shown` characters, with an ellipsis between them.
const shown = 90

// describe returns the name of the edit. The name contains the function, the old code, and the new
// code or the word "removed".
func (e edit) describe(source string) string {
	old := squeeze(source[e.showFrom:e.showTo])
	new := squeeze(source[e.showFrom:e.from] + e.new + source[e.to:e.showTo])
	if new == "" {
		new = "removed"
	}
	return e.function + ": " + old + " → " + new
}

// squeeze joins the lines of a text to one line. If this line is longer than 2*shown characters,
// squeeze replaces its middle part with an ellipsis.
func squeeze(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if utf8.RuneCountInString(text) <= 2*shown {
		return text
	}
	r := []rune(text)
	return string(r[:shown]) + " … " + string(r[len(r)-shown:])
}

// A collector visits all nodes in the body of a function, or in a declaration of constants or
// variables, and collects edits. Its field `path` lists the nodes from this body or declaration down
// to the current node.
type collector struct {
	*typedText
	function string
	kind     Kind // kind of edits that the collector currently collects
	kinds    []kind
	path     []ast.Node
	edits    []edit
}

// editsOf returns the edits of all functions, constants and variables, in source order. It skips
// the declarations whose names are in `given`.
func editsOf(f *typedText, kinds []kind, given []string) []edit {
	c := &collector{typedText: f, kinds: kinds}
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

// namesOf returns the name of the function that d declares ("Table.Sum" for a method), or the names of
// all constants or variables that d declares. For types and imports it returns no names.
func namesOf(d ast.Decl) []string {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil {
			return []string{d.Name.Name}
		}
		receiver := ""
		ast.Inspect(d.Recv.List[0].Type, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && receiver == "" {
				receiver = id.Name
			}
			return true
		})
		return []string{receiver + "." + d.Name.Name}
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

// A kind is a Kind of edits, with the method that collects them at a node. The method may give some
// of its edits another Kind.
type kind struct {
	Kind
	collect func(*collector, ast.Node)
}

// kinds lists the kinds of edits that imitate common mistakes.
var kinds = []kind{
	{Operator, (*collector).changeOperators}, {Sign, (*collector).changeSigns}, {Factor, (*collector).changeFactors},
	{Number, (*collector).changeNumbers},
	{Statement, (*collector).dropTerms}, {Truth, (*collector).invertChoices}, {Loop, (*collector).shortenLoops},
	{Order, (*collector).changeShapes},
	{Function, (*collector).changeFunctions},
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

// parent returns the parent of the current node, or nil if the current node is the first in c.path.
func (c *collector) parent() ast.Node {
	if len(c.path) < 2 {
		return nil
	}
	return c.path[len(c.path)-2]
}

// replace adds an edit that replaces the node n with the text `new`.
func (c *collector) replace(n ast.Node, new string) { c.change(n.Pos(), n.End(), new) }

// change adds an edit that replaces the text between two positions with the text `new`.
func (c *collector) change(from, to token.Pos, new string) {
	e := edit{function: c.function, kind: c.kind, from: c.offset(from), to: c.offset(to), new: new}
	e.showFrom, e.showTo = e.from, e.to
	for i := len(c.path) - 1; i >= 0; i-- {
		start, end, ok := lineOf(c.path[i])
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

// remove adds an edit that removes a whole statement, but not the line break after it.
func (c *collector) remove(n ast.Stmt) {
	from, to := c.offset(n.Pos()), c.offset(n.End())
	kind, operand := c.kind, shortText(c.source(n))
	if n, ok := n.(*ast.IfStmt); ok {
		kind, operand = Condition, shortText(c.source(n.Cond))
	}
	c.edits = append(c.edits,
		edit{function: c.function, kind: kind, from: from, to: to, showFrom: from, showTo: to, operand: operand})
}

// lineOf returns the part of a node that is normally on one line. This part is the whole expression
// or simple statement, or the header of a loop or an if statement. For a node without such a part,
// for example a block, the result `ok` is false.
func lineOf(n ast.Node) (start, end token.Pos, ok bool) {
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
