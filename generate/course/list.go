package course

import (
	"cmp"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/content"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/exercise"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/lesson"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/figures"
)

// A listing is the JSON object that `generate list --json` prints.
type listing struct {
	Lessons   []listedLesson   `json:"lessons"`
	Exercises []listedExercise `json:"exercises"`
	Figures   []listedFigure   `json:"figures"`
	Sections  []listedSection  `json:"sections"`
}

type listedLesson struct {
	ID       string `json:"id"`
	Title    string `json:"title"`
	Notebook string `json:"notebook"`
}

type listedExercise struct {
	ID        string   `json:"id"`
	Title     string   `json:"title"`
	Source    string   `json:"source"`
	Stars     int      `json:"stars"`
	Equations []string `json:"equations"`
	Figure    string   `json:"figure,omitempty"`
	Functions []string `json:"functions"` // names of the functions that the learner writes
	Hints     int      `json:"hints"`
	Varies    []string `json:"varies"` // what differs between personal variants: "data", "constants", both or nothing
	Notebook  string   `json:"notebook"`
	Solved    string   `json:"solved"`
}

type listedSection struct {
	Section   string   `json:"section"`
	About     string   `json:"about"`
	Cells     []string `json:"cells"`     // ids of the cells that cover the section
	Figures   []string `json:"figures"`   // ids of the figures in the lessons that cover the section
	Exercises []string `json:"exercises"` // ids of the exercises in the lessons that cover the section
}

type listedFigure struct {
	ID     string `json:"id"`
	Title  string `json:"title"`
	Source string `json:"source"`
}

func newListCmd() *cobra.Command {
	var asJSON bool
	kinds := []string{"lessons", "exercises", "figures", "sections"}
	cmd := &cobra.Command{
		Use:   "list [" + strings.Join(kinds, "|") + "]",
		Short: "list lessons, exercises and figures with their ids, and the sections of the books",
		Long: `This command prints four lists: the lessons, the exercises, the figures, and the sections of
the books. For each section, it prints the lesson cells that cover the section, and the figures
and exercises of the lessons that contain these cells. With an argument, the command prints
only the list that the argument names. With --json it prints one JSON object for other
programs. The column after the stars of an exercise says what differs between personal
variants of the exercise.

` + exitHelp,
		ValidArgs: kinds,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return fmt.Errorf("too many arguments: want one of %s, or none to list everything",
					strings.Join(kinds, ", "))
			}
			for _, a := range args {
				if !slices.Contains(kinds, a) {
					return content.Unknown("list", a, kinds)
				}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			l, err := newListing(args...)
			if err != nil {
				return err
			}
			if asJSON {
				return printJSON(cmd, l)
			}
			return l.print(cmd)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// newListing returns a listing with the lists of the given kinds; the other lists are empty. If no
// kind is given, it returns all four lists. If the course does not show figures, the list of figures
// is always empty. If only the list of figures is wanted, newListing reads no files of the module.
func newListing(kinds ...string) (listing, error) {
	l := listing{Lessons: []listedLesson{}, Exercises: []listedExercise{}, Figures: []listedFigure{},
		Sections: []listedSection{}}
	wanted := func(kind string) bool { return len(kinds) == 0 || slices.Contains(kinds, kind) }
	if wanted("figures") && withFigures {
		l.Figures = listFigures()
	}
	if !wanted("lessons") && !wanted("exercises") && !wanted("sections") {
		return l, nil
	}
	_, module, err := openModule()
	if err != nil {
		return l, err
	}
	if wanted("lessons") {
		lessons, err := current.Lessons(module)
		if err != nil {
			return l, err
		}
		for _, s := range lessons {
			l.Lessons = append(l.Lessons, listedLesson{s.ID, s.Title, path.Join(notebookDir, s.Path())})
		}
	}
	if wanted("sections") {
		if l.Sections, err = listSections(module); err != nil {
			return l, err
		}
	}
	if wanted("exercises") {
		exercises, err := current.Exercises(module)
		if err != nil {
			return l, err
		}
		for _, e := range exercises {
			l.Exercises = append(l.Exercises, listed(e))
		}
	}
	return l, nil
}

// listSections returns the sections of the books. Each section lists the ids of the cells that
// cover the section. It also lists the figures and exercises in the lessons that contain these
// cells.
func listSections(module fs.FS) (list []listedSection, err error) {
	all, err := current.Exercises(module)
	if err != nil {
		return nil, err
	}
	course, err := current.Course(module, all)
	if err != nil {
		return nil, err
	}
	if _, err := renderLessons(course); err != nil {
		return nil, err
	}
	rows, err := current.Sections(module, course)
	if err != nil {
		return nil, err
	}
	list = []listedSection{} // JSON must contain a list, not null
	for _, r := range rows {
		var lessons []*lesson.Lesson
		s := listedSection{Section: r.Section, About: r.About, Cells: []string{}, Figures: []string{},
			Exercises: []string{}}
		for _, c := range r.Cells {
			s.Cells = append(s.Cells, c.Cell)
			if slices.Contains(lessons, c.Lesson) {
				continue
			}
			lessons = append(lessons, c.Lesson)
			s.Exercises = append(s.Exercises, c.Lesson.Exercises...)
			for _, f := range figures.All() {
				if containsFigure(c.Lesson, f) {
					s.Figures = append(s.Figures, f.ID)
				}
			}
		}
		list = append(list, s)
	}
	return list, nil
}

func listed(e *exercise.Exercise) listedExercise {
	return listedExercise{
		ID: e.ID, Title: e.Title, Source: e.Source, Stars: e.Stars, Equations: slices.Concat([]string{}, e.Equations),
		Figure:    e.Figure,
		Functions: e.Answer.Functions, Hints: len(e.Hints), Varies: e.Varies(),
		Notebook: path.Join(notebookDir, exerciseDir, e.LearnerPath()),
		Solved:   path.Join(notebookDir, exerciseDir, e.SolvedPath()),
	}
}

func (l listing) print(cmd *cobra.Command) error {
	w := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 2, ' ', 0)
	for _, s := range l.Lessons {
		fmt.Fprintf(w, "lesson\t%s\t\t\t%s\n", s.ID, s.Title)
	}
	for _, e := range l.Exercises {
		fmt.Fprintf(w, "exercise\t%s\t%s\t%s\t%s\n", e.ID, strings.Repeat("★", e.Stars),
			cmp.Or(strings.Join(e.Varies, ", "), "–"), e.Title)
	}
	for _, f := range l.Figures {
		fmt.Fprintf(w, "figure\t%s\t\t\t%s\n", f.ID, f.Title)
	}
	for _, s := range l.Sections {
		fmt.Fprintf(w, "section\t%s\t%s\t%s\t%s\n", s.Section, strings.Join(s.Cells, ", "),
			strings.Join(s.Figures, ", "), strings.Join(s.Exercises, ", "))
	}
	return w.Flush()
}
