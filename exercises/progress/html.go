package progress

import (
	"fmt"
	"html"
	"strings"
)

// HTML is the table for a notebook. Styles stand in the elements because an
// untrusted notebook keeps those and drops style sheets; states are words as
// well as colours.
func (t *Table) HTML() string {
	var b strings.Builder
	const left = " style=\"text-align:left\""
	fmt.Fprintf(&b, "<p>%s</p>\n", html.EscapeString(t.Summary()))
	for _, line := range t.remarks() {
		fmt.Fprintf(&b, "<p>%s</p>\n", html.EscapeString(line))
	}
	b.WriteString("<table><tr>")
	for _, h := range heads {
		fmt.Fprintf(&b, "<th%s>%s</th>", left, h)
	}
	b.WriteString("</tr>\n")
	for i, r := range t.Rows {
		if book := r.book(); i == 0 || book != t.Rows[i-1].book() {
			fmt.Fprintf(&b, "<tr><td%s colspan=\"%d\"><b>%s</b></td></tr>\n", left, len(heads), html.EscapeString(book))
		}
		fmt.Fprintf(&b, "<tr><td%s>%s</td><td%s>%s</td>", left, html.EscapeString(r.number()), left, html.EscapeString(r.Title))
		for k, fact := range r.facts() {
			style := "text-align:left"
			if k == 0 {
				style += ";white-space:nowrap;color:" + colour(r.State)
			}
			fmt.Fprintf(&b, "<td style=\"%s\">%s</td>", style, html.EscapeString(fact))
		}
		b.WriteString("</tr>\n")
	}
	b.WriteString("</table>\n")
	return b.String()
}

// colour is from the palette of the reports, which colour-blind readers can tell
// apart.
func colour(s State) string {
	switch s {
	case Passed:
		return "#00796b"
	case Tried:
		return "#c2410c"
	case Revealed:
		return "#6d4c91"
	}
	return "#757575"
}
