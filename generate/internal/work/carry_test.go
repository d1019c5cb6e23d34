package work

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/files"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbformat"
)

// notebook is one with a stub and a text that tells versions apart.
func notebook(t *testing.T, version, body string) string {
	t.Helper()
	nb := nbformat.New()
	nb.AddMarkdown("title", version)
	nb.AddCode("f-stub", "func F(x float64) float64 {\n\t"+body+"\n}").Metadata["hyperplane"] = map[string]any{"role": "stub"}
	data, err := nb.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

const todo = "panic(verify.TODO)"

func (f folder) carry(content string, write bool) []Carried {
	f.t.Helper()
	list, err := Carry(f.dir, files.Tree{"ex/a.ipynb": []byte(content)}, write)
	if err != nil {
		f.t.Fatal(err)
	}
	return list
}

// An answer goes from the copy in which the learner worked last, once.
func TestCarryFromTheNewestAnswer(t *testing.T) {
	f := folder{t, t.TempDir()}
	two, three := notebook(t, "two", todo), notebook(t, "three", todo)
	f.lay("0.1.0", notebook(t, "one", todo))
	f.edit("ex/a.ipynb", notebook(t, "one", "return x"))
	if got := f.carry(notebook(t, "one", todo), true); len(got) != 0 {
		t.Errorf("without a new copy: %v", got)
	}
	f.lay("0.2.0", two)
	want := Carried{From: "ex/a.ipynb", To: "ex/a.v0.2.0.ipynb"}
	if got := f.carry(two, false); len(got) != 1 || got[0] != want {
		t.Errorf("asked, it says %v, want %v", got, want)
	}
	f.want("ex/a.v0.2.0.ipynb", two)
	f.carry(two, true)
	f.want("ex/a.v0.2.0.ipynb", notebook(t, "two", "return x"))
	if got := f.carry(two, true); len(got) != 0 {
		t.Errorf("again: %v", got)
	}
	f.expect(f.lay("0.2.0", two), Kept, "")

	f.edit("ex/a.v0.2.0.ipynb", notebook(t, "two", "return 2 * x"))
	f.lay("0.3.0", three)
	f.carry(three, true)
	f.want("ex/a.v0.3.0.ipynb", notebook(t, "three", "return 2 * x"))
	f.want("ex/a.v0.2.0.ipynb", notebook(t, "two", "return 2 * x"))
	f.want("ex/a.ipynb", notebook(t, "one", "return x"))
}

// A new copy that was left alone is passed over for the answer in an older one.
func TestCarryPassesOverUntouchedCopies(t *testing.T) {
	f := folder{t, t.TempDir()}
	f.lay("0.1.0", notebook(t, "one", todo))
	f.edit("ex/a.ipynb", notebook(t, "one", "return x"))
	f.lay("0.2.0", notebook(t, "two", todo))
	three := notebook(t, "three", todo)
	f.lay("0.3.0", three)
	f.carry(three, true)
	f.want("ex/a.v0.3.0.ipynb", notebook(t, "three", "return x"))
}

func TestWhatCannotBeCarried(t *testing.T) {
	fresh := notebook(t, "two", todo)
	for _, tt := range []struct {
		name, mine, why string // "" for mine: nothing to carry
	}{
		{"only run", notebook(t, "edited", todo), ""},
		{"no notebook", "mine", "not a notebook"},
		{"no Go", notebook(t, "one", "return x +"), "it is not Go: the cell:3: "},
		{"cell deleted", strings.Replace(notebook(t, "one", "return x"), "f-stub", "other", 1), "the cell f-stub is not there any more"},
		{"another signature", strings.Replace(notebook(t, "one", "return x"), "F(x float64)", "F(x int)", 1), "F takes or returns something else now"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := folder{t, t.TempDir()}
			f.lay("0.1.0", notebook(t, "one", todo))
			f.edit("ex/a.ipynb", tt.mine)
			f.lay("0.2.0", fresh)
			got := f.carry(fresh, true)
			if tt.why == "" && len(got) != 0 || tt.why != "" && (len(got) != 1 || !strings.Contains(got[0].Why, tt.why)) {
				t.Errorf("it says %v, want %q", got, tt.why)
			}
			f.want("ex/a.ipynb", tt.mine)
			f.want("ex/a.v0.2.0.ipynb", fresh)
		})
	}
}

// Both copies may be gone.
func TestCarryWithoutFiles(t *testing.T) {
	for _, gone := range []string{"ex/a.ipynb", "ex/a.v0.2.0.ipynb"} {
		f := folder{t, t.TempDir()}
		two := notebook(t, "two", todo)
		f.lay("0.1.0", notebook(t, "one", todo))
		f.edit("ex/a.ipynb", notebook(t, "one", "return x"))
		f.lay("0.2.0", two)
		if err := os.Remove(filepath.Join(f.dir, gone)); err != nil {
			t.Fatal(err)
		}
		if got := f.carry(two, true); len(got) != 0 {
			t.Errorf("without %s: %v", gone, got)
		}
	}
}
