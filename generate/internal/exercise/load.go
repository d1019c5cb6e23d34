// Package exercise makes the two notebooks of an exercise, the learner's notebook and the solved
// one. It reads these three files in the exercise's folder: exercise.md (the text), check.go (the check)
// and answer_test.go (the reference answer). The learner's stub is the reference answer without
// the bodies of the functions that the learner must write.
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

// An Exercise contains the text, the reference answer and the calls of the check functions of an
// exercise, in one variant.
type Exercise struct {
	*exercises.Exercise
	Dir    string // folder of the exercise relative to the module, for example "exercises/prml4/ex25"
	Answer *Answer
	Calls  []Call // calls of the check functions Check and, if it exists, CheckSteps
	For    string // name of the learner to whom the personal variant belongs; "" without a learner

	Provided string // see exercises.Checked

	Lessons string // links to the lessons that the exercise belongs to, as Markdown; "" without lessons

	exploreLine int      // number of the line in exercise.md on which the text of the section Explore begins
	varies      []string // result of Varies
}

// A Variant selects the common variant or a personal variant of an exercise.
type Variant struct {
	Seed  uint64              // seed of the variant; 0 selects the common variant, which is not personal
	For   string              // name of the learner; "" in the common variant, or if the user gave a seed
	Books exercises.Books     // books of the course; nil means exercises.Standard()
	Vary  exercises.Constants // the Vary function of the exercise; nil if no constants vary
}

var folderForm = regexp.MustCompile(`^(?:ex|lesson)([0-9]{2})$`)

// Load reads the exercise in the folder dir of the module, in the common variant, which is not
// personal. The exercise must not have constants that vary. An error about a file contains the file's
// name and, if known, the line.
func Load(module fs.FS, dir string) (*Exercise, error) {
	return LoadVariant(module, dir, Variant{})
}

// LoadVariant reads the exercise in the folder dir of the module. It inserts the constants of the
// variant v into all texts and into the reference answer.
func LoadVariant(module fs.FS, dir string, v Variant) (*Exercise, error) {
	if !folderForm.MatchString(path.Base(dir)) {
		return nil, fmt.Errorf("%s: invalid folder name: want ex and two digits, or lesson and two digits", dir)
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
	source := exercises.Text{Name: files[0], Markdown: texts[0], AnswerName: files[2], Answer: texts[2], Vary: v.Vary,
		Books: v.Books}
	var err error
	if e.Exercise, err = source.Parse(v.Seed); err != nil {
		return nil, err
	}
	e.exploreLine = lineBelow(texts[0], "## Explore")
	if e.Answer, err = Cut(source.AnswerName, []byte(e.Exercise.Answer)); err != nil {
		return nil, err
	}
	if e.varies, err = findVarying(module, dir, v.Vary); err != nil {
		return nil, err
	}
	e.Calls, err = Calls(files[1], []byte(texts[1]), e.Answer.Functions)
	return e, err
}

// Package returns the name of the exercise's package, such as "ex25".
func (e *Exercise) Package() string { return path.Base(e.Dir) }

// Import returns the import of the exercise's package.
func (e *Exercise) Import() cell.Import { return cell.Import{Path: cell.CourseModule + "/" + e.Dir} }

// Group returns the name of the folder of the exercise's book, such as "prml4".
func (e *Exercise) Group() string { return path.Base(path.Dir(e.Dir)) }

// LearnerPath returns the path of the learner's notebook relative to the folder of the exercise
// notebooks, such as "prml4/25-probit-scale.ipynb". The task of a lesson is in the lesson's
// notebook.
func (e *Exercise) LearnerPath() string {
	number := folderForm.FindStringSubmatch(e.Package())[1]
	if e.OfLesson() {
		return path.Join("..", "lessons", number+"-"+e.Slug+".ipynb")
	}
	return path.Join(e.Group(), number+"-"+e.Slug+".ipynb")
}

// SolvedPath returns the path of the solved notebook relative to the folder of the exercise
// notebooks.
func (e *Exercise) SolvedPath() string { return path.Join("solutions", e.LearnerPath()) }

// lineBelow returns the line number, counted from 1, of the first text below the last occurrence of
// a heading. Without the heading, it returns 1.
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

// Varies lists what differs between the personal variants of the exercise: "data", "constants" or
// both. If nothing can vary, it returns an empty list.
func (e *Exercise) Varies() []string { return e.varies }

// findVarying computes the result of Varies. The data can vary if a source file of the package,
// other than a test, calls a function of package instance whose results depend on the seed.
func findVarying(module fs.FS, dir string, vary exercises.Constants) ([]string, error) {
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
		if bytes.Contains(source, []byte("instance.Source(")) || bytes.Contains(source, []byte("instance.OfKinds(")) {
			out = append(out, "data")
			break
		}
	}
	if vary != nil {
		out = append(out, "constants")
	}
	return out, nil
}

// A Call is a call of a check function. Its arguments are the learner's functions.
type Call struct {
	Func string   // name of the check function, "Check" or "CheckSteps"
	Args []string // names of the learner's functions, for example "LambdaSquared"
}

// String returns the call as Go source without the package name, for example Check(LambdaSquared).
func (c Call) String() string { return c.Func + "(" + strings.Join(c.Args, ", ") + ")" }

// Calls reads the parameters of Check and, if it exists, CheckSteps from a check.go. A parameter's
// name must be the name of a learner's function, apart from upper and lower case (lambdaSquared for
// LambdaSquared, bic for BIC). Calls omits a variadic parameter. It returns an error with file and
// line if one of the other parameters has no name or matches no name in `functions`, if a check
// function has no other parameters, or if there is no Check.
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
				return nil, errorf(field,
					"a parameter of %s has no name; name it after the learner's function, with a lower-case first letter",
					call.Func)
			}
			for _, id := range field.Names {
				i := slices.IndexFunc(functions, func(f string) bool { return strings.EqualFold(f, id.Name) })
				if i < 0 {
					return nil, errorf(id, "%s has the parameter %s, but %s has no function of this name; its functions are %s", call.Func, id.Name,
						path.Join(path.Dir(name), "answer_test.go"), strings.Join(functions, ", "))
				}
				call.Args = append(call.Args, functions[i])
			}
		}
		if len(call.Args) == 0 {
			return nil, errorf(d, "%s has no parameter for any of the learner's functions", call.Func)
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
