// Package catalog lists the sources of the generator: the exercises and the lessons. It is the only
// package that imports every exercise.
package catalog

import (
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	alpaydin10ex01 "github.com/hyperplane-notebooks/hyperplane/exercises/alpaydin10/ex01"
	alpaydin10ex02 "github.com/hyperplane-notebooks/hyperplane/exercises/alpaydin10/ex02"
	alpaydin10ex03 "github.com/hyperplane-notebooks/hyperplane/exercises/alpaydin10/ex03"
	alpaydin10ex04 "github.com/hyperplane-notebooks/hyperplane/exercises/alpaydin10/ex04"
	alpaydin10ex05 "github.com/hyperplane-notebooks/hyperplane/exercises/alpaydin10/ex05"
	alpaydin10ex06 "github.com/hyperplane-notebooks/hyperplane/exercises/alpaydin10/ex06"
	alpaydin10ex07 "github.com/hyperplane-notebooks/hyperplane/exercises/alpaydin10/ex07"
	alpaydin10ex08 "github.com/hyperplane-notebooks/hyperplane/exercises/alpaydin10/ex08"
	alpaydin10ex09 "github.com/hyperplane-notebooks/hyperplane/exercises/alpaydin10/ex09"
	"github.com/hyperplane-notebooks/hyperplane/exercises/lessons/lesson01"
	"github.com/hyperplane-notebooks/hyperplane/exercises/lessons/lesson02"
	"github.com/hyperplane-notebooks/hyperplane/exercises/lessons/lesson03"
	"github.com/hyperplane-notebooks/hyperplane/exercises/lessons/lesson04"
	"github.com/hyperplane-notebooks/hyperplane/exercises/lessons/lesson05"
	"github.com/hyperplane-notebooks/hyperplane/exercises/lessons/lesson06"
	"github.com/hyperplane-notebooks/hyperplane/exercises/lessons/lesson07"
	"github.com/hyperplane-notebooks/hyperplane/exercises/lessons/lesson08"
	"github.com/hyperplane-notebooks/hyperplane/exercises/lessons/lesson09"
	"github.com/hyperplane-notebooks/hyperplane/exercises/lessons/lesson10"
	"github.com/hyperplane-notebooks/hyperplane/exercises/lessons/lesson11"
	"github.com/hyperplane-notebooks/hyperplane/exercises/lessons/lesson12"
	"github.com/hyperplane-notebooks/hyperplane/exercises/lessons/lesson13"
	"github.com/hyperplane-notebooks/hyperplane/exercises/lessons/lesson14"
	prml4ex01 "github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex01"
	prml4ex02 "github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex02"
	prml4ex03 "github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex03"
	prml4ex04 "github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex04"
	prml4ex05 "github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex05"
	prml4ex06 "github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex06"
	prml4ex07 "github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex07"
	prml4ex08 "github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex08"
	prml4ex09 "github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex09"
	prml4ex10 "github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex10"
	prml4ex11 "github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex11"
	prml4ex12 "github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex12"
	prml4ex13 "github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex13"
	prml4ex14 "github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex14"
	prml4ex15 "github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex15"
	prml4ex16 "github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex16"
	prml4ex17 "github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex17"
	prml4ex18 "github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex18"
	prml4ex19 "github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex19"
	prml4ex20 "github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex20"
	prml4ex21 "github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex21"
	prml4ex22 "github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex22"
	prml4ex23 "github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex23"
	prml4ex24 "github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex24"
	prml4ex25 "github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex25"
	prml4ex26 "github.com/hyperplane-notebooks/hyperplane/exercises/prml4/ex26"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/cell"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/exercise"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/lesson"
)

// An Entry is one exercise of the catalogue.
type Entry struct {
	Dir      string              // folder of the exercise in the module
	Exercise *exercises.Exercise // texts that the exercise's package embeds
	Checks   []any               // the package's functions Check and, if it exists, CheckSteps
}

// Checks returns the check functions of an exercise or a lesson's task, or nil for an unknown id.
func Checks(id string) []any {
	for _, e := range Entries {
		if e.Exercise.ID == id {
			return e.Checks
		}
	}
	return nil
}

func entry(e *exercises.Exercise, checks ...any) Entry { return Entry{Exercise: e, Checks: checks} }

