package course

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"go/format"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"text/template"

	"github.com/spf13/cobra"

	"github.com/hyperplane-notebooks/hyperplane/exercises"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/cell"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/files"
)

// newTemplates contains the files of a new exercise and of a new lesson. The templates write
// actions as «…», because Go, LaTeX and Markdown use braces.
//
//go:embed templates/new
var newTemplates embed.FS

// judgePackages is the folder of the packages judge, gate and instance, which a check imports.
const judgePackages = cell.Module + "/exercises"

// newNewCmd returns `generate new`, which writes the first version of an exercise or a lesson.
func newNewCmd() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "new",
		Short: "write a new exercise or lesson, which works and which you then change",
		Long: `new writes the files of an exercise or of a lesson into the folder of the module. They
are small but complete: all tests pass, and every wrong answer gets its own message.
Change all of it. The command never overwrites a file.

` + exitHelp,
		Example: `  go run ./generate new exercise prml-4.27 --slug my-question
  go run ./generate new lesson --slug my-topic`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("say what to write: new exercise ID, or new lesson")
			}
			return nearest("kind of file", args[0], []string{"exercise", "lesson"})
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	var title, slug string
	common := func(sub *cobra.Command) {
		sub.Flags().StringVar(&title, "title", "The slope of a line through the origin", "title")
		sub.Flags().StringVar(&slug, "slug", "slope", "name of the notebook: lower-case words joined by -")
		run := sub.RunE
		sub.RunE = func(cmd *cobra.Command, args []string) error { return bad(run(cmd, args)) }
		cmd.AddCommand(sub)
	}
	common(&cobra.Command{
		Use:   "exercise ID",
		Short: "write the files of an exercise",
		Long: `exercise writes a small exercise about the slope of a line through the origin: text,
check, reference answer and tests. It also adds the exercise to the catalogue.

` + exitHelp,
		Example: "  go run ./generate new exercise prml-4.27",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if strings.HasPrefix(args[0], "lesson-") {
				return fmt.Errorf("invalid id %q: the task of a lesson belongs to the lesson; want generate new lesson", args[0])
			}
			return writeNew(cmd, args[0], title, slug)
		},
	})
	common(&cobra.Command{
		Use:   "lesson",
		Short: "write the files of a lesson and of its task",
		Long: `lesson writes a small lesson with something to guess, a figure, an equation and a task,
and the task's text, check, reference answer and tests. The lesson gets the next number.
The command also adds the task to the catalogue.

` + exitHelp,
		Example: "  go run ./generate new lesson --slug my-topic",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, module, err := module()
			if err != nil {
				return err
			}
			lessons, err := current.Lessons(module)
			if err != nil {
				return err
			}
			last := 0
			for _, l := range lessons {
				n, _ := strconv.Atoi(l.Number()) // 0 for a page that is not a lesson
				last = max(last, n)
			}
			return writeNew(cmd, fmt.Sprint("lesson-", last+1), title, slug)
		},
	})
	return cmd
}

// writeNew writes the files of the exercise or of the lesson with this id and adds it to the
// catalogue. It prints the paths and the next commands.
func writeNew(cmd *cobra.Command, id, title, slug string) error {
	root, module, err := module()
	if err != nil {
		return err
	}
	if !cell.InClone(root) {
		return fmt.Errorf("there is no clone here to write into; %s", cell.Clone)
	}
	o, err := newSource(id, title, slug)
	if err != nil {
		return err
	}
	tree, err := o.files(module)
	if err != nil {
		return err
	}
	for _, name := range tree.Paths() {
		if _, err := fs.Stat(module, name); err == nil && name != catalogFile {
			return fmt.Errorf("%s exists, and new overwrites nothing: choose a different id or slug, or remove the file", name)
		}
	}
	done, err := tree.Write(cmd.Context(), root)
	if err != nil {
		return err
	}
	w := cmd.OutOrStdout()
	for _, name := range done.Written {
		fmt.Fprintln(w, filepath.FromSlash(name))
	}
	fmt.Fprintf(w, `
Next, change the files. After each change:
  go test ./%s
  go run ./generate judge %s
  go run ./generate notebooks
`, o.Dir, id)
	if o.Lesson {
		fmt.Fprintf(w, "  make notebooks    # runs the cells of the lesson and stores their outputs\n")
	}
	return nil
}

// A source describes a new exercise or a new lesson to the templates.
type source struct {
	ID, Title, Slug, Source string
	About                   string // what the check judges, for the doc comment of its package
	Dir, Package            string // folder in the module, name of the package
	Number                  int    // number of the generator that draws the problems
	Ordinal                 int    // number of the exercise in its chapter, or of the lesson
	Lesson                  bool
	Sections                string

	CheckImports, TestImports []string
}

