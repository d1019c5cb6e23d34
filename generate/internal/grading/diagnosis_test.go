package grading

import (
	"context"
	"math"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/catalog"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

const near = "Your answer is one small change away from right. Look at "

// slowerCalls multiplies the time limits of parts and of repairs by 10, because calls take longer
// while other tests run.
func slowerCalls(t *testing.T) { t.Setenv("HYPERPLANE_PATIENCE", "10") }

// TestDiagnose checks that Diagnose describes the mistakes of wrong answers. If a test case has a
// key, the exercise's table of mistakes already describes the mistake: Diagnose must return "" with
// this table, and describe the mistake once the table is empty. The descriptions must not contain
// the repaired text, because some repairs only remove the effect of the mistake.
func TestDiagnose(t *testing.T) {
	slowerCalls(t)
	const known = "" // a test case with this source judges the reference answer with `old` replaced by `new`
	for _, tt := range []struct {
		name, id, key, source, old, new string
		report                          int
		want                            string
	}{
		{"half lost", "lesson-5", "no-half", known, "(2*lambda)", "lambda", 0,
			"line 6: “(floats.Dot(mu2, mu2)-floats.Dot(mu1, mu1))/lambda”."},
		{"bias sign", "lesson-5", "bias-sign", known, "floats.Dot(mu2, mu2)-floats.Dot(mu1, mu1)",
			"floats.Dot(mu1, mu1)-floats.Dot(mu2, mu2)", 0,
			"line 6: “(floats.Dot(mu1, mu1)-floats.Dot(mu2, mu2))/(2*lambda)”."},
		{"quotient upside down", "lesson-5", "prior-inverted", known, "p1/(1-p1)", "(1-p1)/p1", 0,
			"line 6: the expression around “(1-p1)/p1”."},
		{"lambda left out", "lesson-5", "lambda-in-weights-only", known, "/(2*lambda)", "/2", 0,
			"line 6: a factor or a term is missing at “(floats.Dot(mu2, mu2)-floats.Dot(mu1, mu1))/2”."},
		{"sign of a step", "prml-4.9", "slopes-multiplier-sign", known, "g[k] += lambda", "g[k] -= lambda", 1,
			"line 30: the operator in “g[k] -= lambda”."},
		{"plus for minus", "prml-4.12", "plus",
			"func sigma(a float64) float64 { return 1 / (1 + math.Exp(-a)) }\n\nfunc DSigmoid(a float64) float64 {\n\treturn sigma(a) * (1 + sigma(a))\n}", "", "", 0,
			"line 4: “1 + sigma(a)”."},
		{"class left out", "prml-4.9", "", known, "pi[k]++", "if k == 0 {\n\t\t\tcontinue\n\t\t}\n\t\tpi[k]++", 0,
			"line 12: the condition “k == 0”, or at line 13: the statement “continue”."},
		{"endless repairs", "prml-4.25", "",
			"func LambdaSquared() float64 {\n\tx, i := 0.0, 0\n\tfor i < 60 {\n\t\tx = (x + math.Pi/8) / 2\n\t\ti++\n\t}\n\treturn x + 0.01\n}", "", "", 0,
			"line 7: the term “+ 0.01”."},
		{"deviation in several lines", "lesson-5", "", `func Spherical(mu1, mu2 []float64, lambda, p1 float64) []float64 {
	w := make([]float64, len(mu1)+1)
	for i := range mu1 {
		w[i+1] = (mu1[i] - mu2[i]) / math.Sqrt(lambda)
		w[0] += (mu2[i]*mu2[i] - mu1[i]*mu1[i]) / 2 / math.Sqrt(lambda)
	}
	w[0] += math.Log(p1 / (1 - p1))
	return w
}`, "", "", 0, "In part 2, Spherical returned the right result for the square root of lambda instead of lambda, in every call."},
		{"another method", "prml-4.25", "", "func LambdaSquared() float64 { return 1 / math.E }", "", "", 0, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			e := must.Get(catalog.Exercises(os.DirFS(root), tt.id))(t)[0]
			source := tt.source
			if source == known {
				source = strings.Replace(e.Answer.Solution.Source, tt.old, tt.new, 1)
			}
			s := must.Get(Cut(e, source))(t)
			judged, err := toolchain(t).Judge(t.Context(), e, catalog.Checks(e.ID), s, DefaultLimits, 0)
			must.Do(t, err)
			keys := []string{}
			for _, p := range judged.Reports[tt.report].Parts {
				keys = append(keys, p.Key)
			}
			if tt.key != "" && !slices.Contains(keys, tt.key) {
				t.Errorf("the check gives the keys %q, want the key %q from the exercise's table of mistakes", keys, tt.key)
			}
			if said := must.Get(toolchain(t).Diagnose(t.Context(), e, catalog.Checks(e.ID), s, judged,
				DefaultLimits))(t); tt.key != "" && said[tt.report] != "" {
				t.Errorf("the check already names the mistake, but Diagnose returns %q", said[tt.report])
			}
			e.Known = nil
			said := must.Get(toolchain(t).Diagnose(t.Context(), e, catalog.Checks(e.ID), s, judged, DefaultLimits))(t)
			if strings.HasPrefix(tt.want, "line") {
				tt.want = near + tt.want
			}
			if said[tt.report] != tt.want {
				t.Errorf("got the sentence %q, want %q", said[tt.report], tt.want)
			}
		})
	}
}

