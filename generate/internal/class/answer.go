package class

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"syscall"
	"unicode/utf8"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/cell"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/exercise"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbformat"
)

// readHandIn reads the file of a hand-in.
func readHandIn(path string) ([]byte, error) {
	data, err := readFile(path, nbformat.MaxSize)
	if err == nil && !utf8.Valid(data) {
		return nil, fmt.Errorf("it is not UTF-8 text, as notebooks are")
	}
	return data, err
}

// readFile reads a file of at most so many bytes that learners may have laid. A link, which
// could lead to another learner's file, is not a file.
func readFile(path string, most int64) ([]byte, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("it is not a file but %v", info.Mode().Type())
	}
	return readSeen(path, info, most)
}

// readSeen reads the file that Lstat has seen at a path. Where learners can write meanwhile,
// a link or a pipe may stand there by now: it opens without waiting and compares.
func readSeen(path string, seen os.FileInfo, most int64) ([]byte, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if now, err := f.Stat(); err != nil || !os.SameFile(seen, now) {
		return nil, fmt.Errorf("it has been exchanged while it was read")
	}
	data, err := io.ReadAll(io.LimitReader(f, most+1))
	if err == nil && int64(len(data)) > most {
		return nil, fmt.Errorf("it has more than %d bytes", most)
	}
	return data, err
}

// Answer is what of a handed-in notebook counts: the text of the cell with the stub, by its
// id or, failing that, of the first cell that declares the functions. Notes say what else
// was changed, and counts for nothing.
func Answer(data []byte, e *exercise.Exercise) (source string, notes []string, err error) {
	nb, err := nbformat.Parse("the notebook", data)
	if err != nil {
		return "", nil, err
	}
	for _, c := range nb.Cells {
		c.Source = cell.WithoutPackage(c.Source)
	}
	release, err := e.Learner()
	if err != nil {
		return "", nil, err
	}
	stub := nbformat.ID(e.ID, "stub")
	at := slices.IndexFunc(nb.Cells, func(c *nbformat.Cell) bool { return c.ID == stub && c.Type == nbformat.Code && answers(c, e) })
	if at < 0 {
		at = slices.IndexFunc(nb.Cells, func(c *nbformat.Cell) bool { return c.Type == nbformat.Code && answers(c, e) })
		if at >= 0 {
			notes = append(notes, fmt.Sprintf("The answer stands in the cell %s, not in that of the stub.", nb.Cells[at].ID))
		} else if at = slices.IndexFunc(nb.Cells, func(c *nbformat.Cell) bool { return c.ID == stub && c.Type == nbformat.Code }); at < 0 {
			return "", nil, fmt.Errorf("no cell declares %s", strings.Join(e.Answer.Functions, ", "))
		}
	}
	return nb.Cells[at].Source, append(notes, changes(nb, release, nb.Cells[at].ID, e)...), nil
}

// answers reports whether a cell declares all functions of the answer.
func answers(c *nbformat.Cell, e *exercise.Exercise) bool {
	s, err := cell.ReadStub(c.Source)
	return err == nil && !slices.ContainsFunc(e.Answer.Functions, func(f string) bool { return !s.Declares(f) })
}

// changes lists the edits to a notebook that count for nothing and may matter.
func changes(nb, release *nbformat.Notebook, answer string, e *exercise.Exercise) (notes []string) {
	own, given := nbformat.Own(nb.Metadata), nbformat.Own(release.Metadata)
	if id := fmt.Sprint(own["exercise"]); own["exercise"] != nil && id != e.ID {
		notes = append(notes, fmt.Sprintf("The notebook says that it is of %s; it is judged as %s.", shortened(id), e.ID))
	}
	if fmt.Sprint(own["seed"]) != fmt.Sprint(given["seed"]) {
		notes = append(notes, fmt.Sprintf("The notebook says that it is of the variant %s; it is judged by the learner's own, %v.", shortened(fmt.Sprint(own["seed"])), given["seed"]))
	}
	added := 0
	for _, c := range nb.Cells {
		if c.Type == nbformat.Code && release.Cell(c.ID) == nil && c.ID != answer && strings.TrimSpace(c.Source) != "" {
			added++
		}
	}
	if added > 0 {
		notes = append(notes, fmt.Sprintf("%d cells of code were added; they count for nothing.", added))
	}
	for _, c := range release.Cells {
		role, _ := nbformat.Own(c.Metadata)["role"].(string)
		if role != "setup" && role != "check" && role != "stub" {
			continue // notes, hints and experiments are the learner's
		}
		now := nb.Cell(c.ID)
		switch {
		case now == nil:
			notes = append(notes, fmt.Sprintf("The cell %s is gone.", c.ID))
		case c.ID != answer && strings.TrimSpace(now.Source) != strings.TrimSpace(c.Source):
			notes = append(notes, fmt.Sprintf("The cell %s was changed; it counts for nothing.", c.ID))
		}
	}
	return notes
}

// shortened is a text of the hand-in's as it may stand in a sentence.
func shortened(text string) string {
	if r := []rune(text); len(r) > 40 {
		text = string(r[:40]) + "…"
	}
	return fmt.Sprintf("%q", text)
}
