package grading

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"reflect"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify/remote"
)

// A relation describes a possible origin of the wrong results of a function. Either the function
// returned the right results with one change, such as a wrong sign, or it returned the right results
// for changed arguments.
type relation struct {
	text string // description of the wrong results; a message puts it after the function's name and " returned "
	cost int    // if several relations match, describeRelation reports the relation with the smallest cost
	// The relation changes the arguments with `args` and the right results with `results`. Each
	// function returns the changed values, or nil if it cannot make the change. If `args` or
	// `results` is nil, the relation leaves the arguments or the right results unchanged.
	results func(right []reflect.Value) []reflect.Value
	args    func(in []reflect.Value) (out []reflect.Value)
}

// An observedCall is one call of the learner's function: the arguments, the learner's results and
// the right results.
type observedCall struct {
	in, got, right []reflect.Value
}

// These constants decide when describeRelation reports a relation. The relation must match all calls,
// and at least minDifferences distinct results of the learner must differ from the right results. Two
// numbers count as equal if their relative difference is at most equalTolerance, and as different if it
// exceeds distinctTolerance. See agree and differ for numbers near 0.
const (
	equalTolerance    = 1e-6
	distinctTolerance = 1e-3
	minDifferences    = 3
)

// describeRelation describes how the results of a function are related to the right results, in all
// calls of the function. `params` contains the names of the function's parameters, and `recorded`
// contains the calls. describeRelation returns "" if it finds no relation, or if the relation with
// the smallest cost is not unique. The function `right` returns the right results for given
// arguments, or nil if it cannot compute them. If a recorded call panicked, if `right` returns nil for
// the arguments of a recorded call, or if ctx ends, describeRelation also returns "".
func describeRelation(ctx context.Context, name string, params []string, recorded []remote.RecordedCall,
	right func(in []reflect.Value) []reflect.Value) string {
	var calls []observedCall
	for _, q := range recorded {
		o := observedCall{q.In, q.Out, right(q.In)}
		if o.got == nil || o.right == nil {
			return ""
		}
		calls = append(calls, o)
	}
	if len(calls) < minDifferences {
		return ""
	}
	// Put the call with the most numbers first, because a relation that does not match usually
	// fails in this call.
	slices.SortStableFunc(calls,
		func(a, b observedCall) int { return cmp.Compare(len(numbersIn(b.got)), len(numbersIn(a.got))) })
	best := relation{cost: math.MaxInt}
	for _, r := range relations(params, calls) {
		if ctx.Err() != nil {
			return ""
		}
		if r.cost > best.cost || !r.predictsAll(ctx, calls, right) {
			continue
		}
		if r.cost == best.cost && r.text != best.text {
			r.text = "" // two relations match equally well, so report neither of them
		}
		best = r
	}
	if best.text == "" {
		return ""
	}
	return name + " returned " + best.text
}

// predictsAll reports whether the relation predicts the results of every call. It also requires
// that at least minDifferences distinct results of the learner differ from the right results.
func (r relation) predictsAll(ctx context.Context, calls []observedCall,
	right func(in []reflect.Value) []reflect.Value) bool {
	distinctWrong := map[string]bool{}
	for _, o := range calls {
		if ctx.Err() != nil {
			return false
		}
		predicted := o.right
		if r.args != nil {
			in := r.args(o.in)
			if in == nil {
				return false
			}
			predicted = right(in)
		}
		if r.results != nil && predicted != nil {
			predicted = r.results(predicted)
		}
		if predicted == nil || !agree(o.got, predicted) {
			return false
		}
		if differ(predicted, o.right) {
			distinctWrong[fmt.Sprint(numbersIn(o.got))] = true
		}
	}
	return len(distinctWrong) >= minDifferences
}

