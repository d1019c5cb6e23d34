package progress

import (
	"fmt"
	"html"
	"maps"
	"os"
	"slices"
	"strings"
	"text/tabwriter"
)

// An Entry is one of the exercises that there are.
type Entry struct {
	ID    string // "prml-4.25"
	Title string
	Hints int    // how many it has
	Dir   string // the folder of its package in the module
}

// A Table says of every exercise how far the learner is. Its JSON form is what
// programs read.
type Table struct {
	Schema   string   `json:"schema"`
	File     string   `json:"file"`           // where progress is kept
	Note     string   `json:"note,omitempty"` // a line about that file, when it is missing or cannot be used
	Passed   int      `json:"passed"`         // counts of the exercises in each state
	Tried    int      `json:"tried"`
	Revealed int      `json:"revealed"`
	NotBegun int      `json:"not_begun"`
	Rows     []Row    `json:"exercises"`
	Others   []string `json:"others"` // ids in the file that this toolkit does not know
}

// A Row is one exercise of a Table.
type Row struct {
	ID        string    `json:"id"`
	Title     string    `json:"title"`
	State     State     `json:"state"`
	Revealed  bool      `json:"revealed"` // the solution was shown before it was passed, if it was
	Tries     int       `json:"tries"`
	Last      *Try      `json:"last"`
	Hints     int       `json:"hints"`      // how many there are
	HintsSeen []int     `json:"hints_seen"` // which
	Steps     *Attempts `json:"steps"`
}

// Table returns the table of these exercises, in their order. It changes nothing,
// and it never fails: of a file that cannot be used it says so in a line, and
// shows what a learner sees who has not begun.
func (f File) Table(entries []Entry) *Table {
	note := ""
	p, err := f.Read()
	if err != nil {
		p, note = New(), "Nothing is known: "+err.Error()+"."
	} else if _, err := os.Stat(f.Path); err != nil {
		note = "There is no " + f.Path + " yet: the first check in a notebook begins it."
	}
	return NewTable(entries, p, f.Path, note)
}

// NewTable returns the table of what p says of these exercises. file and note, if
// not empty, are where that is kept and a line about that file.
func NewTable(entries []Entry, p *Progress, file, note string) *Table {
	t := &Table{Schema: "hyperplane-progress-table/1", File: file, Note: note, Rows: []Row{}, Others: []string{}}
	number := map[State]*int{Passed: &t.Passed, Tried: &t.Tried, Revealed: &t.Revealed, NotBegun: &t.NotBegun}
	for _, e := range entries {
		r := p.Peek(e.ID)
		*number[r.State()]++
		t.Rows = append(t.Rows, Row{ID: e.ID, Title: e.Title, State: r.State(), Revealed: r.Revealed, Tries: r.Answer.Tries, Last: r.Answer.Last,
			Hints: e.Hints, HintsSeen: append([]int{}, r.Hints...), Steps: r.Steps})
	}
	for _, id := range slices.Sorted(maps.Keys(p.Exercises)) {
		if !slices.ContainsFunc(entries, func(e Entry) bool { return e.ID == id }) {
			t.Others = append(t.Others, id)
		}
	}
	return t
}

// remarks are the summary and the lines under it.
func (t *Table) remarks() []string {
	lines := []string{fmt.Sprintf("%d of %d exercises passed, %d tried, %d revealed, %d not begun",
		t.Passed, len(t.Rows), t.Tried, t.Revealed, t.NotBegun)}
	if len(t.Others) > 0 {
		lines = append(lines, fmt.Sprintf("The file also keeps what this version of the toolkit does not have: %s.", strings.Join(t.Others, ", ")))
	}
	if t.Note != "" {
		lines = append(lines, t.Note)
	} else if t.File != "" {
		lines = append(lines, "Kept in "+t.File+".")
	}
	return lines
}

// books calls heading before the rows of each chapter, and row with the cells of
// every exercise.
func (t *Table) books(heading func(string), row func(r Row, cells []string)) {
	names := strings.NewReplacer("prml", "PRML", "alpaydin", "Alpaydin", "-", ", chapter ")
	last := ""
	for _, r := range t.Rows {
		_, number, _ := strings.Cut(r.ID, "-")
		chapter, _, _ := strings.Cut(r.ID, ".")
		h := names.Replace(chapter)
		if strings.HasPrefix(r.ID, "lesson-") {
			h = "Lessons"
		}
		if h != last {
			heading(h)
			last = h
		}
		row(r, slices.Concat([]string{number, r.Title}, r.facts()))
	}
}

