package catalog

import (
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/exercises/progress"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/cell"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/exercise"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbformat"
)

const root = "../../.."

// TestEveryExerciseIsListed checks that the catalogue lists every exercise folder, in the right
// order.
func TestEveryExerciseIsListed(t *testing.T) {
	var listed []string
	for _, e := range Content.Entries {
		listed = append(listed, e.Dir())
	}
	var folders []string
	for _, f := range must.Get(filepath.Glob(filepath.Join(root, "exercises", "*", "*[0-9][0-9]", "check.go")))(t) {
		rel := must.Get(filepath.Rel(root, filepath.Dir(f)))(t)
		folders = append(folders, filepath.ToSlash(rel))
	}
	order := append(exercises.Books{{Folder: "lessons"}}, exercises.Standard()...)
	// A folder of an unknown book has the rank −1 and therefore comes first. The catalogue does not
	// list such a folder, so the test fails.
	rank := func(folder string) int {
		return slices.IndexFunc(order, func(b exercises.Book) bool { return b.Folder == path.Base(path.Dir(folder)) })
	}
	slices.SortStableFunc(folders, func(a, b string) int { return rank(a) - rank(b) })
	if !slices.Equal(listed, folders) {
		t.Errorf("generate/internal/catalog/catalog.go lists\n%q, want the folders of the exercises\n%q", listed, folders)
	}
}

// TestExercises checks that the package of each exercise embeds the current files of its folder, and
// that the id of the exercise ends with the number of this folder. It also checks how Exercises
// selects an exercise by its id.
func TestExercises(t *testing.T) {
	module := os.DirFS(root)
	all := must.Get(Exercises(module))(t)
	if len(all) != len(Content.Entries) {
		t.Fatalf("got %d exercises, want %d", len(all), len(Content.Entries))
	}
	for i, e := range all {
		embedded := Content.Entries[i].Exercise
		if e.ID != embedded.ID || e.Task != embedded.Task || e.Exercise.Answer != embedded.Answer {
			t.Errorf("%s: the files embedded in the package differ from the files in the folder", e.Dir)
		}
		if number := strings.TrimLeft(e.Package(), "exlson0"); !strings.HasSuffix(e.ID, "."+number) && e.ID != "lesson-"+number {
			t.Errorf("the exercise in %s has the id %s, want an id that ends with the number in the name of the folder", e.Dir, e.ID)
		}
	}
	one, err := Exercises(module, "prml-4.25")
	if err != nil || len(one) != 1 || one[0].ID != "prml-4.25" {
		t.Errorf("for prml-4.25, got the exercises %v and the error %v, want only this exercise and no error", one, err)
	}
	_, err = Exercises(module, "prml-4.52")
	must.Fail(t, err, "did you mean prml-4.")
}

// TestTasksStandInTheirLessons checks that each task names the notebook of the lesson that contains
// the task, and that there are as many tasks as numbered lessons.
func TestTasksStandInTheirLessons(t *testing.T) {
	module := os.DirFS(root)
	list := must.Get(Exercises(module))(t)
	paths, want := map[string]string{}, 0
	for _, l := range must.Get(Course(module, list))(t).Lessons {
		paths[l.ID] = path.Join("exercises", "..", l.Path())
		if l.Number() != "" {
			want++
		}
	}
	tasks := 0
	for _, e := range list {
		if !e.OfLesson() {
			continue
		}
		tasks++
		if at := path.Join("exercises", e.LearnerPath()); at != paths[e.ID] {
			t.Errorf("the task %s names the notebook %s, but the notebook of its lesson is %s", e.ID, at, paths[e.ID])
		}
	}
	if tasks != want || want == 0 {
		t.Errorf("got %d tasks, want one for each of the %d numbered lessons, and at least one lesson", tasks, want)
	}
}

// TestSlugsAgree checks that Course rejects a lesson's task whose slug differs from the slug of the
// lesson.
func TestSlugsAgree(t *testing.T) {
	module := os.DirFS(root)
	list := must.Get(Exercises(module))(t)
	for _, e := range list {
		if e.ID == "lesson-1" {
			e.Slug = "parts"
		}
	}
	_, err := Course(module, list)
	must.Fail(t, err, "exercises/lessons/lesson01/exercise.md", "01-parts.ipynb", "01-lines.ipynb")
}

