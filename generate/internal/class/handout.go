package class

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/files"
)

// feedbackDir holds the pages of feedback among the grades.
const feedbackDir = "feedback"

// HandOut puts every learner's page of feedback, which lies among the grades in a folder,
// into the learner's release in the course folder dir. It returns who has no page, as they
// came into the class after the grades were made.
func (c *Course) HandOut(grades, dir string) (without []string, err error) {
	if _, err := os.ReadDir(filepath.Join(grades, feedbackDir)); err != nil {
		return nil, fmt.Errorf("%s holds no feedback: %w; make it with `generate grade`", grades, err)
	}
	for _, l := range c.Learners {
		page, err := os.ReadFile(filepath.Join(grades, feedbackDir, l.ID+".html"))
		if errors.Is(err, fs.ErrNotExist) {
			without = append(without, l.ID)
			continue
		}
		if err != nil {
			return without, err
		}
		if err := files.Write(filepath.Join(dir, Release, l.ID, "feedback.html"), page); err != nil {
			return without, err
		}
	}
	return without, nil
}

// WriteStudents writes students.csv into a course folder, in the columns that
// `nbgrader db student import` reads.
func (c *Course) WriteStudents(dir string) error {
	rows := [][]string{{"id", "first_name", "last_name", "email"}}
	for _, l := range c.Learners {
		first, last := l.names()
		rows = append(rows, []string{l.ID, cellText(first), cellText(last), cellText(l.Email)})
	}
	var text bytes.Buffer
	if err := csv.NewWriter(&text).WriteAll(rows); err != nil {
		return err
	}
	return files.Write(filepath.Join(dir, "students.csv"), text.Bytes())
}

// names are the first names and the last.
func (l Learner) names() (first, last string) {
	names := strings.Fields(l.Name)
	n := max(0, len(names)-1)
	return strings.Join(names[:n], " "), strings.Join(names[n:], "")
}
