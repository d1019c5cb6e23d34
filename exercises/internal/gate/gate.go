// Package gate holds what the tests of all exercises share: how a report must
// look for a right answer and for a wrong one.
package gate

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/exercises/internal/seed"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// TB is the part of testing.TB that the gate needs; its own tests hand it one
// that records, to see the gate go red.
type TB interface {
	Helper()
	Errorf(format string, args ...any)
}

// Right fails the test unless every part of the report is Right.
func Right(t TB, r *verify.Report) {
	t.Helper()
	looked()
	record{Kind: "right", Exercise: r.Exercise, Passed: r.Passed(), Complete: r.Complete, HTML: r.HTML()}.write(t)
	if !r.Passed() {
		t.Errorf("a right answer was not accepted:\n%s", r)
	}
}

// Wrong fails the test unless the report is complete, not passed, and has a
// Wrong part with this key whose message is not empty and whose hint, if one is
// named, exists in the exercise. No part of a wrong answer may crash the check.
func Wrong(t TB, e *exercises.Exercise, r *verify.Report, key string) {
	t.Helper()
	looked()
	record{Kind: "wrong", Exercise: r.Exercise, Key: key, Passed: r.Passed(), Complete: r.Complete, Own: earned(r, key), Message: said(r, key), HTML: r.HTML()}.write(t)
	if !r.Complete || r.Passed() {
		t.Errorf("a wrong answer passed, or the report is not complete:\n%s", r)
		return
	}
	for _, p := range r.Parts {
		if p.Key == "panic-in-check" {
			t.Errorf("the check itself failed:\n%s", r)
		}
		if p.Hint < 0 || p.Hint > len(e.Hints) {
			t.Errorf("part %q points to hint %d of %d", p.Name, p.Hint, len(e.Hints))
		}
		if p.Outcome == verify.Wrong && strings.TrimSpace(p.Message) == "" {
			t.Errorf("part %q is Wrong without a message", p.Name)
		}
	}
	if !slices.ContainsFunc(r.Parts, has(key)) {
		t.Errorf("no Wrong part has the key %q:\n%s", key, r)
	}
}

// has is whether a part is Wrong with this key.
func has(key string) func(verify.Result) bool {
	return func(p verify.Result) bool { return p.Outcome == verify.Wrong && p.Key == key }
}

// earned reports whether a part is Wrong with this key and says why.
func earned(r *verify.Report, key string) bool {
	return slices.ContainsFunc(r.Parts, func(p verify.Result) bool { return has(key)(p) && strings.TrimSpace(p.Message) != "" })
}

// said is the message of the first part that is Wrong with this key.
func said(r *verify.Report, key string) string {
	if i := slices.IndexFunc(r.Parts, has(key)); i >= 0 {
		return r.Parts[i].Message
	}
	return ""
}

// Outcome fails the test unless every part of the report has this outcome.
func Outcome(t TB, r *verify.Report, want verify.Outcome) {
	t.Helper()
	looked()
	if !r.Complete || len(r.Parts) == 0 || r.Count(want) != len(r.Parts) {
		t.Errorf("want every part %s:\n%s", want, r)
	}
}

// The tests of all exercises judge the variant that the environment names. A
// number that is none stops them: taking 0 for it would test nothing new.
func init() {
	n, err := fromEnvironment(os.Getenv(seed.Variable))
	if err != nil {
		panic(err)
	}
	seed.Set(n)
	// Nearly every test has functions that panic. Their reports say how and where; the
	// stack traces beside them would bury the one line that fails.
	if quiet, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0); err == nil {
		os.Stderr = quiet
	}
}

// looked looks at the variable once more: what is read before the tests begin go
// test does not know of, and would show the result of another variant from its
// cache.
func looked() { os.Getenv(seed.Variable) }

// fromEnvironment is the seed in a variable's text, 0 for none.
func fromEnvironment(text string) (uint64, error) {
	if text == "" {
		return 0, nil
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("%s is %q, want a whole number from 0", seed.Variable, text)
	}
	return n, nil
}

// Seed is the variant that the tests judge.
func Seed() uint64 { return seed.Get() }

// Cleaner is what Variant needs of testing.TB.
type Cleaner interface{ Cleanup(func()) }

// Variant lets the rest of the test judge variant n.
func Variant(t Cleaner, n uint64) {
	old := seed.Set(n)
	t.Cleanup(func() { seed.Set(old) })
}
