package class

import (
	"bytes"
	"cmp"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"path"
	"regexp"
	"slices"
	"time"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/exercise"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/files"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbgrader"
)

// A Book is the grades of a class.
type Book struct {
	Schema  string    `json:"schema"` // "hyperplane-grades/1"
	Tool    string    `json:"tool"`
	Keep    string    `json:"keep"` // which of several hand-ins counts: "best" or "last"
	Results []*Result `json:"results"`

	NotCompared []NotCompared `json:"-"` // answers that alike.json says nothing about

	course *Course
	alike  []Alike
}

const bookSchema = "hyperplane-grades/1"

// ReadBook gathers the results that are kept in a folder: for each learner and exercise,
// in the order of the course, the one that counts. A submission that was received and has no
// result is Failed, not Missing.
func ReadBook(out, tool string, c *Course, best bool, received []*HandIn, loadExercise func(string, Learner) (*exercise.Exercise, error)) (*Book, error) {
	b := &Book{Schema: bookSchema, Tool: tool, Keep: "last", Results: []*Result{}, course: c}
	if best {
		b.Keep = "best"
	}
	for _, l := range c.Learners {
		for _, e := range c.Exercises {
			kept, err := load(out, l.ID, e.ID)
			if err != nil {
				return nil, err
			}
			r := kept.choose(best)
			if r == nil {
				r = &Result{Learner: l.ID, Exercise: e.ID, Status: Missing, Message: "Nothing was handed in."}
				if slices.ContainsFunc(received, func(h *HandIn) bool { return h.Learner == l.ID && h.Exercise == e.ID }) {
					r.Status, r.Message = Failed, failedMessage
				}
			}
			r.Name, r.Attempts = l.Name, len(kept.List)
			r.score(e) // by the weights of today
			if r.Notes == nil {
				r.Notes = []string{}
			}
			if n := len(kept.List); n > 1 {
				r.Notes = append(r.Notes, fmt.Sprintf("%d hand-ins differ; this is the %s.", n, b.Keep))
			}
			b.Results = append(b.Results, r)
		}
	}
	b.alike, b.NotCompared = findAlike(c, b.Results, loadExercise)
	return b, nil
}

// Write writes grades.csv, grades-nbgrader.csv, results.json, alike.json, summary.html and a
// page of feedback for every learner into a folder, all or nothing.
func (b *Book) Write(ctx context.Context, out string) error {
	tree := files.Tree{}
	for name, v := range map[string]any{"results.json": b, "alike.json": struct {
		Schema      string        `json:"schema"`
		Alike       []Alike       `json:"alike"`
		NotCompared []NotCompared `json:"not_compared,omitempty"`
	}{"hyperplane-alike/1", append([]Alike{}, b.alike...), b.NotCompared}} {
		text, err := json.MarshalIndent(v, "", "  ")
		if err != nil {
			return err
		}
		tree[name] = append(text, '\n')
	}
	var err error
	if tree["grades.csv"], err = b.csv(); err != nil {
		return err
	}
	if tree["grades-nbgrader.csv"], err = b.exported(); err != nil {
		return err
	}
	if tree["summary.html"], err = b.summary(); err != nil {
		return err
	}
	for _, l := range b.course.Learners {
		if tree[path.Join(feedbackDir, l.ID+".html")], err = b.feedback(l); err != nil {
			return err
		}
	}
	_, err = tree.Write(ctx, out)
	return err
}

// csv is a line per learner: id, name, email, points of each exercise, sum, most, and the
// exercises that came late.
func (b *Book) csv() ([]byte, error) {
	var text bytes.Buffer
	w := csv.NewWriter(&text)
	head := []string{"id", "name", "email"}
	for _, e := range b.course.Exercises {
		head = append(head, e.ID)
	}
	rows := [][]string{append(head, "points", "max", "late")}
	for _, l := range b.course.Learners {
		row := []string{cellText(l.ID), cellText(l.Name), cellText(l.Email)}
		points, most, late := 0.0, 0.0, 0
		for _, r := range b.of(l) {
			row = append(row, number(r.Points))
			points, most = points+r.Points, most+r.Max
			if r.Late {
				late++
			}
		}
		rows = append(rows, append(row, number(points), number(most), fmt.Sprint(late)))
	}
	if err := w.WriteAll(rows); err != nil {
		return nil, err
	}
	return text.Bytes(), nil
}

// exported are the grades as nbgrader exports them: all exercises are one assignment.
func (b *Book) exported() ([]byte, error) {
	var list []nbgrader.Grade
	for _, l := range b.course.Learners {
		first, last := l.names()
		g := nbgrader.Grade{Assignment: cmp.Or(b.course.Assignment, "hyperplane"), ID: l.ID, FirstName: cellText(first), LastName: cellText(last), Email: cellText(l.Email)}
		g.Due, _ = time.Parse(time.RFC3339, l.Due) // zero for none
		for _, r := range b.of(l) {
			g.Score, g.Max = g.Score+r.Points, g.Max+r.Max
			if at, err := time.Parse(time.RFC3339, r.Time); err == nil && at.After(g.Submitted) {
				g.Submitted = at
			}
		}
		list = append(list, g)
	}
	var text bytes.Buffer
	err := nbgrader.WriteGrades(&text, list)
	return text.Bytes(), err
}

// formula is the beginning of a formula, in the widths of both scripts. A spreadsheet may
// separate cells at a semicolon or a tab whatever the file does.
var formula = regexp.MustCompile(`(^|[;,\t\r\n])(\s*)([=+\-@＝＋－＠])`)

// cellText is a text that no spreadsheet takes for a formula.
func cellText(s string) string { return formula.ReplaceAllString(s, "$1$2'$3") }

func number(v float64) string { return fmt.Sprintf("%.6g", v) }

// of are the results of a learner, in the order of the course.
func (b *Book) of(l Learner) (list []*Result) {
	for _, r := range b.Results {
		if r.Learner == l.ID {
			list = append(list, r)
		}
	}
	return list
}
