package mutant

import (
	"go/ast"
	"go/token"
	"go/types"
	"math"
	"strconv"
	"strings"
)

// replacements maps an operator to the operators that replace it in mutants.
var replacements = map[token.Token][]token.Token{
	token.ADD: {token.SUB}, token.SUB: {token.ADD}, token.MUL: {token.QUO}, token.QUO: {token.MUL},
	token.ADD_ASSIGN: {token.SUB_ASSIGN}, token.SUB_ASSIGN: {token.ADD_ASSIGN},
	token.MUL_ASSIGN: {token.QUO_ASSIGN}, token.QUO_ASSIGN: {token.MUL_ASSIGN},
	token.INC: {token.DEC}, token.DEC: {token.INC},
	token.LSS: {token.LEQ, token.GTR}, token.LEQ: {token.LSS, token.GEQ},
	token.GTR: {token.GEQ, token.LSS}, token.GEQ: {token.GTR, token.LEQ},
	token.EQL: {token.NEQ}, token.NEQ: {token.EQL}, token.LAND: {token.LOR}, token.LOR: {token.LAND},
}

// changeOperators replaces a binary operator or an assignment operator with another operator. It also
// swaps ++ and --, except in the header of a for loop. It removes a unary minus, the operator !, or an
// operand of a binary operator.
func (c *collector) changeOperators(n ast.Node) {
	switch n := n.(type) {
	case *ast.BinaryExpr:
		if c.isNumber(n) || c.isBool(n) {
			c.operator(n.OpPos, n.Op)
			c.dropOperands(n)
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
	for _, other := range replacements[old] {
		c.change(at, at+token.Pos(len(old.String())), other.String())
	}
}

// dropOperands removes one operand of a binary expression: a term, a factor, a divisor or a condition.
func (c *collector) dropOperands(n *ast.BinaryExpr) {
	without := "" // text to put in front of the second operand when the first operand is removed
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

// changeSigns negates a float that is a result, an assigned value or an argument.
func (c *collector) changeSigns(n ast.Node) {
	if a, ok := n.(*ast.AssignStmt); ok && (a.Tok == token.ADD_ASSIGN || a.Tok == token.SUB_ASSIGN) {
		return // skip += and -=: changeOperators swaps them, which has the same effect as negating the value
	}
	for _, e := range c.valueExprs(n) {
		if c.isFloat(e) && !isNegated(e) && !isZero(e) && !c.isMathCall(e, "NaN") {
			c.replace(e, "-"+c.operand(e))
		}
	}
}

// changeFactors doubles or halves a float that is a result, an assigned value or an argument.
func (c *collector) changeFactors(n ast.Node) {
	for _, e := range c.valueExprs(n) {
		if c.isFloat(e) && !isLiteral(firstFactor(e)) && !c.isMathCall(e, "NaN") && !c.isMathCall(e, "Inf") {
			c.replace(e, "2*"+c.operand(e))
			c.replace(e, c.operand(e)+"/2")
		}
	}
}

// firstFactor returns the first factor of a product or quotient, or e itself if e is neither. If this
// factor is a literal, changeFactors makes no edit, because changeNumbers doubles and halves it.
func firstFactor(e ast.Expr) ast.Expr {
	for {
		b, ok := e.(*ast.BinaryExpr)
		if !ok || b.Op != token.MUL && b.Op != token.QUO {
			return e
		}
		e = b.X
	}
}

// valueExprs returns the results of a return statement, the right-hand sides of an assignment, or
// the arguments of a call. It returns nil for a conversion, for a call of a builtin function or of a
// function in skippedMath, and for all other nodes.
func (c *collector) valueExprs(n ast.Node) []ast.Expr {
	switch n := n.(type) {
	case *ast.ReturnStmt:
		return n.Results
	case *ast.AssignStmt:
		return n.Rhs
	case *ast.CallExpr:
		if path, name := c.callee(n); c.signature(n) != nil && !(path == "math" && skippedMath[name]) {
			return n.Args
		}
	}
	return nil
}

// skippedMath contains the functions of package math whose arguments valueExprs omits, so that
// changeSigns, changeFactors and insertTerms do not change them. Many of these changes would have no
// effect, for example a sign in Abs or Cos, or a factor in IsNaN. Others would have the same effect as
// an edit elsewhere: a factor in Abs, and often in Max, acts like a factor in front of the result, and
// changeNumbers already changes the argument of Inf.
var skippedMath = map[string]bool{"Abs": true, "Cos": true, "Inf": true, "IsInf": true, "IsNaN": true, "Max": true,
	"Min": true}

// operand returns the source of e in a form that can be the operand of an operator: if necessary,
// the source is in parentheses.
func (c *collector) operand(e ast.Expr) string {
	switch e.(type) {
	case *ast.Ident, *ast.BasicLit, *ast.CallExpr, *ast.IndexExpr, *ast.SelectorExpr, *ast.ParenExpr:
		return c.source(e)
	}
	return "(" + c.source(e) + ")"
}

// isMathCall reports whether e calls the function with the given name from package math.
func (c *collector) isMathCall(e ast.Expr, name string) bool {
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

// tolerance is a limit for float literals: changeNumbers leaves numbers between 0 and this limit
// unchanged. Such a small number usually states a required accuracy, and a factor of 2 in the required
// accuracy rarely makes an answer wrong.
const tolerance = 1e-5

// changeNumbers makes several kinds of edits. It doubles or halves a float literal that is larger than
// `tolerance`. It replaces the float literal 1 with 0, and the float literal 0 with 1. It adds 1 to an
// integer literal or result, or subtracts 1 from it, but it does not make a literal negative. It also
// adds or subtracts 1 where the code converts an integer, for example a number of rows, to a float.
// It replaces a float result with 0, and math.Inf(1) with math.Inf(-1).
func (c *collector) changeNumbers(n ast.Node) {
	switch n := n.(type) {
	case *ast.BasicLit:
		// Change only the sign of the argument of math.Inf, because math.Inf uses only the sign.
		if negative, ok := c.infinityArgument(); ok {
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
			c.replace(n, formatLike(n, 1))
		case math.Abs(v) > tolerance:
			c.replace(n, formatLike(n, 2*v))
			c.replace(n, formatLike(n, v/2))
			if v == 1 {
				c.replace(n, formatLike(n, 0))
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

// infinityArgument reports whether the current literal is the argument of math.Inf (the result `ok`),
// and whether a minus sign precedes the literal (the result `negative`).
func (c *collector) infinityArgument() (negative, ok bool) {
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

// formatLike formats v like the literal `old`. If `old` is a float, the result contains a decimal
// point or an exponent.
func formatLike(old *ast.BasicLit, v float64) string {
	text := strconv.FormatFloat(v, 'g', -1, 64)
	if old.Kind == token.FLOAT && !strings.ContainsAny(text, ".e") {
		text += ".0"
	}
	return text
}

// dropTerms removes a statement: an assignment other than :=, an increment or decrement, a call other
// than panic, or an if statement without else whose body ends with return, break or continue. It also
// replaces an operator such as += with =.
func (c *collector) dropTerms(n ast.Node) {
	switch n := n.(type) {
	case *ast.AssignStmt:
		if n.Tok != token.DEFINE && n.Tok != token.ASSIGN {
			// Replace an operator such as += with =, so that a sum in a loop, for example,
			// becomes its last term.
			c.change(n.TokPos, n.TokPos+token.Pos(len(n.Tok.String())), "=")
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
		// Keep an if statement whose body ends with a panic, because removing it would not change
		// the results for valid arguments.
		last := len(n.Body.List) - 1
		if n.Else == nil && last >= 0 && !isPanic(n.Body.List[last]) && isExit(n.Body.List[last]) {
			c.remove(n)
		}
	}
}

// inBlock reports whether the current node is a statement in a block or in a case. For a part of the
// header of a loop, if or switch statement, inBlock returns false.
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

// isExit reports whether a statement leaves the function, the loop or the current iteration of a
// loop.
func isExit(s ast.Stmt) bool {
	switch s.(type) {
	case *ast.ReturnStmt, *ast.BranchStmt:
		return true
	}
	return false
}

// invertChoices swaps true and false, and negates a boolean result that is a name or a call.
func (c *collector) invertChoices(n ast.Node) {
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

// opposites maps the name of a function to the name of a similar function that people can confuse
// with it.
var opposites = map[string]string{
	"Max": "Min", "Min": "Max", "MaxIdx": "MinIdx", "MinIdx": "MaxIdx", "max": "min", "min": "max",
	"Erf": "Erfc", "Erfc": "Erf", "Sin": "Cos", "Cos": "Sin",
}

// droppable contains functions of package math that learners sometimes forget. Therefore
// changeFunctions can replace a call of such a function with the argument of the call.
var droppable = map[string]bool{
	"Sqrt": true, "Cbrt": true, "Log": true, "Log1p": true, "Exp": true, "Expm1": true, "Abs": true, "Tanh": true,
	"Erf": true, "Erfc": true,
}

// changeFunctions replaces a function with its opposite (see opposites), replaces a call of a function
// in `droppable` with the argument of the call, or changes a float constant of package math.
func (c *collector) changeFunctions(n ast.Node) {
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

// shortenLoops changes a range loop over an integer or a slice so that the first or the last iteration
// is missing. It also replaces a call len(x) with len(x)-1.
func (c *collector) shortenLoops(n ast.Node) {
	switch n := n.(type) {
	case *ast.RangeStmt:
		switch c.info.Types[n.X].Type.Underlying().(type) {
		case *types.Basic:
			if !c.isInteger(n.X) {
				break
			}
			c.change(n.X.Pos(), n.X.End(), c.source(n.X)+"-1")
			if n.Key != nil && n.Tok == token.DEFINE {
				c.skipFirst(n, c.source(n.X))
			}
		case *types.Slice:
			switch n.X.(type) {
			case *ast.Ident, *ast.SelectorExpr, *ast.IndexExpr:
				x := c.source(n.X)
				c.change(n.X.Pos(), n.X.End(), x+"[:len("+x+")-1]")
				if n.Value != nil {
					c.change(n.X.Pos(), n.X.End(), x+"[1:]")
				} else if n.Tok == token.DEFINE {
					c.skipFirst(n, "len("+x+")")
				}
			}
		}
	case *ast.CallExpr:
		// Do not reduce a length that is an argument of a builtin, because a smaller length in make,
		// for example, can only cause a crash. In a conversion such as float64(len(x)), changeNumbers
		// already reduces the length.
		if outer, ok := c.parent().(*ast.CallExpr); ok && (c.isBuiltin(outer) || c.isConversion(outer)) {
			break
		}
		if _, name := c.callee(n); name == "len" && c.isBuiltin(n) {
			c.replace(n, c.source(n)+"-1")
		}
	}
}

// skipFirst changes a range loop over 0 … n−1 to a loop over 1 … n−1.
func (c *collector) skipFirst(loop *ast.RangeStmt, n string) {
	i := c.source(loop.Key)
	c.change(loop.For, loop.Body.Lbrace, "for "+i+" := 1; "+i+" < "+n+"; "+i+"++ ")
}

// untransposed contains the functions whose arguments transposeArguments does not transpose. For some
// of these functions, such as Det, a transposed argument does not change the result. The others, such
// as Add, treat both arguments alike.
var untransposed = map[string]bool{
	"Norm": true, "Sum": true, "Det": true, "Trace": true, "Dot": true,
	"Add": true, "AddTo": true, "MulElem": true, "AddVec": true, "AddSym": true,
}

// ordered contains the functions whose last two arguments have different meanings. changeShapes
// swaps these two arguments.
var ordered = map[string]bool{
	"Sub": true, "SubTo": true, "SubVec": true, "SubSym": true, "Div": true, "DivTo": true, "DivElem": true,
	"Mul": true, "Stack": true, "Augment": true, "Pow": true, "Atan2": true, "Copysign": true,
}

// changeShapes transposes a matrix, removes a transposition, or swaps two indices, arguments or
// results.
func (c *collector) changeShapes(n ast.Node) {
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
		case method != nil && (name == "At" || name == "Set") && len(n.Args) >= 2 && c.isMatrix(method.X) &&
			!c.isSymmetric(method.X):
			c.swap(n.Args[0], n.Args[1])
			return
		case ordered[name] && len(n.Args) >= 2:
			c.swap(n.Args[len(n.Args)-2], n.Args[len(n.Args)-1])
		}
		c.transposeArguments(n, name)
	}
}

// transposeArguments appends .T() to an argument that is a matrix, if the parameter's type is an
// interface such as mat.Matrix. It skips vectors, because the call would only crash, and symmetric
// matrices, because they equal their transposes. It also skips arguments that already end in .T().
func (c *collector) transposeArguments(call *ast.CallExpr, name string) {
	if untransposed[name] {
		return
	}
	params := c.signature(call).Params()
	for i, arg := range call.Args {
		if i >= params.Len() || !types.IsInterface(params.At(i).Type()) || !c.isMatrix(arg) || c.isVector(arg) ||
			c.isSymmetric(arg) {
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

// swap adds an edit that swaps the expressions a and b, unless their texts are equal. In the source, a
// must be before b.
func (c *collector) swap(a, b ast.Expr) {
	between := c.text.Source[c.offset(a.End()):c.offset(b.Pos())]
	if c.source(a) != c.source(b) {
		c.change(a.Pos(), b.End(), c.source(b)+between+c.source(a))
	}
}
