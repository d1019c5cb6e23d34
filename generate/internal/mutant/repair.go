package mutant

import (
	"context"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/cell"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/exercise"
)

// A Kind says what an edit changes, for example an operator. An edit of the kind Missing inserts a factor
// or a term. An edit of the kind Shared copies a value that a function shares with its caller.
type Kind string

const (
	Operator  Kind = "operator"
	Sign      Kind = "sign"
	Factor    Kind = "factor"
	Number    Kind = "number"
	Term      Kind = "term"
	Statement Kind = "statement"
	Truth     Kind = "truth value"
	Loop      Kind = "loop"
	Order     Kind = "order"
	Function  Kind = "function"
	Condition Kind = "condition"
	Variable  Kind = "variable"
	Missing   Kind = "missing"
	Shared    Kind = "shared"
)

// repairs lists the kinds of edits to try on a wrong answer. The list contains all elements of
// `kinds`, because most edits of these kinds can be undone by another edit of these kinds. In addition,
// the list contains kinds of edits that would make no useful mutants of a right answer. The kind that
// collects the most edits is last.
var repairs = slices.Concat(kinds, []kind{
	{Condition, (*collector).changeComparisons}, {Number, (*collector).scaleNumbers},
	{Order, (*collector).swapOperands},
	{Variable, (*collector).replaceVariables},
	{Shared, (*collector).insertCopies}, {Condition, (*collector).changeBranches}, {Sign, (*collector).changeTerms},
	{Missing, (*collector).insertTerms},
})

// A Repair is a wrong answer with one change, which might make the answer right. The changed answer
// compiles.
type Repair struct {
	Line    int    // line of the change, counted from 1
	Kind    Kind   // kind of the change
	Operand string // changed text as the learner wrote it, with the code around it if necessary (see operandOf)
	Imports []cell.Import
	changed map[string]bool // names of the declarations of which the repair has copies of its own (see dependents)
	text    Text
	parts   [][2]int // start and end offsets of these declarations in text
}

// Name returns the name that this repair's version of a function has in the program that contains all
// repairs. If the repair has its own copy of the function, this is the function's name followed by
// suffix. Otherwise it is the function's name without a suffix.
func (r *Repair) Name(function, suffix string) string {
	if r.changed[function] {
		return function + suffix
	}
	return function
}

// Declarations returns the repair's own copies of declarations, with `suffix` appended to their names.
// All other declarations occur only once in the program, because the repair and the answer share them.
func (r *Repair) Declarations(suffix string) string {
	var b strings.Builder
	for _, p := range r.parts {
		b.WriteString(r.text.withSuffix(p[0], p[1], suffix, func(name string) bool { return r.changed[name] }) + "\n")
	}
	return b.String()
}

// MakerOf returns a Maker that reads the export data of packages from files. The keys of the map are
// import paths, and the values are the paths of the files with the export data.
func MakerOf(archives map[string]string) *Maker { return &Maker{newPackages(archives)} }

// Text checks that code compiles, and returns it as a Text.
func (m *Maker) Text(code exercise.Code) (Text, error) {
	f, err := m.packages.check(code)
	if err != nil {
		return Text{}, err
	}
	return f.text, nil
}

// Repairs returns at most `limit` repairs of an answer. Repairs of the given functions come before
// repairs of other declarations, but all repairs of the kind Missing come last. When ctx ends, Repairs
// stops and returns the repairs that it has made so far, without an error.
func (m *Maker) Repairs(ctx context.Context, code exercise.Code, functions []string, limit int) ([]*Repair, error) {
	f, err := m.packages.check(code)
	if err != nil {
		return nil, err
	}
	edits := editsOf(f, repairs, nil)
	rank := func(e edit) (r int) {
		if e.kind == Missing { // try insertions last, because there are many of them and only a few are right
			r = 2
		}
		if !slices.Contains(functions, e.function) {
			r++
		}
		return r
	}
	slices.SortStableFunc(edits, func(a, b edit) int { return rank(a) - rank(b) })
	seen := map[string]bool{code.Source: true}
	var list []*Repair
	for _, e := range edits {
		source := e.apply(code.Source)
		if seen[source] {
			continue
		}
		seen[source] = true
		if len(list) == limit || ctx.Err() != nil {
			break
		}
		imports := code.Imports
		for _, path := range []string{"math", "slices"} {
			if strings.Contains(e.new, path+".") {
				imports = cell.Merge(imports, []cell.Import{{Path: path}})
			}
		}
		g, err := m.packages.checkUsed(exercise.Code{Source: source, Imports: imports})
		if err != nil {
			continue
		}
		r := &Repair{Line: 1 + strings.Count(code.Source[:e.from], "\n"), Kind: e.kind, Operand: e.operand,
			Imports: g.text.Imports, text: g.text}
		r.changed, r.parts = g.dependents(e.function)
		list = append(list, r)
	}
	return list, nil
}

