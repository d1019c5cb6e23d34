package trial

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/catalog"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/cell"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/exercise"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

func moduleRoot(t *testing.T) string {
	t.Helper()
	if _, err := exec.LookPath("go"); err != nil {
		t.Skipf("%s needs the go command", t.Name())
	}
	root, err := cell.FindRoot(".")
	if err != nil {
		t.Fatal(err)
	}
	return root
}

// The gate for every exercise: the stub compiles and is not attempted in any
// part, the reference answer is right in every part.
func TestEveryExercise(t *testing.T) {
	root := moduleRoot(t)
	all, err := catalog.Exercises(os.DirFS(root))
	if err != nil {
		t.Fatal(err)
	}
	var submissions []Submission
	for _, e := range all {
		submissions = append(submissions, Submission{e, e.Answer.Stub}, Submission{e, e.Answer.Solution})
	}
	got, err := Judge(t.Context(), root, submissions)
	if err != nil {
		t.Fatal(err)
	}
	for i, e := range all {
		t.Run(e.ID, func(t *testing.T) {
			if stub := got[2*i]; !stub.All(verify.NotAttempted) {
				t.Errorf("the stub: %s; want NotAttempted everywhere", stub.Outcomes())
			}
			if answer := got[2*i+1]; !answer.All(verify.Right) {
				t.Errorf("the reference answer: %s; want Right everywhere", answer.Outcomes())
			}
		})
	}
}

// The gate can fail: each of these submissions must be told from a stub and from
// an answer.
func TestRed(t *testing.T) {
	root := moduleRoot(t)
	load := func(dir string) *exercise.Exercise {
		e, err := exercise.Load(os.DirFS(root), dir)
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	good := load("generate/internal/exercise/testdata/good/ex07")
	red := load("generate/internal/trial/testdata/red/ex01")
	with := func(c exercise.Code, old, new string, imports ...string) exercise.Code {
		if strings.Count(c.Source, old) == 0 {
			t.Fatalf("%q is not in\n%s", old, c.Source)
		}
		c.Source = strings.ReplaceAll(c.Source, old, new)
		for _, p := range imports {
			c.Imports = cell.Merge(c.Imports, []cell.Import{{Path: p}})
		}
		return c
	}
	stub, answer := good.Answer.Stub, good.Answer.Solution
	unused := exercise.Code{Source: answer.Source, Imports: answer.Imports}
	tests := []struct {
		name string
		s    Submission
		want string // Outcomes begins with it
	}{
		{"stub", Submission{good, stub}, "NotAttempted NotAttempted NotAttempted"},
		{"answer", Submission{good, answer}, "Right Right Right"},
		{"stub that does not compile", Submission{red, red.Answer.Stub}, "does not compile: cell.go:7:18: undefined: side"},
		{"its answer compiles", Submission{red, red.Answer.Solution}, "Right"},
		{"the learner's own panic", Submission{good, with(stub, "verify.TODO", `"not attempted yet"`)}, "Crashed Crashed Crashed"},
		{"half done", Submission{good, with(answer, "return math\n", "panic(verify.TODO)\n", cell.Module+"/toolkit/verify")}, "Right Right NotAttempted"},
		{"wrong", Submission{good, with(answer, "y[i] /= float64(by)", "y[i] *= float64(by)")}, "Wrong Right Right"},
		{"exit", Submission{good, with(stub, "panic(verify.TODO)", "os.Exit(0)\n\tpanic(0)", "os")}, "died: "},
		{"forged report", Submission{good, with(stub, "panic(verify.TODO)", "fmt.Println(`[{\"complete\":true}]`)\n\tos.Exit(0)\n\tpanic(0)", "os", "fmt")}, "died: "},
		{"syntax error", Submission{good, with(unused, "math := 0.0", "math := = 0.0")}, "does not compile: cell.go:"},
		{"other signature", Submission{good, with(stub, "func Sum(x []float64) float64", "func Sum(x []float64) int")}, "does not compile: "},
	}
	var submissions []Submission
	for _, tt := range tests {
		submissions = append(submissions, tt.s)
	}
	got, err := Judge(t.Context(), root, submissions)
	if err != nil {
		t.Fatal(err)
	}
	for i, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if o := got[i].Outcomes(); !strings.HasPrefix(o, tt.want) {
				t.Errorf("outcomes are %q, want %q", o, tt.want)
			}
			if got[i].All(verify.Right) != (tt.name == "answer" || tt.name == "its answer compiles") {
				t.Error("taken for an answer, or an answer refused")
			}
			if got[i].All(verify.NotAttempted) != (tt.name == "stub") {
				t.Error("taken for a stub, or the stub refused")
			}
		})
	}
	if _, err := os.Stat(root + "/" + virtual); err == nil {
		t.Errorf("%s was written to the disk", virtual)
	}
}
