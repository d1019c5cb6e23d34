package gate

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// Known fails the test unless the check rejects each wrong answer in e.Known with the key that
// e.Known lists for this answer.
func Known(t *testing.T, e *exercises.Exercise) {
	for i, k := range e.Known {
		t.Run(fmt.Sprintf("%s #%d", k.Key, i), func(t *testing.T) { Wrong(t, e, k.Check(), k.Key) })
	}
}

// Functions calls Known, and then every function in `list`. Use Of and OfNew to make the functions of
// the list.
func Functions(t *testing.T, e *exercises.Exercise, list ...func(*testing.T, *exercises.Exercise)) {
	Known(t, e)
	for _, function := range list {
		function(t, e)
	}
}

// Of returns a function that calls Function with these arguments. Pass the returned function to
// Functions.
func Of[F any](check func(F) *verify.Report, answer F, unasked ...string) func(*testing.T, *exercises.Exercise) {
	return func(t *testing.T, e *exercises.Exercise) { Function(t, e, check, answer, unasked...) }
}

// OfNew is like Of, for a function that must return a new result from each call. The check must also
// reject versions of `answer` that reuse the memory of the first result in every later call.
func OfNew[F any](check func(F) *verify.Report, answer F) func(*testing.T, *exercises.Exercise) {
	return func(t *testing.T, e *exercises.Exercise) {
		Function(t, e, check, answer)
		f := reflect.ValueOf(answer)
		for i := range f.Type().NumOut() {
			if o := f.Type().Out(i); !isMatrix(o) && !isSlice(o) {
				continue
			}
			t.Run(fmt.Sprintf("result %d not new", i), func(t *testing.T) {
				var kept reflect.Value
				requireWrong(t, e, check(through(reflect.MakeFunc(f.Type(), func(in []reflect.Value) []reflect.Value {
					out := f.Call(in)
					switch {
					case !kept.IsValid():
						kept = out[i]
					case isSlice(kept.Type()):
						kept = reflect.AppendSlice(kept.Slice(0, 0), out[i])
					default:
						kept.Elem().Set(out[i].Elem())
					}
					out[i] = kept
					return out
				}).Interface().(F))), "not-new")
			})
		}
	}
}

// maxCalls is the largest number of times that a check may call a learner's function that has a
// matrix as an argument. The limit is needed because one such call may take 0.1 s.
const maxCalls = 350

// Function tests how a check handles a learner's function. The argument `answer` is a right version
// of this function.
//
// For a stub, at least one part of the report must be NotAttempted. For a nil function and for a
// function that panics, at least one part must be Crashed. All other parts of these reports must be
// Right. For `answer`, the check must return the same report twice. If an argument is a matrix, the
// check may call the function at most maxCalls times.
//
// Function also calls the check with versions of `answer` that change an argument, ignore the stride
// of a matrix, or spoil a result. The report on such a version must contain a Wrong part whose key
// ends in "mutates-inputs", in "views", or in the key that the table `spoiled` lists, respectively.
//
// The strings in `unasked` name tests to omit: "not-constant" for a result that the statement does not
// determine, and "calls" for a function that is so fast that the check may call it more often.
func Function[F any](t *testing.T, e *exercises.Exercise, check func(F) *verify.Report, answer F, unasked ...string) {
	f := reflect.ValueOf(answer)
	with := func(body func(in []reflect.Value) []reflect.Value) *verify.Report {
		return check(through(reflect.MakeFunc(f.Type(), body).Interface().(F)))
	}
	t.Run("stub", func(t *testing.T) {
		requireSome(t, with(func([]reflect.Value) []reflect.Value { panic(verify.TODO) }), verify.NotAttempted)
	})
	t.Run("panic", func(t *testing.T) {
		requireSome(t, with(func([]reflect.Value) []reflect.Value { panic("my own") }), verify.Crashed)
	})
	t.Run("nil", func(t *testing.T) {
		requireSome(t, check(through(reflect.Zero(f.Type()).Interface().(F))), verify.Crashed)
	})
	t.Run("same report each time", func(t *testing.T) {
		if a, b := check(through(answer)).String(), check(through(answer)).String(); a != b {
			t.Errorf("two calls of the check with the same answer returned different reports, want equal reports:\n%s\n%s", a, b)
		}
	})
	// if an argument is a matrix, each call may fit a model, so limit the number of calls
	if slices.ContainsFunc(ins(f.Type()), isDense) && !slices.Contains(unasked, "calls") {
		t.Run("calls", func(t *testing.T) {
			calls := 0
			with(func(in []reflect.Value) []reflect.Value { calls++; return f.Call(in) })
			if calls > maxCalls {
				t.Errorf("the check calls the function %d times, want at most %d: share answers (Question.Same) or call it less often", calls, maxCalls)
			}
		})
	}
	for i := range f.Type().NumIn() {
		if spoil := argumentWriter(f.Type().In(i)); spoil != nil {
			t.Run(fmt.Sprintf("writes into argument %d", i), func(t *testing.T) {
				requireWrong(t, e, with(func(in []reflect.Value) []reflect.Value {
					out := f.Call(in)
					spoil(in[i])
					return out
				}), "mutates-inputs")
			})
		}
	}
	for i, in := range ins(f.Type()) {
		if isDense(in) || in == reflect.TypeFor[[]*mat.Dense]() {
			t.Run(fmt.Sprintf("ignores the stride of argument %d", i), func(t *testing.T) {
				requireWrong(t, e, with(func(in []reflect.Value) []reflect.Value {
					in[i] = ignoreStride(in[i])
					return f.Call(in)
				}), "views")
			})
		}
	}
	for i := range f.Type().NumOut() {
		for _, s := range spoiled {
			if !s.fits(f.Type().Out(i)) || slices.Contains(unasked, s.key) {
				continue
			}
			calls := 0.0
			t.Run(fmt.Sprintf("result %d %s", i, s.name), func(t *testing.T) {
				requireWrong(t, e, with(func(in []reflect.Value) []reflect.Value {
					out := f.Call(in)
					calls++
					if !isEmptyResult(out[i]) || s.key == "empty" {
						out[i] = s.make(out[i], calls)
					}
					return out
				}), s.key)
			})
		}
	}
}

