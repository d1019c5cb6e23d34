package work

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/files"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbformat"
)

// A folder is the learner's folder in a test.
type folder struct {
	t   *testing.T
	dir string
}

func (f folder) update(version, content string) Step {
	f.t.Helper()
	steps, _, err := Update(f.t.Context(), f.dir, version, files.Tree{"ex/a.ipynb": []byte(content)})
	must.Do(f.t, err)
	if len(steps) != 1 || steps[0].Path != "ex/a.ipynb" {
		f.t.Fatalf("got the steps %+v, want one step for ex/a.ipynb", steps)
	}
	return steps[0]
}

func (f folder) edit(name, content string) {
	f.t.Helper()
	must.Write(f.t, filepath.Join(f.dir, name), content)
}

func (f folder) want(name, content string) {
	f.t.Helper()
	if got := must.Read(f.t, filepath.Join(f.dir, name)); got != content {
		f.t.Errorf("the file %s contains %q, want %q", name, got, content)
	}
}

func (f folder) expect(s Step, action Action, beside string) {
	f.t.Helper()
	if s.Action != action || s.New != beside {
		f.t.Errorf("got the action %q (want %q) and the new path %q (want %q)", s.Action, action, s.New, beside)
	}
}

func TestUneditedCopies(t *testing.T) {
	f := folder{t, filepath.Join(t.TempDir(), "work")}
	f.expect(f.update("0.1.0", "one"), Created, "")
	f.expect(f.update("0.1.0", "one"), Same, "")
	f.expect(f.update("0.2.0", "two"), Replaced, "")
	f.want("ex/a.ipynb", "two")
	must.Do(t, os.Remove(filepath.Join(f.dir, "ex/a.ipynb")))
	f.expect(f.update("0.2.0", "two"), Created, "") // Update must write a notebook again after the learner has deleted it.
}

func TestEditedCopyIsNeverTouched(t *testing.T) {
	f := folder{t, t.TempDir()}
	f.update("0.1.0", "one")
	f.edit("ex/a.ipynb", "mine")
	f.expect(f.update("0.1.0", "one"), Kept, "")
	f.expect(f.update("0.2.0", "two"), Beside, "ex/a.v0.2.0.ipynb")
	f.want("ex/a.v0.2.0.ipynb", "two")
	f.expect(f.update("0.2.0", "two"), Kept, "") // Update must report a new version only once.
	f.edit("ex/a.v0.2.0.ipynb", "mine too")
	f.expect(f.update("0.2.0", "two"), Kept, "")
	f.expect(f.update("0.2.0", "two, corrected"), Beside, "ex/a.v0.2.0-2.ipynb")
	f.expect(f.update("0.3.0", "three"), Beside, "ex/a.v0.3.0.ipynb")
	f.want("ex/a.ipynb", "mine")
	f.want("ex/a.v0.2.0.ipynb", "mine too")
	f.want("ex/a.v0.2.0-2.ipynb", "two, corrected")
	f.want("ex/a.v0.3.0.ipynb", "three")
}

func TestEditsTakenBackCountAsUnedited(t *testing.T) {
	f := folder{t, t.TempDir()}
	f.update("0.1.0", "one")
	f.edit("ex/a.ipynb", "mine")
	f.update("0.2.0", "two")
	f.edit("ex/a.ipynb", "one")
	f.expect(f.update("0.3.0", "three"), Replaced, "")
}

func TestFileOfUnknownOrigin(t *testing.T) {
	f := folder{t, t.TempDir()}
	f.edit("ex/a.ipynb", "who made this?")
	f.expect(f.update("0.1.0", "one"), Beside, "ex/a.v0.1.0.ipynb")
	f.expect(f.update("0.1.0", "one"), Kept, "")
	f.want("ex/a.ipynb", "who made this?")
}

func TestBrokenStateIsKeptAside(t *testing.T) {
	for name, text := range map[string]string{"cut off": `{"schema":`, "other schema": `{"schema":"x","files":{}}`,
		"empty": ""} {
		t.Run(name, func(t *testing.T) {
			f := folder{t, t.TempDir()}
			f.update("0.1.0", "one")
			f.edit("ex/a.ipynb", "mine")
			f.edit(StateFile, text)
			steps, notes, err := Update(t.Context(), f.dir, "0.1.0", files.Tree{"ex/a.ipynb": []byte("one")})
			must.Do(t, err)
			if len(notes) != 1 || !strings.Contains(notes[0], StateFile+".broken") {
				t.Errorf("got the notes %q, want one note that names the renamed state file", notes)
			}
			f.expect(steps[0], Beside, "ex/a.v0.1.0.ipynb")
			f.want("ex/a.ipynb", "mine")
			f.want(StateFile+".broken", text)
		})
	}
}

// TestStateThatLagsBehind checks Update after an earlier call was killed: that call had written the
// notebooks, but not yet the state.
func TestStateThatLagsBehind(t *testing.T) {
	f := folder{t, t.TempDir()}
	f.update("0.1.0", "one")
	before := must.Read(t, filepath.Join(f.dir, StateFile))
	f.update("0.2.0", "two")
	f.edit(StateFile, before)
	f.expect(f.update("0.2.0", "two"), Same, "")
	f.expect(f.update("0.3.0", "three"), Replaced, "")
}

func TestStepLines(t *testing.T) {
	for s, want := range map[Step]string{
		{Path: "a.ipynb", Action: Created}: "a.ipynb: created",
		{Path: "a.ipynb", Action: Kept}:    "a.ipynb: edited by you, left unchanged",
		{Path: "a.ipynb", Action: Beside,
			New: "a.v0.2.0.ipynb"}: "a.ipynb: edited by you, left unchanged; the new version is beside it: a.v0.2.0.ipynb",
	} {
		if got := s.String(); got != want {
			t.Errorf("got the message %q, want %q", got, want)
		}
	}
}