// Entries are the exercises and the lessons' tasks, in the order of exercises.Entries. Each entry
// contains the values that the exercise's package embeds.
var Entries = entries(
	entry(lesson01.Exercise(), lesson01.Check),
	entry(lesson02.Exercise(), lesson02.Check),
	entry(lesson03.Exercise(), lesson03.Check),
	entry(lesson04.Exercise(), lesson04.Check),
	entry(lesson05.Exercise(), lesson05.Check),
	entry(lesson06.Exercise(), lesson06.Check),
	entry(lesson07.Exercise(), lesson07.Check),
	entry(lesson08.Exercise(), lesson08.Check),
	entry(lesson09.Exercise(), lesson09.Check),
	entry(lesson10.Exercise(), lesson10.Check),
	entry(lesson11.Exercise(), lesson11.Check),
	entry(lesson12.Exercise(), lesson12.Check),
	entry(lesson13.Exercise(), lesson13.Check),
	entry(lesson14.Exercise(), lesson14.Check),
	entry(prml4ex01.Exercise(), prml4ex01.Check),
	entry(prml4ex02.Exercise(), prml4ex02.Check),
	entry(prml4ex03.Exercise(), prml4ex03.Check),
	entry(prml4ex04.Exercise(), prml4ex04.Check),
	entry(prml4ex05.Exercise(), prml4ex05.Check),
	entry(prml4ex06.Exercise(), prml4ex06.Check, prml4ex06.CheckSteps),
	entry(prml4ex07.Exercise(), prml4ex07.Check),
	entry(prml4ex08.Exercise(), prml4ex08.Check, prml4ex08.CheckSteps),
	entry(prml4ex09.Exercise(), prml4ex09.Check, prml4ex09.CheckSteps),
	entry(prml4ex10.Exercise(), prml4ex10.Check, prml4ex10.CheckSteps),
	entry(prml4ex11.Exercise(), prml4ex11.Check),
	entry(prml4ex12.Exercise(), prml4ex12.Check),
	entry(prml4ex13.Exercise(), prml4ex13.Check, prml4ex13.CheckSteps),
	entry(prml4ex14.Exercise(), prml4ex14.Check),
	entry(prml4ex15.Exercise(), prml4ex15.Check, prml4ex15.CheckSteps),
	entry(prml4ex16.Exercise(), prml4ex16.Check),
	entry(prml4ex17.Exercise(), prml4ex17.Check, prml4ex17.CheckSteps),
	entry(prml4ex18.Exercise(), prml4ex18.Check),
	entry(prml4ex19.Exercise(), prml4ex19.Check, prml4ex19.CheckSteps),
	entry(prml4ex20.Exercise(), prml4ex20.Check, prml4ex20.CheckSteps),
	entry(prml4ex21.Exercise(), prml4ex21.Check),
	entry(prml4ex22.Exercise(), prml4ex22.Check, prml4ex22.CheckSteps),
	entry(prml4ex23.Exercise(), prml4ex23.Check),
	entry(prml4ex24.Exercise(), prml4ex24.Check),
	entry(prml4ex25.Exercise(), prml4ex25.Check, prml4ex25.CheckSteps),
	entry(prml4ex26.Exercise(), prml4ex26.Check, prml4ex26.CheckSteps),
	entry(alpaydin10ex01.Exercise(), alpaydin10ex01.Check),
	entry(alpaydin10ex02.Exercise(), alpaydin10ex02.Check),
	entry(alpaydin10ex03.Exercise(), alpaydin10ex03.Check),
	entry(alpaydin10ex04.Exercise(), alpaydin10ex04.Check),
	entry(alpaydin10ex05.Exercise(), alpaydin10ex05.Check, alpaydin10ex05.CheckSteps),
	entry(alpaydin10ex06.Exercise(), alpaydin10ex06.Check),
	entry(alpaydin10ex07.Exercise(), alpaydin10ex07.Check),
	entry(alpaydin10ex08.Exercise(), alpaydin10ex08.Check),
	entry(alpaydin10ex09.Exercise(), alpaydin10ex09.Check),
)

func entries(list ...Entry) (ordered []Entry) {
	byID := map[string]Entry{}
	for _, e := range list {
		byID[e.Exercise.ID] = e
	}
	for _, e := range exercises.Entries() {
		if mine, ok := byID[e.ID]; ok { // a test fails if an entry is missing
			mine.Dir = e.Dir
			ordered = append(ordered, mine)
		}
	}
	return ordered
}

// LessonDir is the folder of the module that holds the lessons' sources.
const LessonDir = "generate/lessons"

// Exercises reads the exercises with the given ids from the module's files, in the order of the
// catalogue. Without ids it reads all exercises. The error for an unknown id suggests the nearest
// id.
func Exercises(module fs.FS, ids ...string) ([]*exercise.Exercise, error) {
	return Variants(module, exercise.Variant{}, ids...)
}

// Variants is like Exercises, but reads the personal variant v of each exercise. It ignores v.Vary
// and uses the Vary function of each exercise instead.
func Variants(module fs.FS, v exercise.Variant, ids ...string) ([]*exercise.Exercise, error) {
	known := make([]string, len(Entries))
	for i, e := range Entries {
		known[i] = e.Exercise.ID
	}
	for _, id := range ids {
		if !slices.Contains(known, id) {
			return nil, Unknown("exercise", id, known)
		}
	}
	var list []*exercise.Exercise
	for _, entry := range Entries {
		if len(ids) > 0 && !slices.Contains(ids, entry.Exercise.ID) {
			continue
		}
		v.Vary = entry.Exercise.Vary
		e, err := exercise.LoadVariant(module, entry.Dir, v)
		if err != nil {
			return nil, err
		}
		e.Known = entry.Exercise.Known
		list = append(list, e)
	}
	return list, nil
}

