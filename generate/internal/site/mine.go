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

// An againPage is the page of an exercise. The site can suggest that a learner continue with this
// exercise, or solve it a second time.
type againPage struct {
	Title string `json:"title"` // name of the exercise, such as "PRML 4.7"; "" on the exercise's own page
	Page  string `json:"page"`  // address of this page, relative to the page that shows the suggestion
}

// againPages returns the pages of the exercises in `list` that differ between variants, as JSON that
// work.js reads. On a site without editors, the result contains no pages. The argument fromPage is
// the page that shows the suggestions.
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

// addYourWork adds two elements to the start page. The script work.js fills them: the first with links
// to exercises that the learner passed more than two weeks ago and should solve again, the second with
// buttons that export, import or delete the learner's data in the browser.
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
