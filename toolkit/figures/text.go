package figures

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

// Access to the numbers of figures, and formatting for titles and labels.

// column returns the column with the given name, which must exist.
func column(d show.Data, name string) []float64 {
	v, ok := d.Column(name)
	need(ok, "there are no numbers %q", name)
	return v
}

// single returns the only number of a column.
func single(d show.Data, name string) float64 {
	v := column(d, name)
	need(len(v) == 1, "there are %d numbers %q, want one", len(v), name)
	return v[0]
}

// tidy removes the rounding error of a sum that should be a short number.
func tidy(v float64) float64 { return math.Round(v*1e9)/1e9 + 0 }

// short formats a number with three digits.
func short(v float64) string { return minus(strconv.FormatFloat(tidy(v), 'g', 3, 64)) }

// decimals formats numbers with n decimals, for a title.
func decimals(n int, values ...float64) string {
	var out []string
	for _, v := range values {
		text := strconv.FormatFloat(v, 'f', n, 64)
		if strings.Trim(text, "-0.") == "" {
			text = strings.TrimPrefix(text, "-")
		}
		out = append(out, minus(text))
	}
	return strings.Join(out, ", ")
}

// minus replaces hyphens with minus signs.
func minus(s string) string { return strings.ReplaceAll(s, "-", "−") }

// plural returns a count with its noun in the singular or plural.
func plural(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// mistaken returns a text that reports how many of n points are wrong.
func mistaken(wrong, n int) string { return fmt.Sprintf("%d of %d points wrong", wrong, n) }

// labelled formats values with their unit as positions of a slider.
func labelled(values []float64, unit string) []string {
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = minus(strconv.FormatFloat(v, 'g', 6, 64)) + unit
	}
	return out
}

// counted formats integers as positions of a slider.
func counted(values []int) []string {
	out := make([]string, len(values))
	for i, n := range values {
		out[i] = strconv.Itoa(n)
	}
	return out
}

// upTo returns 0, 1, … n.
func upTo(n int) (all []int) {
	for i := range n + 1 {
		all = append(all, i)
	}
	return all
}

// sliders returns a chart with the figures that draw returns for all positions of the sliders.
func sliders(draw func(at []int) *show.Figure, sliders ...show.Slider) *show.Chart {
	return try(show.Sliders(func(at []int) (fig *show.Figure, err error) {
		defer func() { caught(recover(), &err) }()
		return draw(at), nil
	}, sliders...))
}
