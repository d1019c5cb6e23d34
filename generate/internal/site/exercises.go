package site

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/exercise"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbformat"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/page"
)

// exercisePage returns the path of an exercise's page. For the task of a lesson, it returns the
// path of the lesson's page.
func exercisePage(e *exercise.Exercise) string {
	return path.Join("exercises", pageOf(e.LearnerPath()))
}

const exerciseList = "exercises.html"

// addExercises adds the list of exercises, and a page for each exercise in the list. The list does
// not contain the tasks of lessons, because the pages of the lessons contain them.
func (b *builder) addExercises() error {
	own := slices.DeleteFunc(slices.Clone(b.Exercises), (*exercise.Exercise).OfLesson)
	var rows []any
	for _, e := range own {
		rows = append(rows, e.Title, e.Stars, e.Needs, e.LearnerPath())
	}
	if err := b.makeOrReuse(exerciseList, nil, func() error { return b.addList(own) }, rows...); err != nil {
		return err
	}
	up := b.sheets[len(b.sheets)-1]
	for _, e := range own {
		learner := path.Join("exercises", e.LearnerPath())
		err := b.makeOrReuse(exercisePage(e), up, func() error { return b.addExercise(e, up) },
			b.inputTexts(learner, e)...)
		if err != nil {
			return err
		}
	}
	return nil
}

// addList adds the page that lists the given exercises.
func (b *builder) addList(own []*exercise.Exercise) error {
	list := &sheet{Path: exerciseList, Kind: "list", Scripts: []string{"assets/list.js"}}
	doc := b.page(list.Path, path.Join(Folder, "exercises.ipynb"))
	doc.Markdown("", "# Exercises\n\nEach exercise has a statement, hints that open one at a time, and a solution on request. Write your answer on the page or in the notebook: a check tests the mathematics of the answer, and accepts every right form.")
	doc.HTML(listTools(own))
	for i, e := range own {
		if book := e.Book.Byline(); i == 0 || book != own[i-1].Book.Byline() {
			if i > 0 {
				doc.HTML("</ol>\n</section>\n")
			}
			var ids []string
			for _, e := range own {
				if e.Book.Byline() == book {
					ids = append(ids, e.ID)
				}
			}
			doc.HTML("<section>\n<div class=\"head\">\n")
			doc.Markdown("", "## "+book)
			doc.HTML(fmt.Sprintf("<p class=\"caption\"><span data-count=\"%s\" data-words=\" passed\"></span><span class=\"meter\"></span></p>\n</div>\n<ol class=\"exercises\">\n", strings.Join(ids, " ")))
		}
		if err := b.addEntry(doc, e); err != nil {
			return err
		}
	}
	doc.HTML("</ol>\n</section>\n<p id=\"none\" hidden>No exercise matches. <button type=\"button\" class=\"quiet\" id=\"clear\">Show all</button></p>\n")
	return b.add(list, exerciseList, doc)
}

// listTools returns the HTML of the search field, and of the buttons (chips) that choose a state, a
// number of stars or a book. This part of the page is hidden until the list's script
// shows it.
func listTools(list []*exercise.Exercise) string {
	var out strings.Builder
	chip := func(kind, value, text string) {
		fmt.Fprintf(&out, "<button type=\"button\" class=\"chip\" data-%s=\"%s\" aria-pressed=\"false\">%s</button>\n", kind,
			value, text)
	}
	out.WriteString("<div class=\"chips\" hidden>\n<label class=\"find\"><span class=\"sr\">Find an exercise</span><input type=\"search\" id=\"find\" placeholder=\"Find: a word, a number …\"></label>\n<p class=\"caption\" role=\"status\" id=\"found\"></p>\n<div role=\"group\" aria-label=\"State\">\n")
	for _, s := range [][2]string{{"none", "not begun"}, {"tried", "tried"}, {"passed", "passed"}, {"revealed",
		"solution seen"}} {
		chip("state", s[0], "<i class=\"mark\" data-state=\""+s[0]+"\"></i>"+s[1])
	}
	out.WriteString("</div>\n<div role=\"group\" aria-label=\"Stars\">\n")
	for n := 1; n <= 3; n++ {
		chip("stars", fmt.Sprint(n), fmt.Sprintf("<span aria-hidden=\"true\">%s</span><span class=\"sr\">%d of 3 stars</span>",
			strings.Repeat("★", n), n))
	}
	out.WriteString("</div>\n<div role=\"group\" aria-label=\"Book\">\n")
	shown := map[string]bool{}
	for _, e := range list {
		if !shown[e.Book.ID] {
			chip("book", e.Book.ID, cmp.Or(e.Book.Author, e.Book.Name))
		}
		shown[e.Book.ID] = true
	}
	out.WriteString("</div>\n</div>\n")
	return out.String()
}

