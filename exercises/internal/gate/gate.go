// Package gate holds what the tests of all exercises share: how a report must
// look for a right answer and for a wrong one.
package gate

import (
	"slices"
	"strings"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
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
	record{Kind: "right", Exercise: r.Exercise, Passed: r.Passed(), Complete: r.Complete}.write(t)
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
	record{Kind: "wrong", Exercise: r.Exercise, Key: key, Passed: r.Passed(), Complete: r.Complete, Own: earned(r, key), Message: said(r, key)}.write(t)
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