// isEmptyResult reports whether a result is nil or has no entries, such as the result of a search
// that found nothing.
func isEmptyResult(v reflect.Value) bool {
	return v.Kind() == reflect.Pointer && v.IsNil() || v.Kind() == reflect.Slice && v.Len() == 0
}

// spoiled lists the ways to spoil a result. The function `make` returns the spoiled result; its
// argument `call` is the number of the call, counted from 1. If `key` is "", the verdict may have any
// key.
var spoiled = []struct {
	name, key string
	fits      func(reflect.Type) bool
	make      func(v reflect.Value, call float64) reflect.Value
}{
	{"nil", "empty", isSlice, func(v reflect.Value, _ float64) reflect.Value { return reflect.Zero(v.Type()) }},
	{"one longer", "", isSlice, func(v reflect.Value, _ float64) reflect.Value {
		return reflect.Append(v, reflect.Zero(v.Type().Elem()))
	}},
	{"nil", "empty", isMatrix, func(v reflect.Value, _ float64) reflect.Value { return reflect.Zero(v.Type()) }},
	{"without rows", "empty", isMatrix,
		func(v reflect.Value, _ float64) reflect.Value { return reflect.New(v.Type().Elem()) }},
	{"one row more", "wrong-shape", isMatrix,
		func(v reflect.Value, _ float64) reflect.Value { return reflect.ValueOf(addRow(v.Interface())) }},
	{"not a number", "not-finite", isNumbers, changeFirst(func(v, _ float64) float64 { return math.NaN() })},
	{"infinite", "not-finite", isNumbers, changeFirst(func(v, _ float64) float64 { return math.Inf(1) })},
	{"huge", "", isNumbers, changeFirst(func(v, _ float64) float64 { return math.MaxFloat64 })},
	{"changes", "not-constant", isNumbers, changeFirst(func(v, call float64) float64 { return v + call })},
}

func isSlice(t reflect.Type) bool { return t.Kind() == reflect.Slice }
func isNumbers(t reflect.Type) bool {
	return t.Kind() == reflect.Float64 || t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Float64 || isMatrix(t)
}
func isMatrix(t reflect.Type) bool { return isDense(t) || t == reflect.TypeFor[*mat.SymDense]() }

// addRow returns a matrix with one additional row. A symmetric matrix also gets an additional
// column.
func addRow(m any) any {
	switch m := m.(type) {
	case *mat.Dense:
		return m.Grow(1, 0)
	case *mat.SymDense:
		return m.GrowSym(1)
	}
	return m
}

