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

// An againPage is the page of an exercise that the site can offer to a learner for a second try.
type againPage struct {
	Title string `json:"title"` // title of the exercise; "" on the exercise's own page
	Page  string `json:"page"`  // address of the page, relative to the page with the offer
}

// againPages returns the pages of the exercises that differ between variants, in the form that
// work.js reads. The argument fromPage is the page that offers the second try.
func (b *builder) againPages(fromPage string, list ...*exercise.Exercise) (string, error) {
	pages := map[string]againPage{}
	for _, e := range list {
		if b.Play != nil && len(e.Varies()) > 0 {
			p := againPage{cmp.Or(e.Source, e.Title), relative(fromPage, exercisePage(e), "")}
			if fromPage == exercisePage(e) {
				p = againPage{Page: path.Base(fromPage)}
			}
			pages[e.ID] = p
		}
	}
	text, err := json.Marshal(pages)
	return string(text), err
}

// addYourWork adds two things to the start page: the exercises that the learner passed so long ago
// that a second try is useful, and the buttons for all data in the browser.
func (b *builder) addYourWork() error {
	start := b.sheets[0]
	pages, err := b.againPages(start.Path, b.Exercises...)
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
