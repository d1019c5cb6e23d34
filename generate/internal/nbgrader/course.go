// Package nbgrader writes exercises as a course for nbgrader, which many classes use to distribute
// and collect assignments. The package writes notebooks with metadata of nbgrader's schema 3, a
// configuration for Go, and grades in the columns of nbgrader's exporter.
//
// nbgrader runs an answer and its check in the same program. Therefore an answer can forge its
// verdict: for example, an answer that ends the program without output on standard error earns all
// points.
package nbgrader

import (
	"encoding/csv"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"path"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/exercise"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/files"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbformat"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// assignmentName matches the assignment names that Course accepts. nbgrader rejects only names with +,
// but some other characters, such as brackets, break its commands.
var assignmentName = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_.-]*$`)

// Course returns an nbgrader course folder with one assignment: nbgrader_config.py, and
// source/ASSIGNMENT with a notebook for each exercise. It omits the tasks of lessons. The map `checks`
// contains the compulsory check of each exercise, by the exercise's id. `points` is the number of
// points for each part of a check. Course returns an error if assignmentName does not match the
// assignment's name, if a notebook cannot be made, or if there is no notebook.
func Course(assignment string, list []*exercise.Exercise, checks map[string]any, points float64) (files.Tree, error) {
	if !assignmentName.MatchString(assignment) {
		return nil, fmt.Errorf("invalid assignment name %q: want letters, digits, _, - and dots, but not - or a dot at the beginning", assignment)
	}
	tree := files.Tree{"nbgrader_config.py": []byte(config)}
	for _, e := range list {
		if e.OfLesson() {
			continue
		}
		nb, err := Source(e, checks[e.ID], points)
		if err != nil {
			return nil, err
		}
		text, err := nb.Marshal()
		if err != nil {
			return nil, err
		}
		tree[path.Join("source", assignment, Notebook(e.ID))] = text
	}
	if len(tree) == 1 {
		return nil, errors.New("the assignment has no exercise: name one by its id (the task of a lesson does not count)")
	}
	return tree, nil
}

// Notebook returns the file name of an exercise's notebook. The name contains no dot except before
// the extension, so that nbgrader cannot take a part of the id for the extension.
func Notebook(id string) string { return strings.ReplaceAll(id, ".", "-") + ".ipynb" }

// config is the configuration that nbgrader reads in the course folder. nbgrader chooses the entry
// of code_stub whose key is the language in the notebook's kernelspec, "go".
const config = `# nbgrader's settings for this course. nbgrader looks for the kernel in Jupyter's data
# folders. Set JUPYTER_PATH to the folder that the set-up made, or use the image.
c = get_config()  # noqa: F821

c.CourseDirectory.course_id = "hyperplane"

# The texts that replace a solution, keyed by the language of the kernel.
c.ClearSolutions.code_stub = {
    "go": "` + stub + `",
    "python": "# YOUR CODE HERE\nraise NotImplementedError()",
}
c.ClearSolutions.begin_solution_delimeter = "BEGIN SOLUTION"
c.ClearSolutions.end_solution_delimeter = "END SOLUTION"

# The time limit of a cell, in seconds, includes compiling the cell. By default, the check itself
# stops an answer that computes for more than 20 s in one part.
c.ExecutePreprocessor.timeout = 120
c.ExecutePreprocessor.interrupt_on_timeout = True

