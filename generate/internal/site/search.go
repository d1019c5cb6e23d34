package site

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/cell"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/exercise"
)

// synonymTable is the table of synonyms. Its first lines explain the format.
//
//go:embed synonyms.txt
var synonymTable string

// about is a Markdown text with answers to questions about the site itself.
//
//go:embed about.md
var about string

// searchPage adds the search page. Below the results, the page answers questions about the site
// itself, so that the search also finds these answers.
func (b *builder) searchPage() error {
	s := &sheet{Path: "search.html", Kind: "finder"}
	doc := b.page(s.Path, "")
	doc.Markdown("", "# Search")
	doc.HTML(`<form class="search" role="search"><label for="query">Words or a number</label><input id="query" name="q" type="search" autocomplete="off"></form>
<div class="caption">
`)
	doc.Markdown("", "The search covers the titles, headings and texts of all pages, but not the hints and solutions. Not all words need to occur, and spelling mistakes are forgiven."+b.numbersFound())
	doc.HTML(`</div>
<p id="found" role="status"></p>
<ol id="results"></ol>
<noscript><p>The search needs JavaScript. Without JavaScript, use your browser's search within a page: all <a href="exercises.html">exercises</a> are on one page.</p></noscript>
`)
	text, toolkitOnly, _ := strings.Cut(about, "<!-- the toolkit's own course -->")
	if b.Title == "" {
		text += toolkitOnly
	}
	doc.Markdown("", cell.InCourse(text))
	return b.add(s, s.Path, doc)
}

// numbersFound returns a sentence about the numbers for which a reader can search. The sentence
// contains examples from this course. If the course has no exercises besides the tasks of lessons,
// numbersFound returns "".
func (b *builder) numbersFound() string {
	i := slices.IndexFunc(b.Exercises, func(e *exercise.Exercise) bool { return !e.OfLesson() })
	if i < 0 {
		return ""
	}
	e := b.Exercises[i]
	_, number, _ := strings.Cut(e.ID, "-")
	forms := []string{"ex " + number, e.Book.Cite(e.ID)}
	if b.hasFigures() {
		id := b.Figures.Manifest.Figures[0].ID
		forms = append(forms, "fig "+id[strings.LastIndex(id, "-")+1:])
	}
	if n := len(b.Index.Equations); n > 0 {
		forms = append(forms, "eq "+strings.Trim(b.Index.Equations[0].Number, "()"))
	}
	return " A number finds the exercise, equation, figure and section with this number: `" + strings.Join(forms, "`, `") + "`."
}

// A searchSection is an entry of the search index. It describes one section of a page.
type searchSection struct {
	Page    int    `json:"p"` // position of the page in the list of pages of the search index
	ID      string `json:"i,omitempty"`
	Heading string `json:"h,omitempty"`
	Text    string `json:"t,omitempty"`
	Label   string `json:"l,omitempty"` // name of an equation, figure or misprint in the section, for example "equation (4.97)"
}

// equationLinks matches the links from an equation to tests, lessons and exercises. The search
// index omits these links. Otherwise a search for the title of a lesson would also find the equations
// that link to the lesson.
var equationLinks = regexp.MustCompile(` (?:checked by|exercises|lessons): .*?( figures: | misprint: |$)`)

