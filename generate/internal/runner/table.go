package runner

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/verify"
)

// WriteTable writes a line for each notebook. Below this line, it writes a line for every cell whose
// verdict is neither OK nor NotRun. Below the line of a cell, it writes a line for each part of the
// cell's reports. The line of a part also contains the part's message, unless the part is Right or
// NotAttempted. The last line of the table says how many notebooks passed and how many failed.
func (s *Summary) WriteTable(w io.Writer) error { return s.write(w, true) }

// WriteFailed does the same as WriteTable, but omits the lines of the notebooks that passed. The
// last line still counts them.
func (s *Summary) WriteFailed(w io.Writer) error { return s.write(w, false) }

func (s *Summary) write(w io.Writer, all bool) error {
	b := bufio.NewWriter(w)
	passed := 0
	for _, n := range s.Notebooks {
		if n.Verdict.Pass() {
			passed++
			if !all {
				continue
			}
		}
		writeLine(b, 0, string(n.Verdict), plainName(n.Path), n.headline())
		for _, c := range n.Cells {
			if c.Verdict == OK || c.Verdict == NotRun {
				continue
			}
			note := c.Detail
			if c.Expected {
				note = strings.TrimSuffix("as the notebook expects: "+note, ": ")
			}
			writeLine(b, 1, string(c.Verdict), fmt.Sprintf("cell %d %s", c.Number, plainName(c.ID)), note)
			for _, r := range c.Reports {
				for _, p := range r.Parts {
					message := p.Message
					if p.Outcome == verify.Right || p.Outcome == verify.NotAttempted {
						message = ""
					}
					writeLine(b, 2, p.Outcome.String(), cut(plainName(p.Name)), message)
				}
			}
		}
	}
	fmt.Fprintf(b, "%d passed, %d failed\n", passed, len(s.Notebooks)-passed)
	return b.Flush()
}

// writeLine writes a line with a verdict, the name of the notebook, cell or part, and a note.
func writeLine(w io.Writer, depth int, verdict, subject, note string) {
	if note = oneLine(note); note != "" {
		note = " · " + note
	}
	const column = 18 // width of the column of verdicts, wider than the longest indented verdict
	fmt.Fprintf(w, "%-*s%s%s\n", column, strings.Repeat("  ", depth)+verdict, subject, note)
}

// headline returns the note for the line of a notebook. The note contains the number of code cells. If
// some cells were not reached, it also contains their number. If the notebook did not pass, it also
// contains the reason. If the notebook has no results of cells, the note contains only the reason.
func (n Notebook) headline() string {
	if len(n.Cells) == 0 {
		return n.Detail
	}
	notRun := 0
	for _, c := range n.Cells {
		if c.Verdict == NotRun {
			notRun++
		}
	}
	text := fmt.Sprintf("%d code cells", len(n.Cells))
	if notRun > 0 {
		text += fmt.Sprintf(", %d not reached", notRun)
	}
	if n.Verdict == NoVerdict || n.Verdict == Mismatch {
		return text + ": " + n.Detail
	}
	// Name the cell that determined the notebook's verdict. Its failure can be the reason why later
	// cells fail.
	if at := slices.IndexFunc(n.Cells,
		func(c Cell) bool { return !c.Pass() && c.Verdict == n.Verdict && c.Detail == n.Detail }); at >= 0 {
		text += fmt.Sprintf(": cell %d %s: %s", n.Cells[at].Number, plainName(n.Cells[at].ID), n.Detail)
	}
	return text
}

// plainName returns a name unchanged, or quoted if it is empty, is not valid UTF-8, or contains line
// breaks, terminal commands or other invisible characters.
func plainName(name string) string {
	if name == "" || !utf8.ValidString(name) || strings.ContainsFunc(name, isInvisible) {
		return strconv.Quote(name)
	}
	return name
}

// isInvisible reports whether r is not printable, for example a control character or a direction
// mark.
func isInvisible(r rune) bool { return !unicode.IsPrint(r) }

// oneLine returns a message on one line, cut to 160 characters. It replaces each invisible character
// with the replacement character U+FFFD.
func oneLine(s string) string {
	return cut(strings.Map(func(r rune) rune {
		if isInvisible(r) {
			return unicode.ReplacementChar
		}
		return r
	}, strings.Join(strings.Fields(s), " ")))
}

func cut(s string) string {
	const most = 160
	if text := []rune(s); len(text) > most {
		return string(text[:most-1]) + "…"
	}
	return s
}

// A Progress shows how far a run has come. It writes one line per finished notebook. On a terminal,
// it also shows which cell is running.
type Progress struct {
	w        io.Writer
	terminal bool
	shown    int // number of bytes on the current line
	begun    map[string]bool
}

// NewProgress returns a Progress that writes to w.
func NewProgress(w io.Writer) *Progress {
	return &Progress{w: w, begun: map[string]bool{}, terminal: IsTerminal(w)}
}

// IsTerminal reports whether w is a terminal or another character device.
func IsTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// Show implements Options.Progress.
func (p *Progress) Show(path string, done, all int) {
	name := plainName(strings.TrimSuffix(filepath.Base(path), extension))
	switch {
	case done < all:
		p.begun[path] = true
		if p.terminal {
			p.replaceLine(fmt.Sprintf("  running   %s, cell %d of %d", name, done+1, all))
		}
		return
	case all > 0 && !p.begun[path]: // the result of the notebook comes from an earlier run
		p.replaceLine("  unchanged " + name)
	default:
		p.replaceLine(fmt.Sprintf("  ran       %s (%d cells)", name, all))
	}
	fmt.Fprintln(p.w)
	p.shown = 0
}

// replaceLine replaces the text of the current line on a terminal. In a log, it appends the text.
func (p *Progress) replaceLine(text string) {
	if p.terminal {
		fmt.Fprintf(p.w, "\r%s%s", text, strings.Repeat(" ", max(0, p.shown-len(text))))
		p.shown = len(text)
		return
	}
	fmt.Fprint(p.w, text)
}
