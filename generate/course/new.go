package course

import (
	"bytes"
	"cmp"
	"embed"
	"errors"
	"fmt"
	"go/format"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"text/template"

	"github.com/spf13/cobra"
	"golang.org/x/mod/modfile"
	modpath "golang.org/x/mod/module"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/cell"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/content"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/files"
	"github.com/hyperplane-notebooks/hyperplane/toolkit"
)

// newTemplates contains the templates for the files of a new course, exercise and lesson. In the
// templates, actions of text/template are enclosed in «…» and not in double braces, because the Go,
// LaTeX and Markdown in the templates contain braces.
//
//go:embed templates/new
var newTemplates embed.FS

// judgePackages is the import path of the folder with the packages judge, gate and instance. The
// check of an exercise and its tests import these packages.
const judgePackages = cell.HyperplaneModule + "/exercises"

// newNewCmd returns the command `new`, which writes the first version of a course, of an
// exercise or of a lesson.
func newNewCmd() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "new",
		Short: "write a small working course, exercise or lesson for you to change",
		Long: `This command writes the files of an exercise or of a lesson into the folder of the module, or
the files of a course into a new module. The files are small but complete: all tests pass, and
every wrong answer in the tests gets its own message. You can then change all of the text and
the code. The command overwrites no file. Of the files of an existing course, it changes only the
file that lists the exercises, to which it adds two lines.

` + exitHelp,
		Example: `  go run ./generate new course ../sums
  go run ./generate new exercise own-1 --slug my-question
  go run ./generate new lesson --slug my-topic`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("missing argument: want new course FOLDER, new exercise ID, or new lesson")
			}
			return content.Unknown("kind of file", args[0], []string{"course", "exercise", "lesson"})
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newCourseCmd())
	var title, slug string
	common := func(sub *cobra.Command) {
		sub.Flags().StringVar(&title, "title", "The slope of a line through the origin", "title of the exercise or lesson")
		sub.Flags().StringVar(&slug, "slug", "slope", "name of the notebook: lower-case words joined by -")
		run := sub.RunE
		sub.RunE = func(cmd *cobra.Command, args []string) error { return bad(run(cmd, args)) }
		cmd.AddCommand(sub)
	}
	common(&cobra.Command{
		Use:   "exercise ID",
		Short: "write the files of an exercise",
		Long: `This command writes the text, the check, the reference answer and the tests of a small
exercise about the slope of a line through the origin. The command also adds the exercise to
the course's list of exercises. If it does not find the right places in that list, it prints the
two lines that you must add.

` + exitHelp,
		Example: "  go run ./generate new exercise own-1",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if strings.HasPrefix(args[0], "lesson-") {
				return fmt.Errorf("invalid id %q: this command cannot make the task of a lesson; use `new lesson`, which makes a lesson and its task", args[0])
			}
			return writeNew(cmd, args[0], title, slug)
		},
	})
	common(&cobra.Command{
		Use:   "lesson",
		Short: "write the files of a lesson and of its task",
		Long: `This command writes a small lesson with a question whose answer the learner guesses, a figure,
an equation and a task. It also writes the text, the check, the reference answer and the tests of
the task. The lesson gets the next number. The command also adds the task to the course's list of
exercises. If it does not find the right places in that list, it prints the two lines that you
must add.

` + exitHelp,
		Example: "  go run ./generate new lesson --slug my-topic",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, module, err := openModule()
			if err != nil {
				return err
			}
			lessons, err := current.Lessons(module)
			if err != nil {
				return err
			}
			last := 0
			for _, l := range lessons {
				n, _ := strconv.Atoi(l.Number()) // n is 0 if the page is not a numbered lesson
				last = max(last, n)
			}
			return writeNew(cmd, fmt.Sprint("lesson-", last+1), title, slug)
		},
	})
	return cmd
}

// writeNew writes the files of a new exercise, or of a new lesson and its task. It adds the
// exercise or the task to the Go file that lists the exercises of the course. If it does not find where
// the new lines belong in that file, it prints the lines, so that the user can add them. It also prints
// the paths of the files and the commands that the user should run next.
func writeNew(cmd *cobra.Command, id, title, slug string) error {
	root, module, err := openModule()
	if err != nil {
		return err
	}
	if !cell.InClone(root) {
		return fmt.Errorf("the command `new` can write only into a clone of the repository; %s", cell.Clone)
	}
	p := currentPlace(module)
	o, err := newSource(p, id, title, slug)
	if err != nil {
		return err
	}
	tree, err := o.files()
	if err != nil {
		return err
	}
	old, err := fs.ReadFile(module, p.list)
	if err != nil {
		return err
	}
	list, missing, err := o.withEntry(string(old))
	if err != nil {
		return err
	}
	if err := writeFresh(cmd, tree, root); err != nil {
		return err
	}
	w := cmd.OutOrStdout()
	if len(missing) > 0 {
		fmt.Fprintf(w, "\nAdd these lines to the imports and to the exercises of the course in %s:\n%s\n", p.list,
			strings.Join(missing, "\n"))
	} else if _, err := (files.Tree{p.list: list}).Write(cmd.Context(), root); err != nil {
		return err
	} else {
		fmt.Fprintln(w, filepath.FromSlash(p.list))
	}
	fmt.Fprintf(w, `
Next, change the files. After each change:
  go test ./%s
  %s judge %s
  %[2]s notebooks
`, o.Dir, cell.Command(), id)
	if o.Lesson && p.module == cell.HyperplaneModule {
		fmt.Fprintf(w, "  make notebooks    # runs the cells of the lesson and stores their outputs\n")
	}
	return nil
}

