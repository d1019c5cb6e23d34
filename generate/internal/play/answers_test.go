//go:build playtest

package play

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/browsertest"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/exercise"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/mutant"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/trial"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// wrongAnswersFile is a file with the names of the wrong answers for each exercise. A wrong answer
// is a mutant of the reference answer that the exercise's check rejects with a message. The flag
// -update selects new wrong answers.
const wrongAnswersFile = "testdata/wrong.json"

// wrongOnes is the number of wrong answers per exercise that TestRecordedAnswers judges in the
// page.
const wrongOnes = 2

// A known answer is an answer together with its reports from a native run, which is a run of the
// check without a browser.
type known struct {
	name    string
	text    mutant.Text
	reports []*verify.Report
}

// judgeNatively judges answers without a browser: the reference answer of each exercise, and the
// given number of its recorded wrong answers. It returns the answers of each exercise, keyed by the
// exercise's id.
func judgeNatively(t *testing.T, list []*exercise.Exercise, wrong int) map[string][]known {
	t.Helper()
	maker := must.Get(mutant.NewMaker(root, list))(t)
	var names map[string][]string
	must.Do(t, json.Unmarshal([]byte(must.Read(t, wrongAnswersFile)), &names))
	bundles, out := make([]trial.Bundle, len(list)), map[string][]known{}
	for i, e := range list {
		answer, mutants, err := maker.Mutants(e)
		must.Do(t, err)
		out[e.ID] = []known{{name: "reference", text: answer}}
		for _, m := range mutants {
			if slices.Contains(names[e.ID][:wrong], m.Name) {
				out[e.ID] = append(out[e.ID], known{name: m.Name, text: m.Text})
			}
		}
		if n := len(out[e.ID]) - 1; n != wrong {
			t.Fatalf("%s: of the recorded wrong answers %q, only %d can still be made from the reference answer: run go test -tags playtest -run TestRecordedAnswers -update",
				e.ID, names[e.ID], n)
		}
		bundles[i] = trial.Bundle{Exercise: e}
		for _, k := range out[e.ID] {
			bundles[i].Texts = append(bundles[i].Texts, k.text)
		}
	}
	program := must.Get(trial.Build(t.Context(), root, bundles))(t)
	defer program.Close()
	for i, e := range list {
		for k := range out[e.ID] {
			j := must.Get(program.Judge(t.Context(), i, k, trial.Limits{}))(t)
			if len(j.Reports) == 0 {
				t.Fatalf("%s, %s: got no report, but %s", e.ID, out[e.ID][k].name, j.Outcomes())
			}
			out[e.ID][k].reports = j.Reports
		}
	}
	return out
}

// TestRecordedAnswers checks that the page judges answers as a native run (without a browser) does.
// Reference answers must pass, and wrong answers must get the same messages. The learner's text
// contains no imports, so the page must add them.
func TestRecordedAnswers(t *testing.T) {
	t.Parallel()
	list := exercisesOf(t)
	if must.Updating() {
		chooseWrongAnswers(t, list)
	}
	// A sample is enough, because the gate named “wasm” judges all exercises without a page.
	if os.Getenv("HYPERPLANE_PLAY_ALL") == "" {
		list = sampleExercises(t)
	}
	want := judgeNatively(t, list, wrongOnes)
	for half := range slices.Chunk(list, (len(list)+1)/2) {
		t.Run(half[0].ID+" and on", func(t *testing.T) {
			t.Parallel()
			judgeInPage(t, half, want)
		})
	}
	if len(want) != len(list) {
		t.Errorf("got %d judged exercises, want %d", len(want), len(list))
	}
}

// sampleExercises returns exercises whose functions have different types of parameters and results:
// numbers, slices, matrices, functions, and a named type. The function of one exercise is slow,
// because it draws random samples.
func sampleExercises(t *testing.T) (list []*exercise.Exercise) {
	for _, id := range []string{"prml-4.7", "prml-4.13", "prml-4.19", "prml-4.26", "alpaydin-10.1", "alpaydin-10.9"} {
		list = append(list, find(t, id))
	}
	return list
}

