// Package gate contains functions that the tests of all exercises share. The functions fail a test
// if the report on a right answer or on a wrong answer is not as required.
package gate

import (
	"encoding/json"
	"fmt"
	"math"
	"net"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/seed"
	"github.com/hyperplane-notebooks/hyperplane/exercises/judge"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify/remote"
)

// TB contains the methods of testing.TB that the gate needs. The tests of package gate pass a TB
// that only records errors. They can therefore check in which cases the gate fails a test.
type TB interface {
	Helper()
	Errorf(format string, args ...any)
}

// Right fails the test unless the report is complete, has at least one part, and every part has the
// outcome verify.Right.
func Right(t TB, r *verify.Report) {
	t.Helper()
	readSeedForCache()
	record{Kind: "right", Exercise: r.Exercise, Passed: r.Passed(), Complete: r.Complete, HTML: r.HTML()}.appendTo(t)
	if !r.Passed() {
		t.Errorf("want a complete report that accepts the right answer, got\n%s", r)
	}
}

// Wrong fails the test unless the report is complete, rejects the answer, and has a part with the
// outcome verify.Wrong and the given key. Every Wrong part must have a message, and every hint that a
// part names must exist in the exercise. No part may panic outside the code of the answer.
func Wrong(t TB, e *exercises.Exercise, r *verify.Report, key string) {
	t.Helper()
	readSeedForCache()
	record{Kind: "wrong", Exercise: r.Exercise, Key: key, Passed: r.Passed(), Complete: r.Complete, Own: earnedKey(r, key),
		Message: messageOf(r, key), HTML: r.HTML()}.appendTo(t)
	if !r.Complete || r.Passed() {
		t.Errorf("want a complete report that rejects the wrong answer, got\n%s", r)
		return
	}
	for _, p := range r.Parts {
		if p.Key == "panic-in-check" {
			t.Errorf("a part panicked outside the code of the answer, want no such panic:\n%s", r)
		}
		if p.Hint < 0 || p.Hint > len(e.Hints) {
			t.Errorf("part %q names hint %d, want a hint from 1 to %d, or 0 for no hint", p.Name, p.Hint, len(e.Hints))
		}
		if p.Outcome == verify.Wrong && strings.TrimSpace(p.Message) == "" {
			t.Errorf("part %q is Wrong and has no message, want a message", p.Name)
		}
	}
	if !slices.ContainsFunc(r.Parts, hasKey(key)) {
		t.Errorf("want a Wrong part with the key %q, got\n%s", key, r)
	}
}

// hasKey returns a function that reports whether a part is Wrong and has the given key.
func hasKey(key string) func(verify.Result) bool {
	return func(p verify.Result) bool { return p.Outcome == verify.Wrong && p.Key == key }
}

// earnedKey reports whether the report contains a Wrong part that has the given key and a message.
func earnedKey(r *verify.Report, key string) bool {
	return slices.ContainsFunc(r.Parts,
		func(p verify.Result) bool { return hasKey(key)(p) && strings.TrimSpace(p.Message) != "" })
}

// messageOf returns the message of the first part that is Wrong with the given key, or "".
func messageOf(r *verify.Report, key string) string {
	if i := slices.IndexFunc(r.Parts, hasKey(key)); i >= 0 {
		return r.Parts[i].Message
	}
	return ""
}

// Outcome fails the test unless the report is complete, has at least one part, and every part has the
// given outcome.
func Outcome(t TB, r *verify.Report, want verify.Outcome) {
	t.Helper()
	readSeedForCache()
	if !r.Complete || len(r.Parts) == 0 || r.Count(want) != len(r.Parts) {
		t.Errorf("want a complete report with at least one part, and the outcome %s for every part; got the report\n%s", want, r)
	}
}

// The tests of all exercises judge answers with the seed in the environment variable
// HYPERPLANE_SEED. An invalid value stops the tests. If the tests treated it as 0, they would use a
// seed that the user did not choose.
func init() {
	n, err := parseSeed(os.Getenv(seed.Variable))
	if err != nil {
		panic(err)
	}
	seed.Set(n)
	// Nearly every test calls functions that panic. Their stack traces on standard error would hide
	// the line that says what failed. The traces are not needed, because the reports describe each
	// panic.
	if quiet, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0); err == nil {
		os.Stderr = quiet
	}
}

// readSeedForCache reads HYPERPLANE_SEED again during a test, so that go test includes the variable
// in the key of its cache. go test ignores variables that are read before the tests begin. Without
// this call, go test could return the cached result for a different seed.
func readSeedForCache() { os.Getenv(seed.Variable) }

// parseSeed parses the value of HYPERPLANE_SEED. It returns 0 for "".
func parseSeed(text string) (uint64, error) {
	if text == "" {
		return 0, nil
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("invalid %s %q: want a whole number, 0 or larger and below 2⁶⁴", seed.Variable, text)
	}
	return n, nil
}

// Seed returns the seed that the tests use to judge answers.
func Seed() uint64 { return seed.Get() }

// Cleaner is the part of testing.TB that Variant needs.
type Cleaner interface{ Cleanup(func()) }