// writeFresh writes the files of tree into the folder `root` and prints their paths. If one of the
// files already exists, writeFresh returns an error and writes nothing.
func writeFresh(cmd *cobra.Command, tree files.Tree, root string) error {
	for _, name := range tree.Paths() {
		if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(name))); err == nil {
			return fmt.Errorf("%s exists, and the command `new` never overwrites a file: choose a different id, slug or folder, or remove the file",
				name)
		}
	}
	done, err := tree.Write(cmd.Context(), root)
	for _, name := range done.Written {
		fmt.Fprintln(cmd.OutOrStdout(), filepath.FromSlash(name))
	}
	return err
}

// newCourseCmd returns the command `generate new course`.
func newCourseCmd() *cobra.Command {
	var title, modulePath string
	cmd := &cobra.Command{
		Use:   "course FOLDER",
		Short: "write a course as a separate Go module",
		Long: `This command writes a folder with a new Go module: go.mod, a function main that calls
course.Main, a table of books, an exercise, and a lesson with a task. In that folder,
"go run ." has all commands of generate except figures. The new module requires hyperplane in
the version of this program.

` + exitHelp,
		Example: "  go run ./generate new course ../sums --module example.org/sums",
		Args:    cobra.ExactArgs(1),
	}
	cmd.Flags().StringVar(&modulePath, "module", "", "path of the module (default example.org/ and the folder's name)")
	cmd.Flags().StringVar(&title, "title", "", "title of the course (default the folder's name)")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return bad(writeCourse(cmd, args[0], modulePath, title))
	}
	return cmd
}

// writeCourse writes the files of a new course into the folder `dir`. It prints the paths of the
// files and the commands that the user should run next.
func writeCourse(cmd *cobra.Command, dir, modulePath, title string) error {
	root, _, err := openModule()
	if err != nil {
		return err
	}
	if root, err = cell.Toolkit(root); err != nil {
		return err
	}
	absolute, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	p := ownPlace(cmp.Or(modulePath, "example.org/"+filepath.Base(absolute)))
	if err := modpath.CheckPath(p.module); err != nil {
		return fmt.Errorf("invalid --module: %w", err)
	}
	title = cmp.Or(title, filepath.Base(absolute))
	p.books = exercises.Books{{ID: "own", Name: title, Author: "Your Name", Title: "Exercises of " + title, Numbers: "N",
		Folder: "own"}}
	tree, err := moduleFiles(os.DirFS(root), p.module)
	if err != nil {
		return err
	}
	for _, part := range []struct{ id, title, slug string }{
		{"own-1", "The slope of a line through the origin", "slope"}, {"lesson-1", "A line through the origin", "line"},
	} {
		o, err := newSource(p, part.id, part.title, part.slug)
		if err != nil {
			return err
		}
		o.Course = title
		some, err := o.files()
		if err != nil {
			return err
		}
		for _, name := range []string{"main.go", "books/books.go"} {
			if some[name], err = o.render("course/" + path.Base(name)); err != nil {
				return err
			}
		}
		maps.Copy(tree, some)
	}
	if err := writeFresh(cmd, tree, absolute); err != nil {
		return err
	}
	resolve := "go mod tidy"
	if cell.InClone(root) {
		resolve = "go mod edit -replace " + cell.HyperplaneModule + "=" + root
	}
	fmt.Fprintf(cmd.OutOrStdout(), `
Next:
  cd %s
  %s
  go test ./...
  go run . judge
  go run . notebooks
  go run . site --serve --watch
The command go test compiles for a minute or two before it prints anything.
`, dir, resolve)
	return nil
}

