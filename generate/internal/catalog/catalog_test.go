package catalog

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/exercises/progress"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/cell"
)

const root = "../../.."

// Every exercise folder is in the catalogue, in order, and what the package
// embeds is what the files say.
func TestEveryExerciseIsListed(t *testing.T) {
	var listed []string
	for _, e := range Entries {
		listed = append(listed, e.Dir)
	}
	var folders []string
	for _, group := range []string{"prml4", "alpaydin10"} {
		found, err := filepath.Glob(filepath.Join(root, "exercises", group, "ex[0-9][0-9]"))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range found {
			if _, err := os.Stat(filepath.Join(f, "check.go")); errors.Is(err, fs.ErrNotExist) {
				continue
			}
			rel, err := filepath.Rel(root, f)
			if err != nil {
				t.Fatal(err)
			}
			folders = append(folders, filepath.ToSlash(rel))
		}
	}
	if !slices.Equal(listed, folders) {
		t.Errorf("the catalogue lists %q, the folders are %q", listed, folders)
	}
}

func TestExercises(t *testing.T) {
	module := os.DirFS(root)
	all, err := Exercises(module)
	if err != nil {
		t.Fatal(err)
	}
	if len(all) != len(Entries) {
		t.Fatalf("%d exercises, want %d", len(all), len(Entries))
	}
	for i, e := range all {
		embedded := Entries[i].Exercise
		if e.ID != embedded.ID || e.Task != embedded.Task || e.Exercise.Answer != embedded.Answer {
			t.Errorf("%s: the package embeds something else than its files", e.Dir)
		}
		if number := strings.TrimLeft(strings.TrimPrefix(e.Package(), "ex"), "0"); !strings.HasSuffix(e.ID, "."+number) {
			t.Errorf("%s has the id %s", e.Dir, e.ID)
		}
	}
	one, err := Exercises(module, "prml-4.25")
	if err != nil || len(one) != 1 || one[0].ID != "prml-4.25" {
		t.Errorf("prml-4.25 gives %v, %v", one, err)
	}
	if _, err := Exercises(module, "prml-4.52"); err == nil || !strings.Contains(err.Error(), "did you mean prml-4.") {
		t.Errorf("error %v, want one that suggests", err)
	}
}

// What Progress lists, without importing an exercise, is the catalogue.
func TestProgressListsTheCatalogue(t *testing.T) {
	var want []progress.Entry
	for _, e := range Entries {
		want = append(want, progress.Entry{ID: e.Exercise.ID, Title: e.Exercise.Title, Hints: len(e.Exercise.Hints), Dir: e.Dir})
	}
	if got := exercises.Entries(); !slices.Equal(got, want) {
		t.Errorf("Progress lists\n%v, the catalogue has\n%v", got, want)
	}
}

func TestUnknown(t *testing.T) {
	known := []string{"prml-4.2", "prml-4.25", "alpaydin-10.3"}
	for _, tt := range []struct{ id, want string }{
		{"prml-4.26", "did you mean prml-4.25?"}, // prml-4.2 is as near, but shorter
		{"PRML-4.25", "did you mean prml-4.25?"},
		{"prml4.25", "did you mean prml-4.25?"},
		{"alpaydin-103", "did you mean alpaydin-10.3?"},
		{"xyz", "there are prml-4.2, prml-4.25, alpaydin-10.3"},
		{"", "there are prml-4.2"},
	} {
		if err := Unknown("exercise", tt.id, known); !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%q: %v, want %q", tt.id, err, tt.want)
		}
	}
}

func TestEditDistance(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"", "abc", 3}, {"kitten", "sitting", 3}, {"flaw", "lawn", 2}, {"same", "same", 0}} {
		if got := editDistance(tt.a, tt.b); got != tt.want {
			t.Errorf("%q to %q: %d, want %d", tt.a, tt.b, got, tt.want)
		}
	}
}

func TestLessons(t *testing.T) {
	front := func(id, slug, order string) *fstest.MapFile {
		return &fstest.MapFile{Data: []byte("---\nid: " + id + "\ntitle: T\nslug: " + slug + "\norder: " + order + "\n---\n\nText.\n")}
	}
	list, err := Lessons(fstest.MapFS{LessonDir + "/a.md": front("a", "a", "2"), LessonDir + "/b.md": front("b", "b", "1")})
	if err != nil || len(list) != 2 || list[0].ID != "b" {
		t.Errorf("lessons %v, %v", list, err)
	}
	if _, err := Lessons(fstest.MapFS{LessonDir + "/a.md": front("a", "a", "0"), LessonDir + "/b.md": front("b", "a", "0")}); err == nil {
		t.Error("two lessons with one slug are accepted")
	}
	real, err := Lessons(os.DirFS(root))
	if err != nil || len(real) == 0 || real[0].ID != "tour" {
		t.Errorf("the module's lessons: %v, %v", real, err)
	}
}

func TestRoot(t *testing.T) {
	here, err := cell.FindRoot(".")
	if err != nil {
		t.Fatal(err)
	}
	if want, _ := filepath.Abs(root); here != want {
		t.Errorf("Root is %s, want %s", here, want)
	}
	if _, err := cell.FindRoot(t.TempDir()); err == nil || !strings.Contains(err.Error(), "not inside the module") {
		t.Errorf("outside the module: error %v", err)
	}
}
