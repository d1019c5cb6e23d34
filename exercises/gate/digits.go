package gate

import (
	"fmt"
	"math"
	"reflect"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// Digits tests the tolerances of a check. For each problem in turn it judges a right answer with an
// error in this problem only. The check must accept a tenth of the error that the exercise allows
// for these arguments and results. It must reject ten times the allowed error. asked computes the
// allowed error from the arguments and results. Digits therefore detects tolerances that are zero,
// or that hide real errors.
func Digits[F any](t interface {
	TB
	Cleaner
}, check func(F) *verify.Report, answer F, asked func(in, out []any) float64) {
	t.Helper()
	f, part := reflect.ValueOf(answer), 0
	verify.BeforeParts(func() { part++ })
	t.Cleanup(func() { verify.BeforeParts(nil) })
	var problems []string
	judged := func(off string, times float64) *verify.Report {
		return check(through(reflect.MakeFunc(f.Type(), func(in []reflect.Value) []reflect.Value {
			problem := text(in)
			out := f.Call(in)
			switch {
			case off == "" && part > 1 && !slices.Contains(problems, problem): // the first part checks only the form
				problems = append(problems, problem)
			case off == problem:
				last := len(out) - 1
				out[last] = moved(out[last], times*asked(anyOf(in), anyOf(out)))
			}
			return out
		}).Interface().(F)))
	}
	judged("", 0)
	for i, problem := range problems {
		if r := judged(problem, 0.1); !r.Passed() {
			t.Errorf("problem %d: an answer off by a tenth of the tolerance is rejected:\n%s", i, r)
		}
		if r := judged(problem, 10); r.Passed() {
			t.Errorf("problem %d: ten times the tolerance is accepted: %.300s", i, problem)
		}
	}
}

// Largest returns the largest absolute value of the numbers in these values.
func Largest(values ...any) (size float64) {
	for _, v := range values {
		for _, x := range numbers(v) {
			size = math.Max(size, math.Abs(x))
		}
	}
	return size
}

func numbers(v any) []float64 {
	switch v := v.(type) {
	case float64:
		return []float64{v}
	case []float64:
		return v
	case *mat.Dense:
		return mat.DenseCopyOf(v).RawMatrix().Data
	}
	return nil
}

func anyOf(list []reflect.Value) (out []any) {
	for _, v := range list {
		out = append(out, v.Interface())
	}
	return out
}

// text formats the arguments. Equal arguments have equal texts, even if a matrix is part of a
// larger one.
func text(in []reflect.Value) (s string) {
	for _, v := range anyOf(in) {
		if m, ok := v.(*mat.Dense); ok {
			r, c := m.Dims()
			s += fmt.Sprint(r, c)
			v = numbers(m)
		}
		s += fmt.Sprintln(v)
	}
	return s
}

// moved returns a copy of a result, with `by` added to its middle entry.
func moved(v reflect.Value, by float64) reflect.Value {
	switch m := v.Interface().(type) {
	case float64:
		return reflect.ValueOf(m + by)
	case *mat.Dense:
		out := mat.DenseCopyOf(m)
		r, c := out.Dims()
		out.Set(r/2, c/2, out.At(r/2, c/2)+by)
		return reflect.ValueOf(out)
	}
	out := slices.Clone(v.Interface().([]float64))
	out[len(out)/2] += by
	return reflect.ValueOf(out)
}