// stubNotebook returns a notebook with a title that names the version, and with a stub cell. This cell
// declares a function F with the given body.
func stubNotebook(t *testing.T, version, body string) string {
	t.Helper()
	nb := nbformat.New()
	nb.AddMarkdown("title", version)
	nb.AddCode("f-stub", "func F(x float64) float64 {\n\t"+body+
		"\n}").Metadata["hyperplane"] = map[string]any{"role": "stub"}
	return string(must.Get(nb.Marshal())(t))
}

const todo = "panic(verify.TODO)"

func (f folder) carry(content string, write bool) []Carried {
	f.t.Helper()
	return must.Get(Carry(f.dir, files.Tree{"ex/a.ipynb": []byte(content)}, write))(f.t)
}

// TestCarryFromTheNewestAnswer checks that Carry copies an answer from the copy in which the
// learner worked last, and only once.
func TestCarryFromTheNewestAnswer(t *testing.T) {
	f := folder{t, t.TempDir()}
	two, three := stubNotebook(t, "two", todo), stubNotebook(t, "three", todo)
	f.update("0.1.0", stubNotebook(t, "one", todo))
	f.edit("ex/a.ipynb", stubNotebook(t, "one", "return x"))
	if got := f.carry(stubNotebook(t, "one", todo), true); len(got) != 0 {
		t.Errorf("without a new copy, Carry reports %v, want nothing", got)
	}
	f.update("0.2.0", two)
	want := Carried{From: "ex/a.ipynb", To: "ex/a.v0.2.0.ipynb"}
	if got := f.carry(two, false); len(got) != 1 || got[0] != want {
		t.Errorf("without copying, Carry reports %v, want %v", got, want)
	}
	f.want("ex/a.v0.2.0.ipynb", two)
	f.carry(two, true)
	f.want("ex/a.v0.2.0.ipynb", stubNotebook(t, "two", "return x"))
	if got := f.carry(two, true); len(got) != 0 {
		t.Errorf("the second call of Carry reports %v, want nothing", got)
	}
	f.expect(f.update("0.2.0", two), Kept, "")

	f.edit("ex/a.v0.2.0.ipynb", stubNotebook(t, "two", "return 2 * x"))
	f.update("0.3.0", three)
	f.carry(three, true)
	f.want("ex/a.v0.3.0.ipynb", stubNotebook(t, "three", "return 2 * x"))
	f.want("ex/a.v0.2.0.ipynb", stubNotebook(t, "two", "return 2 * x"))
	f.want("ex/a.ipynb", stubNotebook(t, "one", "return x"))
}

// TestCarryPassesOverUntouchedCopies checks that Carry skips a newer copy that the learner has not
// edited, and copies the answer from an older copy.
func TestCarryPassesOverUntouchedCopies(t *testing.T) {
	f := folder{t, t.TempDir()}
	f.update("0.1.0", stubNotebook(t, "one", todo))
	f.edit("ex/a.ipynb", stubNotebook(t, "one", "return x"))
	f.update("0.2.0", stubNotebook(t, "two", todo))
	three := stubNotebook(t, "three", todo)
	f.update("0.3.0", three)
	f.carry(three, true)
	f.want("ex/a.v0.3.0.ipynb", stubNotebook(t, "three", "return x"))
}

func TestWhatCannotBeCarried(t *testing.T) {
	fresh := stubNotebook(t, "two", todo)
	for _, tt := range []struct {
		name, mine, why string // mine: the learner's copy; why: text in Carried.Why, "" for no report
	}{
		{"only the title edited", stubNotebook(t, "edited", todo), ""},
		{"no notebook", "mine", "not a notebook"},
		{"no Go", stubNotebook(t, "one", "return x +"), "your answer is not valid Go: the cell:3: "},
		{"cell deleted", strings.Replace(stubNotebook(t, "one", "return x"), "f-stub", "other", 1),
			"your copy no longer contains the cell f-stub"},
		{"another signature", strings.Replace(stubNotebook(t, "one", "return x"), "F(x float64)", "F(x int)", 1),
			"the signature of F has changed"},
		{"function renamed", strings.Replace(stubNotebook(t, "one", "return x"), "F(x float64)", "Mine(x float64)", 1),
			"the cell has no function F"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := folder{t, t.TempDir()}
			f.update("0.1.0", stubNotebook(t, "one", todo))
			f.edit("ex/a.ipynb", tt.mine)
			f.update("0.2.0", fresh)
			got := f.carry(fresh, true)
			if tt.why == "" && len(got) != 0 || tt.why != "" &&
				(len(got) != 1 || !strings.Contains(got[0].Why, tt.why)) {
				t.Errorf("Carry reports %v, want one reason that contains %q, or no report if this text is empty", got, tt.why)
			}
			f.want("ex/a.ipynb", tt.mine)
			f.want("ex/a.v0.2.0.ipynb", fresh)
		})
	}
}

// TestCarryWithoutFiles checks that Carry does nothing if the edited or the new copy is missing.
func TestCarryWithoutFiles(t *testing.T) {
	for _, gone := range []string{"ex/a.ipynb", "ex/a.v0.2.0.ipynb"} {
		f := folder{t, t.TempDir()}
		two := stubNotebook(t, "two", todo)
		f.update("0.1.0", stubNotebook(t, "one", todo))
		f.edit("ex/a.ipynb", stubNotebook(t, "one", "return x"))
		f.update("0.2.0", two)
		must.Do(t, os.Remove(filepath.Join(f.dir, gone)))
		if got := f.carry(two, true); len(got) != 0 {
			t.Errorf("without %s, Carry reports %v, want nothing", gone, got)
		}
	}
}