// String is the table for a terminal, book by book, under its summary.
func (t *Table) String() string {
	var b, columns strings.Builder
	fmt.Fprintln(&b, strings.Join(t.remarks(), "\n"))
	w := tabwriter.NewWriter(&columns, 0, 0, 2, ' ', 0)
	flush := func() { // the columns of a chapter have widths of their own
		_ = w.Flush() // a Builder takes everything
		for line := range strings.Lines(columns.String()) {
			fmt.Fprintln(&b, strings.TrimRight(line, " \n"))
		}
		columns.Reset()
	}
	t.books(func(h string) {
		flush()
		fmt.Fprintf(&b, "\n%s\n", h)
	}, func(_ Row, cells []string) { fmt.Fprintln(w, "  "+strings.Join(cells, "\t")) })
	flush()
	return b.String()
}

// HTML is the table for a notebook. Styles stand in the elements because an
// untrusted notebook keeps those and drops style sheets; states are words as
// well as colours, which colour-blind readers can tell apart.
func (t *Table) HTML() string {
	const left = "text-align:left"
	colours := map[State]string{Passed: "#00796b", Tried: "#c2410c", Revealed: "#6d4c91", NotBegun: "#757575"}
	var b strings.Builder
	for _, line := range t.remarks() {
		fmt.Fprintf(&b, "<p>%s</p>\n", html.EscapeString(line))
	}
	heads := []string{"", "Exercise", "State", "Tries", "Last try", "Hints seen", "Steps"}
	b.WriteString("<table><tr>")
	for _, h := range heads {
		fmt.Fprintf(&b, "<th style=%q>%s</th>", left, h)
	}
	b.WriteString("</tr>\n")
	t.books(func(h string) {
		fmt.Fprintf(&b, "<tr><td style=%q colspan=\"%d\"><b>%s</b></td></tr>\n", left, len(heads), html.EscapeString(h))
	}, func(r Row, cells []string) {
		b.WriteString("<tr>")
		for i, cell := range cells {
			style := left
			if heads[i] == "State" {
				style += ";white-space:nowrap;color:" + colours[r.State]
			}
			fmt.Fprintf(&b, "<td style=%q>%s</td>", style, html.EscapeString(cell))
		}
		b.WriteString("</tr>\n")
	})
	b.WriteString("</table>\n")
	return b.String()
}

// facts are the cells of the row behind its title, each understood without the
// heading.
func (r Row) facts() []string {
	state, tries, hints, steps := string(r.State), "", "", ""
	if r.State == Passed {
		state = "✓ " + state
		if r.Revealed {
			state += " (solution seen first)"
		}
	}
	switch r.Tries {
	case 0:
	case 1:
		tries = "1 try"
	default:
		tries = fmt.Sprintf("%d tries", r.Tries)
	}
	switch len(r.HintsSeen) {
	case 0:
	case 1:
		hints = fmt.Sprintf("hint %d (of %d)", r.HintsSeen[0], r.Hints)
	default:
		hints = fmt.Sprintf("hints %s (of %d)", Series(r.HintsSeen), r.Hints)
	}
	switch {
	case r.Steps == nil:
	case r.Steps.Passed:
		steps = "✓ steps"
	case r.Steps.Last != nil:
		steps = "steps: " + r.Steps.Last.String()
	}
	return []string{state, tries, r.Last.String(), hints, steps}
}

// String is the outcome of the try in a few words, "" for none.
func (t *Try) String() string {
	switch {
	case t == nil:
		return ""
	case !t.Finished:
		return "not finished"
	}
	return fmt.Sprintf("%d of %d right", t.Right, t.Parts)
}

// Series is "1", "1 and 3" or "1, 2 and 3".
func Series(numbers []int) string {
	words := strings.Fields(strings.Trim(fmt.Sprint(numbers), "[]"))
	if n := len(words); n > 1 {
		return strings.Join(words[:n-1], ", ") + " and " + words[n-1]
	}
	return strings.Join(words, "")
}
