package figures

import "fmt"

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