// changeFirst returns a function that changes the first number in a result.
func changeFirst(f func(v, call float64) float64) func(reflect.Value, float64) reflect.Value {
	return func(v reflect.Value, call float64) reflect.Value {
		if v.Kind() == reflect.Float64 {
			return reflect.ValueOf(f(v.Float(), call))
		}
		switch m := v.Interface().(type) {
		case *mat.Dense:
			out := mat.DenseCopyOf(m)
			out.Set(0, 0, f(out.At(0, 0), call))
			return reflect.ValueOf(out)
		case *mat.SymDense:
			out := mat.NewSymDense(m.SymmetricDim(), nil)
			out.CopySym(m)
			out.SetSym(0, 0, f(out.At(0, 0), call))
			return reflect.ValueOf(out)
		}
		out := append([]float64(nil), v.Interface().([]float64)...)
		if len(out) > 0 { // an empty slice, such as the result of a search that found nothing, has no number to change
			out[0] = f(out[0], call)
		}
		return reflect.ValueOf(out)
	}
}

func ins(f reflect.Type) []reflect.Type {
	list := make([]reflect.Type, f.NumIn())
	for i := range list {
		list[i] = f.In(i)
	}
	return list
}

func isDense(t reflect.Type) bool { return t == reflect.TypeFor[*mat.Dense]() }

// ignoreStride returns the matrix that code reads from the matrix v if it wrongly ignores the
// stride. If v is a part of a larger matrix, such code also reads numbers that lie between the rows
// of v. For a slice of matrices, ignoreStride returns the slice of the matrices that such code
// reads.
func ignoreStride(v reflect.Value) reflect.Value {
	if m, ok := v.Interface().(*mat.Dense); ok {
		r, k := m.Dims()
		return reflect.ValueOf(mat.NewDense(r, k, m.RawMatrix().Data[:r*k]))
	}
	out := reflect.MakeSlice(v.Type(), 0, v.Len())
	for i := range v.Len() {
		out = reflect.Append(out, ignoreStride(v.Index(i)))
	}
	return out
}

// argumentWriter returns a function that changes the first number in an argument of type t, if t is a slice of
// numbers, a matrix or a slice of matrices. For any other type argumentWriter returns nil.
func argumentWriter(t reflect.Type) func(reflect.Value) {
	switch reflect.Zero(t).Interface().(type) {
	case []float64:
		return func(v reflect.Value) { v.Interface().([]float64)[0]++ }
	case []int:
		return func(v reflect.Value) { v.Interface().([]int)[0] = -1 }
	case *mat.Dense:
		return func(v reflect.Value) { v.Interface().(*mat.Dense).Set(0, 0, math.NaN()) }
	case []*mat.Dense:
		return func(v reflect.Value) { v.Interface().([]*mat.Dense)[0].Set(0, 0, math.NaN()) }
	case *mat.SymDense:
		return func(v reflect.Value) { v.Interface().(*mat.SymDense).SetSym(0, 0, math.NaN()) }
	}
	return nil
}

// requireWrong calls Wrong with the key of the first Wrong part whose key ends in the string
// `ending`. If there is no such part, it fails the test.
func requireWrong(t *testing.T, e *exercises.Exercise, r *verify.Report, ending string) {
	t.Helper()
	for _, p := range r.Parts {
		if p.Outcome == verify.Wrong && strings.HasSuffix(p.Key, ending) {
			Wrong(t, e, r, p.Key)
			return
		}
	}
	t.Errorf("want a Wrong part whose key ends in %q, got\n%s", ending, r)
}

// requireSome fails the test unless at least one part has the outcome `want` and all other parts are
// Right.
func requireSome(t *testing.T, r *verify.Report, want verify.Outcome) {
	t.Helper()
	if n := r.Count(want); n == 0 || n+r.Count(verify.Right) != len(r.Parts) {
		t.Errorf("want the outcome %s for at least one part, and Right for all other parts; got the report\n%s", want, r)
	}
}

// Rights fails the test unless check accepts every answer.
func Rights[F any](t *testing.T, check func(F) *verify.Report, answers map[string]F) {
	for name, f := range answers {
		t.Run(name, func(t *testing.T) { Right(t, check(through(f))) })
	}
}

// Wrongs runs Wrong on every answer. The map lists the answers under the key that the verdict on them
// must have.
func Wrongs[F any](t *testing.T, e *exercises.Exercise, check func(F) *verify.Report, answers map[string][]F) {
	for key, list := range answers {
		for i, f := range list {
			t.Run(fmt.Sprintf("%s #%d", key, i), func(t *testing.T) { Wrong(t, e, check(through(f)), key) })
		}
	}
}
