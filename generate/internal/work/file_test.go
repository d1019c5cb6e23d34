package work

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/exercises/progress"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/files"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbformat"
)

// exportedFile returns the text of a File in the form in which a page exports it. The map `answers`
// maps the key of each answer to the source of the answer.
func exportedFile(t *testing.T, answers map[string]string) string {
	t.Helper()
	list := map[string]Answer{}
	for key, source := range answers {
		list[key] = Answer{"2026-11-24T10:00:00Z", source}
	}
	text := must.Get(json.Marshal(list))(t)
	return `{"schema": "hyperplane-work/1", "answers": ` + string(text) + `,
"guesses": {"lesson-2:giants": {"time": "2026-11-24T10:00:00Z", "value": 9}, "lesson-3:the factor": {"time": "", "value": null}},
"progress": {"schema": "hyperplane-progress/1", "exercises": {"prml-4.25": {"answer": {"passed": true, "tries": 2,
"last": {"right": 3, "parts": 3, "finished": true}}, "steps": null, "hints": [1], "offered": false, "revealed": false}}}}`
}

const half = "func F(x float64) float64 {\n\treturn x / 2\n}\n"

func TestParse(t *testing.T) {
	text := exportedFile(t, map[string]string{"prml-4.25": half, "prml-4.25:7": "seven", "prml-4.1:3": "three"})
	f := must.Get(Parse([]byte(text)))(t)
	if a, err := f.Answer("prml-4.25", 7); err != nil || a.Source != "seven" || a.Time != "2026-11-24T10:00:00Z" {
		t.Errorf("for variant 7, got the answer %+v (error %v), want the source \"seven\" with its time", a, err)
	}
	if g := f.Guesses["lesson-2:giants"]; g.Value == nil || *g.Value != 9 || f.Guesses["lesson-3:the factor"].Value != nil {
		t.Errorf("got the guesses %+v, want 9 for lesson-2:giants and no guess for lesson-3:the factor", f.Guesses)
	}
	if r := f.Progress.Peek("prml-4.25"); r.State() != progress.Passed || r.Answer.Tries != 2 {
		t.Errorf("got the record %+v, want a pass with 2 tries", r)
	}
	_, err := f.Answer("prml-4.25", 8)
	must.Fail(t, err, "no answer to prml-4.25 in variant 8; there is an answer in the common variant, variant 7")
	_, err = f.Answer("prml-4.2", 0)
	must.Fail(t, err, "no answer to prml-4.2")
	// The result of the method Only must contain the source of one answer and nothing else, because
	// nothing else affects the verdict on this answer.
	one := must.Get(Parse(must.Get(f.Only("prml-4.25:7"))(t)))(t)
	if a, err := one.Answer("prml-4.25", 7); err != nil || a.Source != "seven" || a.Time != "" || len(one.Answers) != 1 ||
		len(one.Progress.Exercises) != 0 {
		t.Errorf("Only returns a file with %+v (error %v), want one answer and nothing else", one, err)
	}
	good := exportedFile(t, nil)
	for name, tt := range map[string]struct{ text, want string }{
		"no JSON":          {"{", "it is not a JSON object with a schema"},
		"a progress.json":  {`{"schema": "hyperplane-progress/2", "exercises": {}}`, `invalid schema "hyperplane-progress/2"`},
		"a newer version":  {strings.Replace(good, "work/1", "work/2", 1), `want "hyperplane-work/1"`},
		"the state file":   {`{"schema": "hyperplane-work/1", "files": {}}`, `unknown field "files"`},
		"without answers":  {`{"schema": "hyperplane-work/1", "progress": {}}`, "want the fields answers and progress"},
		"a wrong answer":   {strings.Replace(good, `"answers": {}`, `"answers": {"a": 3}`, 1), "invalid work file"},
		"a wrong progress": {strings.Replace(good, "progress/1", "progress/9", 1), "the field progress: it needs another version"},
	} {
		_, err := Parse([]byte(tt.text))
		must.Fail(t, err, tt.want)
		if err != nil && strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %q has more than one line", name, err)
		}
	}
}

