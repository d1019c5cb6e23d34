//go:build classtest

package course

import (
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/catalog"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/exercise"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/grading"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/mutant"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// addNumbers adds the numbers in `v` to the set. The argument `v` may be a number, a matrix, or a
// slice whose elements are numbers, matrices or slices.
func addNumbers(set map[float64]bool, v reflect.Value) {
	if m, ok := v.Interface().(mat.Matrix); ok {
		if v.Kind() == reflect.Pointer && v.IsNil() {
			return
		}
		rows, cols := m.Dims()
		for i := range rows {
			for j := range cols {
				set[m.At(i, j)] = true
			}
		}
		return
	}
	switch v.Kind() {
	case reflect.Float64:
		set[v.Float()] = true
	case reflect.Int:
		set[float64(v.Int())] = true
	case reflect.Slice:
		for i := range v.Len() {
			addNumbers(set, v.Index(i))
		}
	}
}

// recordCalls returns a check that runs the given check and records every call of the answer's
// functions: it adds the numbers in the call's arguments to the set `arguments`, and the numbers in the
// call's results to the set `results`.
func recordCalls(check any, arguments, results map[float64]bool) any {
	f := reflect.ValueOf(check)
	return reflect.MakeFunc(f.Type(), func(functions []reflect.Value) []reflect.Value {
		for i, g := range functions {
			functions[i] = reflect.MakeFunc(g.Type(), func(in []reflect.Value) []reflect.Value {
				for _, v := range in {
					addNumbers(arguments, v)
				}
				out := g.Call(in)
				for _, v := range out {
					addNumbers(results, v)
				}
				return out
			})
		}
		return f.Call(functions)
	}).Interface()
}

// decimalNumber matches a number with a decimal point, such as 0.3927.
var decimalNumber = regexp.MustCompile(`[-−]?[0-9]+\.[0-9]+(e[-+]?[0-9]+)?`)

// revealedNumber looks in a message for a number that gives away a value of the right answer: the
// number equals an element of the set `want`, but no element of the set `known`. Here two numbers
// are equal if they agree in all digits that the message shows. revealedNumber ignores numbers without a
// decimal point. It also ignores numbers with fewer than three significant digits, because they can
// equal an element by chance. If the message contains no such number, the result is "".
func revealedNumber(message string, want, known map[float64]bool) string {
	for _, text := range decimalNumber.FindAllString(message, -1) {
		plain := strings.Replace(text, "−", "-", 1)
		mantissa, _, _ := strings.Cut(strings.TrimLeft(plain, "-"), "e")
		digits := len(strings.TrimLeft(strings.Replace(mantissa, ".", "", 1), "0"))
		x, err := strconv.ParseFloat(plain, 64)
		if err != nil || digits < 3 {
			continue
		}
		has := func(set map[float64]bool) bool {
			for v := range set {
				if strconv.FormatFloat(v, 'e', digits-1, 64) == strconv.FormatFloat(x, 'e', digits-1, 64) {
					return true
				}
			}
			return false
		}
		if has(want) && !has(known) {
			return text
		}
	}
	return ""
}

func TestGiven(t *testing.T) {
	set := func(list ...float64) map[float64]bool {
		m := map[float64]bool{}
		for _, x := range list {
			m[x] = true
		}
		return m
	}
	for message, want := range map[string]string{
		"your number is 0.2, and 0.3927 is right": "0.3927", "it is −0.393": "", "off by about 0.001": "",
		"yours is 0.2345": "", "want 39.2": "",
	} {
		if got := revealedNumber(message, set(0.39269908, 0.2345), set(0.2345)); got != want {
			t.Errorf("%q reveals %q, want %q", message, got, want)
		}
	}
}

// TestMessagesGiveNothingAway checks that a message about a wrong answer contains no number that
// the right answer returns. Learners can read these messages on their feedback page. The message
// may contain numbers that the check passed to the wrong answer or received from it.
func TestMessagesGiveNothingAway(t *testing.T) {
	t.Chdir(moduleRoot(t))
	list := must.Get(catalog.Exercises(os.DirFS(".")))(t)
	list = slices.DeleteFunc(list, func(e *exercise.Exercise) bool { return e.OfLesson() })
	maker := must.Get(mutant.NewMaker(".", list))(t)
	tools := must.Get(grading.NewToolchain(t.Context(), ".", t.TempDir(), true, catalog.Content.Provided()...))(t)
	judged := func(e *exercise.Exercise, source string) (arguments, results map[float64]bool, r *verify.Report) {
		t.Helper()
		arguments, results = map[float64]bool{}, map[float64]bool{}
		s := must.Get(grading.Cut(e, source))(t)
		dir := t.TempDir()
		must.Do(t, tools.Compile(t.Context(), e, s, dir))
		session := tools.Session(filepath.Join(dir, "answer"), grading.DefaultLimits, 0)
		r = must.Get(session.Report(recordCalls(catalog.Checks(e.ID)[0], arguments, results), e.Calls[0].Args,
			e.Answer.Functions))(t)
		return arguments, results, r
	}
	messages := 0
	for _, e := range list {
		_, right, r := judged(e, e.Answer.Solution.Source)
		if !r.Passed() {
			t.Errorf("%s: the reference answer does not pass:\n%s", e.ID, r)
		}
		for _, m := range chooseMutants(t, maker, e, 2) {
			known, own, r := judged(e, m.Text.Source)
			for x := range own {
				known[x] = true
			}
			for _, p := range r.Parts {
				if p.Outcome != verify.Wrong {
					continue
				}
				messages++
				if text := revealedNumber(p.Message, right, known); text != "" {
					t.Errorf("%s, answer %s: the message reveals %s, a value of the right answer:\n%s", e.ID, m.Name,
						text, p.Message)
				}
			}
		}
	}
	if messages < len(list) {
		t.Errorf("found only %d messages from %d exercises, want at least as many messages as exercises", messages, len(list))
	}
}
