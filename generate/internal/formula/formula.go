// Package formula converts LaTeX to MathML, which browsers display without a script.
//
// It uses the JavaScript library Temml as published on npm (temml 0.13.5: dist/temml.min.js,
// dist/Temml.woff2), and runs it with goja. Temml's licence (MIT) is in the folder of this package.
package formula

import (
	"crypto/sha256"
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/dop251/goja"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/files"
)

//go:embed temml-0.13.5.min.js
var library string

// Font is a font with script capitals and primes, which many math fonts lack. Pages with formulas
// load it under the name Temml.
//
//go:embed Temml.woff2
var Font []byte

// CSS is Temml's style sheet (dist/Temml-Local.css), which makes formulas look alike in all
// browsers. It expects [Font] in a file with the name Temml.woff2.
//
//go:embed Temml-Local.css
var CSS string

// A Renderer converts formulas to MathML. It converts each formula only once. Several
// goroutines may use it at the same time. The zero value is ready to use.
type Renderer struct {
	mu     sync.Mutex
	call   goja.Callable
	vm     *goja.Runtime
	cached map[input]string
	more   bool // true if the Renderer has converted new formulas since Load
}

type input struct {
	latex   string
	display bool
}

// MarshalText encodes an input as text, so that JSON can use the input as a key.
func (in input) MarshalText() ([]byte, error) {
	return fmt.Appendf(nil, "%t %s", in.display, in.latex), nil
}

// UnmarshalText decodes an input that MarshalText has encoded.
func (in *input) UnmarshalText(text []byte) (err error) {
	display, latex, _ := strings.Cut(string(text), " ")
	in.latex = latex
	in.display, err = strconv.ParseBool(display)
	return err
}

// file returns the path of the file that Save writes in the folder `dir`. The name of the file depends
// on the version of the library.
func file(dir string) string {
	sum := sha256.Sum256([]byte(library))
	return filepath.Join(dir, fmt.Sprintf("formulas-%x.json", sum[:8]))
}

// Load reads the formulas that Save has stored in the folder dir, so that MathML need not convert
// them again. It ignores a missing or unreadable file.
func (r *Renderer) Load(dir string) {
	known := map[input]string{}
	if text, err := os.ReadFile(file(dir)); err == nil && json.Unmarshal(text, &known) == nil {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.cached = known
	}
}

// Save stores all formulas in the folder dir. If there are no new formulas, it does nothing.
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

// MathML returns the <math> element for a formula. If `display` is true, the browser shows the
// formula on a separate line. If the formula is invalid, the error quotes the formula and gives the
// reason.
func (r *Renderer) MathML(latex string, display bool) (string, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	in := input{strings.TrimSpace(latex), display}
	if out, ok := r.cached[in]; ok {
		return lowerScript(out), nil
	}
	if r.call == nil {
		if err := r.start(); err != nil {
			return "", err
		}
	}
	options := map[string]any{"displayMode": display, "throwOnError": true}
	v, err := r.call(goja.Undefined(), r.vm.ToValue(in.latex), r.vm.ToValue(options))
	if err != nil {
		return "", fmt.Errorf("cannot typeset the formula %q: %w", in.latex, exceptionMessage(err))
	}
	r.cached[in], r.more = v.String(), true
	return lowerScript(r.cached[in]), nil
}

// accentedLetter matches the beginning of an element that adds a superscript, and possibly a subscript,
// to an accented letter: the opening tag of the element and its base, the accented letter.
var accentedLetter = regexp.MustCompile(`<(msup|msubsup)>(<mover>.*?</mover>)`)

// lowerScript lowers the superscript of an accented letter: it gives the letter the height of a letter
// without an accent. A browser places a superscript higher above a taller base. Without this change,
// browsers would put the superscript above the accent.
func lowerScript(mathml string) string {
	return accentedLetter.ReplaceAllString(mathml, `<$1><mpadded height="0.7em">$2</mpadded>`)
}

func (r *Renderer) start() error {
	vm := goja.New()
	if _, err := vm.RunScript("temml.min.js", library); err != nil {
		return fmt.Errorf("temml: %w", err)
	}
	call, ok := goja.AssertFunction(vm.Get("temml").ToObject(vm).Get("renderToString"))
	if !ok {
		return fmt.Errorf("the script of Temml defines no function renderToString")
	}
	r.vm, r.call = vm, call
	if r.cached == nil {
		r.cached = map[input]string{}
	}
	return nil
}

// exceptionMessage returns an error with only the message of the exception that a script threw,
// without the stack trace. It returns any other error unchanged.
func exceptionMessage(err error) error {
	thrown, ok := err.(*goja.Exception)
	if !ok {
		return err
	}
	text, _, _ := strings.Cut(thrown.Value().String(), "\n")
	return fmt.Errorf("%s", text)
}
