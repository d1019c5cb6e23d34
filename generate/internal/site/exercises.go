package site

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/exercise"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbformat"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/page"
)

// exercisePage returns the path of an exercise's page. For the task of a lesson, it is the lesson's
// page.
func exercisePage(e *exercise.Exercise) string {
	return path.Join("exercises", pageOf(e.LearnerPath()))
}

const exerciseList = "exercises.html"

// exercises adds the list of exercises, and a page for each exercise. The tasks of lessons are not
// in the list, because the lessons contain them.
func (b *builder) exercises() error {
	list := &sheet{Path: exerciseList}
	doc := b.page(list.Path, "")
	var text strings.Builder
	text.WriteString("# Exercises\n\nEach exercise has a statement, hints that open one at a time, and a solution on request. A check tests the mathematics of your answer, in the page and in the notebook.\n\n")
	section := ""
	own := slices.DeleteFunc(slices.Clone(b.Exercises), (*exercise.Exercise).OfLesson)
	for _, e := range own {
		if book := bookOf(e); book != section {
			section = book
			fmt.Fprintf(&text, "\n## %s\n\n| | |\n|-|-|\n", book)
		}
		fmt.Fprintf(&text, "| [%s](%s) | **%s**<br>%s · builds on: %s |\n", numberOf(e),
			path.Join(Folder, "exercises", e.LearnerPath()), e.Title, stars(e.Stars), e.Needs)
	}
	expanded, err := b.Expand(text.String(), "exercises.ipynb")
	if err != nil {
		return err
	}
	doc.HTML("<div class=\"list\">\n")
	doc.Markdown("", expanded)
	doc.HTML("</div>\n")
	if err := b.add(list, exerciseList, doc); err != nil {
		return err
	}
	for _, e := range own {
		if err := b.exercise(e, list); err != nil {
			return err
		}
	}
	return nil
}

func bookOf(e *exercise.Exercise) string {
	if strings.HasPrefix(e.ID, "prml-") {
		return "Bishop, chapter 4"
	}
	return "Alpaydin, chapter 10"
}

func numberOf(e *exercise.Exercise) string {
	_, number, _ := strings.Cut(e.ID, "-")
	return number
}

func stars(n int) string { return strings.Repeat("★", n) + strings.Repeat("☆", 3-n) }

// exercise adds the page of one exercise. The page contains the statement and the stub from the
// learner's notebook, the hints, and the solution from the solved notebook.
func (b *builder) exercise(e *exercise.Exercise, up *sheet) error {
	learner := path.Join("exercises", e.LearnerPath())
	asked, err := b.cells(learner)
	if err != nil {
		return err
	}
	solved, err := b.cells(path.Join("exercises", e.SolvedPath()))
	if err != nil {
		return err
	}
	s := &sheet{Path: exercisePage(e), Source: learner, Up: up}
	from := path.Join(Folder, learner)
	doc := b.page(s.Path, from)
	asked.show(doc, "title")
	where := "These are the functions to write and the call that checks them, as in the notebook `%s`:"
	if b.Play != nil {
		where = "Write and check the functions here, or in the notebook `%s`."
	}
	for _, p := range b.parts(e, asked, solved) {
		switch p.name {
		case "hint-1":
			doc.Markdown("", "## Hints")
		case "solution":
			doc.Markdown("", "## Solution")
		}
		if err := p.show(doc); err != nil {
			return fmt.Errorf("%s: %s: %w", from, p.name, err)
		}
		if p.name != "task" {
			continue
		}
		doc.Markdown("", "## In Go\n\n"+fmt.Sprintf(where, learner))
		reading := func() { asked.show(doc, "stub", "check") }
		if b.Play == nil {
			reading()
		} else if err := b.work(s, doc, e, reading); err != nil {
			return fmt.Errorf("%s: %w", from, err)
		}
	}
	asked.show(doc, "next")
	return b.add(s, from, doc)
}

// parts returns, in order, the parts of an exercise's page that depend on its constants.
func (b *builder) parts(e *exercise.Exercise, asked, solved roles) []part {
	list := []part{{"task", func(doc *page.Builder) error { asked.show(doc, "task"); return nil }}}
	for i := range e.Hints {
		list = append(list,
			part{fmt.Sprintf("hint-%d", i+1), func(doc *page.Builder) error { return b.hint(doc, e, i) }})
	}
	if b.Play != nil {
		list = append(list, part{"explore", func(doc *page.Builder) error { return b.explore(doc, e, asked) }})
	}
	return append(list, part{"solution", func(doc *page.Builder) error {
		doc.Fold("solution", "Show the derivation and the reference answer", func() {
			solved.show(doc, "derivation", "answer", "stub", "check", "explore")
		})
		return nil
	}})
}

// hint adds hint i, counted from 0. The hint is folded until the reader opens it.
func (b *builder) hint(doc *page.Builder, e *exercise.Exercise, i int) error {
	text, err := b.Expand(e.Hints[i], path.Join("exercises", e.LearnerPath()))
	if err != nil {
		return err
	}
	doc.Fold("hint", fmt.Sprintf("Hint %d of %d", i+1, len(e.Hints)), func() { doc.Markdown("", text) })
	return nil
}

// explore adds the section Explore, whose cells run with the learner's answer.
func (b *builder) explore(doc *page.Builder, e *exercise.Exercise, asked roles) error {
	var earlier []string
	for i, c := range asked {
		if nbformat.Own(c.Metadata)["role"] != "explore" {
			continue
		}
		where := fmt.Sprintf("cell %d (%s)", i+1, c.ID)
		if c.Type != nbformat.Code {
			doc.Cell(where, c)
			continue
		}
		if _, err := b.try(doc, where, c, earlier, nil); err != nil {
			return err
		}
		earlier = append(earlier, c.Source)
	}
	return nil
}

// roles are the cells of a notebook; show selects cells by their role.
type roles []*nbformat.Cell

func (b *builder) cells(p string) (roles, error) {
	nb, err := b.read(p)
	if err != nil {
		return nil, err
	}
	return nb.Cells, nil
}

// show adds the cells with these roles, in the order of the notebook.
func (r roles) show(doc *page.Builder, parts ...string) {
	for i, c := range r {
		for _, part := range parts {
			if nbformat.Own(c.Metadata)["role"] == part {
				doc.Cell(fmt.Sprintf("cell %d (%s)", i+1, c.ID), c)
			}
		}
	}
}
