package lesson

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/markdown"
)

// A Course contains the data about lessons and exercises that a lesson's notebook shows, such as
// titles and tasks. The texts of a Course refer to lessons and exercises with the macros {lesson:4}
// and {ex:prml-4.25}. The code that writes the notebooks replaces these macros with links.
type Course struct {
	Lessons []*Lesson
	Tasks   map[string]Task   // maps a lesson's id to the task of the lesson
	Titles  map[string]string // maps an exercise's id to the title of the exercise, followed by its stars

	// Packages maps the ids of exercises to the names of their packages. It is nil for the
	// toolkit's own course, because exercises.Progress already lists the toolkit's exercises.
	Packages map[string]string
}

// A Task is the exercise within a lesson. It becomes several cells of the lesson's notebook.
type Task struct {
	Package string // for example "lesson04"
	Title   string
	Text    string   // markdown
	Stub    string   // Go
	Calls   []string // for example "Check(Step)"
	Hints   int
}

// Number returns the number of a lesson, or "" for a page that is not a lesson of the course.
func (l *Lesson) Number() string {
	if n, ok := strings.CutPrefix(l.ID, "lesson-"); ok {
		return n
	}
	return ""
}

// Has reports whether the source of the lesson contains a call of the given function or of its
// interactive form, whose name ends with Chart: for the function "Plot", Has also looks for
// "PlotChart".
func (l *Lesson) Has(function string) bool {
	return strings.Contains(l.source, function+"(") || strings.Contains(l.source, function+"Chart(")
}

// fill replaces the lines {task}, {map} and {next} with the texts that the course generates. It also
// inserts a summary line below the title of a numbered lesson.
func (c *Course) fill(l *Lesson, blocks []markdown.Block) (out []markdown.Block, err error) {
	parts := map[string]func(*Lesson) (string, error){"{task}": c.taskSection, "{map}": c.lessonTable,
		"{next}": c.nextSection}
	for _, b := range blocks {
		if b.Code || !placeholder.MatchString(b.Text) {
			out = append(out, b)
			continue
		}
		text := placeholder.ReplaceAllStringFunc(b.Text, func(mark string) string {
			if c == nil {
				err = cmp.Or(err, fmt.Errorf("%s:%d: %s is allowed only in a lesson of a course", l.file, b.Line, mark))
				return ""
			}
			made, bad := parts[mark](l)
			if bad != nil {
				err = cmp.Or(err, fmt.Errorf("%s:%d: %w", l.file, b.Line, bad))
			}
			return made
		})
		if err != nil {
			return nil, err
		}
		made, err := markdown.Split(l.file, []byte(text), 2)
		if err != nil {
			return nil, err
		}
		for i := range made {
			made[i].Line = b.Line
		}
		out = append(out, made...)
	}
	if l.Number() != "" && c != nil && len(out) > 0 && out[0].Level == 1 {
		title, rest, _ := strings.Cut(out[0].Text, "\n")
		out[0].Text = title + "\n\n" + c.summaryLine(l) + "\n" + rest
	}
	return out, nil
}

// placeholder matches a line such as {task}, which the course replaces with a generated part of the
// lesson.
var placeholder = regexp.MustCompile(`(?m)^\{(?:task|map|next)\}$`)

// summaryLine returns the summary line below the title: the lesson's number, its sections, its
// minutes, and the earlier lessons on which it builds. The line does not contain the total number
// of lessons. If it did, each new lesson would change the notebooks of all lessons, and changed
// notebooks lose their outputs.
func (c *Course) summaryLine(l *Lesson) string {
	parts := []string{"**Lesson " + l.Number() + "**", l.Sections}
	if l.Minutes > 0 {
		parts = append(parts, fmt.Sprintf("about %d minutes", l.Minutes))
	}
	for i, n := range l.Needs {
		if n = "{lesson:" + n + "}"; i == 0 {
			n = "builds on " + n
		}
		parts = append(parts, n)
	}
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), " · ")
}

// RunIt is the instruction for checking an answer in a notebook.
const RunIt = "Put your answer in place of `panic(verify.TODO)`, run the cell, then the one below it. If the cell does not compile, the version you ran before stays in force."

