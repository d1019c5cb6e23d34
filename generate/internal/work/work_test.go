package work

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/files"
)

// A folder is the learner's folder in a test.
type folder struct {
	t   *testing.T
	dir string
}

func (f folder) lay(version, content string) Step {
	f.t.Helper()
	steps, _, err := Lay(f.t.Context(), f.dir, version, files.Tree{"ex/a.ipynb": []byte(content)})
	if err != nil {
		f.t.Fatal(err)
	}
	if len(steps) != 1 || steps[0].Path != "ex/a.ipynb" {
		f.t.Fatalf("steps are %+v", steps)
	}
	return steps[0]
}

func (f folder) edit(name, content string) {
	f.t.Helper()
	if err := os.WriteFile(filepath.Join(f.dir, name), []byte(content), 0o644); err != nil {
		f.t.Fatal(err)
	}
}

func (f folder) want(name, content string) {
	f.t.Helper()
	got, err := os.ReadFile(filepath.Join(f.dir, name))
	if err != nil || string(got) != content {
		f.t.Errorf("%s holds %q (%v), want %q", name, got, err, content)
	}
}

func (f folder) expect(s Step, action Action, beside string) {
	f.t.Helper()
	if s.Action != action || s.New != beside {
		f.t.Errorf("the step is %q %q, want %q %q", s.Action, s.New, action, beside)
	}
}

func TestUneditedCopies(t *testing.T) {
	f := folder{t, filepath.Join(t.TempDir(), "work")}
	f.expect(f.lay("0.1.0", "one"), Laid, "")
	f.expect(f.lay("0.1.0", "one"), Same, "")
	f.expect(f.lay("0.2.0", "two"), Replaced, "")
	f.want("ex/a.ipynb", "two")
	if err := os.Remove(filepath.Join(f.dir, "ex/a.ipynb")); err != nil {
		t.Fatal(err)
	}
	f.expect(f.lay("0.2.0", "two"), Laid, "") // deleted: a fresh start
}

func TestEditedCopyIsNeverTouched(t *testing.T) {
	f := folder{t, t.TempDir()}
	f.lay("0.1.0", "one")
	f.edit("ex/a.ipynb", "mine")
	f.expect(f.lay("0.1.0", "one"), Kept, "")
	f.expect(f.lay("0.2.0", "two"), Beside, "ex/a.v0.2.0.ipynb")
	f.want("ex/a.v0.2.0.ipynb", "two")
	f.expect(f.lay("0.2.0", "two"), Kept, "") // said once
	f.edit("ex/a.v0.2.0.ipynb", "mine too")
	f.expect(f.lay("0.2.0", "two"), Kept, "")
	f.expect(f.lay("0.2.0", "two, mended"), Beside, "ex/a.v0.2.0-2.ipynb")
	f.expect(f.lay("0.3.0", "three"), Beside, "ex/a.v0.3.0.ipynb")
	f.want("ex/a.ipynb", "mine")
	f.want("ex/a.v0.2.0.ipynb", "mine too")
	f.want("ex/a.v0.2.0-2.ipynb", "two, mended")
	f.want("ex/a.v0.3.0.ipynb", "three")
}

func TestEditsTakenBackCountAsUnedited(t *testing.T) {
	f := folder{t, t.TempDir()}
	f.lay("0.1.0", "one")
	f.edit("ex/a.ipynb", "mine")
	f.lay("0.2.0", "two")
	f.edit("ex/a.ipynb", "one")
	f.expect(f.lay("0.3.0", "three"), Replaced, "")
}

func TestFileOfUnknownOrigin(t *testing.T) {
	f := folder{t, t.TempDir()}
	if err := os.Mkdir(filepath.Join(f.dir, "ex"), 0o755); err != nil {
		t.Fatal(err)
	}
	f.edit("ex/a.ipynb", "who made this?")
	f.expect(f.lay("0.1.0", "one"), Beside, "ex/a.v0.1.0.ipynb")
	f.expect(f.lay("0.1.0", "one"), Kept, "")
	f.want("ex/a.ipynb", "who made this?")
}

func TestBrokenStateIsKeptAside(t *testing.T) {
	for name, text := range map[string]string{"cut off": `{"schema":`, "other schema": `{"schema":"x","files":{}}`, "empty": ""} {
		t.Run(name, func(t *testing.T) {
			f := folder{t, t.TempDir()}
			f.lay("0.1.0", "one")
			f.edit("ex/a.ipynb", "mine")
			f.edit(StateFile, text)
			steps, notes, err := Lay(t.Context(), f.dir, "0.1.0", files.Tree{"ex/a.ipynb": []byte("one")})
			if err != nil {
				t.Fatal(err)
			}
			if len(notes) != 1 || !strings.Contains(notes[0], StateFile+".broken") {
				t.Errorf("notes are %q", notes)
			}
			f.expect(steps[0], Beside, "ex/a.v0.1.0.ipynb")
			f.want("ex/a.ipynb", "mine")
			f.want(StateFile+".broken", text)
		})
	}
}

// Killed between the notebooks and the state, the next run finds its way.
func TestStateThatLagsBehind(t *testing.T) {
	f := folder{t, t.TempDir()}
	f.lay("0.1.0", "one")
	before, err := os.ReadFile(filepath.Join(f.dir, StateFile))
	if err != nil {
		t.Fatal(err)
	}
	f.lay("0.2.0", "two")
	f.edit(StateFile, string(before))
	f.expect(f.lay("0.2.0", "two"), Same, "")
	f.expect(f.lay("0.3.0", "three"), Replaced, "")
}

func TestStepLines(t *testing.T) {
	for s, want := range map[Step]string{
		{Path: "a.ipynb", Action: Laid}:                          "a.ipynb: laid",
		{Path: "a.ipynb", Action: Kept}:                          "a.ipynb: yours, left as it is",
		{Path: "a.ipynb", Action: Beside, New: "a.v0.2.0.ipynb"}: "a.ipynb: yours, left as it is; the new version lies beside it: a.v0.2.0.ipynb",
	} {
		if got := s.String(); got != want {
			t.Errorf("line is %q, want %q", got, want)
		}
	}
}