// agree reports whether two lists of results are equal, number by number. Two numbers x and y count
// as equal if they differ by at most equalTolerance·max(|x|, |y|) + 1e-10·s. Here s is the largest
// finite absolute value in the two results to which x and y belong. Two NaNs also count as equal.
// Matrices must have the same dimensions. Results that contain no float64 numbers must be deeply equal.
func agree(a, b []reflect.Value) bool {
	return slices.EqualFunc(a, b, func(a, b reflect.Value) bool {
		x, okX := numbersOf(a)
		y, okY := numbersOf(b)
		if !okX || !okY {
			return okX == okY && reflect.DeepEqual(a.Interface(), b.Interface())
		}
		if shapeOf(a) != shapeOf(b) {
			return false
		}
		size := math.Max(largest(x), largest(y))
		return slices.EqualFunc(x, y, func(u, v float64) bool {
			return u == v || math.IsNaN(u) && math.IsNaN(v) ||
				math.Abs(u-v) <= equalTolerance*math.Max(math.Abs(u), math.Abs(v))+1e-10*size
		})
	})
}

// differ reports whether at least one number x in the first list differs clearly from the
// corresponding number y in the second list: by more than distinctTolerance·max(|x|, |y|) and by more
// than 1e-6·s. Here s is the largest finite absolute value in either list. Lists with different counts
// of numbers also differ.
func differ(a, b []reflect.Value) bool {
	x, y := numbersIn(a), numbersIn(b)
	if len(x) != len(y) {
		return true
	}
	size := math.Max(largest(x), largest(y))
	for i := range x {
		if d := math.Abs(x[i] - y[i]); d > distinctTolerance*math.Max(math.Abs(x[i]), math.Abs(y[i])) && d > 1e-6*size {
			return true
		}
	}
	return false
}

func largest(v []float64) (size float64) {
	for _, x := range v {
		if !math.IsInf(x, 0) && !math.IsNaN(x) {
			size = math.Max(size, math.Abs(x))
		}
	}
	return size
}

// numbersOf returns the float64 numbers in a value. The result `ok` is as in mapNumbers.
func numbersOf(v reflect.Value) (list []float64, ok bool) {
	_, ok = mapNumbers(v, func(x float64) float64 { list = append(list, x); return x })
	return list, ok
}

func numbersIn(values []reflect.Value) (list []float64) {
	for _, v := range values {
		n, _ := numbersOf(v)
		list = append(list, n...)
	}
	return list
}

func shapeOf(v reflect.Value) string {
	if m, ok := v.Interface().(mat.Matrix); ok && !v.IsNil() {
		r, c := m.Dims()
		return fmt.Sprint(r, c)
	}
	return ""
}

// mapNumbers applies f to each number in a value and returns the results as a new value of the same
// shape. `ok` is false for nil, for an empty matrix, and for all types other than float64, []float64,
// *mat.Dense and *mat.SymDense.
func mapNumbers(v reflect.Value, f func(float64) float64) (out reflect.Value, ok bool) {
	switch x := v.Interface().(type) {
	case float64:
		return reflect.ValueOf(f(x)), true
	case []float64:
		n := slices.Clone(x)
		for i := range n {
			n[i] = f(n[i])
		}
		return reflect.ValueOf(n), x != nil
	case *mat.Dense:
		if x == nil || x.IsEmpty() {
			return v, false
		}
		m := mat.DenseCopyOf(x)
		m.Apply(func(_, _ int, v float64) float64 { return f(v) }, m)
		return reflect.ValueOf(m), true
	case *mat.SymDense:
		if x == nil || x.IsEmpty() {
			return v, false
		}
		m := mat.NewSymDense(x.SymmetricDim(), nil)
		for i := range x.SymmetricDim() {
			for j := i; j < x.SymmetricDim(); j++ {
				m.SetSym(i, j, f(x.At(i, j)))
			}
		}
		return reflect.ValueOf(m), true
	}
	return v, false
}

