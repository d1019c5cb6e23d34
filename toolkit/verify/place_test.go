package verify_test

import (
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

var zero int

func divide(a, b int) int { return a / b } // the line that a crash must quote

func multiply(a, b *mat.Dense) *mat.Dense {
	var c mat.Dense
	c.Mul(a, b) // panics inside the library: the place is still here
	return &c
}

func TestCrashNamesFunctionAndLine(t *testing.T) {
	for _, tc := range []struct {
		name       string
		judge      func() verify.Verdict
		want, also string
	}{
		{"in the function", func() verify.Verdict { return verify.Pass("%d", divide(1, zero)) }, "in divide", "return a / b"},
		{"in a library", func() verify.Verdict {
			multiply(mat.NewDense(2, 3, nil), mat.NewDense(2, 3, nil))
			return verify.Pass("")
		}, "in multiply", "c.Mul(a, b)"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := verify.Run("prml-0.0", "fixture", verify.Part{Name: "p", Judge: tc.judge})
			got := r.Parts[0]
			if got.Outcome != verify.Crashed || !strings.Contains(got.Message, tc.want) || !strings.Contains(got.Message, tc.also) {
				t.Errorf("outcome %v, message %q; want Crashed with %q and %q", got.Outcome, got.Message, tc.want, tc.also)
			}
		})
	}
}
