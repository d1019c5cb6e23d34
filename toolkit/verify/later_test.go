package verify_test

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// Each of the three functions stands for a cell. The first cell writes output and then calls a stub.
// This output remains, and the code after the call does not run. The last cell calls no stub.
func ExampleLater() {
	lambdaSquared := func() float64 { panic(verify.TODO) }
	func() {
		defer verify.Later("LambdaSquared")
		fmt.Println("before")
		fmt.Println(lambdaSquared())
	}()
	func() {
		defer verify.Later("Mean", "Halve", "Sum")
		panic(verify.TODO)
	}()
	func() {
		defer verify.Later("Mean")
		fmt.Println("an answer")
	}()
	// Output:
	// before
	// This cell needs your LambdaSquared: write your answer first, then run it again.
	// This cell needs your Mean, Halve and Sum: write your answer first, then run it again.
	// an answer
}

// TestLaterLetsOtherPanicsThrough checks that a panic with a value other than TODO ends the
// program, as if Later were not called. The program must print a stack trace that contains the
// function that panicked.
func TestLaterLetsOtherPanicsThrough(t *testing.T) {
	causes := map[string]any{
		"text": "boom", "error": fmt.Errorf("boom"), "text of TODO": fmt.Sprint(verify.TODO),
		"not comparable": []string{"boom"},
	}
	if name, ok := os.LookupEnv("HYPERPLANE_TEST_LATER"); ok {
		defer verify.Later("LambdaSquared")
		panicsInTheLearnersCode(causes[name])
	}
	for name := range causes {
		t.Run(name, func(t *testing.T) {
			cmd := exec.Command(os.Args[0], "-test.run=^TestLaterLetsOtherPanicsThrough$")
			cmd.Env = append(os.Environ(), "HYPERPLANE_TEST_LATER="+name)
			said, err := cmd.CombinedOutput()
			if err == nil {
				t.Error("the program ended without an error, want it to end with the panic")
			}
			for _, want := range []string{"panic: ", "panicsInTheLearnersCode(", "later_test.go:"} {
				if !strings.Contains(string(said), want) {
					t.Errorf("the trace lacks %q:\n%s", want, said)
				}
			}
			if strings.Contains(string(said), "needs your") {
				t.Errorf("Later treats the panic as the panic of a stub:\n%s", said)
			}
		})
	}
}

//go:noinline
func panicsInTheLearnersCode(cause any) { panic(cause) }

var zero int

func divide(a, b int) int { return a / b } // the message about the crash must contain the text of this line

func multiply(a, b *mat.Dense) *mat.Dense {
	var c mat.Dense
	c.Mul(a, b) // the panic occurs in a library; the message must name this line, which called the library
	return &c
}

func TestCrashNamesFunctionAndLine(t *testing.T) {
	for _, tc := range []struct {
		name       string
		judge      func() verify.Verdict
		want, also string
	}{
		{"in the function", func() verify.Verdict { return verify.Pass("%d", divide(1, zero)) }, "in divide",
			"return a / b"},
		{"in a library", func() verify.Verdict {
			multiply(mat.NewDense(2, 3, nil), mat.NewDense(2, 3, nil))
			return verify.Pass("")
		}, "in multiply", "c.Mul(a, b)"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := verify.Run("prml-0.0", "fixture", verify.Part{Name: "p", Judge: tc.judge})
			got := r.Parts[0]
			if got.Outcome != verify.Crashed || !strings.Contains(got.Message, tc.want) ||
				!strings.Contains(got.Message, tc.also) {
				t.Errorf("got the outcome %v with the message %q, want Crashed and a message with %q and %q", got.Outcome, got.Message, tc.want,
					tc.also)
			}
		})
	}
}
