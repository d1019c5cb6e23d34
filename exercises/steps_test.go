package exercises

import (
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

func TestOfSteps(t *testing.T) {
	e := &Exercise{ID: "prml-4.99", Title: "A title"}
	part := verify.Part{Name: "part", Judge: func() verify.Verdict { return verify.Pass("") }}
	if OfSteps(e.Judge(part)) || !OfSteps(e.JudgeSteps(part)) {
		t.Error("reports of the answer and of the steps are not told apart")
	}
}