// moduleFiles returns the files go.mod and go.sum of a new module with the given name. The new
// module requires hyperplane and all modules that hyperplane requires.
func moduleFiles(toolkitModule fs.FS, name string) (files.Tree, error) {
	text, err := fs.ReadFile(toolkitModule, "go.mod")
	if err != nil {
		return nil, err
	}
	mod, err := modfile.Parse("go.mod", text, nil)
	if err != nil {
		return nil, err
	}
	sum, err := fs.ReadFile(toolkitModule, "go.sum")
	if err == nil {
		err = errors.Join(mod.AddModuleStmt(name), mod.AddRequire(cell.HyperplaneModule, "v"+toolkit.Version))
	}
	if err != nil {
		return nil, err
	}
	text, err = mod.Format()
	return files.Tree{"go.mod": text, "go.sum": sum}, err
}

// A place contains what the command `new` must know about a course: the folders of the course's files,
// and code that new files of the course must contain.
type place struct {
	module   string // path of the module
	books    exercises.Books
	parser   string // Go expression; see source.Parser
	folder   string // folder that contains one folder for each book
	lessons  string
	pictures string
	sections string // book sections that a new lesson covers, such as "PRML 4.1.7"

	list          string         // path of the Go file with the list of exercises
	imports, rows *regexp.Regexp // patterns for lines of `list`; each new line goes below the last match
	row           string         // format of the new row; Sprintf inserts the name of the exercise's import
}

// ownPlace returns the place of a course that has its own Go module, in the form in which `generate
// new course` writes it. The argument `name` is the path of the module.
func ownPlace(name string) *place {
	return &place{module: name, parser: "books.All", folder: ".", lessons: "lessons", pictures: "lessons/pictures",
		sections: "Own notes", list: "main.go", imports: regexp.MustCompile(`^\t(\w+ )?"` + regexp.QuoteMeta(name) + "/"),
		rows: regexp.MustCompile(`^\t+\{Exercise: `),
		row:  "\t\t\t{Exercise: %s.Exercise(), Checks: []any{%[1]s.Check}},"}
}

// currentPlace returns the place of the course for which this process runs a command.
func currentPlace(module fs.FS) *place {
	p := ownPlace(cell.CourseModule)
	p.books, p.lessons, p.pictures = current.Books, current.LessonDir, path.Join(current.LessonDir, "pictures")
	if cell.InHyperplane() {
		p.folder, p.pictures, p.list = exerciseSources, siteDir+"/pictures", catalogFile
		p.rows, p.row = regexp.MustCompile(`^\tentry\(`), "\tentry(%s.Exercise(), %[1]s.Check),"
	} else if len(current.Entries) > 0 {
		p.folder = path.Dir(path.Dir(current.Entries[0].Dir()))
	}
	// If the course has no folder "books", it uses the books of hyperplane's own course.
	if _, err := fs.Stat(module, "books"); err != nil {
		p.parser = "exercises"
	}
	return p
}

// A source contains data about a new exercise or a new lesson. The templates insert these data into
// the new files.
type source struct {
	*place
	ID, Title, Slug, Source string
	Course                  string // title of a new course
	About                   string // what the check judges, such as "the task of lesson 3"
	Dir, Package            string // folder of the exercise, relative to the module's folder, and name of its package
	Number                  int    // seed of the random numbers from which the check makes its problems
	Ordinal                 int    // number of the exercise in its chapter, or number of the lesson
	Lesson                  bool

	CheckImports, TestImports []string
}

// exerciseSources is the folder of this module with the sources of the exercises. It contains one
// folder for each book.
const exerciseSources = "exercises"

// newSource returns the source of a new exercise or of a new lesson. If the id belongs to no book, if
// its number is above 99, or if the exercise cannot be parsed with this id, title and slug, newSource
// returns an error.
func newSource(p *place, id, title, slug string) (*source, error) {
	book, err := p.books.BookOfExercise(id)
	if err != nil {
		return nil, err
	}
	o := &source{place: p, ID: id, Title: title, Slug: slug, Number: 1}
	o.Lesson = (&exercises.Exercise{ID: id}).OfLesson()
	number := strings.TrimPrefix(id, book.ID+"-")
	if o.Ordinal, err = strconv.Atoi(number[strings.LastIndex(number, ".")+1:]); err != nil || o.Ordinal > 99 {
		return nil, fmt.Errorf("invalid id %q: want a number from 1 to 99", id)
	}
	// Compute the seed of the random numbers from the id, so that different exercises get different
	// random problems.
	for digit := range strings.SplitSeq(id, "") {
		o.Number = 31*o.Number%100003 + int(digit[0])
	}
	o.Package, o.Source = "ex"+o.Padded(), book.Name+" exercise "+number
	o.About = o.Source
	if o.Lesson {
		o.Package, o.Source = "lesson"+o.Padded(), "Lesson "+number
		o.About = "the task of lesson " + number
	}
	o.Dir = path.Join(p.folder, book.Folder, o.Package)
	for _, name := range []string{"instance", "judge"} {
		o.CheckImports = append(o.CheckImports, judgePackages+"/"+name)
	}
	o.CheckImports = append(o.CheckImports, cell.HyperplaneModule+"/exercises", cell.HyperplaneModule+"/toolkit/verify")
	if p.parser == "books.All" {
		o.CheckImports = append(o.CheckImports, p.module+"/books")
	}
	o.TestImports = []string{p.module + "/" + o.Dir, judgePackages + "/gate", cell.HyperplaneModule + "/toolkit/verify"}
	slices.Sort(o.CheckImports)
	slices.Sort(o.TestImports)
	text, err := o.render("exercise/exercise.md")
	if err != nil {
		return nil, err
	}
	answer, err := o.render("exercise/answer_test.go")
	if err != nil {
		return nil, err
	}
	t := exercises.Text{Name: "exercise.md", Markdown: string(text), AnswerName: "answer_test.go", Answer: string(answer),
		Books: p.books}
	if _, err := t.Parse(0); err != nil {
		// Remove the name of the file and the line from the error message, because the text was
		// made from a template, and the file does not exist.
		_, reason, _ := strings.Cut(err.Error(), ": ")
		return nil, fmt.Errorf("invalid exercise %q: %s", id, reason)
	}
	return o, nil
}

