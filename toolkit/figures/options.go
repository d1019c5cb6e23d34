package figures

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"
)

// filled returns options with zeros replaced by the defaults in their tags. It ends the figure if
// an option is outside its range:
//
//	Rate float64 `default:"0.3" range:"0..1e6"`
//
// A default is JSON. Some defaults depend on other options, which a tag cannot express. The options
// type then has a method filled that sets these defaults.
func filled[O any](o O) O {
	if own, ok := any(o).(interface{ filled() O }); ok {
		o = own.filled()
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
			inside(field.Name, f, text)
		}
	}
}

// inside ends the figure if the number f is NaN or outside the range "from..to".
func inside(name string, f reflect.Value, text string) {
	from, to, _ := strings.Cut(text, "..")
	v := 0.0
	if f.CanInt() {
		v = float64(f.Int())
	} else {
		v = f.Float()
	}
	need(v >= try(strconv.ParseFloat(from, 64)) && v <= try(strconv.ParseFloat(to, 64)),
		"%s is %v; it must lie between %s and %s", name, f, minus(from), minus(to))
}

// failure ends the drawing of a figure. The drawing functions return no errors: try, check and need
// panic with a failure instead, and [named] converts the failure to the error of the exported
// function. Every exported function defers named first, so no failure leaves the package. Other
// panics continue.
type failure struct{ error }

// try returns the value of a call, and ends the figure if the call returned an error.
func try[T any](v T, err error) T {
	check(err)
	return v
}

// check ends the figure with the first error that is not nil.
func check(errs ...error) {
	for _, err := range errs {
		if err != nil {
			panic(failure{err})
		}
	}
}

// need ends the figure if ok is false. The formatted message is the error.
func need(ok bool, format string, args ...any) {
	if !ok {
		panic(failure{fmt.Errorf(format, args...)})
	}
}

// named converts a failure to the error of the function that defers it. It prefixes every error
// with the name of the figure.
func named(figure string, err *error) {
	caught(recover(), err)
	if *err != nil {
		*err = fmt.Errorf("figures: %s: %w", figure, *err)
	}
}

// caught stores a recovered failure in err.
func caught(recovered any, err *error) {
	if recovered == nil {
		return
	}
	f, ok := recovered.(failure)
	if !ok {
		panic(recovered)
	}
	*err = f.error
}
