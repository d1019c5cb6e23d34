package nbgrader

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/catalog"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/cell"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/exercise"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/kerneltest"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/must"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbformat"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/runner"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

func list(t *testing.T, ids ...string) []*exercise.Exercise {
	t.Helper()
	root := must.Get(cell.FindRoot("."))(t)
	return must.Get(catalog.Exercises(os.DirFS(root), ids...))(t)
}

func checks() map[string]any {
	m := map[string]any{}
	for _, e := range catalog.Content.Entries {
		m[e.Exercise.ID] = e.Checks[0]
	}
	return m
}

// schema returns the schema that nbgrader publishes for the metadata of a cell.
func schema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	return must.Get(jsonschema.NewCompiler().Compile("testdata/schema-3.json"))(t)
}

// checkValid returns an error if nbgrader would reject a notebook because of the schema or because
// of the rules in nbgrader's MetadataValidatorV3.
func checkValid(s *jsonschema.Schema, nb *nbformat.Notebook) error {
	ids := map[string]bool{}
	for _, c := range nb.Cells {
		m, ok := c.Metadata[Key].(map[string]any)
		if !ok {
			continue
		}
		text, err := json.Marshal(m)
		if err != nil {
			return err
		}
		v, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err != nil {
			return err
		}
		if err := s.Validate(v); err != nil {
			return fmt.Errorf("%s: %w", c.ID, err)
		}
		id, _ := m["grade_id"].(string)
		grade, solution, locked := m["grade"].(bool), m["solution"].(bool), m["locked"].(bool)
		task, _ := m["task"].(bool)
		_, points := m["points"]
		switch {
		case (grade || solution || locked) && id == "":
			return fmt.Errorf("the cell %s is graded, a solution or locked, but has no grade_id", c.ID)
		case (grade || solution || locked) && ids[id]:
			return fmt.Errorf("duplicate grade id %s", id)
		case grade && !points:
			return fmt.Errorf("the graded cell %s has no points", id)
		case !task && c.Type == nbformat.Markdown && grade != solution:
			return fmt.Errorf("the markdown cell %s must be a graded solution, or neither graded nor a solution", id)
		case task && c.Type != nbformat.Markdown:
			return fmt.Errorf("the task %s must be a markdown cell", id)
		}
		ids[id] = true
	}
	return nil
}

// clearSolutions replaces the solutions in the source of a code cell with the stub, as nbgrader's
// ClearSolutions does.
func clearSolutions(source string) (string, error) {
	var lines []string
	inside := false
	for line := range strings.SplitSeq(source, "\n") {
		switch {
		case strings.Contains(line, "BEGIN SOLUTION"):
			if inside {
				return "", errors.New("nested solutions")
			}
			inside = true
			lines = append(lines, line[:len(line)-len(strings.TrimLeft(line, " \t"))]+stub)
		case strings.Contains(line, "END SOLUTION"):
			inside = false
		case !inside:
			lines = append(lines, line)
		}
	}
	if inside {
		return "", errors.New("solution region without an end line")
	}
	return strings.Join(lines, "\n"), nil
}

// points returns the points that a notebook's graded cells have earned, and the maximum of these
// points. It uses nbgrader's rule for automatic grading: a cell with an error, or with any output
// on standard error, earns no points. Every other cell earns all its points. (nbgrader also has partial
// points, but only for outputs of the type execute_result.)
func points(nb *nbformat.Notebook) (got, most float64) {
	for _, c := range nb.Cells {
		m, _ := c.Metadata[Key].(map[string]any)
		if grade, _ := m["grade"].(bool); !grade {
			continue
		}
		worth := toFloat(m["points"])
		most += worth
		right := true
		for _, o := range c.Outputs {
			name, _ := o.Stream()
			right = right && o.Type() != "error" && name != "stderr"
		}
		if right {
			got += worth
		}
	}
	return got, most
}

// toFloat converts a number in the metadata of a notebook. The number is a float64 in a new
// notebook, and a json.Number in a notebook read from a file.
func toFloat(v any) float64 {
	switch n := v.(type) {
	case float64:
		return n
	case json.Number:
		f, _ := n.Float64()
		return f
	}
	panic(fmt.Sprintf("got a value of type %T, want float64 or json.Number", v))
}

