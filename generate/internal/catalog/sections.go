package catalog

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/lesson"
)

// A Row is a section of a source with where the lessons treat it.
type Row struct {
	Section string // "PRML 4.1.7"
	About   string
	Cells   []Place
}

// A Place is a cell of a lesson.
type Place struct {
	Lesson *lesson.Lesson
	Cell   string // its id
}

// Sections lists the sections of the sources in their order, with the cells that treat
// them; the notebooks of the course must have been made. A cell that treats a section
// that there is not is an error.
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
				return nil, fmt.Errorf("%s treats %s, which is not in %s/sections.txt", c.Cell, c.Section, LessonDir)
			}
			rows[i].Cells = append(rows[i].Cells, Place{l, c.Cell})
		}
	}
	return rows, nil
}