# An answer runs with the grader's rights, so grade in the image, without a network.
`

// Key is the key of nbgrader's metadata in a cell, and Schema is the version of the metadata.
const (
	Key    = "nbgrader"
	Schema = 3
)

// A kind is the role of a cell in nbgrader.
type kind struct {
	grade, solution, locked bool
	points                  float64 // points of a graded cell; 0 for other cells
}

// mark writes nbgrader's metadata for the kind k into a cell. The cell's id becomes the grade id.
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

// Source returns the instructor's notebook of an exercise, from which nbgrader's
// generate_assignment makes the learner's notebook. The reference answer is in regions that
// nbgrader clears. After the compulsory check, the notebook has one locked test cell for each part
// of the check. `points` is the number of points for each test cell. Source omits cells that show the
// solution.
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
		switch role, _ := nbformat.OwnMetadata(c.Metadata)["role"].(string); role {
		case "solution", "reveal":
			continue
		case "setup": // take the source from the solved notebook, which imports what the reference answer needs
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
				addTests(nb, e, parts, points)
			}
			continue
		}
		nb.Cells = append(nb.Cells, c)
	}
	return nb, nb.Validate()
}

// addTests appends a heading, and then one test cell for each part of the exercise's compulsory check.
func addTests(nb *nbformat.Notebook, e *exercise.Exercise, parts []string, points float64) {
	nb.AddMarkdown(nbformat.ID(e.ID, "points"),
		fmt.Sprintf("## Points\n\nThe cells below are graded, one for each part of the check. Points for each cell: %g.",
			points))
	for i, name := range parts {
		name = strings.Join(strings.Fields(name), " ")
		c := nb.AddCode(nbformat.ID(e.ID, fmt.Sprintf("test-%d", i+1)),
			fmt.Sprintf("%%%%\n// %s\n%s.%s.Require(%d)", name, e.Package(), e.Calls[0], i+1))
		kind{grade: true, locked: true, points: points}.mark(c)
	}
}

// Parts returns the names of the parts of a check. It calls the check with functions that panic
// with verify.TODO, like a stub. Parts returns an error if check is not a function, if one of its
// parameters is not a function, or if it does not return exactly one result, a report with parts.
func Parts(check any) ([]string, error) {
	f := reflect.ValueOf(check)
	if f.Kind() != reflect.Func || f.IsNil() {
		return nil, fmt.Errorf("invalid check of type %T: want a function", check)
	}
	in := make([]reflect.Value, f.Type().NumIn())
	for i := range in {
		t := f.Type().In(i)
		if t.Kind() != reflect.Func {
			return nil, fmt.Errorf("invalid check: a parameter has type %v, want a function", t)
		}
		in[i] = reflect.MakeFunc(t, func([]reflect.Value) []reflect.Value { panic(verify.TODO) })
	}
	out := f.Call(in)
	if len(out) != 1 {
		return nil, fmt.Errorf("invalid check %v: want a report as the only result", f.Type())
	}
	r, ok := out[0].Interface().(*verify.Report)
	if !ok || r == nil || len(r.Parts) == 0 {
		return nil, fmt.Errorf("invalid check %v: want a report with parts", f.Type())
	}
	names := make([]string, len(r.Parts))
	for i, p := range r.Parts {
		names[i] = p.Name
	}
	return names, nil
}

// The constants `begin` and `end` are the first and the last line of a region with a solution.
// nbgrader's ClearSolutions replaces the region, including these lines, with the text `stub`, which
// the course's configuration sets for the kernel's language.
const (
	begin = "// BEGIN SOLUTION"
	end   = "// END SOLUTION"
	stub  = "panic(verify.TODO)"
)

// solution returns the reference answer with the lines `begin` and `end` around the body of every
// function that the learner writes. When nbgrader makes the learner's notebook, it replaces each
// region with the text `stub`. After that, the cell equals the stub cell of the learner's notebook.
//
// A declaration that only the solution contains cannot be in a separate region, because nbgrader
// inserts a stub for every region. Therefore the region of the learner's first function also contains
// these declarations. The region begins in the body of this function, and ends before the closing brace
// of the last of these declarations. This is possible only if the last declaration ends with a line
// that is only a closing brace.
func solution(a *exercise.Answer) (string, error) {
	all, err := declarations(a.Solution.Source)
	if err != nil {
		return "", err
	}
	kept, err := declarations(a.Stub.Source)
	if err != nil {
		return "", err
	}
	learners := map[string]bool{} // names of the functions that the learner writes
	for _, name := range a.Functions {
		learners[name] = true
	}
	there := map[string]bool{}
	for _, d := range kept {
		there[d.name] = true
	}
	var hidden, texts []string
	for _, d := range all {
		if !there[d.name] {
			hidden = append(hidden, d.text)
		}
	}
	if err := moveClosable(hidden); err != nil {
		return "", err
	}
	for _, d := range all {
		switch {
		case !there[d.name]:
			continue
		case !learners[d.name]:
			texts = append(texts, d.text)
			continue
		}
		text := d.head + "{\n\t" + begin + "\n" + d.body
		if len(hidden) > 0 {
			last := len(hidden) - 1
			text += "\n}\n\n"
			for _, h := range hidden[:last] {
				text += h + "\n\n"
			}
			text += strings.TrimSuffix(hidden[last], "\n}")
			hidden = nil
		}
		texts = append(texts, text+"\n\t"+end+"\n}")
	}
	return strings.Join(texts, "\n\n"), nil
}

// moveClosable looks in `hidden` for a declaration whose last line is only a closing brace, and swaps
// this declaration with the last declaration of the list. If the list is not empty but contains no such
// declaration, moveClosable returns an error.
func moveClosable(hidden []string) error {
	if len(hidden) == 0 {
		return nil
	}
	for i, h := range hidden {
		if strings.HasSuffix(h, "\n}") {
			last := len(hidden) - 1
			hidden[i], hidden[last] = hidden[last], hidden[i]
			return nil
		}
	}
	return fmt.Errorf("nbgrader: the declarations that only the solution contains must include a function or type of several lines; found only:\n%s", strings.Join(hidden, "\n"))
}

// A declaration is a top-level declaration in a cell. The field `text` includes the doc comment. For a
// function, the field `head` is the text before the body, with the doc comment, and the field `body` is
// the text between the braces. For any other declaration, the field `name` is the whole declaration
// without its comment.
type declaration struct {
	name, text, head, body string
}

// declarations parses the declarations of a cell. The name of a method includes its receiver.
func declarations(source string) ([]declaration, error) {
	const clause = "package cell\n"
	text := clause + source
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "cell", text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	at := func(p token.Pos) int { return fset.Position(p).Offset }
	var list []declaration
	for _, decl := range file.Decls {
		d := declaration{}
		doc := decl.Pos()
		switch n := decl.(type) {
		case *ast.FuncDecl:
			d.name = n.Name.Name
			if n.Recv != nil {
				d.name = text[at(n.Recv.Pos()):at(n.Recv.End())] + d.name
			}
			if n.Doc != nil {
				doc = n.Doc.Pos()
			}
			d.head = text[at(doc):at(n.Body.Lbrace)]
			d.body = strings.TrimRight(strings.TrimLeft(text[at(n.Body.Lbrace)+1:at(n.Body.Rbrace)], "\n"), " \t\n")
			if !strings.HasPrefix(d.body, "\t") {
				d.body = "\t" + strings.TrimSpace(d.body)
			}
		case *ast.GenDecl:
			d.name = text[at(n.Pos()):at(n.End())]
			if n.Doc != nil {
				doc = n.Doc.Pos()
			}
		}
		d.text = text[at(doc):at(decl.End())]
		list = append(list, d)
	}
	return list, nil
}

// A Grade is a line of the grades that nbgrader exports: one learner's result for one assignment.
type Grade struct {
	Assignment string
	Due        time.Time // due date; the zero time if there is no due date
	Submitted  time.Time // time of the submission; the zero time if nothing was submitted
	ID         string    // the learner's id
	LastName   string
	FirstName  string
	Email      string
	Score      float64 // before the penalty
	Penalty    float64 // penalty for a late submission
	Max        float64
}

// columns lists the columns that nbgrader's CSV exporter writes, in the same order.
var columns = []string{
	"assignment", "duedate", "timestamp", "student_id", "last_name", "first_name", "email",
	"raw_score", "late_submission_penalty", "score", "max_score",
}

// WriteGrades writes the grades as CSV like `nbgrader export`. Times are in UTC without a zone,
// numbers have the form of Python's floats, and the score after the penalty is at least 0. If nothing
// was submitted, the scores and the penalty are 0. Unlike nbgrader, WriteGrades quotes fields that
// contain a comma or a quote.
func WriteGrades(w io.Writer, grades []Grade) error {
	out := csv.NewWriter(w)
	if err := out.Write(columns); err != nil {
		return err
	}
	for _, g := range grades {
		if g.Submitted.IsZero() {
			g.Score, g.Penalty = 0, 0
		}
		if err := out.Write([]string{
			g.Assignment, formatTime(g.Due), formatTime(g.Submitted), g.ID, g.LastName, g.FirstName, g.Email,
			formatFloat(g.Score), formatFloat(g.Penalty), formatFloat(max(0, g.Score-g.Penalty)), formatFloat(g.Max),
		}); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// formatTime formats a time in the same way as Python's str(datetime). For the zero time it returns
// "".
func formatTime(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	t = t.UTC().Truncate(time.Microsecond)
	if t.Nanosecond() == 0 {
		return t.Format(time.DateTime)
	}
	return t.Format("2006-01-02 15:04:05.000000")
}

// formatFloat formats a score in the same way as Python's str(float), but never with an exponent.
func formatFloat(x float64) string {
	s := strconv.FormatFloat(x, 'f', -1, 64)
	if !strings.Contains(s, ".") {
		s += ".0"
	}
	return s
}
