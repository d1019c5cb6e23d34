package mutant

import (
	"go/ast"
	"go/token"
)

// terms: a term of a sum, a step of a computation or a guard left out.
func (c *collector) terms(n ast.Node) {
	switch n := n.(type) {
	case *ast.BinaryExpr:
		if !c.isNumber(n) || n.Op != token.ADD && n.Op != token.SUB {
			break
		}
		c.change(n.X.End(), n.Y.End(), "")
		if n.Op == token.ADD {
			c.change(n.X.Pos(), n.Y.Pos(), "")
		} else {
			c.change(n.X.Pos(), n.Y.Pos(), "-")
		}
	case *ast.AssignStmt:
		if n.Tok != token.DEFINE && n.Tok != token.ASSIGN {
			c.change(n.TokPos, n.TokPos+token.Pos(len(n.Tok.String())), "=") // only the last one counts
		}
		if n.Tok != token.DEFINE && c.inBlock() {
			c.remove(n)
		}
	case *ast.IncDecStmt:
		if c.inBlock() {
			c.remove(n)
		}
	case *ast.ExprStmt:
		if !isPanic(n) && c.inBlock() {
			c.remove(n)
		}
	case *ast.IfStmt:
		// Without a guard that only panics nothing would change for a right answer.
		if last := len(n.Body.List) - 1; n.Else == nil && last >= 0 && !isPanic(n.Body.List[last]) && leaves(n.Body.List[last]) {
			c.remove(n)
		}
	}
}

// inBlock reports whether the node is a statement of its own, not the part of a
// loop's head.
func (c *collector) inBlock() bool {
	switch c.parent().(type) {
	case *ast.BlockStmt, *ast.CaseClause:
		return true
	}
	return false
}

func isPanic(s ast.Stmt) bool {
	e, ok := s.(*ast.ExprStmt)
	if !ok {
		return false
	}
	call, ok := e.X.(*ast.CallExpr)
	if !ok {
		return false
	}
	id, ok := call.Fun.(*ast.Ident)
	return ok && id.Name == "panic"
}

// leaves reports whether a statement ends the function or the round of a loop.
func leaves(s ast.Stmt) bool {
	switch s.(type) {
	case *ast.ReturnStmt, *ast.BranchStmt:
		return true
	}
	return false
}

// comparisons are what a comparison is exchanged for.
var comparisons = map[token.Token][]token.Token{
	token.LSS: {token.LEQ, token.GTR}, token.LEQ: {token.LSS, token.GEQ},
	token.GTR: {token.GEQ, token.LSS}, token.GEQ: {token.GTR, token.LEQ},
	token.EQL: {token.NEQ}, token.NEQ: {token.EQL},
}

// choices: a comparison, a condition or a truth value turned round.
func (c *collector) choices(n ast.Node) {
	switch n := n.(type) {
	case *ast.BinaryExpr:
		for _, other := range comparisons[n.Op] {
			c.operator(n.OpPos, n.Op, other)
		}
		if n.Op == token.LAND || n.Op == token.LOR {
			c.operator(n.OpPos, n.Op, map[token.Token]token.Token{token.LAND: token.LOR, token.LOR: token.LAND}[n.Op])
			c.change(n.X.End(), n.Y.End(), "")
			c.change(n.X.Pos(), n.Y.Pos(), "")
		}
	case *ast.UnaryExpr:
		if n.Op == token.NOT {
			c.change(n.OpPos, n.X.Pos(), "")
		}
	case *ast.Ident:
		if other := map[string]string{"true": "false", "false": "true"}[n.Name]; other != "" && c.isBool(n) {
			c.replace(n, other)
		}
	case *ast.ReturnStmt:
		for _, e := range n.Results {
			switch e := e.(type) {
			case *ast.Ident:
				if c.isBool(e) && e.Name != "true" && e.Name != "false" {
					c.replace(e, "!"+c.source(e))
				}
			case *ast.CallExpr:
				if c.isBool(e) {
					c.replace(e, "!"+c.source(e))
				}
			}
		}
	}
}