// checkUsed is like check, but accepts a text in which a change has removed the last use of a
// variable. It inserts a use after the declaration of the variable. It does this for at most three
// variables.
func (p *packages) checkUsed(code exercise.Code) (*typedText, error) {
	for range 3 {
		g, err := p.check(code)
		unused, ok := err.(types.Error)
		if err == nil || !ok || !strings.HasPrefix(unused.Msg, "declared and not used: ") {
			return g, err
		}
		fset := token.NewFileSet()
		used, err := withUsedImports(code)
		if err != nil {
			return nil, err
		}
		file, above, err := parse(fset, used)
		if err != nil {
			return nil, err
		}
		at, name := unused.Pos, strings.TrimPrefix(unused.Msg, "declared and not used: ")
		code.Source = withUse(code.Source, file, at, 1+above, name)
	}
	return p.check(code)
}

// withUse inserts a use of the variable with the given name after the statement at pos, which
// declares the variable. If a range loop declares the variable, withUse inserts the use at the start
// of the loop's body. If there is no such statement or loop, withUse returns the source unchanged. The
// argument `base` is the position of the source's first byte.
func withUse(source string, file *ast.File, pos token.Pos, base int, name string) string {
	at := -1
	ast.Inspect(file, func(n ast.Node) bool {
		if n == nil || pos < n.Pos() || n.End() < pos {
			return false
		}
		switch n := n.(type) {
		case *ast.BlockStmt:
			for _, s := range n.List {
				if s.Pos() <= pos && pos < s.End() {
					at = int(s.End()) - base
				}
			}
		case *ast.RangeStmt:
			if pos < n.Body.Pos() {
				at = int(n.Body.Lbrace) + 1 - base
				return false
			}
		case *ast.ForStmt, *ast.IfStmt:
		}
		return true
	})
	if at < 0 || at > len(source) {
		return source
	}
	return source[:at] + "; _ = " + name + "; " + source[at:]
}

// dependents returns the names of the top-level declarations that depend on a change to a function, and
// the offsets of these declarations. It also includes all variables and the declarations that depend
// on them, because two repairs must not share state.
func (f *typedText) dependents(function string) (names map[string]bool, parts [][2]int) {
	type unit struct {
		names []string
		from  int
		to    int
		in    bool
	}
	var units []*unit
	for _, d := range f.file.Decls {
		u := &unit{names: namesOf(d), from: f.offset(d.Pos()), to: f.offset(d.End())}
		switch d := d.(type) {
		case *ast.FuncDecl:
			// Add the name of the method's type, because a change to a method affects all code that
			// uses this type.
			u.names = append(u.names, strings.Split(u.names[0], ".")[0])
		case *ast.GenDecl:
			if d.Tok == token.IMPORT {
				continue
			}
			for _, s := range d.Specs {
				if t, ok := s.(*ast.TypeSpec); ok {
					u.names = append(u.names, t.Name.Name)
				}
			}
			u.in = d.Tok == token.VAR
		}
		u.in = u.in || slices.Contains(u.names, function)
		units = append(units, u)
	}
	names = map[string]bool{}
	for grows := true; grows; {
		grows = false
		for _, u := range units {
			for _, n := range f.text.names {
				u.in = u.in || u.from < n.end && n.end <= u.to && names[n.text]
			}
			for _, n := range u.names {
				if u.in && !names[n] {
					names[n], grows = true, true
				}
			}
		}
	}
	for _, u := range units {
		if u.in {
			parts = append(parts, [2]int{u.from, u.to})
		}
	}
	return names, parts
}

