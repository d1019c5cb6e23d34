package gate

import (
	"fmt"
	"reflect"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// recorder is a TB that counts instead of failing.
type recorder struct{ errors []string }

func (r *recorder) Helper() {}
func (r *recorder) Errorf(format string, args ...any) {
	r.errors = append(r.errors, fmt.Sprintf(format, args...))
}

func report(v ...verify.Verdict) *verify.Report {
	var parts []verify.Part
	for _, v := range v {
		parts = append(parts, verify.Part{Name: "part", Judge: func() verify.Verdict { return v }})
	}
	return verify.Run("prml-0.0", "fixture", parts...)
}

// TestGateGoesRed shows each rule of the gate failing once.
func TestGateGoesRed(t *testing.T) {
	e := &exercises.Exercise{Hints: []string{"one"}}
	right, wrong := verify.Pass("fine"), verify.Fail("key", 1, "looks like …")
	for _, tc := range []struct {
		name string
		red  bool
		run  func(TB)
	}{
		{"right accepted", false, func(t TB) { Right(t, report(right)) }},
		{"right refused", true, func(t TB) { Right(t, report(right, wrong)) }},
		{"report without parts", true, func(t TB) { Right(t, report()) }},
		{"wrong with its key", false, func(t TB) { Wrong(t, e, report(right, wrong), "key") }},
		{"wrong with another key", true, func(t TB) { Wrong(t, e, report(wrong), "other") }},
		{"wrong answer passes", true, func(t TB) { Wrong(t, e, report(right), "key") }},
		{"hint that does not exist", true, func(t TB) { Wrong(t, e, report(verify.Fail("key", 2, "m")), "key") }},
		{"empty message", true, func(t TB) { Wrong(t, e, report(verify.Fail("key", 1, " ")), "key") }},
		{"incomplete", true, func(t TB) { r := report(wrong); r.Complete = false; Wrong(t, e, r, "key") }},
		{"stub", false, func(t TB) { Outcome(t, report(verify.Verdict{Outcome: verify.NotAttempted}), verify.NotAttempted) }},
		{"stub that passes", true, func(t TB) { Outcome(t, report(right), verify.NotAttempted) }},
	} {
		t.Run(tc.name, func(t *testing.T) {
			rec := &recorder{}
			tc.run(rec)
			if red := len(rec.errors) > 0; red != tc.red {
				t.Errorf("gate red = %v, want %v; it said %q", red, tc.red, rec.errors)
			}
		})
	}
}

// TestNothing: a result that is nil or empty has no number to spoil.
func TestNothing(t *testing.T) {
	for _, tc := range []struct {
		result any
		want   bool
	}{
		{(*mat.Dense)(nil), true}, {[]float64(nil), true}, {[]float64{}, true},
		{mat.NewDense(1, 1, nil), false}, {[]float64{0}, false}, {0.0, false},
	} {
		if got := nothing(reflect.ValueOf(tc.result)); got != tc.want {
			t.Errorf("%T %v is nothing: %v, want %v", tc.result, tc.result, got, tc.want)
		}
	}
}
