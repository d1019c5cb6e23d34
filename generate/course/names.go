package course

import (
	"cmp"
	"fmt"
	"path"
	"regexp"
	"strings"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/equations"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/exercise"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/files"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/lesson"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbformat"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/figures"
)

// names replaces macros in the texts of notebooks with links. A macro has the form {kind:name} or
// {kind:name:words}, such as {lesson:4} or {lesson:4:its words}. The words, if given, are the text
// of the link. The kinds are:
//   - eq: an equation, such as {eq:prml-4.97}. A macro of this kind has no words.
//   - erratum: a misprint in a book, such as {erratum:P21}.
//   - ex: an exercise, such as {ex:prml-4.25}.
//   - lesson: a numbered lesson, such as {lesson:4}.
//   - fig: a figure in a numbered lesson, such as {fig:prml-4.7}.
//   - page: the page of any lesson, with or without a number, such as {page:index}.
type names struct {
	equations *equations.Index
	targets   map[string]target // keys have forms such as "ex:prml-4.25"; equations and misprints have no keys
	course    *lesson.Course
}

// A target is a page that a macro can link to. The field `path` is relative to the folder of the
// notebooks. The field `label` is the link text for a macro without words.
type target struct{ path, label string }

var nameMacro = regexp.MustCompile(`\{((?:eq|erratum|ex|lesson|fig|page):[\w.-]+)(?::([^{}]*))?\}`)

// newNames returns the names of the lessons, the exercises, and the figures of a course. It omits the
// tasks of lessons, which have no notebooks of their own. The macro of a figure links to the first
// numbered lesson that contains the figure. The caller must set the field `equations` before it calls
// expand or text.
func newNames(course *lesson.Course, list []*exercise.Exercise) *names {
	n := &names{targets: map[string]target{}, course: course}
	for _, e := range list {
		if !e.OfLesson() {
			n.targets["ex:"+e.ID] = target{path.Join(exerciseDir, e.LearnerPath()), e.Book.Cite(e.ID)}
		}
	}
	for _, l := range course.Lessons {
		n.targets["page:"+l.ID] = target{l.Path(), l.Title}
		if l.Number() != "" {
			n.targets["lesson:"+l.Number()] = target{l.Path(), "lesson " + l.Number()}
		}
	}
	for _, f := range figures.All() {
		for _, l := range course.Lessons {
			at := "fig:" + strings.TrimPrefix(f.ID, "fig-")
			if l.Number() != "" && containsFigure(l, f) && n.targets[at].path == "" {
				n.targets[at] = target{l.Path(), f.Source[strings.Index(f.Source, " ")+1:]}
			}
		}
	}
	return n
}

// containsFigure reports whether a cell of the lesson l draws the figure f, either as a static or
// as an interactive figure.
func containsFigure(l *lesson.Lesson, f figures.Entry) bool {
	draw, _, _ := strings.Cut(f.Call, "(") // such as figures.PRML4x7
	return l.Has(draw)
}

// lessonsOf returns text that links to all lessons with the given exercise. The text consists of
// macros, separated by commas.
func (n *names) lessonsOf(id string) string {
	var list []string
	for _, l := range n.course.Lessons {
		for _, e := range l.Exercises {
			if e == id {
				list = append(list, "{lesson:"+l.Number()+":"+l.Number()+". "+l.Title+"}")
			}
		}
	}
	return strings.Join(list, ", ")
}

// expand replaces the macros in the Markdown cells of all notebooks in `tree` with links.
func (n *names) expand(tree files.Tree) error {
	for p, data := range tree {
		if !nameMacro.Match(data) && !strings.HasPrefix(p, exerciseDir+"/") {
			continue
		}
		nb, err := nbformat.Parse(p, data)
		if err != nil {
			return err
		}
		for _, c := range nb.Cells {
			if c.Type == nbformat.Markdown {
				if c.Source, err = n.text(c.Source, p); err != nil {
					return fmt.Errorf("%s: %s: %w", p, c.ID, err)
				}
			}
		}
		if tree[p], err = nb.Marshal(); err != nil {
			return err
		}
	}
	return nil
}

// text replaces the macros in a text with links, relative to the notebook that contains the text. The
// argument `notebook` is the path of this notebook. A macro whose link would lead to this notebook
// becomes plain text. In the notebook of an exercise, plain numbers of equations such as (4.97) also become links.
func (n *names) text(text, notebook string) (_ string, err error) {
	up := strings.Repeat("../", strings.Count(notebook, "/"))
	page := up + equations.PageName
	if text, err = n.equations.Expand(text, page); err != nil {
		return "", err
	}
	if strings.HasPrefix(notebook, exerciseDir+"/") {
		text = n.equations.Numbers(text, page)
	}
	return nameMacro.ReplaceAllStringFunc(text, func(m string) string {
		parts := nameMacro.FindStringSubmatch(m)
		kind, id, _ := strings.Cut(parts[1], ":")
		if kind == "erratum" {
			if !n.equations.HasErratum(id) && err == nil {
				err = fmt.Errorf("there is no misprint %s in %s", id, current.Equations.Dir)
			}
			return fmt.Sprintf("[%s](%s#%s)", cmp.Or(parts[2], id), page, id)
		}
		t, ok := n.targets[parts[1]]
		if !ok && err == nil {
			err = fmt.Errorf("unknown name %s: want an exercise, a lesson, a page, a figure in a numbered lesson, or an equation without words", m)
		}
		if t.path == notebook {
			return cmp.Or(parts[2], t.label)
		}
		return fmt.Sprintf("[%s](%s%s)", cmp.Or(parts[2], t.label), up, t.path)
	}), err
}
