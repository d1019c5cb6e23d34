package class

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/cell"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/exercise"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbformat"
)

// readHandIn reads the file of a hand-in. A link, which could lead to what is
// another's, is none.
func readHandIn(path string) ([]byte, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("it is not a file but %v", info.Mode().Type())
	}
	if info.Size() > nbformat.MaxSize {
		return nil, fmt.Errorf("it has %d bytes; a notebook may have %d", info.Size(), nbformat.MaxSize)
	}
	data, err := os.ReadFile(path)
	if err == nil && !utf8.Valid(data) {
		return nil, fmt.Errorf("it is not UTF-8 text, as notebooks are")
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
