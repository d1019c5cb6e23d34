package figures

import (
	"math"
	"strconv"
	"strings"

	"github.com/hyperplane-notebooks/hyperplane/toolkit/show"
)

// The numbers in titles and labels of charts.

// tidy rounds away what is left of a sum that is a short number.
func tidy(v float64) float64 { return math.Round(v*1e9)/1e9 + 0 }

// short writes a number with three digits, to be read.
func short(v float64) string { return minus(strconv.FormatFloat(tidy(v), 'g', 3, 64)) }

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

// minus writes the sign as it is printed.
func minus(s string) string { return strings.ReplaceAll(s, "-", "−") }

// single is the number of a column of one, NaN if there is no such column.
func single(fig *show.Figure, name string) float64 {
	if v, _ := fig.Data().Column(name); len(v) == 1 {
		return v[0]
	}
	return math.NaN()
}
