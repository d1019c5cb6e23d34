package show

import (
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/janpfeifer/gonb/gonbui"
)

const (
	progressAfter = 2 * time.Second // passes that take less time need no bar
	progressEvery = 200 * time.Millisecond
)

// Progress returns a function for classify.RowsOptions.Progress. That function shows the progress
// of the pass over the rows as a bar. In a notebook, the bar is in the output of the running cell.
// In other programs, it is one line on standard error, if standard error is a terminal; otherwise
// the function shows nothing. The bar appears two seconds after the first call.
//
//	rows, err := classify.NewRows(each, classify.RowsOptions{Progress: show.Progress()})
func Progress() func(pass, row, rows int) {
	switch {
	case gonbui.IsNotebook:
		id := "hyperplane_progress_" + gonbui.UniqueId()
		return (&progress{now: time.Now, draw: func(pass, row, rows int) {
			gonbui.UpdateHTML(id, progressBar(pass, row, rows))
		}}).step
	case isTerminal(os.Stderr):
		return (&progress{now: time.Now, draw: func(pass, row, rows int) {
			fmt.Fprint(os.Stderr, progressLine(pass, row, rows))
		}}).step
	}
	return func(int, int, int) {}
}

// isTerminal reports whether f is a character device, such as a terminal.
func isTerminal(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// progress draws a bar, and draws it again at most every 200 ms.
type progress struct {
	now         func() time.Time
	draw        func(pass, row, rows int)
	first, last time.Time
	pass        int // the pass of the last bar
}

func (p *progress) step(pass, row, rows int) {
	now := p.now()
	if p.first.IsZero() {
		p.first = now
	}
	ends := row == rows && p.pass == pass // a bar that was drawn must become full at the end
	if now.Sub(p.first) < progressAfter || now.Sub(p.last) < progressEvery && !ends {
		return
	}
	p.last, p.pass = now, pass
	p.draw(pass, row, rows)
}

// progressBar returns the HTML bar of a pass that has read the first row rows. rows is the total
// number of rows. In the first pass the total is not known, and rows is 0.
func progressBar(pass, row, rows int) string {
	if rows == 0 {
		return fmt.Sprintf(`<progress></progress> %d rows counted`, row)
	}
	return fmt.Sprintf(`<progress value="%d" max="%d"></progress> pass %d: row %d of %d`, row, rows, pass, row, rows)
}

// progressLine is [progressBar] for a terminal. It replaces the last line. The line remains when
// its pass ends.
func progressLine(pass, row, rows int) string {
	const width = 20
	if rows == 0 {
		return fmt.Sprintf("\r%d rows counted\x1b[K", row)
	}
	full := width * row / rows
	end := ""
	if row == rows {
		end = "\n"
	}
	return fmt.Sprintf("\r[%s%s] pass %d: row %d of %d\x1b[K%s",
		strings.Repeat("=", full), strings.Repeat(" ", width-full), pass, row, rows, end)
}