// rearrange returns a copy of a vector, a list of labels or a matrix, in which parts of v are
// rearranged or left out. The parts are the entries of a vector or of a list of labels, and the rows of
// a matrix. If `columns` is true, they are the columns of a matrix. Part i of the copy is the part of v
// with the index order(n)[i], where n is the number of parts of v. The result `ok` is false if v has a
// different type or fewer than two parts, or if `columns` is true and v is not a matrix.
func rearrange(v reflect.Value, columns bool, order func(n int) []int) (out reflect.Value, ok bool) {
	switch x := v.Interface().(type) {
	case []float64:
		return reflect.ValueOf(pick(x, order(len(x)))), !columns && len(x) > 1
	case []int:
		return reflect.ValueOf(pick(x, order(len(x)))), !columns && len(x) > 1
	case *mat.Dense:
		if x == nil || x.IsEmpty() {
			return v, false
		}
		var m mat.Dense
		if m.CloneFrom(x); columns {
			m.CloneFrom(x.T())
		}
		n, k := m.Dims()
		list := order(n)
		if n < 2 || len(list) == 0 {
			return v, false
		}
		out := mat.NewDense(len(list), k, nil)
		for i, from := range list {
			out.SetRow(i, m.RawRowView(from))
		}
		if columns {
			out = mat.DenseCopyOf(out.T())
		}
		return reflect.ValueOf(out), true
	}
	return v, false
}

func pick[T any](v []T, order []int) []T {
	out := make([]T, len(order))
	for i, from := range order {
		out[i] = v[from]
	}
	return out
}

func indices(n int, f func(i int) int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = f(i)
	}
	return list
}

func backwards(n int) []int    { return indices(n, func(i int) int { return n - 1 - i }) }
func shiftedDown(n int) []int  { return indices(n, func(i int) int { return (i + n - 1) % n }) }
func shiftedUp(n int) []int    { return indices(n, func(i int) int { return (i + 1) % n }) }
func withoutFirst(n int) []int { return indices(max(n-1, 0), func(i int) int { return i + 1 }) }
func withoutLast(n int) []int  { return indices(max(n-1, 0), func(i int) int { return i }) }

// unaries lists functions that change each number of a result separately, and a text about each
// function. The text must not tell the learner which constant is missing in the learner's formula.
var unaries = []struct {
	text string
	cost int
	f    func(float64) float64
}{
	{"minus the right result", 1, func(v float64) float64 { return -v }},
	{"twice the right result", 1, func(v float64) float64 { return 2 * v }},
	{"half the right result", 1, func(v float64) float64 { return v / 2 }},
	{"minus twice the right result", 2, func(v float64) float64 { return -2 * v }},
	{"minus half the right result", 2, func(v float64) float64 { return -v / 2 }},
	{"four times the right result", 2, func(v float64) float64 { return 4 * v }},
	{"a quarter of the right result", 2, func(v float64) float64 { return v / 4 }},
	{"the reciprocal of the right result", 1, func(v float64) float64 { return 1 / v }},
	{"the square of the right result", 1, func(v float64) float64 { return v * v }},
	{"the square root of the right result", 1, math.Sqrt},
	{"the logarithm of the right result", 1, math.Log},
	{"the exponential of the right result", 1, math.Exp},
	{"1 minus the right result", 1, func(v float64) float64 { return 1 - v }},
	{"the right result plus 1", 1, func(v float64) float64 { return v + 1 }},
	{"the right result minus 1", 1, func(v float64) float64 { return v - 1 }},
	{"the right result in percent", 2, func(v float64) float64 { return 100 * v }},
	{"the right result rounded to a whole number", 1, math.Round},
	{"the right result without its sign", 1, math.Abs},
}

