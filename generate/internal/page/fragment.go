package page

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/microcosm-cc/bluemonday"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// addFragment adds a piece of HTML to the page. It closes elements that the piece leaves open and
// converts formulas to MathML. It also applies Options.Link to links and pictures, puts each table
// into a box that can scroll sideways, and moves the scripts of charts to Document.Charts. If the
// notebook is not trusted, addFragment first sanitizes the HTML. The parameter `text` is true for
// Markdown, including Markdown in outputs, and for texts of the site. In these texts, addFragment also
// gives headings their ids and records headings and text for the search. For outputs in other formats,
// `text` is false.
func (b *Builder) addFragment(source string, formulas []math, text bool) error {
	if !b.o.Trust {
		source = policy.Sanitize(source)
	}
	nodes, err := html.ParseFragment(strings.NewReader(source),
		&html.Node{Type: html.ElementNode, Data: "div", DataAtom: atom.Div})
	if err != nil {
		return err
	}
	root := &html.Node{Type: html.ElementNode, Data: "div", DataAtom: atom.Div}
	for _, n := range nodes {
		root.AppendChild(n)
	}
	f := fragment{b, formulas, text}
	if err := f.children(root); err != nil {
		return err
	}
	for n := range root.ChildNodes() {
		if err := html.Render(&b.body, n); err != nil {
			return err
		}
	}
	return nil
}

type fragment struct {
	*Builder
	formulas []math
	text     bool
}

func (f fragment) children(parent *html.Node) error {
	// Collect the children first, because f.node can replace nodes during the loop.
	for _, n := range slices.Collect(parent.ChildNodes()) {
		if n.Parent != parent {
			continue // this child was removed together with an earlier child
		}
		if err := f.node(n); err != nil {
			return err
		}
	}
	return nil
}

func (f fragment) node(n *html.Node) error {
	switch n.Type {
	case html.TextNode:
		return f.addWords(n)
	case html.ElementNode:
	default:
		return nil
	}
	for i, a := range n.Attr { // an attribute cannot contain MathML, so keep the LaTeX source of its formulas
		n.Attr[i].Val = f.restoreFormulas(a.Val)
		if a.Key == "id" {
			f.taken[a.Val] = true
		}
	}
	before := f.doc.Sections[len(f.doc.Sections)-1].Text
	if err := f.children(n); err != nil {
		return err
	}
	switch n.DataAtom {
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		if f.text {
			f.setHeading(n, before)
		}
	case atom.A:
		return f.replaceLink(n, "href")
	case atom.Img:
		return f.replaceLink(n, "src")
	case atom.Table:
		box := &html.Node{Type: html.ElementNode, Data: "div", DataAtom: atom.Div,
			Attr: []html.Attribute{{Key: "class", Val: "wide"}}}
		n.Parent.InsertBefore(box, n)
		n.Parent.RemoveChild(n)
		box.AppendChild(n)
	case atom.Div:
		if Attribute(n, "class") == "hyperplane-chart" {
			f.moveChart(n)
		}
	}
	return nil
}

// addWords converts the formulas in a text node. If f.text is true and the node is not in a fold, it
// also adds the text to the current section for the search. In the text of a script or a style sheet,
// addWords only restores the LaTeX source of the formulas.
func (f fragment) addWords(n *html.Node) error {
	if p := n.Parent.DataAtom; p == atom.Script || p == atom.Style {
		n.Data = f.restoreFormulas(n.Data)
		return nil
	}
	if f.text && f.folds == 0 {
		last := &f.doc.Sections[len(f.doc.Sections)-1]
		f.eachMark(n.Data, func(s string) { last.Text += s }, func(i int) {
			text, err := f.o.Formulas.MathML(f.formulas[i].latex, f.formulas[i].display)
			if err == nil { // the code below converts the formula again and reports an error
				last.Text += Separator + mathText(text) + Separator
			}
		})
	}
	if !mark.MatchString(n.Data) {
		return nil
	}
	var failed error
	var last *html.Node // the formula that was added last; nil if a text was added after that formula
	add := func(new *html.Node) { n.Parent.InsertBefore(new, n) }
	f.eachMark(n.Data, func(s string) {
		if rest := strings.TrimLeft(s, ".,;:!?)”’"); last != nil && rest != s {
			last.AppendChild(&html.Node{Type: html.TextNode, Data: s[:len(s)-len(rest)]})
			s = rest
		}
		add(&html.Node{Type: html.TextNode, Data: s})
		last = nil
	}, func(i int) {
		m := f.formulas[i]
		text, err := f.o.Formulas.MathML(m.latex, m.display)
		last = &html.Node{Type: html.ElementNode, Data: "span", DataAtom: atom.Span}
		// The class prevents line breaks in a short formula, and between it and the punctuation after it.
		if len(m.latex) < 40 {
			last.Attr = []html.Attribute{{Key: "class", Val: "formula"}}
		}
		switch {
		case err == nil:
			last.AppendChild(&html.Node{Type: html.RawNode, Data: text})
		case f.o.Strict:
			failed = err
		default:
			code := &html.Node{Type: html.ElementNode, Data: "code", DataAtom: atom.Code}
			code.AppendChild(&html.Node{Type: html.TextNode, Data: m.source()})
			last.AppendChild(code)
		}
		add(last)
	})
	n.Parent.RemoveChild(n)
	return failed
}