// searchIndex returns the search index as a script, because a page opened from disk may read
// scripts but no other files. Each page is a list with its path and its title. The list can also
// contain the page's label, such as "lesson 7", and the numbers of the book sections that the page
// treats.
func (b *builder) searchIndex() ([]byte, error) {
	index := struct {
		Pages    [][]any         `json:"pages"`
		Sections []searchSection `json:"sections"`
		Synonyms []string        `json:"synonyms"`
		Books    []string        `json:"books"` // words that mean a book in a query, such as the author
	}{}
	index.Books = []string{} // not nil, because JSON writes a nil list as null
	exercises := map[string]string{}
	for _, e := range b.Exercises {
		if _, number, _ := strings.Cut(e.ID, "-"); !e.OfLesson() {
			exercises[exercisePage(e)] = "exercise " + number
			for _, word := range []string{e.Book.ID, e.Book.Name, e.Book.Author} {
				if word = strings.ToLower(word); word != "" && !strings.Contains(word, " ") && !slices.Contains(index.Books, word) {
					index.Books = append(index.Books, word)
				}
			}
		}
	}
	figures := map[string]string{} // maps a figure's id to the text that the search finds
	for _, item := range b.Figures.Manifest.Figures {
		call, _, _ := strings.Cut(item.Call, "(")
		figures[item.ID] = strings.Join([]string{item.LookFor, item.Source, call}, " ")
	}
	for i, s := range b.sheets {
		entry := []any{s.Path, s.Title()}
		if label := exercises[s.Path]; label != "" {
			entry = append(entry, label)
		} else if m := lessonFile.FindStringSubmatch(s.Source); m != nil {
			nb, err := b.read(s.Source)
			if err != nil {
				return nil, err
			}
			entry = append(entry, "lesson "+m[1], bookSections(nb.Cells[0].Source))
		}
		index.Pages = append(index.Pages, entry)
		for _, part := range s.Doc.Sections {
			f := searchSection{i, part.ID, part.Heading, strings.Join(strings.Fields(part.Text), " "),
				labelOf(s.Path, part.ID, part.Heading)}
			if strings.HasPrefix(f.Label, "equation") {
				f.Text = equationLinks.ReplaceAllString(f.Text, "$1")
			} else if strings.HasPrefix(f.Label, "figure") {
				f.Text = figures[f.ID]
			}
			if f.Heading != "" || f.Text != "" {
				index.Sections = append(index.Sections, f)
			}
		}
	}
	index.Synonyms = synonyms()
	text, err := json.Marshal(index)
	if err != nil {
		return nil, err
	}
	return append(append([]byte("globalThis.hyperplaneSearch = "), text...), ";\n"...), nil
}

// synonyms returns the lines of the table of synonyms, without comments and blank lines.
func synonyms() (lines []string) {
	for line := range strings.Lines(synonymTable) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			lines = append(lines, line)
		}
	}
	return lines
}

var (
	lessonFile     = regexp.MustCompile(`^lessons/0*(\d+)-`)
	equationTitle  = regexp.MustCompile(`^\(.+\)$`)
	misprintTitle  = regexp.MustCompile(`^\p{Lu}+\d+$`)
	figureNumber   = regexp.MustCompile(`^[\d.]+`)
	sectionNumbers = regexp.MustCompile(`(\d+(?:\.\d+)*)(?:–(\d+(?:\.\d+)*))?`)
	books          = regexp.MustCompile(`\p{Lu}\pL* (\d+\.[\d.–, ]+)`)
)

// labelOf returns the label of an equation, a misprint or a figure on the pages of the equations and
// figures. For every other section, it returns "".
func labelOf(page, id, heading string) string {
	switch {
	case page == "equations.html" && equationTitle.MatchString(heading):
		return "equation " + heading
	case page == "equations.html" && misprintTitle.MatchString(heading):
		return "misprint " + heading
	case page == figuresPage && strings.HasPrefix(id, "fig-"):
		return strings.TrimSpace("figure " + figureNumber.FindString(heading))
	}
	return ""
}

// bookSections returns the numbers of the sections of books in a text from the head of a lesson,
// such as "PRML 4.3.1–4.3.3; Alpaydin 10.2". It also returns the sections within a range, here 4.3.2.
func bookSections(head string) []string {
	numbers := []string{}
	for _, book := range books.FindAllStringSubmatch(head, -1) {
		for _, m := range sectionNumbers.FindAllStringSubmatch(book[1], -1) {
			numbers = append(numbers, m[1])
			if m[2] == "" {
				continue
			}
			from, _ := strconv.Atoi(strings.TrimPrefix(path.Ext(m[1]), "."))
			to, _ := strconv.Atoi(strings.TrimPrefix(path.Ext(m[2]), "."))
			chapter := strings.TrimSuffix(m[2], path.Ext(m[2]))
			if strings.TrimSuffix(m[1], path.Ext(m[1])) == chapter {
				for n := from + 1; n < to; n++ {
					numbers = append(numbers, fmt.Sprintf("%s.%d", chapter, n))
				}
			}
			numbers = append(numbers, m[2])
		}
	}
	return numbers
}