// placings lists functions that rearrange the numbers in the right result or normalise them, and a
// text about each function.
var placings = []struct {
	text string
	f    func(v reflect.Value) (reflect.Value, bool)
}{
	{"the transpose of the right matrix", func(v reflect.Value) (reflect.Value, bool) {
		m, ok := v.Interface().(*mat.Dense)
		if !ok || m == nil || m.IsEmpty() {
			return v, false
		}
		return reflect.ValueOf(mat.DenseCopyOf(m.T())), true
	}},
	{"the right rows or entries in reverse order",
		func(v reflect.Value) (reflect.Value, bool) { return rearrange(v, false, backwards) }},
	{"the right columns in reverse order",
		func(v reflect.Value) (reflect.Value, bool) { return rearrange(v, true, backwards) }},
	{"the right rows or entries moved down by one place, with the last one at the top",
		func(v reflect.Value) (reflect.Value, bool) { return rearrange(v, false, shiftedDown) }},
	{"the right rows or entries moved up by one place, with the first one at the bottom",
		func(v reflect.Value) (reflect.Value, bool) { return rearrange(v, false, shiftedUp) }},
	{"the right result divided by its sum", normed(floats.Sum)},
	{"the right result divided by its Euclidean norm", normed(func(v []float64) float64 { return floats.Norm(v, 2) })},
}

func normed(size func([]float64) float64) func(v reflect.Value) (reflect.Value, bool) {
	return func(v reflect.Value) (reflect.Value, bool) {
		n, ok := numbersOf(v)
		if !ok || len(n) < 2 {
			return v, false
		}
		s := size(n)
		return mapNumbers(v, func(x float64) float64 { return x / s })
	}
}

// relations lists all relations to try. If a function returns several results, a relation that changes
// the results changes all of them in the same way.
func relations(params []string, calls []observedCall) (list []relation) {
	results := func(text string, cost int, f func(v reflect.Value) (reflect.Value, bool)) {
		list = append(list, relation{text: text, cost: cost, results: func(right []reflect.Value) []reflect.Value {
			out := make([]reflect.Value, len(right))
			for i, v := range right {
				ok := false
				if out[i], ok = f(v); !ok {
					return nil
				}
			}
			return out
		}})
	}
	for _, u := range unaries {
		results(u.text, u.cost, func(v reflect.Value) (reflect.Value, bool) { return mapNumbers(v, u.f) })
	}
	for _, p := range placings {
		results(p.text, 2, p.f)
	}
	first := calls[0].in
	for i, name := range params {
		one := func(text string, cost int, f func(v reflect.Value) (reflect.Value, bool)) {
			list = append(list,
				relation{text: "the right result for " + text, cost: 3 + cost,
					args: func(in []reflect.Value) []reflect.Value {
						out := slices.Clone(in)
						var ok bool
						if out[i], ok = f(in[i]); !ok {
							return nil
						}
						return out
					}})
		}
		for _, c := range argumentChanges(name, i, calls) {
			one(c.text, c.cost, c.f)
		}
		for j := range i {
			if first[i].Type() != first[j].Type() {
				continue
			}
			pair := func(text string, cost, a, b int) {
				list = append(list,
					relation{text: "the right result for " + text, cost: 3 + cost,
						args: func(in []reflect.Value) []reflect.Value {
							out := slices.Clone(in)
							out[j], out[i] = in[a], in[b]
							return out
						}})
			}
			pair(params[j]+" and "+name+" exchanged", 0, i, j)
			pair(params[j]+" instead of "+name, 0, j, j)
			pair(name+" instead of "+params[j], 0, i, i)
		}
	}
	return append(list, rowsLeftOut(calls)...)
}

// An argumentChange is one change to an argument: its description, its cost and the function f that
// makes the change. The second result of f is false if f cannot change the argument.
type argumentChange struct {
	text string
	cost int
	f    func(v reflect.Value) (reflect.Value, bool)
}