// TestCourse checks, with copies of nbgrader's rules, that nbgrader would accept the notebook of every
// exercise that is not the task of a lesson. The points must correspond to the number of parts of the
// check. After clearSolutions has cleared the solution, the cell must contain the learner's stub.
func TestCourse(t *testing.T) {
	all := list(t)
	tree := must.Get(Course("all", all, checks(), 2))(t)
	same := func(a, b []byte) bool { return bytes.Equal(a, b) }
	if !maps.EqualFunc(tree, must.Get(Course("all", all, checks(), 2))(t), same) {
		t.Error("two courses of the same exercises differ")
	}
	s := schema(t)
	seen := 0
	for _, e := range all {
		if e.OfLesson() {
			continue
		}
		seen++
		file := path.Join("source/all", Notebook(e.ID))
		nb, err := nbformat.Parse(file, tree[file])
		if err != nil {
			t.Error(err)
			continue
		}
		if err := checkValid(s, nb); err != nil {
			t.Errorf("nbgrader would reject %s: %v", file, err)
		}
		if _, most := points(nb); most < 2 || most != 2*float64(len(must.Get(Parts(checks()[e.ID]))(t))) {
			t.Errorf("%s: got a maximum of %g points, want 2 for each of the %d parts of the check, and at least 2", e.ID, most,
				len(must.Get(Parts(checks()[e.ID]))(t)))
		}
		source := nb.Cell(nbformat.ID(e.ID, "stub")).Source
		cleared, err := clearSolutions(source)
		if err != nil || cleared != strings.TrimSpace(e.Answer.Stub.Source) {
			t.Errorf("%s: after clearing (error %v), the cell of the solution is\n%s\nwant\n%s",
				e.ID, err, cleared, e.Answer.Stub.Source)
		}
		if strings.Count(source, "\n") <= strings.Count(cleared, "\n") {
			t.Errorf("%s: the instructor's cell has no more lines than the learner's, so it cannot contain the answer:\n%s", e.ID, source)
		}
		if strings.Contains(string(tree[file]), ".Solution()") {
			t.Errorf("%s contains a call of Solution, which shows the solution", file)
		}
	}
	if seen < 30 || len(tree) != seen+1 {
		t.Errorf("got %d exercises and %d files; want at least 30 exercises, and one more file than exercises", seen, len(tree))
	}
	for _, want := range []string{"c.ClearSolutions.code_stub", `"go": "panic(verify.TODO)"`,
		"c.ExecutePreprocessor.timeout"} {
		if !strings.Contains(string(tree["nbgrader_config.py"]), want) {
			t.Errorf("the configuration does not contain %s", want)
		}
	}
}

// TestRedMetadata checks that checkValid rejects metadata that nbgrader rejects.
func TestRedMetadata(t *testing.T) {
	s := schema(t)
	for name, tt := range map[string]struct {
		change func(m map[string]any)
		want   string
	}{
		"required key missing":     {func(m map[string]any) { delete(m, "locked") }, "locked"},
		"another schema":           {func(m map[string]any) { m["schema_version"] = 2 }, "schema_version"},
		"an unknown key":           {func(m map[string]any) { m["weight"] = 1 }, "weight"},
		"an unknown cell type":     {func(m map[string]any) { m["cell_type"] = "heading" }, "cell_type"},
		"grade id with a dot":      {func(m map[string]any) { m["grade_id"] = "prml-4.25" }, "grade_id"},
		"negative points":          {func(m map[string]any) { m["points"] = -1 }, "points"},
		"no points":                {func(m map[string]any) { delete(m, "points") }, "has no points"},
		"no grade id":              {func(m map[string]any) { delete(m, "grade_id") }, "has no grade_id"},
		"grade id of another cell": {func(m map[string]any) { m["grade_id"] = "prml-4-25-test-2" }, "duplicate"},
		"a task in code":           {func(m map[string]any) { m["task"] = true }, "must be a markdown cell"},
	} {
		nb := must.Get(Source(list(t, "prml-4.25")[0], checks()["prml-4.25"], 1))(t)
		if err := checkValid(s, nb); err != nil {
			t.Fatal(err)
		}
		m := nb.Cell("prml-4-25-test-1").Metadata[Key].(map[string]any)
		tt.change(m)
		if err := checkValid(s, nb); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got the error %v, want an error that contains %q", name, err, tt.want)
		}
	}
}

func TestCourseErrors(t *testing.T) {
	one := list(t, "prml-4.25")
	for name, tt := range map[string]struct {
		assignment string
		list       []*exercise.Exercise
		check      any
		want       string
	}{
		"a plus":        {"a+b", one, checks()["prml-4.25"], `invalid assignment name "a+b"`},
		"parent folder": {"../a", one, checks()["prml-4.25"], `invalid assignment name "../a"`},
		"no exercise":   {"a", nil, nil, "has no exercise"},
		"no check":      {"a", one, nil, "want a function"},
		"a nil check":   {"a", one, (func() *verify.Report)(nil), "want a function"},
		"an int":        {"a", one, func(int) *verify.Report { return nil }, "a parameter has type int, want a function"},
		"no report":     {"a", one, func() int { return 0 }, "want a report with parts"},
		"a nil report":  {"a", one, func() *verify.Report { return nil }, "with parts"},
		"no result":     {"a", one, func() {}, "want a report as the only result"},
	} {
		if _, err := Course(tt.assignment, tt.list, map[string]any{"prml-4.25": tt.check}, 1); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got the error %v, want an error that contains %q", name, err, tt.want)
		}
	}
}

