package site

import (
	"cmp"
	"encoding/json"
	"fmt"
	"html"
	"html/template"
	"path"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/exercise"
)

// An againPage is the page of an exercise that a learner may be offered a second time.
type againPage struct {
	Title string `json:"title"` // "" on the exercise's own page
	Page  string `json:"page"`  // address relative to the page with the offer
}

// again returns the pages of the exercises that differ between variants, as work.js reads them.
// from is the page with the offer.
func (b *builder) again(from string, list ...*exercise.Exercise) (string, error) {
	pages := map[string]againPage{}
	for _, e := range list {
		if b.Play != nil && len(e.Varies()) > 0 {
			p := againPage{cmp.Or(e.Source, e.Title), relative(from, exercisePage(e), "")}
			if from == exercisePage(e) {
				p = againPage{Page: path.Base(from)}
			}
			pages[e.ID] = p
		}
	}
	text, err := json.Marshal(pages)
	return string(text), err
}

// yourWork adds to the start page what the learner passed so long ago that it is worth a second try,
// and the buttons for all that the browser keeps.
func (b *builder) yourWork() error {
	start := b.sheets[0]
	pages, err := b.again(start.Path, b.Exercises...)
	if err != nil {
		return err
	}
	offer := fmt.Sprintf("<p class=\"again\" data-again=\"%s\" hidden></p>\n", html.EscapeString(pages))
	start.Doc.Body = template.HTML(offer) + start.Doc.Body + `<section class="mine" aria-label="Your work">
<div data-work hidden></div>
</section>
`
	return nil
}