// argumentChanges lists the changes to try for the argument with the index i. `name` is the name of
// its parameter.
func argumentChanges(name string, i int, calls []observedCall) (list []argumentChange) {
	within := func(low, high float64) bool {
		return !slices.ContainsFunc(calls, func(o observedCall) bool {
			n, ok := numbersOf(o.in[i])
			return !ok || slices.ContainsFunc(n, func(x float64) bool { return x < low || x > high })
		})
	}
	number := func(text string, cost int, f func(float64) float64) {
		list = append(list, argumentChange{text, cost, func(v reflect.Value) (reflect.Value, bool) {
			return mapNumbers(v, f)
		}})
	}
	whole := func(text string, f func(v reflect.Value) (reflect.Value, bool)) {
		list = append(list, argumentChange{text, 0, f})
	}
	switch calls[0].in[i].Interface().(type) {
	case int:
		plus := func(by int) func(v reflect.Value) (reflect.Value, bool) {
			return func(v reflect.Value) (reflect.Value, bool) { return reflect.ValueOf(int(v.Int()) + by), true }
		}
		whole(name+" too large by 1", plus(1))
		whole(name+" too small by 1", plus(-1))
	case []int:
		whole(name+" counted from 1", func(v reflect.Value) (reflect.Value, bool) {
			return reflect.ValueOf(indices(v.Len(), func(k int) int { return int(v.Index(k).Int()) - 1 })), true
		})
		whole("the classes of "+name+" in reverse order", func(v reflect.Value) (reflect.Value, bool) {
			labels := v.Interface().([]int)
			if len(labels) == 0 {
				return v, false
			}
			top := slices.Max(labels)
			return reflect.ValueOf(indices(len(labels), func(k int) int { return top - labels[k] })), true
		})
	case float64, []float64, *mat.Dense, *mat.SymDense:
		number("−"+name+" instead of "+name, 0, func(x float64) float64 { return -x })
		number("the square of "+name+" instead of "+name, 0, func(x float64) float64 { return x * x })
		number("zeros instead of "+name, 0, func(float64) float64 { return 0 })
		number("twice "+name+" instead of "+name, 2, func(x float64) float64 { return 2 * x })
		number("half "+name+" instead of "+name, 2, func(x float64) float64 { return x / 2 })
		if within(0, 1) {
			number("1 − "+name+" instead of "+name, 0, func(x float64) float64 { return 1 - x })
		}
		if within(0, math.Inf(1)) {
			number("the square root of "+name+" instead of "+name, 0, math.Sqrt)
		}
		if _, ok := calls[0].in[i].Interface().(float64); ok {
			number("1/"+name+" instead of "+name, 0, func(x float64) float64 { return 1 / x })
			number("1 instead of "+name, 1, func(float64) float64 { return 1 })
		}
	}
	switch calls[0].in[i].Interface().(type) {
	case []float64, *mat.Dense:
		for _, order := range []struct {
			text string
			f    func(int) []int
		}{{"in reverse order", backwards}, {"one place too late", shiftedDown}, {"one place too early", shiftedUp}} {
			whole("the rows or entries of "+name+" "+order.text,
				func(v reflect.Value) (reflect.Value, bool) { return rearrange(v, false, order.f) })
			whole("the columns of "+name+" "+order.text,
				func(v reflect.Value) (reflect.Value, bool) { return rearrange(v, true, order.f) })
		}
	}
	switch calls[0].in[i].Interface().(type) {
	case *mat.Dense:
		whole(name+" transposed", placings[0].f)
	case *mat.SymDense:
		whole("the diagonal of "+name+" alone", func(v reflect.Value) (reflect.Value, bool) {
			return symmetric(v, func(m *mat.Dense) bool {
				m.Apply(func(i, j int, x float64) float64 {
					if i != j {
						return 0
					}
					return x
				}, m)
				return true
			})
		})
		whole("the identity instead of "+name, func(v reflect.Value) (reflect.Value, bool) {
			return symmetric(v, func(m *mat.Dense) bool {
				m.Apply(func(i, j int, _ float64) float64 { return float64(1 - min(1, max(i-j, j-i))) }, m)
				return true
			})
		})
		whole("the inverse of "+name+" instead of "+name, func(v reflect.Value) (reflect.Value, bool) {
			return symmetric(v, func(m *mat.Dense) bool { return m.Inverse(m) == nil })
		})
	}
	return list
}