// operandOf sets e.operand to the changed text. If this text contains no letter or digit (for
// example, if it is an operator), operandOf uses the whole current node instead, so that a reader can
// find the place. If the text is in the condition of an if or for statement, operandOf uses the whole
// condition and sets e.kind to Condition. It also uses the condition if an edit of the kind Condition
// changes an if statement.
func (c *collector) operandOf(e *edit, start, end token.Pos) {
	n := c.path[len(c.path)-1]
	text := c.text.Source[c.offset(start):c.offset(end)]
	if strings.ContainsFunc(text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
		e.operand = text
	} else {
		e.operand = c.source(n)
	}
	for _, n := range c.path {
		var condition ast.Expr
		switch n := n.(type) {
		case *ast.IfStmt:
			condition = n.Cond
		case *ast.ForStmt:
			condition = n.Cond
		}
		inside := condition != nil && condition.Pos() <= start && end <= condition.End()
		if inside || condition != nil && e.kind == Condition && n == c.path[len(c.path)-1] {
			e.kind, e.operand = Condition, c.source(condition)
			break
		}
	}
	e.operand = shortText(e.operand)
}

// shortText puts a text on one line and cuts the line to 60 characters.
func shortText(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if utf8.RuneCountInString(text) > 60 {
		text = string([]rune(text)[:59]) + "…"
	}
	return text
}

// changeComparisons replaces the operator in a comparison of numbers with another comparison operator. If
// the numbers are integers, it also adds 1 to the second operand or subtracts 1 from it.
func (c *collector) changeComparisons(n ast.Node) {
	b, ok := n.(*ast.BinaryExpr)
	all := []token.Token{token.LSS, token.LEQ, token.GTR, token.GEQ, token.EQL, token.NEQ}
	if !ok || !slices.Contains(all, b.Op) || !c.isNumber(b.X) {
		return
	}
	for _, o := range all {
		if o != b.Op {
			c.change(b.OpPos, b.OpPos+token.Pos(len(b.Op.String())), o.String())
		}
	}
	if c.isInteger(b.X) {
		c.replace(b.Y, c.source(b.Y)+"-1")
		c.replace(b.Y, c.source(b.Y)+"+1")
	}
}

// scaleNumbers changes the magnitude of a literal number, such as a tolerance or a number of steps.
func (c *collector) scaleNumbers(n ast.Node) {
	l, ok := n.(*ast.BasicLit)
	if !ok {
		return
	}
	v, err := strconv.ParseFloat(l.Value, 64)
	switch {
	case err != nil || v == 0:
	case c.isInteger(l) && v >= 2 && v < 1e6:
		for _, by := range []int{2, 10, 1000} {
			c.replace(l, strconv.Itoa(int(v)*by))
		}
		c.replace(l, strconv.Itoa(int(v)/2))
	case c.isFloat(l):
		for _, by := range []float64{10, 0.1, 1e3, 1e-3, 1e-6} {
			c.replace(l, formatLike(l, v*by))
		}
	}
}

// sameType reports whether two expressions have the same type.
func (c *collector) sameType(a, b ast.Expr) bool {
	x, y := c.info.Types[a].Type, c.info.Types[b].Type
	return x != nil && y != nil && types.Identical(types.Default(x), types.Default(y))
}

// swapOperands swaps the operands of a subtraction or division, two arguments, the two values of an
// assignment, or two adjacent floats in a composite literal.
func (c *collector) swapOperands(n ast.Node) {
	switch n := n.(type) {
	case *ast.BinaryExpr:
		if (n.Op == token.SUB || n.Op == token.QUO) && c.isNumber(n) {
			c.replace(n, c.operand(n.Y)+n.Op.String()+c.operand(n.X))
		}
	case *ast.CallExpr:
		for i := range n.Args {
			for j := range i {
				if c.sameType(n.Args[i], n.Args[j]) {
					c.swap(n.Args[j], n.Args[i])
				}
			}
		}
	case *ast.AssignStmt:
		if len(n.Rhs) == 2 && c.sameType(n.Rhs[0], n.Rhs[1]) {
			c.swap(n.Rhs[0], n.Rhs[1])
		}
	case *ast.CompositeLit:
		for i := 1; i < len(n.Elts); i++ {
			if c.isFloat(n.Elts[i]) && c.isFloat(n.Elts[i-1]) {
				c.swap(n.Elts[i-1], n.Elts[i])
			}
		}
	}
}