// taskSection returns the section in which the learner writes the lesson's function.
func (c *Course) taskSection(l *Lesson) (string, error) {
	t, ok := c.Tasks[l.ID]
	if !ok {
		return "", fmt.Errorf("the lesson has no task: want an exercise with the id %s", l.ID)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "## Your turn\n\n**%s.** %s\n\n", t.Title, t.Text)
	b.WriteString(RunIt + "\n\n")
	fmt.Fprintf(&b, "```go\n%s\n```\n\n", t.Stub)
	for _, call := range t.Calls {
		fmt.Fprintf(&b, "```go expect=NotPassed\n%%%%\n%s.%s\n```\n\n", t.Package, call)
	}
	how := "There is one hint: write 1 in place of 0 and run the cell."
	if t.Hints > 1 {
		how = fmt.Sprintf("There are %d hints, from a nudge to nearly there: write 1 in place of 0 and run the cell; then 2, and so on.", t.Hints)
	}
	fmt.Fprintf(&b,
		"Stuck? %s The worked solution waits behind `//`.\n\n```go\n%%%%\n%s.Hint(0)\n// %s.Solution()\n```\n", how,
		t.Package, t.Package)
	return b.String(), nil
}

// lessonTable returns a Markdown table of all numbered lessons.
func (c *Course) lessonTable(*Lesson) (string, error) {
	var b strings.Builder
	b.WriteString("| | lesson | sections | minutes | builds on | exercises |\n|---|---|---|---|---|---|\n")
	for _, l := range c.Lessons {
		if l.Number() == "" {
			continue
		}
		needs, exercises := slices.Clone(l.Needs), slices.Clone(l.Exercises)
		for i, n := range needs {
			needs[i] = "{lesson:" + n + ":" + n + "}"
		}
		for i, id := range exercises {
			exercises[i] = "{ex:" + id + "}"
		}
		fmt.Fprintf(&b, "| %s | {lesson:%s:%s} | %s | %d | %s | %s |\n", l.Number(), l.Number(), l.Title, l.Sections,
			l.Minutes,
			cmp.Or(strings.Join(needs, ", "), "–"), cmp.Or(strings.Join(exercises, ", "), "–"))
	}
	return b.String(), nil
}

// progressCall returns the call that shows the progress on the lesson's task, if any, and on its
// exercises. For a lesson that has neither a task nor exercises, it returns "".
func (c *Course) progressCall(l *Lesson) string {
	ids := l.Exercises
	if _, ok := c.Tasks[l.ID]; ok {
		ids = append([]string{l.ID}, ids...)
	}
	function, args := "exercises.Progress", []string{}
	for _, id := range ids {
		arg := strconv.Quote(id)
		if c.Packages != nil {
			function, arg = "exercises.ProgressOf", c.Packages[id]+".Exercise()"
		}
		args = append(args, arg)
	}
	if len(args) == 0 {
		return ""
	}
	return function + "(" + strings.Join(args, ", ") + ")"
}

// nextSection returns the section that links to the lesson's exercises, the next lesson and the map
// of the course, and that shows the learner's progress.
func (c *Course) nextSection(l *Lesson) (string, error) {
	var b strings.Builder
	b.WriteString("## Where to go next\n\n")
	for _, id := range l.Exercises {
		title, ok := c.Titles[id]
		if !ok {
			return "", fmt.Errorf("there is no exercise %q", id)
		}
		fmt.Fprintf(&b, "- {ex:%s}: %s\n", id, title)
	}
	if i := slices.Index(c.Lessons, l); i+1 < len(c.Lessons) && c.Lessons[i+1].Number() != "" {
		after := c.Lessons[i+1]
		fmt.Fprintf(&b, "- the next lesson: {lesson:%s:%s}\n", after.Number(), after.Title)
	}
	if slices.ContainsFunc(c.Lessons, func(l *Lesson) bool { return l.ID == "index" }) {
		b.WriteString("- {page:index:the map of the course}\n")
	}
	b.WriteString("\n")
	if call := c.progressCall(l); call != "" {
		fmt.Fprintf(&b, "How far are you with it?\n\n```go\n%%%%\n%s\n```\n", call)
	}
	return b.String(), nil
}
