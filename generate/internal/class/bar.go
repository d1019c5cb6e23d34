package class

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"
)

// A bar tells how far a run is: in a log a line for every finished hand-in, on a terminal
// a bar that grows, and above it a line for every finished learner.
type bar struct {
	mu     sync.Mutex
	log    io.Writer
	shown  *progressbar.ProgressBar // nil in a log
	n, all int
	begun  time.Time
	left   map[string]int    // hand-ins of a learner that are not finished
	said   map[string]string // and what became of the others
}

func newBar(log io.Writer, watch bool, todo []*HandIn) *bar {
	b := &bar{log: log, all: len(todo), begun: time.Now(), left: map[string]int{}, said: map[string]string{}}
	if watch {
		b.shown = progressbar.NewOptions(b.all, progressbar.OptionSetWriter(log), progressbar.OptionSetWidth(30),
			progressbar.OptionShowCount(), progressbar.OptionSetPredictTime(true), progressbar.OptionClearOnFinish())
	}
	for _, h := range todo {
		b.left[h.Learner]++
	}
	return b
}

// done counts a hand-in that is finished; again says that it comes once more.
func (b *bar) done(h *HandIn, text string, again bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.n++
	if again {
		b.all++
		text += " (comes once more)"
	} else {
		b.left[h.Learner]--
	}
	if b.shown == nil {
		left := ""
		if b.n < b.all {
			each := time.Since(b.begun) / time.Duration(b.n)
			left = fmt.Sprintf(", about %v left", (each * time.Duration(b.all-b.n)).Round(time.Second))
		}
		fmt.Fprintf(b.log, "[%d/%d%s] %s %s: %s\n", b.n, b.all, left, h.Learner, h.Exercise, text)
		return
	}
	if !again {
		b.said[h.Learner] += fmt.Sprintf("; %s: %s", h.Exercise, text)
	}
	if b.left[h.Learner] == 0 && !again {
		_ = b.shown.Clear() // the bar is for the eye only
		fmt.Fprintln(b.log, h.Learner+":", strings.TrimPrefix(b.said[h.Learner], "; "))
	}
	b.shown.ChangeMax(b.all)
	_ = b.shown.Set(b.n)
}
