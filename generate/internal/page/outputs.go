package page

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"regexp"
	"slices"
	"strings"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbformat"
	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

// addOutputs adds the outputs of code cell c to the document.
func (b *Builder) addOutputs(c *nbformat.Cell) error {
	live, pictures := "", 0
	for _, o := range c.Outputs {
		if o.Data("image/png") != nil {
			pictures++
		}
	}
	// If the cell shows several pictures, add no chart, because it is not known which picture the
	// chart should replace.
	if b.o.Chart != nil && pictures <= 1 {
		var err error
		if live, err = b.o.Chart(c.Source); err != nil {
			return err
		}
	}
	for _, o := range c.Outputs {
		text := ""
		switch {
		// Skip the notebook's chart library, because the page adds its own copy.
		case o.Data(show.LibraryMIME) != nil:
			continue
		case live != "" && o.Data("image/png") != nil:
			text, live = live, ""
		case o.Type() == "display_data" || o.Type() == "execute_result":
			if source, ok := o.Data("text/markdown").(string); ok && o.Data("text/html") == nil {
				b.HTML("<div class=\"out text\">\n")
				if err := b.markdown(source); err != nil {
					return err
				}
				b.HTML("</div>\n")
				continue
			}
			text = b.picture(o)
		default:
			text = printedHTML(o)
		}
		if err := b.output(text); err != nil {
			return err
		}
	}
	return b.output(live) // if the interactive version has not replaced a picture, add it at the end
}

// hasPicture reports whether the outputs of a cell contain a PNG or SVG picture.
func hasPicture(c *nbformat.Cell) bool {
	return slices.ContainsFunc(c.Outputs, func(o nbformat.Output) bool {
		return o.Data("image/png") != nil || o.Data("image/svg+xml") != nil
	})
}

func (b *Builder) output(text string) error {
	if text == "" {
		return nil
	}
	b.HTML("<div class=\"out\">\n")
	err := b.addFragment(withoutMarks.Replace(text), nil, false)
	b.HTML("</div>\n")
	return err
}

// controlSequence matches a control sequence for a terminal.
var controlSequence = regexp.MustCompile(`\x1b\[[0-9;]*[A-Za-z]`)

// printedHTML returns the HTML for the text of a stream or an error.
func printedHTML(o nbformat.Output) string {
	name, text := o.Stream()
	if o.Type() == "error" {
		name = "error"
		lines, _ := o["traceback"].([]any)
		for _, line := range lines {
			text += fmt.Sprintln(line)
		}
		if text == "" {
			text = fmt.Sprintf("%v: %v", o["ename"], o["evalue"])
		}
	}
	if text == "" {
		return ""
	}
	return fmt.Sprintf("<pre class=\"%s\">%s</pre>\n", html.EscapeString(name),
		html.EscapeString(controlSequence.ReplaceAllString(text, "")))
}

// picture returns the HTML for a displayed output. If the output has several formats, picture
// chooses the first valid one of these: HTML, SVG, PNG, JPEG, plain text. If the output has none of
// them, picture returns "".
func (b *Builder) picture(o nbformat.Output) string {
	plain, _ := o.Data("text/plain").(string)
	if text, ok := o.Data("text/html").(string); ok {
		return text
	}
	for _, mime := range []string{"image/svg+xml", "image/png", "image/jpeg"} {
		data, ok := o.Data(mime).(string)
		if !ok {
			continue
		}
		alt := html.EscapeString(cmp.Or(strings.Join(strings.Fields(plain), " "), "What the cell draws"))
		if mime == "image/svg+xml" { // show it in an <img> element, where a browser runs no scripts of an SVG file
			tag := fmt.Sprintf("<img alt=\"%s\"%s src=\"%s\">\n", alt, width(o, mime), b.svg(data))
			if narrow, ok := o.Data(show.NarrowMIME).(string); ok {
				tag = "<picture><source media=\"(max-width: 44rem)\" srcset=\"" + b.svg(narrow) + "\">" + tag + "</picture>\n"
			}
			return tag
		}
		data = strings.Join(strings.Fields(data), "")
		if _, err := base64.StdEncoding.DecodeString(data); err != nil {
			continue // skip this format, because its data are not valid
		}
		return fmt.Sprintf("<img alt=\"%s\"%s src=\"data:%s;base64,%s\">\n", alt, width(o, mime), mime, data)
	}
	if plain == "" {
		return ""
	}
	return "<pre class=\"stdout\">" + html.EscapeString(plain) + "</pre>\n"
}

// svg returns the address of an SVG document: a data URL or, if Options.Keep is set, the address of
// a file.
func (b *Builder) svg(document string) string {
	if b.o.Keep != nil {
		href := b.o.Keep(".svg", []byte(document))
		b.kept[href] = true
		return html.EscapeString(href)
	}
	return "data:image/svg+xml;base64," + base64.StdEncoding.EncodeToString([]byte(document))
}

// width returns the width attribute of a picture, or "" if the output does not give a width. A picture
// that is wider than 600 pixels usually has several panels. Therefore it also gets a class, so that it
// scrolls sideways on a phone.
func width(o nbformat.Output, mime string) string {
	all, _ := o["metadata"].(map[string]any)
	properties, _ := all[mime].(map[string]any)
	n, ok := properties["width"].(json.Number)
	px, err := n.Int64()
	switch {
	case !ok || err != nil:
		return ""
	case px > 600:
		return fmt.Sprintf(" class=\"panels\" width=\"%d\"", px)
	}
	return fmt.Sprintf(" width=\"%d\"", px)
}
