package gate

import (
	"math"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// fixtureVariable is an environment variable that contains the name of a fixture. If the variable
// is set, TestGateFixtures runs that fixture. Other tests set the variable for a separate process,
// in which the fixture may fail.
const fixtureVariable = "HYPERPLANE_GATE_FIXTURE"

type columnsFunc = func(X *mat.Dense, w []float64) []float64

// columnSums returns one number for each column of X: the sum of the column, multiplied by its
// weight.
func columnSums(X *mat.Dense, w []float64) []float64 {
	out := make([]float64, len(w))
	for j := range w {
		out[j] = w[j] * mat.Sum(X.ColView(j))
	}
	return out
}

// acceptsAll is a faulty check: it calls the function and accepts every answer.
func acceptsAll(f columnsFunc) *verify.Report {
	return verify.Run("prml-0.0", "fixture", verify.Part{Name: "blind", Judge: func() verify.Verdict {
		f(mat.NewDense(2, 2, []float64{1, 2, 3, 4}), []float64{1, 2})
		return verify.Pass("fine")
	}})
}

// detectsFaults is a check without a fault: it rejects every answer that OfNew spoils.
func detectsFaults(f columnsFunc) *verify.Report {
	return verify.Run("prml-0.0", "fixture", verify.Part{Name: "seeing", Judge: func() verify.Verdict {
		frame := mat.NewDense(2, 3, []float64{1, 2, 9, 3, 4, 9})
		call := func(X *mat.Dense) ([]float64, []float64, *mat.Dense) {
			w, x := []float64{1, 2}, mat.DenseCopyOf(X)
			return f(x, w), w, x
		}
		got, w, x := call(frame.Slice(0, 2, 0, 2).(*mat.Dense))
		again, _, _ := call(frame.Slice(0, 2, 0, 2).(*mat.Dense))
		view := f(frame.Slice(0, 2, 0, 2).(*mat.Dense), []float64{1, 2})
		right := []float64{4, 12}
		switch {
		case w[0] != 1 || x.At(0, 0) != 1:
			return verify.Fail("mutates-inputs", 0, "changed")
		case len(got) == 0:
			return verify.Fail("empty", 0, "empty")
		case slices.ContainsFunc(got, func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) }):
			return verify.Fail("not-finite", 0, "not finite")
		case &got[0] == &again[0]:
			return verify.Fail("not-new", 0, "the same memory")
		case !slices.Equal(got, again):
			return verify.Fail("not-constant", 0, "different result")
		case !slices.Equal(got, view):
			return verify.Fail("views", 0, "different for a view")
		case !slices.Equal(got, right):
			return verify.Fail("value", 0, "wrong")
		}
		return verify.Pass("fine")
	}})
}

// TestGateFixtures runs the fixture that fixtureVariable names. Other tests run TestGateFixtures in
// a separate process, because some fixtures must fail.
func TestGateFixtures(t *testing.T) {
	e := func(key string) *exercises.Exercise {
		return &exercises.Exercise{Known: []exercises.Known{{Key: key, Check: func() *verify.Report {
			return detectsFaults(func(_ *mat.Dense, w []float64) []float64 { return w })
		}}}}
	}
	switch os.Getenv(fixtureVariable) {
	case "":
		t.Log("this test runs only in a process that another test starts")
	case "function red":
		OfNew(acceptsAll, columnSums)(t, e(""))
	case "function green":
		OfNew(detectsFaults, columnSums)(t, e(""))
	case "known red":
		Known(t, e("another-key"))
	case "known green":
		Known(t, e("value"))
	}
}

// TestFunctionAndKnownGoRed checks that OfNew, which also calls Function, fails for each spoiled
// answer that a faulty check accepts. It also checks that Known fails if the check reports a known
// wrong answer with a key other than the key in e.Known. OfNew must pass for a check without a
// fault, and Known must pass if the two keys are equal.
func TestFunctionAndKnownGoRed(t *testing.T) {
	for _, tc := range []struct {
		fixture string
		want    []string // names of the subtests that must fail
	}{
		{"function red", []string{"writes_into_argument_0", "writes_into_argument_1", "ignores_the_stride_of_argument_0",
			"result_0_nil", "result_0_one_longer", "result_0_not_a_number", "result_0_infinite", "result_0_huge",
			"result_0_changes", "result_0_not_new"}},
		{"function green", nil},
		{"known red", []string{"another-key_#0"}},
		{"known green", nil},
	} {
		t.Run(tc.fixture, func(t *testing.T) {
			cmd := exec.Command(os.Args[0], "-test.run=^TestGateFixtures$", "-test.v")
			cmd.Env = append(os.Environ(), fixtureVariable+"="+tc.fixture)
			out, err := cmd.CombinedOutput()
			if (err != nil) != (tc.want != nil) {
				t.Errorf("the process of the fixture ended with the error %v, want an error if and only if a subtest must fail:\n%s", err, out)
			}
			var failed []string
			for _, line := range strings.Split(string(out), "\n") {
				if name, ok := strings.CutPrefix(strings.TrimSpace(line), "--- FAIL: TestGateFixtures/"); ok {
					name, _, _ = strings.Cut(name, " ")
					failed = append(failed, name)
				}
			}
			slices.Sort(failed)
			slices.Sort(tc.want)
			if !slices.Equal(failed, tc.want) {
				t.Errorf("the failed subtests are %q, want %q:\n%s", failed, tc.want, out)
			}
		})
	}
}

// TestDigitsSees checks that Digits fails the test if the tolerance of one problem is zero or too wide,
// and only then.
func TestDigitsSees(t *testing.T) {
	check := func(tolerances ...float64) func(func([]float64) float64) *verify.Report {
		return func(sum func([]float64) float64) *verify.Report {
			sum([]float64{1}) // Digits adds no error to this call, because the call comes before the second part
			return verify.Run("prml-0.0", "fixture",
				verify.Part{Name: "form", Judge: func() verify.Verdict { return verify.Pass("fine") }},
				verify.Part{Name: "sums", Judge: func() verify.Verdict {
					for i, tol := range tolerances {
						if n := float64(i + 2); math.Abs(sum([]float64{n, n})-2*n) > tol {
							return verify.Fail("sum", 0, "off")
						}
					}
					return verify.Pass("fine")
				}})
		}
	}
	sum := func(v []float64) (s float64) {
		for _, x := range v {
			s += x
		}
		return s
	}
	for name, tc := range map[string]struct {
		tolerances []float64
		want       string
	}{
		"as asked": {[]float64{1e-6, 1e-6}, ""},
		"zero":     {[]float64{1e-6, 0}, "problem 1: the check rejects an error of a tenth"},
		"too wide": {[]float64{1, 1e-6}, "problem 0: the check accepts an error of ten times"},
	} {
		r := &recorder{}
		Digits(struct {
			TB
			Cleaner
		}{r, t}, check(tc.tolerances...), sum, func(_, _ []any) float64 { return 1e-6 })
		if got := strings.Join(r.errors, "; "); !strings.HasPrefix(got, tc.want) || (got == "") != (tc.want == "") {
			t.Errorf("%s: Digits reports %q, want text that begins with %q, or no text if this is empty", name, got, tc.want)
		}
	}
}
