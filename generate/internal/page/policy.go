package page

import (
	"net/url"
	"strings"

	"github.com/microcosm-cc/bluemonday"
)

// policy lets through text, tables, links, pictures, and what of classes and styles
// the outputs of this project are made of. Of scripts, frames, forms and drawings in
// the page itself nothing is left, not their text either. A drawing in a picture
// (data:image/svg+xml) stays: there no script runs.
var policy = func() *bluemonday.Policy {
	p := bluemonday.UGCPolicy()
	p.RequireNoFollowOnLinks(false)
	p.AllowElements("caption")
	p.AllowAttrs("class").Globally()
	p.AllowDataAttributes()
	p.AllowStyles("color", "background-color", "opacity", "text-align", "vertical-align", "white-space",
		"font-weight", "font-style", "font-family", "font-size", "width", "max-width", "height", "margin", "padding",
		"border", "border-collapse", "line-height", "display").Globally()
	p.AllowURLSchemeWithCustomPolicy("data", func(u *url.URL) bool { return strings.HasPrefix(u.Opaque, "image/") })
	return p
}()