// TestDiagnoseEnds checks that passingRepairs stops a repair that does not return, and runs the next
// repair in a new process. After the end of the context, makeRepairs and passingRepairs must return
// nothing.
func TestDiagnoseEnds(t *testing.T) {
	slowerCalls(t)
	e := must.Get(catalog.Exercises(os.DirFS(root), "prml-4.25"))(t)[0]
	s := must.Get(Cut(e,
		"func LambdaSquared() float64 {\n\ti := 0\n\tfor i < 9 {\n\t\ti++\n\t}\n\treturn math.Pi/8 + 0.01\n}"))(t)
	d := must.Get(toolchain(t).makeRepairs(t.Context(), e, s, DefaultLimits))(t)
	defer os.RemoveAll(d.dir)
	processes, command := 0, d.session.Command
	d.session.Command = func() *exec.Cmd { processes++; return command() }
	passing := must.Get(d.passingRepairs(t.Context(), catalog.Checks(e.ID)[0], e.Calls[0].Args, []int{1, 0, 2}))(t)
	if len(passing) == 0 || passing[0].Line != 6 || processes < 4 {
		t.Errorf("got %d passing repairs in %d processes, want the first repair in line 6, and a new process after each repair that never ends (at least 4 processes)", len(passing), processes)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if passing := must.Get(d.passingRepairs(ended, catalog.Checks(e.ID)[0], e.Calls[0].Args, []int{1, 0, 2}))(t); passing != nil {
		t.Errorf("after the end of the context, passingRepairs returns %d repairs, want none", len(passing))
	}
	if d := must.Get(toolchain(t).makeRepairs(ended, e, s, DefaultLimits))(t); d != nil {
		t.Error("after the end of the context, makeRepairs returns repairs, want none")
	}
	if verify.Trying() {
		t.Error("after the end of the context, verify.Trying reports true, want false")
	}
}

// TestJobDiagnosis checks that the message of a wrong part names the line of the mistake if and only
// if Job.Diagnosis allows time for the search.
func TestJobDiagnosis(t *testing.T) {
	slowerCalls(t)
	e := must.Get(catalog.Exercises(os.DirFS(root), "prml-4.25"))(t)[0]
	job := Job{Source: "func LambdaSquared() float64 { return math.Pi/8 + 0.01 }", Toolchain: toolchain(t),
		Limits: DefaultLimits}
	for _, d := range []time.Duration{0, verify.Patience(time.Minute)} {
		job.Diagnosis = d
		done := must.Get(job.Do(t.Context(), e, catalog.Checks(e.ID)))(t)
		if described := strings.Contains(done.Reports[0].Parts[1].Message, "\n"+near+"line 1: the term “+ 0.01”."); described != (d > 0) {
			t.Errorf("with %v for the search, the message names the line: %t, want false for 0s and true for any other time\n%s",
				d, described, done.Reports[0])
		}
	}
}

// TestSecondSeed checks that passingRepairs returns a repair that passes for both seeds, but no repair
// that passes only for the first seed.
func TestSecondSeed(t *testing.T) {
	slowerCalls(t)
	e := must.Get(catalog.Exercises(os.DirFS(root), "prml-4.25"))(t)[0]
	d := must.Get(toolchain(t).makeRepairs(t.Context(), e,
		must.Get(Cut(e, "func LambdaSquared() float64 { return math.Pi/8 + 0.01 }"))(t), DefaultLimits))(t)
	defer os.RemoveAll(d.dir)
	for _, lucky := range []bool{false, true} {
		right := 0
		check := func(f func() float64) *verify.Report {
			return verify.Run("id", "title", verify.Part{Judge: func() verify.Verdict {
				if f() != math.Pi/8 || lucky && right > 0 {
					return verify.Fail("wrong", 0, "wrong")
				}
				right++
				return verify.Pass("right")
			}})
		}
		passing := must.Get(d.passingRepairs(t.Context(), check, []string{"LambdaSquared"}, []int{0}))(t)
		if (len(passing) > 0) == lucky || right == 0 {
			t.Errorf("the second seed fails: %t; got %d passing repairs and %d right calls, want at least one right call, and a passing repair unless the second seed fails",
				lucky, len(passing), right)
		}
	}
}
