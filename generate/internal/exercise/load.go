// Package exercise makes the two notebooks of an exercise, the learner's and the
// solved one, from the exercise's folder: exercise.md (the text), check.go (how
// it is judged) and answer_test.go (the reference answer, from which the
// learner's stub is cut).
package exercise

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"regexp"
	"slices"
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

	Lessons string // the lessons that it belongs to, as markdown, or ""

	exploreLine int      // line of exercise.md where the text of the section Explore begins
	varies      []string // what differs between personal variants
}

// A Variant says which personal variant an exercise is loaded as.
type Variant struct {
	Seed uint64              // 0 for the common one
	For  string              // the learner's name, "" if the seed was given
	Vary exercises.Constants // of the exercise's package, nil where no constants vary
}

var folderForm = regexp.MustCompile(`^(?:ex|lesson)([0-9]{2})$`)

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
		return nil, fmt.Errorf("%s: an exercise's folder is called ex and two digits, that of a lesson's task lesson and two digits", dir)
	}
	files := []string{"exercise.md", "check.go", "answer_test.go"}
	texts := make([]string, len(files))
	for i, name := range files {
		files[i] = path.Join(dir, name)
		data, err := fs.ReadFile(module, files[i])
		if errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("%s is missing; an exercise has exercise.md, check.go and answer_test.go", files[i])
		}
		if err != nil {
			return nil, err
		}
		texts[i] = string(data)
	}
	e := &Exercise{Dir: dir, For: v.For}
	source := exercises.Text{Name: files[0], Markdown: texts[0], AnswerName: files[2], Answer: texts[2], Vary: v.Vary}
	var err error
	if e.Exercise, err = source.Parse(v.Seed); err != nil {
		return nil, err
	}
	e.exploreLine = lineBelow(texts[0], "## Explore")
	if e.Answer, err = Cut(source.AnswerName, []byte(e.Exercise.Answer)); err != nil {
		return nil, err
	}
	if e.varies, err = varies(module, dir, v.Vary); err != nil {
		return nil, err
	}
	e.Calls, err = Calls(files[1], []byte(texts[1]), e.Answer.Functions)
	return e, err
}

// Package is the name of the exercise's package, "ex25".
func (e *Exercise) Package() string { return path.Base(e.Dir) }

// Import is the import of the exercise's package.
func (e *Exercise) Import() cell.Import { return cell.Import{Path: cell.Module + "/" + e.Dir} }

// Group is the chapter that the exercise belongs to, "prml4".
func (e *Exercise) Group() string { return path.Base(path.Dir(e.Dir)) }

// LearnerPath is where the learner's notebook lies among the exercise notebooks:
// "prml4/25-probit-scale.ipynb". The task of a lesson has none but the lesson.
func (e *Exercise) LearnerPath() string {
	number := folderForm.FindStringSubmatch(e.Package())[1]
	if e.OfLesson() {
		return path.Join("..", "lessons", number+"-"+e.Slug+".ipynb")
	}
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

// Varies says what differs between the personal variants of the exercise: "data",
// "constants", both or, where the mathematics leaves nothing to choose, nothing.
func (e *Exercise) Varies() []string { return e.varies }

// varies reads off the package's sources whether its check draws data, so that the
// list cannot say what is not so.
func varies(module fs.FS, dir string, vary exercises.Constants) ([]string, error) {
	out := []string{}
	files, err := fs.Glob(module, path.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		source, err := fs.ReadFile(module, name)
		if err != nil {
			return nil, err
		}
		if bytes.Contains(source, []byte("instance.Source(")) {
			out = append(out, "data")
			break
		}
	}
	if vary != nil {
		out = append(out, "constants")
	}
	return out, nil
}

// A Call is a judging call of the exercise's package and the learner's functions
// that it takes.
type Call struct {
	Func string   // "Check" or "CheckSteps"
	Args []string // "LambdaSquared"
}

// String is the call as it stands in a cell, but for the package name.
func (c Call) String() string { return c.Func + "(" + strings.Join(c.Args, ", ") + ")" }

// Calls reads the judging calls off a check.go: of Check, and of CheckSteps where
// it exists. The parameters' names, with a capital, are the learner's functions
// (LambdaSquared for lambdaSquared, BIC for bic); one that is not in functions
// is an error with file and line. A variadic parameter is left out of the call.
func Calls(name string, src []byte, functions []string) ([]Call, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, src, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	errorf := func(at ast.Node, message string, args ...any) error {
		p := fset.Position(at.Pos())
		return fmt.Errorf("%s:%d: %s", p.Filename, p.Line, fmt.Sprintf(message, args...))
	}
	found := map[string]Call{}
	for _, decl := range file.Decls {
		d, ok := decl.(*ast.FuncDecl)
		if !ok || d.Recv != nil || d.Name.Name != "Check" && d.Name.Name != "CheckSteps" {
			continue
		}
		call := Call{Func: d.Name.Name}
		for _, field := range d.Type.Params.List {
			if _, variadic := field.Type.(*ast.Ellipsis); variadic {
				continue
			}
			if len(field.Names) == 0 {
				return nil, errorf(field, "a parameter of %s has no name; it must be the learner's function with a small letter", call.Func)
			}
			for _, id := range field.Names {
				i := slices.IndexFunc(functions, func(f string) bool { return strings.EqualFold(f, id.Name) })
				if i < 0 {
					return nil, errorf(id, "%s takes %s, but %s has no such function; it has %s", call.Func, id.Name,
						path.Join(path.Dir(name), "answer_test.go"), strings.Join(functions, ", "))
				}
				call.Args = append(call.Args, functions[i])
			}
		}
		if len(call.Args) == 0 {
			return nil, errorf(d, "%s takes none of the learner's functions", call.Func)
		}
		found[call.Func] = call
	}
	check, ok := found["Check"]
	if !ok {
		return nil, fmt.Errorf("%s:1: there is no func Check", name)
	}
	calls := []Call{check}
	if steps, ok := found["CheckSteps"]; ok {
		calls = append(calls, steps)
	}
	return calls, nil
}
