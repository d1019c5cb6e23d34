// Package content reads the sources of a course: its exercises and lessons.
package content

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/exercises/progress"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/cell"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/equations"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/exercise"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/lesson"
)

// A Content describes a course: its books, its exercises, its lessons and its table of equations. All
// folders are relative to the course's module.
type Content struct {
	Books     exercises.Books
	Entries   []exercises.Checked // sorted by New
	LessonDir string              // folder with the sources of the lessons
	Equations equations.Table
}

// New returns the content of a course. It puts the tasks of lessons first, and sorts the other
// exercises by book and, within a book, by folder. It returns an error for an id that belongs to no
// book, for an exercise in the wrong folder, and for two exercises with the same id or folder.
func New(c Content) (*Content, error) {
	seen := map[string]bool{}
	for _, e := range c.Entries {
		book, err := c.Books.BookOfExercise(e.Exercise.ID)
		folder := path.Base(path.Dir(e.Dir()))
		switch {
		case err != nil:
			return nil, fmt.Errorf("%s: %w", e.Dir(), err)
		case seen[e.ID] || seen[e.Dir()]:
			return nil, fmt.Errorf("%s: another exercise has the id %s or this folder", e.Dir(), e.ID)
		case folder != book.Folder:
			return nil, fmt.Errorf("%s: the exercise %s belongs in a folder named %s", e.Dir(), e.ID, book.Folder)
		}
		seen[e.ID], seen[e.Dir()] = true, true
	}
	rank := func(e exercises.Checked) int {
		if e.OfLesson() {
			return -1
		}
		return slices.IndexFunc(c.Books, func(b exercises.Book) bool { return b.Source() == e.Book.Source() })
	}
	c.Entries = slices.SortedStableFunc(slices.Values(c.Entries), func(a, b exercises.Checked) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a.Dir(), b.Dir()))
	})
	return &c, nil
}

// Checks returns the check functions of an exercise or a lesson's task. It returns nil if the id is
// unknown.
func (c *Content) Checks(id string) []any {
	for _, e := range c.Entries {
		if e.ID == id {
			return e.Checks
		}
	}
	return nil
}

// Progress returns one entry of the progress table for each exercise.
func (c *Content) Progress() (list []progress.Entry) {
	for _, e := range c.Entries {
		list = append(list, e.Entry())
	}
	return list
}

// Provided returns the import paths of the packages that exercises provide to learners' answers. If
// an answer imports the exercise's own package, which contains the check, the program that runs the
// answer imports the provided package instead.
func (c *Content) Provided() (list []string) {
	for _, e := range c.Entries {
		if e.Provided != "" {
			list = append(list, e.Provided)
		}
	}
	return list
}

// Exercises reads the exercises with the given ids from the module's files, in the order of
// c.Entries. If an id is unknown, it returns the error of Unknown. Without ids it reads all
// exercises, and returns an error if checkUnlisted finds an exercise that the course does not list.
func (c *Content) Exercises(module fs.FS, ids ...string) ([]*exercise.Exercise, error) {
	return c.Variants(module, exercise.Variant{}, ids...)
}

// Variants is like Exercises, but reads the variant v of each exercise. It ignores v.Vary and v.Books,
// and uses the Vary function of each exercise and the books of the course instead.
func (c *Content) Variants(module fs.FS, v exercise.Variant, ids ...string) ([]*exercise.Exercise, error) {
	known := make([]string, len(c.Entries))
	for i, e := range c.Entries {
		known[i] = e.ID
	}
	for _, id := range ids {
		if !slices.Contains(known, id) {
			return nil, Unknown("exercise", id, known)
		}
	}
	if len(ids) == 0 {
		if err := c.checkUnlisted(module); err != nil {
			return nil, err
		}
	}
	var list []*exercise.Exercise
	for _, entry := range c.Entries {
		if len(ids) > 0 && !slices.Contains(ids, entry.ID) {
			continue
		}
		v.Vary, v.Books = entry.Vary, c.Books
		e, err := exercise.LoadVariant(module, entry.Dir(), v)
		if err != nil {
			return nil, err
		}
		e.Known, e.Provided = entry.Known, entry.Provided
		list = append(list, e)
	}
	return list, nil
}

// checkUnlisted returns an error if a folder beside the folder of an exercise of the course contains
// an exercise that the course does not list. It recognises such an exercise by two digits at the end
// of the folder's name and by the file check.go.
func (c *Content) checkUnlisted(module fs.FS) error {
	known := map[string]bool{}
	for _, e := range c.Entries {
		known[e.Dir()] = true
	}
	for _, e := range c.Entries {
		found, err := fs.Glob(module, path.Dir(e.Dir())+"/*[0-9][0-9]/check.go")
		if err != nil {
			return err
		}
		for _, file := range found {
			if dir := path.Dir(file); !known[dir] {
				return fmt.Errorf("%s:1: the course does not list this exercise: add it to Exercises in course.Course, and start the program again", file)
			}
		}
	}
	return nil
}

// Distinct returns one variant of an exercise for each set of constants that a variant can have.
// The variant has the smallest seed that gives this set of constants. Distinct tries one seed after
// another, and stops when 1999 consecutive seeds have given no new set. So many seeds are enough,
// because an exercise has few sets and all sets are about equally likely. If the constants of the
// exercise do not vary, Distinct returns nil.
func (c *Content) Distinct(module fs.FS, id string) ([]*exercise.Exercise, error) {
	list, err := c.Exercises(module, id)
	if err != nil || list[0].Vary == nil {
		return nil, err
	}
	vary := list[0].Vary
	list = nil
	seen := map[string]bool{}
	for seed, last := uint64(1), uint64(0); seed < last+2000; seed++ {
		if key := fmt.Sprintf("%q", vary(seed)); !seen[key] {
			seen[key], last = true, seed
			e, err := c.Variants(module, exercise.Variant{Seed: seed}, id)
			if err != nil {
				return nil, err
			}
			list = append(list, e...)
		}
	}
	return list, nil
}

