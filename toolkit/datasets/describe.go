package datasets

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"gonum.org/v1/gonum/mat"
)

// Describe returns a summary as text: the size, the rows per class, a table of the features, and
// the source. The table contains for every feature the range, the mean, the standard deviation (the
// variance has the divisor N) and the number of different values. For an invalid data set, Describe
// returns the message of the error that Check returns.
func (d *Dataset) Describe() string {
	if err := d.Check(); err != nil {
		return err.Error() + "\n"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s, %s, %s\n\n", line(dataName(d.Name, "data set")), countText(d.N(), "row"),
		countText(d.D(), "feature"), countText(d.K(), "class"))
	grid(&b, func(row func(cells ...string)) {
		row("class", "rows", "share")
		for k, n := range d.Counts() {
			row(line(d.ClassNames[k]), strconv.Itoa(n), fmt.Sprintf("%.1f%%", 100*float64(n)/float64(d.N())))
		}
	})
	b.WriteByte('\n')
	grid(&b, func(row func(cells ...string)) {
		row("feature", "min", "mean", "max", "std", "different")
		for j, name := range d.FeatureNames {
			col := mat.Col(nil, j, d.X)
			mean, std := moments(col)
			slices.Sort(col)
			row(line(name), short(col[0]), short(mean), short(col[len(col)-1]), short(std),
				strconv.Itoa(len(slices.Compact(col))))
		}
	})
	if d.Source != "" {
		fmt.Fprintf(&b, "\n%s\n", strings.TrimSpace(d.Source))
	}
	return b.String()
}

// Describe returns a summary as text: the size, a table of the columns, and the source. The table
// contains for every column the kind ("class" for the class column), the number of missing values, the
// number of different values, and the range of the numbers or the first six levels. For an invalid
// table, Describe returns the message of the error that Check returns.
func (t *Table) Describe() string {
	if err := t.Check(); err != nil {
		return err.Error() + "\n"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s, %s\n\n", line(dataName(t.Name, "table")), countText(t.N(), "row"),
		countText(len(t.Columns), "column"))
	grid(&b, func(row func(cells ...string)) {
		row("column", "kind", "missing", "different", "values")
		for _, c := range t.Columns {
			kind, levels := c.Kind.String(), c.Levels()
			if c.Name == t.Label {
				kind = "class"
			}
			var values string
			switch {
			case len(levels) == 0:
			case c.Kind == KindNumeric:
				values = levels[0] + " … " + levels[len(levels)-1]
			default:
				const most = 6
				values = strings.Join(levels[:min(most, len(levels))], ", ")
				if len(levels) > most {
					values += ", …"
				}
			}
			row(line(c.Name), kind, strconv.Itoa(c.countMissing()), strconv.Itoa(len(levels)), line(values))
		}
	})
	if t.Source != "" {
		fmt.Fprintf(&b, "\n%s\n", strings.TrimSpace(t.Source))
	}
	return b.String()
}

// grid writes rows of cells to b as text with aligned columns and no spaces at the ends of lines.
// The function `fill` calls the function `row` with the cells of each row.
func grid(b *strings.Builder, fill func(row func(cells ...string))) {
	var text strings.Builder
	w := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	fill(func(cells ...string) { fmt.Fprintln(w, strings.Join(cells, "\t")) })
	w.Flush() // writing to a strings.Builder never fails
	for s := range strings.Lines(text.String()) {
		b.WriteString(strings.TrimRight(s, " \n") + "\n")
	}
}

func short(v float64) string { return strconv.FormatFloat(v, 'g', 4, 64) }

// line returns s, in quotation marks if it contains a character that would spoil the layout of a
// table, such as a line end.
func line(s string) string {
	if strings.ContainsFunc(s, func(r rune) bool { return !strconv.IsPrint(r) }) {
		return strconv.Quote(s)
	}
	return s
}

// countText returns a number with its noun, such as "1 row", "2 rows" or "3 classes".
func countText(n int, what string) string {
	switch {
	case n == 1:
		return "1 " + what
	case strings.HasSuffix(what, "s"):
		what += "es"
	default:
		what += "s"
	}
	return strconv.Itoa(n) + " " + what
}
