package judge

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// A Call is one call of a learner's function. It passes copies of the arguments to the function and
// detects changes to these copies. It converts the results to numbers. If a result has a wrong
// length or shape, or contains an entry that is not finite, it records a verdict on the form of the
// result.
type Call struct {
	hint  int
	label string // name of the problem, for messages
	views bool   // whether Dense returns a part of a larger matrix
	names []string
	same  []func() bool
	spoil []func()        // one function per argument; it overwrites the argument
	bad   *verify.Verdict // the verdict on the first result of wrong form, or nil
	kept  []func() bool   // one function per result; it reports whether the result is unchanged
}

// NewCall returns a Call for a part that does not use a Question. The argument `label` is the name
// of the problem in messages. The argument `hint` is the number of the hint about the form of the
// results. If `views` is set, the method Dense returns parts of larger matrices.
func NewCall(label string, hint int, views bool) *Call {
	return &Call{label: label, hint: hint, views: views}
}

// Verdict returns the verdict on the first argument that the function changed. If no argument was
// changed, it returns the verdict on the form of the results, or nil if the form is right.
func (c *Call) Verdict() *verify.Verdict {
	if bad := c.changedArgument(); bad != nil {
		return bad
	}
	return c.bad
}

// Kept reports whether the results are unchanged since the function returned them.
func (c *Call) Kept() bool {
	return !slices.ContainsFunc(c.kept, func(kept func() bool) bool { return !kept() })
}

// sharedArgument returns the name of an argument that shares its memory with a result, or "". It
// overwrites the arguments, so it must be the last method called for this Call.
func (c *Call) sharedArgument() string {
	for i, spoil := range c.spoil {
		if spoil(); !c.Kept() {
			return c.names[i]
		}
	}
	return ""
}

func (c *Call) watch(name string, same func() bool, spoil func()) {
	c.names, c.same, c.spoil = append(c.names, name), append(c.same, same), append(c.spoil, spoil)
}

// Ints returns a copy of v for the learner's function. The Call later detects whether the function
// has changed this copy. In messages, `name` is the name of the argument. Slice, Dense and Sym do
// the same for arguments of other types.
func (c *Call) Ints(name string, v []int) []int {
	out := slices.Clone(v)
	c.watch(name, func() bool { return slices.Equal(out, v) }, func() { clear(out) })
	return out
}

func (c *Call) Slice(name string, v []float64) []float64 {
	out := slices.Clone(v)
	c.watch(name, func() bool { return equal(out, v) }, func() { floats.AddConst(math.Inf(1), out) })
	return out
}

// Dense returns a copy of m. If the Call was made with views, the copy is the middle of a larger
// matrix, whose other entries are NaN.
func (c *Call) Dense(name string, m *mat.Dense) *mat.Dense {
	out := mat.DenseCopyOf(m)
	if c.views {
		r, k := m.Dims()
		frame := mat.NewDense(r+2, k+2, nil)
		frame.Apply(func(int, int, float64) float64 { return math.NaN() }, frame)
		out = frame.Slice(1, r+1, 1, k+1).(*mat.Dense)
		out.Copy(m)
	}
	c.watch(name, func() bool { return equal(entries(out), entries(m)) }, func() { out.Scale(math.NaN(), out) })
	return out
}

func (c *Call) Sym(name string, m *mat.SymDense) *mat.SymDense {
	out := mat.NewSymDense(m.SymmetricDim(), nil)
	out.CopySym(m)
	c.watch(name, func() bool { return equal(entries(out), entries(m)) }, func() { out.ScaleSym(math.NaN(), out) })
	return out
}

// changedArgument returns the verdict on the first argument that the learner's function changed, or
// nil if all arguments are unchanged.
func (c *Call) changedArgument() *verify.Verdict {
	for i, same := range c.same {
		if !same() {
			return Fail("mutates-inputs", c.hint,
				"Your function changed its argument %s, which is shared with the caller: work on a copy, or write the result into a new slice or matrix.", c.names[i])
		}
	}
	return nil
}