// TestProgressListsTheCatalogue checks that exercises.Entries lists the same exercises as the
// catalogue. The two lists have different sources: the catalogue imports the packages of the
// exercises, whereas package exercises finds the texts of the exercises in files that it embeds.
func TestProgressListsTheCatalogue(t *testing.T) {
	var got, want []string
	for _, e := range Content.Entries {
		want = append(want,
			fmt.Sprintf("%+v", progress.Entry{ID: e.Exercise.ID, Title: e.Exercise.Title, Hints: len(e.Exercise.Hints),
				Dir: e.Dir(), Group: e.Exercise.Book.Heading()}))
	}
	for _, e := range exercises.Entries() {
		got = append(got, fmt.Sprintf("%+v", e))
	}
	if !slices.Equal(got, want) {
		t.Errorf("exercises.Entries lists\n%q, want\n%q", got, want)
	}
}

func TestRoot(t *testing.T) {
	here := must.Get(cell.FindRoot("."))(t)
	if want, _ := filepath.Abs(root); here != want {
		t.Errorf("FindRoot returns %s, want %s", here, want)
	}
	for _, l := range must.Get(Content.Lessons(os.DirFS(root)))(t)[:1] {
		if l.ID != "index" {
			t.Errorf("the first lesson is %s, want index, the map of the course", l.ID)
		}
	}
	_, err := cell.FindRoot(t.TempDir())
	must.Fail(t, err, "not inside the module")
}

// TestConstantsOfManyVariants loads, for many seeds, every exercise whose constants depend on the
// learner's seed. The notebooks must not contain placeholders. Every seed must give the same names of
// constants as seed 0, but at least one different value. The same seed must always give the same
// constants.
func TestConstantsOfManyVariants(t *testing.T) {
	module := os.DirFS(root)
	var varied []string
	for _, entry := range Content.Entries {
		vary := entry.Exercise.Vary
		if vary == nil {
			continue
		}
		varied = append(varied, entry.Exercise.ID)
		for n := range uint64(102) {
			if n++; n > 100 { // The first 100 seeds are small. Two large seeds follow.
				n = []uint64{1834699243556, 1<<53 - 1}[n-101]
			}
			e := must.Get(exercise.LoadVariant(module, entry.Dir(), exercise.Variant{Seed: n, Vary: vary}))(t)
			for _, make := range []func() (*nbformat.Notebook, error){e.Learner, e.Solved} {
				nb := must.Get(make())(t)
				for _, c := range nb.Cells {
					if strings.Contains(c.Source, "[[") || strings.Contains(c.Source, "hyperplane:vary") {
						t.Errorf("%s, variant %d: %s still contains a placeholder", e.ID, n, c.ID)
					}
				}
			}
			if !slices.Equal(slices.Sorted(maps.Keys(vary(n))), slices.Sorted(maps.Keys(vary(0)))) {
				t.Errorf("%s, variant %d: got the constants %v, want the same names as with seed 0: %v", e.ID, n, vary(n), vary(0))
			}
			if maps.Equal(vary(n), vary(0)) || !maps.Equal(vary(n), vary(n)) {
				t.Errorf("%s, variant %d: two calls return the constants %v and %v; want the same constants twice, and constants other than %v, which belong to seed 0",
					e.ID, n, vary(n), vary(n), vary(0))
			}
		}
	}
	if want := []string{"prml-4.3", "prml-4.14", "alpaydin-10.1", "alpaydin-10.9"}; !slices.Equal(varied, want) {
		t.Errorf("constants vary in the exercises %q, want %q", varied, want)
	}
}

// TestDistinct checks that no two variants from Distinct have the same set of constants, and that each
// of 2000 other seeds gives a set of constants that one of these variants has. If the constants of an
// exercise do not vary, Distinct must return no variant.
func TestDistinct(t *testing.T) {
	for _, entry := range Content.Entries {
		vary := entry.Exercise.Vary
		list := must.Get(Distinct(os.DirFS(root), entry.Exercise.ID))(t)
		if (vary == nil) != (len(list) == 0) {
			t.Errorf("%s: Distinct returns %d variants, want at least one if the constants vary, and none otherwise",
				entry.Exercise.ID, len(list))
		}
		known := map[string]bool{}
		for _, e := range list {
			known[fmt.Sprint(vary(e.Seed))] = true
		}
		if len(known) != len(list) {
			t.Errorf("%s: Distinct returns %d variants, but they have only %d different sets of constants",
				entry.Exercise.ID, len(list), len(known))
		}
		for n := range uint64(2000) {
			if seed := 1<<40 | n*n; vary != nil && !known[fmt.Sprint(vary(seed))] {
				t.Errorf("%s: Distinct does not return the constants of variant %d: %v", entry.Exercise.ID, seed, vary(seed))
			}
		}
	}
}
