package site

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/exercise"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbformat"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/page"
)

// triable reports whether a lesson marks a cell as one to be run in the page: its fence
// says "go try".
func triable(c *nbformat.Cell) bool {
	tags, _ := c.Metadata["tags"].([]any)
	return slices.Contains(tags, any("try"))
}

// task is the task of the lesson with that page, nil where there is none or it cannot be
// worked on in the page.
func (b *builder) task(page string) *exercise.Exercise {
	if b.Play == nil {
		return nil
	}
	for _, e := range b.Exercises {
		if e.OfLesson() && exercisePage(e) == page {
			return e
		}
	}
	return nil
}

// yourTurn adds the task of a lesson as a place to work, with its hints and its solution,
// in the place of the notebook's cells for these: the stub, the calls that judge it, and
// the one that asks for hints. It returns how many of the cells these are.
func (b *builder) yourTurn(s *sheet, doc *page.Builder, e *exercise.Exercise, cells roles) (int, error) {
	hint := slices.IndexFunc(cells, func(c *nbformat.Cell) bool { return strings.Contains(c.Source, e.Package()+".Hint(") })
	if hint < 0 {
		return 0, fmt.Errorf("no cell calls %s.Hint", e.Package())
	}
	err := b.work(s, doc, e, func() {
		for i, c := range cells[:hint] {
			if c.Type == nbformat.Code {
				doc.Cell(fmt.Sprintf("cell %d (%s)", i+1, c.ID), c)
			}
		}
	})
	if err != nil {
		return 0, err
	}
	for i := range e.Hints {
		if err := b.hint(doc, e, i); err != nil {
			return 0, err
		}
	}
	derivation, err := b.Expand(e.Derivation, path.Join("exercises", e.LearnerPath()))
	doc.Fold("solution", "Show the derivation and the reference answer", func() {
		doc.Markdown("derivation", derivation)
		doc.HTML(string(page.Code("go", e.Answer.Solution.Source)))
	})
	return hint + 1, err
}