// Lessons reads all lessons from the module's files, ordered by their field Order. If two lessons
// have the same id or slug, Lessons returns an error.
func (c *Content) Lessons(module fs.FS) ([]*lesson.Lesson, error) {
	names, err := fs.Glob(module, c.LessonDir+"/*.md")
	if err != nil {
		return nil, err
	}
	var list []*lesson.Lesson
	for _, name := range names {
		data, err := fs.ReadFile(module, name)
		if err != nil {
			return nil, err
		}
		l, err := lesson.Parse(name, data)
		if err != nil {
			return nil, err
		}
		for _, other := range list {
			if other.ID == l.ID || other.Slug == l.Slug {
				return nil, fmt.Errorf("%s:1: another lesson has the id %q or the slug %q", name, l.ID, l.Slug)
			}
		}
		list = append(list, l)
	}
	slices.SortStableFunc(list, func(a, b *lesson.Lesson) int { return a.Order - b.Order })
	return list, nil
}

// Course reads all lessons of the course. It takes the exercises' titles and the lessons' tasks from
// `list`, which contains the exercises of the course.
func (c *Content) Course(module fs.FS, list []*exercise.Exercise) (*lesson.Course, error) {
	lessons, err := c.Lessons(module)
	if err != nil {
		return nil, err
	}
	course := &lesson.Course{Lessons: lessons, Tasks: map[string]lesson.Task{}, Titles: map[string]string{}}
	if !cell.InHyperplane() {
		course.Packages = map[string]string{}
		for _, e := range list {
			course.Packages[e.ID] = e.Package()
		}
	}
	for _, e := range list {
		if !e.OfLesson() {
			course.Titles[e.ID] = e.Title + " " + strings.Repeat("★", e.Stars)
			continue
		}
		for _, l := range lessons {
			if at := path.Join("exercises", e.LearnerPath()); l.ID == e.ID && at != l.Path() {
				return nil, fmt.Errorf("%s/exercise.md: the slug %q makes the page %s, but the lesson's page is %s: the slugs must agree",
					e.Dir, e.Slug, at, l.Path())
			}
		}
		t := lesson.Task{Package: e.Package(), Title: e.Title, Text: e.Task, Stub: e.Answer.Stub.Source,
			Hints: len(e.Hints)}
		for _, call := range e.Calls {
			t.Calls = append(t.Calls, call.String())
		}
		course.Tasks[e.ID] = t
	}
	return course, nil
}

// Packages returns the exercises' packages by name. A lesson may use these packages without an
// import declaration. If several packages have the same name, such as ex01, Packages omits this
// name.
func (c *Content) Packages() map[string]cell.Import {
	m, times := map[string]cell.Import{}, map[string]int{}
	for _, e := range c.Entries {
		name := path.Base(e.Dir())
		times[name]++
		m[name] = cell.Import{Path: cell.CourseModule + "/" + e.Dir()}
	}
	maps.DeleteFunc(m, func(name string, _ cell.Import) bool { return times[name] > 1 })
	return m
}

// Unknown returns the error for an id or a name that is not one of the known ids. The error suggests
// the nearest known id. If no known id is near, the error lists all of them. The argument `kind` says
// what the id should identify, such as "exercise".
func Unknown(kind, id string, known []string) error {
	best, distance := "", len(id)+2 // suggest no id that differs from `id` in more than about half of the letters
	for _, k := range known {
		d := 2 * editDistance(strings.ToLower(id), strings.ToLower(k))
		if len(k) != len(id) {
			d++ // if two known ids are equally near, prefer the one that is as long as `id`
		}
		if d < distance {
			best, distance = k, d
		}
	}
	if best == "" {
		return fmt.Errorf("there is no %s %q; there are %s", kind, id, strings.Join(known, ", "))
	}
	return fmt.Errorf("there is no %s %q; did you mean %s? (`go run ./generate list` shows all)", kind, id, best)
}

// editDistance returns the least number of insertions, deletions and replacements of letters that
// turn the string a into the string b.
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			diagonal, row[j+1] = row[j+1], min(diagonal+cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

// A Row is a section of a book, with the lesson cells that cover the section.
type Row struct {
	Section string // "PRML 4.1.7"
	About   string
	Cells   []Place
}

// A Place is a cell of a lesson.
type Place struct {
	Lesson *lesson.Lesson
	Cell   string // id of the lesson's cell
}

// Sections lists the sections of the books in the order of the file sections.txt. For each
// section, it lists the lesson cells that cover the section. The caller must make the course's
// notebooks first, because making a lesson's notebook fills in the lesson's field Covers. If a cell
// covers an unknown section, Sections returns an error.
func (c *Content) Sections(module fs.FS, course *lesson.Course) ([]Row, error) {
	text, err := fs.ReadFile(module, c.LessonDir+"/sections.txt")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var rows []Row
	for line := range strings.Lines(string(text)) {
		if section, about, ok := strings.Cut(strings.TrimSpace(line), " | "); ok {
			rows = append(rows, Row{Section: section, About: about})
		}
	}
	for _, l := range course.Lessons {
		for _, cover := range l.Covers {
			i := slices.IndexFunc(rows, func(r Row) bool { return r.Section == cover.Section })
			if i < 0 {
				return nil, fmt.Errorf("cell %s covers %s, which is not in %s/sections.txt", cover.Cell, cover.Section,
					c.LessonDir)
			}
			rows[i].Cells = append(rows[i].Cells, Place{l, cover.Cell})
		}
	}
	return rows, nil
}