// exerciseSources is the folder of the module that has a folder for each book.
const exerciseSources = "exercises"

// newSource returns the description of the exercise or the lesson with the given id. The table of
// books and the parser of exercises decide whether id and slug are valid.
func newSource(id, title, slug string) (*source, error) {
	book, err := current.Books.Find(id)
	if err != nil {
		return nil, err
	}
	o := &source{ID: id, Title: title, Slug: slug, Sections: "Own notes", Number: 1}
	o.Lesson = (&exercises.Exercise{ID: id}).OfLesson()
	number := strings.TrimPrefix(id, book.ID+"-")
	if o.Ordinal, err = strconv.Atoi(number[strings.LastIndex(number, ".")+1:]); err != nil || o.Ordinal > 99 {
		return nil, fmt.Errorf("invalid id %q: want a number from 1 to 99", id)
	}
	for digit := range strings.SplitSeq(id, "") { // every id has its own problems
		o.Number = 31*o.Number%100003 + int(digit[0])
	}
	o.Package, o.Source = "ex"+o.Padded(), book.Name+" exercise "+number
	o.About = o.Source
	if o.Lesson {
		o.Package, o.Source = "lesson"+o.Padded(), "Lesson "+number
		o.About = "the task of lesson " + number
	}
	o.Dir = path.Join(exerciseSources, book.Folder, o.Package)
	for _, name := range []string{"instance", "judge"} {
		o.CheckImports = append(o.CheckImports, judgePackages+"/"+name)
	}
	o.CheckImports = append(o.CheckImports, cell.Module+"/exercises", cell.Module+"/toolkit/verify")
	o.TestImports = []string{cell.Module + "/" + o.Dir, judgePackages + "/gate", cell.Module + "/toolkit/verify"}
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
		Books: current.Books}
	if _, err := t.Parse(0); err != nil {
		_, reason, _ := strings.Cut(err.Error(), ": ") // without the line of a file that does not exist
		return nil, fmt.Errorf("invalid exercise %q: %s", id, reason)
	}
	return o, nil
}

// Padded returns the number of the exercise or the lesson as its files' names contain it.
func (o *source) Padded() string { return fmt.Sprintf("%02d", o.Ordinal) }

// render executes the template of one file. It formats Go.
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

// files returns the new files, and the catalogue with the new entry.
func (o *source) files(module fs.FS) (files.Tree, error) {
	places := map[string]string{}
	for _, name := range []string{"exercise.md", "check.go", "answer_test.go", "check_test.go"} {
		places[path.Join(o.Dir, name)] = "exercise/" + name
	}
	if o.Lesson {
		places[path.Join(current.LessonDir, o.Padded()+"-"+o.Slug+".md")] = "lesson/lesson.md"
		places["generate/internal/site/pictures/"+o.ID+".svg"] = "lesson/picture.svg"
	}
	tree := files.Tree{}
	for place, name := range places {
		text, err := o.render(name)
		if err != nil {
			return nil, err
		}
		tree[place] = text
	}
	old, err := fs.ReadFile(module, catalogFile)
	if err != nil {
		return nil, err
	}
	tree[catalogFile], err = o.listed(old)
	return tree, err
}

// catalogFile is the source of the catalogue of exercises.
const catalogFile = "generate/internal/catalog/catalog.go"

// listed returns the source of the catalogue with an entry for the exercise. The order of the
// entries does not matter.
func (o *source) listed(text []byte) ([]byte, error) {
	name := o.Package
	if !o.Lesson {
		name = path.Base(path.Dir(o.Dir)) + o.Package
	}
	lines := strings.Split(string(text), "\n")
	for _, insert := range []struct{ after, line string }{
		{cell.Module + "/" + exerciseSources + "/", fmt.Sprintf("\t%s %q", name, cell.Module+"/"+o.Dir)},
		{"\tentry(", fmt.Sprintf("\tentry(%s.Exercise(), %[1]s.Check),", name)},
	} {
		at := -1
		for i, line := range lines {
			if strings.Contains(line, insert.after) {
				at = i
			}
			if strings.Contains(line, cell.Module+"/"+o.Dir+`"`) && strings.Contains(insert.line, o.Dir) {
				return nil, fmt.Errorf("%s lists %s already: choose a different id", catalogFile, o.ID)
			}
		}
		if at < 0 {
			return nil, fmt.Errorf("%s: cannot find the place for the line %s", catalogFile, strings.TrimSpace(insert.line))
		}
		lines = slices.Insert(lines, at+1, insert.line)
	}
	return format.Source([]byte(strings.Join(lines, "\n")))
}
