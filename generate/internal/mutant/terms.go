package mutant

import (
	"go/ast"
	"go/token"
)

// terms: a step of a computation or a guard left out.
func (c *collector) terms(n ast.Node) {
	switch n := n.(type) {
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

// choices: a truth value turned round.
func (c *collector) choices(n ast.Node) {
	switch n := n.(type) {
	case *ast.Ident:
		if other := map[string]string{"true": "false", "false": "true"}[n.Name]; other != "" && c.isBool(n) {
			c.replace(n, other)
		}
	case *ast.ReturnStmt:
		for _, e := range n.Results {
			id, isName := e.(*ast.Ident)
			_, isCall := e.(*ast.CallExpr)
			if c.isBool(e) && (isCall || isName && id.Name != "true" && id.Name != "false") {
				c.replace(e, "!"+c.source(e))
			}
		}
	}
}

// opposites are functions that are taken for each other.
var opposites = map[string]string{
	"Max": "Min", "Min": "Max", "MaxIdx": "MinIdx", "MinIdx": "MaxIdx", "max": "min", "min": "max",
	"Erf": "Erfc", "Erfc": "Erf", "Sin": "Cos", "Cos": "Sin",
}

// droppable are functions of math whose call may be forgotten.
var droppable = map[string]bool{
	"Sqrt": true, "Cbrt": true, "Log": true, "Log1p": true, "Exp": true, "Expm1": true, "Abs": true, "Tanh": true,
	"Erf": true, "Erfc": true,
}

// functions: one function for another, a function left out, a constant of math
// changed.
func (c *collector) functions(n ast.Node) {
	switch n := n.(type) {
	case *ast.CallExpr:
		path, name := c.callee(n)
		builtin := c.isBuiltin(n) && (name == "min" || name == "max")
		if other := opposites[name]; other != "" && (builtin || path == "math" || path == "gonum.org/v1/gonum/floats") {
			switch fun := n.Fun.(type) {
			case *ast.Ident:
				c.replace(fun, other)
			case *ast.SelectorExpr:
				c.replace(fun.Sel, other)
			}
		}
		if path == "math" && droppable[name] && len(n.Args) == 1 {
			c.replace(n, "("+c.source(n.Args[0])+")")
		}
	case *ast.SelectorExpr:
		id, ok := n.X.(*ast.Ident)
		if !ok || id.Name != "math" || !c.info.Types[n].IsValue() || c.info.Types[n].Value == nil || !c.isFloat(n) {
			return
		}
		c.replace(n, "(2*"+c.source(n)+")")
		c.replace(n, "("+c.source(n)+"/2)")
		c.replace(n, "1.0")
	}
}