// Padded returns the number of the exercise or lesson with at least two digits, such as "04". Names
// of files contain the number in this form.
func (o *source) Padded() string { return fmt.Sprintf("%02d", o.Ordinal) }

// render executes the template of the file with the given name. If the file is a Go file, render
// also formats the text.
func (o *source) render(name string) ([]byte, error) {
	file := path.Join("templates/new", name+".tmpl")
	t, err := template.New(path.Base(file)).Option("missingkey=error").Delims("«", "»").ParseFS(newTemplates, file)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	if err := t.Execute(&out, o); err != nil {
		return nil, err
	}
	if path.Ext(name) == ".go" {
		return format.Source(out.Bytes())
	}
	return out.Bytes(), nil
}

// Module returns the path of the course's module.
func (o *source) Module() string { return o.module }

// Parser returns the Go expression to which the new exercise appends ".MustParse(…)". This is
// "books.All", the course's own list of books, or "exercises", the package of this name.
func (o *source) Parser() string { return o.parser }

// Sections returns the book sections that a new lesson covers, such as "PRML 4.1.7".
func (o *source) Sections() string { return o.sections }

// Books returns the books to which the exercises of the course belong.
func (o *source) Books() exercises.Books { return o.books }

// Toolkit returns the version of hyperplane that the new course must require.
func (o *source) Toolkit() string { return toolkit.Version }

// files returns all new files of the exercise, or of the lesson and its task. It does not return
// the list of exercises.
func (o *source) files() (files.Tree, error) {
	places := map[string]string{}
	for _, name := range []string{"exercise.md", "check.go", "answer_test.go", "check_test.go"} {
		places[path.Join(o.Dir, name)] = "exercise/" + name
	}
	if o.Lesson {
		places[path.Join(o.lessons, o.Padded()+"-"+o.Slug+".md")] = "lesson/lesson.md"
		places[path.Join(o.pictures, o.ID+".svg")] = "lesson/picture.svg"
	}
	tree := files.Tree{}
	for name, template := range places {
		text, err := o.render(template)
		if err != nil {
			return nil, err
		}
		tree[name] = text
	}
	return tree, nil
}

// catalogFile is the Go file that lists the exercises of hyperplane's own course.
const catalogFile = "generate/internal/catalog/catalog.go"

// withEntry inserts two lines for the exercise into `text`, the contents of the Go file with the
// list of exercises, and returns the new contents. The order of the list does not matter. If
// withEntry does not find where the two lines belong, it does not insert them. Instead it returns
// the lines in the result `missing`, so that the user can add them. If the list already contains the
// exercise, withEntry returns an error.
func (o *source) withEntry(text string) (source []byte, missing []string, err error) {
	if strings.Contains(text, strconv.Quote(o.module+"/"+o.Dir)) {
		return nil, nil, fmt.Errorf("%s lists %s already: choose a different id", o.list, o.ID)
	}
	name := o.Package
	if !o.Lesson {
		name = path.Base(path.Dir(o.Dir)) + o.Package
	}
	lines := strings.Split(text, "\n")
	added := []string{fmt.Sprintf("\t%s %q", name, o.module+"/"+o.Dir), fmt.Sprintf(o.row, name)}
	for i, after := range []*regexp.Regexp{o.imports, o.rows} {
		at := len(lines) - 1
		for at >= 0 && !after.MatchString(lines[at]) {
			at--
		}
		if at < 0 {
			return nil, added, nil
		}
		lines = slices.Insert(lines, at+1, added[i])
	}
	source, err = format.Source([]byte(strings.Join(lines, "\n")))
	return source, nil, err
}
