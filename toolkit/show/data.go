package show

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
)

// A Column is a list of numbers that a figure shows, with a name. Most names have the form
// "part.quantity", such as "points.x" or "boundary.piece".
type Column struct {
	Name   string    `json:"name"`
	Values []float64 `json:"values"`
}

// Data contains the numbers that a figure shows, as columns in the order in which the figure draws
// them. The columns can have different lengths. Each number is rounded to nine significant digits,
// as in the drawing.
type Data []Column

// Column returns the values of the named column, or false if it does not exist.
func (d Data) Column(name string) ([]float64, bool) {
	for _, c := range d {
		if c.Name == name {
			return c.Values, true
		}
	}
	return nil, false
}

// csv returns the columns side by side, with their names in the first line. NaN values and the
// cells below the end of a shorter column are empty. It returns the errors of encoding/csv.
func (d Data) csv() ([]byte, error) {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	row := make([]string, len(d))
	rows := 0
	for i, c := range d {
		row[i] = c.Name
		rows = max(rows, len(c.Values))
	}
	_ = w.Write(row) // the writer stores errors until Flush
	for r := range rows {
		for i, c := range d {
			row[i] = ""
			if r < len(c.Values) && !math.IsNaN(c.Values[r]) {
				row[i] = strconv.FormatFloat(c.Values[r], 'g', -1, 64)
			}
		}
		_ = w.Write(row)
	}
	w.Flush()
	if err := w.Error(); err != nil {
		return nil, fmt.Errorf("show: CSV: %w", err)
	}
	return b.Bytes(), nil
}

// json returns {"columns": [{"name": …, "values": […]}, …]}. The values that JSON cannot represent
// (NaN, ±Inf) are written as null. It returns the errors of encoding/json.
func (d Data) json() ([]byte, error) {
	type column struct {
		Name   string     `json:"name"`
		Values []*float64 `json:"values"`
	}
	out := struct {
		Columns []column `json:"columns"`
	}{Columns: []column{}}
	for _, c := range d {
		vals := make([]*float64, len(c.Values))
		for i, v := range c.Values {
			if !math.IsNaN(v) && !math.IsInf(v, 0) {
				vals[i] = &v
			}
		}
		out.Columns = append(out.Columns, column{c.Name, vals})
	}
	b, err := json.MarshalIndent(out, "", " ")
	if err != nil {
		return nil, fmt.Errorf("show: JSON: %w", err)
	}
	return append(b, '\n'), nil
}

// add appends a column of rounded values.
func (d *Data) add(name string, values []float64) {
	*d = append(*d, Column{name, rounded9(values)})
}

// rounded9 returns the values rounded to nine significant digits.
func rounded9(values []float64) []float64 {
	out := make([]float64, len(values))
	for i, v := range values {
		out[i] = round9(v)
	}
	return out
}

// withPrefix returns the columns with the prefix p in front of every name.
func (d Data) withPrefix(p string) Data {
	out := make(Data, len(d))
	for i, c := range d {
		out[i] = Column{p + c.Name, c.Values}
	}
	return out
}

// round9 rounds x to nine significant digits. The last bits of exponentials and sums differ between
// processors, but pictures must be the same on all processors.
func round9(x float64) float64 {
	if x == 0 || math.IsNaN(x) || math.IsInf(x, 0) {
		return x + 0 // −0 becomes 0
	}
	v, err := strconv.ParseFloat(strconv.FormatFloat(x, 'e', 8, 64), 64)
	if err != nil {
		return x
	}
	return v
}
