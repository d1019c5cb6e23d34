package site

import (
	"fmt"
	"html"
	"regexp"
	"strconv"
	"strings"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/nbformat"
	"github.com/hyperplane-notebooks/hyperplane/generate/internal/page"
)

// A guess is a reader's estimate of a number. A lesson asks for the guess before it shows the
// number. In the notebook, one cell declares the guess as exercises.NoGuess, and a later cell
// passes the guess to exercises.Guess. In the page, the first cell becomes a field. The page hides
// the second cell, and the comment on the answer in the text after this cell, until the reader has
// used the field. The script guess.js shows the field and unfolds the answer.
type guess struct {
	Key      string // key under which the browser stores the guess, such as "lesson-2:with eight giants"
	Constant string // name of the constant in the notebook
	What     string // description of the quantity to guess, as written in the call of exercises.Guess
	Note     string // comment after the constant, without phrases such as "your guess"; can be ""
	Says     string // text from exercises.Guess that ends with the right number; "" if the notebook has no such output
	Found    string // number in Says, as text

	answer *nbformat.Cell // cell that calls exercises.Guess, without the output of this call
}

var (
	guessDeclaration = regexp.MustCompile(`^const (\w+) = exercises\.NoGuess(?: // (.*))?$`)
	answered         = regexp.MustCompile(`exercises\.Guess\(("(?:[^"\\]|\\.)*"), (\w+),`)
	shown            = regexp.MustCompile(`^(.*: (\S+))\. You (?:made no guess:|said )`)
	aGuess           = regexp.MustCompile(`^your guess,? ?|in place of exercises\.NoGuess`)
)

// findGuesses finds the guesses in a notebook. It returns a map that contains each guess under two
// keys: the ids of the two cells of the guess.
func findGuesses(nb *nbformat.Notebook) (map[string]*guess, error) {
	found, open := map[string]*guess{}, map[string]*guess{}
	for _, c := range nb.Cells {
		if c.Type != nbformat.Code {
			continue
		}
		if m := guessDeclaration.FindStringSubmatch(strings.TrimSpace(c.Source)); m != nil {
			g := &guess{Constant: m[1], Note: strings.TrimSpace(aGuess.ReplaceAllString(m[2], ""))}
			found[c.ID], open[g.Constant] = g, g
		} else if strings.Contains(c.Source, "exercises.NoGuess") {
			return nil, fmt.Errorf("cell %s: invalid declaration of a guess: want a cell with nothing but const NAME = exercises.NoGuess // COMMENT", c.ID)
		}
		if m := answered.FindStringSubmatch(c.Source); m != nil {
			g := open[m[2]]
			if g == nil {
				return nil, fmt.Errorf("cell %s: no earlier cell declares %s as exercises.NoGuess, or an earlier cell has already used this guess", c.ID, m[2])
			}
			delete(open, g.Constant)
			var err error
			if g.What, err = strconv.Unquote(m[1]); err != nil {
				return nil, fmt.Errorf("cell %s: %w", c.ID, err)
			}
			lesson, _ := nbformat.OwnMetadata(c.Metadata)["lesson"].(string)
			g.Key = lesson + ":" + g.What
			g.setAnswer(c)
			found[c.ID] = g
		}
	}
	for name := range open {
		return nil, fmt.Errorf("no cell passes the guess %s to exercises.Guess", name)
	}
	return found, nil
}

// setAnswer stores the cell c, without the output of exercises.Guess, as the answer of g. It reads
// Says and Found from this output. In the committed notebook, this output is the text for a reader
// who has made no guess.
func (g *guess) setAnswer(c *nbformat.Cell) {
	rest := *c
	rest.Outputs = nil
	for _, o := range c.Outputs {
		text, _ := o.Data("text/plain").(string)
		if m := shown.FindStringSubmatch(text); m != nil && strings.HasPrefix(m[1], g.What+": ") {
			g.Says, g.Found = m[1], m[2]
			continue
		}
		rest.Outputs = append(rest.Outputs, o)
	}
	g.answer = &rest
}

// addField adds the field for the guess. If the browser runs no scripts, the field stays hidden,
// and the reader opens the answer as an ordinary fold.
func (g *guess) addField(doc *page.Builder) {
	description := g.What
	if g.Note != "" {
		description += " (" + g.Note + ")"
	}
	doc.HTML(fmt.Sprintf(`<form class="ask" data-guess="%[1]s" data-constant="%[2]s" hidden>
<label for="guess-%[2]s">Your guess</label>
<input id="guess-%[2]s" type="number" step="any" required autocomplete="off" aria-describedby="of-%[2]s">
<span id="of-%[2]s">%[3]s</span>
<button class="primary" type="submit">Show the answer</button>
<button class="quiet" type="button">No guess, show me</button>
</form>
`, html.EscapeString(g.Key), g.Constant, html.EscapeString(description)))
}

// addFound adds the sentence that states the right number, which the reader was asked to guess. The
// sentence is at the top of the folded answer. If Says is "", the sentence is empty.
func (g *guess) addFound(doc *page.Builder) {
	says := g.Says
	if says != "" {
		says += "."
	}
	doc.HTML(fmt.Sprintf("<p class=\"told\" data-answer=\"%s\" data-says=\"%s\" data-found=\"%s\">%s</p>\n",
		html.EscapeString(g.Key), html.EscapeString(g.Says), html.EscapeString(g.Found), html.EscapeString(says)))
}

// commentText divides the text that follows an answer into two parts, `inside` and `outside`. The
// page hides `inside` together with the answer, because this text may reveal the answer. The page
// always shows `outside`. If a code cell follows the text, `outside` is the last paragraph, which
// introduces the code, unless this paragraph is itself a fold. In all other cases, the whole text is
// `inside`. The argument `cells` contains the cells after the answer. If the first cell is not a text
// or begins with a heading, both parts are empty. For an empty part, commentText returns nil.
func commentText(cells []*nbformat.Cell) (inside, outside *nbformat.Cell) {
	if len(cells) == 0 || cells[0].Type != nbformat.Markdown || strings.HasPrefix(cells[0].Source, "#") {
		return nil, nil
	}
	source, rest := cells[0].Source, ""
	if len(cells) > 1 && cells[1].Type == nbformat.Code && !strings.HasSuffix(source, "</details>") {
		i := strings.LastIndex("\n\n"+source, "\n\n")
		source, rest = strings.TrimSpace(source[:i]), source[i:]
	}
	part := func(source string) *nbformat.Cell {
		if source == "" {
			return nil
		}
		c := *cells[0]
		c.Source = source
		return &c
	}
	return part(source), part(rest)
}
