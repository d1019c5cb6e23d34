package mutant

import (
	"go/ast"
)

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
