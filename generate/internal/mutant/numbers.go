package mutant

import (
	"go/ast"
	"go/token"
	"math"
	"strconv"
	"strings"
)

// exchanged is what an operator is exchanged for.
var exchanged = map[token.Token][]token.Token{
	token.ADD: {token.SUB}, token.SUB: {token.ADD}, token.MUL: {token.QUO}, token.QUO: {token.MUL},
	token.ADD_ASSIGN: {token.SUB_ASSIGN}, token.SUB_ASSIGN: {token.ADD_ASSIGN},
	token.MUL_ASSIGN: {token.QUO_ASSIGN}, token.QUO_ASSIGN: {token.MUL_ASSIGN},
	token.INC: {token.DEC}, token.DEC: {token.INC},
	token.LSS: {token.LEQ, token.GTR}, token.LEQ: {token.LSS, token.GEQ},
	token.GTR: {token.GEQ, token.LSS}, token.GEQ: {token.GTR, token.LEQ},
	token.EQL: {token.NEQ}, token.NEQ: {token.EQL}, token.LAND: {token.LOR}, token.LOR: {token.LAND},
}

// operators: an operator exchanged, one with a single operand dropped, an operand of
// one with two left out.
func (c *collector) operators(n ast.Node) {
	switch n := n.(type) {
	case *ast.BinaryExpr:
		if c.isNumber(n) || c.isBool(n) {
			c.operator(n.OpPos, n.Op)
			c.operands(n)
		}
	case *ast.UnaryExpr:
		if n.Op == token.SUB || n.Op == token.NOT {
			c.change(n.OpPos, n.X.Pos(), "")
		}
	case *ast.AssignStmt:
		c.operator(n.TokPos, n.Tok)
	case *ast.IncDecStmt:
		if _, loop := c.parent().(*ast.ForStmt); !loop {
			c.operator(n.TokPos, n.Tok)
		}
	}
}

func (c *collector) operator(at token.Pos, old token.Token) {
	for _, other := range exchanged[old] {
		c.change(at, at+token.Pos(len(old.String())), other.String())
	}
}

// operands: a term, a factor or a condition left out.
func (c *collector) operands(n *ast.BinaryExpr) {
	without := "" // the first: what is left of the operator
	switch n.Op {
	case token.SUB:
		without = "-"
	case token.MUL, token.QUO:
		if !c.isFloat(n) {
			return
		}
	case token.ADD, token.LAND, token.LOR:
	default:
		return
	}
	c.kind = Term
	c.change(n.X.End(), n.Y.End(), "")
	if n.Op != token.QUO {
		c.change(n.X.Pos(), n.Y.Pos(), without)
	}
}

// signs: a value negated.
func (c *collector) signs(n ast.Node) {
	if a, ok := n.(*ast.AssignStmt); ok && (a.Tok == token.ADD_ASSIGN || a.Tok == token.SUB_ASSIGN) {
		return // the sign of its value is that of the operator
	}
	for _, e := range c.values(n) {
		if c.isFloat(e) && !isNegated(e) && !isZero(e) && !c.calls(e, "NaN") {
			c.replace(e, "-"+c.operand(e))
		}
	}
}

// factors: a value doubled or halved.
func (c *collector) factors(n ast.Node) {
	for _, e := range c.values(n) {
		if c.isFloat(e) && !isLiteral(first(e)) && !c.calls(e, "NaN") && !c.calls(e, "Inf") {
			c.replace(e, "2*"+c.operand(e))
			c.replace(e, c.operand(e)+"/2")
		}
	}
}

// first is the first factor of a product, whose change is one of the product.
func first(e ast.Expr) ast.Expr {
	for {
		b, ok := e.(*ast.BinaryExpr)
		if !ok || b.Op != token.MUL && b.Op != token.QUO {
			return e
		}
		e = b.X
	}
}

// values are the expressions whose value leaves the node: what is returned, what
// is assigned, what a function is called with.
func (c *collector) values(n ast.Node) []ast.Expr {
	switch n := n.(type) {
	case *ast.ReturnStmt:
		return n.Results
	case *ast.AssignStmt:
		return n.Rhs
	case *ast.CallExpr:
		if path, name := c.callee(n); c.signature(n) != nil && !(path == "math" && even[name]) {
			return n.Args
		}
	}
	return nil
}