// Distinct returns an exercise once for each set of constants that its variants can have, with the
// first seed that produces the set. It stops after 2000 consecutive seeds without a new set. That
// is enough because an exercise has few sets, which are about equally likely. For an exercise
// without constants, Distinct returns nil.
func Distinct(module fs.FS, id string) ([]*exercise.Exercise, error) {
	list, err := Exercises(module, id)
	if err != nil || list[0].Vary == nil {
		return nil, err
	}
	vary := list[0].Vary
	list = nil
	seen := map[string]bool{}
	for seed, last := uint64(1), uint64(0); seed < last+2000; seed++ {
		if key := fmt.Sprintf("%q", vary(seed)); !seen[key] {
			seen[key], last = true, seed
			e, err := Variants(module, exercise.Variant{Seed: seed}, id)
			if err != nil {
				return nil, err
			}
			list = append(list, e...)
		}
	}
	return list, nil
}

// Lessons reads all lessons from the module's files, ordered by their field Order. Two lessons with
// the same id or slug are an error.
func Lessons(module fs.FS) ([]*lesson.Lesson, error) {
	names, err := fs.Glob(module, LessonDir+"/*.md")
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

// Course reads all lessons, and collects from list the titles of the exercises and the tasks of the
// lessons.
func Course(module fs.FS, list []*exercise.Exercise) (*lesson.Course, error) {
	lessons, err := Lessons(module)
	if err != nil {
		return nil, err
	}
	c := &lesson.Course{Lessons: lessons, Tasks: map[string]lesson.Task{}, Titles: map[string]string{}}
	for _, e := range list {
		if !e.OfLesson() {
			c.Titles[e.ID] = e.Title + " " + strings.Repeat("★", e.Stars)
			continue
		}
		t := lesson.Task{Package: e.Package(), Title: e.Title, Text: e.Task, Stub: e.Answer.Stub.Source,
			Hints: len(e.Hints)}
		for _, call := range e.Calls {
			t.Calls = append(t.Calls, call.String())
		}
		c.Tasks[e.ID] = t
	}
	return c, nil
}

// Packages returns the exercises' packages by name. A lesson may use these packages without an
// import declaration. Packages omits a name that several chapters share, such as ex01.
func Packages() map[string]cell.Import {
	m, times := map[string]cell.Import{}, map[string]int{}
	for _, e := range Entries {
		name := path.Base(e.Dir)
		times[name]++
		m[name] = cell.Import{Path: cell.Module + "/" + e.Dir}
	}
	maps.DeleteFunc(m, func(name string, _ cell.Import) bool { return times[name] > 1 })
	return m
}

// Unknown returns the error for an id that is not in known. It suggests the nearest id, or lists
// all if no id is near.
func Unknown(kind, id string, known []string) error {
	best, distance := "", len(id)+2 // twice the edit distance must be less, so at most half of the letters may differ
	for _, k := range known {
		d := 2 * editDistance(strings.ToLower(id), strings.ToLower(k))
		if len(k) != len(id) {
			d++ // on ties prefer an id of the same length
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
// turn a into b.
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

// A Row is a section of a source, with the lesson cells that cover the section.
type Row struct {
	Section string // "PRML 4.1.7"
	About   string
	Cells   []Place
}

// A Place is a cell of a lesson.
type Place struct {
	Lesson *lesson.Lesson
	Cell   string // id of the cell
}

// Sections lists the sections of the sources in the order of sections.txt, with the lesson cells
// that cover each section. The caller must make the notebooks of the course before, because that
// fills in Covers. A cell that covers an unknown section is an error.
func Sections(module fs.FS, course *lesson.Course) ([]Row, error) {
	text, err := fs.ReadFile(module, LessonDir+"/sections.txt")
	if err != nil {
		return nil, err
	}
	var rows []Row
	for line := range strings.Lines(string(text)) {
		if section, about, ok := strings.Cut(strings.TrimSpace(line), " | "); ok {
			rows = append(rows, Row{Section: section, About: about})
		}
	}
	for _, l := range course.Lessons {
		for _, c := range l.Covers {
			i := slices.IndexFunc(rows, func(r Row) bool { return r.Section == c.Section })
			if i < 0 {
				return nil, fmt.Errorf("cell %s covers %s, which is not in %s/sections.txt", c.Cell, c.Section, LessonDir)
			}
			rows[i].Cells = append(rows[i].Cells, Place{l, c.Cell})
		}
	}
	return rows, nil
}
