package progress

import (
	"fmt"
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
	Hints int // how many it has
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
	p, err := f.Read()
	if err != nil {
		return NewTable(entries, New(), f.Path, "Nothing is known: "+err.Error()+".")
	}
	if _, err := os.Stat(f.Path); err != nil {
		return NewTable(entries, p, f.Path, "There is no "+f.Path+" yet: the first check in a notebook begins it.")
	}
	return NewTable(entries, p, f.Path, "")
}

// NewTable returns the table of what p says of these exercises. file and note, if
// not empty, are where that is kept and a line about that file.
func NewTable(entries []Entry, p *Progress, file, note string) *Table {
	t := &Table{Schema: "hyperplane-progress-table/1", File: file, Note: note, Rows: []Row{}, Others: []string{}}
	known := map[string]bool{}
	for _, e := range entries {
		known[e.ID] = true
		r := p.Peek(e.ID)
		row := Row{ID: e.ID, Title: e.Title, State: r.State(), Revealed: r.Revealed, Tries: r.Answer.Tries, Last: r.Answer.Last,
			Hints: e.Hints, HintsSeen: append([]int{}, r.Hints...), Steps: r.Steps}
		t.Rows = append(t.Rows, row)
		*t.count(row.State)++
	}
	for _, id := range slices.Sorted(maps.Keys(p.Exercises)) {
		if !known[id] {
			t.Others = append(t.Others, id)
		}
	}
	return t
}

func (t *Table) count(s State) *int {
	switch s {
	case Passed:
		return &t.Passed
	case Tried:
		return &t.Tried
	case Revealed:
		return &t.Revealed
	}
	return &t.NotBegun
}

// Summary is the table in one line.
func (t *Table) Summary() string {
	return fmt.Sprintf("%d of %d exercises passed, %d tried, %d revealed, %d not begun",
		t.Passed, len(t.Rows), t.Tried, t.Revealed, t.NotBegun)
}

// remarks are the lines under the summary.
func (t *Table) remarks() []string {
	var lines []string
	if n := len(t.Others); n > 0 {
		lines = append(lines, fmt.Sprintf("The file also keeps what this version of the toolkit does not have: %s.", strings.Join(t.Others, ", ")))
	}
	if t.Note != "" {
		return append(lines, t.Note)
	}
	if t.File != "" {
		lines = append(lines, "Kept in "+t.File+".")
	}
	return lines
}

// String is the table for a terminal, book by book, under its summary.
func (t *Table) String() string {
	var b strings.Builder
	fmt.Fprintln(&b, t.Summary())
	for _, line := range t.remarks() {
		fmt.Fprintln(&b, line)
	}
	// Every row has all its cells: a tabwriter aligns no further than to the
	// first row that is shorter.
	var columns strings.Builder
	w := tabwriter.NewWriter(&columns, 0, 0, 2, ' ', 0)
	for i, r := range t.Rows {
		fmt.Fprintln(w, strings.Join(slices.Concat([]string{"  " + r.number(), r.Title}, r.facts()), "\t"))
		if i+1 < len(t.Rows) && r.book() == t.Rows[i+1].book() {
			continue
		}
		_ = w.Flush() // a Builder takes everything
		fmt.Fprintf(&b, "\n%s\n", r.book())
		for line := range strings.Lines(columns.String()) {
			fmt.Fprintln(&b, strings.TrimRight(line, " \n"))
		}
		columns.Reset()
	}
	return b.String()
}

// heads are the columns of a table; the last five are a row's facts.
var heads = []string{"", "Exercise", "State", "Tries", "Last try", "Hints seen", "Steps"}

// facts are the cells of the row behind its title, each understood without the
// heading.
func (r Row) facts() []string {
	state := string(r.State)
	if r.State == Passed {
		state = "✓ " + state
		if r.Revealed {
			state += " (solution seen first)"
		}
	}
	tries, hints, steps := "", "", ""
	if r.Tries > 0 {
		tries = count(r.Tries, "try", "tries")
	}
	switch n := len(r.HintsSeen); {
	case n == 1:
		hints = fmt.Sprintf("hint %d (of %d)", r.HintsSeen[0], r.Hints)
	case n > 1:
		hints = fmt.Sprintf("hints %s (of %d)", Series(r.HintsSeen), r.Hints)
	}
	if r.Steps != nil {
		switch {
		case r.Steps.Passed:
			steps = "✓ steps"
		case r.Steps.Last != nil:
			steps = "steps: " + r.Steps.Last.String()
		}
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
	var b strings.Builder
	for i, n := range numbers {
		switch {
		case i > 0 && i == len(numbers)-1:
			b.WriteString(" and ")
		case i > 0:
			b.WriteString(", ")
		}
		fmt.Fprint(&b, n)
	}
	return b.String()
}

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

var books = map[string]string{"prml": "PRML", "alpaydin": "Alpaydin"}

// book is the heading under which the row stands: book and chapter.
func (r Row) book() string {
	book, number, _ := strings.Cut(r.ID, "-")
	chapter, _, _ := strings.Cut(number, ".")
	if name := books[book]; name != "" {
		book = name
	}
	return book + ", chapter " + chapter
}

// number is the exercise's number in its book.
func (r Row) number() string {
	_, number, _ := strings.Cut(r.ID, "-")
	return number
}
