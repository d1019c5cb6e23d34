package site

import (
	"encoding/json"
	"strings"
)

// searchPage adds the search page. Its script is the script site.js that all pages load.
func (b *builder) searchPage() error {
	s := &sheet{Path: "search.html"}
	doc := b.page(s.Path, "")
	doc.Markdown("", "# Search\n\nThe search covers the titles, headings and texts of all pages, but not the hints and solutions.")
	doc.HTML(`<form class="search" role="search"><label for="query">Words</label> <input id="query" name="q" type="search" autocomplete="off"></form>
<p id="found" role="status"></p>
<ol id="results"></ol>
<noscript><p>The search needs JavaScript. Without JavaScript, use your browser's search within a page: all equations are on <a href="equations.html">one page</a>, and so are the <a href="exercises.html">exercises</a>.</p></noscript>
`)
	return b.add(s, s.Path, doc)
}

// found is a section of a page in the search index.
type found struct {
	Page    int    `json:"p"` // index of the page
	ID      string `json:"i,omitempty"`
	Heading string `json:"h,omitempty"`
	Text    string `json:"t,omitempty"`
}

// searchIndex returns the search index as a script, because a page opened from disk may read
// scripts but no other files.
func (b *builder) searchIndex() ([]byte, error) {
	index := struct {
		Pages    [][2]string `json:"pages"` // path, title
		Sections []found     `json:"sections"`
	}{}
	for i, s := range b.sheets {
		index.Pages = append(index.Pages, [2]string{s.Path, s.Title()})
		for _, part := range s.Doc.Sections {
			f := found{i, part.ID, part.Heading, strings.Join(strings.Fields(part.Text), " ")}
			if f.Heading != "" || f.Text != "" {
				index.Sections = append(index.Sections, f)
			}
		}
	}
	text, err := json.Marshal(index)
	if err != nil {
		return nil, err
	}
	return append(append([]byte("globalThis.hyperplaneSearch = "), text...), ";\n"...), nil
}
