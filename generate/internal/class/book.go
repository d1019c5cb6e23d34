package class

import (
	"bytes"
	"cmp"
	"context"
	"embed"
	"encoding/base64"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"html/template"
	"maps"
	"math"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/exercise"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/files"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbgrader"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// A Book contains the grades of a class.
type Book struct {
	Schema  string    `json:"schema"` // "hyperplane-grades/1"
	Tool    string    `json:"tool"`
	Keep    string    `json:"keep"` // submission that counts if a learner sent several: "best" or "last"
	Results []*Result `json:"results"`

	NotCompared []NotCompared `json:"-"` // answers that findAlike could not compare; written to alike.json

	course *Course
	alike  []Alike
}

const bookSchema = "hyperplane-grades/1"

// ReadBook reads the results stored in the folder `out`. The book contains one result for each
// learner and exercise, in the order of the course. If a learner has several results for an
// exercise, the best result counts if `best` is true, and otherwise the last result. A learner
// without a result gets the status Failed if `received` lists a submission to the exercise, and
// otherwise Missing.
func ReadBook(out, tool string, c *Course, best bool, received []*Submission,
	loadExercise func(string, Learner) (*exercise.Exercise, error)) (*Book, error) {
	b := &Book{Schema: bookSchema, Tool: tool, Keep: "last", Results: []*Result{}, course: c}
	if best {
		b.Keep = "best"
	}
	for _, l := range c.Learners {
		for _, e := range c.Exercises {
			kept, err := loadAttempts(out, l.ID, e.ID)
			if err != nil {
				return nil, err
			}
			for i := range kept.List { // score again: weights and due dates can have changed since the judging
				r := &kept.List[i].Result
				r.score(e)
				if at, err := time.Parse(time.RFC3339, r.Time); err == nil {
					r.setLate(&l, at)
				}
			}
			r := kept.choose(best)
			if r == nil {
				r = &Result{Learner: l.ID, Exercise: e.ID, Status: Missing, Message: "Nothing was submitted."}
				if slices.ContainsFunc(received,
					func(h *Submission) bool { return h.Learner == l.ID && h.Exercise == e.ID }) {
					r.Status, r.Message = Failed, failedMessage
				}
				r.score(e)
			}
			r.Name, r.Attempts = l.Name, len(kept.List)
			r.countTries(kept)
			if r.Notes == nil {
				r.Notes = []string{}
			}
			if n := len(kept.List); n > 1 {
				r.Notes = append(r.Notes,
					fmt.Sprintf("There are %d different submissions; this result is for the %s one.", n, b.Keep))
			}
			b.Results = append(b.Results, r)
		}
	}
	b.alike, b.NotCompared = findAlike(c, b.Results, loadExercise)
	return b, nil
}

// Write writes grades.csv, grades-nbgrader.csv, results.json, alike.json, summary.html and a
// feedback page for every learner into the folder `out`. It makes all texts before it changes a file
// in this folder. See [files.Tree.Write].
func (b *Book) Write(ctx context.Context, out string) error {
	tree := files.Tree{}
	for name, v := range map[string]any{"results.json": b, "alike.json": struct {
		Schema      string        `json:"schema"`
		Alike       []Alike       `json:"alike"`
		NotCompared []NotCompared `json:"not_compared,omitempty"`
	}{"hyperplane-alike/1", append([]Alike{}, b.alike...), b.NotCompared}} {
		text, err := json.MarshalIndent(v, "", "  ")
		if err != nil {
			return err
		}
		tree[name] = append(text, '\n')
	}
	var err error
	if tree["grades.csv"], err = b.csv(); err != nil {
		return err
	}
	if tree["grades-nbgrader.csv"], err = b.nbgraderGrades(); err != nil {
		return err
	}
	if tree["summary.html"], err = b.summary(); err != nil {
		return err
	}
	for _, l := range b.course.Learners {
		if tree[path.Join(feedbackDir, l.ID+".html")], err = b.feedback(l); err != nil {
			return err
		}
	}
	_, err = tree.Write(ctx, out)
	return err
}

// csv returns a table with a header and one line per learner: id, name, email, the points of each
// exercise, the sum of the points, the largest possible sum, and the number of late exercises.
func (b *Book) csv() ([]byte, error) {
	var text bytes.Buffer
	w := csv.NewWriter(&text)
	head := []string{"id", "name", "email"}
	for _, e := range b.course.Exercises {
		head = append(head, e.ID)
	}
	rows := [][]string{append(head, "points", "max", "late")}
	for _, l := range b.course.Learners {
		row := []string{cellText(l.ID), cellText(l.Name), cellText(l.Email)}
		points, most, late := 0.0, 0.0, 0
		for _, r := range b.resultsOf(l) {
			row = append(row, number(r.Points))
			points, most = points+r.Points, most+r.Max
			if r.Late {
				late++
			}
		}
		rows = append(rows, append(row, number(points), number(most), fmt.Sprint(late)))
	}
	if err := w.WriteAll(rows); err != nil {
		return nil, err
	}
	return text.Bytes(), nil
}

// nbgraderGrades returns the grades in nbgrader's export format, with all exercises combined into
// one assignment.
func (b *Book) nbgraderGrades() ([]byte, error) {
	var list []nbgrader.Grade
	for _, l := range b.course.Learners {
		first, last := l.splitName()
		g := nbgrader.Grade{Assignment: cmp.Or(b.course.Assignment, "hyperplane"), ID: l.ID, FirstName: cellText(first),
			LastName: cellText(last), Email: cellText(l.Email)}
		g.Due, _ = time.Parse(time.RFC3339, l.Due) // if there is no due date, Parse returns the zero time
		for _, r := range b.resultsOf(l) {
			g.Score, g.Max = g.Score+r.Points, g.Max+r.Max
			if at, err := time.Parse(time.RFC3339, r.Time); err == nil && at.After(g.Submitted) {
				g.Submitted = at
			}
		}
		list = append(list, g)
	}
	var text bytes.Buffer
	err := nbgrader.WriteGrades(&text, list)
	return text.Bytes(), err
}

// formulaStart matches a character that starts a formula in a spreadsheet, or the full-width form of
// such a character. It matches only at the start of the text and after a separator. A spreadsheet
// can split a text at semicolons or tabs, even if commas separate the fields of the file.
var formulaStart = regexp.MustCompile(`(^|[;,\t\r\n])(\s*)([=+\-@＝＋－＠])`)

// cellText returns the text with an apostrophe in front of each possible formula, so that a
// spreadsheet reads the cell as text and computes nothing.
func cellText(s string) string { return formulaStart.ReplaceAllString(s, "$1$2'$3") }

func number(v float64) string { return fmt.Sprintf("%.6g", v) }

// resultsOf returns the results of a learner, in the order of the course.
func (b *Book) resultsOf(l Learner) (list []*Result) {
	for _, r := range b.Results {
		if r.Learner == l.ID {
			list = append(list, r)
		}
	}
	return list
}

//go:embed pages.html
var pageText embed.FS

var pages = template.Must(template.New("").Option("missingkey=error").Funcs(template.FuncMap{"number": number,
	"path": url.PathEscape}).ParseFS(pageText, "pages.html"))

// feedback returns the feedback page of one learner, which contains no data about other learners.
func (b *Book) feedback(l Learner) ([]byte, error) {
	results := b.resultsOf(l)
	points, most := 0.0, 0.0
	for _, r := range results {
		points, most = points+r.Points, most+r.Max
	}
	return page("feedback", map[string]any{"Learner": l, "Results": results, "Points": points, "Max": most})
}

func page(name string, values map[string]any) ([]byte, error) {
	var text bytes.Buffer
	err := pages.ExecuteTemplate(&text, name, values)
	return text.Bytes(), err
}

// A tally is the name of a group and the number of learners or submissions in the group. A bar chart
// shows each tally as one bar.
type tally struct {
	Name string
	N    int
}

// A struggle summarises the numbers of tries that learners needed to pass an exercise. It covers
// either all learners who tried this exercise, or only the learners who made a certain mistake in it.
type struggle struct {
	Name        string // id of the exercise; for a mistake, also the key of the mistake
	Met, Passed int    // number of learners that the struggle covers, and how many of them passed
	Tries       string // median and maximum of the number of tries until passing; "" if nobody passed
}

// struggles returns one struggle for each exercise of the course that at least one learner tried,
// and one for each mistake that at least one learner made in it.
func (b *Book) struggles() (list []struggle) {
	for _, e := range b.course.Exercises {
		met, tries := map[string]int{}, map[string][]int{}
		for _, r := range b.Results {
			if r.Exercise != e.ID || r.Attempts == 0 && r.Own == nil {
				continue
			}
			for _, key := range append([]string{""}, r.Mistakes...) {
				met[key]++
				if r.Tries > 0 {
					tries[key] = append(tries[key], r.Tries)
				}
			}
		}
		for _, key := range slices.Sorted(maps.Keys(met)) {
			s := struggle{Name: strings.TrimSpace(e.ID + " " + key), Met: met[key], Passed: len(tries[key])}
			if n := slices.Sorted(slices.Values(tries[key])); len(n) > 0 {
				s.Tries = fmt.Sprintf("%g, at most %d", float64(n[(len(n)-1)/2]+n[len(n)/2])/2, n[len(n)-1])
			}
			list = append(list, s)
		}
	}
	return list
}

// summary returns the HTML page about the whole class.
func (b *Book) summary() ([]byte, error) {
	tenths := make([]tally, 10)
	for i := range tenths {
		tenths[i].Name = fmt.Sprintf("%d–%d %%", 10*i, 10*i+10)
	}
	type row struct {
		Learner     Learner
		Results     []*Result
		Points, Max float64
	}
	var rows []row
	met := map[string]int{}
	attempts := make([]tally, len(b.course.Exercises))
	for i, e := range b.course.Exercises {
		attempts[i].Name = e.ID
	}
	for _, l := range b.course.Learners {
		line := row{Learner: l, Results: b.resultsOf(l)}
		for i, r := range line.Results {
			attempts[i].N += r.Attempts
			line.Points, line.Max = line.Points+r.Points, line.Max+r.Max
			keys := map[string]bool{} // keys of the learner's misconceptions in this exercise; each counts once
			for _, p := range r.Parts {
				if p.Key != "" && p.Outcome == verify.Wrong {
					keys[r.Exercise+" "+p.Key] = true
				}
			}
			for key := range keys {
				met[key]++
			}
		}
		rows = append(rows, line)
		if line.Max > 0 {
			tenths[min(9, int(math.Floor(10*line.Points/line.Max+1e-9)))].N++
		}
	}
	var mistakes []tally
	for _, key := range slices.Sorted(maps.Keys(met)) {
		mistakes = append(mistakes, tally{key, met[key]})
	}
	slices.SortStableFunc(mistakes, func(x, y tally) int { return cmp.Compare(y.N, x.N) })
	mistakes = mistakes[:min(len(mistakes), 15)]
	values := map[string]any{"Course": b.course, "Rows": rows, "Mistakes": mistakes, "Alike": b.alike,
		"NotCompared": b.NotCompared, "Tool": b.Tool, "Attempts": attempts, "Struggles": b.struggles(),
		"MistakesPlot": template.URL("")}
	var err error
	if values["ScoresPlot"], err = drawBars("learners", "share of the points", tenths); err != nil {
		return nil, err
	}
	if len(mistakes) > 0 {
		if values["MistakesPlot"], err = drawBars("learners", "", mistakes); err != nil {
			return nil, err
		}
	}
	if values["AttemptsPlot"], err = drawBars("submissions", "", attempts); err != nil {
		return nil, err
	}
	return page("summary", values)
}

// drawBars draws a horizontal bar chart of the counts in `list`, with the first entry at the top. The
// label of the horizontal axis is `xLabel`, which says what is counted. The label of the vertical
// axis is `yLabel`. drawBars returns the chart as a data URL.
func drawBars(xLabel, yLabel string, list []tally) (template.URL, error) {
	p := show.NewPanel(xLabel, yLabel)
	values, names := make(plotter.Values, len(list)), make([]plot.Tick, len(list))
	most := 1
	for i, t := range list {
		at := len(list) - 1 - i
		values[at], names[at] = float64(t.N), plot.Tick{Value: float64(at), Label: t.Name}
		most = max(most, t.N)
	}
	chart, err := plotter.NewBarChart(values, vg.Points(9))
	if err != nil {
		return "", err
	}
	chart.Horizontal, chart.Color, chart.LineStyle.Width = true, show.LineColor(0), 0
	p.Add(chart)
	p.Y.Tick.Marker = plot.ConstantTicks(names)
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0, float64(most)*1.05, -0.7, float64(len(list))-0.3
	f, err := show.NewFigure(1, p)
	if err != nil {
		return "", err
	}
	svg, err := f.SVG()
	if err != nil {
		return "", err
	}
	return template.URL("data:image/svg+xml;base64," + base64.StdEncoding.EncodeToString(svg)), nil
}
