// Package formula turns LaTeX into MathML, which browsers draw without a script.
//
// The work is Temml's, a JavaScript library, as it was published on npm (temml
// 0.13.5: dist/temml.min.js, dist/Temml.woff2), run by goja. Its licence (MIT) is
// beside it.
package formula

import (
	"crypto/sha256"
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"github.com/dop251/goja"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/files"
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
	more   bool // formulas that Load did not know
}

type input struct {
	latex   string
	display bool
}

// MarshalText makes an input a key of JSON.
func (in input) MarshalText() ([]byte, error) {
	return fmt.Appendf(nil, "%t %s", in.display, in.latex), nil
}

// UnmarshalText is the inverse of MarshalText.
func (in *input) UnmarshalText(text []byte) (err error) {
	display, latex, _ := strings.Cut(string(text), " ")
	in.latex = latex
	in.display, err = strconv.ParseBool(display)
	return err
}

// file is where Save keeps formulas in a folder; another library has another.
func file(dir string) string {
	sum := sha256.Sum256([]byte(library))
	return filepath.Join(dir, fmt.Sprintf("formulas-%x.json", sum[:8]))
}

// Load reads the formulas that Save has kept in a folder, so that they need not be set
// again. None are there at first, which is no error.
func (r *Renderer) Load(dir string) {
	known := map[input]string{}
	if text, err := os.ReadFile(file(dir)); err == nil && json.Unmarshal(text, &known) == nil {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.cached = known
	}
}

// Save keeps all formulas in a folder.
func (r *Renderer) Save(dir string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.more {
		return nil
	}
	text, err := json.Marshal(r.cached)
	if err != nil {
		return err
	}
	return files.Write(file(dir), text)
}

// MathML returns the element <math> for a formula, on a line of its own if display.
// An error says what in it cannot be understood.
func (r *Renderer) MathML(latex string, display bool) (string, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	in := input{strings.TrimSpace(latex), display}
	if out, ok := r.cached[in]; ok {
		return out, nil
	}
	if r.call == nil {
		if err := r.start(); err != nil {
			return "", err
		}
	}
	options := map[string]any{"displayMode": display, "throwOnError": true}
	v, err := r.call(goja.Undefined(), r.vm.ToValue(in.latex), r.vm.ToValue(options))
	if err != nil {
		return "", fmt.Errorf("the formula %q is not LaTeX that can be set: %w", in.latex, reason(err))
	}
	r.cached[in], r.more = v.String(), true
	return r.cached[in], nil
}

func (r *Renderer) start() error {
	vm := goja.New()
	if _, err := vm.RunScript("temml.min.js", library); err != nil {
		return fmt.Errorf("temml: %w", err)
	}
	call, ok := goja.AssertFunction(vm.Get("temml").ToObject(vm).Get("renderToString"))
	if !ok {
		return fmt.Errorf("temml has no renderToString")
	}
	r.vm, r.call = vm, call
	if r.cached == nil {
		r.cached = map[input]string{}
	}
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
