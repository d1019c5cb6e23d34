// Package nbgrader writes exercises as a course of nbgrader, which many classes hand
// out and collect with: notebooks with the metadata of its schema 3, a configuration
// that knows Go, and grades in the columns of its exporter.
//
// nbgrader runs an answer and its check in one program, so an answer can forge its
// verdict there: an exit without a word on standard error earns all points.
package nbgrader

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/exercise"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbformat"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// Key is the key of nbgrader's metadata in a cell, and Schema their version.
const (
	Key    = "nbgrader"
	Schema = 3
)

// A kind is what a cell is to nbgrader.
type kind struct {
	grade, solution, locked bool
	points                  float64 // of a cell that is graded
}

// mark writes the metadata of the kind into a cell, whose id is the grade id.
func (k kind) mark(c *nbformat.Cell) {
	m := map[string]any{
		"schema_version": Schema, "grade": k.grade, "solution": k.solution, "locked": k.locked, "task": false,
		"grade_id": c.ID,
	}
	if k.grade {
		m["points"] = k.points
	}
	c.Metadata[Key] = m
}

// Source is the instructor's notebook of an exercise, from which nbgrader's
// generate_assignment makes the learner's: the reference answer in regions that it
// clears, and behind the check one locked test cell for each part of it, worth points
// each. check is the exercise's compulsory check. What would show the solution is left
// out.
func Source(e *exercise.Exercise, check any, points float64) (*nbformat.Notebook, error) {
	parts, err := Parts(check)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", e.ID, err)
	}
	nb, err := e.Learner()
	if err != nil {
		return nil, err
	}
	solved, err := e.Solved()
	if err != nil {
		return nil, err
	}
	cells := nb.Cells
	nb.Cells = nil
	tested := false
	for _, c := range cells {
		switch role, _ := nbformat.Own(c.Metadata)["role"].(string); role {
		case "solution", "reveal":
			continue
		case "setup": // with the imports of the reference answer
			c.Source = solved.Cell(c.ID).Source
			kind{locked: true}.mark(c)
		case "stub":
			if c.Source, err = solution(e.Answer); err != nil {
				return nil, fmt.Errorf("%s: %w", e.ID, err)
			}
			kind{solution: true}.mark(c)
		case "check":
			kind{locked: true}.mark(c)
			nb.Cells = append(nb.Cells, c)
			if !tested {
				tested = true
				tests(nb, e, parts, points)
			}
			continue
		}
		nb.Cells = append(nb.Cells, c)
	}
	return nb, nb.Validate()
}

// tests appends a heading and the test cells of the exercise's compulsory check.
func tests(nb *nbformat.Notebook, e *exercise.Exercise, parts []string, points float64) {
	nb.AddMarkdown(nbformat.ID(e.ID, "points"), fmt.Sprintf("## Points\n\nThe cells below are what is graded: one for each part of the check, worth %g each.", points))
	for i, name := range parts {
		name = strings.Join(strings.Fields(name), " ")
		c := nb.AddCode(nbformat.ID(e.ID, fmt.Sprintf("test-%d", i+1)),
			fmt.Sprintf("%%%%\n// %s\n%s.%s.Require(%d)", name, e.Package(), e.Calls[0], i+1))
		kind{grade: true, locked: true, points: points}.mark(c)
	}
}

// Parts are the names of the parts of a check, found by asking it about answers that are
// not written yet.
func Parts(check any) ([]string, error) {
	f := reflect.ValueOf(check)
	if f.Kind() != reflect.Func || f.IsNil() {
		return nil, fmt.Errorf("a check is a function; found %T", check)
	}
	in := make([]reflect.Value, f.Type().NumIn())
	for i := range in {
		t := f.Type().In(i)
		if t.Kind() != reflect.Func {
			return nil, fmt.Errorf("a check asks for functions; found %v", t)
		}
		in[i] = reflect.MakeFunc(t, func([]reflect.Value) []reflect.Value { panic(verify.TODO) })
	}
	out := f.Call(in)
	if len(out) != 1 {
		return nil, fmt.Errorf("a check returns a report; found %v", f.Type())
	}
	r, ok := out[0].Interface().(*verify.Report)
	if !ok || r == nil || len(r.Parts) == 0 {
		return nil, fmt.Errorf("a check returns a report with parts; found %v", f.Type())
	}
	names := make([]string, len(r.Parts))
	for i, p := range r.Parts {
		names[i] = p.Name
	}
	return names, nil
}
