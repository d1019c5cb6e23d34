package show

import (
	"slices"
	"testing"
	"time"
)

// TestProgress checks that Progress shows nothing for two seconds, then a bar from time to time,
// and nothing at all outside a notebook.
func TestProgress(t *testing.T) {
	var clock time.Time
	clock = clock.Add(time.Hour)
	var sent []string
	p := &progress{now: func() time.Time { return clock }, send: func(html string) { sent = append(sent, html) }}
	for _, s := range []struct {
		after           time.Duration
		pass, row, rows int
	}{
		{0, 0, 100, 0},
		{1900 * time.Millisecond, 0, 200, 0},
		{100 * time.Millisecond, 0, 300, 0},
		{100 * time.Millisecond, 0, 400, 0}, // too soon after the previous bar
		{300 * time.Millisecond, 1, 100, 500},
		{time.Millisecond, 1, 500, 500},
		{time.Millisecond, 2, 100, 500},
		{time.Millisecond, 2, 500, 500}, // the end of a short pass
		{time.Second, 3, 250, 500},
	} {
		clock = clock.Add(s.after)
		p.step(s.pass, s.row, s.rows)
	}
	want := []string{
		"<progress></progress> 300 rows counted",
		`<progress value="100" max="500"></progress> pass 1: row 100 of 500`,
		`<progress value="500" max="500"></progress> pass 2: row 500 of 500`,
		`<progress value="250" max="500"></progress> pass 3: row 250 of 500`,
	}
	if !slices.Equal(sent, want) {
		t.Errorf("shown are %q\nwant %q", sent, want)
	}
	Progress()(1, 2, 3) // not in a notebook: no effect
}
