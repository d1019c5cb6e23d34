//go:build playtest

package play

import (
	"strings"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/browsertest"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/exercise"
)

const (
	header = "func LambdaSquared() float64 "
	right  = header + "{ return math.Pi / 8 }"
)

// find returns the exercise with an id.
func find(t *testing.T, id string) *exercise.Exercise {
	t.Helper()
	for _, e := range all(t) {
		if e.ID == id {
			return e
		}
	}
	t.Fatalf("there is no %s", id)
	return nil
}

// What an answer can come to, each told in words.
func TestAnswers(t *testing.T) {
	t.Parallel()
	d := sit(t, addressOf(served(t), find(t, "prml-4.25")), browsertest.View{Width: 1280})
	for _, tt := range []struct {
		name, answer string
		report       string // what it says
		trouble      string
		says         string
	}{
		{"right", right, "passed: all 3 parts right", "", ""},
		{"stub", header + "{ panic(verify.TODO) }", "not attempted yet", "", ""},
		{"own import", "import m \"math\"\n\n" + header + "{ return m.Pi / 8 }", "passed", "", ""},
		{"variable called as a package", header + "{ sort := struct{ X float64 }{math.Pi}; return sort.X / 8 }", "passed", "", ""},
		{"wrong", header + "{ return math.Sqrt(math.Pi / 8) }", "Your number is λ, not λ²", "", ""},
		{"type error", header + "{\n\tx := 3\n\treturn math.Pi / \"8\"\n}", "", "does not compile", "line 3, column"},
		{"wrong result", "func LambdaSquared() int { return 1 }", "", "does not compile", "the call of the check: cannot use LambdaSquared (value of type func() int) as func() float64 value in argument to ex25.Check"},
		{"syntax error", header + "{\n\treturn (1\n}", "", "does not compile", "line 2"},
		{"unknown package", header + "{ return mta.Pi }", "", "does not compile", "line 1, column 39: undefined: mta"},
		{"panic", header + "{\n\tvar a []float64\n\treturn a[3]\n}", "in LambdaSquared, at the line: return a[3]", "", "index out of range"},
		{"prints", header + "{ fmt.Println(\"here I am\"); return math.Pi / 8 }", "passed", "", "here I am"},
		{"endless loop", header + "{ x := 0.0; for { x++ }; return x }", "judging: 0 of 3 parts done", "Stopped: nothing came for 10 seconds", ""},
		{"recursion", "func f(x float64) float64 { return f(x+1) + 1 }\n\n" + header + "{ return f(0) }", "judging: 0 of 3", "without an end: the call stack is full", ""},
		{"memory", header + "{ var s [][]float64; for { s = append(s, make([]float64, 1<<20)) }; return 0 }", "judging: 0 of 3", "gigabyte", ""},
		{"exit", header + "{ os.Exit(0); return 0 }", "judging: 0 of 3", "os.Exit", ""},
		{"right again", right, "passed: all 3 parts right", "", ""},
	} {
		d.write(tt.answer)
		d.check("Check")
		for _, part := range []struct{ id, want string }{{"play-report", tt.report}, {"play-trouble", tt.trouble}, {"play-says", tt.says}} {
			if got := d.text(part.id); !strings.Contains(got, part.want) || part.want == "" && got != "" {
				t.Errorf("%s: %s says %q, want %q", tt.name, part.id, got, part.want)
			}
		}
		d.Screenshot("play-" + tt.name)
	}
	d.clean()
}
