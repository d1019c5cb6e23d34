package equations

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

var (
	// citedNumber matches a number in a citation, or a range such as (4.90)–(4.92).
	citedNumber = regexp.MustCompile(`\(([\w.-]+)\)(?:\s*–\s*\(([\w.-]+)\))?`)
	// equationsParagraph matches the lines of a doc comment from a line that begins with "Equations:"
	// to the end of the paragraph.
	equationsParagraph = regexp.MustCompile(`(?m)^Equations: ((?:.+\n?)+)`)
	macro              = regexp.MustCompile(`\{eq:([\w.-]+)\}`)
	// macroRange matches a macro, or a range of macros such as {eq:prml-4.90}–{eq:prml-4.92}. In a
	// range, the source in the second macro is ignored.
	macroRange = regexp.MustCompile(`\{eq:(\w+)-([\w.-]+)\}(?:–\{eq:\w+-([\w.-]+)\})?`)
	// bareNumber matches a number such as (4.97) in a Markdown text. Numbers inside code, formulas
	// and links are not citations. To skip such numbers, the regular expression also matches whole
	// pieces of code, formulas and links. In such a match, the submatch for the number is empty.
	bareNumber = regexp.MustCompile("(?s)```.*?```|`[^`]*`" + `|\$\$.*?\$\$|\$[^$]*\$|\[[^\]]*\]\([^)]*\)|\((\d+\.\d+)\)`)
)

// Cited returns the ids of the equations in a citation such as "PRML (4.87), (4.90)–(4.92);
// Alpaydin (10.16)." If no source is named directly before a number, the number belongs to the
// source that was named last. If no source has been named yet, the number belongs to the source
// with the id `source`. Cited returns an error if the citation has a different form, if a name is
// unknown, if a range is invalid, or if a number has no source.
func (x *Index) Cited(citation, source string) (ids []string, err error) {
	for _, part := range strings.Split(citation, ";") {
		part = strings.Join(strings.Fields(strings.TrimRight(part, " .\n")), " ")
		name, _, ok := strings.Cut(part, "(")
		if !ok {
			return nil, fmt.Errorf("invalid equation %q: want a form such as %s (4.97)", part, x.exampleBook())
		}
		if name = strings.TrimSpace(name); name != "" {
			if source = x.table.sourceID(name); source == "" {
				return nil, fmt.Errorf("unknown source %q: want the name of a book, such as %s", name, x.exampleBook())
			}
		}
		if rest := strings.Trim(citedNumber.ReplaceAllString(strings.TrimPrefix(part, name), ""), " ,"); rest != "" ||
			source == "" {
			return nil, fmt.Errorf("invalid equations %q: want a form such as %s (4.87), (4.90)–(4.92)", part, x.exampleBook())
		}
		for _, m := range citedNumber.FindAllStringSubmatch(part, -1) {
			numbers, err := numbersBetween(m[1], m[2])
			if err != nil {
				return nil, err
			}
			for _, n := range numbers {
				ids = append(ids, source+"-"+n)
			}
		}
	}
	return ids, nil
}

// exampleBook returns the name of a book in the table, or BOOK if the table has no books. Messages
// show it as an example.
func (x *Index) exampleBook() string {
	if len(x.table.Books) == 0 {
		return "BOOK"
	}
	return x.table.Books[0].Name
}

func (t Table) sourceID(name string) string {
	for _, s := range t.Books {
		if s.Name == name {
			return s.ID
		}
	}
	return ""
}

// numbersBetween lists the numbers of the equations from `low` to `high`, for example 4.90, 4.91 and
// 4.92 for the range from 4.90 to 4.92. If `high` is "", it returns only `low`.
func numbersBetween(low, high string) ([]string, error) {
	if high == "" {
		return []string{low}, nil
	}
	chapter, first, ok1 := strings.Cut(low, ".")
	other, last, ok2 := strings.Cut(high, ".")
	a, err1 := strconv.Atoi(first)
	b, err2 := strconv.Atoi(last)
	if !ok1 || !ok2 || chapter != other || err1 != nil || err2 != nil || b <= a {
		return nil, fmt.Errorf("invalid range (%s)–(%s): want increasing numbers of one chapter", low, high)
	}
	var numbers []string
	for ; a <= b; a++ {
		numbers = append(numbers, fmt.Sprintf("%s.%d", chapter, a))
	}
	return numbers, nil
}

// equationsOfDoc returns the ids of the equations that a doc comment lists after "Equations:".
func (x *Index) equationsOfDoc(doc string) (ids []string, err error) {
	for _, m := range equationsParagraph.FindAllStringSubmatch(doc, -1) {
		more, err := x.Cited(m[1], "")
		if err != nil {
			return nil, err
		}
		ids = append(ids, more...)
	}
	return ids, nil
}

// Expand replaces each macro such as {eq:prml-4.97} in a text with a link to the equation. `page` is
// the address of the page that contains the equations. If `page` is "", Expand inserts the number
// without a link. If an id is unknown, Expand returns an error.
func (x *Index) Expand(text, page string) (string, error) {
	var unknown []string
	out := macro.ReplaceAllStringFunc(text, func(m string) string {
		id := macro.FindStringSubmatch(m)[1]
		e := x.byID[id]
		switch {
		case e == nil:
			unknown = append(unknown, id)
			return m
		case page == "":
			return e.Number
		}
		return fmt.Sprintf("[%s](%s#%s)", e.Number, page, id)
	})
	if len(unknown) > 0 {
		return "", fmt.Errorf("there is no equation %s in %s", strings.Join(unknown, ", "), x.table.Dir)
	}
	return out, nil
}

// Numbers replaces each number such as (4.97) in a Markdown text with a link to the equation in the
// given page. It changes neither numbers inside code, formulas and links, nor numbers that no
// equation has.
func (x *Index) Numbers(text, page string) string {
	return bareNumber.ReplaceAllStringFunc(text, func(m string) string {
		if e := x.findNumber(bareNumber.FindStringSubmatch(m)[1]); e != nil {
			return fmt.Sprintf("[%s](%s#%s)", e.Number, page, e.ID)
		}
		return m
	})
}

// findNumber returns the equation with a number such as 4.97, or nil if no equation has this
// number. The number determines the book, because different books have different chapter numbers.
func (x *Index) findNumber(number string) *Equation {
	for _, s := range x.table.Books {
		if e := x.byID[s.ID+"-"+number]; e != nil {
			return e
		}
	}
	return nil
}
