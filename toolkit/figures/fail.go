package figures

import "fmt"

// A figure is drawn straight on, and what goes wrong ends it: try, check and need
// panic with a failure, which [named] turns into the error of the exported function
// that was called. It is the first deferred call of all of them, so that no failure
// leaves the package; another panic goes on.
type failure struct{ error }

// try returns what a call has returned, and ends the figure if that is an error.
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

// need ends the figure unless ok, with an error of this text.
func need(ok bool, format string, args ...any) {
	if !ok {
		panic(failure{fmt.Errorf(format, args...)})
	}
}

// named makes a failure the error of the function that defers it, and puts the name of
// the figure before every error.
func named(figure string, err *error) {
	caught(recover(), err)
	if *err != nil {
		*err = fmt.Errorf("figures: %s: %w", figure, *err)
	}
}

// caught puts a failure that was recovered into err.
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