// Vector returns a copy of the result v, which must have n entries. In messages, the text `per`
// says what each entry stands for, such as "class". If the form of v is wrong, Vector returns nil
// and records a verdict.
func (c *Call) Vector(name string, v []float64, n int, per string) []float64 {
	switch {
	case len(v) == 0 && n > 0:
		return c.malformed("empty", "Your %s is empty: want one entry per %s.", name, per)
	case len(v) != n:
		return c.malformed("wrong-length", "For %s your %s has %s, want one entry per %s, here %d.", c.label, name,
			count(len(v), "entry", "entries"), per, n)
	}
	for i, x := range v {
		if !finite(x) {
			return c.malformed("not-finite", "For %s, entry %d of your %s is %g. %s", c.label, i, name, x, notFinite)
		}
	}
	return c.watchResult(func() []float64 { return slices.Clone(v) })
}

const notFinite = "Look for a division by zero, a logarithm of 0, or a number that grows too large on the way."

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// watchResult returns the numbers of a result. The Call can later detect whether the result has
// changed (see Kept).
func (c *Call) watchResult(now func() []float64) []float64 {
	then := now()
	c.kept = append(c.kept, func() bool { return equal(now(), then) })
	return slices.Clone(then)
}

// Matrix returns the entries of the result m, row by row. The result must be an r×k matrix. In
// messages, the text `shape` describes this size, for example as "D×K". If the form of m is wrong,
// Matrix returns nil and records a verdict.
func (c *Call) Matrix(name string, m *mat.Dense, r, k int, shape string) []float64 {
	if m == nil {
		return c.matrix(name, nil, r, k, shape)
	}
	return c.matrix(name, m, r, k, shape)
}

// Symmetric is like Matrix, for an n×n matrix of type *mat.SymDense.
func (c *Call) Symmetric(name string, m *mat.SymDense, n int, shape string) []float64 {
	if m == nil {
		return c.matrix(name, nil, n, n, shape)
	}
	return c.matrix(name, m, n, n, shape)
}

func (c *Call) matrix(name string, m mat.Matrix, r, k int, shape string) []float64 {
	gr, gk := 0, 0
	if m != nil {
		gr, gk = m.Dims()
	}
	switch {
	case gr*gk == 0 && r*k > 0:
		return c.malformed("empty", "You returned nil or an empty matrix for %s: want a new %s matrix.", name, shape)
	case gr != r || gk != k:
		return c.malformed("wrong-shape", "For %s your %s is a %d×%d matrix, want %s, here %d×%d.", c.label, name, gr,
			gk, shape, r, k)
	}
	for i := range r {
		for j := range k {
			if x := m.At(i, j); !finite(x) {
				return c.malformed("not-finite", "For %s, the entry of %s in row %d, column %d is %g. %s", c.label, name,
					i, j, x, notFinite)
			}
		}
	}
	return c.watchResult(func() []float64 { return entries(m) })
}

// Say records the verdict v on the form of a result. It keeps only the first verdict that is not
// nil.
func (c *Call) Say(v *verify.Verdict) {
	if c.bad == nil {
		c.bad = v
	}
}

func (c *Call) malformed(key, format string, args ...any) []float64 {
	c.Say(Fail(key, c.hint, format, args...))
	return nil
}

func entries(m mat.Matrix) []float64 {
	r, k := m.Dims()
	out := make([]float64, 0, r*k)
	for i := range r {
		for j := range k {
			out = append(out, m.At(i, j))
		}
	}
	return out
}

// equal reports whether the slices a and b contain the same numbers. NaN equals NaN.
func equal(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool { return x == y || math.IsNaN(x) && math.IsNaN(y) })
}

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// Fail returns a pointer to the verdict that verify.Fail returns. It is for functions that return
// nil if they find no fault.
func Fail(key string, hint int, format string, args ...any) *verify.Verdict {
	v := verify.Fail(key, hint, format, args...)
	return &v
}

// FailIf returns the result of Fail if `wrong` is true, and nil otherwise.
func FailIf(wrong bool, key string, hint int, format string, args ...any) *verify.Verdict {
	if !wrong {
		return nil
	}
	return Fail(key, hint, format, args...)
}
