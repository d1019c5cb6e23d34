// Package formula turns LaTeX into MathML, which browsers draw without a script.
//
// The work is Temml's, a JavaScript library, as it was published on npm (temml
// 0.13.5: dist/temml.min.js, dist/Temml.woff2), run by goja. Its licence (MIT) is
// beside it.
package formula

import (
	_ "embed"
	"fmt"
	"strings"
	"sync"

	"github.com/dop251/goja"
)

//go:embed temml-0.13.5.min.js
var library string

// Font holds script capitals and primes that many math fonts lack; pages with
// formulas have it under the name Temml.
//
//go:embed Temml.woff2
var Font []byte

// CSS makes formulas look alike in browsers (dist/Temml-Local.css); it names the file of
// [Font] as Temml.woff2.
//
//go:embed Temml-Local.css
var CSS string

// A Renderer turns formulas into MathML, each different one once. It may be used by
// several goroutines; they take turns. The zero value is ready.
type Renderer struct {
	mu     sync.Mutex
	call   goja.Callable
	vm     *goja.Runtime
	cached map[input]string
}

type input struct {
	latex   string
	display bool
}

// MathML returns the element <math> for a formula, on a line of its own if display.
// An error says what in it cannot be understood.
func (r *Renderer) MathML(latex string, display bool) (string, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.call == nil {
		if err := r.load(); err != nil {
			return "", err
		}
	}
	in := input{strings.TrimSpace(latex), display}
	if out, ok := r.cached[in]; ok {
		return out, nil
	}
	// With strict set a command that LaTeX does not have is an error as well.
	options := map[string]any{"displayMode": display, "throwOnError": true}
	v, err := r.call(goja.Undefined(), r.vm.ToValue(in.latex), r.vm.ToValue(options))
	if err != nil {
		return "", fmt.Errorf("the formula %q is not LaTeX that can be set: %w", in.latex, reason(err))
	}
	r.cached[in] = v.String()
	return r.cached[in], nil
}

func (r *Renderer) load() error {
	vm := goja.New()
	if _, err := vm.RunScript("temml.min.js", library); err != nil {
		return fmt.Errorf("temml: %w", err)
	}
	call, ok := goja.AssertFunction(vm.Get("temml").ToObject(vm).Get("renderToString"))
	if !ok {
		return fmt.Errorf("temml has no renderToString")
	}
	r.vm, r.call, r.cached = vm, call, map[input]string{}
	return nil
}

// reason is what a script threw, without the trace of the script.
func reason(err error) error {
	thrown, ok := err.(*goja.Exception)
	if !ok {
		return err
	}
	text, _, _ := strings.Cut(thrown.Value().String(), "\n")
	return fmt.Errorf("%s", text)
}
