package show

import (
	"fmt"
	"time"

	"github.com/janpfeifer/gonb/gonbui"
)

const (
	progressAfter = 2 * time.Second // faster passes need no bar
	progressEvery = 200 * time.Millisecond
)

// Progress returns a function for classify.RowsOptions.Progress. That function shows the progress
// of the pass over the rows as a bar in the notebook whose cell is running. The bar appears two
// seconds after the first call. Outside a notebook the function shows nothing.
//
//	rows, err := classify.NewRows(each, classify.RowsOptions{Progress: show.Progress()})
func Progress() func(pass, row, rows int) {
	if !gonbui.IsNotebook {
		return func(int, int, int) {}
	}
	id := "hyperplane_progress_" + gonbui.UniqueId()
	return (&progress{now: time.Now, send: func(html string) { gonbui.UpdateHTML(id, html) }}).step
}

// progress draws a bar, and draws it again at most every 200 ms.
type progress struct {
	now         func() time.Time
	send        func(html string)
	first, last time.Time
	pass        int
}

func (p *progress) step(pass, row, rows int) {
	now := p.now()
	if p.first.IsZero() {
		p.first = now
	}
	// Draw the end of a pass too, so that the bar becomes full.
	if now.Sub(p.first) < progressAfter || now.Sub(p.last) < progressEvery && (row < rows || p.pass == pass) {
		return
	}
	p.last, p.pass = now, pass
	p.send(progressBar(pass, row, rows))
}

// progressBar returns the bar of a pass that has read the first row rows. rows is the total, or 0
// in the first pass, which does not know how many rows there are.
func progressBar(pass, row, rows int) string {
	if rows == 0 {
		return fmt.Sprintf(`<progress></progress> %d rows counted`, row)
	}
	return fmt.Sprintf(`<progress value="%d" max="%d"></progress> pass %d: row %d of %d`, row, rows, pass, row, rows)
}