// addEntry adds an exercise to the list, with its mark, number, title, stars and lesson, and with
// the description of what it builds on.
func (b *builder) addEntry(doc *page.Builder, e *exercise.Exercise) error {
	needs, err := b.Expand(e.Needs, "exercises.ipynb")
	if err != nil {
		return err
	}
	book, number, _ := strings.Cut(e.ID, "-")
	doc.HTML(fmt.Sprintf("<li data-id=\"%s\" data-book=\"%s\" data-stars=\"%d\"><i class=\"mark\" data-mark=\"%[1]s\"></i><span class=\"no\">%[4]s</span>\n<div class=\"name\">",
		e.ID, book, e.Stars, number))
	doc.Markdown("", fmt.Sprintf("[%s](exercises/%s)", e.Title, e.LearnerPath()))
	doc.HTML(fmt.Sprintf("</div><span class=\"stars\"><span aria-hidden=\"true\">%s</span><span class=\"sr\">%d of 3 stars</span></span>\n",
		stars(e.Stars), e.Stars))
	doc.HTML("<div class=\"in\">")
	if b.Course != nil {
		for _, l := range b.Course.Lessons {
			if slices.Contains(l.Exercises, e.ID) {
				doc.Markdown("", fmt.Sprintf("[lesson %s](%s)", l.Number(), l.Path()))
			}
		}
	}
	doc.HTML("</div>\n<div class=\"needs\">")
	doc.Markdown("", "Builds on "+needs)
	doc.HTML("</div></li>\n")
	return nil
}

func stars(n int) string { return strings.Repeat("★", n) + strings.Repeat("☆", 3-n) }

// addExercise adds the page of one exercise. The page contains the task and the stub from the learner's
// notebook, the hints, the solution from the solved notebook, and the text about where to go next. On
// a site with editors, it contains an editor instead of the stub, and also the section Explore.
func (b *builder) addExercise(e *exercise.Exercise, up *sheet) error {
	learner := path.Join("exercises", e.LearnerPath())
	learnerCells, err := b.cells(learner)
	if err != nil {
		return err
	}
	solved, err := b.solvedCells(e)
	if err != nil {
		return err
	}
	s := &sheet{Path: exercisePage(e), Source: learner, Up: up, Kind: "bench"}
	from := path.Join(Folder, learner)
	doc := b.page(s.Path, from)
	doc.HTML(fmt.Sprintf("<div class=\"headline\">\n<p class=\"crumb\"><a href=\"%s\">Exercises</a> · <i class=\"mark\" data-mark=\"%s\"></i> <span id=\"play-record\"></span></p>\n",
		relative(s.Path, exerciseList, ""), e.ID))
	learnerCells.addCells(doc, "title")
	doc.HTML("</div>\n")
	where := "These are the functions to write and the call that checks them, as in the notebook `%s`:"
	if b.Play != nil {
		where = "Write and check the functions here, or in the notebook `%s`."
	}
	open := ""
	group := func(name, class, label string) {
		if open != "" {
			doc.HTML("</section>\n")
		}
		if open = name; name != "" {
			doc.HTML(fmt.Sprintf("<section class=\"%s\" aria-label=\"%s\">\n", class, label))
		}
	}
	for _, p := range b.parts(e, learnerCells, solved) {
		switch {
		case p.name == "task":
			group("task", "task", "Task")
		case p.name == "hint-1":
			group("hints", "hints", "Hints")
			doc.Markdown("", "## Hints")
		case p.name == "explore" || p.name == "solution" && open != "more":
			group("more", "after", "Explore, solution and where to go next")
		}
		if p.name == "solution" {
			doc.Markdown("", "## Solution")
		}
		if err := p.addPart(doc); err != nil {
			return fmt.Errorf("%s: %s: %w", from, p.name, err)
		}
		if p.name != "task" {
			continue
		}
		group("work", "answer", "In Go")
		doc.Markdown("", "## In Go\n\n"+fmt.Sprintf(where, learner))
		reading := func() { learnerCells.addCells(doc, "stub", "check") }
		if b.Play == nil {
			reading()
		} else if err := b.addEditor(s, doc, e, reading); err != nil {
			return fmt.Errorf("%s: %w", from, err)
		}
	}
	learnerCells.addCells(doc, "next")
	group("", "", "")
	return b.add(s, from, doc)
}

