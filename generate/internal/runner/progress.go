package runner

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// A Progress shows how far a run is: on a terminal one line that changes, in a
// log one line per notebook.
type Progress struct {
	w        io.Writer
	terminal bool
	shown    int // characters on the line
}

// NewProgress writes to w.
func NewProgress(w io.Writer) *Progress {
	p := &Progress{w: w}
	if f, ok := w.(*os.File); ok {
		info, err := f.Stat()
		p.terminal = err == nil && info.Mode()&os.ModeCharDevice != 0
	}
	return p
}

// Show is an Options.Progress.
func (p *Progress) Show(path string, done, all int) {
	name := plain(strings.TrimSuffix(filepath.Base(path), extension))
	switch {
	case done == all:
		p.line(fmt.Sprintf("  ran       %s (%d cells)", name, all))
		fmt.Fprintln(p.w)
		p.shown = 0
	case p.terminal:
		p.line(fmt.Sprintf("  running   %s, cell %d of %d", name, done+1, all))
	}
}

// line replaces what stands on the current line.
func (p *Progress) line(text string) {
	if p.terminal {
		fmt.Fprintf(p.w, "\r%s%s", text, strings.Repeat(" ", max(0, p.shown-len(text))))
		p.shown = len(text)
		return
	}
	fmt.Fprint(p.w, text)
}
