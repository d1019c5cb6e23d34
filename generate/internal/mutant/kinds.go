package mutant

import (
	"go/ast"
	"go/token"
	"go/types"
)

// What the edits ask about an expression.

func (f *checked) basic(e ast.Expr) types.BasicInfo {
	t := f.info.Types[e].Type
	if t == nil {
		return 0
	}
	b, ok := t.Underlying().(*types.Basic)
	if !ok {
		return 0
	}
	return b.Info()
}

func (f *checked) isFloat(e ast.Expr) bool   { return f.basic(e)&types.IsFloat != 0 }
func (f *checked) isInteger(e ast.Expr) bool { return f.basic(e)&types.IsInteger != 0 }
func (f *checked) isNumber(e ast.Expr) bool  { return f.basic(e)&types.IsNumeric != 0 }
func (f *checked) isBool(e ast.Expr) bool    { return f.basic(e)&types.IsBoolean != 0 }

// isLiteral reports whether e is a number as written, with or without a sign.
func isLiteral(e ast.Expr) bool {
	if u, ok := e.(*ast.UnaryExpr); ok && u.Op == token.SUB {
		e = u.X
	}
	_, ok := e.(*ast.BasicLit)
	return ok
}

// callee returns package path (or "" for a builtin and for what the text itself
// declares) and name of the function or method that is called.
func (f *checked) callee(call *ast.CallExpr) (path, name string) {
	var id *ast.Ident
	switch fun := call.Fun.(type) {
	case *ast.Ident:
		id = fun
	case *ast.SelectorExpr:
		id = fun.Sel
	default:
		return "", ""
	}
	if o := f.info.Uses[id]; o != nil && o.Pkg() != nil && o.Pkg() != f.pkg {
		path = o.Pkg().Path()
	}
	return path, id.Name
}

// isConversion reports whether the call converts to a type.
func (f *checked) isConversion(call *ast.CallExpr) bool { return f.info.Types[call.Fun].IsType() }

// isBuiltin reports whether the call is of a builtin function, such as len.
func (f *checked) isBuiltin(call *ast.CallExpr) bool { return f.info.Types[call.Fun].IsBuiltin() }

// signature is that of the called function, nil for a conversion or a builtin.
func (f *checked) signature(call *ast.CallExpr) *types.Signature {
	if f.isConversion(call) || f.isBuiltin(call) {
		return nil
	}
	s, _ := f.info.Types[call.Fun].Type.Underlying().(*types.Signature)
	return s
}

// has reports whether the expression's type has all of these methods.
func (f *checked) has(e ast.Expr, methods ...string) bool {
	t := f.info.Types[e].Type
	if t == nil {
		return false
	}
	if _, isPointer := t.(*types.Pointer); !isPointer && !types.IsInterface(t) {
		t = types.NewPointer(t) // a variable's methods are those of its address
	}
	for _, name := range methods {
		o, _, _ := types.LookupFieldOrMethod(t, true, f.pkg, name)
		if _, ok := o.(*types.Func); !ok {
			return false
		}
	}
	return true
}

// The kinds of matrix of gonum/mat, by what they can do.
func (f *checked) isMatrix(e ast.Expr) bool    { return f.has(e, "Dims", "At", "T") }
func (f *checked) isSymmetric(e ast.Expr) bool { return f.has(e, "SymmetricDim") }
func (f *checked) isVector(e ast.Expr) bool    { return f.has(e, "AtVec") }
