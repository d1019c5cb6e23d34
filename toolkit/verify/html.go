package verify

import (
	"fmt"
	"html"
	"strings"
)

// HTML is the report as a table. Styles stand in the elements because an
// untrusted notebook keeps those and drops style sheets; outcome and mark are
// words and signs as well as colours.
func (r *Report) HTML() string {
	var b strings.Builder
	fmt.Fprintf(&b, "<table><caption style=\"text-align:left\"><b>%s</b> · %s%s</caption>\n", html.EscapeString(r.Exercise), html.EscapeString(r.Title), r.variant())
	for i, p := range r.Parts {
		note := strings.ReplaceAll(html.EscapeString(r.note(p)), "\n", "<br>")
		fmt.Fprintf(&b, "<tr><td style=\"text-align:left;vertical-align:top;white-space:nowrap;color:%s\"><b>%s&nbsp;%s</b></td><td style=\"text-align:left\">%s",
			colour(p.Outcome), mark(p.Outcome), p.Outcome, html.EscapeString(r.numbered(i)))
		if note != "" {
			fmt.Fprintf(&b, "<br><span style=\"opacity:0.8\">%s</span>", note)
		}
		b.WriteString("</td></tr>\n")
	}
	fmt.Fprintf(&b, "<tr><td style=\"text-align:left\" colspan=\"2\">%s</td></tr></table>\n", html.EscapeString(r.Summary()))
	return b.String()
}

// colour is from a palette that colour-blind readers can tell apart.
func colour(o Outcome) string {
	switch o {
	case Right:
		return "#00796b"
	case NotRun, NotAttempted:
		return "#757575"
	}
	return "#c2410c"
}
