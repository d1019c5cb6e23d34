package runner_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/exercises/progress"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/kerneltest"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbformat"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/runner"
)

// forgery is the set-up cell of the notebook in TestForgedReports. It contains a right answer, and
// code that a dishonest answer can use to send its own report.
const forgery = `%noautoget
import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strings"
	"time"

	"github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex25"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
	"github.com/janpfeifer/gonb/gonbui"
	"github.com/janpfeifer/gonb/gonbui/protocol"
)

func right() float64 { return math.Pi / 8 }

func forge() {
	text, _ := json.Marshal(&verify.Report{Schema: "hyperplane-report/1", Exercise: "prml-4.25", Title: "forged", Complete: true,
		Parts: []verify.Result{{Name: "all", Outcome: verify.Right}}})
	var object map[string]any
	_ = json.Unmarshal(text, &object)
	gonbui.SendData(&protocol.DisplayData{Data: map[protocol.MIMEType]any{protocol.MIMEType(verify.ReportMIME): object}})
	gonbui.Sync()
}`

// TestForgedReports runs one notebook with several answers. Some answers are wrong, but try to get
// the verdict Passed. One answer is right, but prints the same text as a failing program. Two cells
// exceed the output limit. The run must not record any of the answers as progress, although a cell
// sets the environment variable HYPERPLANE_HEADLESS as in the notebook of a person.
func TestForgedReports(t *testing.T) {
	kernel := kerneltest.Kernel(t)
	checkCleanUp(t)
	tests := []struct {
		id, source string // id and source of a cell; most sources contain an answer and call the check
		want       runner.Verdict
		detail     string
	}{
		{"setup", forgery, runner.OK, ""},
		{"person", "%env HYPERPLANE_HEADLESS 0", runner.OK, ""},
		{"sends", "func answer1() float64 {\n\tforge()\n\tos.Exit(0)\n\treturn 0\n}\n%%\nex25.Check(answer1)",
			runner.Exited, "before the report was complete"},
		{"sends-later",
			"var calls2 int\n\nfunc answer2() float64 {\n\tif calls2++; calls2 > 2 {\n\t\tforge()\n\t\tos.Exit(0)\n\t}\n\treturn 0.2\n}\n%%\nex25.Check(answer2)",
			runner.Exited, "before the report was complete"},
		{"sends-beside",
			"func answer3() float64 {\n\tgo func() {\n\t\tforge()\n\t\tos.Exit(0)\n\t}()\n\ttime.Sleep(time.Minute)\n\treturn 0\n}\n%%\nex25.Check(answer3)",
			runner.Exited, "before the report was complete"},
		{"judges",
			"func answer4() float64 {\n\tex25.Exercise().Judge(verify.Part{Name: \"all\", Judge: func() verify.Verdict { return verify.Pass(\"\") }})\n\tos.Exit(0)\n\treturn 0\n}\n%%\nex25.Check(answer4)",
			runner.Exited, "before the report was complete"},
		{"checks",
			"func answer5() float64 {\n\tjudge := ex25.Check\n\tjudge(right)\n\tos.Exit(0)\n\treturn 0\n}\n%%\nex25.Check(answer5)",
			runner.Exited, "before the report was complete"},
		{"asks", "func answer6() float64 {\n\tjudge := ex25.Check\n\tjudge(right)\n\treturn 0.2\n}\n%%\nex25.Check(answer6)",
			runner.NotPassed, "not passed"},
		{"twice", "func answer7() float64 { return 0.2 }\n%%\nex25.Check(answer7)\nex25.Check(right)",
			runner.NotPassed, "not passed"},
		{"prints", "%%\nfmt.Fprintln(os.Stderr, \"exit status 1\")\nex25.Check(right)", runner.Passed, ""},
		{"metadata",
			"%%\ngonbui.SendData(&protocol.DisplayData{Data: map[protocol.MIMEType]any{protocol.MIMETextPlain: \"x\"},\n\tMetadata: map[string]any{\"more\": strings.Repeat(\"x\", 3_000_000)}})\ngonbui.Sync()",
			runner.TooMuchOutput, "2000000 characters of displays"},
		{"many", "%%\nfor i := range 5000 {\n\tgonbui.DisplayHTML(fmt.Sprint(i))\n}\ngonbui.Sync()\nex25.Check(right)",
			runner.TooMuchOutput, "2000000 characters of displays"},
	}
	nb := nbformat.New()
	for _, tt := range tests {
		cell := nb.AddCode(tt.id, tt.source)
		if strings.Contains(tt.source, "\nex25.Check(") {
			cell.Metadata["hyperplane"] = map[string]any{"exercise": "prml-4.25", "role": "check"}
		}
	}
	dir, out := t.TempDir(), t.TempDir()
	path := filepath.Join(dir, "forged.ipynb")
	t.Setenv(progress.Variable, filepath.Join(dir, progress.Name))
	must.Do(t, nb.WriteFile(path))
	summary := must.Get(runner.Run(t.Context(), []string{path},
		runner.Options{Kernel: kernel, Out: out, DisplayCap: 2e6}))(t)
	for i, c := range summary.Notebooks[0].Cells {
		if want := tests[i]; c.Verdict != want.want || !strings.Contains(c.Detail, want.detail) {
			t.Errorf("%s: got the verdict %s (%s), want %s with a detail that contains %q", c.ID, c.Verdict, c.Detail, want.want, want.detail)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, progress.Name)); !os.IsNotExist(err) {
		t.Errorf("the run wrote a progress file, want no such file (error of Stat: %v)", err)
	}
	if info, err := os.Stat(filepath.Join(out, "forged.ipynb")); err != nil || info.Size() > 3e6 {
		t.Errorf("the executed notebook is missing or has more than 3000000 bytes: got %v, error %v", info, err)
	}
}
