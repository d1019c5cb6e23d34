package content

import (
	"testing"
	"testing/fstest"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
)

// TestNew checks the order of the exercises. New must reject an exercise whose id belongs to no book
// of the course, that is in a wrong folder, or that has the id or the folder of another exercise.
func TestNew(t *testing.T) {
	books := exercises.Books{{ID: "b", Title: "B", Numbers: "2.N", Folder: "b2"}, {ID: "a", Title: "A", Numbers: "N",
		Folder: "a"}}
	entry := func(id, dir string) exercises.Checked {
		text := exercises.Text{Name: dir + "/exercise.md", Books: append(books, exercises.Standard()...), Markdown: "# T\n\n- id: " + id +
			"\n- source: s\n- stars: 1\n- slug: s\n- needs: n\n\n## Task\n\nT\n\n## Hints\n\n### Hint 1\n\nH\n\n## Derivation\n\nD\n"}
		if id[0] != 'l' {
			text.Markdown += "\n## Explore\n\nE\n\n## Next\n\nN\n"
		}
		return exercises.Checked{Exercise: must.Get(text.Parse(0))(t)}
	}
	one, two, ten, task := entry("b-2.1", "b2/ex01"), entry("a-1", "x/a/ex01"), entry("a-10", "x/a/ex10"),
		entry("lesson-1", "lessons/lesson01")
	c := must.Get(New(Content{Books: books, Entries: []exercises.Checked{ten, two, one, task}}))(t)
	for i, id := range []string{"lesson-1", "b-2.1", "a-1", "a-10"} {
		if c.Entries[i].ID != id || c.Progress()[i].ID != id {
			t.Errorf("at position %d, Entries contains %s and the result of Progress contains %s, want %s in both", i, c.Entries[i].ID,
				c.Progress()[i].ID, id)
		}
	}
	for _, tt := range []struct {
		entry exercises.Checked
		want  string
	}{{entry("prml-4.1", "prml4/ex01"), `invalid id "prml-4.1": want a form like lesson-N or b-2.N or a-N`},
		{entry("b-2.2", "a/ex02"), "belongs in a folder named b2"}, {one, "another exercise has the id"},
		{entry("b-2.2", "b2/ex01"), "or this folder"}} {
		_, err := New(Content{Books: books, Entries: []exercises.Checked{one, tt.entry}})
		must.Fail(t, err, tt.want)
	}
}

func TestUnknown(t *testing.T) {
	known := []string{"prml-4.2", "prml-4.25", "alpaydin-10.3"}
	for _, tt := range []struct{ id, want string }{
		{"prml-4.26", "did you mean prml-4.25?"}, // prml-4.2 is equally near, but only prml-4.25 is as long as prml-4.26
		{"PRML-4.25", "did you mean prml-4.25?"},
		{"prml4.25", "did you mean prml-4.25?"},
		{"alpaydin-103", "did you mean alpaydin-10.3?"},
		{"xyz", "there are prml-4.2, prml-4.25, alpaydin-10.3"},
		{"", "there are prml-4.2"},
	} {
		must.Fail(t, Unknown("exercise", tt.id, known), tt.want)
	}
}

func TestEditDistance(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"", "abc", 3}, {"kitten", "sitting", 3}, {"flaw", "lawn", 2}, {"same", "same", 0}} {
		if got := editDistance(tt.a, tt.b); got != tt.want {
			t.Errorf("editDistance(%q, %q) = %d, want %d", tt.a, tt.b, got, tt.want)
		}
	}
}

func TestLessons(t *testing.T) {
	front := func(id, slug, order string) *fstest.MapFile {
		return &fstest.MapFile{Data: []byte("---\nid: " + id + "\ntitle: T\nslug: " + slug + "\norder: " + order +
			"\n---\n\nText.\n")}
	}
	c := &Content{LessonDir: "lessons"}
	list, err := c.Lessons(fstest.MapFS{"lessons" + "/a.md": front("a", "a", "2"),
		"lessons" + "/b.md": front("b", "b", "1")})
	if err != nil || len(list) != 2 || list[0].ID != "b" {
		t.Errorf("got %d lessons and the error %v, want two lessons, with the lesson \"b\" before the lesson \"a\"", len(list), err)
	}
	if _, err := c.Lessons(fstest.MapFS{"lessons" + "/a.md": front("a", "a", "0"),
		"lessons" + "/b.md": front("b", "a", "0")}); err == nil {
		t.Error("Lessons accepts two lessons with the same slug, want an error")
	}
}