// eachMark is like the function eachMark, but passes a mark without a formula to `plain` as a
// replacement character. Only character references in the notebook's own text can make such a mark.
func (f fragment) eachMark(s string, plain func(string), formula func(int)) {
	eachMark(s, plain, func(i int) {
		if i < len(f.formulas) {
			formula(i)
		} else {
			plain("\uFFFD")
		}
	})
}

// restoreFormulas replaces the marks in a text with the LaTeX source of their formulas.
func (f fragment) restoreFormulas(s string) string {
	var b strings.Builder
	f.eachMark(s, func(s string) { b.WriteString(s) }, func(i int) {
		b.WriteString(f.formulas[i].source())
	})
	return b.String()
}

// setHeading gives a heading an id as Jupyter would, unless the heading, or the article or section
// that contains it, already has an id. It records a heading of level 1, 2 or 3 in the document, unless
// the heading is in a fold.
func (f fragment) setHeading(n *html.Node, before string) {
	text := strings.TrimSpace(textOf(n))
	id := Attribute(n, "id")
	if p := n.Parent.DataAtom; id == "" && (p == atom.Article || p == atom.Section) {
		id = Attribute(n.Parent, "id")
	}
	if id == "" {
		id = strings.ReplaceAll(text, " ", "-")
		for i, first := 2, id; f.taken[id] || id == ""; i++ {
			id = fmt.Sprintf("%s-%d", first, i)
		}
		n.Attr = append(n.Attr, html.Attribute{Key: "id", Val: id})
	}
	f.taken[id] = true
	if f.folds > 0 {
		return
	}
	switch level := int(n.Data[1] - '0'); {
	case level == 1 && f.doc.Title == "":
		f.doc.Title = text
		fallthrough
	case level == 1:
		f.beginSection(id, text, before)
	case level <= 3:
		f.doc.Headings = append(f.doc.Headings, Heading{level, id, text})
		f.beginSection(id, text, before)
	}
}

// beginSection begins a new section. The text of the previous section already ends with the new
// heading, so beginSection removes the heading from that text.
func (f fragment) beginSection(id, heading, before string) {
	f.doc.Sections[len(f.doc.Sections)-1].Text = before
	f.doc.Sections = append(f.doc.Sections, Section{ID: id, Heading: heading})
}

// replaceLink replaces the address of a link or picture with the result of Options.Link. If the result is
// "", it removes the picture, or the link but not the text of the link. It does not change an address
// that Options.Keep has returned.
func (f fragment) replaceLink(n *html.Node, key string) error {
	i := slices.IndexFunc(n.Attr, func(a html.Attribute) bool { return a.Key == key })
	if i < 0 || f.o.Link == nil || f.kept[n.Attr[i].Val] {
		return nil
	}
	to, err := f.o.Link(n.Attr[i].Val)
	if n.Attr[i].Val = to; err != nil || to != "" {
		return err
	}
	for _, c := range slices.Collect(n.ChildNodes()) { // if the new address is "", keep only the text of the link
		n.RemoveChild(c)
		n.Parent.InsertBefore(c, n)
	}
	n.Parent.RemoveChild(n)
	return nil
}

// moveChart moves the script that follows a chart's placeholder from the page to Document.Charts.
func (f fragment) moveChart(place *html.Node) {
	next := place.NextSibling
	for next != nil && next.Type == html.TextNode && strings.TrimSpace(next.Data) == "" {
		next = next.NextSibling
	}
	if next == nil || next.DataAtom != atom.Script || next.FirstChild == nil {
		return
	}
	f.doc.Charts = append(f.doc.Charts, Chart{Attribute(place, "data-key"), next.FirstChild.Data})
	next.Parent.RemoveChild(next)
}

// Attribute returns the value of an attribute of n, or "" if n does not have the attribute.
func Attribute(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

// textOf returns the text of a node, without its formulas.
func textOf(n *html.Node) string {
	if n.Type == html.TextNode {
		return n.Data
	}
	var b strings.Builder
	for c := range n.ChildNodes() {
		b.WriteString(textOf(c))
	}
	return b.String()
}

// policy allows text, tables, links, pictures, all classes and data attributes, and the style properties
// that hyperplane's outputs use. It removes scripts, style sheets and frames together with their text.
// It also removes form elements and inline SVG elements, but keeps the text inside them. It keeps an SVG
// image in an <img> (data:image/svg+xml), because browsers do not run scripts in images.
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