// parts returns, in order, the parts of an exercise's page that depend on the exercise's constants.
func (b *builder) parts(e *exercise.Exercise, learnerCells, solved roles) []part {
	list := []part{{"task", func(doc *page.Builder) error { learnerCells.addCells(doc, "task"); return nil }}}
	for i := range e.Hints {
		list = append(list,
			part{fmt.Sprintf("hint-%d", i+1), func(doc *page.Builder) error { return b.addHint(doc, e, i) }})
	}
	if b.Play != nil {
		list = append(list, part{"explore", func(doc *page.Builder) error { return b.addExplore(doc, e, learnerCells) }})
	}
	return append(list, part{"solution", func(doc *page.Builder) error {
		doc.Fold("solution", "Show the derivation and the reference answer", func() {
			solved.addCells(doc, "derivation", "answer", "stub", "check", "explore")
		})
		return nil
	}})
}

// addHint adds hint i, counted from 0. The page hides the text of the hint until the reader opens
// it.
func (b *builder) addHint(doc *page.Builder, e *exercise.Exercise, i int) error {
	text, err := b.Expand(e.Hints[i], path.Join("exercises", e.LearnerPath()))
	if err != nil {
		return err
	}
	doc.Fold("hint", fmt.Sprintf("Hint %d of %d", i+1, len(e.Hints)), func() { doc.Markdown("", text) })
	return nil
}

// addExplore adds the section Explore. The cells of this section can call the functions of the
// learner's answer.
func (b *builder) addExplore(doc *page.Builder, e *exercise.Exercise, learnerCells roles) error {
	var earlier []string
	for i, c := range learnerCells {
		if nbformat.OwnMetadata(c.Metadata)["role"] != "explore" {
			continue
		}
		where := fmt.Sprintf("cell %d (%s)", i+1, c.ID)
		if c.Type != nbformat.Code {
			doc.Cell(where, c)
			continue
		}
		if _, err := b.addCell(doc, where, c, earlier, nil); err != nil {
			return err
		}
		earlier = append(earlier, c.Source)
	}
	return nil
}

// roles contains the cells of a notebook. The method addCells selects cells by their role, such as
// "stub".
type roles []*nbformat.Cell

func (b *builder) cells(p string) (roles, error) {
	nb, err := b.read(p)
	if err != nil {
		return nil, err
	}
	return nb.Cells, nil
}

// solvedCells returns the cells of the solved notebook. It makes the links in the cells relative to
// the learner's notebook, because the folders of the two notebooks differ.
func (b *builder) solvedCells(e *exercise.Exercise) (roles, error) {
	cells, err := b.cells(path.Join("exercises", e.SolvedPath()))
	for _, c := range cells {
		if c.Type == nbformat.Markdown {
			c.Source = strings.ReplaceAll(c.Source, "](../", "](")
		}
	}
	return cells, err
}

// addCells adds the cells with these roles, in the order of the notebook.
func (r roles) addCells(doc *page.Builder, parts ...string) {
	for i, c := range r {
		for _, part := range parts {
			if nbformat.OwnMetadata(c.Metadata)["role"] == part {
				doc.Cell(fmt.Sprintf("cell %d (%s)", i+1, c.ID), c)
			}
		}
	}
}