// judgeInPage makes the page of each exercise judge that exercise's known answers. It compares the
// page's reports with the reports of the native run.
func judgeInPage(t *testing.T, list []*exercise.Exercise, want map[string][]known) {
	site := serveSite(t)
	var took []int
	var d *desk
	for _, e := range list { // Judge one exercise after another, so that the compiler is loaded only once.
		if d == nil {
			d = openDesk(t, addressOf(site, e), browsertest.View{Width: 1280})
		} else {
			d.Go(addressOf(site, e))
			d.ready()
		}
		for k, answer := range want[e.ID] {
			d.write(answer.text.Source)
			for i, call := range e.Calls {
				if k > 0 && i > 0 {
					break // the test calls CheckSteps only with the reference answer
				}
				d.check(call.Func)
				if r := answer.reports[i]; !d.showsReport(r.HTML()) {
					t.Errorf("%s, %s, %s: the page shows\n%s\n%s\nwant\n%s", e.ID, answer.name, call.Func, d.report(),
						d.text("play-says"), r)
				} else if r.Passed() != (k == 0) {
					t.Errorf("%s, %s, %s: a reference answer fails or a wrong answer passes: %s",
						e.ID, answer.name, call.Func, r.Summary())
				}
				took = append(took, d.checkTime(t))
			}
		}
	}
	d.wantNoErrors()
	slices.Sort(took)
	if least := (1 + wrongOnes) * len(list); len(took) < least {
		t.Errorf("got %d judgements, want at least %d", len(took), least)
	}
	t.Logf("%d exercises; the median time of a check is %d ms (of %d checks), the maximum %d ms", len(list), took[len(took)/2], len(took),
		took[len(took)-1])
}

// chooseWrongAnswers selects new wrong answers and writes their names to wrongAnswersFile. It tries
// mutants whose changes are spread over the text of the reference answer. It selects a mutant only if at
// least one part of the check has the outcome Wrong, and no part crashes or times out. The selected
// mutants of one exercise must get different messages.
func chooseWrongAnswers(t *testing.T, list []*exercise.Exercise) {
	t.Helper()
	maker := must.Get(mutant.NewMaker(root, list))(t)
	names := map[string][]string{}
	bundles, candidates := make([]trial.Bundle, len(list)), make([][]mutant.Mutant, len(list))
	for i, e := range list {
		_, mutants, err := maker.Mutants(e)
		must.Do(t, err)
		bundles[i] = trial.Bundle{Exercise: e}
		const tries = 12
		for k := range min(tries, len(mutants)) {
			m := mutants[k*len(mutants)/min(tries, len(mutants))]
			candidates[i] = append(candidates[i], m)
			bundles[i].Texts = append(bundles[i].Texts, m.Text)
		}
	}
	program := must.Get(trial.Build(t.Context(), root, bundles))(t)
	defer program.Close()
	for i, e := range list {
		seen := map[string]bool{}
		for k, m := range candidates[i] {
			if len(names[e.ID]) == wrongOnes {
				break
			}
			j := must.Get(program.Judge(t.Context(), i, k, trial.Limits{CPU: 5 * time.Second}))(t)
			if len(j.Reports) == 0 {
				continue
			}
			r := j.Reports[0]
			words := messages(r)
			if r.Count(verify.Wrong) > 0 && r.Count(verify.Crashed)+r.Count(verify.TimedOut) == 0 && !seen[words] {
				seen[words] = true
				names[e.ID] = append(names[e.ID], m.Name)
			}
		}
		if len(names[e.ID]) != wrongOnes {
			t.Errorf("%s: found %d wrong answers %q, want %d", e.ID, len(names[e.ID]), names[e.ID], wrongOnes)
		}
	}
	text := must.Get(json.MarshalIndent(names, "", "  "))(t)
	must.Write(t, wrongAnswersFile, string(text)+"\n")
}

// messages returns the messages of all parts with the outcome verify.Wrong, one per line.
func messages(r *verify.Report) string {
	var found []string
	for _, p := range r.Parts {
		if p.Outcome == verify.Wrong {
			found = append(found, p.Message)
		}
	}
	return strings.Join(found, "\n")
}