// TestHiddenThatCannotClose checks the function `solution` for a constant that only the reference
// answer contains. A region must end before a closing brace, but the declaration of a constant has
// none, so `solution` must return an error. If a hidden function is added, `solution` must succeed.
func TestHiddenThatCannotClose(t *testing.T) {
	a := &exercise.Answer{Functions: []string{"F"}}
	a.Stub.Source = "func F() {\n\t" + stub + "\n}"
	a.Solution.Source = "const hidden = 1\n\nfunc F() { _ = hidden }"
	if _, err := solution(a); err == nil || !strings.Contains(err.Error(), "const hidden") {
		t.Errorf("got the error %v, want an error that names const hidden", err)
	}
	a.Solution.Source = "func g() {\n\tprintln()\n}\n\nconst hidden = 1\n\nfunc F() { _ = hidden }"
	source := must.Get(solution(a))(t)
	cleared := must.Get(clearSolutions(source))(t)
	if cleared != a.Stub.Source || !strings.Contains(source, "const hidden") || !strings.Contains(source, "func g()") {
		t.Errorf("want const hidden and func g in the source, and only the stub after clearing; got the source\n%s\nand after clearing\n%s", source, cleared)
	}
}

// TestPointsOfARun runs notebooks through the kernel, with the environment variable that nbgrader's
// autograde sets. It checks how many points each answer earns according to nbgrader's rule.
func TestPointsOfARun(t *testing.T) {
	kernel := kerneltest.Kernel(t)
	t.Setenv("NBGRADER_EXECUTION", "autograde")
	e := list(t, "prml-4.25")[0]
	const right = "return lambda * lambda"
	answers := []struct {
		name, old, new string // the answer has the text `new` in place of `old`; if `old` is "", the answer is the stub
		want           func(points float64) bool
	}{
		{"the reference answer", right, right, func(points float64) bool { return points == 3 }},
		{"the stub", "", "", func(points float64) bool { return points == 0 }},
		{"does not compile", right, "return lamda", func(points float64) bool { return points == 0 }},
		{"panics", right, `panic("no")`, func(points float64) bool { return points == 0 }},
		{"partly right", right, "return lambda", func(points float64) bool { return 0 < points && points < 3 }},
	}
	dir := t.TempDir()
	var paths []string
	for _, a := range answers {
		nb := must.Get(Source(e, checks()[e.ID], 1))(t)
		c := nb.Cell("prml-4-25-stub")
		if must.Contain(t, c.Source, a.old); a.old == "" {
			c.Source = must.Get(clearSolutions(c.Source))(t)
		}
		c.Source = strings.Replace(c.Source, a.old, a.new, 1)
		paths = append(paths, filepath.Join(dir, a.name+".ipynb"))
		must.Do(t, nb.WriteFile(paths[len(paths)-1]))
	}
	out := filepath.Join(dir, "out")
	must.Get(runner.Run(t.Context(), paths, runner.Options{Kernel: kernel, Out: out, Timeout: time.Minute, Jobs: 2}))(t)
	for _, a := range answers {
		got, most := points(must.Get(nbformat.ReadFile(filepath.Join(out, a.name+".ipynb")))(t))
		if !a.want(got) || most != 3 {
			t.Errorf("%s: got %g of %g points, want a maximum of 3 points and the number of points that the test case expects",
				a.name, got, most)
		}
	}
}

func TestWriteGrades(t *testing.T) {
	due := time.Date(2026, 3, 1, 13, 0, 0, 0, time.FixedZone("CET", 3600))
	var b strings.Builder
	err := WriteGrades(&b, []Grade{
		{Assignment: "prml4", Due: due, Submitted: due.Add(1500 * time.Millisecond), ID: "ada", LastName: "Lovelace",
			FirstName: "Ada", Email: "ada@example.org", Score: 2.5, Penalty: 1, Max: 3},
		{Assignment: "prml4", Due: due, ID: "abs", LastName: "O, P", Score: 2, Max: 3},
		{Assignment: "prml4", Submitted: due, ID: "late", Score: 1, Penalty: 5, Max: 3},
	})
	// The wanted text contains the header and the values that nbgrader's CsvExportPlugin prints, but the
	// plugin does not quote the name with the comma. It formats datetimes and floats with Python's str.
	want := `assignment,duedate,timestamp,student_id,last_name,first_name,email,raw_score,late_submission_penalty,score,max_score
prml4,2026-03-01 12:00:00,2026-03-01 12:00:01.500000,ada,Lovelace,Ada,ada@example.org,2.5,1.0,1.5,3.0
prml4,2026-03-01 12:00:00,,abs,"O, P",,,0.0,0.0,0.0,3.0
prml4,,2026-03-01 12:00:00,late,,,,1.0,5.0,0.0,3.0
`
	if err != nil || b.String() != want {
		t.Errorf("got the error %v and the grades\n%s\nwant no error and the grades\n%s", err, b.String(), want)
	}
}
