package mutant

import (
	"go/ast"
	"go/token"
	"go/types"
)

// loops: a loop that leaves out its first or its last round, a length off by one.
func (c *collector) loops(n ast.Node) {
	switch n := n.(type) {
	case *ast.RangeStmt:
		switch c.info.Types[n.X].Type.Underlying().(type) {
		case *types.Basic:
			if !c.isInteger(n.X) {
				break
			}
			c.change(n.X.Pos(), n.X.End(), c.source(n.X)+"-1")
			if n.Key != nil && n.Tok == token.DEFINE {
				c.from1(n, c.source(n.X))
			}
		case *types.Slice:
			switch n.X.(type) {
			case *ast.Ident, *ast.SelectorExpr, *ast.IndexExpr:
				x := c.source(n.X)
				c.change(n.X.Pos(), n.X.End(), x+"[:len("+x+")-1]")
				if n.Value != nil {
					c.change(n.X.Pos(), n.X.End(), x+"[1:]")
				} else if n.Tok == token.DEFINE {
					c.from1(n, "len("+x+")")
				}
			}
		}
	case *ast.CallExpr:
		// In make it would only be a crash, in float64 it is done already.
		if outer, ok := c.parent().(*ast.CallExpr); ok && (c.isBuiltin(outer) || c.isConversion(outer)) {
			break
		}
		if _, name := c.callee(n); name == "len" && c.isBuiltin(n) {
			c.replace(n, c.source(n)+"-1")
		}
	}
}

// from1 makes a loop over 0 … n−1 one over 1 … n−1.
func (c *collector) from1(loop *ast.RangeStmt, n string) {
	i := c.source(loop.Key)
	c.change(loop.For, loop.Body.Lbrace, "for "+i+" := 1; "+i+" < "+n+"; "+i+"++ ")
}

// commutes are functions that do not mind the order of their arguments, or the
// transposition of one.
var commutes = map[string]bool{
	"Norm": true, "Sum": true, "Det": true, "Trace": true, "Dot": true,
	"Add": true, "AddTo": true, "MulElem": true, "AddVec": true, "AddSym": true,
}

// ordered are functions whose last two arguments mean different things.
var ordered = map[string]bool{
	"Sub": true, "SubTo": true, "SubVec": true, "SubSym": true, "Div": true, "DivTo": true, "DivElem": true,
	"Mul": true, "Stack": true, "Augment": true, "Pow": true, "Atan2": true, "Copysign": true,
}

// shapes: a matrix transposed or not, a pair of indices, arguments or
// results exchanged.
func (c *collector) shapes(n ast.Node) {
	switch n := n.(type) {
	case *ast.IndexExpr:
		if inner, ok := n.X.(*ast.IndexExpr); ok {
			c.swap(inner.Index, n.Index)
		}
	case *ast.ReturnStmt:
		for i := 1; i < len(n.Results); i++ {
			if a, b := n.Results[i-1], n.Results[i]; types.Identical(c.info.Types[a].Type, c.info.Types[b].Type) {
				c.swap(a, b)
			}
		}
	case *ast.CallExpr:
		method, _ := n.Fun.(*ast.SelectorExpr)
		path, name := c.callee(n)
		switch {
		case path == "" || c.signature(n) == nil:
			return
		case method != nil && name == "T" && len(n.Args) == 0 && c.isMatrix(method.X):
			c.replace(n, c.source(method.X))
			return
		case method != nil && (name == "At" || name == "Set") && len(n.Args) >= 2 && c.isMatrix(method.X) && !c.isSymmetric(method.X):
			c.swap(n.Args[0], n.Args[1])
			return
		case ordered[name] && len(n.Args) >= 2:
			c.swap(n.Args[len(n.Args)-2], n.Args[len(n.Args)-1])
		}
		c.transposed(n, name)
	}
}

// transposed puts a .T() behind arguments that may be any matrix. A vector or a
// symmetric matrix would only crash, or stay the same.
func (c *collector) transposed(call *ast.CallExpr, name string) {
	if commutes[name] {
		return
	}
	params := c.signature(call).Params()
	for i, arg := range call.Args {
		if i >= params.Len() || !types.IsInterface(params.At(i).Type()) || !c.isMatrix(arg) || c.isVector(arg) || c.isSymmetric(arg) {
			continue
		}
		if inner, ok := arg.(*ast.CallExpr); ok {
			if _, name := c.callee(inner); name == "T" {
				continue
			}
		}
		c.replace(arg, c.operand(arg)+".T()")
	}
}

// swap exchanges two neighbouring expressions.
func (c *collector) swap(a, b ast.Expr) {
	between := c.text.Source[c.offset(a.End()):c.offset(b.Pos())]
	if c.source(a) != c.source(b) {
		c.change(a.Pos(), b.End(), c.source(b)+between+c.source(a))
	}
}
