package show

import (
	"fmt"
	"time"

	"github.com/janpfeifer/gonb/gonbui"
)

const (
	progressAfter = 2 * time.Second // what is quicker needs no bar
	progressEvery = 200 * time.Millisecond
)

// Progress returns a function for classify.RowsOptions.Progress that shows, once two
// seconds have passed, how far the pass over the rows has come, as a bar in the
// notebook whose cell is running. Outside a notebook it shows nothing.
//
//	rows, err := classify.NewRows(each, classify.RowsOptions{Progress: show.Progress()})
//
// The two seconds begin with its first call.
func Progress() func(pass, row, rows int) {
	if !gonbui.IsNotebook {
		return func(int, int, int) {}
	}
	id := "hyperplane_progress_" + gonbui.UniqueId()
	return (&progress{now: time.Now, send: func(html string) { gonbui.UpdateHTML(id, html) }}).step
}

// progress is a bar that is drawn anew now and then.
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
	// The end of a pass is drawn too, so that a bar does not stay short of it.
	if now.Sub(p.first) < progressAfter || now.Sub(p.last) < progressEvery && (row < rows || p.pass == pass) {
		return
	}
	p.last, p.pass = now, pass
	p.send(progressBar(pass, row, rows))
}

// progressBar is the bar of a pass over rows, of which so many are read; the first does
// not know how many there are.
func progressBar(pass, row, rows int) string {
	if rows == 0 {
		return fmt.Sprintf(`<progress></progress> %d rows counted`, row)
	}
	return fmt.Sprintf(`<progress value="%d" max="%d"></progress> pass %d: row %d of %d`, row, rows, pass, row, rows)
}
