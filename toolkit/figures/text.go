package figures

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

// The numbers of figures, and those in titles and labels.

// column returns a column that is there.
func column(d show.Data, name string) []float64 {
	v, ok := d.Column(name)
	need(ok, "there are no numbers %q", name)
	return v
}

// single returns the number of a column of one.
func single(d show.Data, name string) float64 {
	v := column(d, name)
	need(len(v) == 1, "there are %d numbers %q, not one", len(v), name)
	return v[0]
}

// tidy rounds away what is left of a sum that is a short number.
func tidy(v float64) float64 { return math.Round(v*1e9)/1e9 + 0 }

// short writes a number with three digits, to be read.
func short(v float64) string { return minus(strconv.FormatFloat(tidy(v), 'g', 3, 64)) }

// decimals writes numbers with n decimals, for a title.
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

// minus writes the sign as it is printed.
func minus(s string) string { return strings.ReplaceAll(s, "-", "−") }

// plural counts things.
func plural(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// mistaken says how many of n points are on the wrong side.
func mistaken(wrong, n int) string { return fmt.Sprintf("%d of %d points wrong", wrong, n) }

// labelled writes the positions of a slider.
func labelled(values []float64, unit string) []string {
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = minus(strconv.FormatFloat(v, 'g', 6, 64)) + unit
	}
	return out
}

// counted writes the positions of a slider that counts.
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

// sliders returns the chart of the figures that draw makes for positions of sliders.
func sliders(draw func(at []int) *show.Figure, sliders ...show.Slider) *show.Chart {
	return try(show.Sliders(func(at []int) (fig *show.Figure, err error) {
		defer func() { caught(recover(), &err) }()
		return draw(at), nil
	}, sliders...))
}
