package nbgrader

import (
	"errors"
	"fmt"
	"path"
	"regexp"
	"strings"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/exercise"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/files"
)

// name is what nbgrader takes for an assignment, but for +, which it refuses.
var name = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_.-]*$`)

// Course is a folder of nbgrader with one assignment: nbgrader_config.py, and
// source/ASSIGNMENT with a notebook for each exercise, of which checks gives the
// compulsory check. Each part of a check is worth points. It returns an error for a name
// that nbgrader does not take and for no exercises.
func Course(assignment string, list []*exercise.Exercise, checks map[string]any, points float64) (files.Tree, error) {
	if !name.MatchString(assignment) {
		return nil, fmt.Errorf("an assignment is named with letters, digits, _, - and dots; found %q", assignment)
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
		return nil, errors.New("an assignment needs an exercise: name one, such as prml-4.25")
	}
	return tree, nil
}

// Notebook is the file name of an exercise; nbgrader takes the last dot for the
// beginning of the extension.
func Notebook(id string) string { return strings.ReplaceAll(id, ".", "-") + ".ipynb" }

// config is read by nbgrader in the course folder. That it knows the answer's language
// by the kernelspec of the notebook is why the stub stands under "go".
const config = `# nbgrader's settings for this course. Kernels are looked for where Jupyter looks for
# them: let JUPYTER_PATH name the folder that the set-up made, or use the image.
c = get_config()  # noqa: F821

c.CourseDirectory.course_id = "hyperplane"

# What stands in place of a solution, by the language of the kernel.
c.ClearSolutions.code_stub = {
    "go": "` + stub + `",
    "python": "# YOUR CODE HERE\nraise NotImplementedError()",
}
c.ClearSolutions.begin_solution_delimeter = "BEGIN SOLUTION"
c.ClearSolutions.end_solution_delimeter = "END SOLUTION"

# A cell is compiled before it runs, and an answer may compute for 20 s.
c.ExecutePreprocessor.timeout = 120
c.ExecutePreprocessor.interrupt_on_timeout = True

# An answer runs with the rights of who grades: grade in the image, without a network.
`
