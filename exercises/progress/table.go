package progress

import (
	"fmt"
	"html"
	"maps"
	"os"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
)

// An Entry describes an exercise of the course. It does not depend on a learner's progress.
type Entry struct {
	ID    string // "prml-4.25"
	Title string
	Hints int    // number of hints
	Dir   string // the folder of the exercise's package in the module
	Group string // the heading of the group to which the exercise belongs, such as "PRML, chapter 4"
}

// A Table shows a learner's progress on a list of exercises. Other programs read the table as JSON.
type Table struct {
	Schema   string `json:"schema"`
	File     string `json:"file"`           // path of the progress file
	Note     string `json:"note,omitempty"` // a line about the progress file if it is missing or cannot be used
	Passed   int    `json:"passed"`         // Passed, Tried, Revealed and NotBegun count the exercises in each state
	Tried    int    `json:"tried"`
	Revealed int    `json:"revealed"`
	NotBegun int    `json:"not_begun"`

	Exercises int `json:"count"` // number of exercises; an exercise with rows for several seeds counts once

	Rows   []Row    `json:"exercises"`
	Others []string `json:"others"` // ids in the progress file that this table does not list
	Due    []string `json:"due"`    // the exercises of this table that [Progress.Due] lists

	dueSeed uint64 // a seed above 0 for which the first exercise in Due has no record
}

// A Row describes the progress on one exercise, for one seed.
type Row struct {
	ID        string    `json:"id"`
	Seed      uint64    `json:"seed,omitempty"` // the seed; 0 selects the constants that all learners share
	Title     string    `json:"title"`
	State     State     `json:"state"`
	Revealed  bool      `json:"revealed"` // whether the solution was shown before the exercise was passed
	Tries     int       `json:"tries"`
	Last      *Try      `json:"last"`
	Hints     int       `json:"hints"`      // number of hints
	HintsSeen []int     `json:"hints_seen"` // numbers of the hints that the learner has seen
	Steps     *Attempts `json:"steps"`

	group string
}

// Table returns a table of the given exercises, in their order. It does not write the file. If the
// file is missing or cannot be used, the table shows all exercises as not begun and contains a note
// about the file.
func (f File) Table(entries []Entry) *Table {
	note := ""
	p, err := f.Read()
	if err != nil {
		p, note = New(), "Your progress is unknown: "+err.Error()+"."
	} else if _, err := os.Stat(f.Path); err != nil {
		note = "There is no " + f.Path + " yet: the first check in a notebook creates it."
	}
	return NewTable(entries, p, f.Path, note)
}

// NewTable returns the table that shows the progress p on these exercises. The string `file` is the
// path of the progress file, and `note` is a line about that file. Both strings may be empty.
func NewTable(entries []Entry, p *Progress, file, note string) *Table {
	t := &Table{Schema: "hyperplane-progress-table/2", File: file, Note: note, Rows: []Row{}, Others: []string{},
		Due: []string{}}
	number := map[State]*int{Passed: &t.Passed, Tried: &t.Tried, Revealed: &t.Revealed, NotBegun: &t.NotBegun}
	known := map[string]bool{}
	for _, e := range entries {
		known[e.ID] = true
		best, seeds := NotBegun, p.seeds(e.ID)
		if len(seeds) == 0 {
			seeds = []uint64{0}
		}
		for _, seed := range seeds {
			r := p.Peek(Key(e.ID, seed))
			best = best.betterState(r.State())
			t.Rows = append(t.Rows,
				Row{ID: e.ID, Seed: seed, Title: e.Title, State: r.State(), Revealed: r.Revealed, Tries: r.Answer.Tries,
					Last:  r.Answer.Last,
					Hints: e.Hints, HintsSeen: append([]int{}, r.Hints...), Steps: r.Steps, group: e.Group})
		}
		t.Exercises++
		*number[best]++
	}
	for _, key := range slices.Sorted(maps.Keys(p.Exercises)) {
		if id, _ := ParseKey(key); !known[id] && !slices.Contains(t.Others, id) {
			t.Others = append(t.Others, id)
		}
	}
	for _, id := range p.Due(time.Now()) {
		if known[id] {
			t.Due = append(t.Due, id)
		}
	}
	if len(t.Due) > 0 {
		t.dueSeed = p.unusedSeed(t.Due[0])
	}
	return t
}