func symmetric(v reflect.Value, f func(m *mat.Dense) bool) (reflect.Value, bool) {
	s := v.Interface().(*mat.SymDense)
	if s == nil || s.IsEmpty() {
		return v, false
	}
	m := mat.DenseCopyOf(s)
	if !f(m) {
		return v, false
	}
	n := s.SymmetricDim()
	return reflect.ValueOf(mat.NewSymDense(n, m.RawMatrix().Data)), true
}

// rowsLeftOut returns the relations in which the learner's function ignores the first or the last
// row of the data. Such a relation removes the row from each argument that has as many rows or
// entries as the longest matrix. It does not match if there are fewer than two such arguments, or if
// the longest matrix has fewer than two rows.
func rowsLeftOut(calls []observedCall) (list []relation) {
	for _, r := range []struct {
		text  string
		order func(int) []int
	}{{"the data without their first row", withoutFirst}, {"the data without their last row", withoutLast}} {
		list = append(list,
			relation{text: "the right result for " + r.text, cost: 3, args: func(in []reflect.Value) []reflect.Value {
				n := 0
				for _, v := range in {
					if m, ok := v.Interface().(*mat.Dense); ok && m != nil {
						rows, _ := m.Dims()
						n = max(n, rows)
					}
				}
				out, changed := slices.Clone(in), 0
				for i, v := range in {
					rows := -1
					switch x := v.Interface().(type) {
					case *mat.Dense:
						if x != nil {
							rows, _ = x.Dims()
						}
					case []float64:
						rows = len(x)
					case []int:
						rows = len(x)
					}
					if rows == n {
						if w, ok := rearrange(v, false, r.order); ok {
							out[i], changed = w, changed+1
						}
					}
				}
				if n < 2 || changed < 2 {
					return nil
				}
				return out
			}})
	}
	return list
}

// relationOf describes the relation between the learner's results and the right results in the calls
// of a part. It returns "" if it finds no relation. `recording` is the connection that recorded the calls,
// or nil if there were no calls.
func (d *diagnosis) relationOf(ctx context.Context, recording *remote.Conn) string {
	if recording == nil {
		return ""
	}
	all, err := recording.RecordedCalls()
	if err != nil || len(all) == 0 {
		return ""
	}
	function := all[0].Function
	if slices.ContainsFunc(all, func(q remote.RecordedCall) bool { return q.Function != function }) ||
		function >= len(d.exercise.Answer.Functions) {
		return "" // if a part calls several functions, relationOf cannot tell which of them is wrong
	}
	name := d.exercise.Answer.Functions[function]
	if d.reference[name] == "" {
		return ""
	}
	s := d.session
	s.Context, s.recordings = ctx, map[int]*remote.Conn{}
	defer s.Close()
	defer context.AfterFunc(ctx, s.Close)()
	number := slices.Index(d.functions, d.reference[name])
	right := func(in []reflect.Value) (out []reflect.Value) {
		defer func() {
			if recover() != nil {
				out = nil
			}
		}()
		if !allFinite(in) {
			return nil
		}
		conn, err := s.ensureConn()
		if err != nil {
			return nil
		}
		return conn.Function(number, all[0].Type).Call(in)
	}
	return describeRelation(ctx, name, d.parameterNames(name), all, right)
}

// allFinite reports whether all numbers are finite. The reference answer must not be called with
// NaN or infinity, because the call might never return.
func allFinite(in []reflect.Value) bool {
	return !slices.ContainsFunc(numbersIn(in), func(x float64) bool { return math.IsNaN(x) || math.IsInf(x, 0) })
}

// parameterNames returns the names of the parameters that a function has in the stub.
func (d *diagnosis) parameterNames(function string) (names []string) {
	stub, err := readStub(d.exercise)
	if err != nil || stub.functions[function] == nil {
		return nil
	}
	for _, f := range stub.functions[function].Type.Params.List {
		for _, id := range f.Names {
			names = append(names, id.Name)
		}
	}
	return names
}
