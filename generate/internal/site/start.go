package site

import (
	"bytes"
	"cmp"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"math"
	"path"
	"regexp"
	"strings"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/lesson"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbformat"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/page"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/classify"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/datasets"
)

// startNotebook is the notebook with the map of the course. The help on the start page consists of
// sections of the map.
const startNotebook = "index.ipynb"

// pictures contains a small picture for each lesson. A picture takes its colours from the classes
// of site.css.
//
//go:embed pictures/*.svg
var pictures embed.FS

// A card shows a lesson on the start page.
type card struct {
	ID, Number, Title, Href string
	Sections, Needs         string
	Minutes                 int
	Judged                  []string // ids of the lesson's task and of its exercises
	Picture                 template.HTML
}

// IDs returns the ids of the lesson's task and exercises, separated by spaces.
func (c card) IDs() string { return strings.Join(c.Judged, " ") }

// bookNumber matches the place between the name of a book and the number of a section: a letter, a
// space and a digit.
var bookNumber = regexp.MustCompile(`(\pL) (\d)`)

// cards returns the cards of the numbered lessons, in the order of the course.
func (b *builder) cards() (list []card, err error) {
	if b.Course == nil {
		return nil, nil
	}
	for _, l := range b.Course.Lessons {
		if l.Number() == "" {
			continue
		}
		c := card{ID: l.ID, Number: l.Number(), Title: l.Title, Href: pageOf(l.Path()), Minutes: l.Minutes,
			Sections: strings.ReplaceAll(bookNumber.ReplaceAllString(l.Sections, "$1\u00a0$2"), "; ", "\u00a0· "),
			Needs:    strings.Join(l.Needs, " and "), Judged: b.judgedIDs(l)}
		from, picturePath := fs.FS(pictures), "pictures/"+l.ID+".svg"
		switch {
		case b.Title != "":
			from, picturePath = b.Module, path.Join(b.Lessons, picturePath)
		case b.Own != nil:
			from = b.Own
		}
		picture, err := fs.ReadFile(from, picturePath)
		if err != nil && (b.Title == "" || !errors.Is(err, fs.ErrNotExist)) {
			return nil, fmt.Errorf("cannot read the picture of %s for the start page: %w", l.ID, err)
		}
		c.Picture = template.HTML(bytes.TrimSpace(picture))
		list = append(list, c)
	}
	return list, nil
}

// judgedIDs returns the ids of a lesson's task, if the lesson has a task, and of its exercises.
func (b *builder) judgedIDs(l *lesson.Lesson) (ids []string) {
	if _, ok := b.Course.Tasks[l.ID]; ok {
		ids = append(ids, l.ID)
	}
	return append(ids, l.Exercises...)
}

// addStart inserts the start page before all other pages. The start page shows the lessons, links to
// other starting points, and sections of startNotebook as help. The start page of the toolkit's own
// course also shows an interactive figure.
func (b *builder) addStart() error {
	s := &sheet{Path: "index.html", Kind: "home"}
	from := path.Join(Folder, startNotebook)
	doc := b.page(s.Path, from)
	cards, err := b.cards()
	if err != nil {
		return err
	}
	title := b.Title
	var figure *giantsFigure
	if title == "" {
		title = "Learn linear classification by doing it."
		if figure, err = giantsData(); err != nil {
			return err
		}
	}
	help, err := b.helpSections()
	if err != nil {
		return err
	}
	data := map[string]any{"Own": b.Title != "", "Equations": b.hasEquations(), "Lessons": cards, "Figure": figure, "Tour": "", "Figures": len(b.Figures.Manifest.Figures),
		"Moving": len(b.Figures.Charts)}
	var judged []string
	minutes := 0
	for _, c := range cards {
		judged, minutes = append(judged, c.Judged...), minutes+c.Minutes
	}
	// The button “Continue” leads to a lesson or to an exercise. The cards contain the pages of the
	// lessons, and `pages` contains the pages of the exercises, keyed by exercise id.
	pages := map[string]againPage{}
	for _, e := range b.Exercises {
		if !e.OfLesson() {
			pages[e.ID] = againPage{cmp.Or(e.Source, e.Title), exercisePage(e)}
		}
	}
	pagesJSON, err := json.Marshal(pages)
	if err != nil {
		return err
	}
	data["Judged"], data["Exercises"], data["Pages"] = strings.Join(judged, " "), len(pages), string(pagesJSON)
	type other struct{ Path, Title, About string }
	var more []other
	for _, o := range b.sheets {
		switch {
		case o.Path == "tour.html":
			data["Tour"] = o.Path
		case o.Source != "" && !strings.Contains(o.Path, "/"):
			more = append(more, other{o.Path, o.Title(), firstSentence(o.Doc)})
		}
	}
	data["Others"] = more
	startHTML, err := b.template("start.html")
	if err != nil {
		return err
	}
	piece := func(name string) {
		var out bytes.Buffer
		if e := startHTML.ExecuteTemplate(&out, name, data); e != nil {
			err = errors.Join(err, e)
		}
		doc.HTML(out.String() + "\n")
	}
	doc.HTML("<section class=\"hero\">\n<div class=\"say\">\n")
	doc.Markdown("", "# "+title)
	piece("hero")
	doc.Markdown("", lessonsLine(b.Title, len(cards), minutes))
	piece("cards")
	for _, part := range help {
		if part.heading == needed {
			doc.Markdown(from, "### "+part.heading+"\n"+part.text)
		}
	}
	piece("ways")
	for _, part := range help {
		if part.heading != needed && part.heading != beside {
			doc.Fold("help", part.heading, func() { doc.Markdown(from, part.text) })
		}
	}
	doc.HTML("</section>\n")
	if err != nil {
		return err
	}
	s.Scripts = []string{"assets/start.js"}
	if err := b.add(s, from, doc); err != nil {
		return err
	}
	s.Doc.Title = b.brand()
	last := len(b.sheets) - 1
	b.sheets = append([]*sheet{b.sheets[last]}, b.sheets[:last]...)
	return nil
}