// summaryLines returns the lines of the summary: how many exercises are in each state, and the
// notes below these counts.
func (t *Table) summaryLines() []string {
	lines := []string{fmt.Sprintf("%d of %d exercises passed, %d tried, %d revealed, %d not begun",
		t.Passed, t.Exercises, t.Tried, t.Revealed, t.NotBegun)}
	if len(t.Others) > 0 {
		lines = append(lines,
			fmt.Sprintf("The file also contains exercises that this table does not list: %s.", strings.Join(t.Others, ", ")))
	}
	if len(t.Due) > 0 {
		lines = append(lines, fmt.Sprintf("Passed more than two weeks ago: %s. Try again with other numbers: "+
			"`generate exercises %s --seed %d` makes the notebook; on a page, add ?seed=%d to the address.",
			strings.Join(t.Due, ", "), t.Due[0], t.dueSeed, t.dueSeed))
	}
	if t.Note != "" {
		lines = append(lines, t.Note)
	} else if t.File != "" {
		lines = append(lines, "Stored in "+t.File+".")
	}
	return lines
}

// eachGroup goes through the groups of exercises. For each group it calls the function `heading`
// with the heading of the group. It then calls the function `row` for every row of the group, with
// the row and its cells.
func (t *Table) eachGroup(heading func(string), row func(r Row, cells []string)) {
	last := ""
	for _, r := range t.Rows {
		_, number, _ := strings.Cut(r.ID, "-")
		if r.group != last {
			heading(r.group)
			last = r.group
		}
		row(r, slices.Concat([]string{number, r.name()}, r.facts()))
	}
}

// String returns the summary and the table as plain text, group by group.
func (t *Table) String() string {
	var b, columns strings.Builder
	fmt.Fprintln(&b, strings.Join(t.summaryLines(), "\n"))
	w := tabwriter.NewWriter(&columns, 0, 0, 2, ' ', 0)
	flush := func() { // each group has its own column widths
		_ = w.Flush() // writing to a strings.Builder never fails
		for line := range strings.Lines(columns.String()) {
			fmt.Fprintln(&b, strings.TrimRight(line, " \n"))
		}
		columns.Reset()
	}
	t.eachGroup(func(h string) {
		flush()
		fmt.Fprintf(&b, "\n%s\n", h)
	}, func(_ Row, cells []string) { fmt.Fprintln(w, "  "+strings.Join(cells, "\t")) })
	flush()
	return b.String()
}

// HTML returns the table for a notebook. It sets styles as attributes of the elements, because
// Jupyter removes style sheets from an untrusted notebook but keeps such attributes. It shows each
// state in words as well as by colour, for readers who cannot see the colours.
func (t *Table) HTML() string {
	const left = "text-align:left"
	colours := map[State]string{Passed: "#00796b", Tried: "#c2410c", Revealed: "#6d4c91", NotBegun: "#757575"}
	var b strings.Builder
	for _, line := range t.summaryLines() {
		fmt.Fprintf(&b, "<p>%s</p>\n", html.EscapeString(line))
	}
	heads := []string{"", "Exercise", "State", "Tries", "Last try", "Hints seen", "Steps"}
	b.WriteString("<table><tr>")
	for _, h := range heads {
		fmt.Fprintf(&b, "<th style=%q>%s</th>", left, h)
	}
	b.WriteString("</tr>\n")
	t.eachGroup(func(h string) {
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

// name returns the title of the exercise and, if the seed is not 0, the seed.
func (r Row) name() string {
	if r.Seed == 0 {
		return r.Title
	}
	return fmt.Sprintf("%s, variant %d", r.Title, r.Seed)
}

// facts returns the texts of the cells to the right of the title. Each text is clear without a
// heading, because the plain-text table has no headings for its columns.
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

// String returns the outcome of the try in a few words, such as "3 of 3 right". For nil it returns
// "".
func (t *Try) String() string {
	switch {
	case t == nil:
		return ""
	case !t.Finished:
		return "not finished"
	}
	return fmt.Sprintf("%d of %d right", t.Right, t.Parts)
}

// Series returns the numbers as an English list: "1", "1 and 3" or "1, 2 and 3".
func Series(numbers []int) string {
	words := strings.Fields(strings.Trim(fmt.Sprint(numbers), "[]"))
	if n := len(words); n > 1 {
		return strings.Join(words[:n-1], ", ") + " and " + words[n-1]
	}
	return strings.Join(words, "")
}
