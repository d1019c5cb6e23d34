package runner

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"html"
	"net/url"
	"strings"

	"github.com/microcosm-cc/bluemonday"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbformat"
)

// pageJob is what runner.py needs to make a page.
type pageJob struct {
	Notebook  string `json:"notebook"` // the text of the file
	Name      string `json:"name"`     // the page's title
	MathJax   string `json:"mathjax_url"`
	RequireJS string `json:"require_js_url"`
}

// Debian's nbconvert links MathJax and RequireJS on the machine that made the
// page; these are where nbconvert itself looks for them elsewhere. With "Safe"
// MathJax makes no links to scripts.
const (
	mathJax   = "https://cdnjs.cloudflare.com/ajax/libs/mathjax/2.7.7/latest.js?config=TeX-AMS_CHTML-full,Safe"
	requireJS = "https://cdnjs.cloudflare.com/ajax/libs/require.js/2.1.10/require.min.js"
)

// page makes a notebook an HTML page; name becomes its title. Unless o.Trust, what
// the notebook brings is shown without its scripts.
func (o Options) page(ctx context.Context, name string, nb *nbformat.Notebook) (_ []byte, err error) {
	title := name
	if !o.Trust {
		// What stands in the head of the page is ours: the name comes into it later,
		// the notebook's own metadata, which may hold a title, do not.
		title, nb = placeholder, &nbformat.Notebook{Cells: nb.Cells, Metadata: nbformat.New().Metadata}
	}
	text, err := nb.Marshal()
	if err != nil {
		return nil, err
	}
	s, err := open(o.Kernel, job{Page: &pageJob{Notebook: string(text), Name: title, MathJax: mathJax, RequireJS: requireJS}})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.close()) }()
	select {
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	case e := <-s.events:
		switch {
		case e.Event != "page":
			return nil, fmt.Errorf("nbconvert: %s", firstOf(e.Message, s.lastWords()))
		case o.Trust:
			return []byte(e.Text), nil
		}
		return harmless([]byte(e.Text), name)
	}
}

// placeholder is the title that a page has before it gets its name.
const placeholder = "hyperplane-page"

// harmless returns a page of nbconvert with the title name and with only what the
// policy lets through in its body, which is all that comes from the notebook.
func harmless(page []byte, name string) ([]byte, error) {
	head, body, found := bytes.Cut(page, []byte("<body"))
	attributes, body, closed := bytes.Cut(body, []byte(">"))
	if !found || !closed {
		return nil, errors.New("nbconvert made a page without a body")
	}
	var b bytes.Buffer
	b.Write(bytes.Replace(head, []byte(placeholder), []byte(html.EscapeString(name)), 1))
	b.WriteString("<body")
	b.Write(attributes)
	b.WriteString(">")
	b.Write(pagePolicy.SanitizeBytes(body))
	b.WriteString("</body>\n</html>\n")
	return b.Bytes(), nil
}

// pagePolicy lets through text, tables, links, pictures, and what of classes and
// styles the page of a notebook is made of. Of scripts, frames, forms and drawings
// in the page itself nothing is left, not their text either. A drawing in a picture
// (data:image/svg+xml) stays: there no script runs.
var pagePolicy = func() *bluemonday.Policy {
	p := bluemonday.UGCPolicy()
	p.RequireNoFollowOnLinks(false)
	p.AllowElements("main", "caption")
	p.AllowAttrs("class").Globally()
	p.AllowDataAttributes()
	p.AllowStyles("color", "background-color", "opacity", "text-align", "vertical-align", "white-space",
		"font-weight", "font-style", "font-family", "font-size", "width", "max-width", "height", "margin", "padding",
		"border", "border-collapse", "line-height", "display").Globally()
	p.AllowURLSchemeWithCustomPolicy("data", func(u *url.URL) bool { return strings.HasPrefix(u.Opaque, "image/") })
	return p
}()
