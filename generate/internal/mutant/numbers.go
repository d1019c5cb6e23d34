package mutant

import (
	"go/ast"
	"go/token"
	"math"
	"strconv"
	"strings"
)

// signs: + and − exchanged, a minus dropped, a value negated.
func (c *collector) signs(n ast.Node) {
	switch n := n.(type) {
	case *ast.BinaryExpr:
		if c.isNumber(n) && (n.Op == token.ADD || n.Op == token.SUB) {
			c.operator(n.OpPos, n.Op, map[token.Token]token.Token{token.ADD: token.SUB, token.SUB: token.ADD}[n.Op])
		}
	case *ast.UnaryExpr:
		if n.Op == token.SUB {
			c.change(n.OpPos, n.X.Pos(), "")
		}
	case *ast.AssignStmt:
		switch n.Tok {
		case token.ADD_ASSIGN:
			c.operator(n.TokPos, n.Tok, token.SUB_ASSIGN)
		case token.SUB_ASSIGN:
			c.operator(n.TokPos, n.Tok, token.ADD_ASSIGN)
		}
	case *ast.IncDecStmt:
		if _, loop := c.parent().(*ast.ForStmt); !loop {
			c.operator(n.TokPos, n.Tok, map[token.Token]token.Token{token.INC: token.DEC, token.DEC: token.INC}[n.Tok])
		}
	}
	if a, ok := n.(*ast.AssignStmt); ok && (a.Tok == token.ADD_ASSIGN || a.Tok == token.SUB_ASSIGN) {
		return // the sign of its value is that of the operator
	}
	for _, e := range c.values(n) {
		if c.isFloat(e) && !isNegated(e) && !isZero(e) && !c.calls(e, "NaN") {
			c.replace(e, "-"+c.operand(e))
		}
	}
}

// factors: a value doubled or halved, a factor left out, × and ÷ exchanged.
func (c *collector) factors(n ast.Node) {
	switch n := n.(type) {
	case *ast.BinaryExpr:
		if !c.isNumber(n) || n.Op != token.MUL && n.Op != token.QUO {
			break
		}
		c.operator(n.OpPos, n.Op, map[token.Token]token.Token{token.MUL: token.QUO, token.QUO: token.MUL}[n.Op])
		if c.isFloat(n) {
			c.change(n.X.End(), n.Y.End(), "")
			if n.Op == token.MUL {
				c.change(n.X.Pos(), n.Y.Pos(), "")
			}
		}
	case *ast.AssignStmt:
		switch n.Tok {
		case token.MUL_ASSIGN:
			c.operator(n.TokPos, n.Tok, token.QUO_ASSIGN)
		case token.QUO_ASSIGN:
			c.operator(n.TokPos, n.Tok, token.MUL_ASSIGN)
		}
	}
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
	v, err := strconv.ParseFloat(literal(l), 64)
	return ok && err == nil && v == 0
}

func literal(l *ast.BasicLit) string {
	if l == nil {
		return ""
	}
	return l.Value
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

// operator exchanges an operator.
func (c *collector) operator(at token.Pos, old, new token.Token) {
	c.change(at, at+token.Pos(len(old.String())), new.String())
}
