package figures

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"
)

// withDefaults returns the options o, with zero values replaced by the defaults in their tags. If an
// option is outside the range in its tag, withDefaults stops drawing the figure, and the error of
// the figure states the range. This is a field with a tag:
//
//	Rate float64 `default:"0.3" range:"0..1e6"`
//
// A default in a tag is a JSON value. A tag cannot express a default that depends on other options,
// so an options type with such a default has a method withDefaults that sets this default.
func withDefaults[O any](o O) O {
	if own, ok := any(o).(interface{ withDefaults() O }); ok {
		o = own.withDefaults()
	}
	fill(reflect.ValueOf(&o).Elem())
	return o
}

func fill(options reflect.Value) {
	for i := range options.NumField() {
		f, field := options.Field(i), options.Type().Field(i)
		if field.Anonymous {
			fill(f)
			continue
		}
		if text, ok := field.Tag.Lookup("default"); ok && f.IsZero() {
			check(json.Unmarshal([]byte(text), f.Addr().Interface()))
		}
		if text, ok := field.Tag.Lookup("range"); ok {
			checkRange(field.Name, f, text)
		}
	}
}

// checkRange stops drawing the figure, with an error, if the number f is NaN or outside the range
// "from..to".
func checkRange(name string, f reflect.Value, text string) {
	from, to, _ := strings.Cut(text, "..")
	v := 0.0
	if f.CanInt() {
		v = float64(f.Int())
	} else {
		v = f.Float()
	}
	require(v >= try(strconv.ParseFloat(from, 64)) && v <= try(strconv.ParseFloat(to, 64)),
		"%s is %v; it must lie between %s and %s", name, f, minus(from), minus(to))
}

// failure is the value of a panic that stops the drawing of a figure. Instead of returning errors,
// the unexported drawing functions (except labelBeside) call `try`, `check` or `require`, which panic
// with a failure. Every exported function that calls such a drawing function begins by deferring
// [returnFailure], which turns the failure into the error that the exported function returns. So no
// failure ever leaves the package. Panics with any other value propagate.
type failure struct{ error }

// try returns the first result of a call. If the call returned an error, try stops drawing the
// figure, and this error becomes the error of the figure.
func try[T any](v T, err error) T {
	check(err)
	return v
}

// check stops drawing the figure if an error is not nil. The first such error becomes the error of
// the figure.
func check(errs ...error) {
	for _, err := range errs {
		if err != nil {
			panic(failure{err})
		}
	}
}

// require stops drawing the figure if ok is false. The formatted message becomes the error of the
// figure.
func require(ok bool, format string, args ...any) {
	if !ok {
		panic(failure{fmt.Errorf(format, args...)})
	}
}

// returnFailure turns a failure into the error of the function that defers returnFailure. The error
// begins with "figures: " and the name of the figure.
func returnFailure(figure string, err *error) {
	storeFailure(recover(), err)
	if *err != nil {
		*err = fmt.Errorf("figures: %s: %w", figure, *err)
	}
}

// storeFailure stores a recovered failure in err. If the recovered value is nil, because nothing
// panicked, storeFailure does nothing. If the value is neither a failure nor nil, storeFailure panics
// with this value again.
func storeFailure(recovered any, err *error) {
	if recovered == nil {
		return
	}
	f, ok := recovered.(failure)
	if !ok {
		panic(recovered)
	}
	*err = f.error
}
