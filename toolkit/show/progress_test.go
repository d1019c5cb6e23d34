package show

import (
	"slices"
	"testing"
	"time"
)

// TestProgress checks that a bar appears after two seconds, moves from time to time, and becomes
// full at the end of its pass. It checks the form for notebooks and the form for terminals.
func TestProgress(t *testing.T) {
	var clock time.Time
	clock = clock.Add(time.Hour)
	var bars, lines []string
	p := &progress{now: func() time.Time { return clock }, draw: func(pass, row, rows int) {
		bars = append(bars, progressBar(pass, row, rows))
		lines = append(lines, progressLine(pass, row, rows))
	}}
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
		{time.Millisecond, 2, 500, 500}, // a pass that is too short for a bar
		{time.Second, 3, 250, 500},
	} {
		clock = clock.Add(s.after)
		p.step(s.pass, s.row, s.rows)
	}
	wantBars := []string{
		"<progress></progress> 300 rows counted",
		`<progress value="100" max="500"></progress> pass 1: row 100 of 500`,
		`<progress value="500" max="500"></progress> pass 1: row 500 of 500`,
		`<progress value="250" max="500"></progress> pass 3: row 250 of 500`,
	}
	wantLines := []string{
		"\r300 rows counted\x1b[K",
		"\r[====                ] pass 1: row 100 of 500\x1b[K",
		"\r[====================] pass 1: row 500 of 500\x1b[K\n",
		"\r[==========          ] pass 3: row 250 of 500\x1b[K",
	}
	if !slices.Equal(bars, wantBars) || !slices.Equal(lines, wantLines) {
		t.Errorf("got %q and %q\nwant %q and %q", bars, lines, wantBars, wantLines)
	}
	Progress()(1, 2, 3) // without a notebook or a terminal there is no output
}
