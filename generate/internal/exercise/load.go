package exercise

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strings"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/cell"
)

// An Exercise is what the folder of one exercise holds.
type Exercise struct {
	*exercises.Exercise
	Dir    string // the folder, relative to the module: "exercises/prml4/ex25"
	Answer *Answer
	Calls  []Call // Check, and CheckSteps where there is one
	For    string // the learner whose personal variant it is, or ""

	exploreLine int      // line of exercise.md where the text of the section Explore begins
	varies      []string // what differs between personal variants
}

// A Variant says which personal variant an exercise is loaded as.
type Variant struct {
	Seed uint64              // 0 for the common one
	For  string              // the learner's name, "" if the seed was given
	Vary exercises.Constants // of the exercise's package, nil where no constants vary
}

var folderForm = regexp.MustCompile(`^ex([0-9]{2})$`)

// Load reads the exercise in the folder dir of the module, the common variant of
// an exercise in which no constants vary. What is wrong with a file is an error
// with its name and line.
func Load(module fs.FS, dir string) (*Exercise, error) {
	return LoadVariant(module, dir, Variant{})
}

// LoadVariant reads the exercise in the folder dir of the module with the
// constants of a variant in all its texts and in the reference answer.
func LoadVariant(module fs.FS, dir string, v Variant) (*Exercise, error) {
	if !folderForm.MatchString(path.Base(dir)) {
		return nil, fmt.Errorf("%s: an exercise's folder is called ex and two digits", dir)
	}
	var text, check, answer []byte
	for _, f := range []struct {
		name string
		data *[]byte
	}{{"exercise.md", &text}, {"check.go", &check}, {"answer_test.go", &answer}} {
		data, err := fs.ReadFile(module, path.Join(dir, f.name))
		if errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("%s is missing; an exercise has exercise.md, check.go and answer_test.go", path.Join(dir, f.name))
		}
		if err != nil {
			return nil, err
		}
		*f.data = data
	}
	e := &Exercise{Dir: dir, For: v.For}
	source := exercises.Text{
		Name: path.Join(dir, "exercise.md"), Markdown: string(text),
		AnswerName: path.Join(dir, "answer_test.go"), Answer: string(answer), Vary: v.Vary,
	}
	var err error
	if e.Exercise, err = source.Parse(v.Seed); err != nil {
		return nil, err
	}
	e.exploreLine = lineBelow(string(text), "## Explore")
	if e.Answer, err = Cut(source.AnswerName, []byte(e.Exercise.Answer)); err != nil {
		return nil, err
	}
	if e.varies, err = varies(module, dir, v.Vary); err != nil {
		return nil, err
	}
	e.Calls, err = Calls(path.Join(dir, "check.go"), check, e.Answer.Functions)
	return e, err
}

// Package is the name of the exercise's package, "ex25".
func (e *Exercise) Package() string { return path.Base(e.Dir) }

// Import is the import of the exercise's package.
func (e *Exercise) Import() cell.Import { return cell.Import{Path: cell.Module + "/" + e.Dir} }

// Group is the chapter that the exercise belongs to, "prml4".
func (e *Exercise) Group() string { return path.Base(path.Dir(e.Dir)) }

// LearnerPath is where the learner's notebook lies among the exercise notebooks:
// "prml4/25-probit-scale.ipynb".
func (e *Exercise) LearnerPath() string {
	number := folderForm.FindStringSubmatch(e.Package())[1]
	return path.Join(e.Group(), number+"-"+e.Slug+".ipynb")
}

// SolvedPath is where the solved notebook lies among the exercise notebooks.
func (e *Exercise) SolvedPath() string { return path.Join("solutions", e.LearnerPath()) }

// lineBelow returns the line, from 1, of the first text below the last heading of
// that wording.
func lineBelow(text, heading string) int {
	lines := strings.Split(text, "\n")
	for i := len(lines) - 1; i >= 0; i-- {
		if strings.TrimSpace(lines[i]) != heading {
			continue
		}
		for i++; i < len(lines) && strings.TrimSpace(lines[i]) == ""; {
			i++
		}
		return i + 1
	}
	return 1
}