// TestCarryFile checks that a page's answers are copied into the unedited notebooks exactly once.
// The output must name an edited notebook, a variant without a notebook, and an answer that does
// not fit.
func TestCarryFile(t *testing.T) {
	named := func(id, key, body string) string {
		nb := must.Get(nbformat.Parse("x", []byte(stubNotebook(t, "one", body))))(t)
		nb.Metadata["hyperplane"] = map[string]any{key: id}
		return string(must.Get(nb.Marshal())(t))
	}
	tree := files.Tree{"ex/a.ipynb": []byte(named("prml-4.25", "exercise", todo)), "equations.md": []byte("# Equations"),
		"ex/b.ipynb": []byte(named("prml-4.1", "exercise", todo)), "lesson.ipynb": []byte(named("lesson-4", "lesson", todo)),
		"ex/c.ipynb": []byte(named("prml-4.2", "exercise", todo)), "ex/d.ipynb": []byte(named("prml-4.3", "exercise", todo)),
		"ex/e.ipynb": []byte(named("prml-4.4", "exercise", todo))}
	f := folder{t, t.TempDir()}
	_, _, err := Update(t.Context(), f.dir, "0.1.0", tree)
	must.Do(t, err)
	carry := func(write bool) string {
		t.Helper()
		var lines []string
		for _, c := range must.Get(CarryFile(f.dir, tree, write))(t) {
			lines = append(lines, c.String())
		}
		return strings.Join(lines, "\n")
	}
	if got := carry(true); got != "" {
		t.Errorf("without a file, CarryFile reports %s, want nothing", got)
	}
	stub := "func F(x float64) float64 { panic(verify.TODO) }"
	f.edit(FileName, exportedFile(t, map[string]string{"prml-4.25": half, "prml-4.1": half, "lesson-4": half, "prml-4.25:7": half,
		"prml-4.2": "func F(x int) int { return x }", "prml-4.3": stub, "prml-4.4": "func G(x float64) float64 { return x }"}))
	edited := named("prml-4.1", "exercise", "return 3")
	f.edit("ex/b.ipynb", edited)
	const want = `hyperplane-work.json, prml-4.25: your answer is now also in ex/a.ipynb
hyperplane-work.json, prml-4.1: your answer could not be copied into ex/b.ipynb: you have edited that notebook; nothing was overwritten
hyperplane-work.json, prml-4.2: your answer could not be copied into ex/c.ipynb: the signature of F has changed; nothing was overwritten
hyperplane-work.json, prml-4.4: your answer could not be copied into ex/e.ipynb: the cell has no function F; nothing was overwritten
hyperplane-work.json, lesson-4: your answer is now also in lesson.ipynb
hyperplane-work.json, prml-4.25: your answer could not be copied into a notebook of variant 7: this folder has no such notebook; nothing was overwritten`
	if got := carry(false); got != want {
		t.Errorf("without copying, CarryFile reports\n%s\nwant\n%s", got, want)
	}
	f.want("ex/a.ipynb", string(tree["ex/a.ipynb"]))
	if got := carry(true); got != want {
		t.Errorf("CarryFile reports\n%s\nwant\n%s", got, want)
	}
	f.want("ex/a.ipynb", named("prml-4.25", "exercise", "return x / 2"))
	f.want("lesson.ipynb", named("lesson-4", "lesson", "return x / 2"))
	f.want("ex/b.ipynb", edited)
	if r := must.Get(progress.Below(f.dir).Read())(t).Peek("prml-4.25"); r.State() != progress.Passed {
		t.Errorf("the progress in the file was not merged: got the record %+v, want a passed exercise", r)
	}
	if got := carry(true); strings.Contains(got, "now also in") {
		t.Errorf("the second call of CarryFile copies an answer again: it reports\n%s", got)
	}
	must.Do(t, os.WriteFile(filepath.Join(f.dir, FileName), []byte("{"), 0o600))
	_, err = CarryFile(f.dir, tree, true)
	must.Fail(t, err, FileName+": it is not a JSON object with a schema")
}
