package figures

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

// An Entry of the catalogue is one figure.
type Entry struct {
	ID      string // "fig-prml-4.4"
	Title   string
	Source  string // the figure whose point it makes
	LookFor string // what to look for, one or two sentences
	Call    string // Go code that draws it
	// Parameters are the options with their defaults filled in, nil if there are none.
	Parameters any
	Seed       *uint64 // of its random data; nil if there are none
	// Draw draws the printed form.
	Draw func() (*show.Figure, error)
	// Chart makes the interactive form and ChartCall is the Go code for it; nil and
	// "" where there is only the printed one.
	Chart     func() (*show.Chart, error)
	ChartCall string
}

// All returns the catalogue: PRML, Alpaydin, Gambosi, each in the order of the
// source.
func All() []Entry {
	return []Entry{prml4x1Entry(), prml4x2Entry(), prml4x3Entry(), prml4x4Entry(), prml4x5Entry(), prml4x6Entry(), prml4x7Entry(), prml4x8Entry(), prml4x9Entry(), prml4x10Entry(), prml4x11Entry(), prml4x12Entry(), prml4x13Entry(), prml4x14Entry(), alpaydin10x1Entry(), alpaydin10x2Entry(), alpaydin10x3Entry(), alpaydin10x4Entry(), alpaydin10x5Entry(), alpaydin10x6Entry(), alpaydin10x7Entry(), alpaydin10x8Entry(), alpaydin10x9Entry(), alpaydin10x10Entry(), gambosiSigmoidEntry(), gambosiGDAEntry(), gambosiQDAEntry(), gambosiNewtonEntry()}
}

// Find returns the entry with that id; "fig-" may be left out. An unknown id is
// an error that suggests the nearest one.
func Find(id string) (Entry, error) {
	want := strings.ToLower(strings.TrimSpace(id))
	if !strings.HasPrefix(want, "fig-") {
		want = "fig-" + want
	}
	best, distance := "", 0
	for _, e := range All() {
		if e.ID == want {
			return e, nil
		}
		if d := editDistance(want, e.ID); best == "" || d < distance {
			best, distance = e.ID, d
		}
	}
	return Entry{}, fmt.Errorf("figures: no figure %q; did you mean %s?", id, best)
}

// editDistance returns how many letters must be changed, put in or left out to
// turn a into b.
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}

// entry completes an entry with what follows from the function that draws the figure,
// and from the one that makes its chart, nil if there is none: both are named after
// their options.
func entry[O interface{ filled() O }](e Entry, draw func(O) (*show.Figure, error), chart func(O) (*show.Chart, error)) Entry {
	var zero O
	options := reflect.TypeOf(zero).Name()
	call := func(kind string) string {
		return "figures." + strings.TrimSuffix(options, "Options") + kind + "(figures." + options + "{})"
	}
	o := zero.filled()
	e.Parameters = o
	if seed := reflect.ValueOf(o).FieldByName("Seed"); seed.IsValid() {
		n := seed.Uint()
		e.Seed = &n
	}
	e.Call, e.Draw = call(""), func() (*show.Figure, error) { return draw(zero) }
	if chart != nil {
		e.ChartCall, e.Chart = call("Chart"), func() (*show.Chart, error) { return chart(zero) }
	}
	return e
}

// filled returns the options with their defaults in place of zeros and of slices
// without entries.
func filled[O any](o, defaults O) O {
	v, d := reflect.ValueOf(&o).Elem(), reflect.ValueOf(defaults)
	for i := range v.NumField() {
		if f := v.Field(i); f.IsZero() || f.Kind() == reflect.Slice && f.Len() == 0 {
			f.Set(d.Field(i))
		}
	}
	return o
}

// named puts the name of a figure before the error that it returns.
func named(figure string, err *error) {
	if *err != nil {
		*err = fmt.Errorf("figures: %s: %w", figure, *err)
	}
}