// even are functions of math for which a sign makes no difference, and a factor
// none that the factor of the result would not make, or that are treated apart.
var even = map[string]bool{"Abs": true, "Cos": true, "Inf": true, "IsInf": true, "IsNaN": true, "Max": true, "Min": true}

// operand is the source of e as it may stand beside an operator.
func (c *collector) operand(e ast.Expr) string {
	switch e.(type) {
	case *ast.Ident, *ast.BasicLit, *ast.CallExpr, *ast.IndexExpr, *ast.SelectorExpr, *ast.ParenExpr:
		return c.source(e)
	}
	return "(" + c.source(e) + ")"
}

// calls reports whether e is a call of this function of math.
func (c *collector) calls(e ast.Expr, name string) bool {
	call, ok := e.(*ast.CallExpr)
	if !ok {
		return false
	}
	path, called := c.callee(call)
	return path == "math" && called == name
}

func isNegated(e ast.Expr) bool {
	u, ok := e.(*ast.UnaryExpr)
	return ok && u.Op == token.SUB
}

func isZero(e ast.Expr) bool {
	l, ok := e.(*ast.BasicLit)
	if !ok {
		return false
	}
	v, err := strconv.ParseFloat(l.Value, 64)
	return err == nil && v == 0
}

// tolerance bounds numbers that say how exact something must be. A factor 2 in
// them means nothing, so they are left alone.
const tolerance = 1e-5

// numbers: a number as written doubled, halved, left out or off by one; N off by
// one where it becomes a divisor; a 1 that is a bias made 0.
func (c *collector) numbers(n ast.Node) {
	switch n := n.(type) {
	case *ast.BasicLit:
		if negative, ok := c.infinity(); ok { // the argument of math.Inf is only a sign
			if !negative {
				c.replace(n, "-1")
			}
			return
		}
		v, err := strconv.ParseFloat(n.Value, 64)
		switch {
		case err != nil || n.Kind != token.INT && n.Kind != token.FLOAT:
		case c.isInteger(n):
			c.replace(n, strconv.Itoa(int(v)+1))
			if v > 0 {
				c.replace(n, strconv.Itoa(int(v)-1))
			}
		case v == 0:
			c.replace(n, written(n, 1))
		case math.Abs(v) > tolerance:
			c.replace(n, written(n, 2*v))
			c.replace(n, written(n, v/2))
			if v == 1 {
				c.replace(n, written(n, 0))
			}
		}
	case *ast.CallExpr:
		if len(n.Args) != 1 || !c.isInteger(n.Args[0]) {
			break
		}
		if c.isConversion(n) && c.isFloat(n) {
			c.replace(n.Args[0], c.source(n.Args[0])+"-1")
			c.replace(n.Args[0], c.source(n.Args[0])+"+1")
		}
	case *ast.ReturnStmt:
		c.kind = Term
		for _, e := range n.Results {
			switch {
			case c.isFloat(e) && !isLiteral(e):
				c.replace(e, "0")
			case c.isInteger(e) && !isLiteral(e):
				c.replace(e, c.operand(e)+"+1")
				c.replace(e, c.operand(e)+"-1")
			}
		}
	}
}

// infinity reports whether the literal being looked at is the argument of math.Inf,
// and whether it has a minus.
func (c *collector) infinity() (negative, ok bool) {
	i := len(c.path) - 2
	if i > 0 {
		if _, negative = c.path[i].(*ast.UnaryExpr); negative {
			i--
		}
	}
	if i < 0 {
		return negative, false
	}
	call, ok := c.path[i].(*ast.CallExpr)
	if !ok {
		return negative, false
	}
	path, name := c.callee(call)
	return negative, path == "math" && name == "Inf"
}

// written writes v as the literal was written: with a point if that had one.
func written(old *ast.BasicLit, v float64) string {
	text := strconv.FormatFloat(v, 'g', -1, 64)
	if old.Kind == token.FLOAT && !strings.ContainsAny(text, ".e") {
		text += ".0"
	}
	return text
}