// lessonsLine returns the heading and the text above the lessons of a course with the given title.
func lessonsLine(title string, n, minutes int) string {
	if title != "" {
		return fmt.Sprintf("## Lessons\n\n%d in all, about %d minutes.", n, minutes)
	}
	return fmt.Sprintf("## %d lessons\n\nSome %.0f hours in all. Each has something to guess before you look, a few lines of Go for you to write, and something to break. Most also have exercises and a figure that moves. Take them in order, or jump to the one whose section you are reading.", n, math.Round(float64(minutes)/60))
}

// These constants are the headings of two sections of the map that the start page does not show in
// its help. The start page shows the section `needed` after the cards of the lessons, and omits the
// section `beside`.
const (
	needed = "What you need to know"
	beside = "Off the main path"
)

// A section is a section of the map. The field `text` is Markdown and does not contain the heading.
type section struct{ heading, text string }

// helpSections returns all sections of the map (startNotebook), or nil if the course has no map.
func (b *builder) helpSections() (list []section, err error) {
	nb, err := b.read(startNotebook)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	for _, c := range nb.Cells {
		if text, ok := strings.CutPrefix(c.Source, "## "); ok && c.Type == nbformat.Markdown {
			heading, text, _ := strings.Cut(text, "\n")
			list = append(list, section{heading, text})
		}
	}
	return list, nil
}

// firstSentence returns the first sentence of a page's text.
func firstSentence(d *page.Document) string {
	for _, s := range d.Sections {
		if text := strings.Join(strings.Fields(strings.ReplaceAll(s.Text, page.Separator, "")), " "); text != "" {
			first, _, _ := strings.Cut(text, ". ")
			return strings.TrimSuffix(first, ".") + "."
		}
	}
	return ""
}

// A miscount contains the number of irises that least squares classifies wrongly, and the number
// that logistic regression classifies wrongly.
type miscount struct{ LeastSquares, Logistic int }

// giantsFigure is the figure of the start page. Its script fits the models again whenever the
// reader moves the giants.
type giantsFigure struct {
	Rows, Giants  string // JSON with petal length and petal width of each flower or giant; in Rows also the target
	N             int
	Before, After miscount // Before counts the errors without the giants, and After counts the errors with the giants
}

// giantsData returns the data of the figure: flowers of two species of iris, and five giants. A
// giant is a very large flower on the correct side of the boundary. Lesson 2 asks the reader to guess
// the effect of eight larger giants. The figure has fewer and smaller giants, so it does not reveal
// the answer.
func giantsData() (*giantsFigure, error) {
	d, err := datasets.Iris().Class("versicolor", "virginica")
	if err == nil {
		d, err = d.Columns("petal_length", "petal_width")
	}
	if err != nil {
		return nil, err
	}
	f := &giantsFigure{N: d.N()}
	if f.Before, err = miscounted(d, d); err != nil {
		return nil, err
	}
	with := d
	var far [][2]float64
	for i := range 5 {
		g := [2]float64{11 + 0.3*float64(i%3), 4.6 + 0.1*float64(i%2)}
		far = append(far, [2]float64{math.Round(10*g[0]) / 10, g[1]})
		if with, err = with.Append(g[:], "virginica"); err != nil {
			return nil, err
		}
	}
	if f.After, err = miscounted(with, d); err != nil {
		return nil, err
	}
	t, err := d.Target("versicolor")
	if err != nil {
		return nil, err
	}
	rows := make([][3]float64, d.N())
	for i := range rows {
		rows[i] = [3]float64{d.X.At(i, 0), d.X.At(i, 1), t[i]}
	}
	text, err := json.Marshal(rows)
	if err != nil {
		return nil, err
	}
	f.Rows = string(text)
	text, err = json.Marshal(far)
	f.Giants = string(text)
	return f, err
}

// miscounted fits least squares and logistic regression to one data set. For each model, it returns
// the number of rows of a second data set that the model classifies wrongly.
func miscounted(fitted, counted *datasets.Dataset) (n miscount, err error) {
	squares, err := classify.FitLeastSquares(fitted.X, fitted.Labels, fitted.K(), classify.LeastSquaresOptions{})
	if err != nil {
		return n, err
	}
	t, err := fitted.Target("versicolor")
	if err != nil {
		return n, err
	}
	logistic, err := classify.FitLogistic(fitted.X, t, classify.LogisticOptions{})
	if err != nil {
		return n, err
	}
	for model, wrong := range map[classify.Predictor]*int{squares: &n.LeastSquares, logistic: &n.Logistic} {
		predicted, err := model.Predict(counted.X)
		if err != nil {
			return n, err
		}
		for i, k := range predicted {
			if k != counted.Labels[i] {
				*wrong++
			}
		}
	}
	return n, nil
}
