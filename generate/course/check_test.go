package course

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/catalog"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/exercise"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
)

// answer25 returns an answer to PRML 4.25. The argument `body` becomes the body of the function
// LambdaSquared. The functions of the optional steps are still stubs.
func answer25(body string) string {
	return "package answer\n\nfunc LambdaSquared() float64 {\n\t" + body + "\n}\n\n" +
		"func SigmoidSlope() float64 { panic(verify.TODO) }\nfunc ProbitSlope(lambda float64) float64 { panic(verify.TODO) }\n"
}

func TestCheckAnswer(t *testing.T) {
	t.Setenv("HYPERPLANE_PATIENCE", "20") // multiply all time limits by 20, also the limit for finding the mistake
	file := filepath.Join(t.TempDir(), "mine.go")
	for _, tt := range []struct {
		name, text string
		code       int
		want       string
	}{
		{"right", answer25("return math.Pi / 8"), 0, "passed: all 3 parts right"},
		{"with its import",
			strings.Replace(answer25("return math.Pi / 8"), "answer\n", "answer\n\nimport \"math\"\n", 1), 0,
			"passed: all 3 parts right"},
		{"wrong", answer25("return 8 / math.Pi"), exitNotPassed, "Your number is the reciprocal"},
		{"place of the mistake", answer25("return math.Pi/8 + 0.01"), exitNotPassed,
			"one small change away from right. Look at line 4: the term “+ 0.01”."},
		{"stub", answer25("panic(verify.TODO)"), exitNotPassed, "not attempted yet"},
		{"panic", answer25("var v []float64\n\treturn v[2]"), exitNotPassed, "index out of range [2]"},
		{"compile error", answer25("return lambda"), exitNotPassed, "mine.go:4:9: undefined: lambda"},
		{"no Go", "func (", exitBad, "mine.go: your answer:1"},
		{"forbidden import", "import \"os\"\n" + answer25("os.Exit(0)\n\treturn 1"), exitBad, `may not import "os"`},
		{"no function", "package answer\n", exitBad, "has no function LambdaSquared"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			must.Write(t, file, tt.text)
			runWant(t, tt.code, []string{"check", "prml-4.25", file}, tt.want)
		})
	}
	// Write an answer to PRML 4.25 to a file, in the format in which the pages of the course export
	// answers.
	exported := filepath.Join(t.TempDir(), "hyperplane-work.json")
	must.Write(t, exported, `{"schema": "hyperplane-work/1", "answers": {"prml-4.25": {"time": "", "source": `+
		strconv.Quote(answer25("return math.Pi / 8"))+`}}, "guesses": {}, "progress": {"schema": "hyperplane-progress/2", "exercises": {}}}`)
	runWant(t, 0, []string{"check", "prml-4.25", exported}, "passed: all 3 parts right")
	wantRefused(t, []string{"check"}, []mistake{
		{"no such answer", []string{"prml-4.26", exported}, "no answer to prml-4.26"},
		{"unknown id", []string{"prml-4.52", file}, "did you mean"},
		{"missing file", []string{"prml-4.25", file + "x"}, "no such file"},
		{"no file", []string{"prml-4.25"}, "accepts 2 arg(s)"},
	})
}

// TestCheckVariant checks an answer that was written for variant 7 of an exercise. The answer must
// pass in variant 7 and fail in variant 8.
func TestCheckVariant(t *testing.T) {
	file := filepath.Join(t.TempDir(), "mine.go")
	root := moduleRoot(t)
	_, module, err := openModule()
	must.Do(t, err)
	e := must.Get(catalog.Variants(module, exercise.Variant{Seed: 7}, "alpaydin-10.9"))(t)[0]
	must.Write(t, file, e.Answer.Solution.Source)
	t.Chdir(root)
	runApart(t, 0, []string{"check", "alpaydin-10.9", file, "--seed", "7"}, "variant 7", "passed: all")
	said := runApart(t, exitNotPassed, []string{"check", "alpaydin-10.9", file, "--seed", "8"}, "variant 8")
	exported := filepath.Join(t.TempDir(), "hyperplane-work.json")
	must.Write(t, exported, `{"schema": "hyperplane-work/1", "answers": {"alpaydin-10.9:7": {"time": "", "source": `+
		strconv.Quote(e.Answer.Solution.Source)+`}}, "guesses": {}, "progress": {"schema": "hyperplane-progress/2", "exercises": {}}}`)
	runApart(t, 0, []string{"check", "alpaydin-10.9", exported, "--seed", "7"}, "variant 7", "passed: all")
	runApart(t, exitBad, []string{"check", "alpaydin-10.9", exported}, "no answer to alpaydin-10.9 in the common variant; there is an answer in variant 7")
	if !regexp.MustCompile(`(?m)^not passed`).MatchString(said) {
		t.Error(fmt.Sprint("the answer to variant 7, checked in variant 8: want a line that begins with “not passed”, got ", said))
	}
}
