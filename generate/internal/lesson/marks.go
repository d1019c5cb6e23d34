package lesson

import (
	"regexp"
	"strings"
)

// A Cover says that a cell treats a section of a source.
type Cover struct {
	Section string // "PRML 4.1.7"
	Cell    string // id of the cell
}

// A Quote is a number in a sentence that the cells of the same section print.
type Quote struct {
	Number string // as it is written
	Prefix string // of the ids of the cells that print it
}

var (
	covers = regexp.MustCompile(`(?m)^<!-- covers: (.+?) -->\n?`)
	quoted = regexp.MustCompile(`\{=([^{}]+)\}`)
)

// read takes the marks out of a text, which are for the gates, and keeps what they say:
//
//	<!-- covers: PRML 4.1.7; Alpaydin 10.3 -->   this cell treats these sections
//	{=0.0775}                                    a cell of this section prints this number
func (l *Lesson) read(text, section, id string) string {
	for _, m := range covers.FindAllStringSubmatch(text, -1) {
		for s := range strings.SplitSeq(m[1], ";") {
			l.Covers = append(l.Covers, Cover{strings.TrimSpace(s), id})
		}
	}
	text = strings.TrimSpace(covers.ReplaceAllString(text, ""))
	return quoted.ReplaceAllStringFunc(text, func(m string) string {
		number := quoted.FindStringSubmatch(m)[1]
		l.Quotes = append(l.Quotes, Quote{number, strings.TrimSuffix(id, lastPart.FindString(id))})
		return number
	})
}

var lastPart = regexp.MustCompile(`[0-9]+$`)

// Printed reports whether a number stands in what cells printed, with the same digits.
func (q Quote) Printed(output string) bool {
	plain := strings.NewReplacer("−", "-", "\u2009", "", "\u202f", "")
	number := regexp.QuoteMeta(plain.Replace(q.Number))
	found, err := regexp.MatchString(`(^|[^0-9.])`+number+`($|[^0-9.]|\.($|[^0-9]))`, plain.Replace(output))
	return err == nil && found
}