// visibleVariables returns the names of the local variables of type t that are visible at pos and declared
// before pos. It omits the variable with the name `excluded`.
func (c *collector) visibleVariables(pos token.Pos, t types.Type, excluded string) (names []string) {
	for s := c.pkg.Scope().Innermost(pos); s != nil && s != c.pkg.Scope() && s != types.Universe; s = s.Parent() {
		for _, name := range s.Names() {
			v, ok := s.Lookup(name).(*types.Var)
			if ok && name != "_" && name != excluded && v.Pos() < pos && types.Identical(v.Type(), t) &&
				!slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// replaceVariables replaces a variable with a local variable of the same type. It does the same with an
// argument that is a call or a composite literal, unless the type is a basic type such as float64.
func (c *collector) replaceVariables(n ast.Node) {
	switch n := n.(type) {
	case *ast.Ident:
		v, ok := c.info.Uses[n].(*types.Var)
		if !ok || v.IsField() || isFunction(v.Type()) {
			return
		}
		for _, name := range c.visibleVariables(n.Pos(), v.Type(), n.Name) {
			c.replace(n, name)
		}
	case *ast.CallExpr:
		for _, a := range n.Args {
			switch a.(type) {
			case *ast.CallExpr, *ast.CompositeLit:
				if t := c.info.Types[a].Type; t != nil && c.basic(a) == 0 {
					for _, name := range c.visibleVariables(a.Pos(), t, "") {
						c.replace(a, name)
					}
				}
			}
		}
	}
}

func isFunction(t types.Type) bool {
	_, ok := t.Underlying().(*types.Signature)
	return ok
}

// insertCopies replaces an argument or a result of a function with a copy, if the argument is a slice or a
// matrix, or the result is a slice. To replace an argument, insertCopies inserts a statement at the start
// of the function.
func (c *collector) insertCopies(n ast.Node) {
	var params *ast.FieldList
	var body *ast.BlockStmt
	switch n := n.(type) {
	case *ast.FuncLit:
		params, body = n.Type.Params, n.Body
	case *ast.BlockStmt:
		if len(c.path) == 1 { // true if the current node is the body of a top-level function
			params, body = c.signatureOf(n), n
		}
	case *ast.ReturnStmt:
		for _, e := range n.Results {
			if t := c.info.Types[e].Type; t != nil {
				if _, ok := t.Underlying().(*types.Slice); ok && !isLiteral(e) {
					c.replace(e, "slices.Clone("+c.source(e)+")")
				}
			}
		}
	}
	if params == nil {
		return
	}
	for _, f := range params.List {
		for _, id := range f.Names {
			o := c.info.Defs[id]
			if o == nil {
				continue
			}
			if text := copyOf(id.Name, o.Type()); text != "" {
				c.change(body.Lbrace+1, body.Lbrace+1, text)
				c.edits[len(c.edits)-1].operand = id.Name
			}
		}
	}
}

// signatureOf returns the parameters of the top-level function with this body, or nil if there is no
// such function.
func (c *collector) signatureOf(body *ast.BlockStmt) *ast.FieldList {
	for _, d := range c.file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Body == body {
			return f.Type.Params
		}
	}
	return nil
}

// copyOf returns a statement that replaces the value of a variable with a copy. It supports slices
// and two types of matrices. For all other types it returns "".
func copyOf(name string, t types.Type) string {
	if s, ok := t.Underlying().(*types.Slice); ok {
		if _, rows := s.Elem().Underlying().(*types.Slice); rows {
			return "{ rows := slices.Clone(" + name + "); for i := range rows { rows[i] = slices.Clone(rows[i]) }; " +
				name + " = rows }; "
		}
		return name + " = slices.Clone(" + name + "); "
	}
	switch t.String() {
	case "*gonum.org/v1/gonum/mat.Dense":
		return name + " = mat.DenseCopyOf(" + name + "); "
	case "*gonum.org/v1/gonum/mat.SymDense":
		return "{ s := mat.NewSymDense(" + name + ".SymmetricDim(), nil); s.CopySym(" + name + "); " + name + " = s }; "
	}
	return ""
}

// changeBranches replaces an if statement with one of its branches, removes an if statement without else,
// or negates the condition. It also removes a loop, adds an iteration to a range loop over an integer,
// and swaps or removes break and continue.
func (c *collector) changeBranches(n ast.Node) {
	switch n := n.(type) {
	case *ast.BranchStmt:
		other := map[token.Token]string{token.BREAK: "continue", token.CONTINUE: "break"}[n.Tok]
		if other != "" && n.Label == nil {
			c.kind = Statement
			c.replace(n, other)
			c.replace(n, "")
		}
	case *ast.IfStmt:
		c.replace(n, c.source(n.Body))
		if n.Else == nil {
			c.replace(n, "")
		} else {
			c.replace(n, c.source(n.Else))
		}
		c.replace(n.Cond, "!("+c.source(n.Cond)+")")
	case *ast.ForStmt:
		c.kind = Loop
		c.remove(n)
	case *ast.RangeStmt:
		c.kind = Loop
		c.remove(n)
		if c.isInteger(n.X) {
			c.replace(n.X, c.source(n.X)+"+1")
		}
	}
}

// changeTerms changes a float that is an operand of an arithmetic expression or an element of a
// composite literal. It negates, doubles or halves the value. Unless the value is a number literal,
// changeTerms also squares it or replaces it with 0 or 1.
func (c *collector) changeTerms(n ast.Node) {
	var list []ast.Expr
	switch n := n.(type) {
	case *ast.BinaryExpr:
		if c.isFloat(n) {
			list = []ast.Expr{n.X, n.Y}
		}
	case *ast.CompositeLit:
		list = n.Elts
	}
	for _, e := range list {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			e = kv.Value
		}
		if !c.isFloat(e) {
			continue
		}
		c.kind = Sign
		c.replace(e, "(-"+c.operand(e)+")")
		c.kind = Factor
		c.replace(e, "(2*"+c.operand(e)+")")
		c.replace(e, "("+c.operand(e)+"/2)")
		if !isLiteral(e) {
			c.replace(e, "("+c.operand(e)+"*"+c.operand(e)+")")
			c.kind = Term
			c.replace(e, "0")
			c.replace(e, "1")
		}
	}
}

// maxInserted is the maximum number of variables and other terms that insertTerms tries for one
// value in the answer.
const maxInserted = 12

// insertTerms inserts a factor, divisor or term that might be missing: a variable, the logarithm of a
// variable, an element or the length of a slice. It also adds or subtracts 1.
func (c *collector) insertTerms(n ast.Node) {
	list := slices.Clone(c.valueExprs(n))
	if b, ok := n.(*ast.BinaryExpr); ok && (b.Op == token.ADD || b.Op == token.SUB) {
		list = append(list, b.X, b.Y)
	}
	for _, e := range list {
		if !c.isFloat(e) {
			continue
		}
		beside := []string{"1"}
		for _, v := range c.visibleVariables(e.Pos(), types.Typ[types.Float64], "") {
			beside = append(beside, v, "math.Log("+v+")")
		}
		for _, v := range c.visibleVariables(e.Pos(), types.Typ[types.Int], "") {
			beside = append(beside, "float64("+v+")")
		}
		for _, v := range c.visibleVariables(e.Pos(), types.NewSlice(types.Typ[types.Float64]), "") {
			beside = append(beside, "float64(len("+v+"))")
			for _, i := range c.visibleVariables(e.Pos(), types.Typ[types.Int], "") {
				beside = append(beside, v+"["+i+"]")
			}
		}
		for _, v := range beside[:min(len(beside), maxInserted)] {
			for _, o := range []string{"*", "/", "+", "-"} {
				if v != "1" || o == "+" || o == "-" {
					c.replace(e, "("+c.operand(e)+o+v+")")
				}
			}
		}
	}
}
