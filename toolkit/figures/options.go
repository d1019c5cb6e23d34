package figures

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"
)

// withDefaults returns options with zeros replaced by the defaults in their tags. If an option is
// outside the range in its tag, withDefaults stops drawing the figure with an error:
//
//	Rate float64 `default:"0.3" range:"0..1e6"`
//
// A default is a JSON value. Some defaults depend on other options, which a tag cannot express. The
// options type then has a method withDefaults that sets these defaults.
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

// failure is the value of a panic that stops the drawing of a figure. The drawing functions return
// no errors. Instead, try, check and require panic with a failure, and [returnFailure] converts the
// failure to the error of the exported function. Every exported function defers returnFailure
// first, so no failure leaves the package. A panic with any other value continues.
type failure struct{ error }

// try returns the first result of a call. If the call returned an error, try stops drawing the
// figure with this error.
func try[T any](v T, err error) T {
	check(err)
	return v
}

// check stops drawing the figure with the first error that is not nil. If all errors are nil, check
// does nothing.
func check(errs ...error) {
	for _, err := range errs {
		if err != nil {
			panic(failure{err})
		}
	}
}

// require stops drawing the figure if ok is false. The formatted message is the error.
func require(ok bool, format string, args ...any) {
	if !ok {
		panic(failure{fmt.Errorf(format, args...)})
	}
}

// returnFailure converts a failure to an error of the function that defers returnFailure. The error
// begins with the name of the figure.
func returnFailure(figure string, err *error) {
	storeFailure(recover(), err)
	if *err != nil {
		*err = fmt.Errorf("figures: %s: %w", figure, *err)
	}
}

// storeFailure stores a recovered failure in err. It panics again with any other recovered value.
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