// Variant sets the seed to n until the test ends, so that the test judges answers with the constants
// and problems that this seed selects.
func Variant(t Cleaner, n uint64) {
	old := seed.Set(n)
	t.Cleanup(func() { seed.Set(old) })
}

// PipeVariable names the environment variable that makes the tests call every answer over a
// connection, as the judge of submissions does. The verdicts must be the same as without a
// connection.
const PipeVariable = "HYPERPLANE_PIPE"

func init() {
	if os.Getenv(PipeVariable) != "" {
		judge.Through = overConnection
	}
}

func through[F any](f F) F { return judge.Through(f).(F) }

// overConnection returns a function that calls f over a connection, as if f belonged to a separate
// process.
func overConnection(f any) any {
	here, there := net.Pipe()
	remote.New(there, remote.Options{TODO: verify.TODO}, f)
	return remote.New(here, remote.Options{}).Function(0, reflect.TypeOf(f)).Interface()
}

// recordVariable is the name of an environment variable that contains the absolute path of a file.
// If the variable is set, every call of Right and Wrong adds a line of JSON to this file. `generate
// judge` counts the lines.
const recordVariable = "HYPERPLANE_JUDGE"

// A record is the result of one call of Right or Wrong.
type record struct {
	Kind     string `json:"kind"`              // "right" or "wrong": whether the answer is right
	Exercise string `json:"exercise"`          // the exercise's id
	Test     string `json:"test"`              // the test's name
	Key      string `json:"key,omitempty"`     // the key that the report on a wrong answer must contain
	Passed   bool   `json:"passed"`            // whether the report is complete, has parts, and every part is Right
	Complete bool   `json:"complete"`          // whether the report is complete
	Own      bool   `json:"own,omitempty"`     // whether a Wrong part has the key and a message
	Message  string `json:"message,omitempty"` // the message of the part with that key
	HTML     string `json:"html"`              // the whole report, as a learner sees it
}

// appendTo adds the record as a line to the file. It makes a single write call, because the tests
// of several packages write to the file at the same time. An error must fail the test, because
// `generate judge` would not count the missing line.
func (r record) appendTo(t TB) {
	t.Helper()
	name := os.Getenv(recordVariable)
	if name == "" {
		return
	}
	if t, ok := t.(interface{ Name() string }); ok {
		r.Test = t.Name()
	}
	if err := appendLine(name, r); err != nil {
		t.Errorf("cannot record the report on a %s answer (%s): %v", r.Kind, recordVariable, err)
	}
}

func appendLine(name string, r record) error {
	line, err := json.Marshal(r)
	if err != nil {
		return err
	}
	file, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	if _, err = file.Write(append(line, '\n')); err != nil {
		file.Close()
		return fmt.Errorf("%s: %w", name, err)
	}
	return file.Close()
}

// Digits tests the tolerances of a check. A problem is a list of arguments with which any part of the check except the
// first part calls the function. For each problem, Digits calls the check twice with a version of `answer`. For this
// problem, the version adds an error to the middle entry of its last result. The check must accept a tenth of the error
// that the exercise allows, and reject ten times the allowed error. The function `allowedError` computes the allowed
// error from the arguments and results. If a tolerance is zero, or so wide that it hides real errors, Digits therefore
// fails the test.
func Digits[F any](t interface {
	TB
	Cleaner
}, check func(F) *verify.Report, answer F, allowedError func(in, out []any) float64) {
	t.Helper()
	f, part := reflect.ValueOf(answer), 0
	verify.BeforeParts(func() { part++ })
	t.Cleanup(func() { verify.BeforeParts(nil) })
	var problems []string
	judged := func(off string, times float64) *verify.Report {
		return check(through(reflect.MakeFunc(f.Type(), func(in []reflect.Value) []reflect.Value {
			problem := formatArguments(in)
			out := f.Call(in)
			switch {
			// Digits ignores the calls of the first part, because that part checks only the form
			case off == "" && part > 1 && !slices.Contains(problems, problem):
				problems = append(problems, problem)
			case off == problem:
				last := len(out) - 1
				out[last] = shiftMiddle(out[last], times*allowedError(anyOf(in), anyOf(out)))
			}
			return out
		}).Interface().(F)))
	}
	judged("", 0)
	for i, problem := range problems {
		if r := judged(problem, 0.1); !r.Passed() {
			t.Errorf("problem %d: the check rejects an error of a tenth of the allowed error, want it accepted:\n%s", i, r)
		}
		if r := judged(problem, 10); r.Passed() {
			t.Errorf("problem %d: the check accepts an error of ten times the allowed error, want it rejected: %.300s", i, problem)
		}
	}
}

// Largest returns the largest absolute value among the numbers in the arguments. It ignores arguments
// that are not of type float64, []float64 or *mat.Dense.
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

// formatArguments returns the arguments as text. Equal matrices have equal texts, even if one of
// them is a part of a larger matrix.
func formatArguments(in []reflect.Value) (s string) {
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

// shiftMiddle returns a copy of a result in which the middle entry is larger by the number `by`.
func shiftMiddle(v reflect.Value, by float64) reflect.Value {
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
